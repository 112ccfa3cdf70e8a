//! The rows of a race map, worked out from coarse to fine.
//!
//! Pure. Each row is exact; a map that is not finished shows each row that is missing as the one worked out above it.

use fenceline_engine::{Class, Gist, Knob, Partition, RaceMap, Scenario, Stretch};

/// How much work a row may take, in events.
const WORK: u64 = 20_000;

/// The distance of the rows that are worked out first.
const COARSE: usize = 16;

/// Stands for what was not worked out, since it would have taken too long: an outcome of its own, and no guess.
pub const NOT_WORKED_OUT: Gist = Gist { class: Class::Neutral, words: "not worked out" };

/// The parts of a range up to its end, with what was not worked out as the last of them.
pub fn to_the_end(found: Partition<Stretch>, end: i64) -> Vec<Stretch> {
    let mut parts = found.parts;
    parts.extend(found.stopped_at.map(|at| Stretch { values: at..end, gist: Some(NOT_WORKED_OUT) }));
    parts
}

/// A map: what it is of, and the rows.
#[derive(Debug)]
pub struct Rows {
    map: RaceMap,
    xs: (i64, i64),
    ys: (i64, i64),
    /// From the bottom, where the vertical knob is least, to the top.
    found: Vec<Option<Vec<Stretch>>>,
    /// Which of them comes next, in the order of working them out.
    next: usize,
    order: Vec<u32>,
}

impl Rows {
    /// A map of so many rows, none of them worked out. Ends of the axes are part of them.
    pub fn new(scenario: &Scenario, x: Knob, xs: (i64, i64), y: Knob, ys: (i64, i64), count: usize) -> Self {
        let map = RaceMap::new(scenario, x, xs.0..xs.1 + 1, y);
        let mut order = Vec::with_capacity(count);
        let mut step = COARSE;
        while step > 0 {
            order.extend((0..count).filter(|row| row % step == 0 && (step == COARSE || row % (2 * step) != 0)));
            step /= 2;
        }
        let order = order.into_iter().map(|row| row as u32).collect();
        Self { map, xs, ys, found: vec![None; count], next: 0, order }
    }

    /// Works out the next row. Returns false when all are there.
    pub fn go_on(&mut self) -> bool {
        let Some(&row) = self.order.get(self.next) else { return false };
        self.next += 1;
        let y = self.value_of_row(row as usize);
        self.found[row as usize] = Some(to_the_end(self.map.row(y, WORK), self.xs.1 + 1));
        self.next < self.order.len()
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// The value of the vertical knob in the middle of a row.
    fn value_of_row(&self, row: usize) -> i64 {
        let (from, to) = self.ys;
        let rows = self.found.len().max(1) as i128;
        (i128::from(from) + i128::from(to - from) * (2 * row as i128 + 1) / (2 * rows)) as i64
    }

    /// A row, or the nearest below it that is worked out.
    pub fn row(&self, row: usize) -> Option<&[Stretch]> {
        self.found[..=row.min(self.found.len().checked_sub(1)?)].iter().rev().find_map(Option::as_deref)
    }

    /// Where a value of the horizontal knob lies, as a part of the width.
    pub fn across(&self, value: i64) -> f64 {
        let (from, to) = self.xs;
        (value.saturating_sub(from) as f64 / (to - from).max(1) as f64).clamp(0.0, 1.0)
    }

    /// The different outcomes with the part of the map that each takes, and a place in the middle of it. The largest comes
    /// first.
    pub fn regions(&self) -> Vec<Region> {
        let mut found: Vec<Region> = Vec::new();
        let rows = self.found.len().max(1) as f64;
        for (index, stretch) in self.stretches() {
            let known = found.iter().position(|region| region.gist == stretch.gist);
            let place = known.unwrap_or(found.len());
            if known.is_none() {
                found.push(Region { gist: stretch.gist, share: 0.0, width: 0.0, at: (0.0, 0.0) });
            }
            let width = self.width(stretch);
            found[place].share += width / rows;
            // The height of its centre of gravity, up to the division by its share.
            found[place].at.1 += width / rows * (index as f64 + 0.5) / rows;
        }
        for region in &mut found {
            let up = region.at.1 / region.share.max(f64::MIN_POSITIVE);
            let distance = |index: usize| ((index as f64 + 0.5) / rows - up).abs();
            let of_it = self.stretches().filter(|(_, stretch)| stretch.gist == region.gist);
            let nearest = of_it.min_by(|(one, a), (other, b)| {
                distance(*one).total_cmp(&distance(*other)).then(self.width(b).total_cmp(&self.width(a)))
            });
            if let Some((index, stretch)) = nearest {
                region.width = self.width(stretch);
                let middle = f64::midpoint(self.across(stretch.values.start), self.across(stretch.values.end));
                region.at = (middle, (index as f64 + 0.5) / rows);
            }
        }
        found.sort_by(|one, other| other.share.total_cmp(&one.share));
        found
    }

    fn stretches(&self) -> impl Iterator<Item = (usize, &Stretch)> {
        let rows = self.found.iter().enumerate();
        rows.flat_map(|(index, row)| row.iter().flatten().map(move |stretch| (index, stretch)))
    }

    fn width(&self, stretch: &Stretch) -> f64 {
        self.across(stretch.values.end) - self.across(stretch.values.start)
    }
}

/// One outcome of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The outcome; none where the schedule would not be valid.
    pub gist: Option<Gist>,
    /// The part of the map that it takes.
    pub share: f64,
    /// How wide it is at that place, as a part of the width.
    pub width: f64,
    /// A place in the middle of it: across, and up from the bottom.
    pub at: (f64, f64),
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::app::OPENING;
    use crate::explore::axes::first_axes;

