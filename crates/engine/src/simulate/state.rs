//! What a run keeps: everything that changes, in lists that keep their room from run to run.

use crate::guard::Remembered;
use crate::model::{Model, Pause};
use crate::queue::Queue;
use crate::scenario::TokenSource;
use crate::trace::{Ended, Ending, EventId, Grant, MessageId, PropertyResult, Verdict};

/// What is due.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Due<T> {
    Failover { lease: usize, index: usize },
    Restart { resource: usize },
    Expiry { lease: usize, stamp: u32 },
    LockDelayEnd { lease: usize, cause: Option<EventId> },
    Arrival(InFlight<T>),
    PauseStart { worker: usize },
    EmptyPause,
    Resume { worker: usize, cause: Option<EventId> },
    Heartbeat { worker: usize, lease: usize, stamp: u32, cause: Option<EventId> },
    RetryTimer { worker: usize, stamp: u32, cause: Option<EventId> },
    PlanTurn { worker: usize, stamp: u32, cause: Option<EventId> },
}

impl<T> Due<T> {
    /// The event that led to it, where it is not found elsewhere.
    pub fn cause(&self) -> Option<EventId> {
        match self {
            Self::LockDelayEnd { cause, .. }
            | Self::Resume { cause, .. }
            | Self::Heartbeat { cause, .. }
            | Self::RetryTimer { cause, .. }
            | Self::PlanTurn { cause, .. } => *cause,
            Self::Arrival(message) => message.cause,
            Self::Failover { .. }
            | Self::Restart { .. }
            | Self::Expiry { .. }
            | Self::PauseStart { .. }
            | Self::EmptyPause => None,
        }
    }
}

/// A message on its way, waiting at a paused worker, or waiting at the lease service.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InFlight<T> {
    pub worker: u32,
    /// The step that sent the request, from 1; 0 for a heartbeat.
    pub step: u32,
    pub attempt: u32,
    pub copy: u32,
    /// When the request of this exchange was sent.
    pub asked: T,
    pub id: MessageId,
    pub cause: Option<EventId>,
    pub body: Body,
}

/// What a message says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body {
    Acquire {
        lease: usize,
    },
    Renew {
        lease: usize,
        grant: u32,
    },
    Release {
        lease: usize,
    },
    Read {
        resource: usize,
    },
    Peek {
        resource: usize,
    },
    /// A write or an establish; what it carries was fixed when its step began ([`State::requests`]).
    Present {
        resource: usize,
    },
    Granted {
        lease: usize,
        grant: u32,
    },
    Renewed {
        lease: usize,
        grant: u32,
    },
    Refused {
        lease: usize,
        grant: u32,
    },
    Released {
        lease: usize,
    },
    ReadOf {
        resource: usize,
        version: u32,
    },
    Peeked {
        resource: usize,
        token: u64,
        seq: u32,
    },
    Outcome {
        resource: usize,
        verdict: u32,
    },
}

impl Body {
    pub const fn is_request(self) -> bool {
        matches!(
            self,
            Self::Acquire { .. }
                | Self::Renew { .. }
                | Self::Release { .. }
                | Self::Read { .. }
                | Self::Peek { .. }
                | Self::Present { .. }
        )
    }
}

/// Everything that changes in a run.
#[derive(Debug, Default)]
pub(crate) struct State<T> {
    pub now: T,
    /// The event that what happens next follows from.
    pub cause: Option<EventId>,
    pub queue: Queue<T, Due<T>>,
    /// How many events the run took so far.
    pub events: u32,
    pub heartbeats_pending: u32,
    /// Pending things that are neither heartbeats nor expiries.
    pub others_pending: u32,
    pub leases: Vec<LeaseState<T>>,
    pub resources: Vec<ResourceState>,
    pub workers: Vec<WorkerState<T>>,
    /// For each worker and lease.
    pub holdings: Vec<Holding<T>>,
    /// For each worker and resource: the version that the worker's last read saw.
    pub reads: Vec<Option<u32>>,
    /// For each step of [`Model::steps`]: what its write or establish carries.
    pub requests: Vec<Carried>,
    pub pauses: Vec<Pause<T>>,
    pub grants: Vec<Grant>,
    /// For each grant: how many writes and establishes were made under it.
    pub seqs: Vec<u32>,
    pub writes: Vec<Verdict>,
    pub endings: Vec<Ending>,
    pub properties: [PropertyResult; 5],
}

/// A lease at the service.
#[derive(Debug)]
pub(crate) struct LeaseState<T> {
    pub live: Option<u32>,
    /// Rises whenever the live grant's end changes; an older expiry in the queue no longer serves.
    pub stamp: u32,
    /// Whether a lock delay is running.
    pub waits: bool,
    /// The counter, or the state of the random source.
    pub source: u64,
    /// The latest grant of this lease; 0 before the first.
    pub latest: u32,
    /// The requests that wait, in order of arrival.
    pub waiting: Vec<InFlight<T>>,
}

/// A resource.
#[derive(Debug)]
pub(crate) struct ResourceState {
    pub remembered: Remembered,
    /// The grant under which the token was remembered.
    pub token_of: Option<u32>,
    pub version: u32,
    /// The write whose value it holds.
    pub value: Option<Applied>,
    /// The latest write by another worker than that one's.
    pub value_of_another: Option<Applied>,
    pub keys: Vec<u32>,
}

/// A write that took effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Applied {
    pub worker: u32,
    pub version: u32,
    pub grant: Option<u32>,
    pub verdict: u32,
}

