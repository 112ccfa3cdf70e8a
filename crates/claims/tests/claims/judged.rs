//! What is claimed of the story of the paused worker, worked out from the contract of the engine.
//!
//! A acquires at 0 and is granted 41 at 0.2 s, until 30.2 s. Paused for P at 5 s, with 0.4 s of its work to do, it sends its write at 5.4 s + P,
//! and that arrives at 6.4 s + P. B is granted 42 at 30.2 s and its write is decided at 38.4 s. In the preset P is 45 s.

use crate::common::{false_claims, json, markdown, problems};
use fenceline_claims::corrected;

/// A block on the preset, with an `expect` of its own.
fn story(expect: &str) -> String {
    format!("{{ \"preset\": \"paused-worker\",\n  \"expect\": {expect} }}")
}

fn windows(window: &str) -> String {
    story(&format!("{{ \"windows\": [{{ \"knob\": \"/workers/0/pauses/0/for\", {window} }}] }}"))
}

#[test]
fn true_claims_of_every_kind_pass() {
    let checked = json(&story(
        r#"{ "verdict": "fenced",
            "counts": { "grants": 2, "decisions": 2, "accepted": 1, "stale_accepted": 0, "stale_rejected": 1, "holder_refused": 0, "replayed": 0 },
            "properties": { "no-overwrite": true, "no-stale-write": true },
            "writes": [
                { "write": "A/3", "decision": "rejected", "reason": "token-older", "standing": "superseded", "flags": [],
                  "decided_at": "51.4s", "decided_at_us": 51400000, "token": 41, "seq": 1, "remembered_token": 42, "remembered_seq": 1 },
                { "write": "B/3", "attempt": 1, "copy": 0, "kind": "write", "resource": "report", "decision": "accepted", "reason": null },
                { "write": "B/3", "attempt": 2, "decision": "none", "token": null, "flags": [] }
            ],
            "grants": [
                { "number": 1, "lease": "report-lock", "worker": "A", "token": 41, "granted_at": "0.2s", "ended_at": "30.2s", "ended_by": "expiry" },
                { "number": 3, "worker": null }
            ],
            "resources": [{ "id": "report", "value": "new report", "version": 1, "token": 42, "seq": 1 }],
            "workers": [{ "id": "A", "ended": "rejected" }, { "id": "B", "ended": "finished" }] }"#,
    ));
    assert_eq!((problems(&checked), false_claims(&checked)), (vec![], vec![]));
    // 1 verdict, 7 counts, 2 properties, 10 + 4 + 3 of writes, 6 + 1 of grants, 4 of resources, 2 of workers.
    assert_eq!((checked.blocks, checked.claims), (1, 40));
}

#[test]
fn false_claims_are_told_with_their_line_and_what_is_true() {
    let text = story(
        "{\n  \"verdict\": \"accepted\",\n  \"writes\": [{ \"write\": \"A/3\", \"decision\": \"accepted\", \"reason\": null,\n    \"token\": 42, \"flags\": [\"stale_read\"] }, { \"write\": \"A/3\", \"attempt\": 2, \"decision\": \"replayed\" }],\n  \"properties\": { \"no-overwrite\": false },\n  \"resources\": [{ \"id\": \"report\", \"value\": \"stale report\" }] }",
    );
    let checked = json(&text);
    assert_eq!(
        false_claims(&checked),
        [
            "3 /expect/verdict verdict: \"accepted\", now \"fenced\"",
            "4 /expect/writes/0/decision A/3: decision: \"accepted\", now \"rejected\"",
            "4 /expect/writes/0/reason A/3: reason: null, now \"token-older\"",
            "5 /expect/writes/0/token A/3: token: 42, now 41",
            "5 /expect/writes/0/flags A/3: flags: [\"stale_read\"], now []",
            "5 /expect/writes/1/decision A/3, attempt 2: decision: \"replayed\", now \"none\"",
            "6 /expect/properties/no-overwrite no-overwrite: false, now true",
            "7 /expect/resources/0/value report: value: \"stale report\", now \"new report\"",
        ]
    );
    let right = corrected(&text, &checked.edits());
    assert_eq!(false_claims(&json(&right)), [""; 0], "{right}");
    assert!(right.contains("{ \"write\": \"A/3\", \"decision\": \"rejected\", \"reason\": \"token-older\",\n    \"token\": 41, \"flags\": [] }"), "{right}");
}

