//! Fields: single values of a scenario, read and set by their JSON Pointer, as a document would say them.
//!
//! It exists so that a form needs no second copy of the rules: what a person types is put into the document at its place,
//! and the document is read again as a whole, with the same errors at the same paths as a file. Invariant: what is given
//! back is a valid scenario or the reasons why it is none; the scenario it came from is not changed.

use crate::document::Node;
use crate::error::ScenarioError;
use crate::path;
use crate::read;
use crate::scenario::Scenario;
use crate::write_json;

/// What is put at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A text: a name, a duration, a choice.
    Text(&'a str),
    /// A whole number as it was typed. What is none is put there as the text that it is, and refused as such.
    Whole(&'a str),
    /// Yes or no.
    Flag(bool),
    /// Any other value, as JSON. What is no JSON is put there as a text.
    Json(&'a str),
    /// Nothing: the field is left out, the item of a list removed.
    Nothing,
}

impl Entry<'_> {
    fn node(self) -> Option<Node> {
        let text = |text: &str| Node::Text(text.into());
        match self {
            Self::Text(said) => Some(text(said)),
            Self::Whole(typed) => {
                let typed = typed.trim();
                let number = typed.parse().map(Node::Unsigned).or_else(|_| typed.parse().map(Node::Negative));
                Some(number.unwrap_or_else(|_| text(typed)))
            }
            Self::Flag(flag) => Some(Node::Bool(flag)),
            Self::Json(json) => Some(Node::from_json(json).unwrap_or_else(|_| text(json))),
            Self::Nothing => None,
        }
    }
}

/// The fields of a scenario as its shortest document says them.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields(Node);

impl Fields {
    /// The fields of a scenario.
    pub fn of(scenario: &Scenario) -> Self {
        Self(write_json::tree(scenario))
    }

    /// What the document says at a place: a text as it is, anything else as JSON. None where it says nothing, which means
    /// the default.
    pub fn get(&self, pointer: &str) -> Option<String> {
        let mut node = &self.0;
        for segment in path::segments(pointer) {
            node = match node {
                Node::List(items) => items.get(segment.parse::<usize>().ok()?)?,
                Node::Object(members) => &members.iter().find(|(name, _)| *name == segment)?.1,
                _ => return None,
            };
        }
        Some(match node {
            Node::Text(text) => text.clone(),
            other => other.to_compact_json(),
        })
    }
}

impl Scenario {
    /// The scenario with an entry at the place that a JSON Pointer names. Objects on the way that the document leaves out
    /// are added, and lists filled up with empty objects, as far as a document may have them.
    ///
    /// # Errors
    /// Everything that is then wrong with the document, as [`Scenario::from_json`] tells it.
    ///
    /// ```
    /// use fenceline_engine::{Entry, Scenario};
    ///
    /// let scenario = Scenario::from_json(r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "30s" }] }"#).expect("it is valid");
    /// let longer = scenario.with_field("/leases/0/ttl", Entry::Text("45s")).expect("it still is");
    /// assert_eq!(longer.leases[0].ttl, 45_000_000);
    /// let errors = scenario.with_field("/leases/0/ttl", Entry::Text("soon")).expect_err("that is no duration");
    /// assert_eq!(errors[0].path, "/leases/0/ttl");
    /// ```
    pub fn with_field(&self, pointer: &str, entry: Entry) -> Result<Self, Vec<ScenarioError>> {
        self.with_fields([(pointer, entry)])
    }

    /// The scenario with several entries, one after the other; only what comes out of all of them is judged.
    ///
    /// # Errors
    /// As [`Scenario::with_field`].
    pub fn with_fields<'a>(
        &self,
        entries: impl IntoIterator<Item = (&'a str, Entry<'a>)>,
    ) -> Result<Self, Vec<ScenarioError>> {
        let mut document = write_json::tree(self);
        for (pointer, entry) in entries {
            let segments: Vec<String> = path::segments(pointer).collect();
            put(&mut document, &segments, entry.node());
        }
        read::scenario_of(&document)
    }
}

/// How many items a list may be filled up with on the way to a place: more than any list of a document may have.
const MOST_ITEMS: usize = 1_024;

