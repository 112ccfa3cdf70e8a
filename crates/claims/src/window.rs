//! Claims about a race window: between which values of a number a statement holds, and at no value beside them.
//!
//! ```json
//! { "knob": "/workers/0/pauses/0/for", "write": "A/3", "decision": "rejected", "from": "32.3s" }
//! ```
//!
//! It says: with 32.3 s and with every longer pause the write is rejected; with one microsecond less it is not. Without `from` the
//! window begins at the least value that a document may hold, without `to` (or with `forever`) it has no end before the
//! greatest. `never` says that there is no such value at all. All of it is exact, or it is said how far the work went.

use std::ops::Range;

use fenceline_engine::{
    Knob, Partition, Property, Scenario, Sign, Signature, Turn, Window, format_signed_duration, parse_signed_duration,
    windows_within,
};

use crate::expect::{Arrival, DECISIONS, FLAGS, Judge, NONE, REASONS, STANDINGS, arrival, in_words, texts_among};
use crate::json::{Kind, Value, quoted};
use crate::reader::{Object, Reader, cut, names};
use crate::{Edit, Finding};

/// How much work all windows of one block may take together, in events: a second or two.
const WORK: u64 = 4_000_000;

const NEVER: &str = "never";
const FOREVER: &str = "forever";

/// What is said to hold within a window.
enum Statement<'v> {
    Write { arrival: Arrival<'v>, worker: usize, step: usize, ruling: Ruling<'v> },
    Property { property: Property, holds: bool },
}

/// What is said of a write; what is left out is not said.
#[derive(Default)]
struct Ruling<'v> {
    decision: Option<&'v str>,
    /// Empty: that it has none.
    reason: Option<&'v str>,
    /// The same.
    standing: Option<&'v str>,
    flags: Option<Vec<&'v str>>,
}

/// The values of a window, the end not among them; none when there is no such value.
type Values = Option<Range<i64>>;

/// Where a window is said to be, and where that is written.
struct Claimed<'v> {
    values: Values,
    from: Option<&'v Value>,
    to: Option<&'v Value>,
}

/// Judges the windows of an `expect`.
pub(crate) fn judge(judge: &mut Judge, object: Object) {
    let Some(value) = object.get("windows") else { return };
    let items = judge.reader.items(value, "/expect/windows", "objects");
    let work = WORK / (items.len().max(1) as u64);
    for (index, item) in items.iter().enumerate() {
        let path = format!("/expect/windows/{index}");
        one(judge, item, &path, work);
    }
}