/// Where a worker's plan stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Its next step has not begun.
    Between,
    /// A step runs that ends by itself.
    Busy,
    /// A step waits for a reply.
    Awaiting,
    /// A step waits for the reply to its peek.
    Peeking,
    Over,
}

#[derive(Debug)]
pub(crate) struct WorkerState<T> {
    pub phase: Phase,
    /// The step that runs or comes next, from 0.
    pub step: u32,
    pub paused: bool,
    /// The pauses that are under way or to come, in [`State::pauses`].
    pub next_pause: usize,
    pub end_of_pauses: usize,
    /// From when on it is paused for ever.
    pub crash_at: Option<T>,
    /// Arrivals that wait for the resume.
    pub waiting: Vec<InFlight<T>>,
    /// The last attempt that was sent of the current step.
    pub attempt: u32,
    pub retry_pending: bool,
    pub retry_stamp: u32,
    pub turn_pending: bool,
    pub turn_stamp: u32,
    pub renewals: u32,
    /// How many writes and establishes were made under no grant.
    pub unleased_seq: u32,
}

/// What a worker knows of a lease.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Holding<T> {
    /// The newest grant that it noted; 0 for none.
    pub grant: u32,
    /// Whether it learned that it lost it, or released it.
    pub over: bool,
    /// When the latest sent of the confirmed requests was sent.
    pub asked: T,
    /// When the last confirmation was received.
    pub confirmed: T,
    /// When the grant was received: what heartbeats are counted from.
    pub received: T,
    pub heartbeat_pending: bool,
    pub heartbeat_stamp: u32,
}

/// What a write or establish carries, fixed when its step begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carried {
    pub grant: Option<u32>,
    pub token: Option<u64>,
    pub seq: u32,
    /// The version that it is based on.
    pub based_on: Option<u32>,
    /// The decision by which it first took effect.
    pub took_effect: Option<u32>,
}

impl<T: Copy + Default> State<T> {
    /// Sets everything back to the start of a run of this model.
    pub fn reset(&mut self, model: &Model<T>) {
        self.now = T::default();
        self.cause = None;
        self.queue.clear();
        self.events = 0;
        self.heartbeats_pending = 0;
        self.others_pending = 0;
        self.leases.resize_with(model.leases.len(), LeaseState::default);
        for (state, lease) in self.leases.iter_mut().zip(&model.leases) {
            state.waiting.clear();
            let source = match lease.tokens {
                TokenSource::Counter { next } => next,
                TokenSource::Random { seed } => seed,
                TokenSource::WorkerClock => 0,
            };
            *state = LeaseState { source, waiting: std::mem::take(&mut state.waiting), ..LeaseState::default() };
        }
        self.resources.resize_with(model.resources.len(), ResourceState::default);
        for (state, resource) in self.resources.iter_mut().zip(&model.resources) {
            state.keys.clear();
            let remembered = Remembered { token: resource.token, seq: 0, anything: false };
            *state = ResourceState { remembered, keys: std::mem::take(&mut state.keys), ..ResourceState::default() };
        }
        self.workers.resize_with(model.workers.len(), WorkerState::default);
        for state in &mut self.workers {
            state.waiting.clear();
            *state = WorkerState { waiting: std::mem::take(&mut state.waiting), ..WorkerState::default() };
        }
        refill(&mut self.holdings, model.workers.len() * model.leases.len());
        refill(&mut self.reads, model.workers.len() * model.resources.len());
        refill(&mut self.requests, model.steps.len());
        refill(&mut self.endings, model.workers.len());
        self.pauses.clear();
        self.grants.clear();
        self.seqs.clear();
        self.writes.clear();
        self.properties = Default::default();
    }

    /// What a worker knows of a lease.
    pub fn holding(&self, worker: usize, lease: usize) -> &Holding<T> {
        &self.holdings[worker * self.leases.len() + lease]
    }

    /// The same, to change.
    pub fn holding_mut(&mut self, worker: usize, lease: usize) -> &mut Holding<T> {
        &mut self.holdings[worker * self.leases.len() + lease]
    }

    /// Settles how the workers ended whose plans are not over.
    pub fn finish(&mut self) {
        for (worker, ending) in self.workers.iter().zip(&mut self.endings) {
            if worker.phase != Phase::Over {
                // A pause with an end has its resume pending; a run does not end inside one.
                ending.ended = if worker.paused { Ended::Crashed } else { Ended::Waiting };
            }
        }
    }
}

fn refill<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    list.clear();
    list.resize(len, T::default());
}

impl<T> Default for LeaseState<T> {
    fn default() -> Self {
        Self { live: None, stamp: 0, waits: false, source: 0, latest: 0, waiting: Vec::new() }
    }
}

impl Default for ResourceState {
    fn default() -> Self {
        let remembered = Remembered { token: 0, seq: 0, anything: false };
        Self { remembered, token_of: None, version: 0, value: None, value_of_another: None, keys: Vec::new() }
    }
}

impl<T> Default for WorkerState<T> {
    fn default() -> Self {
        Self {
            phase: Phase::Between,
            step: 0,
            paused: false,
            next_pause: 0,
            end_of_pauses: 0,
            crash_at: None,
            waiting: Vec::new(),
            attempt: 0,
            retry_pending: false,
            retry_stamp: 0,
            turn_pending: false,
            turn_stamp: 0,
            renewals: 0,
            unleased_seq: 0,
        }
    }
}
