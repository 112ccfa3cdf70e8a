//! Why a decision came out as it did: the sentences are worked out by hand from the scenarios and the rules.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::cases::{case, story};
use fenceline_engine::explain::{Explanation, Instants};
use fenceline_engine::{Guard, Scenario, explain, run};

fn why(name: &str, verdict: u32) -> Explanation {
    let (scenario, trace) = case(name);
    explain(&scenario, &trace, verdict).expect("there is such a decision")
}

#[test]
fn a_rejection_is_explained_by_its_comparison_its_times_and_its_causes() {
    let why = why("paused-worker-fenced", 1);
    assert_eq!(why.title, "A writes ‘stale report’");
    assert_eq!(why.sent_at, Some(55_400_000));
    assert_eq!(why.comparison.rule, "token > last_token");
    let sides = why.comparison.sides.expect("two tokens are compared");
    assert_eq!((sides.left.as_str(), sides.operator, sides.right.as_str()), ("41", ">", "42"));
    assert!(!why.comparison.holds);
    assert_eq!(why.comparison.sentence, "41 > 42 is false, so the write is rejected.");
    let standing = "Lease 41 ended at 30.2 s and was superseded by 42 at 30.2 s. A acted 25.2 s after it ended.";
    assert_eq!(why.standing, standing);
    let instants = Instants { ended: Some(30_200_000), superseded: Some(30_200_000), known: Some(38_600_000) };
    assert_eq!(why.instants, instants);
    let chain: Vec<_> = why.chain.iter().map(|link| (link.at / 100_000, link.text.as_str())).collect();
    let expected = [
        (2, "A acquires lease 41"),
        (50, "A is paused"),
        (302, "Lease 41 ends"),
        (302, "B acquires lease 42"),
        (386, "B’s ‘new report’ (42) is accepted at the report"),
        (500, "A resumes"),
        (554, "A sends it with token 41"),
        (556, "A’s ‘stale report’ arrives and is rejected: 41 is not above 42"),
    ];
    assert_eq!(chain, expected);
}

#[test]
fn each_guard_has_its_own_comparison() {
    let sentence = |name: &str, verdict| why(name, verdict).comparison.sentence;
    let none = "Nothing is compared, so the write is accepted: the last writer wins.";
    assert_eq!(sentence("paused-worker-unfenced", 1), none);
    // A is granted at 0.2 s, hears it at 0.4 s, works for 10 s, and its question arrives 0.2 s after.
    let raced =
        "A compared before, with what stood here at 10.6 s: 41 > 40 was true. The write itself compares nothing.";
    assert_eq!(sentence("check-then-write-race", 1), raced);
    assert_eq!(sentence("giving-up-after-a-peek", 0), "41 > 41 is false, so the write is not sent.");
    assert_eq!(sentence("reordered-writes", 1), "41 ≥ 41 is true, so the write is accepted.");
    let first = "Nothing has been accepted here yet, and the first token is taken as it is: the write is accepted.";
    assert_eq!(sentence("same-token-and-a-restart", 0), first);
    assert_eq!(sentence("same-token-and-a-restart", 1), "41 = 41 is true, so the write is accepted.");
    assert_eq!(sentence("boundary-establish-first", 0), "(42, 1) > (40, 0) is true, so the establish is accepted.");
    assert_eq!(sentence("boundary-holder-check", 0), "41 · A = 42 · B is false, so the write is rejected.");
    let unguarded = "The write goes around the guard, so nothing is compared.";
    assert_eq!(sentence("legacy-writer", 1), unguarded);
    assert_eq!(sentence("forged-token-authenticated", 0), "999999 was not issued to M, so the write is rejected.");
    assert_eq!(sentence("tokens-bound-to-their-worker", 1), "It carries no token, so the write is rejected.");
    let replayed = "Its key is known: it is answered with the first outcome, and nothing changes.";
    assert_eq!(sentence("retry-idempotent", 1), replayed);
}

#[test]
fn a_comparison_for_equality_says_so() {
    let mut scenario = story();
    scenario.resources[0].guard = Guard::Same;
    let trace = run(&scenario).expect("the run is short");
    let last = explain(&scenario, &trace, 1).and_then(|why| why.chain.last().cloned()).expect("it was decided");
    // B's 42 is the first that the report takes, so 42 is what it remembers when A's 41 comes.
    assert_eq!(last.text, "A’s ‘stale report’ arrives and is rejected: 41 does not equal 42");
}

#[test]
fn each_flag_names_the_write_that_it_points_to() {
    let flag = |name: &str, verdict| {
        let flags = why(name, verdict).flags;
        flags.into_iter().map(|flag| (flag.name, flag.verdict, flag.text)).collect::<Vec<_>>()
    };
    let overwrites = "It replaced B’s ‘new report’, written at 38.6 s under lease 42, granted later.";
    assert_eq!(flag("paused-worker-unfenced", 1), [("overwrites_newer", 0, overwrites.into())]);
    let twice = "A’s ‘report’ had taken effect at 2.6 s, and now it took effect again.";
    assert_eq!(flag("retry-equal-applied-twice", 1), [("applied_twice", 0, twice.into())]);
    let before = "A’s ‘report’ had taken effect at 2.6 s; this one changes nothing.";
    assert_eq!(flag("retry-strict", 1), [("already_applied", 0, before.into())]);
    let stale = "A had read before B’s ‘11’ was applied at 35.0 s, and did not read again.";
    assert_eq!(flag("stale-read-valid-token", 1), [("stale_read", 0, stale.into())]);
}

#[test]
fn a_decision_that_does_not_exist_has_no_explanation() {
    let (scenario, trace) = case("paused-worker-fenced");
    assert_eq!(explain(&scenario, &trace, 2), None);
}

#[test]
fn a_token_is_compared_with_what_was_set_before_and_not_with_itself() {
    // Two owners of one token, after a failover that gave it out again: each write is compared with the one before.
    let scenario = Scenario::from_json(
        r#"{ "version": 1, "resources": [{ "id": "report", "guard": "newer-or-equal", "initial": { "token": 7 } }],
            "workers": [
                { "id": "A", "plan": [{ "do": "write", "resource": "report", "value": "a", "token": 41 }] },
                { "id": "B", "starts": "1s", "plan": [{ "do": "write", "resource": "report", "value": "b", "token": 41 }] }
            ] }"#,
    )
    .expect("the document is valid");
    let trace = run(&scenario).expect("the run is short");
    let compared = |write| explain(&scenario, &trace, write).and_then(|of| of.compared_with);
    assert_eq!((compared(0), compared(1)), (None, Some(0)));
}
