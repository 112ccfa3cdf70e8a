//! The figures of a Markdown text: its fenced blocks, with the place of every byte of theirs in the file.
//!
//! Lists, quotes, longer fences and tildes are the parser's affair; what is kept here is the way back from a byte inside
//! a block to the byte of the file, so that errors name lines and corrections touch nothing between.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What a fence says to be one of ours: the first word behind it.
pub const LANGUAGE: &str = "fenceline";

/// A block and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// From the first character of the opening fence to the last of the closing one.
    pub range: Range<usize>,
    /// What stands between the fences, without what quotes and lists put before each line.
    pub text: String,
    /// Where parts of the text begin: in the text, and in the file.
    parts: Vec<(usize, usize)>,
}

impl Block {
    /// A file that is one block as a whole; a byte order mark before it is none of its text.
    pub fn whole(file: &str) -> Self {
        let text = without_mark(file);
        let skipped = file.len() - text.len();
        Self { range: skipped..file.len(), text: text.into(), parts: vec![(0, skipped)] }
    }

    /// Where a byte of the text stands in the file.
    pub fn in_file(&self, at: usize) -> usize {
        let part = self.parts[..self.parts.partition_point(|(text, _)| *text <= at)].last();
        part.map_or(self.range.start, |(text, file)| file + (at - text)).min(self.range.end)
    }

    /// Where a range of the text stands in the file, together with what lies between its lines there.
    pub fn range_in_file(&self, range: &Range<usize>) -> Range<usize> {
        // The byte behind it may belong to the next line, with a quotation mark in between.
        let end = range.end.checked_sub(1).map_or(self.range.start, |last| self.in_file(last) + 1);
        let start = if range.is_empty() { end } else { self.in_file(range.start) };
        start..end
    }
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// All blocks of a Markdown text, in order.
pub fn blocks(file: &str) -> Vec<Block> {
    let text = without_mark(file);
    let skipped = file.len() - text.len();
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM;
    let mut found: Vec<Block> = Vec::new();
    let mut inside = false;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if is_ours(&info) => {
                // One that was not closed reaches over the line break at its end.
                let end = text[range.clone()].trim_end_matches(['\n', '\r']).len() + range.start;
                let range = range.start + skipped..end + skipped;
                found.push(Block { range, text: String::new(), parts: Vec::new() });
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(part) if inside => {
                if let Some(block) = found.last_mut() {
                    block.parts.push((block.text.len(), range.start + skipped));
                    block.text.push_str(&part);
                }
            }
            _ => {}
        }
    }
    found
}

/// Other words behind the language belong to whoever builds the page.
fn is_ours(info: &str) -> bool {
    let language = info.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{')).next();
    language == Some(LANGUAGE)
}

/// The lines of a text, for telling where something stands.
#[derive(Clone, Debug)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// The lines of that text. A carriage return counts with the line feed behind it, or for itself.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Self(ends.map(|(at, _)| at + 1).collect())
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.0.partition_point(|start| *start <= at) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(markdown: &str) -> Vec<String> {
        blocks(markdown).into_iter().map(|block| block.text).collect()
    }

    /// Each byte of each block's text, but for line ends, is the same byte in the file.
    fn assert_faithful(markdown: &str) {
        for block in blocks(markdown) {
            for (at, byte) in block.text.bytes().enumerate().filter(|(_, byte)| *byte != b'\n') {
                assert_eq!(markdown.as_bytes()[block.in_file(at)], byte, "{at} of {markdown:?}");
            }
        }
    }

    #[test]
    fn a_block_is_found_wherever_markdown_has_one() {
        for (markdown, text) in [
            ("```fenceline\n{}\n```\n", "{}\n"),
            ("~~~fenceline\n{}\n~~~", "{}\n"),
            ("`````fenceline\n```\n`````", "```\n"),
            ("text\n```fenceline\n{}\n```\ntext", "{}\n"),
            ("> ```fenceline\n> {\n> }\n> ```", "{\n}\n"),
            ("- a\n\n  1. ```fenceline\n     {\n      }\n     ```", "{\n }\n"),
            ("> - ~~~fenceline\r\n>   {\r\n>   }\r\n>   ~~~\r\n", "{\n}\n"),
            ("\u{feff}```fenceline\n{}\n```", "{}\n"),
            ("```fenceline title=\"x\"\n{}\n```", "{}\n"),
            ("```fenceline,wide\n{}\n```", "{}\n"),
            ("```fenceline {.wide}\n{}\n```", "{}\n"),
            ("   ```  fenceline\n   {}\n   ```", "{}\n"),
            ("```fenceline\n{} and never closed", "{} and never closed"),
            ("[^1]\n\n[^1]:\n    ```fenceline\n    {}\n    ```", "{}\n"),
            ("```fenceline\n```", ""),
        ] {
            assert_eq!(texts(markdown), [text], "{markdown:?}");
            assert_faithful(markdown);
        }
    }

    #[test]
    fn what_only_looks_like_a_block_is_none() {
        for markdown in [
            "```json\n{}\n```",
            "```fencelines\n{}\n```",
            "```Fenceline\n{}\n```",
            "    ```fenceline\n    {}\n    ```",
            "````md\n```fenceline\n{}\n```\n````",
            "<!--\n```fenceline\n{}\n```\n-->",
            "<pre>\n```fenceline\n{}\n```\n</pre>",
            "`` ```fenceline {} ``` ``",
            "\\```fenceline\n{}\n",
            "",
        ] {
            assert_eq!(texts(markdown), [""; 0], "{markdown:?}");
        }
    }

    #[test]
    fn lines_are_counted_as_editors_count_them() {
        let lines = Lines::of("a\r\nb\nc\rd");
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 99].map(|at| lines.line(at)), [1, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(Lines::of("").line(0), 1);
    }

    #[test]
    fn a_range_over_lines_of_a_quote_takes_along_what_lies_between() {
        let markdown = "> ```fenceline\r\n> [1,\r\n>  2] 3\r\n> ```";
        let block = blocks(markdown).remove(0);
        assert_eq!(block.text, "[1,\n 2] 3\n");
        assert_eq!(&markdown[block.range_in_file(&(0..7))], "[1,\r\n>  2]");
        assert_eq!(&markdown[block.range.clone()], &markdown[2..]);
    }

    #[test]
    fn an_open_block_ends_with_its_last_line() {
        let markdown = "> ```fenceline\n> {}\n\nafter";
        assert_eq!(&markdown[blocks(markdown)[0].range.clone()], "```fenceline\n> {}");
    }
}
