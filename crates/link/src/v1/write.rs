//! A scenario in the bytes of version 1.
//!
//! What is left out is what version 1 says is left out, written out here: the engine's defaults may change, and a link goes on
//! meaning what it meant.

use fenceline_engine::scenario as of;
use fenceline_engine::scenario::{MAX_MICROS, Micros, Scenario};

use super::time::{Span, Time};
use super::{
    AUTHENTICATES, Clock, DOES_NOT_WAIT, Document, Exchange, Failover, Guard, IDEMPOTENT, IN_MEMORY, INITIAL, LOST,
    Lease, Pause, REPLY_LOST, Renewals, Resource, Retry, Send, Step, Tokens, UNGUARDED, Worker, Write,
};

/// The bytes of a valid scenario; none for one that names what is not there, or a time beyond all bounds.
pub(crate) fn write(scenario: &Scenario) -> Option<Vec<u8>> {
    let names = Names(scenario);
    let document = Document {
        title: scenario.title.clone(),
        about: scenario.about.clone(),
        delay: time(scenario.network.delay)?,
        leases: scenario.leases.iter().map(lease).collect::<Option<_>>()?,
        resources: scenario.resources.iter().map(resource).collect::<Option<_>>()?,
        workers: scenario.workers.iter().map(|worker| names.worker(worker)).collect::<Option<_>>()?,
    };
    postcard::to_allocvec(&document).ok()
}

fn time(us: Micros) -> Option<Time> {
    (us <= MAX_MICROS).then_some(Time(us))
}

fn times(us: &[Micros]) -> Option<Vec<Time>> {
    us.iter().map(|us| time(*us)).collect()
}

fn lease(lease: &of::Lease) -> Option<Lease> {
    let failover = |failover: &of::Failover| {
        Some(Failover { at: time(failover.at)?, next: failover.next, forgets_holder: failover.forgets_holder })
    };
    Some(Lease {
        id: lease.id.clone(),
        ttl: time(lease.ttl)?,
        lock_delay: time(lease.lock_delay)?,
        tokens: match lease.tokens {
            of::TokenSource::Counter { next } => Tokens::Counter(next),
            of::TokenSource::WorkerClock => Tokens::WorkerClock,
            of::TokenSource::Random { seed } => Tokens::Random(seed),
        },
        failovers: lease.failovers.iter().map(failover).collect::<Option<_>>()?,
    })
}

fn resource(resource: &of::Resource) -> Option<Resource> {
    let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    Some(Resource {
        id: resource.id.clone(),
        guard: match resource.guard {
            of::Guard::None => Guard::None,
            of::Guard::CheckThenWrite => Guard::CheckThenWrite,
            of::Guard::Newer => Guard::Newer,
            of::Guard::NewerOrEqual => Guard::NewerOrEqual,
            of::Guard::Same => Guard::Same,
            of::Guard::TokenSeq => Guard::TokenSeq,
            of::Guard::Holder => Guard::Holder,
        },
        token: resource.initial.token,
        value: Some(&resource.initial.value).filter(|value| *value != INITIAL).cloned(),
        flags: flag(resource.remembers == of::Memory::InMemory, IN_MEMORY)
            | flag(resource.authenticates, AUTHENTICATES)
            | flag(resource.idempotent, IDEMPOTENT),
        restarts: times(&resource.restarts)?,
    })
}

fn send(send: &of::Send) -> Option<Send> {
    let optional = |us: Option<Micros>| us.map_or(Some(None), |us| time(us).map(Some));
    Some(Send {
        delay: optional(send.delay)?,
        reply_delay: optional(send.reply_delay)?,
        flags: if send.lost { LOST } else { 0 } | if send.reply_lost { REPLY_LOST } else { 0 },
        copies: times(&send.copies)?,
    })
}

fn sends(sends: &[of::Send]) -> Option<Vec<Send>> {
    sends.iter().map(send).collect()
}

fn exchange(exchange: &of::Exchange) -> Option<Exchange> {
    let retry = match exchange.retry {
        None => None,
        Some(retry) => Some(Retry { after: time(retry.after)?, attempts: retry.attempts }),
    };
    Some(Exchange { sends: sends(&exchange.sends)?, retry })
}

