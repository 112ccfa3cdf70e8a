//! Random valid scenarios, made to collide: few distinct times, many of them equal, so that ties and ends of intervals
//! are met all the time and not once in a million runs.

use fenceline_engine::Micros;
use fenceline_engine::scenario::{
    Basis, Clock, Exchange, Failover, Guard, Initial, Lease, MAX_EXACT, Memory, Network, OnLeaseLost, Pause, Resource,
    Retry, Scenario, Send, Step, TokenSource, Worker, Write,
};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;

/// The size of a scenario's times.
#[derive(Clone, Copy, Debug)]
pub enum Scale {
    /// Up to 60 us, so that almost everything meets something.
    Micros,
    /// Up to a minute, with the network delays and lease times of a real system.
    Seconds,
}

/// A random valid scenario.
pub fn scenario(scale: Scale) -> BoxedStrategy<Scenario> {
    let lists = (vec(lease(scale), 1..=3), vec(resource(scale), 1..=3), vec(worker(scale), 1..=4));
    (lists, delay(scale))
        .prop_map(|((leases, resources, workers), delay)| {
            let mut scenario = Scenario {
                title: "A random scenario".into(),
                about: String::new(),
                network: Network { delay },
                leases,
                resources,
                workers,
            };
            name_all(&mut scenario);
            scenario
        })
        .boxed()
}

/// Either scale.
pub fn any_scenario() -> BoxedStrategy<Scenario> {
    prop_oneof![3 => scenario(Scale::Micros), 1 => scenario(Scale::Seconds)].boxed()
}

/// Gives everything its id, and turns references, drawn as plain digits, into ids that exist.
///
/// The number of leases and resources is known only here. Drawing references without it keeps every part shrinking on its own.
fn name_all(scenario: &mut Scenario) {
    for (index, lease) in scenario.leases.iter_mut().enumerate() {
        lease.id = format!("lease-{index}");
    }
    for (index, resource) in scenario.resources.iter_mut().enumerate() {
        resource.id = format!("resource-{index}");
    }
    let (leases, resources) = (scenario.leases.len(), scenario.resources.len());
    let rename = |id: &mut String, kind: &str, count: usize| {
        let drawn: usize = id.parse().expect("a reference is drawn as a digit");
        *id = format!("{kind}-{}", drawn % count);
    };
    for (index, worker) in scenario.workers.iter_mut().enumerate() {
        worker.id = char::from(b'A' + index as u8).to_string();
        for step in &mut worker.plan {
            match step {
                Step::Acquire { lease, .. } | Step::Check { lease, .. } | Step::Release { lease, .. } => {
                    rename(lease, "lease", leases);
                }
                Step::Read { resource, .. } => rename(resource, "resource", resources),
                Step::Establish { resource, lease, .. } | Step::Write(Write { resource, lease, .. }) => {
                    rename(resource, "resource", resources);
                    if let Some(lease) = lease {
                        rename(lease, "lease", leases);
                    }
                }
                Step::Work { .. } | Step::Until { .. } => {}
            }
        }
    }
}

fn reference() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just("0".to_owned()), 2 => Just("1".to_owned()), 1 => Just("2".to_owned())]
}

/// A time or duration, often 0, often one that others have too.
fn span(scale: Scale) -> BoxedStrategy<Micros> {
    match scale {
        Scale::Micros => {
            prop_oneof![3 => Just(0), 4 => 1..=8_u64, 3 => (0..=6_u64).prop_map(|tens| tens * 10), 2 => 0..=60_u64]
                .boxed()
        }
        Scale::Seconds => prop_oneof![
            2 => Just(0),
            4 => (0..=20_u64).prop_map(|fifths| fifths * 200_000),
            4 => (0..=60_u64).prop_map(|seconds| seconds * 1_000_000),
            1 => 0..=60_000_000_u64,
        ]
        .boxed(),
    }
}

fn positive(scale: Scale) -> BoxedStrategy<Micros> {
    let least = match scale {
        Scale::Micros => 3,
        Scale::Seconds => 200_000,
    };
    span(scale).prop_map(move |span| if span == 0 { least } else { span }).boxed()
}

