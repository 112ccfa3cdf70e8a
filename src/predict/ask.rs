//! The questions, one write at a time, and what came of each.

use fenceline_engine::{Scale, explain, show_instant};
use leptos::prelude::*;

use super::{Answer, truth};
use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, glyph_of, outcome_name};
use crate::library::{Books, Mark};
use crate::platform::focus;

/// The card.
#[component]
pub fn Ask(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let books = use_context::<Books>().unwrap_or_default();
    books.load();
    let stands = Memo::new(move |_| {
        editor.prediction.with(|prediction| {
            let prediction = prediction.as_ref()?;
            editor.trace.with(|trace| Some((prediction.at(trace), prediction.shown)))
        })
    });
    // The button that leads on is gone with its question.
    Effect::new(move |before: Option<_>| {
        let now = stands.get();
        if before.is_some_and(|before| before != now) {
            focus::soon_if_lost("#ask-title");
        }
        now
    });
    view! {
        <section class="card ask" aria-label="Predict first">
            {move || match stands.get() {
                None => ().into_any(),
                Some((None, _)) => sum(editor, books),
                Some((Some(verdict), false)) => question(editor, verdict),
                Some((Some(verdict), true)) => shown(editor, books, verdict),
            }}
        </section>
    }
}

/// What a write is, without what became of it.
fn about(editor: Editor, verdict: usize) -> (String, String, usize) {
    editor.scenario.with_untracked(|scenario| {
        editor.trace.with_untracked(|trace| {
            let title = explain(scenario, trace, verdict as u32).map_or_else(String::new, |of| of.title);
            let at = trace.writes.get(verdict).map_or(0, |verdict| verdict.decided_at);
            (title, show_instant(at, Scale::of(trace)), trace.writes.len())
        })
    })
}

fn question(editor: Editor, verdict: usize) -> AnyView {
    let (title, at, count) = about(editor, verdict);
    let draft = move || editor.prediction.with(|of| of.as_ref().map_or_else(Answer::default, |of| of.draft));
    let choose =
        move |name: &'static str, words: [&'static str; 2], legend: &'static str, get: fn(&Answer) -> Option<bool>| {
            let option = move |value: bool, words: &'static str| {
                let change = move |_| {
                    let mut says =
                        editor.prediction.with_untracked(|of| of.as_ref().map_or_else(Answer::default, |of| of.draft));
                    if name == "accepted" {
                        says.accepted = Some(value);
                    } else {
                        says.stale = Some(value);
                    }
                    editor.run(Command::Say(says));
                };
                view! {
                    <label>
                        <input
                            type="radio"
                            name=name
                            prop:checked=Signal::derive(move || get(&draft()) == Some(value))
                            on:change=change
                        />
                        <span>{words}</span>
                    </label>
                }
            };
            view! {
                <fieldset>
                    <legend>{legend}</legend>
                    {option(true, words[0])}
                    {option(false, words[1])}
                </fieldset>
            }
        };
    let ready = Signal::derive(move || {
        let draft = draft();
        if draft.accepted.is_some() && draft.stale.is_some() { "false" } else { "true" }
    });
    view! {
        <p class="muted">{["Write ", &(verdict + 1).to_string(), " of ", &count.to_string()].concat()}</p>
        <h2 id="ask-title" tabindex="-1">{[&title, ". It arrives at ", &at, ". What happens?"].concat()}</h2>
        <div class="questions">
            {choose(
                "accepted",
                ["It is accepted", "It is rejected"],
                "What does the destination do?",
                |answer| answer.accepted,
            )}
            {choose(
                "stale",
                ["No: it is stale", "Yes: it is current"],
                "Does its worker hold the lease at that moment?",
                |answer| answer.stale,
            )}
        </div>
        <button class="chip strong" type="button" aria-disabled=ready on:click=move |_| editor.run(Command::Answer)>
            "Show what happens"
        </button>
    }
    .into_any()
}

