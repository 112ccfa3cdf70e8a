//! The timeline: the drawing of the run, and the handles by which it is changed.

mod drawing;
mod empty;
mod gesture;
mod hand;
mod handles;
mod key;
mod paint;
mod race_window;
mod reach;
mod view;
pub mod zoom;

use fenceline_figure::HandleId;
use leptos::html::Div;
use leptos::prelude::*;

use crate::editor::Editor;
use crate::platform::size::watch_width;
use crate::playback::{Scrubber, States, Transport, keep_playing};
use drawing::Drawing;
pub use drawing::clicked;
use empty::Empty;
use gesture::Gestures;
use handles::Handles;
pub use handles::stroke_of;
use key::Key;
pub use paint::css_px;
use race_window::RaceWindow;
use view::ViewButtons;

/// The card with the timeline in it.
#[component]
pub fn Timeline(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    frame.on_load(move |frame| {
        watch_width(&frame, move |width| {
            // A page that is not shown has no width yet.
            if width > 0.0 {
                editor.width.set(width);
            }
        });
    });
    keep_playing(editor);
    let gestures = Gestures::new(editor, frame);
    let hovered = RwSignal::new(None::<HandleId>);
    let dragging = Signal::derive(move || editor.dragging.get().is_some());
    view! {
        <section class="card timeline" aria-label="Timeline">
            <div class="timeline-head">
                <Transport editor/>
                <p class="hint">
                    {move || {
                        if editor.hidden_from.get().is_some() {
                            "What follows is hidden until you have answered."
                        } else {
                            "Drag a grip or a diamond. The verdict follows."
                        }
                    }}
                </p>
                <Key/>
                <ViewButtons editor/>
            </div>
            <States editor/>
            <RaceWindow editor/>
            <div class="timeline-scroll">
                <div
                    class="timeline-frame"
                    node_ref=frame
                    class:dragging=dragging
                    class:zoomed=Signal::derive(move || editor.zoom.get().is_some())
                    on:wheel=move |event| gestures.wheel(&event)
                    on:pointerdown=move |event| gestures.press(&event)
                    on:dragstart=|event| event.prevent_default()
                >
                    <Drawing editor hovered moved=gestures.moved()/>
                    <Scrubber editor/>
                    <Handles editor hovered/>
                </div>
            </div>
            <Empty editor/>
        </section>
    }
}
