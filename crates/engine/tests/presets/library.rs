//! The preset library as the tests read it: its types, the presets behind it, and what a run of one comes to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fenceline_engine::summary::WriteSummary;
use fenceline_engine::{Guard, Scenario, Summary, run};
use serde::Deserialize;
use serde_json::Value;

/// `presets/library.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    pub version: u32,
    pub groups: Vec<Group>,
    pub presets: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub id: String,
    pub title: String,
    pub about: String,
}

/// What the library says of one preset.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub id: String,
    pub group: String,
    pub title: String,
    pub question: String,
    pub teaching: String,
    /// A guard's name, or a setting in words; then `helps_change` says the same for a machine.
    pub helps: String,
    pub helps_why: String,
    #[serde(default)]
    pub helps_change: Vec<Change>,
    pub does_not_help: DoesNotHelp,
    pub link: Option<Link>,
    pub predict: Option<Predict>,
    pub at_stake: AtStake,
    pub expect: Expect,
}

/// One value of the document, replaced: the JSON Pointer to it, and what it becomes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub at: String,
    pub to: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoesNotHelp {
    pub guard: String,
    pub why: String,
    /// What else is different, where the preset as it is comes to no harm under any guard.
    #[serde(default)]
    pub change: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    pub url: String,
    pub label: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predict {
    /// The decision asked about, as at the head of a line of `expect.writes`.
    pub write: String,
    pub because: String,
}

/// The harm that the preset is about. It is there when one of these does not hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtStake {
    #[serde(default)]
    pub properties: Vec<String>,
    /// What the resources hold at the end.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// How many writes took effect at the resources.
    #[serde(default)]
    pub applied: BTreeMap<String, u32>,
}

/// The outcome of the preset as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// One line a decision, in order: `A/3#1.0 rejected token-older superseded [flag, flag]`, which is worker and step,
    /// attempt and copy, decision, reason when rejected, standing, flags when there are any.
    pub writes: Vec<String>,
    /// The properties that do not hold, in the order of [`Property::ALL`].
    pub fails: Vec<String>,
    /// What each resource holds at the end.
    pub values: BTreeMap<String, String>,
    /// How each worker ended.
    pub ended: BTreeMap<String, String>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../presets")
}

pub fn library() -> Library {
    let text = fs::read_to_string(folder().join("library.json")).expect("the library can be read");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("library.json: {error}"))
}

pub fn text_of(id: &str) -> String {
    fs::read_to_string(folder().join(format!("{id}.json"))).unwrap_or_else(|error| panic!("{id}.json: {error}"))
}

pub fn scenario_of(id: &str) -> Scenario {
    Scenario::from_json(&text_of(id)).unwrap_or_else(|errors| panic!("{id}.json is refused: {errors:?}"))
}

/// The ids of the files, sorted.
pub fn files() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("the presets can be listed");
    let paths = entries.map(|entry| entry.expect("an entry of the folder can be read").path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter_map(|path| path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned))
        .filter(|stem| stem != "library")
        .collect()
}

pub fn summary_of(id: &str, scenario: &Scenario) -> Summary {
    let trace = run(scenario).unwrap_or_else(|error| panic!("{id} does not run: {error:?}"));
    Summary::new(scenario, &trace)
}

pub fn head(write: &WriteSummary) -> String {
    format!("{}#{}.{}", write.write, write.attempt, write.copy)
}

pub fn line(write: &WriteSummary) -> String {
    let mut line = format!("{} {}", head(write), write.decision);
    for word in write.reason.into_iter().chain([write.standing]) {
        line.push(' ');
        line.push_str(word);
    }
    if !write.flags.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(line, " [{}]", write.flags.join(", "));
    }
    line
}

pub fn fails(summary: &Summary) -> Vec<&str> {
    summary.properties.iter().filter(|(_, holds)| !holds).map(|(name, _)| *name).collect()
}

impl AtStake {
    /// What of it is lost in a run, in words; nothing when the harm is not there.
    pub fn harm(&self, summary: &Summary) -> Vec<String> {
        let broken = fails(summary);
        let properties = self.properties.iter().filter(|name| broken.contains(&name.as_str())).cloned();
        let at_end = |id: &String| {
            let found = summary.resources.iter().find(|resource| resource.id == *id);
            found.unwrap_or_else(|| panic!("there is no resource {id}"))
        };
        let values = self.values.iter().filter(|(id, value)| at_end(id).value != **value).map(|(id, _)| id.clone());
        let applied = self.applied.iter().filter(|(id, count)| at_end(id).version != **count).map(|(id, _)| id.clone());
        properties.chain(values).chain(applied).collect()
    }
}

/// The preset with some of its values replaced.
pub fn changed(id: &str, changes: &[Change]) -> Scenario {
    let mut document: Value = serde_json::from_str(&text_of(id)).expect("a preset is JSON");
    for Change { at, to } in changes {
        let (parent, name) = at.rsplit_once('/').unwrap_or_else(|| panic!("{id}: {at} is no pointer into a document"));
        match document.pointer_mut(parent) {
            Some(Value::Object(fields)) => drop(fields.insert(name.to_owned(), to.clone())),
            Some(Value::Array(items)) => {
                let index: usize = name.parse().unwrap_or_else(|_| panic!("{id}: {at} ends in no index"));
                items[index] = to.clone();
            }
            _ => panic!("{id}: {at} leads nowhere"),
        }
    }
    Scenario::from_json(&document.to_string()).unwrap_or_else(|errors| panic!("{id}, changed: {errors:?}"))
}

pub fn under(mut scenario: Scenario, guard: Guard) -> Scenario {
    for resource in &mut scenario.resources {
        resource.guard = guard;
    }
    scenario
}
