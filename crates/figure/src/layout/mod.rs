//! The layout: a run and a width go in, a [`Scene`] comes out.
//!
//! Lanes first, from the top down; a destination's lane grows with the rows that its verdicts need, so these are placed
//! before anything else is lettered. Then the lettering in order of weight: what is written inside a mark, the verdicts,
//! the pills on messages, the notes. Whatever finds no free place is shortened, then left out; a verdict's glyph never is.

mod clock;
mod exposure;
mod grips;
mod lanes;
mod lease;
mod message;
mod metrics;
mod plan;
mod playhead;
mod resource;
mod small_grips;
mod veil;
mod worker;

use fenceline_engine::scenario::{Micros, Scenario};
use fenceline_engine::trace::{Lane, Trace};

use self::message::Route;
use self::metrics::Metrics;
use self::plan::ResourcePlan;
use crate::legible::legible;
use crate::measure::{Face, width};
use crate::palette::{Tone, tones};
use crate::place::Placer;
use crate::projection::{TimeScale, fit, tenth};
use crate::scene::{Anchor, Item, ItemId, LaneBox, Layer, Layout, Rect, Scene, Shape, Text, View};

/// The widest picture; a guard against a container that measures nonsense.
const MAX_WIDTH: f32 = 16_000.0;

/// Lays out a run. `trace` is what the engine gave for this very scenario.
pub fn scene(scenario: &Scenario, trace: &Trace, view: &View) -> Scene {
    let scenario = &*legible(scenario);
    let known = view.veiled_from().map(|now| veil::known_before(scenario, trace, now));
    let mut build = Build::new(scenario, known.as_ref().unwrap_or(trace), view);
    build.lanes();
    build.trails();
    build.names();
    build.leases();
    build.workers();
    build.resources();
    build.messages();
    build.notes();
    build.exposure();
    build.clocks();
    build.veil();
    build.playhead();
    let handles = if view.grips && known.is_none() { build.handles() } else { Vec::new() };
    let Build { mut items, shapes, lanes, width, height, layout, scale, .. } = build;
    items.sort_by_key(|item| item.layer);
    Scene { width, height, layout, scale, lanes, items, handles, shapes }
}

/// A lease's lane.
#[derive(Clone, Copy, Debug)]
struct LeasePlace {
    area: Rect,
    ribbon: (f32, f32),
}

/// A worker's lane: the tops and heights of the band area and of the activity.
#[derive(Clone, Copy, Debug)]
struct WorkerPlace {
    area: Rect,
    band: (f32, f32),
    activity: (f32, f32),
}

impl WorkerPlace {
    /// The middle of the activity.
    const fn line(&self) -> f32 {
        self.activity.0 + self.activity.1 / 2.0
    }
}

/// A resource's lane.
#[derive(Clone, Debug)]
struct ResourcePlace {
    area: Rect,
    rail: f32,
    strip: (f32, f32),
    plan: ResourcePlan,
}

/// A scene in the making.
struct Build<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
    view: &'a View,
    layout: Layout,
    m: Metrics,
    width: f32,
    height: f32,
    scale: TimeScale,
    tones: Vec<Tone>,
    lanes: Vec<LaneBox>,
    lease_places: Vec<LeasePlace>,
    worker_places: Vec<WorkerPlace>,
    resource_places: Vec<ResourcePlace>,
    placer: Placer,
    /// Where each message stands in the arrivals of its resource's plan.
    marks: Vec<Option<u32>>,
    routes: Vec<Option<Route>>,
    items: Vec<Item>,
    shapes: Vec<Shape>,
}

impl<'a> Build<'a> {
    fn new(scenario: &'a Scenario, trace: &'a Trace, view: &'a View) -> Self {
        let width = if view.width.is_nan() { View::MIN_WIDTH } else { view.width };
        let width = tenth(width.clamp(View::MIN_WIDTH, MAX_WIDTH));
        let layout = Layout::for_width(width);
        let m = Metrics::of(layout);
        let window = view.window.unwrap_or_else(|| fit(trace));
        Self {
            scenario,
            trace,
            view,
            layout,
            m,
            width,
            height: 0.0,
            scale: TimeScale::new(window, m.left, width - m.right),
            tones: tones(scenario),
            lanes: Vec::new(),
            lease_places: Vec::new(),
            worker_places: Vec::new(),
            resource_places: Vec::new(),
            placer: Placer::new(Rect::default()),
            marks: Vec::new(),
            routes: Vec::new(),
            items: Vec::with_capacity(64 + 3 * trace.messages.len()),
            shapes: Vec::with_capacity(128 + 6 * trace.messages.len()),
        }
    }

    /// Adds an item.
    fn push(&mut self, id: ItemId, layer: Layer, at: Option<Micros>, shapes: impl IntoIterator<Item = Shape>) {
        let first = self.shapes.len();
        self.shapes.extend(shapes);
        let count = self.shapes.len() - first;
        if count > 0 {
            let selected = self.is_selected(id);
            self.items.push(Item { id, layer, selected, at, first, count });
        }
    }

    /// Whether an item belongs to the selected write.
    fn is_selected(&self, id: ItemId) -> bool {
        let Some(selected) = self.view.selected_write else { return false };
        match id {
            ItemId::Message(id) | ItemId::Pill(id) | ItemId::Arrival(id) => {
                self.trace.messages.get(id as usize).is_some_and(|message| message.verdict == Some(selected))
            }
            ItemId::Verdict(verdict) => verdict == selected,
            _ => false,
        }
    }

