//! Handles: every number of the story that can be taken by hand, with its limits and its place in the picture.
//!
//! A handle says which number of the document it changes and how far it may go; what a drag of it means is
//! [`dragged`](crate::drag::dragged). Its id holds while the document keeps its steps and pauses, so that a drag or a
//! focus survives the redrawing.

use std::fmt;

use fenceline_engine::scenario::Micros;
use fenceline_engine::trace::Lane;
use fenceline_engine::{Delay, Knob, Sends};

/// What a handle takes hold of. Workers, pauses and steps are counted from 0, in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HandleId {
    /// The end of a lease at this grant (number): changes the lease's time to live.
    LeaseEnd {
        /// The lease.
        lease: usize,
        /// The grant at whose end it sits.
        grant: u32,
    },
    /// When a worker starts.
    WorkerStart {
        /// The worker.
        worker: usize,
    },
    /// The end of a stretch of work: changes how long it takes.
    WorkEnd {
        /// The worker.
        worker: usize,
        /// The step.
        step: usize,
    },
    /// The start of a pause; its end stays.
    PauseStart {
        /// The worker.
        worker: usize,
        /// The pause.
        pause: usize,
    },
    /// A whole pause; its value is its start.
    PauseBody {
        /// The worker.
        worker: usize,
        /// The pause.
        pause: usize,
    },
    /// The end of a pause; its start stays.
    PauseEnd {
        /// The worker.
        worker: usize,
        /// The pause.
        pause: usize,
    },
    /// The arrival of a request: changes its delay.
    Arrival {
        /// The worker.
        worker: usize,
        /// The step that sends.
        step: usize,
        /// Whether it is the peek of `check-then-write`.
        peek: bool,
        /// The attempt, from 1.
        attempt: u32,
        /// 0 for the request itself, 1 … for its copies.
        copy: u32,
    },
    /// The arrival of the first answer to an attempt at its worker: changes the delay of all answers to that attempt.
    Reply {
        /// The worker.
        worker: usize,
        /// The step that asked.
        step: usize,
        /// Whether it answers the peek of `check-then-write`.
        peek: bool,
        /// The attempt that it answers, from 1.
        attempt: u32,
    },
    /// The arrival of a renewal at the service: changes its delay.
    Renewal {
        /// The worker.
        worker: usize,
        /// The how-many-th renewal of the worker it is, from 1.
        attempt: u32,
        /// 0 for the request itself, 1 … for its copies.
        copy: u32,
    },
    /// The arrival of the first answer to a renewal.
    RenewalReply {
        /// The worker.
        worker: usize,
        /// The how-many-th renewal of the worker it answers, from 1.
        attempt: u32,
    },
    /// The end of the first period between renewals: changes how often a worker renews.
    RenewEvery {
        /// The worker.
        worker: usize,
    },
    /// When a step sends again for want of an answer to its first attempt: changes how long it waits for one.
    RetryAfter {
        /// The worker.
        worker: usize,
        /// The step.
        step: usize,
    },
    /// The time that an `until` step waits for.
    Until {
        /// The worker.
        worker: usize,
        /// The step.
        step: usize,
    },
    /// How far a worker's clock is ahead: at a fixed instant, what the clock shows then.
    ClockOffset {
        /// The worker.
        worker: usize,
    },
    /// How much faster than time a worker's clock runs: at a fixed instant, by how much it has gone ahead until then.
    ClockDrift {
        /// The worker.
        worker: usize,
    },
    /// How much time a check wants to be left of a lease: so long after the check.
    CheckMargin {
        /// The worker.
        worker: usize,
        /// The step.
        step: usize,
    },
    /// The end of a lease's first lock delay.
    LockDelayEnd {
        /// The lease.
        lease: usize,
    },
    /// When a standby of the lease service takes over.
    Failover {
        /// The lease.
        lease: usize,
        /// Which of its failovers.
        failover: usize,
    },
    /// When a resource restarts.
    Restart {
        /// The resource.
        resource: usize,
        /// Which of its restarts.
        restart: usize,
    },
}

