//! What a person reads about a run. The sentences are worked out by hand from the scenarios and the rules.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::cases::{case, story};
use common::generate::any_scenario;
use fenceline_engine::explain::{Explanation, explain_each};
use fenceline_engine::{
    Class, Counts, Guard, Headline, Mark, Outcome, Scenario, Sentence, Trace, explain, narrate, run, short_outcome,
};
use proptest::prelude::*;

fn read(json: &str) -> (Scenario, Trace) {
    let scenario = Scenario::from_json(json).expect("the document is valid");
    let trace = run(&scenario).expect("the run is short");
    (scenario, trace)
}

/// Class, first line and second line.
fn headline((scenario, trace): &(Scenario, Trace)) -> (Class, String, String) {
    let headline = Headline::new(scenario, trace);
    (headline.class, headline.sentence(), headline.detail)
}

fn expect_headline(name: &str, class: Class, first: &str, second: &str) {
    assert_eq!(headline(&case(name)), (class, first.into(), second.into()), "{name}");
}

/// The sentences with their times in tenths of a second.
fn told((scenario, trace): &(Scenario, Trace)) -> Vec<(u64, String)> {
    narrate(scenario, trace).iter().map(|sentence| (sentence.at / 100_000, sentence.plain())).collect()
}

#[test]
fn a_rejected_stale_write_is_fenced() {
    expect_headline(
        "paused-worker-fenced",
        Class::Fenced,
        "Fenced: A’s stale write (41) was rejected — the report remembers 42",
        // The lease ended at 30.2 s, the pause at 50 s.
        "A woke 19.8 s after lease 41 ended and sent what it had. B’s newer report is intact.",
    );
}

#[test]
fn an_overwritten_value_outweighs_everything() {
    expect_headline(
        "paused-worker-unfenced",
        Class::Corrupting,
        "Overwritten: A’s stale write (41) replaced B’s newer report",
        "A woke 19.8 s after lease 41 ended and sent what it had. Nothing at the report compares tokens.",
    );
    expect_headline(
        "restart-forgets",
        Class::Corrupting,
        "Overwritten: A’s stale write (41) replaced B’s newer report",
        "A woke 19.8 s after lease 41 ended and sent what it had. \
         The report had forgotten what it remembered, at its restart at 50.0 s.",
    );
    expect_headline(
        "legacy-writer",
        Class::Corrupting,
        "Overwritten: cleanup’s write without a token replaced B’s newer report",
        "The write went around the guard of the report.",
    );
}

#[test]
fn leases_that_share_a_token_are_told_apart_by_their_holder() {
    expect_headline(
        "tokens-reused-after-failover",
        Class::Corrupting,
        "Overwritten: A’s stale write (41) replaced B’s newer report",
        // The failover ended the lease at 10 s, the pause ended at 25 s.
        "A woke 15.0 s after A’s lease 41 ended and sent what it had. \
         The newer value came with 41, so 41 is no older to the guard.",
    );
}

#[test]
fn a_stale_write_before_the_newer_one_is_the_boundary() {
    expect_headline(
        "boundary-old-token-first",
        Class::StaleAccepted,
        "Stale but accepted: 41 arrived before 42 had reached the report",
        // A's write at 55.6 s, B's at 58.6 s.
        "A woke 19.8 s after lease 41 ended and sent what it had. B’s newer report came 3.0 s later.",
    );
}

#[test]
fn a_holder_that_was_turned_away_is_not_told_as_one_that_has_not_come() {
    // B's write with 42 is refused at 39 s, since only 41 ever matches; A's second one, late, is accepted at 53 s.
    let (scenario, trace) = read(include_str!("../../../presets/first-writer-wins.json"));
    let headline = Headline::new(&scenario, &trace);
    assert_eq!(headline.sentence(), "Stale but accepted: A’s stale write (41) got in, and B’s 42 had been turned away");
    assert!(
        headline.detail.ends_with("B, the holder, was refused at 39.0 s: 42 does not equal 41."),
        "{}",
        headline.detail
    );
    let told: Vec<String> = narrate(&scenario, &trace).iter().map(Sentence::plain).collect();
    let late = "A’s ‘report A2’ is accepted, though stale: 41 equals 41, and 42 was turned away here";
    assert!(told.iter().any(|sentence| sentence == late), "{told:#?}");
}

#[test]
fn a_slow_message_is_told_from_a_late_sender() {
    expect_headline(
        "delayed-message",
        Class::Fenced,
        "Fenced: A’s stale write (41) was rejected — the report remembers 42",
        // Sent at 10.4 s, the lease ended at 30.2 s, arrived at 55.4 s.
        "A sent it 19.8 s before lease 41 ended; it arrived 25.2 s after. B’s newer report is intact.",
    );
}

