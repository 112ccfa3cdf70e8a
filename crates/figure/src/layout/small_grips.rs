//! The small handles: ends of messages that are no diamonds, timers, and instants without a thickness.
//!
//! They complete the rule that each number with a place on the axis can be taken there. Invariant: they give way to the
//! larger ones, and a picture that is full of messages goes without those that nobody asked for.

use fenceline_engine::scenario::Step;
use fenceline_engine::trace::{Direction, Lane, Message, Subject};

use super::Build;
use super::clock::{DROP, is_wrong};
use crate::drag::limits_of_arrival;
use crate::handle::{GripShape, Handle, HandleId};

/// A picture with more messages than this offers the ends of none that has no diamond: they could not be told apart.
const MANY_MESSAGES: usize = 120;

/// The size of a dot or knob, in px.
const SIZE: f32 = 10.0;

impl Build<'_> {
    pub(super) fn small_handles(&self, handles: &mut Vec<Handle>) {
        self.service_handles(handles);
        self.restart_handles(handles);
        self.timer_handles(handles);
        let shown = |message: &&Message| message.arrives_at.is_some_and(|at| self.scale.shows(at));
        let few = self.trace.messages.iter().filter(shown).count() <= MANY_MESSAGES;
        for message in &self.trace.messages {
            let Some(limits) = limits_of_arrival(message) else { continue };
            let Some(id) = handle_of(message) else { continue };
            let Some((lane, y)) = self.end_of(message) else { continue };
            if self.view.selected != Some(id) && !(few && self.scale.shows(limits.now_us)) {
                continue;
            }
            // All answers to an attempt have one delay; the first has the handle.
            if message.direction == Direction::Reply
                && crate::drag::limits(self.scenario, self.trace, id) != Some(limits)
            {
                continue;
            }
            let label = ["Arrival of ", &self.words_for(message)].concat();
            handles.extend(self.handle_within(limits, id, lane, GripShape::Dot, (y, SIZE, SIZE), label));
        }
    }

    /// Where a message ends; `None` for one that arrives at a destination, which has its diamond.
    fn end_of(&self, message: &Message) -> Option<(Lane, f32)> {
        let worker = self.worker_places.get(message.worker)?;
        let lane = Lane::Worker(message.worker);
        match (message.peer, message.direction) {
            (Lane::Lease(lease), Direction::Request) => {
                let ribbon = self.lease_places.get(lease)?.ribbon;
                Some((message.peer, ribbon.0 + ribbon.1 + 3.0))
            }
            (Lane::Lease(_), Direction::Reply) => Some((lane, worker.area.y + 2.0)),
            (Lane::Resource(_), Direction::Reply) => Some((lane, worker.activity.0 + worker.activity.1 + 2.5)),
            _ => None,
        }
    }

    /// What a message is, by whose it is: `A’s write 'report', attempt 2`.
    pub(super) fn words_for(&self, message: &Message) -> String {
        let name = self.worker_id(message.worker);
        let step = message.step.unwrap_or_default();
        let number = message.attempt.to_string();
        let mut words = match (message.direction, message.token) {
            (Direction::Reply, Some(token)) if message.subject == Subject::Acquire => {
                return [name, "’s grant ", &token.to_string()].concat();
            }
            (Direction::Reply, _) => ["the answer to ", name].concat(),
            (Direction::Request, _) => name.to_owned(),
        };
        match message.subject {
            Subject::Acquire => words.push_str("’s request for the lease"),
            Subject::Renew => words.extend(["’s renewal ", &number]),
            Subject::Release => words.push_str("’s release"),
            Subject::Read => words.push_str("’s read"),
            Subject::Peek => words.push_str("’s peek"),
            Subject::Establish => words.push_str("’s establish"),
            Subject::Write => words.extend(["’s write '", self.value_of(message.worker, step), "'"]),
        }
        if message.attempt > 1 && message.subject != Subject::Renew {
            words.extend([", attempt ", &number]);
        }
        if message.copy > 0 {
            words.extend([", copy ", &message.copy.to_string()]);
        }
        words
    }

    /// Failovers, and the end of a lock delay where there is one.
    fn service_handles(&self, handles: &mut Vec<Handle>) {
        for (index, (lease, place)) in self.scenario.leases.iter().zip(&self.lease_places).enumerate() {
            let lane = Lane::Lease(index);
            let id = HandleId::LockDelayEnd { lease: index };
            // Without a delay it would lie on the end of the lease, and be in its way.
            if lease.lock_delay > 0 || self.view.selected == Some(id) {
                let size = (place.ribbon.0 + place.ribbon.1 / 2.0, SIZE, SIZE);
                let label = format!("End of the lock delay of {}", lease.id);
                handles.extend(self.handle(id, lane, GripShape::Knob, size, label));
            }
            for failover in 0..lease.failovers.len() {
                let id = HandleId::Failover { lease: index, failover };
                let size = (place.area.y + 6.0, SIZE, SIZE);
                let label = format!("Failover of {}", lease.id);
                handles.extend(self.handle(id, lane, GripShape::Knob, size, label));
            }
        }
    }

    fn restart_handles(&self, handles: &mut Vec<Handle>) {
        for (index, (resource, place)) in self.scenario.resources.iter().zip(&self.resource_places).enumerate() {
            for restart in 0..resource.restarts.len() {
                let id = HandleId::Restart { resource: index, restart };
                let size = (place.area.y + 7.0, SIZE, SIZE);
                let label = format!("Restart of ‘{}’", resource.id);
                handles.extend(self.handle(id, Lane::Resource(index), GripShape::Knob, size, label));
            }
        }
    }

    /// What a worker waits for: a time, the next renewal, an answer that does not come; and what it goes by: its clock, its checks.
    fn timer_handles(&self, handles: &mut Vec<Handle>) {
        for (index, (worker, place)) in self.scenario.workers.iter().zip(&self.worker_places).enumerate() {
            let lane = Lane::Worker(index);
            // On the axis of the clock where that is drawn, and seen where it says something.
            let y = place.band.0 + place.band.1 + if is_wrong(worker.clock) { DROP } else { 0.0 };
            let shape = |is_wrong| if is_wrong { GripShape::Knob } else { GripShape::Dot };
            let (id, size) = (HandleId::ClockOffset { worker: index }, (y, SIZE, SIZE));
            let label = format!("How far {}’s clock is ahead", worker.id);
            handles.extend(self.handle(id, lane, shape(worker.clock.offset != 0), size, label));
            let id = HandleId::ClockDrift { worker: index };
            let label = format!("How fast {}’s clock runs", worker.id);
            handles.extend(self.handle(id, lane, shape(worker.clock.drift_ppm != 0), size, label));
            if worker.renew_every.is_some() {
                let id = HandleId::RenewEvery { worker: index };
                let size = (place.band.0, SIZE, SIZE);
                let label = format!("First renewal of {}", worker.id);
                handles.extend(self.handle(id, lane, GripShape::Dot, size, label));
            }
            for (step, what) in worker.plan.iter().enumerate() {
                if let Step::Check { .. } = what {
                    let id = HandleId::CheckMargin { worker: index, step };
                    let size = (place.activity.0 + place.activity.1, SIZE, SIZE);
                    let label = format!("Margin of {}’s check", worker.id);
                    handles.extend(self.handle(id, lane, GripShape::Dot, size, label));
                } else if let Step::Until { .. } = what {
                    let id = HandleId::Until { worker: index, step };
                    let size = (place.line(), 11.0, place.activity.1 + 3.0);
                    let label = format!("End of {}’s wait", worker.id);
                    handles.extend(self.handle(id, lane, GripShape::Capsule, size, label));
                } else if what.exchange().is_some_and(|exchange| exchange.retry.is_some()) {
                    let id = HandleId::RetryAfter { worker: index, step };
                    let size = (place.activity.0 + place.activity.1, SIZE, SIZE);
                    let label = format!("{} stops waiting for an answer", worker.id);
                    handles.extend(self.handle(id, lane, GripShape::Dot, size, label));
                }
            }
        }
    }
}

/// The handle of a message’s arrival.
pub(super) fn handle_of(message: &Message) -> Option<HandleId> {
    let Message { worker, attempt, copy, .. } = *message;
    let peek = message.subject == Subject::Peek;
    (attempt > 0).then_some(match (message.step, message.direction) {
        (None, Direction::Request) => HandleId::Renewal { worker, attempt, copy },
        (None, Direction::Reply) => HandleId::RenewalReply { worker, attempt },
        (Some(step), Direction::Request) => HandleId::Arrival { worker, step, peek, attempt, copy },
        (Some(step), Direction::Reply) => HandleId::Reply { worker, step, peek, attempt },
    })
}
