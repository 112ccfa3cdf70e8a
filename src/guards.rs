//! The guard switch: seven rules, and beside each what this very schedule gives under it.
//!
//! It exists so that a person sees all seven verdicts at once instead of trying one after the other: each is a run of the
//! shown scenario with only the guard replaced.

use fenceline_engine::run;
use fenceline_engine::scenario::{Guard, Scenario};
use fenceline_engine::{ShortOutcome, short_outcome};
use leptos::prelude::*;

use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, glyph_of, outcome_name};

/// A guard's name on the switch, and whether it is code.
const fn name(guard: Guard) -> (&'static str, bool) {
    match guard {
        Guard::None => ("No guard", false),
        Guard::CheckThenWrite => ("Check, then write", false),
        Guard::Newer => ("token > last", true),
        Guard::NewerOrEqual => ("token ≥ last", true),
        Guard::Same => ("token = last", true),
        Guard::TokenSeq => ("(token, seq)", true),
        Guard::Holder => ("Holder check in same transaction", false),
    }
}

/// A guard's name as the switch has it.
pub const fn words_of(guard: Guard) -> &'static str {
    name(guard).0
}

/// What a guard means, in a sentence: shown under the switch for the chosen one, and as a tooltip for each.
const fn about(guard: Guard) -> &'static str {
    match guard {
        Guard::None => "Every write is applied: the last writer wins.",
        Guard::CheckThenWrite => {
            "The worker reads the remembered token, compares, then writes without a condition. Between the two is the race."
        }
        Guard::Newer => "Only a token above the remembered one gets through: one write per grant of the lease.",
        Guard::NewerOrEqual => "Lets one owner write more than once. Say how duplicates are ordered.",
        Guard::Same => "Compares for equality, a known mistake: the first token locks every later one out.",
        Guard::TokenSeq => {
            "Many writes per grant, in their order: the token is compared first, then the writer's own sequence."
        }
        Guard::Holder => {
            "Asks the lease service in the same transaction as the write: only the live holder gets through."
        }
    }
}

/// The guard that all resources of the switch have; none when they differ.
pub fn common_guard(scenario: &Scenario) -> Option<Guard> {
    let switched = scenario.guarded();
    let mut guards = scenario.resources.iter().zip(switched).filter(|(_, on)| *on).map(|(resource, _)| resource.guard);
    let first = guards.next()?;
    guards.all(|guard| guard == first).then_some(first)
}

/// What a schedule gives under a guard; none when it cannot be run under it.
fn outcome_under(scenario: &Scenario, guard: Guard) -> Option<ShortOutcome> {
    let changed = scenario.under(guard);
    let trace = run(&changed).ok()?;
    Some(short_outcome(&changed, &trace))
}

/// The switch.
#[component]
pub fn Guards(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let says = move || match editor.guard() {
        Some(guard) => about(guard),
        None if editor.scenario.with(|scenario| scenario.resources.is_empty()) => "There is no destination yet.",
        None => "The destinations have different guards; choosing one here sets all of them.",
    };
    view! {
        <fieldset class="guards">
            <legend class="vh">"Guard at the destination"</legend>
            <div class="guards-name" aria-hidden="true">
                <b>"Guard"</b>
                <span>"same schedule, seven rules"</span>
            </div>
            <div class="segments">
                {Guard::ALL.map(|guard| view! { <Segment editor guard/> }).into_iter().collect_view()}
            </div>
            <p class="guard-says">{says}</p>
        </fieldset>
    }
}

#[component]
fn Segment(editor: Editor, guard: Guard) -> impl IntoView {
    let (name, is_code) = name(guard);
    let outcome = Memo::new(move |_| {
        let hides = editor.hidden_from.get().is_some();
        if hides { None } else { editor.scenario.with(|scenario| outcome_under(scenario, guard)) }
    });
    let glyph = Signal::derive(move || outcome.with(|outcome| outcome.as_ref().and_then(|of| glyph_of(of.class))));
    let gives = Signal::derive(move || {
        let without = || if editor.hidden_from.get().is_some() { "hidden" } else { "cannot be run" };
        outcome.with(|outcome| outcome.as_ref().map_or_else(|| without().into(), |of| of.text.clone()))
    });
    let outcome_name = Signal::derive(move || outcome_name(glyph.get()));
    let chosen = Signal::derive(move || editor.guard() == Some(guard));
    view! {
        <label class="segment" data-guard=guard.name() title=about(guard)>
            <input
                class="vh"
                type="radio"
                name="guard"
                value=guard.name()
                prop:checked=chosen
                on:change=move |_| editor.run(Command::Guard(guard))
            />
            <OutcomeGlyph of=glyph/>
            <span>
                <span class="name" class:mono=is_code>{name}</span>
                <span class="gives" data-outcome=outcome_name>{gives}</span>
            </span>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use fenceline_engine::scenario::{Resource, Step, Worker, Write};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn scenario() -> Scenario {
        let write = |resource: &str, unguarded| Step::Write(Write { unguarded, ..Write::new(resource, "v") });
        Scenario {
            resources: ["orders", "audit", "legacy"].map(Resource::new).to_vec(),
            workers: vec![Worker {
                id: "A".into(),
                plan: vec![write("orders", false), write("audit", false), write("legacy", true)],
                ..Worker::default()
            }],
            ..Scenario::default()
        }
    }

    #[test]
    fn a_guard_is_set_wherever_it_can_stop_a_writer() {
        let changed = scenario().under(Guard::Holder);
        let guards: Vec<Guard> = changed.resources.iter().map(|resource| resource.guard).collect();
        assert_eq!(guards, [Guard::Holder, Guard::Holder, Guard::Newer]);
    }

    #[test]
    fn resources_with_different_guards_have_none_in_common() {
        let mut mixed = scenario();
        assert_eq!(common_guard(&mixed), Some(Guard::Newer));
        mixed.resources[1].guard = Guard::None;
        assert_eq!(common_guard(&mixed), None);
        mixed.resources[1].guard = Guard::Newer;
        mixed.resources[2].guard = Guard::None;
        assert_eq!(common_guard(&mixed), Some(Guard::Newer), "nobody guarded writes to the third");
    }

    #[test]
    fn with_unguarded_writers_only_the_switch_still_moves() {
        let mut bare = scenario();
        for step in &mut bare.workers[0].plan {
            if let Step::Write(write) = step {
                write.unguarded = true;
            }
        }
        assert_eq!(common_guard(&bare.under(Guard::Same)), Some(Guard::Same));
    }
}
