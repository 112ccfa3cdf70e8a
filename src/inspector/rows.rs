//! What the inspector shows of each part: its fields, its lists and what can be done with it, as plain data.
//!
//! It exists so that a field is one line of a table and not a component of its own. Invariant: together the rows of all
//! parts hold every field of the document's format (held against it in `coverage`).

use fenceline_engine::scenario::{Guard, Send, TokenSource, Worker};
use fenceline_engine::{Scenario, format_duration};

use super::step_rows;
use crate::edit::{Action, Company, New, company};
use crate::selection::Part;

/// One row of the inspector.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A heading over what follows.
    Heading(String),
    /// A field.
    Field(Field),
    /// A list of parts that can be gone to, under a label.
    Parts(&'static str, Vec<(Part, String)>),
    /// Buttons.
    Actions(Vec<(Action, String)>),
    /// A choice of kinds of step, each of which adds one (worker, after which step).
    Steps(usize, Option<usize>),
}

impl Row {
    /// What tells it from the other rows of its part, also after an edit that adds or removes some before it.
    pub fn key(&self) -> String {
        match self {
            Self::Field(field) => [field.pointer.as_str(), " ", field.kind.name()].concat(),
            Self::Heading(words) => ["heading ", words].concat(),
            Self::Parts(label, _) => ["parts ", label].concat(),
            Self::Steps(..) => "steps".into(),
            Self::Actions(actions) => match actions.first() {
                // Where something is added at the end of a list: the list stays, its end moves.
                Some((Action::Put(pointer, _), words)) => {
                    let list = pointer.rsplit_once('/').map_or("", |(list, _)| list);
                    ["put ", list, " ", words].concat()
                }
                Some((Action::Take(pointer), _)) => ["take ", pointer].concat(),
                Some((_, words)) => ["act ", words].concat(),
                None => "nothing".into(),
            },
        }
    }
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Where its value stands in the document.
    pub pointer: String,
    /// What it is called.
    pub label: &'static str,
    /// What it means, in a few words; may be empty.
    pub hint: &'static str,
    /// What it holds where the document says nothing; none for a field that may be empty.
    pub default: Option<String>,
    /// What stands in an empty field; may be empty.
    pub placeholder: String,
    /// What an empty field means, where the buttons beside it go on from; may be empty.
    pub usual: String,
    /// What kind of value it holds.
    pub kind: FieldKind,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// A duration or a time.
    Time,
    /// A duration that may be negative.
    Signed,
    /// A whole number, with how far the buttons beside it go.
    Whole(u32),
    /// A text.
    Text,
    /// A text of some sentences.
    Long,
    /// The name of a part, which whatever refers to it follows.
    Name(Part),
    /// Yes or no.
    Flag,
    /// One of some values, each with its words.
    Choice(Vec<(String, String)>),
    /// What a step does (worker, step).
    StepKind(usize, usize),
    /// Where the tokens of a lease come from.
    Tokens(usize),
}

impl FieldKind {
    /// Its name in keys and classes.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Signed => "signed",
            Self::Whole(_) => "whole",
            Self::Text => "text",
            Self::Long => "long",
            Self::Name(_) => "name",
            Self::Flag => "flag",
            Self::Choice(_) => "choice",
            Self::StepKind(..) => "kind",
            Self::Tokens(_) => "tokens",
        }
    }
}

/// A field that the document may leave out, with what it then holds.
pub fn field(pointer: String, label: &'static str, kind: FieldKind, default: &str) -> Row {
    let default = Some(default.into());
    Row::Field(Field { pointer, label, hint: "", default, placeholder: String::new(), usual: String::new(), kind })
}

/// A field that may be empty.
pub fn optional(pointer: String, label: &'static str, kind: FieldKind, placeholder: String) -> Row {
    Row::Field(Field { pointer, label, hint: "", default: None, placeholder, usual: String::new(), kind })
}

/// The same row with a hint.
pub fn hinted(row: Row, hint: &'static str) -> Row {
    match row {
        Row::Field(field) => Row::Field(Field { hint, ..field }),
        other => other,
    }
}

