//! The Markdown, read by a real `CommonMark` parser: what a document says stays text.

mod common;

use common::{HOSTILE, Run, all, hostile, story};
use fenceline_engine::{Guard, Property, narrate, visible};
use fenceline_export::comparison::{comparison, csv};
use fenceline_export::markdown::markdown;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// All that programs add to `CommonMark`, save what only changes quotes and dashes.
fn options() -> Options {
    Options::all() - Options::ENABLE_SMART_PUNCTUATION
}

/// What a reader sees of a document.
#[derive(Debug, Default)]
struct Read {
    headings: Vec<String>,
    paragraphs: Vec<String>,
    items: Vec<String>,
    /// Rows of all tables, their heads with them.
    rows: Vec<Vec<String>>,
    /// Whatever no document of ours holds.
    strange: Vec<String>,
}

fn read(text: &str) -> Read {
    let mut read = Read::default();
    let mut at: Vec<String> = vec![String::new()];
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Text(text) | Event::Code(text) => at.iter_mut().for_each(|open| open.push_str(&text)),
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::Item | Tag::TableCell) => at.push(String::new()),
            Event::Start(Tag::TableRow | Tag::TableHead) => read.rows.push(Vec::new()),
            Event::End(TagEnd::Heading(_)) => read.headings.extend(at.pop()),
            Event::End(TagEnd::Paragraph) => read.paragraphs.extend(at.pop()),
            Event::End(TagEnd::Item) => read.items.extend(at.pop()),
            Event::End(TagEnd::TableCell) => {
                let cell = at.pop().expect("a cell began");
                read.rows.last_mut().expect("a row began").push(cell);
            }
            Event::Start(Tag::Table(_) | Tag::List(None) | Tag::Strong) | Event::End(_) => {}
            strange => read.strange.push(format!("{strange:?}")),
        }
    }
    read
}

fn sections(read: &Read) -> Vec<&str> {
    read.headings.iter().skip(1).map(String::as_str).collect()
}

#[test]
fn the_story_reads_from_its_title_to_the_reason_of_the_rejected_write() {
    let run = story();
    let read = read(&markdown(&run.scenario, &run.trace));
    assert_eq!(read.strange, [""; 0]);
    assert_eq!(read.headings[0], "Paused worker overwrites a newer report");
    assert_eq!(sections(&read), ["Guard", "Properties", "What happened", "Why"]);
    let verdict = "Verdict. Fenced: A’s stale write (41) was rejected — the report remembers 42.";
    assert_eq!(read.paragraphs[1], verdict);
    let counts = "Accepted: 1. Stale and rejected: 1. Stale and accepted: 0. Holder refused: 0.";
    assert_eq!(read.paragraphs[3], counts);
    assert!(read.rows.contains(&vec!["report".into(), "newer".into(), "token > last_token".into()]));
    let rejected = vec!["51.4".to_owned(), "A’s ‘stale report’ is rejected: 41 is not above 42".to_owned()];
    assert!(read.rows.contains(&rejected), "{:#?}", read.rows);
    // One write was rejected, for one comparison, by a writer of one standing.
    assert_eq!(read.items.len(), 3);
    assert_eq!(read.items[0], "41 > 42 is false, so the write is rejected.");
    let named = "A/3 at 51.4 s: A writes ‘stale report’: rejected (token-older); its writer was superseded.";
    assert!(read.items[2].starts_with(named), "{}", read.items[2]);
}

#[test]
fn a_broken_property_names_its_first_witness() {
    let scenario = story().scenario.under(Guard::None);
    let run = Run::of("unguarded", scenario);
    let read = read(&markdown(&run.scenario, &run.trace));
    let broken = |property: Property, says: &str| {
        assert!(read.rows.contains(&vec![property.name().to_owned(), says.to_owned()]), "{:#?}", read.rows);
    };
    broken(Property::NoOverwrite, "broken by A/3 at 51.4 s");
    broken(Property::NoStaleWrite, "broken by A/3 at 51.4 s");
    broken(Property::NoLostUpdate, "holds");
}

#[test]
fn each_preset_and_case_is_told_whole() {
    for run in all() {
        let read = read(&markdown(&run.scenario, &run.trace));
        assert_eq!(read.strange, [""; 0], "{}", run.name);
        let told: Vec<&str> = read.rows.iter().filter_map(|row| row.get(1)).map(String::as_str).collect();
        for sentence in narrate(&run.scenario, &run.trace) {
            assert!(told.contains(&sentence.plain().as_str()), "{}: {sentence:?}", run.name);
        }
    }
}

fn stays_text(text: &str) {
    let run = hostile(text);
    let shown = visible(text);
    let shown = shown.trim();
    let whole = markdown(&run.scenario, &run.trace);
    let read_whole = read(&whole);
    assert_eq!(read_whole.strange, [""; 0], "{text:?}\n{whole}");
    assert_eq!(sections(&read_whole), ["Guard", "Properties", "What happened", "Why"], "{text:?}");
    if !shown.is_empty() {
        assert_eq!(read_whole.headings[0], shown, "{text:?}");
        assert_eq!(read_whole.paragraphs[0], shown, "{text:?}\n{whole}");
    }
    assert!(read_whole.rows.iter().all(|row| row.len() == 2 || row.len() == 3), "{text:?}");

    let table = comparison(&run.scenario, &run.trace);
    let read_table = read(&table);
    assert_eq!(read_table.strange, [""; 0], "{text:?}\n{table}");
    let wide = 3 + 2 + Property::ALL.len();
    assert!(read_table.rows.len() == 8 && read_table.rows.iter().all(|row| row.len() == wide), "{text:?}\n{table}");
}

#[test]
fn no_text_of_a_document_is_markup() {
    HOSTILE.into_iter().for_each(stays_text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_string_of_marks_is_markup(text in r"[-a1 .*_`|\\<>\[\]()!#&;:@$~=+{}^/'\n\twW]{0,24}") {
        stays_text(&text);
    }
}

#[test]
fn the_comparison_says_of_each_write_what_each_guard_makes_of_it() {
    let run = story();
    let read = read(&comparison(&run.scenario, &run.trace));
    let column = |index: usize| read.rows.iter().map(|row| row[index].as_str()).collect::<Vec<_>>();
    assert_eq!(
        column(0),
        ["Guard", "none", "check-then-write", "newer", "newer-or-equal", "same", "token-seq", "holder"]
    );
    assert_eq!(column(3)[0], "B writes ‘new report’");
    assert_eq!(column(3)[1..], ["accepted"; 7]);
    assert_eq!(column(4)[0], "A writes ‘stale report’");
    // A looks after its pause, when the report already remembers 42.
    let late = ["overwrites newer", "gives up", "rejected", "rejected", "rejected", "rejected", "rejected"];
    assert_eq!(column(4)[1..], late);
    assert_eq!(column(5)[..3], ["no-overwrite", "broken", "holds"]);
    assert_eq!(column(9)[1..], ["holds"; 7]);
}

#[test]
fn the_same_comparison_as_values_has_a_cell_for_each() {
    let run = story();
    let values = csv(&run.scenario, &run.trace);
    let rows: Vec<&str> = values.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 8);
    for row in &rows {
        assert_eq!(row.split("\",\"").count(), 10, "{row}");
    }
    assert!(
        rows[1].starts_with(r#""none","always","A overwrites B","accepted","overwrites newer","broken""#),
        "{}",
        rows[1]
    );
    for text in HOSTILE {
        let run = hostile(text);
        let values = csv(&run.scenario, &run.trace);
        assert_eq!(values.lines().count(), 8, "{text:?}");
    }
}
