//! The questions, one write at a time, and what came of each.

use fenceline_engine::trace::Decision;
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

/// A decision, as it is asked about.
struct About {
    title: String,
    /// When and where it is decided.
    when: String,
    /// How many there are.
    count: usize,
    /// Whether a known key may be the answer.
    knows_keys: bool,
}

impl About {
    fn of(editor: Editor, verdict: usize) -> Self {
        editor.scenario.with_untracked(|scenario| {
            editor.trace.with_untracked(|trace| {
                let title = explain(scenario, trace, verdict as u32).map_or_else(String::new, |of| of.title);
                let of = trace.writes.get(verdict);
                let at = show_instant(of.map_or(0, |verdict| verdict.decided_at), Scale::of(trace));
                // A worker that looks before it writes may decide by itself: then nothing arrives.
                let when = match of {
                    Some(verdict) if verdict.given_up => ["Its worker has looked, and compares at ", &at].concat(),
                    _ => ["It arrives at ", &at].concat(),
                };
                let resource = of.and_then(|of| scenario.resources.get(of.resource));
                let knows_keys = resource.is_some_and(|resource| resource.idempotent);
                Self { title, when, count: trace.writes.len(), knows_keys }
            })
        })
    }
}

fn question(editor: Editor, verdict: usize) -> AnyView {
    let About { title, when, count, knows_keys } = About::of(editor, verdict);
    let draft = move || editor.prediction.with(|of| of.as_ref().map_or_else(Answer::default, |of| of.draft));
    let option = move |name: &'static str, words: &'static str, says: Answer| {
        let choose = move |_| {
            let draft = untrack(draft);
            let (decision, stale) = (says.decision.or(draft.decision), says.stale.or(draft.stale));
            editor.run(Command::Say(Answer { decision, stale }));
        };
        let chosen = Signal::derive(move || {
            let draft = draft();
            says.decision.is_none_or(|decision| draft.decision == Some(decision))
                && says.stale.is_none_or(|stale| draft.stale == Some(stale))
        });
        view! {
            <label>
                <input type="radio" name=name prop:checked=chosen on:change=choose/>
                <span>{words}</span>
            </label>
        }
    };
    let decided = move |words, decision| option("accepted", words, Answer { decision: Some(decision), stale: None });
    let stands = move |words, stale| option("stale", words, Answer { decision: None, stale: Some(stale) });
    let ready = Signal::derive(move || {
        let draft = draft();
        if draft.decision.is_some() && draft.stale.is_some() { "false" } else { "true" }
    });
    view! {
        <p class="muted">{["Write ", &(verdict + 1).to_string(), " of ", &count.to_string()].concat()}</p>
        <h2 id="ask-title" tabindex="-1">{[&title, ". ", &when, ". What happens?"].concat()}</h2>
        <div class="questions">
            <fieldset>
                <legend>"What does the destination do?"</legend>
                {decided("It is accepted", Decision::Accepted)}
                {decided("It is rejected", Decision::Rejected)}
                {knows_keys.then(|| decided("It is answered from its key", Decision::Replayed))}
            </fieldset>
            <fieldset>
                <legend>"Does its worker hold the lease at that moment?"</legend>
                {stands("No: it is stale", true)}
                {stands("Yes: it is current", false)}
            </fieldset>
        </div>
        <button class="chip strong" type="button" aria-disabled=ready on:click=move |_| editor.run(Command::Answer)>
            "Show what happens"
        </button>
    }
    .into_any()
}

/// An answer in words.
fn in_words(answer: Answer) -> String {
    let decision = match answer.decision {
        Some(Decision::Accepted) => "accepted",
        Some(Decision::Replayed) => "answered from its key, without a second effect",
        _ => "rejected",
    };
    [decision, if answer.stale == Some(true) { ", and stale" } else { ", and current" }].concat()
}

fn shown(editor: Editor, books: Books, verdict: usize) -> AnyView {
    let About { title, count, .. } = About::of(editor, verdict);
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
            {["It is ", &in_words(true_answer), "."].concat()}
        </h2>
        <p>
            <b>{if is_right { "You said so." } else { "You said: " }}</b>
            {(!is_right).then(|| [&in_words(said), "."].concat())}
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
