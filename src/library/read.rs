//! The library as it is read: groups and presets, from the JSON that the page's server gives.
//!
//! The browser's own reader does the reading, so that the page need not carry another one. A preset that lacks what is
//! needed to show it is left out; nothing in it is trusted to be more than text.

use fenceline_engine::{Entry, Scenario};
use wasm_bindgen::{JsCast, JsValue};

/// All presets, in their teaching order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    /// The groups, in order.
    pub groups: Vec<Group>,
    /// The presets, in order.
    pub presets: Vec<Preset>,
}

/// A group of presets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the file.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What it is about.
    pub about: String,
}

/// A preset: what it asks and teaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name, and that of its file.
    pub id: String,
    /// Its group's name.
    pub group: String,
    /// What it is called.
    pub title: String,
    /// What to think about first.
    pub question: String,
    /// What it teaches.
    pub teaching: String,
    /// The guard or the setting that helps.
    pub helps: String,
    /// Why.
    pub helps_why: String,
    /// The setting as values to put into the document.
    pub helps_change: Vec<Change>,
    /// The guard that does not help.
    pub does_not_help: String,
    /// Why not.
    pub does_not_why: String,
    /// What makes it show.
    pub does_not_change: Vec<Change>,
    /// The public report that it follows: label and address.
    pub link: Option<(String, String)>,
    /// The decision to predict, and the answer with its reason.
    pub predict: Option<(String, String)>,
}

/// A value to put into the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    at: String,
    /// As JSON.
    to: String,
}

impl Library {
    /// The library that a JSON value holds.
    pub fn read(value: &JsValue) -> Self {
        let group = |value: JsValue| {
            Some(Group { id: name(&value, "id")?, title: text(&value, "title")?, about: text(&value, "about")? })
        };
        Self {
            groups: list(value, "groups").into_iter().filter_map(group).collect(),
            presets: list(value, "presets").into_iter().filter_map(|value| preset(&value)).collect(),
        }
    }

    /// The group of the preset of that name.
    pub fn group_of(&self, id: &str) -> Option<&Group> {
        let (_, preset) = self.find(id)?;
        self.groups.iter().find(|group| group.id == preset.group)
    }

    /// The preset of that name, with its place among all.
    pub fn find(&self, id: &str) -> Option<(usize, &Preset)> {
        self.presets.iter().enumerate().find(|(_, preset)| preset.id == id)
    }
}

/// The scenario with all of the changes; none when it is then none.
pub fn changed(scenario: &Scenario, changes: &[Change]) -> Option<Scenario> {
    scenario.with_fields(changes.iter().map(|change| (change.at.as_str(), Entry::Json(&change.to)))).ok()
}

fn preset(value: &JsValue) -> Option<Preset> {
    let wrong = member(value, "does_not_help")?;
    let link = member(value, "link").and_then(|link| Some((text(&link, "label")?, text(&link, "url")?)));
    let predict = member(value, "predict").and_then(|of| Some((text(&of, "write")?, text(&of, "because")?)));
    Some(Preset {
        id: name(value, "id")?,
        group: name(value, "group")?,
        title: text(value, "title")?,
        question: text(value, "question")?,
        teaching: text(value, "teaching")?,
        helps: text(value, "helps")?,
        helps_why: text(value, "helps_why")?,
        helps_change: changes(value, "helps_change"),
        does_not_help: text(&wrong, "guard")?,
        does_not_why: text(&wrong, "why")?,
        does_not_change: changes(&wrong, "change"),
        // Nothing but a plain web address may become a link.
        link: link.filter(|(_, url)| url.starts_with("https://")),
        predict,
    })
}

fn member(value: &JsValue, name: &str) -> Option<JsValue> {
    // Asking what is no object for a member is an error; then it has none.
    let member = js_sys::Reflect::get(value, &name.into()).ok()?;
    (!member.is_undefined() && !member.is_null()).then_some(member)
}

fn text(value: &JsValue, name: &str) -> Option<String> {
    member(value, name)?.as_string()
}

/// A name that can stand in an address of a file as it is.
fn name(value: &JsValue, of: &str) -> Option<String> {
    let plain = |name: &String| {
        !name.is_empty() && name.len() < 60 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text(value, of).filter(plain)
}

fn list(value: &JsValue, name: &str) -> Vec<JsValue> {
    let list = member(value, name).and_then(|list| list.dyn_into::<js_sys::Array>().ok());
    list.map_or_else(Vec::new, |list| list.iter().collect())
}

fn changes(value: &JsValue, name: &str) -> Vec<Change> {
    let change = |value: JsValue| {
        let to = js_sys::JSON::stringify(&member(&value, "to")?).ok()?.as_string()?;
        Some(Change { at: text(&value, "at")?, to })
    };
    list(value, name).into_iter().filter_map(change).collect()
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn real() -> Library {
        let text = include_str!("../../presets/library.json");
        Library::read(&js_sys::JSON::parse(text).expect("the library is JSON"))
    }

    #[test]
    fn every_preset_of_the_library_is_read_and_has_its_group() {
        let library = real();
        assert_eq!(library.presets.len(), 44);
        for preset in &library.presets {
            assert!(library.groups.iter().any(|group| group.id == preset.group), "{}", preset.id);
            let guard = fenceline_engine::Guard::from_name(&preset.does_not_help);
            assert!(guard.is_some(), "{}", preset.id);
        }
        assert_eq!(library.find(crate::app::OPENING_ID).map(|(place, _)| place), Some(0));
        let group = library.group_of(crate::app::OPENING_ID).map(|group| group.title.as_str());
        assert_eq!(group, Some(crate::app::OPENING_GROUP));
    }

    #[test]
    fn what_is_no_library_is_an_empty_one() {
        for text in ["null", "[]", "7", "{\"presets\": 3}", "{\"presets\": [{\"id\": \"x\"}, null, 3]}"] {
            let value = js_sys::JSON::parse(text).expect("it is JSON");
            assert_eq!(Library::read(&value), Library::default(), "{text}");
        }
    }

    #[test]
    fn a_name_that_could_lead_elsewhere_is_none() {
        let value =
            js_sys::JSON::parse(r#"{ "a": "../secret", "b": "paused-worker", "c": "x/y", "d": "" }"#).expect("JSON");
        assert_eq!(name(&value, "a"), None);
        assert_eq!(name(&value, "b").as_deref(), Some("paused-worker"));
        assert_eq!(name(&value, "c"), None);
        assert_eq!(name(&value, "d"), None);
    }

    #[test]
    fn changes_are_put_into_the_document_together() {
        let library = real();
        let (_, preset) = library.find("pause-before-check").expect("it is in the library");
        let scenario = Scenario::from_json(include_str!("../../presets/pause-before-check.json")).expect("valid");
        let later = changed(&scenario, &preset.does_not_change).expect("it can be run");
        assert_eq!(later.workers[0].pauses[0].at, 11_000_000);
    }
}
