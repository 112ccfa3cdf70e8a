//! The source: the document as text, to read, copy, change and paste.
//!
//! Invariant: what was typed stays until it is taken or put back by its writer; the rest of the page shows the last
//! document that can be run.

use std::sync::Arc;

use fenceline_engine::{Scenario, ScenarioError};
use leptos::prelude::*;
use web_sys::{Event, KeyboardEvent};

use crate::app::keep_to_text;
use crate::arrive::{Problem, listed};
use crate::command::Command;
use crate::editor::Editor;

/// What was typed into the source and is not taken yet, with what keeps it from being taken.
#[derive(Clone, Copy)]
pub struct SourceDraft {
    text: RwSignal<Option<String>>,
    /// What was shown when it was begun.
    base: RwSignal<Option<String>>,
    problems: RwSignal<Vec<Problem>>,
}

impl SourceDraft {
    /// Nothing typed yet.
    pub fn new() -> Self {
        Self { text: RwSignal::new(None), base: RwSignal::new(None), problems: RwSignal::new(Vec::new()) }
    }
}

impl Default for SourceDraft {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads a text as a document that can be shown.
fn read(text: &str) -> Result<Scenario, Vec<ScenarioError>> {
    let scenario = Scenario::from_json(text)?;
    let problems = Editor::problems(&scenario);
    if problems.is_empty() { Ok(scenario) } else { Err(problems) }
}

/// The panel.
#[component]
pub fn Source(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let SourceDraft { text: draft, base, problems } = use_context::<SourceDraft>().unwrap_or_default();
    let current = Memo::new(move |_| editor.scenario.with(|scenario| scenario.to_json()));
    let shown = Signal::derive(move || draft.get().unwrap_or_else(|| current.get()));
    let apply = move || {
        let Some(text) = draft.get_untracked() else { return };
        match read(&text) {
            Ok(scenario) => {
                problems.set(Vec::new());
                draft.set(None);
                editor.run(Command::Edit(Arc::new(scenario)));
            }
            Err(found) => problems.set(Problem::in_text(&text, found)),
        }
    };
    let put_back = move |_| {
        problems.set(Vec::new());
        draft.set(None);
    };
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            apply();
        }
        // The keys of the page mean something else while somebody types.
        keep_to_text(&event);
    };
    let begin = move |event: Event| {
        if draft.with_untracked(Option::is_none) {
            base.set(Some(current.get_untracked()));
        }
        draft.set(Some(event_target_value(&event)));
    };
    let state = move || match (draft.with(Option::is_some), base.with(|base| base.as_ref() == Some(&current.get()))) {
        (false, _) => "",
        (true, true) => "Changed here, and not applied yet.",
        (true, false) => {
            "Changed here, and not applied yet. What is shown has changed too, since you began: this text takes its place."
        }
    };
    let is_changed = Signal::derive(move || draft.with(Option::is_some));
    let list = move || problems.with(|problems| listed(problems));
    view! {
        <div class="source">
            <h2 class="vh">"The document as text"</h2>
            <label for="source-text">"The document, as it would be in a file"</label>
            <textarea
                id="source-text"
                rows="18"
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                prop:value=shown
                aria-invalid=Signal::derive(move || problems.with(|problems| !problems.is_empty()).then_some("true"))
                aria-describedby="source-problems"
                on:input=begin
                on:keydown=keys
            ></textarea>
            <div class="actions">
                <button
                    class="chip"
                    type="button"
                    aria-disabled=Signal::derive(move || if is_changed.get() { "false" } else { "true" })
                    title="Ctrl Enter"
                    on:click=move |_| apply()
                >
                    "Apply"
                </button>
                <Show when=move || is_changed.get()>
                    <button class="chip" type="button" on:click=put_back>
                        "Put back what is shown"
                    </button>
                </Show>
                <span class="muted">
                    {state}
                </span>
            </div>
            <div role="alert">
                <ol id="source-problems" class="problems">{list}</ol>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn a_text_is_taken_as_a_document_or_refused_with_places() {
        assert!(read(crate::app::OPENING).is_ok());
        let problems = read(r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "0s" }] }"#).expect_err("no ttl");
        assert_eq!(problems[0].path, "/leases/0/ttl");
        assert!(read("").is_err() && read("{").is_err());
    }
}
