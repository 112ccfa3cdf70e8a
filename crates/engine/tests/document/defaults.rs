//! Defaults: what a document leaves out, and that writing leaves it out again.

use fenceline_engine::Scenario;
use fenceline_engine::scenario::{
    Basis, Clock, Exchange, Failover, Guard, Initial, Lease, Memory, Network, OnLeaseLost, Pause, Resource, Retry,
    Send, Step, TokenSource, Worker, Write,
};

use super::{read, with_lease, with_resource, with_step, with_worker};

const SECOND: u64 = 1_000_000;

#[test]
fn a_document_with_a_version_only_is_an_empty_scenario() {
    assert_eq!(read(r#"{"version": 1}"#), Scenario::default());
    assert_eq!(Scenario::default().to_json(), "{\n  \"version\": 1\n}");
}

#[test]
fn what_a_document_leaves_out_takes_its_default() {
    let lease = Lease {
        id: "lock".into(),
        ttl: 30 * SECOND,
        lock_delay: 0,
        tokens: TokenSource::Counter { next: 41 },
        failovers: Vec::new(),
    };
    let resource = Resource {
        id: "report".into(),
        guard: Guard::Newer,
        initial: Initial { token: 0, value: "initial".into() },
        remembers: Memory::Durably,
        restarts: Vec::new(),
        authenticates: false,
        idempotent: false,
    };
    let write = Write {
        resource: "report".into(),
        value: "v".into(),
        lease: None,
        key: None,
        token: None,
        unguarded: false,
        wait: true,
        peek_sends: Vec::new(),
        exchange: Exchange { sends: Vec::new(), retry: None },
    };
    let worker = Worker {
        id: "A".into(),
        starts: 0,
        clock: Clock { offset: 0, drift_ppm: 0 },
        plan: vec![Step::Write(write)],
        pauses: Vec::new(),
        renew_every: None,
        renewal_sends: Vec::new(),
        on_lease_lost: OnLeaseLost::Continue,
    };
    let expected = Scenario {
        title: String::new(),
        about: String::new(),
        network: Network { delay: 0 },
        leases: vec![lease],
        resources: vec![resource],
        workers: vec![worker],
    };
    let document = with_step(r#""do": "write", "resource": "report", "value": "v""#);
    assert_eq!(read(&document), expected);
}

#[test]
fn objects_given_in_part_take_the_default_for_each_field_left_out() {
    let tokens =
        |tokens: &str| read(&with_lease(&format!(r#""id": "l", "ttl": "1s", "tokens": {tokens}"#))).leases[0].tokens;
    assert_eq!(tokens("{}"), TokenSource::Counter { next: 41 });
    assert_eq!(tokens(r#"{"from": "counter"}"#), TokenSource::Counter { next: 41 });
    assert_eq!(tokens(r#"{"next": 7}"#), TokenSource::Counter { next: 7 });
    assert_eq!(tokens(r#"{"from": "worker-clock"}"#), TokenSource::WorkerClock);
    assert_eq!(tokens(r#"{"seed": 9007199254740991, "from": "random"}"#), TokenSource::Random { seed: (1 << 53) - 1 });

    let failover = r#""id": "l", "ttl": "1s", "failovers": [{"at": "1s", "next": 5}]"#;
    let expected = Failover { at: SECOND, next: 5, forgets_holder: true };
    assert_eq!(read(&with_lease(failover)).leases[0].failovers, [expected]);

    let initial = |initial: &str| {
        read(&with_resource(&format!(r#""id": "r", "initial": {initial}"#))).resources[0].initial.clone()
    };
    assert_eq!(initial("{}"), Initial { token: 0, value: "initial".into() });
    assert_eq!(initial(r#"{"token": 40}"#), Initial { token: 40, value: "initial".into() });
    assert_eq!(initial(r#"{"value": ""}"#), Initial { token: 0, value: String::new() });

    let step = r#""do": "read", "resource": "report", "sends": [{}, {"reply_delay": "0s"}, {"copies": ["20s"]}]"#;
    let document = read(&with_step(step));
    let sends = &document.workers[0].plan[0].exchange().expect("a read sends").sends;
    let plain = Send { delay: None, reply_delay: None, lost: false, reply_lost: false, copies: Vec::new() };
    assert_eq!(sends[0], plain);
    assert_eq!(sends[1], Send { reply_delay: Some(0), ..plain.clone() });
    assert_eq!(sends[2], Send { copies: vec![20 * SECOND], ..plain });
}

/// A document that uses every field, each with another value than its default, laid out as it is written.
const EVERYTHING: &str = r#"{
  "version": 1,
  "title": "Everything",
  "about": "Each field \"once\".",
  "network": { "delay": "0.2s" },
  "leases": [
    {
      "id": "lock",
      "ttl": "30s",
      "lock_delay": "1s",
      "tokens": { "next": 7 },
      "failovers": [{ "at": "10s", "next": 41, "forgets_holder": false }]
    },
    { "id": "clock lock", "ttl": "1m", "tokens": { "from": "worker-clock" } },
    { "id": "random_lock", "ttl": "1us", "tokens": { "from": "random", "seed": 7 } }
  ],
  "resources": [
    {
      "id": "report",
      "guard": "token-seq",
      "initial": { "token": 40, "value": "old" },
      "remembers": "in-memory",
      "restarts": ["5s", "1m"],
      "authenticates": true,
      "idempotent": true
    }
  ],
  "workers": [
    {
      "id": "A",
      "starts": "2s",
      "clock": { "offset": "-2s", "drift_ppm": -200 },
      "plan": [
        {
          "do": "acquire",
          "lease": "lock",
          "sends": [{ "delay": "5s" }],
          "retry": { "after": "5s", "attempts": 3 }
        },
        { "do": "work", "for": "10s", "label": "refresh report" },
        { "do": "until", "at": "20s" },
        { "do": "check", "lease": "lock", "from": "received", "margin": "0.5s" },
        { "do": "read", "resource": "report", "sends": [{ "lost": true }, { "reply_lost": true }] },
        { "do": "establish", "resource": "report", "lease": "lock", "peek_sends": [{ "delay": "0s" }] },
        {
          "do": "write",
          "resource": "report",
          "value": "new",
          "lease": "lock",
          "key": "k",
          "token": 42,
          "unguarded": true,
          "wait": false,
          "peek_sends": [{}],
          "sends": [{ "delay": "1s", "reply_delay": "2s", "copies": ["20s", "21s"] }]
        },
        { "do": "release", "lease": "lock" }
      ],
      "pauses": [{ "at": "5s", "for": "45s" }, { "at": "10m", "for": "forever" }],
      "renew_every": "10s",
      "renewal_sends": [{ "delay": "3s" }],
      "on_lease_lost": "stop"
    }
  ]
}"#;

#[test]
fn every_field_is_read() {
    let scenario = read(EVERYTHING);
    let lock = Lease {
        lock_delay: SECOND,
        tokens: TokenSource::Counter { next: 7 },
        failovers: vec![Failover { at: 10 * SECOND, next: 41, forgets_holder: false }],
        ..Lease::new("lock", 30 * SECOND)
    };
    let clock_lock = Lease { tokens: TokenSource::WorkerClock, ..Lease::new("clock lock", 60 * SECOND) };
    let random_lock = Lease { tokens: TokenSource::Random { seed: 7 }, ..Lease::new("random_lock", 1) };
    assert_eq!(scenario.leases, [lock, clock_lock, random_lock]);
    let report = Resource {
        id: "report".into(),
        guard: Guard::TokenSeq,
        initial: Initial { token: 40, value: "old".into() },
        remembers: Memory::InMemory,
        restarts: vec![5 * SECOND, 60 * SECOND],
        authenticates: true,
        idempotent: true,
    };
    assert_eq!(scenario.resources, [report]);
    let send = |delay: u64| Send { delay: Some(delay), ..Send::default() };
    let acquire_exchange =
        Exchange { sends: vec![send(5 * SECOND)], retry: Some(Retry { after: 5 * SECOND, attempts: 3 }) };
    let lossy = vec![Send { lost: true, ..Send::default() }, Send { reply_lost: true, ..Send::default() }];
    let copied = Send { reply_delay: Some(2 * SECOND), copies: vec![20 * SECOND, 21 * SECOND], ..send(SECOND) };
    let write = Write {
        resource: "report".into(),
        value: "new".into(),
        lease: Some("lock".into()),
        key: Some("k".into()),
        token: Some(42),
        unguarded: true,
        wait: false,
        peek_sends: vec![Send::default()],
        exchange: Exchange { sends: vec![copied], retry: None },
    };
    let plan = vec![
        Step::Acquire { lease: "lock".into(), exchange: acquire_exchange },
        Step::Work { length: 10 * SECOND, label: "refresh report".into() },
        Step::Until { at: 20 * SECOND },
        Step::Check { lease: "lock".into(), from: Basis::Received, margin: SECOND / 2 },
        Step::Read { resource: "report".into(), exchange: Exchange { sends: lossy, retry: None } },
        Step::Establish {
            resource: "report".into(),
            lease: Some("lock".into()),
            peek_sends: vec![send(0)],
            exchange: Exchange::default(),
        },
        Step::Write(write),
        Step::Release { lease: "lock".into(), exchange: Exchange::default() },
    ];
    let worker = Worker {
        id: "A".into(),
        starts: 2 * SECOND,
        clock: Clock { offset: -2_000_000, drift_ppm: -200 },
        plan,
        pauses: vec![Pause { at: 5 * SECOND, length: Some(45 * SECOND) }, Pause { at: 600 * SECOND, length: None }],
        renew_every: Some(10 * SECOND),
        renewal_sends: vec![send(3 * SECOND)],
        on_lease_lost: OnLeaseLost::Stop,
    };
    assert_eq!(scenario.workers, [worker]);
    assert_eq!((scenario.title.as_str(), scenario.about.as_str()), ("Everything", "Each field \"once\"."));
    assert_eq!(scenario.network.delay, SECOND / 5);
}

#[test]
fn a_document_is_written_the_way_a_person_would() {
    assert_eq!(read(EVERYTHING).to_json(), EVERYTHING);
}

#[test]
fn defaults_that_a_document_spells_out_are_left_out_when_it_is_written() {
    let spelled_out = r#"{
        "version": 1, "title": "", "about": "", "network": {"delay": "0s"},
        "leases": [{"id": "lock", "ttl": "30000ms", "lock_delay": "0ms", "tokens": {"from": "counter", "next": 41}, "failovers": []}],
        "resources": [{"id": "report", "guard": "newer", "initial": {"token": 0, "value": "initial"}, "remembers": "durably",
            "restarts": [], "authenticates": false, "idempotent": false}],
        "workers": [{"id": "A", "starts": "0s", "clock": {"offset": "0s", "drift_ppm": 0}, "pauses": [], "renewal_sends": [],
            "on_lease_lost": "continue", "plan": [
            {"do": "work", "for": "1s", "label": ""},
            {"do": "check", "lease": "lock", "from": "sent", "margin": "0s"},
            {"do": "write", "resource": "report", "value": "v", "unguarded": false, "wait": true, "peek_sends": [],
                "sends": [{"lost": false, "reply_lost": false, "copies": []}]}]}]}"#;
    let written = r#"{
  "version": 1,
  "leases": [{ "id": "lock", "ttl": "30s" }],
  "resources": [{ "id": "report" }],
  "workers": [
    {
      "id": "A",
      "plan": [
        { "do": "work", "for": "1s" },
        { "do": "check", "lease": "lock" },
        { "do": "write", "resource": "report", "value": "v", "sends": [{}] }
      ]
    }
  ]
}"#;
    assert_eq!(read(spelled_out).to_json(), written);
}

#[test]
fn an_explicit_zero_delay_is_not_the_default_delay() {
    let document =
        with_worker(r#""id": "A", "plan": [{"do": "read", "resource": "report", "sends": [{"delay": "0s"}]}]"#);
    assert!(read(&document).to_json().contains(r#""sends": [{ "delay": "0s" }]"#));
}
