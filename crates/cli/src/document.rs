//! Reading a scenario from a file or from standard input; what the file claims of it is passed over here.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use fenceline_claims::{Sheet, sheet_of};
use fenceline_engine::ScenarioError;
use fenceline_engine::limits::MAX_DOCUMENT_BYTES;

use crate::check::Beside;
use crate::failure::Failure;

/// One byte more than a document may have: it tells that there is more, however much more there is.
const READ_AT_MOST: u64 = MAX_DOCUMENT_BYTES as u64 + 1;

/// Reads a scenario, or what a block says of one; `-` is standard input.
///
/// # Errors
/// The file cannot be read, or what it holds is not a valid scenario.
pub fn read(file: &OsStr) -> Result<Sheet, Failure> {
    let mut bytes = Vec::new();
    let read = if file == "-" {
        io::stdin().lock().take(READ_AT_MOST).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|open| open.take(READ_AT_MOST).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::file("read", file, &error))?;
    parse(bytes, Path::new(file)).map_err(Failure::Document)
}

fn parse(bytes: Vec<u8>, file: &Path) -> Result<Sheet, Vec<ScenarioError>> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(whole("more than 1 MiB", "a document of at most 1 MiB"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        whole(&format!("a byte that is not UTF-8 at offset {at}"), "JSON text in UTF-8")
    })?;
    sheet_of(&text, &Beside { file })
}

fn whole(found: &str, allowed: &str) -> Vec<ScenarioError> {
    vec![ScenarioError { path: String::new(), found: found.into(), allowed: allowed.into() }]
}
