//! The projection between time and x, exact both ways, and the ticks of the axis.
//!
//! A time goes to x and back to the same microsecond for any window that a document can hold; the labels of the ticks
//! never overlap.

use fenceline_engine::scenario::{MAX_MICROS, Micros};
use fenceline_engine::trace::{Happening, Subject, Trace};

/// One second.
const SECOND: Micros = 1_000_000;
/// One minute.
const MINUTE: Micros = 60 * SECOND;
/// One hour.
const HOUR: Micros = 60 * MINUTE;
/// One day.
const DAY: Micros = 24 * HOUR;

/// The steps between ticks, in order: 1, 2, 5 within a unit, and what divides a minute, an hour and a day evenly.
const STEPS: [Micros; 43] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    20 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    20 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    5 * DAY,
    10 * DAY,
    20 * DAY,
    50 * DAY,
    100 * DAY,
    200 * DAY,
    500 * DAY,
];

/// A stretch of time that a picture shows: from the left edge to the right edge, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeWindow {
    from_us: Micros,
    to_us: Micros,
}

impl TimeWindow {
    /// The window between two times; at least one microsecond wide.
    pub const fn new(from_us: Micros, to_us: Micros) -> Self {
        let to_us = if to_us > from_us { to_us } else { from_us.saturating_add(1) };
        Self { from_us, to_us }
    }

    /// Its left edge.
    pub const fn from_us(self) -> Micros {
        self.from_us
    }

    /// Its right edge.
    pub const fn to_us(self) -> Micros {
        self.to_us
    }

    /// How long it is.
    pub const fn length(self) -> Micros {
        self.to_us - self.from_us
    }
}

/// The window that shows a whole story: from 0 to a tidy end past the last thing that happens.
///
/// The end of a lease that nothing follows is not a part of the story: its ribbon runs off the edge rather than squeeze
/// the story that matters. The end grows in steps (10 s around a minute), so that it holds still during most of a drag.
pub fn fit(trace: &Trace) -> TimeWindow {
    let last = trace
        .events
        .iter()
        .filter(|event| match event.what {
            Happening::Expired(_) | Happening::LockDelayEnded => false,
            Happening::Sent(id) | Happening::Arrived(id) | Happening::Received(id) | Happening::Lost(id) => {
                trace.messages.get(id as usize).is_none_or(|message| message.subject != Subject::Renew)
            }
            Happening::Renewed(..) => false,
            _ => true,
        })
        .map(|event| event.at)
        .max()
        .filter(|last| *last > 0)
        .unwrap_or(trace.ended_at);
    if last == 0 {
        return TimeWindow::new(0, 10 * SECOND);
    }
    // A little air, so that the last verdict does not sit on the edge.
    let wanted = last.saturating_add(last / 32).saturating_add(1);
    let step = STEPS.iter().rev().copied().find(|step| wanted / step >= 5).unwrap_or(1);
    TimeWindow::new(0, wanted.div_ceil(step).saturating_mul(step).min(2 * MAX_MICROS))
}

/// The projection of a window onto a stretch of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    window: TimeWindow,
    left: f32,
    right: f32,
}

impl TimeScale {
    /// A scale that puts the window's edges at `left` and `right` px; at least one px wide.
    pub fn new(window: TimeWindow, left: f32, right: f32) -> Self {
        Self { window, left, right: right.max(left + 1.0) }
    }

    /// The window.
    pub const fn window(&self) -> TimeWindow {
        self.window
    }

    /// Where the window's left edge lies, in px.
    pub const fn left(&self) -> f32 {
        self.left
    }

    /// Where the window's right edge lies, in px.
    pub const fn right(&self) -> f32 {
        self.right
    }

    /// The x of a time, in px, unrounded; beyond the edges for times outside the window.
    pub fn x(&self, at: Micros) -> f64 {
        // Differences of integers first: they are exact, and the division then rounds once.
        let offset = i128::from(at) - i128::from(self.window.from_us);
        f64::from(self.left) + offset as f64 * self.width() / self.window.length() as f64
    }

    /// The x of a time on a tenth of a px, for drawing; kept within one width of the picture's edges.
    pub fn px(&self, at: Micros) -> f32 {
        let width = self.width();
        tenth(self.x(at).clamp(f64::from(self.left) - width, f64::from(self.right) + width) as f32)
    }

    /// The time at an x: the nearest microsecond, never below 0 nor above twice the longest time of a document.
    pub fn at(&self, x: f64) -> Micros {
        let offset = (x - f64::from(self.left)) / self.width() * self.window.length() as f64;
        let at = (self.window.from_us as f64 + offset).round();
        if self.window.from_us < (1 << 52) {
            return at.clamp(0.0, 2.0 * MAX_MICROS as f64) as Micros;
        }
        self.window.from_us.saturating_add_signed(offset.round() as i64)
    }

    /// How long one px is, in microseconds, at least 1; for snapping and key steps.
    pub fn per_px(&self) -> Micros {
        ((self.window.length() as f64 / self.width()) as Micros).max(1)
    }

    /// Whether a time lies within the window, edges included.
    pub const fn shows(&self, at: Micros) -> bool {
        self.window.from_us <= at && at <= self.window.to_us
    }

