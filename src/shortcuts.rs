//! The shortcuts: what each key does, in a dialog under `?`.

use leptos::html::Dialog;
use leptos::prelude::*;

use crate::command::{Command, SHORTCUTS};
use crate::editor::Editor;
use crate::tour::Tour;

/// The dialog. It is a native one: the browser keeps the focus in it, closes it on Escape, and gives the focus back.
#[component]
pub fn Shortcuts(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let tour = use_context::<Tour>().unwrap_or_default();
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let open = editor.help.get();
        let Some(dialog) = dialog.get() else { return };
        if open && !dialog.open() {
            // It is in the document and not open: that cannot fail.
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let group = |(title, keys): &(&'static str, &'static [(&'static str, &'static str)])| {
        let row = |(key, words): &(&'static str, &'static str)| {
            view! {
                <div>
                    <dt>
                        <kbd>{*key}</kbd>
                    </dt>
                    <dd>{*words}</dd>
                </div>
            }
        };
        view! {
            <section>
                <h3>{*title}</h3>
                <dl>{keys.iter().map(row).collect_view()}</dl>
            </section>
        }
    };
    view! {
        <dialog
            class="dialog shortcuts"
            node_ref=dialog
            aria-labelledby="shortcuts-title"
            on:close=move |_| editor.run(Command::Help(false))
        >
            <div class="dialog-head">
                <h2 id="shortcuts-title">"Keys"</h2>
                <button
                    class="btn worded"
                    type="button"
                    on:click=move |_| {
                        editor.run(Command::Help(false));
                        tour.start();
                    }
                >
                    "Take the tour"
                </button>
                <button class="btn worded" type="button" on:click=move |_| editor.run(Command::Help(false))>
                    "Close"
                </button>
            </div>
            <div class="groups">{SHORTCUTS.iter().map(group).collect_view()}</div>
        </dialog>
    }
}