fn one(judge: &mut Judge, item: &Value, path: &str, work: u64) -> Option<()> {
    let known = [
        "knob", "write", "attempt", "copy", "decision", "reason", "standing", "flags", "property", "holds", "from",
        "to",
    ];
    let entry = judge.reader.object(item, path, &known)?;
    let (reader, scenario) = (&mut *judge.reader, judge.scenario);
    let knob = knob(reader, scenario, entry);
    let statement = statement(reader, scenario, entry);
    let knob = knob?;
    let (least, most) = knob.limits();
    let all = least..most + 1;
    let claimed = claimed(reader, entry, &all)?;
    let statement = statement?;
    let sweep = |range: Range<i64>| {
        let found = windows_within(scenario, &knob, range, work);
        (stretches(&found, &statement), found.stopped_at)
    };
    let around = match &claimed.values {
        Some(values) => (values.start - 1).max(all.start)..values.end.saturating_add(1).min(all.end),
        None => all.clone(),
    };
    let (near, stopped) = sweep(around);
    let as_claimed = near.iter().eq(claimed.values.iter());
    let now = match stopped {
        None if as_claimed => {
            judge.claims += 1;
            return Some(());
        }
        // So far it is as claimed, and how it goes on is not known.
        Some(at) if as_claimed || (near.len() == 1 && near[0].start == claimed.values.as_ref()?.start) => {
            let found = format!("a window that could be followed only up to {}", format_signed_duration(at));
            let allowed = "one that ends before: `to`, or fewer renewals and retries in the scenario";
            judge.reader.refuse(item.span.start, path, found, allowed);
            return None;
        }
        _ => {
            let anchor = claimed.values.as_ref().map_or(knob.value(scenario).unwrap_or(least), |values| values.start);
            let (found, stopped) = sweep(all.clone());
            let nearest =
                found.iter().min_by_key(|stretch| (distance(stretch, anchor), stretch.start.abs_diff(anchor)));
            match (nearest, stopped) {
                // The one that was cut short goes on beyond what is known.
                (Some(stretch), Some(at)) if stretch.end == at => {
                    Err(format!("from {} to at least {}", shown(stretch.start), shown(at)))
                }
                (None, Some(at)) => Err(format!("not up to {}", shown(at))),
                (nearest, _) => Ok(nearest.cloned()),
            }
        }
    };
    judge.claims += 1;
    let subject = format!("{}, by {}", statement.in_words(), knob.pointer());
    judge.findings.push(Finding {
        at: claimed.from.or(claimed.to).map_or(item.span.clone(), |value| value.span.clone()),
        path: path.into(),
        what: subject,
        claimed: in_words_of(&claimed.values, &all, [claimed.from, claimed.to]),
        now: match &now {
            Ok(values) => in_words_of(values, &all, [None, None]),
            Err(told) => told.clone(),
        },
        edits: now.map(|values| edits(entry, &claimed, &values, &all)).unwrap_or_default(),
    });
    Some(())
}

fn shown(value: i64) -> String {
    format_signed_duration(value)
}

fn distance(stretch: &Range<i64>, from: i64) -> u64 {
    if stretch.contains(&from) { 0 } else { stretch.start.abs_diff(from).min(stretch.end.abs_diff(from)) }
}

/// Where the statement holds: neighbours put together.
fn stretches(found: &Partition<Window>, statement: &Statement) -> Vec<Range<i64>> {
    let mut all: Vec<Range<i64>> = Vec::new();
    for window in found.parts.iter().filter(|window| statement.holds(window.outcome.as_ref())) {
        match all.last_mut() {
            Some(last) if last.end == window.values.start => last.end = window.values.end,
            _ => all.push(window.values.clone()),
        }
    }
    all
}

/// A window in words, its ends as somebody wrote them where somebody did.
fn in_words_of(values: &Values, all: &Range<i64>, written: [Option<&Value>; 2]) -> String {
    let Some(values) = values else { return NEVER.into() };
    let say = |value: i64, written: Option<&Value>| written.and_then(Value::as_text).map_or_else(|| shown(value), cut);
    let (from, to) = (say(values.start, written[0]), say(values.end, written[1]));
    match (values.start == all.start, values.end == all.end) {
        (true, true) => "always".into(),
        (false, true) => format!("from {from} on"),
        (true, false) => format!("up to before {to}"),
        (false, false) => format!("from {from} to before {to}"),
    }
}

/// What has to be written for the claim to be true.
fn edits(entry: Object, claimed: &Claimed, now: &Values, all: &Range<i64>) -> Vec<Edit> {
    let text = |value: i64| if value == all.end { FOREVER.into() } else { shown(value) };
    let (from, to) = match now {
        Some(now) => (text(now.start), text(now.end)),
        None => (NEVER.into(), NEVER.into()),
    };
    let had = claimed.values.as_ref();
    let mut edits = Vec::new();
    let mut added = String::new();
    let mut put = |written: Option<&Value>, name: &str, is_right: bool, is_default: bool, text: &str| match written {
        Some(value) if !is_right => edits.push(Edit { range: value.span.clone(), text: quoted(text) }),
        None if !is_default => added.extend([", \"", name, "\": ", &quoted(text)]),
        _ => {}
    };
    let start = now.as_ref().map(|now| now.start);
    put(claimed.from, "from", start.is_some() && had.map(|had| had.start) == start, start == Some(all.start), &from);
    let end = now.as_ref().map(|now| now.end);
    // One `never` says it.
    put(claimed.to, "to", end.is_some() && had.map(|had| had.end) == end, end.is_none_or(|end| end == all.end), &to);
    if !added.is_empty()
        && let Some(knob) = entry.get("knob")
    {
        edits.push(Edit { range: knob.span.end..knob.span.end, text: added });
    }
    edits
}

