//! A worker's pauses: when its process does not run, and when it gets to what fell into a pause.

use crate::model::Pause;
use crate::queue::Place;
use crate::record::Recorder;
use crate::time::Timekeeper;
use crate::trace::{Happening, Lane};

use super::state::Due;
use super::{Run, RunError};

impl<K: Timekeeper, R: Recorder> Run<'_, K, R> {
    /// Sorts a worker's pauses and makes touching ones one. Empty ones hold nothing, but are waited for.
    pub(super) fn lay_out_pauses(&mut self, worker: usize) -> Result<(), RunError> {
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

    pub(super) fn schedule_pause(&mut self, worker: usize) {
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
    pub(super) fn running_at(&mut self, worker: usize, at: K::Time) -> Option<K::Time> {
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
    pub(super) fn worked_by(&mut self, worker: usize, length: K::Time) -> Option<K::Time> {
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
}
