//! Version 1 of the coded form: what a scenario is in the bytes of a link.
//!
//! Frozen. The bytes are postcard's, which knows places and no names: a field that is added, moved or changed here changes
//! the meaning of every link that was ever sent. What a later version has to say more, it appends behind the document, where
//! this one passes over it; what it says otherwise is another version. Lists and ids are bounded while they are read, by what a
//! valid scenario can have: a few bytes cannot claim the memory of many. The engine's types are free to change: the
//! conversions in `read.rs` and `write.rs` follow them.

mod bounded;
mod read;
mod time;
mod write;

use serde::{Deserialize, Serialize};

use self::bounded::{at_most, id};
use self::time::{Span, Time};

pub(crate) use read::read;
pub(crate) use write::write;

/// How many leases, resources and workers there can be, each.
const MOST_PARTS: usize = 64;
/// How many steps a plan can have.
const MOST_STEPS: usize = 256;
/// How many pauses a worker can have.
const MOST_PAUSES: usize = 256;
/// How many copies an attempt can have.
const MOST_COPIES: usize = 8;
/// How many bytes an id can have: 40 characters of four.
const MOST_ID_BYTES: usize = 160;

#[derive(Serialize, Deserialize)]
struct Document {
    title: String,
    about: String,
    delay: Time,
    #[serde(deserialize_with = "at_most::<MOST_PARTS, _, _>")]
    leases: Vec<Lease>,
    #[serde(deserialize_with = "at_most::<MOST_PARTS, _, _>")]
    resources: Vec<Resource>,
    #[serde(deserialize_with = "at_most::<MOST_PARTS, _, _>")]
    workers: Vec<Worker>,
}

#[derive(Serialize, Deserialize)]
struct Lease {
    #[serde(deserialize_with = "id")]
    id: String,
    ttl: Time,
    lock_delay: Time,
    tokens: Tokens,
    failovers: Vec<Failover>,
}

#[derive(Serialize, Deserialize)]
enum Tokens {
    Counter(u64),
    WorkerClock,
    Random(u64),
}

#[derive(Serialize, Deserialize)]
struct Failover {
    at: Time,
    next: u64,
    forgets_holder: bool,
}

#[derive(Serialize, Deserialize)]
struct Resource {
    #[serde(deserialize_with = "id")]
    id: String,
    guard: Guard,
    token: u64,
    /// None stands for [`INITIAL`].
    value: Option<String>,
    /// Of the bits below.
    flags: u8,
    restarts: Vec<Time>,
}

/// The value of a resource of which none is told.
const INITIAL: &str = "initial";

const IN_MEMORY: u8 = 1;
const AUTHENTICATES: u8 = 2;
const IDEMPOTENT: u8 = 4;

#[derive(Serialize, Deserialize)]
enum Guard {
    None,
    CheckThenWrite,
    Newer,
    NewerOrEqual,
    Same,
    TokenSeq,
    Holder,
}

#[derive(Serialize, Deserialize)]
struct Worker {
    #[serde(deserialize_with = "id")]
    id: String,
    starts: Time,
    clock: Option<Clock>,
    #[serde(deserialize_with = "at_most::<MOST_STEPS, _, _>")]
    plan: Vec<Step>,
    #[serde(deserialize_with = "at_most::<MOST_PAUSES, _, _>")]
    pauses: Vec<Pause>,
    renewals: Option<Renewals>,
    stops_when_lost: bool,
}

#[derive(Serialize, Deserialize)]
struct Clock {
    offset: Span,
    drift_ppm: i32,
}

#[derive(Serialize, Deserialize)]
struct Pause {
    at: Time,
    length: Option<Time>,
}

#[derive(Serialize, Deserialize)]
struct Renewals {
    every: Option<Time>,
    sends: Vec<Send>,
}

/// Leases and resources are named by their place in the document.
#[derive(Serialize, Deserialize)]
enum Step {
    Acquire {
        lease: u32,
        exchange: Exchange,
    },
    Work {
        length: Time,
        label: String,
    },
    Until {
        at: Time,
    },
    Check {
        lease: u32,
        from_receipt: bool,
        margin: Time,
    },
    Read {
        resource: u32,
        exchange: Exchange,
    },
    Establish {
        resource: u32,
        lease: Option<u32>,
        peek_sends: Vec<Send>,
        exchange: Exchange,
    },
    /// A write that says nothing beyond where, what and how it travels.
    Write {
        resource: u32,
        value: String,
        exchange: Exchange,
    },
    FullWrite {
        write: Write,
        exchange: Exchange,
    },
    Release {
        lease: u32,
        exchange: Exchange,
    },
}

#[derive(Serialize, Deserialize)]
struct Write {
    resource: u32,
    value: String,
    lease: Option<u32>,
    key: Option<String>,
    token: Option<u64>,
    /// Of the bits below.
    flags: u8,
    peek_sends: Vec<Send>,
}

const UNGUARDED: u8 = 1;
const DOES_NOT_WAIT: u8 = 2;

#[derive(Serialize, Deserialize)]
struct Exchange {
    sends: Vec<Send>,
    retry: Option<Retry>,
}

#[derive(Serialize, Deserialize)]
struct Retry {
    after: Time,
    attempts: u32,
}

#[derive(Serialize, Deserialize)]
struct Send {
    delay: Option<Time>,
    reply_delay: Option<Time>,
    /// Of the bits below.
    flags: u8,
    #[serde(deserialize_with = "at_most::<MOST_COPIES, _, _>")]
    copies: Vec<Time>,
}

const LOST: u8 = 1;
const REPLY_LOST: u8 = 2;
