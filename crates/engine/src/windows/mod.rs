//! Race windows: the outcome of every value that a knob could take, exactly.
//!
//! A run at one value certifies an interval of values at which it would go the same way (see [`kinetic`]); the next run
//! starts where that ends. So no window is missed, however narrow, and every boundary is right to the microsecond.

mod kinetic;
mod map;
mod margin;
mod moving;
mod turn;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::headline::Gist;
use crate::knob::Knob;
use crate::model::Model;
use crate::runner::{Outcome, RunnerOn};
use crate::scenario::Scenario;
use crate::verdict::{Decision, Property, PropertyResult, Reason, Standing, Verdict};

pub use kinetic::{Kinetic, Moving};
pub use map::{RaceMap, Row, race_map};
pub use margin::{Edge, Flip, FlipSearch, Least, Margin, flip, flip_to_hold, margin, margins};
use turn::limits_in;
pub use turn::{PauseStart, Turn};

/// What a run comes to, as far as windows tell values of a knob apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Each decision, in order.
    pub writes: Vec<Sign>,
    /// Whether each property holds, in the order of [`crate::Property::ALL`].
    pub properties: [bool; 5],
}

/// One decision of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The worker.
    pub worker: usize,
    /// The step, from 0.
    pub step: usize,
    /// The attempt, from 1.
    pub attempt: u32,
    /// 0 for the request itself.
    pub copy: u32,
    /// The decision.
    pub decision: Decision,
    /// Why, when rejected.
    pub reason: Option<Reason>,
    /// The writer's standing.
    pub standing: Standing,
    /// Its flags: already applied, applied twice, overwrites newer, stale read.
    pub flags: [bool; 4],
}

impl Signature {
    fn of(outcome: &Outcome<'_>) -> Self {
        Self {
            writes: outcome.writes.iter().map(Sign::from).collect(),
            properties: outcome.properties.map(PropertyResult::holds),
        }
    }
}

impl From<&Verdict> for Sign {
    fn from(verdict: &Verdict) -> Self {
        Self {
            worker: verdict.worker,
            step: verdict.step,
            attempt: verdict.attempt,
            copy: verdict.copy,
            decision: verdict.decision,
            reason: verdict.reason,
            standing: verdict.standing,
            flags: [
                verdict.already_applied.is_some(),
                verdict.applied_twice.is_some(),
                verdict.overwrites_newer.is_some(),
                verdict.stale_read.is_some(),
            ],
        }
    }
}

/// Values of a knob that give the same outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The values, in microseconds; the end is not among them.
    pub values: Range<i64>,
    /// The outcome; `None` where the value makes the document invalid (pauses that overlap, a ttl of 0 …).
    pub outcome: Option<Signature>,
}

/// Values of a knob that come to the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The values, in microseconds; the end is not among them.
    pub values: Range<i64>,
    /// What they come to; `None` where the value makes the document invalid.
    pub gist: Option<Gist>,
}

/// The exact partition of a range of values, as far as the work allowed for it went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partition<T> {
    /// The parts, in order.
    pub parts: Vec<T>,
    /// The first value that was not looked at, when the work ran out before the end of the range.
    pub stopped_at: Option<i64>,
}

/// The exact partition of a range of a knob's values into intervals of equal outcome, in order.
///
/// The scenario must be valid but for what this knob's value may cause. A long range of a scenario with renewals has
/// windows without number: ask [`windows_within`] for what a bounded amount of work finds.
pub fn windows(scenario: &Scenario, knob: &Knob, range: Range<i64>) -> Vec<Window> {
    windows_within(scenario, knob, range, u64::MAX).parts
}

/// The same, for a bounded amount of work: about as many events as that are run, a run counting for at least twenty.
pub fn windows_within(scenario: &Scenario, turn: &dyn Turn, range: Range<i64>, work: u64) -> Partition<Window> {
    let of = |outcome: Option<&Outcome<'_>>| outcome.map(Signature::of);
    let found = Sweep::new(true).partition(scenario, turn, range, work, of);
    found.map(|(outcome, values)| Window { values, outcome })
}

/// What each value of a range comes to, exactly, for a bounded amount of work.
pub fn stretches(scenario: &Scenario, turn: &dyn Turn, range: Range<i64>, work: u64) -> Partition<Stretch> {
    Sweep::new(true).partition(scenario, turn, range, work, gist_of).map(Stretch::from)
}

fn gist_of(outcome: Option<&Outcome<'_>>) -> Option<Gist> {
    outcome.map(Outcome::gist)
}

impl From<(Option<Gist>, Range<i64>)> for Stretch {
    fn from((gist, values): (Option<Gist>, Range<i64>)) -> Self {
        Self { values, gist }
    }
}

impl<T> Partition<T> {
    fn map<U>(self, make: impl FnMut(T) -> U) -> Partition<U> {
        Partition { parts: self.parts.into_iter().map(make).collect(), stopped_at: self.stopped_at }
    }
}

/// What a sweep for a broken property came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Break {
    /// The least value at which a property does not hold, and the first such property.
    At(i64, Property),
    /// All hold at every value.
    Never,
    /// The work ran out before the end.
    CutShort,
}

