//! The messages: slanted lines whose slant is their delay, and the pills on them.

use fenceline_engine::scenario::{Micros, Send};
use fenceline_engine::trace::{Direction, Lane, Message, MessageId, Subject};

use super::resource::{tag_shapes, tag_width, words_of};
use super::{Build, baseline, lettered, pill, pill_width};
use crate::glyph::Glyph;
use crate::measure::{shorten, width};
use crate::palette;
use crate::place::Segment;
use crate::projection::tenth;
use crate::scene::{Anchor, ItemId, Layer, Layout, Rect, Shape};

/// A line in the picture.
type Line = ((f32, f32), (f32, f32));

impl Build<'_> {
    pub(super) fn messages(&mut self) {
        let mut labelled: Vec<(MessageId, Line)> = Vec::new();
        for id in 0..self.trace.messages.len() as u32 {
            let message = self.trace.messages[id as usize];
            match (message.peer, message.direction) {
                (Lane::Lease(lease), direction) => self.service_message(id, &message, lease, direction),
                (Lane::Resource(resource), Direction::Request) => {
                    if let Some(line) = self.request(id, &message, resource) {
                        labelled.push((id, line));
                    }
                }
                (Lane::Resource(resource), Direction::Reply) => self.reply(id, &message, resource),
                (Lane::Worker(_), _) => {}
            }
        }
        self.given_up();
        for (id, line) in labelled {
            self.label(id, line);
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

    /// A line from one lane to another in the picture; a lost message gets half-way.
    fn line(&self, message: &Message, from_y: f32, to_y: f32) -> Option<(Line, Option<(f32, f32)>)> {
        let from = (self.scale.px(message.sent_at), from_y);
        let to = (self.scale.px(self.would_arrive(message)), to_y);
        if message.arrives_at.is_some() {
            return self.cut(from, to).map(|line| (line, None));
        }
        let half = (tenth((from.0 + to.0) / 2.0), tenth((from.1 + to.1) / 2.0));
        let line = self.cut(from, half)?;
        let inside = half.0 >= self.scale.left() && half.0 <= self.scale.right();
        Some((line, inside.then_some(half)))
    }

    /// Traffic of the lease service: requests thin, heartbeats quiet, grants with an arrow; other answers are left out.
    fn service_message(&mut self, id: MessageId, message: &Message, lease: usize, direction: Direction) {
        let Some(worker) = self.worker_places.get(message.worker).copied() else { return };
        let Some(service) = self.lease_places.get(lease).copied() else { return };
        let tone = self.tone(message.worker);
        let (service_y, worker_y) = (service.ribbon.0 + service.ribbon.1, worker.area.y);
        let beat = message.subject == Subject::Renew;
        match direction {
            Direction::Request => {
                let Some((line, lost)) = self.line(message, worker.band.0, service_y + 2.0) else { return };
                let class = if beat { palette::beat(tone) } else { palette::thin(tone) };
                let mut shapes = vec![Shape::Line { class, from: line.0, to: line.1 }];
                match lost {
                    Some(at) => shapes.push(cross(at)),
                    None if !beat => {
                        let centre = (line.1.0, tenth(line.1.1 + 1.0));
                        shapes.push(Shape::Circle { class: palette::arrow(tone), centre, r: 2.0 });
                    }
                    None => {}
                }
                self.placer.dislike_line(Segment { from: line.0, to: line.1, owner: id });
                self.push(ItemId::Message(id), Layer::Grants, Some(message.sent_at), shapes);
            }
            Direction::Reply if message.subject == Subject::Acquire && message.token.is_some() => {
                let Some((line, lost)) = self.line(message, service_y, worker_y - 1.0) else { return };
                let mut shapes = vec![
                    Shape::Line { class: "fl-casing", from: line.0, to: line.1 },
                    Shape::Line { class: palette::thin(tone), from: line.0, to: line.1 },
                ];
                match lost {
                    Some(at) => shapes.push(cross(at)),
                    None => {
                        let (x, y) = line.1;
                        let d = format!("M{} {}h9l-4.5 8z", tenth(x - 4.5), tenth(y - 2.0));
                        shapes.push(Shape::Path { class: palette::arrow(tone), d });
                    }
                }
                self.placer.dislike_line(Segment { from: line.0, to: line.1, owner: id });
                self.push(ItemId::Message(id), Layer::Grants, Some(message.sent_at), shapes);
            }
            Direction::Reply => {}
        }
    }

    /// A request to a resource, down to its diamond.
    fn request(&mut self, id: MessageId, message: &Message, resource: usize) -> Option<Line> {
        let worker = self.worker_places.get(message.worker).copied()?;
        let place = self.resource_places.get(resource)?;
        let mark = place.plan.arrivals.iter().find(|mark| mark.message == id);
        let to_y = tenth(place.rail + mark.map_or(0.0, |mark| mark.y));
        let (line, lost) = self.line(message, worker.activity.0 + worker.activity.1, to_y)?;
        let tone = self.tone(message.worker);
        let heavy = matches!(message.subject, Subject::Write | Subject::Establish);
        let class = if heavy { palette::line(tone) } else { palette::thin(tone) };
        let mut shapes = vec![
            Shape::Line { class: "fl-casing", from: line.0, to: line.1 },
            Shape::Line { class, from: line.0, to: line.1 },
        ];
        shapes.extend(lost.map(cross));
        self.placer.dislike_line(Segment { from: line.0, to: line.1, owner: id });
        self.push(ItemId::Message(id), Layer::Messages, Some(message.sent_at), shapes);
        (heavy || message.subject == Subject::Read || message.subject == Subject::Peek).then_some(line)
    }

    /// A reply from a resource: a dotted line up to its worker, with a dot where it is handled. Narrow pictures have none.
    fn reply(&mut self, id: MessageId, message: &Message, resource: usize) {
        if self.layout == Layout::Narrow {
            return;
        }
        let Some(worker) = self.worker_places.get(message.worker).copied() else { return };
        let Some(place) = self.resource_places.get(resource) else { return };
        let mark = place.plan.arrivals.iter().find(|mark| Some(mark.message) == message.answers);
        let from_y = place.rail + mark.map_or(0.0, |mark| mark.y - mark.half);
        let Some((line, lost)) = self.line(message, tenth(from_y), worker.activity.0 + worker.activity.1 + 2.5) else {
            return;
        };
        let mut shapes = vec![Shape::Line { class: "fl-reply", from: line.0, to: line.1 }];
        match lost {
            Some(at) => shapes.push(cross(at)),
            None => shapes.push(Shape::Circle { class: "fl-dot", centre: line.1, r: 2.5 }),
        }
        self.push(ItemId::Message(id), Layer::Replies, Some(message.sent_at), shapes);
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
        for clear in [true, false] {
            for wording in &wordings {
                if token.is_none() && (wording.is_empty() || !clear) {
                    continue;
                }
                for part in [0.45, 0.6, 0.3, 0.72, 0.2, 0.82] {
                    let x = from.0 + (to.0 - from.0) * part;
                    let y = tenth(from.1 + (to.1 - from.1) * part);
                    for side in [1.0, -1.0] {
                        let label_w = if wording.is_empty() { 0.0 } else { width(wording, self.m.mono) + 8.0 };
                        let left = x - pill_w / 2.0 - if side < 0.0 { label_w } else { 0.0 };
                        let area = Rect {
                            x: tenth(left - 1.0),
                            y: tenth(y - h / 2.0 - 1.0),
                            w: tenth(pill_w + label_w + 2.0),
                            h: h + 2.0,
                        };
                        let good = if clear {
                            self.placer.is_clear(&area, Some(id))
                        } else if wording.is_empty() {
                            self.placer.is_free(&area)
                        } else {
                            self.placer.is_off_blocks(&area)
                        };
                        if !good {
                            continue;
                        }
                        self.placer.take(area);
                        let mut shapes = Vec::new();
                        if let Some(token) = &token {
                            shapes.extend(pill(tone, x - pill_w / 2.0, y, h, token).0);
                        }
                        if !wording.is_empty() {
                            let (dx, anchor) =
                                if side > 0.0 { (pill_w / 2.0 + 7.0, Anchor::Start) } else { (-pill_w / 2.0 - 7.0, Anchor::End) };
                            let wide = self.layout == Layout::Wide;
                            let class = if wide { "fl-text fl-12 fl-mono fl-halo" } else { "fl-text fl-mono fl-halo" };
                            let at = (x + dx, baseline(y));
                            shapes.push(Shape::Text(lettered(self.m.mono, class, at, anchor, wording.clone())));
                        }
                        self.push(ItemId::Pill(id), Layer::Pills, Some(message.sent_at), shapes);
                        return;
                    }
                }
            }
        }
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
                            let good = if clear { self.placer.is_clear(&area, None) } else { self.placer.is_free(&area) };
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
    Shape::Path { class: "fl-lost", d: format!("M{} {}l8 8M{} {}l-8 8", tenth(x - 4.0), tenth(y - 4.0), tenth(x + 4.0), tenth(y - 4.0)) }
}
