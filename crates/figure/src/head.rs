//! The head of a static picture: the scenario's title, and the verdict under it.

use std::fmt::Write;

use crate::measure::{Face, shorten, width};
use crate::svg::escape;

/// The most lines that a title or a verdict takes.
const MOST_LINES: usize = 4;

/// The lines of the head, each with its baseline, and the head's height.
pub(crate) struct Head {
    lines: Vec<(&'static str, f32, String)>,
    /// In px.
    pub(crate) height: f32,
}

impl Head {
    /// Breaks the title and the verdict for a width.
    pub(crate) fn new(title: &str, verdict: &str, room: f32) -> Self {
        let mut lines = Vec::new();
        let mut y = 4.0;
        for (text, face, class, step) in [
            (title, Face::TitleStrong, "fl-text fl-16 fl-strong", 20.0),
            (verdict, Face::LargeStrong, "fl-text fl-13", 18.0),
        ] {
            for line in wrap(text, face, room - 24.0) {
                y += step;
                lines.push((class, y, line));
            }
        }
        Self { lines, height: y + 10.0 }
    }

    /// Writes the lines.
    pub(crate) fn paint(&self, out: &mut String) {
        for (class, y, line) in &self.lines {
            // Writing to a string cannot fail.
            let _ = write!(out, "<text class=\"{class}\" x=\"12\" y=\"{y}\">");
            escape(line, out);
            out.push_str("</text>");
        }
    }
}

/// A text broken into lines between words; what is longer than the last line is cut.
fn wrap(text: &str, face: Face, room: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let last_one = lines.len() == MOST_LINES;
        match lines.last_mut() {
            Some(line) if last_one || width(line, face) + width(" ", face) + width(word, face) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().filter_map(|line| shorten(line, face, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_verdict_is_broken_between_words_and_stays_within_the_room() {
        let text = "Fenced: A’s stale write (41) was rejected, the report remembers 42";
        let lines = wrap(text, Face::LargeStrong, 200.0);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), text);
        assert!(lines.iter().all(|line| width(line, Face::LargeStrong) <= 200.0));
    }

    #[test]
    fn an_endless_title_ends_after_a_few_lines() {
        let lines = wrap(&"word ".repeat(500), Face::TitleStrong, 200.0);
        assert_eq!(lines.len(), MOST_LINES);
        assert!(lines[MOST_LINES - 1].ends_with('…'));
        let lines = wrap(&"w".repeat(5_000), Face::TitleStrong, 200.0);
        assert_eq!(lines.len(), 1);
        assert!(width(&lines[0], Face::TitleStrong) <= 201.0);
    }
}
