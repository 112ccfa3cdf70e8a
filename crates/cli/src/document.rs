//! Reading a scenario from a file or from standard input.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};

use fenceline_engine::limits::MAX_DOCUMENT_BYTES;
use fenceline_engine::{Scenario, ScenarioError};

use crate::failure::Failure;

/// One byte more than a document may have: it tells that there is more, however much more there is.
const READ_AT_MOST: u64 = MAX_DOCUMENT_BYTES as u64 + 1;

/// Reads a scenario; `-` is standard input.
///
/// # Errors
/// The file cannot be read, or what it holds is not a valid scenario.
pub fn read(file: &OsStr) -> Result<Scenario, Failure> {
    let mut bytes = Vec::new();
    let read = if file == "-" {
        io::stdin().lock().take(READ_AT_MOST).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|open| open.take(READ_AT_MOST).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::file("read", file, &error))?;
    parse(bytes).map_err(Failure::Document)
}

fn parse(bytes: Vec<u8>) -> Result<Scenario, Vec<ScenarioError>> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(whole("more than 1 MiB", "a document of at most 1 MiB"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        whole(&format!("a byte that is not UTF-8 at offset {at}"), "JSON text in UTF-8")
    })?;
    Scenario::from_json(&text).map_err(|errors| if is_case(&text) { case_instead() } else { errors })
}

fn whole(found: &str, allowed: &str) -> Vec<ScenarioError> {
    vec![ScenarioError { path: String::new(), found: found.into(), allowed: allowed.into() }]
}

/// Whether a document is a case: a scenario together with what is expected of it.
fn is_case(text: &str) -> bool {
    let value: Result<serde_json::Value, _> = serde_json::from_str(text);
    value.is_ok_and(|value| value.get("scenario").is_some_and(serde_json::Value::is_object))
}

fn case_instead() -> Vec<ScenarioError> {
    whole(
        "a case: a scenario in its field `scenario`, beside what is expected of it",
        "a scenario by itself (for instance `jq .scenario FILE | fenceline trace -`)",
    )
}
