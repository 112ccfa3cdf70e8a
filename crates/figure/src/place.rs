//! The placement of labels: where a text can go without touching another one.
//!
//! Everything that must not be covered is *taken*; what had better not be covered, such as a line or a block, is only
//! *disliked*. Placing is greedy and in a fixed order, so the same scene always comes out the same. Taken areas never
//! overlap as long as nothing is taken that was not free.

use crate::scene::Rect;

/// The width of the columns by which areas are found again, in px.
const COLUMN: f32 = 24.0;
/// The height of the bands of a column, from the bottom up. There are as many as something was taken in: with a last one for
/// all that is above, a stack of thousands would be looked through for each of its members.
const BAND: f32 = 48.0;

/// Something drawn straight from one point to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) from: (f32, f32),
    pub(crate) to: (f32, f32),
    /// Who drew it: its own label may lie on it.
    pub(crate) owner: u32,
}

/// The areas of a picture that are taken or disliked.
#[derive(Debug)]
pub(crate) struct Placer {
    bounds: Rect,
    /// By column, then band.
    taken: Vec<Vec<Vec<Rect>>>,
    blocks: Vec<Vec<Rect>>,
    segments: Vec<Vec<Segment>>,
}

impl Placer {
    /// A placer for what lies within the bounds: nothing outside is ever free.
    pub(crate) fn new(bounds: Rect) -> Self {
        let columns = (bounds.w / COLUMN) as usize + 1;
        Self {
            bounds,
            taken: vec![Vec::new(); columns],
            blocks: vec![Vec::new(); columns],
            segments: vec![Vec::new(); columns],
        }
    }

    fn columns(&self, from: f32, to: f32) -> std::ops::RangeInclusive<usize> {
        let last = self.blocks.len() - 1;
        let column = |x: f32| (((x - self.bounds.x) / COLUMN).max(0.0) as usize).min(last);
        column(from)..=column(to)
    }

    fn bands(&self, area: &Rect) -> std::ops::RangeInclusive<usize> {
        // What lies above the bounds is never free: it needs no band of its own.
        let band = |y: f32| ((self.bounds.bottom() - y.max(self.bounds.y)) / BAND).max(0.0) as usize;
        band(area.bottom())..=band(area.y)
    }

    fn taken_in(&self, column: usize, band: usize) -> &[Rect] {
        self.taken[column].get(band).map_or(&[], Vec::as_slice)
    }

    /// Takes an area: nothing else will be placed on it.
    pub(crate) fn take(&mut self, area: Rect) {
        for column in self.columns(area.x, area.right()) {
            for band in self.bands(&area) {
                let bands = &mut self.taken[column];
                if bands.len() <= band {
                    bands.resize(band + 1, Vec::new());
                }
                bands[band].push(area);
            }
        }
    }

    /// Marks an area that is covered only if there is no other way.
    pub(crate) fn dislike(&mut self, area: Rect) {
        for column in self.columns(area.x, area.right()) {
            self.blocks[column].push(area);
        }
    }

    /// Marks a line that is covered only if there is no other way.
    pub(crate) fn dislike_line(&mut self, segment: Segment) {
        let (left, right) = (segment.from.0.min(segment.to.0), segment.from.0.max(segment.to.0));
        for column in self.columns(left, right) {
            self.segments[column].push(segment);
        }
    }

    /// The parts of an upright line that cross nothing taken, from the top down; slivers are left out.
    pub(crate) fn open_parts(&self, x: f32, from: f32, to: f32) -> Vec<(f32, f32)> {
        const AIR: f32 = 1.0;
        let line = Rect { x: x - AIR, y: from, w: 2.0 * AIR, h: to - from };
        let mut taken: Vec<(f32, f32)> = Vec::new();
        for column in self.columns(line.x, line.right()) {
            for band in self.bands(&line) {
                let crossed = self.taken_in(column, band).iter().filter(|area| area.overlaps(&line));
                taken.extend(crossed.map(|area| (area.y - AIR, area.bottom() + AIR)));
            }
        }
        taken.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut parts = Vec::new();
        let mut at = from;
        for (top, bottom) in taken.into_iter().chain([(to, to)]) {
            if top - at > 2.0 * AIR {
                parts.push((at, top.min(to)));
            }
            at = at.max(bottom);
        }
        parts
    }

