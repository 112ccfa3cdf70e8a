//! What was found, as lines for a person, as JSON, or as annotations of a GitHub workflow.
//!
//! Names of files and texts of documents are somebody else's: control characters are spelled out, and none of them can
//! begin or end a workflow command.

use std::fmt::Write as _;
use std::path::Path;

use fenceline_claims::{Found, Missed};
use fenceline_engine::{visible, visible_json};
use serde_json::{Value, json};

use super::{Format, Outcome, Report};

/// All of it.
pub fn tell(outcome: &Outcome, format: Format) -> String {
    match format {
        Format::Json => as_json(outcome),
        Format::Text => lines(outcome, |place, kind, text| match place.1 {
            Some(line) => format!("{}:{line}: {}{text}", unlike_a_command(&place.0), kind.word()),
            None => format!("{}: {}{text}", unlike_a_command(&place.0), kind.word()),
        }),
        Format::Github => lines(outcome, |place, kind, text| {
            let line = place.1.map_or_else(String::new, |line| format!(",line={line}"));
            let file = property(&place.0);
            format!("::{} file={file}{line},title={}::{}", kind.level(), property(kind.title()), data(text))
        }),
    }
}

/// What a line is about.
#[derive(Clone, Copy)]
enum Kind {
    False,
    Fixed,
    Unread,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::False | Self::Unread => "",
            Self::Fixed => "fixed: ",
        }
    }

    const fn level(self) -> &'static str {
        match self {
            Self::False | Self::Unread => "error",
            Self::Fixed => "notice",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::False => "Fenceline: false claim",
            Self::Fixed => "Fenceline: claim put right",
            Self::Unread => "Fenceline: cannot be read",
        }
    }
}

/// A file, and a line of it.
type Place = (String, Option<usize>);

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

fn lines(outcome: &Outcome, line: impl Fn(&Place, Kind, &str) -> String) -> String {
    let mut out = String::new();
    let mut push = |place: Place, kind: Kind, text: &str| {
        out.push_str(&line(&place, kind, &visible(text)));
        out.push('\n');
    };
    for report in &outcome.reports {
        for told in in_order(report) {
            match told {
                Told::Finding(found) => {
                    let of = &found.finding;
                    let kind = if is_fixed(report, found) { Kind::Fixed } else { Kind::False };
                    let text = format!("{}: claimed {}, now {} ({})", of.what, of.claimed, of.now, of.path);
                    push((shown(&report.path), Some(found.line)), kind, &text);
                }
                Told::Problem(missed) => {
                    push((shown(&report.path), Some(missed.line)), Kind::Unread, &missed.problem.error.to_string());
                }
            }
        }
    }
    for (path, why) in &outcome.lost {
        push((shown(path), None), Kind::Unread, why);
    }
    out + &summary(outcome)
}

/// One thing that a report tells.
enum Told<'a> {
    Finding(&'a Found),
    Problem(&'a Missed),
}

fn in_order(report: &Report) -> Vec<Told<'_>> {
    let mut all: Vec<Told> = report.checked.findings.iter().map(Told::Finding).collect();
    all.extend(report.checked.problems.iter().map(Told::Problem));
    all.sort_by_key(|told| match told {
        Told::Finding(found) => found.finding.at.start,
        Told::Problem(missed) => missed.problem.at,
    });
    all
}

fn is_fixed(report: &Report, found: &Found) -> bool {
    report.fixed && found.mendable
}

/// How many of everything.
struct Totals {
    blocks: usize,
    claims: usize,
    wrong: usize,
    fixed: usize,
    unread: usize,
}

impl Totals {
    fn of(outcome: &Outcome) -> Self {
        let sum = |of: &dyn Fn(&Report) -> usize| outcome.reports.iter().map(of).sum::<usize>();
        let fixed = |report: &Report| report.checked.findings.iter().filter(|found| is_fixed(report, found)).count();
        Self {
            blocks: sum(&|report| report.checked.blocks),
            claims: sum(&|report| report.checked.claims),
            wrong: sum(&|report| report.checked.findings.len()),
            fixed: sum(&fixed),
            unread: sum(&|report| report.checked.problems.len()) + outcome.lost.len(),
        }
    }
}

fn summary(outcome: &Outcome) -> String {
    let totals = Totals::of(outcome);
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (blocks, claims) = (count(totals.blocks, "block"), count(totals.claims, "claim"));
    let mut line = format!("{blocks}, {claims}, {} false", totals.wrong);
    // Writing to a string cannot fail.
    if totals.fixed > 0 {
        let _ = write!(line, ", {} fixed", totals.fixed);
    }
    if totals.unread > 0 {
        let _ = write!(line, "; {} that cannot be read", count(totals.unread, "thing"));
    }
    if outcome.left_alone > 0 {
        let _ = write!(line, "; {} left alone", count(outcome.left_alone, "other JSON file"));
    }
    line + "\n"
}

fn as_json(outcome: &Outcome) -> String {
    let totals = Totals::of(outcome);
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let findings = outcome.reports.iter().flat_map(|report| {
        report.checked.findings.iter().map(move |found| {
            let of = &found.finding;
            json!({
                "file": path(&report.path), "line": found.line, "path": of.path, "what": of.what,
                "claimed": of.claimed, "now": of.now, "fixed": is_fixed(report, found),
            })
        })
    });
    let problems = outcome.reports.iter().flat_map(|report| {
        report.checked.problems.iter().map(move |missed| {
            let error = &missed.problem.error;
            json!({
                "file": path(&report.path), "line": missed.line, "path": error.path, "found": error.found,
                "allowed": error.allowed,
            })
        })
    });
    let lost = outcome.lost.iter().map(|(file, why)| json!({ "file": path(file), "found": why }));
    let all = json!({
        "blocks": totals.blocks, "claims": totals.claims, "false": totals.wrong, "fixed": totals.fixed,
        "left_alone": outcome.left_alone, "findings": findings.collect::<Vec<Value>>(),
        "errors": problems.chain(lost).collect::<Vec<Value>>(),
    });
    visible_json(&format!("{all:#}\n"))
}

/// What stands behind the `::` of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A path at the head of a line: a runner that reads along must not take it for a command of a workflow.
fn unlike_a_command(path: &str) -> String {
    if path.starts_with([':', '#']) { format!("./{path}") } else { path.into() }
}
