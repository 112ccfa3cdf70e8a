//! The lesson of the open preset: a question first, then what it teaches, what helps and what does not.

use std::sync::Arc;

use fenceline_engine::Guard;
use leptos::prelude::*;

use super::read::{Change, changed};
use super::{Books, Preset, Shelf};
use crate::command::Command;
use crate::editor::Editor;
use crate::guards::words_of;
use crate::platform::focus;

/// The panel.
#[component]
pub fn Lesson(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let books = use_context::<Books>().unwrap_or_default();
    books.load();
    let id = Memo::new(move |_| editor.work.with(|work| work.origin.as_ref().map(|origin| origin.id.clone())));
    // The button that led to the next preset is gone with this one.
    Effect::new(move |before: Option<_>| {
        let now = id.get();
        if before.is_some_and(|before| before != now) {
            focus::soon_if_lost("#lesson-title");
        }
        now
    });
    let inside = move || match (id.get(), books.shelf.get()) {
        (None, _) => view! {
            <p class="muted">"This is a schedule of your own. Presets come with a lesson."</p>
            <button class="chip" type="button" on:click=move |_| books.open.set(true)>
                "Choose a preset"
            </button>
        }
        .into_any(),
        (Some(_), Shelf::Unasked | Shelf::Loading) => {
            view! { <p class="muted">"The lesson is being loaded."</p> }.into_any()
        }
        (Some(_), Shelf::Failed(reason)) => view! {
            <p role="alert">{["The lesson did not come: ", &reason, "."].concat()}</p>
            <button
                class="chip"
                type="button"
                on:click=move |_| {
                    books.load();
                    focus::soon_if_lost("#panel");
                }
            >
                "Try again"
            </button>
        }
        .into_any(),
        (Some(id), Shelf::Here(library)) => match library.find(&id) {
            Some((place, preset)) => {
                let near = |by: isize| {
                    let place = place.checked_add_signed(by)?;
                    library.presets.get(place).map(|preset| (preset.id.clone(), preset.title.clone()))
                };
                lesson(editor, books, preset, near(-1), near(1))
            }
            None => view! { <p class="muted">"The library has no lesson for this."</p> }.into_any(),
        },
    };
    view! { <div class="lesson">{inside}</div> }
}

type Near = Option<(String, String)>;

fn lesson(editor: Editor, books: Books, preset: &Preset, before: Near, after: Near) -> AnyView {
    let Preset { title, question, teaching, helps, helps_why, does_not_help, does_not_why, .. } = preset.clone();
    let told = RwSignal::new(false);
    let (helps_words, does_words) = (in_words(&helps), in_words(&does_not_help));
    let try_helps = trying(editor, Guard::from_name(&helps), preset.helps_change.clone());
    let try_does = trying(editor, Guard::from_name(&does_not_help), preset.does_not_change.clone());
    let report = preset.link.clone();
    let link = move |(label, url): (String, String)| {
        view! {
            <p class="report">
                "After a public report: "
                <a href=url target="_blank" rel="noopener noreferrer">
                    {label}
                </a>
            </p>
        }
    };
    let is_changed = Signal::derive(move || editor.work.with(|work| work.untouched().is_none()));
    let again = move |_| {
        let origin = editor.work.with_untracked(|work| work.origin.clone());
        if let Some(origin) = origin {
            editor.run(Command::Edit(Arc::clone(&origin.scenario)));
            focus::soon_if_lost("#lesson-title");
        }
    };
    let step = move |near: Near, arrow: &'static str, words: &'static str| {
        near.map(|(id, title)| {
            view! {
                <button class="chip" type="button" on:click=move |_| books.open(editor, &id)>
                    <span aria-hidden="true">{arrow}</span>
                    <span class="vh">{words}</span>
                    {title}
                </button>
            }
        })
    };
    let tell = move |_| {
        told.set(true);
        focus::soon_if_lost(".lesson .teaching");
    };
    view! {
        <h2 id="lesson-title" tabindex="-1">{title}</h2>
        <p class="question">{question}</p>
        <Show
            when=move || told.get()
            fallback=move || {
                view! {
                    <button class="chip" type="button" on:click=tell>
                        "Show the answer"
                    </button>
                }
            }
        >
            <p class="teaching" tabindex="-1">{teaching.clone()}</p>
            <dl class="helps">
                <div>
                    <dt>"Helps"</dt>
                    <dd>
                        <b>{helps_words.clone()}</b>
                        {[" — ", &helps_why].concat()}
                        {try_helps.map(|run| view! { <Try run words=helps_words.clone()/> })}
                    </dd>
                </div>
                <div>
                    <dt>"Does not help"</dt>
                    <dd>
                        <b>{does_words.clone()}</b>
                        {[" — ", &does_not_why].concat()}
                        {try_does.map(|run| view! { <Try run words=does_words.clone()/> })}
                    </dd>
                </div>
            </dl>
            {report.clone().map(link)}
        </Show>
        <Show when=move || is_changed.get()>
            <p class="changed">
                "You changed this preset: this is your version. "
                <button class="chip" type="button" on:click=again>
                    "Start again"
                </button>
            </p>
        </Show>
        <div class="actions">
            {step(before, "← ", "Previous: ")}
            {step(after, "→ ", "Next: ")}
        </div>
    }
    .into_any()
}

/// A guard by its words; a setting is told in words already.
fn in_words(helps: &str) -> String {
    Guard::from_name(helps).map_or_else(|| helps.to_string(), |guard| words_of(guard).to_string())
}

/// What tries a guard or a setting on the preset as the library has it; none when there is nothing to try.
fn trying(editor: Editor, guard: Option<Guard>, changes: Vec<Change>) -> Option<Callback<()>> {
    if guard.is_none() && changes.is_empty() {
        return None;
    }
    Some(Callback::new(move |()| {
        let Some(origin) = editor.work.with_untracked(|work| work.origin.clone()) else { return };
        let Some(scenario) = changed(&origin.scenario, &changes) else { return };
        let scenario = guard.map_or_else(|| scenario.clone(), |guard| scenario.under(guard));
        editor.run(Command::Edit(Arc::new(scenario)));
    }))
}

/// The button that tries something.
#[component]
fn Try(run: Callback<()>, words: String) -> impl IntoView {
    view! {
        <button class="chip" type="button" on:click=move |_| run.run(())>
            "Try it"
            <span class="vh">{[": ", &words].concat()}</span>
        </button>
    }
}
