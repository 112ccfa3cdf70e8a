//! The scenario made ready to run: names resolved to indexes, defaults filled in, everything in flat lists.
//!
//! A run reads nothing but this, so that running the same scenario many times (dragging, windows, search) costs no
//! look-ups and no allocation. A model is only made from a scenario that passed validation; that is its invariant.

use std::ops::Range;

use crate::error::ScenarioError;
use crate::scenario::{self, Basis, Exchange, Guard, Initial, Memory, Micros, OnLeaseLost, Scenario, TokenSource};
use crate::time::LocalClock;

/// A scenario made ready to run. `T` is how its times are represented.
#[derive(Clone, Debug, Default)]
pub struct Model<T = i64> {
    pub(crate) leases: Vec<Lease<T>>,
    pub(crate) resources: Vec<Resource<T>>,
    pub(crate) workers: Vec<Worker<T>>,
    /// The steps of all workers, worker after worker.
    pub(crate) steps: Vec<Step<T>>,
    /// What the network does, to all attempts of all steps.
    pub(crate) sends: Vec<Send<T>>,
    pub(crate) copies: Vec<T>,
    pub(crate) pauses: Vec<Pause<T>>,
    /// For an attempt that nothing is said about.
    pub(crate) plain_send: Send<T>,
}

#[derive(Clone, Debug)]
pub(crate) struct Lease<T> {
    pub ttl: T,
    pub lock_delay: T,
    pub tokens: TokenSource,
    pub failovers: Vec<Failover<T>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Failover<T> {
    pub at: T,
    pub next: u64,
    pub forgets_holder: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Resource<T> {
    pub guard: Guard,
    pub token: u64,
    pub forgets: bool,
    pub restarts: Vec<T>,
    pub authenticates: bool,
    pub idempotent: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Worker<T> {
    pub starts: T,
    pub clock: LocalClock<T>,
    pub steps: Range<usize>,
    pub pauses: Range<usize>,
    pub renew_every: Option<T>,
    pub renewal_sends: Range<usize>,
    pub stops_when_lost: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause<T> {
    pub at: T,
    pub length: Option<T>,
}

#[derive(Clone, Debug)]
pub(crate) struct Step<T> {
    pub does: Does<T>,
    pub sends: Range<usize>,
    pub peek_sends: Range<usize>,
    /// How long a reply is waited for, and how many sends there are in all.
    pub retry: Option<(T, u32)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Does<T> {
    Acquire { lease: usize },
    Work { length: T },
    Until { at: T },
    Check { lease: usize, from: Basis, margin: T },
    Read { resource: usize },
    Present(Present),
    Release { lease: usize },
}

/// A write or an establish.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Present {
    pub resource: usize,
    pub lease: Option<usize>,
    /// `None` for a write; an establish takes no key and changes no value.
    pub key: Option<u32>,
    pub token: Option<u64>,
    pub unguarded: bool,
    pub wait: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Send<T> {
    pub delay: T,
    pub reply_delay: T,
    pub lost: bool,
    pub reply_lost: bool,
    pub copies: Range<usize>,
}

impl Model {
    /// Makes a scenario ready to run.
    ///
    /// # Errors
    /// All that is wrong with it, when it is not valid.
    pub fn new(scenario: &Scenario) -> Result<Self, Vec<ScenarioError>> {
        let errors = scenario.validate();
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self::unchecked(scenario))
    }

    /// The same for a scenario that is known to be valid, but for times that a knob may have moved: a run finds out.
    pub(crate) fn unchecked(scenario: &Scenario) -> Self {
        Builder { scenario, model: Self::default(), keys: Vec::new() }.build()
    }

    /// Puts another guard at every resource: what would this very schedule have given under that rule?
    pub fn set_guard(&mut self, guard: Guard) {
        for resource in &mut self.resources {
            resource.guard = guard;
        }
    }
}

struct Builder<'a> {
    scenario: &'a Scenario,
    model: Model,
    /// The idempotency keys seen so far; a key's number is its place here.
    keys: Vec<String>,
}

impl Builder<'_> {
    fn build(mut self) -> Model {
        let scenario = self.scenario;
        let delay = time(scenario.network.delay);
        self.model.plain_send = Send { delay, reply_delay: delay, ..Send::default() };
        self.model.leases = scenario.leases.iter().map(lease).collect();
        self.model.resources = scenario.resources.iter().map(resource).collect();
        for worker in &scenario.workers {
            let first_step = self.model.steps.len();
            for (index, step) in worker.plan.iter().enumerate() {
                let step = self.step(&worker.id, index, step);
                self.model.steps.push(step);
            }
            let first_pause = self.model.pauses.len();
            self.model
                .pauses
                .extend(worker.pauses.iter().map(|pause| Pause { at: time(pause.at), length: pause.length.map(time) }));
            let renewal_sends = self.sends(&worker.renewal_sends);
            self.model.workers.push(Worker {
                starts: time(worker.starts),
                clock: LocalClock { offset: worker.clock.offset, drift_ppm: worker.clock.drift_ppm },
                steps: first_step..self.model.steps.len(),
                pauses: first_pause..self.model.pauses.len(),
                renew_every: worker.renew_every.map(time),
                renewal_sends,
                stops_when_lost: worker.on_lease_lost == OnLeaseLost::Stop,
            });
        }
        self.model
    }

    fn step(&mut self, worker: &str, index: usize, step: &scenario::Step) -> Step<i64> {
        let mut peeks: &[scenario::Send] = &[];
        let does = match step {
            scenario::Step::Acquire { lease, .. } => Does::Acquire { lease: self.lease(lease) },
            scenario::Step::Work { length, .. } => Does::Work { length: time(*length) },
            scenario::Step::Until { at } => Does::Until { at: time(*at) },
            scenario::Step::Check { lease, from, margin } => {
                Does::Check { lease: self.lease(lease), from: *from, margin: time(*margin) }
            }
            scenario::Step::Read { resource, .. } => Does::Read { resource: self.resource(resource) },
            scenario::Step::Establish { resource, lease, peek_sends, .. } => {
                peeks = peek_sends;
                Does::Present(Present {
                    resource: self.resource(resource),
                    lease: lease.as_deref().map(|id| self.lease(id)),
                    key: None,
                    token: None,
                    unguarded: false,
                    wait: true,
                })
            }
            scenario::Step::Write(write) => {
                peeks = &write.peek_sends;
                let key = write.key.clone().unwrap_or_else(|| format!("{worker}/{}", index + 1));
                Does::Present(Present {
                    resource: self.resource(&write.resource),
                    lease: write.lease.as_deref().map(|id| self.lease(id)),
                    key: Some(self.key(key)),
                    token: write.token,
                    unguarded: write.unguarded,
                    wait: write.wait,
                })
            }
            scenario::Step::Release { lease, .. } => Does::Release { lease: self.lease(lease) },
        };
        let plain = Exchange::default();
        let exchange = step.exchange().unwrap_or(&plain);
        Step {
            does,
            sends: self.sends(&exchange.sends),
            peek_sends: self.sends(peeks),
            retry: exchange.retry.map(|retry| (time(retry.after), retry.attempts)),
        }
    }

    fn sends(&mut self, sends: &[scenario::Send]) -> Range<usize> {
        let first = self.model.sends.len();
        for send in sends {
            let first_copy = self.model.copies.len();
            self.model.copies.extend(send.copies.iter().copied().map(time));
            self.model.sends.push(Send {
                delay: time(send.delay.unwrap_or(self.scenario.network.delay)),
                reply_delay: time(send.reply_delay.unwrap_or(self.scenario.network.delay)),
                lost: send.lost,
                reply_lost: send.reply_lost,
                copies: first_copy..self.model.copies.len(),
            });
        }
        first..self.model.sends.len()
    }

    fn lease(&self, id: &str) -> usize {
        self.scenario
            .leases
            .iter()
            .position(|lease| lease.id == id)
            .expect("validation knows every lease that is named")
    }

    fn resource(&self, id: &str) -> usize {
        let resources = &self.scenario.resources;
        resources.iter().position(|resource| resource.id == id).expect("validation knows every resource that is named")
    }

    fn key(&mut self, key: String) -> u32 {
        let place = self.keys.iter().position(|known| *known == key).unwrap_or_else(|| {
            self.keys.push(key);
            self.keys.len() - 1
        });
        place as u32
    }
}

/// A time of a validated document, which is far below the type's end.
fn time(us: Micros) -> i64 {
    us as i64
}

fn lease(lease: &scenario::Lease) -> Lease<i64> {
    let failovers = lease.failovers.iter();
    Lease {
        ttl: time(lease.ttl),
        lock_delay: time(lease.lock_delay),
        tokens: lease.tokens,
        failovers: failovers
            .map(|failover| Failover {
                at: time(failover.at),
                next: failover.next,
                forgets_holder: failover.forgets_holder,
            })
            .collect(),
    }
}

fn resource(resource: &scenario::Resource) -> Resource<i64> {
    let Initial { token, .. } = resource.initial;
    Resource {
        guard: resource.guard,
        token,
        forgets: resource.remembers == Memory::InMemory,
        restarts: resource.restarts.iter().copied().map(time).collect(),
        authenticates: resource.authenticates,
        idempotent: resource.idempotent,
    }
}

impl<T> Model<T> {
    /// What the network does to an attempt (from 1) of a list of sends.
    pub(crate) fn send(&self, sends: &Range<usize>, attempt: u32) -> &Send<T> {
        let index = sends.start + attempt as usize - 1;
        if index < sends.end { &self.sends[index] } else { &self.plain_send }
    }
}
