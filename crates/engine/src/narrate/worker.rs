//! A worker: paused, running again, checking its own clock, stopping.

use crate::scenario::Step;
use crate::trace::{Ended, Event, EventId, Lane};
use crate::words::quote;

use super::{Mark, Narrator};

impl Narrator<'_, '_> {
    pub(super) fn paused(&mut self, id: EventId, event: &Event) {
        let Lane::Worker(worker) = event.lane else { return };
        let story = self.story;
        let span = story.trace.pauses.get(self.pauses).copied();
        self.pauses += 1;
        let who = story.worker(worker);
        let mut text = match span.and_then(|span| Some(span.until? - span.from)) {
            Some(length) => format!("{who} is paused for {}", story.span(length)),
            None => format!("{who} is paused and never wakes up again"),
        };
        let doing = self.running[worker].and_then(|step| self.step(worker, step));
        match doing {
            Some(Step::Work { label, .. }) if !label.is_empty() => {
                text.extend([", in the middle of ", &quote(label)]);
            }
            Some(Step::Work { .. }) => text.push_str(", in the middle of its work"),
            Some(Step::Acquire { lease, .. }) => {
                let index = story.scenario.leases.iter().position(|of| of.id == *lease);
                let lease = index.map_or_else(|| "the lease".into(), |index| story.lease(index));
                text.extend([", while it waits for ", &lease]);
            }
            Some(Step::Until { .. } | Step::Check { .. }) => text.push_str(", while it waits"),
            Some(_) => text.push_str(", while it waits for an answer"),
            None if self.over[worker] => text.push_str(", its plan over"),
            None => {}
        }
        self.say(id, event, Mark::Pause, text);
    }

    pub(super) fn resume(&mut self, id: EventId, event: &Event) {
        let Lane::Worker(worker) = event.lane else { return };
        if self.over[worker] {
            return;
        }
        let story = self.story;
        let leases = story.scenario.leases.len();
        let noted = self.noted.get(worker * leases..(worker + 1) * leases).unwrap_or_default();
        let lost = noted.iter().flatten().find(|&&grant| self.ended[grant as usize]);
        let mut text = format!("{} resumes", story.worker(worker));
        if let Some(&grant) = lost {
            text.extend(["; ", &story.grant(grant), " has ended meanwhile"]);
        }
        self.resumed[worker] = Some(self.sentences.len());
        self.say(id, event, Mark::Resume, text);
    }

    pub(super) fn check_passed(&mut self, id: EventId, event: &Event, step: usize) {
        let Lane::Worker(worker) = event.lane else { return };
        let mut text = format!("{} checks its own clock: its lease is still valid", self.story.worker(worker));
        if let Some(Step::Check { lease, .. }) = self.step(worker, step) {
            let leases = &self.story.scenario.leases;
            let index = leases.iter().position(|of| of.id == *lease);
            let noted = index.and_then(|index| self.noted_of(worker, index));
            if let Some(grant) = noted.filter(|&grant| self.ended[grant as usize]) {
                text.extend([", though ", &self.story.grant(grant), " has ended"]);
            }
        }
        self.say(id, event, Mark::Check, text);
    }

    pub(super) fn plan_ended(&mut self, id: EventId, event: &Event, ended: Ended) {
        let Lane::Worker(worker) = event.lane else { return };
        self.over[worker] = true;
        let who = self.story.worker(worker);
        let text = match ended {
            Ended::StoppedItself => format!("{who} checks its own clock: its lease is over, so it stops"),
            Ended::LeaseLost => format!("{who} learns that its lease is lost and stops"),
            Ended::Unanswered => format!("{who} gets no answer to its last attempt and gives up"),
            Ended::Rejected => format!("{who} stops"),
            Ended::Finished | Ended::Waiting | Ended::Crashed => return,
        };
        self.say(id, event, Mark::Stop, text);
    }
}
