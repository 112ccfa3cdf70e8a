//! Knobs: the numbers of a scenario that can be turned, each named by a JSON Pointer.
//!
//! Dragging, typing a value, windows and search all turn the same knobs through this one place. A knob may stand for a
//! number that the document leaves out (`/workers/0/plan/2/sends/0/delay` of a step that says nothing about its sends):
//! reading it gives the default, turning it writes it.

mod label;

use serde::{Deserialize, Serialize};

use crate::scenario::{Clock, Exchange, Guard, Scenario, Send, Step};

/// One number of a scenario: a time, a duration, or a clock's offset, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Knob {
    /// The delay of every message that names none.
    NetworkDelay,
    /// A lease's time to live.
    Ttl(usize),
    /// A lease's lock delay.
    LockDelay(usize),
    /// When a lease's failover happens (lease, failover).
    FailoverAt(usize, usize),
    /// When a resource restarts (resource, restart).
    RestartAt(usize, usize),
    /// When a worker starts.
    Starts(usize),
    /// How far a worker's clock is ahead; may be negative.
    Offset(usize),
    /// How often a worker renews.
    RenewEvery(usize),
    /// Where a pause begins (worker, pause).
    PauseAt(usize, usize),
    /// How long a pause is (worker, pause).
    PauseFor(usize, usize),
    /// How long a `work` step runs (worker, step).
    WorkFor(usize, usize),
    /// What an `until` step waits for (worker, step).
    UntilAt(usize, usize),
    /// The margin of a `check` step (worker, step).
    Margin(usize, usize),
    /// How long a step waits before it sends again (worker, step).
    RetryAfter(usize, usize),
    /// What the network does to an attempt (worker, which list, attempt from 0, which delay).
    Send(usize, Sends, usize, Delay),
}

/// A list of sends of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sends {
    /// The attempts of a step.
    Step(usize),
    /// The peek of a step.
    Peek(usize),
    /// The worker's renewals.
    Renewals,
}

/// A delay of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Delay {
    /// The request's.
    Request,
    /// The reply's.
    Reply,
    /// A copy's (from 0).
    Copy(usize),
}