    fn width(&self) -> f64 {
        f64::from(self.right) - f64::from(self.left)
    }

    /// The ticks: about one every `room` px, fewer when their labels need more.
    pub fn ticks(&self, room: f32) -> Vec<Tick> {
        let length = self.window.length();
        let wanted = f64::from(room) / self.width() * length as f64;
        let step = STEPS.iter().copied().find(|step| *step as f64 >= wanted).unwrap_or_else(|| length.max(1));
        // A tick in two stands out: those at a multiple of the next coarser step.
        let strong = STEPS.iter().copied().find(|coarser| *coarser > step && coarser % step == 0).unwrap_or(step);
        let unit = Unit::of(step);
        let first = self.window.from_us.div_ceil(step) * step;
        let mut ticks = Vec::new();
        let mut at = first;
        while at <= self.window.to_us {
            let number = unit.number(at);
            let label = if ticks.is_empty() { format!("{number} {}", unit.name()) } else { number };
            ticks.push(Tick { at, x: self.px(at), strong: at % strong == 0, label });
            at += step;
        }
        ticks
    }
}

/// One tick of the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The time it marks.
    pub at: Micros,
    /// Its x in px.
    pub x: f32,
    /// Whether it stands out.
    pub strong: bool,
    /// Its label; the first one bears the unit.
    pub label: String,
}

/// The unit in which an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Micros,
    Millis,
    Seconds,
    Minutes,
    Hours,
    Days,
}

impl Unit {
    /// The unit in which multiples of a step are short.
    const fn of(step: Micros) -> Self {
        match step {
            0..100 => Self::Micros,
            100..100_000 => Self::Millis,
            100_000..MINUTE => Self::Seconds,
            MINUTE..HOUR => Self::Minutes,
            HOUR..DAY => Self::Hours,
            _ => Self::Days,
        }
    }

    const fn length(self) -> Micros {
        match self {
            Self::Micros => 1,
            Self::Millis => 1_000,
            Self::Seconds => SECOND,
            Self::Minutes => MINUTE,
            Self::Hours => HOUR,
            Self::Days => DAY,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Micros => "us",
            Self::Millis => "ms",
            Self::Seconds => "s",
            Self::Minutes => "m",
            Self::Hours => "h",
            Self::Days => "d",
        }
    }

    /// A time counted in the unit, with one decimal where a step needs it.
    fn number(self, at: Micros) -> String {
        let (whole, rest) = (at / self.length(), at % self.length());
        if rest == 0 { whole.to_string() } else { format!("{whole}.{}", rest * 10 / self.length()) }
    }
}

/// A coordinate on a tenth of a px.
pub(crate) fn tenth(px: f32) -> f32 {
    let scaled = (px * 10.0).round() / 10.0;
    // No minus before a zero in the text.
    if scaled == 0.0 { 0.0 } else { scaled }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_time_goes_to_x_and_back_to_the_same_microsecond(
            from in 0..MAX_MICROS, length in 1..MAX_MICROS, share in 0.0..=1.0_f64, width in 200.0..2_000.0_f32,
        ) {
            let scale = TimeScale::new(TimeWindow::new(from, from + length), 176.0, 176.0 + width);
            let at = from + (share * length as f64) as Micros;
            prop_assert_eq!(scale.at(scale.x(at)), at);
        }

        #[test]
        fn labels_of_ticks_never_overlap(from in 0..MAX_MICROS, length in 1..MAX_MICROS, width in 200.0..2_000.0_f32) {
            let scale = TimeScale::new(TimeWindow::new(from, from + length), 0.0, width);
            let ticks = scale.ticks(44.0);
            for pair in ticks.windows(2) {
                prop_assert!(pair[0].x < pair[1].x);
                prop_assert!(pair[0].at < pair[1].at);
            }
            prop_assert!(ticks.len() < 60);
        }
    }

    #[test]
    fn the_edges_of_the_window_are_the_edges_of_the_scale() {
        let scale = TimeScale::new(TimeWindow::new(0, 60 * SECOND), 176.0, 1376.0);
        let places = [0, 30_200_000, 60 * SECOND].map(|at| scale.px(at).to_string());
        assert_eq!(places, ["176", "780", "1376"]);
        assert_eq!(scale.at(-500.0), 0);
    }

    #[test]
    fn ticks_count_in_the_unit_of_their_step_from_zero() {
        let labels = |length: Micros| {
            let scale = TimeScale::new(TimeWindow::new(0, length), 0.0, 600.0);
            scale.ticks(90.0).into_iter().map(|tick| tick.label).collect::<Vec<_>>()
        };
        assert_eq!(labels(60 * SECOND), ["0 s", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(labels(3 * SECOND), ["0 s", "0.5", "1", "1.5", "2", "2.5", "3"]);
        assert_eq!(labels(300_000), ["0 ms", "50", "100", "150", "200", "250", "300"]);
        assert_eq!(labels(12), ["0 us", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(labels(6 * MINUTE), ["0 m", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(labels(12 * HOUR), ["0 h", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(labels(30 * DAY), ["0 d", "5", "10", "15", "20", "25", "30"]);
    }
}
