//! The race map: the outcome over a rectangle of two knobs, row by row.

use std::ops::Range;

use crate::knob::Knob;
use crate::runner::Outcome;
use crate::scenario::Scenario;

use super::turn::limits_in;
use super::{Partition, Signature, Stretch, Sweep, Window, gist_of};

/// One row of a race map: one value of the vertical knob, and the exact windows of the horizontal one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The vertical knob's value, in microseconds.
    pub y: i64,
    /// The windows of the horizontal knob.
    pub windows: Vec<Window>,
}

/// The rows of a race map, one for each value of the vertical knob.
pub fn race_map(
    scenario: &Scenario,
    x: &Knob,
    xs: &Range<i64>,
    y: &Knob,
    ys: impl IntoIterator<Item = i64>,
) -> Vec<Row> {
    let mut map = RaceMap::new(scenario, x.clone(), xs.clone(), y.clone());
    ys.into_iter().map(|y| Row { y, windows: map.windows(y) }).collect()
}

/// A race map that is worked out row by row, so that a page stays alive while it goes on.
#[derive(Debug)]
pub struct RaceMap {
    scenario: Scenario,
    x: Knob,
    xs: Range<i64>,
    y: Knob,
    sweep: Sweep,
}

impl RaceMap {
    /// The map of a scenario over two knobs; `xs` are the values of the horizontal one.
    pub fn new(scenario: &Scenario, x: Knob, xs: Range<i64>, y: Knob) -> Self {
        Self { scenario: scenario.clone(), x, xs, y, sweep: Sweep::new(true) }
    }

    /// What each value of the horizontal knob comes to at one value of the vertical one, exactly, for a bounded amount of
    /// work (see [`super::windows_within`]).
    pub fn row(&mut self, y: i64, work: u64) -> Partition<Stretch> {
        if self.is_refused(y) {
            return Partition { parts: vec![Stretch { values: self.xs.clone(), gist: None }], stopped_at: None };
        }
        self.turn(y);
        self.sweep.partition(&self.scenario, &self.x, self.xs.clone(), work, gist_of).map(Stretch::from)
    }

    /// Whether a document may not show that value of the vertical knob, whatever the horizontal one shows.
    fn is_refused(&self, y: i64) -> bool {
        let (least, most) = limits_in(&self.scenario, &self.y);
        !(least..=most).contains(&y)
    }

    fn windows(&mut self, y: i64) -> Vec<Window> {
        if self.is_refused(y) {
            return vec![Window { values: self.xs.clone(), outcome: None }];
        }
        self.turn(y);
        let of = |outcome: Option<&Outcome<'_>>| outcome.map(Signature::of);
        let parts = self.sweep.partition(&self.scenario, &self.x, self.xs.clone(), u64::MAX, of).parts;
        parts.into_iter().map(|(outcome, values)| Window { values, outcome }).collect()
    }

    fn turn(&mut self, y: i64) {
        self.y.turn(&mut self.scenario, y);
        self.sweep.start_over();
    }
}