#[test]
fn a_block_may_put_another_guard_in_place_of_the_scenarios_own() {
    let text = r#"{ "preset": "paused-worker", "guard": "none", "expect": { "writes": [{ "write": "A/3", "decision": "accepted", "flags": ["overwrites_newer"] }] } }"#;
    assert_eq!(false_claims(&json(text)), [""; 0]);
}

#[test]
fn a_window_holds_exactly_where_it_is_said_to() {
    // A's write arrives at 30.2 s when P is 23.8 s: the lease ends first. At 38.4 s, when P is 32 s, both writes were sent at
    // 37.4 s, and A comes before B in the file: it is the last value at which A is accepted.
    for window in [
        r#""write": "A/3", "decision": "rejected", "from": "32.000001s""#,
        r#""write": "A/3", "decision": "rejected", "reason": "token-older", "standing": "superseded", "flags": [], "from": "32.000001s", "to": "forever""#,
        r#""write": "A/3", "decision": "accepted", "to": "32.000001s""#,
        r#""write": "A/3", "decision": "accepted", "reason": null, "from": "0s", "to": "32.000001s""#,
        r#""write": "A/3", "standing": "current", "to": "23.8s""#,
        r#""write": "A/3", "decision": "accepted", "standing": "superseded", "from": "23.8s", "to": "32.000001s""#,
        r#""property": "no-stale-write", "holds": false, "from": "23.8s", "to": "32.000001s""#,
        r#""property": "no-stale-write", "holds": true, "to": "23.8s""#,
        r#""property": "no-stale-write", "holds": true, "from": "32.000001s""#,
        r#""property": "no-overwrite", "holds": true"#,
        r#""write": "A/3", "decision": "replayed", "from": "never""#,
        r#""write": "A/3", "attempt": 2, "decision": "none""#,
    ] {
        let checked = json(&windows(window));
        assert_eq!((problems(&checked), false_claims(&checked), checked.claims), (vec![], vec![], 1), "{window}");
    }
}

