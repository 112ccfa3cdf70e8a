//! The picker: what is open, in the top bar, and the list to choose from.

use fenceline_engine::visible;
use leptos::html::Dialog;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement, KeyboardEvent};

use super::{Books, Library, Shelf};
use crate::app::{OPENING_GROUP, OPENING_ID};
use crate::editor::Editor;
use crate::glyph::Icon;
use crate::platform::focus;

/// The button that says what is open, and the list behind it.
#[component]
pub fn Picker(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let books = use_context::<Books>().unwrap_or_default();
    let title = Signal::derive(move || {
        let title = editor.scenario.with(|scenario| visible(scenario.title.trim()));
        if title.is_empty() { "Untitled".into() } else { title }
    });
    let group = Signal::derive(move || {
        let id = editor.work.with(|work| work.origin.as_ref().map(|origin| origin.id.clone()))?;
        let known = books.library().and_then(|library| library.group_of(&id).map(|group| group.title.clone()));
        let opening = || (id == OPENING_ID).then(|| OPENING_GROUP.to_string());
        Some([&known.or_else(opening)?, " / "].concat())
    });
    let changed = Signal::derive(move || {
        let mine = editor.work.with(|work| work.origin.is_some() && work.untouched().is_none());
        if mine { " · changed" } else { "" }
    });
    view! {
        <button
            class="picker"
            type="button"
            aria-haspopup="dialog"
            title="Choose a preset"
            on:click=move |_| {
                books.load();
                books.open.set(true);
            }
        >
            <span class="group">{group}</span>
            <span class="scenario">{title}</span>
            <span class="changed">{changed}</span>
            <Icon name="#u-down"/>
        </button>
        <Presets editor books/>
    }
}

/// The list, in a dialog.
#[component]
fn Presets(editor: Editor, books: Books) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let sought = RwSignal::new(String::new());
    Effect::new(move |_| {
        let open = books.open.get();
        let Some(dialog) = dialog.get() else { return };
        if open && !dialog.open() {
            sought.set(String::new());
            // It is in the document and not open: that cannot fail.
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let opened = Memo::new(move |_| editor.work.with(|work| work.origin.as_ref().map(|origin| origin.id.clone())));
    let list = move || match books.shelf.get() {
        Shelf::Unasked => ().into_any(),
        Shelf::Loading => view! { <p class="muted">"The presets are being loaded."</p> }.into_any(),
        Shelf::Failed(reason) => view! {
            <p role="alert">{["The presets did not come: ", &reason, "."].concat()}</p>
            <button
                class="btn worded"
                type="button"
                on:click=move |_| {
                    books.load();
                    focus::soon_if_lost(".presets input");
                }
            >
                "Try again"
            </button>
        }
        .into_any(),
        // Nobody sees the list while it is closed.
        Shelf::Here(_) if !books.open.get() => ().into_any(),
        Shelf::Here(library) => found(editor, books, &library, &sought.get(), opened.get().as_deref()),
    };
    let refused = Signal::derive(move || {
        books.refused.get().map(|reason| ["The preset did not open: ", &reason, ". Nothing was changed."].concat())
    });
    view! {
        <dialog
            class="dialog presets"
            node_ref=dialog
            aria-labelledby="presets-title"
            on:close=move |_| books.open.set(false)
            on:keydown=move |event| {
                if let Some(dialog) = dialog.get_untracked() {
                    walk(&dialog, &event);
                }
            }
        >
            <div class="dialog-head">
                <h2 id="presets-title">"Presets"</h2>
                <input
                    type="search"
                    placeholder="Search"
                    aria-label="Search the presets"
                    prop:value=sought
                    on:input=move |event| sought.set(event_target_value(&event))
                />
                <button class="btn worded" type="button" on:click=move |_| books.open.set(false)>
                    "Close"
                </button>
            </div>
            <div class="list">
                <p role="alert">{refused}</p>
                {list}
            </div>
        </dialog>
    }
}

/// Goes from preset to preset by the arrows, up to the search and back; Enter in the search opens the first.
fn walk(dialog: &HtmlDialogElement, event: &KeyboardEvent) {
    let Ok(list) = dialog.query_selector_all(".preset") else { return };
    let presets: Vec<HtmlElement> =
        (0..list.length()).filter_map(|index| list.item(index)?.dyn_into::<HtmlElement>().ok()).collect();
    let active = document().active_element();
    let here = presets.iter().position(|preset| active.as_ref() == Some(preset.as_ref()));
    let searches = active.is_some_and(|active| active.tag_name().eq_ignore_ascii_case("input"));
    let next = match (event.key().as_str(), here) {
        ("ArrowDown", Some(here)) => presets.get(here + 1),
        ("ArrowDown", None) => presets.first(),
        ("ArrowUp", Some(here)) if here > 0 => presets.get(here - 1),
        ("ArrowUp", Some(_)) => {
            event.prevent_default();
            let search = dialog.query_selector("input").ok().flatten();
            if let Some(search) = search.and_then(|search| search.dyn_into::<HtmlElement>().ok()) {
                // A search that cannot be focused leaves the focus where it is.
                let _ = search.focus();
            }
            None
        }
        ("Home", Some(_)) => presets.first(),
        ("End", Some(_)) => presets.last(),
        ("Enter", None) if searches => {
            event.prevent_default();
            if let Some(first) = presets.first() {
                first.click();
            }
            None
        }
        _ => None,
    };
    if let Some(next) = next {
        event.prevent_default();
        let _ = next.focus();
    }
}

/// The presets that have what is sought, group by group.
fn found(editor: Editor, books: Books, library: &Library, sought: &str, open: Option<&str>) -> AnyView {
    let sought = sought.trim().to_lowercase();
    let has = |preset: &&super::Preset| {
        sought.is_empty()
            || [&preset.title, &preset.question, &preset.teaching]
                .into_iter()
                .any(|text| text.to_lowercase().contains(&sought))
    };
    let mut none = true;
    let groups = library
        .groups
        .iter()
        .filter_map(|group| {
            let presets: Vec<_> =
                library.presets.iter().filter(|preset| preset.group == group.id).filter(has).collect();
            if presets.is_empty() {
                return None;
            }
            none = false;
            let rows = presets
                .into_iter()
                .map(|preset| {
                    let (id, kept) = (preset.id.clone(), preset.id.clone());
                    let mark = move || books.progress.of(&kept).map(super::Mark::words);
                    let current = (open == Some(preset.id.as_str())).then_some("true");
                    view! {
                        <li>
                            <button
                                class="preset"
                                type="button"
                                aria-current=current
                                on:click=move |_| books.open(editor, &id)
                            >
                                <b>{preset.title.clone()}</b>
                                <span class="question">{preset.question.clone()}</span>
                                <span class="mark">{mark}</span>
                            </button>
                        </li>
                    }
                })
                .collect_view();
            Some(view! {
                <section>
                    <h3>{group.title.clone()}</h3>
                    <p class="muted">{group.about.clone()}</p>
                    <ul>{rows}</ul>
                </section>
            })
        })
        .collect_view();
    let nothing = none.then(|| view! { <p class="muted">"No preset speaks of that."</p> });
    view! {
        {groups}
        {nothing}
    }
    .into_any()
}
