//! A race map, from coarse to fine: every sixteenth row first.

use fenceline_engine::{Knob, Partition, RaceMap, Scenario, Stretch};

use super::Job;
use crate::protocol::{Answer, Axis};

/// How much work a row may take, in events.
const WORK: u64 = 20_000;

/// The distance of the rows that are worked out first.
const COARSE: u32 = 16;

/// The scenario with both knobs where their axes begin: what a map is worked out from, wherever they stand.
pub fn ground<'k>(scenario: &Scenario, axes: impl IntoIterator<Item = (&'k Knob, i64)>) -> Scenario {
    let mut ground = scenario.clone();
    for (knob, from) in axes {
        // A ttl of 0 is no ttl; a row of the map may be invalid, what it is worked out from may not.
        knob.turn(&mut ground, from.max(1));
    }
    ground
}

pub(super) struct Map {
    rows: RaceMap,
    ys: (i64, i64),
    count: u32,
    /// Rows in the order of working them out, and which of them comes next.
    order: Vec<u32>,
    next: usize,
    found: Vec<(u32, Partition<Stretch>)>,
}

impl Map {
    pub fn new(scenario: &Scenario, across: Axis, up: Axis, count: u32) -> Self {
        let ground = ground(scenario, [(&across.knob, across.from), (&up.knob, up.from)]);
        let rows = RaceMap::new(&ground, across.knob, across.from..across.to.saturating_add(1), up.knob);
        let mut order = Vec::new();
        let mut step = COARSE;
        while step > 0 {
            order.extend((0..count).filter(|row| row % step == 0 && (step == COARSE || row % (2 * step) != 0)));
            step /= 2;
        }
        Self { rows, ys: (up.from, up.to), count, order, next: 0, found: Vec::new() }
    }

    /// The value of the vertical knob in the middle of a row.
    fn value_of_row(&self, row: u32) -> i64 {
        let (from, to) = (i128::from(self.ys.0), i128::from(self.ys.1));
        let rows = i128::from(self.count.max(1));
        (from + (to - from) * (2 * i128::from(row) + 1) / (2 * rows)) as i64
    }
}

impl Job for Map {
    fn go_on(&mut self) -> bool {
        let Some(&row) = self.order.get(self.next) else { return false };
        self.next += 1;
        let y = self.value_of_row(row);
        self.found.push((row, self.rows.row(y, WORK)));
        self.next < self.order.len()
    }

    fn tell(&mut self, _: f64) -> Option<Answer> {
        let is_whole = self.next == self.order.len();
        let rows = std::mem::take(&mut self.found);
        (is_whole || !rows.is_empty()).then_some(Answer::Rows { rows, is_whole })
    }
}
