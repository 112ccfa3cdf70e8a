//! The lease service: a ribbon for each grant, and what happened to the service itself.

use std::collections::BTreeSet;

use fenceline_engine::Micros;
use fenceline_engine::trace::{EndedBy, Event, Grant, Happening};

use super::{Build, baseline, boxed, pill, pill_width};
use crate::measure::{Face, first_fit, width};
use crate::palette;
use crate::projection::tenth;
use crate::scene::{Anchor, ItemId, Layer, Rect, Shape};
use crate::words::{duration, tidy};

/// So many expiries get a line through all lanes; more would be a fence of their own.
const MAX_EXPIRY_LINES: usize = 12;

impl Build<'_> {
    pub(super) fn leases(&mut self) {
        let mut renewed = vec![Vec::new(); self.trace.grants.len() + 1];
        for event in &self.trace.events {
            if let Happening::Renewed(number, _) = event.what
                && let (Some(of), Some(x)) = (renewed.get_mut(number as usize), self.shown(event.at))
            {
                of.push(x);
            }
        }
        let ended = self.trace.grants.iter().filter_map(|grant| Some((grant.lease, grant.ended?.0))).collect();
        for index in 0..self.trace.grants.len() {
            self.ribbon(index, &renewed, &ended);
        }
        self.expiries();
        self.lock_delays();
    }

    /// `renewed` holds the places of the renewals by the number of their grant, `ended` when grants of a lease ended.
    fn ribbon(&mut self, index: usize, renewed: &[Vec<f32>], ended: &BTreeSet<(usize, Micros)>) {
        let grant = self.trace.grants[index];
        let Some(place) = self.lease_places.get(grant.lease).copied() else { return };
        let Some((left, right)) = self.stretch(grant.granted_at, grant.ended.map(|(end, _)| end)) else { return };
        let tone = self.tone(grant.worker);
        let (top, h) = place.ribbon;
        let middle = top + h / 2.0;
        let mut shapes = vec![Shape::Rect { class: palette::fill(tone), at: boxed(left, right, top, h), r: 4.0 }];
        let tick = |x: &f32| Shape::Line { class: palette::thin(tone), from: (*x, top + h - 6.0), to: (*x, top + h) };
        shapes.extend(renewed.get(grant.number as usize).into_iter().flatten().map(tick));
        let follows = ended.contains(&(grant.lease, grant.granted_at));
        self.ribbon_texts(&grant, follows, (left, right), middle, &mut shapes);
        self.placer.dislike(boxed(left, right, top, h));
        self.push(ItemId::Ribbon(grant.number), Layer::Ribbons, Some(grant.granted_at), shapes);
    }

    /// Whose it is, how long it lasts, when it ends: as much of it as there is room for, in that order of weight.
    fn ribbon_texts(
        &mut self,
        grant: &Grant,
        follows: bool,
        (left, right): (f32, f32),
        middle: f32,
        shapes: &mut Vec<Shape>,
    ) {
        let tone = self.tone(grant.worker);
        let class = if self.m.face == Face::Body { palette::ink12(tone) } else { palette::ink(tone) };
        // The grip of an end sits on the edge and must not hide a letter.
        let (before, after) = (if follows { 13.0 } else { 9.0 }, 14.0);
        let room = right - left - before - 6.0;
        let full = format!("{} · {}", grant.token, self.worker_id(grant.worker));
        let short = grant.token.to_string();
        let Some(owner) = [full.as_str(), &short].into_iter().find(|text| pill_width(text) <= room) else { return };
        let (pill_shapes, area) = pill(tone, left + before, middle, self.m.pill, owner);
        shapes.extend(pill_shapes);
        self.placer.take(area);

        let mut free = (area.right() + 10.0, right - after);
        let end = self.end_words(grant);
        let ends: Vec<&str> = end.iter().map(String::as_str).collect();
        if let Some(words) = first_fit(&ends, self.m.face, free.1 - free.0) {
            let shape = self.letter(self.m.face, class, (free.1, baseline(middle)), Anchor::End, words);
            free.1 -= width(words, self.m.face) + 12.0;
            shapes.push(shape);
        }
        let lease = self.scenario.leases.get(grant.lease).map_or(0, |lease| lease.ttl);
        let lease = format!("lease {}", tidy(lease));
        if width(&lease, self.m.face) <= free.1 - free.0 {
            free.0 = tenth(free.0);
            shapes.push(self.letter(self.m.face, class, (free.0, baseline(middle)), Anchor::Start, &lease));
        }
    }

    /// When and by what a grant ends, long and short; short of nothing when it runs off the picture.
    fn end_words(&self, grant: &Grant) -> Vec<String> {
        match grant.ended {
            Some((at, by)) if self.scale.shows(at) => {
                let word = match by {
                    EndedBy::Expiry => "ends",
                    EndedBy::Release => "released",
                    EndedBy::Failover => "forgotten",
                };
                vec![format!("{word} {}", duration(at)), word.to_owned()]
            }
            _ => vec![format!("to {}", duration(grant.due_at))],
        }
    }

    /// A dashed line through all lanes where a grant runs out: the instant that no worker is told of.
    fn expiries(&mut self) {
        let bottom = self.lanes.last().map_or(0.0, |lane| lane.area.bottom());
        let ended: Vec<(u32, f32, u64, f32)> = self
            .trace
            .grants
            .iter()
            .filter_map(|grant| match grant.ended {
                Some((at, EndedBy::Expiry | EndedBy::Failover)) if at < self.scale.window().to_us() => {
                    let place = self.lease_places.get(grant.lease)?;
                    Some((grant.number, self.shown(at)?, at, place.area.y))
                }
                _ => None,
            })
            .collect();
        if ended.len() > MAX_EXPIRY_LINES {
            return;
        }
        for (number, x, at, top) in ended {
            let line = Shape::Line { class: "fl-expiry", from: (x, top), to: (x, bottom) };
            self.push(ItemId::Expiry(number), Layer::Grid, Some(at), [line]);
        }
    }

    fn lock_delays(&mut self) {
        for index in 0..self.trace.grants.len() {
            let grant = self.trace.grants[index];
            let Some((end, EndedBy::Expiry | EndedBy::Failover)) = grant.ended else { continue };
            let delay = self.scenario.leases.get(grant.lease).map_or(0, |lease| lease.lock_delay);
            let Some(place) = self.lease_places.get(grant.lease).copied() else { continue };
            if delay == 0 {
                continue;
            }
            let Some((left, right)) = self.stretch(end, Some(end.saturating_add(delay))) else { continue };
            let (top, h) = place.ribbon;
            let mut shapes = vec![Shape::Rect { class: "fl-wait", at: boxed(left, right, top + 4.0, h - 8.0), r: 3.0 }];
            let words = [format!("lock delay {}", tidy(delay)), "lock delay".to_owned()];
            let room = right - left - 24.0;
            if let Some(text) = first_fit(&[&words[0], &words[1]], Face::Small, room) {
                let at = (f32::midpoint(left, right), baseline(top + h / 2.0));
                shapes.push(self.letter(Face::Small, "fl-text fl-muted", at, Anchor::Middle, text));
            }
            self.push(ItemId::LockDelay(grant.number), Layer::Ribbons, Some(end), shapes);
        }
    }

    /// A failover: a mark through the service's lane, with its word where there is room.
    pub(super) fn failover(&mut self, id: u32, event: &Event, lease: usize) {
        let Some(place) = self.lease_places.get(lease).copied() else { return };
        let Some(x) = self.shown(event.at) else { return };
        let area = place.area;
        let mut shapes = self.upright("fl-check", x, area.y, area.bottom());
        let y = baseline(place.ribbon.0 + place.ribbon.1 / 2.0);
        // In the ribbon's height where no ribbon is, else in the gap under it.
        let under = place.ribbon.0 + place.ribbon.1 + 11.0;
        shapes.extend(self.note_beside(&["failover"], x, &[y, under], &[7.0, -7.0]));
        self.push(ItemId::Note(id), Layer::Pills, Some(event.at), shapes);
    }

    /// A mark on an instant: an upright line that stops short of what is written in its way.
    pub(super) fn upright(&self, class: &'static str, x: f32, from: f32, to: f32) -> Vec<Shape> {
        let parts = self.placer.open_parts(x, from, to).into_iter();
        parts.map(|(from, to)| Shape::Line { class, from: (x, tenth(from)), to: (x, tenth(to)) }).collect()
    }

    /// A note to the right or left of an x, on the first of several baselines where it hides nothing.
    pub(super) fn note_beside(&mut self, wordings: &[&str], x: f32, baselines: &[f32], sides: &[f32]) -> Option<Shape> {
        for clear in [true, false] {
            for wording in wordings {
                for y in baselines {
                    for dx in sides.iter().copied() {
                        let anchor = if dx > 0.0 { Anchor::Start } else { Anchor::End };
                        let text = super::lettered(
                            Face::Small,
                            "fl-text fl-muted fl-halo",
                            (x + dx, *y),
                            anchor,
                            (*wording).to_owned(),
                        );
                        let area = Rect { x: text.area.x - 2.0, w: text.area.w + 4.0, ..text.area };
                        // Over a line it may stand, its halo keeps it readable; over a block it may not.
                        let good =
                            if clear { self.placer.is_clear(&area, None) } else { self.placer.is_off_blocks(&area) };
                        if good && area.right() <= self.scale.right() + 12.0 {
                            self.placer.take(text.area);
                            return Some(Shape::Text(text));
                        }
                    }
                }
            }
        }
        None
    }
}
