//! A destination: its guard as a fence, the verdict on each arrival, and the strip of what it remembers.
//!
//! Position shows the ruling: an accepted arrival passes through a gate in the fence, a rejected one stops above it.

use std::fmt::Write;

use fenceline_engine::scenario::{Guard, Step};
use fenceline_engine::trace::{Decision, Event, Memory};

use super::plan::{ArrivalMark, ResourcePlan, tag_faces};
use super::{Build, baseline, boxed, lettered, pill, pill_width};
use crate::glyph::Glyph;
use crate::measure::{Face, shorten, width};
use crate::palette::{self, Tone, tone_of_grant};
use crate::projection::tenth;
use crate::scene::{Anchor, ItemId, Layer, Layout, Rect, Shape, Text};

/// Half the width of a gate in the fence.
const GATE: f32 = 15.0;
/// Half the width of the bar that stops a rejected arrival.
const BAR: f32 = 24.0;

/// The shapes of a tag.
pub(super) fn tag_shapes(build: &Build<'_>, glyph: Glyph, area: Rect, word: &str, compared: &str) -> Vec<Shape> {
    let class = match glyph {
        Glyph::Accepted => "fl-tag fl-tag-accepted",
        Glyph::Fenced => "fl-tag fl-tag-fenced",
        Glyph::Corrupting => "fl-tag fl-tag-corrupting",
        Glyph::Refused => "fl-tag fl-tag-refused",
        Glyph::Replayed => "fl-tag fl-tag-replayed",
    };
    let size = area.h - 6.0;
    let inset = if word.is_empty() { (area.w - size) / 2.0 } else { 5.0 };
    let mut shapes = vec![
        Shape::Rect { class, at: area, r: tenth(area.h / 2.0) },
        Shape::Glyph { glyph, at: Rect { x: tenth(area.x + inset), y: tenth(area.y + 3.0), w: size, h: size } },
    ];
    if word.is_empty() {
        return shapes;
    }
    let (strong, mono) = tag_faces(build.layout);
    let wide = build.layout == Layout::Wide;
    let y = baseline(area.y + area.h / 2.0);
    let x = area.x + 25.0;
    let class = if wide { "fl-text fl-12 fl-strong" } else { "fl-text fl-strong" };
    shapes.push(Shape::Text(lettered(strong, class, (x, y), Anchor::Start, word.to_owned())));
    if !compared.is_empty() {
        let class = if wide { "fl-text fl-12 fl-mono" } else { "fl-text fl-mono" };
        let at = (area.right() - 9.0, y);
        shapes.push(Shape::Text(lettered(mono, class, at, Anchor::End, compared.to_owned())));
    }
    shapes
}

