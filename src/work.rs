//! The work: what is open, as one value of the undo history.
//!
//! The scenario and where it came from go through the history together, so that opening something else is a step like any
//! other: undo brings the work before it back, and nothing is lost by trying a preset.

use std::sync::Arc;

use fenceline_engine::Scenario;

/// A scenario, and the preset that it began as.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// The scenario as it is now.
    pub scenario: Arc<Scenario>,
    /// Where it came from; none for a document of one's own.
    pub origin: Option<Arc<Origin>>,
}

/// A preset as the library has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Its name in the library, which is also the name of its file.
    pub id: String,
    /// What it says.
    pub scenario: Arc<Scenario>,
}

impl Work {
    /// A document of one's own.
    pub fn own(scenario: Scenario) -> Self {
        Self { scenario: Arc::new(scenario), origin: None }
    }

    /// A preset, untouched.
    pub fn preset(id: &str, scenario: Scenario) -> Self {
        let scenario = Arc::new(scenario);
        Self { origin: Some(Arc::new(Origin { id: id.into(), scenario: Arc::clone(&scenario) })), scenario }
    }

    /// The same work with another scenario.
    #[must_use]
    pub fn with(&self, scenario: Arc<Scenario>) -> Self {
        Self { scenario, origin: self.origin.clone() }
    }

    /// The preset that this is, while nothing of it was changed.
    pub fn untouched(&self) -> Option<&str> {
        self.origin.as_deref().filter(|origin| origin.scenario == self.scenario).map(|origin| origin.id.as_str())
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn a_preset_is_untouched_until_it_differs_and_again_when_it_no_longer_does() {
        let work = Work::preset("paused-worker", Scenario::default());
        assert_eq!(work.untouched(), Some("paused-worker"));
        let changed = work.with(Arc::new(Scenario { title: "mine".into(), ..Scenario::default() }));
        assert_eq!(changed.untouched(), None);
        assert_eq!(changed.with(Arc::new(Scenario::default())).untouched(), Some("paused-worker"));
        assert_eq!(Work::own(Scenario::default()).untouched(), None);
    }
}
