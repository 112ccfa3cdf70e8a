//! The resources of the naive engine: sections 4 to 6, test by test and flag by flag.

use std::collections::BTreeSet;

use fenceline_engine::scenario::{Guard, Memory, Micros, Resource};

use super::{Message, Naive, Put, Says};

/// What a resource remembers; its value and version follow from the decisions.
pub struct ResourceState {
    pub remembered: (u64, usize),
    /// Whether a guarded request was accepted since the start, or since a restart that forgot.
    pub remembers_anything: bool,
    pub known_keys: BTreeSet<String>,
    pub restarts_done: Vec<bool>,
}

impl ResourceState {
    pub fn new(resource: &Resource) -> Self {
        Self {
            remembered: (resource.initial.token, 0),
            remembers_anything: false,
            known_keys: BTreeSet::new(),
            restarts_done: vec![false; resource.restarts.len()],
        }
    }
}

/// One decision, with all that later ones may ask of it.
pub struct Decided {
    pub worker: usize,
    pub step: usize,
    pub attempt: u32,
    pub copy: u32,
    pub at: Micros,
    pub put: Put,
    pub remembered: (u64, usize),
    pub decision: &'static str,
    pub reason: Option<&'static str>,
    pub standing: &'static str,
    pub flags: Vec<&'static str>,
}

impl Decided {
    /// Whether it changed the value.
    pub fn applied(&self) -> bool {
        self.decision == "accepted" && !self.put.establish
    }
}

impl Naive<'_> {
    /// The applied writes of a resource, oldest first.
    pub fn applied(&self, resource: usize) -> Vec<&Decided> {
        self.decided.iter().filter(|decided| decided.put.resource == resource && decided.applied()).collect()
    }

    pub fn version(&self, resource: usize) -> usize {
        self.applied(resource).len()
    }

    pub fn restart(&mut self, resource: usize, index: usize) {
        self.resources[resource].restarts_done[index] = true;
        if self.scenario.resources[resource].remembers == Memory::InMemory {
            let restarts_done = self.resources[resource].restarts_done.clone();
            self.resources[resource] =
                ResourceState { restarts_done, ..ResourceState::new(&self.scenario.resources[resource]) };
        }
    }

    pub fn put_arrives(&mut self, put: &Put, message: &Message) {
        let before = self.resources[put.resource].remembered;
        let (decision, reason) = self.test(put, message.worker);
        self.decide(message.worker, message.step, message.attempt, message.copy, put, before, decision, reason);
        if decision == "accepted" && !put.unguarded {
            let settings = &self.scenario.resources[put.resource];
            let state = &mut self.resources[put.resource];
            state.remembers_anything = true;
            if settings.guard != Guard::None {
                state.remembered = (put.token.expect("a guard accepts no request without a token"), put.seq);
            }
            if settings.idempotent && !put.establish {
                state.known_keys.insert(put.key.clone());
            }
        }
        self.reply(message, Says::ReplyPut { rejected: decision == "rejected" });
    }

    /// The tests at the resource, in their order.
    fn test(&self, put: &Put, worker: usize) -> (&'static str, Option<&'static str>) {
        let settings = &self.scenario.resources[put.resource];
        let state = &self.resources[put.resource];
        if put.unguarded {
            return ("accepted", None);
        }
        if settings.idempotent && !put.establish && state.known_keys.contains(&put.key) {
            return ("replayed", None);
        }
        if settings.authenticates
            && let Some(token) = put.token
            && !self.grants.iter().any(|grant| grant.worker == worker && grant.token == token)
        {
            return ("rejected", Some("token-forged"));
        }
        if settings.guard == Guard::None {
            return ("accepted", None);
        }
        let Some(token) = put.token else { return ("rejected", Some("token-missing")) };
        let (last, last_seq) = state.remembered;
        let reason = match settings.guard {
            Guard::None | Guard::CheckThenWrite => None,
            Guard::Newer => older(token, last).or((token == last).then_some("token-equal")),
            Guard::NewerOrEqual => older(token, last),
            Guard::Same => (state.remembers_anything && token != last).then_some("token-differs"),
            Guard::TokenSeq => older(token, last).or((token == last && put.seq <= last_seq).then_some("seq-not-newer")),
            Guard::Holder => (self.standing(put.grant) != "current").then_some("not-holder"),
        };
        if reason.is_some() { ("rejected", reason) } else { ("accepted", None) }
    }

    /// What a worker finds when it compares for itself: why to give up, if it is to.
    pub fn compare_at_worker(put: &Put, peeked: u64) -> Option<&'static str> {
        match put.token {
            None => Some("token-missing"),
            Some(token) => older(token, peeked).or((token == peeked).then_some("token-equal")),
        }
    }

    /// Puts a decision on record, with standing and flags as they are at this instant.
    #[expect(clippy::too_many_arguments, reason = "the record has that many independent parts")]
    pub fn decide(
        &mut self,
        worker: usize,
        step: usize,
        attempt: u32,
        copy: u32,
        put: &Put,
        remembered: (u64, usize),
        decision: &'static str,
        reason: Option<&'static str>,
    ) {
        let flags = self.flags(worker, step, put, decision);
        let standing = self.standing(put.grant);
        self.decided.push(Decided {
            worker,
            step,
            attempt,
            copy,
            at: self.now,
            put: put.clone(),
            remembered,
            decision,
            reason,
            standing,
            flags,
        });
    }

    fn flags(&self, worker: usize, step: usize, put: &Put, decision: &str) -> Vec<&'static str> {
        let took_effect_before = self
            .decided
            .iter()
            .any(|other| other.worker == worker && other.step == step && other.decision == "accepted");
        let mut flags = Vec::new();
        if decision != "accepted" {
            if took_effect_before {
                flags.push("already_applied");
            }
            return flags;
        }
        if put.establish {
            return flags;
        }
        if took_effect_before {
            flags.push("applied_twice");
        }
        let applied = self.applied(put.resource);
        if let Some(written_under) = applied.last().and_then(|last| last.put.grant)
            && put.grant.is_none_or(|mine| written_under > mine)
        {
            flags.push("overwrites_newer");
        }
        if let Some(version) = put.read_version
            && applied.iter().skip(version).any(|later| later.worker != worker)
        {
            flags.push("stale_read");
        }
        flags
    }
}

fn older(token: u64, remembered: u64) -> Option<&'static str> {
    (token < remembered).then_some("token-older")
}
