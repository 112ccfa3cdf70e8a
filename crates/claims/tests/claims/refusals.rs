//! Blocks that cannot be read: each thing that is wrong is told, on its line, with what is allowed; nothing of them is changed.

use crate::common::{json, markdown, problems};
use fenceline_claims::is_meant;

fn told(text: &str) -> Vec<String> {
    let checked = json(text);
    assert!(checked.edits().is_empty(), "{text}");
    problems(&checked)
}

#[test]
fn unknown_fields_are_told_with_those_that_are_allowed() {
    assert_eq!(
        told(
            "{ \"preset\": \"paused-worker\",\n \"captoin\": \"x\",\n \"expect\": { \"write\": [],\n \"windows\": [{ \"form\": 1, \"knob\": \"/network/delay\", \"property\": \"no-overwrite\", \"holds\": true }] } }"
        ),
        [
            "2 /captoin: found an unknown field \"captoin\", allowed: the fields preset, name, why, guard, caption, theme, expect",
            "3 /expect/write: found an unknown field \"write\", allowed: the fields verdict, counts, properties, writes, grants, resources, workers, windows",
            "4 /expect/windows/0/form: found an unknown field \"form\", allowed: the fields knob, write, attempt, copy, decision, reason, standing, flags, property, holds, from, to",
        ]
    );
    let told = told("{ \"version\": 1,\n \"expcet\": {} }");
    assert!(
        told.len() == 1
            && told[0].starts_with("2 /expcet: found an unknown field \"expcet\", allowed: the fields version, "),
        "{told:?}"
    );
    assert!(told[0].ends_with("workers; around it: guard, caption, theme, expect"), "{told:?}");
}

#[test]
fn what_the_engine_refuses_is_told_where_it_stands_in_the_file() {
    let text = "intro\n\n- ```fenceline\n  { \"caption\": \"é\", \"version\": 1, \"theme\": \"dark\",\n    \"leases\": [{ \"id\": \"lock\",\n      \"ttl\": \"0s\" }], \"expect\": {} }\n  ```\n";
    let told = problems(&markdown(text));
    assert!(told.len() == 1 && told[0].starts_with("6 /leases/0/ttl: found \"0s\""), "{told:?}");
    let told = problems(&json("{ \"scenario\": { \"version\": 1,\n \"leases\": [{}] } }"));
    assert!(told.len() == 2 && told.iter().all(|line| line.starts_with("2 /scenario/leases/0/")), "{told:?}");
}

