//! A run that is repeated must not allocate anew: windows and search run the same model a million times.
#![cfg(not(target_arch = "wasm32"))]

use fenceline_engine::{Model, Runner, Scenario};

#[test]
fn a_repeated_run_does_not_allocate() {
    for preset in [
        include_str!("../../../presets/paused-worker.json"),
        include_str!("../../../presets/renewal-lost.json"),
        include_str!("../../../presets/check-then-write.json"),
    ] {
        let scenario = Scenario::from_json(preset).expect("the preset is valid");
        let model = Model::new(&scenario).expect("the preset is valid");
        let mut runner = Runner::default();
        let first = runner.run(&model).expect("few events").writes.len();
        let mut again = 0;
        let counted = allocation_counter::measure(|| again = runner.run(&model).expect("few events").writes.len());
        assert_eq!(again, first);
        assert_eq!(counted.count_total, 0, "{}", scenario.title);
    }
}
