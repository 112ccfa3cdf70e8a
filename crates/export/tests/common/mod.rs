//! Runs to export: every preset and every case, and one whose document is hostile.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::Path;

use fenceline_engine::{Guard, Scenario, Trace, run};

/// A run with its name.
pub struct Run {
    pub name: String,
    pub scenario: Scenario,
    pub trace: Trace,
}

impl Run {
    pub fn of(name: &str, scenario: Scenario) -> Self {
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        Self { name: name.into(), scenario, trace }
    }
}

/// Every preset as it is.
pub fn presets() -> Vec<Run> {
    let presets = fenceline_presets::ALL.iter();
    presets.map(|(name, text)| Run::of(name, Scenario::from_json(text).expect("a preset is valid"))).collect()
}

/// The scenario of every case of the engine.
pub fn cases() -> Vec<Run> {
    let mut runs = Vec::new();
    for folder in ["../engine/cases", "../engine/cases-more"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files: Vec<_> =
            folder.read_dir().expect("there are cases").map(|entry| entry.expect("a file").path()).collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a case is text");
            let case: serde_json::Value = serde_json::from_str(&text).expect("a case is JSON");
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            let scenario = Scenario::from_json(&case["scenario"].to_string()).expect("a case is valid");
            runs.push(Run::of(&name, scenario));
        }
    }
    runs
}

/// Every preset and case.
pub fn all() -> Vec<Run> {
    presets().into_iter().chain(cases()).collect()
}

/// Every preset under every guard at all of its resources.
pub fn under_every_guard() -> Vec<Run> {
    let mut runs = Vec::new();
    for preset in presets() {
        for guard in Guard::ALL {
            let mut scenario = preset.scenario.clone();
            scenario.resources.iter_mut().for_each(|resource| resource.guard = guard);
            runs.push(Run::of(&format!("{} under {guard}", preset.name), scenario));
        }
    }
    runs
}

/// The opening story.
pub fn story() -> Run {
    presets().into_iter().find(|run| run.name == "paused-worker").expect("the story is there")
}

/// The opening story with that text wherever a document has one: title, about, a label, values and a key. Where the format allows
/// fewer characters, in ids, what an id may hold at worst.
pub fn hostile(text: &str) -> Run {
    let mut scenario = story().scenario;
    scenario.title = text.into();
    scenario.about = text.into();
    scenario.resources[0].initial.value = text.into();
    scenario.resources[0].idempotent = true;
    for worker in &mut scenario.workers {
        for step in &mut worker.plan {
            match step {
                fenceline_engine::scenario::Step::Work { label, .. } => *label = text.into(),
                fenceline_engine::scenario::Step::Write(write) => {
                    write.value = text.into();
                    write.key = Some([text, &worker.id].concat());
                }
                _ => {}
            }
        }
    }
    Run::of("hostile", scenario)
}

/// Texts that mean something to one of the languages that are written.
pub const HOSTILE: [&str; 16] = [
    "a | b",
    "`code` ```fence```",
    "<script>alert(1)</script><!-- -->",
    "one\ntwo\r\nthree\ttabs",
    "](http://example.org) ![x](y) [ref]: z",
    "*bold* _it_ **b** ~~s~~ # head",
    "it's \"quoted\" \\ back\\\\slash\\",
    "\"\"\" + __import__('os').abort() + \"\"\"",
    "'); DROP TABLE resources; --",
    "\"; panic!(\"out\"); \"",
    "*/ // \" \u{202e}turned\u{2066} \u{0}\u{1b}[31m",
    "end; participant X #35; %%{init: {}}%% {{a}}",
    "loop as alt->>B: x -->> $$y$$ <br/> wrap: :wrap:",
    "http://example.org www.example.org &amp; &#60; me@example.org",
    "- item\n1. one\n> quote\n===\n---\n    code",
    "# coding: utf-7 {} {0!r} %s \\N{DASH} \\u0041 é 世界 🦀",
];
