//! The document as a tree that keeps what serde's own types would hide: the order of fields, and fields given twice.
//!
//! Reading works on this tree, and writing goes through it, so that what is wrong can be quoted, put in the order of
//! the document, and reported whole. A tree is never deeper than [`MAX_DEPTH`]; walking it cannot exhaust the stack.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::limits::MAX_DEPTH;
use crate::{path, words};

/// The longest quotation of a document, in characters.
const LONGEST_QUOTE: usize = 40;

/// One value of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// A whole number, written without point and exponent.
    Unsigned(u64),
    /// A whole number below 0, written without point and exponent.
    Negative(i64),
    /// Any other number.
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Reads a whole JSON text.
    ///
    /// # Errors
    /// Where it stops being JSON, or where it is nested too deep.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let node = Level(MAX_DEPTH).deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(node)
    }

    /// The value as an error quotes it: on one line, shortened, with nothing invisible in it.
    pub fn quote(&self) -> String {
        if let Self::Text(text) = self {
            return quote_text(text);
        }
        let mut quoted = String::new();
        words::push_cut(&mut quoted, &self.to_compact_json(), LONGEST_QUOTE);
        quoted
    }

    /// Where a JSON Pointer leads: the place among its siblings of each node on the way, as far as the way exists.
    /// In the order of these lists, places are in the order of the document.
    pub fn locate(&self, pointer: &str) -> Vec<usize> {
        let mut node = self;
        let mut places = Vec::new();
        for segment in path::segments(pointer) {
            let found = match node {
                Self::List(items) => segment.parse().ok().and_then(|index: usize| Some((index, items.get(index)?))),
                Self::Object(members) => {
                    let index = members.iter().position(|(name, _)| *name == segment);
                    index.map(|index| (index, &members[index].1))
                }
                _ => None,
            };
            let Some((place, child)) = found else { break };
            places.push(place);
            node = child;
        }
        places
    }
}

/// A text as an error quotes it: in double quotes, shortened, with nothing invisible in it.
pub(crate) fn quote_text(text: &str) -> String {
    let mut quoted = String::from('"');
    words::push_cut(&mut quoted, text, LONGEST_QUOTE);
    quoted.push('"');
    quoted
}

/// Reads one value, which may hold lists and objects to that many levels.
#[derive(Clone, Copy)]
struct Level(usize);

impl Level {
    fn below<E: Error>(self) -> Result<Self, E> {
        match self.0.checked_sub(1) {
            Some(left) => Ok(Self(left)),
            None => Err(E::custom(format_args!("lists and objects nested more than {MAX_DEPTH} deep"))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(u64::try_from(value).map_or(Node::Negative(value), Node::Unsigned))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let below = self.below()?;
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(below)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        let below = self.below()?;
        let mut members = Vec::new();
        while let Some(name) = object.next_key::<String>()? {
            members.push((name, object.next_value_seed(below)?));
        }
        Ok(Node::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node {
        Node::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_tree_keeps_the_order_of_fields_and_those_given_twice() {
        let expected = vec![
            ("b".to_string(), Node::Unsigned(1)),
            ("a".to_string(), Node::Null),
            ("b".to_string(), Node::Negative(-2)),
        ];
        assert_eq!(node(r#"{"b": 1, "a": null, "b": -2}"#), Node::Object(expected));
    }

    #[test]
    fn a_number_with_a_point_or_an_exponent_is_no_whole_number() {
        assert_eq!(node("1.0"), Node::Float(1.0));
        assert_eq!(node("1e3"), Node::Float(1000.0));
        assert_eq!(node("18446744073709551615"), Node::Unsigned(u64::MAX));
        assert!(matches!(node("18446744073709551616"), Node::Float(_)));
    }

    #[test]
    fn nesting_is_read_to_the_limit_and_refused_beyond() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Node::from_json(&nested(MAX_DEPTH)).is_ok());
        let error = Node::from_json(&nested(MAX_DEPTH + 1)).expect_err("one level too many");
        assert!(error.to_string().starts_with("lists and objects nested more than 32 deep"), "{error}");
        assert!(Node::from_json(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn a_quotation_is_short_and_has_nothing_invisible_in_it() {
        assert_eq!(Node::Text("a\nb\u{202e}".into()).quote(), "\"a\\nb\\u{202e}\"");
        assert_eq!(node("[1, null, true, {\"a\": 1.5}]").quote(), r#"[1,null,true,{"a":1.5}]"#);
        assert_eq!(Node::Text("x".repeat(41)).quote(), format!("\"{}…\"", "x".repeat(39)));
        assert_eq!(Node::Text("x".repeat(40)).quote(), format!("\"{}\"", "x".repeat(40)));
        assert_eq!(Node::List(vec![Node::Unsigned(1); 50]).quote().chars().count(), 40);
    }

    #[test]
    fn places_sort_in_the_order_of_the_document() {
        let tree = node(r#"{"z": [10, {"b": 1}], "a~/": 2}"#);
        assert_eq!(tree.locate(""), [0_usize; 0]);
        assert_eq!(tree.locate("/z/1/b"), [0, 1, 0]);
        assert_eq!(tree.locate("/a~0~1"), [1]);
        assert_eq!(tree.locate("/z/1/missing"), [0, 1]);
        assert_eq!(tree.locate("/z/7"), [0]);
        assert!(tree.locate("/z/1/b") < tree.locate("/a~0~1"));
    }
}