/// The least value of a knob within a range at which a property does not hold; without a knob, whether it holds as it is
/// (then the value is 0). For a bounded amount of work.
pub(crate) fn first_break(
    scenario: &Scenario,
    knob: Option<&Knob>,
    range: Range<i64>,
    property: Option<Property>,
    work: u64,
) -> Break {
    let wanted = |outcome: Option<&Outcome<'_>>| {
        let broken = |of: &Property| outcome.is_some_and(|outcome| !outcome.properties[*of as usize].holds());
        Property::ALL.into_iter().filter(|of| property.is_none_or(|wanted| wanted == *of)).find(broken)
    };
    let mut sweep = Sweep::new(true);
    let Some(knob) = knob else {
        let knob = Knob::NetworkDelay;
        let (broken, _) = sweep.look(scenario, &knob, knob.value(scenario).unwrap_or(0), wanted);
        return broken.map_or(Break::Never, |property| Break::At(0, property));
    };
    let mut at = range.start;
    let mut spent = 0_u64;
    while at < range.end {
        if spent >= work {
            return Break::CutShort;
        }
        let (broken, reach) = sweep.look(scenario, knob, at, wanted);
        if let Some(property) = broken {
            return Break::At(at, property);
        }
        spent += sweep.cost();
        at = at.saturating_add(reach);
    }
    Break::Never
}

/// Runs a scenario at value after value of a knob, upwards or downwards.
#[derive(Debug)]
struct Sweep {
    runner: RunnerOn<Kinetic>,
    /// The model as it was last run, and at which value.
    model: Option<(Model<Moving>, i64)>,
    /// Which values are not refused, once that was worked out for this model.
    limits: Option<(i64, i64)>,
    upwards: bool,
}

impl Sweep {
    fn new(upwards: bool) -> Self {
        Self { runner: RunnerOn::default(), model: None, limits: None, upwards }
    }

    /// Forgets the model: what comes next is another scenario. Keeps the room of the runs.
    fn start_over(&mut self) {
        self.model = None;
        self.limits = None;
    }

    /// The exact partition of a range, as far as the work goes.
    fn partition<T: PartialEq>(
        &mut self,
        scenario: &Scenario,
        turn: &dyn Turn,
        range: Range<i64>,
        work: u64,
        look: impl Fn(Option<&Outcome<'_>>) -> T,
    ) -> Partition<(T, Range<i64>)> {
        let mut parts: Vec<(T, Range<i64>)> = Vec::new();
        let mut at = range.start;
        let mut spent = 0_u64;
        while at < range.end && spent < work {
            let (outcome, reach) = self.look(scenario, turn, at, &look);
            spent = spent.saturating_add(self.cost());
            let end = at.saturating_add(reach).min(range.end);
            match parts.last_mut() {
                Some((last, values)) if *last == outcome => values.end = end,
                _ => parts.push((outcome, at..end)),
            }
            at = end;
        }
        Partition { parts, stopped_at: (at < range.end).then_some(at) }
    }

    /// The outcome at a value, and for how many values from there on it certainly holds. At least 1.
    fn at(&mut self, scenario: &Scenario, turn: &dyn Turn, value: i64) -> (Option<Signature>, i64) {
        self.look(scenario, turn, value, |outcome| outcome.map(Signature::of))
    }

    /// The same, for what is wanted of the outcome.
    fn look<T>(
        &mut self,
        scenario: &Scenario,
        turn: &dyn Turn,
        value: i64,
        wanted: impl FnOnce(Option<&Outcome<'_>>) -> T,
    ) -> (T, i64) {
        let limits = *self.limits.get_or_insert_with(|| limits_in(scenario, turn));
        if let Some(reach) = self.refused(limits, value) {
            return (wanted(None), reach);
        }
        let model = if let Some((mut model, last)) = self.model.take() {
            model.advance((value - last).abs());
            model
        } else {
            let at = |value| {
                let mut turned = scenario.clone();
                turn.set(&mut turned, value);
                Model::unchecked(&turned)
            };
            // A slope is taken between two values, both of which the knob may show; 0 has none below it.
            let (here, further) = (at(value), at(value + 1));
            if self.upwards { Model::between(&here, &further) } else { Model::falling(&here, &further) }
        };
        let (model, _) = self.model.insert((model, value));
        self.runner.keeper().restart();
        let found = wanted(self.runner.run(model).ok().as_ref());
        let within = self.runner.keeper().reach();
        let (least, most) = limits;
        // Where values begin to be refused, nothing is certified.
        (
            found,
            within.min(if self.upwards {
                most.saturating_sub(value).saturating_add(1)
            } else {
                value.saturating_sub(least).saturating_add(1)
            }),
        )
    }

    /// What the last run cost, in events. A run of few events costs about as much as twenty.
    fn cost(&self) -> u64 {
        u64::from(self.runner.events()).max(20)
    }

    /// When the value alone makes the document invalid: for how many values from there on it does.
    fn refused(&self, (least, most): (i64, i64), value: i64) -> Option<i64> {
        match self.upwards {
            true if value < least => Some(least.saturating_sub(value)),
            true if value > most => Some(i64::MAX),
            false if value > most => Some(value.saturating_sub(most)),
            false if value < least => Some(i64::MAX),
            _ => None,
        }
    }
}
