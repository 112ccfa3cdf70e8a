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
pub fn snap(length: Micros, grid: Micros, least: Micros, most: Micros) -> Micros {
    let below = length - length % grid;
    let nearest = if length - below < grid - (length - below) { below } else { below.saturating_add(grid) };
    nearest.clamp(least, most.max(least))
}

/// Where a key takes a length: to the next multiple of the step, either way, and so on from there.
pub fn stride(length: Micros, stride: Stride, step: Micros, least: Micros, most: Micros) -> Micros {
    let most = most.max(least);
    let to = match stride {
        Stride::Earliest => least,
        Stride::Latest => most,
        Stride::Steps(steps) => {
            let start = if steps < 0 { length.div_ceil(step) } else { length / step };
            start.saturating_add_signed(i64::from(steps)).saturating_mul(step)
        }
    };
    to.clamp(least, most)
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    const SECOND: Micros = 1_000_000;

    #[test]
    fn a_step_is_a_tenth_of_a_second_on_an_axis_of_a_minute() {
        assert_eq!(step_of(60 * SECOND), SECOND / 10);
        assert_eq!(step_of(70 * SECOND), SECOND / 10);
    }

    #[test]
    fn steps_shrink_and_grow_with_the_axis() {
        assert_eq!(step_of(600_000), 1_000, "1 ms on 0.6 s");
        assert_eq!(step_of(350), 1, "1 us on 350 us");
        assert_eq!(step_of(20), 1);
        assert_eq!(step_of(3_600 * SECOND), 10 * SECOND, "10 s on an hour");
    }

    #[test]
    fn alt_snaps_ten_times_finer_but_never_below_a_microsecond() {
        assert_eq!(grid_of(60 * SECOND, Fineness::Tenths), SECOND / 100);
        assert_eq!(grid_of(350, Fineness::Tenths), 1);
    }

    #[test]
    fn a_length_snaps_to_the_nearest_multiple() {
        assert_eq!(snap(44_949_999, 100_000, 0, 60 * SECOND), 44_900_000);
        assert_eq!(snap(44_950_000, 100_000, 0, 60 * SECOND), 45_000_000);
    }

    #[test]
    fn snapping_stays_within_the_limits() {
        assert_eq!(snap(10, 100_000, 42, 60 * SECOND), 42);
        assert_eq!(snap(990_000, 100_000, 0, 970_000), 970_000);
        assert_eq!(snap(Micros::MAX, 100_000, 0, Micros::MAX), Micros::MAX);
    }

    #[test]
    fn keys_go_by_steps_and_stop_at_the_limits() {
        let go = |by| stride(45 * SECOND, by, SECOND / 10, 0, 55 * SECOND);
        assert_eq!(go(Stride::Steps(-1)), 44_900_000);
        assert_eq!(go(Stride::Steps(50)), 50 * SECOND);
        assert_eq!(go(Stride::Steps(500)), 55 * SECOND);
        assert_eq!(go(Stride::Steps(-5_000)), 0);
        assert_eq!(stride(44_950_000, Stride::Steps(1), SECOND / 10, 0, 55 * SECOND), 45 * SECOND);
        assert_eq!(stride(44_950_000, Stride::Steps(-1), SECOND / 10, 0, 55 * SECOND), 44_900_000);
        assert_eq!(go(Stride::Earliest), 0);
        assert_eq!(go(Stride::Latest), 55 * SECOND);
    }
}
