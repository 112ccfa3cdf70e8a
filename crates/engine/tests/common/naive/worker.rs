//! The workers of the naive engine: their plans, pauses, heartbeats, and what they make of replies.

use fenceline_engine::scenario::{Basis, Exchange, Guard, Micros, OnLeaseLost, Pause, Send, Step, Worker};

use super::service::local_time;
use super::{Message, Naive, Put, Says};

/// Where a plan stands.
#[derive(Clone, Debug)]
pub enum Plan {
    /// The current step begins when its turn comes.
    StepBegins { due: Micros },
    /// The current step is busy until then.
    StepEnds { due: Micros },
    /// It is busy, and a pause keeps it from ever ending.
    NeverEnds,
    /// The current step was sent and is answered by a reply.
    WaitsForReply { request: Says, attempt: u32, retry_due: Option<Micros> },
    /// The current step has sent its peek.
    WaitsForPeek { put: Put },
    /// It is over.
    Over { how: &'static str },
}

/// A stretch without running; touching ones are one.
#[derive(Clone, Debug)]
pub struct Span {
    pub from: Micros,
    pub until: Option<Micros>,
    pub started: bool,
    pub resumed: bool,
}

/// A grant that a worker knows of.
#[derive(Clone, Debug)]
pub struct Noted {
    pub grant: usize,
    pub lease: usize,
    /// When the latest sent of the confirmed requests was sent.
    sent_at: Micros,
    /// When the last confirmation was received.
    received_at: Micros,
    known_lost: bool,
    released: bool,
}

/// The heartbeats for one grant.
#[derive(Clone, Debug)]
pub struct Series {
    pub lease: usize,
    grant: usize,
    received_at: Micros,
    /// When the last heartbeat was sent; at first the receipt.
    last_at: Micros,
}

impl Series {
    /// The first multiple of the period after the last heartbeat.
    pub fn next_due(&self, every: Micros) -> Micros {
        let mut due = self.received_at + every;
        while due <= self.last_at {
            due += every;
        }
        due
    }
}

/// The state of a worker.
pub struct WorkerState {
    pub plan: Plan,
    /// The current step, from 1.
    step: usize,
    pub pauses: Vec<Span>,
    pub waiting_arrivals: Vec<Message>,
    pub noted: Vec<Noted>,
    pub heartbeats: Vec<Series>,
    renewals_sent: usize,
    /// The grant that each write and establish begun so far was made under.
    puts_begun: Vec<Option<usize>>,
    /// Resource and version of each read that finished, oldest first.
    reads: Vec<(usize, usize)>,
}

impl WorkerState {
    pub fn new(worker: &Worker) -> Self {
        Self {
            plan: Plan::StepBegins { due: worker.starts },
            step: 1,
            pauses: spans(&worker.pauses),
            waiting_arrivals: Vec::new(),
            noted: Vec::new(),
            heartbeats: Vec::new(),
            renewals_sent: 0,
            puts_begun: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// The first instant from `at` on at which the worker runs; `None` when it is paused for ever.
    pub fn runs_from(&self, at: Micros) -> Option<Micros> {
        match self.pauses.iter().find(|span| span.from <= at && span.until.is_none_or(|until| at < until)) {
            Some(span) => span.until,
            None => Some(at),
        }
    }

    /// Whether an arrival has to wait: in a pause, or at the instant of a resume that did not happen yet.
    pub fn held(&self, now: Micros) -> bool {
        self.pauses.iter().any(|span| span.from <= now && span.until != Some(span.from) && !span.resumed)
    }

    /// The instant at which that much running time from `begin` on is over; at the start of a pause it is not.
    fn busy_until(&self, begin: Micros, mut length: Micros) -> Option<Micros> {
        let mut from = begin;
        for span in self.pauses.iter().filter(|span| span.until != Some(span.from) && span.from >= begin) {
            if span.from > from + length {
                break;
            }
            length -= span.from - from;
            from = span.until?;
        }
        Some(from + length)
    }

    /// The newest grant it noted, of a lease when one is named.
    fn newest(&self, lease: Option<usize>) -> Option<&Noted> {
        self.noted.iter().filter(|noted| lease.is_none_or(|lease| noted.lease == lease)).max_by_key(|noted| noted.grant)
    }

    fn note(&mut self, grant: usize) -> Option<&mut Noted> {
        self.noted.iter_mut().find(|noted| noted.grant == grant)
    }
}

/// Pauses in order of time, those that touch made one.
fn spans(pauses: &[Pause]) -> Vec<Span> {
    let mut sorted = pauses.to_vec();
    sorted.sort_by_key(|pause| (pause.at, pause.length.is_none(), pause.length));
    let mut spans: Vec<Span> = Vec::new();
    for pause in sorted {
        let until = pause.length.map(|length| pause.at + length);
        match spans.last_mut() {
            Some(last) if last.until.is_none_or(|end| pause.at <= end) => {
                last.until = last.until.and_then(|end| until.map(|until| until.max(end)));
            }
            _ => spans.push(Span { from: pause.at, until, started: false, resumed: false }),
        }
    }
    spans
}

impl Naive<'_> {
    fn end_plan(&mut self, worker: usize, how: &'static str) {
        self.workers[worker].plan = Plan::Over { how };
        self.workers[worker].heartbeats.clear();
    }

    fn step_ends(&mut self, worker: usize) {
        if self.workers[worker].step == self.scenario.workers[worker].plan.len() {
            self.end_plan(worker, "finished");
        } else {
            self.workers[worker].step += 1;
            self.workers[worker].plan = Plan::StepBegins { due: self.now };
        }
    }

    pub fn plan_turn(&mut self, worker: usize) {
        if let Plan::StepEnds { .. } = self.workers[worker].plan {
            self.step_ends(worker);
            return;
        }
        let step = self.scenario.workers[worker].plan[self.workers[worker].step - 1].clone();
        match step {
            Step::Work { length, .. } => {
                let end = self.workers[worker].busy_until(self.now, length);
                self.workers[worker].plan = end.map_or(Plan::NeverEnds, |due| Plan::StepEnds { due });
            }
            Step::Until { at } => self.workers[worker].plan = Plan::StepEnds { due: at.max(self.now) },
            Step::Check { lease, from, margin } => {
                if self.check_passes(worker, self.lease(&lease), from, margin) {
                    self.step_ends(worker);
                } else {
                    self.end_plan(worker, "stopped-itself");
                }
            }
            Step::Acquire { lease, .. } => {
                let lease = self.lease(&lease);
                self.send_attempt(worker, Says::Acquire { lease }, 1);
            }
            Step::Read { resource, .. } => {
                let resource = self.resource(&resource);
                self.send_attempt(worker, Says::Read { resource }, 1);
            }
            Step::Release { lease, .. } => {
                let lease = self.lease(&lease);
                self.send_attempt(worker, Says::Release { lease }, 1);
            }
            Step::Establish { .. } | Step::Write(_) => self.begin_put(worker, &step),
        }
    }

    fn check_passes(&self, worker: usize, lease: usize, from: Basis, margin: Micros) -> bool {
        let Some(noted) = self.workers[worker].newest(Some(lease)) else { return false };
        if noted.known_lost || noted.released {
            return false;
        }
        let clock = self.scenario.workers[worker].clock;
        let basis = match from {
            Basis::Sent => local_time(clock, noted.sent_at),
            Basis::Received => local_time(clock, noted.received_at),
        };
        let end = basis + i128::from(self.scenario.leases[lease].ttl) - i128::from(margin);
        local_time(clock, self.now) < end
    }

    fn begin_put(&mut self, worker: usize, step: &Step) {
        let (resource, lease, peek_sends, token) = match step {
            Step::Establish { resource, lease, peek_sends, .. } => (resource, lease, peek_sends, None),
            Step::Write(write) => (&write.resource, &write.lease, &write.peek_sends, write.token),
            _ => unreachable!("only a write or an establish is put"),
        };
        let resource = self.resource(resource);
        let lease = lease.as_ref().map(|lease| self.lease(lease));
        let state = &mut self.workers[worker];
        let grant = state.newest(lease).map(|noted| noted.grant);
        let seq = 1 + state.puts_begun.iter().filter(|under| **under == grant).count();
        state.puts_begun.push(grant);
        let mut put = Put {
            establish: true,
            resource,
            value: String::new(),
            key: format!("{}/{}", self.scenario.workers[worker].id, state.step),
            unguarded: false,
            waits: true,
            grant,
            token: token.or(grant.map(|grant| self.grants[grant - 1].token)),
            seq,
            read_version: state.reads.iter().rev().find(|read| read.0 == resource).map(|read| read.1),
        };
        if let Step::Write(write) = step {
            put.establish = false;
            put.value.clone_from(&write.value);
            put.unguarded = write.unguarded;
            put.waits = write.wait;
            if let Some(key) = &write.key {
                put.key.clone_from(key);
            }
        }
        if self.scenario.resources[resource].guard == Guard::CheckThenWrite && !put.unguarded {
            let network = peek_sends.first().cloned().unwrap_or_default();
            self.send(worker, self.workers[worker].step, 1, &network, &Says::Peek { resource });
            self.workers[worker].plan = Plan::WaitsForPeek { put };
        } else {
            self.send_put(worker, put);
        }
    }

    fn send_put(&mut self, worker: usize, put: Put) {
        let waits = put.waits;
        self.send_attempt(worker, Says::Put(put), 1);
        if !waits {
            self.step_ends(worker);
        }
    }

    fn exchange(&self, worker: usize) -> Exchange {
        let step = &self.scenario.workers[worker].plan[self.workers[worker].step - 1];
        step.exchange().cloned().expect("only a step that sends is asked")
    }

    /// Sends an attempt of the current step's request and waits for the reply.
    fn send_attempt(&mut self, worker: usize, request: Says, attempt: u32) {
        if let Says::Release { lease } = request {
            self.workers[worker].heartbeats.retain(|series| series.lease != lease);
            for noted in self.workers[worker].noted.iter_mut().filter(|noted| noted.lease == lease) {
                noted.released = true;
            }
        }
        let exchange = self.exchange(worker);
        let network = exchange.sends.get(attempt as usize - 1).cloned().unwrap_or_default();
        self.send(worker, self.workers[worker].step, attempt, &network, &request);
        let retry_due = exchange.retry.map(|retry| self.now + retry.after);
        self.workers[worker].plan = Plan::WaitsForReply { request, attempt, retry_due };
    }

    pub fn retry_timer(&mut self, worker: usize) {
        let Plan::WaitsForReply { request, attempt, .. } = self.workers[worker].plan.clone() else {
            unreachable!("the timer serves only while a reply is waited for")
        };
        if self.exchange(worker).retry.is_some_and(|retry| attempt < retry.attempts) {
            self.send_attempt(worker, request, attempt + 1);
        } else {
            self.end_plan(worker, "unanswered");
        }
    }

    pub fn send_heartbeat(&mut self, worker: usize, lease: usize) {
        let now = self.now;
        let state = &mut self.workers[worker];
        state.renewals_sent += 1;
        let nth = state.renewals_sent;
        let series =
            state.heartbeats.iter_mut().find(|series| series.lease == lease).expect("a heartbeat is of a series");
        series.last_at = now;
        let grant = series.grant;
        let network: Send = self.scenario.workers[worker].renewal_sends.get(nth - 1).cloned().unwrap_or_default();
        self.send(worker, 0, nth as u32, &network, &Says::Renew { lease, grant });
    }

    /// A running worker handles a reply.
    pub fn handle(&mut self, message: &Message) {
        let worker = message.worker;
        if let Plan::Over { .. } = self.workers[worker].plan {
            return;
        }
        let own_step = self.workers[worker].step == message.step;
        let awaited = own_step && matches!(self.workers[worker].plan, Plan::WaitsForReply { .. });
        match message.says {
            Says::ReplyGranted { grant } => {
                self.note_grant(worker, grant, message.asked_at);
                if awaited {
                    self.step_ends(worker);
                }
            }
            Says::ReplyRenewed { grant } => {
                let now = self.now;
                if let Some(noted) = self.workers[worker].note(grant) {
                    noted.sent_at = noted.sent_at.max(message.asked_at);
                    noted.received_at = now;
                }
            }
            Says::ReplyRefused { grant } => self.learn_refusal(worker, grant),
            Says::ReplyRead { resource, version } if awaited => {
                self.workers[worker].reads.push((resource, version));
                self.step_ends(worker);
            }
            Says::ReplyPut { rejected: true } if awaited => self.end_plan(worker, "rejected"),
            Says::ReplyReleased | Says::ReplyPut { rejected: false } if awaited => self.step_ends(worker),
            Says::ReplyPeek { token, seq } if own_step => {
                if let Plan::WaitsForPeek { put } = self.workers[worker].plan.clone() {
                    self.compare_and_go_on(worker, put, token, seq);
                }
            }
            _ => {}
        }
    }

    fn compare_and_go_on(&mut self, worker: usize, put: Put, token: u64, seq: usize) {
        let Some(reason) = Self::compare_at_worker(&put, token) else {
            self.send_put(worker, put);
            return;
        };
        let step = self.workers[worker].step;
        self.decide(worker, step, 1, 0, &put, (token, seq), "rejected", Some(reason));
        if put.waits {
            self.end_plan(worker, "rejected");
        } else {
            self.step_ends(worker);
        }
    }

    fn note_grant(&mut self, worker: usize, grant: usize, asked_at: Micros) {
        let now = self.now;
        let lease = self.grants[grant - 1].lease;
        let renews = self.scenario.workers[worker].renew_every.is_some();
        let state = &mut self.workers[worker];
        if state.note(grant).is_some() {
            return;
        }
        let newer = state.newest(Some(lease)).is_none_or(|newest| grant > newest.grant);
        state.noted.push(Noted {
            grant,
            lease,
            sent_at: asked_at,
            received_at: now,
            known_lost: false,
            released: false,
        });
        if renews && newer {
            state.heartbeats.retain(|series| series.lease != lease);
            state.heartbeats.push(Series { lease, grant, received_at: now, last_at: now });
        }
    }

    fn learn_refusal(&mut self, worker: usize, grant: usize) {
        let lease = self.grants[grant - 1].lease;
        let stops = self.scenario.workers[worker].on_lease_lost == OnLeaseLost::Stop;
        let state = &mut self.workers[worker];
        state.heartbeats.retain(|series| series.grant != grant);
        let newest = state.newest(Some(lease)).is_some_and(|newest| newest.grant == grant);
        let Some(noted) = state.note(grant) else { return };
        noted.known_lost = true;
        if stops && newest && !noted.released {
            self.end_plan(worker, "lease-lost");
        }
    }

    fn lease(&self, id: &str) -> usize {
        self.scenario.leases.iter().position(|lease| lease.id == id).expect("a valid scenario names leases that exist")
    }

    fn resource(&self, id: &str) -> usize {
        let found = self.scenario.resources.iter().position(|resource| resource.id == id);
        found.expect("a valid scenario names resources that exist")
    }
}
