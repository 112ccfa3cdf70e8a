//! Times in few bytes: a count of the largest unit that divides them.
//!
//! A person's times are round, so that nearly all of them fit one or two bytes. Invariant: each time has one form, and a form
//! that is not it is refused, so that a scenario has one link.

use fenceline_engine::scenario::{MAX_MICROS, Micros};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The units in microseconds. Which of them it is stands in the lowest three bits.
const UNITS: [u64; 8] = [1, 10, 1_000, 100_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000];

/// A time or a duration of at most ten years, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time(pub(super) Micros);

/// The same, before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span(pub(super) i64);

fn packed(us: Micros) -> u64 {
    let unit = UNITS.iter().rposition(|unit| us.is_multiple_of(*unit)).unwrap_or(0);
    // Nothing is nothing in every unit; the smallest number stands for it.
    if us == 0 { 0 } else { ((us / UNITS[unit]) << 3) | unit as u64 }
}

fn unpacked(packed: u64) -> Option<Micros> {
    let us = (packed >> 3).checked_mul(UNITS[(packed & 7) as usize])?;
    (us <= MAX_MICROS && self::packed(us) == packed).then_some(us)
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        packed(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let packed = u64::deserialize(deserializer)?;
        unpacked(packed).map(Self).ok_or_else(|| D::Error::custom("a time"))
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ((packed(self.0.unsigned_abs()) << 1) | u64::from(self.0 < 0)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let signed = u64::deserialize(deserializer)?;
        // MAX_MICROS is far below the bound of an i64.
        let us = unpacked(signed >> 1).filter(|us| *us > 0 || signed == 0).map(|us| us as i64);
        us.map(|us| Self(if signed & 1 == 1 { -us } else { us })).ok_or_else(|| D::Error::custom("a time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_times_are_small() {
        for (us, expected) in [
            (0, 0),
            (1, 8),
            (30_000_000, (30 << 3) | 4),
            (200_000, (2 << 3) | 3),
            (1_000_000, (1 << 3) | 4),
            (90_000_000, (90 << 3) | 4),
            (120_000_000, (2 << 3) | 5),
            (32_000_001, 32_000_001 << 3),
            (MAX_MICROS, (3_650 << 3) | 7),
        ] {
            assert_eq!((packed(us), unpacked(expected)), (expected, Some(us)), "{us}");
        }
    }

    #[test]
    fn a_time_has_one_form() {
        // 60 seconds are a minute; nothing is told in the smallest unit; more than ten years are no time.
        for other in [(60 << 3) | 4, 7, 10 << 3, (3_651 << 3) | 7, u64::MAX] {
            assert_eq!(unpacked(other), None, "{other}");
        }
    }

    #[test]
    fn every_time_comes_back() {
        let mut us = 1_u64;
        while us <= MAX_MICROS {
            for near in [us - 1, us, us + 1] {
                assert_eq!(unpacked(packed(near)), Some(near));
                for span in [near as i64, -(near as i64)] {
                    let bytes = postcard::to_allocvec(&Span(span)).expect("a span is written");
                    assert_eq!(postcard::from_bytes::<Span>(&bytes).expect("it is read"), Span(span));
                }
            }
            us = us * 3 + 1;
        }
    }
}
