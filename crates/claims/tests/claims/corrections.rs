//! Corrections: whatever is claimed falsely, wherever it stands, is put right, and not one byte beside it changes.
//!
//! True claims are taken from a run's own summary; some of their values are replaced; the correction has to give back the text
//! with the true ones, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{Library, false_claims, problems};
use fenceline_claims::{Form, check, corrected};
use fenceline_engine::{Decision, Ended, EndedBy, Guard, Kind, Reason, Scenario, Standing, Summary, run};
use proptest::prelude::*;
use serde_json::{Value, json};

fn summary_of(preset: &str, guard: Option<Guard>) -> Value {
    let mut scenario =
        Scenario::from_json(fenceline_presets::document(preset).expect("it is one")).expect("it is valid");
    if let Some(guard) = guard {
        scenario.resources.iter_mut().for_each(|resource| resource.guard = guard);
    }
    let trace = run(&scenario).expect("it runs");
    serde_json::from_str(&Summary::new(&scenario, &trace).to_json()).expect("a summary is JSON")
}

/// JSON as a person may have written it: values in their shortest form, between them whatever was drawn.
fn written(value: &Value, space: &str) -> String {
    match value {
        Value::Object(members) => {
            let member =
                |(name, value): (&String, &Value)| format!("{space}\"{name}\":{space}{}", written(value, space));
            format!("{{{}{space}}}", members.iter().map(member).collect::<Vec<_>>().join(&format!("{space},")))
        }
        Value::Array(items) if !items.iter().all(Value::is_string) => {
            let item = |item: &Value| format!("{space}{}", written(item, space));
            format!("[{}{space}]", items.iter().map(item).collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(ToString::to_string).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// A block in one of the places that Markdown has for it.
fn placed(block: &str, place: usize, line_end: &str) -> String {
    let (first, next, mark) =
        [("", "", ""), ("> ", "> ", "\u{feff}"), ("- ", "  ", ""), ("> 12. ", ">     ", "")][place % 4];
    let fence = ["```", "~~~~~"][place / 4 % 2];
    let lines: Vec<String> = block.lines().map(|line| format!("{next}{line}")).collect();
    let text = format!("{mark}# É\n\n{first}{fence}fenceline\n{}\n{next}{fence}\n\nafter “it”\n", lines.join("\n"));
    text.replace('\n', line_end)
}

/// Another value that may be claimed in place of one.
fn another(field: &str, index: usize) -> Value {
    let pick = |names: &[&str]| json!(names[index % names.len()]);
    match field {
        "decision" => pick(&Decision::ALL.map(Decision::name)),
        "reason" if index.is_multiple_of(2) => pick(&Reason::ALL.map(Reason::name)),
        "standing" => pick(&Standing::ALL.map(Standing::name)),
        "kind" => pick(&Kind::ALL.map(Kind::name)),
        "ended" => pick(&Ended::ALL.map(Ended::name)),
        "ended_by" if index.is_multiple_of(2) => pick(&EndedBy::ALL.map(EndedBy::name)),
        "reason" | "ended_by" => Value::Null,
        "flags" => [json!([]), json!(["stale_read"]), json!(["applied_twice", "overwrites_newer"])][index % 3].clone(),
        "lease" | "worker" | "resource" | "value" => [json!(""), json!("é \" \\ \n"), json!("B")][index % 3].clone(),
        field if field.starts_with("no-") || field.ends_with("-served") || field == "at-most-once" => {
            json!(index.is_multiple_of(2))
        }
        _ => json!(index),
    }
}

/// Replaces values of an `expect` at the places that the draws choose; tells how many claims are then false.
fn falsified(expect: &mut Value, draws: &[usize]) -> usize {
    let mut places: Vec<(String, String)> = Vec::new();
    for (list, entries) in expect.as_object().expect("it is one") {
        let entries: BTreeMap<String, &Value> = match entries {
            Value::Array(items) => items.iter().enumerate().map(|(at, item)| (format!("/{list}/{at}"), item)).collect(),
            object => [(format!("/{list}"), object)].into(),
        };
        for (at, entry) in entries {
            let named = ["write", "attempt", "copy", "number", "id"];
            let fields = entry.as_object().expect("it is one").keys().filter(|name| !named.contains(&name.as_str()));
            places.extend(fields.map(|field| (format!("{at}/{field}"), field.clone())));
        }
    }
    let truth = expect.clone();
    for draw in draws {
        let (place, field) = &places[draw % places.len()];
        *expect.pointer_mut(place).expect("it is there") = another(field, draw / places.len());
    }
    places.iter().filter(|(place, _)| truth.pointer(place) != expect.pointer(place)).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_false_claim_is_put_right_and_nothing_else_changes(
        preset in 0..fenceline_presets::ALL.len(),
        guard in proptest::option::of(0..Guard::ALL.len()),
        draws in proptest::collection::vec(any::<u16>().prop_map(usize::from), 0..8),
        place in 0..8_usize,
        space in prop_oneof![Just(""), Just(" "), Just("\n"), Just("\n  \t ")],
        line_end in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        let (preset, _) = fenceline_presets::ALL[preset];
        let guard = guard.map(|index| Guard::ALL[index]);
        let truth = summary_of(preset, guard);
        let mut claimed = truth.clone();
        let count = falsified(&mut claimed, &draws);
        let block = |expect: &Value| {
            let mut block = json!({ "preset": preset, "expect": expect });
            if let Some(guard) = guard {
                block["guard"] = guard.name().into();
            }
            placed(&written(&block, space), place, line_end)
        };
        let text = block(&claimed);
        let checked = check(&text, Form::Markdown, &Library);
        prop_assert_eq!((checked.blocks, problems(&checked)), (1, vec![]), "{}", text);
        prop_assert_eq!(checked.findings.len(), count, "{:?} in {}", false_claims(&checked), text);
        prop_assert_eq!(corrected(&text, &checked.edits()), block(&truth));
    }

    #[test]
    fn no_text_makes_it_panic(text in "(```fenceline\n|~~~\n|> |- |\\{|\\}|\\[|\\]|\"|:|,|\r|\n|é|\u{0}|expect|preset|version|1|\\\\u|\t| ){0,60}") {
        let checked = check(&text, Form::Markdown, &Library);
        prop_assert_eq!(corrected(&text, &checked.edits()), text.clone());
        check(&text, Form::Json, &Library);
        fenceline_claims::is_meant(&text);
    }
}

#[test]
fn every_worked_case_passes_as_the_file_that_it_is() {
    for folder in ["cases", "cases-more"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine").join(folder);
        let mut count = 0;
        for entry in fs::read_dir(&folder).expect("there are cases") {
            let path = entry.expect("it can be listed").path();
            let text = fs::read_to_string(&path).expect("it can be read");
            let checked = check(&text, Form::Json, &Library);
            assert_eq!((problems(&checked), false_claims(&checked)), (vec![], vec![]), "{}", path.display());
            assert!(checked.claims >= 6 && fenceline_claims::is_meant(&text), "{}: {}", path.display(), checked.claims);
            count += 1;
        }
        assert!(count >= 20, "{count} in {}", folder.display());
    }
}

/// `A/3#1.0 rejected token-older superseded [already_applied]`, as a claim.
fn claim_of(line: &str) -> Value {
    let (line, flags) = line.strip_suffix(']').map_or((line, ""), |line| line.split_once(" [").expect("flags"));
    let flags: Vec<&str> = flags.split(", ").filter(|flag| !flag.is_empty()).collect();
    let mut words = line.split(' ').rev();
    let (standing, last) = (words.next().expect("a standing"), words.next().expect("a decision"));
    let reason = Reason::ALL.map(Reason::name).contains(&last).then_some(last);
    let (arrival, _) = line
        .rsplit_once(if reason.is_some() { " rejected" } else { &line[line.len() - standing.len() - last.len() - 2..] })
        .expect("an arrival");
    let (write, numbers) = arrival.rsplit_once('#').expect("which arrival");
    let (attempt, copy) = numbers.split_once('.').expect("attempt and copy");
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let decision = if reason.is_some() { "rejected" } else { last };
    json!({ "write": write, "attempt": number(attempt), "copy": number(copy), "decision": decision, "reason": reason,
            "standing": standing, "flags": flags })
}

#[test]
fn every_preset_passes_with_what_the_library_says_of_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../presets/library.json");
    let library: Value = serde_json::from_str(&fs::read_to_string(path).expect("it is there")).expect("it is JSON");
    let presets = library["presets"].as_array().expect("a list");
    assert_eq!(presets.len(), fenceline_presets::ALL.len());
    for preset in presets {
        let said = &preset["expect"];
        let lines = said["writes"].as_array().expect("a list");
        let texts = |value: &Value| -> Vec<(String, String)> {
            let members = value.as_object().expect("an object").iter();
            members.map(|(name, value)| (name.clone(), value.as_str().expect("a text").to_owned())).collect()
        };
        let fails: Vec<&str> = said["fails"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let properties: BTreeMap<&str, bool> =
            fenceline_engine::Property::ALL.map(|of| (of.name(), !fails.contains(&of.name()))).into();
        let expect = json!({
            "counts": { "decisions": lines.len() },
            "writes": lines.iter().map(|line| claim_of(line.as_str().expect("a text"))).collect::<Vec<_>>(),
            "properties": properties,
            "resources": texts(&said["values"]).iter().map(|(id, value)| json!({ "id": id, "value": value })).collect::<Vec<_>>(),
            "workers": texts(&said["ended"]).iter().map(|(id, ended)| json!({ "id": id, "ended": ended })).collect::<Vec<_>>(),
        });
        let id = preset["id"].as_str().expect("a text");
        let mut document: Value =
            serde_json::from_str(fenceline_presets::document(id).expect("it is one")).expect("JSON");
        document["expect"] = expect;
        let checked = check(&document.to_string(), Form::Json, &Library);
        assert_eq!((problems(&checked), false_claims(&checked)), (vec![], vec![]), "{id}");
        assert!(checked.claims >= 6 + 4 * lines.len(), "{id}: {} claims", checked.claims);
    }
}
