//! What a correction leaves of a file: all of it but the false values, wherever Markdown puts a block and however its lines end.

use fenceline_claims::{Form, Sources, check, corrected};

/// A library of one preset.
struct One;

impl Sources for One {
    fn preset(&self, name: &str) -> Option<String> {
        (name == "paused-worker").then(|| include_str!("../../../presets/paused-worker.json").into())
    }

    fn file(&self, _: &str) -> Result<String, String> {
        Err("there are no files here".into())
    }
}

/// A block with two claims that are false, one of them over several lines, and one that is true; and the same put right.
const FALSE: &[&str] = &[
    r#"{ "preset": "paused-worker","#,
    r#"  "caption": "Größer ✓ — 日本","#,
    "",
    r#"    "expect": { "verdict":"#,
    r#"      "corrupting","#,
    r#"  "writes": [{ "write": "A/3", "decision": "accepted", "token": 41, "flags": ["overwrites_newer","#,
    r#"     "stale_read"] }] } }"#,
];
const TRUE: &[&str] = &[
    r#"{ "preset": "paused-worker","#,
    r#"  "caption": "Größer ✓ — 日本","#,
    "",
    r#"    "expect": { "verdict":"#,
    r#"      "fenced","#,
    r#"  "writes": [{ "write": "A/3", "decision": "rejected", "token": 41, "flags": [] }] } }"#,
];

/// What stands before the first line of a block, and before each further one.
const PLACES: &[(&str, &str)] = &[
    ("", ""),
    // Indented fences take as much from their lines, as far as it is there.
    ("   ", "   "),
    ("   ", " "),
    ("  ", "\t"),
    ("", "\t"),
    // Quotes.
    ("> ", "> "),
    (">", ">"),
    ("> > ", "> > "),
    (">> ", "> >"),
    (">\t", ">\t"),
    ("> [!NOTE]\n> ", "> "),
    // Lists.
    ("- ", "  "),
    ("-    ", "     "),
    ("-\t", "\t"),
    ("- a\n\n\t", "\t"),
    ("- a\n\n  ", "  \t"),
    ("10. ", "    "),
    ("1)\t", "\t"),
    ("- a\n  - b\n\n    ", "    "),
    ("- a\n\t- b\n\n\t\t", "\t\t"),
    ("- a\n\t1. b\n\n\t\t", "       "),
    ("* - + ", "      "),
    ("- [ ] a\n\n  ", "  "),
    // Both.
    ("> - ", ">   "),
    (">\t- ", ">\t  "),
    ("- > ", "  > "),
    ("-\t> ", "\t> "),
    ("1. > - ", "   >   "),
    // Notes and definitions.
    ("[^1]:\n    ", "    "),
    ("[^1]:\n\t", "\t"),
    ("a\n: ", "  "),
    ("a\n\n:   ", "    "),
];

/// Each place, with what ends the lines of a block there.
fn page(place: (&str, &str), fence: &str, block: &[&str], end: &str) -> String {
    let (first, further) = place;
    let mut text = format!("# Größe\n\nA note[^1].\n\n{first}{fence}fenceline\n");
    for line in block {
        text.extend([further, line, "\n"]);
    }
    // A closing fence is indented no further than a block of text is; a marker of a list would begin another item.
    let closing = if first.trim().is_empty() { first } else { further };
    text.extend([closing, fence, "\n\nAfter ```it``` — `{}`\t\n"]);
    text.replace('\n', end)
}

#[test]
fn a_correction_leaves_every_other_byte_where_it_was() {
    for place in PLACES {
        for (fence, end, mark) in
            [("```", "\n", ""), ("```", "\r\n", ""), ("~~~~", "\r\n", "\u{feff}"), ("~~~", "\n", "\u{feff}")]
        {
            let name = format!("{place:?} {fence} {end:?} {mark:?}");
            let was = mark.to_owned() + &page(*place, fence, FALSE, end);
            let checked = check(&was, Form::Markdown, &One);
            assert_eq!(checked.problems, [], "{name}");
            assert_eq!((checked.blocks, checked.claims, checked.findings.len()), (1, 4, 3), "{name}: {was:?}");
            let first = was.split(end).take_while(|line| !line.contains("corrupting")).count() + 1;
            assert_eq!(checked.findings[0].line, first, "{name}");
            let right = corrected(&was, &checked.edits());
            assert_eq!(right, mark.to_owned() + &page(*place, fence, TRUE, end), "{name}");
            assert_eq!(check(&right, Form::Markdown, &One).findings, [], "{name}");
        }
    }
}

#[test]
fn lines_that_end_in_different_ways_are_left_so() {
    let ends = ["\n", "\r\n", "\n", "\r\n", "\r\n", "\n", "\r\n", "\n", "\r\n"];
    let mixed = |block: &[&str]| {
        let lines = ["```fenceline"].into_iter().chain(block.iter().copied()).chain(["```"]);
        lines.zip(ends).flat_map(|(line, end)| [line, end]).collect::<String>()
    };
    let was = mixed(FALSE);
    let right = corrected(&was, &check(&was, Form::Markdown, &One).edits());
    let joined = was.replace("\"corrupting\"", "\"fenced\"").replace("\"accepted\"", "\"rejected\"");
    let (begin, rest) = joined.split_once("[\"over").expect("the flags");
    let (_, rest) = rest.split_once("\"stale_read\"]").expect("their end");
    assert_eq!(right, format!("{begin}[]{rest}"));
}

#[test]
fn a_file_that_is_one_block_keeps_its_mark_and_its_line_ends() {
    for (end, mark) in [("\n", ""), ("\r\n", ""), ("\r\n", "\u{feff}"), ("\r", "\u{feff}")] {
        let file = |block: &[&str]| format!("{mark}{end}\t{}{end}", block.join(end));
        let was = file(FALSE);
        let checked = check(&was, Form::Json, &One);
        assert_eq!((checked.claims, checked.findings.len(), checked.problems.len()), (4, 3, 0), "{end:?} {mark:?}");
        assert_eq!(corrected(&was, &checked.edits()), file(TRUE), "{end:?} {mark:?}");
    }
}
