//! The exposure of the selected write's token: the stretch in which its lease has ended and the destination would still
//! accept it, with the instants at its ends.
//!
//! Ended, superseded, known: three instants, marked apart wherever they lie apart.

use fenceline_engine::scenario::Micros;
use fenceline_engine::trace::Grant;
use fenceline_engine::{Exposure, exposures};

use super::{Build, ResourcePlace};
use crate::measure::{Face, width};
use crate::projection::tenth;
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
            if number == 0 {
                shapes.extend(self.exposure_words(&grant, (left, right), place.rail));
                shapes.extend(self.instants(&grant, exposure, (resource, &place)));
            }
        }
        self.push(ItemId::Exposure(resource as u32), Layer::Blocks, None, shapes);
    }

    /// The three instants, each with a tick and its word: the lease over, another granted, that one known here.
    fn instants(
        &mut self,
        grant: &Grant,
        exposure: Exposure,
        (resource, place): (usize, &ResourcePlace),
    ) -> Vec<Shape> {
        let (token, top) = (grant.token, place.rail + 4.0);
        let next = self.trace.grants.iter().find(|next| next.lease == grant.lease && next.number > grant.number);
        let next = next.map(|next| (next.granted_at, next.token));
        let ended = grant.ended.map(|(ended, _)| ended);
        let known = self
            .trace
            .memories
            .iter()
            .find(|memory| memory.resource == resource && Some(memory.from) == exposure.until);
        let mut told: Vec<(Option<Micros>, [String; 2])> = Vec::new();
        let over = format!("{token} over");
        match next {
            // One instant of the axis, not one fact.
            Some((granted, token)) if Some(granted) == ended => {
                told.push((ended, [format!("{over}, {token} granted"), over]));
            }
            Some((granted, token)) => {
                told.push((ended, [over.clone(), over]));
                told.push((Some(granted), [format!("{token} granted"), token.to_string()]));
            }
            None => told.push((ended, [over.clone(), over])),
        }
        if let Some(known) = known {
            told.push((exposure.until, [format!("{} known here", known.token), format!("{} known", known.token)]));
        }
        let mut shapes = Vec::new();
        for (at, [long, short]) in told {
            // Past the diamond of the write that made it known.
            let sides: &[f32] = if at == exposure.until { &[-13.0, 13.0] } else { &[-5.0, 5.0] };
            let Some(x) = at.and_then(|at| self.shown(at)) else { continue };
            shapes.push(Shape::Line { class: "fl-check", from: (x, top - 2.0), to: (x, top + BAND + 2.0) });
            let rows = [place.rail - 8.0, place.rail - 20.0].map(|y| tenth(y.max(place.area.y + 10.0)));
            shapes.extend(self.note_beside(&[&long, &short], x, &rows, sides));
        }
        shapes
    }

    fn exposure_words(&mut self, grant: &Grant, (left, right): (f32, f32), rail: f32) -> Option<Shape> {
        let words = format!("{} still accepted", grant.token);
        let y = rail - 8.0;
        let (x, _) = self.clear_place(&[&words], Face::Small, (left + 5.0, right - 5.0), y)?;
        let area = Rect { x, y: y - 9.0, w: width(&words, Face::Small), h: 11.5 };
        if !self.placer.is_clear(&area, None) {
            return None;
        }
        Some(self.letter(Face::Small, "fl-text fl-muted fl-halo", (x, y), Anchor::Start, &words))
    }
}