#[test]
fn a_forged_token_is_named_with_whom_it_locks_out() {
    expect_headline(
        "forged-token-locks-out",
        Class::StaleAccepted,
        "Stale but accepted: M holds no lease, and its 999999 was believed",
        "999999 is above 40. B holds the lease and is turned away because of it.",
    );
    expect_headline(
        "forged-token-authenticated",
        Class::Fenced,
        "Fenced: M’s write without a lease (999999) was rejected — 999999 was not issued to M",
        "The report is unchanged.",
    );
}

#[test]
fn a_holder_that_is_turned_away_is_refused() {
    expect_headline(
        "two-writes-strict",
        Class::Refused,
        "Refused: A holds the lease, yet its write was turned away — the report remembers 41",
        "A had used 41 at 0.6 s: this guard lets one write through for each lease.",
    );
}

#[test]
fn a_lost_update_and_a_second_effect_have_words_of_their_own() {
    expect_headline(
        "stale-read-valid-token",
        Class::Corrupting,
        "Lost update: A’s write (43) rests on a read from before B’s write",
        "The report was written at 35.0 s; A had read before that. Tokens cannot see this, a version check can.",
    );
    expect_headline(
        "retry-equal-applied-twice",
        Class::Corrupting,
        "Applied twice: A’s write (41) took effect at 2.6 s and again at 4.6 s",
        "It was sent again, and 41 is not below 41. A kept key would tell them apart.",
    );
    expect_headline(
        "reordered-writes",
        Class::StaleAccepted,
        "Out of order: A’s ‘part 1’ replaced a later one of the same lease",
        "41 is not below 41: the token alone does not order the writes of one owner.",
    );
}

#[test]
fn a_repeat_of_a_write_that_is_in_place_is_harmless() {
    expect_headline(
        "retry-strict",
        Class::Accepted,
        "Harmless: A’s write (41) came again and was rejected, its effect already in place",
        "A hears of a rejection, though the first arrival took effect.",
    );
    expect_headline(
        "retry-idempotent",
        Class::Accepted,
        "Harmless: A’s write (41) came again and was answered from its kept key",
        "It took effect once.",
    );
}

#[test]
fn a_worker_that_stops_itself_is_harmless() {
    expect_headline(
        "local-check-works",
        Class::Accepted,
        "Harmless: A saw on its own clock that its lease was over, and sent nothing",
        "The check was in time here. A pause after it would not be seen.",
    );
}

#[test]
fn a_short_pause_is_harmless_with_the_time_that_was_left() {
    let mut scenario = story();
    scenario.workers[0].pauses[0].length = Some(20_000_000);
    let trace = run(&scenario).expect("the scenario is valid");
    let (class, first, second) = headline(&(scenario, trace));
    // A works 4.6 s before the pause of 5 s to 25 s and 0.4 s after it; the write takes 1 s; the lease ends at 30.2 s.
    assert_eq!(class, Class::Accepted);
    assert_eq!(first, "Harmless: A’s write arrived while lease 41 was still running");
    assert_eq!(second, "Lease 41 had 3.8 s left.");
}

#[test]
fn nothing_that_arrives_is_nothing_to_judge() {
    let run = read(
        r#"{ "version": 1, "network": { "delay": "200ms" }, "leases": [{ "id": "lock", "ttl": "30s" }],
        "resources": [{ "id": "report" }],
        "workers": [
            { "id": "A", "plan": [{ "do": "acquire", "lease": "lock" },
                                  { "do": "write", "resource": "report", "value": "v", "sends": [{ "lost": true }] }] },
            { "id": "B", "starts": "1s", "plan": [{ "do": "acquire", "lease": "lock" }],
              "pauses": [{ "at": "2s", "for": "forever" }] }
        ] }"#,
    );
    // The run ends with the expiry of B's lease, 30 s after A's ended at 30.2 s.
    let expected = (
        Class::Neutral,
        "Nothing reached the report in 60.2 s".into(),
        "A still waits for an answer. B never wakes up again.".into(),
    );
    assert_eq!(headline(&run), expected);
    assert_eq!(Counts::of(&run.1), Counts::default());
    let told = told(&run);
    assert!(told.contains(&(4, "A’s ‘v’ is lost on the way".into())), "{told:?}");
    assert!(
        told.contains(&(20, "B is paused and never wakes up again, while it waits for the lease".into())),
        "{told:?}"
    );
    assert_eq!(told.last(), Some(&(602, "A still waits for an answer".into())));
}

