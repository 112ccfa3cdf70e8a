//! The announcer: says the verdict to those who do not see it, once it has settled.
//!
//! While something is dragged it is silent; then it waits until nothing has changed for a moment, so that a run of key
//! presses is announced once. Invariant: nothing is said twice: what keys do to the handle that has the focus is told by
//! that handle, with what the schedule then comes to.

use std::time::Duration;

use fenceline_engine::Headline;
use fenceline_figure::HandleId;
use leptos::prelude::*;

use crate::editor::Editor;

/// How long the verdict has to stand still.
const SETTLED: Duration = Duration::from_millis(400);

/// What was there when last looked at.
#[derive(Clone, PartialEq)]
struct Seen {
    sentence: String,
    /// The handle that keys move, and its value.
    active: Option<(HandleId, i64)>,
    /// Something was being dragged.
    dragged: bool,
}

/// Whether the focus is on a handle, whose value is read aloud when it changes.
fn focus_is_on_a_handle() -> bool {
    document().active_element().is_some_and(|element| element.matches(".handles [role=slider]").unwrap_or(false))
}

/// The live region.
#[component]
pub fn Announcer(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<Seen>| {
        let value = |id: HandleId| editor.scene.with(|scene| scene.handle(id).map(|handle| (id, handle.value_us)));
        let now = Seen {
            sentence: editor.headline.with(Headline::sentence),
            active: editor.active.get().and_then(value),
            dragged: false,
        };
        let Some(before) = before else { return now };
        if editor.is_held() || editor.hidden_from.get().is_some() {
            // What was about to be said is not so any more.
            if let Some(waiting) = waiting.try_update_value(Option::take).flatten() {
                waiting.clear();
            }
            return Seen { dragged: true, ..before };
        }
        if now.sentence != before.sentence {
            if let Some(waiting) = waiting.get_value() {
                waiting.clear();
            }
            let told_by_handle = !before.dragged
                && now.active != before.active
                && now.active.map(|(id, _)| id) == before.active.map(|(id, _)| id)
                && focus_is_on_a_handle();
            if !told_by_handle {
                let sentence = now.sentence.clone();
                waiting.set_value(set_timeout_with_handle(move || said.set(sentence), SETTLED).ok());
            }
        }
        now
    });
    view! {
        <p class="vh" role="status">
            {said}
        </p>
    }
}
