//! The parts of a document outside the plans: the document itself, leases, resources, workers, pauses.
//!
//! Each function names the fields of its object in the order of the types, with what stands in when one is left out.

use super::fields::Object;
use super::{DOCUMENT, Reader, step};
use crate::document::Node;
use crate::limits::{
    DRIFT, DURATION, EXACT, ID, MAX_LEASES, MAX_PAUSES, MAX_RESOURCES, MAX_STEPS, MAX_WORKERS, PAUSE_LENGTH, PERIOD,
    PLAN,
};
use crate::path::Path;
use crate::scenario::{
    Clock, Failover, Guard, Initial, Lease, Memory, Micros, Network, OnLeaseLost, Pause, Resource, Scenario,
    TokenSource, Worker,
};

/// The only schema version.
const VERSION: &str = "1, the schema version";

pub(super) fn scenario(reader: &mut Reader, node: &Node, path: &Path) -> Scenario {
    let Some(object) = reader.object(node, path, DOCUMENT) else { return Scenario::default() };
    reader.only(object, &["version", "title", "about", "network", "leases", "resources", "workers"]);
    reader.required(object, "version", VERSION, version);
    Scenario {
        title: reader.optional(object, "title", Reader::text).unwrap_or_default(),
        about: reader.optional(object, "about", Reader::text).unwrap_or_default(),
        network: reader.optional(object, "network", network).unwrap_or_default(),
        leases: reader.list_to(object, "leases", "leases", MAX_LEASES, lease),
        resources: reader.list_to(object, "resources", "resources", MAX_RESOURCES, resource),
        workers: reader.list_to(object, "workers", "workers", MAX_WORKERS, worker),
    }
}

fn version(reader: &mut Reader, node: &Node, path: &Path) -> Option<()> {
    if *node == Node::Unsigned(1) {
        return Some(());
    }
    reader.refuse_value(node, path, VERSION);
    None
}

fn network(reader: &mut Reader, node: &Node, path: &Path) -> Option<Network> {
    let object = reader.object_of(node, path, "the network", &["delay"])?;
    Some(Network { delay: reader.optional(object, "delay", Reader::duration).unwrap_or_default() })
}

fn id(reader: &mut Reader, object: Object) -> String {
    reader.required(object, "id", ID, |reader, node, path| reader.text_as(node, path, ID)).unwrap_or_default()
}

fn time(reader: &mut Reader, object: Object, name: &str) -> Micros {
    reader.required(object, name, DURATION.allowed, Reader::duration).unwrap_or_default()
}

