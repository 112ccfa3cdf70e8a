//! The scene: the whole picture of one run as plain geometry, already laid out and lettered.
//!
//! It exists so that the page and the static picture cannot differ: both paint the same list of [`Item`]s, each a
//! semantic thing with its [`Shape`]s, in the order in which they are drawn. No text of a scene overlaps another one, and
//! every coordinate lies on a tenth of a pixel, so that a scene written down is the same on every platform.

use std::fmt;

use fenceline_engine::scenario::Micros;
use fenceline_engine::trace::{EventId, Lane, MessageId};

use crate::glyph::Glyph;
use crate::handle::{Handle, HandleId};
use crate::projection::{TimeScale, TimeWindow};

/// What is asked of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The width of the whole picture in px, gutter and margins included; clamped to [`View::MIN_WIDTH`] and above.
    pub width: f32,
    /// The stretch of time to show; `None` shows the whole story, see [`fit`](crate::projection::fit).
    ///
    /// Hold it still during a drag, or the axis moves under the pointer.
    pub window: Option<TimeWindow>,
    /// Whether things can be dragged: makes [`Scene::handles`], and leaves room for a grip's bubble.
    pub grips: bool,
    /// The handle that is selected; it is marked in [`Scene::handles`] and gets its dimension line from
    /// [`grip`](crate::grip::grip).
    pub selected: Option<HandleId>,
    /// The decision (index into `Trace::writes`) that is selected; its message and arrival are marked
    /// [`Item::selected`].
    pub selected_write: Option<u32>,
    /// The lane that makes room for a race window, see [`LaneBox::strip`].
    pub strip: Option<Lane>,
    /// Where the playhead stands: it is drawn, and the lanes tell what holds at that instant.
    pub playhead: Option<Micros>,
    /// Whether what the destinations did from the playhead on is kept from the reader, who is to say it first. Nothing can
    /// be dragged then: where a grip lies would tell what follows.
    pub veiled: bool,
}

impl View {
    /// The narrowest picture; a narrower container scrolls.
    pub const MIN_WIDTH: f32 = 240.0;

    /// The whole story at a width, with nothing to drag: a still picture.
    pub const fn still(width: f32) -> Self {
        Self {
            width,
            window: None,
            grips: false,
            selected: None,
            selected_write: None,
            strip: None,
            playhead: None,
            veiled: false,
        }
    }

    /// The whole story at a width, with its handles.
    pub const fn live(width: f32) -> Self {
        Self { grips: true, ..Self::still(width) }
    }
}

/// How a picture is arranged; follows from its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// Names above the lanes, no replies, no gutter.
    Narrow,
    /// A gutter of 112 px.
    Medium,
    /// A gutter of 176 px, minor ticks, comparisons beside the verdicts.
    Wide,
}

impl Layout {
    /// The arrangement for a picture of that width in px.
    pub fn for_width(width: f32) -> Self {
        if width >= 1240.0 {
            Self::Wide
        } else if width >= 700.0 {
            Self::Medium
        } else {
            Self::Narrow
        }
    }
}

/// A whole picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width in px.
    pub width: f32,
    /// Height in px; follows from what there is to draw.
    pub height: f32,
    /// How it is arranged.
    pub layout: Layout,
    /// From time to x and back.
    pub scale: TimeScale,
    /// The lanes, from top to bottom.
    pub lanes: Vec<LaneBox>,
    /// Everything drawn, in draw order: a later item lies over an earlier one.
    pub items: Vec<Item>,
    /// What can be dragged, by lane, then time. Empty for a still picture.
    pub handles: Vec<Handle>,
    pub(crate) shapes: Vec<Shape>,
}

impl Scene {
    /// The shapes of an item, in draw order.
    pub fn shapes(&self, item: &Item) -> &[Shape] {
        self.shapes.get(item.first..item.first + item.count).unwrap_or_default()
    }

    /// Every shape with its item, in draw order.
    pub fn all_shapes(&self) -> impl Iterator<Item = (&Item, &Shape)> {
        self.items.iter().flat_map(|item| self.shapes(item).iter().map(move |shape| (item, shape)))
    }