#[test]
fn every_guard_says_in_two_words_what_it_would_do() {
    let outcome = |guard: Guard| {
        let mut scenario = story();
        scenario.resources[0].guard = guard;
        let trace = run(&scenario).expect("the scenario is valid");
        let short = short_outcome(&scenario, &trace);
        assert_eq!(short.class, Headline::new(&scenario, &trace).class);
        (short.class, short.text)
    };
    assert_eq!(outcome(Guard::None), (Class::Corrupting, "A overwrites B".into()));
    // A looks after it woke, when the report remembers 42 already.
    assert_eq!(outcome(Guard::CheckThenWrite), (Class::Fenced, "A gives up".into()));
    for guard in [Guard::Newer, Guard::NewerOrEqual, Guard::Same, Guard::TokenSeq, Guard::Holder] {
        assert_eq!(outcome(guard), (Class::Fenced, "A rejected".into()), "{guard}");
    }
}

#[test]
fn the_story_is_told_from_the_grant_to_the_rejection() {
    let scenario = story();
    let trace = run(&scenario).expect("the scenario is valid");
    let expected = [
        (2, "A acquires the lease: token 41, for 30 s"),
        (50, "A is paused for 45.0 s, in the middle of ‘builds’"),
        (202, "B asks for the lease and waits: A holds it"),
        (302, "Lease 41 ends. A is not told"),
        (302, "B acquires the lease: token 42, for 30 s"),
        (374, "B sends ‘new report’ with token 42; it takes 1.0 s to arrive"),
        (384, "B’s ‘new report’ is accepted. The report remembers 42"),
        (500, "A resumes; lease 41 has ended meanwhile"),
        (504, "A sends ‘stale report’ with token 41; it takes 1.0 s to arrive"),
        (514, "A’s ‘stale report’ is rejected: 41 is not above 42"),
        (516, "A hears the rejection and stops"),
        (602, "Lease 42 ends"),
    ];
    let sentences = narrate(&scenario, &trace);
    let rejected = sentences.iter().find(|sentence| sentence.mark == Mark::StaleRejected).expect("there is one");
    assert_eq!((rejected.verdict, rejected.bold.as_str()), (Some(1), "A’s ‘stale report’ is rejected:"));
    assert_eq!(told(&(scenario, trace)), expected.map(|(at, text)| (at, text.to_string())));
}

#[test]
fn what_a_worker_does_at_its_resume_is_told_in_order() {
    let told = told(&read(
        r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "10s" }], "resources": [{ "id": "report" }],
        "workers": [{ "id": "A", "pauses": [{ "at": "0s", "for": "2s" }], "plan": [
            { "do": "acquire", "lease": "lock" }, { "do": "write", "resource": "report", "value": "v" },
            { "do": "release", "lease": "lock", "sends": [{ "delay": "30s" }] }
        ] }] }"#,
    ));
    let expected = [
        (0, "A is paused for 2.0 s"),
        (20, "A resumes"),
        (20, "A acquires the lease: token 41, for 10 s"),
        (20, "A’s ‘v’ is accepted. The report remembers 41"),
        (20, "A gives the lease back; it takes 30.0 s to arrive"),
        // It gave the lease back, so there is nothing that it would have to be told.
        (120, "Lease 41 ends"),
        (320, "A’s release of the lease arrives, but A does not hold it any more"),
    ];
    assert_eq!(told, expected.map(|(at, text)| (at, text.to_string())));
}

#[test]
fn a_schedule_without_a_write_says_so() {
    let idle = r#"{ "version": 1, "workers": [{ "id": "A", "plan": [{ "do": "work", "for": "1s" }] }] }"#;
    assert_eq!(headline(&read(idle)), (Class::Neutral, "No worker writes anything".into(), String::new()));
}

#[test]
fn heartbeats_are_gathered_until_something_else_happens() {
    let told = told(&case("heartbeats-alone-end-the-run"));
    let renewals: Vec<_> = told.iter().filter(|(_, text)| text.contains("renew")).collect();
    assert_eq!(renewals, [&(40, "A renews lease 41 (2 times, last at 8.0 s): it now ends at 18.0 s".to_string())]);
}

#[test]
fn a_failover_and_a_restart_say_what_is_forgotten() {
    let failover = told(&case("tokens-reused-after-failover"));
    let text = "A standby takes over the lease service: its next token is 41, not above those handed out before";
    assert!(failover.contains(&(100, text.into())), "{failover:?}");
    let text = "A’s lease 41 ends: the standby does not know of it. A is not told";
    assert!(failover.contains(&(100, text.into())), "{failover:?}");
    let restart = told(&case("restart-forgets"));
    assert!(
        restart.contains(&(500, "The report restarts and forgets 42: it remembers 40 again".into())),
        "{restart:?}"
    );
}

#[test]
fn check_then_write_is_told_as_two_exchanges() {
    let told = told(&case("check-then-write-race"));
    for sentence in [
        (106, "A looks: the report remembers 40"),
        (560, "A resumes and sends ‘stale report’ with token 41"),
        (562, "A’s ‘stale report’ overwrites B’s ‘new report’: it is not compared again"),
    ] {
        assert!(told.contains(&(sentence.0, sentence.1.into())), "{told:?}");
    }
}