#[test]
fn fields_around_a_scenario_may_stand_anywhere_among_its_own() {
    for text in [
        r#"{ "expect": {}, "version": 1, "title": "é" }"#,
        r#"{ "version": 1, "title": "é", "expect": {} }"#,
        r#"{ "version": 1 , "expect": {}, "caption": "ü" , "title": "é" }"#,
        r#"{"version":1,"expect":{},"title":"é","theme":"light"}"#,
        r#"{"guard":"none","version":1,"name":"n","title":"é"}"#,
        "{\r\n\"version\": 1\r\n,\r\n\"expect\": {}\r\n}",
    ] {
        assert_eq!(told(text), [""; 0], "{text}");
    }
    let twice = told(r#"{ "version": 1, "expect": {}, "expect": {} }"#);
    assert_eq!(twice, ["1 /expect: found the field \"expect\" once more, allowed: each field once"]);
}

#[test]
fn a_block_has_one_scenario() {
    let block = "a scenario (see `version`), or an object with one of the fields scenario, preset, file";
    assert_eq!(told("[]"), [format!("1 /: found [], allowed: {block}")]);
    assert_eq!(
        told("{ \"preset\": \"a\",\n\"file\": \"b\" }"),
        [format!("2 /file: found more than one scenario, allowed: {block}")]
    );
    assert_eq!(told("{}").len(), 1);
}

#[test]
fn what_is_no_json_is_told_where_it_ceases_to_be() {
    for (markdown_text, line) in [
        ("```fenceline\n```", 1),
        ("> ```fenceline\n> { \"version\": 1,\n> }\n> ```", 3),
        ("```fenceline\npreset: paused-worker\n```", 2),
        ("```fenceline\n{ \"version\": 1", 2),
    ] {
        let told = problems(&markdown(markdown_text));
        assert!(
            told.len() == 1 && told[0].starts_with(&format!("{line} /: found text that is not JSON: ")),
            "{told:?}"
        );
    }
}

#[test]
fn names_that_lead_nowhere_are_told() {
    let no_preset = "a preset of the library, for example \"paused-worker\"";
    assert_eq!(told(r#"{ "preset": "nonsense" }"#), [format!("1 /preset: found \"nonsense\", allowed: {no_preset}")]);
    let a_file = "a file that holds a scenario, by its path from here";
    assert_eq!(
        told(r#"{ "file": "no\u202e.json" }"#),
        [format!(
            "1 /file: found \"no\\u{{202e}}.json\" (it cannot be read: there is no such file), allowed: {a_file}"
        )]
    );
    for path in ["", "/etc/passwd", "C:/story.json", "a\\\\b.json", "\\u0000"] {
        let told = told(&format!("{{ \"file\": \"{path}\" }}"));
        assert!(told.len() == 1 && told[0].contains("allowed: a path from here, "), "{told:?}");
    }
    let broken = told(r#"{ "file": "broken.json" }"#);
    assert!(broken.len() == 1 && broken[0].contains("\"broken.json\" (/gaurd: found an unknown field"), "{broken:?}");
    let preset = |expect: &str| told(&format!("{{ \"preset\": \"paused-worker\", \"expect\": {expect} }}"));
    assert_eq!(
        preset(r#"{ "writes": [{ "write": "A/2", "decision": "accepted" }] }"#),
        ["1 /expect/writes/0/write: found \"A/2\", allowed: a write or establish of the scenario: A/3, B/3"]
    );
    assert_eq!(
        preset(r#"{ "resources": [{ "id": "A", "seq": 1 }] }"#),
        ["1 /expect/resources/0/id: found \"A\", allowed: one of report"]
    );
    let knob = preset(r#"{ "windows": [{ "knob": "/network", "property": "no-overwrite", "holds": true }] }"#);
    assert!(knob[0].starts_with("1 /expect/windows/0/knob: found \"/network\", allowed: a number of the scenario: /network/delay, /leases/0/ttl"), "{knob:?}");
}

#[test]
fn claims_of_the_wrong_kind_are_no_claims() {
    let preset = |expect: &str| told(&format!("{{ \"preset\": \"paused-worker\", \"expect\": {expect} }}"));
    for (expect, path, allowed) in [
        ("[]", "/expect", "an object with the fields verdict, "),
        (
            r#"{ "verdict": "fine" }"#,
            "/expect/verdict",
            "one of neutral, accepted, fenced, refused, stale-accepted, corrupting",
        ),
        (r#"{ "counts": { "accepted": -1 } }"#, "/expect/counts/accepted", "a whole number"),
        (r#"{ "properties": { "no-overwrite": null } }"#, "/expect/properties/no-overwrite", "true or false"),
        (r#"{ "writes": {} }"#, "/expect/writes", "a list of objects"),
        (r#"{ "writes": [{ "write": "A/3" }] }"#, "/expect/writes/0", "at least one of kind, "),
        (r#"{ "writes": [{ "decision": "accepted" }] }"#, "/expect/writes/0/write", "a write by worker and step"),
        (
            r#"{ "writes": [{ "write": "A/3", "decision": null }] }"#,
            "/expect/writes/0/decision",
            "one of accepted, rejected, replayed, none",
        ),
        (
            r#"{ "writes": [{ "write": "A/3", "attempt": 0, "seq": 1 }] }"#,
            "/expect/writes/0/attempt",
            "a whole number from 1",
        ),
        (r#"{ "writes": [{ "write": "A/3", "token": 1.5 }] }"#, "/expect/writes/0/token", "a whole number, or null"),
        (
            r#"{ "writes": [{ "write": "A/3", "flags": ["x"] }] }"#,
            "/expect/writes/0/flags",
            "a list of some of already_applied, ",
        ),
        (
            r#"{ "writes": [{ "write": "A/3", "decided_at": 3 }] }"#,
            "/expect/writes/0/decided_at",
            "a time as a duration, ",
        ),
        (r#"{ "grants": [{ "number": 0, "token": 1 }] }"#, "/expect/grants/0/number", "a whole number from 1"),
        (r#"{ "windows": [{ "knob": "/network/delay" }] }"#, "/expect/windows/0", "either `write` with "),
        (
            r#"{ "windows": [{ "knob": "/network/delay", "write": "A/3" }] }"#,
            "/expect/windows/0",
            "at least one of decision, ",
        ),
        (
            r#"{ "windows": [{ "knob": "/network/delay", "property": "no-overwrite", "holds": true, "from": "2s", "to": "1s" }] }"#,
            "/expect/windows/0/to",
            "an end after the beginning",
        ),
        (
            r#"{ "windows": [{ "knob": "/network/delay", "property": "no-overwrite", "holds": true, "from": "-1s" }] }"#,
            "/expect/windows/0/from",
            "a duration from 0s to 3650d, or never",
        ),
        (
            r#"{ "windows": [{ "knob": "/network/delay", "property": "no-overwrite", "holds": true, "from": "never", "to": "1s" }] }"#,
            "/expect/windows/0/from",
            "a duration from 0s to 3650d, or never, and then no `to`",
        ),
    ] {
        let told = preset(expect);
        assert!(
            told.len() == 1
                && told[0].starts_with(&format!("1 {path}: found "))
                && told[0].contains(&format!("allowed: {allowed}")),
            "{told:?}"
        );
    }
}

#[test]
fn what_is_meant_for_fenceline_is_told_from_other_json() {
    for ours in [
        r#"{ "version": 1, "workers": [] }"#,
        "\u{feff}{ \"version\": 1, \"resources\": [], \"oops\": 1 }",
        r#"{ "name": "a case", "scenario": { "version": 1, "leases": [] } }"#,
        r#"{ "preset": "paused-worker", "expect": {} }"#,
        r#"{ "version": 1, "workers": [{ "plan": [{ "do": "work", }] }] }"#,
    ] {
        assert!(is_meant(ours), "{ours}");
    }
    for other in [
        "",
        "[]",
        "{",
        "1",
        r#"{ "version": "1.0.0", "workers": [] }"#,
        r#"{ "version": 1, "presets": [] }"#,
        r#"{ "version": 4, "resources": [] }"#,
        r#"{ "preset": "ts-jest" }"#,
        r#"{ "scenario": {} }"#,
        r#"{ "file": "a" }"#,
    ] {
        assert!(!is_meant(other), "{other}");
    }
}