fn knob(reader: &mut Reader, scenario: &Scenario, entry: Object) -> Option<Knob> {
    let value = reader.required(entry, "knob", "a JSON Pointer to a number of the scenario")?;
    let knob = value.as_text().and_then(|pointer| Knob::at(scenario, pointer));
    if knob.is_none() {
        let all: Vec<String> = Knob::all(scenario).iter().map(Knob::pointer).collect();
        let allowed = format!("a number of the scenario: {}", names(all.iter().map(String::as_str)));
        reader.refuse_value(value, &entry.path_of("knob"), allowed);
    }
    knob
}

fn claimed<'v>(reader: &mut Reader, entry: Object<'v>, all: &Range<i64>) -> Option<Claimed<'v>> {
    let (from, to) = (entry.get("from"), entry.get("to"));
    let said = |value: Option<&'v Value>| value.and_then(Value::as_text);
    if said(from) == Some(NEVER) && said(to).is_none_or(|to| to == NEVER) && to.is_none_or(|to| to.as_text().is_some())
    {
        return Some(Claimed { values: None, from, to });
    }
    let mut edge = |value: Option<&'v Value>, name: &str, default: i64, words: &str| {
        let Some(value) = value else { return Some(default) };
        if name == "to" && value.as_text() == Some(FOREVER) {
            return Some(default);
        }
        let read = value.as_text().and_then(|text| parse_signed_duration(text).ok());
        let read = read.filter(|at| all.contains(at));
        if read.is_none() {
            let (least, most) = (shown(all.start), shown(all.end - 1));
            let allowed = format!("a duration from {least} to {most}, or {words}");
            reader.refuse_value(value, &entry.path_of(name), allowed);
        }
        read
    };
    let start = edge(from, "from", all.start, "never, and then no `to`");
    let end = edge(to, "to", all.end, FOREVER);
    let (start, end) = (start?, end?);
    if start >= end {
        let at = to.map_or(entry.value.span.start, |value| value.span.start);
        let found = format!("a window that ends at {} and begins at {}", shown(end), shown(start));
        reader.refuse(at, &entry.path_of("to"), found, "an end after the beginning");
        return None;
    }
    Some(Claimed { values: Some(start..end), from, to })
}

fn statement<'v>(reader: &mut Reader, scenario: &Scenario, entry: Object<'v>) -> Option<Statement<'v>> {
    let allowed = "either `write` with some of decision, reason, standing, flags, or `property` with `holds`";
    let of_write = ["write", "attempt", "copy", "decision", "reason", "standing", "flags"];
    let of_property = ["property", "holds"];
    let given = |names: &[&str]| names.iter().any(|name| entry.get(name).is_some());
    if given(&of_write) == given(&of_property) {
        reader.refuse(entry.value.span.start, entry.path, "a window that does not say of what", allowed);
        return None;
    }
    if given(&of_property) {
        let property = reader.required(entry, "property", "the name of a property");
        let property = property.and_then(|value| {
            let names = Property::ALL.map(Property::name);
            let chosen = reader.choice(value, &entry.path_of("property"), &names)?;
            Property::ALL.into_iter().find(|property| property.name() == chosen)
        });
        let holds = reader.required(entry, "holds", "true or false").and_then(|value| {
            if let Kind::Bool(holds) = value.kind {
                return Some(holds);
            }
            reader.refuse_value(value, &entry.path_of("holds"), "true or false");
            None
        });
        return Some(Statement::Property { property: property?, holds: holds? });
    }
    let arrival = arrival(reader, scenario, entry);
    let ruling = ruling(reader, entry);
    let (arrival, ruling) = (arrival?, ruling?);
    let (worker, step) = arrival.0.rsplit_once('/')?;
    let worker = scenario.workers.iter().position(|one| one.id == worker)?;
    let step = step.parse::<usize>().ok()?.checked_sub(1)?;
    Some(Statement::Write { arrival, worker, step, ruling })
}

