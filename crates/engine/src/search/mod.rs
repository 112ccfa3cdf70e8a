//! The search for a schedule that breaks a property: every combination of added pauses and changed delays within bounds.
//!
//! At most K knobs are changed. All but the last stand on a grid; the last is swept exactly (see [`crate::windows`]), so
//! that nothing is missed between its values. Combinations come in the order in which a person wants the answer:
//! fewest pauses, then fewest changed delays; among those the shortest is kept. A search goes on in slices, so that a page
//! stays alive and a person can stop it.

mod cursor;

use serde::{Deserialize, Serialize};

use crate::knob::Knob;
use crate::model::Model;
use crate::runner::Runner;
use crate::scenario::{Micros, Pause, Scenario};
use crate::verdict::Property;
use crate::windows::{Break, first_break};

use cursor::{Cursor, choices};

/// How much work one combination may take, in events: some hundredths of a second. A last knob that stretches a schedule in
/// which a worker renews every moment would else hold a search up for ever.
const WORK: u64 = 400_000;

/// The bounds of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// How many knobs may be changed, 1 to 4.
    pub changes: usize,
    /// The distance of two grid values, above 0.
    pub step: Micros,
    /// The longest pause and the longest delay.
    pub max: Micros,
    /// The property to break, or any.
    pub property: Option<Property>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { changes: 2, step: 1_000_000, max: 60_000_000, property: None }
    }
}

/// Where a search adds a pause: the instant at which a step begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boundary {
    /// The worker.
    pub worker: usize,
    /// The step, from 0.
    pub step: usize,
}

/// A schedule that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The scenario, changed.
    pub scenario: Scenario,
    /// The pauses that were added.
    pub pauses: Vec<(Boundary, Pause)>,
    /// The delays that were changed, and to what.
    pub delays: Vec<(Knob, i64)>,
    /// The first property that it breaks.
    pub property: Property,
    /// All added pauses and changed delays together: what "shortest" goes by.
    pub length: Micros,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Not all is covered.
    GoesOn,
    /// The smallest counterexample within the bounds.
    Found(Box<Counterexample>),
    /// Every schedule within the bounds was covered, save for those [left out](Search::left_out), and none breaks the property.
    Nothing,
}

/// A search under way.
#[derive(Debug)]
pub struct Search {
    scenario: Scenario,
    bounds: Bounds,
    boundaries: Vec<Boundary>,
    knobs: Vec<Knob>,
    /// How many pauses and delays to combine, what comes next last.
    classes: Vec<(usize, usize)>,
    /// The class under way, and where in it.
    under_way: Option<((usize, usize), Cursor)>,
    best: Option<Counterexample>,
    covered: u64,
    left_out: u64,
    total: u64,
    runner: Runner,
}

impl Search {
    /// A search from this scenario, which must be valid.
    pub fn new(scenario: &Scenario, bounds: Bounds) -> Self {
        let step = bounds.step.clamp(1, bounds.max.max(1));
        let bounds = Bounds { changes: bounds.changes.clamp(1, 4), step, ..bounds };
        let boundaries: Vec<Boundary> = (scenario.workers.iter().enumerate())
            .flat_map(|(worker, of)| (0..of.plan.len()).map(move |step| Boundary { worker, step }))
            .collect();
        let knobs: Vec<Knob> = Knob::all(scenario).into_iter().filter(|knob| matches!(knob, Knob::Send(..))).collect();
        let classes: Vec<(usize, usize)> = (0..=bounds.changes)
            .flat_map(|pauses| (0..=bounds.changes - pauses).map(move |delays| (pauses, delays)))
            .filter(|&(pauses, delays)| pauses <= boundaries.len() && delays <= knobs.len())
            .rev()
            .collect();
        let mut search = Self {
            scenario: scenario.clone(),
            bounds,
            boundaries,
            knobs,
            classes,
            under_way: None,
            best: None,
            covered: 0,
            left_out: 0,
            total: 0,
            runner: Runner::default(),
        };
        let of_class = |&(pauses, delays): &(usize, usize)| {
            choices(search.boundaries.len(), pauses)
                .saturating_mul(choices(search.knobs.len(), delays))
                .saturating_mul(search.grid().saturating_pow((pauses + delays) as u32))
        };
        search.total = search.classes.iter().map(of_class).fold(0, u64::saturating_add);
        search
    }

    /// How many schedules of the grid are covered so far; what lies between the values of the last knob is covered too.
    pub fn covered(&self) -> u64 {
        self.covered
    }

