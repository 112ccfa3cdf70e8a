//! Steps and snapping: the round numbers on which a handle comes to rest.
//!
//! A step fits what is on screen: 0.1 s on an axis of a minute, 1 ms on one of half a second. Invariant: snapping never
//! leaves the handle's limits.

use fenceline_engine::Micros;

use crate::command::{Fineness, Stride};

/// How many steps an axis has at least.
const STEPS_OF_AXIS: Micros = 300;

/// The step on an axis of that length: a power of ten in microseconds, at least one.
pub const fn step_of(axis: Micros) -> Micros {
    let most = axis / STEPS_OF_AXIS;
    if most == 0 { 1 } else { 10_u64.pow(most.ilog10()) }
}

/// The grid that a drag snaps to.
pub const fn grid_of(axis: Micros, fineness: Fineness) -> Micros {
    let step = step_of(axis);
    match fineness {
        Fineness::Steps | Fineness::Events => step,
        Fineness::Tenths if step >= 10 => step / 10,
        Fineness::Tenths => 1,
    }
}

/// The multiple of `grid` nearest to a length, and within the limits.
pub fn snap(length: i64, grid: Micros, least: i64, most: i64) -> i64 {
    let grid = (grid as i64).max(1);
    let over = length.rem_euclid(grid);
    let below = length.saturating_sub(over);
    let nearest = if over < grid - over { below } else { below.saturating_add(grid) };
    nearest.clamp(least, most.max(least))
}

/// Where a key takes a length: to the next multiple of the step, either way, and so on from there.
pub fn stride(length: i64, stride: Stride, step: Micros, least: i64, most: i64) -> i64 {
    let (step, most) = ((step as i64).max(1), most.max(least));
    let to = match stride {
        Stride::Earliest => least,
        Stride::Latest => most,
        Stride::Steps(steps) => {
            let below = length.div_euclid(step);
            let is_between = length.rem_euclid(step) != 0;
            let start = if steps < 0 && is_between { below + 1 } else { below };
            start.saturating_add(i64::from(steps)).saturating_mul(step)
        }
    };
    to.clamp(least, most)
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    const SECOND: i64 = 1_000_000;
    const TIME: Micros = 1_000_000;

    #[test]
    fn a_step_is_a_tenth_of_a_second_on_an_axis_of_a_minute() {
        assert_eq!(step_of(60 * TIME), TIME / 10);
        assert_eq!(step_of(70 * TIME), TIME / 10);
    }

    #[test]
    fn steps_shrink_and_grow_with_the_axis() {
        assert_eq!(step_of(600_000), 1_000, "1 ms on 0.6 s");
        assert_eq!(step_of(350), 1, "1 us on 350 us");
        assert_eq!(step_of(20), 1);
        assert_eq!(step_of(3_600 * TIME), 10 * TIME, "10 s on an hour");
    }

    #[test]
    fn alt_snaps_ten_times_finer_but_never_below_a_microsecond() {
        assert_eq!(grid_of(60 * TIME, Fineness::Tenths), TIME / 100);
        assert_eq!(grid_of(350, Fineness::Tenths), 1);
    }

    #[test]
    fn a_length_snaps_to_the_nearest_multiple() {
        assert_eq!(snap(44_949_999, 100_000, 0, 60 * SECOND), 44_900_000);
        assert_eq!(snap(44_950_000, 100_000, 0, 60 * SECOND), 45_000_000);
    }

    #[test]
    fn a_clock_that_is_behind_goes_by_the_same_steps() {
        assert_eq!(snap(-149_999, 100_000, -SECOND, SECOND), -100_000);
        assert_eq!(snap(-150_001, 100_000, -SECOND, SECOND), -200_000);
        let go = |from, steps| stride(from, Stride::Steps(steps), TIME / 10, -SECOND, SECOND);
        assert_eq!((go(0, -1), go(-100_000, 1), go(-150_000, 1), go(-150_000, -1)), (-100_000, 0, -100_000, -200_000));
        assert_eq!(go(-950_000, -3), -SECOND);
    }

    #[test]
    fn snapping_stays_within_the_limits() {
        assert_eq!(snap(10, 100_000, 42, 60 * SECOND), 42);
        assert_eq!(snap(990_000, 100_000, 0, 970_000), 970_000);
        assert_eq!(snap(i64::MAX, 100_000, 0, i64::MAX), i64::MAX);
    }

    #[test]
    fn keys_go_by_steps_and_stop_at_the_limits() {
        let go = |by| stride(45 * SECOND, by, TIME / 10, 0, 55 * SECOND);
        assert_eq!(go(Stride::Steps(-1)), 44_900_000);
        assert_eq!(go(Stride::Steps(50)), 50 * SECOND);
        assert_eq!(go(Stride::Steps(500)), 55 * SECOND);
        assert_eq!(go(Stride::Steps(-5_000)), 0);
        assert_eq!(stride(44_950_000, Stride::Steps(1), TIME / 10, 0, 55 * SECOND), 45 * SECOND);
        assert_eq!(stride(44_950_000, Stride::Steps(-1), TIME / 10, 0, 55 * SECOND), 44_900_000);
        assert_eq!(go(Stride::Earliest), 0);
        assert_eq!(go(Stride::Latest), 55 * SECOND);
    }
}
