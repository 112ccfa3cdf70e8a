//! What is wrong with a scenario, for the person who wrote it.

use std::fmt;

use crate::words::visible;

/// One thing that is wrong with a document: where, what was found there, what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// A JSON Pointer to the place (`/workers/0/pauses/1/for`); empty for the document as a whole.
    pub path: String,
    /// What was found there.
    pub found: String,
    /// What is allowed there.
    pub allowed: String,
}

impl fmt::Display for ScenarioError {
    /// On one line. A path holds the names of fields as they are in the document, which may be anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "/" } else { &self.path };
        write!(f, "{}: found {}, allowed: {}", visible(path), self.found, self.allowed)
    }
}

impl std::error::Error for ScenarioError {}
