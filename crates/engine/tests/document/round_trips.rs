//! Round trips: what is written reads back as it was, from the worked cases to random scenarios.

use std::path::Path;

use fenceline_engine::scenario::{MAX_MICROS, Step};
use fenceline_engine::{
    Micros, Scenario, format_duration, format_signed_duration, parse_duration, parse_signed_duration,
};
use proptest::prelude::*;

use super::{generate, read};

#[test]
fn every_worked_case_is_read_and_comes_back_as_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the cases are there") {
        let file = entry.expect("the folder can be listed").path();
        let case = std::fs::read_to_string(&file).expect("a case is text");
        let case: serde_json::Value = serde_json::from_str(&case).expect("a case is JSON");
        let scenario = read(&case["scenario"].to_string());
        assert_eq!(scenario.title, case["scenario"]["title"], "{}", file.display());
        assert_eq!(scenario.workers.len(), case["scenario"]["workers"].as_array().map_or(0, Vec::len));
        assert_eq!(scenario.validate(), [], "{}", file.display());
        assert_eq!(read(&scenario.to_json()), scenario, "{}", file.display());
        count += 1;
    }
    assert_eq!(count, 21);
}

/// Any text, control characters, quotes and direction marks among it.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-z ]{0,12}", 1 => "[\\x00-\\x2f\\x5c\\x7f\u{2028}\u{202e}\u{1f980}é]{0,12}", 1 => any::<String>()]
}

fn id() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_. -]{1,32}"
}

/// A random valid scenario whose texts, ids and times are anything they may be.
fn any_document() -> impl Strategy<Value = Scenario> {
    let times = prop::collection::vec(0..=MAX_MICROS, 4);
    let texts = prop::collection::vec(text(), 6);
    (generate::any_scenario(), texts, times, id(), any::<bool>()).prop_map(
        |(mut scenario, texts, times, prefix, spread)| {
            let rename = |id: &mut String| *id = format!("{prefix}{id}").chars().take(40).collect();
            scenario.title.clone_from(&texts[0]);
            scenario.about.clone_from(&texts[1]);
            scenario.network.delay = times[0];
            // Prefixes are at most 32 characters and the generator's ids at most 10, of which the last one tells them apart.
            if prefix.len() <= 30 {
                scenario.leases.iter_mut().for_each(|lease| rename(&mut lease.id));
                scenario.resources.iter_mut().for_each(|resource| rename(&mut resource.id));
            }
            let renamed = prefix.len() <= 30;
            for lease in &mut scenario.leases {
                lease.lock_delay = if spread { times[1] } else { lease.lock_delay };
            }
            for resource in &mut scenario.resources {
                resource.initial.value.clone_from(&texts[2]);
                resource.restarts.extend(spread.then_some(times[2]));
            }
            for worker in &mut scenario.workers {
                worker.clock.offset -= if spread { times[3] as i64 / 2 } else { 0 };
                for step in &mut worker.plan {
                    match step {
                        Step::Acquire { lease, .. } | Step::Check { lease, .. } | Step::Release { lease, .. }
                            if renamed =>
                        {
                            rename(lease);
                        }
                        Step::Read { resource, .. } if renamed => rename(resource),
                        Step::Establish { resource, lease, .. } if renamed => {
                            rename(resource);
                            lease.iter_mut().for_each(rename);
                        }
                        Step::Write(write) => {
                            write.value.clone_from(&texts[3]);
                            write.key = write.key.is_some().then(|| texts[4].clone());
                            if renamed {
                                rename(&mut write.resource);
                                write.lease.iter_mut().for_each(rename);
                            }
                        }
                        Step::Work { label, .. } => label.clone_from(&texts[5]),
                        _ => {}
                    }
                }
            }
            scenario
        },
    )
}