impl HandleId {
    /// The number of the document that it changes, written or default; none for a drift, which is no time. The start of a
    /// pause, whose end stays, changes the length too.
    pub const fn knob(self) -> Option<Knob> {
        Some(match self {
            Self::LeaseEnd { lease, .. } => Knob::Ttl(lease),
            Self::WorkerStart { worker } => Knob::Starts(worker),
            Self::WorkEnd { worker, step } => Knob::WorkFor(worker, step),
            Self::PauseStart { worker, pause } | Self::PauseBody { worker, pause } => Knob::PauseAt(worker, pause),
            Self::PauseEnd { worker, pause } => Knob::PauseFor(worker, pause),
            Self::Arrival { worker, step, peek, attempt, copy } => {
                Knob::Send(worker, sends(step, peek), place(attempt), request(copy))
            }
            Self::Reply { worker, step, peek, attempt } => {
                Knob::Send(worker, sends(step, peek), place(attempt), Delay::Reply)
            }
            Self::Renewal { worker, attempt, copy } => {
                Knob::Send(worker, Sends::Renewals, place(attempt), request(copy))
            }
            Self::RenewalReply { worker, attempt } => Knob::Send(worker, Sends::Renewals, place(attempt), Delay::Reply),
            Self::RenewEvery { worker } => Knob::RenewEvery(worker),
            Self::RetryAfter { worker, step } => Knob::RetryAfter(worker, step),
            Self::Until { worker, step } => Knob::UntilAt(worker, step),
            Self::ClockOffset { worker } => Knob::Offset(worker),
            Self::ClockDrift { .. } => return None,
            Self::CheckMargin { worker, step } => Knob::Margin(worker, step),
            Self::LockDelayEnd { lease } => Knob::LockDelay(lease),
            Self::Failover { lease, failover } => Knob::FailoverAt(lease, failover),
            Self::Restart { resource, restart } => Knob::RestartAt(resource, restart),
        })
    }

    /// Where that number stands in the document, as a JSON Pointer.
    pub fn pointer(self) -> String {
        match (self.knob(), self) {
            (Some(knob), _) => knob.pointer(),
            (None, Self::ClockDrift { worker }) => format!("/workers/{worker}/clock/drift_ppm"),
            (None, _) => String::new(),
        }
    }
}

impl HandleId {
    /// The handle of which [`Self::to_string`] gave that key; whether a story has it is another question.
    ///
    /// ```
    /// use fenceline_figure::HandleId;
    ///
    /// let end = HandleId::PauseEnd { worker: 0, pause: 1 };
    /// assert_eq!(HandleId::from_key(&end.to_string()), Some(end));
    /// assert_eq!(HandleId::from_key("pause-end-0"), None);
    /// ```
    pub fn from_key(key: &str) -> Option<Self> {
        let is_digit = |c: char| c.is_ascii_digit();
        let kind = key.trim_end_matches(|c| c == '-' || is_digit(c));
        let plain = |text: &str| (text.len() < 10 && text.chars().all(is_digit)).then(|| text.parse::<u32>().ok())?;
        let numbers: Option<Vec<u32>> = key[kind.len()..].strip_prefix('-')?.split('-').map(plain).collect();
        let at = |number: u32| number as usize;
        let numbers = numbers?;
        let found = match (kind, numbers.as_slice()) {
            ("lease-end", &[lease, grant]) => Self::LeaseEnd { lease: at(lease), grant },
            ("worker-start", &[worker]) => Self::WorkerStart { worker: at(worker) },
            ("work-end", &[worker, step]) => Self::WorkEnd { worker: at(worker), step: at(step) },
            ("pause-start", &[worker, pause]) => Self::PauseStart { worker: at(worker), pause: at(pause) },
            ("pause-body", &[worker, pause]) => Self::PauseBody { worker: at(worker), pause: at(pause) },
            ("pause-end", &[worker, pause]) => Self::PauseEnd { worker: at(worker), pause: at(pause) },
            ("arrival" | "peek", &[worker, step, attempt, copy]) => {
                Self::Arrival { worker: at(worker), step: at(step), peek: kind == "peek", attempt, copy }
            }
            ("reply" | "peek-reply", &[worker, step, attempt]) => {
                Self::Reply { worker: at(worker), step: at(step), peek: kind == "peek-reply", attempt }
            }
            ("renewal", &[worker, attempt, copy]) => Self::Renewal { worker: at(worker), attempt, copy },
            ("renewal-reply", &[worker, attempt]) => Self::RenewalReply { worker: at(worker), attempt },
            ("renew-every", &[worker]) => Self::RenewEvery { worker: at(worker) },
            ("retry-after", &[worker, step]) => Self::RetryAfter { worker: at(worker), step: at(step) },
            ("until", &[worker, step]) => Self::Until { worker: at(worker), step: at(step) },
            ("clock-offset", &[worker]) => Self::ClockOffset { worker: at(worker) },
            ("clock-drift", &[worker]) => Self::ClockDrift { worker: at(worker) },
            ("check-margin", &[worker, step]) => Self::CheckMargin { worker: at(worker), step: at(step) },
            ("lock-delay-end", &[lease]) => Self::LockDelayEnd { lease: at(lease) },
            ("failover", &[lease, failover]) => Self::Failover { lease: at(lease), failover: at(failover) },
            ("restart", &[resource, restart]) => Self::Restart { resource: at(resource), restart: at(restart) },
            _ => return None,
        };
        // A number has one form: no zeros in front.
        (found.to_string() == key).then_some(found)
    }
}

