//! What a scenario may hold at most, and the words that say so.
//!
//! A document and a field on the page are held against the same numbers and answered with the same sentences; both are
//! here and nowhere else.

use crate::scenario::{MAX_EXACT, MAX_MICROS};

/// The longest document, in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 1 << 20;
/// How deep lists and objects of a document may lie in each other. A valid document needs 8.
pub const MAX_DEPTH: usize = 32;
/// How many fields one object of a document may have. A valid document needs 11.
pub const MAX_FIELDS: usize = 256;
/// How many workers a scenario may have.
pub const MAX_WORKERS: usize = 64;
/// How many leases a scenario may have.
pub const MAX_LEASES: usize = 64;
/// How many resources a scenario may have.
pub const MAX_RESOURCES: usize = 64;
/// How many steps a worker's plan may have.
pub const MAX_STEPS: usize = 256;
/// How many pauses a worker may have.
pub const MAX_PAUSES: usize = 256;
/// How many copies of one request the network may make.
pub const MAX_COPIES: usize = 8;
/// How many characters an id may have.
pub const MAX_ID_CHARS: usize = 40;
/// How many sends a retry may allow in all.
pub const MAX_ATTEMPTS: u32 = 20;
/// How far a clock may drift either way, in parts per million.
pub const MAX_DRIFT_PPM: i32 = 500_000;
/// What all times and durations of a scenario, each counted as often as it can happen, may add up to, in microseconds.
///
/// A quarter of what a signed 64-bit number holds: no sum of a run can overflow then, not even on a worker's own
/// clock, which runs at most half as fast again.
pub const MAX_TOTAL_MICROS: u128 = i64::MAX as u128 / 4;

/// The numbers that a field may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub min: i64,
    pub max: i64,
    /// The same in words, with an example.
    pub allowed: &'static str,
}

impl Range {
    pub const fn admits(&self, number: i64) -> bool {
        self.min <= number && number <= self.max
    }

    pub fn admits_unsigned(&self, number: u64) -> bool {
        i64::try_from(number).is_ok_and(|number| self.admits(number))
    }
}

/// A time or a duration, in microseconds.
pub(crate) const DURATION: Range = Range {
    min: 0,
    max: MAX_MICROS as i64,
    allowed: r#"a duration from "0s" to "3650d", for example "30s", "200ms" or "1m 30s""#,
};

/// A duration that is not nothing, in microseconds.
pub(crate) const PERIOD: Range = Range {
    min: 1,
    max: MAX_MICROS as i64,
    allowed: r#"a duration above "0s", at most "3650d", for example "30s", "200ms" or "1m 30s""#,
};

/// How long a pause lasts, in microseconds, when it is not for ever.
pub(crate) const PAUSE_LENGTH: Range = Range {
    min: 0,
    max: MAX_MICROS as i64,
    allowed: r#"a duration from "0s" to "3650d", for example "45s", or "forever" for a crash"#,
};

/// How far a clock is ahead, in microseconds.
pub(crate) const OFFSET: Range = Range {
    min: -(MAX_MICROS as i64),
    max: MAX_MICROS as i64,
    allowed: r#"a duration from "-3650d" to "3650d", for example "-2s" for a clock that is behind"#,
};

/// A token, a counter or a seed.
pub(crate) const EXACT: Range = Range {
    min: 0,
    max: MAX_EXACT as i64,
    allowed: "a whole number from 0 to 9007199254740991, in digits only, for example 41",
};

/// How many sends there are in all.
pub(crate) const ATTEMPTS: Range =
    Range { min: 1, max: MAX_ATTEMPTS as i64, allowed: "a whole number from 1 to 20, in digits only, for example 3" };

/// A drift, in parts per million.
pub(crate) const DRIFT: Range = Range {
    min: -(MAX_DRIFT_PPM as i64),
    max: MAX_DRIFT_PPM as i64,
    allowed: "a whole number from -500000 to 500000 (parts per million), in digits only, for example 200",
};

/// What an id may be.
pub(crate) const ID: &str = r#"1 to 40 letters, digits, "-", "_", "." and spaces, for example "report-lock""#;

/// What a plan is.
pub(crate) const PLAN: &str =
    r#"a list of at least one step, for example [{ "do": "acquire", "lease": "report-lock" }]"#;

/// Whether a text can be an id. Letters and digits are those of any script; what is not seen, or turns the reading
/// direction, is neither.
pub(crate) fn is_id(text: &str) -> bool {
    let fits = !text.is_empty() && text.chars().nth(MAX_ID_CHARS).is_none();
    fits && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' '))
}

/// What a list that is too long is answered with: what was found, and what is allowed.
pub(crate) fn too_many(count: usize, what: &str, limit: usize) -> (String, String) {
    (format!("{count} {what}"), format!("at most {limit} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_the_numbers_that_are_checked() {
        assert_eq!(crate::duration::parse_duration("3650d"), Ok(MAX_MICROS));
        assert!(EXACT.allowed.contains(&MAX_EXACT.to_string()));
        assert!(ATTEMPTS.allowed.contains(&MAX_ATTEMPTS.to_string()));
        assert!(DRIFT.allowed.contains(&MAX_DRIFT_PPM.to_string()));
        assert!(ID.contains(&MAX_ID_CHARS.to_string()));
    }

    #[test]
    fn an_id_is_one_to_forty_letters_digits_and_a_few_signs() {
        for id in ["A", "report-lock", "a_b.c d", " ", "7", "Zähler", "锁", "٣", &"x".repeat(40), &"é".repeat(40)] {
            assert!(is_id(id), "{id:?}");
        }
        for id in ["", "a/b", "a\nb", "€", "🦀", "x\u{200b}", "x\u{202e}", &"x".repeat(41), &"é".repeat(41), "a,b"]
        {
            assert!(!is_id(id), "{id:?}");
        }
    }
}