/// Puts a value at a place, or takes it away. A place that no document can have is left alone.
fn put(into: &mut Node, segments: &[String], value: Option<Node>) {
    let Some((segment, rest)) = segments.split_first() else {
        if let Some(value) = value {
            *into = value;
        }
        return;
    };
    match into {
        Node::List(items) => {
            let Ok(index) = segment.parse::<usize>() else { return };
            let is_missing = index >= items.len();
            if value.is_none() && (is_missing || rest.is_empty()) {
                if !is_missing {
                    items.remove(index);
                }
                return;
            }
            if index >= MOST_ITEMS {
                return;
            }
            while items.len() <= index {
                items.push(Node::Object(Vec::new()));
            }
            put(&mut items[index], rest, value);
        }
        Node::Object(members) => {
            let at = members.iter().position(|(name, _)| name == segment);
            match (at, rest.is_empty(), value) {
                (Some(at), true, None) => drop(members.remove(at)),
                // Nothing is taken away where nothing is.
                (None, _, None) => {}
                (Some(at), _, value) => put(&mut members[at].1, rest, value),
                (None, _, value) => {
                    // Whether a list or an object is missing shows in what comes next.
                    let is_list = rest.first().is_some_and(|next| next.bytes().all(|byte| byte.is_ascii_digit()));
                    let mut missing = if is_list { Node::List(Vec::new()) } else { Node::Object(Vec::new()) };
                    put(&mut missing, rest, value);
                    members.push((segment.clone(), missing));
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Retry, TokenSource};

    fn story() -> Scenario {
        Scenario::from_json(
            r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "30s" }], "resources": [{ "id": "report" }],
                 "workers": [{ "id": "A", "plan": [
                    { "do": "acquire", "lease": "lock" },
                    { "do": "write", "resource": "report", "value": "v" }
                 ], "pauses": [{ "at": "1s", "for": "2s" }, { "at": "5s", "for": "1s" }] }] }"#,
        )
        .unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    fn changed(pointer: &str, entry: Entry) -> Scenario {
        story().with_field(pointer, entry).unwrap_or_else(|errors| panic!("{pointer}: {errors:?}"))
    }

    fn refused(pointer: &str, entry: Entry) -> ScenarioError {
        story().with_field(pointer, entry).expect_err("it should be refused").swap_remove(0)
    }

    #[test]
    fn a_field_that_the_document_leaves_out_is_added_with_what_lies_on_the_way() {
        let delayed = changed("/workers/0/plan/1/sends/1/reply_delay", Entry::Text("5s"));
        let sends = delayed.workers[0].plan[1].exchange().map_or(&[][..], |exchange| &exchange.sends);
        assert_eq!(sends.iter().map(|send| send.reply_delay).collect::<Vec<_>>(), [None, Some(5_000_000)]);
        assert_eq!(changed("/network/delay", Entry::Text("1ms")).network.delay, 1_000);
        let lost = changed("/workers/0/plan/1/sends/0/lost", Entry::Flag(true));
        assert!(lost.workers[0].plan[1].exchange().is_some_and(|exchange| exchange.sends[0].lost));
        let copied = changed("/workers/0/plan/1/sends/0/copies/0", Entry::Text("7s"));
        assert_eq!(copied.workers[0].plan[1].exchange().map(|of| of.sends[0].copies.clone()), Some(vec![7_000_000]));
    }

    #[test]
    fn a_whole_object_can_be_put_and_taken_away() {
        let retried = changed("/workers/0/plan/1/retry", Entry::Json(r#"{ "after": "5s", "attempts": 3 }"#));
        let retry = retried.workers[0].plan[1].exchange().and_then(|exchange| exchange.retry);
        assert_eq!(retry, Some(Retry { after: 5_000_000, attempts: 3 }));
        let back = retried.with_field("/workers/0/plan/1/retry", Entry::Nothing);
        assert_eq!(back, Ok(story()));
        let random = changed("/leases/0/tokens", Entry::Json(r#"{ "from": "random", "seed": 7 }"#));
        assert_eq!(random.leases[0].tokens, TokenSource::Random { seed: 7 });
    }

    #[test]
    fn entries_that_only_together_make_a_document_are_judged_together() {
        let entries = [("/workers/0/pauses/1/at", Entry::Text("2s")), ("/workers/0/pauses/0/for", Entry::Text("1s"))];
        assert!(story().with_field(entries[0].0, entries[0].1).is_err(), "it would overlap the first");
        assert!(story().with_fields(entries).is_ok());
    }

    #[test]
    fn an_item_is_taken_out_of_its_list() {
        assert_eq!(changed("/workers/0/pauses/0", Entry::Nothing).workers[0].pauses.len(), 1);
        for nowhere in ["/workers/0/pauses/9", "/workers/0/pauses/9/at", "/workers/0/plan/1/sends/1/delay"] {
            assert_eq!(story().with_field(nowhere, Entry::Nothing), Ok(story()), "{nowhere}");
        }
    }

    #[test]
    fn what_cannot_stand_at_a_place_is_refused_there_in_words() {
        let error = refused("/leases/0/ttl", Entry::Text("0s"));
        assert_eq!((error.path.as_str(), error.found.as_str()), ("/leases/0/ttl", "\"0s\""));
        let error = refused("/workers/0/plan/1/token", Entry::Whole("4x"));
        assert_eq!((error.path.as_str(), error.found.as_str()), ("/workers/0/plan/1/token", "\"4x\""));
        let error = refused("/workers/0/clock/drift_ppm", Entry::Whole("-500001"));
        assert_eq!((error.path.as_str(), error.found.as_str()), ("/workers/0/clock/drift_ppm", "-500001"));
        let error = refused("/workers/0/pauses/1/at", Entry::Text("2s"));
        assert_eq!(error.path, "/workers/0/pauses/1", "it would overlap the first");
        assert_eq!(refused("/leases/0", Entry::Json("not json")).path, "/leases/0");
        let far = story().with_field("/workers/0/plan/99999999999/for", Entry::Text("1s"));
        assert_eq!(far, Ok(story()), "no document has such a place");
    }

    #[test]
    fn fields_are_what_the_document_says_and_nothing_where_it_says_nothing() {
        let fields = Fields::of(&story());
        assert_eq!(fields.get("/leases/0/ttl").as_deref(), Some("30s"));
        assert_eq!(fields.get("/workers/0/pauses/1/at").as_deref(), Some("5s"));
        assert_eq!(fields.get("/version").as_deref(), Some("1"));
        assert_eq!(fields.get("/leases/0/lock_delay"), None);
        assert_eq!(fields.get("/leases/x/ttl"), None);
        assert_eq!(fields.get("/leases/0/ttl/deeper"), None);
    }
}
