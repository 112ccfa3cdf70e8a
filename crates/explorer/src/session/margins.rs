//! The margins of all numbers of a schedule, one after the other.

use fenceline_engine::{Knob, Margin, Scenario, margin};

use super::Job;
use crate::protocol::Answer;

pub(super) struct Margins {
    scenario: Scenario,
    /// What comes next is last.
    knobs: Vec<Knob>,
    found: Vec<Option<Margin>>,
}

impl Margins {
    pub fn new(scenario: &Scenario) -> Self {
        let mut knobs = Knob::all(scenario);
        knobs.reverse();
        Self { scenario: scenario.clone(), knobs, found: Vec::new() }
    }
}

impl Job for Margins {
    fn go_on(&mut self) -> bool {
        if let Some(knob) = self.knobs.pop() {
            self.found.push(margin(&self.scenario, &knob));
        }
        !self.knobs.is_empty()
    }

    fn tell(&mut self, _: f64) -> Option<Answer> {
        let left = self.knobs.len() as u32;
        let found = std::mem::take(&mut self.found);
        (left == 0 || !found.is_empty()).then_some(Answer::Margins { found, left })
    }
}
