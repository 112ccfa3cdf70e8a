//! Documents: what is read, what is refused with which words, and what is written back.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/generate.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod generate;

mod defaults;
mod hostile;
mod refusals;
mod round_trips;
mod rules;
mod sheets;
mod together;

use fenceline_engine::{Scenario, ScenarioError};

/// A document with that one lease.
fn with_lease(fields: &str) -> String {
    format!(r#"{{"version": 1, "leases": [{{{fields}}}]}}"#)
}

/// A document with that one resource.
fn with_resource(fields: &str) -> String {
    format!(r#"{{"version": 1, "resources": [{{{fields}}}]}}"#)
}

/// A document with a lease `lock`, a resource `report` and that one worker.
fn with_worker(fields: &str) -> String {
    format!(
        r#"{{"version": 1, "leases": [{{"id": "lock", "ttl": "30s"}}], "resources": [{{"id": "report"}}], "workers": [{{{fields}}}]}}"#
    )
}

/// A document with a lease `lock`, a resource `report` and one worker with that one step.
fn with_step(fields: &str) -> String {
    with_worker(&format!(r#""id": "A", "plan": [{{{fields}}}]"#))
}

/// A worker's fields, with an acquire as its plan and those besides.
fn besides(fields: &str) -> String {
    with_worker(&format!(r#""id": "A", "plan": [{{"do": "acquire", "lease": "lock"}}], {fields}"#))
}

fn read(document: &str) -> Scenario {
    Scenario::from_json(document).unwrap_or_else(|errors| panic!("{document}\n{}", lines(&errors)))
}

fn errors(document: &str) -> Vec<ScenarioError> {
    match Scenario::from_json(document) {
        Ok(_) => panic!("no error in {document}"),
        Err(errors) => errors,
    }
}

fn paths(errors: &[ScenarioError]) -> Vec<&str> {
    errors.iter().map(|error| error.path.as_str()).collect()
}

fn lines(errors: &[ScenarioError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The document has exactly one error: there, with these words in what was found and what is allowed.
#[track_caller]
fn refused(document: &str, path: &str, found: &str, allowed: &str) {
    let errors = errors(document);
    assert_eq!(paths(&errors), [path], "{document}\n{}", lines(&errors));
    assert!(errors[0].found.contains(found), "{document}\nfound: {}", errors[0].found);
    assert!(errors[0].allowed.contains(allowed), "{document}\nallowed: {}", errors[0].allowed);
}
