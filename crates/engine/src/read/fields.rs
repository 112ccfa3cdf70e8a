//! Single values and their containers: objects with known fields, lists, texts, flags, numbers, durations.
//!
//! Each reader returns the value, or reports what is wrong and returns nothing; none of them converts, rounds or guesses.

use std::collections::BTreeSet;

use super::Reader;
use crate::document::{Node, quote_text};
use crate::duration::{parse_duration, parse_signed_duration};
use crate::limits::{DURATION, EXACT, MAX_FIELDS, OFFSET, PERIOD, Range, too_many};
use crate::path::Path;
use crate::scenario::Micros;

/// What a flag may be.
const FLAG: &str = "true or false";

/// What a text may be.
const TEXT: &str = r#"a text in double quotes, for example "report""#;

/// What stands where a required field is missing.
const MISSING: &str = "nothing (the field is required)";

/// The members of an object, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    members: &'a [(String, Node)],
    path: &'a Path<'a>,
}

impl<'a> Object<'a> {
    /// The first member of that name; a second one is an error of its own.
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.members.iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    fn count(&self, name: &str) -> usize {
        self.members.iter().filter(|(member, _)| member == name).count()
    }
}

impl Reader {
    /// The object at a place, its fields not looked at yet; `allowed` says what may stand there.
    pub fn object<'a>(&mut self, node: &'a Node, path: &'a Path<'a>, allowed: &str) -> Option<Object<'a>> {
        let Node::Object(members) = node else {
            self.refuse_value(node, path, allowed);
            return None;
        };
        if members.len() > MAX_FIELDS {
            self.refuse(path, format!("an object with {} fields", members.len()), allowed);
            return None;
        }
        Some(Object { members, path })
    }

    /// Reports the fields of an object that are not among the known ones, or passes them over, and reports the known ones that are
    /// given twice.
    pub fn only(&mut self, object: Object, known: &[&str]) {
        let mut seen = BTreeSet::new();
        for (name, _) in object.members {
            if known.contains(&name.as_str()) || !seen.insert(name) {
                continue;
            }
            let path = object.path.field(name);
            if let Some(passed_over) = &mut self.passed_over {
                passed_over.push(path.to_string());
                continue;
            }
            let found = format!("an unknown field {}", quote_text(name));
            self.refuse(&path, found, fields_in_words(known));
        }
        for name in known {
            self.once(object, name);
        }
    }

    /// Whether a field is given at most once; reports it otherwise. Of two values, neither is what the author meant.
    pub fn once(&mut self, object: Object, name: &str) -> bool {
        let count = object.count(name);
        if count > 1 {
            let found = format!("the field {} {count} times", quote_text(name));
            self.refuse(&object.path.field(name), found, "each field once");
        }
        count <= 1
    }

    /// The object at a place, with no other than the known fields.
    pub fn object_of<'a>(
        &mut self,
        node: &'a Node,
        path: &'a Path<'a>,
        what: &str,
        known: &[&str],
    ) -> Option<Object<'a>> {
        let object = self.object(node, path, &format!("{what}: an object with {}", fields_in_words(known)))?;
        self.only(object, known);
        Some(object)
    }

    /// A field that may be left out.
    pub fn optional<T>(
        &mut self,
        object: Object,
        name: &str,
        read: impl FnOnce(&mut Self, &Node, &Path) -> Option<T>,
    ) -> Option<T> {
        read(self, object.get(name)?, &object.path.field(name))
    }

    /// A field that must be there; `allowed` says what it would have to hold.
    pub fn required<T>(
        &mut self,
        object: Object,
        name: &str,
        allowed: &str,
        read: impl FnOnce(&mut Self, &Node, &Path) -> Option<T>,
    ) -> Option<T> {
        self.present(object, name, allowed);
        self.optional(object, name, read)
    }

    /// Reports a required field that is not there.
    pub fn present(&mut self, object: Object, name: &str, allowed: &str) {
        if object.get(name).is_none() {
            self.refuse(&object.path.field(name), MISSING, allowed);
        }
    }

    /// A list that may be left out, and then is empty.
    pub fn list<T>(
        &mut self,
        object: Object,
        name: &str,
        what: &str,
        item: impl FnMut(&mut Self, &Node, &Path) -> T,
    ) -> Vec<T> {
        self.list_to(object, name, what, usize::MAX, item)
    }

    /// A list of at most that many items. The items beyond are not read, since the author must part with them first.
    pub fn list_to<T>(
        &mut self,
        object: Object,
        name: &str,
        what: &str,
        limit: usize,
        mut item: impl FnMut(&mut Self, &Node, &Path) -> T,
    ) -> Vec<T> {
        let path = object.path.field(name);
        let Some(node) = object.get(name) else { return Vec::new() };
        let Node::List(items) = node else {
            self.refuse_value(node, &path, &format!("a list of {what} in square brackets"));
            return Vec::new();
        };
        if items.len() > limit {
            let (found, allowed) = too_many(items.len(), what, limit);
            self.errors.push(super::error(&path, found, allowed));
            self.unread.add(&path.index(limit));
        }
        let read = items.iter().take(limit).enumerate();
        read.map(|(index, node)| item(self, node, &path.index(index))).collect()
    }

    /// Any text.
    pub fn text(&mut self, node: &Node, path: &Path) -> Option<String> {
        self.text_as(node, path, TEXT)
    }

    /// A text; `allowed` says what it may be.
    pub fn text_as(&mut self, node: &Node, path: &Path, allowed: &str) -> Option<String> {
        if let Node::Text(text) = node {
            return Some(text.clone());
        }
        self.refuse_value(node, path, allowed);
        None
    }

    /// One of a few names.
    pub fn choice<T: Copy>(&mut self, node: &Node, path: &Path, choices: &[(&str, T)]) -> Option<T> {
        if let Node::Text(text) = node
            && let Some((_, value)) = choices.iter().find(|(name, _)| name == text)
        {
            return Some(*value);
        }
        let names: Vec<String> = choices.iter().map(|(name, _)| quote_text(name)).collect();
        self.refuse_value(node, path, &format!("one of {}", names.join(", ")));
        None
    }

    /// A flag.
    pub fn flag(&mut self, node: &Node, path: &Path) -> Option<bool> {
        if let Node::Bool(flag) = node {
            return Some(*flag);
        }
        self.refuse_value(node, path, FLAG);
        None
    }

    /// A whole number within a range.
    pub fn number(&mut self, node: &Node, path: &Path, range: &Range) -> Option<i64> {
        let number = match node {
            Node::Unsigned(number) => i64::try_from(*number).ok(),
            Node::Negative(number) => Some(*number),
            _ => None,
        };
        let number = number.filter(|number| range.admits(*number));
        if number.is_none() {
            self.refuse_value(node, path, range.allowed);
        }
        number
    }

    /// A token, a counter or a seed.
    pub fn exact(&mut self, node: &Node, path: &Path) -> Option<u64> {
        self.number(node, path, &EXACT).and_then(|number| number.try_into().ok())
    }

    /// A time or a duration.
    pub fn duration(&mut self, node: &Node, path: &Path) -> Option<Micros> {
        self.duration_within(node, path, &DURATION)
    }

    /// A duration above 0.
    pub fn period(&mut self, node: &Node, path: &Path) -> Option<Micros> {
        self.duration_within(node, path, &PERIOD)
    }

    /// A duration within a range.
    pub fn duration_within(&mut self, node: &Node, path: &Path, range: &Range) -> Option<Micros> {
        let read = |text: &str| parse_duration(text).map(|us| Some(us).filter(|us| range.admits_unsigned(*us)));
        self.parsed(node, path, range, read)
    }

    /// How far a clock is ahead, or with a minus sign behind.
    pub fn offset(&mut self, node: &Node, path: &Path) -> Option<i64> {
        let read = |text: &str| parse_signed_duration(text).map(|us| Some(us).filter(|us| OFFSET.admits(*us)));
        self.parsed(node, path, &OFFSET, read)
    }

    fn parsed<T, P: std::fmt::Display>(
        &mut self,
        node: &Node,
        path: &Path,
        range: &Range,
        read: impl FnOnce(&str) -> Result<Option<T>, P>,
    ) -> Option<T> {
        let Node::Text(text) = node else {
            self.refuse_value(node, path, range.allowed);
            return None;
        };
        match read(text) {
            Ok(Some(value)) => return Some(value),
            Ok(None) => self.refuse_value(node, path, range.allowed),
            Err(problem) => self.refuse(path, format!("{} ({problem})", node.quote()), range.allowed),
        }
        None
    }
}

fn fields_in_words(known: &[&str]) -> String {
    match known {
        [] => "no fields".into(),
        [one] => format!("the field {one}"),
        _ => format!("the fields {}", known.join(", ")),
    }
}
