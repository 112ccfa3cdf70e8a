//! A worker's plan: which step runs, when it ends, and what it sends.

use crate::model::Does;
use crate::queue::Place;
use crate::record::Recorder;
use crate::scenario::{Basis, Guard};
use crate::time::Timekeeper;
use crate::trace::{Ended, Ending, Happening, Lane};

use super::state::{Body, Carried, Due, Phase};
use super::{Run, RunError};

impl<K: Timekeeper, R: Recorder> Run<'_, K, R> {
    pub(super) fn start_worker(&mut self, worker: usize) -> Result<(), RunError> {
        self.lay_out_pauses(worker)?;
        self.schedule_pause(worker);
        let starts = self.model.workers[worker].starts;
        self.set_turn(worker, starts);
        Ok(())
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
                let peeks = self.model.resources[resource].guard == Guard::CheckThenWrite;
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
    pub(super) fn send_present(&mut self, worker: usize, wait: bool) {
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
    pub(super) fn end_step(&mut self, worker: usize) {
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

    pub(super) fn end_plan(&mut self, worker: usize, ended: Ended) {
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
}
