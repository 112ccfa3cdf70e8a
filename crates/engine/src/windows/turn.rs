//! What a window is taken over: a number that is turned, or two that are turned together.
//!
//! It exists so that whatever can be dragged has exact windows. Invariant: every time of the scenario that a turn changes
//! is linear in its value.

use crate::knob::Knob;
use crate::scenario::{MAX_MICROS, Scenario};
use crate::validate::is_within_horizon;

/// What turns a scenario to a value.
pub trait Turn {
    /// Makes the scenario show the value.
    fn set(&self, scenario: &mut Scenario, value: i64);

    /// The least and the greatest value that a document may show, whatever else it says.
    fn limits(&self) -> (i64, i64);
}

/// The least and the greatest value that the scenario may show: within the turn's limits, and with times that do not add up to
/// more than a document may hold. When no value is left, the least is above the greatest.
pub(crate) fn limits_in(scenario: &Scenario, turn: &dyn Turn) -> (i64, i64) {
    let (least, most) = turn.limits();
    let mut turned = scenario.clone();
    let mut fits = |value| {
        turn.set(&mut turned, value);
        is_within_horizon(&turned)
    };
    // The sum never falls as a value moves away from 0.
    let nearest = 0.clamp(least, most);
    if !fits(nearest) {
        return (nearest + 1, nearest);
    }
    let mut furthest = |end: i64| {
        if fits(end) {
            return end;
        }
        let (mut good, mut bad) = (nearest, end);
        while good.abs_diff(bad) > 1 {
            let middle = good + (bad - good) / 2;
            if fits(middle) { good = middle } else { bad = middle }
        }
        good
    };
    (furthest(least), furthest(most))
}

impl Turn for Knob {
    fn set(&self, scenario: &mut Scenario, value: i64) {
        self.turn(scenario, value);
    }

    fn limits(&self) -> (i64, i64) {
        let most = MAX_MICROS as i64;
        match self {
            Self::Ttl(_) | Self::RenewEvery(_) | Self::RetryAfter(..) => (1, most),
            Self::Offset(_) => (-most, most),
            _ => (0, most),
        }
    }
}

/// The start of a pause whose end stays: what dragging its left edge turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseStart {
    worker: usize,
    pause: usize,
    end: i64,
}

impl PauseStart {
    /// The start of that pause; `None` when there is no such pause or it has no end.
    pub fn of(scenario: &Scenario, worker: usize, pause: usize) -> Option<Self> {
        let of = scenario.workers.get(worker)?.pauses.get(pause)?;
        let end = i64::try_from(of.at.checked_add(of.length?)?).ok()?;
        Some(Self { worker, pause, end })
    }
}

impl Turn for PauseStart {
    fn set(&self, scenario: &mut Scenario, value: i64) {
        Knob::PauseAt(self.worker, self.pause).turn(scenario, value);
        Knob::PauseFor(self.worker, self.pause).turn(scenario, self.end - value);
    }

    fn limits(&self) -> (i64, i64) {
        // A pause may not be longer than a document can say, however late it ends.
        ((self.end - MAX_MICROS as i64).max(0), self.end.min(MAX_MICROS as i64))
    }
}
