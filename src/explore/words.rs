//! The words for a change of one number, and for what follows from it.

use fenceline_engine::trace::Standing;
use fenceline_engine::{Decision, Flip, Knob, Outcome, Scenario, Trace};
use fenceline_figure::{exact, nearly};

use crate::selection::WriteId;

/// When the explorer could not be loaded, or broke down.
pub const FAILED: &str =
    "This could not be worked out: a part of the page did not load, or broke down. Reload the page.";

/// A change as something to do: `Shorten A’s pause by 13.0 s, to 32.0 s.`
pub fn change(scenario: &Scenario, flip: &Flip) -> String {
    let label = flip.knob.label(scenario);
    let by = nearly(flip.to.abs_diff(flip.from));
    let more = flip.to > flip.from;
    let to = u64::try_from(flip.to).map_or_else(|_| signed(flip.to), nearly);
    match &flip.knob {
        Knob::Starts(_) | Knob::PauseAt(..) | Knob::FailoverAt(..) | Knob::RestartAt(..) | Knob::UntilAt(..) => {
            let way = if more { "later" } else { "earlier" };
            ["Move the ", &label, " ", &by, " ", way, ", to ", &to, "."].concat()
        }
        Knob::Offset(_) => {
            let way = if more { "forward" } else { "back" };
            ["Put the ", &label, " ", way, " by ", &by, ", to ", &to, "."].concat()
        }
        _ => {
            let verb = if more { "Lengthen " } else { "Shorten " };
            // `length of A’s pause` is the pause; a delay or a time to live is the thing itself.
            let (article, what) = label.strip_prefix("length of ").map_or(("the ", label.as_str()), |what| ("", what));
            [verb, article, what, " by ", &by, ", to ", &to, "."].concat()
        }
    }
}

/// A value of a knob, which may be negative.
pub fn signed(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    [sign, &exact(value.unsigned_abs())].concat()
}

/// What becomes of a write in a run: `Then 41 is accepted, …`.
pub fn then(trace: &Trace, write: WriteId) -> String {
    let Some(verdict) = write.find(trace).and_then(|index| trace.writes.get(index as usize)) else {
        return "Then it never arrives.".into();
    };
    let who = verdict.token.map_or_else(|| "the write".into(), |token| token.to_string());
    let what = match verdict.outcome() {
        Outcome::Accepted if verdict.applied_twice.is_some() => " is accepted a second time.",
        Outcome::Accepted if verdict.stale_read.is_some() => " is accepted, though it rests on a stale read.",
        Outcome::Accepted => " arrives while its lease is running, and is accepted.",
        Outcome::StaleAccepted if verdict.overwrites_newer.is_some() => " is accepted, over a newer value.",
        Outcome::StaleAccepted if verdict.standing == Standing::Unleased => " is accepted, though no lease covers it.",
        Outcome::StaleRejected if verdict.standing == Standing::Unleased && !verdict.given_up => " is rejected.",
        Outcome::StaleAccepted => " is accepted, though its lease is over: nothing newer is known there yet.",
        Outcome::HolderRefused => " is rejected, though its lease is running.",
        Outcome::StaleRejected if verdict.decision == Decision::Rejected && verdict.given_up => " is not sent.",
        Outcome::StaleRejected => " arrives after its lease ended, and is rejected.",
        Outcome::Replayed => " is answered from its key, and changes nothing.",
    };
    ["Then ", &who, what].concat()
}

#[cfg(test)]
mod tests {
    use fenceline_engine::{flip, run};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::app::OPENING;

    fn opening() -> Scenario {
        Scenario::from_json(OPENING).unwrap_or_default()
    }

    #[test]
    fn a_change_says_what_to_do_by_how_much_and_to_what() {
        let scenario = opening();
        let said = |knob, from, to| change(&scenario, &Flip { knob, from, to });
        assert_eq!(said(Knob::PauseFor(0, 0), 45_000_000, 32_000_000), "Shorten A’s pause by 13.0 s, to 32.0 s.");
        assert_eq!(
            said(Knob::Ttl(0), 30_000_000, 51_200_001),
            "Lengthen the time to live of report-lock by just over 21.2 s, to just over 51.2 s."
        );
        assert_eq!(said(Knob::Starts(1), 20_000_000, 18_000_000), "Move the start of B 2.0 s earlier, to 18.0 s.");
        assert_eq!(said(Knob::Offset(0), 0, -500_000), "Put the offset of A’s clock back by 0.5 s, to −0.5 s.");
    }

    #[test]
    fn the_flip_of_the_late_write_lets_it_in_before_the_newer_one() {
        let scenario = opening();
        let trace = run(&scenario).unwrap_or_default();
        let late = trace.writes.iter().position(|write| write.worker == 0).expect("A writes");
        let id = WriteId::of(&trace.writes[late]);
        assert_eq!(then(&trace, id), "Then 41 arrives after its lease ended, and is rejected.");
        let flip = flip(&scenario, late).expect("something flips it");
        let mut turned = scenario.clone();
        flip.knob.turn(&mut turned, flip.to);
        let after = run(&turned).unwrap_or_default();
        assert_ne!(then(&after, id), then(&trace, id), "{}", change(&scenario, &flip));
    }
}
