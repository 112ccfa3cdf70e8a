//! The worked cases in a browser: WebAssembly gives the same summaries and traces as the machine, byte for byte.
#![cfg(target_arch = "wasm32")]

#[path = "common/embedded.rs"]
mod embedded;

use fenceline_engine::{Scenario, Summary, run};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn each_case_gives_the_same_summary_byte_for_byte() {
    for (folder, name, text) in embedded::CASES {
        let case: serde_json::Value = serde_json::from_str(text).expect("a case is JSON");
        let scenario = Scenario::from_json(&case["scenario"].to_string()).expect("a case is a valid scenario");
        let trace = run(&scenario).expect("a case can be run");
        let summary = Summary::new(&scenario, &trace).to_json();
        assert_eq!(summary.trim_end(), embedded::expected_text(text), "{folder}/{name}");
    }
}

#[wasm_bindgen_test]
fn each_case_gives_the_same_trace_as_on_the_machine() {
    for (folder, name, text) in embedded::CASES {
        let case: serde_json::Value = serde_json::from_str(text).expect("a case is JSON");
        let scenario = Scenario::from_json(&case["scenario"].to_string()).expect("a case is a valid scenario");
        let line = format!("{folder}/{name} {}", embedded::digest(&run(&scenario).expect("a case can be run")));
        assert!(embedded::DIGESTS.lines().any(|known| known == line), "{line} is not what the machine gives");
    }
}

#[wasm_bindgen_test]
fn no_case_is_missing_in_the_browser() {
    // That the list is complete is checked where the folders can be read; this guards against an empty one.
    assert!(embedded::CASES.len() >= 36);
}
