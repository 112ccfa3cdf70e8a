//! What is typed into a field, put into the document: the new scenario, or in words why there is none.

use fenceline_engine::{
    Entry, Fields, Micros, Scenario, format_duration, format_signed_duration, parse_duration, parse_signed_duration,
};

use super::rows::{Field, FieldKind};
use crate::edit::{self, Kind, sentence, sound};
use crate::step::stride;

/// The scenario in which a field holds what was typed.
///
/// # Errors
/// In a sentence, what was found and what is allowed.
pub fn typed(scenario: &Scenario, field: &Field, text: &str) -> Result<Scenario, String> {
    let of_time = matches!(field.kind, FieldKind::Time | FieldKind::Signed);
    let spelled = if of_time { spelled(text) } else { text.to_owned() };
    let given = spelled.trim();
    // A field that has a default, or that may be empty, says nothing when it is empty.
    let says_nothing = given.is_empty() && field.default.as_deref() != Some("");
    let put = |entry: Entry| scenario.with_field(&field.pointer, entry);
    let is_said =
        || Fields::of(scenario).get(&field.pointer).or_else(|| field.default.clone()).as_deref() == Some(given);
    let changed = match &field.kind {
        // To choose what is chosen would put back what goes with the choice.
        FieldKind::StepKind(..) | FieldKind::Tokens(_) if is_said() => Ok(scenario.clone()),
        FieldKind::Name(part) if edit::is_taken(scenario, *part, given) => {
            return Err(["There is another one that is called ", given, ". Each has a name of its own."].concat());
        }
        FieldKind::Name(part) => sound(edit::rename(scenario, *part, given)),
        FieldKind::StepKind(worker, step) => {
            let turned = Kind::from_name(given).and_then(|kind| edit::turn_into(scenario, *worker, *step, kind));
            sound(turned.ok_or("There is no lease or resource that such a step could name. Add one first.")?)
        }
        FieldKind::Tokens(lease) => {
            let source = match given {
                "worker-clock" => r#"{ "from": "worker-clock" }"#,
                "random" => r#"{ "from": "random", "seed": 1 }"#,
                _ => "{}",
            };
            scenario.with_field(&format!("/leases/{lease}/tokens"), Entry::Json(source))
        }
        FieldKind::Flag if field.default.as_deref() == Some(given) => put(Entry::Nothing),
        FieldKind::Flag => put(Entry::Flag(given == "true")),
        FieldKind::Text | FieldKind::Long if field.default.is_some() => put(Entry::Text(text)),
        FieldKind::Choice(_) if given.is_empty() => put(Entry::Nothing),
        _ if says_nothing => put(Entry::Nothing),
        FieldKind::Whole(_) => put(Entry::Whole(given)),
        FieldKind::Text | FieldKind::Long => put(Entry::Text(text)),
        FieldKind::Time | FieldKind::Signed | FieldKind::Choice(_) => put(Entry::Text(given)),
    };
    changed.and_then(sound).map_err(|problems| sentence(&problems, &field.pointer))
}

/// A duration as a document spells it, from one as a person types it or reads it on the page: `5`, `5 s` and `−5 s` too.
fn spelled(text: &str) -> String {
    let text = text.trim().replace('−', "-");
    let number = |text: &str| text.strip_prefix('-').unwrap_or(text).parse::<f64>().is_ok();
    if number(&text) && !text.contains(['e', 'E', 'i', 'n', 'N']) {
        return text + "s";
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let before = out.chars().next_back();
        let is_between = before.is_some_and(|before| before.is_ascii_digit())
            && characters.peek().is_some_and(char::is_ascii_alphabetic);
        if !(c == ' ' && is_between) {
            out.push(c);
        }
    }
    out
}

