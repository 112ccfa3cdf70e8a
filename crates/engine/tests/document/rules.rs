//! Rules: what a well-formed document, or a scenario put together field by field, must still keep.

use fenceline_engine::Scenario;
use fenceline_engine::scenario::{
    Clock, Exchange, Lease, MAX_EXACT, MAX_MICROS, Pause, Resource, Retry, Send, Step, TokenSource, Worker, Write,
};

use super::{besides, errors, paths, read, refused, with_lease, with_resource, with_step, with_worker};

#[test]
fn ids_are_1_to_40_letters_digits_and_a_few_signs() {
    let longest = "x".repeat(40);
    for id in ["A", "a-b_c.d e", "0", " ", "Zähler 锁", &longest, &"é".repeat(40)] {
        read(&with_resource(&format!(r#""id": "{id}""#)));
    }
    for (id, found) in [
        ("", "\"\""),
        ("a/b", "\"a/b\""),
        ("a\\u0000", "\"a\\u{0}\""),
        ("€", "\"€\""),
        ("a\\u202eb", "\"a\\u{202e}b\""),
        ("a\\tb", "\"a\\tb\""),
        (&"x".repeat(41), "…\""),
    ] {
        let allowed = "1 to 40 letters";
        refused(&with_resource(&format!(r#""id": "{id}""#)), "/resources/0/id", found, allowed);
        refused(&with_lease(&format!(r#""id": "{id}", "ttl": "1s""#)), "/leases/0/id", found, allowed);
        let worker = format!(r#""id": "{id}", "plan": [{{"do": "until", "at": "0s"}}]"#);
        refused(&with_worker(&worker), "/workers/0/id", found, allowed);
    }
}

#[test]
fn two_of_a_kind_cannot_have_one_id_but_a_lease_and_a_resource_can() {
    let lease = r#"{"id": "x", "ttl": "1s"}"#;
    let resource = r#"{"id": "x"}"#;
    let worker = r#"{"id": "x", "plan": [{"do": "acquire", "lease": "x"}]}"#;
    read(&format!(r#"{{"version": 1, "leases": [{lease}], "resources": [{resource}], "workers": [{worker}]}}"#));
    for (list, item, kind) in
        [("leases", lease, "lease"), ("resources", resource, "resource"), ("workers", worker, "worker")]
    {
        let leases = if list == "workers" { format!(r#""leases": [{lease}], "#) } else { String::new() };
        let other = item.replacen("\"x\"", "\"y\"", 1);
        let document = format!(r#"{{"version": 1, {leases}"{list}": [{item}, {other}, {item}]}}"#);
        refused(
            &document,
            &format!("/{list}/2/id"),
            &format!("\"x\", which /{list}/0 has too"),
            &format!("an id that no other {kind} has"),
        );
    }
}

#[test]
fn an_unknown_id_is_answered_with_the_known_ones() {
    for (step, field, id) in [
        (r#""do": "acquire", "lease": "lok""#, "lease", "lok"),
        (r#""do": "check", "lease": "report""#, "lease", "report"),
        (r#""do": "release", "lease": "LOCK""#, "lease", "LOCK"),
        (r#""do": "establish", "resource": "report", "lease": """#, "lease", ""),
        (r#""do": "write", "resource": "report", "value": "v", "lease": "lock ""#, "lease", "lock "),
        (r#""do": "read", "resource": "lock""#, "resource", "lock"),
        (r#""do": "establish", "resource": "r""#, "resource", "r"),
        (r#""do": "write", "resource": "reports", "value": "v""#, "resource", "reports"),
    ] {
        let known = if field == "lease" { r#"the id of a lease: "lock""# } else { r#"the id of a resource: "report""# };
        refused(&with_step(step), &format!("/workers/0/plan/0/{field}"), &format!("\"{id}\""), known);
    }
    let document = r#"{"version": 1, "workers": [{"id": "A", "plan": [{"do": "acquire", "lease": "lock"}]}]}"#;
    refused(document, "/workers/0/plan/0/lease", "\"lock\"", "the scenario has none yet");
}

#[test]
fn a_plan_has_a_step() {
    refused(&with_worker(r#""id": "A", "plan": []"#), "/workers/0/plan", "an empty list", "at least one step");
}

#[test]
fn durations_have_a_least_and_a_greatest_value() {
    let any = |document: &dyn Fn(&str) -> String, path: &str| {
        for text in ["0s", "3650d"] {
            read(&document(text));
        }
        refused(&document("3650d 1us"), path, "\"3650d 1us\"", "\"3650d\"");
    };
    let above_zero = |document: &dyn Fn(&str) -> String, path: &str| {
        for text in ["1us", "3650d"] {
            read(&document(text));
        }
        refused(&document("0s"), path, "\"0s\"", "a duration above \"0s\", at most \"3650d\"");
        refused(&document("3650d 1us"), path, "\"3650d 1us\"", "\"3650d\"");
    };
    above_zero(&|text| with_lease(&format!(r#""id": "l", "ttl": "{text}""#)), "/leases/0/ttl");
    above_zero(&|text| besides(&format!(r#""renew_every": "{text}""#)), "/workers/0/renew_every");
    above_zero(
        &|text| {
            with_step(&format!(r#""do": "acquire", "lease": "lock", "retry": {{"after": "{text}", "attempts": 2}}"#))
        },
        "/workers/0/plan/0/retry/after",
    );
    any(&|text| format!(r#"{{"version": 1, "network": {{"delay": "{text}"}}}}"#), "/network/delay");
    any(&|text| with_lease(&format!(r#""id": "l", "ttl": "1s", "lock_delay": "{text}""#)), "/leases/0/lock_delay");
    any(
        &|text| with_lease(&format!(r#""id": "l", "ttl": "1s", "failovers": [{{"at": "{text}", "next": 1}}]"#)),
        "/leases/0/failovers/0/at",
    );
    any(&|text| with_resource(&format!(r#""id": "r", "restarts": ["{text}"]"#)), "/resources/0/restarts/0");
    any(&|text| besides(&format!(r#""starts": "{text}""#)), "/workers/0/starts");
    any(&|text| besides(&format!(r#""pauses": [{{"at": "{text}", "for": "1s"}}]"#)), "/workers/0/pauses/0/at");
    any(&|text| besides(&format!(r#""pauses": [{{"at": "1s", "for": "{text}"}}]"#)), "/workers/0/pauses/0/for");
    any(&|text| besides(&format!(r#""renewal_sends": [{{"delay": "{text}"}}]"#)), "/workers/0/renewal_sends/0/delay");
    any(&|text| with_step(&format!(r#""do": "work", "for": "{text}""#)), "/workers/0/plan/0/for");
    any(&|text| with_step(&format!(r#""do": "until", "at": "{text}""#)), "/workers/0/plan/0/at");
    any(
        &|text| with_step(&format!(r#""do": "check", "lease": "lock", "margin": "{text}""#)),
        "/workers/0/plan/0/margin",
    );
    for list in ["sends", "peek_sends"] {
        for (field, value) in [("delay", "\"T\""), ("reply_delay", "\"T\""), ("copies", "[\"T\"]")] {
            let step = |text: &str| {
                let value = value.replace('T', text);
                with_step(&format!(r#""do": "establish", "resource": "report", "{list}": [{{"{field}": {value}}}]"#))
            };
            let item = if field == "copies" { "/0" } else { "" };
            any(&step, &format!("/workers/0/plan/0/{list}/0/{field}{item}"));
        }
    }
}

#[test]
fn an_offset_may_be_negative_and_reaches_ten_years_either_way() {
    for offset in ["0s", "-2s", "3650d", "-3650d"] {
        read(&besides(&format!(r#""clock": {{"offset": "{offset}"}}"#)));
    }
    for offset in ["3650d 1us", "-3650d 1us", "--2s", "+2s"] {
        let document = besides(&format!(r#""clock": {{"offset": "{offset}"}}"#));
        refused(
            &document,
            "/workers/0/clock/offset",
            &format!("\"{offset}\""),
            "from \"-3650d\" to \"3650d\", for example \"-2s\"",
        );
    }
}

#[test]
fn numbers_have_a_least_and_a_greatest_value() {
    for (document, path, good, bad, allowed) in [
        (
            (|n| besides(&format!(r#""clock": {{"drift_ppm": {n}}}"#))) as fn(&str) -> String,
            "/workers/0/clock/drift_ppm",
            ["-500000", "500000"],
            ["-500001", "500001", "99999999999"],
            "from -500000 to 500000",
        ),
        (
            |n| with_step(&format!(r#""do": "acquire", "lease": "lock", "retry": {{"after": "1s", "attempts": {n}}}"#)),
            "/workers/0/plan/0/retry/attempts",
            ["1", "20"],
            ["0", "21", "4294967297"],
            "from 1 to 20",
        ),
        (
            |n| with_lease(&format!(r#""id": "l", "ttl": "1s", "tokens": {{"next": {n}}}"#)),
            "/leases/0/tokens/next",
            ["0", "9007199254740991"],
            ["-1", "9007199254740992", "18446744073709551616"],
            "from 0 to 9007199254740991",
        ),
        (
            |n| with_lease(&format!(r#""id": "l", "ttl": "1s", "tokens": {{"from": "random", "seed": {n}}}"#)),
            "/leases/0/tokens/seed",
            ["0", "9007199254740991"],
            ["-1", "9007199254740992", "1.0"],
            "from 0 to 9007199254740991",
        ),
        (
            |n| with_lease(&format!(r#""id": "l", "ttl": "1s", "failovers": [{{"at": "1s", "next": {n}}}]"#)),
            "/leases/0/failovers/0/next",
            ["0", "9007199254740991"],
            ["-1", "9007199254740992", "1e0"],
            "from 0 to 9007199254740991",
        ),
    ] {
        for number in good {
            read(&document(number));
        }
        for number in bad {
            refused(&document(number), path, "", allowed);
        }
    }
}

/// A list's limit, a document with that many items in it, its place, and what its items are called.
type LongList<'a> = (usize, &'a dyn Fn(usize) -> String, &'a str, &'a str);

#[test]
fn lists_have_a_greatest_length() {
    let many = |count: usize, item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let lease = |n: usize| format!(r#"{{"id": "{n}", "ttl": "1s"}}"#);
    let resource = |n: usize| format!(r#"{{"id": "{n}"}}"#);
    let worker = |n: usize| format!(r#"{{"id": "{n}", "plan": [{{"do": "until", "at": "0s"}}]}}"#);
    let step = |_: usize| r#"{"do": "until", "at": "0s"}"#.to_string();
    let pause = |n: usize| format!(r#"{{"at": "{n}s", "for": "1s"}}"#);
    let copy = |_: usize| "\"1s\"".to_string();
    let top = |list: &str, items: String| format!(r#"{{"version": 1, "{list}": [{items}]}}"#);
    let cases: [LongList; 6] = [
        (64, &|n| top("leases", many(n, &lease)), "/leases", "leases"),
        (64, &|n| top("resources", many(n, &resource)), "/resources", "resources"),
        (64, &|n| top("workers", many(n, &worker)), "/workers", "workers"),
        (256, &|n| with_worker(&format!(r#""id": "A", "plan": [{}]"#, many(n, &step))), "/workers/0/plan", "steps"),
        (256, &|n| besides(&format!(r#""pauses": [{}]"#, many(n, &pause))), "/workers/0/pauses", "pauses"),
        (
            8,
            &|n| {
                with_step(&format!(
                    r#""do": "read", "resource": "report", "sends": [{{"copies": [{}]}}]"#,
                    many(n, &copy)
                ))
            },
            "/workers/0/plan/0/sends/0/copies",
            "copies",
        ),
    ];
    for (limit, document, path, what) in cases {
        let scenario = read(&document(limit));
        assert_eq!(Scenario::from_json(&scenario.to_json()), Ok(scenario), "{what}");
        let too_many = limit + 1;
        refused(&document(too_many), path, &format!("{too_many} {what}"), &format!("at most {limit} {what}"));
    }
}

#[test]
fn pauses_of_one_worker_may_touch_and_be_empty_but_not_overlap() {
    let document = |pauses: &[(&str, &str)]| {
        let pauses: Vec<String> =
            pauses.iter().map(|(at, length)| format!(r#"{{"at": "{at}", "for": "{length}"}}"#)).collect();
        besides(&format!(r#""pauses": [{}]"#, pauses.join(", ")))
    };
    for fine in [
        &[("5s", "5s"), ("10s", "5s")][..],
        &[("10s", "5s"), ("5s", "5s")],
        &[("5s", "10s"), ("7s", "0s")],
        &[("7s", "0s"), ("7s", "0s"), ("7s", "1s")],
        &[("5s", "5s"), ("10s", "forever")],
        &[("10s", "forever"), ("12s", "0s"), ("0s", "10s")],
    ] {
        read(&document(fine));
    }
    for (pauses, place, found, allowed) in [
        (
            &[("5s", "5s"), ("9999999us", "5s")][..],
            1,
            "from 9999999us to 14999999us",
            "/workers/0/pauses/0 lasts from 5s to 10s",
        ),
        (&[("7s", "1s"), ("5s", "5s")], 0, "from 7s to 8s", "/workers/0/pauses/1 lasts from 5s to 10s"),
        (&[("5s", "5s"), ("5s", "5s")], 1, "from 5s to 10s", "/workers/0/pauses/0 lasts from 5s to 10s"),
        (&[("5s", "forever"), ("1d", "1us")], 1, "from 1d to", "/workers/0/pauses/0 lasts from 5s for ever"),
        (&[("5s", "1s"), ("1s", "forever")], 0, "from 5s to 6s", "/workers/0/pauses/1 lasts from 1s for ever"),
        (&[("1s", "9s"), ("2s", "1s"), ("3s", "0s"), ("10s", "1s")], 1, "from 2s to 3s", "lasts from 1s to 10s"),
    ] {
        refused(&document(pauses), &format!("/workers/0/pauses/{place}"), found, allowed);
    }
    // The second lies within the first, and the third too, though it begins after the second ended.
    let errors = errors(&document(&[("1s", "9s"), ("2s", "1s"), ("5s", "1s")]));
    assert_eq!(paths(&errors), ["/workers/0/pauses/1", "/workers/0/pauses/2"]);
}

#[test]
fn a_write_that_does_not_wait_cannot_retry() {
    let step = |wait: &str| {
        with_step(&format!(
            r#""do": "write", "resource": "report", "value": "v", {wait}"retry": {{"after": "1s", "attempts": 2}}"#
        ))
    };
    read(&step(""));
    read(&step(r#""wait": true, "#));
    refused(
        &step(r#""wait": false, "#),
        "/workers/0/plan/0/retry",
        "a retry of a write with \"wait\": false",
        "waits for its reply",
    );
}

#[test]
fn times_may_not_add_up_to_more_than_a_run_can_hold() {
    // i64::MAX / 4 microseconds are 73,117.8 years of 365 days: 7,311 tens of years, and what is left of ten more.
    let limit = (i64::MAX / 4) as u64;
    let (tens, rest) = (limit / MAX_MICROS, limit % MAX_MICROS);
    assert_eq!(tens, 7_311);
    let mut workers: Vec<Worker> = (0..30).map(|n| Worker { id: n.to_string(), ..Worker::default() }).collect();
    for n in 0..tens as usize {
        workers[n / 250].plan.push(Step::Until { at: MAX_MICROS });
    }
    workers[29].plan.push(Step::Work { length: rest, label: String::new() });
    let scenario = |workers: &[Worker]| Scenario { workers: workers.to_vec(), ..Scenario::default() };
    assert_eq!(scenario(&workers).validate(), []);
    read(&scenario(&workers).to_json());

    workers[29].starts = 1;
    let errors = scenario(&workers).validate();
    assert_eq!(paths(&errors), [""]);
    assert!(errors[0].found.contains("73117 years"), "{}", errors[0].found);
    assert!(errors[0].allowed.contains("at most 73117 years"), "{}", errors[0].allowed);
    refused(&scenario(&workers).to_json(), "", "73117 years", "73117 years");
}

#[test]
fn a_scenario_that_was_never_a_document_is_held_against_the_same_rules() {
    let too_long = MAX_MICROS + 1;
    let send =
        Send { delay: Some(too_long), reply_delay: Some(too_long), copies: vec![too_long; 9], ..Send::default() };
    let exchange = Exchange { sends: vec![send.clone()], retry: Some(Retry { after: 0, attempts: 0 }) };
    let write = Write {
        lease: Some("none".into()),
        token: Some(MAX_EXACT + 1),
        wait: false,
        exchange: Exchange { retry: Some(Retry { after: too_long, attempts: 21 }), ..Exchange::default() },
        ..Write::new("none", "v")
    };
    let scenario = Scenario {
        leases: vec![
            Lease { tokens: TokenSource::Counter { next: MAX_EXACT + 1 }, ..Lease::new("lock", 0) },
            Lease {
                tokens: TokenSource::Random { seed: u64::MAX },
                lock_delay: u64::MAX,
                ..Lease::new("lock", u64::MAX)
            },
        ],
        resources: vec![Resource { restarts: vec![0, too_long], ..Resource::new("") }],
        workers: vec![
            Worker {
                id: "A".into(),
                clock: Clock { offset: i64::MIN, drift_ppm: i32::MIN },
                plan: vec![
                    Step::Acquire { lease: "lok".into(), exchange },
                    Step::Write(write),
                    Step::Until { at: u64::MAX },
                ],
                pauses: vec![Pause { at: too_long, length: None }, Pause { at: u64::MAX - 1, length: Some(u64::MAX) }],
                renew_every: Some(0),
                renewal_sends: vec![send],
                ..Worker::default()
            },
            Worker { id: "A".into(), ..Worker::default() },
        ],
        ..Scenario::default()
    };
    let errors = scenario.validate();
    let expected = [
        "/leases/0/ttl",
        "/leases/0/tokens/next",
        "/leases/1/id",
        "/leases/1/ttl",
        "/leases/1/lock_delay",
        "/leases/1/tokens/seed",
        "/resources/0/id",
        "/resources/0/restarts/1",
        "/workers/0/clock/offset",
        "/workers/0/clock/drift_ppm",
        "/workers/0/plan/0/lease",
        "/workers/0/plan/0/sends/0/delay",
        "/workers/0/plan/0/sends/0/reply_delay",
        "/workers/0/plan/0/sends/0/copies",
    ];
    assert_eq!(&paths(&errors)[..expected.len()], expected);
    let of_copies = (0..8).map(|copy| format!("/workers/0/plan/0/sends/0/copies/{copy}"));
    let rest: Vec<String> = of_copies
        .chain(
            [
                "/workers/0/plan/0/retry/after",
                "/workers/0/plan/0/retry/attempts",
                "/workers/0/plan/1/resource",
                "/workers/0/plan/1/lease",
                "/workers/0/plan/1/token",
                "/workers/0/plan/1/retry",
                "/workers/0/plan/1/retry/after",
                "/workers/0/plan/1/retry/attempts",
                "/workers/0/plan/2/at",
                "/workers/0/pauses/0/at",
                "/workers/0/pauses/1/at",
                "/workers/0/pauses/1/for",
                // It begins while the other goes on for ever.
                "/workers/0/pauses/1",
                "/workers/0/renew_every",
                "/workers/0/renewal_sends/0/delay",
                "/workers/0/renewal_sends/0/reply_delay",
                "/workers/0/renewal_sends/0/copies",
            ]
            .map(String::from),
        )
        .chain((0..8).map(|copy| format!("/workers/0/renewal_sends/0/copies/{copy}")))
        .chain(["/workers/1/id".into(), "/workers/1/plan".into()])
        .collect();
    assert_eq!(&paths(&errors)[expected.len()..], rest);
}

#[test]
fn lists_beyond_their_limits_are_one_error_each_and_make_no_id_unknown() {
    let scenario = Scenario {
        leases: (0..65).map(|n| Lease::new(&n.to_string(), 1)).collect(),
        workers: (0..65)
            .map(|n| Worker {
                id: n.to_string(),
                plan: vec![Step::Acquire { lease: "70".into(), exchange: Exchange::default() }; 257],
                pauses: vec![Pause { at: 0, length: Some(0) }; 257],
                ..Worker::default()
            })
            .collect(),
        ..Scenario::default()
    };
    let errors = scenario.validate();
    let of_workers = (0..64).flat_map(|n| [format!("/workers/{n}/plan"), format!("/workers/{n}/pauses")]);
    let expected: Vec<String> = ["/leases".into(), "/workers".into()].into_iter().chain(of_workers).collect();
    assert_eq!(paths(&errors), expected);
}
