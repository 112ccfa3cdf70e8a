//! The inspector: the selected part of the document in fields, and what can be done with its structure.
//!
//! It exists so that every number has a field beside its handle, and every drag a twin that needs no dragging. What there
//! is to show is data ([`rows`]); what is typed is judged by the engine as a document would be ([`commit`]).

mod commit;
#[cfg(test)]
mod coverage;
mod desk;
mod draft;
mod field;
mod rows;
mod step_rows;

use fenceline_engine::{Fields, Scenario};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

use crate::command::Command;
use crate::edit::{Action, Kind, New};
use crate::editor::Editor;
use crate::selection::Part;
pub use desk::{Desk, Wanted};
use field::FieldView;
use rows::{Field, Row};
use step_rows::step_words;

/// What a part is called.
pub fn part_name(scenario: &Scenario, part: Option<Part>) -> String {
    let worker = |worker: usize| scenario.workers.get(worker);
    let id = |worker_index: usize| worker(worker_index).map_or("", |of| of.id.as_str());
    match part {
        None => "Document".into(),
        Some(Part::Lease(lease)) => ["Lease ", scenario.leases.get(lease).map_or("", |lease| &lease.id)].concat(),
        Some(Part::Resource(of)) => ["Resource ", scenario.resources.get(of).map_or("", |of| &of.id)].concat(),
        Some(Part::Worker(of)) => ["Worker ", id(of)].concat(),
        Some(Part::Step(of, step)) => {
            let words = worker(of).and_then(|of| of.plan.get(step)).map_or_else(String::new, step_words);
            ["Step ", &(step + 1).to_string(), ": ", &words].concat()
        }
        Some(Part::Pause(of, pause)) => {
            let count = worker(of).map_or(0, |of| of.pauses.len());
            if count > 1 { ["Pause ", &(pause + 1).to_string()].concat() } else { "Pause".into() }
        }
    }
}

/// The parts around a part, from the document inwards.
fn around(part: Option<Part>) -> Vec<Option<Part>> {
    match part {
        None => Vec::new(),
        Some(Part::Step(worker, _) | Part::Pause(worker, _)) => vec![None, Some(Part::Worker(worker))],
        Some(_) => vec![None],
    }
}

/// Gives the focus to something once it is there. With `only_if_lost`, only when what had it is gone.
fn focus_on(wanted: &Wanted, only_if_lost: bool) {
    let selector = wanted.selector();
    request_animation_frame(move || {
        let has_focus = |element: Element| element.tag_name() != "BODY";
        if only_if_lost && document().active_element().is_some_and(has_focus) {
            return;
        }
        let Some(found) = document().query_selector(&selector).ok().flatten() else { return };
        if let Some(element) = found.dyn_ref::<HtmlElement>() {
            // What cannot be focused leaves the focus where it is.
            let _ = element.focus();
        }
        if let Some(input) = found.dyn_ref::<HtmlInputElement>() {
            input.select();
        }
    });
}

