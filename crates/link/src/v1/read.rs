//! The bytes of version 1, as a scenario.

use fenceline_engine::scenario as of;
use fenceline_engine::scenario::{Micros, Scenario};

use super::time::{Span, Time};
use super::{
    AUTHENTICATES, Clock, DOES_NOT_WAIT, Document, Exchange, Guard, IDEMPOTENT, IN_MEMORY, INITIAL, LOST, Lease,
    REPLY_LOST, Resource, Send, Step, Tokens, UNGUARDED, Worker, Write,
};

/// The scenario, and how many bytes behind it say what this version does not know; none when the bytes are no such document.
pub(crate) fn read(bytes: &[u8]) -> Option<(Scenario, usize)> {
    let (document, rest) = postcard::take_from_bytes::<Document>(bytes).ok()?;
    let leases: Vec<of::Lease> = document.leases.into_iter().map(lease).collect();
    let resources: Vec<of::Resource> = document.resources.into_iter().map(resource).collect::<Option<_>>()?;
    let names = Names { leases: &leases, resources: &resources };
    let workers = document.workers.into_iter().map(|worker| names.worker(worker)).collect::<Option<_>>()?;
    let network = of::Network { delay: document.delay.0 };
    let Document { title, about, .. } = document;
    Some((Scenario { title, about, network, leases, resources, workers }, rest.len()))
}

fn times(times: Vec<Time>) -> Vec<Micros> {
    times.into_iter().map(|time| time.0).collect()
}

/// Whether the flags are among those that this version knows: what it does not know, it cannot leave out unseen.
const fn known(flags: u8, all: u8) -> Option<()> {
    if flags & !all == 0 { Some(()) } else { None }
}

fn lease(lease: Lease) -> of::Lease {
    let failover = |failover: super::Failover| of::Failover {
        at: failover.at.0,
        next: failover.next,
        forgets_holder: failover.forgets_holder,
    };
    of::Lease {
        id: lease.id,
        ttl: lease.ttl.0,
        lock_delay: lease.lock_delay.0,
        tokens: match lease.tokens {
            Tokens::Counter(next) => of::TokenSource::Counter { next },
            Tokens::WorkerClock => of::TokenSource::WorkerClock,
            Tokens::Random(seed) => of::TokenSource::Random { seed },
        },
        failovers: lease.failovers.into_iter().map(failover).collect(),
    }
}

fn resource(resource: Resource) -> Option<of::Resource> {
    known(resource.flags, IN_MEMORY | AUTHENTICATES | IDEMPOTENT)?;
    let has = |bit: u8| resource.flags & bit != 0;
    Some(of::Resource {
        id: resource.id,
        guard: match resource.guard {
            Guard::None => of::Guard::None,
            Guard::CheckThenWrite => of::Guard::CheckThenWrite,
            Guard::Newer => of::Guard::Newer,
            Guard::NewerOrEqual => of::Guard::NewerOrEqual,
            Guard::Same => of::Guard::Same,
            Guard::TokenSeq => of::Guard::TokenSeq,
            Guard::Holder => of::Guard::Holder,
        },
        initial: of::Initial { token: resource.token, value: resource.value.unwrap_or_else(|| INITIAL.into()) },
        remembers: if has(IN_MEMORY) { of::Memory::InMemory } else { of::Memory::Durably },
        restarts: times(resource.restarts),
        authenticates: has(AUTHENTICATES),
        idempotent: has(IDEMPOTENT),
    })
}

fn send(send: Send) -> Option<of::Send> {
    known(send.flags, LOST | REPLY_LOST)?;
    Some(of::Send {
        delay: send.delay.map(|time| time.0),
        reply_delay: send.reply_delay.map(|time| time.0),
        lost: send.flags & LOST != 0,
        reply_lost: send.flags & REPLY_LOST != 0,
        copies: times(send.copies),
    })
}

fn sends(sends: Vec<Send>) -> Option<Vec<of::Send>> {
    sends.into_iter().map(send).collect()
}