/// An answer in words.
fn in_words(answer: Answer) -> &'static str {
    match (answer.accepted, answer.stale) {
        (Some(true), Some(true)) => "accepted, and stale",
        (Some(true), _) => "accepted, and current",
        (_, Some(true)) => "rejected, and stale",
        _ => "rejected, and current",
    }
}

fn shown(editor: Editor, books: Books, verdict: usize) -> AnyView {
    let (title, _, count) = about(editor, verdict);
    let said = editor.prediction.with_untracked(|of| of.as_ref().and_then(|of| of.answers.get(verdict).copied()));
    let found = editor.scenario.with_untracked(|scenario| {
        editor.trace.with_untracked(|trace| {
            let of = trace.writes.get(verdict)?;
            let explanation = explain(scenario, trace, verdict as u32)?;
            let name = [
                scenario.workers.get(of.worker).map_or("", |worker| worker.id.as_str()),
                "/",
                &(of.step + 1).to_string(),
                "#",
                &of.attempt.to_string(),
                ".",
                &of.copy.to_string(),
            ]
            .concat();
            Some((truth(of), explanation, name))
        })
    });
    let Some(((true_answer, explanation, name), said)) = found.zip(said) else { return ().into_any() };
    let is_right = said == true_answer;
    let glyph = glyph_of(explanation.class);
    // The library's own words where it asks about this very write, of the schedule as it has it.
    let because = Signal::derive(move || {
        let id = editor.work.with(|work| work.untouched().map(ToString::to_string))?;
        let (write, because) = books.preset(&id)?.predict?;
        (write == name).then_some(because)
    });
    let last = verdict + 1 == count;
    view! {
        <p class="muted">{["Write ", &(verdict + 1).to_string(), " of ", &count.to_string(), ": ", &title].concat()}</p>
        <h2 id="ask-title" tabindex="-1" data-outcome=outcome_name(glyph)>
            <OutcomeGlyph of=Signal::stored(glyph)/>
            {["It is ", in_words(true_answer), "."].concat()}
        </h2>
        <p>
            <b>{if is_right { "You said so." } else { "You said: " }}</b>
            {(!is_right).then(|| [in_words(said), "."].concat())}
        </p>
        <p>{explanation.comparison.sentence}</p>
        <p>{explanation.standing}</p>
        <p>{because}</p>
        <button class="chip strong" type="button" on:click=move |_| editor.run(Command::NextQuestion)>
            {if last { "See the sum" } else { "Next write" }}
        </button>
    }
    .into_any()
}

fn sum(editor: Editor, books: Books) -> AnyView {
    let (right, count) = editor.trace.with_untracked(|trace| {
        let right = editor.prediction.with_untracked(|of| of.as_ref().map_or(0, |of| of.right(trace)));
        (right, trace.writes.len())
    });
    let untouched = editor.work.with_untracked(|work| work.untouched().map(ToString::to_string));
    if let Some(id) = untouched.filter(|_| count > 0) {
        books.progress.mark(&id, if right == count { Mark::Right } else { Mark::Tried });
    }
    let words = if count == 0 {
        "Nothing reaches a destination here: there is nothing to predict.".into()
    } else {
        ["You were right about ", &right.to_string(), " of ", &count.to_string(), "."].concat()
    };
    view! {
        <h2 id="ask-title" tabindex="-1">{words}</h2>
        <div class="actions">
            <button class="chip" type="button" on:click=move |_| editor.run(Command::Predict(true))>
                "Ask again"
            </button>
            <button
                class="chip"
                type="button"
                on:click=move |_| {
                    editor.run(Command::Predict(false));
                    focus::soon_if_lost(".switch input");
                }
            >
                "Show everything"
            </button>
            <button class="chip" type="button" on:click=move |_| books.open.set(true)>
                "Choose another preset"
            </button>
        </div>
    }
    .into_any()
}
