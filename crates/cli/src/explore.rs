//! What could have been: windows, margins and the search, in words and as JSON.

use std::fmt::Write as _;
use std::ops::Range;

use fenceline_engine::{
    Bounds, Edge, Knob, Least, Margin, Progress, Property, Scenario, Search, Sign, Signature, Window,
    format_signed_duration, margins, visible, visible_json, windows_within,
};
use serde_json::{Value, json};

use crate::failure::Failure;

/// How many combinations a search goes through between two looks at where it stands.
const SLICE: u32 = 10_000;

/// How much work the windows of one knob may take, in events: some seconds. A schedule that is stretched while a worker
/// renews has windows without number.
const WORK: u64 = 20_000_000;

/// The windows of one knob.
///
/// # Errors
/// The pointer names no knob of the scenario.
pub fn windows_of(scenario: &Scenario, pointer: &str, range: Range<i64>, as_json: bool) -> Result<String, Failure> {
    let knob = Knob::at(scenario, pointer).ok_or_else(|| Failure::Usage(no_such_knob(scenario, pointer)))?;
    let end = range.end;
    let found = windows_within(scenario, &knob, range, WORK);
    if as_json {
        let windows: Vec<Value> = found.parts.iter().map(|window| window_json(scenario, window)).collect();
        let mut all = json!({ "knob": knob.pointer(), "windows": windows });
        if let Some(at) = found.stopped_at {
            all["stopped_at_us"] = at.into();
        }
        return Ok(pretty(&all));
    }
    let mut out = format!("{}: {}\n", knob.pointer(), knob.label(scenario));
    if let Some(value) = knob.value(scenario) {
        let _ = writeln!(out, "now {}", format_signed_duration(value));
    }
    for window in &found.parts {
        let Range { start, end } = window.values;
        let _ = writeln!(out, "\nfrom {} to before {}", format_signed_duration(start), format_signed_duration(end));
        out.push_str(&outcome(scenario, window.outcome.as_ref()));
    }
    if let Some(at) = found.stopped_at {
        let (at, end) = (format_signed_duration(at), format_signed_duration(end));
        let _ = writeln!(
            out,
            "\nStopped at {at}, short of {end}: it took {WORK} events to get there. Ask for a shorter range, or for \
             fewer renewals and retries."
        );
    }
    Ok(shown(&out))
}

fn no_such_knob(scenario: &Scenario, pointer: &str) -> String {
    let mut text = format!("--knob {pointer:?} names no number of this document that can be turned; it has");
    for knob in Knob::all(scenario) {
        text.push_str("\n  ");
        text.push_str(&knob.pointer());
    }
    text
}

fn outcome(scenario: &Scenario, outcome: Option<&Signature>) -> String {
    let Some(outcome) = outcome else { return "  not a valid document\n".into() };
    let mut out = String::new();
    for sign in &outcome.writes {
        let reason = sign.reason.map_or_else(String::new, |reason| format!(" ({})", reason.name()));
        let flags = flags(sign).iter().fold(String::new(), |all, flag| all + ", " + flag);
        let (decision, standing) = (sign.decision.name(), sign.standing.name());
        let _ = writeln!(out, "  {}: {decision}{reason}, {standing}{flags}", write_name(scenario, sign));
    }
    if outcome.writes.is_empty() {
        out.push_str("  no write is decided\n");
    }
    let broken: Vec<&str> = broken(outcome).map(Property::name).collect();
    if !broken.is_empty() {
        let _ = writeln!(out, "  breaks {}", broken.join(", "));
    }
    out
}

