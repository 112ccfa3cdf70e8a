//! Margins: how far a knob can move before something changes, and the smallest change that changes it.
//!
//! Both walk outward from where the knob stands, from certified interval to certified interval, and stop at the first
//! value that differs: the edge is exact.

use crate::knob::Knob;
use crate::scenario::Scenario;
use crate::verdict::Decision;

use super::{Signature, Sweep};

/// The most events that the runs of one walk take together. A schedule that is stretched while a worker renews every
/// moment has windows without number, each of them costly.
const MAX_EVENTS_OF_A_WALK: u64 = 200_000;

/// How far a walk from a knob's value came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Something changes at this value, and at none before it.
    At(i64),
    /// Nothing changes up to the last value that a document may hold.
    Never,
    /// Nothing changes before this value; the walk stopped there.
    NotBefore(i64),
}

/// How far a knob can move, either way, before any property changes (or the document becomes invalid).
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The distance to the nearer edge, in microseconds; `None` when there is none.
    pub fn least(&self) -> Option<u64> {
        let distance = |edge: Edge| match edge {
            Edge::At(value) => Some(value.abs_diff(self.value)),
            Edge::Never | Edge::NotBefore(_) => None,
        };
        distance(self.below).into_iter().chain(distance(self.above)).min()
    }
}

/// The margin of one knob, or `None` when the scenario has no such knob.
pub fn margin(scenario: &Scenario, knob: &Knob) -> Option<Margin> {
    let value = knob.value(scenario)?;
    let (now, _) = Sweep::new(true).at(scenario, knob, value);
    let changed = |outcome: &Option<Signature>| {
        outcome.as_ref().map(|outcome| outcome.properties) != now.as_ref().map(|now| now.properties)
    };
    let below = walk(scenario, knob, value, false, changed);
    let above = walk(scenario, knob, value, true, changed);
    Some(Margin { knob: knob.clone(), value, below, above })
}

/// The margins of all knobs, the most fragile first.
pub fn margins(scenario: &Scenario) -> Vec<Margin> {
    let mut all: Vec<Margin> = Knob::all(scenario).iter().filter_map(|knob| margin(scenario, knob)).collect();
    all.sort_by_key(|margin| margin.least().unwrap_or(u64::MAX));
    all
}

/// The smallest single change that has an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    let knob = Knob::all(scenario).into_iter().next()?;
    let (now, _) = Sweep::new(true).at(scenario, &knob, knob.value(scenario)?);
    let now = *now?.writes.get(write)?;
    nearest(scenario, |outcome| {
        let same = |sign: &&super::Sign| {
            (sign.worker, sign.step, sign.attempt, sign.copy) == (now.worker, now.step, now.attempt, now.copy)
        };
        let then = outcome.writes.iter().find(same);
        then.is_none_or(|then| {
            let seen =
                |sign: &super::Sign| (sign.decision, sign.standing == crate::verdict::Standing::Current, sign.flags);
            seen(then) != seen(&now)
        })
    })
}

/// The smallest change of one knob after which all properties hold and some write is still accepted: a schedule in which
/// nothing happens holds everything, and helps nobody.
pub fn flip_to_hold(scenario: &Scenario) -> Option<Flip> {
    nearest(scenario, |outcome| {
        outcome.properties.iter().all(|&holds| holds)
            && outcome.writes.iter().any(|sign| sign.decision == Decision::Accepted)
    })
}

/// The smallest change of any one knob after which the outcome is as wanted.
fn nearest(scenario: &Scenario, wanted: impl Fn(&Signature) -> bool) -> Option<Flip> {
    let stop = |outcome: &Option<Signature>| outcome.as_ref().is_none_or(&wanted);
    let mut best: Option<Flip> = None;
    for knob in Knob::all(scenario) {
        let Some(from) = knob.value(scenario) else { continue };
        for upwards in [false, true] {
            let Edge::At(to) = walk(scenario, &knob, from, upwards, stop) else { continue };
            let holds = Sweep::new(true).at(scenario, &knob, to).0.is_some_and(|outcome| wanted(&outcome));
            if holds && best.as_ref().is_none_or(|best| to.abs_diff(from) < best.to.abs_diff(best.from)) {
                best = Some(Flip { knob: knob.clone(), from, to });
            }
        }
    }
    best
}

/// Walks from where a knob stands until the outcome is one to stop at.
fn walk(scenario: &Scenario, knob: &Knob, from: i64, upwards: bool, stop: impl Fn(&Option<Signature>) -> bool) -> Edge {
    let mut sweep = Sweep::new(upwards);
    let mut at = from;
    let mut events = 0;
    while events < MAX_EVENTS_OF_A_WALK {
        let (outcome, reach) = sweep.at(scenario, knob, at);
        // A run of few events costs about as much as twenty.
        events += 20 + u64::from(sweep.runner.events());
        if at != from && stop(&outcome) {
            // Beyond the last allowed value nothing is an edge of the schedule's own.
            let (least, most) = super::limits(knob);
            return if at < least || at > most { Edge::Never } else { Edge::At(at) };
        }
        let next = if upwards { at.checked_add(reach) } else { at.checked_sub(reach) };
        match next {
            Some(next) if next != at => at = next,
            _ => return Edge::Never,
        }
        if reach == i64::MAX {
            return Edge::Never;
        }
    }
    Edge::NotBefore(at)
}
