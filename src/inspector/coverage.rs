//! The promise that every number and choice of a document has a field, held against the format.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use fenceline_engine::Scenario;
use serde_json::Value;

use super::commit::{pressed, typed};
use super::rows::{Field, FieldKind, Row, rows};
use crate::edit::tests::every_part;

/// A document that says everything that a document can say, with no value at its default. What no step may have together
/// is spread over several.
const EVERYTHING: &str = r#"{
  "version": 1, "title": "Everything", "about": "All fields.", "network": { "delay": "200ms" },
  "leases": [
    { "id": "one", "ttl": "30s", "lock_delay": "1s", "tokens": { "from": "counter", "next": 7 },
      "failovers": [{ "at": "90s", "next": 3, "forgets_holder": false }] },
    { "id": "two", "ttl": "20s", "tokens": { "from": "random", "seed": 7 } },
    { "id": "three", "ttl": "20s", "tokens": { "from": "worker-clock" } }
  ],
  "resources": [
    { "id": "report", "guard": "check-then-write", "initial": { "token": 4, "value": "old" }, "remembers": "in-memory",
      "restarts": ["80s"], "authenticates": true, "idempotent": true }
  ],
  "workers": [
    { "id": "A", "starts": "1s", "clock": { "offset": "-2s", "drift_ppm": 100 }, "renew_every": "10s",
      "renewal_sends": [{ "delay": "1s", "reply_delay": "2s", "lost": true, "reply_lost": true, "copies": ["3s"] }],
      "on_lease_lost": "stop", "pauses": [{ "at": "5s", "for": "2s" }, { "at": "70s", "for": "forever" }],
      "plan": [
        { "do": "acquire", "lease": "one", "retry": { "after": "6s", "attempts": 2 },
          "sends": [{ "delay": "1s", "reply_delay": "2s", "lost": true, "reply_lost": true, "copies": ["3s"] }] },
        { "do": "work", "for": "1s", "label": "thinks" },
        { "do": "until", "at": "20s" },
        { "do": "check", "lease": "one", "from": "received", "margin": "1s" },
        { "do": "read", "resource": "report", "retry": { "after": "6s", "attempts": 2 }, "sends": [{ "delay": "1s" }] },
        { "do": "establish", "resource": "report", "lease": "one", "retry": { "after": "6s", "attempts": 2 },
          "peek_sends": [{ "delay": "1s", "reply_delay": "2s", "lost": true, "reply_lost": true, "copies": ["3s"] }],
          "sends": [{ "delay": "1s" }, { "reply_lost": true }] },
        { "do": "write", "resource": "report", "value": "new", "lease": "one", "key": "k", "token": 9,
          "retry": { "after": "6s", "attempts": 2 }, "peek_sends": [{ "delay": "1s" }], "sends": [{ "delay": "1s" }] },
        { "do": "write", "resource": "report", "value": "new", "unguarded": true, "wait": false },
        { "do": "release", "lease": "one", "retry": { "after": "6s", "attempts": 2 }, "sends": [{ "delay": "1s" }] }
      ] }
  ]
}"#;

/// The pointers of all values that are neither list nor object.
fn leaves(value: &Value, pointer: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| leaves(value, &format!("{pointer}/{name}"), into));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| leaves(value, &format!("{pointer}/{index}"), into));
        }
        _ => drop(into.insert(pointer.into())),
    }
}

fn everything() -> Scenario {
    Scenario::from_json(EVERYTHING).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn all_fields(scenario: &Scenario) -> Vec<Field> {
    let parts = std::iter::once(None).chain(every_part(scenario).into_iter().map(Some));
    let all = parts.flat_map(|part| rows(scenario, part));
    all.filter_map(|row| if let Row::Field(field) = row { Some(field) } else { None }).collect()
}

#[test]
fn every_value_of_a_document_that_says_everything_has_one_field() {
    let scenario = everything();
    let document: Value = serde_json::from_str(EVERYTHING).unwrap_or_default();
    let mut said = BTreeSet::new();
    leaves(&document, "", &mut said);
    said.remove("/version");
    assert!(said.len() > 70, "{}", said.len());

    let fields = all_fields(&scenario);
    let shown: BTreeSet<_> = fields.iter().map(|field| field.pointer.clone()).collect();
    assert_eq!(shown.len(), fields.len(), "no field is shown twice");
    let missing: Vec<_> = said.difference(&shown).collect();
    assert!(missing.is_empty(), "no field for {missing:?}");
}

#[test]
fn the_rows_of_a_part_have_keys_of_their_own() {
    let scenario = everything();
    for part in every_part(&scenario) {
        let keys: Vec<_> = rows(&scenario, Some(part)).iter().map(Row::key).collect();
        let distinct: BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len(), "{part}: {keys:?}");
    }
}

#[test]
fn every_number_has_buttons_that_change_it_and_every_field_takes_what_it_says() {
    let scenario = everything();
    let fields = fenceline_engine::Fields::of(&scenario);
    for field in all_fields(&scenario) {
        let said = fields.get(&field.pointer).or_else(|| field.default.clone()).unwrap_or_default();
        assert!(typed(&scenario, &field, &said).as_ref() == Ok(&scenario), "{} of {said:?}", field.pointer);
        let is_number = matches!(field.kind, FieldKind::Time | FieldKind::Signed | FieldKind::Whole(_));
        let next = pressed(&field, &said, 1, 100_000);
        assert_eq!(next.is_some(), is_number && said != "forever", "{} of {said:?}", field.pointer);
        assert_ne!(next.as_ref(), Some(&said), "{}", field.pointer);
    }
}
