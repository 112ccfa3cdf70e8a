//! Predict first: the rulings are hidden, each write is asked about, then shown and explained.
//!
//! Invariant: while a write has not been answered for, nothing on the page tells what becomes of it or of what follows.

mod ask;

use std::sync::Arc;

use fenceline_engine::{Decision, Micros, Scenario, Standing, Trace};
use leptos::prelude::*;

use crate::command::Command;
use crate::editor::Editor;

pub use ask::Ask;

/// What somebody says of a write before it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What the destination does; none while nothing is said.
    pub decision: Option<Decision>,
    /// Whether it is stale; none while nothing is said.
    pub stale: Option<bool>,
}

/// A prediction under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// What was answered, decision by decision.
    pub answers: Vec<Answer>,
    /// What is said of the next one so far.
    pub draft: Answer,
    /// Whether the answer to the last one is being shown.
    pub shown: bool,
}

impl Prediction {
    /// The decision that is being asked about, or explained; none when all are done.
    pub fn at(&self, trace: &Trace) -> Option<usize> {
        let at = if self.shown { self.answers.len().checked_sub(1)? } else { self.answers.len() };
        (at < trace.writes.len()).then_some(at)
    }

    /// From when on the rulings are hidden; none when nothing is hidden any more.
    pub fn hidden_from(&self, trace: &Trace) -> Option<Micros> {
        trace.writes.get(self.answers.len()).map(|verdict| verdict.decided_at)
    }

    /// Whether a decision is not to be seen yet.
    pub const fn hides(&self, verdict: usize) -> bool {
        verdict >= self.answers.len()
    }

    /// Takes the draft as the answer, if it is one.
    pub fn answer(&mut self) {
        if self.draft.decision.is_some() && self.draft.stale.is_some() {
            self.answers.push(std::mem::take(&mut self.draft));
            self.shown = true;
        }
    }

    /// Goes on to the next one.
    pub const fn go_on(&mut self) {
        self.shown = false;
    }

    /// How many of the answers are right.
    pub fn right(&self, trace: &Trace) -> usize {
        self.answers.iter().zip(&trace.writes).filter(|(answer, verdict)| **answer == truth(verdict)).count()
    }
}

/// Begins anew whenever the schedule changes: what was said of another one is no answer.
pub fn keep_honest(editor: Editor) {
    Effect::new(move |before: Option<Arc<Scenario>>| {
        let scenario = editor.scenario.get();
        let changed = before.is_some_and(|before| before != scenario);
        if changed && editor.prediction.with_untracked(Option::is_some) {
            editor.run(Command::Predict(true));
        }
        scenario
    });
}

/// The right answer.
pub fn truth(verdict: &fenceline_engine::Verdict) -> Answer {
    Answer { decision: Some(verdict.decision), stale: Some(verdict.standing != Standing::Current) }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    /// B's write is accepted at 38.4 s, A's rejected, and stale, at 51.4 s.
    fn story() -> Trace {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        fenceline_engine::run(&scenario).unwrap_or_default()
    }

    const fn says(accepted: bool, stale: bool) -> Answer {
        let decision = if accepted { Decision::Accepted } else { Decision::Rejected };
        Answer { decision: Some(decision), stale: Some(stale) }
    }

    #[test]
    fn each_write_is_hidden_until_it_is_answered_for() {
        let trace = story();
        let mut prediction = Prediction::default();
        assert_eq!((prediction.at(&trace), prediction.hidden_from(&trace)), (Some(0), Some(38_400_000)));
        prediction.answer();
        assert_eq!(prediction.at(&trace), Some(0), "nothing was said yet");
        prediction.draft = says(true, false);
        prediction.answer();
        assert_eq!((prediction.at(&trace), prediction.hidden_from(&trace)), (Some(0), Some(51_400_000)));
        assert!(!prediction.hides(0) && prediction.hides(1));
        prediction.go_on();
        assert_eq!(prediction.at(&trace), Some(1));
        prediction.draft = says(true, true);
        prediction.answer();
        assert_eq!((prediction.at(&trace), prediction.hidden_from(&trace)), (Some(1), None));
        prediction.go_on();
        assert_eq!(prediction.at(&trace), None);
        assert_eq!(prediction.right(&trace), 1, "A’s write was stale, but it was not accepted");
    }
}
