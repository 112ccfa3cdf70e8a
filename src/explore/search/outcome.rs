//! How a search stands, what it found, and how that is shown.

use std::sync::Arc;

use fenceline_engine::{Bounds, Headline, Property, Scenario, run, show_length};
use fenceline_explorer::protocol::{Answer, Found, Place};
use leptos::prelude::*;

use super::asked::{grouped, within};
use crate::command::Command;
use crate::editor::Editor;
use crate::explore::words::{FAILED, signed};
use crate::glyph::{OutcomeGlyph, glyph_of};
use crate::why::name_of;

/// How a search stands.
#[derive(Clone, Debug, Default)]
pub enum State {
    /// None was asked for.
    #[default]
    Idle,
    /// It goes on.
    GoesOn(Place),
    /// It was stopped there.
    Stopped(Place),
    /// It came to its end: schedules covered, left out, and the bounds.
    Nothing(u64, u64, Bounds),
    /// It found this.
    Found(Box<Finding>),
    /// It could not go on.
    Failed,
    /// The schedule is not any more what was searched.
    Changed,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Finding {
    scenario: Arc<Scenario>,
    property: Property,
    /// What was changed, a line each.
    changes: Vec<String>,
    /// What then goes wrong.
    headline: Headline,
    covered: u64,
    /// Whether it is the smallest: not where the search was stopped.
    is_smallest: bool,
}

impl State {
    /// How a search within these bounds stands after an answer to it.
    pub fn after(from: &Scenario, bounds: Bounds, answer: Answer) -> Self {
        match answer {
            Answer::Place(place) => Self::GoesOn(place),
            Answer::Stopped(place) => Self::Stopped(place),
            Answer::Nothing { covered, left_out } => Self::Nothing(covered, left_out, bounds),
            Answer::Found(found) => {
                Finding::of(from, &found).map_or(Self::Failed, |finding| Self::Found(finding.into()))
            }
            _ => Self::Failed,
        }
    }
}

/// `tried 1,240 of 6,000`.
pub fn says(place: Place) -> String {
    ["tried ", &grouped(place.covered), " of ", &grouped(place.total)].concat()
}

impl Finding {
    fn of(from: &Scenario, found: &Found) -> Option<Self> {
        let scenario = Scenario::from_json(&found.document).ok()?;
        let trace = run(&scenario).ok()?;
        let mut changes: Vec<String> = (found.pauses.iter())
            .map(|(boundary, at, length)| {
                let worker = from.workers.get(boundary.worker).map_or("?", |worker| worker.id.as_str());
                let (length, at) = (show_length(*length), show_length(*at));
                let step = (boundary.step + 1).to_string();
                [worker, " is paused for ", &length, " at ", &at, ", as its step ", &step, " begins."].concat()
            })
            .collect();
        changes.extend(found.delays.iter().map(|(knob, to)| {
            let before = knob.value(from).map_or_else(String::new, |before| [" instead of ", &signed(before)].concat());
            ["The ", &knob.label(from), " is ", &signed(*to), &before, "."].concat()
        }));
        if changes.is_empty() {
            changes.push("Nothing has to change: it is broken as the schedule stands.".into());
        }
        let headline = Headline::new(&scenario, &trace);
        Some(Self {
            scenario: Arc::new(scenario),
            property: found.property,
            changes,
            headline,
            covered: found.covered,
            is_smallest: found.is_smallest,
        })
    }
}

/// What a search came to.
pub fn result(editor: Editor, state: &State) -> AnyView {
    match state {
        State::Idle | State::GoesOn(..) => ().into_any(),
        State::Changed => {
            view! { <p class="muted">"The schedule has changed since the search. Search again."</p> }.into_any()
        }
        State::Stopped(place) => {
            let (pauses, delays) = place.combining;
            let counted = |count: u32, what: &str| {
                [count.to_string().as_str(), " ", what, if count == 1 { "" } else { "s" }].concat()
            };
            let at = [&counted(pauses, "pause"), " with ", &counted(delays, "changed delay")].concat();
            let stopped =
                ["Stopped by hand: ", &says(*place), ", in the middle of ", &at, ". Nothing was found up to there."];
            view! { <p class="outcome">{stopped.concat()}</p> }.into_any()
        }
        State::Failed => view! { <p class="outcome">{FAILED}</p> }.into_any(),
        State::Nothing(covered, left_out, bounds) => {
            let what = bounds.property.map_or("a property", name_of);
            let none = if *left_out > 0 { "None found: " } else { "None within these bounds: " };
            let not_covered =
                if *left_out > 0 { [", ", &grouped(*left_out), " not covered"].concat() } else { String::new() };
            let says = [none, &grouped(*covered), " schedules covered", &not_covered, "."].concat();
            let asked = ["To break: ", what, ". Bounds: ", &within(bounds), "."].concat();
            let left_out = (*left_out > 0).then(|| {
                let says = [
                    &grouped(*left_out),
                    " schedules were left out, since each would have taken too long: there may be one among them.",
                ]
                .concat();
                view! { <p class="muted">{says}</p> }
            });
            view! {
                <p class="outcome">
                    <b>{says}</b>
                </p>
                <p class="muted">{asked}</p>
                {left_out}
            }
            .into_any()
        }
        State::Found(found) => {
            let scenario = Arc::clone(&found.scenario);
            let open = move |_| editor.run(Command::Edit(Arc::clone(&scenario)));
            let glyph = glyph_of(found.headline.class);
            let which =
                if found.is_smallest { "The smallest schedule that breaks it" } else { "Stopped; the smallest so far" };
            let says = [
                "“",
                name_of(found.property),
                "” can be broken. ",
                which,
                ", of ",
                &grouped(found.covered),
                " covered:",
            ]
            .concat();
            let lines = found.changes.iter().map(|line| view! { <li>{line.clone()}</li> }).collect_view();
            view! {
                <div class="outcome">
                    <p>
                        <b>{says}</b>
                    </p>
                    <ol class="changes">{lines}</ol>
                    <p class="wrong">
                        <OutcomeGlyph of=glyph/>
                        <span>{found.headline.sentence()} ". " {found.headline.detail.clone()}</span>
                    </p>
                    <button class="chip" type="button" on:click=open>
                        "Open on the timeline"
                    </button>
                    " "
                    <span class="muted">"One step: undo brings back what is shown now."</span>
                </div>
            }
            .into_any()
        }
    }
}