/// The margins of all knobs, the most fragile first.
pub fn margins_of(scenario: &Scenario, as_json: bool) -> String {
    let margins = margins(scenario);
    if as_json {
        let edge = |edge| match edge {
            Edge::At(value) => json!({ "at_us": value }),
            Edge::Never => json!("never"),
            Edge::NotBefore(value) => json!({ "not_before_us": value }),
        };
        let all = margins.iter().map(|margin| {
            let (exact, at_least) = match margin.least() {
                Least::Exactly(distance) => (Some(distance), None),
                Least::AtLeast(distance) => (None, Some(distance)),
                Least::Unbounded => (None, None),
            };
            json!({
                "knob": margin.knob.pointer(), "label": margin.knob.label(scenario), "value_us": margin.value,
                "below": edge(margin.below), "above": edge(margin.above), "margin_us": exact, "margin_at_least_us": at_least,
            })
        });
        return pretty(&json!({ "margins": all.collect::<Vec<_>>() }));
    }
    let rows: Vec<[String; 3]> = margins.iter().map(|margin| margin_row(scenario, margin)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut out = String::from("How far each number can move before a property changes, the most fragile first\n\n");
    for [margin, knob, edges] in &rows {
        let _ = writeln!(out, "  {margin:<first$}  {knob:<second$}  {edges}");
    }
    shown(&out)
}

fn margin_row(scenario: &Scenario, margin: &Margin) -> [String; 3] {
    let least = match margin.least() {
        Least::Exactly(us) => format_signed_duration(us as i64),
        Least::AtLeast(us) => format!("at least {}", format_signed_duration(us as i64)),
        Least::Unbounded => "any".into(),
    };
    let side = |name: &str, edge| match edge {
        Edge::At(value) => format!("{name} at {}", format_signed_duration(value)),
        Edge::Never => format!("{name} never"),
        Edge::NotBefore(value) => format!("{name} not before {}", format_signed_duration(value)),
    };
    let now = format_signed_duration(margin.value);
    let edges = format!("now {now}, {}, {}", side("below", margin.below), side("above", margin.above));
    [least, margin.knob.label(scenario), edges]
}

/// The smallest schedule within bounds that breaks a property.
pub fn search_in(scenario: &Scenario, bounds: Bounds, as_json: bool) -> String {
    let mut search = Search::new(scenario, bounds);
    let progress = loop {
        match search.go_on(SLICE) {
            Progress::GoesOn => {}
            ended => break ended,
        }
    };
    let Progress::Found(found) = progress else {
        if as_json {
            return pretty(&json!({ "found": null, "covered": search.covered(), "left_out": search.left_out() }));
        }
        let what = bounds.property.map_or("a property", Property::name);
        let left_out = match search.left_out() {
            0 => String::new(),
            count => format!(
                "{count} schedules were left out, since their last number has windows without number: there may be one among them.\n"
            ),
        };
        let (step, max) = (format_signed_duration(bounds.step as i64), format_signed_duration(bounds.max as i64));
        let none = if search.left_out() > 0 { "None found" } else { "None within these bounds" };
        return format!(
            "{none}: {} schedules covered, and none of them breaks {what}.\n\
             Bounds: at most {} changed, pauses and delays up to {max}; all but the last on a grid of {step}, the last exact.\n{left_out}",
            search.covered(),
            bounds.changes,
        );
    };
    if as_json {
        let document: Value = serde_json::from_str(&found.scenario.to_json()).unwrap_or(Value::Null);
        return pretty(&json!({
            "found": { "property": found.property.name(), "scenario": document }, "covered": search.covered(),
        }));
    }
    let mut out = format!("{} breaks, after {} schedules:\n", found.property.name(), search.covered());
    if found.pauses.is_empty() && found.delays.is_empty() {
        out.push_str("  as the schedule stands\n");
    }
    for (boundary, pause) in &found.pauses {
        let worker = &scenario.workers[boundary.worker].id;
        let length = format_signed_duration(pause.length.unwrap_or(0) as i64);
        let (step, at) = (boundary.step + 1, format_signed_duration(pause.at as i64));
        let _ = writeln!(out, "  {worker} is paused for {length} at {at}, as step {step} begins");
    }
    for (knob, to) in &found.delays {
        let _ = writeln!(out, "  {}: {}", knob.label(scenario), format_signed_duration(*to));
    }
    let _ = writeln!(out, "\n{}", visible_json(&found.scenario.to_json()));
    out
}

fn window_json(scenario: &Scenario, window: &Window) -> Value {
    let Range { start, end } = window.values;
    let writes: Vec<Value> = window
        .outcome
        .iter()
        .flat_map(|outcome| &outcome.writes)
        .map(|sign| {
            json!({
                "write": write_name(scenario, sign), "attempt": sign.attempt, "copy": sign.copy,
                "decision": sign.decision.name(), "reason": sign.reason.map(fenceline_engine::Reason::name),
                "standing": sign.standing.name(), "flags": flags(sign),
            })
        })
        .collect();
    let holds = |outcome: &Signature| -> serde_json::Map<String, Value> {
        let each =
            |property: Property| (property.name().to_owned(), Value::Bool(outcome.properties[property as usize]));
        Property::ALL.into_iter().map(each).collect()
    };
    json!({
        "from_us": start, "to_us": end, "invalid": window.outcome.is_none(),
        "properties": window.outcome.as_ref().map(holds).unwrap_or_default(), "writes": writes,
    })
}

fn write_name(scenario: &Scenario, sign: &Sign) -> String {
    format!("{}/{}", scenario.workers[sign.worker].id, sign.step + 1)
}

fn flags(sign: &Sign) -> Vec<&'static str> {
    let names = ["already_applied", "applied_twice", "overwrites_newer", "stale_read"];
    names.into_iter().zip(sign.flags).filter_map(|(name, set)| set.then_some(name)).collect()
}

fn broken(outcome: &Signature) -> impl Iterator<Item = Property> {
    Property::ALL.into_iter().filter(|property| !outcome.properties[*property as usize])
}

/// JSON as a person reads it.
fn pretty(value: &Value) -> String {
    visible_json(&format!("{value:#}\n"))
}

/// Every line with its control characters spelled out.
fn shown(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}
