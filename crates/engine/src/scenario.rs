//! The scenario: the document that a person writes, as Rust types.
//!
//! These types hold what the document says, defaults filled in, and nothing derived. They can hold an invalid scenario
//! (the page edits them field by field); only [`Scenario::validate`] decides that.

mod step;
mod under;

use std::fmt;

pub use step::{Basis, Exchange, Retry, Send, Step, Write};

/// Microseconds: a time on the true axis (from 0) or a duration.
pub type Micros = u64;

/// The largest integer that JSON carries exactly; the bound of tokens, counters and seeds.
pub const MAX_EXACT: u64 = (1 << 53) - 1;

/// The longest time or duration of a document: ten years of 365 days.
pub const MAX_MICROS: Micros = 3_650 * 86_400 * 1_000_000;

/// A whole scenario, schema version 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// What the scenario is called; may be empty.
    pub title: String,
    /// One or two sentences on what to look for; may be empty.
    pub about: String,
    /// The delay of every request and reply that names none.
    pub network: Network,
    /// The leases, in file order.
    pub leases: Vec<Lease>,
    /// The protected destinations, in file order.
    pub resources: Vec<Resource>,
    /// The workers, in file order.
    pub workers: Vec<Worker>,
}

/// What holds for every message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The delay of a request or reply that names none.
    pub delay: Micros,
}

/// One lease of the lease service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Its name, unique among leases.
    pub id: String,
    /// Time to live of a grant, above 0: a grant at `g` is live on `[g, g + ttl)`.
    pub ttl: Micros,
    /// How long the service waits after an expiry, or a failover that ended the lease, before it grants again.
    pub lock_delay: Micros,
    /// Where tokens come from.
    pub tokens: TokenSource,
    /// When a standby takes over.
    pub failovers: Vec<Failover>,
}

/// Where the tokens of a lease come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// Each grant takes `next`, then adds 1.
    Counter {
        /// The token of the first grant.
        next: u64,
    },
    /// The holder's local clock in milliseconds, at least 0, when it sent the request that was granted.
    WorkerClock,
    /// The high 32 bits of `SplitMix64`, one draw a grant.
    Random {
        /// The generator's state before the first draw.
        seed: u64,
    },
}

impl Default for TokenSource {
    fn default() -> Self {
        Self::Counter { next: 41 }
    }
}

/// A standby takes over the lease service's role for one lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failover {
    /// When.
    pub at: Micros,
    /// Where the standby's counter stands.
    pub next: u64,
    /// Whether the live lease ends there and then.
    pub forgets_holder: bool,
}

/// A protected destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its name, unique among resources.
    pub id: String,
    /// The rule by which it accepts.
    pub guard: Guard,
    /// What it remembers and holds at time 0.
    pub initial: Initial,
    /// Whether its memory survives a restart.
    pub remembers: Memory,
    /// When it restarts.
    pub restarts: Vec<Micros>,
    /// Whether it rejects a token that no lease service issued to the caller.
    pub authenticates: bool,
    /// Whether it keeps the key of each applied write, and answers a known key without a second effect.
    pub idempotent: bool,
}

/// What a resource remembers and holds at time 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The remembered token.
    pub token: u64,
    /// The value.
    pub value: String,
}

impl Default for Initial {
    fn default() -> Self {
        Self { token: 0, value: "initial".into() }
    }
}

/// The rule at the resource. `T`, `S` are what the request carries, `t`, `s` what the resource remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guard {
    /// Accepts always, remembers nothing: the last writer wins.
    None,
    /// The worker peeks at `t`, compares, then writes without a condition: a race.
    CheckThenWrite,
    /// Accepts when `T > t`.
    #[default]
    Newer,
    /// Accepts when `T >= t`.
    NewerOrEqual,
    /// Accepts when `T == t` or nothing is remembered yet: a known mistake.
    Same,
    /// Accepts when `(T, S) > (t, s)`, lexicographic.
    TokenSeq,
    /// Accepts when the request's grant is live at the lease service at this instant.
    Holder,
}

impl Guard {
    /// All guards, in the order in which they are shown.
    pub const ALL: [Self; 7] =
        [Self::None, Self::CheckThenWrite, Self::Newer, Self::NewerOrEqual, Self::Same, Self::TokenSeq, Self::Holder];

    /// Its name in a document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::CheckThenWrite => "check-then-write",
            Self::Newer => "newer",
            Self::NewerOrEqual => "newer-or-equal",
            Self::Same => "same",
            Self::TokenSeq => "token-seq",
            Self::Holder => "holder",
        }
    }

    /// The guard of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|guard| guard.name() == name)
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a resource's memory survives a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// It does.
    #[default]
    Durably,
    /// A restart sets token, sequence and seen keys back to the initial ones.
    InMemory,
}

/// A worker: a process with a plan, pauses, and a clock of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// Its name, unique among workers.
    pub id: String,
    /// When the first step may begin.
    pub starts: Micros,
    /// Its own clock.
    pub clock: Clock,
    /// Its steps, in order.
    pub plan: Vec<Step>,
    /// When its process does not run; in file order, which need not be the order of time.
    pub pauses: Vec<Pause>,
    /// The period of its heartbeats; none when it does not renew.
    pub renew_every: Option<Micros>,
    /// What the network does to its 1st, 2nd … renewal, all leases together.
    pub renewal_sends: Vec<Send>,
    /// What it does when the renewal of its newest grant is refused.
    pub on_lease_lost: OnLeaseLost,
}

/// A worker's clock: `local = offset + true * (1 + drift_ppm / 1_000_000)`, rounded down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// How far it is ahead at true time 0, in microseconds; may be negative.
    pub offset: i64,
    /// How much faster than true time it runs, in parts per million.
    pub drift_ppm: i32,
}

/// A stretch in which a worker's process does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The first instant at which it does not run.
    pub at: Micros,
    /// How long, or `None` for ever: a crash.
    pub length: Option<Micros>,
}

/// What a worker does when it learns that its lease is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnLeaseLost {
    /// It goes on.
    #[default]
    Continue,
    /// Its plan ends.
    Stop,
}

impl Lease {
    /// A lease with every default.
    pub fn new(id: &str, ttl: Micros) -> Self {
        Self { id: id.into(), ttl, lock_delay: 0, tokens: TokenSource::default(), failovers: Vec::new() }
    }
}

impl Resource {
    /// A resource with every default.
    pub fn new(id: &str) -> Self {
        Self {
            id: id.into(),
            guard: Guard::default(),
            initial: Initial::default(),
            remembers: Memory::default(),
            restarts: Vec::new(),
            authenticates: false,
            idempotent: false,
        }
    }
}
