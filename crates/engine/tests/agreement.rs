//! The engine against a second one that was written from the contract alone: random scenarios, the same summary.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::generate::{Scale, scenario};
use common::naive;
use fenceline_engine::{Scenario, Summary, run};
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Runs both engines on that many scenarios, the same ones each time, and shrinks the first on which they differ.
fn agree(cases: u32, strategy: &BoxedStrategy<Scenario>) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 50_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(strategy, |scenario| {
        let trace = run(&scenario).map_err(|errors| TestCaseError::fail(format!("refused: {errors:?}")))?;
        let (engine, naive) = (Summary::new(&scenario, &trace).to_json(), naive::summary(&scenario));
        if engine.trim_end() == naive { Ok(()) } else { Err(TestCaseError::fail(first_difference(&engine, &naive))) }
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The first line that differs, with what stands around it.
fn first_difference(engine: &str, naive: &str) -> String {
    let (engine, naive): (Vec<&str>, Vec<&str>) = (engine.lines().collect(), naive.lines().collect());
    let line = engine.iter().zip(&naive).take_while(|(engine, naive)| engine == naive).count();
    let around = |lines: &[&str]| lines[line.saturating_sub(14)..lines.len().min(line + 8)].join("\n");
    format!("line {line}\nengine:\n{}\nnaive:\n{}", around(&engine), around(&naive))
}

#[test]
fn both_engines_agree_on_8000_scenarios_full_of_ties() {
    agree(8_000, &scenario(Scale::Micros));
}

#[test]
fn both_engines_agree_on_2000_scenarios_of_seconds() {
    agree(2_000, &scenario(Scale::Seconds));
}
