//! Windows, margins and the search, as a person runs them.

use std::process::{Command, Output};

use serde_json::Value;

const STORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../presets/paused-worker.json");

fn fenceline(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fenceline")).args(arguments).output().expect("the program runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = fenceline(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

fn refused(arguments: &[&str]) -> String {
    let output = fenceline(arguments);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).expect("it prints UTF-8")
}

#[test]
fn windows_as_json_have_the_three_intervals_of_the_story() {
    // Worked out by hand: A arrives at 6.4 s plus its pause; its lease ends at 30.2 s; B arrives at 38.4 s.
    let pause = ["windows", STORY, "--knob", "/workers/0/pauses/0/for", "--from", "0s", "--to", "60s", "--json"];
    let json: Value = serde_json::from_str(&printed(&pause)).expect("it is JSON");
    assert_eq!(json["knob"], "/workers/0/pauses/0/for");
    let windows = json["windows"].as_array().expect("a list");
    let edges: Vec<_> = windows.iter().map(|window| (window["from_us"].clone(), window["to_us"].clone())).collect();
    let expected = [(0, 23_800_000), (23_800_000, 32_000_001), (32_000_001, 60_000_000)];
    assert_eq!(edges, expected.map(|(from, to)| (Value::from(from), Value::from(to))));
    assert_eq!(windows[1]["properties"]["no-stale-write"], false);
    assert_eq!(windows[1]["properties"]["no-overwrite"], true);
    assert_eq!(windows[1]["writes"][0]["write"], "A/3");
    assert_eq!(windows[1]["writes"][0]["standing"], "superseded");
    assert_eq!(windows[2]["writes"][1]["reason"], "token-older");
    assert_eq!(windows[0]["invalid"], false);
}

#[test]
fn values_that_the_document_may_not_have_are_marked_invalid() {
    let ttl = ["windows", STORY, "--knob", "/leases/0/ttl", "--from", "0s", "--to", "1ms", "--json"];
    let json: Value = serde_json::from_str(&printed(&ttl)).expect("it is JSON");
    assert_eq!(json["windows"][0]["invalid"], true);
    assert_eq!(json["windows"][0]["to_us"], 1);
    assert_eq!(json["windows"][1]["invalid"], false);
}

#[test]
fn windows_in_words_name_the_knob_and_what_breaks() {
    let text = printed(&["windows", STORY, "--knob", "/workers/0/plan/2/sends/0/delay", "--from", "0s", "--to", "9s"]);
    assert!(text.contains("delay of A’s write ‘stale report’ (step 3)"), "{text}");
    assert!(text.contains("A/3: rejected (token-older), superseded"), "{text}");
}

#[test]
fn margins_come_the_most_fragile_first() {
    let json: Value = serde_json::from_str(&printed(&["margin", STORY, "--json"])).expect("it is JSON");
    let margins: Vec<Option<u64>> =
        json["margins"].as_array().expect("a list").iter().map(|margin| margin["margin_us"].as_u64()).collect();
    assert!(margins[0].is_some());
    assert!(margins.windows(2).all(|pair| pair[0].unwrap_or(u64::MAX) <= pair[1].unwrap_or(u64::MAX)));
    assert!(printed(&["margin", STORY]).contains("length of A’s pause"));
}

#[test]
fn a_search_finds_a_schedule_that_trace_then_shows() {
    let found = printed(&["search", STORY, "--changes", "1", "--property", "no-stale-write", "--json"]);
    let json: Value = serde_json::from_str(&found).expect("it is JSON");
    assert_eq!(json["found"]["property"], "no-stale-write");
    let scenario = fenceline_engine::Scenario::from_json(&json["found"]["scenario"].to_string()).expect("it is valid");
    let trace = fenceline_engine::run(&scenario).expect("it runs");
    assert!(!trace.property(fenceline_engine::Property::NoStaleWrite).holds());
}

#[test]
fn a_search_that_finds_nothing_says_what_it_covered() {
    let text = printed(&["search", STORY, "--changes", "1", "--max", "5s", "--property", "no-overwrite"]);
    assert!(text.starts_with("None within these bounds:"), "{text}");
    assert!(text.contains("schedules covered") && text.contains("up to 5s"), "{text}");
}

#[test]
fn a_wrong_question_is_refused_with_what_is_allowed() {
    let knob = refused(&["windows", STORY, "--knob", "/workers/9/starts", "--from", "0s", "--to", "1s"]);
    assert!(knob.contains("/workers/0/pauses/0/for"), "{knob}");
    assert!(refused(&["windows", STORY, "--knob", "/network/delay", "--from", "2s", "--to", "1s"]).contains("--from"));
    assert!(refused(&["windows", STORY, "--from", "2s", "--to", "3s"]).contains("--knob is missing"));
    assert!(refused(&["search", STORY, "--changes", "9"]).contains("1 to 4"));
    assert!(refused(&["search", STORY, "--property", "nope"]).contains("no-lost-update"));
    assert!(refused(&["search", STORY, "--step", "2m"]).contains("--step"));
}
