//! A scenario as the shortest readable document: fields in the order of the types, everything at its default left out.
//!
//! Reading the text back gives the same scenario, and it is never longer than what it was read from has to be: where
//! the lay-out for a person would pass the limit of a document, the same text is written without spaces.

use crate::document::Node;
use crate::duration::{format_duration, format_signed_duration};
use crate::limits::MAX_DOCUMENT_BYTES;
use crate::scenario::{
    Basis, Clock, Exchange, Failover, Guard, Initial, Lease, Memory, Micros, Network, OnLeaseLost, Pause, Resource,
    Retry, Scenario, Send, Step, TokenSource, Worker, Write,
};

impl Scenario {
    /// Writes the scenario as a JSON document, schema version 1, without a newline at its end.
    ///
    /// [`Scenario::from_json`] reads it back as it was, provided that it is valid.
    pub fn to_json(&self) -> String {
        let document = tree(self);
        let readable = document.to_readable_json();
        if readable.len() <= MAX_DOCUMENT_BYTES { readable } else { document.to_compact_json() }
    }
}

/// The fields of an object that is being put together.
#[derive(Default)]
struct Fields(Vec<(String, Node)>);

impl Fields {
    fn put(&mut self, name: &str, node: Node) {
        self.0.push((name.into(), node));
    }

    fn text(&mut self, name: &str, text: &str) {
        self.put(name, Node::Text(text.into()));
    }

    fn text_unless(&mut self, name: &str, text: &str, default: &str) {
        if text != default {
            self.text(name, text);
        }
    }

    fn maybe_text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    fn time(&mut self, name: &str, time: Micros) {
        self.put(name, duration(time));
    }

    fn time_unless_zero(&mut self, name: &str, time: Micros) {
        if time != 0 {
            self.time(name, time);
        }
    }

    fn maybe_time(&mut self, name: &str, time: Option<Micros>) {
        if let Some(time) = time {
            self.time(name, time);
        }
    }

    fn number(&mut self, name: &str, number: u64) {
        self.put(name, Node::Unsigned(number));
    }

    fn number_unless(&mut self, name: &str, number: u64, default: u64) {
        if number != default {
            self.number(name, number);
        }
    }

    fn flag_unless(&mut self, name: &str, flag: bool, default: bool) {
        if flag != default {
            self.put(name, Node::Bool(flag));
        }
    }

    fn object_unless_empty(&mut self, name: &str, fields: Fields) {
        if !fields.0.is_empty() {
            self.put(name, fields.into_node());
        }
    }

    fn list<T>(&mut self, name: &str, items: &[T], item: impl Fn(&T) -> Node) {
        self.put(name, Node::List(items.iter().map(item).collect()));
    }

    fn list_unless_empty<T>(&mut self, name: &str, items: &[T], item: impl Fn(&T) -> Node) {
        if !items.is_empty() {
            self.list(name, items, item);
        }
    }

    fn into_node(self) -> Node {
        Node::Object(self.0)
    }
}

fn duration(us: Micros) -> Node {
    Node::Text(format_duration(us))
}

/// The document as a tree.
pub(crate) fn tree(scenario: &Scenario) -> Node {
    let Scenario { title, about, network: Network { delay }, leases, resources, workers } = scenario;
    let mut fields = Fields::default();
    fields.number("version", 1);
    fields.text_unless("title", title, "");
    fields.text_unless("about", about, "");
    let mut network = Fields::default();
    network.time_unless_zero("delay", *delay);
    fields.object_unless_empty("network", network);
    fields.list_unless_empty("leases", leases, lease);
    fields.list_unless_empty("resources", resources, resource);
    fields.list_unless_empty("workers", workers, worker);
    fields.into_node()
}

fn lease(lease: &Lease) -> Node {
    let Lease { id, ttl, lock_delay, tokens, failovers } = lease;
    let mut fields = Fields::default();
    fields.text("id", id);
    fields.time("ttl", *ttl);
    fields.time_unless_zero("lock_delay", *lock_delay);
    fields.object_unless_empty("tokens", token_source(*tokens));
    fields.list_unless_empty("failovers", failovers, failover);
    fields.into_node()
}

fn token_source(source: TokenSource) -> Fields {
    let mut fields = Fields::default();
    match source {
        _ if source == TokenSource::default() => {}
        TokenSource::Counter { next } => fields.number("next", next),
        TokenSource::WorkerClock => fields.text("from", "worker-clock"),
        TokenSource::Random { seed } => {
            fields.text("from", "random");
            fields.number("seed", seed);
        }
    }
    fields
}

fn failover(failover: &Failover) -> Node {
    let Failover { at, next, forgets_holder } = *failover;
    let mut fields = Fields::default();
    fields.time("at", at);
    fields.number("next", next);
    fields.flag_unless("forgets_holder", forgets_holder, true);
    fields.into_node()
}

