//! A whole file: all of its blocks, with the line of everything that is wrong, and the file made right.
//!
//! Invariant: a block that cannot be read is never changed, and of any other only the bytes of false claims are.

use crate::markdown::{Block, Lines, blocks};
use crate::reader::Problem;
use crate::{Edit, Finding, Sources, examine};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Markdown with blocks in it.
    Markdown,
    /// One block by itself.
    Json,
}

/// A false claim of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The line, from 1.
    pub line: usize,
    /// The claim. Its places are places in the file.
    pub finding: Finding,
    /// Whether it can be corrected.
    pub mendable: bool,
}

/// Something in a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The line, from 1.
    pub line: usize,
    /// What it is. Its place is a place in the file.
    pub problem: Problem,
}

/// What came of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many blocks it has.
    pub blocks: usize,
    /// How many claims were judged.
    pub claims: usize,
    /// The false ones, in the order of the file.
    pub findings: Vec<Found>,
    /// What cannot be read, in the order of the file.
    pub problems: Vec<Missed>,
}

impl Checked {
    /// What makes every claim true that can be made so.
    pub fn edits(&self) -> Vec<Edit> {
        self.findings.iter().filter(|found| found.mendable).flat_map(|found| found.finding.edits.clone()).collect()
    }
}

/// Checks a file.
pub fn check(file: &str, form: Form, sources: &dyn Sources) -> Checked {
    let lines = Lines::of(file);
    let found = match form {
        Form::Markdown => blocks(file),
        Form::Json => vec![Block::whole(file)],
    };
    let mut checked = Checked { blocks: found.len(), ..Checked::default() };
    for block in found {
        let examined = examine(&block.text, sources);
        checked.claims += examined.claims;
        let is_read = examined.problems.is_empty();
        for mut finding in examined.findings {
            finding.at = block.range_in_file(&finding.at);
            for edit in &mut finding.edits {
                edit.range = block.range_in_file(&edit.range);
            }
            let mendable = is_read && !finding.edits.is_empty();
            checked.findings.push(Found { line: lines.line(finding.at.start), finding, mendable });
        }
        for mut problem in examined.problems {
            problem.at = block.in_file(problem.at);
            checked.problems.push(Missed { line: lines.line(problem.at), problem });
        }
    }
    checked
}

/// A text with edits made; all that lies between them stays as it is, byte for byte.
///
/// Edits must lie in the text, on its characters, and not over each other; one that does not is left out.
pub fn corrected(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        let Some(between) = text.get(done..edit.range.start) else { continue };
        if text.get(edit.range.clone()).is_none() {
            continue;
        }
        out.push_str(between);
        out.push_str(&edit.text);
        done = edit.range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: std::ops::Range<usize>, text: &str) -> Edit {
        Edit { range, text: text.into() }
    }

    #[test]
    fn edits_are_made_in_place_whatever_their_order() {
        assert_eq!(corrected("a é c\r\n", &[edit(5..6, "C"), edit(2..4, "e"), edit(0..0, "> ")]), "> a e C\r\n");
        assert_eq!(corrected("as it is", &[]), "as it is");
    }

    #[test]
    fn an_edit_that_fits_nowhere_is_left_out() {
        for wrong in [edit(3..9, "x"), edit(3..4, "x"), edit(9..9, "x")] {
            assert_eq!(corrected("a é", std::slice::from_ref(&wrong)), "a é", "{wrong:?}");
        }
        assert_eq!(corrected("abc", &[edit(0..2, "x"), edit(1..3, "y")]), "xc", "the second lies over the first");
    }
}
