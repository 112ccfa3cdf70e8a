//! The measures of each arrangement, in px: the proportions of the picture in one place.

use crate::measure::Face;
use crate::scene::Layout;

/// Distances of an arrangement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metrics {
    /// Where time begins.
    pub(super) left: f32,
    /// What is left free on the right of the last time.
    pub(super) right: f32,
    /// Where the gutter's texts begin.
    pub(super) gutter: f32,
    /// The baseline of the tick labels, and the line of the axis.
    pub(super) axis: (f32, f32),
    /// The top of the first lane.
    pub(super) top: f32,
    /// From one lane to the next.
    pub(super) gap: f32,
    /// The least distance between ticks.
    pub(super) tick_room: f32,
    /// The height of a lease's lane; its ribbon's top in it, and its height.
    pub(super) lease: (f32, f32, f32),
    /// Of a worker: the belief band's top in the lane and height.
    pub(super) band: (f32, f32),
    /// From the band to the activity: plain, and with room for a grip's bubble.
    pub(super) band_gap: (f32, f32),
    /// The height of the activity, and what is left under it.
    pub(super) activity: (f32, f32),
    /// Of a resource: from the lane's top to the rail when there is one row of verdicts.
    pub(super) rail: f32,
    /// From the rail to the memory strip, and the strip's height and what is left under it.
    pub(super) strip: (f32, f32, f32),
    /// Of a verdict tag: its height, and how far its top is above the rail in the first row.
    pub(super) tag: (f32, f32),
    /// Half the height of a diamond.
    pub(super) diamond: f32,
    /// How far above the rail a rejected arrival stops.
    pub(super) stop: f32,
    /// The distance between pickets.
    pub(super) picket: f32,
    /// The height of a pill.
    pub(super) pill: f32,
    /// The face of texts in ribbons and blocks.
    pub(super) face: Face,
    /// The face of values.
    pub(super) mono: Face,
}

impl Metrics {
    pub(super) const fn of(layout: Layout) -> Self {
        match layout {
            Layout::Wide => Self {
                left: 176.0,
                right: 24.0,
                gutter: 16.0,
                axis: (20.0, 30.5),
                top: 36.0,
                gap: 6.0,
                tick_room: 84.0,
                lease: (46.0, 8.5, 29.0),
                band: (6.5, 18.0),
                band_gap: (10.0, 38.0),
                activity: (32.0, 10.5),
                rail: 44.5,
                strip: (12.0, 28.0, 8.0),
                tag: (20.0, 29.5),
                diamond: 8.0,
                stop: 14.5,
                picket: 10.0,
                pill: 18.0,
                face: Face::Body,
                mono: Face::BodyMono,
            },
            Layout::Medium => Self {
                left: 112.0,
                right: 24.0,
                gutter: 12.0,
                axis: (14.0, 20.5),
                top: 26.0,
                gap: 4.0,
                tick_room: 62.0,
                lease: (32.0, 4.5, 23.0),
                band: (4.5, 16.0),
                band_gap: (6.0, 34.0),
                activity: (26.0, 6.5),
                rail: 36.5,
                strip: (10.0, 23.0, 5.0),
                tag: (18.0, 26.5),
                diamond: 7.5,
                stop: 13.0,
                picket: 9.0,
                pill: 16.0,
                face: Face::Small,
                mono: Face::SmallMono,
            },
            Layout::Narrow => Self {
                left: 10.0,
                right: 12.0,
                gutter: 10.0,
                axis: (15.0, 22.5),
                top: 42.0,
                gap: 24.0,
                tick_room: 44.0,
                lease: (32.0, 4.5, 24.0),
                band: (4.5, 16.0),
                band_gap: (6.0, 34.0),
                activity: (28.0, 6.5),
                rail: 38.5,
                strip: (10.0, 26.0, 6.0),
                tag: (18.0, 27.5),
                diamond: 8.0,
                stop: 14.5,
                picket: 8.0,
                pill: 17.0,
                face: Face::Small,
                mono: Face::SmallMono,
            },
        }
    }
}
