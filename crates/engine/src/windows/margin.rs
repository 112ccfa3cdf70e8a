//! Margins: how far a knob can move before something changes, and the smallest change that changes it.
//!
//! Both walk outward from where the knob stands, from certified interval to certified interval, and stop at the first
//! value that differs: the edge is exact.

use serde::{Deserialize, Serialize};

use crate::knob::Knob;
use crate::scenario::Scenario;
use crate::verdict::{Decision, Standing};

use super::{Sign, Signature, Sweep, Turn};

/// The most events that the runs of one walk take together. A schedule that is stretched while a worker renews every
/// moment has windows without number, each of them costly.
const MAX_EVENTS_OF_A_WALK: u64 = 200_000;

/// How far a walk from a knob's value came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edge {
    /// Something changes at this value, and at none before it.
    At(i64),
    /// Nothing changes up to the last value that a document may hold.
    Never,
    /// Nothing changes before this value; the walk stopped there.
    NotBefore(i64),
}

/// How far a knob can move, either way, before any property changes (or the document becomes invalid).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Margin {
    /// The knob.
    pub knob: Knob,
    /// Where it stands, in microseconds.
    pub value: i64,
    /// The nearest value below at which a property changes.
    pub below: Edge,
    /// The nearest value above at which a property changes.
    pub above: Edge,
}

impl Margin {
    /// The distance to the nearer edge.
    pub fn least(&self) -> Least {
        let (mut exact, mut open) = (None::<u64>, None::<u64>);
        for edge in [self.below, self.above] {
            let (of, at) = match edge {
                Edge::At(at) => (&mut exact, at),
                Edge::NotBefore(at) => (&mut open, at),
                Edge::Never => continue,
            };
            let distance = at.abs_diff(self.value);
            *of = Some(of.map_or(distance, |known| known.min(distance)));
        }
        match (exact, open) {
            (Some(exact), open) if open.is_none_or(|open| exact <= open) => Least::Exactly(exact),
            (_, Some(open)) => Least::AtLeast(open),
            _ => Least::Unbounded,
        }
    }
}

/// The distance to the nearer edge of a margin, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// So much, and not less.
    Exactly(u64),
    /// So much or more: further it was not walked.
    AtLeast(u64),
    /// There is no edge.
    Unbounded,
}

impl Least {
    /// The distance that is certain; none when there is no edge.
    pub const fn distance(self) -> Option<u64> {
        match self {
            Self::Exactly(distance) | Self::AtLeast(distance) => Some(distance),
            Self::Unbounded => None,
        }
    }
}

/// The margin of one knob, or `None` when the scenario has no such knob.
pub fn margin(scenario: &Scenario, knob: &Knob) -> Option<Margin> {
    let value = knob.value(scenario)?;
    let (now, _) = Sweep::new(true).at(scenario, knob, value);
    let changed = |outcome: &Option<Signature>| {
        outcome.as_ref().map(|outcome| outcome.properties) != now.as_ref().map(|now| now.properties)
    };
    let below = walk(scenario, knob, value, false, u64::MAX, changed);
    let above = walk(scenario, knob, value, true, u64::MAX, changed);
    Some(Margin { knob: knob.clone(), value, below, above })
}

/// The margins of all knobs, the most fragile first.
pub fn margins(scenario: &Scenario) -> Vec<Margin> {
    let mut all: Vec<Margin> = Knob::all(scenario).iter().filter_map(|knob| margin(scenario, knob)).collect();
    all.sort_by_key(|margin| margin.least().distance().unwrap_or(u64::MAX));
    all
}

/// The smallest single change that has an effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flip {
    /// The knob to turn.
    pub knob: Knob,
    /// Where it stands.
    pub from: i64,
    /// Where to turn it.
    pub to: i64,
}

/// The smallest change of one knob that changes the decision about a write (an index into the run's decisions), or what
/// the writer's standing or flags are at it.
pub fn flip(scenario: &Scenario, write: usize) -> Option<Flip> {
    FlipSearch::of_write(scenario, write)?.finish()
}

/// The smallest change of one knob after which all properties hold and some write is still accepted: a schedule in which
/// nothing happens holds everything, and helps nobody.
pub fn flip_to_hold(scenario: &Scenario) -> Option<Flip> {
    FlipSearch::to_hold(scenario).finish()
}

/// What a flip is to bring about.
#[derive(Clone, Copy, Debug)]
enum Wish {
    /// Another ruling on this write.
    Otherwise(Sign),
    /// All properties hold, and some write is accepted.
    Hold,
}

