//! Documents: any text. What is read keeps the rules, and is written as what is read again.
#![no_main]

use fenceline_engine::{Scenario, place_of, visible_json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match Scenario::from_json(&text) {
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors.iter().take(100) {
                let place = place_of(&text, &error.path);
                assert!(place.line >= 1 && place.line <= text.lines().count() + 1, "{place:?}");
                let told = error.to_string();
                assert!(!told.chars().any(|c| c.is_control()), "{told:?}");
            }
        }
        Ok(scenario) => {
            assert_eq!(scenario.validate(), []);
            let written = scenario.to_json();
            assert_eq!(Scenario::from_json(&written).as_ref(), Ok(&scenario));
            assert_eq!(Scenario::from_json(&visible_json(&written)).as_ref(), Ok(&scenario));
            let _ = scenario.check();
        }
    }
});
