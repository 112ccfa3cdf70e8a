//! The buttons that change what is shown: closer, further, the whole story. Twins of wheel and pinch.

use leptos::prelude::*;

use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::Icon;

/// The buttons.
#[component]
pub fn ViewButtons(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let is_whole = Signal::derive(move || if editor.zoom.get().is_none() { "true" } else { "false" });
    view! {
        <div class="view-buttons" role="group" aria-label="Zoom">
            <button
                class="btn"
                type="button"
                aria-label="Zoom out"
                title="Zoom out · −"
                aria-disabled=is_whole
                on:click=move |_| editor.run(Command::ZoomBy(-1.0, None))
            >
                <Icon name="#u-out"/>
            </button>
            <button
                class="btn"
                type="button"
                aria-label="Zoom in"
                title="Zoom in · +"
                on:click=move |_| editor.run(Command::ZoomBy(1.0, None))
            >
                <Icon name="#u-in"/>
            </button>
            <Show when=move || editor.zoom.get().is_some()>
                <button
                    class="btn"
                    type="button"
                    aria-label="Earlier"
                    title="Earlier"
                    on:click=move |_| editor.run(Command::PanBy(-0.5))
                >
                    <Icon name="#u-left"/>
                </button>
                <button
                    class="btn"
                    type="button"
                    aria-label="Later"
                    title="Later"
                    on:click=move |_| editor.run(Command::PanBy(0.5))
                >
                    <Icon name="#u-right"/>
                </button>
                <button
                    class="btn worded"
                    type="button"
                    title="The whole story · 0"
                    on:click=move |_| editor.run(Command::Zoom(None))
                >
                    "Whole story"
                </button>
            </Show>
        </div>
    }
}
