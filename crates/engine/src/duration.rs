//! Durations as people write them: `30s`, `1m 30s`, `1.5s`.
//!
//! One strict grammar for documents, fields and labels, so that a text means the same everywhere: numbers with a unit
//! each, largest unit first, no unit twice, a decimal point only where it comes to whole microseconds. What is written
//! can always be read back, to the microsecond.

use std::fmt;

use crate::scenario::Micros;

/// The units, largest first, with their microseconds.
const UNITS: [(&str, Micros); 6] =
    [("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// The most decimals that a whole number of microseconds can have: a day has 13 factors of 2, and no unit has more of 2 or 5.
const MAX_DECIMALS: usize = 13;

/// Why a text is not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationProblem {
    /// A number was expected where something else, or nothing, stands.
    NoNumber,
    /// A number is not followed at once by a unit.
    NoUnit,
    /// The letters after a number are none of the units.
    UnknownUnit,
    /// A unit is not smaller than the one before it.
    UnitOrder,
    /// It does not come to whole microseconds.
    TooFine,
    /// It is more than 64 bits of microseconds can hold.
    TooLong,
}

impl fmt::Display for DurationProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoNumber => "a number is missing",
            Self::NoUnit => "a unit is missing after a number",
            Self::UnknownUnit => "the units are us, ms, s, m, h, d",
            Self::UnitOrder => "each unit must be smaller than the one before",
            Self::TooFine => "finer than a microsecond",
            Self::TooLong => "too long",
        })
    }
}

impl std::error::Error for DurationProblem {}

/// Reads a duration, in microseconds.
///
/// # Errors
/// Says what is wrong with a text that is not a duration; nothing is rounded and nothing is guessed.
///
/// ```
/// use fenceline_engine::parse_duration;
///
/// assert_eq!(parse_duration("1m 30s"), Ok(90_000_000));
/// assert!(parse_duration("90").is_err());
/// ```
pub fn parse_duration(text: &str) -> Result<Micros, DurationProblem> {
    let mut rest = text;
    let mut total: Micros = 0;
    let mut allowed_units = &UNITS[..];
    loop {
        let (number, after_number) = Number::split_off(rest)?;
        let (unit, after_unit) = split_off_unit(after_number)?;
        let Some(place) = allowed_units.iter().position(|(name, _)| *name == unit) else {
            let known = UNITS.iter().any(|(name, _)| *name == unit);
            return Err(if known { DurationProblem::UnitOrder } else { DurationProblem::UnknownUnit });
        };
        let micros = number.times(allowed_units[place].1)?;
        total = total.checked_add(micros).ok_or(DurationProblem::TooLong)?;
        if after_unit.is_empty() {
            return Ok(total);
        }
        allowed_units = &allowed_units[place + 1..];
        rest = after_unit.trim_start_matches(' ');
    }
}

/// Reads a duration that may have a minus sign in front, in microseconds.
///
/// # Errors
/// As [`parse_duration`].
pub fn parse_signed_duration(text: &str) -> Result<i64, DurationProblem> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(magnitude) => (true, magnitude),
        None => (false, text),
    };
    let magnitude = parse_duration(magnitude)?;
    let signed = if negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() };
    signed.ok_or(DurationProblem::TooLong)
}

/// A number as it was written: digits, and the decimals without their trailing zeros.
struct Number<'a> {
    whole: &'a str,
    decimals: &'a str,
}

impl<'a> Number<'a> {
    fn split_off(text: &'a str) -> Result<(Self, &'a str), DurationProblem> {
        let (whole, rest) = split_off_digits(text)?;
        let Some(rest) = rest.strip_prefix('.') else {
            return Ok((Self { whole, decimals: "" }, rest));
        };
        let (decimals, rest) = split_off_digits(rest)?;
        Ok((Self { whole, decimals: decimals.trim_end_matches('0') }, rest))
    }

    fn times(&self, unit: Micros) -> Result<Micros, DurationProblem> {
        let mut whole: Micros = 0;
        for digit in self.whole.bytes() {
            let shifted = whole.checked_mul(10).and_then(|whole| whole.checked_add(u64::from(digit - b'0')));
            whole = shifted.ok_or(DurationProblem::TooLong)?;
        }
        if self.decimals.len() > MAX_DECIMALS {
            return Err(DurationProblem::TooFine);
        }
        let (mut numerator, mut denominator) = (0_u128, 1_u128);
        for digit in self.decimals.bytes() {
            numerator = numerator * 10 + u128::from(digit - b'0');
            denominator *= 10;
        }
        // Below one unit, since it is a fraction of it: at most a day's microseconds.
        let fraction = numerator * u128::from(unit);
        if !fraction.is_multiple_of(denominator) {
            return Err(DurationProblem::TooFine);
        }
        let whole = whole.checked_mul(unit).ok_or(DurationProblem::TooLong)?;
        whole.checked_add((fraction / denominator) as Micros).ok_or(DurationProblem::TooLong)
    }
}

