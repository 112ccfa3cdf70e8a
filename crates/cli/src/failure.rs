//! What can go wrong, as lines on standard error.

use std::ffi::OsStr;
use std::io::{self, Write as _};

use fenceline_engine::{ScenarioError, visible};

/// Why nothing was done.
#[derive(Debug)]
pub enum Failure {
    /// The command line is not understood.
    Usage(String),
    /// Something outside cannot be read or written.
    Io {
        /// What was tried.
        what: String,
        /// What the system says.
        why: String,
    },
    /// A link cannot be made or does not open; a line for each thing.
    Link(String),
    /// The run cannot be written as that text.
    Export(String),
    /// The document is not a scenario that can run.
    Document(Vec<ScenarioError>),
    /// What was told already, with the exit status that goes with it.
    Told(u8),
}

impl Failure {
    /// A file that cannot be read or written.
    pub fn file(doing: &str, file: &OsStr, error: &io::Error) -> Self {
        Self::Io { what: format!("cannot {doing} {}", file.display()), why: error.to_string() }
    }

    /// The exit status.
    pub const fn status(&self) -> u8 {
        match self {
            Self::Told(status) => *status,
            _ => 2,
        }
    }

    /// Tells it on standard error: one line for each thing, control characters spelled out.
    pub fn tell(&self) {
        let lines = match self {
            Self::Usage(what) => vec![
                format!("fenceline: {what}"),
                "usage: fenceline trace FILE [--json]".into(),
                "       fenceline render FILE [-o OUT.svg] [--theme light|dark|auto] [--width N]".into(),
                "       fenceline export FILE --as KIND [--store STORE] [-o OUT]".into(),
                "       fenceline windows FILE --knob POINTER --from D --to D [--json]".into(),
                "       fenceline margin FILE [--json]".into(),
                "       fenceline search FILE [--changes K] [--step D] [--max D] [--property P] [--json]".into(),
                "       fenceline link FILE [--base URL] | --read LINK".into(),
                "       fenceline check PATH… [--fix] [--format text|json|github]".into(),
                "       fenceline --help".into(),
            ],
            Self::Io { what, why } => vec![format!("fenceline: {what}: {why}")],
            Self::Export(why) => vec![format!("fenceline: {why}")],
            Self::Link(why) => why.lines().map(|line| format!("fenceline: {line}")).collect(),
            Self::Document(errors) => errors.iter().map(ToString::to_string).collect(),
            Self::Told(_) => Vec::new(),
        };
        let text: String = lines.iter().map(|line| visible(line) + "\n").collect();
        // There is no other place to tell that standard error is closed.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}
