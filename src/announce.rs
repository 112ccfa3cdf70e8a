//! The announcer: says the verdict to those who do not see it, once it has settled.
//!
//! While something is dragged it is silent; then it waits until nothing has changed for a moment, so that a run of key
//! presses is announced once.

use std::time::Duration;

use leptos::prelude::*;

use crate::editor::Editor;

/// How long the verdict has to stand still.
const SETTLED: Duration = Duration::from_millis(400);

/// The live region.
#[component]
pub fn Announcer(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<String>| {
        let now = editor.headline.with(fenceline_engine::Headline::sentence);
        let Some(before) = before else { return now };
        if editor.dragging.get().is_some() || editor.hidden_from.get().is_some() {
            return before;
        }
        if now != before {
            if let Some(waiting) = waiting.get_value() {
                waiting.clear();
            }
            let sentence = now.clone();
            waiting.set_value(set_timeout_with_handle(move || said.set(sentence), SETTLED).ok());
        }
        now
    });
    view! {
        <p class="vh" role="status">
            {said}
        </p>
    }
}