fn exchange(exchange: Exchange) -> Option<of::Exchange> {
    let retry = exchange.retry.map(|retry| of::Retry { after: retry.after.0, attempts: retry.attempts });
    Some(of::Exchange { sends: sends(exchange.sends)?, retry })
}

/// The names of leases and resources by their places.
struct Names<'a> {
    leases: &'a [of::Lease],
    resources: &'a [of::Resource],
}

impl Names<'_> {
    fn lease(&self, place: u32) -> Option<String> {
        self.leases.get(place as usize).map(|lease| lease.id.clone())
    }

    fn lease_if_any(&self, place: Option<u32>) -> Result<Option<String>, ()> {
        place.map(|place| self.lease(place).ok_or(())).transpose()
    }

    fn resource(&self, place: u32) -> Option<String> {
        self.resources.get(place as usize).map(|resource| resource.id.clone())
    }

    fn worker(&self, worker: Worker) -> Option<of::Worker> {
        let clock = worker.clock.unwrap_or(Clock { offset: Span(0), drift_ppm: 0 });
        let pause = |pause: super::Pause| of::Pause { at: pause.at.0, length: pause.length.map(|time| time.0) };
        let (every, renewal_sends) = worker.renewals.map_or((None, Vec::new()), |of| (of.every, of.sends));
        Some(of::Worker {
            id: worker.id,
            starts: worker.starts.0,
            clock: of::Clock { offset: clock.offset.0, drift_ppm: clock.drift_ppm },
            plan: worker.plan.into_iter().map(|step| self.step(step)).collect::<Option<_>>()?,
            pauses: worker.pauses.into_iter().map(pause).collect(),
            renew_every: every.map(|time| time.0),
            renewal_sends: sends(renewal_sends)?,
            on_lease_lost: if worker.stops_when_lost { of::OnLeaseLost::Stop } else { of::OnLeaseLost::Continue },
        })
    }

    fn step(&self, step: Step) -> Option<of::Step> {
        Some(match step {
            Step::Acquire { lease, exchange } => {
                of::Step::Acquire { lease: self.lease(lease)?, exchange: self::exchange(exchange)? }
            }
            Step::Work { length, label } => of::Step::Work { length: length.0, label },
            Step::Until { at } => of::Step::Until { at: at.0 },
            Step::Check { lease, from_receipt, margin } => of::Step::Check {
                lease: self.lease(lease)?,
                from: if from_receipt { of::Basis::Received } else { of::Basis::Sent },
                margin: margin.0,
            },
            Step::Read { resource, exchange } => {
                of::Step::Read { resource: self.resource(resource)?, exchange: self::exchange(exchange)? }
            }
            Step::Establish { resource, lease, peek_sends, exchange } => of::Step::Establish {
                resource: self.resource(resource)?,
                lease: self.lease_if_any(lease).ok()?,
                peek_sends: sends(peek_sends)?,
                exchange: self::exchange(exchange)?,
            },
            Step::Write { resource, value, exchange } => {
                let plain =
                    Write { resource, value, lease: None, key: None, token: None, flags: 0, peek_sends: Vec::new() };
                self.write(plain, exchange)?
            }
            Step::FullWrite { write, exchange } => self.write(write, exchange)?,
            Step::Release { lease, exchange } => {
                of::Step::Release { lease: self.lease(lease)?, exchange: self::exchange(exchange)? }
            }
        })
    }

    fn write(&self, write: Write, exchange: Exchange) -> Option<of::Step> {
        known(write.flags, UNGUARDED | DOES_NOT_WAIT)?;
        Some(of::Step::Write(of::Write {
            resource: self.resource(write.resource)?,
            value: write.value,
            lease: self.lease_if_any(write.lease).ok()?,
            key: write.key,
            token: write.token,
            unguarded: write.flags & UNGUARDED != 0,
            wait: write.flags & DOES_NOT_WAIT == 0,
            peek_sends: sends(write.peek_sends)?,
            exchange: self::exchange(exchange)?,
        }))
    }
}
