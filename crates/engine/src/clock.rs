//! Times as a person reads them: one scale for a whole run, so that columns line up and no two instants look alike.
//!
//! Whole numbers only: no float is formatted anywhere. An event's time is always shown exactly; what is not the time of
//! an event (an end that a skewed clock believes in) is rounded down to the scale.

use std::fmt::Write as _;

use crate::scenario::Micros;
use crate::trace::Trace;

const SECOND: Micros = 1_000_000;

/// How the times of one run are shown: a unit and a number of decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    unit: Unit,
    decimals: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Micros,
    Millis,
    Seconds,
    /// Hours, minutes and seconds, for runs of two hours and more.
    Hours,
}

impl Default for Scale {
    fn default() -> Self {
        Self::SECONDS
    }
}

impl Scale {
    /// Seconds with one decimal.
    pub const SECONDS: Self = Self { unit: Unit::Seconds, decimals: 1 };

    /// The scale of a run: the unit by its length, and the fewest decimals that show each of its events exactly.
    pub fn of(trace: &Trace) -> Self {
        let unit = match trace.ended_at {
            1..1_000 => Unit::Micros,
            1_000..SECOND => Unit::Millis,
            at if at >= 7_200 * SECOND => Unit::Hours,
            _ => Unit::Seconds,
        };
        let mut decimals = u32::from(unit == Unit::Seconds);
        for event in &trace.events {
            while decimals < unit.digits() && !event.at.is_multiple_of(10_u64.pow(unit.digits() - decimals)) {
                decimals += 1;
            }
        }
        Self { unit, decimals }
    }

    /// The unit that goes with [`show_time`]; empty where the time shows its own (`2:00:05`).
    pub const fn unit(self) -> &'static str {
        match self.unit {
            Unit::Micros => "µs",
            Unit::Millis => "ms",
            Unit::Seconds => "s",
            Unit::Hours => "",
        }
    }
}

impl Unit {
    /// How many decimals reach down to a microsecond.
    const fn digits(self) -> u32 {
        match self {
            Self::Micros => 0,
            Self::Millis => 3,
            Self::Seconds | Self::Hours => 6,
        }
    }
}

/// An instant without its unit: `30.2`, or `2:00:05` in a long run.
pub fn show_time(at: Micros, scale: Scale) -> String {
    let mut out = String::new();
    let one = 10_u64.pow(scale.unit.digits());
    let whole = at / one;
    // Writing to a string cannot fail.
    let _ = if scale.unit == Unit::Hours {
        write!(out, "{}:{:02}:{:02}", whole / 3_600, whole / 60 % 60, whole % 60)
    } else {
        write!(out, "{whole}")
    };
    push_decimals(&mut out, at % one, scale.unit.digits(), scale.decimals);
    out
}

/// An instant with its unit: `30.2 s`.
pub fn show_instant(at: Micros, scale: Scale) -> String {
    let mut out = show_time(at, scale);
    push_unit(&mut out, scale);
    out
}

/// A length of time between two instants of the run: `20.0 s`. A length that is not nothing never looks like nothing.
pub fn show_span(length: Micros, scale: Scale) -> String {
    let exact_enough = length == 0 || length >= 10_u64.pow(scale.unit.digits() - scale.decimals);
    if scale.unit == Unit::Hours || !exact_enough {
        return show_length(length);
    }
    show_instant(length, scale)
}

/// A length of time by itself, as short as it goes: `30 s`, `1.5 s`, `200 ms`, `1 h 30 m`.
pub fn show_length(length: Micros) -> String {
    if length >= 120 * SECOND && length.is_multiple_of(SECOND) {
        let seconds = length / SECOND;
        let mut out = String::new();
        for (count, unit) in [(seconds / 3_600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")] {
            if count > 0 {
                if !out.is_empty() {
                    out.push(' ');
                }
                let _ = write!(out, "{count} {unit}");
            }
        }
        return out;
    }
    let unit = match length {
        1..1_000 => Unit::Micros,
        1_000..SECOND => Unit::Millis,
        _ => Unit::Seconds,
    };
    let mut decimals = unit.digits();
    while decimals > 0 && length.is_multiple_of(10_u64.pow(unit.digits() - decimals + 1)) {
        decimals -= 1;
    }
    show_instant(length, Scale { unit, decimals })
}

fn push_unit(out: &mut String, scale: Scale) {
    if scale.unit != Unit::Hours {
        out.push(' ');
        out.push_str(scale.unit());
    }
}

fn push_decimals(out: &mut String, fraction: Micros, digits: u32, decimals: u32) {
    if decimals > 0 {
        let shown = fraction / 10_u64.pow(digits - decimals);
        let _ = write!(out, ".{shown:0width$}", width = decimals as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Event, Happening, Lane};

    fn run_with(times: &[Micros]) -> Scale {
        let event = |&at: &Micros| Event { at, lane: Lane::Worker(0), cause: None, what: Happening::Paused };
        Scale::of(&Trace {
            events: times.iter().map(event).collect(),
            ended_at: times.iter().copied().max().unwrap_or(0),
            ..Trace::default()
        })
    }

    #[test]
    fn seconds_have_one_decimal() {
        let scale = run_with(&[0, 200_000, 60_200_000]);
        assert_eq!(show_time(0, scale), "0.0");
        assert_eq!(show_instant(30_200_000, scale), "30.2 s");
        assert_eq!(show_span(20_000_000, scale), "20.0 s");
    }

    #[test]
    fn decimals_grow_until_every_event_is_shown_exactly() {
        let scale = run_with(&[250_000, 30_000_000]);
        assert_eq!(show_time(250_000, scale), "0.25");
        assert_eq!(show_time(30_000_000, scale), "30.00");
        assert_eq!(show_time(30_000_350, run_with(&[30_000_350])), "30.00035");
    }

    #[test]
    fn a_run_of_milliseconds_or_microseconds_is_shown_in_them() {
        assert_eq!(show_instant(15_000, run_with(&[15_000, 20_000])), "15 ms");
        assert_eq!(show_instant(15_250, run_with(&[15_250])), "15.25 ms");
        assert_eq!(show_instant(7, run_with(&[7, 999])), "7 µs");
    }

    #[test]
    fn a_run_of_hours_is_shown_as_a_clock() {
        let scale = run_with(&[7_205_000_000, 90_000_000]);
        assert_eq!(show_instant(7_205_000_000, scale), "2:00:05");
        assert_eq!(show_span(5_400_000_000, scale), "1 h 30 m");
    }

    #[test]
    fn a_run_in_which_nothing_takes_time_is_shown_in_seconds() {
        assert_eq!(show_instant(0, run_with(&[0])), "0.0 s");
    }

    #[test]
    fn a_tiny_span_never_looks_like_nothing() {
        assert_eq!(show_span(50, Scale::SECONDS), "50 µs");
        assert_eq!(show_span(0, Scale::SECONDS), "0.0 s");
    }

    #[test]
    fn a_length_is_as_short_as_it_goes() {
        assert_eq!(show_length(30_000_000), "30 s");
        assert_eq!(show_length(1_500_000), "1.5 s");
        assert_eq!(show_length(200_000), "200 ms");
        assert_eq!(show_length(350), "350 µs");
        assert_eq!(show_length(1_250), "1.25 ms");
        assert_eq!(show_length(0), "0 s");
        assert_eq!(show_length(90_000_000), "90 s");
        assert_eq!(show_length(5_405_000_000), "1 h 30 m 5 s");
    }
}