/// What a field holds after a press on one of the buttons beside it; none when it holds no number. An empty field goes
/// on from what it then means. `axis_step` is the step of a handle on the timeline.
pub fn pressed(field: &Field, text: &str, by: i64, axis_step: Micros) -> Option<String> {
    let given = text.trim();
    let given = if given.is_empty() { field.usual.as_str() } else { given };
    match field.kind {
        FieldKind::Whole(step) => {
            let value: i64 = if given.is_empty() { 0 } else { given.parse().ok()? };
            Some(value.saturating_add(by.saturating_mul(i64::from(step))).to_string())
        }
        FieldKind::Time => {
            let value = if given.is_empty() { 0 } else { parse_duration(given).ok()? };
            let step = step_for(value, axis_step);
            let steps = crate::command::Stride::Steps(by as i32);
            let to = stride(value as i64, steps, step, 0, fenceline_engine::scenario::MAX_MICROS as i64);
            Some(format_duration(to.unsigned_abs()))
        }
        FieldKind::Signed => {
            let value = if given.is_empty() { 0 } else { parse_signed_duration(given).ok()? };
            let step = step_for(value.unsigned_abs(), axis_step) as i64;
            Some(format_signed_duration(value.saturating_add(by.saturating_mul(step))))
        }
        _ => None,
    }
}

