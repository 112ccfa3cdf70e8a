//! The race window of a handle: what the schedule would come to wherever the handle stood along the axis.
//!
//! It answers before a drag ends. Every boundary is exact, since the engine certifies what lies between
//! ([`fenceline_engine::stretches`]); the strip is worked out anew from the scenario on screen, so that it stays right while
//! other things change. Invariant: for any position, the band that holds it says what dragging the handle there gives.

mod drawn;

use std::ops::Range;

use fenceline_engine::scenario::{Micros, Scenario};
use fenceline_engine::trace::Trace;
use fenceline_engine::{Class, Gist, Knob, PauseStart, Turn, stretches};

use crate::drag::{chained, end_of_work, running_until};
use crate::glyph::Glyph;
use crate::handle::{Handle, HandleId};
use crate::projection::TimeWindow;
use crate::words::{nearly, signed};

pub(crate) use drawn::room;
pub use drawn::strip_shapes;

/// How much work a strip may take, in events: a few milliseconds. The story needs about a hundred.
const WORK: u64 = 40_000;

/// A race window.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// The handle.
    pub handle: HandleId,
    /// The outcomes, in order of time.
    pub bands: Vec<Band>,
    /// The handle's number as it is, in microseconds.
    pub value_us: i64,
    /// Whether the rest of the axis was left out because it would have taken too long.
    pub is_cut: bool,
}

/// Positions of a handle that come to the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// What they come to; `None` where the schedule would not be valid.
    pub gist: Option<Gist>,
    /// The handle's number there, in microseconds; the end is not among them.
    pub values: Range<i64>,
    /// Where it begins on the axis.
    pub from_us: Micros,
    /// Where it ends on the axis.
    pub to_us: Micros,
}

impl Band {
    /// Its words.
    pub const fn words(&self) -> &'static str {
        match self.gist {
            Some(gist) => gist.words,
            None => "not possible",
        }
    }

    /// Its glyph; none where nothing is decided or nothing is possible.
    pub const fn glyph(&self) -> Option<Glyph> {
        match self.gist {
            Some(gist) => Glyph::of_class(gist.class),
            None => None,
        }
    }
}

/// Where a handle stands for a value of its number.
enum Rail<'a> {
    /// At that time.
    Time,
    /// So long after an instant.
    After(i64),
    /// Where so much running time ends that began at an instant.
    Work(&'a fenceline_engine::scenario::Worker, Micros),
    /// Where a lease of that length ends, each in a chain of so many being as long: from (value, place).
    Chain(i64, i64, i64),
}

impl Rail<'_> {
    fn place(&self, value: i64) -> Micros {
        let place = match *self {
            Self::Time => value,
            Self::After(from) => from.saturating_add(value),
            Self::Work(worker, began) => {
                return end_of_work(worker, began, Micros::try_from(value).unwrap_or(0));
            }
            Self::Chain(from, at, count) => at.saturating_add(value.saturating_sub(from).saturating_mul(count)),
        };
        Micros::try_from(place).unwrap_or(0)
    }

    /// The greatest value that stands no later than a time.
    fn value(&self, at: Micros) -> i64 {
        let at_signed = i64::try_from(at).unwrap_or(i64::MAX);
        match *self {
            Self::Time => at_signed,
            Self::After(from) => at_signed.saturating_sub(from),
            Self::Work(worker, began) => i64::try_from(running_until(worker, began, at)).unwrap_or(i64::MAX),
            Self::Chain(from, place, count) => from + (at_signed - place).div_euclid(count.max(1)),
        }
    }
}

/// What a handle turns.
enum Turns {
    Knob(Knob),
    Start(PauseStart),
}

impl Turns {
    /// What a handle turns, and where that stands.
    fn of(scenario: &Scenario, handle: &Handle) -> Option<(Self, i64)> {
        let knob = handle.id.knob()?;
        let value = knob.value(scenario)?;
        let start = match handle.id {
            HandleId::PauseStart { worker, pause } => PauseStart::of(scenario, worker, pause),
            _ => None,
        };
        Some((start.map_or(Self::Knob(knob), Self::Start), value))
    }

    fn turn(&self) -> &dyn Turn {
        match self {
            Self::Knob(knob) => knob,
            Self::Start(start) => start,
        }
    }
}

/// The scenario in which the number that a handle changes is this one, to the microsecond; `None` when it has no such
/// number.
pub fn turned(scenario: &Scenario, handle: &Handle, value_us: i64) -> Option<Scenario> {
    let (turns, _) = Turns::of(scenario, handle)?;
    let mut turned = scenario.clone();
    turns.turn().set(&mut turned, value_us);
    Some(turned)
}

