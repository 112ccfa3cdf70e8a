//! The one small type through which every sum and every comparison of times goes.
//!
//! A run never adds or compares times by itself; it asks its [`Timekeeper`]. So the same engine can run on plain
//! microseconds, or on times that carry how they move with a knob and note at which value of it a comparison would turn
//! out otherwise, without being written twice. The invariant: nothing in `simulate` looks inside a time.

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::scenario::{Clock, Micros};

/// A worker's clock, with its offset as a time that a knob may move.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalClock<T> {
    /// How far it is ahead at true time 0; may be negative.
    pub offset: T,
    /// How much faster than true time it runs, in parts per million.
    pub drift_ppm: i32,
}

/// How times are represented, added and compared in a run.
pub trait Timekeeper: Default {
    /// A time or a duration. The default is 0.
    type Time: Copy + Default + Debug;

    /// `a + b`.
    fn sum(&mut self, a: Self::Time, b: Self::Time) -> Self::Time;

    /// Which of the two is earlier (or shorter).
    fn order(&mut self, a: Self::Time, b: Self::Time) -> Ordering;

    /// Whether `a` comes before `b`, when at one and the same instant `tie` says which does. It answers only as long as it
    /// certainly goes on to say the same, or else not at all; then a tie is `rest`'s to break.
    fn precedes(
        &mut self,
        a: Self::Time,
        b: Self::Time,
        tie: impl FnOnce(&mut Self) -> Option<Ordering>,
        rest: impl FnOnce(&mut Self) -> Ordering,
    ) -> bool;

    /// Which of the two is earlier, when that is the same whatever moves; else not known.
    fn settled(a: Self::Time, b: Self::Time) -> Option<Ordering>;

    /// The value in microseconds, for telling, never for deciding.
    fn micros(time: Self::Time) -> Micros;

    /// The first of `start + every`, `start + 2 every` … that lies strictly after `after`; `every` is above 0.
    fn next_multiple(&mut self, start: Self::Time, every: Self::Time, after: Self::Time) -> Self::Time;

    /// Whether on `clock` the lease counted from `basis` is still valid at `now`: `local now < local basis + ttl - margin`.
    fn still_valid(
        &mut self,
        clock: LocalClock<Self::Time>,
        now: Self::Time,
        basis: Self::Time,
        ttl: Self::Time,
        margin: Self::Time,
    ) -> bool;

    /// The local time on `clock` in whole milliseconds, at least 0.
    fn local_millis(&mut self, clock: LocalClock<Self::Time>, at: Self::Time) -> u64;

    /// Whether `a` is before `b`.
    fn before(&mut self, a: Self::Time, b: Self::Time) -> bool {
        self.order(a, b) == Ordering::Less
    }

    /// The later of the two.
    fn later(&mut self, a: Self::Time, b: Self::Time) -> Self::Time {
        if self.before(a, b) { b } else { a }
    }

    /// Whether a duration is empty.
    fn is_zero(&mut self, length: Self::Time) -> bool {
        self.order(length, Self::Time::default()) == Ordering::Equal
    }
}

/// Plain microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Timekeeper for Plain {
    // Signed, for the offset of a clock; validation keeps every sum of a document far below the type's end.
    type Time = i64;

    #[inline]
    fn sum(&mut self, a: i64, b: i64) -> i64 {
        a + b
    }

    #[inline]
    fn order(&mut self, a: i64, b: i64) -> Ordering {
        a.cmp(&b)
    }

    #[inline]
    fn precedes(
        &mut self,
        a: i64,
        b: i64,
        _: impl FnOnce(&mut Self) -> Option<Ordering>,
        rest: impl FnOnce(&mut Self) -> Ordering,
    ) -> bool {
        // What never moves needs no foresight.
        a < b || a == b && rest(self) == Ordering::Less
    }

    #[inline]
    fn settled(a: i64, b: i64) -> Option<Ordering> {
        Some(a.cmp(&b))
    }

    #[inline]
    fn micros(time: i64) -> Micros {
        time as Micros
    }

    fn next_multiple(&mut self, start: i64, every: i64, after: i64) -> i64 {
        start + ((after - start) / every + 1) * every
    }

    fn still_valid(&mut self, clock: LocalClock<i64>, now: i64, basis: i64, ttl: i64, margin: i64) -> bool {
        let local = |at| elapsed(clock.drift_ppm, at);
        local(now) < local(basis) + i128::from(ttl) - i128::from(margin)
    }

    fn local_millis(&mut self, clock: LocalClock<i64>, at: i64) -> u64 {
        let local = i128::from(clock.offset) + elapsed(clock.drift_ppm, at);
        u64::try_from(local.div_euclid(1_000)).unwrap_or(0)
    }
}

/// How far a clock of that drift has run at a true time, rounded down. Its offset comes on top.
pub(crate) fn elapsed(drift_ppm: i32, at: i64) -> i128 {
    (i128::from(at) * (1_000_000 + i128::from(drift_ppm))).div_euclid(1_000_000)
}

/// A worker's local time in microseconds at a true time: `offset + true * (1 + drift)`, rounded down.
pub fn local(clock: Clock, at: Micros) -> i128 {
    i128::from(clock.offset) + elapsed(clock.drift_ppm, at as i64)
}

/// The first true time at which a worker's clock shows `shown` or more.
pub fn first_showing(clock: Clock, shown: i128) -> Micros {
    let rate = 1_000_000 + i128::from(clock.drift_ppm);
    let elapsed = (shown - i128::from(clock.offset)).max(0);
    // floor(t * rate / 1e6) >= elapsed exactly when t >= elapsed * 1e6 / rate.
    Micros::try_from((elapsed * 1_000_000 + rate - 1).div_euclid(rate)).unwrap_or(Micros::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_clock_rounds_down_also_below_zero() {
        let clock = Clock { offset: -3, drift_ppm: 500_000 };
        assert_eq!(local(clock, 1), -2, "-3 + floor(1.5)");
        assert_eq!(Plain.local_millis(LocalClock { offset: -3, drift_ppm: 500_000 }, 1), 0);
    }

    #[test]
    fn the_first_true_time_that_shows_a_local_time_is_exact() {
        for drift_ppm in [-500_000, -7, 0, 13, 500_000] {
            for offset in [-20, 0, 9] {
                let clock = Clock { offset, drift_ppm };
                for shown in -30..60 {
                    let at = first_showing(clock, shown);
                    assert!(local(clock, at) >= shown);
                    assert!(at == 0 || local(clock, at - 1) < shown);
                }
            }
        }
    }

    #[test]
    fn the_next_multiple_lies_strictly_after() {
        assert_eq!(Plain.next_multiple(100, 10, 100), 110);
        assert_eq!(Plain.next_multiple(100, 10, 119), 120);
        assert_eq!(Plain.next_multiple(100, 10, 120), 130);
    }
}