fn ruling<'v>(reader: &mut Reader, entry: Object<'v>) -> Option<Ruling<'v>> {
    let mut ruling = Ruling::default();
    let before = reader.problems.len();
    if let Some(value) = entry.get("decision") {
        ruling.decision = reader.choice(value, &entry.path_of("decision"), &DECISIONS);
    }
    let mut maybe = |name: &str, choices: &[&str]| {
        let value = entry.get(name)?;
        if value.kind == Kind::Null {
            return Some("");
        }
        reader.choice(value, &entry.path_of(name), choices)
    };
    ruling.reason = maybe("reason", &REASONS);
    ruling.standing = maybe("standing", &STANDINGS);
    if let Some(value) = entry.get("flags") {
        ruling.flags = texts_among(value, &FLAGS);
        if let Some(flags) = &mut ruling.flags {
            flags.sort_unstable();
        } else {
            reader.refuse_value(value, &entry.path_of("flags"), format!("a list of some of {}", FLAGS.join(", ")));
        }
    }
    let says = ["decision", "reason", "standing", "flags"].iter().any(|name| entry.get(name).is_some());
    if !says {
        let allowed = "at least one of decision, reason, standing, flags";
        reader.refuse(entry.value.span.start, entry.path, "a write of which nothing is said", allowed);
    }
    (reader.problems.len() == before).then_some(ruling)
}

impl Statement<'_> {
    /// Whether it holds; where the document is invalid, nothing does.
    fn holds(&self, outcome: Option<&Signature>) -> bool {
        let Some(outcome) = outcome else { return false };
        match self {
            Self::Property { property, holds } => outcome.properties[*property as usize] == *holds,
            Self::Write { arrival, worker, step, ruling } => {
                let (worker, step, (_, attempt, copy)) = (*worker, *step, *arrival);
                let sign = outcome.writes.iter().find(|sign| {
                    (sign.worker, sign.step, u64::from(sign.attempt), u64::from(sign.copy))
                        == (worker, step, attempt, copy)
                });
                ruling.holds(sign)
            }
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Property { property, holds } => {
                format!("{} {}", property.name(), if *holds { "holds" } else { "breaks" })
            }
            Self::Write { arrival, ruling, .. } => {
                let mut said = Vec::new();
                said.extend(ruling.decision.map(String::from));
                let or_no = |said: &str, no: &str| if said.is_empty() { no.into() } else { said.into() };
                said.extend(ruling.reason.map(|reason| or_no(reason, "no reason")));
                said.extend(ruling.standing.map(|standing| or_no(standing, "no standing")));
                said.extend(ruling.flags.as_ref().map(|flags| format!("[{}]", flags.join(", "))));
                format!("{} {}", cut(&in_words(*arrival)), said.join(" "))
            }
        }
    }
}

impl Ruling<'_> {
    fn holds(&self, sign: Option<&Sign>) -> bool {
        let decision = sign.map_or(NONE, |sign| sign.decision.name());
        let reason = sign.and_then(|sign| sign.reason).map_or("", fenceline_engine::Reason::name);
        let standing = sign.map_or("", |sign| sign.standing.name());
        let flags = || {
            let set = sign.map_or([false; 4], |sign| sign.flags);
            FLAGS.into_iter().zip(set).filter_map(|(name, set)| set.then_some(name))
        };
        self.decision.is_none_or(|said| said == decision)
            && self.reason.is_none_or(|said| said == reason)
            && self.standing.is_none_or(|said| said == standing)
            && self.flags.as_ref().is_none_or(|said| flags().eq(said.iter().copied()))
    }
}
