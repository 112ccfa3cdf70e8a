//! The worked cases, run: the engine and the naive engine both give exactly the summary that was worked out by hand.
#![cfg(not(target_arch = "wasm32"))]

mod common;
#[path = "common/embedded.rs"]
mod embedded;

use common::{cases, naive};
use fenceline_engine::{Scenario, Summary, run};
use serde_json::Value;

/// The engine's summary of a run of a valid scenario, as text.
fn engine_summary(scenario: &Scenario) -> String {
    let trace = run(scenario).expect("a case is a valid scenario");
    Summary::new(scenario, &trace).to_json()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("a summary is JSON")
}

/// The differences between two JSON values, one a line, so that a failure can be read.
fn differences(path: &str, expected: &Value, found: &Value, lines: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (key, value) in expected {
                differences(&format!("{path}/{key}"), value, found.get(key).unwrap_or(&Value::Null), lines);
            }
            for key in found.keys().filter(|key| !expected.contains_key(*key)) {
                lines.push(format!("{path}/{key}: not expected at all"));
            }
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                differences(&format!("{path}/{index}"), expected, found, lines);
            }
        }
        _ if expected != found => lines.push(format!("{path}: expected {expected}, found {found}")),
        _ => {}
    }
}

fn check_all(summary: impl Fn(&Scenario) -> String) {
    let mut wrong = Vec::new();
    for case in cases::all() {
        let mut lines = Vec::new();
        differences("", &case.expect, &parsed(&summary(&case.scenario)), &mut lines);
        wrong.extend(lines.into_iter().map(|line| format!("{} {line}", case.file)));
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_engine_gives_what_each_case_expects() {
    check_all(engine_summary);
}

#[test]
fn the_naive_engine_gives_what_each_case_expects() {
    check_all(naive::summary);
}

#[test]
fn both_engines_write_the_same_text_for_each_case() {
    for case in cases::all() {
        assert_eq!(engine_summary(&case.scenario), naive::summary(&case.scenario), "{}", case.file);
    }
}

#[test]
fn the_text_of_a_summary_keeps_the_order_of_the_contract() {
    let case = cases::all().into_iter().find(|case| case.name == "two-writes-strict").expect("the case is there");
    let text = r#"{
  "grants": [
    {
      "number": 1,
      "lease": "lock",
      "worker": "A",
      "token": 41,
      "granted_at_us": 200000,
      "ended_at_us": 30200000,
      "ended_by": "expiry"
    }
  ],
  "writes": [
    {
      "write": "A/2",
      "kind": "write",
      "attempt": 1,
      "copy": 0,
      "resource": "report",
      "decided_at_us": 600000,
      "token": 41,
      "seq": 1,
      "remembered_token": 40,
      "remembered_seq": 0,
      "decision": "accepted",
      "reason": null,
      "standing": "current",
      "flags": []
    },
    {
      "write": "A/4",
      "kind": "write",
      "attempt": 1,
      "copy": 0,
      "resource": "report",
      "decided_at_us": 3000000,
      "token": 41,
      "seq": 2,
      "remembered_token": 41,
      "remembered_seq": 1,
      "decision": "rejected",
      "reason": "token-equal",
      "standing": "current",
      "flags": []
    }
  ],
  "resources": [
    {
      "id": "report",
      "value": "part 1",
      "version": 1,
      "token": 41,
      "seq": 1
    }
  ],
  "properties": {
    "no-overwrite": true,
    "no-stale-write": true,
    "no-lost-update": true,
    "at-most-once": true,
    "holder-served": false
  },
  "workers": [
    {
      "id": "A",
      "ended": "rejected"
    }
  ]
}"#;
    assert_eq!(engine_summary(&case.scenario).trim_end(), text);
}

#[test]
fn no_worked_case_is_missing() {
    assert!(cases::files("cases").len() >= 21, "the contract came with 21 worked cases");
    assert!(cases::files("cases-more").len() >= 15, "the finer clauses have cases of their own");
}

#[test]
fn the_cases_for_the_browser_are_all_the_cases() {
    let name = |path: &std::path::PathBuf| path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    for folder in cases::FOLDERS {
        let files: Vec<String> = cases::files(folder).iter().filter_map(name).collect();
        let embedded: Vec<&str> =
            embedded::CASES.iter().filter(|(of, _, _)| *of == folder).map(|(_, name, _)| *name).collect();
        assert_eq!(embedded, files, "tests/common/embedded.rs lists the cases of {folder}");
    }
}

#[test]
fn the_summary_is_the_text_of_the_case_byte_for_byte() {
    for (folder, name, text) in embedded::CASES {
        let case = parsed(text);
        let scenario = Scenario::from_json(&case["scenario"].to_string()).expect("a case is a valid scenario");
        assert_eq!(engine_summary(&scenario).trim_end(), embedded::expected_text(text), "{folder}/{name}");
    }
}

#[test]
fn each_case_is_named_after_its_file() {
    for folder in cases::FOLDERS {
        for file in cases::files(folder) {
            let stem =
                file.file_stem().and_then(|stem| stem.to_str()).expect("a case has a plain file name").to_owned();
            assert!(cases::all().iter().any(|case| case.name == stem), "{}", file.display());
        }
    }
}

#[test]
fn each_further_case_says_why() {
    for file in cases::files("cases-more") {
        let text = std::fs::read_to_string(&file).expect("a case can be read");
        let why = parsed(&text)["why"].as_str().map_or(0, str::len);
        assert!(why > 40, "{} has no reason for what it expects", file.display());
    }
}

/// Traces change when the engine does; then `FENCELINE_WRITE_TRACES=1 cargo test -p fenceline-engine --test cases` writes the
/// file anew.
#[test]
fn the_digests_that_the_browser_is_held_to_are_those_of_this_machine() {
    let mut found = String::new();
    for (folder, name, text) in embedded::CASES {
        let scenario = Scenario::from_json(&parsed(text)["scenario"].to_string()).expect("a case is a valid scenario");
        let trace = run(&scenario).expect("a case can be run");
        found.extend([folder, "/", name, " ", &embedded::digest(&trace), "\n"]);
    }
    if std::env::var_os("FENCELINE_WRITE_TRACES").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/traces.txt");
        std::fs::write(file, &found).expect("the digests can be written");
    } else {
        assert_eq!(embedded::DIGESTS, found);
    }
}
