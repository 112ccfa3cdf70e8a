//! Evidence that runs: a script that replays the arrivals of a run, in their order, through the guards in a real `SQLite`.
//!
//! It exists so that nobody has to believe this program: whoever runs the script sees the database decide. Invariant: names
//! and values of a document are bound or quoted, never code; the statements are those that are shown for each decision.

mod python;
mod replay;
mod rust;
mod sql;

use std::fmt;

use fenceline_engine::{Scenario, Trace};

use replay::Replay;

/// How many decisions a script replays at most; a longer one is read by nobody, and takes a compiler long.
pub const MOST_DECISIONS: usize = 2_000;

/// Why there is no evidence for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotExpressible {
    /// No write or establish is decided.
    NothingDecided,
    /// More decisions than [`MOST_DECISIONS`].
    TooMany(usize),
}

impl fmt::Display for NotExpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingDecided => f.write_str("no write is decided in this run, so there is nothing to replay"),
            Self::TooMany(found) => {
                write!(f, "this run has {found} decisions; at most {MOST_DECISIONS} are replayed by a script")
            }
        }
    }
}

impl std::error::Error for NotExpressible {}

/// A script for Python's standard library, which replays the arrivals and ends with status 0 when all was decided as it was here.
///
/// # Errors
/// Why the run cannot be replayed.
pub fn python(scenario: &Scenario, trace: &Trace) -> Result<String, NotExpressible> {
    Ok(python::script(&replay_of(scenario, trace)?))
}

/// The same as a test for Rust, which needs `rusqlite`.
///
/// # Errors
/// Why the run cannot be replayed.
pub fn rust(scenario: &Scenario, trace: &Trace) -> Result<String, NotExpressible> {
    Ok(rust::test(&replay_of(scenario, trace)?))
}

fn replay_of<'a>(scenario: &'a Scenario, trace: &Trace) -> Result<Replay<'a>, NotExpressible> {
    match trace.writes.len() {
        0 => Err(NotExpressible::NothingDecided),
        1..=MOST_DECISIONS => Ok(Replay::of(scenario, trace)),
        found => Err(NotExpressible::TooMany(found)),
    }
}
