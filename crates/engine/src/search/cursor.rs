//! Which combination comes next: some pauses, some delays, and grid values for all of them but the last.

/// A combination within one class: so many pauses, so many delays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Which boundaries are paused at, rising.
    pub pauses: Vec<usize>,
    /// Which delays are changed, rising.
    pub delays: Vec<usize>,
    /// A grid value for each but the last, from 0.
    pub digits: Vec<u64>,
}

impl Cursor {
    /// The first combination of that many pauses and delays.
    pub fn first(pauses: usize, delays: usize) -> Self {
        Self {
            pauses: (0..pauses).collect(),
            delays: (0..delays).collect(),
            digits: vec![0; (pauses + delays).saturating_sub(1)],
        }
    }

    /// Moves on. Returns false when this was the last combination of the class.
    pub fn advance(&mut self, boundaries: usize, delays: usize, grid: u64) -> bool {
        for digit in self.digits.iter_mut().rev() {
            *digit += 1;
            if *digit < grid {
                return true;
            }
            *digit = 0;
        }
        if next_combination(&mut self.delays, delays) {
            return true;
        }
        for (place, delay) in self.delays.iter_mut().enumerate() {
            *delay = place;
        }
        next_combination(&mut self.pauses, boundaries)
    }
}

/// The next choice of as many indexes below `of`, in lexicographic order.
fn next_combination(chosen: &mut [usize], of: usize) -> bool {
    let count = chosen.len();
    for place in (0..count).rev() {
        if chosen[place] + (count - place) < of {
            chosen[place] += 1;
            for later in place + 1..count {
                chosen[later] = chosen[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

/// How many ways there are to choose `count` of `of`.
pub(super) fn choices(of: usize, count: usize) -> u64 {
    (0..count as u64).fold(1, |ways, taken| ways.saturating_mul(of as u64 - taken) / (taken + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_visits_every_combination_once() {
        for (pauses, delays) in [(0, 1), (1, 0), (1, 1), (2, 1), (2, 2)] {
            let (boundaries, knobs, grid) = (4, 3, 2_u64);
            let mut cursor = Cursor::first(pauses, delays);
            let mut seen = vec![cursor.clone()];
            while cursor.advance(boundaries, knobs, grid) {
                assert!(!seen.contains(&cursor));
                seen.push(cursor.clone());
            }
            let expected =
                choices(boundaries, pauses) * choices(knobs, delays) * grid.pow((pauses + delays - 1) as u32);
            assert_eq!(seen.len() as u64, expected);
        }
    }
}
