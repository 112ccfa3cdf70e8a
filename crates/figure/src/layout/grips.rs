//! The handles of a story: which there are, in the order in which a keyboard visits them.

use fenceline_engine::scenario::Step;
use fenceline_engine::trace::{Direction, EndedBy, Lane};

use super::clock::{ahead, fast};
use super::small_grips::handle_of;
use super::{Build, lane_order};
use crate::drag::{Limits, limits, limits_of_arrival, limits_of_work};
use crate::handle::{GripShape, Handle, HandleId};
use crate::projection::tenth;
use crate::words::duration;

/// Grips nearer than this in one lane are set at different heights.
const TOO_NEAR: f32 = 14.0;

impl Build<'_> {
    /// Every handle within the picture, by lane, then time.
    pub(super) fn handles(&self) -> Vec<Handle> {
        let mut handles = Vec::new();
        self.lease_ends(&mut handles);
        for worker in 0..self.scenario.workers.len() {
            self.worker_handles(worker, &mut handles);
        }
        self.arrival_handles(&mut handles);
        self.small_handles(&mut handles);
        handles.sort_by(|one: &Handle, other| {
            (lane_order(one.lane), one.now_us, one.id).cmp(&(lane_order(other.lane), other.now_us, other.id))
        });
        part(&mut handles);
        handles
    }

    /// A handle at its time, when that shows; the selected one is kept at the edge.
    #[allow(clippy::too_many_arguments, reason = "a constructor; the names are those of the fields")]
    pub(super) fn handle(
        &self,
        id: HandleId,
        lane: Lane,
        shape: GripShape,
        (y, w, h): (f32, f32, f32),
        label: String,
    ) -> Option<Handle> {
        let found = limits(self.scenario, self.trace, id)?;
        self.handle_within(found, id, lane, shape, (y, w, h), label)
    }

    #[allow(clippy::too_many_arguments, reason = "a constructor; the names are those of the fields")]
    pub(super) fn handle_within(
        &self,
        Limits { from_us, now_us, min_us, max_us }: Limits,
        id: HandleId,
        lane: Lane,
        shape: GripShape,
        (y, w, h): (f32, f32, f32),
        label: String,
    ) -> Option<Handle> {
        let selected = self.view.selected == Some(id);
        if !selected && !self.scale.shows(now_us) && shape != GripShape::Body {
            return None;
        }
        let x = self.scale.px(now_us).clamp(self.scale.left(), self.scale.right());
        let value_us = match id {
            HandleId::WorkEnd { worker, step } => match self.scenario.workers.get(worker)?.plan.get(step)? {
                Step::Work { length, .. } => (*length).min(now_us) as i64,
                _ => return None,
            },
            _ => now_us as i64 - from_us as i64,
        };
        let from_us = now_us.saturating_add_signed(-value_us);
        let value = match id {
            HandleId::ClockOffset { .. } => ahead(value_us),
            HandleId::ClockDrift { worker } => fast(self.scenario.workers.get(worker)?.clock.drift_ppm),
            _ => duration(value_us.unsigned_abs()),
        };
        Some(Handle {
            id,
            lane,
            shape,
            x,
            y: tenth(y),
            w,
            h,
            now_us,
            min_us,
            max_us,
            value_us,
            from_us,
            label,
            value,
            selected,
        })
    }

    fn lease_ends(&self, handles: &mut Vec<Handle>) {
        for grant in &self.trace.grants {
            let Some(place) = self.lease_places.get(grant.lease) else { continue };
            if !matches!(grant.ended, None | Some((_, EndedBy::Expiry))) {
                continue;
            }
            let id = HandleId::LeaseEnd { lease: grant.lease, grant: grant.number };
            let middle = place.ribbon.0 + place.ribbon.1 / 2.0;
            let label = format!("End of lease {}", grant.token);
            let size = (middle, 11.0, place.ribbon.1 + 5.0);
            handles.extend(self.handle(id, Lane::Lease(grant.lease), GripShape::Capsule, size, label));
        }
    }

    fn worker_handles(&self, worker: usize, handles: &mut Vec<Handle>) {
        let Some(place) = self.worker_places.get(worker) else { return };
        let (lane, name) = (Lane::Worker(worker), self.worker_id(worker));
        let size = (place.line(), 11.0, place.activity.1 + 3.0);
        let id = HandleId::WorkerStart { worker };
        handles.extend(self.handle(id, lane, GripShape::Capsule, size, format!("Start of {name}")));
        for (index, pause) in self.scenario.workers[worker].pauses.iter().enumerate() {
            let id = HandleId::PauseStart { worker, pause: index };
            let label = match pause.length {
                Some(_) => format!("Start of {name}’s pause"),
                None => format!("{name}’s crash"),
            };
            handles.extend(self.handle(id, lane, GripShape::Capsule, size, label));
            let end = pause.length.map(|length| pause.at.saturating_add(length));
            if let Some((left, right)) = self.stretch(pause.at, end).filter(|(left, right)| right - left > 28.0) {
                let id = HandleId::PauseBody { worker, pause: index };
                let size = (place.line(), tenth(right - left), place.activity.1);
                let body = self.handle(id, lane, GripShape::Body, size, format!("{name}’s pause, as a whole"));
                handles.extend(body.map(|body| Handle { x: tenth(f32::midpoint(left, right)), ..body }));
            }
            let id = HandleId::PauseEnd { worker, pause: index };
            let label = format!("End of {name}’s pause");
            handles.extend(self.handle(id, lane, GripShape::Capsule, size, label));
        }
        for span in self.trace.steps.iter().filter(|span| span.worker == worker) {
            let step = span.step;
            if let Some(Step::Work { label, .. }) = self.scenario.workers[worker].plan.get(step)
                && let Some(limits) = limits_of_work(self.scenario, span)
            {
                let id = HandleId::WorkEnd { worker, step };
                let what = if label.is_empty() { "work" } else { label };
                let label = format!("End of {name}’s {what}");
                let shape = GripShape::Capsule;
                handles.extend(self.handle_within(limits, id, lane, shape, size, label));
            }
        }
    }

    fn arrival_handles(&self, handles: &mut Vec<Handle>) {
        for place in &self.resource_places {
            for mark in &place.plan.arrivals {
                let message = self.trace.messages[mark.message as usize];
                let Some(id) = handle_of(&message).filter(|_| message.direction == Direction::Request) else {
                    continue;
                };
                let label = ["Arrival of ", &self.words_for(&message)].concat();
                let size = (place.rail + mark.y, 2.0 * mark.half, 2.0 * mark.half);
                let Some(limits) = limits_of_arrival(&message) else { continue };
                let shape = GripShape::Diamond;
                handles.extend(self.handle_within(limits, id, message.peer, shape, size, label));
            }
        }
    }
}

/// Sets grips that would hide one another apart: the later of two hangs under the edge that it moves.
fn part(handles: &mut [Handle]) {
    for index in 1..handles.len() {
        let (before, rest) = handles.split_at_mut(index);
        let handle = &mut rest[0];
        let movable =
            matches!(handle.id, HandleId::WorkEnd { .. } | HandleId::PauseEnd { .. } | HandleId::Until { .. });
        // They are in order of time: what is near is near in the list.
        let crowded = before.iter().rev().take(8).take_while(|other| other.lane == handle.lane).any(|other| {
            other.shape == GripShape::Capsule && handle.x - other.x < TOO_NEAR && (other.y - handle.y).abs() < 1.0
        });
        if handle.shape == GripShape::Capsule && movable && crowded {
            let half = tenth(handle.h / 2.0);
            handle.y = tenth(handle.y + half + 2.0);
            handle.h = half;
        }
    }
}
