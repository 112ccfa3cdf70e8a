//! Exports, as a person makes them.

use std::path::Path;
use std::process::{Command, Output};

const STORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../presets/paused-worker.json");

fn fenceline(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fenceline")).args(arguments).output().expect("the program runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = fenceline(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

/// The first line of what it said when it refused.
fn refused(arguments: &[&str]) -> String {
    let output = fenceline(arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).expect("it prints UTF-8");
    said.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn each_kind_begins_as_its_readers_expect() {
    let begins = |kind: &str, start: &str| {
        let text = printed(&["export", STORY, "--as", kind]);
        assert!(text.starts_with(start), "{kind}: {text}");
    };
    begins("markdown", "# Paused worker overwrites a newer report\n");
    begins("mermaid", "sequenceDiagram\n");
    begins("comparison", "| Guard | Accepts when | This schedule | B writes ‘new report’ | A writes ‘stale report’ |");
    begins("csv", "\"Guard\",\"Accepts when\",\"This schedule\",\"B writes ‘new report’\"");
    begins("python", "#!/usr/bin/env python3\n");
    begins("rust", "// The arrivals of one schedule");
}

#[test]
fn guard_code_is_that_of_the_scenario_for_the_store() {
    let code = printed(&["export", STORY, "--as", "guard-code", "--store", "sqlite"]);
    assert!(code.contains("SQLite: accept a token above the remembered one.") && code.contains("UPDATE"), "{code}");
    assert!(refused(&["export", STORY, "--as", "guard-code"]).contains("takes --store: sqlite, postgresql"));
    assert!(refused(&["export", STORY, "--as", "guard-code", "--store", "paper"]).contains(", not \"paper\""));
    assert!(refused(&["export", STORY, "--as", "rust", "--store", "s3"]).contains("--store goes with --as guard-code"));
}

#[test]
fn a_text_goes_into_a_file_when_one_is_named() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("story.md");
    let path = out.to_str().expect("UTF-8");
    assert_eq!(printed(&["export", STORY, "--as", "markdown", "-o", path]), "");
    let written = std::fs::read_to_string(&out).expect("it was written");
    assert_eq!(written, printed(&["export", STORY, "--as", "markdown"]));
}

#[test]
fn what_cannot_be_done_is_said_plainly() {
    assert_eq!(refused(&["export", STORY]), "fenceline: --as is missing");
    let unknown = refused(&["export", STORY, "--as", "pdf"]);
    let kinds = "markdown, mermaid, comparison, csv, python, rust, guard-code";
    assert_eq!(unknown, format!("fenceline: --as is one of {kinds}, not \"pdf\""));
    let silent = STORY.replace("paused-worker", "fast-clock");
    let none = refused(&["export", &silent, "--as", "python"]);
    assert_eq!(none, "fenceline: no write is decided in this run, so there is nothing to replay");
}
