//! The claims of an `expect`, read and held against a run, field by field.
//!
//! The fields are those of a run's summary, so that a summary is a claim; each may be left out. What a claim is about is named
//! (`write`, `number`, `id`), and every other field claims something of it. What did not happen is null, and of a write
//! that was never decided the decision is `none`.

mod entries;

use fenceline_engine::headline::{Class, Counts, Headline};
use fenceline_engine::{Property, Scenario, Summary, Trace, format_duration, parse_duration};

pub(crate) use entries::{Arrival, DECISIONS, REASONS, STANDINGS, arrival, in_words};

use crate::json::{Kind, Value, quoted};
use crate::reader::{Object, Reader, cut, names};
use crate::window;
use crate::{Edit, Finding};

/// The names of the flags of a write.
pub(crate) const FLAGS: [&str; 4] = ["already_applied", "applied_twice", "overwrites_newer", "stale_read"];

/// What a write that was never decided has for a decision.
pub(crate) const NONE: &str = "none";

/// What is true of one field.
pub(crate) enum Truth<'a> {
    /// Nothing: it did not happen.
    Null,
    Number(u64),
    Text(&'a str),
    Flag(bool),
    /// A time, which is written as a duration.
    Time(u64),
    /// Names, sorted.
    Names(&'a [&'static str]),
}

/// What may be claimed of one field.
#[derive(Clone, Copy)]
pub(crate) enum Shape<'a> {
    Number,
    Time,
    Flag,
    Text,
    One(&'a [&'a str]),
    Some(&'a [&'a str]),
}

impl Truth<'_> {
    fn to_json(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => quoted(text),
            Self::Flag(flag) => flag.to_string(),
            Self::Time(us) => quoted(&format_duration(*us)),
            Self::Names(names) => {
                let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                format!("[{}]", names.join(", "))
            }
        }
    }
}

/// All claims of a run that are judged.
pub(crate) struct Judge<'a, 't> {
    pub reader: &'a mut Reader<'t>,
    pub scenario: &'a Scenario,
    pub trace: &'a Trace,
    pub summary: &'a Summary,
    /// How many claims were judged.
    pub claims: usize,
    pub findings: Vec<Finding>,
}

impl Judge<'_, '_> {
    pub fn judge(&mut self, expect: &Value) {
        let known = ["verdict", "counts", "properties", "writes", "grants", "resources", "workers", "windows"];
        let Some(object) = self.reader.object(expect, "/expect", &known) else { return };
        if let Some(verdict) = object.get("verdict") {
            let class = class(Headline::new(self.scenario, self.trace).class);
            self.field(verdict, "/expect/verdict", "verdict", Shape::One(&CLASSES), false, &Truth::Text(class));
        }
        self.counts(object);
        self.properties(object);
        self.writes(object);
        self.grants(object);
        self.resources(object);
        self.workers(object);
        window::judge(self, object);
    }

    /// Judges one field.
    pub fn field(&mut self, value: &Value, path: &str, what: &str, shape: Shape, may_be_null: bool, truth: &Truth) {
        let Some(holds) = self.holds(value, path, shape, may_be_null, truth) else { return };
        self.claims += 1;
        if holds {
            return;
        }
        let now = truth.to_json();
        self.findings.push(Finding {
            at: value.span.clone(),
            path: path.into(),
            what: what.into(),
            claimed: self.reader.quote(&value.span),
            now: cut(&now),
            edits: vec![Edit { range: value.span.clone(), text: now }],
        });
    }

    /// Whether what is claimed is true; nothing when it is no claim.
    fn holds(&mut self, value: &Value, path: &str, shape: Shape, may_be_null: bool, truth: &Truth) -> Option<bool> {
        if may_be_null && value.kind == Kind::Null {
            return Some(matches!(truth, Truth::Null));
        }
        let or_null = if may_be_null { ", or null" } else { "" };
        let reader = &mut *self.reader;
        let allowed = match shape {
            Shape::Number => match reader.as_number(value) {
                Some(number) => return Some(matches!(truth, Truth::Number(now) if *now == number)),
                None => "a whole number".into(),
            },
            Shape::Time => match value.as_text().map(parse_duration) {
                Some(Ok(us)) => return Some(matches!(truth, Truth::Time(now) if *now == us)),
                _ => "a time as a duration, for example \"32.3s\"".into(),
            },
            Shape::Flag => match value.kind {
                Kind::Bool(flag) => return Some(matches!(truth, Truth::Flag(now) if *now == flag)),
                _ => "true or false".into(),
            },
            Shape::Text => match value.as_text() {
                Some(text) => return Some(matches!(truth, Truth::Text(now) if *now == text)),
                None => "a text in double quotes".into(),
            },
            Shape::One(of) => match value.as_text().filter(|text| of.contains(text)) {
                Some(text) => return Some(matches!(truth, Truth::Text(now) if *now == text)),
                None => format!("one of {}", names(of.iter().copied())),
            },
            Shape::Some(of) => {
                if let Some(mut claimed) = texts_among(value, of) {
                    claimed.sort_unstable();
                    return Some(matches!(truth, Truth::Names(now) if *now == claimed));
                }
                format!("a list of some of {}", of.join(", "))
            }
        };
        reader.refuse_value(value, path, allowed + or_null);
        None
    }

    fn counts(&mut self, object: Object) {
        let Some(value) = object.get("counts") else { return };
        let counts = Counts::of(self.trace);
        let all = [
            ("grants", self.summary.grants.len() as u64),
            ("decisions", self.summary.writes.len() as u64),
            ("accepted", u64::from(counts.accepted)),
            ("stale_accepted", u64::from(counts.stale_accepted)),
            ("stale_rejected", u64::from(counts.stale_rejected)),
            ("holder_refused", u64::from(counts.holder_refused)),
            ("replayed", u64::from(counts.replayed)),
        ];
        let Some(counts) = self.reader.object(value, "/expect/counts", &all.map(|(name, _)| name)) else { return };
        for (name, count) in all {
            if let Some(value) = counts.get(name) {
                let what = format!("how many {}", name.replace('_', " "));
                self.field(value, &counts.path_of(name), &what, Shape::Number, false, &Truth::Number(count));
            }
        }
    }

    fn properties(&mut self, object: Object) {
        let Some(value) = object.get("properties") else { return };
        let known = Property::ALL.map(Property::name);
        let Some(object) = self.reader.object(value, "/expect/properties", &known) else { return };
        for (name, holds) in self.summary.properties {
            if let Some(value) = object.get(name) {
                self.field(value, &object.path_of(name), name, Shape::Flag, false, &Truth::Flag(holds));
            }
        }
    }
}

/// The texts of a list, when each is one of a few.
pub(crate) fn texts_among<'v>(value: &'v Value, of: &[&str]) -> Option<Vec<&'v str>> {
    let Kind::List(items) = &value.kind else { return None };
    items.iter().map(|item| item.as_text().filter(|text| of.contains(text))).collect()
}

/// The names of what a run comes to.
const CLASSES: [&str; 6] = ["neutral", "accepted", "fenced", "refused", "stale-accepted", "corrupting"];

const fn class(class: Class) -> &'static str {
    match class {
        Class::Neutral => CLASSES[0],
        Class::Accepted => CLASSES[1],
        Class::Fenced => CLASSES[2],
        Class::Refused => CLASSES[3],
        Class::StaleAccepted => CLASSES[4],
        Class::Corrupting => CLASSES[5],
    }
}
