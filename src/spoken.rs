//! The words that are read aloud: values with their units written out, and what a schedule comes to.

use fenceline_engine::{Class, short_outcome};
use leptos::prelude::*;

use crate::editor::Editor;

/// A drawn value with its units in full: `45.0 s` as `45.0 seconds`.
pub fn spoken_value(drawn: &str) -> String {
    let words = drawn.split(' ').map(|word| match word {
        "us" => "microseconds",
        "ms" => "milliseconds",
        "s" => "seconds",
        "m" => "minutes",
        "h" => "hours",
        "d" => "days",
        other => other,
    });
    let mut spoken = String::new();
    for word in words {
        if !spoken.is_empty() {
            spoken.push(' ');
        }
        spoken.push_str(word);
    }
    spoken
}

/// A length in seconds, in digits: what a slider's value is to a machine.
pub fn plain_number(length: i64) -> String {
    let mut digits = if length < 0 { "-".to_owned() } else { String::new() };
    let length = length.unsigned_abs();
    digits.push_str(&(length / 1_000_000).to_string());
    let rest = length % 1_000_000;
    if rest != 0 {
        let decimals = format!("{rest:06}");
        digits.push('.');
        digits.push_str(decimals.trim_end_matches('0'));
    }
    digits
}

/// What the shown schedule comes to, in a few words.
pub fn spoken_outcome(editor: Editor) -> String {
    if editor.hidden_from.get().is_some() {
        return "outcome hidden".into();
    }
    match editor.headline.with(|headline| headline.class) {
        Class::Neutral => "nothing decided".into(),
        Class::Accepted => "accepted".into(),
        Class::Fenced => "stale write rejected".into(),
        Class::Refused => "holder refused".into(),
        Class::StaleAccepted => "stale write accepted".into(),
        Class::Corrupting => {
            editor.scenario.with(|scenario| editor.trace.with(|trace| short_outcome(scenario, trace).text))
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn units_are_spoken_in_full() {
        assert_eq!(spoken_value("45.0 s"), "45.0 seconds");
        assert_eq!(spoken_value("12 m 30 s"), "12 minutes 30 seconds");
        assert_eq!(spoken_value("350 us"), "350 microseconds");
    }

    #[test]
    fn a_length_is_a_plain_decimal_number_of_seconds() {
        assert_eq!(plain_number(45_000_000), "45");
        assert_eq!(plain_number(44_900_000), "44.9");
        assert_eq!(plain_number(350), "0.00035");
        assert_eq!(plain_number(0), "0");
        assert_eq!(plain_number(-1_500_000), "-1.5");
    }
}
