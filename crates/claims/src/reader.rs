//! Reading the fields around a scenario: unknown ones, missing ones and wrong values, all told at once and where they stand.

use std::ops::Range;

use fenceline_engine::{ScenarioError, visible};

use crate::json::{Kind, Value};

/// Something that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The byte of the text at which it stands.
    pub at: usize,
    /// The path in the block, what was found there, and what is allowed.
    pub error: ScenarioError,
}

/// The longest value that is quoted whole, in characters.
const LONGEST: usize = 60;

/// How many of the things that are allowed are named.
const NAMED: usize = 12;

/// A text on one line, nothing invisible in it, and cut where it is long.
pub(crate) fn cut(text: &str) -> String {
    let mut shown: String = visible(&text.chars().take(LONGEST + 1).collect::<String>());
    if let Some((end, _)) = shown.char_indices().nth(LONGEST) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// Names in a row, as many as a person reads.
pub(crate) fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<&str> = names.by_ref().take(NAMED).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// An object that is read, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    pub value: &'a Value,
    pub path: &'a str,
}

impl<'a> Object<'a> {
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.value.get(name)
    }

    pub fn path_of(&self, name: &str) -> String {
        format!("{}/{}", self.path, name.replace('~', "~0").replace('/', "~1"))
    }
}

/// Reads, and collects what cannot be read.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub text: &'a str,
    pub problems: Vec<Problem>,
}

impl Reader<'_> {
    pub fn refuse(&mut self, at: usize, path: &str, found: impl Into<String>, allowed: impl Into<String>) {
        let error = ScenarioError { path: path.into(), found: found.into(), allowed: allowed.into() };
        self.problems.push(Problem { at, error });
    }

    pub fn refuse_value(&mut self, value: &Value, path: &str, allowed: impl Into<String>) {
        let found = self.quote(&value.span);
        self.refuse(value.span.start, path, found, allowed);
    }

    /// A piece of the text, as an error quotes it.
    pub fn quote(&self, span: &Range<usize>) -> String {
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let words: Vec<&str> = raw.split_ascii_whitespace().collect();
        cut(&words.join(" "))
    }

    /// An object with no other than the known fields, each once.
    pub fn object<'b>(&mut self, value: &'b Value, path: &'b str, known: &[&str]) -> Option<Object<'b>> {
        if !matches!(value.kind, Kind::Object(_)) {
            self.refuse_value(value, path, format!("an object with {}", fields(known)));
            return None;
        }
        let object = Object { value, path };
        self.only(object, known);
        Some(object)
    }

    /// Reports fields that are not known, and those given twice.
    pub fn only(&mut self, object: Object, known: &[&str]) {
        let mut seen: Vec<&str> = Vec::new();
        for member in object.value.members() {
            let name = member.name.as_str();
            let (at, path) = (member.name_span.start, object.path_of(name));
            if !known.contains(&name) {
                self.refuse(at, &path, format!("an unknown field \"{}\"", cut(name)), fields(known));
            } else if seen.contains(&name) {
                self.refuse(at, &path, format!("the field \"{name}\" once more"), "each field once");
            } else {
                seen.push(name);
            }
        }
    }

    pub fn items<'b>(&mut self, value: &'b Value, path: &str, what: &str) -> &'b [Value] {
        if let Kind::List(items) = &value.kind {
            return items;
        }
        self.refuse_value(value, path, format!("a list of {what} in square brackets"));
        &[]
    }

    /// A field that must be there.
    pub fn required<'b>(&mut self, object: Object<'b>, name: &str, allowed: &str) -> Option<&'b Value> {
        let value = object.get(name);
        if value.is_none() {
            let path = object.path_of(name);
            self.refuse(object.value.span.start, &path, "nothing (the field is required)", allowed);
        }
        value
    }

    /// A text.
    pub fn text<'b>(&mut self, value: &'b Value, path: &str, allowed: &str) -> Option<&'b str> {
        let text = value.as_text();
        if text.is_none() {
            self.refuse_value(value, path, allowed);
        }
        text
    }

    /// One of a few texts.
    pub fn choice<'b>(&mut self, value: &'b Value, path: &str, choices: &[&str]) -> Option<&'b str> {
        let chosen = value.as_text().filter(|text| choices.contains(text));
        if chosen.is_none() {
            self.refuse_value(value, path, format!("one of {}", names(choices.iter().copied())));
        }
        chosen
    }

    /// A whole number of at least that much.
    pub fn number(&mut self, value: &Value, path: &str, least: u64) -> Option<u64> {
        let number = self.as_number(value).filter(|number| *number >= least);
        if number.is_none() {
            self.refuse_value(value, path, format!("a whole number from {least}"));
        }
        number
    }

    /// The whole number that a value is written as.
    pub fn as_number(&self, value: &Value) -> Option<u64> {
        matches!(value.kind, Kind::Number).then(|| self.text.get(value.span.clone())?.parse().ok()).flatten()
    }
}

fn fields(known: &[&str]) -> String {
    match known {
        [one] => format!("the field {one}"),
        _ => format!("the fields {}", known.join(", ")),
    }
}
