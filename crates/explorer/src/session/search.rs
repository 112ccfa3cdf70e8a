//! The search for a counterexample, a combination at a time.

use fenceline_engine::{Bounds, Counterexample, Progress, Scenario, Search};

use super::Job;
use crate::protocol::{Answer, Found, Place};

/// How often the place is told, in milliseconds: the counts are for the eye.
const OFTEN: f64 = 100.0;

pub(super) struct Hunt {
    search: Search,
    end: Option<Answer>,
    /// When the place was last told.
    told: Option<f64>,
}

impl Hunt {
    pub fn new(scenario: &Scenario, bounds: Bounds) -> Self {
        Self { search: Search::new(scenario, bounds), end: None, told: None }
    }

    fn place(&self) -> Place {
        let (pauses, delays) = self.search.combining().unwrap_or_default();
        let (covered, total) = (self.search.covered(), self.search.total());
        Place { covered, total, combining: (pauses as u32, delays as u32) }
    }

    fn found(&self, of: &Counterexample, is_smallest: bool) -> Answer {
        Answer::Found(Box::new(Found {
            document: of.scenario.to_json(),
            pauses: of.pauses.iter().map(|(at, pause)| (*at, pause.at, pause.length.unwrap_or(0))).collect(),
            delays: of.delays.clone(),
            property: of.property,
            covered: self.search.covered(),
            is_smallest,
        }))
    }
}

impl Job for Hunt {
    fn go_on(&mut self) -> bool {
        self.end = match self.search.go_on(1) {
            Progress::GoesOn => None,
            Progress::Nothing => {
                Some(Answer::Nothing { covered: self.search.covered(), left_out: self.search.left_out() })
            }
            Progress::Found(found) => Some(self.found(&found, true)),
        };
        self.end.is_none()
    }

    fn tell(&mut self, now: f64) -> Option<Answer> {
        if self.end.is_some() {
            return self.end.take();
        }
        // A clock that is set back is no reason to fall silent.
        if self.told.is_some_and(|told| (0.0..OFTEN).contains(&(now - told))) {
            return None;
        }
        self.told = Some(now);
        Some(Answer::Place(self.place()))
    }

    fn stop(&mut self) -> Option<Answer> {
        // What was found up to there may not be the smallest, but it is there.
        Some(self.search.best().map_or_else(|| Answer::Stopped(self.place()), |best| self.found(best, false)))
    }
}