    /// The smallest that was found so far, while the search goes on or was stopped.
    pub fn best(&self) -> Option<&Counterexample> {
        self.best.as_ref()
    }

    /// How many of these schedules were left out after all, because the sweep over the last knob took too long.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many schedules of the grid lie within the bounds.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many pauses and how many delays are being combined now: where a search stands when it is stopped.
    pub fn combining(&self) -> Option<(usize, usize)> {
        self.under_way.as_ref().map(|(class, _)| *class)
    }

    /// The number of values on the grid: step, 2 step … up to the greatest.
    fn grid(&self) -> u64 {
        self.bounds.max / self.bounds.step
    }

    /// Goes on for that many combinations.
    pub fn go_on(&mut self, combinations: u32) -> Progress {
        for _ in 0..combinations {
            let Some((class, mut cursor)) = self.under_way.take() else {
                // A class is gone through to its end before its best is the answer.
                if let Some(best) = self.best.take() {
                    self.classes.clear();
                    return Progress::Found(Box::new(best));
                }
                let Some((pauses, delays)) = self.classes.pop() else { return Progress::Nothing };
                self.under_way = Some(((pauses, delays), Cursor::first(pauses, delays)));
                continue;
            };
            self.sweep(&cursor);
            self.covered = self.covered.saturating_add(if class == (0, 0) { 1 } else { self.grid() });
            if cursor.advance(self.boundaries.len(), self.knobs.len(), self.grid()) {
                self.under_way = Some((class, cursor));
            }
        }
        Progress::GoesOn
    }

    /// Goes through one combination: sets all knobs but the last, and sweeps that.
    fn sweep(&mut self, cursor: &Cursor) -> Option<()> {
        let step = self.bounds.step;
        let value = |digit: &u64| (digit + 1) * step;
        let spent: Micros = cursor.digits.iter().map(value).sum();
        let most = match &self.best {
            Some(best) if best.length <= spent => return None,
            Some(best) => self.bounds.max.min(best.length - spent - 1),
            None => self.bounds.max,
        };
        let mut scenario = self.scenario.clone();
        let mut digits = cursor.digits.iter().map(value);
        let mut delays = Vec::new();
        let mut last = None;
        for &index in &cursor.delays {
            let knob = self.knobs[index].clone();
            match digits.next() {
                Some(us) => {
                    knob.turn(&mut scenario, us as i64);
                    delays.push((knob, us as i64));
                }
                None => last = Some(knob),
            }
        }
        let mut pauses = Vec::new();
        let mut boundaries: Vec<Boundary> = cursor.pauses.iter().map(|&index| self.boundaries[index]).collect();
        while !boundaries.is_empty() {
            // What is paused first does not move where it begins; what comes later is placed after it.
            let (at, boundary) = self.first_to_begin(&scenario, &boundaries)?;
            boundaries.retain(|other| *other != boundary);
            let worker = &mut scenario.workers[boundary.worker];
            let length = digits.next();
            let pause = Pause { at, length: Some(length.unwrap_or(0)) };
            if length.is_none() {
                last = Some(Knob::PauseFor(boundary.worker, worker.pauses.len()));
            }
            worker.pauses.push(pause);
            pauses.push((boundary, pause));
        }
        let least = i64::from(!pauses.is_empty());
        let found = first_break(&scenario, last.as_ref(), least..most as i64 + 1, self.bounds.property, WORK);
        let (turned, property) = match found {
            Break::At(turned, property) => (turned, property),
            Break::Never => return None,
            Break::CutShort => {
                self.left_out = self.left_out.saturating_add(self.grid());
                return None;
            }
        };
        if let Some(knob) = last {
            knob.turn(&mut scenario, turned);
            match pauses.last_mut() {
                Some((_, pause)) => pause.length = Some(turned as Micros),
                None => delays.push((knob, turned)),
            }
        }
        let length = spent + turned as Micros;
        self.best = Some(Counterexample { scenario, pauses, delays, property, length });
        Some(())
    }

    /// Which of these steps begins first, and when.
    fn first_to_begin(&mut self, scenario: &Scenario, boundaries: &[Boundary]) -> Option<(Micros, Boundary)> {
        let begins = self.runner.beginnings(&Model::unchecked(scenario)).ok()?;
        begins.into_iter().find_map(|(worker, step, at)| {
            let boundary = Boundary { worker, step };
            boundaries.contains(&boundary).then_some((at, boundary))
        })
    }
}
