//! The lanes: where each one lies and how high it is, their names, the grid and the axis.

use fenceline_engine::scenario::Guard;
use fenceline_engine::trace::{Ended, Lane};

use super::plan::ResourcePlan;
use super::{Build, LeasePlace, ResourcePlace, WorkerPlace, clock, lettered};
use crate::measure::{Face, shorten, width};
use crate::place::Placer;
use crate::projection::tenth;
use crate::scene::{Anchor, ItemId, LaneBox, Layer, Layout, Rect, Shape};
use crate::strip;
use crate::words::tidy;

/// What is left free under the last lane.
const FOOT: f32 = 10.0;

impl Build<'_> {
    /// Gives every lane its place and draws what lies under everything else.
    pub(super) fn lanes(&mut self) {
        let mut top = self.m.top;
        let (x, w) = (self.scale.left(), tenth(self.scale.right() - self.scale.left()));
        for (index, lease) in self.scenario.leases.iter().enumerate() {
            let (strip, room) = self.strip_under(Lane::Lease(index), top + self.m.lease.0);
            let area = Rect { x, y: top, w, h: self.m.lease.0 + room };
            let ribbon = (top + self.m.lease.1, self.m.lease.2);
            self.lease_places.push(LeasePlace { area, ribbon });
            let name = match self.scenario.leases.len() {
                1 => "Lease service".to_owned(),
                _ => format!("Lease ‘{}’", lease.id),
            };
            self.lane(Lane::Lease(index), area, ribbon.0 + ribbon.1 / 2.0, strip, name);
            top = area.bottom() + self.m.gap;
        }
        for (index, worker) in self.scenario.workers.iter().enumerate() {
            let (band_top, band_height) = self.m.band;
            let rows = self.belief_rows(index);
            let band = (top + band_top, rows as f32 * (band_height + 2.0) - 2.0);
            let roomy = self.view.grips && !worker.pauses.is_empty();
            let gap = if roomy { self.m.band_gap.1 } else { self.m.band_gap.0 };
            let gap = if clock::is_wrong(worker.clock) { gap.max(clock::ROOM) } else { gap };
            let activity = (band.0 + band.1 + gap, self.m.activity.0);
            let bottom = activity.0 + activity.1 + self.m.activity.1;
            let (strip, room) = self.strip_under(Lane::Worker(index), bottom);
            let area = Rect { x, y: top, w, h: tenth(bottom - top + room) };
            let place = WorkerPlace { area, band, activity };
            self.worker_places.push(place);
            self.lane(Lane::Worker(index), area, place.line(), strip, format!("Worker {}", worker.id));
            top = area.bottom() + self.m.gap;
        }
        for (index, resource) in self.scenario.resources.iter().enumerate() {
            let plan = ResourcePlan::new(self, index, top);
            let rail = top + self.m.rail + (plan.rows - 1) as f32 * self.row_pitch();
            let strip = (rail + self.m.strip.0, self.m.strip.1);
            let bottom = strip.0 + strip.1 + self.m.strip.2;
            let (under, room) = self.strip_under(Lane::Resource(index), bottom);
            let area = Rect { x, y: top, w, h: tenth(bottom - top + room) };
            self.resource_places.push(ResourcePlace { area, rail, strip, plan });
            self.lane(Lane::Resource(index), area, rail, under, format!("Destination ‘{}’", resource.id));
            top = area.bottom() + self.m.gap;
        }
        let last = self.lanes.last().map_or(self.m.top + 40.0, |lane| lane.area.bottom());
        self.height = (last + FOOT).ceil();
        self.placer = Placer::new(Rect { x: x - 4.0, y: 0.0, w: self.width - x + 4.0, h: self.height });
        for strip in self.lanes.iter().filter_map(|lane| lane.strip).collect::<Vec<_>>() {
            self.placer.take(Rect { x: x - 4.0, y: strip - 2.0, w: w + 8.0, h: strip::room(self.layout) });
        }
        self.backgrounds(last);
        self.axis();
    }

    /// Where a race window under a lane's marks begins, and the room that it takes; none unless it is asked for.
    fn strip_under(&self, lane: Lane, bottom: f32) -> (Option<f32>, f32) {
        if self.view.strip != Some(lane) {
            return (None, 0.0);
        }
        (Some(tenth(bottom)), strip::room(self.layout))
    }

    fn lane(&mut self, lane: Lane, area: Rect, line: f32, strip: Option<f32>, name: String) {
        self.lanes.push(LaneBox { lane, area, line, strip, name });
    }

    /// From one row of verdicts to the next.
    pub(super) fn row_pitch(&self) -> f32 {
        self.m.tag.0 + 2.0
    }

    fn backgrounds(&mut self, last: f32) {
        let areas: Vec<Rect> = self.lanes.iter().map(|lane| lane.area).collect();
        let lanes = areas.iter().map(|area| Shape::Rect { class: "fl-lane", at: *area, r: 4.0 });
        self.push(ItemId::Lanes, Layer::Lanes, None, lanes);
        let axis = self.m.axis.1;
        let ticks = self.scale.ticks(self.m.tick_room);
        let lines = ticks.iter().map(|tick| {
            let x = crisp(tick.x);
            let strong = tick.strong || self.layout != Layout::Wide;
            let class = if strong { "fl-grid-strong" } else { "fl-grid" };
            Shape::Line { class, from: (x, if strong { axis } else { self.m.top }), to: (x, last) }
        });
        let lines: Vec<Shape> = lines.collect();
        self.push(ItemId::Grid, Layer::Grid, None, lines);
    }

    fn axis(&mut self) {
        let (text_y, line_y) = self.m.axis;
        let line =
            Shape::Line { class: "fl-axis", from: (self.scale.left(), line_y), to: (self.scale.right() + 1.0, line_y) };
        let mut shapes = vec![line];
        let mut free_from = 0.0;
        for tick in self.scale.ticks(self.m.tick_room) {
            let strong = tick.strong || self.layout != Layout::Wide;
            let x = crisp(tick.x);
            let rise = if strong { 5.5 } else { 3.5 };
            shapes.push(Shape::Line { class: "fl-axis", from: (x, line_y - rise), to: (x, line_y) });
            let (face, class) = match (self.layout, strong) {
                (Layout::Wide, true) => (Face::Body, "fl-text fl-12"),
                (_, true) => (Face::Small, "fl-text"),
                (_, false) => (Face::Small, "fl-text fl-muted"),
            };
            let half = width(&tick.label, face) / 2.0;
            let middle = tick.x.clamp(half + 2.0, self.width - half - 2.0);
            if middle - half >= free_from {
                free_from = middle + half + 4.0;
                shapes.push(Shape::Text(lettered(face, class, (middle, text_y), Anchor::Middle, tick.label)));
            }
        }
        self.push(ItemId::Axis, Layer::Grid, None, shapes);
    }

    /// Writes the names of the lanes.
    pub(super) fn names(&mut self) {
        let lanes: Vec<(Lane, Rect, String)> =
            self.lanes.iter().map(|place| (place.lane, place.area, place.name.clone())).collect();
        let told = self.told();
        for (number, (lane, area, name)) in lanes.into_iter().enumerate() {
            let (title, subtitle) = self.name_of(lane, name);
            let now = told.iter().find(|state| state.lane == lane);
            let subtitle = now.map_or(subtitle, |state| state.words.clone());
            let shapes = if self.layout == Layout::Narrow {
                self.name_above(area, &title, &subtitle)
            } else {
                self.name_beside(area, &title, &subtitle)
            };
            self.push(ItemId::Name(number as u32), Layer::Names, None, shapes);
        }
    }

    /// The name of a lane over the lane, its subtitle beside it.
    fn name_above(&mut self, area: Rect, title: &str, subtitle: &str) -> Vec<Shape> {
        let y = area.y - 6.0;
        let room = self.width - 2.0 * self.m.gutter;
        let Some(title) = shorten(title, Face::BodyStrong, room) else { return Vec::new() };
        let end = self.m.gutter + width(&title, Face::BodyStrong) + 8.0;
        let mut texts = vec![lettered(
            Face::BodyStrong,
            "fl-text fl-12 fl-strong fl-halo-paper",
            (self.m.gutter, y),
            Anchor::Start,
            title,
        )];
        // Messages pass between the lanes: the subtitle goes where none runs through it, else it stays away.
        let class = "fl-text fl-muted fl-halo-paper";
        let subtitle = shorten(subtitle, Face::Small, self.width - end - 8.0).unwrap_or_default();
        for step in 0_u8..6 {
            let at = (end + 12.0 * f32::from(step), y);
            let text = lettered(Face::Small, class, at, Anchor::Start, subtitle.clone());
            let crossed = self.routes.iter().flatten().any(|route| route.crosses(&text.area));
            if !crossed && !subtitle.is_empty() && text.area.right() <= self.width - 6.0 {
                texts.push(text);
                break;
            }
        }
        for text in &texts {
            self.placer.take(text.area);
        }
        texts.into_iter().map(Shape::Text).collect()
    }

    /// The name of a lane in the gutter, its subtitle under it.
    fn name_beside(&self, area: Rect, title: &str, subtitle: &str) -> Vec<Shape> {
        let room = self.m.left - self.m.gutter - 8.0;
        let wide = self.layout == Layout::Wide;
        let (first, second) = if wide { (20.0, 36.0) } else { (17.0, 32.0) };
        let mut shapes = Vec::new();
        if let Some(title) = shorten(title, Face::BodyStrong, room) {
            let at = (self.m.gutter, area.y + first);
            shapes.push(Shape::Text(lettered(Face::BodyStrong, "fl-text fl-12 fl-strong", at, Anchor::Start, title)));
        }
        // A lane of one line has no place for a second.
        if area.h > second + 4.0
            && let Some(subtitle) = shorten(subtitle, Face::Small, room).filter(|text| !text.is_empty())
        {
            let at = (self.m.gutter, area.y + second);
            shapes.push(Shape::Text(lettered(Face::Small, "fl-text fl-muted", at, Anchor::Start, subtitle)));
        }
        shapes
    }

    /// The title and the subtitle of a lane.
    fn name_of(&self, lane: Lane, name: String) -> (String, String) {
        match lane {
            Lane::Lease(index) => {
                let lease = &self.scenario.leases[index];
                let ttl = tidy(lease.ttl);
                if self.scenario.leases.len() == 1 { (name, format!("{}, {ttl}", lease.id)) } else { (name, ttl) }
            }
            Lane::Worker(index) => (name, self.ending(index).to_owned()),
            Lane::Resource(index) => {
                let resource = &self.scenario.resources[index];
                let last = self.trace.memories.iter().rev().find(|memory| memory.resource == index);
                let remembered = last.map_or(resource.initial.token, |memory| memory.token);
                let remembers = if resource.guard == Guard::Same && last.is_none_or(|memory| memory.token_of.is_none())
                {
                    "remembers no token yet".to_owned()
                } else {
                    format!("remembers {remembered}")
                };
                match self.layout {
                    Layout::Wide => (name, remembers),
                    Layout::Medium if self.scenario.resources.len() == 1 => {
                        ("Destination".into(), format!("‘{}’", resource.id))
                    }
                    Layout::Medium => (format!("‘{}’", resource.id), remembers),
                    Layout::Narrow => (name, remembers),
                }
            }
        }
    }

    /// How a worker ended, in a few words.
    fn ending(&self, worker: usize) -> &'static str {
        match self.trace.endings.get(worker).map(|ending| ending.ended) {
            Some(Ended::Finished) => "finished",
            Some(Ended::Rejected) => "write rejected",
            Some(Ended::StoppedItself) => "stopped itself",
            Some(Ended::LeaseLost) => "lost its lease",
            Some(Ended::Unanswered) => "got no answer",
            Some(Ended::Waiting) => "waits for an answer",
            Some(Ended::Crashed) => "crashed",
            None => "",
        }
    }
}

/// A line of one px on the middle of a px, so that it is not smeared over two.
fn crisp(x: f32) -> f32 {
    x.floor() + 0.5
}
