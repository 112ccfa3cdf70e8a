//! From a document to a [`Scenario`]: every error at once, each with its place, in the order of the document.
//!
//! Reading never stops at an error. A field that cannot be read is reported, stands as a placeholder in the scenario,
//! and its place is noted, so that the checks on the scenario as a whole still run and say nothing about placeholders.

mod fields;
mod parts;
mod sheet;
mod step;

use crate::document::Node;
use crate::error::ScenarioError;
use crate::limits::MAX_DOCUMENT_BYTES;
use crate::path::{Path, Unread};
use crate::scenario::Scenario;
use crate::validate;

pub use sheet::AROUND;

/// What a document as a whole is.
const DOCUMENT: &str = r#"a JSON object with the fields version, title, about, network, leases, resources, workers, for example { "version": 1 }"#;

impl Scenario {
    /// Reads a JSON document, schema version 1.
    ///
    /// Whether its run stays within the limit of events is not decided here, since that takes a run.
    ///
    /// # Errors
    /// Everything that is wrong with the document, in its order: what its fields hold, and what
    /// [`Scenario::validate`] says of the scenario, save what merely follows from another error. A text that is not
    /// JSON, or longer than 1 MiB, is one error with an empty path.
    pub fn from_json(text: &str) -> Result<Self, Vec<ScenarioError>> {
        scenario_of(&tree(text)?)
    }
}

/// The tree of a text.
fn tree(text: &str) -> Result<Node, Vec<ScenarioError>> {
    if text.len() > MAX_DOCUMENT_BYTES {
        let found = format!("a document of {} bytes", text.len());
        return Err(vec![error(&Path::Root, found, format!("at most 1 MiB ({MAX_DOCUMENT_BYTES} bytes)"))]);
    }
    Node::from_json(text).map_err(|problem| {
        // A problem of another category is one with the tree, and says so itself.
        let what = if problem.is_data() { "" } else { "text that is not JSON: " };
        vec![error(&Path::Root, format!("{what}{problem}"), DOCUMENT)]
    })
}

/// Reads a document that is a tree already.
///
/// # Errors
/// As [`Scenario::from_json`], save for what is wrong with a text.
pub(crate) fn scenario_of(document: &Node) -> Result<Scenario, Vec<ScenarioError>> {
    read(document, Reader::default()).map(|(scenario, _)| scenario)
}

/// The scenario of a tree, and what was passed over.
fn read(document: &Node, mut reader: Reader) -> Result<(Scenario, Vec<String>), Vec<ScenarioError>> {
    let scenario = parts::scenario(&mut reader, document, &Path::Root);
    let Reader { mut errors, unread, passed_over } = reader;
    errors.extend(validate::errors(&scenario, &unread));
    if errors.is_empty() {
        return Ok((scenario, passed_over.unwrap_or_default()));
    }
    Err(in_order(errors, document))
}

/// Errors in the order of the document.
fn in_order(mut errors: Vec<ScenarioError>, document: &Node) -> Vec<ScenarioError> {
    errors.sort_by_cached_key(|error| document.locate(&error.path));
    errors
}

fn error(path: &Path, found: impl Into<String>, allowed: impl Into<String>) -> ScenarioError {
    ScenarioError { path: path.to_string(), found: found.into(), allowed: allowed.into() }
}

/// What was found out while reading.
#[derive(Default)]
struct Reader {
    errors: Vec<ScenarioError>,
    unread: Unread,
    /// The places of unknown fields, where those are passed over; none where they are errors.
    passed_over: Option<Vec<String>>,
}

impl Reader {
    /// Reports what was found at a place that cannot be read; of two reasons at the very same place, the first.
    fn refuse(&mut self, path: &Path, found: impl Into<String>, allowed: impl Into<String>) {
        if self.unread.has(path) {
            return;
        }
        self.errors.push(error(path, found, allowed));
        self.unread.add(path);
    }

    /// Reports a value that is not what is allowed at its place.
    fn refuse_value(&mut self, node: &Node, path: &Path, allowed: &str) {
        self.refuse(path, node.quote(), allowed);
    }
}