#[test]
fn a_window_that_is_a_microsecond_off_is_false_and_put_right() {
    let rejected = r#""write": "A/3", "decision": "rejected""#;
    let stale = r#""property": "no-stale-write", "holds": false"#;
    for (statement, claimed, now, right) in [
        (rejected, r#", "from": "32s""#, "from 32s on, now from 32s 1us on", r#", "from": "32s 1us""#),
        (rejected, r#", "from": "32.000002s""#, "from 32.000002s on, now from 32s 1us on", r#", "from": "32s 1us""#),
        (
            rejected,
            r#", "from": "32.000001s", "to": "1h""#,
            "from 32.000001s to before 1h, now from 32s 1us on",
            r#", "from": "32.000001s", "to": "forever""#,
        ),
        (rejected, r#", "from": "never""#, "never, now from 32s 1us on", r#", "from": "32s 1us""#),
        (
            stale,
            r#", "from": "23.799999s", "to": "40s""#,
            "from 23.799999s to before 40s, now from 23.8s to before 32s 1us",
            r#", "from": "23.8s", "to": "32s 1us""#,
        ),
        (
            r#""write": "A/3", "decision": "replayed""#,
            r#", "from": "1s", "to": "2s""#,
            "from 1s to before 2s, now never",
            r#", "from": "never", "to": "never""#,
        ),
    ] {
        let text = windows(&format!("{statement}{claimed}"));
        let checked = json(&text);
        let told = false_claims(&checked);
        assert!(told.len() == 1 && told[0].ends_with(&format!("by /workers/0/pauses/0/for: {now}")), "{told:?}");
        assert_eq!(corrected(&text, &checked.edits()), windows(&format!("{statement}{right}")));
    }
}

#[test]
fn what_a_window_lacks_is_put_behind_its_knob() {
    let text = windows(r#""write": "A/3", "decision": "accepted", "standing": "superseded""#);
    let checked = json(&text);
    assert!(
        false_claims(&checked)[0].ends_with(": always, now from 23.8s to before 32s 1us"),
        "{:?}",
        false_claims(&checked)
    );
    let right = corrected(&text, &checked.edits());
    assert!(right.contains(r#""/workers/0/pauses/0/for", "from": "23.8s", "to": "32s 1us", "write""#), "{right}");
    assert_eq!(false_claims(&json(&right)), [""; 0]);
}

#[test]
fn of_several_windows_the_nearest_is_named() {
    let text = windows(r#""property": "no-stale-write", "holds": true, "from": "31s""#);
    assert!(false_claims(&json(&text))[0].ends_with("now from 32s 1us on"));
    let text = windows(r#""property": "no-stale-write", "holds": true, "from": "1s""#);
    assert!(false_claims(&json(&text))[0].ends_with("now up to before 23.8s"));
}

/// A renews every millisecond while its pause is turned: a window for each.
const RENEWING: &str = r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "1h" }], "resources": [{ "id": "report" }],
    "workers": [{ "id": "A", "renew_every": "100ms",
        "plan": [{ "do": "acquire", "lease": "lock" }, { "do": "work", "for": "1s" }, { "do": "write", "resource": "report", "value": "v" }] }],
    "expect": { "windows": [{ "knob": "/workers/0/plan/1/for", "write": "A/3", "decision": "accepted" }] } }"#;

#[test]
fn a_window_without_end_that_cannot_be_followed_is_told_and_not_judged() {
    let checked = json(RENEWING);
    assert_eq!((checked.claims, checked.findings.len()), (0, 0));
    let told = problems(&checked);
    assert!(
        told.len() == 1
            && told[0].starts_with("4 /expect/windows/0: found a window that could be followed only up to "),
        "{told:?}"
    );
    let within = RENEWING.replace(r#""decision": "accepted" "#, r#""standing": "expired", "from": "1s", "to": "2s" "#);
    let checked = json(&within);
    assert_eq!((problems(&checked).len(), checked.findings.len()), (0, 1), "it is false within its own range");
    assert!(checked.edits().is_empty() && !checked.findings[0].mendable, "where it would be true is not known");
}

#[test]
fn a_false_claim_in_a_quoted_list_with_carriage_returns_is_found_on_its_line_and_put_right() {
    let text = "\u{feff}# Title\r\n\r\n> 1. text\r\n>\r\n>    ~~~~fenceline\r\n>    { \"file\": \"story.json\",\r\n>      \"expect\": { \"writes\": [ { \"write\": \"A/3\",\r\n>        \"flags\": [\r\n>          \"stale_read\"\r\n>        ], \"decision\": \"accepted\" } ] } }\r\n>    ~~~~\r\n> after\r\n";
    let checked = markdown(text);
    assert_eq!(
        false_claims(&checked),
        [
            "8 /expect/writes/0/flags A/3: flags: [ \"stale_read\" ], now []",
            "10 /expect/writes/0/decision A/3: decision: \"accepted\", now \"rejected\"",
        ]
    );
    let right = corrected(text, &checked.edits());
    let expected = text.replace(
        "[\r\n>          \"stale_read\"\r\n>        ], \"decision\": \"accepted\"",
        "[], \"decision\": \"rejected\"",
    );
    assert_eq!(right, expected);
    assert_eq!(false_claims(&markdown(&right)), [""; 0]);
}

#[test]
fn a_window_that_ends_its_line_is_completed_on_that_line() {
    let text = "> ```fenceline\r\n> { \"preset\": \"paused-worker\", \"expect\": { \"windows\": [{ \"write\": \"A/3\", \"decision\": \"rejected\",\r\n>   \"knob\": \"/workers/0/pauses/0/for\"\r\n> }] } }\r\n> ```\r\n";
    let right = corrected(text, &markdown(text).edits());
    assert_eq!(right, text.replace("/for\"\r\n", "/for\", \"from\": \"32s 1us\"\r\n"));
    assert_eq!(false_claims(&markdown(&right)), [""; 0]);
}