/// The places of leases and resources by their names.
struct Names<'a>(&'a Scenario);

impl Names<'_> {
    fn lease(&self, id: &str) -> Option<u32> {
        self.0.leases.iter().position(|lease| lease.id == id).map(|place| place as u32)
    }

    fn lease_if_any(&self, id: Option<&String>) -> Result<Option<u32>, ()> {
        id.map(|id| self.lease(id).ok_or(())).transpose()
    }

    fn resource(&self, id: &str) -> Option<u32> {
        self.0.resources.iter().position(|resource| resource.id == id).map(|place| place as u32)
    }

    fn worker(&self, worker: &of::Worker) -> Option<Worker> {
        let pause = |pause: &of::Pause| {
            let length = match pause.length {
                None => None,
                Some(length) => Some(time(length)?),
            };
            Some(Pause { at: time(pause.at)?, length })
        };
        let of::Clock { offset, drift_ppm } = worker.clock;
        if offset.unsigned_abs() > MAX_MICROS {
            return None;
        }
        let every = match worker.renew_every {
            None => None,
            Some(every) => Some(time(every)?),
        };
        let renews = every.is_some() || !worker.renewal_sends.is_empty();
        Some(Worker {
            id: worker.id.clone(),
            starts: time(worker.starts)?,
            clock: (offset != 0 || drift_ppm != 0).then_some(Clock { offset: Span(offset), drift_ppm }),
            plan: worker.plan.iter().map(|step| self.step(step)).collect::<Option<_>>()?,
            pauses: worker.pauses.iter().map(pause).collect::<Option<_>>()?,
            renewals: if renews { Some(Renewals { every, sends: sends(&worker.renewal_sends)? }) } else { None },
            stops_when_lost: worker.on_lease_lost == of::OnLeaseLost::Stop,
        })
    }

    fn step(&self, step: &of::Step) -> Option<Step> {
        Some(match step {
            of::Step::Acquire { lease, exchange } => {
                Step::Acquire { lease: self.lease(lease)?, exchange: self::exchange(exchange)? }
            }
            of::Step::Work { length, label } => Step::Work { length: time(*length)?, label: label.clone() },
            of::Step::Until { at } => Step::Until { at: time(*at)? },
            of::Step::Check { lease, from, margin } => Step::Check {
                lease: self.lease(lease)?,
                from_receipt: *from == of::Basis::Received,
                margin: time(*margin)?,
            },
            of::Step::Read { resource, exchange } => {
                Step::Read { resource: self.resource(resource)?, exchange: self::exchange(exchange)? }
            }
            of::Step::Establish { resource, lease, peek_sends, exchange } => Step::Establish {
                resource: self.resource(resource)?,
                lease: self.lease_if_any(lease.as_ref()).ok()?,
                peek_sends: sends(peek_sends)?,
                exchange: self::exchange(exchange)?,
            },
            of::Step::Write(write) => self.write(write)?,
            of::Step::Release { lease, exchange } => {
                Step::Release { lease: self.lease(lease)?, exchange: self::exchange(exchange)? }
            }
        })
    }

    fn write(&self, write: &of::Write) -> Option<Step> {
        let resource = self.resource(&write.resource)?;
        let exchange = exchange(&write.exchange)?;
        let is_plain = write.lease.is_none()
            && write.key.is_none()
            && write.token.is_none()
            && !write.unguarded
            && write.wait
            && write.peek_sends.is_empty();
        if is_plain {
            return Some(Step::Write { resource, value: write.value.clone(), exchange });
        }
        let unguarded = if write.unguarded { UNGUARDED } else { 0 };
        let full = Write {
            resource,
            value: write.value.clone(),
            lease: self.lease_if_any(write.lease.as_ref()).ok()?,
            key: write.key.clone(),
            token: write.token,
            flags: unguarded | if write.wait { 0 } else { DOES_NOT_WAIT },
            peek_sends: sends(&write.peek_sends)?,
        };
        Some(Step::FullWrite { write: full, exchange })
    }
}
