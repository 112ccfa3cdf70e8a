//! The race map: the outcome over a rectangle of two knobs.

use std::ops::Range;

use crate::knob::Knob;
use crate::scenario::Scenario;

use super::{Window, windows};

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
    let mut turned = scenario.clone();
    let row = |value| {
        y.turn(&mut turned, value);
        Row { y: value, windows: windows(&turned, x, xs.clone()) }
    };
    ys.into_iter().map(row).collect()
}
