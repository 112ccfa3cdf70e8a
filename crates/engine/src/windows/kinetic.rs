//! Times that know how they move with a knob, and a keeper that knows how far its answers hold.
//!
//! Every time of a run is a sum of the scenario's numbers, so while no comparison turns out otherwise each of them is
//! linear in the knob. [`Kinetic`] answers for the knob's present value, and keeps the smallest number of further
//! steps of the knob (one step is one microsecond) at which any answer that it gave might change. Up to there, the run
//! is certified: it would go the same way.

use std::cmp::Ordering;

use crate::scenario::Micros;
use crate::time::{LocalClock, Plain, Timekeeper};

/// A time at the knob's present value, and how much it grows with each further step of the knob.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moving {
    /// Microseconds at the knob's present value.
    pub us: i64,
    /// Microseconds for each step.
    pub slope: i64,
}

/// Keeps times that move with a knob.
#[derive(Clone, Copy, Debug)]
pub struct Kinetic {
    reach: i64,
}

impl Default for Kinetic {
    fn default() -> Self {
        Self { reach: i64::MAX }
    }
}

impl Kinetic {
    /// Forgets what was compared.
    pub fn restart(&mut self) {
        self.reach = i64::MAX;
    }

    /// The number of further steps at which some answer might change: all before it is certified. At least 1;
    /// `i64::MAX` when no answer ever changes.
    pub fn reach(&self) -> i64 {
        self.reach
    }

    fn holds_until(&mut self, steps: i128) {
        self.reach = self.reach.min(i64::try_from(steps.max(1)).unwrap_or(i64::MAX));
    }
}

impl Timekeeper for Kinetic {
    type Time = Moving;

    #[inline]
    fn sum(&mut self, a: Moving, b: Moving) -> Moving {
        Moving { us: a.us + b.us, slope: a.slope + b.slope }
    }

    #[inline]
    fn order(&mut self, a: Moving, b: Moving) -> Ordering {
        let apart = a.us - b.us;
        let slope = a.slope - b.slope;
        if slope != 0 {
            if apart == 0 {
                self.reach = 1;
            } else if (apart > 0) != (slope > 0) {
                // They meet, or pass each other, at the first step that takes the distance to 0 or beyond.
                let (apart, slope) = (apart.unsigned_abs(), slope.unsigned_abs());
                self.reach = self.reach.min(apart.div_ceil(slope) as i64);
            }
        }
        apart.cmp(&0)
    }

    #[inline]
    fn precedes(
        &mut self,
        a: Moving,
        b: Moving,
        tie: impl FnOnce(&mut Self) -> Option<Ordering>,
        rest: impl FnOnce(&mut Self) -> Ordering,
    ) -> bool {
        let (apart, slope) = (a.us - b.us, a.slope - b.slope);
        if slope == 0 {
            return apart < 0 || apart == 0 && rest(self) == Ordering::Less;
        }
        if apart != 0 && (apart > 0) == (slope > 0) {
            // They move apart, and never meet.
            return apart < 0;
        }
        let Some(tie) = tie(self) else {
            return self.order(a, b).then_with(|| rest(self)) == Ordering::Less;
        };
        // At a tie the answer may already be that of beyond it, or still that of before: one turn for each crossing, where
        // each side of a tie that is told apart from it would be two.
        let beyond = if slope < 0 { Ordering::Less } else { Ordering::Greater };
        if apart == 0 {
            if tie != beyond {
                self.reach = 1;
            }
            return tie == Ordering::Less;
        }
        let (distance, speed) = (apart.unsigned_abs(), slope.unsigned_abs());
        let turn = if tie == beyond { distance.div_ceil(speed) } else { distance / speed + 1 };
        self.reach = self.reach.min(turn as i64);
        apart < 0
    }

    #[inline]
    fn settled(a: Moving, b: Moving) -> Option<Ordering> {
        (a.slope == b.slope).then(|| a.us.cmp(&b.us))
    }

    #[inline]
    fn micros(time: Moving) -> Micros {
        time.us as Micros
    }

    fn next_multiple(&mut self, start: Moving, every: Moving, after: Moving) -> Moving {
        let times = (after.us - start.us) / every.us + 1;
        let multiple =
            |times: i64| Moving { us: start.us + times * every.us, slope: start.slope + times * every.slope };
        let (last, next) = (multiple(times - 1), multiple(times));
        self.order(next, after);
        self.order(last, after);
        next
    }

