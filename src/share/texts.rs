//! The texts that leave the page: chosen, looked at, copied or saved.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::kind::{KINDS, Kind, file_name, find};
use super::{Done, copy, is_second};
use crate::editor::Editor;
use crate::platform::{exporter, files};

/// What the exporter gave for the chosen kind.
#[derive(Clone, PartialEq)]
enum Made {
    Loading,
    Text(String),
    None(String),
}

/// The section.
#[component]
pub(super) fn Texts(editor: Editor, done: Done) -> impl IntoView {
    let chosen = RwSignal::new(KINDS[0].1[0].key);
    let made = RwSignal::new(Made::Loading);
    Effect::new(move |_| {
        let (key, document) = (chosen.get(), editor.scenario.with(|scenario| scenario.to_json()));
        made.set(Made::Loading);
        spawn_local(async move {
            let text = exporter::export(key, &document).await;
            // Another one may have been chosen meanwhile, or the dialog closed.
            if chosen.try_get_untracked() == Some(key) {
                let _ = made.try_set(text.map_or_else(Made::None, Made::Text));
            }
        });
    });
    let text = move || match made.get_untracked() {
        Made::Text(text) => Some(text),
        _ => None,
    };
    let save = move |click: MouseEvent| {
        if is_second(&click) {
            return;
        }
        let (Some(text), Some(kind)) = (text(), find(chosen.get_untracked())) else { return };
        let name = editor.scenario.with_untracked(|scenario| file_name(&scenario.title, kind.extension));
        done.saved("The text", files::save_text(&name, "text/plain;charset=utf-8", &text));
    };
    let option = |kind: &Kind| view! { <option value=kind.key>{kind.label}</option> };
    let group = |(label, kinds): &(&'static str, &'static [Kind])| {
        view! { <optgroup label=*label>{kinds.iter().map(option).collect_view()}</optgroup> }
    };
    view! {
        <section>
            <h3>"Text, evidence and code"</h3>
            <div class="row">
                <label>
                    "As "
                    <select on:change=move |event| {
                        if let Some(kind) = find(&event_target_value(&event)) {
                            chosen.set(kind.key);
                        }
                    }>{KINDS.iter().map(group).collect_view()}</select>
                </label>
                <button
                    class="chip"
                    type="button"
                    on:click=move |_| {
                        if let Some(text) = text() {
                            copy(done, "The text", text);
                        }
                    }
                >
                    "Copy text"
                </button>
                <button class="chip" type="button" on:click=save>
                    "Save text"
                </button>
            </div>
            {move || match made.get() {
                Made::Loading => view! { <p class="muted">"It is being made."</p> }.into_any(),
                Made::None(why) => view! { <p class="none">{["There is none: ", &why, "."].concat()}</p> }.into_any(),
                Made::Text(text) => view! { <pre tabindex="0" aria-label="The text">{text}</pre> }.into_any(),
            }}
        </section>
    }
}
