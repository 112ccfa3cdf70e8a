//! The rules that a scenario must keep before it can run, wherever it came from: a document or a field on the page.
//!
//! Everything that the engine relies on is checked here: names resolve, numbers are in range, no sum of times can
//! overflow. Nothing is allocated for a scenario that is valid and has no more than one pause a worker, since this runs
//! at every frame of a drag.

mod horizon;

use crate::document::quote_text;
use crate::duration::{format_duration, format_signed_duration};
use crate::error::ScenarioError;
use crate::limits::{
    ATTEMPTS, DRIFT, DURATION, EXACT, ID, MAX_COPIES, MAX_LEASES, MAX_PAUSES, MAX_RESOURCES, MAX_STEPS,
    MAX_TOTAL_MICROS, MAX_WORKERS, OFFSET, PAUSE_LENGTH, PERIOD, PLAN, Range, is_id, too_many,
};
use crate::path::{Path, Unread};
use crate::scenario::{Exchange, Lease, Micros, Pause, Resource, Scenario, Send, Step, TokenSource, Worker, Write};

impl Scenario {
    /// Everything that is wrong with the scenario, in the order of its fields; nothing when it can run.
    ///
    /// The paths are those of the document that [`Scenario::to_json`] writes. Whether the run stays within the limit of
    /// events is not decided here.
    pub fn validate(&self) -> Vec<ScenarioError> {
        errors(self, &Unread::default())
    }
}

/// Whether a run's times cannot grow beyond what is kept of them.
pub(crate) fn is_within_horizon(scenario: &Scenario) -> bool {
    horizon::total(scenario) <= MAX_TOTAL_MICROS
}

/// Everything that is wrong with a scenario, save what concerns or follows from the places that could not be read.
pub(crate) fn errors(scenario: &Scenario, unread: &Unread) -> Vec<ScenarioError> {
    let leases_known = all_known(unread, &Path::Root.field("leases"), scenario.leases.len(), MAX_LEASES);
    let resources_known = all_known(unread, &Path::Root.field("resources"), scenario.resources.len(), MAX_RESOURCES);
    let mut check = Check { scenario, unread, leases_known, resources_known, errors: Vec::new() };
    check.scenario();
    check.errors
}

/// Whether all ids of a list could be read, so that one that is not among them does not exist.
fn all_known(unread: &Unread, list: &Path, count: usize, limit: usize) -> bool {
    // One past the end: a reader that stopped at the limit has marked that place.
    count <= limit && !(0..=count).any(|index| unread.covers(&list.index(index).field("id")))
}

struct Check<'a> {
    scenario: &'a Scenario,
    unread: &'a Unread,
    leases_known: bool,
    resources_known: bool,
    errors: Vec<ScenarioError>,
}

impl<'a> Check<'a> {
    fn refuse(&mut self, path: &Path, found: String, allowed: impl Into<String>) {
        if !self.unread.covers(path) {
            self.errors.push(ScenarioError { path: path.to_string(), found, allowed: allowed.into() });
        }
    }

    fn duration(&mut self, us: Micros, path: &Path, range: &Range) {
        if !range.admits_unsigned(us) {
            self.refuse(path, format!("\"{}\"", format_duration(us)), range.allowed);
        }
    }

    fn number(&mut self, number: u64, path: &Path, range: &Range) {
        if !range.admits_unsigned(number) {
            self.refuse(path, number.to_string(), range.allowed);
        }
    }