fn split_off_digits(text: &str) -> Result<(&str, &str), DurationProblem> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 { Err(DurationProblem::NoNumber) } else { Ok(text.split_at(end)) }
}

fn split_off_unit(text: &str) -> Result<(&str, &str), DurationProblem> {
    let end = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
    if end == 0 { Err(DurationProblem::NoUnit) } else { Ok(text.split_at(end)) }
}

/// Writes a duration, given in microseconds, in its shortest form.
///
/// The candidates are all choices of units, each taken as often as it fits, the last one with decimals where needed.
/// The fewest characters win; then the form without a decimal point; then the one with the larger units.
///
/// ```
/// use fenceline_engine::format_duration;
///
/// assert_eq!(format_duration(30_000_000), "30s");
/// assert_eq!(format_duration(200_000), "0.2s");
/// assert_eq!(format_duration(3_600_000_001), "1h 1us");
/// ```
pub fn format_duration(us: Micros) -> String {
    if us == 0 {
        return "0s".into();
    }
    // A set bit is a unit that is used, the highest bit a day: counting down visits larger units first.
    let candidates = (1..1_u8 << UNITS.len()).rev().filter_map(|choice| Form::new(us, choice));
    let shortest = candidates.min_by_key(|form| (form.text.len(), form.has_point));
    shortest.map_or_else(String::new, |form| form.text)
}

/// Writes a duration that may be negative, given in microseconds, in its shortest form.
pub fn format_signed_duration(us: i64) -> String {
    let sign = if us < 0 { "-" } else { "" };
    format!("{sign}{}", format_duration(us.unsigned_abs()))
}

/// One way to write a duration.
struct Form {
    text: String,
    has_point: bool,
}

impl Form {
    /// The form with the chosen units, when each of them is needed and the last one makes it exact.
    fn new(us: Micros, choice: u8) -> Option<Self> {
        let mut form = Self { text: String::new(), has_point: false };
        let mut rest = us;
        for (index, (name, unit)) in UNITS.into_iter().enumerate() {
            if choice & (1 << (UNITS.len() - 1 - index)) == 0 {
                continue;
            }
            let is_last = choice.trailing_zeros() as usize == UNITS.len() - 1 - index;
            let (whole, remainder) = (rest / unit, rest % unit);
            if rest == 0 || (whole == 0 && !is_last) {
                return None;
            }
            if !form.text.is_empty() {
                form.text.push(' ');
            }
            form.text.push_str(&whole.to_string());
            if is_last && remainder > 0 {
                form.has_point = true;
                form.text.push('.');
                form.push_decimals(remainder, unit)?;
            }
            form.text.push_str(name);
            rest = remainder;
        }
        Some(form)
    }

