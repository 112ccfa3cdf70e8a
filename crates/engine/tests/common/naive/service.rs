//! The lease service of the naive engine: section 3, grant by grant.

use std::collections::VecDeque;

use fenceline_engine::scenario::{Clock, Micros, TokenSource};

use super::{Message, Naive, Says};

/// One grant; its number is its place in the list of grants, from 1.
pub struct Grant {
    pub lease: usize,
    pub worker: usize,
    pub token: u64,
    pub granted_at: Micros,
    pub due_at: Micros,
    pub ended: Option<(Micros, &'static str)>,
}

/// What the service keeps for a lease, besides its grants.
pub struct LeaseState {
    pub counter: u64,
    pub random: u64,
    /// Acquires that were not answered yet, in order of arrival.
    pub waiting: VecDeque<Message>,
    pub lock_delay_until: Option<Micros>,
    pub failovers_done: Vec<bool>,
}

/// A worker's local time, in microseconds.
pub fn local_time(clock: Clock, at: Micros) -> i128 {
    let scaled = i128::from(at) * (1_000_000 + i128::from(clock.drift_ppm));
    i128::from(clock.offset) + scaled.div_euclid(1_000_000)
}

impl Naive<'_> {
    /// The index of the live grant of a lease.
    pub fn live(&self, lease: usize) -> Option<usize> {
        self.grants.iter().position(|grant| grant.lease == lease && grant.ended.is_none())
    }

    /// The standing of a writer by the grant (number) that its request was made under.
    pub fn standing(&self, under: Option<usize>) -> &'static str {
        let Some(number) = under else { return "unleased" };
        let grant = &self.grants[number - 1];
        let later = self.grants.iter().skip(number).any(|other| other.lease == grant.lease);
        match (grant.ended, later) {
            (None, _) => "current",
            (Some(_), true) => "superseded",
            (Some(_), false) => "expired",
        }
    }

    pub fn fail_over(&mut self, lease: usize, index: usize) {
        let failover = self.scenario.leases[lease].failovers[index];
        self.leases[lease].failovers_done[index] = true;
        self.leases[lease].counter = failover.next;
        if failover.forgets_holder && self.live(lease).is_some() {
            self.end_lease(lease, "failover");
        }
    }

    pub fn end_lease(&mut self, lease: usize, by: &'static str) {
        let live = self.live(lease).expect("only a live lease ends");
        self.grants[live].ended = Some((self.now, by));
        let lock_delay = self.scenario.leases[lease].lock_delay;
        if by == "release" || lock_delay == 0 {
            self.grant_on(lease);
        } else {
            self.leases[lease].lock_delay_until = Some(self.now + lock_delay);
        }
    }

    /// The lock is free: the worker that waits longest gets it, and each of its requests its answer.
    pub fn grant_on(&mut self, lease: usize) {
        let Some(first) = self.leases[lease].waiting.front().cloned() else { return };
        let worker = first.worker;
        let token = self.take_token(lease, &first);
        self.grants.push(Grant {
            lease,
            worker,
            token,
            granted_at: self.now,
            due_at: self.now + self.scenario.leases[lease].ttl,
            ended: None,
        });
        let grant = self.grants.len();
        let waiting = std::mem::take(&mut self.leases[lease].waiting).into_iter();
        let (answered, still_waiting): (VecDeque<Message>, VecDeque<Message>) =
            waiting.partition(|request| request.worker == worker);
        self.leases[lease].waiting = still_waiting;
        for request in answered {
            self.reply(&request, Says::ReplyGranted { grant });
        }
    }

    fn take_token(&mut self, lease: usize, request: &Message) -> u64 {
        let state = &mut self.leases[lease];
        match self.scenario.leases[lease].tokens {
            TokenSource::Counter { .. } => {
                let token = state.counter;
                state.counter += 1;
                token
            }
            TokenSource::WorkerClock => {
                let local = local_time(self.scenario.workers[request.worker].clock, request.sent_at);
                u64::try_from(local.div_euclid(1000).max(0)).expect("a local time of a few decades fits")
            }
            TokenSource::Random { .. } => {
                state.random = state.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut mixed = state.random;
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                (mixed ^ (mixed >> 31)) >> 32
            }
        }
    }

    pub fn acquire_arrives(&mut self, lease: usize, request: Message) {
        match self.live(lease) {
            Some(live) if self.grants[live].worker == request.worker => {
                self.reply(&request, Says::ReplyGranted { grant: live + 1 });
            }
            Some(_) => self.leases[lease].waiting.push_back(request),
            None => {
                self.leases[lease].waiting.push_back(request);
                if self.leases[lease].lock_delay_until.is_none() {
                    self.grant_on(lease);
                }
            }
        }
    }

    pub fn renewal_arrives(&mut self, lease: usize, grant: usize, request: &Message) {
        if self.live(lease) == Some(grant - 1) {
            self.grants[grant - 1].due_at = self.now + self.scenario.leases[lease].ttl;
            self.reply(request, Says::ReplyRenewed { grant });
        } else {
            self.reply(request, Says::ReplyRefused { grant });
        }
    }

    pub fn release_arrives(&mut self, lease: usize, request: &Message) {
        let live = self.live(lease);
        if live.is_some_and(|live| self.grants[live].worker == request.worker) {
            self.end_lease(lease, "release");
        }
        self.reply(request, Says::ReplyReleased);
    }
}
