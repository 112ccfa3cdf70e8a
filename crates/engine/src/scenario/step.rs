//! The steps of a plan, and how the messages of a step travel.

use super::Micros;

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ask the lease service, and wait for the grant.
    Acquire {
        /// The lease.
        lease: String,
        /// How its messages travel.
        exchange: Exchange,
    },
    /// Be busy for that much running time.
    Work {
        /// How long.
        length: Micros,
        /// What for; may be empty.
        label: String,
    },
    /// Wait until a true time.
    Until {
        /// That time.
        at: Micros,
    },
    /// The local "is my lease still valid?" test.
    Check {
        /// The lease.
        lease: String,
        /// What the validity is counted from.
        from: Basis,
        /// How much earlier than the lease's end it gives up.
        margin: Micros,
    },
    /// Fetch a resource's value and version.
    Read {
        /// The resource.
        resource: String,
        /// How its messages travel.
        exchange: Exchange,
    },
    /// Present the token without changing the value.
    Establish {
        /// The resource.
        resource: String,
        /// The lease whose grant is presented; the newest grant of any when none is named.
        lease: Option<String>,
        /// How the peek of `check-then-write` travels.
        peek_sends: Vec<Send>,
        /// How its messages travel.
        exchange: Exchange,
    },
    /// Write a value.
    Write(Write),
    /// Give the lease back.
    Release {
        /// The lease.
        lease: String,
        /// How its messages travel.
        exchange: Exchange,
    },
}

/// A write step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The resource.
    pub resource: String,
    /// The value.
    pub value: String,
    /// The lease whose grant is presented; the newest grant of any when none is named.
    pub lease: Option<String>,
    /// The idempotency key; `worker/step` when none is given.
    pub key: Option<String>,
    /// A forged or hand-made token in place of the grant's.
    pub token: Option<u64>,
    /// Whether it goes around the guard.
    pub unguarded: bool,
    /// Whether the step waits for the reply.
    pub wait: bool,
    /// How the peek of `check-then-write` travels.
    pub peek_sends: Vec<Send>,
    /// How its messages travel.
    pub exchange: Exchange,
}

impl Write {
    /// A plain write of a value: newest grant, waits for the reply.
    pub fn new(resource: &str, value: &str) -> Self {
        Self {
            resource: resource.into(),
            value: value.into(),
            lease: None,
            key: None,
            token: None,
            unguarded: false,
            wait: true,
            peek_sends: Vec::new(),
            exchange: Exchange::default(),
        }
    }
}

/// What a local check counts the lease's validity from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// The sending of the confirmed request: safe, since the service cannot have granted earlier.
    #[default]
    Sent,
    /// The receipt of the last confirmation: late by the reply's delay.
    Received,
}

/// How the messages of a sending step travel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// What the network does to each attempt, first to last; a missing entry is all defaults.
    pub sends: Vec<Send>,
    /// Whether an unanswered request is sent again.
    pub retry: Option<Retry>,
}

/// What the network does to one attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Send {
    /// The request's delay; the network's when none is named.
    pub delay: Option<Micros>,
    /// The reply's delay; the network's when none is named.
    pub reply_delay: Option<Micros>,
    /// Whether the request is lost.
    pub lost: bool,
    /// Whether its replies are lost.
    pub reply_lost: bool,
    /// Further arrivals of the same request, each with its own delay.
    pub copies: Vec<Micros>,
}

/// Sending an unanswered request again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How long a reply is waited for.
    pub after: Micros,
    /// How many sends there are in all, 1 to 20.
    pub attempts: u32,
}

impl Step {
    /// How the step's messages travel, for the steps that send.
    pub fn exchange(&self) -> Option<&Exchange> {
        match self {
            Self::Acquire { exchange, .. }
            | Self::Read { exchange, .. }
            | Self::Establish { exchange, .. }
            | Self::Release { exchange, .. } => Some(exchange),
            Self::Write(write) => Some(&write.exchange),
            Self::Work { .. } | Self::Until { .. } | Self::Check { .. } => None,
        }
    }

    /// The same, to change.
    pub fn exchange_mut(&mut self) -> Option<&mut Exchange> {
        match self {
            Self::Acquire { exchange, .. }
            | Self::Read { exchange, .. }
            | Self::Establish { exchange, .. }
            | Self::Release { exchange, .. } => Some(exchange),
            Self::Write(write) => Some(&mut write.exchange),
            Self::Work { .. } | Self::Until { .. } | Self::Check { .. } => None,
        }
    }

    /// How the step's peek travels, for the steps that may peek.
    pub fn peek_sends(&self) -> Option<&Vec<Send>> {
        match self {
            Self::Establish { peek_sends, .. } => Some(peek_sends),
            Self::Write(write) => Some(&write.peek_sends),
            _ => None,
        }
    }

    /// The same, to change.
    pub fn peek_sends_mut(&mut self) -> Option<&mut Vec<Send>> {
        match self {
            Self::Establish { peek_sends, .. } => Some(peek_sends),
            Self::Write(write) => Some(&mut write.peek_sends),
            _ => None,
        }
    }

    /// Its name in a document, the value of `do`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Acquire { .. } => "acquire",
            Self::Work { .. } => "work",
            Self::Until { .. } => "until",
            Self::Check { .. } => "check",
            Self::Read { .. } => "read",
            Self::Establish { .. } => "establish",
            Self::Write(_) => "write",
            Self::Release { .. } => "release",
        }
    }
}
