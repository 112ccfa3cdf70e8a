//! Fields: each shape that a document can get wrong, alone, with its place, what was found and what is allowed.

use super::{besides, refused, with_lease, with_resource, with_step, with_worker};

#[test]
fn a_text_that_is_not_json_is_one_error_with_its_line_and_column() {
    let words = "version, title, about, network, leases, resources, workers";
    for (document, found) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("{\n  \"version\": 1,\n}", "at line 3 column 1"),
        (r#"{"version": 1} x"#, "trailing characters at line 1 column 16"),
        (r"{'version': 1}", "at line 1 column 2"),
        (r#"{"version": 01}"#, "at line 1 column"),
        ("{\"title\": \"a\nb\"}", "control character"),
        (r#"{"title": "\ud800"}"#, "at line 1 column"),
        ("NaN", "at line 1 column"),
        ("\u{feff}{}", "at line 1 column 1"),
    ] {
        refused(document, "", found, words);
        refused(document, "", "text that is not JSON", "JSON object");
    }
}

#[test]
fn a_document_that_is_no_object_is_refused() {
    for (document, found) in [("[]", "[]"), ("1", "1"), ("null", "null"), (r#""version""#, "\"version\"")] {
        refused(document, "", found, "a JSON object with the fields version");
    }
}

#[test]
fn a_document_has_at_most_one_mebibyte() {
    let padded = |bytes: usize| r#"{"version": 1}"#.to_string() + &" ".repeat(bytes - 14);
    assert!(fenceline_engine::Scenario::from_json(&padded(1_048_576)).is_ok());
    refused(&padded(1_048_577), "", "a document of 1048577 bytes", "1 MiB");
}

#[test]
fn lists_and_objects_lie_at_most_32_deep_in_each_other() {
    let document = format!(r#"{{"version": {}1{}}}"#, "[".repeat(32), "]".repeat(32));
    refused(&document, "", "lists and objects nested more than 32 deep at line 1 column", "a JSON object");
    let document = format!(r#"{{"version": {}1{}}}"#, "[".repeat(31), "]".repeat(31));
    refused(&document, "/version", "[[[", "1, the schema version");
}

#[test]
fn the_version_must_be_1() {
    refused("{}", "/version", "nothing", "1, the schema version");
    for (version, found) in [("2", "2"), ("0", "0"), ("\"1\"", "\"1\""), ("1.0", "1.0"), ("null", "null"), ("-1", "-1")]
    {
        refused(&format!(r#"{{"version": {version}}}"#), "/version", found, "1, the schema version");
    }
}

#[test]
fn a_field_of_another_type_is_refused_with_what_it_held() {
    for (document, path, found, allowed) in [
        (r#"{"version": 1, "title": 5}"#.into(), "/title", "5", "a text in double quotes"),
        (r#"{"version": 1, "title": null}"#.into(), "/title", "null", "a text in double quotes"),
        (r#"{"version": 1, "about": ["a", 2]}"#.into(), "/about", r#"["a",2]"#, "a text"),
        (r#"{"version": 1, "network": "200ms"}"#.into(), "/network", "\"200ms\"", "an object with the field delay"),
        (r#"{"version": 1, "leases": {"id": "lock"}}"#.into(), "/leases", r#"{"id":"lock"}"#, "a list of leases"),
        (
            r#"{"version": 1, "leases": ["lock"]}"#.into(),
            "/leases/0",
            "\"lock\"",
            "a lease: an object with the fields id",
        ),
        (r#"{"version": 1, "resources": [[]]}"#.into(), "/resources/0", "[]", "a resource"),
        (r#"{"version": 1, "workers": [true]}"#.into(), "/workers/0", "true", "a worker"),
        (r#"{"version": 1, "workers": null}"#.into(), "/workers", "null", "a list of workers"),
        (with_lease(r#""id": 7, "ttl": "30s""#), "/leases/0/id", "7", "1 to 40 letters"),
        (with_lease(r#""id": "l", "ttl": "30s", "failovers": [5]"#), "/leases/0/failovers/0", "5", "a failover"),
        (
            with_lease(r#""id": "l", "ttl": "30s", "failovers": [{"at": "1s", "next": 1, "forgets_holder": "no"}]"#),
            "/leases/0/failovers/0/forgets_holder",
            "\"no\"",
            "true or false",
        ),
        (
            with_lease(r#""id": "l", "ttl": "30s", "tokens": "counter""#),
            "/leases/0/tokens",
            "\"counter\"",
            "{ \"from\": \"counter\"",
        ),
        (
            with_resource(r#""id": "r", "initial": 40"#),
            "/resources/0/initial",
            "40",
            "an object with the fields token, value",
        ),
        (with_resource(r#""id": "r", "initial": {"value": 1}"#), "/resources/0/initial/value", "1", "a text"),
        (with_resource(r#""id": "r", "authenticates": 1"#), "/resources/0/authenticates", "1", "true or false"),
        (with_resource(r#""id": "r", "idempotent": null"#), "/resources/0/idempotent", "null", "true or false"),
        (
            with_resource(r#""id": "r", "restarts": "5s""#),
            "/resources/0/restarts",
            "\"5s\"",
            "a list of times such as \"30s\"",
        ),
        (
            with_worker(r#""id": "A", "plan": {"do": "work"}"#),
            "/workers/0/plan",
            "{\"do\":\"work\"}",
            "a list of steps",
        ),
        (with_worker(r#""id": "A", "plan": ["acquire"]"#), "/workers/0/plan/0", "\"acquire\"", "a step, for example"),
        (besides(r#""clock": "2s""#), "/workers/0/clock", "\"2s\"", "an object with the fields offset, drift_ppm"),
        (besides(r#""pauses": ["5s"]"#), "/workers/0/pauses/0", "\"5s\"", "a pause: an object with the fields at, for"),
        (
            besides(r#""renewal_sends": [1]"#),
            "/workers/0/renewal_sends/0",
            "1",
            "delay, reply_delay, lost, reply_lost, copies",
        ),
        (with_step(r#""do": "read", "resource": 3"#), "/workers/0/plan/0/resource", "3", "the id of a resource"),
        (with_step(r#""do": "acquire", "lease": null"#), "/workers/0/plan/0/lease", "null", "the id of a lease"),
        (
            with_step(r#""do": "write", "resource": "report", "value": 42"#),
            "/workers/0/plan/0/value",
            "42",
            "the text that is written",
        ),
        (
            with_step(r#""do": "write", "resource": "report", "value": "v", "key": 42"#),
            "/workers/0/plan/0/key",
            "42",
            "a text in double quotes",
        ),
        (
            with_step(r#""do": "write", "resource": "report", "value": "v", "lease": null"#),
            "/workers/0/plan/0/lease",
            "null",
            "the id of a lease",
        ),
        (
            with_step(r#""do": "write", "resource": "report", "value": "v", "wait": "false""#),
            "/workers/0/plan/0/wait",
            "\"false\"",
            "true or false",
        ),
        (
            with_step(r#""do": "read", "resource": "report", "sends": [{"lost": 1}]"#),
            "/workers/0/plan/0/sends/0/lost",
            "1",
            "true or false",
        ),
        (
            with_step(r#""do": "read", "resource": "report", "sends": [{"copies": "1s"}]"#),
            "/workers/0/plan/0/sends/0/copies",
            "\"1s\"",
            "a list of copies",
        ),
        (
            with_step(r#""do": "read", "resource": "report", "retry": 3"#),
            "/workers/0/plan/0/retry",
            "3",
            "after, attempts",
        ),
        (with_step(r#""do": "work", "for": "1s", "label": 3"#), "/workers/0/plan/0/label", "3", "a text"),
    ] {
        refused(&document, path, found, allowed);
    }
}

#[test]
fn a_required_field_that_is_missing_is_named() {
    for (document, path, allowed) in [
        (with_lease(r#""ttl": "30s""#), "/leases/0/id", "1 to 40 letters"),
        (with_lease(r#""id": "lock""#), "/leases/0/ttl", "a duration above \"0s\""),
        (with_lease(r#""id": "l", "ttl": "1s", "failovers": [{"next": 1}]"#), "/leases/0/failovers/0/at", "a duration"),
        (
            with_lease(r#""id": "l", "ttl": "1s", "failovers": [{"at": "1s"}]"#),
            "/leases/0/failovers/0/next",
            "a whole number",
        ),
        (
            with_lease(r#""id": "l", "ttl": "1s", "tokens": {"from": "random"}"#),
            "/leases/0/tokens/seed",
            "a whole number",
        ),
        (with_resource(r#""guard": "newer""#), "/resources/0/id", "1 to 40 letters"),
        (with_worker(r#""plan": [{"do": "until", "at": "1s"}]"#), "/workers/0/id", "1 to 40 letters"),
        (with_worker(r#""id": "A""#), "/workers/0/plan", "a list of at least one step"),
        (besides(r#""pauses": [{"for": "1s"}]"#), "/workers/0/pauses/0/at", "a duration"),
        (besides(r#""pauses": [{"at": "1s"}]"#), "/workers/0/pauses/0/for", "\"forever\""),
        (with_step(r#""lease": "lock""#), "/workers/0/plan/0/do", "\"acquire\""),
        (with_step(r#""do": "acquire""#), "/workers/0/plan/0/lease", "the id of a lease"),
        (with_step(r#""do": "release""#), "/workers/0/plan/0/lease", "the id of a lease"),
        (with_step(r#""do": "check""#), "/workers/0/plan/0/lease", "the id of a lease"),
        (with_step(r#""do": "work""#), "/workers/0/plan/0/for", "a duration"),
        (with_step(r#""do": "until""#), "/workers/0/plan/0/at", "a duration"),
        (with_step(r#""do": "read""#), "/workers/0/plan/0/resource", "the id of a resource"),
        (with_step(r#""do": "establish""#), "/workers/0/plan/0/resource", "the id of a resource"),
        (with_step(r#""do": "write", "value": "v""#), "/workers/0/plan/0/resource", "the id of a resource"),
        (with_step(r#""do": "write", "resource": "report""#), "/workers/0/plan/0/value", "the text that is written"),
        (
            with_step(r#""do": "acquire", "lease": "lock", "retry": {"attempts": 2}"#),
            "/workers/0/plan/0/retry/after",
            "a duration above",
        ),
        (
            with_step(r#""do": "acquire", "lease": "lock", "retry": {"after": "1s"}"#),
            "/workers/0/plan/0/retry/attempts",
            "from 1 to 20",
        ),
    ] {
        refused(&document, path, "nothing (the field is required)", allowed);
    }
}

#[test]
fn a_field_that_its_object_does_not_have_is_unknown() {
    for (document, path, allowed) in [
        (r#"{"version": 1, "lease": []}"#.into(), "/lease", "the fields version, title"),
        (r#"{"version": 1, "network": {"delays": "1s"}}"#.into(), "/network/delays", "the field delay"),
        (
            with_lease(r#""id": "l", "ttl": "1s", "TTL": "1s""#),
            "/leases/0/TTL",
            "id, ttl, lock_delay, tokens, failovers",
        ),
        (with_lease(r#""id": "l", "ttl": "1s", "tokens": {"seed": 1}"#), "/leases/0/tokens/seed", "from, next"),
        (
            with_lease(r#""id": "l", "ttl": "1s", "tokens": {"from": "random", "seed": 1, "next": 1}"#),
            "/leases/0/tokens/next",
            "from, seed",
        ),
        (
            with_lease(r#""id": "l", "ttl": "1s", "tokens": {"from": "worker-clock", "next": 1}"#),
            "/leases/0/tokens/next",
            "the field from",
        ),
        (
            with_lease(r#""id": "l", "ttl": "1s", "failovers": [{"at": "1s", "next": 1, "token": 1}]"#),
            "/leases/0/failovers/0/token",
            "at, next, forgets_holder",
        ),
        (with_resource(r#""id": "r", "initial": {"seq": 1}"#), "/resources/0/initial/seq", "token, value"),
        (with_resource(r#""id": "r", "a/b~c": 1"#), "/resources/0/a~1b~0c", "id, guard, initial"),
        (besides(r#""start": "1s""#), "/workers/0/start", "id, starts, clock"),
        (besides(r#""clock": {"drift": 1}"#), "/workers/0/clock/drift", "offset, drift_ppm"),
        (besides(r#""pauses": [{"at": "1s", "for": "1s", "until": "2s"}]"#), "/workers/0/pauses/0/until", "at, for"),
        (
            with_step(r#""do": "acquire", "lease": "lock", "for": "1s""#),
            "/workers/0/plan/0/for",
            "do, lease, sends, retry",
        ),
        (
            with_step(r#""do": "release", "lease": "lock", "wait": true"#),
            "/workers/0/plan/0/wait",
            "do, lease, sends, retry",
        ),
        (with_step(r#""do": "work", "for": "1s", "sends": []"#), "/workers/0/plan/0/sends", "do, for, label"),
        (with_step(r#""do": "until", "at": "1s", "label": """#), "/workers/0/plan/0/label", "do, at"),
        (
            with_step(r#""do": "check", "lease": "lock", "retry": {}"#),
            "/workers/0/plan/0/retry",
            "do, lease, from, margin",
        ),
        (
            with_step(r#""do": "read", "resource": "report", "lease": "lock""#),
            "/workers/0/plan/0/lease",
            "do, resource, sends",
        ),
        (with_step(r#""do": "establish", "resource": "report", "token": 1"#), "/workers/0/plan/0/token", "peek_sends"),
        (
            with_step(r#""do": "write", "resource": "report", "value": "v", "label": """#),
            "/workers/0/plan/0/label",
            "unguarded",
        ),
        (
            with_step(r#""do": "acquire", "lease": "lock", "retry": {"after": "1s", "attempts": 2, "x": 1}"#),
            "/workers/0/plan/0/retry/x",
            "after, attempts",
        ),
        (
            with_step(r#""do": "acquire", "lease": "lock", "sends": [{"delays": "1s"}]"#),
            "/workers/0/plan/0/sends/0/delays",
            "delay, reply_delay, lost, reply_lost, copies",
        ),
    ] {
        let name = path.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        refused(&document, path, &format!("an unknown field \"{name}\""), allowed);
    }
}

#[test]
fn a_field_given_twice_is_refused_even_when_both_say_the_same() {
    for (document, path) in [
        (r#"{"version": 1, "version": 1}"#.into(), "/version"),
        (r#"{"version": 1, "workers": [], "workers": []}"#.into(), "/workers"),
        (with_lease(r#""id": "l", "ttl": "0s", "ttl": "30s""#), "/leases/0/ttl"),
        (
            with_lease(r#""id": "l", "ttl": "1s", "tokens": {"from": "random", "from": "counter", "next": 1}"#),
            "/leases/0/tokens/from",
        ),
        (besides(r#""pauses": [{"at": "1s", "for": "1s", "at": "1s"}]"#), "/workers/0/pauses/0/at"),
        (with_step(r#""do": "work", "do": "until", "at": "1s""#), "/workers/0/plan/0/do"),
        (with_step(r#""do": "work", "for": "1s", "\u0066or": "1s""#), "/workers/0/plan/0/for"),
    ] {
        let name = path.rsplit('/').next().unwrap_or_default();
        refused(&document, path, &format!("the field \"{name}\" 2 times"), "each field once");
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    for (document, path, found, allowed) in [
        (
            with_step(r#""do": "aquire", "lease": "lock""#),
            "/workers/0/plan/0/do",
            "\"aquire\"",
            r#"one of "acquire", "work", "until", "check", "read", "establish", "write", "release""#,
        ),
        (with_step(r#""do": 1"#), "/workers/0/plan/0/do", "1", r#"one of "acquire""#),
        (
            with_resource(r#""id": "r", "guard": "Newer""#),
            "/resources/0/guard",
            "\"Newer\"",
            r#"one of "none", "check-then-write", "newer", "newer-or-equal", "same", "token-seq", "holder""#,
        ),
        (
            with_resource(r#""id": "r", "remembers": "never""#),
            "/resources/0/remembers",
            "\"never\"",
            r#"one of "durably", "in-memory""#,
        ),
        (
            with_lease(r#""id": "l", "ttl": "1s", "tokens": {"from": "uuid", "next": 3}"#),
            "/leases/0/tokens/from",
            "\"uuid\"",
            r#"one of "counter", "worker-clock", "random""#,
        ),
        (
            besides(r#""on_lease_lost": "crash""#),
            "/workers/0/on_lease_lost",
            "\"crash\"",
            r#"one of "continue", "stop""#,
        ),
        (
            with_step(r#""do": "check", "lease": "lock", "from": "granted""#),
            "/workers/0/plan/0/from",
            "\"granted\"",
            r#"one of "sent", "received""#,
        ),
    ] {
        refused(&document, path, found, allowed);
    }
}

#[test]
fn a_duration_is_text_with_units_and_says_what_is_wrong_with_it() {
    let words = "\"30s\", \"200ms\" or \"1m 30s\"";
    for (starts, found) in [
        ("30", "30"),
        ("1.5", "1.5"),
        ("null", "null"),
        ("\"30\"", "\"30\" (a unit is missing after a number)"),
        ("\"30 s\"", "\"30 s\" (a unit is missing after a number)"),
        ("\"30sec\"", "\"30sec\" (the units are us, ms, s, m, h, d)"),
        ("\"-1s\"", "\"-1s\" (a number is missing)"),
        ("\"\"", "\"\" (a number is missing)"),
        ("\"forever\"", "\"forever\" (a number is missing)"),
        ("\"0.5us\"", "\"0.5us\" (finer than a microsecond)"),
        ("\"30s 1m\"", "\"30s 1m\" (each unit must be smaller than the one before)"),
        ("\"999999999999d\"", "\"999999999999d\" (too long)"),
        ("\"3651d\"", "\"3651d\""),
        ("\"3650d 1us\"", "\"3650d 1us\""),
        ("\"1s\\u0000\\u202e\"", "\"1s\\u{0}\\u{202e}\" (a number is missing)"),
    ] {
        refused(&besides(&format!(r#""starts": {starts}"#)), "/workers/0/starts", found, words);
    }
}

#[test]
fn what_is_quoted_is_cut_to_forty_characters() {
    let long = format!("\"{}\"", "x".repeat(10_000));
    let found = format!("\"{}…\" (a number is missing)", "x".repeat(39));
    refused(&besides(&format!(r#""starts": {long}"#)), "/workers/0/starts", &found, "a duration");
}

#[test]
fn a_number_is_whole_and_written_in_digits_only() {
    let words = "a whole number from 0 to 9007199254740991, in digits only, for example 41";
    for (token, found) in [
        ("1.0", "1.0"),
        ("1e3", "1000.0"),
        ("41.5", "41.5"),
        ("-1", "-1"),
        ("\"41\"", "\"41\""),
        ("true", "true"),
        ("9007199254740992", "9007199254740992"),
        ("18446744073709551615", "18446744073709551615"),
    ] {
        refused(
            &with_resource(&format!(r#""id": "r", "initial": {{"token": {token}}}"#)),
            "/resources/0/initial/token",
            found,
            words,
        );
        let step = format!(r#""do": "write", "resource": "report", "value": "v", "token": {token}"#);
        refused(&with_step(&step), "/workers/0/plan/0/token", found, words);
    }
}
