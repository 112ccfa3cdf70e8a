//! Zoom and pan: which stretch of time is shown after a turn of the wheel, a pinch, a key.
//!
//! Pure. Invariants: the shown stretch never leaves the whole story and is never shorter than [`SHORTEST`]; the time under
//! the pointer stays under it; zoomed all the way out there is no zoom.

use fenceline_engine::Micros;
use fenceline_figure::TimeWindow;

/// The shortest stretch that is shown, in microseconds.
pub const SHORTEST: Micros = 100;

/// How much one step of a key or button zooms: by a half.
const STEP: f64 = 1.5;

/// A stretch of time from real numbers, kept within the whole.
fn within(from: f64, length: f64, whole: TimeWindow) -> Option<TimeWindow> {
    let (least, most) = (whole.from_us() as f64, whole.to_us() as f64);
    let length = length.clamp((SHORTEST as f64).min(most - least), most - least);
    if length >= most - least - 0.5 {
        return None;
    }
    let from = from.clamp(least, most - length);
    Some(TimeWindow::new(from.round() as Micros, (from + length).round() as Micros))
}

/// The window zoomed by that many steps (in when positive) around a time; none when it is then the whole.
pub fn zoomed(shown: TimeWindow, whole: TimeWindow, around: Micros, steps: f64) -> Option<TimeWindow> {
    let factor = STEP.powf(-steps);
    let length = (shown.length() as f64 * factor).max(SHORTEST as f64);
    let factor = length / shown.length() as f64;
    let around = around as f64;
    within(around - (around - shown.from_us() as f64) * factor, length, whole)
}

/// The window moved by a part of its length; positive is later.
pub fn panned(shown: TimeWindow, whole: TimeWindow, by: f64) -> Option<TimeWindow> {
    let length = shown.length() as f64;
    within(shown.from_us() as f64 + by * length, length, whole)
}

/// The window in which the times that were under two fingers are under them again. Places are parts of the axis: 0 its
/// left end, 1 its right.
pub fn pinched(shown: TimeWindow, whole: TimeWindow, before: (f64, f64), after: (f64, f64)) -> Option<TimeWindow> {
    let (apart_before, apart_after) = ((before.1 - before.0).abs(), (after.1 - after.0).abs());
    let factor = if apart_before < 0.01 || apart_after < 0.01 { 1.0 } else { apart_before / apart_after };
    let length = shown.length() as f64;
    let middle = shown.from_us() as f64 + f64::midpoint(before.0, before.1) * length;
    let new_length = (length * factor).max(SHORTEST as f64);
    within(middle - f64::midpoint(after.0, after.1) * new_length, new_length, whole)
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    const SECOND: Micros = 1_000_000;

    fn seconds(from: Micros, to: Micros) -> TimeWindow {
        TimeWindow::new(from * SECOND, to * SECOND)
    }

    const WHOLE: TimeWindow = TimeWindow::new(0, 60 * SECOND);

    #[test]
    fn the_time_under_the_pointer_stays_under_it() {
        // 30 s lies in the middle, and 1.5 times closer 20 s to either side are shown.
        assert_eq!(zoomed(WHOLE, WHOLE, 30 * SECOND, 1.0), Some(seconds(10, 50)));
        assert_eq!(zoomed(WHOLE, WHOLE, 0, 1.0), Some(seconds(0, 40)));
        let shown = seconds(10, 50);
        let closer = zoomed(shown, WHOLE, 20 * SECOND, 1.0).expect("it is closer");
        let part = |window: TimeWindow| (20 * SECOND - window.from_us()) as f64 / window.length() as f64;
        assert!((part(closer) - part(shown)).abs() < 1e-6);
    }

    #[test]
    fn zoomed_all_the_way_out_there_is_no_zoom() {
        assert_eq!(zoomed(seconds(10, 50), WHOLE, 30 * SECOND, -1.0), None);
        assert_eq!(zoomed(WHOLE, WHOLE, 30 * SECOND, -5.0), None);
    }

    #[test]
    fn there_is_a_closest_look_and_nothing_beyond_the_story() {
        let close = zoomed(WHOLE, WHOLE, 60 * SECOND, 500.0).expect("it is close");
        assert_eq!((close.length(), close.to_us()), (SHORTEST, 60 * SECOND));
        assert_eq!(zoomed(close, WHOLE, 60 * SECOND, 5.0), Some(close));
        assert_eq!(panned(seconds(10, 50), WHOLE, 9.0), Some(seconds(20, 60)));
        assert_eq!(panned(seconds(10, 50), WHOLE, -0.125), Some(seconds(5, 45)));
        let tiny = TimeWindow::new(0, 50);
        assert_eq!(zoomed(tiny, tiny, 20, 3.0), None, "a story shorter than the closest look");
    }

    #[test]
    fn a_pinch_keeps_both_times_under_the_fingers() {
        // 15 s and 45 s lie at a quarter and three; drawn apart to the ends they are the ends.
        assert_eq!(pinched(WHOLE, WHOLE, (0.25, 0.75), (0.0, 1.0)), Some(seconds(15, 45)));
        assert_eq!(pinched(seconds(15, 45), WHOLE, (0.0, 1.0), (0.25, 0.75)), None);
        // Two fingers that move together pan.
        assert_eq!(pinched(seconds(15, 45), WHOLE, (0.2, 0.6), (0.4, 0.8)), Some(seconds(9, 39)));
    }
}