/// A step that does not leap over a small value: at most a tenth to the whole of it, at most that of the timeline.
const fn step_for(value: Micros, axis_step: Micros) -> Micros {
    if value == 0 {
        return axis_step;
    }
    let own = 10_u64.pow(value.ilog10());
    if own < axis_step { own } else { axis_step }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::rows::{Row, rows};
    use super::*;
    use crate::app::OPENING;
    use crate::edit::act;
    use crate::editor::Editor;
    use crate::selection::Part;

    fn opening() -> Scenario {
        Scenario::from_json(OPENING).unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    fn field_at(scenario: &Scenario, part: Option<Part>, pointer: &str) -> Field {
        let found = rows(scenario, part).into_iter().find_map(|row| match row {
            Row::Field(field) if field.pointer == pointer => Some(field),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no field at {pointer}"))
    }

    #[test]
    fn a_duration_is_read_as_a_person_types_it() {
        for (text, expected) in [
            ("5", "5s"),
            (" 5.25 ", "5.25s"),
            ("5 s", "5s"),
            ("1 m 30 s", "1m 30s"),
            ("−5 s", "-5s"),
            ("-0.5", "-0.5s"),
            ("250ms", "250ms"),
            ("five", "five"),
            ("1e3", "1e3"),
            ("inf", "inf"),
            ("", ""),
        ] {
            assert_eq!(spelled(text), expected, "{text}");
        }
    }

    fn after(part: Option<Part>, pointer: &str, text: &str) -> Result<Scenario, String> {
        typed(&opening(), &field_at(&opening(), part, pointer), text)
    }

    #[test]
    fn what_is_typed_stands_in_the_document() {
        let longer = after(Some(Part::Lease(0)), "/leases/0/ttl", " 45s ").expect("a duration");
        assert_eq!(longer.leases[0].ttl, 45_000_000);
        let late = after(Some(Part::Step(0, 2)), "/workers/0/plan/2/sends/0/reply_delay", "2s").expect("a duration");
        let Some(exchange) = late.workers[0].plan[2].exchange() else { panic!("a write sends") };
        assert_eq!(exchange.sends[0].reply_delay, Some(2_000_000));
        let behind = after(Some(Part::Worker(0)), "/workers/0/clock/offset", "-2s").expect("an offset");
        assert_eq!(behind.workers[0].clock.offset, -2_000_000);
    }

    #[test]
    fn an_empty_field_says_nothing_where_it_may_and_is_refused_where_it_may_not() {
        let usual = after(Some(Part::Step(0, 2)), "/workers/0/plan/2/sends/0/delay", "").expect("it may be empty");
        let Some(exchange) = usual.workers[0].plan[2].exchange() else { panic!("a write sends") };
        assert_eq!(exchange.sends[0].delay, None);
        assert!(after(Some(Part::Lease(0)), "/leases/0/ttl", "").is_err());
        let empty = after(Some(Part::Step(0, 2)), "/workers/0/plan/2/value", "").expect("a value may be empty");
        assert_eq!(empty.check(), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_what_was_found_and_what_is_allowed() {
        let error = after(Some(Part::Lease(0)), "/leases/0/ttl", "soon").expect_err("no duration");
        assert!(error.starts_with("Not allowed: \"soon\""), "{error}");
        assert!(error.contains("Allowed: a duration above"), "{error}");
        let error = after(Some(Part::Resource(0)), "/resources/0/initial/token", "4x").expect_err("no number");
        assert!(error.starts_with("Not allowed: \"4x\""), "{error}");
        let mut two = opening();
        two.leases.push(fenceline_engine::scenario::Lease::new("other", 1));
        let name = field_at(&two, Some(Part::Lease(1)), "/leases/1/id");
        assert!(typed(&two, &name, "report-lock").is_err(), "two leases of one name");
    }

    #[test]
    fn a_name_and_a_kind_of_step_can_be_typed_too() {
        let renamed = after(Some(Part::Resource(0)), "/resources/0/id", "paper").expect("a name");
        assert_eq!(renamed.resources[0].id, "paper");
        let read = after(Some(Part::Step(0, 2)), "/workers/0/plan/2/do", "read").expect("a kind");
        assert_eq!(read.workers[0].plan[2].name(), "read");
        let clock = after(Some(Part::Lease(0)), "/leases/0/tokens/from", "worker-clock").expect("a source");
        assert_eq!(clock.leases[0].tokens, fenceline_engine::scenario::TokenSource::WorkerClock);
    }

    #[test]
    fn the_buttons_beside_a_number_go_one_step_each_way() {
        let press =
            |part, pointer: &str, text: &str, by| pressed(&field_at(&opening(), part, pointer), text, by, 100_000);
        let ttl = |text, by| press(Some(Part::Lease(0)), "/leases/0/ttl", text, by);
        assert_eq!(ttl("30s", 1).as_deref(), Some("30.1s"));
        assert_eq!(ttl("30s", -1).as_deref(), Some("29.9s"));
        assert_eq!(ttl("350us", 1).as_deref(), Some("400us"), "a small value in small steps");
        assert_eq!(ttl("0s", -1).as_deref(), Some("0s"));
        assert_eq!(ttl("forever", 1), None);
        let offset = press(Some(Part::Worker(0)), "/workers/0/clock/offset", "0s", -1);
        assert_eq!(offset.as_deref(), Some("-0.1s"));
        let token = press(Some(Part::Lease(0)), "/leases/0/tokens/next", "41", -1);
        assert_eq!(token.as_deref(), Some("40"));
        let drift = press(Some(Part::Worker(0)), "/workers/0/clock/drift_ppm", "0", -1);
        assert_eq!(drift.as_deref(), Some("-100"));
        // The network of the opening story takes 200 ms where nothing else is said.
        let reply = |text, by| press(Some(Part::Step(0, 2)), "/workers/0/plan/2/sends/0/reply_delay", text, by);
        assert_eq!(reply("", 1).as_deref(), Some("0.3s"), "from what an empty field means");
        assert_eq!(reply("5s", 1).as_deref(), Some("5.1s"));
    }

    #[test]
    fn every_button_of_every_part_gives_a_sound_document_or_a_reason() {
        let scenario = opening();
        let parts =
            [None, Some(Part::Lease(0)), Some(Part::Resource(0)), Some(Part::Worker(0)), Some(Part::Pause(0, 0))];
        let steps = (0..3).map(|step| Some(Part::Step(0, step)));
        for part in parts.into_iter().chain(steps) {
            for row in rows(&scenario, part) {
                let Row::Actions(actions) = row else { continue };
                for (action, words) in actions {
                    match act(&scenario, part, &action) {
                        Ok((changed, then)) => {
                            assert_eq!(Editor::problems(&changed), [], "{words}");
                            assert!(then.is_none_or(|then| then.is_in(&changed)), "{words}");
                        }
                        Err(reason) => assert!(reason.starts_with("It is the "), "{words}: {reason}"),
                    }
                }
            }
        }
    }
}