/// A duration near the edges of units, or anywhere.
fn micros() -> impl Strategy<Value = Micros> {
    let unit = prop::sample::select(vec![1_u64, 1_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000]);
    prop_oneof![
        any::<u64>(),
        0..=MAX_MICROS,
        (0..2_000_u64, unit.clone(), 0..2_000_u64, unit).prop_map(|(n, unit, m, other)| n * unit + m * other),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_scenario_comes_back_as_it_was(scenario in any_document()) {
        prop_assert_eq!(scenario.validate(), []);
        let written = scenario.to_json();
        let back = Scenario::from_json(&written);
        prop_assert_eq!(back.as_ref(), Ok(&scenario), "{}", written);
        prop_assert_eq!(back.map(|scenario| scenario.to_json()), Ok(written));
    }

    #[test]
    fn a_random_scenario_loses_nothing_by_the_field_order_of_other_writers(scenario in any_document()) {
        // serde_json's own value sorts fields by name.
        let sorted: serde_json::Value = serde_json::from_str(&scenario.to_json()).expect("what is written is JSON");
        prop_assert_eq!(Scenario::from_json(&sorted.to_string()), Ok(scenario));
    }

    #[test]
    fn a_duration_comes_back_to_the_microsecond(us in micros()) {
        prop_assert_eq!(parse_duration(&format_duration(us)), Ok(us));
    }

    #[test]
    fn a_signed_duration_comes_back_to_the_microsecond(us in any::<i64>()) {
        prop_assert_eq!(parse_signed_duration(&format_signed_duration(us)), Ok(us));
    }

    #[test]
    fn no_way_to_write_a_duration_in_one_unit_or_in_whole_units_is_shorter(us in micros()) {
        let written = format_duration(us);
        for other in plain_forms(us) {
            prop_assert_eq!(parse_duration(&other), Ok(us));
            prop_assert!(written.len() <= other.len(), "{} is longer than {}", written, other);
            prop_assert!(written.len() < other.len() || !written.contains('.') || other.contains('.'), "{} has a point, {} has none", written, other);
        }
    }
}

/// The duration in each single unit, with decimals where they end, and in the largest units that fit.
fn plain_forms(us: Micros) -> Vec<String> {
    let units =
        [("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];
    let mut forms = Vec::new();
    for (name, unit) in units {
        // Thirteen decimals are exact for every unit where any number of decimals is.
        let scaled = u128::from(us) * 10_u128.pow(13);
        if scaled.is_multiple_of(unit) {
            let (whole, decimals) = (scaled / unit / 10_u128.pow(13), scaled / unit % 10_u128.pow(13));
            let decimals = format!("{decimals:013}");
            let decimals = decimals.trim_end_matches('0');
            let point = if decimals.is_empty() { "" } else { "." };
            forms.push(format!("{whole}{point}{decimals}{name}"));
        }
    }
    for first in 0..units.len() {
        let mut rest = u128::from(us);
        let mut parts = Vec::new();
        for (name, unit) in &units[first..] {
            if rest >= *unit {
                parts.push(format!("{}{name}", rest / unit));
                rest %= unit;
            }
        }
        if !parts.is_empty() {
            forms.push(parts.join(" "));
        }
    }
    forms
}

#[test]
fn a_document_at_the_limit_of_its_size_comes_back_though_its_layout_would_not_fit() {
    let step = r#"{"do":"until","at":"0s"}"#;
    let plan = vec![step; 256].join(",");
    let workers: Vec<String> = (0..64).map(|n| format!(r#"{{"id":"{n}","plan":[{plan}]}}"#)).collect();
    let body = format!(r#","workers":[{}]}}"#, workers.join(","));
    let head = r#"{"version":1,"title":""#;
    let title = "t".repeat(1_048_576 - head.len() - 1 - body.len());
    let document = format!("{head}{title}\"{body}");
    assert_eq!(document.len(), 1_048_576);
    let scenario = read(&document);
    assert_eq!(scenario.to_json(), document);
}