    /// The items of one layer, in draw order.
    pub fn layer(&self, layer: Layer) -> &[Item] {
        let start = self.items.partition_point(|item| item.layer < layer);
        let end = self.items.partition_point(|item| item.layer <= layer);
        &self.items[start..end]
    }

    /// The lane's place in the picture.
    pub fn lane(&self, lane: Lane) -> Option<&LaneBox> {
        self.lanes.iter().find(|place| place.lane == lane)
    }

    /// The handle of that id, while the story has it.
    pub fn handle(&self, id: HandleId) -> Option<&Handle> {
        self.handles.iter().find(|handle| handle.id == id)
    }
}

/// A lane's place in the picture. All in px from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneBox {
    /// Which lane.
    pub lane: Lane,
    /// Its background.
    pub area: Rect,
    /// The line on which its activity runs: the middle of a ribbon or block, the rail of a fence.
    pub line: f32,
    /// Where the race window of a selected grip of this lane belongs: under its marks. There is room for it where the view
    /// asks for some.
    pub strip: Option<f32>,
    /// Its full name, for a tooltip or a reader: the drawn one may be shortened.
    pub name: String,
}

/// What an item stands for: stable while the story stands, so that it can key, hover and select.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemId {
    /// The backgrounds of all lanes.
    Lanes,
    /// The lines of the grid.
    Grid,
    /// The axis with its labels.
    Axis,
    /// The name of the lane with this place from the top.
    Name(u32),
    /// The dashed line at the end of a grant (number).
    Expiry(u32),
    /// The line on which a worker lives.
    Life(u32),
    /// A grant at the service (number).
    Ribbon(u32),
    /// The lock delay after a grant (number).
    LockDelay(u32),
    /// The part of a belief (index into `Trace::beliefs`) that is true.
    TrueBelief(u32),
    /// The part of a belief that is wrong.
    WrongBelief(u32),
    /// A worker acting under a grant after its belief (index) ended by its own clock, which it did not look at.
    ActsOn(u32),
    /// A step (index into `Trace::steps`) of a worker: working or waiting.
    Step(u32),
    /// A pause (index into `Trace::pauses`).
    Pause(u32),
    /// A message (index into `Trace::messages`).
    Message(MessageId),
    /// The token pill and the label of a message.
    Pill(MessageId),
    /// The arrival of a message at a resource: its diamond.
    Arrival(MessageId),
    /// The verdict (index into `Trace::writes`).
    Verdict(u32),
    /// The guard of a resource.
    Fence(u32),
    /// What a resource remembers over a stretch (index into `Trace::memories`).
    Memory(u32),
    /// A note on an event: a failover, a restart, a check, an end.
    Note(EventId),
    /// A note on the end of a belief (index into `Trace::beliefs`).
    BeliefEnd(u32),
    /// The axis of a worker's own clock.
    Clock(u32),
    /// The stretches in which a resource would still accept the token of the selected write, though its lease has ended.
    Exposure(u32),
    /// What hides the rulings of a resource that are not to be seen yet.
    Veil(u32),
    /// The race window of the selected grip.
    RaceWindow,
    /// The playhead.
    Playhead,
}

impl fmt::Display for ItemId {
    /// A short text for keys and attributes: `message-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lanes => f.write_str("lanes"),
            Self::Grid => f.write_str("grid"),
            Self::Axis => f.write_str("axis"),
            Self::Name(n) => write!(f, "name-{n}"),
            Self::Expiry(n) => write!(f, "expiry-{n}"),
            Self::Life(n) => write!(f, "life-{n}"),
            Self::Ribbon(n) => write!(f, "ribbon-{n}"),
            Self::LockDelay(n) => write!(f, "lock-delay-{n}"),
            Self::TrueBelief(n) => write!(f, "belief-{n}"),
            Self::WrongBelief(n) => write!(f, "wrong-belief-{n}"),
            Self::ActsOn(n) => write!(f, "acts-on-{n}"),
            Self::Step(n) => write!(f, "step-{n}"),
            Self::Pause(n) => write!(f, "pause-{n}"),
            Self::Message(n) => write!(f, "message-{n}"),
            Self::Pill(n) => write!(f, "pill-{n}"),
            Self::Arrival(n) => write!(f, "arrival-{n}"),
            Self::Verdict(n) => write!(f, "verdict-{n}"),
            Self::Fence(n) => write!(f, "fence-{n}"),
            Self::Memory(n) => write!(f, "memory-{n}"),
            Self::Note(n) => write!(f, "note-{n}"),
            Self::BeliefEnd(n) => write!(f, "belief-end-{n}"),
            Self::Clock(n) => write!(f, "clock-{n}"),
            Self::Exposure(n) => write!(f, "exposure-{n}"),
            Self::Veil(n) => write!(f, "veil-{n}"),
            Self::RaceWindow => f.write_str("race-window"),
            Self::Playhead => f.write_str("playhead"),
        }
    }
}