    /// The items of a list up to its limit; those beyond are one error and not looked at.
    fn items<T>(&mut self, items: &'a [T], path: &Path, what: &str, limit: usize) -> &'a [T] {
        if items.len() > limit {
            let (found, allowed) = too_many(items.len(), what, limit);
            self.refuse(path, found, allowed);
        }
        &items[..items.len().min(limit)]
    }

    fn scenario(&mut self) {
        if !is_within_horizon(self.scenario) {
            let total = horizon::total(self.scenario);
            let found = format!("times that can add up to {} years", in_years(total));
            let allowed = format!("times and durations that add up to at most {} years", in_years(MAX_TOTAL_MICROS));
            self.refuse(&Path::Root, found, allowed);
        }
        let root = Path::Root;
        let scenario = self.scenario;
        self.duration(scenario.network.delay, &root.field("network").field("delay"), &DURATION);

        let leases = root.field("leases");
        let ids = self.items(&scenario.leases, &leases, "leases", MAX_LEASES);
        for (index, lease) in ids.iter().enumerate() {
            let path = leases.index(index);
            self.id(&lease.id, ids[..index].iter().position(|other| other.id == lease.id), &leases, &path, "lease");
            self.lease(lease, &path);
        }
        let resources = root.field("resources");
        let ids = self.items(&scenario.resources, &resources, "resources", MAX_RESOURCES);
        for (index, resource) in ids.iter().enumerate() {
            let path = resources.index(index);
            let twin = ids[..index].iter().position(|other| other.id == resource.id);
            self.id(&resource.id, twin, &resources, &path, "resource");
            self.resource(resource, &path);
        }
        let workers = root.field("workers");
        let ids = self.items(&scenario.workers, &workers, "workers", MAX_WORKERS);
        for (index, worker) in ids.iter().enumerate() {
            let path = workers.index(index);
            self.id(&worker.id, ids[..index].iter().position(|other| other.id == worker.id), &workers, &path, "worker");
            self.worker(worker, &path);
        }
    }

    /// An id, and the place of the first one in its list that is the same.
    fn id(&mut self, id: &str, twin: Option<usize>, list: &Path, path: &Path, what: &str) {
        if !is_id(id) {
            self.refuse(&path.field("id"), quote_text(id), ID);
        } else if let Some(twin) = twin {
            let found = format!("{}, which {} has too", quote_text(id), list.index(twin));
            self.refuse(&path.field("id"), found, format!("an id that no other {what} has"));
        }
    }

    fn lease(&mut self, lease: &'a Lease, path: &Path) {
        self.duration(lease.ttl, &path.field("ttl"), &PERIOD);
        self.duration(lease.lock_delay, &path.field("lock_delay"), &DURATION);
        let tokens = path.field("tokens");
        match lease.tokens {
            TokenSource::Counter { next } => self.number(next, &tokens.field("next"), &EXACT),
            TokenSource::WorkerClock => {}
            TokenSource::Random { seed } => self.number(seed, &tokens.field("seed"), &EXACT),
        }
        let failovers = path.field("failovers");
        for (index, failover) in lease.failovers.iter().enumerate() {
            let path = failovers.index(index);
            self.duration(failover.at, &path.field("at"), &DURATION);
            self.number(failover.next, &path.field("next"), &EXACT);
        }
    }

    fn resource(&mut self, resource: &'a Resource, path: &Path) {
        self.number(resource.initial.token, &path.field("initial").field("token"), &EXACT);
        let restarts = path.field("restarts");
        for (index, at) in resource.restarts.iter().enumerate() {
            self.duration(*at, &restarts.index(index), &DURATION);
        }
    }

    fn worker(&mut self, worker: &'a Worker, path: &Path) {
        self.duration(worker.starts, &path.field("starts"), &DURATION);
        let clock = path.field("clock");
        if !OFFSET.admits(worker.clock.offset) {
            let found = format!("\"{}\"", format_signed_duration(worker.clock.offset));
            self.refuse(&clock.field("offset"), found, OFFSET.allowed);
        }
        if !DRIFT.admits(worker.clock.drift_ppm.into()) {
            self.refuse(&clock.field("drift_ppm"), worker.clock.drift_ppm.to_string(), DRIFT.allowed);
        }
        let plan = path.field("plan");
        if worker.plan.is_empty() {
            self.refuse(&plan, "an empty list".into(), PLAN);
        }
        for (index, step) in self.items(&worker.plan, &plan, "steps", MAX_STEPS).iter().enumerate() {
            self.step(step, &plan.index(index));
        }
        self.pauses(worker, &path.field("pauses"));
        if let Some(every) = worker.renew_every {
            self.duration(every, &path.field("renew_every"), &PERIOD);
        }
        self.sends(&worker.renewal_sends, &path.field("renewal_sends"));
    }

    fn pauses(&mut self, worker: &'a Worker, path: &Path) {
        let pauses = self.items(&worker.pauses, path, "pauses", MAX_PAUSES);
        for (index, pause) in pauses.iter().enumerate() {
            let path = path.index(index);
            self.duration(pause.at, &path.field("at"), &DURATION);
            if let Some(length) = pause.length {
                self.duration(length, &path.field("for"), &PAUSE_LENGTH);
            }
        }
        if pauses.len() < 2 {
            return;
        }
        let mut in_time: Vec<(usize, &Pause)> = pauses.iter().enumerate().collect();
        in_time.retain(|(index, pause)| pause.length != Some(0) && !self.unread.touches(&path.index(*index)));
        in_time.sort_by_key(|(index, pause)| (pause.at, *index));
        let mut longest: Option<(usize, &Pause)> = None;
        for (index, pause) in in_time {
            if let Some((other, longest)) = longest.filter(|(_, longest)| pause.at < end(longest)) {
                let found = format!("a pause {}", span(pause));
                let allowed = format!("pauses that do not overlap; {} lasts {}", path.index(other), span(longest));
                self.refuse(&path.index(index), found, allowed);
            }
            if longest.is_none_or(|(_, longest)| end(longest) < end(pause)) {
                longest = Some((index, pause));
            }
        }
    }

    fn step(&mut self, step: &'a Step, path: &Path) {
        match step {
            Step::Acquire { lease, .. } | Step::Release { lease, .. } => self.lease_id(lease, path),
            Step::Work { length, .. } => self.duration(*length, &path.field("for"), &DURATION),
            Step::Until { at } => self.duration(*at, &path.field("at"), &DURATION),
            Step::Check { lease, margin, .. } => {
                self.lease_id(lease, path);
                self.duration(*margin, &path.field("margin"), &DURATION);
            }
            Step::Read { resource, .. } => self.resource_id(resource, path),
            Step::Establish { resource, lease, peek_sends, .. } => {
                self.resource_id(resource, path);
                if let Some(lease) = lease {
                    self.lease_id(lease, path);
                }
                self.sends(peek_sends, &path.field("peek_sends"));
            }
            Step::Write(write) => self.write(write, path),
        }
        if let Some(Exchange { sends, retry }) = step.exchange() {
            self.sends(sends, &path.field("sends"));
            if let Some(retry) = retry {
                let path = path.field("retry");
                self.duration(retry.after, &path.field("after"), &PERIOD);
                self.number(retry.attempts.into(), &path.field("attempts"), &ATTEMPTS);
            }
        }
    }

    fn write(&mut self, write: &'a Write, path: &Path) {
        self.resource_id(&write.resource, path);
        if let Some(lease) = &write.lease {
            self.lease_id(lease, path);
        }
        if let Some(token) = write.token {
            self.number(token, &path.field("token"), &EXACT);
        }
        self.sends(&write.peek_sends, &path.field("peek_sends"));
        if !write.wait && write.exchange.retry.is_some() {
            let found = r#"a retry of a write with "wait": false"#;
            self.refuse(&path.field("retry"), found.into(), "a retry only where the write waits for its reply");
        }
    }

    fn sends(&mut self, sends: &'a [Send], path: &Path) {
        for (index, send) in sends.iter().enumerate() {
            let path = path.index(index);
            if let Some(delay) = send.delay {
                self.duration(delay, &path.field("delay"), &DURATION);
            }
            if let Some(delay) = send.reply_delay {
                self.duration(delay, &path.field("reply_delay"), &DURATION);
            }
            let copies = path.field("copies");
            for (index, delay) in self.items(&send.copies, &copies, "copies", MAX_COPIES).iter().enumerate() {
                self.duration(*delay, &copies.index(index), &DURATION);
            }
        }
    }

    fn lease_id(&mut self, id: &str, step: &Path) {
        let known = &self.scenario.leases;
        if self.leases_known && !known.iter().any(|lease| lease.id == id) {
            let allowed = ids_in_words(known.iter().map(|lease| lease.id.as_str()), "lease");
            self.refuse(&step.field("lease"), quote_text(id), allowed);
        }
    }

    fn resource_id(&mut self, id: &str, step: &Path) {
        let known = &self.scenario.resources;
        if self.resources_known && !known.iter().any(|resource| resource.id == id) {
            let allowed = ids_in_words(known.iter().map(|resource| resource.id.as_str()), "resource");
            self.refuse(&step.field("resource"), quote_text(id), allowed);
        }
    }
}

fn ids_in_words<'a>(ids: impl Iterator<Item = &'a str>, what: &str) -> String {
    let ids: Vec<String> = ids.map(quote_text).collect();
    if ids.is_empty() {
        return format!("the id of a {what}; the scenario has none yet");
    }
    format!("the id of a {what}: {}", ids.join(", "))
}

/// The first instant after a pause.
fn end(pause: &Pause) -> Micros {
    pause.length.map_or(Micros::MAX, |length| pause.at.saturating_add(length))
}

fn span(pause: &Pause) -> String {
    let from = format_duration(pause.at);
    match pause.length {
        Some(_) => format!("from {from} to {}", format_duration(end(pause))),
        None => format!("from {from} for ever"),
    }
}

fn in_years(us: u128) -> u64 {
    u64::try_from(us / (365 * 86_400 * 1_000_000)).unwrap_or(u64::MAX)
}