    /// The decimals of `remainder / unit`, when they come to an end.
    fn push_decimals(&mut self, mut remainder: Micros, unit: Micros) -> Option<()> {
        for _ in 0..MAX_DECIMALS {
            remainder *= 10;
            self.text.push(char::from(b'0' + (remainder / unit) as u8));
            remainder %= unit;
            if remainder == 0 {
                return Some(());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_read_to_the_microsecond() {
        let day = 86_400_000_000;
        for (text, micros) in [
            ("0s", 0),
            ("0us", 0),
            ("350us", 350),
            ("200ms", 200_000),
            ("30s", 30_000_000),
            ("1m 30s", 90_000_000),
            ("1m30s", 90_000_000),
            ("1m   30s", 90_000_000),
            ("1.5s", 1_500_000),
            ("1.50000000000000000000000s", 1_500_000),
            ("007s", 7_000_000),
            ("0.5m 0.5s", 30_500_000),
            ("90m 90s", 5_490_000_000),
            ("1d 2h 3m 4s 5ms 6us", day + 2 * 3_600_000_000 + 3 * 60_000_000 + 4_000_000 + 5_000 + 6),
            ("3650d", 3_650 * day),
            // 2^13 · 3^3 · 5^8 microseconds a day, and 3125 is 5^5.
            ("0.0000000003125d", 27),
            ("18446744073709551615us", u64::MAX),
            ("18446744073709s 551615us", u64::MAX),
        ] {
            assert_eq!(parse_duration(text), Ok(micros), "{text}");
        }
    }

    #[test]
    fn what_is_not_exactly_a_duration_is_refused_with_its_reason() {
        use DurationProblem::{NoNumber, NoUnit, TooFine, TooLong, UnitOrder, UnknownUnit};
        for (text, problem) in [
            ("", NoNumber),
            (" ", NoNumber),
            ("s", NoNumber),
            (" 1s", NoNumber),
            ("1s ", NoNumber),
            ("+1s", NoNumber),
            ("-1s", NoNumber),
            (".5s", NoNumber),
            ("1.s", NoNumber),
            ("1s,2ms", NoNumber),
            ("1m\t30s", NoNumber),
            ("1m\u{a0}30s", NoNumber),
            ("٣s", NoNumber),
            ("1s\0", NoNumber),
            ("30", NoUnit),
            ("30 s", NoUnit),
            ("1.5", NoUnit),
            ("1..5s", NoNumber),
            ("1.5.5s", NoUnit),
            ("1_000s", NoUnit),
            ("1e3s", UnknownUnit),
            ("30sec", UnknownUnit),
            ("30S", UnknownUnit),
            ("30µs", UnknownUnit),
            ("1w", UnknownUnit),
            ("forever", NoNumber),
            ("30s 1m", UnitOrder),
            ("1s 1s", UnitOrder),
            ("1.5us", TooFine),
            ("0.0000001s", TooFine),
            ("0.00000000000001d", TooFine),
            ("1.0000000000000000000000000000000000000000000001d", TooFine),
            ("18446744073709551616us", TooLong),
            ("18446744073709s 551616us", TooLong),
            ("99999999999999999999999999999999d", TooLong),
            ("213503983d", TooLong),
        ] {
            assert_eq!(parse_duration(text), Err(problem), "{text:?}");
        }
    }

    #[test]
    fn a_duration_is_written_in_the_fewest_characters() {
        for (micros, text) in [
            (0, "0s"),
            (1, "1us"),
            (350, "350us"),
            (1_000, "1ms"),
            (1_500, "1.5ms"),
            (10_000, "10ms"),
            (200_000, "0.2s"),
            (1_500_000, "1.5s"),
            (30_000_000, "30s"),
            (60_000_000, "1m"),
            (61_000_000, "61s"),
            (90_000_000, "90s"),
            (3_600_000_000, "1h"),
            (3_600_000_001, "1h 1us"),
            (86_400_000_000, "1d"),
            (86_401_500_000, "1d 1.5s"),
            (3_650 * 86_400_000_000, "3650d"),
        ] {
            assert_eq!(format_duration(micros), text);
        }
    }

    #[test]
    fn between_equally_short_forms_the_one_without_a_point_wins() {
        // "100us" and "0.1ms"; "250ms" and "0.25s".
        assert_eq!(format_duration(100), "100us");
        assert_eq!(format_duration(250_000), "250ms");
    }

    #[test]
    fn between_equally_short_forms_the_larger_unit_wins() {
        // Both have six characters: "10h 1s" and "36001s".
        assert_eq!(format_duration(36_001_000_000), "10h 1s");
    }

    #[test]
    fn a_larger_unit_that_makes_it_longer_is_passed_over() {
        // Not "1d 1h 1us", not "1m 1s".
        assert_eq!(format_duration(90_000_000_001), "25h 1us");
        assert_eq!(format_duration(61_000_000), "61s");
    }

    #[test]
    fn a_signed_duration_keeps_its_sign() {
        assert_eq!(parse_signed_duration("-2s"), Ok(-2_000_000));
        assert_eq!(parse_signed_duration("2s"), Ok(2_000_000));
        assert_eq!(parse_signed_duration("-0s"), Ok(0));
        assert_eq!(parse_signed_duration("-9223372036854775808us"), Ok(i64::MIN));
        assert_eq!(parse_signed_duration("9223372036854775807us"), Ok(i64::MAX));
        assert_eq!(parse_signed_duration("9223372036854775808us"), Err(DurationProblem::TooLong));
        assert_eq!(parse_signed_duration("-9223372036854775809us"), Err(DurationProblem::TooLong));
        for text in ["--2s", "- 2s", "+2s", "-", "−2s"] {
            assert_eq!(parse_signed_duration(text), Err(DurationProblem::NoNumber), "{text}");
        }
        assert_eq!(format_signed_duration(-2_000_000), "-2s");
        assert_eq!(format_signed_duration(0), "0s");
        assert_eq!(parse_signed_duration(&format_signed_duration(i64::MIN)), Ok(i64::MIN));
    }
}
