//! Several errors at once: all of them, in the order of the document, and none that merely follows from another.

use fenceline_engine::Scenario;

use super::{errors, paths};

#[test]
fn all_errors_are_reported_in_the_order_of_the_document() {
    let errors = errors(
        r#"{
            "workers": [
                { "plan": [
                    { "do": "acquire", "lease": "lok" },
                    { "for": "10", "do": "work", "lable": "x" },
                    { "do": "wait" },
                    { "do": "write", "resource": "report", "value": "v", "wait": false, "retry": { "after": "0s", "attempts": 2 } }
                  ],
                  "pauses": [ { "at": "5s", "for": "10s" }, { "at": "x", "for": "1s" }, { "at": "6s", "for": "1s" } ],
                  "id": "A/1" },
                { "id": "B", "plan": [] }
            ],
            "resources": [ { "id": "report", "guard": "newest" } ],
            "leases": [ { "id": "lock", "ttl": "0s" }, { "id": "lock", "ttl": "1s" } ],
            "version": 2,
            "colour": "red"
        }"#,
    );
    let expected = [
        "/workers/0/plan/0/lease",
        "/workers/0/plan/1/for",
        "/workers/0/plan/1/lable",
        "/workers/0/plan/2/do",
        "/workers/0/plan/3/retry",
        "/workers/0/plan/3/retry/after",
        "/workers/0/pauses/1/at",
        "/workers/0/pauses/2",
        "/workers/0/id",
        "/workers/1/plan",
        "/resources/0/guard",
        "/leases/0/ttl",
        "/leases/1/id",
        "/version",
        "/colour",
    ];
    assert_eq!(paths(&errors), expected);
}

