//! The text of a document's tree: JSON laid out the way a person would type it, or without a space.
//!
//! What is short stays on one line; what grows when a scenario grows has a line for each part, so that a change to one
//! step is a change to one line. The layout depends on the tree alone: equal trees give equal text.

use std::fmt::Write as _;

use crate::document::Node;

/// How many characters a line may have before a list or an object is opened up.
const LINE: usize = 110;

/// Fields whose lists always have a line for each item, and so do the objects that hold them.
const ALWAYS_OPEN: [&str; 2] = ["workers", "plan"];

/// Fields whose lists have a line for each item when there are several.
const OPEN_WHEN_SEVERAL: [&str; 2] = ["leases", "resources"];

impl Node {
    /// The tree as JSON without any space.
    pub fn to_compact_json(&self) -> String {
        let mut out = String::new();
        push_flat(&mut out, self, "", "");
        out
    }

    /// The tree as JSON for a person: two spaces a level, short lists and objects on one line.
    pub fn to_readable_json(&self) -> String {
        let mut out = String::new();
        push_open(&mut out, self, 0);
        out
    }

    fn is_open(&self, field: &str) -> bool {
        match self {
            Self::List(items) => {
                ALWAYS_OPEN.contains(&field) || (OPEN_WHEN_SEVERAL.contains(&field) && items.len() > 1)
            }
            Self::Object(members) => members.iter().any(|(name, value)| value.is_open(name)),
            _ => false,
        }
    }
}

/// A value on one line, with `pad` inside the braces of an object and `gap` after each comma and colon.
fn push_flat(out: &mut String, node: &Node, pad: &str, gap: &str) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        // Writing to a string cannot fail.
        Node::Unsigned(value) => drop(write!(out, "{value}")),
        Node::Negative(value) => drop(write!(out, "{value}")),
        Node::Float(value) => drop(write!(out, "{value:?}")),
        Node::Text(text) => push_text(out, text),
        Node::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                    out.push_str(gap);
                }
                push_flat(out, item, pad, gap);
            }
            out.push(']');
        }
        Node::Object(members) if members.is_empty() => out.push_str("{}"),
        Node::Object(members) => {
            out.push('{');
            out.push_str(pad);
            for (index, (name, value)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                    out.push_str(gap);
                }
                push_text(out, name);
                out.push(':');
                out.push_str(gap);
                push_flat(out, value, pad, gap);
            }
            out.push_str(pad);
            out.push('}');
        }
    }
}

/// A value with a line for each of its parts, at that level of indentation.
fn push_open(out: &mut String, node: &Node, level: usize) {
    match node {
        Node::List(items) if !items.is_empty() => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                push_line(out, level + 1, index > 0);
                push_part(out, "", item, level + 1);
            }
            push_line(out, level, false);
            out.push(']');
        }
        Node::Object(members) if !members.is_empty() => {
            out.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                push_line(out, level + 1, index > 0);
                push_part(out, name, value, level + 1);
            }
            push_line(out, level, false);
            out.push('}');
        }
        _ => push_flat(out, node, " ", " "),
    }
}

/// A member (or, with an empty name, an item) at the start of a line.
fn push_part(out: &mut String, name: &str, value: &Node, level: usize) {
    let start = out.len();
    if !name.is_empty() {
        push_text(out, name);
        out.push_str(": ");
    }
    let before_value = out.len();
    if value.is_open(name) {
        push_open(out, value, level);
        return;
    }
    push_flat(out, value, " ", " ");
    // One more for the comma that may follow.
    if 2 * level + out[start..].chars().count() + 1 > LINE {
        out.truncate(before_value);
        push_open(out, value, level);
    }
}

fn push_line(out: &mut String, level: usize, after_another: bool) {
    if after_another {
        out.push(',');
    }
    out.push('\n');
    for _ in 0..level {
        out.push_str("  ");
    }
}

/// A JSON string. Only what JSON demands is escaped: a text never grows by being read and written.
fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' => crate::words::push_json_escape(out, c),
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node {
        Node::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn text_comes_back_as_it_was() {
        let all: String = (0..=0x7f_u8).map(char::from).chain("é\u{2028}\u{202e}🦀".chars()).collect();
        let tree = Node::Object(vec![(all.clone(), Node::Text(all))]);
        assert_eq!(node(&tree.to_compact_json()), tree);
        assert_eq!(node(&tree.to_readable_json()), tree);
    }

    #[test]
    fn what_fits_a_line_stays_on_it() {
        let tree = node(r#"{"network":{"delay":"1s"},"numbers":[1,-2,null],"empty":{},"none":[]}"#);
        let expected = r#"{
  "network": { "delay": "1s" },
  "numbers": [1, -2, null],
  "empty": {},
  "none": []
}"#;
        assert_eq!(tree.to_readable_json(), expected);
    }

    #[test]
    fn a_line_has_at_most_110_characters_where_a_list_can_be_opened() {
        // `  "list": ["…"],` is 2 + 8 + 2 + 3 characters and the text.
        let fits = Node::Text("é".repeat(110 - 2 - 8 - 2 - 3));
        let tree = |text: Node| Node::Object(vec![("list".into(), Node::List(vec![text]))]).to_readable_json();
        assert_eq!(tree(fits).lines().count(), 3);
        let too_long = Node::Text("é".repeat(110 - 2 - 8 - 2 - 2));
        assert_eq!(tree(too_long).lines().count(), 5);
    }

    #[test]
    fn steps_and_workers_have_a_line_each_however_short() {
        let tree =
            node(r#"{"leases":[{"id":"a"}],"workers":[{"id":"A","plan":[{"do":"read"}],"pauses":[{"at":"1s"}]}]}"#);
        let expected = r#"{
  "leases": [{ "id": "a" }],
  "workers": [
    {
      "id": "A",
      "plan": [
        { "do": "read" }
      ],
      "pauses": [{ "at": "1s" }]
    }
  ]
}"#;
        assert_eq!(tree.to_readable_json(), expected);
        let several = node(r#"{"leases":[{"id":"a"},{"id":"b"}]}"#);
        let expected = r#"{
  "leases": [
    { "id": "a" },
    { "id": "b" }
  ]
}"#;
        assert_eq!(several.to_readable_json(), expected);
    }
}