impl Build<'_> {
    pub(super) fn resources(&mut self) {
        for resource in 0..self.resource_places.len() {
            let place = self.resource_places[resource].clone();
            self.fence(resource, place.rail, &place.plan);
            self.memories(resource, place.strip);
            for mark in &place.plan.arrivals {
                self.arrival(mark, place.rail, place.strip.0);
            }
            for text in place.plan.restarts.iter().filter_map(|(.., text)| text.as_ref()) {
                self.placer.take(lowered(text, place.rail).area);
            }
            for tag in &place.plan.tags {
                let area = Rect { y: tenth(tag.area.y + place.rail), ..tag.area };
                self.placer.take(area);
                let shapes = tag_shapes(self, tag.glyph, area, &tag.word, &tag.comparison);
                let at = self.trace.writes.get(tag.verdict as usize).map(|verdict| verdict.decided_at);
                self.push(ItemId::Verdict(tag.verdict), Layer::Pills, at, shapes);
            }
        }
    }

    /// A restart: a mark through the lane, with the word that the plan found a place for.
    pub(super) fn restart(&mut self, id: u32, event: &Event, resource: usize) {
        let Some(place) = self.resource_places.get(resource) else { return };
        let Some((_, x, text)) = place.plan.restarts.iter().find(|(of, ..)| *of == id) else { return };
        let text = text.as_ref().map(|text| Shape::Text(lowered(text, place.rail)));
        let mut shapes = self.upright("fl-mark", *x, place.area.y + 4.0, place.strip.0 + place.strip.1);
        shapes.extend(text);
        self.push(ItemId::Note(id), Layer::Pills, Some(event.at), shapes);
    }

    /// The fence: a rail with pickets for an atomic guard, a dashed rail for a check apart from the write, none for none.
    fn fence(&mut self, resource: usize, rail: f32, plan: &ResourcePlan) {
        let guard = self.scenario.resources[resource].guard;
        let mut shapes = Vec::new();
        if let Some(text) = &plan.rule {
            let text = lowered(text, rail);
            self.placer.take(text.area);
            shapes.push(Shape::Text(text));
        }
        let (left, right) = (self.scale.left(), self.scale.right());
        let gates: Vec<f32> =
            plan.arrivals.iter().filter(|mark| mark.passes && mark.verdict.is_some()).map(|mark| mark.x).collect();
        if guard != Guard::None {
            let atomic = guard != Guard::CheckThenWrite;
            let mut from = left;
            let mut pickets = String::new();
            for gate in gates.iter().copied().chain([f32::INFINITY]) {
                let to = (gate - GATE).min(right);
                if to - from > 3.0 {
                    let class = if atomic { "fl-rail" } else { "fl-rail-dashed" };
                    shapes.push(Shape::Line { class, from: (tenth(from), rail), to: (tenth(to), rail) });
                    // Pickets stand where they stand whatever the gates do, so that they hold still in a drag.
                    let mut number = ((from - left - 4.0) / self.m.picket).ceil().max(0.0) as u32;
                    let picket = |number: u32| tenth(left + 4.0 + self.m.picket * number as f32);
                    while atomic && picket(number) <= to {
                        // Writing to a string cannot fail.
                        let _ = write!(pickets, "M{} {}v9", picket(number), tenth(rail - 4.5));
                        number += 1;
                    }
                }
                from = from.max(gate + GATE);
            }
            if !pickets.is_empty() {
                shapes.push(Shape::Path { class: "fl-pickets", d: pickets });
            }
        }
        for mark in plan.arrivals.iter().filter(|mark| !mark.passes) {
            let Some(verdict) = mark.verdict.and_then(|verdict| self.trace.writes.get(verdict as usize)) else {
                continue;
            };
            let nearest = gates.iter().map(|gate| (gate - mark.x).abs()).fold(f32::INFINITY, f32::min);
            let half = BAR.min(nearest - 10.0).max(5.0);
            let (from, to) = ((mark.x - half).max(left), (mark.x + half).min(self.width - 4.0));
            let class = match Glyph::of(verdict) {
                Glyph::Refused => "fl-blocked-refused",
                Glyph::Replayed => "fl-blocked-replayed",
                _ => "fl-blocked-fenced",
            };
            shapes.push(Shape::Rect { class, at: boxed(from, to, rail - 3.5, 7.0), r: 3.5 });
        }
        self.push(ItemId::Fence(resource as u32), Layer::Blocks, None, shapes);
    }

    fn arrival(&mut self, mark: &ArrivalMark, rail: f32, strip: f32) {
        let message = self.trace.messages[mark.message as usize];
        let tone = self.tone(message.worker);
        let y = tenth(rail + mark.y);
        let mut shapes = Vec::new();
        if mark.passes && mark.verdict.is_some() {
            let x = mark.x;
            shapes.push(Shape::Line { class: palette::line(tone), from: (x, y), to: (x, strip - 4.0) });
            shapes.push(Shape::Path {
                class: palette::arrow(tone),
                d: format!("M{} {}h9l-4.5 6z", tenth(x - 4.5), strip - 6.0),
            });
        }
        let half = mark.half;
        let d = format!("M{} {}l{half} {half} -{half} {half} -{half} -{half}z", mark.x, tenth(y - half));
        shapes.push(Shape::Path { class: palette::tip(tone), d });
        self.push(ItemId::Arrival(mark.message), Layer::Arrivals, message.arrives_at, shapes);
        let area = Rect { x: mark.x - half, y: y - half, w: 2.0 * half, h: 2.0 * half };
        self.placer.take(area);
    }

    fn memories(&mut self, resource: usize, (top, h): (f32, f32)) {
        let all: Vec<(usize, Memory)> =
            self.trace.memories.iter().copied().enumerate().filter(|(_, memory)| memory.resource == resource).collect();
        for (place, (index, memory)) in all.iter().enumerate() {
            let next = all.get(place + 1).map(|(_, next)| next.from);
            if next == Some(memory.from) {
                continue;
            }
            let Some((left, right)) = self.stretch(memory.from, next) else { continue };
            let writer = memory.value_of.and_then(|write| self.trace.writes.get(write as usize));
            let value = match writer {
                Some(verdict) => self.value_of(verdict.worker, verdict.step),
                None => self.scenario.resources[resource].initial.value.as_str(),
            };
            let tone = writer.map_or(Tone::Zero, |verdict| self.tone(verdict.worker));
            let token_tone = tone_of_grant(self.trace, &self.tones, memory.token_of);
            let mut shapes = vec![Shape::Rect { class: palette::fill(tone), at: boxed(left, right, top, h), r: 3.0 }];
            if writer.is_some_and(|verdict| verdict.overwrites_newer.is_some()) && right - left > 3.0 {
                let hatch = boxed(left + 0.5, right - 0.5, top + h - 5.0, 4.5);
                shapes.push(Shape::Rect { class: "fl-overwritten", at: hatch, r: 1.5 });
                shapes.push(Shape::Rect { class: "fl-overwritten-hatch", at: hatch, r: 1.5 });
            }
            let value = value.to_owned();
            let until = next.unwrap_or(u64::MAX);
            self.memory_texts(&mut shapes, (left, right), top + h / 2.0, memory, until, &value, (tone, token_tone));
            self.push(ItemId::Memory(*index as u32), Layer::Blocks, Some(memory.from), shapes);
        }
    }

    /// The remembered token, the value, and which token changed nothing, as far as there is room.
    #[allow(clippy::too_many_arguments, reason = "one call; a struct for it would only move the names")]
    fn memory_texts(
        &mut self,
        shapes: &mut Vec<Shape>,
        (left, right): (f32, f32),
        middle: f32,
        memory: &Memory,
        until: u64,
        value: &str,
        (tone, token_tone): (Tone, Tone),
    ) {
        // A guard that takes the first token as it is remembers none before it.
        let remembers_nothing =
            self.scenario.resources[memory.resource].guard == Guard::Same && memory.token_of.is_none();
        let token = if remembers_nothing { "–".to_owned() } else { memory.token.to_string() };
        if pill_width(&token) > right - left - 8.0 {
            return;
        }
        let x = left + if self.layout == Layout::Wide { 10.0 } else { 7.0 };
        let x = x.min(right - 4.0 - pill_width(&token));
        // Messages to a destination further down pass through: the token goes where none does, if there is such a place.
        let room = pill_width(&token) + 8.0 + (width(&format!("'{value}'"), self.m.mono)).min(80.0);
        let steps = ((right - x - room) / 16.0).max(0.0) as u16;
        let place = |step: u16| Rect { x: x + 16.0 * f32::from(step), y: middle - 8.0, w: room, h: 16.0 };
        let clear = (0..=steps.min(30)).find(|step| self.placer.is_uncrossed(&place(*step)));
        let x = clear.map_or(x, |step| tenth(place(step).x));
        let (pill_shapes, area) = pill(token_tone, x, middle, self.m.pill - 1.0, &token);
        shapes.extend(pill_shapes);
        self.placer.take(area);
        let from = area.right() + 8.0;
        let class = if self.m.mono == Face::BodyMono { palette::ink_mono12(tone) } else { palette::ink_mono(tone) };
        let quoted = format!("'{value}'");
        let mut free = from;
        if let Some(text) = shorten(&quoted, self.m.mono, right - from - 6.0) {
            free = from + width(&text, self.m.mono) + 14.0;
            shapes.push(self.letter(self.m.mono, class, (from, baseline(middle)), Anchor::Start, &text));
        }
        let refused = self.trace.writes.iter().rev().find(|verdict| {
            verdict.resource == memory.resource
                && verdict.decision == Decision::Rejected
                && !verdict.given_up
                && (memory.from..until).contains(&verdict.decided_at)
        });
        if let Some(token) = refused.and_then(|verdict| verdict.token) {
            let words = format!("{token} changed nothing");
            if width(&words, Face::Small) <= right - 10.0 - free {
                let at = (right - 10.0, baseline(middle));
                shapes.push(self.letter(Face::Small, palette::ink(tone), at, Anchor::End, &words));
            }
        }
    }

    /// The value that a write step writes.
    pub(super) fn value_of(&self, worker: usize, step: usize) -> &str {
        match self.scenario.workers.get(worker).and_then(|worker| worker.plan.get(step)) {
            Some(Step::Write(write)) => &write.value,
            _ => "",
        }
    }
}

/// A text placed against the rail, in the picture.
fn lowered(text: &Text, rail: f32) -> Text {
    let area = Rect { y: tenth(text.area.y + rail), ..text.area };
    Text { y: tenth(text.y + rail), area, ..text.clone() }
}
