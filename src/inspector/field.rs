//! A field of the inspector: a labelled control that keeps what was typed, also when it cannot stand.
//!
//! Invariant: the document changes when a field is left, chosen from or stepped, never at each key.

use std::sync::Arc;

use fenceline_engine::Fields;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, KeyboardEvent};

use super::commit::{pressed, typed};
use super::draft::Draft;
use super::rows::{Field, FieldKind};
use crate::app::keep_to_text;
use crate::command::Command;
use crate::edit::Kind;
use crate::editor::Editor;
use crate::platform::focus;
use crate::step::step_of;

/// The value of whatever control an event came from.
fn value_of(event: &Event) -> Option<String> {
    let target = event.target()?;
    if let Some(input) = target.dyn_ref::<HtmlInputElement>() {
        return Some(if input.type_() == "checkbox" { input.checked().to_string() } else { input.value() });
    }
    if let Some(select) = target.dyn_ref::<HtmlSelectElement>() {
        return Some(select.value());
    }
    target.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value)
}

/// Makes a control say that, whatever it says now.
fn show_in(event: &Event, text: &str) {
    let Some(target) = event.target() else { return };
    if let Some(input) = target.dyn_ref::<HtmlInputElement>() {
        input.set_value(text);
    } else if let Some(area) = target.dyn_ref::<HtmlTextAreaElement>() {
        area.set_value(text);
    }
}

