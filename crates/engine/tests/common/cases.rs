//! The worked cases: scenarios with the summary that the contract demands of them, each in a file of its own.

use std::fs;
use std::path::{Path, PathBuf};

use fenceline_engine::{Scenario, Trace, run};
use serde_json::Value;

/// One worked case.
pub struct Case {
    /// The folder and file it comes from, for messages.
    pub file: String,
    /// Its name in the file.
    pub name: String,
    /// The scenario.
    pub scenario: Scenario,
    /// The summary that a run must give.
    pub expect: Value,
}

/// The folders that hold cases, in the engine's package.
pub const FOLDERS: [&str; 2] = ["cases", "cases-more"];

/// The files of a folder of cases, sorted by name.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder of cases can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

/// All cases of all folders.
pub fn all() -> Vec<Case> {
    FOLDERS.into_iter().flat_map(files).map(|path| load(&path)).collect()
}

fn load(path: &Path) -> Case {
    let file = path.display().to_string();
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let case: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    let scenario = Scenario::from_json(&case["scenario"].to_string())
        .unwrap_or_else(|errors| panic!("{file}: the scenario is refused: {errors:?}"));
    let name = case["name"].as_str().unwrap_or_else(|| panic!("{file}: a case has a name")).to_owned();
    Case { file, name, scenario, expect: case["expect"].clone() }
}

/// The scenario of the case of that name, and its run.
pub fn case(name: &str) -> (Scenario, Trace) {
    let file = format!("{name}.json");
    let case = all().into_iter().find(|case| case.file.ends_with(&file)).expect("there is such a case");
    let trace = run(&case.scenario).expect("a case is a valid scenario");
    (case.scenario, trace)
}

/// The scenario that the page opens on.
pub fn story() -> Scenario {
    Scenario::from_json(include_str!("../../../../presets/paused-worker.json")).expect("the preset is valid")
}
