//! A worker's own clock: a second axis along its lane, for those whose clock is not true.
//!
//! A worker believes by what this axis says; held against the true one above, it shows why a belief outlives its lease, or
//! ends before it.

use fenceline_engine::scenario::{Clock, Micros};

use super::{Build, lettered};
use crate::measure::{Face, first_fit, width};
use crate::projection::{TimeScale, TimeWindow, tenth};
use crate::scene::{Anchor, ItemId, Layer, Layout, Rect, Shape};
use crate::words::tidy;

/// From the belief bands to the line of the axis, in px.
pub(super) const DROP: f32 = 4.0;
/// The length of a tick, and from the line to the baseline of the labels.
const TICK: f32 = 4.0;
const LABELS: f32 = 14.0;
/// The room that the axis takes under the bands.
pub(super) const ROOM: f32 = 24.0;

/// Whether a clock is not the true one.
pub(super) fn is_wrong(clock: Clock) -> bool {
    clock != Clock::default()
}

/// What a clock shows at a true time; before 0 as well.
fn local(clock: Clock, at: Micros) -> i128 {
    let rate = 1_000_000 + i128::from(clock.drift_ppm);
    i128::from(clock.offset) + (i128::from(at) * rate).div_euclid(1_000_000)
}

/// The projection of what a clock shows; `None` when it shows nothing but times before its 0.
fn own_scale(true_scale: &TimeScale, clock: Clock) -> Option<TimeScale> {
    let window = true_scale.window();
    let (first, last) = (local(clock, window.from_us()), local(clock, window.to_us()));
    let end = Micros::try_from(last).ok().filter(|end| *end > 0 && last > first)?;
    let (mut from, mut left) = (0, true_scale.left());
    if let Ok(first) = Micros::try_from(first) {
        from = first;
    } else {
        let share = -first as f64 / (last - first) as f64;
        left += (share * f64::from(true_scale.right() - true_scale.left())) as f32;
    }
    (true_scale.right() - left > 1.0).then(|| TimeScale::new(TimeWindow::new(from, end), left, true_scale.right()))
}

/// How far a clock is from the true one.
pub(super) fn ahead(offset: i64) -> String {
    let way = match offset {
        0 => return "not ahead".into(),
        1.. => " ahead",
        _ => " behind",
    };
    [&tidy(offset.unsigned_abs()), way].concat()
}

/// How fast it runs.
pub(super) fn fast(drift_ppm: i32) -> String {
    let way = match drift_ppm {
        0 => return "as fast as time".into(),
        1.. => "fast",
        _ => "slow",
    };
    let ppm = drift_ppm.unsigned_abs();
    if !ppm.is_multiple_of(1_000) {
        return format!("{ppm} ppm {way}");
    }
    match (ppm / 10_000, ppm / 1_000 % 10) {
        (whole, 0) => format!("{whole} % {way}"),
        (whole, tenth) => format!("{whole}.{tenth} % {way}"),
    }
}

/// How a clock differs, long and short.
fn words_of(clock: Clock) -> [String; 2] {
    let mut parts = Vec::new();
    if clock.offset != 0 {
        parts.push(ahead(clock.offset));
    }
    if clock.drift_ppm != 0 {
        parts.push(fast(clock.drift_ppm));
    }
    [["clock ", &parts.join(", ")].concat(), "own clock".to_owned()]
}