    const SECOND: i64 = 1_000_000;

    fn opening(count: usize) -> Rows {
        let scenario = Scenario::from_json(OPENING).unwrap_or_default();
        let (x, y) = first_axes(&scenario).expect("it has numbers");
        Rows::new(&scenario, x, (0, 60 * SECOND), y, (0, 10 * SECOND), count)
    }

    #[test]
    fn each_row_is_worked_out_once_and_shown_as_the_one_below_until_then() {
        let mut rows = opening(40);
        assert_eq!(rows.row(39), None);
        let mut steps = 1;
        while rows.go_on() {
            steps += 1;
            assert_eq!(rows.row(0).is_some(), rows.row(39).is_some(), "the bottom row comes first");
        }
        assert_eq!(steps, 40);
        assert!(rows.found.iter().all(Option::is_some));
    }

    #[test]
    fn what_was_not_worked_out_is_an_outcome_of_its_own() {
        let known = Stretch { values: 0..40, gist: None };
        let parts = |stopped_at| to_the_end(Partition { parts: vec![known.clone()], stopped_at }, 100);
        assert_eq!(parts(None), std::slice::from_ref(&known));
        assert_eq!(parts(Some(40)), [known.clone(), Stretch { values: 40..100, gist: Some(NOT_WORKED_OUT) }]);
    }

    #[test]
    fn the_regions_of_the_opening_story_have_the_shares_of_a_hand_calculation() {
        // A's write arrives at 5.4 s + P + D: current before 30.2 s, that is P + D < 24.8; accepted up to 38.4 s, when B's
        // arrives (it was sent at 37.4 s): P + D < 33. Over 0 to 60 s by 0 to 10 s the mean D is 5 s: P < 19.8 and P < 28 in
        // the mean.
        let mut rows = opening(100);
        while rows.go_on() {}
        let regions = rows.regions();
        let share = |words: &str| {
            let found = regions.iter().find(|region| region.gist.is_some_and(|gist| gist.words == words));
            found.map_or(0.0, |region| region.share)
        };
        for (words, expected) in [("harmless", 19.8 / 60.0), ("stale accepted", 8.2 / 60.0), ("rejected", 32.0 / 60.0)]
        {
            assert!((share(words) - expected).abs() < 1e-4, "{words}: {}", share(words));
        }
        assert_eq!(regions[0].gist.map(|gist| gist.words), Some("rejected"), "the largest comes first");
        for region in &regions {
            let (x, up) = region.at;
            let row = rows.row((up * 100.0) as usize).expect("it is worked out");
            let there = row.iter().find(|stretch| rows.across(stretch.values.end) > x).map(|stretch| stretch.gist);
            assert_eq!(there, Some(region.gist), "its place lies in it");
            assert!((0.3..0.7).contains(&up), "and not at an edge: {up}");
        }
        assert!((regions.iter().map(|region| region.share).sum::<f64>() - 1.0).abs() < 1e-6);
    }
}