fn lease(reader: &mut Reader, node: &Node, path: &Path) -> Lease {
    let known = ["id", "ttl", "lock_delay", "tokens", "failovers"];
    let Some(object) = reader.object_of(node, path, "a lease", &known) else { return Lease::new("", 0) };
    Lease {
        id: id(reader, object),
        ttl: reader.required(object, "ttl", PERIOD.allowed, Reader::period).unwrap_or_default(),
        lock_delay: reader.optional(object, "lock_delay", Reader::duration).unwrap_or_default(),
        tokens: reader.optional(object, "tokens", token_source).unwrap_or_default(),
        failovers: reader.list(object, "failovers", r#"failovers such as { "at": "10s", "next": 41 }"#, failover),
    }
}

#[derive(Clone, Copy)]
enum Origin {
    Counter,
    WorkerClock,
    Random,
}

fn token_source(reader: &mut Reader, node: &Node, path: &Path) -> Option<TokenSource> {
    let example = r#"where tokens come from, for example { "from": "counter", "next": 41 }"#;
    let object = reader.object(node, path, example)?;
    // Which other fields belong here cannot be said when `from` could not be read.
    if !reader.once(object, "from") {
        return None;
    }
    let from = reader.optional(object, "from", |reader, node, path| {
        let choices = [("counter", Origin::Counter), ("worker-clock", Origin::WorkerClock), ("random", Origin::Random)];
        reader.choice(node, path, &choices)
    });
    if from.is_none() && object.get("from").is_some() {
        return None;
    }
    Some(match from.unwrap_or(Origin::Counter) {
        Origin::Counter => {
            reader.only(object, &["from", "next"]);
            match reader.optional(object, "next", Reader::exact) {
                Some(next) => TokenSource::Counter { next },
                None => TokenSource::default(),
            }
        }
        Origin::WorkerClock => {
            reader.only(object, &["from"]);
            TokenSource::WorkerClock
        }
        Origin::Random => {
            reader.only(object, &["from", "seed"]);
            let seed = reader.required(object, "seed", EXACT.allowed, Reader::exact);
            TokenSource::Random { seed: seed.unwrap_or_default() }
        }
    })
}

fn failover(reader: &mut Reader, node: &Node, path: &Path) -> Failover {
    let Some(object) = reader.object_of(node, path, "a failover", &["at", "next", "forgets_holder"]) else {
        return Failover { at: 0, next: 0, forgets_holder: true };
    };
    Failover {
        at: time(reader, object, "at"),
        next: reader.required(object, "next", EXACT.allowed, Reader::exact).unwrap_or_default(),
        forgets_holder: reader.optional(object, "forgets_holder", Reader::flag).unwrap_or(true),
    }
}

pub(super) fn guard(reader: &mut Reader, node: &Node, path: &Path) -> Option<Guard> {
    reader.choice(node, path, &Guard::ALL.map(|guard| (guard.name(), guard)))
}

fn resource(reader: &mut Reader, node: &Node, path: &Path) -> Resource {
    let known = ["id", "guard", "initial", "remembers", "restarts", "authenticates", "idempotent"];
    let Some(object) = reader.object_of(node, path, "a resource", &known) else { return Resource::new("") };
    let memories = [("durably", Memory::Durably), ("in-memory", Memory::InMemory)];
    Resource {
        id: id(reader, object),
        guard: reader.optional(object, "guard", guard).unwrap_or_default(),
        initial: reader.optional(object, "initial", initial).unwrap_or_default(),
        remembers: reader
            .optional(object, "remembers", |r, node, path| r.choice(node, path, &memories))
            .unwrap_or_default(),
        restarts: reader.list(object, "restarts", r#"times such as "30s""#, time_item),
        authenticates: reader.optional(object, "authenticates", Reader::flag).unwrap_or_default(),
        idempotent: reader.optional(object, "idempotent", Reader::flag).unwrap_or_default(),
    }
}

pub(super) fn time_item(reader: &mut Reader, node: &Node, path: &Path) -> Micros {
    reader.duration(node, path).unwrap_or_default()
}

fn initial(reader: &mut Reader, node: &Node, path: &Path) -> Option<Initial> {
    let object = reader.object_of(node, path, "what the resource holds at first", &["token", "value"])?;
    let default = Initial::default();
    Some(Initial {
        token: reader.optional(object, "token", Reader::exact).unwrap_or(default.token),
        value: reader.optional(object, "value", Reader::text).unwrap_or(default.value),
    })
}

fn worker(reader: &mut Reader, node: &Node, path: &Path) -> Worker {
    let known = ["id", "starts", "clock", "plan", "pauses", "renew_every", "renewal_sends", "on_lease_lost"];
    let Some(object) = reader.object_of(node, path, "a worker", &known) else { return Worker::default() };
    reader.present(object, "plan", PLAN);
    let endings = [("continue", OnLeaseLost::Continue), ("stop", OnLeaseLost::Stop)];
    Worker {
        id: id(reader, object),
        starts: reader.optional(object, "starts", Reader::duration).unwrap_or_default(),
        clock: reader.optional(object, "clock", clock).unwrap_or_default(),
        plan: reader.list_to(object, "plan", "steps", MAX_STEPS, step::step),
        pauses: reader.list_to(object, "pauses", "pauses", MAX_PAUSES, pause),
        renew_every: reader.optional(object, "renew_every", Reader::period),
        renewal_sends: reader.list(object, "renewal_sends", step::SENDS, step::send),
        on_lease_lost: reader
            .optional(object, "on_lease_lost", |r, node, path| r.choice(node, path, &endings))
            .unwrap_or_default(),
    }
}

fn clock(reader: &mut Reader, node: &Node, path: &Path) -> Option<Clock> {
    let object = reader.object_of(node, path, "the worker's clock", &["offset", "drift_ppm"])?;
    let drift = reader.optional(object, "drift_ppm", |reader, node, path| reader.number(node, path, &DRIFT));
    Some(Clock {
        offset: reader.optional(object, "offset", Reader::offset).unwrap_or_default(),
        drift_ppm: drift.and_then(|drift| drift.try_into().ok()).unwrap_or_default(),
    })
}

fn pause(reader: &mut Reader, node: &Node, path: &Path) -> Pause {
    let Some(object) = reader.object_of(node, path, "a pause", &["at", "for"]) else {
        return Pause { at: 0, length: Some(0) };
    };
    let at = time(reader, object, "at");
    if matches!(object.get("for"), Some(Node::Text(text)) if text == "forever") {
        return Pause { at, length: None };
    }
    let length = reader.required(object, "for", PAUSE_LENGTH.allowed, |reader, node, path| {
        reader.duration_within(node, path, &PAUSE_LENGTH)
    });
    Pause { at, length: Some(length.unwrap_or_default()) }
}
