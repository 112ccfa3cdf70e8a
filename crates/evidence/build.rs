//! Writes the evidence that `tests/evidence.rs` includes: a module for each run.
//!
//! A generated test can only be compiled before the tests run, hence a build script, and a crate of its own for it.

use std::fmt::Write as _;
use std::path::Path;

use fenceline_engine::scenario::Step;
use fenceline_engine::{Guard, Scenario, run};
use fenceline_export::evidence::rust;

/// What means something in Rust.
const HOSTILE: [&str; 7] = [
    "\"; panic!(\"out\"); \"",
    "\\\" ; } } // \\",
    "*/ /* \"# r#\"",
    "one\ntwo\r\nthree\ttabs",
    "\u{202e}turned\u{2066} \u{0}\u{1b}[31m \u{2028}",
    "{} {0:?} {{ %s :token ?1 --",
    "'); DROP TABLE resources; -- é 世界 🦀",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut out = String::new();
    for (name, document) in fenceline_presets::ALL {
        let scenario = Scenario::from_json(document).expect("a preset is valid");
        // A worker that stops itself sends nothing, and there is nothing to replay.
        if !run(&scenario).expect("it runs").writes.is_empty() {
            module(&mut out, &name.replace('-', "_"), &evidence(&scenario));
        }
    }
    let story = fenceline_presets::document("paused-worker").expect("the story is a preset");
    let story = Scenario::from_json(story).expect("a preset is valid");
    for guard in Guard::ALL {
        let mut scenario = story.clone();
        scenario.resources[0].guard = guard;
        scenario.resources[0].authenticates = true;
        scenario.resources[0].idempotent = true;
        module(&mut out, &format!("under_{}", guard.name().replace('-', "_")), &evidence(&scenario));
    }
    for (index, text) in HOSTILE.iter().enumerate() {
        module(&mut out, &format!("hostile_{index}"), &evidence(&with_text(&story, text)));
    }
    let right = evidence(&story);
    let flipped = right.replace(r#""A/3", "rejected""#, r#""A/3", "accepted""#);
    assert_ne!(flipped, right, "the expectation of the late write was found");
    let must_fail = "#[test]\n#[should_panic(expected = \"A/3 at 51.4 s: expected\")]";
    module(&mut out, "tampered", &flipped.replace("#[test]", must_fail));
    let folder = std::env::var("OUT_DIR").expect("cargo names a folder");
    std::fs::write(Path::new(&folder).join("evidence.rs"), out).expect("it is written");
}

fn evidence(scenario: &Scenario) -> String {
    let trace = run(scenario).expect("it runs");
    rust(scenario, &trace).expect("it can be replayed")
}

fn module(out: &mut String, name: &str, text: &str) {
    writeln!(out, "mod {name} {{\n{text}}}\n").expect("a string takes all");
}

/// The scenario with that text wherever a document has one.
fn with_text(story: &Scenario, text: &str) -> Scenario {
    let mut scenario = story.clone();
    scenario.title = text.into();
    scenario.about = text.into();
    scenario.resources[0].initial.value = text.into();
    scenario.resources[0].idempotent = true;
    for worker in &mut scenario.workers {
        for step in &mut worker.plan {
            if let Step::Write(write) = step {
                write.value = text.into();
                write.key = Some([text, &worker.id].concat());
            }
        }
    }
    scenario
}
