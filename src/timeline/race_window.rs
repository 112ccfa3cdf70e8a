//! The race window of the active handle in words: what the strip under its lane shows.

use leptos::prelude::*;

use crate::editor::Editor;

/// The id of the words, by which the active handle is described.
pub const RACE_WINDOW: &str = "race-window";

/// The words. They stand outside the drawing, which they would make higher.
#[component]
pub fn RaceWindow(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    view! {
        <p class="vh" id=RACE_WINDOW>
            {move || told(editor)}
        </p>
    }
}

fn told(editor: Editor) -> Option<String> {
    editor.strip.with(|strip| {
        let strip = strip.as_ref()?;
        let label = editor.scene.with(|scene| scene.handle(strip.handle).map(|handle| handle.label.clone()))?;
        let margin = strip.margin().map_or_else(String::new, |margin| [". ", &margin].concat());
        Some(["Race window of ‘", &label, "’: ", &strip.sentence(), &margin, "."].concat())
    })
}
