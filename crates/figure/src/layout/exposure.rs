//! The exposure of the selected write's token: the stretch in which its lease has ended and the destination would still
//! accept it, with the instants at its ends.
//!
//! Ended, superseded, known: three instants, marked apart wherever they lie apart.

use fenceline_engine::exposures;
use fenceline_engine::trace::Grant;

use super::Build;
use crate::measure::{Face, width};
use crate::scene::{Anchor, ItemId, Layer, Rect, Shape};

/// The height of the shaded band, in px.
const BAND: f32 = 5.0;

impl Build<'_> {
    pub(super) fn exposure(&mut self) {
        let verdict = self.view.selected_write.and_then(|write| self.trace.writes.get(write as usize));
        let Some((verdict, grant)) = verdict.and_then(|verdict| Some((verdict, *self.trace.grant(verdict.grant?)?)))
        else {
            return;
        };
        let Some(place) = self.resource_places.get(verdict.resource).cloned() else { return };
        let resource = verdict.resource;
        let top = place.rail + 4.0;
        let mut shapes = Vec::new();
        for (number, exposure) in exposures(self.scenario, self.trace, grant.number, resource).into_iter().enumerate() {
            let Some((left, right)) = self.stretch(exposure.from, exposure.until) else { continue };
            if right - left < 2.0 {
                continue;
            }
            let area = Rect { x: left, y: top, w: right - left, h: BAND };
            shapes.push(Shape::Rect { class: "fl-exposed", at: area, r: 1.0 });
            shapes.push(Shape::Rect { class: "fl-exposed-hatch", at: area, r: 1.0 });
            if let Some(x) = exposure.until.and_then(|until| self.shown(until)) {
                shapes.push(Shape::Line { class: "fl-check", from: (x, top - 2.0), to: (x, top + BAND + 2.0) });
            }
            if number == 0 {
                shapes.extend(self.instants(&grant, (left, right), top));
                shapes.extend(self.exposure_words(&grant, (left, right), place.rail));
            }
        }
        self.push(ItemId::Exposure(resource as u32), Layer::Blocks, None, shapes);
    }

    /// A tick where the grant ended, and one where another took its place.
    fn instants(&self, grant: &Grant, (left, _): (f32, f32), top: f32) -> Vec<Shape> {
        let next = self.trace.grants.iter().find(|next| next.lease == grant.lease && next.number > grant.number);
        let superseded = next.and_then(|next| self.shown(next.granted_at));
        let tick = |x: f32, class| Shape::Line { class, from: (x, top - 2.0), to: (x, top + BAND + 2.0) };
        let mut ticks = vec![tick(left, "fl-check")];
        ticks.extend(superseded.filter(|x| *x > left + 1.0).map(|x| tick(x, "fl-mark")));
        ticks
    }

    fn exposure_words(&mut self, grant: &Grant, (left, right): (f32, f32), rail: f32) -> Option<Shape> {
        let token = grant.token;
        let long = format!("lease over, {token} still accepted here");
        let short = format!("{token} still accepted");
        let y = rail - 8.0;
        let (x, words) = self.clear_place(&[&long, &short], Face::Small, (left + 5.0, right - 5.0), y)?;
        let area = Rect { x, y: y - 9.0, w: width(words, Face::Small), h: 11.5 };
        if !self.placer.is_clear(&area, None) {
            return None;
        }
        let words = words.to_owned();
        Some(self.letter(Face::Small, "fl-text fl-muted fl-halo", (x, y), Anchor::Start, &words))
    }
}