/// Where the delays of a step's messages are written.
const fn sends(step: usize, peek: bool) -> Sends {
    if peek { Sends::Peek(step) } else { Sends::Step(step) }
}

/// The place of an attempt, which counts from 1, in its list.
const fn place(attempt: u32) -> usize {
    (attempt as usize).saturating_sub(1)
}

const fn request(copy: u32) -> Delay {
    match (copy as usize).checked_sub(1) {
        None => Delay::Request,
        Some(copy) => Delay::Copy(copy),
    }
}

impl fmt::Display for HandleId {
    /// A stable key for attributes: `pause-end-0-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::LeaseEnd { lease, grant } => write!(f, "lease-end-{lease}-{grant}"),
            Self::WorkerStart { worker } => write!(f, "worker-start-{worker}"),
            Self::WorkEnd { worker, step } => write!(f, "work-end-{worker}-{step}"),
            Self::PauseStart { worker, pause } => write!(f, "pause-start-{worker}-{pause}"),
            Self::PauseBody { worker, pause } => write!(f, "pause-body-{worker}-{pause}"),
            Self::PauseEnd { worker, pause } => write!(f, "pause-end-{worker}-{pause}"),
            Self::Arrival { worker, step, peek, attempt, copy } => {
                let kind = if peek { "peek" } else { "arrival" };
                write!(f, "{kind}-{worker}-{step}-{attempt}-{copy}")
            }
            Self::Reply { worker, step, peek, attempt } => {
                let kind = if peek { "peek-reply" } else { "reply" };
                write!(f, "{kind}-{worker}-{step}-{attempt}")
            }
            Self::Renewal { worker, attempt, copy } => write!(f, "renewal-{worker}-{attempt}-{copy}"),
            Self::RenewalReply { worker, attempt } => write!(f, "renewal-reply-{worker}-{attempt}"),
            Self::RenewEvery { worker } => write!(f, "renew-every-{worker}"),
            Self::RetryAfter { worker, step } => write!(f, "retry-after-{worker}-{step}"),
            Self::Until { worker, step } => write!(f, "until-{worker}-{step}"),
            Self::ClockOffset { worker } => write!(f, "clock-offset-{worker}"),
            Self::ClockDrift { worker } => write!(f, "clock-drift-{worker}"),
            Self::CheckMargin { worker, step } => write!(f, "check-margin-{worker}-{step}"),
            Self::LockDelayEnd { lease } => write!(f, "lock-delay-end-{lease}"),
            Self::Failover { lease, failover } => write!(f, "failover-{lease}-{failover}"),
            Self::Restart { resource, restart } => write!(f, "restart-{resource}-{restart}"),
        }
    }
}

/// How a handle looks at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GripShape {
    /// A capsule with two lines across an edge.
    Capsule,
    /// The arrival's diamond, which the scene already draws.
    Diamond,
    /// The block itself: nothing is drawn at rest.
    Body,
    /// A small ring on a mark that has no thickness: a failover, a restart.
    Knob,
    /// A dot where a message ends or a timer runs out, drawn only while it is pointed at or selected: there are many.
    Dot,
}

impl GripShape {
    /// Whether it gives way to what is larger: a pointer within reach of both means the other one.
    pub const fn is_small(self) -> bool {
        matches!(self, Self::Knob | Self::Dot)
    }
}

/// One thing that can be dragged.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// What it takes hold of, and its key.
    pub id: HandleId,
    /// The lane it is in.
    pub lane: Lane,
    /// How it looks.
    pub shape: GripShape,
    /// Its centre, x in px.
    pub x: f32,
    /// Its centre, y in px.
    pub y: f32,
    /// Its drawn width in px; of a body, the width of the block. The area that takes a pointer is at least 28 px, 44 for
    /// coarse pointers.
    pub w: f32,
    /// Its drawn height in px.
    pub h: f32,
    /// The time at which it stands. For a body this is the start of the block.
    pub now_us: Micros,
    /// The earliest time to which it can go.
    pub min_us: Micros,
    /// The latest time to which it can go.
    pub max_us: Micros,
    /// What its bubble tells: the number in the document, a time or a length; always `now_us - from_us`, and below 0 only for
    /// a clock that is behind or slow.
    pub value_us: i64,
    /// Where that length begins: the start of the pause, of the grant, the sending; 0 for a point in time. For work, which
    /// counts running time only, the instant so long before its end.
    pub from_us: Micros,
    /// What it is, for a reader: `End of A’s pause`.
    pub label: String,
    /// Its value, for the bubble and a reader: `45.0 s`.
    pub value: String,
    /// Whether it is the selected one.
    pub selected: bool,
}
