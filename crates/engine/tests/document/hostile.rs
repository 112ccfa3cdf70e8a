//! Hostile documents: whatever the text is, the answer is a scenario that keeps the rules, or errors; never a panic.

use fenceline_engine::{Scenario, parse_duration, parse_signed_duration};
use proptest::prelude::*;

use super::generate;

/// Reads a text, and holds the answer against what is promised about it.
fn check(text: &str) -> Result<(), TestCaseError> {
    match Scenario::from_json(text) {
        Ok(scenario) => {
            prop_assert_eq!(scenario.validate(), []);
            prop_assert_eq!(Scenario::from_json(&scenario.to_json()), Ok(scenario));
        }
        Err(errors) => {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(!error.found.is_empty() && !error.allowed.is_empty());
                prop_assert!(error.path.is_empty() || error.path.starts_with('/'));
                prop_assert!(!error.found.chars().any(char::is_control), "{:?}", error.found);
                prop_assert!(!error.allowed.chars().any(char::is_control), "{:?}", error.allowed);
            }
        }
    }
    Ok(())
}

/// JSON of any shape that uses the words of a document, so that it gets past the first look.
fn json() -> impl Strategy<Value = String> {
    let word = || {
        prop::sample::select(vec![
            "version",
            "title",
            "network",
            "delay",
            "leases",
            "id",
            "ttl",
            "tokens",
            "from",
            "next",
            "seed",
            "failovers",
            "at",
            "resources",
            "guard",
            "initial",
            "token",
            "value",
            "restarts",
            "workers",
            "plan",
            "pauses",
            "for",
            "do",
            "lease",
            "resource",
            "sends",
            "retry",
            "after",
            "attempts",
            "copies",
            "clock",
            "offset",
            "drift_ppm",
            "acquire",
            "write",
            "read",
            "check",
            "work",
            "until",
            "release",
            "establish",
            "random",
            "counter",
            "30s",
            "-1s",
            "forever",
            "A",
        ])
    };
    let leaf = prop_oneof![
        Just("null".to_string()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("JSON has finite numbers", |number| number.is_finite())
            .prop_map(|number| format!("{number:?}")),
        word().prop_map(|word| format!("\"{word}\"")),
        any::<String>().prop_map(|text| serde_json::Value::from(text).to_string()),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((word(), inner), 0..8).prop_map(|members| {
                let members: Vec<String> =
                    members.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// What a mutation puts into a document.
fn snippet() -> impl Strategy<Value = String> {
    let usual = prop::sample::select(vec![
        "",
        "0",
        "-1",
        "1.5",
        "1e999",
        "9007199254740992",
        "null",
        "true",
        "\"\"",
        "\"0s\"",
        "\"-1s\"",
        "\"3651d\"",
        "\"forever\"",
        "[]",
        "{}",
        "[[[[",
        "\\",
        "\"",
        ",",
        ":",
        "}",
        "\\u0000",
        "id",
        "do",
        "\"lease-0\"",
    ]);
    prop_oneof![5 => usual.prop_map(String::from), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn any_bytes_that_are_text_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_json_is_answered(text in json()) {
        check(&text)?;
        check(&format!(r#"{{"version":1,"leases":[{text}],"resources":[{text}],"workers":[{text}]}}"#))?;
        let plan = format!(r#"{{"version":1,"workers":[{{"id":"A","plan":[{text}],"pauses":[{text}],"clock":{text}}}]}}"#);
        check(&plan)?;
    }

    #[test]
    fn a_document_with_something_else_in_a_place_is_answered(
        scenario in generate::any_scenario(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), snippet()), 1..4),
    ) {
        let mut text = scenario.to_json();
        for (place, snippet) in edits {
            // Values begin after a colon, a bracket or a comma, and end before the next of these.
            let starts: Vec<usize> = text.char_indices().filter(|(_, c)| ":[,".contains(*c)).map(|(at, _)| at + 1).collect();
            if starts.is_empty() {
                break;
            }
            let start = starts[place.index(starts.len())];
            let length = text[start..].find([',', ']', '}', ':']).unwrap_or(0);
            text.replace_range(start..start + length, &snippet);
        }
        check(&text)?;
    }

    #[test]
    fn a_document_cut_off_anywhere_is_refused(scenario in generate::any_scenario(), place in any::<prop::sample::Index>()) {
        let text = scenario.to_json();
        let cut = &text[..text.floor_char_boundary(place.index(text.len()))];
        prop_assert!(Scenario::from_json(cut).is_err());
        check(cut)?;
    }

    #[test]
    fn any_text_is_a_duration_or_none(text in any::<String>(), close in "[-+]?[0-9.]{1,30} ?[dhmsu]{1,2} ?[0-9.]{0,3}[dhmsu]{0,2}") {
        for text in [text, close] {
            if let Ok(us) = parse_duration(&text) {
                prop_assert_eq!(parse_signed_duration(&text).ok(), i64::try_from(us).ok());
            }
        }
    }
}

#[test]
fn a_document_full_of_one_mistake_is_answered_in_a_moment() {
    let half = "1,".repeat(260_000);
    let list = format!(r#"{{"version": 1, "resources": [{{"id": "r", "restarts": [{half}1]}}]}}"#);
    assert_eq!(Scenario::from_json(&list).map_err(|errors| errors.len()), Err(260_001));

    let fields: Vec<String> = (0..90_000).map(|n| format!("\"{n}\":1")).collect();
    let object = format!(r#"{{{}, "version": 1}}"#, fields.join(","));
    assert_eq!(Scenario::from_json(&object).map_err(|errors| errors.len()), Err(1));

    let workers = format!(r#"{{"version": 1, "workers": [{half}1]}}"#);
    // One for each worker that is read, and one for how many there are.
    assert_eq!(Scenario::from_json(&workers).map_err(|errors| errors.len()), Err(65));
}

#[test]
fn an_error_is_one_line_of_what_can_be_seen_whatever_its_field_is_called() {
    let errors = Scenario::from_json("{\"version\": 1, \"a\\n\\u001b[2J\u{202e}\u{7f}\": 1}")
        .expect_err("there is no such field");
    let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert!(told.len() == 1 && told[0].starts_with("/a\\n\\u{1b}[2J\\u{202e}\\u{7f}: found "), "{told:?}");
    assert!(errors[0].path.starts_with("/a\n"), "the place itself is as it is");
}
