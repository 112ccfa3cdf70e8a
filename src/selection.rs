//! The selection: which write is being looked at, by a name that survives editing.
//!
//! Indexes into a trace change while a pause is dragged; worker, step, attempt and copy do not.

use fenceline_engine::trace::{Trace, Verdict};

/// Names one decision about a write or an establish, whatever the schedule makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteId {
    /// The worker.
    pub worker: usize,
    /// The step, from 0.
    pub step: usize,
    /// The attempt, from 1.
    pub attempt: u32,
    /// 0 for the request itself, 1 … for its copies.
    pub copy: u32,
}

impl WriteId {
    /// The name of a decision.
    pub const fn of(verdict: &Verdict) -> Self {
        Self { worker: verdict.worker, step: verdict.step, attempt: verdict.attempt, copy: verdict.copy }
    }

    /// Its place in this trace; none when it was not decided in this run.
    pub fn find(self, trace: &Trace) -> Option<u32> {
        trace.writes.iter().position(|verdict| Self::of(verdict) == self).map(|index| index as u32)
    }
}
