//! A scenario with what documentation puts around it.

use fenceline_engine::{AROUND, Guard, Scenario, ScenarioError};

const WITHIN: &str = r#""version": 1, "title": "Mine", "resources": [{"id": "report", "guard": "newer"}]"#;

fn sheet(text: &str) -> (Scenario, Vec<&'static str>) {
    Scenario::from_sheet(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

fn refused(text: &str) -> Vec<String> {
    let errors = Scenario::from_sheet(text).expect_err(text);
    errors.into_iter().map(|ScenarioError { path, found, .. }| format!("{path}: {found}")).collect()
}

#[test]
fn what_stands_around_a_scenario_is_set_aside_and_told() {
    let alone = Scenario::from_json(&format!("{{{WITHIN}}}")).expect("a scenario");
    let around = r#""expect": {"verdict": "fenced"}, "caption": "A picture""#;
    for text in [
        format!("{{{around}, {WITHIN}}}"),
        format!("{{{WITHIN}, {around}}}"),
        format!(r#"{{"scenario": {{{WITHIN}}}, {around}}}"#),
    ] {
        assert_eq!(sheet(&text), (alone.clone(), vec!["caption", "expect"]), "{text}");
        let (newer, passed_over) = Scenario::from_newer_json(&text).expect("a link opens too");
        assert_eq!((newer, passed_over), (alone.clone(), Vec::<String>::new()), "{text}");
    }
    // Whatever is claimed: it is not judged here.
    let (scenario, set_aside) =
        sheet(&format!(r#"{{{WITHIN}, "expect": 7, "name": null, "why": [], "theme": "pink"}}"#));
    assert_eq!((scenario, set_aside), (alone.clone(), vec!["name", "why", "theme", "expect"]));
    // A document with nothing around it is read as it is.
    assert_eq!(sheet(&format!("{{{WITHIN}}}")), (alone, vec![]));
}

#[test]
fn a_guard_around_a_scenario_takes_the_place_of_its_own() {
    for text in
        [format!(r#"{{"guard": "none", {WITHIN}}}"#), format!(r#"{{"guard": "none", "scenario": {{{WITHIN}}}}}"#)]
    {
        let (scenario, set_aside) = sheet(&text);
        assert_eq!(scenario.resources[0].guard, Guard::None, "{text}");
        assert!(set_aside.is_empty(), "it is not lost: {set_aside:?}");
    }
}

#[test]
fn what_is_wrong_with_a_sheet_is_told_by_its_places_in_the_document() {
    let twice = format!(r#"{{{WITHIN}, "expect": {{}}, "expect": {{}}}}"#);
    assert_eq!(refused(&twice), [r#"/expect: the field "expect" 2 times"#]);
    let unknown = format!(r#"{{"scenario": {{{WITHIN}, "more": 1}}, "guard": "old", "also": 2}}"#);
    let wanted =
        [r#"/scenario/more: an unknown field "more""#, r#"/guard: "old""#, r#"/also: an unknown field "also""#];
    assert_eq!(refused(&unknown), wanted);
    let (_, passed_over) =
        Scenario::from_newer_json(&unknown.replace("old", "none")).expect("a link of a later version");
    assert_eq!(passed_over, ["/also", "/scenario/more"]);
    assert_eq!(refused(r#"{"preset": "paused-worker", "expect": {}}"#), [r#"/preset: "paused-worker""#]);
    assert_eq!(refused(r#"{"file": "story.json", "guard": "none"}"#), [r#"/file: "story.json""#]);
    let deep = format!(r#"{{{WITHIN}, "expect": {}1{}}}"#, "[".repeat(100), "]".repeat(100));
    assert!(refused(&deep)[0].contains("nested"), "{:?}", refused(&deep));
    let many = (0..300).map(|at| format!(r#""f{at}": 0, "#)).collect::<Vec<_>>().concat();
    assert_eq!(refused(&format!("{{{many}{WITHIN}}}")), [": an object with 303 fields"]);
}

#[test]
fn what_is_no_sheet_is_refused_as_any_document_is() {
    for text in ["", "7", "[]", "{}", r#"{"version": 2}"#, r#"{"version": 1, "claims": {}}"#, r#"{"scenario"#] {
        assert_eq!(Scenario::from_sheet(text).map(|(scenario, _)| scenario), Scenario::from_json(text), "{text}");
    }
}

#[test]
fn no_field_of_a_scenario_is_one_that_may_stand_around_it() {
    for name in AROUND {
        let errors = Scenario::from_json(&format!(r#"{{"version": 1, "{name}": 1}}"#)).expect_err("not its own field");
        assert_eq!(errors[0].found, format!("an unknown field \"{name}\""));
    }
}