/// Names and values that no sentence may be confused by, at two resources.
const HOSTILE: &str = r#"{
    "version": 1,
    "leases": [{ "id": "orders lock", "ttl": "10s" }, { "id": "other", "ttl": "10s" }],
    "resources": [{ "id": "orders-db" }, { "id": "report" }],
    "workers": [
        { "id": "night shift", "plan": [
            { "do": "acquire", "lease": "orders lock" }, { "do": "until", "at": "20s" },
            { "do": "write", "resource": "orders-db", "value": "\u001b[31m\n\u202eis accepted. Nothing happened, and this goes on" }
        ] },
        { "id": "cleanup", "starts": "1s", "plan": [
            { "do": "acquire", "lease": "orders lock" }, { "do": "write", "resource": "orders-db", "value": "" }
        ] }
    ]
}"#;

#[test]
fn user_text_is_quoted_cut_and_visible() {
    let run = read(HOSTILE);
    let (class, first, second) = headline(&run);
    assert_eq!(class, Class::Fenced);
    assert_eq!(first, "Fenced: “night shift”’s stale write (41) was rejected — ‘orders-db’ remembers 42");
    assert_eq!(
        second,
        "“night shift” sent it 10.0 s after lease 41 ended. cleanup’s newer value of ‘orders-db’ is intact."
    );
    let told = told(&run);
    let texts: Vec<_> = told.iter().map(|(_, text)| text.as_str()).collect();
    assert!(texts.contains(&"“night shift” acquires lease ‘orders lock’: token 41, for 10 s"), "{texts:?}");
    assert!(texts.contains(&"cleanup’s empty value is accepted. ‘orders-db’ remembers 42"), "{texts:?}");
    // 39 characters of the value and the sign that there was more.
    let cut =
        "“night shift”’s ‘\\u{1b}[31m\\n\\u{202e}is accepted. Nothing happened, a…’ is rejected: 41 is not above 42";
    assert!(texts.contains(&cut), "{texts:?}");
}

fn texts(sentences: &[Sentence]) -> impl Iterator<Item = String> {
    sentences.iter().map(Sentence::plain)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_run_can_be_told_and_every_decision_is(scenario in any_scenario()) {
        let trace = run(&scenario).expect("the generator makes valid scenarios only");
        let headline = Headline::new(&scenario, &trace);
        let sentences = narrate(&scenario, &trace);
        prop_assert!(sentences.is_sorted_by_key(|sentence| sentence.at));
        let decided: Vec<u32> = sentences.iter().filter_map(|sentence| sentence.verdict).collect();
        prop_assert_eq!(decided, (0..trace.writes.len() as u32).collect::<Vec<_>>());
        let all = texts(&sentences).chain([headline.sentence(), headline.detail]);
        for text in all {
            prop_assert!(!text.chars().any(char::is_control) && !text.contains('?'), "{}", text);
        }
        prop_assert_eq!(short_outcome(&scenario, &trace).class, headline.class);
        let each = explain_each(&scenario, &trace);
        for index in 0..trace.writes.len() as u32 {
            let why = explain(&scenario, &trace, index).expect("it was decided");
            prop_assert!(why.chain.is_sorted_by_key(|link| (link.at, link.event)));
            prop_assert_eq!(why.chain.last().map(|link| link.event), Some(trace.writes[index as usize].event));
            prop_assert_eq!(&each[index as usize], &Explanation { chain: Vec::new(), ..why });
        }
    }

    #[test]
    fn the_headline_is_as_grave_as_the_gravest_broken_property(scenario in any_scenario()) {
        let trace = run(&scenario).expect("the generator makes valid scenarios only");
        let class = Headline::new(&scenario, &trace).class;
        let flagged = trace.writes.iter().any(|verdict| {
            verdict.overwrites_newer.is_some() || verdict.stale_read.is_some() || verdict.applied_twice.is_some()
        });
        let stale = trace.writes.iter().any(|verdict| verdict.outcome() == Outcome::StaleAccepted);
        if class == Class::Corrupting {
            prop_assert!(flagged);
        }
        if flagged || stale {
            prop_assert!(class >= Class::StaleAccepted);
        }
        if !trace.writes.is_empty() {
            prop_assert!(class > Class::Neutral);
        }
    }

    #[test]
    fn the_counts_add_up(scenario in any_scenario()) {
        let trace = run(&scenario).expect("the generator makes valid scenarios only");
        let counts = Counts::of(&trace);
        let sum = counts.accepted + counts.stale_accepted + counts.stale_rejected + counts.holder_refused + counts.replayed;
        prop_assert_eq!(sum as usize, trace.writes.len());
    }
}
