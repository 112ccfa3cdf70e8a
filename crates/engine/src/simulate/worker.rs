//! A worker: runs its plan step by step, is held by its pauses, sends heartbeats, and handles what reaches it.

use crate::guard::newer;
use crate::model::{Does, Pause};
use crate::queue::Place;
use crate::record::Recorder;
use crate::scenario::Basis;
use crate::time::Timekeeper;
use crate::trace::{Decision, Ended, Ending, Happening, Lane, Reason};

use super::state::{Body, Carried, Due, InFlight, Phase};
use super::{Run, RunError};

impl<K: Timekeeper, R: Recorder> Run<'_, K, R> {
    pub(super) fn start_worker(&mut self, worker: usize) -> Result<(), RunError> {
        self.lay_out_pauses(worker)?;
        self.schedule_pause(worker);
        let starts = self.model.workers[worker].starts;
        self.set_turn(worker, starts);
        Ok(())
    }

    /// Sorts a worker's pauses and makes touching ones one. Empty ones hold nothing, but are waited for.
    fn lay_out_pauses(&mut self, worker: usize) -> Result<(), RunError> {
        let model = self.model;
        let first = self.state.pauses.len();
        let listed = &model.pauses[model.workers[worker].pauses.clone()];
        for &pause in listed {
            if pause.length.is_some_and(|length| self.keeper.is_zero(length)) {
                continue;
            }
            let mut place = self.state.pauses.len();
            while place > first && self.keeper.before(pause.at, self.state.pauses[place - 1].at) {
                place -= 1;
            }
            self.state.pauses.insert(place, pause);
        }
        let mut kept = first;
        for index in first..self.state.pauses.len() {
            let next = self.state.pauses[index];
            if index == first {
                continue;
            }
            let last = self.state.pauses[kept];
            let Some(length) = last.length else { return Err(RunError::PausesOverlap(worker)) };
            let end = self.keeper.sum(last.at, length);
            match self.keeper.order(end, next.at) {
                std::cmp::Ordering::Greater => return Err(RunError::PausesOverlap(worker)),
                std::cmp::Ordering::Equal => {
                    let length = next.length.map(|more| self.keeper.sum(length, more));
                    self.state.pauses[kept].length = length;
                }
                std::cmp::Ordering::Less => {
                    kept += 1;
                    self.state.pauses[kept] = next;
                }
            }
        }
        self.state.pauses.truncate((kept + 1).min(self.state.pauses.len()));
        for &pause in listed {
            if pause.length.is_some_and(|length| self.keeper.is_zero(length)) && !self.touches_a_pause(first, pause.at)
            {
                self.schedule(pause.at, Place::pause(worker), Due::EmptyPause);
            }
        }
        let end = self.state.pauses.len();
        let crash_at = self.state.pauses[first..end].last().filter(|last| last.length.is_none()).map(|last| last.at);
        let state = &mut self.state.workers[worker];
        (state.next_pause, state.end_of_pauses, state.crash_at) = (first, end, crash_at);
        Ok(())
    }

    fn touches_a_pause(&mut self, first: usize, at: K::Time) -> bool {
        (first..self.state.pauses.len()).any(|index| {
            let pause = self.state.pauses[index];
            !self.keeper.before(at, pause.at)
                && pause.length.is_none_or(|length| {
                    let end = self.keeper.sum(pause.at, length);
                    !self.keeper.before(end, at)
                })
        })
    }

    fn schedule_pause(&mut self, worker: usize) {
        let state = &self.state.workers[worker];
        if state.next_pause < state.end_of_pauses {
            let at = self.state.pauses[state.next_pause].at;
            self.schedule(at, Place::pause(worker), Due::PauseStart { worker });
        }
    }

    pub(super) fn pause(&mut self, worker: usize) {
        self.state.workers[worker].paused = true;
        self.tell(Lane::Worker(worker), Happening::Paused);
        let Pause { at, length } = self.state.pauses[self.state.workers[worker].next_pause];
        self.recorder.pause(worker, K::micros(at), length.map(|length| K::micros(length)));
        if let Some(length) = length {
            let end = self.keeper.sum(at, length);
            let cause = self.state.cause;
            self.schedule(end, Place::resume(worker), Due::Resume { worker, cause });
        } else {
            self.state.workers[worker].crashed = true;
        }
    }

    pub(super) fn resume(&mut self, worker: usize) {
        let state = &mut self.state.workers[worker];
        state.paused = false;
        state.next_pause += 1;
        let mut waiting = std::mem::take(&mut state.waiting);
        self.schedule_pause(worker);
        self.tell(Lane::Worker(worker), Happening::Resumed);
        for message in waiting.drain(..) {
            self.state.cause = message.cause;
            self.handle(message);
        }
        self.state.workers[worker].waiting = waiting;
    }

    /// Whether a worker is paused for ever at that time.
    pub(super) fn has_crashed_by(&mut self, worker: usize, at: K::Time) -> bool {
        self.state.workers[worker].crash_at.is_some_and(|crash| !self.keeper.before(at, crash))
    }

    /// When a worker gets to what is due at `at`, which is not before now: then, or at the end of the pause that it
    /// falls into. Never, when that pause has no end.
    fn running_at(&mut self, worker: usize, at: K::Time) -> Option<K::Time> {
        let state = &self.state.workers[worker];
        for index in state.next_pause..state.end_of_pauses {
            let pause = self.state.pauses[index];
            if self.keeper.before(at, pause.at) {
                break;
            }
            let end = self.keeper.sum(pause.at, pause.length?);
            if self.keeper.before(at, end) {
                return Some(end);
            }
        }
        Some(at)
    }

    /// When work that begins now has run for `length`; the pauses that it meets do not count.
    fn worked_by(&mut self, worker: usize, length: K::Time) -> Option<K::Time> {
        let mut end = self.keeper.sum(self.state.now, length);
        let state = &self.state.workers[worker];
        for index in state.next_pause..state.end_of_pauses {
            let pause = self.state.pauses[index];
            if self.keeper.before(end, pause.at) {
                break;
            }
            end = self.keeper.sum(end, pause.length?);
        }
        Some(end)
    }

    /// The plan's next turn, at `at` or at the resume.
    fn set_turn(&mut self, worker: usize, at: K::Time) {
        let at = self.running_at(worker, at);
        self.set_turn_at(worker, at);
    }

    fn set_turn_at(&mut self, worker: usize, at: Option<K::Time>) {
        if let Some(at) = at {
            let cause = self.state.cause;
            let state = &mut self.state.workers[worker];
            state.turn_pending = true;
            let stamp = state.turn_stamp;
            self.schedule(at, Place::plan(worker), Due::PlanTurn { worker, stamp, cause });
        }
    }

    /// The plan's turn: the running step ends, or the next one begins.
    pub(super) fn take_turn(&mut self, worker: usize) {
        self.state.workers[worker].turn_pending = false;
        if self.state.workers[worker].phase == Phase::Busy {
            self.end_step(worker);
        } else {
            self.begin_step(worker);
        }
    }

    fn begin_step(&mut self, worker: usize) {
        let state = &mut self.state.workers[worker];
        let step = state.step as usize;
        state.attempt = 0;
        let does = self.model.steps[self.model.workers[worker].steps.start + step].does;
        self.tell(Lane::Worker(worker), Happening::Began(step));
        self.recorder.step_began(worker, step, K::micros(self.state.now));
        match does {
            Does::Work { length } => {
                self.state.workers[worker].phase = Phase::Busy;
                let end = self.worked_by(worker, length);
                self.set_turn_at(worker, end);
            }
            Does::Until { at } => {
                self.state.workers[worker].phase = Phase::Busy;
                let at = self.keeper.later(self.state.now, at);
                self.set_turn(worker, at);
            }
            Does::Check { lease, from, margin } => {
                if self.check_passes(worker, lease, from, margin) {
                    self.tell(Lane::Worker(worker), Happening::CheckPassed(step));
                    self.end_step(worker);
                } else {
                    self.end_plan(worker, Ended::StoppedItself);
                }
            }
            Does::Acquire { .. } | Does::Read { .. } | Does::Release { .. } => {
                self.state.workers[worker].phase = Phase::Awaiting;
                self.send_attempt(worker);
            }
            Does::Present(present) => {
                self.fix_what_is_carried(worker, step);
                let resource = present.resource;
                let peeks = self.model.resources[resource].guard == crate::scenario::Guard::CheckThenWrite;
                if peeks && !present.unguarded {
                    self.state.workers[worker].phase = Phase::Peeking;
                    self.send_request(worker, step as u32 + 1, 1, Body::Peek { resource });
                } else {
                    self.send_present(worker, present.wait);
                }
            }
        }
    }

    /// Grant, token, sequence and what was read are fixed when a write's or establish's step begins.
    fn fix_what_is_carried(&mut self, worker: usize, step: usize) {
        let step = self.model.workers[worker].steps.start + step;
        let present = self.present(step);
        let newest = match present.lease {
            Some(lease) => self.state.holding(worker, lease).grant,
            None => {
                (0..self.model.leases.len()).map(|lease| self.state.holding(worker, lease).grant).max().unwrap_or(0)
            }
        };
        let grant = (newest > 0).then_some(newest);
        let count = match grant {
            Some(grant) => &mut self.state.seqs[grant as usize - 1],
            None => &mut self.state.workers[worker].unleased_seq,
        };
        *count += 1;
        let seq = *count;
        let token = present.token.or_else(|| grant.map(|grant| self.state.grants[grant as usize - 1].token));
        let based_on = self.state.reads[worker * self.model.resources.len() + present.resource];
        self.state.requests[step] = Carried { grant, token, seq, based_on, took_effect: None };
    }

    /// Sends a write or establish, and waits for its reply unless told not to.
    fn send_present(&mut self, worker: usize, wait: bool) {
        self.state.workers[worker].phase = Phase::Awaiting;
        self.send_attempt(worker);
        if !wait {
            self.end_step(worker);
        }
    }

    /// Sends the next attempt of the current step, and sets its retry timer.
    fn send_attempt(&mut self, worker: usize) {
        let state = &mut self.state.workers[worker];
        state.attempt += 1;
        let (step, attempt) = (state.step, state.attempt);
        let of = &self.model.steps[self.model.workers[worker].steps.start + step as usize];
        let body = match of.does {
            Does::Acquire { lease } => Body::Acquire { lease },
            Does::Release { lease } => {
                // Each sending gives back whatever grant was noted up to then.
                self.state.holding_mut(worker, lease).over = true;
                self.stop_heartbeats(worker, lease);
                Body::Release { lease }
            }
            Does::Read { resource } => Body::Read { resource },
            Does::Present(present) => Body::Present { resource: present.resource },
            Does::Work { .. } | Does::Until { .. } | Does::Check { .. } => unreachable!("this step sends nothing"),
        };
        self.send_request(worker, step + 1, attempt, body);
        if let Some((after, _)) = of.retry {
            let deadline = self.keeper.sum(self.state.now, after);
            if let Some(at) = self.running_at(worker, deadline) {
                let cause = self.state.cause;
                let state = &mut self.state.workers[worker];
                state.retry_pending = true;
                let stamp = state.retry_stamp;
                self.schedule(at, Place::retry(worker), Due::RetryTimer { worker, stamp, cause });
            }
        }
    }

    /// The retry timer fires: send again, or give up.
    pub(super) fn retry(&mut self, worker: usize) {
        let state = &mut self.state.workers[worker];
        state.retry_pending = false;
        let step = self.model.workers[worker].steps.start + state.step as usize;
        let attempts = self.model.steps[step].retry.map_or(1, |(_, attempts)| attempts);
        if state.attempt < attempts {
            self.send_attempt(worker);
        } else {
            self.end_plan(worker, Ended::Unanswered);
        }
    }

    fn cancel_retry(&mut self, worker: usize) {
        let state = &mut self.state.workers[worker];
        state.retry_stamp += 1;
        if std::mem::take(&mut state.retry_pending) {
            self.state.others_pending -= 1;
        }
    }

    fn check_passes(&mut self, worker: usize, lease: usize, from: Basis, margin: K::Time) -> bool {
        let holding = *self.state.holding(worker, lease);
        let basis = match from {
            Basis::Sent => holding.asked,
            Basis::Received => holding.confirmed,
        };
        let clock = self.model.workers[worker].clock;
        let ttl = self.model.leases[lease].ttl;
        holding.grant > 0 && !holding.over && self.keeper.still_valid(clock, self.state.now, basis, ttl, margin)
    }

    /// The current step ends. The plan is over with its last step; else the next one takes its turn.
    fn end_step(&mut self, worker: usize) {
        self.cancel_retry(worker);
        let state = &mut self.state.workers[worker];
        let step = state.step as usize;
        state.phase = Phase::Between;
        state.step += 1;
        self.tell(Lane::Worker(worker), Happening::Finished(step));
        self.recorder.step_ended(worker, step, K::micros(self.state.now));
        if step + 1 == self.model.workers[worker].steps.len() {
            self.end_plan(worker, Ended::Finished);
        } else {
            self.set_turn(worker, self.state.now);
        }
    }

    fn end_plan(&mut self, worker: usize, ended: Ended) {
        self.cancel_retry(worker);
        let now = self.state.now;
        let state = &mut self.state.workers[worker];
        state.phase = Phase::Over;
        self.recorder.step_ended(worker, state.step as usize, K::micros(now));
        state.turn_stamp += 1;
        if std::mem::take(&mut state.turn_pending) {
            self.state.others_pending -= 1;
        }
        for lease in 0..self.model.leases.len() {
            self.stop_heartbeats(worker, lease);
        }
        self.state.endings[worker] = Ending { ended, at: Some(K::micros(now)) };
        self.tell(Lane::Worker(worker), Happening::PlanEnded(ended));
    }

    /// A message reaches a worker: it is handled, or waits for the resume.
    pub(super) fn reach_worker(&mut self, message: InFlight<K::Time>) {
        let state = &mut self.state.workers[message.worker as usize];
        if state.paused {
            state.waiting.push(message);
        } else {
            self.handle(message);
        }
    }

    fn handle(&mut self, message: InFlight<K::Time>) {
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

    fn stop_heartbeats(&mut self, worker: usize, lease: usize) {
        let holding = self.state.holding_mut(worker, lease);
        holding.heartbeat_stamp += 1;
        if std::mem::take(&mut holding.heartbeat_pending) {
            self.state.heartbeats_pending -= 1;
        }
    }
}
