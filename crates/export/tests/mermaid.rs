//! The sequence diagram, held to what Mermaid's lexer makes of a line.
//!
//! That Mermaid itself draws every one of them was seen once by hand; it is no part of this build.

mod common;

use common::{HOSTILE, Run, all, hostile, story, under_every_guard};
use fenceline_engine::{Guard, narrate, visible};
use fenceline_export::mermaid::mermaid;

/// A line as Mermaid reads it.
#[derive(Debug, PartialEq)]
enum Line {
    Title(String),
    Participant(String, String),
    Note(String, String),
    Arrow(String, &'static str, String, String),
}

const ARROWS: [&str; 4] = ["-->>", "->>", "--x", "-x"];

/// Reads a line by our own grammar: a subset of Mermaid's in which no text can be anything else.
fn read(line: &str) -> Line {
    let line = line.strip_prefix("    ").unwrap_or_else(|| panic!("{line:?} is not indented"));
    if let Some(rest) = line.strip_prefix("participant ") {
        let (id, name) = rest.split_once(" as ").expect("a participant has a name");
        return Line::Participant(known(id), text(name));
    }
    let (head, rest) = line.split_once(": ").unwrap_or_else(|| panic!("{line:?} has no colon"));
    if head == "accTitle" {
        return Line::Title(text(rest));
    }
    if let Some(id) = head.strip_prefix("Note over ") {
        return Line::Note(known(id), text(rest));
    }
    let arrow = ARROWS.into_iter().find(|arrow| head.contains(arrow)).unwrap_or_else(|| panic!("{line:?}"));
    let (from, to) = head.split_once(arrow).expect("it is in there");
    Line::Arrow(known(from), arrow, known(to), text(rest))
}

/// An id of ours: a letter and a number.
fn known(id: &str) -> String {
    let number = id.strip_prefix(['L', 'W', 'R']).unwrap_or_else(|| panic!("{id:?} is no id"));
    assert!(!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()), "{id:?}");
    id.into()
}

/// The text behind a head, its entities read; nothing in it means anything to Mermaid.
fn text(raw: &str) -> String {
    let mut out = String::new();
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        if let Some(entity) = rest.strip_prefix('#') {
            let (number, after) = entity.split_once(';').unwrap_or_else(|| panic!("{raw:?} ends in an entity"));
            let code = number.parse().ok().and_then(char::from_u32);
            out.push(code.unwrap_or_else(|| panic!("#{number}; in {raw:?} is no character")));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("<br/>") {
            out.push(' ');
            rest = after;
        } else {
            assert!(!";:%{}<>&$@\"`\\[]|~^*=ﬂ¶\n\r".contains(c), "{c:?} stands bare in {raw:?}");
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

fn lines(run: &Run) -> Vec<Line> {
    let diagram = mermaid(&run.scenario, &run.trace);
    let mut lines = diagram.lines();
    assert_eq!(lines.next(), Some("sequenceDiagram"));
    lines.map(read).collect()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_story_has_its_arrows_and_notes() {
    let lines = lines(&story());
    let arrow = |from: &str, to: &str, text: &str| Line::Arrow(from.into(), "->>", to.into(), text.into());
    let granted = arrow("L0", "W1", "30.2 s · B acquires the lease: token 42, for 30 s");
    let late = arrow("W0", "R0", "51.4 s · write with token 41");
    let rejected = Line::Note("R0".into(), "✗ 51.4 s · A’s ‘stale report’ is rejected: 41 is not above 42".into());
    let paused = Line::Note("W0".into(), "5.0 s · A is paused for 45.0 s, in the middle of ‘builds’".into());
    let at = |line: &Line| lines.iter().position(|of| of == line).unwrap_or_else(|| panic!("{line:?}: {lines:#?}"));
    assert!(at(&paused) < at(&granted) && at(&granted) < at(&late));
    assert_eq!(at(&late) + 1, at(&rejected));
    assert!(lines.contains(&Line::Participant("L0".into(), "lease service (report-lock)".into())));
    assert!(lines.contains(&Line::Note("L0".into(), "30.2 s · Lease 41 ends. A is not told".into())));
}

#[test]
fn what_the_network_lost_ends_in_a_cross() {
    let run = common::presets().into_iter().find(|run| run.name == "lost-reply-key").expect("the preset is there");
    let lost =
        Line::Arrow("R0".into(), "--x", "W0".into(), "7.0 s · The answer to A’s ‘book 10’ is lost on the way".into());
    assert!(lines(&run).contains(&lost));
}

#[test]
fn every_sentence_of_every_run_is_told_in_its_order() {
    for run in all().into_iter().chain(under_every_guard()) {
        let told: Vec<String> = lines(&run)
            .into_iter()
            .filter_map(|line| match line {
                Line::Note(_, text) | Line::Arrow(_, _, _, text) => Some(text),
                _ => None,
            })
            .collect();
        let mut from = 0;
        for sentence in narrate(&run.scenario, &run.trace) {
            let plain = words(&sentence.plain());
            let found = told[from..].iter().position(|text| text.ends_with(&plain));
            from += 1 + found.unwrap_or_else(|| panic!("{}: {plain:?} is missing", run.name));
        }
    }
}

#[test]
fn a_diagram_that_mermaid_does_not_draw_by_itself_says_so() {
    // Without a guard nobody gives up.
    let mut scenario = story().scenario.under(Guard::None);
    let write = scenario.workers[0].plan.last().cloned().expect("a write");
    for (count, is_said) in [(20, false), (250, true)] {
        let worker = scenario.workers[0].clone();
        scenario.workers.resize(if is_said { 8 } else { 2 }, worker);
        for (index, worker) in scenario.workers.iter_mut().enumerate() {
            worker.id = format!("worker {index}");
            worker.plan.resize(count, write.clone());
        }
        let run = Run::of("long", scenario.clone());
        let diagram = mermaid(&run.scenario, &run.trace);
        assert_eq!(diagram.chars().count() > 50_000, is_said, "{count}");
        let second = diagram.lines().nth(1).unwrap_or_default();
        assert_eq!(second.starts_with("    %% About "), is_said, "{second}");
    }
}

#[test]
fn no_text_of_a_document_means_anything_to_mermaid() {
    for text in HOSTILE {
        let lines = lines(&hostile(text));
        assert_eq!(lines[0], Line::Title(visible(text).trim().into()), "{text:?}");
    }
    for (index, id) in
        ["end", "as", "A end", "loop", "note over", "style", "W1", "--", "x as y"].into_iter().enumerate()
    {
        let mut scenario = story().scenario.under(Guard::Holder);
        scenario.workers[0].id = id.into();
        scenario.title = "wrap: classDef a:#fff; ﬂ°°60¶ß".into();
        let run = Run::of(id, scenario);
        assert!(lines(&run).contains(&Line::Participant("W0".into(), id.into())), "{index}: {id:?}");
    }
}