fn resource(resource: &Resource) -> Node {
    let Resource { id, guard, initial: Initial { token, value }, remembers, restarts, authenticates, idempotent } =
        resource;
    let mut fields = Fields::default();
    fields.text("id", id);
    fields.text_unless("guard", guard.name(), Guard::default().name());
    let mut initial = Fields::default();
    let default = Initial::default();
    initial.number_unless("token", *token, default.token);
    initial.text_unless("value", value, &default.value);
    fields.object_unless_empty("initial", initial);
    if *remembers == Memory::InMemory {
        fields.text("remembers", "in-memory");
    }
    fields.list_unless_empty("restarts", restarts, |at| duration(*at));
    fields.flag_unless("authenticates", *authenticates, false);
    fields.flag_unless("idempotent", *idempotent, false);
    fields.into_node()
}

fn worker(worker: &Worker) -> Node {
    let Worker {
        id,
        starts,
        clock: Clock { offset, drift_ppm },
        plan,
        pauses,
        renew_every,
        renewal_sends,
        on_lease_lost,
    } = worker;
    let mut fields = Fields::default();
    fields.text("id", id);
    fields.time_unless_zero("starts", *starts);
    let mut clock = Fields::default();
    if *offset != 0 {
        clock.text("offset", &format_signed_duration(*offset));
    }
    if *drift_ppm != 0 {
        let drift = i64::from(*drift_ppm);
        clock.put("drift_ppm", u64::try_from(drift).map_or(Node::Negative(drift), Node::Unsigned));
    }
    fields.object_unless_empty("clock", clock);
    fields.list("plan", plan, step);
    fields.list_unless_empty("pauses", pauses, pause);
    fields.maybe_time("renew_every", *renew_every);
    fields.list_unless_empty("renewal_sends", renewal_sends, send);
    if *on_lease_lost == OnLeaseLost::Stop {
        fields.text("on_lease_lost", "stop");
    }
    fields.into_node()
}

fn pause(pause: &Pause) -> Node {
    let mut fields = Fields::default();
    fields.time("at", pause.at);
    fields.put("for", pause.length.map_or_else(|| Node::Text("forever".into()), duration));
    fields.into_node()
}

fn step(step: &Step) -> Node {
    let mut fields = Fields::default();
    fields.text("do", step.name());
    match step {
        Step::Acquire { lease, exchange } | Step::Release { lease, exchange } => {
            fields.text("lease", lease);
            put_exchange(&mut fields, exchange);
        }
        Step::Work { length, label } => {
            fields.time("for", *length);
            fields.text_unless("label", label, "");
        }
        Step::Until { at } => fields.time("at", *at),
        Step::Check { lease, from, margin } => {
            fields.text("lease", lease);
            if *from == Basis::Received {
                fields.text("from", "received");
            }
            fields.time_unless_zero("margin", *margin);
        }
        Step::Read { resource, exchange } => {
            fields.text("resource", resource);
            put_exchange(&mut fields, exchange);
        }
        Step::Establish { resource, lease, peek_sends, exchange } => {
            fields.text("resource", resource);
            fields.maybe_text("lease", lease.as_deref());
            fields.list_unless_empty("peek_sends", peek_sends, send);
            put_exchange(&mut fields, exchange);
        }
        Step::Write(write) => put_write(&mut fields, write),
    }
    fields.into_node()
}

fn put_write(fields: &mut Fields, write: &Write) {
    let Write { resource, value, lease, key, token, unguarded, wait, peek_sends, exchange } = write;
    fields.text("resource", resource);
    fields.text("value", value);
    fields.maybe_text("lease", lease.as_deref());
    fields.maybe_text("key", key.as_deref());
    if let Some(token) = token {
        fields.number("token", *token);
    }
    fields.flag_unless("unguarded", *unguarded, false);
    fields.flag_unless("wait", *wait, true);
    fields.list_unless_empty("peek_sends", peek_sends, send);
    put_exchange(fields, exchange);
}

fn put_exchange(fields: &mut Fields, exchange: &Exchange) {
    fields.list_unless_empty("sends", &exchange.sends, send);
    if let Some(Retry { after, attempts }) = exchange.retry {
        let mut retry = Fields::default();
        retry.time("after", after);
        retry.number("attempts", attempts.into());
        fields.put("retry", retry.into_node());
    }
}

fn send(send: &Send) -> Node {
    let Send { delay, reply_delay, lost, reply_lost, copies } = send;
    let mut fields = Fields::default();
    fields.maybe_time("delay", *delay);
    fields.maybe_time("reply_delay", *reply_delay);
    fields.flag_unless("lost", *lost, false);
    fields.flag_unless("reply_lost", *reply_lost, false);
    fields.list_unless_empty("copies", copies, |delay| duration(*delay));
    fields.into_node()
}