#[test]
fn a_missing_field_is_reported_where_its_object_begins() {
    let errors = errors(r#"{"leases": [{"ttl": 5, "x": 1}], "version": 3}"#);
    assert_eq!(paths(&errors), ["/leases/0/id", "/leases/0/ttl", "/leases/0/x", "/version"]);
}

/// Exactly these places are refused, though more could be said of what stands in for them.
#[track_caller]
fn only(document: &str, expected: &[&str]) {
    let errors = errors(document);
    assert_eq!(paths(&errors), expected, "{document}\n{}", super::lines(&errors));
}

#[test]
fn an_id_that_could_not_be_read_makes_no_reference_unknown() {
    let document = |leases: &str| {
        format!(
            r#"{{"version": 1, "leases": {leases}, "workers": [{{"id": "A", "plan": [{{"do": "acquire", "lease": "lock"}}]}}]}}"#
        )
    };
    only(&document(r#"[{"id": 5, "ttl": "1s"}]"#), &["/leases/0/id"]);
    only(&document(r#"[{"ttl": "1s"}]"#), &["/leases/0/id"]);
    only(&document(r#"[{"id": "lock", "id": "lock", "ttl": "1s"}]"#), &["/leases/0/id"]);
    only(&document(r#""lock""#), &["/leases"]);
    only(&document("[5]"), &["/leases/0"]);
    let many: Vec<String> = (0..65).map(|n| format!(r#"{{"id": "{n}", "ttl": "1s"}}"#)).collect();
    only(&document(&format!("[{}]", many.join(","))), &["/leases"]);
    // The name is bad, and yet it is what the step means.
    let bad_name = document(r#"[{"id": "l/k", "ttl": "1s"}]"#).replace("\"lock\"", "\"l/k\"");
    only(&bad_name, &["/leases/0/id"]);
    // An error elsewhere in the lease does not hide that another name is unknown.
    only(&document(r#"[{"id": "lok", "ttl": "x"}]"#), &["/leases/0/ttl", "/workers/0/plan/0/lease"]);
}

#[test]
fn a_resource_that_could_not_be_read_makes_no_reference_unknown() {
    let document = |resources: &str| {
        format!(
            r#"{{"version": 1, "resources": {resources}, "workers": [{{"id": "A", "plan": [{{"do": "read", "resource": "r"}}]}}]}}"#
        )
    };
    only(&document(r#"[{"id": null}]"#), &["/resources/0/id"]);
    only(&document(r#"[{"id": "other"}, 7]"#), &["/resources/1"]);
    only(&document("{}"), &["/resources"]);
    only(&document(r#"[{"id": "other", "guard": "x"}]"#), &["/resources/0/guard", "/workers/0/plan/0/resource"]);
}

#[test]
fn ids_that_could_not_be_read_are_not_twins() {
    only(
        r#"{"version": 1, "resources": [{"id": 1}, {"id": 2}, {}]}"#,
        &["/resources/0/id", "/resources/1/id", "/resources/2/id"],
    );
    only(r#"{"version": 1, "resources": [{"id": ""}, {"id": ""}]}"#, &["/resources/0/id", "/resources/1/id"]);
}

#[test]
fn a_pause_that_could_not_be_read_overlaps_nothing() {
    let document = |pause: &str| {
        format!(
            r#"{{"version": 1, "workers": [{{"id": "A", "plan": [{{"do": "until", "at": "0s"}}],
                "pauses": [{{"at": "0s", "for": "10s"}}, {pause}]}}]}}"#
        )
    };
    only(&document(r#"{"for": "1s"}"#), &["/workers/0/pauses/1/at"]);
    only(&document(r#"{"at": 5, "for": "1s"}"#), &["/workers/0/pauses/1/at"]);
    only(&document(r#"{"at": "5s", "for": 1}"#), &["/workers/0/pauses/1/for"]);
    only(&document(r#"{"at": "5s", "for": "4000d"}"#), &["/workers/0/pauses/1/for"]);
    only(&document(r#"{"at": 5, "for": "4000d"}"#), &["/workers/0/pauses/1/at", "/workers/0/pauses/1/for"]);
    only(&document("null"), &["/workers/0/pauses/1"]);
}

#[test]
fn nothing_is_said_about_what_stands_in_for_a_field_that_could_not_be_read() {
    let worker = |fields: &str| format!(r#"{{"version": 1, "workers": [{{"id": "A", {fields}}}]}}"#);
    only(&worker(r#""plan": 5"#), &["/workers/0/plan"]);
    only(&worker(r#""x": 5"#), &["/workers/0/plan", "/workers/0/x"]);
    only(&worker(r#""plan": [{"do": "acquire"}]"#), &["/workers/0/plan/0/lease"]);
    only(
        &worker(r#""plan": [{"do": "release", "lease": 1, "retry": {}}]"#),
        &["/workers/0/plan/0/lease", "/workers/0/plan/0/retry/attempts", "/workers/0/plan/0/retry/after"],
    );
    only(&worker(r#""plan": [{"do": "leave", "lease": "x", "retry": 5}]"#), &["/workers/0/plan/0/do"]);
    only(
        r#"{"version": 1, "leases": [{"id": "l", "ttl": 1, "tokens": {"from": "x", "seeds": 1}}]}"#,
        &["/leases/0/ttl", "/leases/0/tokens/from"],
    );
    only(r#"{"version": 1, "workers": [1, 2]}"#, &["/workers/0", "/workers/1"]);
}

#[test]
fn a_field_given_twice_is_read_for_its_other_errors_and_judged_by_neither_value() {
    only(r#"{"version": 1, "leases": [{"id": "l", "ttl": "0s", "ttl": "30s"}]}"#, &["/leases/0/ttl"]);
    only(r#"{"version": 1, "leases": [{"id": "l", "ttl": 30, "ttl": "30s"}]}"#, &["/leases/0/ttl"]);
    only(r#"{"version": 1, "workers": [5], "workers": 5}"#, &["/workers", "/workers/0"]);
}

#[test]
fn an_unknown_field_is_reported_once_however_often_it_is_given() {
    only(r#"{"version": 1, "x": 1, "x": 2}"#, &["/x"]);
}

#[test]
fn an_object_with_more_fields_than_anything_has_is_one_error() {
    let fields: Vec<String> = (0..300).map(|n| format!("\"f{n}\": 1")).collect();
    let document = format!(r#"{{"version": 1, "network": {{{}}}}}"#, fields.join(", "));
    only(&document, &["/network"]);
}

#[test]
fn an_error_prints_on_one_line_with_its_three_parts() {
    let Err(errors) = Scenario::from_json(r#"{"version": 1, "title": "a", "title": "b\nc", "about": 1}"#) else {
        panic!("two errors were expected");
    };
    assert_eq!(errors[1].to_string(), "/about: found 1, allowed: a text in double quotes, for example \"report\"");
    assert!(errors.iter().all(|error| error.to_string().lines().count() == 1));
}