/// A message's delay: short next to the rest, so that plans get somewhere.
fn delay(scale: Scale) -> BoxedStrategy<Micros> {
    match scale {
        Scale::Micros => prop_oneof![3 => Just(0), 4 => 1..=4_u64, 1 => 0..=40_u64].boxed(),
        Scale::Seconds => {
            prop_oneof![1 => Just(0), 5 => Just(200_000), 2 => 1..=900_000_u64, 1 => 0..=40_000_000_u64].boxed()
        }
    }
}

/// A token near those that a counter hands out, or far from them.
fn token() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 38..=45_u64, 2 => 0..=2_u64, 1 => Just(999_999), 1 => Just(MAX_EXACT)]
}

fn lease(scale: Scale) -> impl Strategy<Value = Lease> {
    let tokens = prop_oneof![
        6 => (38..=43_u64).prop_map(|next| TokenSource::Counter { next }),
        2 => Just(TokenSource::WorkerClock),
        1 => (0..=50_u64).prop_map(|seed| TokenSource::Random { seed }),
        1 => (0..=MAX_EXACT).prop_map(|seed| TokenSource::Random { seed }),
    ];
    let failover = (span(scale), token(), any::<bool>());
    let failovers = prop_oneof![3 => Just(Vec::new()), 2 => vec(failover, 1..=2)];
    let lock_delay = prop_oneof![3 => Just(0), 2 => span(scale)];
    (positive(scale), lock_delay, tokens, failovers).prop_map(|(ttl, lock_delay, tokens, failovers)| Lease {
        lock_delay,
        tokens,
        failovers: failovers
            .into_iter()
            .map(|(at, next, forgets_holder)| Failover { at, next, forgets_holder })
            .collect(),
        ..Lease::new("", ttl)
    })
}

fn resource(scale: Scale) -> impl Strategy<Value = Resource> {
    let guard = prop::sample::select(Guard::ALL.as_slice());
    let initial = prop_oneof![2 => Just(0), 3 => 38..=42_u64];
    let memory = prop_oneof![Just(Memory::Durably), Just(Memory::InMemory)];
    let restarts = prop_oneof![2 => Just(Vec::new()), 1 => vec(span(scale), 1..=3)];
    (guard, initial, memory, restarts, any::<bool>(), any::<bool>()).prop_map(
        |(guard, token, remembers, restarts, authenticates, idempotent)| Resource {
            guard,
            initial: Initial { token, value: "initial".into() },
            remembers,
            restarts,
            authenticates,
            idempotent,
            ..Resource::new("")
        },
    )
}

fn worker(scale: Scale) -> impl Strategy<Value = Worker> {
    let offset = prop_oneof![
        3 => Just(0),
        2 => -30..=30_i64,
        2 => (-3..=45_i64).prop_map(|ms| ms * 1000),
        1 => -20_000_000..=20_000_000_i64,
    ];
    let drift = prop_oneof![3 => Just(0), 1 => -500_000..=500_000_i32];
    let renew_every = weighted(0.4, positive(scale));
    let plan = (any::<bool>(), reference(), exchange(scale), vec(step(scale), 1..=8)).prop_map(
        |(acquires_first, lease, exchange, mut steps)| {
            if acquires_first {
                steps.insert(0, Step::Acquire { lease, exchange });
            }
            steps
        },
    );
    let lost = prop_oneof![Just(OnLeaseLost::Continue), Just(OnLeaseLost::Stop)];
    (span(scale), (offset, drift), plan, pauses(scale), renew_every, sends(scale), lost).prop_map(
        |(starts, (offset, drift_ppm), plan, pauses, renew_every, renewal_sends, on_lease_lost)| Worker {
            id: String::new(),
            starts,
            clock: Clock { offset, drift_ppm },
            plan,
            pauses,
            renewal_sends: if renew_every.is_some() { renewal_sends } else { Vec::new() },
            renew_every,
            on_lease_lost,
        },
    )
}

