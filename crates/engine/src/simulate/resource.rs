//! The protected resource: decides each arrival, applies it, and judges it, in one atomic step.

use crate::guard::{Presented, Remembered};
use crate::model::{Does, Present};
use crate::record::Recorder;
use crate::scenario::Guard;
use crate::time::Timekeeper;
use crate::trace::{Decision, Happening, Kind, Lane, Memory, Outcome, Property, Reason, Standing, Verdict};

use super::Run;
use super::state::{Applied, Body, Carried, InFlight};

impl<K: Timekeeper, R: Recorder> Run<'_, K, R> {
    /// Answers a request that arrived at a resource.
    pub(super) fn answer_at_resource(&mut self, request: InFlight<K::Time>) {
        match request.body {
            Body::Read { resource } => {
                self.tell(Lane::Resource(resource), Happening::Arrived(request.id));
                let version = self.state.resources[resource].version;
                self.tell(Lane::Resource(resource), Happening::WasRead(version));
                self.reply(&request, Lane::Resource(resource), Body::ReadOf { resource, version });
            }
            Body::Peek { resource } => {
                self.tell(Lane::Resource(resource), Happening::Arrived(request.id));
                self.tell(Lane::Resource(resource), Happening::WasPeeked);
                let Remembered { token, seq, .. } = self.state.resources[resource].remembered;
                self.reply(&request, Lane::Resource(resource), Body::Peeked { resource, token, seq });
            }
            Body::Present { resource } => {
                self.tell(Lane::Resource(resource), Happening::Arrived(request.id));
                let verdict = self.decide(&request);
                self.recorder.decided(request.id, verdict);
                self.reply(&request, Lane::Resource(resource), Body::Outcome { resource, verdict });
            }
            _ => unreachable!("only requests to a resource are handed to it"),
        }
    }

    fn decide(&mut self, request: &InFlight<K::Time>) -> u32 {
        let worker = request.worker as usize;
        let step = self.model.workers[worker].steps.start + request.step as usize - 1;
        let present = self.present(step);
        let carried = self.state.requests[step];
        let (decision, reason) = self.rule(worker, present, carried);
        let remembered = self.state.resources[present.resource].remembered;
        let verdict = self.judge(request, carried, remembered, decision, reason);
        if decision == Decision::Accepted {
            self.take_effect(step, present, carried, verdict);
        }
        verdict
    }

    /// What the write or establish of a step (an index into the model's steps) is.
    pub(super) fn present(&self, step: usize) -> Present {
        match self.model.steps[step].does {
            Does::Present(present) => present,
            _ => unreachable!("only a write or an establish is decided"),
        }
    }

    /// The order of tests at a resource.
    fn rule(&self, worker: usize, present: Present, carried: Carried) -> (Decision, Option<Reason>) {
        let of = &self.model.resources[present.resource];
        let state = &self.state.resources[present.resource];
        if present.unguarded {
            return (Decision::Accepted, None);
        }
        if of.idempotent && present.key.is_some_and(|key| state.keys.contains(&key)) {
            return (Decision::Replayed, None);
        }
        if of.authenticates && carried.token.is_some_and(|token| !self.issued(worker, token)) {
            return (Decision::Rejected, Some(Reason::TokenForged));
        }
        if of.guard == Guard::None {
            return (Decision::Accepted, None);
        }
        let Some(token) = carried.token else { return (Decision::Rejected, Some(Reason::TokenMissing)) };
        let grant_is_live = self.standing(carried.grant) == Standing::Current;
        match of.guard.decide(Presented { token, seq: carried.seq, grant_is_live }, state.remembered) {
            Ok(()) => (Decision::Accepted, None),
            Err(reason) => (Decision::Rejected, Some(reason)),
        }
    }

    /// A worker gives its write up on what its peek saw.
    pub(super) fn give_up(&mut self, reply: &InFlight<K::Time>, token: u64, seq: u32, reason: Reason) {
        let step = self.model.workers[reply.worker as usize].steps.start + reply.step as usize - 1;
        let carried = self.state.requests[step];
        let saw = Remembered { token, seq, anything: true };
        let decided = InFlight { attempt: 1, copy: 0, ..*reply };
        self.judge(&decided, carried, saw, Decision::Rejected, Some(reason));
    }

    /// Judges a decision, and keeps it.
    fn judge(
        &mut self,
        request: &InFlight<K::Time>,
        carried: Carried,
        remembered: Remembered,
        decision: Decision,
        reason: Option<Reason>,
    ) -> u32 {
        let worker = request.worker as usize;
        let step = request.step as usize - 1;
        let present = self.present(self.model.workers[worker].steps.start + step);
        let resource = &self.state.resources[present.resource];
        let given_up = matches!(request.body, Body::Peeked { .. });
        let kind = if present.key.is_some() { Kind::Write } else { Kind::Establish };
        let applied = decision == Decision::Accepted && kind == Kind::Write;
        let index = self.state.writes.len() as u32;
        let overwrites_newer = resource.value.filter(|value| match (value.grant, carried.grant) {
            (Some(theirs), Some(ours)) => theirs > ours,
            (Some(_), None) => true,
            (None, _) => false,
        });
        let stale_read = match (resource.value, resource.value_of_another) {
            (Some(value), _) if value.worker != request.worker => Some(value),
            (_, another) => another,
        };
        let stale_read = stale_read.filter(|write| carried.based_on.is_some_and(|version| write.version > version));
        let mut verdict = Verdict {
            worker,
            step,
            kind,
            attempt: request.attempt,
            copy: request.copy,
            resource: present.resource,
            decided_at: K::micros(self.state.now),
            grant: carried.grant,
            token: carried.token,
            seq: carried.seq,
            remembered_token: remembered.token,
            remembered_seq: remembered.seq,
            decision,
            reason,
            standing: self.standing(carried.grant),
            overwrites_newer: overwrites_newer.filter(|_| applied).map(|write| write.verdict),
            stale_read: stale_read.filter(|_| applied).map(|write| write.verdict),
            applied_twice: carried.took_effect.filter(|_| applied),
            already_applied: carried.took_effect.filter(|_| decision != Decision::Accepted),
            given_up,
            unguarded: present.unguarded,
            event: 0,
        };
        let lane = if given_up { Lane::Worker(worker) } else { Lane::Resource(present.resource) };
        verdict.event = self.tell(lane, Happening::Decided(index));
        self.hold_against(&verdict, index);
        self.state.writes.push(verdict);
        index
    }

    /// Notes the first witness of each property that a decision breaks.
    fn hold_against(&mut self, verdict: &Verdict, index: u32) {
        let outcome = verdict.outcome();
        let broken = [
            (Property::NoOverwrite, verdict.overwrites_newer.is_some()),
            (Property::NoStaleWrite, outcome == Outcome::StaleAccepted && verdict.kind == Kind::Write),
            (Property::NoLostUpdate, verdict.stale_read.is_some()),
            (Property::AtMostOnce, verdict.applied_twice.is_some()),
            (Property::HolderServed, outcome == Outcome::HolderRefused && verdict.already_applied.is_none()),
        ];
        for (property, is_broken) in broken {
            if is_broken {
                self.state.properties[property as usize].witness.get_or_insert(index);
            }
        }
    }

    /// An accepted request takes effect. `step` is an index into the model's steps.
    fn take_effect(&mut self, step: usize, present: Present, carried: Carried, verdict: u32) {
        self.state.requests[step].took_effect.get_or_insert(verdict);
        let of = &self.model.resources[present.resource];
        let resource = &mut self.state.resources[present.resource];
        if !present.unguarded && of.guard != Guard::None {
            let token = carried.token.expect("every guard but none wants a token");
            resource.remembered = Remembered { token, seq: carried.seq, anything: true };
            let grant = carried.grant.filter(|&grant| self.state.grants[grant as usize - 1].token == token);
            resource.token_of = grant;
        }
        if let Some(key) = present.key {
            if of.idempotent && !present.unguarded {
                resource.keys.push(key);
            }
            resource.version += 1;
            let worker = self.state.writes[verdict as usize].worker as u32;
            let write = Applied { worker, version: resource.version, grant: carried.grant, verdict };
            if resource.value.is_some_and(|value| value.worker != worker) {
                resource.value_of_another = resource.value;
            }
            resource.value = Some(write);
            self.tell(Lane::Resource(present.resource), Happening::Applied(verdict));
        }
        self.tell_memory(present.resource);
    }

    pub(super) fn restart(&mut self, resource: usize) {
        let of = &self.model.resources[resource];
        if of.forgets {
            let state = &mut self.state.resources[resource];
            state.remembered = Remembered { token: of.token, seq: 0, anything: false };
            state.token_of = None;
            state.keys.clear();
        }
        self.tell(Lane::Resource(resource), Happening::Restarted);
        self.tell_memory(resource);
    }

    /// Tells what a resource remembers and holds from now on.
    fn tell_memory(&mut self, resource: usize) {
        if R::TELLS {
            let state = &self.state.resources[resource];
            self.recorder.memory(Memory {
                resource,
                from: K::micros(self.state.now),
                token: state.remembered.token,
                seq: state.remembered.seq,
                value_of: state.value.map(|value| value.verdict),
                version: state.version,
                token_of: state.token_of,
            });
        }
    }
}
