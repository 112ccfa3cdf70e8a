//! The judgement: each decision about a write, the writer's standing, what it did wrong, and the properties of a run.
//!
//! Two facts are kept apart: what the resource decided, and what the writer truly was. Their product is what a reader
//! sees ([`Outcome`]). The names are the document's, and live in one table.

use serde::{Deserialize, Serialize};

use crate::scenario::Micros;
use crate::trace::{Ended, EndedBy, EventId};

/// The resource's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It took effect (an establish: it is remembered).
    Accepted,
    /// It did not.
    Rejected,
    /// Its key was known: it was answered with the first outcome and changed nothing.
    Replayed,
}

/// Why a write was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It carries no token.
    TokenMissing,
    /// Its token was not issued to its worker.
    TokenForged,
    /// Its token is below the remembered one.
    TokenOlder,
    /// Its token is the remembered one, and the guard wants a newer one.
    TokenEqual,
    /// Its token is not the remembered one, and the guard wants that one.
    TokenDiffers,
    /// Its token is the remembered one and its sequence is not above the remembered one.
    SeqNotNewer,
    /// Its grant is not live.
    NotHolder,
}

/// The writer's standing at the instant of the decision, by the lease service's truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its grant is live.
    Current,
    /// Its grant ended, and no later grant of that lease exists yet.
    Expired,
    /// A later grant of that lease exists.
    Superseded,
    /// The request was made under no grant.
    Unleased,
}

/// What a reader sees: decision and standing together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Accepted while current.
    Accepted,
    /// Accepted though not current.
    StaleAccepted,
    /// Rejected though current.
    HolderRefused,
    /// Rejected and not current.
    StaleRejected,
    /// Answered from the kept key: neither.
    Replayed,
}

/// Whether a decision is about a write or an establish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A write.
    Write,
    /// An establish: judged like a write, changes no value.
    Establish,
}

/// One decision about a write or an establish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The worker.
    pub worker: usize,
    /// The step, from 0.
    pub step: usize,
    /// Write or establish.
    pub kind: Kind,
    /// The attempt, from 1.
    pub attempt: u32,
    /// 0 for the request itself, 1 … for its copies.
    pub copy: u32,
    /// The resource.
    pub resource: usize,
    /// When it was decided.
    pub decided_at: Micros,
    /// The grant that the request was made under.
    pub grant: Option<u32>,
    /// The token that the request carries.
    pub token: Option<u64>,
    /// The sequence that the request carries.
    pub seq: u32,
    /// What the resource remembered just before (for a write given up by its worker: what the peek saw).
    pub remembered_token: u64,
    /// The same, of the sequence.
    pub remembered_seq: u32,
    /// The decision.
    pub decision: Decision,
    /// Why, when rejected.
    pub reason: Option<Reason>,
    /// The writer's standing.
    pub standing: Standing,
    /// Applied over a value written under a later grant: the decision (index) of that write.
    pub overwrites_newer: Option<u32>,
    /// Applied on a read since which another worker's write was applied: the decision (index) of the latest such write.
    pub stale_read: Option<u32>,
    /// Applied though the same write took effect before: that decision (index).
    pub applied_twice: Option<u32>,
    /// Not applied, but the same write took effect at an earlier arrival: that decision (index).
    pub already_applied: Option<u32>,
    /// Whether the worker gave it up on what its peek saw, so that nothing was sent.
    pub given_up: bool,
    /// Whether it went around the guard.
    pub unguarded: bool,
    /// The event of the decision.
    pub event: EventId,
}

/// What a run is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Property {
    /// No applied write overwrites a newer one.
    NoOverwrite,
    /// No write is stale accepted.
    NoStaleWrite,
    /// No applied write rests on a stale read.
    NoLostUpdate,
    /// No write took effect twice.
    AtMostOnce,
    /// No holder was refused, those already applied aside.
    HolderServed,
}

/// A property with its first witness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PropertyResult {
    /// The first decision (index) that breaks it; `None` when it holds.
    pub witness: Option<u32>,
}

impl PropertyResult {
    /// Whether the property holds.
    pub const fn holds(self) -> bool {
        self.witness.is_none()
    }
}

macro_rules! names {
    ($($type:ident { $($variant:ident => $name:literal),+ $(,)? })+) => { $(
        impl $type {
            /// All of them, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name in a summary.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    )+ };
}

names! {
    EndedBy { Expiry => "expiry", Release => "release", Failover => "failover" }
    Decision { Accepted => "accepted", Rejected => "rejected", Replayed => "replayed" }
    Reason {
        TokenMissing => "token-missing", TokenForged => "token-forged", TokenOlder => "token-older",
        TokenEqual => "token-equal", TokenDiffers => "token-differs", SeqNotNewer => "seq-not-newer",
        NotHolder => "not-holder",
    }
    Standing { Current => "current", Expired => "expired", Superseded => "superseded", Unleased => "unleased" }
    Kind { Write => "write", Establish => "establish" }
    Ended {
        Finished => "finished", Rejected => "rejected", StoppedItself => "stopped-itself", LeaseLost => "lease-lost",
        Unanswered => "unanswered", Waiting => "waiting", Crashed => "crashed",
    }
    Property {
        NoOverwrite => "no-overwrite", NoStaleWrite => "no-stale-write", NoLostUpdate => "no-lost-update",
        AtMostOnce => "at-most-once", HolderServed => "holder-served",
    }
}

impl Verdict {
    /// Decision and standing together.
    pub const fn outcome(&self) -> Outcome {
        match (self.decision, self.standing) {
            (Decision::Replayed, _) => Outcome::Replayed,
            (Decision::Accepted, Standing::Current) => Outcome::Accepted,
            (Decision::Accepted, _) => Outcome::StaleAccepted,
            (Decision::Rejected, Standing::Current) => Outcome::HolderRefused,
            (Decision::Rejected, _) => Outcome::StaleRejected,
        }
    }

    /// Whether a value changed.
    pub const fn applied(&self) -> bool {
        matches!(self.decision, Decision::Accepted) && matches!(self.kind, Kind::Write)
    }

    /// The names of its flags, sorted.
    pub fn flags(&self) -> Vec<&'static str> {
        [
            ("already_applied", self.already_applied),
            ("applied_twice", self.applied_twice),
            ("overwrites_newer", self.overwrites_newer),
            ("stale_read", self.stale_read),
        ]
        .into_iter()
        .filter_map(|(name, of)| of.map(|_| name))
        .collect()
    }
}