/// The rows of a part; of the document as a whole when there is none.
pub fn rows(scenario: &Scenario, part: Option<Part>) -> Vec<Row> {
    let mut rows = Vec::new();
    match part {
        None => document(&mut rows, scenario),
        Some(Part::Lease(index)) => lease(&mut rows, scenario, index),
        Some(Part::Resource(index)) => resource(&mut rows, scenario, index),
        Some(Part::Worker(index)) => worker(&mut rows, scenario, index),
        Some(Part::Step(of, step)) => {
            step_rows::step(&mut rows, scenario, of, step);
            rows.push(Row::Steps(of, Some(step)));
        }
        Some(Part::Pause(of, pause)) => pause_rows(&mut rows, scenario, of, pause),
    }
    if let Some(part) = part {
        rows.push(Row::Actions(whole_part(scenario, part)));
    }
    rows
}

/// What can be done with a part as a whole.
fn whole_part(scenario: &Scenario, part: Part) -> Vec<(Action, String)> {
    let mut actions = Vec::new();
    if !matches!(part, Part::Pause(..)) {
        actions.push((Action::Shift(part, -1), "Move up".into()));
        actions.push((Action::Shift(part, 1), "Move down".into()));
    }
    actions.push((Action::Duplicate(part), "Duplicate".into()));
    actions.push((Action::Remove(part), removal_words(company(scenario, part))));
    actions
}

/// What the button that removes a part says: all that goes.
fn removal_words(company: Company) -> String {
    let steps = match company.steps {
        0 => String::new(),
        1 => ", with the step that needs it".into(),
        many => [", with the ", &many.to_string(), " steps that need it"].concat(),
    };
    let and = if company.steps == 0 { ", with " } else { " and " };
    let workers = match company.workers {
        0 => String::new(),
        1 => [and, "the worker that has no other"].concat(),
        many => [and, "the ", &many.to_string(), " workers that have no other"].concat(),
    };
    ["Remove", &steps, &workers].concat()
}

fn document(rows: &mut Vec<Row>, scenario: &Scenario) {
    rows.push(field("/title".into(), "Title", FieldKind::Text, ""));
    rows.push(field("/about".into(), "What to look for", FieldKind::Long, ""));
    rows.push(hinted(
        field("/network/delay".into(), "Network delay", FieldKind::Time, "0s"),
        "of every request and reply that names none",
    ));
    let parts = |of: fn(usize) -> Part, ids: Vec<&String>| {
        ids.into_iter().enumerate().map(|(index, id)| (of(index), id.clone())).collect()
    };
    rows.push(Row::Parts("Workers", parts(Part::Worker, scenario.workers.iter().map(|worker| &worker.id).collect())));
    rows.push(Row::Parts("Leases", parts(Part::Lease, scenario.leases.iter().map(|lease| &lease.id).collect())));
    rows.push(Row::Parts("Resources", parts(Part::Resource, scenario.resources.iter().map(|of| &of.id).collect())));
    rows.push(Row::Actions(vec![
        (Action::Add(New::Worker), "Add a worker".into()),
        (Action::Add(New::Lease), "Add a lease".into()),
        (Action::Add(New::Resource), "Add a resource".into()),
    ]));
}

fn lease(rows: &mut Vec<Row>, scenario: &Scenario, index: usize) {
    let Some(lease) = scenario.leases.get(index) else { return };
    let at = |field: &str| format!("/leases/{index}/{field}");
    rows.push(field(at("id"), "Name", FieldKind::Name(Part::Lease(index)), ""));
    rows.push(hinted(field(at("ttl"), "Time to live", FieldKind::Time, ""), "how long a grant lasts"));
    rows.push(hinted(
        field(at("lock_delay"), "Lock delay", FieldKind::Time, "0s"),
        "the wait after an expiry before it is granted again",
    ));
    rows.push(field(at("tokens/from"), "Tokens come from", FieldKind::Tokens(index), "counter"));
    match lease.tokens {
        TokenSource::Counter { .. } => {
            rows.push(field(at("tokens/next"), "First token", FieldKind::Whole(1), "41"));
        }
        TokenSource::Random { .. } => rows.push(field(at("tokens/seed"), "Seed", FieldKind::Whole(1), "0")),
        TokenSource::WorkerClock => {}
    }
    for failover in 0..lease.failovers.len() {
        let at = |field: &str| format!("/leases/{index}/failovers/{failover}/{field}");
        rows.push(Row::Heading(["Failover ", &(failover + 1).to_string()].concat()));
        rows.push(hinted(field(at("at"), "Happens at", FieldKind::Time, ""), "a standby takes over"));
        rows.push(hinted(
            field(at("next"), "Next token", FieldKind::Whole(1), ""),
            "where the standby’s counter stands",
        ));
        rows.push(field(at("forgets_holder"), "The standby does not know the holder", FieldKind::Flag, "true"));
        rows.push(Row::Actions(vec![(
            Action::Take(format!("/leases/{index}/failovers/{failover}")),
            ["Remove failover ", &(failover + 1).to_string()].concat(),
        )]));
    }
    let next = lease.failovers.len();
    let json = r#"{ "at": "10s", "next": 41 }"#;
    let add = Action::Put(format!("/leases/{index}/failovers/{next}"), json);
    rows.push(Row::Actions(vec![(add, "Add a failover".into())]));
}