    fn still_valid(
        &mut self,
        clock: LocalClock<Moving>,
        now: Moving,
        basis: Moving,
        ttl: Moving,
        margin: Moving,
    ) -> bool {
        if clock.drift_ppm == 0 {
            let (used, allowed) = (self.sum(now, margin), self.sum(basis, ttl));
            return self.before(used, allowed);
        }
        // Two readings of the clock are rounded, so their difference is within one microsecond of the exact one, to
        // either side. `beyond` is the exact one's distance from the limit, in millionths of a microsecond.
        let rate = 1_000_000 + i128::from(clock.drift_ppm);
        let of = |now: i64, basis: i64, ttl: i64, margin: i64| {
            (i128::from(now) - i128::from(basis)) * rate - (i128::from(ttl) - i128::from(margin)) * 1_000_000
        };
        let beyond = of(now.us, basis.us, ttl.us, margin.us);
        let slope = of(now.slope, basis.slope, ttl.slope, margin.slope);
        if beyond.abs() < 1_000_000 {
            // Rounding decides. It may decide otherwise at the next step.
            if now.slope != 0 || basis.slope != 0 || slope != 0 {
                self.holds_until(1);
            }
        } else if slope != 0 && (beyond > 0) != (slope > 0) {
            self.holds_until((beyond.abs() - 1_000_000) / slope.abs() + 1);
        }
        let plain = LocalClock { offset: clock.offset.us, drift_ppm: clock.drift_ppm };
        Plain.still_valid(plain, now.us, basis.us, ttl.us, margin.us)
    }

    fn local_millis(&mut self, clock: LocalClock<Moving>, at: Moving) -> u64 {
        // In millionths of a microsecond nothing is rounded, and a millisecond is 10^9 of them.
        const MILLI: i128 = 1_000_000_000;
        let rate = 1_000_000 + i128::from(clock.drift_ppm);
        let exact = |offset: i64, at: i64| i128::from(offset) * 1_000_000 + i128::from(at) * rate;
        let shown = exact(clock.offset.us, at.us);
        let slope = exact(clock.offset.slope, at.slope);
        let into = shown.rem_euclid(MILLI);
        match slope.cmp(&0) {
            Ordering::Greater => self.holds_until((MILLI - into + slope - 1) / slope),
            Ordering::Less => self.holds_until(into / -slope + 1),
            Ordering::Equal => {}
        }
        Plain.local_millis(LocalClock { offset: clock.offset.us, drift_ppm: clock.drift_ppm }, at.us)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an answer of the keeper stays what it is at every step that it certifies.
    fn certifies<T: PartialEq + std::fmt::Debug>(ask: impl Fn(&mut Kinetic, &dyn Fn(Moving) -> Moving) -> T) {
        let mut keeper = Kinetic::default();
        let answer = ask(&mut keeper, &|time| time);
        for step in 1..keeper.reach().min(3_000) {
            let later = ask(&mut Kinetic::default(), &|time| Moving { us: time.us + step * time.slope, ..time });
            assert_eq!(answer, later, "at step {step} of {}", keeper.reach());
        }
    }

    #[test]
    fn a_certified_order_holds_until_the_times_meet() {
        for apart in -9..9 {
            for slope in -4..4 {
                let (a, b) = (Moving { us: 50 + apart, slope: slope + 1 }, Moving { us: 50, slope: 1 });
                certifies(|keeper, at| keeper.order(at(a), at(b)));
                let mut keeper = Kinetic::default();
                let before = keeper.order(a, b);
                if keeper.reach() < i64::MAX {
                    let moved = apart + keeper.reach() * slope;
                    assert_ne!(moved.cmp(&0), before, "the certificate ends where the order changes, not earlier");
                }
            }
        }
    }

    #[test]
    fn a_certified_precedence_holds_through_a_tie_that_changes_nothing() {
        for apart in -9..9 {
            for slope in -4..4 {
                for tie in [Ordering::Less, Ordering::Greater] {
                    let (a, b) = (Moving { us: 50 + apart, slope: slope + 1 }, Moving { us: 50, slope: 1 });
                    certifies(|keeper, at| keeper.precedes(at(a), at(b), |_| Some(tie), |_| tie));
                    let mut keeper = Kinetic::default();
                    let before = keeper.precedes(a, b, |_| Some(tie), |_| tie);
                    if keeper.reach() < i64::MAX {
                        let moved = apart + keeper.reach() * slope;
                        let then = moved < 0 || moved == 0 && tie == Ordering::Less;
                        assert_ne!(then, before, "the certificate ends where the answer changes, not earlier");
                    }
                }
            }
        }
    }

    #[test]
    fn a_certified_reading_of_a_drifting_clock_holds() {
        for drift_ppm in [-400_000, -3, 0, 250_000] {
            for slope in [-1, 0, 1, 2] {
                for us in [995, 1_000, 1_734, 2_999] {
                    let still = Moving { us: 300, slope: 0 };
                    let clock = LocalClock { offset: Moving { us: -5, slope: 0 }, drift_ppm };
                    let at_slope = Moving { us, slope };
                    certifies(|keeper, at| keeper.local_millis(clock, at(at_slope)));
                    for ttl in [690, 700, 1_000, 1_436] {
                        let (ttl, none) = (Moving { us: ttl, slope: 0 }, Moving::default());
                        certifies(|keeper, at| keeper.still_valid(clock, at(at_slope), still, ttl, none));
                        certifies(|keeper, at| {
                            let basis = at(Moving { us: 300, slope });
                            keeper.still_valid(clock, at(at_slope), basis, ttl, none)
                        });
                    }
                }
            }
        }
    }
}
