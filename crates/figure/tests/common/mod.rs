//! The stories that the tests draw: every worked case of the engine, and the preset.

use fenceline_engine::{Scenario, Trace, run};

/// One story: its name, its scenario, its run.
pub struct Story {
    pub name: &'static str,
    pub scenario: Scenario,
    pub trace: Trace,
}

impl Story {
    pub fn new(name: &'static str, document: &str) -> Self {
        let scenario = Scenario::from_json(document).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        Self { name, scenario, trace }
    }

    /// A worked case: a document with its name and what is expected of it around the scenario.
    fn case(name: &'static str, text: &str) -> Self {
        let case: serde_json::Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self::new(name, &case["scenario"].to_string())
    }
}

/// The story that the page opens on.
pub fn seed() -> Story {
    Story::new("paused-worker", include_str!("../../../../presets/paused-worker.json"))
}

/// All stories.
pub fn stories() -> Vec<Story> {
    macro_rules! cases {
        ($($name:literal),+ $(,)?) => {
            vec![seed(), crowd(), traffic(), $(Story::case($name, include_str!(concat!("../../../engine/cases/", $name, ".json")))),+]
        };
    }
    cases![
        "boundary-establish-first",
        "boundary-holder-check",
        "boundary-old-token-first",
        "check-then-write-race",
        "delayed-message",
        "forged-token-authenticated",
        "forged-token-locks-out",
        "legacy-writer",
        "local-check-too-early",
        "local-check-works",
        "paused-worker-fenced",
        "paused-worker-unfenced",
        "reordered-writes",
        "restart-forgets",
        "retry-equal-applied-twice",
        "retry-idempotent",
        "retry-strict",
        "stale-read-valid-token",
        "tokens-reused-after-failover",
        "two-writes-sequence",
        "two-writes-strict",
    ]
}

/// Many writes that arrive at one instant: nothing else makes labels fight so hard for room.
pub fn crowd() -> Story {
    let writers: Vec<String> = (0..24)
        .map(|number| {
            format!(
                r#"{{ "id": "writer-{number}", "starts": "{}ms", "plan": [
                    {{ "do": "write", "resource": "a long name for a report", "value": "value number {number}",
                       "token": {}, "sends": [{{ "delay": "{}ms" }}] }} ] }}"#,
                number * 10,
                (number * 7) % 24,
                5_000 - number * 10
            )
        })
        .collect();
    let document = format!(
        r#"{{ "version": 1, "resources": [{{ "id": "a long name for a report" }}], "workers": [{}] }}"#,
        writers.join(",")
    );
    Story::new("crowd", &document)
}

/// Heartbeats, losses, copies, a crash, a release, two leases and two resources in one story.
pub fn traffic() -> Story {
    Story::new(
        "traffic",
        r#"{ "version": 1, "network": { "delay": "300ms" },
          "leases": [
            { "id": "first", "ttl": "6s", "lock_delay": "2s" },
            { "id": "second", "ttl": "9s", "failovers": [{ "at": "7s", "next": 90, "forgets_holder": false }] } ],
          "resources": [
            { "id": "report", "guard": "check-then-write", "initial": { "token": 40, "value": "initial" } },
            { "id": "ledger", "guard": "token-seq", "restarts": ["8s"], "remembers": "in-memory" } ],
          "workers": [
            { "id": "A", "renew_every": "2s", "renewal_sends": [{}, { "lost": true }, { "reply_lost": true }],
              "plan": [
                { "do": "acquire", "lease": "first" }, { "do": "acquire", "lease": "second" },
                { "do": "read", "resource": "ledger" },
                { "do": "work", "for": "3s", "label": "a long label that will never fit into its block" },
                { "do": "write", "resource": "report", "value": "from A" },
                { "do": "write", "resource": "ledger", "value": "entry", "wait": false,
                  "sends": [{ "lost": true, "copies": ["1s", "2s", "2100ms"] }] },
                { "do": "until", "at": "14s" }, { "do": "check", "lease": "first" } ],
              "pauses": [{ "at": "9s", "for": "2s" }, { "at": "11s", "for": "1s" }, { "at": "12s", "for": "0s" }] },
            { "id": "a-worker-with-a-long-name", "starts": "1s",
              "plan": [
                { "do": "acquire", "lease": "first" }, { "do": "work", "for": "1s" },
                { "do": "write", "resource": "report", "value": "from the other" },
                { "do": "release", "lease": "first" } ] },
            { "id": "C", "starts": "2s",
              "plan": [{ "do": "acquire", "lease": "second" }, { "do": "work", "for": "10s" }],
              "pauses": [{ "at": "15s", "for": "forever" }] } ] }"#,
    )
}
