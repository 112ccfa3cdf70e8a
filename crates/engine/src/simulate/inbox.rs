//! What a worker learns: the replies that reach it, the grants that it notes and renews, and the losses that it is told of.

use crate::guard::newer;
use crate::queue::Place;
use crate::record::Recorder;
use crate::time::Timekeeper;
use crate::trace::{Decision, Ended, Happening, Lane, Reason};

use super::Run;
use super::state::{Body, Due, InFlight, Phase};

impl<K: Timekeeper, R: Recorder> Run<'_, K, R> {
    /// A message reaches a worker: it is handled, or waits for the resume.
    pub(super) fn reach_worker(&mut self, message: InFlight<K::Time>) {
        let state = &mut self.state.workers[message.worker as usize];
        if state.paused {
            state.waiting.push(message);
        } else {
            self.handle(message);
        }
    }

    pub(super) fn handle(&mut self, message: InFlight<K::Time>) {
        let worker = message.worker as usize;
        if self.state.workers[worker].phase == Phase::Over {
            return;
        }
        self.recorder.handled(message.id, K::micros(self.state.now));
        self.tell(Lane::Worker(worker), Happening::Received(message.id));
        let state = &self.state.workers[worker];
        let is_current = message.step == state.step + 1;
        let is_awaited = is_current && state.phase == Phase::Awaiting;
        match message.body {
            Body::Granted { lease, grant } => {
                self.note(&message, lease, grant);
                if is_awaited {
                    self.end_step(worker);
                }
            }
            Body::Renewed { lease, grant } => self.note_renewal(&message, lease, grant),
            Body::Refused { lease, grant } => self.note_loss(worker, lease, grant),
            Body::Released { .. } if is_awaited => self.end_step(worker),
            Body::ReadOf { resource, version } if is_awaited => {
                self.state.reads[worker * self.model.resources.len() + resource] = Some(version);
                self.end_step(worker);
            }
            Body::Peeked { token, seq, .. } if is_current && state.phase == Phase::Peeking => {
                self.compare(&message, token, seq);
            }
            Body::Outcome { verdict, .. } if is_awaited => {
                if self.state.writes[verdict as usize].decision == Decision::Rejected {
                    self.learn_from(worker, verdict);
                    self.end_plan(worker, Ended::Rejected);
                } else {
                    self.end_step(worker);
                }
            }
            _ => {}
        }
    }

    /// The comparison of `check-then-write`, made by the worker on what its peek saw.
    fn compare(&mut self, reply: &InFlight<K::Time>, remembered: u64, seq: u32) {
        let worker = reply.worker as usize;
        let step = self.model.workers[worker].steps.start + reply.step as usize - 1;
        let wait = self.present(step).wait;
        let compared = match self.state.requests[step].token {
            Some(token) => newer(token, remembered),
            None => Err(Reason::TokenMissing),
        };
        match compared {
            Ok(()) => self.send_present(worker, wait),
            Err(reason) => {
                self.give_up(reply, remembered, seq, reason);
                if wait {
                    self.end_plan(worker, Ended::Rejected);
                } else {
                    self.end_step(worker);
                }
            }
        }
    }

    fn note(&mut self, message: &InFlight<K::Time>, lease: usize, grant: u32) {
        let worker = message.worker as usize;
        let now = self.state.now;
        let holding = self.state.holding_mut(worker, lease);
        if grant <= holding.grant {
            return;
        }
        holding.grant = grant;
        holding.over = false;
        (holding.asked, holding.confirmed, holding.received) = (message.asked, now, now);
        self.tell(Lane::Worker(worker), Happening::Noted(grant));
        self.stop_heartbeats(worker, lease);
        self.set_heartbeat(worker, lease);
    }

    fn note_renewal(&mut self, message: &InFlight<K::Time>, lease: usize, grant: u32) {
        let worker = message.worker as usize;
        let holding = *self.state.holding(worker, lease);
        if grant == holding.grant && !holding.over {
            let asked = self.keeper.later(holding.asked, message.asked);
            let now = self.state.now;
            let holding = self.state.holding_mut(worker, lease);
            (holding.asked, holding.confirmed) = (asked, now);
            self.tell(Lane::Worker(worker), Happening::Confirmed(grant));
        }
    }

    fn note_loss(&mut self, worker: usize, lease: usize, grant: u32) {
        let holding = self.state.holding_mut(worker, lease);
        if grant == holding.grant && !holding.over {
            holding.over = true;
            self.tell(Lane::Worker(worker), Happening::LearnedLost(grant));
            self.stop_heartbeats(worker, lease);
            if self.model.workers[worker].stops_when_lost {
                self.end_plan(worker, Ended::LeaseLost);
            }
        }
    }

    /// A rejection for its token tells a worker that it no longer holds the lease.
    fn learn_from(&mut self, worker: usize, verdict: u32) {
        let verdict = &self.state.writes[verdict as usize];
        if let (Some(grant), Some(Reason::TokenOlder | Reason::NotHolder)) = (verdict.grant, verdict.reason) {
            self.tell(Lane::Worker(worker), Happening::LearnedLost(grant));
        }
    }

    fn set_heartbeat(&mut self, worker: usize, lease: usize) {
        let Some(every) = self.model.workers[worker].renew_every else { return };
        let received = self.state.holding(worker, lease).received;
        let deadline = self.keeper.next_multiple(received, every, self.state.now);
        if let Some(at) = self.running_at(worker, deadline) {
            let cause = self.state.cause;
            let holding = self.state.holding_mut(worker, lease);
            holding.heartbeat_pending = true;
            let stamp = holding.heartbeat_stamp;
            self.schedule(at, Place::heartbeat(worker, lease), Due::Heartbeat { worker, lease, stamp, cause });
        }
    }

    pub(super) fn beat(&mut self, worker: usize, lease: usize) {
        let holding = self.state.holding_mut(worker, lease);
        holding.heartbeat_pending = false;
        let grant = holding.grant;
        self.state.workers[worker].renewals += 1;
        let attempt = self.state.workers[worker].renewals;
        self.send_request(worker, 0, attempt, Body::Renew { lease, grant });
        self.set_heartbeat(worker, lease);
    }

    pub(super) fn stop_heartbeats(&mut self, worker: usize, lease: usize) {
        let holding = self.state.holding_mut(worker, lease);
        holding.heartbeat_stamp += 1;
        if std::mem::take(&mut holding.heartbeat_pending) {
            self.state.heartbeats_pending -= 1;
        }
    }
}
