//! The timeline: the drawing of the run, and the handles by which it is changed.

mod grips;
mod handles;
mod key;
mod paint;

use fenceline_figure::{HandleId, Layer};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent};

use crate::command::Command;
use crate::editor::Editor;
use crate::platform::size::watch_width;
use grips::Grips;
use handles::Handles;
pub use handles::stroke_of;
use key::Key;
use paint::{Items, px};

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
    let scene = editor.scene;
    let width = move || scene.with(|scene| px(scene.width));
    let height = move || scene.with(|scene| px(scene.height));
    let select = move |event: MouseEvent| {
        let chosen = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
            .and_then(|element| element.closest("[data-write]").ok().flatten())
            .and_then(|item| item.get_attribute("data-write")?.parse().ok())
            .and_then(|verdict| editor.write_id(verdict));
        if let Some(write) = chosen {
            editor.run(Command::Select(write));
        }
    };
    view! {
        <section class="card timeline" aria-label="Timeline">
            <div class="timeline-head">
                <p class="hint">"Drag a grip or a diamond. The verdict follows."</p>
                <Key/>
            </div>
            <div class="timeline-scroll">
                <div class="timeline-frame" node_ref=frame class:dragging=move || editor.dragging.get().is_some()>
                    // The list below says all of it in words.
                    <svg
                        class="drawing"
                        width=width
                        height=height
                        viewBox=move || ["0 0 ", &width(), " ", &height()].concat()
                        aria-hidden="true"
                        focusable="false"
                        on:click=select
                    >
                        <Items editor layers=Layer::Lanes..=Layer::Ribbons/>
                        <Items editor layers=Layer::RaceWindow..=Layer::Pills/>
                        <Grips editor hovered/>
                    </svg>
                    <Handles editor hovered/>
                </div>
            </div>
        </section>
    }
}