/// A guard's name for a list of choices.
pub const fn guard_words(guard: Guard) -> &'static str {
    match guard {
        Guard::None => "no guard",
        Guard::CheckThenWrite => "check, then write",
        Guard::Newer => "token > last",
        Guard::NewerOrEqual => "token ≥ last",
        Guard::Same => "token = last",
        Guard::TokenSeq => "(token, sequence) > last",
        Guard::Holder => "holder check in the same transaction",
    }
}

fn resource(rows: &mut Vec<Row>, scenario: &Scenario, index: usize) {
    let Some(resource) = scenario.resources.get(index) else { return };
    let at = |field: &str| format!("/resources/{index}/{field}");
    let choice = |values: &[(&str, &str)]| {
        FieldKind::Choice(values.iter().map(|(value, words)| ((*value).into(), (*words).into())).collect())
    };
    rows.push(field(at("id"), "Name", FieldKind::Name(Part::Resource(index)), ""));
    let guards = Guard::ALL.map(|guard| (guard.name(), guard_words(guard)));
    rows.push(hinted(field(at("guard"), "Guard", choice(&guards), "newer"), "the rule by which it accepts a write"));
    rows.push(field(at("initial/token"), "Remembers at first", FieldKind::Whole(1), "0"));
    rows.push(field(at("initial/value"), "Holds at first", FieldKind::Text, "initial"));
    let memories = [("durably", "on disk: a restart keeps it"), ("in-memory", "in memory: a restart forgets it")];
    rows.push(field(at("remembers"), "Remembers the token", choice(&memories), "durably"));
    rows.push(hinted(
        field(at("authenticates"), "Checks whose token it is", FieldKind::Flag, "false"),
        "a token that was not issued to its sender is refused",
    ));
    rows.push(hinted(
        field(at("idempotent"), "Keeps the key of each write", FieldKind::Flag, "false"),
        "a repeated write has no second effect",
    ));
    for restart in 0..resource.restarts.len() {
        rows.push(field(format!("/resources/{index}/restarts/{restart}"), "Restarts at", FieldKind::Time, ""));
        let number = (restart + 1).to_string();
        let take = Action::Take(format!("/resources/{index}/restarts/{restart}"));
        rows.push(Row::Actions(vec![(take, ["Remove restart ", &number].concat())]));
    }
    let add = Action::Put(format!("/resources/{index}/restarts/{}", resource.restarts.len()), r#""10s""#);
    rows.push(Row::Actions(vec![(add, "Add a restart".into())]));
}

fn worker(rows: &mut Vec<Row>, scenario: &Scenario, index: usize) {
    let Some(worker) = scenario.workers.get(index) else { return };
    let at = |field: &str| format!("/workers/{index}/{field}");
    rows.push(field(at("id"), "Name", FieldKind::Name(Part::Worker(index)), ""));
    rows.push(field(at("starts"), "Starts at", FieldKind::Time, "0s"));
    let steps = worker.plan.iter().enumerate();
    let steps = steps.map(|(step, of)| (Part::Step(index, step), step_rows::step_words(of))).collect();
    rows.push(Row::Parts("Plan", steps));
    rows.push(Row::Steps(index, None));
    let pauses = worker.pauses.iter().enumerate();
    let pauses = pauses.map(|(pause, of)| (Part::Pause(index, pause), pause_words(of))).collect();
    rows.push(Row::Parts("Pauses", pauses));
    rows.push(Row::Actions(vec![(Action::Add(New::Pause(index)), "Add a pause".into())]));
    rows.push(Row::Heading("Its own clock".into()));
    rows.push(hinted(field(at("clock/offset"), "Ahead by", FieldKind::Signed, "0s"), "negative when it is behind"));
    rows.push(hinted(
        field(at("clock/drift_ppm"), "Faster by", FieldKind::Whole(100), "0"),
        "parts per million; 10,000 is 1 %",
    ));
    rows.push(Row::Heading("Renewals".into()));
    rows.push(hinted(
        optional(at("renew_every"), "Renews every", FieldKind::Time, "it does not".into()),
        "empty: it does not renew",
    ));
    let lost =
        FieldKind::Choice(vec![("continue".into(), "goes on".into()), ("stop".into(), "stops: its plan ends".into())]);
    rows.push(field(at("on_lease_lost"), "When told that the lease is lost", lost, "continue"));
    renewal_sends(rows, scenario, index, worker);
}

fn renewal_sends(rows: &mut Vec<Row>, scenario: &Scenario, index: usize, worker: &Worker) {
    for (attempt, send) in worker.renewal_sends.iter().enumerate() {
        rows.push(Row::Heading(["Renewal ", &(attempt + 1).to_string()].concat()));
        send_rows(rows, scenario, &format!("/workers/{index}/renewal_sends/{attempt}"), Some(send));
    }
    if worker.renew_every.is_some() {
        let next = worker.renewal_sends.len();
        let add = Action::Put(format!("/workers/{index}/renewal_sends/{next}"), "{}");
        let mut actions = vec![(add, ["Delay or lose renewal ", &(next + 1).to_string()].concat())];
        if let Some(last) = next.checked_sub(1) {
            let take = Action::Take(format!("/workers/{index}/renewal_sends/{last}"));
            actions.push((take, ["As usual: renewal ", &next.to_string()].concat()));
        }
        rows.push(Row::Actions(actions));
    }
}

/// What the network does to one attempt, at that place.
pub fn send_rows(rows: &mut Vec<Row>, scenario: &Scenario, place: &str, send: Option<&Send>) {
    let at = |field: &str| [place, "/", field].concat();
    let usual = format_duration(scenario.network.delay);
    for (name, label) in [("delay", "Request takes"), ("reply_delay", "Reply takes")] {
        let (pointer, placeholder) = (at(name), [&usual, ", as usual"].concat());
        let (kind, usual) = (FieldKind::Time, usual.clone());
        rows.push(Row::Field(Field { pointer, label, hint: "", default: None, placeholder, usual, kind }));
    }
    rows.push(field(at("lost"), "Drop the request", FieldKind::Flag, "false"));
    rows.push(field(at("reply_lost"), "Drop the reply", FieldKind::Flag, "false"));
    let copies = send.map_or(0, |send| send.copies.len());
    for copy in 0..copies {
        rows.push(field(at(&format!("copies/{copy}")), "A copy takes", FieldKind::Time, ""));
        let number = (copy + 1).to_string();
        let take = Action::Take(at(&format!("copies/{copy}")));
        rows.push(Row::Actions(vec![(take, ["Remove copy ", &number].concat())]));
    }
    let add = Action::Put(at(&format!("copies/{copies}")), r#""5s""#);
    rows.push(Row::Actions(vec![(add, "Duplicate the request".into())]));
}

fn pause_words(pause: &fenceline_engine::scenario::Pause) -> String {
    let length = pause.length.map_or_else(|| "for ever".into(), |length| ["for ", &format_duration(length)].concat());
    ["at ", &format_duration(pause.at), " ", &length].concat()
}

fn pause_rows(rows: &mut Vec<Row>, scenario: &Scenario, index: usize, pause: usize) {
    let Some(of) = scenario.workers.get(index).and_then(|worker| worker.pauses.get(pause)) else { return };
    let at = |field: &str| format!("/workers/{index}/pauses/{pause}/{field}");
    rows.push(field(at("at"), "Starts at", FieldKind::Time, ""));
    rows.push(hinted(field(at("for"), "Lasts", FieldKind::Time, ""), "“forever” for a crash"));
    let (json, words) = match of.length {
        Some(_) => (r#""forever""#, "It never wakes up"),
        None => (r#""5s""#, "It wakes up again"),
    };
    rows.push(Row::Actions(vec![(Action::Put(at("for"), json), words.into())]));
}