/// The layers, from the bottom up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Lane backgrounds.
    Lanes,
    /// Grid, axis, expiry lines.
    Grid,
    /// Requests to the lease service: they pass behind what other workers do.
    Traffic,
    /// Bands, blocks, fences, memory strips.
    Blocks,
    /// Grants on their way.
    Grants,
    /// Replies.
    Replies,
    /// Requests to resources.
    Messages,
    /// Names of the lanes.
    Names,
    /// Ribbons.
    Ribbons,
    /// The race window of the selected grip. A scene leaves it empty: the page draws [`strip`](crate::strip::strip) here.
    RaceWindow,
    /// The playhead.
    Playhead,
    /// What is not to be seen yet.
    Veils,
    /// Diamonds.
    Arrivals,
    /// Verdict tags, token pills, notes.
    Pills,
}

impl Layer {
    /// All layers, from the bottom up.
    pub const ALL: [Self; 14] = [
        Self::Lanes,
        Self::Grid,
        Self::Traffic,
        Self::Blocks,
        Self::Grants,
        Self::Replies,
        Self::Messages,
        Self::Names,
        Self::Ribbons,
        Self::RaceWindow,
        Self::Playhead,
        Self::Veils,
        Self::Arrivals,
        Self::Pills,
    ];
}

/// One thing in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it stands for.
    pub id: ItemId,
    /// Where it lies in the draw order.
    pub layer: Layer,
    /// Whether it belongs to the selected write.
    pub selected: bool,
    /// When it begins, where it has a time of its own: events ahead of a playhead are drawn paler.
    pub at: Option<Micros>,
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// A rectangle; x and y are its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// From the left, in px.
    pub x: f32,
    /// From the top, in px.
    pub y: f32,
    /// Width in px.
    pub w: f32,
    /// Height in px.
    pub h: f32,
}

impl Rect {
    /// Where it ends on the right.
    pub const fn right(&self) -> f32 {
        self.x + self.w
    }

    /// Where it ends at the bottom.
    pub const fn bottom(&self) -> f32 {
        self.y + self.h
    }

    /// Whether two rectangles share more than an edge.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }
}

/// One drawn primitive. `class` names a rule of [`MARKS_CSS`](crate::MARKS_CSS); colours and strokes live there.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle with corner radius `r`.
    Rect {
        /// Its style.
        class: &'static str,
        /// Where.
        at: Rect,
        /// Corner radius in px.
        r: f32,
    },
    /// A straight line.
    Line {
        /// Its style.
        class: &'static str,
        /// From (x, y).
        from: (f32, f32),
        /// To (x, y).
        to: (f32, f32),
    },
    /// A circle.
    Circle {
        /// Its style.
        class: &'static str,
        /// Its centre (x, y).
        centre: (f32, f32),
        /// Its radius.
        r: f32,
    },
    /// A path.
    Path {
        /// Its style.
        class: &'static str,
        /// Its SVG path data.
        d: String,
    },
    /// A line of text.
    Text(Text),
    /// A verdict glyph.
    Glyph {
        /// Which.
        glyph: Glyph,
        /// Where; square.
        at: Rect,
    },
}

/// A line of text, already shortened to fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its style.
    pub class: &'static str,
    /// Where it is anchored.
    pub x: f32,
    /// Its baseline.
    pub y: f32,
    /// Which part of it lies at `x`.
    pub anchor: Anchor,
    /// The room that it takes, estimated on the large side; at most what it was given.
    pub area: Rect,
    /// What it says. User text in it is as the person wrote it: a painter escapes it.
    pub content: String,
}

/// Which part of a text lies at its x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Its start.
    #[default]
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Anchor {
    /// Its value as `text-anchor`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}