/// A field: label, control, hint or reason.
#[component]
pub fn FieldView(
    /// What is open.
    editor: Editor,
    /// The fields of the document.
    fields: Memo<Fields>,
    /// The field, as it is now.
    field: Memo<Field>,
) -> impl IntoView {
    let first = field.get_untracked();
    let pointer = first.pointer.clone();
    let id = ["field", &pointer.replace('/', "-")].concat();
    let note = [&id, "-note"].concat();
    let said = Memo::new({
        let pointer = pointer.clone();
        move |_| {
            let said = fields.with(|fields| fields.get(&pointer));
            said.or_else(|| field.with(|field| field.default.clone())).unwrap_or_default()
        }
    });
    let drafts = editor.desk.drafts();
    let origin =
        Memo::new(move |_| editor.work.with(|work| work.origin.as_ref().map_or_else(String::new, |of| of.id.clone())));
    let draft = Memo::new({
        let pointer = pointer.clone();
        move |_| said.with(|said| origin.with(|origin| drafts.get(&pointer, said, origin)))
    });
    let shown = Signal::derive(move || {
        draft.with(|draft| draft.as_ref().map(|of| of.text.clone())).unwrap_or_else(|| said.get())
    });
    let take = {
        let pointer = pointer.clone();
        move |text: &str, by_press: bool| {
            let before = editor.scenario.get_untracked();
            match field.with_untracked(|field| typed(&before, field, text)) {
                Ok(changed) => {
                    drafts.forget(&pointer);
                    if changed != *before {
                        let changed = Arc::new(changed);
                        editor.run(if by_press {
                            Command::EditField(changed, pointer.clone())
                        } else {
                            Command::Edit(changed)
                        });
                    }
                    true
                }
                Err(reason) => {
                    let (said, origin) = (said.get_untracked(), origin.get_untracked());
                    drafts.keep(&pointer, Draft { text: text.into(), reason, said, origin });
                    false
                }
            }
        }
    };
    // What was typed belongs to the work in which it was: a browser tells of it when the field is left, or goes away, and by then
    // another one may be open.
    let typed_in = StoredValue::new(None::<u32>);
    let type_in = move |_: Event| {
        typed_in.try_set_value(editor.openings.try_get_untracked());
    };
    let change = {
        let take = take.clone();
        move |event: Event| {
            let Some(typed_in) = typed_in.try_get_value() else { return };
            if typed_in.is_some_and(|at| at != editor.openings.get_untracked()) {
                show_in(&event, &said.get_untracked());
                return;
            }
            if value_of(&event).is_some_and(|text| take(&text, false)) {
                // What the document says is not always what was typed: `30.0s` is `30s`.
                show_in(&event, &said.get_untracked());
            }
        }
    };
    let put_back = {
        let pointer = pointer.clone();
        move || drafts.forget(&pointer)
    };
    let is_box = matches!(first.kind, FieldKind::Flag);
    let keys = {
        let place = pointer.clone();
        let put_back = put_back.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                put_back();
                show_in(&event, &said.get_untracked());
            }
            let came_from = editor.desk.came_from();
            let handle = came_from.get_untracked().filter(|handle| handle.pointer() == place);
            if matches!(event.key().as_str(), "Enter" | "Escape") && handle.is_some() {
                came_from.set(None);
                // In the next frame, when what was typed is taken.
                focus::soon(".handle[tabindex='0']");
            }
            // The keys of the page mean something else while somebody types, but for the one that saves all of it; a box to check
            // takes none but its own.
            if !is_box {
                keep_to_text(&event);
            }
        }
    };
    let invalid = Signal::derive(move || draft.with(Option::is_some).then_some("true"));
    let label = first.label;
    let control = match &first.kind {
        FieldKind::Flag => view! {
            <input
                type="checkbox"
                id=id.clone()
                data-pointer=pointer.clone()
                prop:checked=Signal::derive(move || shown.get() == "true")
                aria-invalid=invalid
                aria-describedby=note.clone()
                on:input=type_in
                on:change=change
                on:keydown=keys
            />
        }
        .into_any(),
        FieldKind::Choice(_) | FieldKind::StepKind(..) | FieldKind::Tokens(_) => {
            let choices = Memo::new(move |_| field.with(|field| choices(&field.kind)));
            let option = move |(value, words): (String, String)| {
                let this = value.clone();
                let chosen = Signal::derive(move || shown.get() == this);
                view! {
                    <option value=value prop:selected=chosen>
                        {words}
                    </option>
                }
            };
            view! {
                <select
                    id=id.clone()
                    data-pointer=pointer.clone()
                    aria-invalid=invalid
                    aria-describedby=note.clone()
                    on:input=type_in
                on:change=change
                    on:keydown=keys
                >
                    {move || choices.get().into_iter().map(option).collect_view()}
                </select>
            }
            .into_any()
        }
        FieldKind::Long => view! {
            <textarea
                id=id.clone()
                rows="3"
                data-pointer=pointer.clone()
                prop:value=shown
                aria-invalid=invalid
                aria-describedby=note.clone()
                on:input=type_in
                on:change=change
                on:keydown=keys
            ></textarea>
        }
        .into_any(),
        kind => {
            let is_number = matches!(kind, FieldKind::Time | FieldKind::Signed | FieldKind::Whole(_));
            let by = move |by: i64| {
                let take = take.clone();
                move |_| {
                    let step = step_of(editor.axis.get_untracked().length());
                    let text = shown.get_untracked();
                    if let Some(next) = field.with_untracked(|field| pressed(field, &text, by, step)) {
                        take(&next, true);
                    }
                }
            };
            let less = ["Less: ", label].concat();
            let more = ["More: ", label].concat();
            view! {
                <input
                    type="text"
                    id=id.clone()
                    class:number=is_number
                    inputmode=matches!(kind, FieldKind::Whole(1)).then_some("numeric")
                    autocomplete="off"
                    spellcheck="false"
                    data-pointer=pointer.clone()
                    placeholder=Signal::derive(move || field.with(|field| field.placeholder.clone()))
                    prop:value=shown
                    aria-invalid=invalid
                    aria-describedby=note.clone()
                    on:input=type_in
                on:change=change
                    on:keydown=keys
                />
                {is_number
                    .then(|| {
                        view! {
                            <button class="press" type="button" aria-label=less on:click=by(-1)>
                                "−"
                            </button>
                            <button class="press" type="button" aria-label=more on:click=by(1)>
                                "+"
                            </button>
                        }
                    })}
            }
            .into_any()
        }
    };
    let hint = Signal::derive(move || field.with(|field| field.hint));
    let reason = Signal::derive(move || draft.with(|draft| draft.as_ref().map(|draft| draft.reason.clone())));
    view! {
        <div class="field" data-kind=first.kind.name() data-invalid=Signal::derive(move || draft.with(Option::is_some).then_some(""))>
            <label for=id.clone()>{label}</label>
            <div class="control">{control}</div>
            <div class="note" id=note>
                {move || match reason.get() {
                    Some(reason) => {
                        let put_back = put_back.clone();
                        view! {
                            <p class="reason" role="alert">{reason}</p>
                            <button class="link" type="button" on:click=move |_| put_back()>
                                {move || ["Put back ", &said.get()].concat()}
                            </button>
                        }
                        .into_any()
                    }
                    None => view! { <span class="muted">{hint.get()}</span> }.into_any(),
                }}
            </div>
        </div>
    }
}

/// What a field offers.
fn choices(kind: &FieldKind) -> Vec<(String, String)> {
    let owned = |(value, words): (&str, &str)| (value.to_string(), words.to_string());
    match kind {
        FieldKind::Choice(choices) => choices.clone(),
        FieldKind::StepKind(..) => Kind::ALL.iter().map(|kind| owned((kind.name(), kind.about()))).collect(),
        FieldKind::Tokens(_) => [
            ("counter", "a counter: each is one higher"),
            ("worker-clock", "the worker’s own clock"),
            ("random", "random numbers"),
        ]
        .into_iter()
        .map(owned)
        .collect(),
        _ => Vec::new(),
    }
}