impl Knob {
    /// The knob that a JSON Pointer names, if it names one of this scenario.
    pub fn at(scenario: &Scenario, pointer: &str) -> Option<Self> {
        let parts: Vec<&str> = pointer.strip_prefix('/')?.split('/').collect();
        let index = |text: &str| -> Option<usize> {
            let plain = text.len() < 6 && text.bytes().all(|byte| byte.is_ascii_digit());
            (plain && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
        };
        let delay = |parts: &[&str]| match *parts {
            ["delay"] => Some(Delay::Request),
            ["reply_delay"] => Some(Delay::Reply),
            ["copies", copy] => Some(Delay::Copy(index(copy)?)),
            _ => None,
        };
        let knob = match parts[..] {
            ["network", "delay"] => Self::NetworkDelay,
            ["leases", lease, "ttl"] => Self::Ttl(index(lease)?),
            ["leases", lease, "lock_delay"] => Self::LockDelay(index(lease)?),
            ["leases", lease, "failovers", failover, "at"] => Self::FailoverAt(index(lease)?, index(failover)?),
            ["resources", resource, "restarts", restart] => Self::RestartAt(index(resource)?, index(restart)?),
            ["workers", worker, ref rest @ ..] => {
                let worker = index(worker)?;
                match *rest {
                    ["starts"] => Self::Starts(worker),
                    ["clock", "offset"] => Self::Offset(worker),
                    ["renew_every"] => Self::RenewEvery(worker),
                    ["pauses", pause, "at"] => Self::PauseAt(worker, index(pause)?),
                    ["pauses", pause, "for"] => Self::PauseFor(worker, index(pause)?),
                    ["renewal_sends", attempt, ref rest @ ..] => {
                        Self::Send(worker, Sends::Renewals, index(attempt)?, delay(rest)?)
                    }
                    ["plan", step, ref rest @ ..] => {
                        let step = index(step)?;
                        match *rest {
                            ["for"] => Self::WorkFor(worker, step),
                            ["at"] => Self::UntilAt(worker, step),
                            ["margin"] => Self::Margin(worker, step),
                            ["retry", "after"] => Self::RetryAfter(worker, step),
                            ["sends", attempt, ref rest @ ..] => {
                                Self::Send(worker, Sends::Step(step), index(attempt)?, delay(rest)?)
                            }
                            ["peek_sends", attempt, ref rest @ ..] => {
                                Self::Send(worker, Sends::Peek(step), index(attempt)?, delay(rest)?)
                            }
                            _ => return None,
                        }
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        knob.value(scenario).is_some().then_some(knob)
    }

    /// Every knob of a scenario, in the order of the document: written or default.
    pub fn all(scenario: &Scenario) -> Vec<Self> {
        let mut all = vec![Self::NetworkDelay];
        for (index, lease) in scenario.leases.iter().enumerate() {
            all.extend([Self::Ttl(index), Self::LockDelay(index)]);
            all.extend((0..lease.failovers.len()).map(|failover| Self::FailoverAt(index, failover)));
        }
        for (index, resource) in scenario.resources.iter().enumerate() {
            all.extend((0..resource.restarts.len()).map(|restart| Self::RestartAt(index, restart)));
        }
        for (index, worker) in scenario.workers.iter().enumerate() {
            all.extend([Self::Starts(index), Self::Offset(index), Self::RenewEvery(index)]);
            // A worker that renews sends at least one; how many there are, only a run can tell.
            for attempt in 0..worker.renewal_sends.len().max(usize::from(worker.renew_every.is_some())) {
                push_sends(&mut all, index, Sends::Renewals, attempt, &worker.renewal_sends);
            }
            for (at, step) in worker.plan.iter().enumerate() {
                all.extend([Self::WorkFor(index, at), Self::UntilAt(index, at), Self::Margin(index, at)]);
                all.push(Self::RetryAfter(index, at));
                if let Some(exchange) = step.exchange() {
                    let attempts = exchange.retry.map_or(1, |retry| retry.attempts as usize);
                    for attempt in 0..attempts.max(exchange.sends.len()) {
                        push_sends(&mut all, index, Sends::Step(at), attempt, &exchange.sends);
                    }
                }
                if let Some(sends) = step.peek_sends() {
                    let peeks = peeks(scenario, step);
                    for attempt in 0..sends.len().max(usize::from(peeks)) {
                        push_sends(&mut all, index, Sends::Peek(at), attempt, sends);
                    }
                }
            }
            for pause in 0..worker.pauses.len() {
                all.extend([Self::PauseAt(index, pause), Self::PauseFor(index, pause)]);
            }
        }
        all.retain(|knob| knob.value(scenario).is_some());
        all
    }

    /// Its JSON Pointer.
    pub fn pointer(&self) -> String {
        match self {
            Self::NetworkDelay => "/network/delay".into(),
            Self::Ttl(lease) => format!("/leases/{lease}/ttl"),
            Self::LockDelay(lease) => format!("/leases/{lease}/lock_delay"),
            Self::FailoverAt(lease, failover) => format!("/leases/{lease}/failovers/{failover}/at"),
            Self::RestartAt(resource, restart) => format!("/resources/{resource}/restarts/{restart}"),
            Self::Starts(worker) => format!("/workers/{worker}/starts"),
            Self::Offset(worker) => format!("/workers/{worker}/clock/offset"),
            Self::RenewEvery(worker) => format!("/workers/{worker}/renew_every"),
            Self::PauseAt(worker, pause) => format!("/workers/{worker}/pauses/{pause}/at"),
            Self::PauseFor(worker, pause) => format!("/workers/{worker}/pauses/{pause}/for"),
            Self::WorkFor(worker, step) => format!("/workers/{worker}/plan/{step}/for"),
            Self::UntilAt(worker, step) => format!("/workers/{worker}/plan/{step}/at"),
            Self::Margin(worker, step) => format!("/workers/{worker}/plan/{step}/margin"),
            Self::RetryAfter(worker, step) => format!("/workers/{worker}/plan/{step}/retry/after"),
            Self::Send(worker, sends, attempt, delay) => {
                let list = match sends {
                    Sends::Step(step) => format!("plan/{step}/sends"),
                    Sends::Peek(step) => format!("plan/{step}/peek_sends"),
                    Sends::Renewals => "renewal_sends".into(),
                };
                let field = match delay {
                    Delay::Request => "delay".into(),
                    Delay::Reply => "reply_delay".into(),
                    Delay::Copy(copy) => format!("copies/{copy}"),
                };
                format!("/workers/{worker}/{list}/{attempt}/{field}")
            }
        }
    }

    /// What it stands at, or `None` when the scenario has no such number (or the pause is for ever).
    pub fn value(&self, scenario: &Scenario) -> Option<i64> {
        let worker = |worker: &usize| scenario.workers.get(*worker);
        let step = |of: &usize, step: &usize| worker(of)?.plan.get(*step);
        let us = match self {
            Self::NetworkDelay => scenario.network.delay,
            Self::Ttl(lease) => scenario.leases.get(*lease)?.ttl,
            Self::LockDelay(lease) => scenario.leases.get(*lease)?.lock_delay,
            Self::FailoverAt(lease, failover) => scenario.leases.get(*lease)?.failovers.get(*failover)?.at,
            Self::RestartAt(resource, restart) => *scenario.resources.get(*resource)?.restarts.get(*restart)?,
            Self::Starts(of) => worker(of)?.starts,
            Self::Offset(of) => return Some(worker(of)?.clock.offset),
            Self::RenewEvery(of) => worker(of)?.renew_every?,
            Self::PauseAt(of, pause) => worker(of)?.pauses.get(*pause)?.at,
            Self::PauseFor(of, pause) => worker(of)?.pauses.get(*pause)?.length?,
            Self::WorkFor(of, at) => match step(of, at)? {
                Step::Work { length, .. } => *length,
                _ => return None,
            },
            Self::UntilAt(of, at) => match step(of, at)? {
                Step::Until { at } => *at,
                _ => return None,
            },
            Self::Margin(of, at) => match step(of, at)? {
                Step::Check { margin, .. } => *margin,
                _ => return None,
            },
            Self::RetryAfter(of, at) => step(of, at)?.exchange()?.retry?.after,
            Self::Send(of, sends, attempt, delay) => {
                let worker = worker(of)?;
                let (list, most) = match sends {
                    Sends::Step(step) => {
                        let exchange = worker.plan.get(*step)?.exchange()?;
                        (&exchange.sends, exchange.retry.map_or(1, |retry| retry.attempts as usize))
                    }
                    Sends::Peek(step) => (worker.plan.get(*step)?.peek_sends()?, 1),
                    Sends::Renewals => (&worker.renewal_sends, worker.renew_every.map_or(0, |_| 1_000)),
                };
                let send = list.get(*attempt);
                if send.is_none() && *attempt >= most {
                    return None;
                }
                match delay {
                    Delay::Request => send.and_then(|send| send.delay).unwrap_or(scenario.network.delay),
                    Delay::Reply => send.and_then(|send| send.reply_delay).unwrap_or(scenario.network.delay),
                    Delay::Copy(copy) => *send?.copies.get(*copy)?,
                }
            }
        };
        i64::try_from(us).ok()
    }

    /// Turns it. Values below 0 count as 0, save for an offset. A knob that the scenario does not have turns nothing.
    pub fn turn(&self, scenario: &mut Scenario, to: i64) {
        if self.value(scenario).is_none() {
            return;
        }
        let us = u64::try_from(to).unwrap_or(0);
        match *self {
            Self::NetworkDelay => scenario.network.delay = us,
            Self::Ttl(lease) => scenario.leases[lease].ttl = us,
            Self::LockDelay(lease) => scenario.leases[lease].lock_delay = us,
            Self::FailoverAt(lease, failover) => scenario.leases[lease].failovers[failover].at = us,
            Self::RestartAt(resource, restart) => scenario.resources[resource].restarts[restart] = us,
            Self::Starts(worker) => scenario.workers[worker].starts = us,
            Self::Offset(worker) => {
                let clock = &mut scenario.workers[worker].clock;
                *clock = Clock { offset: to, ..*clock };
            }
            Self::RenewEvery(worker) => scenario.workers[worker].renew_every = Some(us),
            Self::PauseAt(worker, pause) => scenario.workers[worker].pauses[pause].at = us,
            Self::PauseFor(worker, pause) => scenario.workers[worker].pauses[pause].length = Some(us),
            Self::WorkFor(worker, step) => {
                if let Step::Work { length, .. } = &mut scenario.workers[worker].plan[step] {
                    *length = us;
                }
            }
            Self::UntilAt(worker, step) => {
                if let Step::Until { at } = &mut scenario.workers[worker].plan[step] {
                    *at = us;
                }
            }
            Self::Margin(worker, step) => {
                if let Step::Check { margin, .. } = &mut scenario.workers[worker].plan[step] {
                    *margin = us;
                }
            }
            Self::RetryAfter(worker, step) => {
                let exchange = scenario.workers[worker].plan[step].exchange_mut();
                if let Some(Exchange { retry: Some(retry), .. }) = exchange {
                    retry.after = us;
                }
            }
            Self::Send(worker, sends, attempt, delay) => {
                let worker = &mut scenario.workers[worker];
                let list = match sends {
                    Sends::Step(step) => worker.plan[step].exchange_mut().map(|exchange| &mut exchange.sends),
                    Sends::Peek(step) => worker.plan[step].peek_sends_mut(),
                    Sends::Renewals => Some(&mut worker.renewal_sends),
                };
                let Some(list) = list else { return };
                if list.len() <= attempt {
                    list.resize(attempt + 1, Send::default());
                }
                let send = &mut list[attempt];
                match delay {
                    Delay::Request => send.delay = Some(us),
                    Delay::Reply => send.reply_delay = Some(us),
                    Delay::Copy(copy) => send.copies[copy] = us,
                }
            }
        }
    }
}

/// Whether a step asks what is remembered before it sends.
fn peeks(scenario: &Scenario, step: &Step) -> bool {
    let resource = match step {
        Step::Establish { resource, .. } => resource,
        Step::Write(write) if !write.unguarded => &write.resource,
        _ => return false,
    };
    let of = scenario.resources.iter().find(|of| of.id == *resource);
    of.is_some_and(|of| of.guard == Guard::CheckThenWrite)
}

fn push_sends(all: &mut Vec<Knob>, worker: usize, sends: Sends, attempt: usize, list: &[Send]) {
    let copies = list.get(attempt).map_or(0, |send| send.copies.len());
    let delays = [Delay::Request, Delay::Reply].into_iter().chain((0..copies).map(Delay::Copy));
    all.extend(delays.map(|delay| Knob::Send(worker, sends, attempt, delay)));
}