    fn tone(&self, worker: usize) -> Tone {
        self.tones.get(worker).copied().unwrap_or_default()
    }

    fn worker_id(&self, worker: usize) -> &'a str {
        self.scenario.workers.get(worker).map_or("", |worker| worker.id.as_str())
    }

    /// The x of a time when it lies in the window.
    fn shown(&self, at: Micros) -> Option<f32> {
        self.scale.shows(at).then(|| self.scale.px(at))
    }

    /// A stretch of time cut to the window; `None` when nothing of it shows. Never narrower than half a px.
    fn stretch(&self, from: Micros, to: Option<Micros>) -> Option<(f32, f32)> {
        let window = self.scale.window();
        let to = to.unwrap_or(Micros::MAX).min(window.to_us());
        let from_cut = from.max(window.from_us());
        if from_cut > to || from > window.to_us() {
            return None;
        }
        let (left, right) = (self.scale.px(from_cut), self.scale.px(to));
        Some((left, right.max(tenth(left + 0.5))))
    }

    /// A line cut to the stretch of the picture in which time runs.
    fn cut(&self, from: (f32, f32), to: (f32, f32)) -> Option<((f32, f32), (f32, f32))> {
        let (left, right) = (self.scale.left(), self.scale.right());
        if from.0.max(to.0) < left || from.0.min(to.0) > right {
            return None;
        }
        let bend = |(x, y): (f32, f32), other: (f32, f32)| {
            let edge = x.clamp(left, right);
            if (edge - x).abs() < 0.05 || (other.0 - x).abs() < 0.05 {
                (x.clamp(left, right), y)
            } else {
                (edge, tenth(y + (other.1 - y) * (edge - x) / (other.0 - x)))
            }
        };
        Some((bend(from, to), bend(to, from)))
    }

    /// Where in a room the first wording goes that has a place clear of lines: its x and the wording. Places are tried from
    /// the left, a step at a time.
    fn clear_place<'t>(
        &self,
        wordings: &[&'t str],
        face: Face,
        (left, right): (f32, f32),
        y: f32,
    ) -> Option<(f32, &'t str)> {
        const STEP: f32 = 16.0;
        for wording in wordings {
            let w = width(wording, face);
            let mut x = left;
            while x + w <= right {
                let (rise, h) = rise(face);
                let area = Rect { x: x - 4.0, y: y - rise, w: w + 8.0, h };
                if self.placer.is_uncrossed(&area) {
                    return Some((tenth(x), *wording));
                }
                x += STEP;
            }
        }
        None
    }

    /// A text at its place, which is taken from then on.
    fn letter(&mut self, face: Face, class: &'static str, at: (f32, f32), anchor: Anchor, content: &str) -> Shape {
        let text = lettered(face, class, at, anchor, content.to_owned());
        self.placer.take(text.area);
        Shape::Text(text)
    }
}

/// Where the first wording goes that fits into a room at all: its start.
fn any_place<'t>(wordings: &[&'t str], face: Face, (left, right): (f32, f32)) -> Option<(f32, &'t str)> {
    wordings.iter().find(|wording| width(wording, face) <= right - left).map(|wording| (left, *wording))
}

/// A text at its place.
fn lettered(face: Face, class: &'static str, (x, y): (f32, f32), anchor: Anchor, content: String) -> Text {
    let w = width(&content, face);
    let x = tenth(x);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - w / 2.0,
        Anchor::End => x - w,
    };
    let (rise, h) = rise(face);
    let area = Rect { x: tenth(left), y: tenth(y - rise), w: tenth(w), h };
    Text { class, x, y: tenth(y), anchor, area, content }
}

/// How far a face rises above its baseline, and its height in all.
const fn rise(face: Face) -> (f32, f32) {
    match face {
        Face::Small | Face::SmallStrong | Face::SmallMono => (9.0, 11.5),
        Face::Body | Face::BodyStrong | Face::BodyMono | Face::Token => (9.5, 12.5),
        Face::LargeStrong => (10.5, 13.5),
        Face::TitleStrong => (13.0, 17.0),
    }
}

/// The baseline of a text whose middle is at `y`.
fn baseline(y: f32) -> f32 {
    tenth(y + 4.0)
}

/// A rectangle on whole and half px, as crisp outlines want it.
fn boxed(left: f32, right: f32, y: f32, h: f32) -> Rect {
    Rect { x: left, y, w: tenth((right - left).max(0.5)), h }
}

/// A token pill with its text in it, and its area. `x` is its left edge, `y` its middle.
fn pill(tone: Tone, x: f32, y: f32, h: f32, content: &str) -> ([Shape; 2], Rect) {
    let area = Rect { x: tenth(x), y: tenth(y - h / 2.0), w: pill_width(content), h };
    let text = lettered(
        Face::Token,
        "fl-text fl-on",
        (area.x + area.w / 2.0, baseline(y)),
        Anchor::Middle,
        content.to_owned(),
    );
    ([Shape::Rect { class: crate::palette::pill(tone), at: area, r: tenth(h / 2.0) }, Shape::Text(text)], area)
}

/// The width of a token pill.
fn pill_width(content: &str) -> f32 {
    tenth((width(content, Face::Token) + 14.0).max(24.0))
}

/// The lane of a worker, a lease or a resource by its index.
const fn lane_order(lane: Lane) -> (u8, usize) {
    match lane {
        Lane::Lease(index) => (0, index),
        Lane::Worker(index) => (1, index),
        Lane::Resource(index) => (2, index),
    }
}