/// The inspector.
#[component]
pub fn Inspector(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let part = editor.part;
    let fields = Memo::new(move |_| editor.scenario.with(|scenario| Fields::of(scenario)));
    // With their keys: each row looks for its own among all at every change.
    let rows = Memo::new(move |_| {
        let rows = editor.scenario.with(|scenario| rows::rows(scenario, part.get()));
        rows.into_iter().map(|row| (row.key(), row)).collect::<Vec<_>>()
    });
    let perform = move |action: Action| {
        let before = part.get_untracked();
        editor.run(Command::Do(action));
        // A button may take itself away.
        focus_on(&Wanted::Name, part.get_untracked() == before);
    };
    let go = move |to: Option<Part>| {
        editor.run(Command::Pick(to));
        focus_on(&Wanted::Name, false);
    };
    let wanted = editor.desk.wanted();
    Effect::new(move |_| {
        if let Some(now) = wanted.get() {
            wanted.set(None);
            focus_on(&now, false);
        }
    });
    let name = Signal::derive(move || editor.scenario.with(|scenario| part_name(scenario, part.get())));
    let trail = move || {
        let outer = around(part.get()).into_iter().map(|to| {
            let name = editor.scenario.with(|scenario| part_name(scenario, to));
            view! {
                <li>
                    <button class="link" type="button" on:click=move |_| go(to)>
                        {name}
                    </button>
                </li>
            }
        });
        outer.collect_view()
    };
    let keyed = move || {
        let of = part.get();
        rows.with(|rows| rows.iter().map(|(key, _)| (of, key.clone())).collect::<Vec<_>>())
    };
    view! {
        <div class="inspector">
            <nav class="trail" aria-label="Where in the document">
                <ol>{trail}</ol>
            </nav>
            <h2 id="inspector-part" tabindex="-1">{name}</h2>
            <div class="rows">
                <For
                    each=keyed
                    key=Clone::clone
                    children=move |(_, key)| {
                        let row = Memo::new(move |before: Option<&Option<Row>>| {
                            let now = rows.with(|rows| rows.iter().find(|(of, _)| *of == key).map(|(_, row)| row.clone()));
                            // A row that is about to go shows what it showed.
                            now.or_else(|| before.cloned().flatten())
                        });
                        match row.get_untracked() {
                            Some(Row::Field(field)) => {
                                let field = Memo::new(move |before: Option<&Field>| match row.get() {
                                    Some(Row::Field(now)) => now,
                                    _ => before.cloned().unwrap_or_else(|| field.clone()),
                                });
                                view! { <FieldView editor fields field/> }.into_any()
                            }
                            _ => (move || row.get().map(|row| other_row(row, perform, go))).into_any(),
                        }
                    }
                />
            </div>
            <p class="reason" role="alert">{editor.desk.refused()}</p>
        </div>
    }
}

/// The id of a button, what a pointer that rests on it reads, and its keys.
const fn about_button(action: &Action) -> (Option<&'static str>, Option<&'static str>, Option<&'static str>) {
    match action {
        Action::Remove(_) => (Some("remove-part"), Command::RemovePart.shortcut(), Command::RemovePart.aria_shortcut()),
        Action::Duplicate(_) => (None, Command::DuplicatePart.shortcut(), Command::DuplicatePart.aria_shortcut()),
        Action::Add(New::Step(_, _, kind)) => (None, Some(kind.about()), None),
        _ => (None, None, None),
    }
}

/// A row that is no field.
fn other_row(
    row: Row,
    perform: impl Fn(Action) + Copy + Send + 'static,
    go: impl Fn(Option<Part>) + Copy + Send + 'static,
) -> AnyView {
    let button = move |(action, words): (Action, String)| {
        let (id, title, keys) = about_button(&action);
        view! {
            <button class="chip" type="button" id=id title=title aria-keyshortcuts=keys on:click=move |_| perform(action.clone())>
                {words}
            </button>
        }
    };
    match row {
        Row::Field(_) => ().into_any(),
        Row::Heading(words) => view! { <h3>{words}</h3> }.into_any(),
        Row::Actions(actions) => {
            view! { <div class="actions">{actions.into_iter().map(button).collect_view()}</div> }.into_any()
        }
        Row::Parts(label, parts) => {
            let none = parts.is_empty().then(|| view! { <li class="muted">"none"</li> });
            let item = move |(part, words): (Part, String)| {
                view! {
                    <li>
                        <button class="chip" type="button" on:click=move |_| go(Some(part))>
                            {words}
                        </button>
                    </li>
                }
            };
            view! {
                <div class="parts">
                    <h3>{label}</h3>
                    <ol>{none} {parts.into_iter().map(item).collect_view()}</ol>
                </div>
            }
            .into_any()
        }
        Row::Steps(worker, after) => {
            let add = move |kind: Kind| button((Action::Add(New::Step(worker, after, kind)), kind.verb().into()));
            let words = if after.is_some() { "Add a step after it" } else { "Add a step" };
            view! {
                <div class="actions" role="group" aria-label=words>
                    <span class="muted">{words}</span>
                    {Kind::ALL.map(add).into_iter().collect_view()}
                </div>
            }
            .into_any()
        }
    }
}
