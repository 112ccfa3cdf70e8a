//! The axes of a race map: which two knobs it begins with, and how far each goes.
//!
//! Pure. Invariant: where a knob stands lies within its axis.

use fenceline_engine::scenario::{MAX_MICROS, Step};
use fenceline_engine::{Delay, Knob, Micros, Scenario, Sends};

/// The knobs that a map of a scenario begins with: how long the first pause is, and how long the write takes that follows it.
pub fn first_axes(scenario: &Scenario) -> Option<(Knob, Knob)> {
    let all = Knob::all(scenario);
    let pause = all.iter().find(|knob| matches!(knob, Knob::PauseFor(..)));
    let worker = match pause {
        Some(Knob::PauseFor(worker, _)) => Some(*worker),
        _ => None,
    };
    let is_write = |knob: &&Knob| match knob {
        Knob::Send(of, Sends::Step(step), 0, Delay::Request) => {
            let step = scenario.workers.get(*of).and_then(|of| of.plan.get(*step));
            matches!(step, Some(Step::Write(_))) && worker.is_none_or(|worker| worker == *of)
        }
        _ => false,
    };
    let ttl = || all.iter().find(|knob| matches!(knob, Knob::Ttl(_)));
    let across = pause.or_else(ttl).or_else(|| all.first())?;
    let up = all.iter().rfind(is_write).or_else(|| all.iter().find(|knob| *knob != across))?;
    Some((across.clone(), up.clone()))
}

/// The least and the greatest value of an axis for a knob that stands at a value; `story` is how long the whole story is. An
/// axis that was there before is kept while the value makes a fair show on it.
pub fn range(knob: &Knob, value: i64, story: Micros, before: Option<(i64, i64)>) -> (i64, i64) {
    let story = i64::try_from(story).unwrap_or(i64::MAX);
    let signed = matches!(knob, Knob::Offset(_));
    if let Some((from, to)) = before.filter(|(from, to)| (*from..=*to).contains(&value) && (*from < 0) == signed) {
        let fits = value.saturating_mul(20) >= to || value.saturating_mul(6) >= story || value == 0 || signed;
        if fits && to.saturating_mul(60) >= story {
            return (from, to);
        }
    }
    let most = MAX_MICROS as i64;
    let wanted = value.saturating_abs().saturating_add(value.saturating_abs() / 4).max(story / 6);
    let to = round_up(wanted).min(most);
    (if signed { -to } else { 0 }, to)
}

/// The least round number that is no less.
fn round_up(value: i64) -> i64 {
    let mut unit = 1_i64;
    loop {
        for times in [1, 2, 3, 5, 6] {
            let round = unit.saturating_mul(times);
            if round >= value {
                return round;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::app::OPENING;

    const SECOND: i64 = 1_000_000;

    #[test]
    fn the_opening_story_begins_with_its_pause_and_the_delay_of_its_late_write() {
        let scenario = Scenario::from_json(OPENING).unwrap_or_default();
        let (across, up) = first_axes(&scenario).expect("it has numbers");
        assert_eq!((across, up), (Knob::PauseFor(0, 0), Knob::Send(0, Sends::Step(2), 0, Delay::Request)));
        assert!(first_axes(&Scenario::default()).is_none(), "one number makes no map");
    }

    #[test]
    fn an_axis_is_round_and_holds_the_value() {
        let story = 60 * SECOND as Micros;
        assert_eq!(range(&Knob::PauseFor(0, 0), 45 * SECOND, story, None), (0, 60 * SECOND));
        assert_eq!(range(&Knob::NetworkDelay, SECOND, story, None), (0, 10 * SECOND));
        assert_eq!(range(&Knob::NetworkDelay, 0, 0, None), (0, 1));
        assert_eq!(range(&Knob::Offset(0), -3 * SECOND, story, None), (-10 * SECOND, 10 * SECOND));
    }

    #[test]
    fn an_axis_stays_while_the_value_moves_along_it() {
        let (story, knob) = (60 * SECOND as Micros, Knob::PauseFor(0, 0));
        let kept = |value| range(&knob, value, story, Some((0, 60 * SECOND)));
        for value in [0, 10, 30, 59, 60] {
            assert_eq!(kept(value * SECOND), (0, 60 * SECOND), "{value}");
        }
        assert_eq!(kept(61 * SECOND), (0, 100 * SECOND), "outgrown");
    }
}
