//! The messages: slanted lines whose slant is their delay, and the pills on them.

use fenceline_engine::scenario::{Micros, Send};
use fenceline_engine::trace::{Direction, Lane, Message, MessageId, Subject};

use super::plan::{ArrivalMark, tag_width, words_of};
use super::resource::tag_shapes;
use super::{Build, ResourcePlace, baseline, lettered, pill, pill_width};
use crate::glyph::Glyph;
use crate::measure::shorten;
use crate::palette;
use crate::place::{Segment, crosses};
use crate::projection::tenth;
use crate::scene::{Anchor, ItemId, Layer, Layout, Rect, Shape, Text};

/// A line in the picture.
type Line = ((f32, f32), (f32, f32));

/// Where a message runs: its line, and the end of it that is a loss.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    line: Line,
    lost: Option<(f32, f32)>,
}

impl Route {
    /// Whether the message runs through an area.
    pub(super) fn crosses(&self, area: &Rect) -> bool {
        crosses(&Segment { from: self.line.0, to: self.line.1, owner: 0 }, area)
    }
}

impl Build<'_> {
    /// Finds the way of every message, so that nothing is lettered across one without need.
    pub(super) fn trails(&mut self) {
        self.marks = vec![None; self.trace.messages.len()];
        for place in &self.resource_places {
            for (index, mark) in place.plan.arrivals.iter().enumerate() {
                self.marks[mark.message as usize] = Some(index as u32);
            }
        }
        let routes: Vec<Option<Route>> =
            (0..self.trace.messages.len() as u32).map(|id| self.route(id, &self.trace.messages[id as usize])).collect();
        for (id, route) in routes.iter().enumerate() {
            // What goes to the service passes behind everything.
            let behind = matches!(self.trace.messages[id].peer, Lane::Lease(_))
                && self.trace.messages[id].direction == Direction::Request;
            if let Some(Route { line: (from, to), .. }) = route.filter(|_| !behind) {
                // An answer belongs to its request: the request's pill may lie on both.
                let owner = self.trace.messages[id].answers.unwrap_or(id as u32);
                self.placer.dislike_line(Segment { from, to, owner });
            }
        }
        self.routes = routes;
    }

    pub(super) fn messages(&mut self) {
        for id in 0..self.trace.messages.len() as u32 {
            if let Some(route) = self.routes[id as usize] {
                self.message(id, route);
            }
        }
        self.given_up();
        for id in 0..self.trace.messages.len() as u32 {
            if let Some(route) = self.routes[id as usize]
                && self.trace.messages[id as usize].direction == Direction::Request
            {
                self.label(id, route.line);
            }
        }
    }

    /// What the network does to the attempt of a message.
    fn send_of(&self, message: &Message) -> Option<&Send> {
        let worker = self.scenario.workers.get(message.worker)?;
        let attempt = (message.attempt as usize).checked_sub(1)?;
        let Some(step) = message.step else { return worker.renewal_sends.get(attempt) };
        let step = worker.plan.get(step)?;
        match (message.subject, step) {
            (Subject::Peek, fenceline_engine::scenario::Step::Write(write)) => write.peek_sends.get(attempt),
            (Subject::Peek, fenceline_engine::scenario::Step::Establish { peek_sends, .. }) => peek_sends.get(attempt),
            _ => step.exchange()?.sends.get(attempt),
        }
    }

    /// When a message arrives, or would have.
    fn would_arrive(&self, message: &Message) -> Micros {
        message.arrives_at.unwrap_or_else(|| {
            let send = self.send_of(message);
            let delay = match message.direction {
                Direction::Request => send.and_then(|send| send.delay),
                Direction::Reply => send.and_then(|send| send.reply_delay),
            };
            message.sent_at.saturating_add(delay.unwrap_or(self.scenario.network.delay))
        })
    }

    /// Where a message runs in the picture; `None` when it is not drawn: answers of the service other than grants, answers
    /// on a narrow picture, and what lies outside the window.
    fn route(&self, id: MessageId, message: &Message) -> Option<Route> {
        let worker = self.worker_places.get(message.worker)?;
        let foot = worker.activity.0 + worker.activity.1;
        let (from_y, to_y) = match (message.peer, message.direction) {
            (Lane::Lease(lease), direction) => {
                let service = self.lease_places.get(lease)?;
                let service_y = service.ribbon.0 + service.ribbon.1;
                match direction {
                    Direction::Request => (worker.band.0, service_y + 2.0),
                    Direction::Reply if message.subject == Subject::Acquire && message.token.is_some() => {
                        (service_y, worker.area.y - 1.0)
                    }
                    Direction::Reply => return None,
                }
            }
            (Lane::Resource(_), Direction::Reply) if self.layout == Layout::Narrow => return None,
            (Lane::Resource(resource), direction) => {
                let place = self.resource_places.get(resource)?;
                let arrived = if direction == Direction::Request { Some(id) } else { message.answers };
                let mark = arrived.and_then(|id| self.mark(place, id));
                let rail = place.rail;
                match direction {
                    Direction::Request => (foot, tenth(rail + mark.map_or(0.0, |mark| mark.y))),
                    Direction::Reply => (tenth(rail + mark.map_or(0.0, |mark| mark.y - mark.half)), foot + 2.5),
                }
            }
            (Lane::Worker(_), _) => return None,
        };
        self.line(message, from_y, to_y)
    }

    /// Where a message arrives on a fence.
    fn mark<'p>(&self, place: &'p ResourcePlace, id: MessageId) -> Option<&'p ArrivalMark> {
        let index = self.marks.get(id as usize).copied().flatten()?;
        place.plan.arrivals.get(index as usize)
    }

    /// A line from one lane to another in the picture; a lost message gets half-way.
    fn line(&self, message: &Message, from_y: f32, to_y: f32) -> Option<Route> {
        let from = (self.scale.px(message.sent_at), from_y);
        let to = (self.scale.px(self.would_arrive(message)), to_y);
        if message.arrives_at.is_some() {
            return self.cut(from, to).map(|line| Route { line, lost: None });
        }
        let half = (tenth(f32::midpoint(from.0, to.0)), tenth(f32::midpoint(from.1, to.1)));
        let line = self.cut(from, half)?;
        let inside = half.0 >= self.scale.left() && half.0 <= self.scale.right();
        Some(Route { line, lost: inside.then_some(half) })
    }

    /// Draws a message: requests solid, those to the service thin, heartbeats quiet; grants with an arrow; answers dotted.
    fn message(&mut self, id: MessageId, Route { line: (from, to), lost }: Route) {
        let message = self.trace.messages[id as usize];
        let tone = self.tone(message.worker);
        let mut shapes = Vec::with_capacity(3);
        let layer = match (message.peer, message.direction) {
            (Lane::Lease(_), Direction::Request) => {
                let beat = message.subject == Subject::Renew;
                let class = if beat { palette::beat(tone) } else { palette::thin(tone) };
                shapes.push(Shape::Line { class, from, to });
                if lost.is_none() && !beat {
                    let centre = (to.0, tenth(to.1 + 1.0));
                    shapes.push(Shape::Circle { class: palette::arrow(tone), centre, r: 2.0 });
                }
                Layer::Traffic
            }
            (Lane::Lease(_), Direction::Reply) => {
                shapes.push(Shape::Line { class: "fl-casing", from, to });
                shapes.push(Shape::Line { class: palette::thin(tone), from, to });
                if lost.is_none() {
                    let d = format!("M{} {}h9l-4.5 8z", tenth(to.0 - 4.5), tenth(to.1 - 2.0));
                    shapes.push(Shape::Path { class: palette::arrow(tone), d });
                }
                Layer::Grants
            }
            (_, Direction::Request) => {
                let heavy = matches!(message.subject, Subject::Write | Subject::Establish);
                let class = if heavy { palette::line(tone) } else { palette::thin(tone) };
                shapes.push(Shape::Line { class: "fl-casing", from, to });
                shapes.push(Shape::Line { class, from, to });
                Layer::Messages
            }
            (_, Direction::Reply) => {
                shapes.push(Shape::Line { class: "fl-reply", from, to });
                if lost.is_none() {
                    shapes.push(Shape::Circle { class: "fl-dot", centre: to, r: 2.5 });
                }
                Layer::Replies
            }
        };
        shapes.extend(lost.map(cross));
        self.push(ItemId::Message(id), layer, Some(message.sent_at), shapes);
    }

    /// The token pill of a message on its line, and what it carries beside it.
    fn label(&mut self, id: MessageId, (from, to): Line) {
        let message = self.trace.messages[id as usize];
        let tone = self.tone(message.worker);
        let words = match (message.subject, message.step) {
            (Subject::Write, Some(step)) => format!("'{}'", self.value_of(message.worker, step)),
            (Subject::Write, None) => String::new(),
            (Subject::Establish, _) => "establish".into(),
            (Subject::Read, _) => "read".into(),
            (Subject::Peek, _) => "peek".into(),
            _ => return,
        };
        // On a narrow picture the memory strip tells the values.
        let words = if self.layout == Layout::Narrow { String::new() } else { words };
        let token = message.token.filter(|_| matches!(message.subject, Subject::Write | Subject::Establish));
        let token = token.map(|token| token.to_string());
        let h = self.m.pill;
        let pill_w = token.as_deref().map_or(0.0, pill_width);
        let short = shorten(&words, self.m.mono, 96.0).unwrap_or_default();
        let mut wordings = vec![words, short, String::new()];
        wordings.dedup();
        let spots = [0.45, 0.6, 0.3, 0.72, 0.2, 0.82].map(|part| {
            let x = tenth(from.0 + (to.0 - from.0) * part);
            let y = tenth(from.1 + (to.1 - from.1) * part);
            let area = Rect { x: x - pill_w / 2.0 - 1.0, y: y - h / 2.0 - 1.0, w: pill_w + 2.0, h: h + 2.0 };
            let free = token.is_none() || self.placer.is_free(&area);
            let clear = free && (token.is_none() || self.placer.is_clear(&area, Some(id)));
            (x, y, area, clear, free)
        });
        let bare = String::new();
        for (wording, want_clear) in wordings.iter().map(|wording| (wording, true)).chain([(&bare, false)]) {
            if token.is_none() && wording.is_empty() {
                continue;
            }
            for (x, y, pill_area, clear, free) in spots {
                if !(if want_clear { clear } else { free }) {
                    continue;
                }
                let Some(text) = self.beside(wording, (x, y), pill_w) else { continue };
                let mut shapes = Vec::new();
                if let Some(token) = &token {
                    self.placer.take(pill_area);
                    shapes.extend(pill(tone, x - pill_w / 2.0, y, h, token).0);
                }
                if !text.content.is_empty() {
                    self.placer.take(text.area);
                    shapes.push(Shape::Text(text));
                }
                self.push(ItemId::Pill(id), Layer::Pills, Some(message.sent_at), shapes);
                return;
            }
        }
    }

    /// What a message carries, written beside a point of its line, clear of everything, its own line too: level with the
    /// point, or a little above or below it where the line is flat. An empty text has its place anywhere.
    fn beside(&self, wording: &str, (x, y): (f32, f32), pill_w: f32) -> Option<Text> {
        let wide = self.layout == Layout::Wide;
        let class = if wide { "fl-text fl-12 fl-mono fl-halo" } else { "fl-text fl-mono fl-halo" };
        let reach = pill_w / 2.0 + 7.0;
        let places = [(reach, 0.0), (-reach, 0.0), (reach - 4.0, -9.0), (4.0 - reach, 9.0), (4.0, -16.0), (-4.0, 18.0)];
        places.into_iter().find_map(|(dx, dy)| {
            let anchor = if dx > 0.0 { Anchor::Start } else { Anchor::End };
            let text = lettered(self.m.mono, class, (x + dx, baseline(y + dy)), anchor, wording.to_owned());
            (wording.is_empty() || self.placer.is_clear(&text.area, None)).then_some(text)
        })
    }

    /// The verdicts that a worker gives itself on what its peek saw: beside its activity, since nothing is sent.
    fn given_up(&mut self) {
        for index in 0..self.trace.writes.len() as u32 {
            let verdict = self.trace.writes[index as usize];
            let Some(place) = self.worker_places.get(verdict.worker).copied() else { continue };
            let Some(x) = self.shown(verdict.decided_at).filter(|_| verdict.given_up) else { continue };
            let (word, compared) = words_of(self, index);
            let h = self.m.tag.0;
            let glyph = Glyph::of(&verdict);
            let mut found = None;
            'search: for clear in [true, false] {
                for (word, compared) in [(word.as_str(), compared.as_str()), (word.as_str(), ""), ("", "")] {
                    let w = tag_width(self, word, compared);
                    for step in 0..12_u8 {
                        let y = tenth(place.line() - h / 2.0 - f32::from(step) * (h / 2.0));
                        for left in [x + 10.0, x - 10.0 - w] {
                            let area = Rect { x: tenth(left), y, w, h };
                            let good =
                                if clear { self.placer.is_clear(&area, None) } else { self.placer.is_free(&area) };
                            if good && area.right() <= self.width - 3.0 {
                                found = Some((area, word, compared));
                                break 'search;
                            }
                        }
                    }
                }
            }
            let fallback = Rect { x: tenth(x + 4.0), y: tenth(place.line() - h / 2.0), w: h, h };
            let (area, word, compared) = found.unwrap_or((fallback, "", ""));
            self.placer.take(area);
            let mut shapes = vec![Shape::Line {
                class: "fl-check",
                from: (x, place.activity.0 - 4.0),
                to: (x, place.activity.0 + place.activity.1 + 4.0),
            }];
            shapes.extend(tag_shapes(self, glyph, area, word, compared));
            self.push(ItemId::Verdict(index), Layer::Pills, Some(verdict.decided_at), shapes);
        }
    }
}

/// The cross at which a lost message ends.
fn cross((x, y): (f32, f32)) -> Shape {
    Shape::Path {
        class: "fl-lost",
        d: format!("M{} {}l8 8M{} {}l-8 8", tenth(x - 4.0), tenth(y - 4.0), tenth(x + 4.0), tenth(y - 4.0)),
    }
}
