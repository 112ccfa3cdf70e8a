//! A model whose times move with one knob.

use crate::model::{Does, Failover, Lease, Model, Pause, Resource, Send, Step, Worker};
use crate::time::LocalClock;

use super::kinetic::Moving;

impl Model<Moving> {
    /// The model at a value of the knob, given it there and one step further: the slope of each number is what it
    /// differs by.
    pub(super) fn between(here: &Model, further: &Model) -> Self {
        here.zip(further, |here, further| Moving { us: here, slope: further - here })
    }

    /// The same, for a knob that is turned down: each further step takes away what the number differs by.
    pub(super) fn falling(here: &Model, further: &Model) -> Self {
        here.zip(further, |here, further| Moving { us: here, slope: here - further })
    }

    /// Moves every time by that many steps of the knob.
    pub(super) fn advance(&mut self, steps: i64) {
        self.for_each(|time| time.us += steps * time.slope);
    }
}

impl<T> Model<T> {
    /// Goes through every time of the model.
    fn for_each(&mut self, mut change: impl FnMut(&mut T)) {
        for lease in &mut self.leases {
            change(&mut lease.ttl);
            change(&mut lease.lock_delay);
            lease.failovers.iter_mut().for_each(|failover| change(&mut failover.at));
        }
        self.resources.iter_mut().flat_map(|resource| &mut resource.restarts).for_each(&mut change);
        for worker in &mut self.workers {
            change(&mut worker.starts);
            change(&mut worker.clock.offset);
            worker.renew_every.iter_mut().for_each(&mut change);
        }
        for step in &mut self.steps {
            match &mut step.does {
                Does::Work { length: time } | Does::Until { at: time } | Does::Check { margin: time, .. } => {
                    change(time);
                }
                Does::Acquire { .. } | Does::Read { .. } | Does::Present(_) | Does::Release { .. } => {}
            }
            step.retry.iter_mut().for_each(|(after, _)| change(after));
        }
        for send in self.sends.iter_mut().chain([&mut self.plain_send]) {
            change(&mut send.delay);
            change(&mut send.reply_delay);
        }
        self.copies.iter_mut().for_each(&mut change);
        for pause in &mut self.pauses {
            change(&mut pause.at);
            pause.length.iter_mut().for_each(&mut change);
        }
    }
}

impl<T: Copy> Model<T> {
    /// A model of the same shape, each of its times made from the two at its place.
    fn zip<U: Copy>(&self, other: &Self, make: impl Fn(T, T) -> U) -> Model<U> {
        let both = |a: &[T], b: &[T]| a.iter().zip(b).map(|(&a, &b)| make(a, b)).collect::<Vec<U>>();
        Model {
            leases: (self.leases.iter().zip(&other.leases))
                .map(|(a, b)| Lease {
                    ttl: make(a.ttl, b.ttl),
                    lock_delay: make(a.lock_delay, b.lock_delay),
                    tokens: a.tokens,
                    failovers: (a.failovers.iter().zip(&b.failovers))
                        .map(|(a, b)| Failover { at: make(a.at, b.at), next: a.next, forgets_holder: a.forgets_holder })
                        .collect(),
                })
                .collect(),
            resources: (self.resources.iter().zip(&other.resources))
                .map(|(a, b)| Resource {
                    guard: a.guard,
                    token: a.token,
                    forgets: a.forgets,
                    restarts: both(&a.restarts, &b.restarts),
                    authenticates: a.authenticates,
                    idempotent: a.idempotent,
                })
                .collect(),
            workers: (self.workers.iter().zip(&other.workers))
                .map(|(a, b)| Worker {
                    starts: make(a.starts, b.starts),
                    clock: LocalClock { offset: make(a.clock.offset, b.clock.offset), drift_ppm: a.clock.drift_ppm },
                    steps: a.steps.clone(),
                    pauses: a.pauses.clone(),
                    renew_every: a.renew_every.zip(b.renew_every).map(|(a, b)| make(a, b)),
                    renewal_sends: a.renewal_sends.clone(),
                    stops_when_lost: a.stops_when_lost,
                })
                .collect(),
            steps: (self.steps.iter().zip(&other.steps)).map(|(a, b)| step(a, b, &make)).collect(),
            sends: (self.sends.iter().zip(&other.sends)).map(|(a, b)| send(a, b, &make)).collect(),
            copies: both(&self.copies, &other.copies),
            pauses: (self.pauses.iter().zip(&other.pauses))
                .map(|(a, b)| Pause { at: make(a.at, b.at), length: a.length.zip(b.length).map(|(a, b)| make(a, b)) })
                .collect(),
            plain_send: send(&self.plain_send, &other.plain_send, &make),
        }
    }
}

fn send<T: Copy, U>(a: &Send<T>, b: &Send<T>, make: &impl Fn(T, T) -> U) -> Send<U> {
    Send {
        delay: make(a.delay, b.delay),
        reply_delay: make(a.reply_delay, b.reply_delay),
        lost: a.lost,
        reply_lost: a.reply_lost,
        copies: a.copies.clone(),
    }
}

fn step<T: Copy, U>(a: &Step<T>, b: &Step<T>, make: &impl Fn(T, T) -> U) -> Step<U> {
    let does = match (a.does, b.does) {
        (Does::Work { length: a }, Does::Work { length: b }) => Does::Work { length: make(a, b) },
        (Does::Until { at: a }, Does::Until { at: b }) => Does::Until { at: make(a, b) },
        (Does::Check { lease, from, margin: a }, Does::Check { margin: b, .. }) => {
            Does::Check { lease, from, margin: make(a, b) }
        }
        (Does::Acquire { lease }, _) => Does::Acquire { lease },
        (Does::Read { resource }, _) => Does::Read { resource },
        (Does::Present(present), _) => Does::Present(present),
        (Does::Release { lease }, _) => Does::Release { lease },
        (Does::Work { .. } | Does::Until { .. } | Does::Check { .. }, _) => {
            unreachable!("turning a knob does not change what a step does")
        }
    };
    Step {
        does,
        sends: a.sends.clone(),
        peek_sends: a.peek_sends.clone(),
        retry: a.retry.zip(b.retry).map(|((a, attempts), (b, _))| (make(a, b), attempts)),
    }
}
