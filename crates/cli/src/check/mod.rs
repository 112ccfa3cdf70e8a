//! `fenceline check`: what documents claim, held against the engine, and with `--fix` put right where they stand.
//!
//! Invariant: a file is written as a whole or not at all, only when what it would say is true, and only when it still says what
//! was checked.

mod files;
mod tell;
mod walk;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fenceline_claims::{Checked, Form, Sources, check, corrected, is_meant};

use crate::failure::Failure;
use walk::Met;

/// What to check, and how to tell of it.
#[derive(Debug, PartialEq)]
pub struct Request {
    /// Files and folders.
    pub paths: Vec<OsString>,
    /// Whether false claims are put right.
    pub fix: bool,
    /// How it is told.
    pub format: Format,
}

/// How it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines for a person.
    Text,
    /// One JSON document.
    Json,
    /// Annotations of a GitHub workflow.
    Github,
}

/// What came of one file.
struct Report {
    path: PathBuf,
    checked: Checked,
    /// Whether what could be put right was.
    fixed: bool,
}

/// What came of all files.
#[derive(Default)]
struct Outcome {
    reports: Vec<Report>,
    /// Files and folders that could not be read or written, and why.
    lost: Vec<(PathBuf, String)>,
    /// How many JSON files were met that are none of ours.
    left_alone: usize,
}

/// Checks everything, and gives what is to be printed.
///
/// # Errors
/// What was told already, as an exit status: 1 when a claim is false, 2 when something could not be read.
pub fn run(request: &Request) -> (String, Result<(), Failure>) {
    let mut outcome = Outcome::default();
    let (met, lost) = walk::files(&request.paths);
    outcome.lost = lost;
    for met in met {
        if let Err(why) = one(&met, request.fix, &mut outcome) {
            outcome.lost.push((met.path, why));
        }
    }
    (tell::tell(&outcome, request.format), outcome.status())
}

fn one(met: &Met, fix: bool, outcome: &mut Outcome) -> Result<(), String> {
    let leave = !met.is_named && met.form == Form::Json;
    let text = match files::read(&met.path) {
        Ok(text) => text,
        // What is not even text is no scenario either.
        Err(files::Unread::NotText(_)) if leave => {
            outcome.left_alone += 1;
            return Ok(());
        }
        Err(unread) => return Err(unread.to_string()),
    };
    if leave && !is_meant(&text) {
        outcome.left_alone += 1;
        return Ok(());
    }
    let sources = Beside { file: &met.path };
    let checked = check(&text, met.form, &sources);
    let edits = checked.edits();
    let fixed = fix && !edits.is_empty();
    if fixed {
        let right = corrected(&text, &edits);
        let again = check(&right, met.form, &sources);
        let stays = checked.findings.iter().filter(|found| !found.mendable).count();
        if again.findings.len() != stays || again.problems.len() != checked.problems.len() {
            return Err("its claims cannot be put right where they stand".into());
        }
        files::replace(&met.path, &text, &right)?;
    }
    outcome.reports.push(Report { path: met.path.clone(), checked, fixed });
    Ok(())
}

impl Outcome {
    fn status(&self) -> Result<(), Failure> {
        let is_unread = !self.lost.is_empty() || self.reports.iter().any(|report| !report.checked.problems.is_empty());
        if is_unread {
            return Err(Failure::Told(2));
        }
        let is_false = |report: &Report| report.checked.findings.iter().any(|found| !(report.fixed && found.mendable));
        if self.reports.iter().any(is_false) { Err(Failure::Told(1)) } else { Ok(()) }
    }
}

/// What a file can name: the library, and the files beside it.
pub struct Beside<'a> {
    /// The file that names others.
    pub file: &'a Path,
}

impl Sources for Beside<'_> {
    fn preset(&self, name: &str) -> Option<String> {
        fenceline_presets::document(name).map(Into::into)
    }

    fn file(&self, path: &str) -> Result<String, String> {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        files::read(&folder.join(path)).map_err(|unread| unread.to_string())
    }
}
