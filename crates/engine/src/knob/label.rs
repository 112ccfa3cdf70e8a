//! What a knob is called by a person.

use crate::scenario::{Scenario, Step};

use super::{Delay, Knob, Sends};

impl Knob {
    /// Its name in words: "length of A’s pause", "delay of A’s write ‘stale report’". Names are the scenario's own text.
    pub fn label(&self, scenario: &Scenario) -> String {
        let lease = |index: usize| scenario.leases.get(index).map_or("", |lease| &lease.id);
        let resource = |index: usize| scenario.resources.get(index).map_or("", |resource| &resource.id);
        let worker = |index: usize| scenario.workers.get(index).map_or("", |worker| &worker.id);
        let pauses = |index: usize| scenario.workers.get(index).map_or(0, |worker| worker.pauses.len());
        let step = |index: usize, step: usize| {
            let of = scenario.workers.get(index).and_then(|worker| worker.plan.get(step));
            format!("{}’s {}", worker(index), of.map_or_else(String::new, |of| named(of, step)))
        };
        match self {
            Self::NetworkDelay => "network delay".into(),
            Self::Ttl(index) => format!("time to live of {}", lease(*index)),
            Self::LockDelay(index) => format!("lock delay of {}", lease(*index)),
            Self::FailoverAt(index, at) => format!("failover{} of {}", ordinal(*at), lease(*index)),
            Self::RestartAt(index, at) => format!("restart{} of {}", ordinal(*at), resource(*index)),
            Self::Starts(index) => format!("start of {}", worker(*index)),
            Self::Offset(index) => format!("offset of {}’s clock", worker(*index)),
            Self::RenewEvery(index) => format!("time between {}’s renewals", worker(*index)),
            Self::PauseAt(index, pause) | Self::PauseFor(index, pause) => {
                let what = if matches!(self, Self::PauseAt(..)) { "start" } else { "length" };
                let which = if pauses(*index) > 1 { ordinal(*pause) } else { String::new() };
                format!("{what} of {}’s pause{which}", worker(*index))
            }
            Self::WorkFor(index, at) => format!("length of {}", step(*index, *at)),
            Self::UntilAt(index, at) => format!("end of {}", step(*index, *at)),
            Self::Margin(index, at) => format!("margin of {}", step(*index, *at)),
            Self::RetryAfter(index, at) => format!("retry time of {}", step(*index, *at)),
            Self::Send(index, sends, attempt, delay) => {
                let what = match delay {
                    Delay::Request => "delay".into(),
                    Delay::Reply => "reply delay".into(),
                    Delay::Copy(copy) => format!("delay of copy {}", copy + 1),
                };
                let again = if *attempt > 0 { format!(", attempt {}", attempt + 1) } else { String::new() };
                match sends {
                    Sends::Step(at) => format!("{what} of {}{again}", step(*index, *at)),
                    Sends::Peek(at) => format!("{what} of the peek of {}", step(*index, *at)),
                    Sends::Renewals => format!("{what} of {}’s renewal {}", worker(*index), attempt + 1),
                }
            }
        }
    }
}

/// " 2" for the second of several; nothing for the first.
fn ordinal(index: usize) -> String {
    if index == 0 { String::new() } else { format!(" {}", index + 1) }
}

/// A step by what it does, with its number, since a plan may do the same twice.
fn named(step: &Step, index: usize) -> String {
    let number = index + 1;
    match step {
        Step::Acquire { .. } => format!("acquire (step {number})"),
        Step::Work { label, .. } if label.is_empty() => format!("work (step {number})"),
        Step::Work { label, .. } => format!("‘{label}’ (step {number})"),
        Step::Until { .. } => format!("wait (step {number})"),
        Step::Check { .. } => format!("check (step {number})"),
        Step::Read { .. } => format!("read (step {number})"),
        Step::Establish { .. } => format!("establish (step {number})"),
        Step::Write(write) => format!("write ‘{}’ (step {number})", write.value),
        Step::Release { .. } => format!("release (step {number})"),
    }
}