/// Pauses one after the other, some touching, some empty, the last perhaps for ever; sometimes in another order than time's.
fn pauses(scale: Scale) -> impl Strategy<Value = Vec<Pause>> {
    let one = (span(scale), span(scale));
    let list = prop_oneof![2 => Just(Vec::new()), 3 => vec(one, 1..=3)];
    let forever = weighted(0.08, span(scale));
    (list, forever, any::<bool>()).prop_map(|(list, forever, backwards)| {
        let mut pauses = Vec::new();
        let mut free_from = 0;
        for (gap, length) in list {
            let at = free_from + gap;
            pauses.push(Pause { at, length: Some(length) });
            free_from = at + length;
        }
        if let Some(gap) = forever {
            pauses.push(Pause { at: free_from + gap, length: None });
        }
        if backwards {
            pauses.reverse();
        }
        pauses
    })
}

fn send(scale: Scale) -> impl Strategy<Value = Send> {
    let delays = (weighted(0.4, delay(scale)), weighted(0.4, delay(scale)));
    let copies = prop_oneof![3 => Just(Vec::new()), 1 => vec(span(scale), 1..=2)];
    (delays, prop::bool::weighted(0.12), prop::bool::weighted(0.12), copies).prop_map(
        |((delay, reply_delay), lost, reply_lost, copies)| Send { delay, reply_delay, lost, reply_lost, copies },
    )
}

fn sends(scale: Scale) -> impl Strategy<Value = Vec<Send>> {
    prop_oneof![Just(Vec::new()), vec(send(scale), 1..=3)]
}

fn exchange(scale: Scale) -> impl Strategy<Value = Exchange> {
    let retry = weighted(0.4, (positive(scale), 1..=4_u32));
    (sends(scale), retry)
        .prop_map(|(sends, retry)| Exchange { sends, retry: retry.map(|(after, attempts)| Retry { after, attempts }) })
}

fn step(scale: Scale) -> BoxedStrategy<Step> {
    let basis = prop_oneof![Just(Basis::Sent), Just(Basis::Received)];
    let establish = (reference(), weighted(0.3, reference()), sends(scale), exchange(scale));
    prop_oneof![
        4 => (reference(), exchange(scale)).prop_map(|(lease, exchange)| Step::Acquire { lease, exchange }),
        3 => span(scale).prop_map(|length| Step::Work { length, label: String::new() }),
        1 => span(scale).prop_map(|at| Step::Until { at }),
        1 => (reference(), basis, prop_oneof![2 => Just(0), 1 => span(scale)])
            .prop_map(|(lease, from, margin)| Step::Check { lease, from, margin }),
        2 => (reference(), exchange(scale)).prop_map(|(resource, exchange)| Step::Read { resource, exchange }),
        2 => establish.prop_map(|(resource, lease, peek_sends, exchange)| Step::Establish {
            resource,
            lease,
            peek_sends,
            exchange
        }),
        7 => write(scale).prop_map(Step::Write),
        2 => (reference(), exchange(scale)).prop_map(|(lease, exchange)| Step::Release { lease, exchange }),
    ]
    .boxed()
}

fn write(scale: Scale) -> impl Strategy<Value = Write> {
    let value = prop_oneof![Just("one"), Just("two"), Just("three")];
    let key = weighted(0.3, prop::sample::select(vec!["k1".to_owned(), "k2".to_owned(), "A/2".to_owned()]));
    let manner = (prop::bool::weighted(0.1), prop::bool::weighted(0.7));
    let under = (weighted(0.3, reference()), weighted(0.25, token()));
    (reference(), value, under, key, manner, sends(scale), exchange(scale)).prop_map(
        |(resource, value, (lease, token), key, (unguarded, wait), peek_sends, mut exchange)| {
            if !wait {
                exchange.retry = None;
            }
            Write { lease, key, token, unguarded, wait, peek_sends, exchange, ..Write::new(&resource, value) }
        },
    )
}
