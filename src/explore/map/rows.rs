//! The rows of a race map, as they come in from coarse to fine.
//!
//! Pure. Each row is exact; a map that is not finished shows each row that is missing as the one worked out above it.

use fenceline_engine::{Class, Gist, Partition, Stretch};

/// Stands for what was not worked out, since it would have taken too long: an outcome of its own, and no guess.
pub const NOT_WORKED_OUT: Gist = Gist { class: Class::Neutral, words: "not worked out" };

/// The parts of a range up to its end, with what was not worked out as the last of them.
pub fn to_the_end(found: Partition<Stretch>, end: i64) -> Vec<Stretch> {
    let mut parts = found.parts;
    parts.extend(found.stopped_at.map(|at| Stretch { values: at..end, gist: Some(NOT_WORKED_OUT) }));
    parts
}

/// A map: the rows that are there.
#[derive(Debug)]
pub struct Rows {
    xs: (i64, i64),
    /// From the bottom, where the vertical knob is least, to the top.
    found: Vec<Option<Vec<Stretch>>>,
}

impl Rows {
    /// A map of so many rows, none of them worked out. Both ends of the horizontal axis are part of it.
    pub fn new(xs: (i64, i64), count: usize) -> Self {
        Self { xs, found: vec![None; count] }
    }

    /// Takes in a row that was worked out.
    pub fn take(&mut self, row: u32, found: Partition<Stretch>) {
        let end = self.xs.1.saturating_add(1);
        if let Some(row) = self.found.get_mut(row as usize) {
            *row = Some(to_the_end(found, end));
        }
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.found.len()
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

/// All rows of a map, worked out at once.
#[cfg(test)]
pub fn worked_out(
    scenario: &fenceline_engine::Scenario,
    work: fenceline_explorer::protocol::Work,
) -> Vec<(u32, Partition<Stretch>)> {
    use fenceline_explorer::protocol::{Answer, Request, Said, decode, encode};
    let mut session = fenceline_explorer::Session::new();
    session.hear(&encode(&Request::Document { number: 1, text: scenario.to_json() }));
    session.hear(&encode(&Request::Begin { job: 1, document: 1, work }));
    let said = decode::<Vec<Said>>(&session.go_on(|| 0.0, 1.0)).unwrap_or_default();
    let rows = |said: Said| match said.answer {
        Answer::Rows { rows, .. } => rows,
        other => panic!("{other:?}"),
    };
    said.into_iter().flat_map(rows).collect()
}

#[cfg(test)]
mod tests {
    use fenceline_engine::Scenario;
    use fenceline_explorer::protocol::{Axis, Work};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::app::OPENING;
    use crate::explore::axes::first_axes;

    const SECOND: i64 = 1_000_000;

    /// The opening story's map of so many rows, in the order in which the explorer gives them.
    fn opening(count: usize) -> (Rows, Vec<(u32, Partition<Stretch>)>) {
        let scenario = Scenario::from_json(OPENING).unwrap_or_default();
        let (across, up) = first_axes(&scenario).expect("it has numbers");
        let axis = |knob, to| Axis { knob, from: 0, to: to * SECOND };
        let work = Work::Map { across: axis(across, 60), up: axis(up, 10), rows: count as u32 };
        (Rows::new((0, 60 * SECOND), count), worked_out(&scenario, work))
    }

    #[test]
    fn each_row_comes_once_and_is_shown_as_the_one_below_until_then() {
        let (mut rows, found) = opening(40);
        assert_eq!((rows.row(39), found.len()), (None, 40));
        for (row, found) in found {
            rows.take(row, found);
            assert_eq!(rows.row(0).is_some(), rows.row(39).is_some(), "the bottom row comes first");
        }
        assert!(rows.found.iter().all(Option::is_some));
        // One that is beyond the map is another map's.
        rows.take(40, Partition { parts: Vec::new(), stopped_at: None });
        assert_eq!(rows.count(), 40);
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
        let (mut rows, found) = opening(100);
        for (row, found) in found {
            rows.take(row, found);
        }
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
