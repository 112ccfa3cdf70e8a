//! A book with its blocks drawn, chapter by chapter.
//!
//! Invariant: what stands around a block stays as it is, and what takes its place is one block of Markdown, with the marks
//! of the quotes and lists that it stands in before each further line.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use fenceline_claims::{Edit, Examined, Lines, Sources, blocks, corrected, examine};
use mdbook_preprocessor::PreprocessorContext;
use mdbook_preprocessor::book::{Book, Chapter};

use crate::configuration::Configuration;
use crate::{html, narrative, sheet};

/// The longest scenario that is read, in bytes; the engine refuses it from there on anyway.
const LONGEST: u64 = 4 << 20;

/// The book, and a line for each thing that is wrong.
pub fn drawn(mut book: Book, context: &PreprocessorContext, configuration: &Configuration) -> (Book, Vec<String>) {
    let mut wrong = Vec::new();
    // Counted through the whole book, since the page for printing holds all chapters.
    let mut number = 0;
    book.for_each_chapter_mut(|chapter| {
        if let Some(text) = chapter_drawn(chapter, context, configuration, &mut number, &mut wrong) {
            chapter.content = text;
        }
    });
    (book, wrong)
}

/// The text of a chapter with its blocks drawn; nothing when it has none.
fn chapter_drawn(
    chapter: &Chapter,
    context: &PreprocessorContext,
    configuration: &Configuration,
    number: &mut u32,
    wrong: &mut Vec<String>,
) -> Option<String> {
    let text = &chapter.content;
    let blocks = blocks(text);
    if blocks.is_empty() {
        return None;
    }
    let file = chapter.source_path.as_ref().or(chapter.path.as_ref());
    let file =
        file.map_or_else(|| context.config.book.src.join(&chapter.name), |path| context.config.book.src.join(path));
    let sources = Beside(context.root.join(file.parent().unwrap_or(Path::new(""))));
    let lines = Lines::of(text);
    let mut edits = Vec::new();
    for block in blocks {
        let examined = examine(&block.text, &sources);
        let mut tell = |at: usize, what: String| {
            wrong.push(format!("{}:{}: {what}", file.display(), lines.line(block.in_file(at))));
        };
        for problem in &examined.problems {
            tell(problem.at, problem.error.to_string());
        }
        for finding in &examined.findings {
            tell(finding.at.start, format!("{}: claimed {}, now {}", finding.what, finding.claimed, finding.now));
        }
        let Examined { shown: Some((shown, trace)), .. } = examined else { continue };
        let next = next_line_begins(text, block.range.start);
        let figure = if context.renderer == "html" {
            *number += 1;
            let first = if edits.is_empty() { sheet::style() } else { String::new() };
            first + &html::figure(&shown, &trace, *number, configuration)
        } else {
            narrative::text(&shown, &trace).replace('\n', &format!("\n{next}"))
        };
        // An empty line ends it as a block, whatever follows.
        edits.push(Edit { range: block.range, text: format!("{figure}\n{}", next.trim_end()) });
    }
    Some(corrected(text, &edits))
}

/// What each further line of a block has before it: the quotes and the indentation of the lists that it stands in.
fn next_line_begins(text: &str, start: usize) -> String {
    let line = text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let before = text[line..start].trim_start_matches('\u{feff}');
    before.chars().map(|c| if c == '>' || c.is_whitespace() { c } else { ' ' }).collect()
}

/// The library, and the files beside a chapter.
struct Beside(PathBuf);

impl Sources for Beside {
    fn preset(&self, name: &str) -> Option<String> {
        fenceline_presets::document(name).map(Into::into)
    }

    fn file(&self, path: &str) -> Result<String, String> {
        let path = self.0.join(path);
        let read = || {
            // Opening a pipe would wait for whoever writes into it.
            if !fs::metadata(&path)?.is_file() {
                return Err(std::io::Error::other("it is not a file"));
            }
            let mut text = String::new();
            File::open(&path)?.take(LONGEST).read_to_string(&mut text)?;
            Ok(text)
        };
        read().map_err(|error| error.to_string())
    }
}
