//! A second engine, written for obviousness from the contract alone, so that the first has something to disagree with.
//!
//! Nothing is queued but messages on their way. Every round lists all that is pending by looking at the whole state,
//! sorts that list by time and place, and does what stands first. What can be found by scanning history (who holds a
//! lease, the standing of a writer, a version, a sequence) is scanned for each time and kept nowhere.

mod resource;
mod service;
mod summary;
mod worker;

use std::collections::VecDeque;

use fenceline_engine::scenario::{Micros, Scenario, Send, TokenSource};

use resource::{Decided, ResourceState};
use service::{Grant, LeaseState};
use worker::{Plan, WorkerState};

/// The summary of a run of the scenario, as the text of section 9.
pub fn summary(scenario: &Scenario) -> String {
    let mut run = Naive::new(scenario);
    run.go();
    summary::text(&run)
}

/// The state of a run.
struct Naive<'a> {
    scenario: &'a Scenario,
    now: Micros,
    /// When the last event happened that was no heartbeat.
    last_other: Micros,
    on_their_way: Vec<Message>,
    grants: Vec<Grant>,
    leases: Vec<LeaseState>,
    resources: Vec<ResourceState>,
    workers: Vec<WorkerState>,
    decided: Vec<Decided>,
}

/// A message that will arrive.
#[derive(Clone, Debug)]
struct Message {
    worker: usize,
    /// From 1; 0 for a heartbeat.
    step: usize,
    attempt: u32,
    copy: u32,
    sent_at: Micros,
    arrives_at: Micros,
    /// For a request how its replies travel, for a reply what it came by.
    reply_delay: Micros,
    reply_lost: bool,
    /// When the request was sent: of a reply, the one it answers.
    asked_at: Micros,
    says: Says,
}

#[derive(Clone, Debug)]
enum Says {
    Acquire { lease: usize },
    Renew { lease: usize, grant: usize },
    Release { lease: usize },
    Read { resource: usize },
    Peek { resource: usize },
    Put(Put),
    ReplyGranted { grant: usize },
    ReplyRenewed { grant: usize },
    ReplyRefused { grant: usize },
    ReplyReleased,
    ReplyRead { resource: usize, version: usize },
    ReplyPeek { token: u64, seq: usize },
    ReplyPut { rejected: bool },
}

/// A write or an establish, as fixed when its step began.
#[derive(Clone, Debug)]
struct Put {
    establish: bool,
    resource: usize,
    value: String,
    key: String,
    unguarded: bool,
    waits: bool,
    /// The number of the grant it is made under.
    grant: Option<usize>,
    token: Option<u64>,
    seq: usize,
    /// The version that its worker last read of the resource.
    read_version: Option<usize>,
}

impl Says {
    fn is_reply(&self) -> bool {
        matches!(
            self,
            Says::ReplyGranted { .. }
                | Says::ReplyRenewed { .. }
                | Says::ReplyRefused { .. }
                | Says::ReplyReleased
                | Says::ReplyRead { .. }
                | Says::ReplyPeek { .. }
                | Says::ReplyPut { .. }
        )
    }

    fn is_heartbeat(&self) -> bool {
        matches!(self, Says::Renew { .. } | Says::ReplyRenewed { .. } | Says::ReplyRefused { .. })
    }
}

/// Something that is pending, with its place among what is due at the same instant.
struct Pending {
    at: Micros,
    place: [u64; 8],
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    PauseStarts {
        worker: usize,
        pause: usize,
    },
    Failover {
        lease: usize,
        index: usize,
    },
    Restart {
        resource: usize,
        index: usize,
    },
    Expiry {
        lease: usize,
    },
    LockDelayEnds {
        lease: usize,
    },
    /// The message at this index of those on their way.
    Arrival {
        index: usize,
        heartbeat: bool,
    },
    Resume {
        worker: usize,
        pause: usize,
    },
    Heartbeat {
        worker: usize,
        lease: usize,
    },
    RetryTimer {
        worker: usize,
    },
    PlanTurn {
        worker: usize,
    },
}

