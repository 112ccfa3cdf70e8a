//! Windows, claimed at random and put right: what then stands there is held against runs at the values around its ends.

use fenceline_claims::{Form, check, corrected};
use fenceline_engine::{Knob, Property, Scenario, Turn, parse_signed_duration, run};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{Library, false_claims, problems};

/// Whether a property is as claimed when the knob stands at a value; a document that is invalid there claims nothing.
fn is_so(scenario: &Scenario, knob: &Knob, at: i64, property: Property, holds: bool) -> bool {
    let mut turned = scenario.clone();
    knob.turn(&mut turned, at);
    // Read again, so that what no document may say is refused.
    let read = Scenario::from_json(&turned.to_json());
    read.is_ok_and(|scenario| run(&scenario).is_ok_and(|trace| trace.property(property).holds() == holds))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn a_window_that_was_put_right_is_the_one_that_runs_show(
        preset in 0..fenceline_presets::ALL.len(),
        knob in any::<prop::sample::Index>(),
        property in 0..Property::ALL.len(),
        holds in any::<bool>(),
        from in proptest::option::of(0..60_000_i64),
        length in proptest::option::of(1..60_000_i64),
    ) {
        let (preset, document) = fenceline_presets::ALL[preset];
        let scenario = Scenario::from_json(document).expect("it is valid");
        let knobs = Knob::all(&scenario);
        let (knob, property) = (knob.get(&knobs), Property::ALL[property]);
        let (least, most) = knob.limits();
        let mut window = json!({ "knob": knob.pointer(), "property": property.name(), "holds": holds });
        if let Some(from) = from {
            window["from"] = format!("{}ms", from.max(1)).into();
        }
        if let Some(length) = length {
            window["to"] = format!("{}ms", from.unwrap_or(0) + length + 1).into();
        }
        let text = json!({ "preset": preset, "expect": { "windows": [window] } }).to_string();
        let checked = check(&text, Form::Json, &Library);
        prop_assume!(checked.problems.is_empty() && checked.findings.iter().all(|found| found.mendable));
        let right = corrected(&text, &checked.edits());
        let again = check(&right, Form::Json, &Library);
        prop_assert_eq!((problems(&again), false_claims(&again), again.claims), (vec![], vec![], 1), "{}", right);

        let right: Value = serde_json::from_str(&right).expect("it is still JSON");
        let window = &right["expect"]["windows"][0];
        let edge = |name: &str, or: i64| match window[name].as_str() {
            None | Some("forever") => or,
            Some(text) => parse_signed_duration(text).expect("a duration"),
        };
        if window["from"] == "never" {
            for at in [least, 1, 1_000_000, 30_000_000, 3_600_000_000] {
                prop_assert!(!is_so(&scenario, knob, at, property, holds), "at {}: {}", at, window);
            }
            return Ok(());
        }
        let (start, end) = (edge("from", least), edge("to", most + 1));
        for at in [start, start + (end - start) / 2, end - 1] {
            // Beyond what adds up to too much, and where a run would have too many events, nothing can be run.
            if at < 86_400_000_000 {
                prop_assert!(is_so(&scenario, knob, at, property, holds), "at {}: {}", at, window);
            }
        }
        for at in [start - 1, end] {
            prop_assert!(at < least || at > most || !is_so(&scenario, knob, at, property, holds), "at {}: {}", at, window);
        }
    }
}
