//! The trace: what happened in a run, in order, each event with its cause; and what follows from it.
//!
//! Everything a picture or a sentence needs is here as plain data, so that no reader of a trace has to simulate again.
//! All times are microseconds on the true axis.

use crate::scenario::Micros;
pub use crate::verdict::{Decision, Kind, Outcome, Property, PropertyResult, Reason, Standing, Verdict};

/// An index into [`Trace::events`].
pub type EventId = u32;
/// An index into [`Trace::messages`].
pub type MessageId = u32;

/// All that a run leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The events, in order of happening.
    pub events: Vec<Event>,
    /// Every message that was sent, in order of sending; each copy is one of its own.
    pub messages: Vec<Message>,
    /// Every grant, by number (the first has number 1).
    pub grants: Vec<Grant>,
    /// Every decision about a write or an establish, in order.
    pub writes: Vec<Verdict>,
    /// Each step that began, in order of beginning.
    pub steps: Vec<StepSpan>,
    /// What each worker believed, in order of beginning.
    pub beliefs: Vec<Belief>,
    /// What each resource remembered and held, from each change on; in order of time for each resource.
    pub memories: Vec<Memory>,
    /// Pauses as they were (touching ones are one, empty ones left out), in order of beginning.
    pub pauses: Vec<PauseSpan>,
    /// How each worker ended, in file order.
    pub endings: Vec<Ending>,
    /// The properties, in the order of [`Property::ALL`].
    pub properties: [PropertyResult; 5],
    /// The time of the last event of the run.
    pub ended_at: Micros,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Micros,
    /// Where it is told.
    pub lane: Lane,
    /// The event that led to it.
    pub cause: Option<EventId>,
    /// What happened.
    pub what: Happening,
}

/// The line of the timeline that an event belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// The lease service, for the lease with this index.
    Lease(usize),
    /// The worker with this index.
    Worker(usize),
    /// The resource with this index.
    Resource(usize),
}

/// What an event is. Indexes point into the scenario and the trace; `step` counts from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A message left.
    Sent(MessageId),
    /// The network lost a message.
    Lost(MessageId),
    /// A request arrived at the service or resource.
    Arrived(MessageId),
    /// A reply was handled by its worker.
    Received(MessageId),
    /// The service granted the lease (grant number).
    Granted(u32),
    /// A worker noted a grant that it did not know (grant number).
    Noted(u32),
    /// The service moved the end of a live grant (grant number, its new end).
    Renewed(u32, Micros),
    /// The service refused to renew a grant (grant number).
    RenewalRefused(u32),
    /// A worker saw a renewal of its grant confirmed (grant number).
    Confirmed(u32),
    /// A worker learned that its grant is lost (grant number).
    LearnedLost(u32),
    /// A live grant reached its end (grant number).
    Expired(u32),
    /// A live grant was given back (grant number).
    Released(u32),
    /// A live grant was forgotten by a failover (grant number).
    Forgotten(u32),
    /// A standby took over (its counter).
    FailedOver(u64),
    /// The service may grant again after a lock delay.
    LockDelayEnded,
    /// A worker's process stopped running.
    Paused,
    /// It runs again.
    Resumed,
    /// A step began.
    Began(usize),
    /// A step ended.
    Finished(usize),
    /// A local check passed (step).
    CheckPassed(usize),
    /// A worker's plan ended.
    PlanEnded(Ended),
    /// A resource answered a read (the version it gave).
    WasRead(u32),
    /// A resource answered a peek.
    WasPeeked,
    /// A write or establish was decided (index into [`Trace::writes`]).
    Decided(u32),
    /// A write took effect (index into [`Trace::writes`]).
    Applied(u32),
    /// A resource restarted.
    Restarted,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From the worker.
    Request,
    /// To the worker.
    Reply,
}

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An acquire, or the grant that answers it.
    Acquire,
    /// A heartbeat, or its answer.
    Renew,
    /// A release, or its answer.
    Release,
    /// A read, or its answer.
    Read,
    /// The peek of `check-then-write`, or its answer.
    Peek,
    /// An establish, or its answer.
    Establish,
    /// A write, or its answer.
    Write,
}

