//! The timeline: the drawing of the run, and the handles by which it is changed.

mod drawing;
mod hand;
mod handles;
mod key;
mod paint;
mod reach;

use fenceline_figure::HandleId;
use leptos::html::Div;
use leptos::prelude::*;

use crate::editor::Editor;
use crate::platform::size::watch_width;
use drawing::Drawing;
pub use drawing::clicked;
use handles::Handles;
pub use handles::stroke_of;
use key::Key;

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
    let hovered = RwSignal::new(None::<HandleId>);
    let dragging = Signal::derive(move || editor.dragging.get().is_some());
    view! {
        <section class="card timeline" aria-label="Timeline">
            <div class="timeline-head">
                <p class="hint">"Drag a grip or a diamond. The verdict follows."</p>
                <Key/>
            </div>
            <div class="timeline-scroll">
                <div class="timeline-frame" node_ref=frame class:dragging=dragging>
                    <Drawing editor hovered/>
                    <Handles editor hovered/>
                </div>
            </div>
        </section>
    }
}
