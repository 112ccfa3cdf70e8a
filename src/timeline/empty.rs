//! The offer on an empty timeline: the two ways to begin.

use leptos::prelude::*;

use crate::command::Command;
use crate::edit::{Action, New};
use crate::editor::Editor;
use crate::library::Books;

/// The offer, while there is no worker.
#[component]
pub fn Empty(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let books = use_context::<Books>().unwrap_or_default();
    let is_empty = Memo::new(move |_| editor.scenario.with(|scenario| scenario.workers.is_empty()));
    let choose = move |_| {
        books.load();
        books.open.set(true);
    };
    view! {
        <Show when=move || is_empty.get()>
            <div class="empty">
                <p>"Add a worker, or start from a preset."</p>
                <div class="actions">
                    <button
                        class="chip"
                        type="button"
                        on:click=move |_| editor.run(Command::Do(Action::Add(New::Worker)))
                    >
                        "Add a worker"
                    </button>
                    <button class="chip" type="button" aria-haspopup="dialog" on:click=choose>
                        "Start from a preset"
                    </button>
                </div>
            </div>
        </Show>
    }
}