    /// Whether an area lies in the bounds and on nothing taken.
    pub(crate) fn is_free(&self, area: &Rect) -> bool {
        self.bounds.x <= area.x
            && area.right() <= self.bounds.right()
            && self.bounds.y <= area.y
            && area.bottom() <= self.bounds.bottom()
            && self.columns(area.x, area.right()).all(|column| {
                self.bands(area).all(|band| !self.taken_in(column, band).iter().any(|other| other.overlaps(area)))
            })
    }

    /// Whether an area is free and on no disliked area; it may lie on a line.
    pub(crate) fn is_off_blocks(&self, area: &Rect) -> bool {
        self.is_free(area)
            && self
                .columns(area.x, area.right())
                .all(|column| !self.blocks[column].iter().any(|block| block.overlaps(area)))
    }

    /// Whether an area is free and no line passes through it; it may lie on a block.
    pub(crate) fn is_uncrossed(&self, area: &Rect) -> bool {
        self.is_free(area)
            && self
                .columns(area.x, area.right())
                .all(|column| !self.segments[column].iter().any(|segment| crosses(segment, area)))
    }

    /// Whether an area is free and on nothing disliked either, save on its owner's line.
    pub(crate) fn is_clear(&self, area: &Rect, owner: Option<u32>) -> bool {
        self.is_off_blocks(area)
            && self.columns(area.x, area.right()).all(|column| {
                !self.segments[column].iter().any(|segment| Some(segment.owner) != owner && crosses(segment, area))
            })
    }
}

/// Whether a segment passes through an area.
pub(crate) fn crosses(segment: &Segment, area: &Rect) -> bool {
    let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
    let sides = [
        (segment.from.0, segment.to.0 - segment.from.0, area.x, area.right()),
        (segment.from.1, segment.to.1 - segment.from.1, area.y, area.bottom()),
    ];
    for (start, way, low, high) in sides {
        if way.abs() < f32::EPSILON {
            if start <= low || start >= high {
                return false;
            }
            continue;
        }
        let (near, far) = ((low - start) / way, (high - start) / way);
        enters = enters.max(near.min(far));
        leaves = leaves.min(near.max(far));
    }
    enters < leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Rect = Rect { x: 0.0, y: 0.0, w: 200.0, h: 100.0 };

    fn area(x: f32, y: f32) -> Rect {
        Rect { x, y, w: 40.0, h: 10.0 }
    }

    #[test]
    fn a_taken_area_is_not_free_again_but_its_edge_is() {
        let mut placer = Placer::new(BOUNDS);
        placer.take(area(50.0, 20.0));
        assert!(!placer.is_free(&area(80.0, 25.0)));
        assert!(placer.is_free(&area(90.0, 20.0)));
        assert!(placer.is_free(&area(50.0, 30.0)));
    }

    #[test]
    fn an_upright_line_is_broken_where_something_is_taken() {
        let mut placer = Placer::new(BOUNDS);
        placer.take(area(50.0, 20.0));
        placer.take(area(60.0, 28.0));
        placer.take(area(120.0, 60.0));
        assert_eq!(placer.open_parts(70.0, 10.0, 90.0), [(10.0, 19.0), (39.0, 90.0)]);
        assert_eq!(placer.open_parts(20.0, 10.0, 90.0), [(10.0, 90.0)]);
        assert_eq!(placer.open_parts(70.0, 22.0, 30.0), []);
    }

    #[test]
    fn nothing_outside_the_bounds_is_free() {
        let placer = Placer::new(BOUNDS);
        assert!(!placer.is_free(&area(170.0, 0.0)));
        assert!(!placer.is_free(&area(-1.0, 0.0)));
        assert!(!placer.is_free(&area(0.0, 95.0)));
    }

    #[test]
    fn a_line_is_disliked_where_it_passes_and_not_by_its_owner() {
        let mut placer = Placer::new(BOUNDS);
        placer.dislike_line(Segment { from: (0.0, 0.0), to: (100.0, 100.0), owner: 7 });
        assert!(!placer.is_clear(&area(30.0, 45.0), None));
        assert!(placer.is_clear(&area(30.0, 45.0), Some(7)));
        assert!(placer.is_clear(&area(100.0, 10.0), None));
        assert!(placer.is_free(&area(30.0, 45.0)));
    }
}