/// A message that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Which way it goes.
    pub direction: Direction,
    /// What it is about.
    pub subject: Subject,
    /// The worker that sends the request and gets the reply.
    pub worker: usize,
    /// The step, from 0; `None` for a heartbeat.
    pub step: Option<usize>,
    /// The attempt, from 1; for a heartbeat, the how-many-th renewal of its worker.
    pub attempt: u32,
    /// 0 for the message itself, 1 … for its copies.
    pub copy: u32,
    /// The other end: a lease or a resource.
    pub peer: Lane,
    /// When it left.
    pub sent_at: Micros,
    /// When it arrives; `None` when it is lost.
    pub arrives_at: Option<Micros>,
    /// When its worker handled it: later than it arrived when the worker was paused. Replies only.
    pub handled_at: Option<Micros>,
    /// The token that it carries: of a write or establish, or of the grant that a reply brings.
    pub token: Option<u64>,
    /// For a request: the grant it was made under. For a reply: the grant it tells of.
    pub grant: Option<u32>,
    /// The decision about it (index into [`Trace::writes`]): of the request that was decided, and of its reply.
    pub verdict: Option<u32>,
    /// For a reply, the request that it answers.
    pub answers: Option<MessageId>,
}

/// One grant of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// 1, 2, 3 … in the run, all leases together: the simulation's own truth.
    pub number: u32,
    /// The lease.
    pub lease: usize,
    /// The holder.
    pub worker: usize,
    /// The token that the service handed out.
    pub token: u64,
    /// When.
    pub granted_at: Micros,
    /// When it would end if nothing further happened: granted or last renewed, plus ttl.
    pub due_at: Micros,
    /// When it ended and by what; `None` when still live at the end of the run.
    pub ended: Option<(Micros, EndedBy)>,
}

/// What ended a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// Its time was over.
    Expiry,
    /// Its holder gave it back.
    Release,
    /// A standby took over that did not know of it.
    Failover,
}

/// A step of a plan, as it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepSpan {
    /// The worker.
    pub worker: usize,
    /// The step, from 0.
    pub step: usize,
    /// When it began.
    pub began_at: Micros,
    /// When it ended; `None` when the run ended before.
    pub ended_at: Option<Micros>,
}

/// A stretch in which a worker believes that it holds a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Belief {
    /// The worker.
    pub worker: usize,
    /// The grant (number).
    pub grant: u32,
    /// From the receipt of the grant.
    pub from: Micros,
    /// Until its believed end on its own clock (in true time), or until it learned otherwise.
    pub until: Micros,
    /// Why the belief ended.
    pub ended_by: BeliefEnd,
    /// Until when it goes on as if it held the lease: the end of the belief, or, when that is later, the last instant at
    /// which a write made under the grant was in its hands (it was sent, or its reply was handled). A worker that wakes
    /// up and does not look at its clock acts beyond its own belief.
    pub acts_until: Micros,
}

/// Why a belief ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeliefEnd {
    /// By its own clock the lease was over.
    OwnClock,
    /// It sent the release.
    Released,
    /// The refusal of a renewal told it.
    RenewalRefused,
    /// The rejection of a write told it.
    WriteRejected,
    /// It noted a newer grant of the lease.
    Replaced,
}

/// What a resource remembers and holds from an instant on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The resource.
    pub resource: usize,
    /// From when.
    pub from: Micros,
    /// The remembered token.
    pub token: u64,
    /// The remembered sequence.
    pub seq: u32,
    /// The decision (index) of the write whose value it holds; `None` for the initial value.
    pub value_of: Option<u32>,
    /// How many writes were applied.
    pub version: u32,
    /// The grant under which the token was remembered; `None` for the initial one and for hand-made ones.
    pub token_of: Option<u32>,
}

/// A pause as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseSpan {
    /// The worker.
    pub worker: usize,
    /// The first instant at which it did not run.
    pub from: Micros,
    /// The resume; `None` for ever.
    pub until: Option<Micros>,
}

/// How a worker ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// Every step ended.
    Finished,
    /// A write or establish was rejected.
    Rejected,
    /// Its local check did not pass.
    StoppedItself,
    /// The refusal of a renewal stopped it.
    LeaseLost,
    /// Its last attempt went unanswered.
    Unanswered,
    /// It waits for a reply that never comes.
    #[default]
    Waiting,
    /// It is paused for ever with its plan not over.
    Crashed,
}

/// How a worker ended, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// How.
    pub ended: Ended,
    /// When its plan ended; `None` for `Waiting` and `Crashed`.
    pub at: Option<Micros>,
}

impl Trace {
    /// The grant of that number.
    pub fn grant(&self, number: u32) -> Option<&Grant> {
        self.grants.get((number as usize).checked_sub(1)?)
    }

    /// Whether a property holds, and its first witness.
    pub const fn property(&self, property: Property) -> PropertyResult {
        self.properties[property as usize]
    }

    /// The decision that an event tells of: its own, or that about a request on its way.
    pub fn verdict_of(&self, what: Happening) -> Option<u32> {
        match what {
            Happening::Decided(verdict) | Happening::Applied(verdict) => Some(verdict),
            Happening::Sent(id) | Happening::Arrived(id) => self.messages.get(id as usize)?.verdict,
            _ => None,
        }
    }
}