/// The race window of a handle along the whole axis, whatever part of it is shown; `None` when it has none.
pub fn strip(scenario: &Scenario, trace: &Trace, handle: &Handle, window: TimeWindow) -> Option<Strip> {
    let (turns, value_us) = Turns::of(scenario, handle)?;
    let turn = turns.turn();
    let rail = match handle.id {
        HandleId::PauseStart { .. }
        | HandleId::PauseBody { .. }
        | HandleId::WorkerStart { .. }
        | HandleId::Until { .. }
        | HandleId::Failover { .. }
        | HandleId::Restart { .. } => Rail::Time,
        HandleId::WorkEnd { worker, step } => {
            let began = trace.steps.iter().find(|span| span.worker == worker && span.step == step)?.began_at;
            Rail::Work(scenario.workers.get(worker)?, began)
        }
        HandleId::LeaseEnd { grant, .. } => {
            Rail::Chain(value_us, handle.now_us as i64, chained(scenario, trace, grant) as i64)
        }
        _ => Rail::After(handle.now_us as i64 - value_us),
    };
    let from = window.from_us().max(handle.min_us);
    let to = window.to_us().min(handle.max_us);
    if from > to {
        return None;
    }
    let (least, most) = turn.limits();
    let first = rail.value(from).max(least);
    let last = rail.value(to).min(most);
    let found = stretches(scenario, turn, first..last.saturating_add(1), WORK);
    let end = if found.stopped_at.is_none() { to } else { 0 };
    let mut bands: Vec<Band> = (found.parts.into_iter())
        .map(|stretch| {
            let (from_us, to_us) = (rail.place(stretch.values.start), rail.place(stretch.values.end));
            Band { gist: stretch.gist, values: stretch.values, from_us, to_us: to_us.min(to) }
        })
        .collect();
    if let Some(last) = bands.last_mut() {
        last.to_us = last.to_us.max(end);
    }
    (!bands.is_empty()).then_some(Strip { handle: handle.id, bands, value_us, is_cut: found.stopped_at.is_some() })
}

impl Strip {
    /// The band in which the handle stands; none when that is beyond what is shown.
    pub fn here(&self) -> Option<&Band> {
        self.bands.iter().find(|band| band.values.contains(&self.value_us))
    }

    /// How far the handle is from the nearest value at which the outcome differs.
    pub fn to_the_edge(&self) -> Option<Micros> {
        let here = self.bands.iter().position(|band| band.values.contains(&self.value_us))?;
        let values = &self.bands[here].values;
        let down = (here > 0).then(|| self.value_us.abs_diff(values.start - 1));
        let up = (here + 1 < self.bands.len()).then(|| values.end.abs_diff(self.value_us));
        down.into_iter().chain(up).min()
    }

    /// The same in words: `13.0 s to the edge`.
    pub fn margin(&self) -> Option<String> {
        self.to_the_edge().map(|distance| [&nearly(distance), " to the edge"].concat())
    }

    /// All of it in words, for whoever does not see it: `harmless < 23.8 s; stale accepted 23.8–32.0 s; …`.
    pub fn sentence(&self) -> String {
        let told: Vec<String> = (0..self.bands.len()).map(|index| self.told(index)).collect();
        let cut = if self.is_cut { "; what follows was not worked out" } else { "" };
        [&told.join("; "), cut].concat()
    }

    /// The nearest value before or after the handle's own at which a band begins.
    pub fn boundary(&self, forward: bool) -> Option<i64> {
        let mut starts = self.bands.iter().skip(1).map(|band| band.values.start);
        if forward {
            starts.find(|start| *start > self.value_us)
        } else {
            starts.take_while(|start| *start < self.value_us).last()
        }
    }

    /// A band by its number, with the values at which it holds: `stale accepted 23.8–32.0 s`.
    pub fn told(&self, index: usize) -> String {
        told(&self.bands, index, self.is_cut)
    }
}

/// A band of several by its number, with the values at which it holds.
pub fn told(bands: &[Band], index: usize, is_cut: bool) -> String {
    let Some(band) = bands.get(index) else { return String::new() };
    let from = (index > 0).then(|| Bound::before(band.values.start));
    let to = (index + 1 < bands.len()).then(|| Bound::before(band.values.end));
    let words = band.words();
    if band.values.end - band.values.start == 1 {
        return [words, " at ", &signed(band.values.start)].concat();
    }
    match (from, to) {
        (None, None) if is_cut => [words, " as far as this was worked out"].concat(),
        (None, None) => [words, " wherever it stands"].concat(),
        (None, Some(to)) => [words, if to.included { " ≤ " } else { " < " }, &signed(to.at)].concat(),
        (Some(from), None) => [words, if from.included { " > " } else { " ≥ " }, &signed(from.at)].concat(),
        (Some(from), Some(to)) => {
            let (from, to) = (signed(from.at), signed(to.at));
            // One unit is enough for two numbers of the same.
            let from = match (from.split_once(' '), to.split_once(' ')) {
                (Some((number, unit)), Some((_, other))) if unit == other && !other.contains(' ') => number,
                _ => &from,
            };
            [words, " ", from, "–", &to].concat()
        }
    }
}

/// An edge between two bands as a person writes it.
struct Bound {
    /// The number.
    at: i64,
    /// Whether the number itself belongs to what is before it.
    included: bool,
}

impl Bound {
    /// The edge before a value. A tie may leave the round number to the band before it.
    fn before(start: i64) -> Self {
        let included = (start - 1).rem_euclid(100) == 0;
        Self { at: if included { start - 1 } else { start }, included }
    }
}

impl Glyph {
    /// The glyph of what a run came to; none when nothing was decided.
    pub const fn of_class(class: Class) -> Option<Self> {
        match class {
            Class::Neutral => None,
            Class::Accepted => Some(Self::Accepted),
            Class::Fenced => Some(Self::Fenced),
            Class::Refused => Some(Self::Refused),
            Class::StaleAccepted | Class::Corrupting => Some(Self::Corrupting),
        }
    }
}
