//! Claims: what a document says of its scenario, held against what the engine says now.
//!
//! It exists so that a figure in somebody's documentation cannot go wrong unnoticed. It is pure: files and presets come in
//! through [`Sources`], and what is to be changed goes out as [`Edit`]s.
//!
//! ```text
//! blocks(&str) -> Vec<Block>                        the fenced blocks of a Markdown text, and the way back to its bytes
//! examine(&str, &dyn Sources) -> Examined           one block: its scenario, run; its claims, judged; what cannot be read
//! check(&str, Form, &dyn Sources) -> Checked        a file: the same for all of its blocks, with line numbers
//! corrected(&str, &[Edit]) -> String                the file with false claims made true, and nothing else changed
//! sheet_of(&str, &dyn Sources) -> Result<Sheet, …>  what a file shows, for programs that pass over its claims
//! is_meant(&str) -> bool                            whether a JSON text is any of ours
//! ```
//!
//! ```
//! use fenceline_claims::{Form, NoSources, check, corrected};
//!
//! let text = r#"{ "version": 1, "resources": [{ "id": "report" }],
//!   "workers": [{ "id": "A", "plan": [{ "do": "write", "resource": "report", "value": "v", "token": 41 }] }],
//!   "expect": { "writes": [{ "write": "A/1", "decision": "rejected" }] } }"#;
//! let checked = check(text, Form::Json, &NoSources);
//! let false_claim = &checked.findings[0];
//! assert_eq!((false_claim.line, false_claim.finding.now.as_str()), (3, "\"accepted\""));
//! let right = corrected(text, &checked.edits());
//! assert!(check(&right, Form::Json, &NoSources).findings.is_empty());
//! ```
#![deny(missing_docs)]

mod check;
mod expect;
mod json;
mod markdown;
mod reader;
mod sheet;
mod window;

use std::ops::Range;

use fenceline_engine::{ScenarioError, Summary, Trace, run};

pub use check::{Checked, Form, Found, Missed, check, corrected};
pub use markdown::{Block, LANGUAGE, Lines, blocks};
pub use reader::Problem;
pub use sheet::{Colours, Origin, Sheet, Sources, is_meant, sheet_of};

use expect::Judge;
use reader::Reader;

/// A claim that is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it stands in the text.
    pub at: Range<usize>,
    /// Its path in the block, as a JSON Pointer.
    pub path: String,
    /// What it is about: `A/3: decision`.
    pub what: String,
    /// What was claimed, as it is written.
    pub claimed: String,
    /// What is true now.
    pub now: String,
    /// What makes it true; nothing when that could not be found out.
    pub edits: Vec<Edit>,
}

/// A piece of a text, and what is to stand in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go; an empty range puts something between.
    pub range: Range<usize>,
    /// What takes their place.
    pub text: String,
}

/// What came of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examined {
    /// What it shows, and its run; nothing when it cannot be read or run.
    pub shown: Option<(Sheet, Trace)>,
    /// How many claims were judged.
    pub claims: usize,
    /// Those that are false, in the order of the text.
    pub findings: Vec<Finding>,
    /// What cannot be read, in the order of the text.
    pub problems: Vec<Problem>,
}

/// No presets and no files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn preset(&self, _: &str) -> Option<String> {
        None
    }

    fn file(&self, _: &str) -> Result<String, String> {
        Err("there are no files here".into())
    }
}

/// Reads a block, runs its scenario and judges its claims.
pub fn examine(text: &str, sources: &dyn Sources) -> Examined {
    let problem = |at: usize, found: String, allowed: &str| {
        let error = ScenarioError { path: String::new(), found, allowed: allowed.into() };
        Examined { problems: vec![Problem { at, error }], ..Examined::default() }
    };
    let root = match json::parse(text) {
        Ok(root) => root,
        Err(error) => return problem(error.at, format!("text that is not JSON: {}", error.why), "one JSON object"),
    };
    let mut reader = Reader { text, problems: Vec::new() };
    let read = sheet::read(&mut reader, &root, sources);
    let ran = read.and_then(|(sheet, expect)| match run(&sheet.scenario) {
        Ok(trace) => Some((sheet, expect, trace)),
        Err(errors) => {
            let at = root.span.start;
            reader.problems.extend(errors.into_iter().map(|error| Problem { at, error }));
            None
        }
    });
    let mut examined = Examined::default();
    if let Some((sheet, expect, trace)) = ran {
        if let Some(expect) = expect {
            let summary = Summary::new(&sheet.scenario, &trace);
            let (scenario, reader) = (&sheet.scenario, &mut reader);
            let mut judge =
                Judge { reader, scenario, trace: &trace, summary: &summary, claims: 0, findings: Vec::new() };
            judge.judge(expect);
            (examined.claims, examined.findings) = (judge.claims, judge.findings);
        }
        examined.shown = Some((sheet, trace));
    }
    examined.findings.sort_by_key(|finding| finding.at.start);
    examined.problems = reader.problems;
    examined.problems.sort_by_key(|problem| problem.at);
    examined
}