impl What {
    fn is_heartbeat(&self) -> bool {
        matches!(self, What::Heartbeat { .. } | What::Arrival { heartbeat: true, .. })
    }
}

impl<'a> Naive<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        Self {
            scenario,
            now: 0,
            last_other: 0,
            on_their_way: Vec::new(),
            grants: Vec::new(),
            leases: scenario
                .leases
                .iter()
                .map(|lease| LeaseState {
                    counter: if let TokenSource::Counter { next } = lease.tokens { next } else { 0 },
                    random: if let TokenSource::Random { seed } = lease.tokens { seed } else { 0 },
                    waiting: VecDeque::new(),
                    lock_delay_until: None,
                    failovers_done: vec![false; lease.failovers.len()],
                })
                .collect(),
            resources: scenario.resources.iter().map(ResourceState::new).collect(),
            workers: scenario.workers.iter().map(WorkerState::new).collect(),
            decided: Vec::new(),
        }
    }

    fn go(&mut self) {
        loop {
            let mut pending = self.pending();
            pending.sort_by_key(|pending| (pending.at, pending.place));
            let Some(first) = pending.first() else { return };
            let a_heartbeat = pending.iter().any(|pending| pending.what.is_heartbeat());
            let nothing_else = pending
                .iter()
                .all(|pending| pending.what.is_heartbeat() || matches!(pending.what, What::Expiry { .. }));
            let longest_ttl = self.scenario.leases.iter().map(|lease| lease.ttl).max().unwrap_or(0);
            if a_heartbeat && nothing_else && first.at > self.last_other + longest_ttl {
                return;
            }
            assert!(first.at >= self.now, "time goes forward");
            self.now = first.at;
            if !first.what.is_heartbeat() {
                self.last_other = first.at;
            }
            let what = first.what.clone();
            self.happen(&what);
        }
    }

    /// Everything that is pending, in no order.
    fn pending(&self) -> Vec<Pending> {
        let mut list = Vec::new();
        let mut add = |at: Micros, place: &[usize], what: What| {
            let mut padded = [0; 8];
            for (slot, part) in padded.iter_mut().zip(place) {
                *slot = *part as u64;
            }
            list.push(Pending { at, place: padded, what });
        };
        for (lease, state) in self.leases.iter().enumerate() {
            for (index, failover) in self.scenario.leases[lease].failovers.iter().enumerate() {
                if !state.failovers_done[index] {
                    add(failover.at, &[1, 0, lease, index], What::Failover { lease, index });
                }
            }
            if let Some(grant) = self.live(lease) {
                add(self.grants[grant].due_at, &[2, lease], What::Expiry { lease });
            }
            if let Some(until) = state.lock_delay_until {
                add(until, &[2, lease], What::LockDelayEnds { lease });
            }
        }
        for (resource, state) in self.resources.iter().enumerate() {
            for (index, at) in self.scenario.resources[resource].restarts.iter().enumerate() {
                if !state.restarts_done[index] {
                    add(*at, &[1, 1, resource, index], What::Restart { resource, index });
                }
            }
        }
        for (index, message) in self.on_their_way.iter().enumerate() {
            let reply = message.says.is_reply();
            if reply && self.workers[message.worker].runs_from(message.arrives_at).is_none() {
                continue;
            }
            let place = [
                3,
                message.sent_at as usize,
                message.worker,
                message.step,
                message.attempt as usize,
                message.copy as usize,
                usize::from(reply),
            ];
            let heartbeat = message.says.is_heartbeat();
            add(message.arrives_at, &place, What::Arrival { index, heartbeat });
        }
        for (worker, state) in self.workers.iter().enumerate() {
            for (pause, span) in state.pauses.iter().enumerate() {
                if !span.started {
                    // Whatever the worker would do at that instant, it does not run any more.
                    add(span.from, &[0, worker], What::PauseStarts { worker, pause });
                }
                if let Some(until) = span.until.filter(|until| *until > span.from && !span.resumed) {
                    add(until, &[4, worker, 0], What::Resume { worker, pause });
                }
            }
            for series in &state.heartbeats {
                let every = self.scenario.workers[worker].renew_every.expect("only who renews has a series");
                if let Some(at) = state.runs_from(series.next_due(every)) {
                    add(at, &[4, worker, 1, series.lease], What::Heartbeat { worker, lease: series.lease });
                }
            }
            if let Plan::WaitsForReply { retry_due: Some(due), .. } = state.plan
                && let Some(at) = state.runs_from(due)
            {
                add(at, &[4, worker, 2], What::RetryTimer { worker });
            }
            if let Plan::StepBegins { due } | Plan::StepEnds { due } = state.plan
                && let Some(at) = state.runs_from(due)
            {
                add(at, &[4, worker, 3], What::PlanTurn { worker });
            }
        }
        list
    }

    fn happen(&mut self, what: &What) {
        match *what {
            What::PauseStarts { worker, pause } => self.workers[worker].pauses[pause].started = true,
            What::Failover { lease, index } => self.fail_over(lease, index),
            What::Restart { resource, index } => self.restart(resource, index),
            What::Expiry { lease } => self.end_lease(lease, "expiry"),
            What::LockDelayEnds { lease } => {
                self.leases[lease].lock_delay_until = None;
                self.grant_on(lease);
            }
            What::Arrival { index, .. } => {
                let message = self.on_their_way.remove(index);
                self.arrive(message);
            }
            What::Resume { worker, pause } => {
                self.workers[worker].pauses[pause].resumed = true;
                for message in std::mem::take(&mut self.workers[worker].waiting_arrivals) {
                    self.handle(&message);
                }
            }
            What::Heartbeat { worker, lease } => self.send_heartbeat(worker, lease),
            What::RetryTimer { worker } => self.retry_timer(worker),
            What::PlanTurn { worker } => self.plan_turn(worker),
        }
    }

    fn arrive(&mut self, message: Message) {
        match message.says.clone() {
            Says::Acquire { lease } => self.acquire_arrives(lease, message),
            Says::Renew { lease, grant } => self.renewal_arrives(lease, grant, &message),
            Says::Release { lease } => self.release_arrives(lease, &message),
            Says::Read { resource } => {
                let version = self.version(resource);
                self.reply(&message, Says::ReplyRead { resource, version });
            }
            Says::Peek { resource } => {
                let (token, seq) = self.resources[resource].remembered;
                self.reply(&message, Says::ReplyPeek { token, seq });
            }
            Says::Put(put) => self.put_arrives(&put, &message),
            _ if self.workers[message.worker].held(self.now) => {
                self.workers[message.worker].waiting_arrivals.push(message);
            }
            _ => self.handle(&message),
        }
    }

    /// Sends one attempt of a request, and whatever copies the network makes of it.
    fn send(&mut self, worker: usize, step: usize, attempt: u32, network: &Send, says: &Says) {
        let default = self.scenario.network.delay;
        let first = if network.lost { None } else { Some((0, network.delay.unwrap_or(default))) };
        let copies = network.copies.iter().enumerate().map(|(index, delay)| (index as u32 + 1, *delay));
        for (copy, delay) in first.into_iter().chain(copies) {
            self.on_their_way.push(Message {
                worker,
                step,
                attempt,
                copy,
                sent_at: self.now,
                arrives_at: self.now + delay,
                reply_delay: network.reply_delay.unwrap_or(default),
                reply_lost: network.reply_lost,
                asked_at: self.now,
                says: says.clone(),
            });
        }
    }

    /// Answers a request at once.
    fn reply(&mut self, request: &Message, says: Says) {
        if request.reply_lost {
            return;
        }
        self.on_their_way.push(Message {
            sent_at: self.now,
            arrives_at: self.now + request.reply_delay,
            says,
            ..request.clone()
        });
    }
}