impl Build<'_> {
    /// Draws the axis of each wrong clock, its numbers where nothing is in their way.
    pub(super) fn clocks(&mut self) {
        for worker in 0..self.worker_places.len() {
            let place = self.worker_places[worker];
            let clock = self.scenario.workers[worker].clock;
            if !is_wrong(clock) {
                continue;
            }
            let Some(scale) = own_scale(&self.scale, clock) else { continue };
            let y = tenth(place.band.0 + place.band.1 + DROP);
            let mut shapes =
                vec![Shape::Line { class: "fl-own-clock", from: (scale.left(), y), to: (scale.right(), y) }];
            let [long, short] = words_of(clock);
            if self.layout == Layout::Narrow {
                // There is no gutter: the words stand before the numbers.
                let text = lettered(
                    Face::Small,
                    "fl-text fl-muted fl-halo",
                    (scale.left() + 3.0, y + LABELS),
                    Anchor::Start,
                    short,
                );
                if self.placer.is_clear(&text.area, None) {
                    self.placer.take(text.area);
                    shapes.push(Shape::Text(text));
                }
            } else {
                let room = self.m.left - self.m.gutter - 8.0;
                if let Some(words) = first_fit(&[&long, &short], Face::Small, room) {
                    let at =
                        (self.m.gutter, tenth(place.area.y + if self.layout == Layout::Wide { 52.0 } else { 47.0 }));
                    let text = lettered(Face::Small, "fl-text fl-muted", at, Anchor::Start, words.to_owned());
                    shapes.push(Shape::Text(text));
                }
            }
            for tick in scale.ticks(self.m.tick_room) {
                shapes.push(Shape::Line { class: "fl-own-clock", from: (tick.x, y), to: (tick.x, y + TICK) });
                let half = width(&tick.label, Face::Small) / 2.0;
                let (least, most) = (self.scale.left() + 2.0 + half, self.width - half - 3.0);
                let at = (tick.x.clamp(least, most), y + LABELS);
                let text = lettered(Face::Small, "fl-text fl-muted fl-halo", at, Anchor::Middle, tick.label);
                let area = Rect { x: text.area.x - 3.0, w: text.area.w + 6.0, ..text.area };
                if self.placer.is_clear(&area, None) {
                    self.placer.take(text.area);
                    shapes.push(Shape::Text(text));
                }
            }
            self.push(ItemId::Clock(worker as u32), Layer::Blocks, None, shapes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Micros = 1_000_000;

    fn scale(from: Micros, to: Micros) -> TimeScale {
        TimeScale::new(TimeWindow::new(from * SECOND, to * SECOND), 100.0, 700.0)
    }

    #[test]
    fn a_clock_that_is_ahead_shows_a_time_before_it_is_true() {
        // 10 px a second: its 20 s are true at 15 s.
        let own = own_scale(&scale(0, 60), Clock { offset: 5_000_000, drift_ppm: 0 }).expect("it shows something");
        assert_eq!(own.window(), TimeWindow::new(5 * SECOND, 65 * SECOND));
        assert!((own.x(20 * SECOND) - 250.0).abs() < 0.01);
    }

    #[test]
    fn a_clock_at_half_speed_has_shown_half_of_the_time() {
        let own = own_scale(&scale(20, 60), Clock { offset: 0, drift_ppm: -500_000 }).expect("it shows something");
        // 15 px a second; its 25 s are true at 50 s.
        assert_eq!(own.window(), TimeWindow::new(10 * SECOND, 30 * SECOND));
        assert!((own.x(25 * SECOND) - 550.0).abs() < 0.01);
    }

    #[test]
    fn a_clock_that_is_behind_begins_where_it_comes_to_0() {
        let own = own_scale(&scale(0, 60), Clock { offset: -6_000_000, drift_ppm: 0 }).expect("it shows something");
        assert_eq!(own.window(), TimeWindow::new(0, 54 * SECOND));
        assert!((own.left() - 160.0).abs() < 0.01);
        assert_eq!(own_scale(&scale(0, 60), Clock { offset: -60_000_000, drift_ppm: 0 }), None);
    }

    #[test]
    fn how_a_clock_differs_is_said_in_words() {
        let words = |offset, drift_ppm| words_of(Clock { offset, drift_ppm })[0].clone();
        assert_eq!(words(2_000_000, 0), "clock 2 s ahead");
        assert_eq!(words(-1_500_000, 500_000), "clock 1.5 s behind, 50 % fast");
        assert_eq!(words(0, -200), "clock 200 ppm slow");
    }
}