impl Wish {
    fn is_met(&self, outcome: &Signature) -> bool {
        match self {
            Self::Otherwise(now) => {
                let same = |sign: &&Sign| {
                    (sign.worker, sign.step, sign.attempt, sign.copy) == (now.worker, now.step, now.attempt, now.copy)
                };
                let seen = |sign: &Sign| (sign.decision, sign.standing == Standing::Current, sign.flags);
                outcome.writes.iter().find(same).is_none_or(|then| seen(then) != seen(now))
            }
            Self::Hold => {
                outcome.properties.iter().all(|&holds| holds)
                    && outcome.writes.iter().any(|sign| sign.decision == Decision::Accepted)
            }
        }
    }
}

/// The search for the smallest change, knob after knob, so that a page stays alive while it goes on.
#[derive(Debug)]
pub struct FlipSearch {
    scenario: Scenario,
    wish: Wish,
    /// The knobs that are left, what comes next last.
    knobs: Vec<Knob>,
    best: Option<Flip>,
    /// Whether every walk came to its end.
    is_complete: bool,
}

impl FlipSearch {
    /// For another ruling on a write (an index into the run's decisions); `None` when there is no such write.
    pub fn of_write(scenario: &Scenario, write: usize) -> Option<Self> {
        let knob = Knob::NetworkDelay;
        let (now, _) = Sweep::new(true).at(scenario, &knob, knob.value(scenario)?);
        Some(Self::new(scenario, Wish::Otherwise(*now?.writes.get(write)?)))
    }

    /// For a schedule in which all properties hold and some write is accepted.
    pub fn to_hold(scenario: &Scenario) -> Self {
        Self::new(scenario, Wish::Hold)
    }

    fn new(scenario: &Scenario, wish: Wish) -> Self {
        let mut knobs = Knob::all(scenario);
        knobs.reverse();
        Self { scenario: scenario.clone(), wish, knobs, best: None, is_complete: true }
    }

    /// Goes on to the next knob. Returns false when there was none left.
    pub fn go_on(&mut self) -> bool {
        let Some(knob) = self.knobs.pop() else { return false };
        let Some(from) = knob.value(&self.scenario) else { return true };
        for upwards in [false, true] {
            // What is as far as the best so far is no smaller change.
            let within = self.best.as_ref().map_or(u64::MAX, |best| best.to.abs_diff(best.from));
            // What cannot be is walked through: beyond an overlap of pauses there may be something again.
            let stop = |outcome: &Option<Signature>| outcome.as_ref().is_some_and(|outcome| self.wish.is_met(outcome));
            match walk(&self.scenario, &knob, from, upwards, within, stop) {
                Edge::At(to) if to.abs_diff(from) < within => {
                    self.best = Some(Flip { knob: knob.clone(), from, to });
                }
                Edge::NotBefore(at) if at.abs_diff(from) < within => self.is_complete = false,
                Edge::At(_) | Edge::NotBefore(_) | Edge::Never => {}
            }
        }
        true
    }

    /// Whether each number was followed to its end. Where not, there may be a smaller change than the best, or one where none was
    /// found: a number has too many windows, or they cost too much.
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The smallest change found so far; once nothing is left, the smallest there is.
    pub fn best(&self) -> Option<&Flip> {
        self.best.as_ref()
    }

    fn finish(mut self) -> Option<Flip> {
        while self.go_on() {}
        self.best
    }
}

/// Walks from where a knob stands until the outcome is one to stop at, no further than `within` from there.
fn walk(
    scenario: &Scenario,
    knob: &Knob,
    from: i64,
    upwards: bool,
    within: u64,
    stop: impl Fn(&Option<Signature>) -> bool,
) -> Edge {
    let mut sweep = Sweep::new(upwards);
    let mut at = from;
    let mut events = 0;
    while events < MAX_EVENTS_OF_A_WALK {
        let (outcome, reach) = sweep.at(scenario, knob, at);
        events += sweep.cost();
        if at != from && stop(&outcome) {
            // Beyond the last allowed value nothing is an edge of the schedule's own.
            let (least, most) = knob.limits();
            return if at < least || at > most { Edge::Never } else { Edge::At(at) };
        }
        let next = if upwards { at.checked_add(reach) } else { at.checked_sub(reach) };
        match next {
            Some(next) if next.abs_diff(from) > within => return Edge::NotBefore(next),
            Some(next) if next != at => at = next,
            _ => return Edge::Never,
        }
        if reach == i64::MAX {
            return Edge::Never;
        }
    }
    Edge::NotBefore(at)
}
