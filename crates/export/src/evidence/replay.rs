//! What a script has to do, before it is written in a language: what happened at the destinations, act by act.
//!
//! One walk over the events. What the network and the workers did is told beside the acts, in the words of the narrative, and
//! not done again: a script replays what a destination got, and its clock is the time of each arrival.

use std::collections::BTreeSet;

use fenceline_engine::scenario::{Memory, Micros, Step};
use fenceline_engine::trace::{Direction, Happening, Lane, Message, MessageId, Subject, Verdict};
use fenceline_engine::{Decision, Guard, Kind, Scale, Scenario, Trace, narrate, show_instant, show_time, visible};

use super::sql::Statement;

/// A whole replay.
pub struct Replay<'a> {
    /// What the scenario says of itself, line by line, made visible.
    pub about: Vec<String>,
    /// Which tables it takes.
    pub tables: Tables,
    /// The rows at first, by resource.
    pub first: Vec<Row<'a>>,
    /// What is done, in order.
    pub acts: Vec<Act<'a>>,
    /// The rows at the end, by resource.
    pub last: Vec<Row<'a>>,
}

/// Which tables a replay takes besides that of the resources.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each table or column, each by itself")]
pub struct Tables {
    /// Whether a sequence is remembered.
    pub seq: bool,
    /// The leases that are live.
    pub leases: bool,
    /// Which token was handed to whom.
    pub issued: bool,
    /// The keys of applied writes.
    pub seen: bool,
}

/// A resource's row.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub resource: &'a str,
    /// None where there is no token to compare with.
    pub token: Option<u64>,
    /// None where no sequence is remembered.
    pub seq: Option<u32>,
    pub body: &'a str,
}

/// One thing that is done.
pub enum Act<'a> {
    /// A remark: what happened elsewhere, or what is about to be done.
    Told(String),
    /// The lease service grants.
    Grants { lease: &'a str, grant: u32, token: u64, worker: &'a str, ends_at: Micros },
    /// It moves the end of a live grant, or ends it now.
    Ends { lease: &'a str, grant: u32, at: Micros },
    /// A restart forgets what a resource remembered.
    Forgets(Row<'a>),
    /// A worker's look at the remembered token arrives.
    Looks { what: String, resource: &'a str, sees: u64 },
    /// The worker compares what it was told, and sends its write or gives it up.
    Compares { what: String, at: String, token: Option<u64>, sends: bool },
    /// A request is decided.
    Arrives(Box<Arrival<'a>>),
}

impl Act<'_> {
    pub const fn grants(&self) -> bool {
        matches!(self, Self::Grants { .. })
    }

    pub const fn ends(&self) -> bool {
        matches!(self, Self::Ends { .. })
    }

    pub const fn looks(&self) -> bool {
        matches!(self, Self::Looks { .. })
    }

    pub const fn forgets(&self) -> bool {
        matches!(self, Self::Forgets(_))
    }
}

/// A request that is decided. What its resource does not look at is none.
pub struct Arrival<'a> {
    pub at: String,
    pub what: String,
    pub decision: Decision,
    pub statement: Statement,
    pub resource: &'a str,
    pub token: Option<u64>,
    pub seq: Option<u32>,
    pub body: Option<&'a str>,
    pub key: Option<String>,
    pub worker: Option<&'a str>,
    pub lease: Option<&'a str>,
    pub grant: Option<u32>,
    pub now: Option<Micros>,
}

impl<'a> Replay<'a> {
    /// What happened at the destinations in that run.
    pub fn of(scenario: &'a Scenario, trace: &Trace) -> Self {
        let resources = &scenario.resources;
        let tables = Tables {
            seq: resources.iter().any(|of| of.guard == Guard::TokenSeq),
            leases: resources.iter().any(|of| of.guard == Guard::Holder),
            issued: resources.iter().any(|of| of.authenticates),
            seen: resources.iter().any(|of| of.idempotent),
        };
        let first: Vec<Row> = resources
            .iter()
            .map(|of| Row {
                resource: &of.id,
                token: (of.guard != Guard::Same).then_some(of.initial.token),
                seq: (of.guard == Guard::TokenSeq).then_some(0),
                body: &of.initial.value,
            })
            .collect();
        let mut walk = Walk { scenario, trace, scale: Scale::of(trace), tables, acts: Vec::new(), rows: first.clone() };
        walk.walk();
        let Walk { acts, rows, .. } = walk;
        let about = [&scenario.title, &scenario.about];
        let about =
            about.into_iter().map(|text| visible(text).trim().to_owned()).filter(|text| !text.is_empty()).collect();
        Self { about, tables, first, acts, last: rows }
    }

    /// Whether it does something of that kind: a script has no method that it does not call.
    pub fn does(&self, kind: fn(&Act<'a>) -> bool) -> bool {
        self.acts.iter().any(kind)
    }

    /// Each statement that an arrival runs, once, in order of first use.
    pub fn statements(&self) -> Vec<Statement> {
        let mut statements = Vec::new();
        for act in &self.acts {
            if let Act::Arrives(arrival) = act
                && !statements.contains(&arrival.statement)
            {
                statements.push(arrival.statement);
            }
        }
        statements
    }
}

struct Walk<'a, 't> {
    scenario: &'a Scenario,
    trace: &'t Trace,
    scale: Scale,
    tables: Tables,
    acts: Vec<Act<'a>>,
    /// The rows as the trace has them so far.
    rows: Vec<Row<'a>>,
}

impl Walk<'_, '_> {
    fn walk(&mut self) {
        let trace = self.trace;
        let looks = self.looks_that_count();
        let width = show_time(trace.ended_at, self.scale).chars().count();
        let mut sentences = narrate(self.scenario, trace).into_iter().peekable();
        let mut tell = |acts: &mut Vec<Act>, until: Option<u32>, scale| {
            while let Some(sentence) = sentences.next_if(|of| until.is_none_or(|event| of.event <= event)) {
                let (time, text) = (show_time(sentence.at, scale), visible(&sentence.plain()));
                acts.push(Act::Told(format!("{time:>width$}  {text}")));
            }
        };
        for (id, event) in trace.events.iter().enumerate() {
            tell(&mut self.acts, Some(id as u32), self.scale);
            match event.what {
                Happening::Granted(number) => self.granted(number),
                Happening::Renewed(number, end) => self.ends(number, end),
                Happening::Released(number) | Happening::Forgotten(number) => self.ends(number, event.at),
                Happening::Restarted => self.restarted(event.lane),
                Happening::Arrived(message) => self.looked(message, &looks),
                Happening::Received(message) => self.compared(message, &looks, event.at),
                Happening::Decided(index) => self.decided(index),
                _ => {}
            }
        }
        tell(&mut self.acts, None, self.scale);
    }

    /// The answers to peeks that their workers went by: of several, which all travel alike, the first; only of what was decided.
    fn looks_that_count(&self) -> Vec<MessageId> {
        let mut looked = BTreeSet::new();
        let each = self.trace.messages.iter().enumerate();
        let counts = each.filter(|(_, message)| {
            message.subject == Subject::Peek
                && message.direction == Direction::Reply
                && message.handled_at.is_some()
                && self.verdict_at(message).is_some()
                && looked.insert((message.worker, message.step))
        });
        counts.map(|(id, _)| id as MessageId).collect()
    }

    /// The first decision about what a message's step sends.
    fn verdict_at(&self, message: &Message) -> Option<&Verdict> {
        let step = message.step?;
        self.trace.writes.iter().find(|verdict| verdict.worker == message.worker && verdict.step == step)
    }

    fn granted(&mut self, number: u32) {
        if !self.tables.leases && !self.tables.issued {
            return;
        }
        let Some(grant) = self.trace.grant(number) else { return };
        let of = self.scenario.leases.get(grant.lease).zip(self.scenario.workers.get(grant.worker));
        let Some((lease, worker)) = of else { return };
        let ends_at = grant.granted_at + lease.ttl;
        let (lease, worker) = (&lease.id, &worker.id);
        self.acts.push(Act::Grants { lease, grant: number, token: grant.token, worker, ends_at });
    }

    fn ends(&mut self, number: u32, at: Micros) {
        let lease = self.trace.grant(number).and_then(|grant| self.scenario.leases.get(grant.lease));
        if let (true, Some(lease)) = (self.tables.leases, lease) {
            self.acts.push(Act::Ends { lease: &lease.id, grant: number, at });
        }
    }

    fn restarted(&mut self, lane: Lane) {
        let Lane::Resource(index) = lane else { return };
        let (Some(of), Some(row)) = (self.scenario.resources.get(index), self.rows.get_mut(index)) else { return };
        if of.remembers == Memory::InMemory {
            row.token = (of.guard != Guard::Same).then_some(of.initial.token);
            row.seq = row.seq.map(|_| 0);
            self.acts.push(Act::Forgets(*row));
        }
    }

    fn looked(&mut self, message: MessageId, looks: &[MessageId]) {
        let messages = &self.trace.messages;
        let answer =
            looks.iter().filter_map(|&id| messages.get(id as usize)).find(|answer| answer.answers == Some(message));
        let Some((answer, Lane::Resource(index))) = answer.map(|answer| (answer, answer.peer)) else { return };
        let Some(row) = self.rows.get(index) else { return };
        let what = self.name(answer.worker, answer.step.unwrap_or_default());
        self.acts.push(Act::Looks { what, resource: row.resource, sees: row.token.unwrap_or_default() });
    }

    fn compared(&mut self, message: MessageId, looks: &[MessageId], at: Micros) {
        if !looks.contains(&message) {
            return;
        }
        let answer = self.trace.messages.get(message as usize);
        let Some(verdict) = answer.and_then(|answer| self.verdict_at(answer)) else { return };
        let (what, at) = (self.name(verdict.worker, verdict.step), show_instant(at, self.scale));
        self.acts.push(Act::Compares { what, at, token: verdict.token, sends: !verdict.given_up });
    }

    /// A write by its worker and step: `A/3`.
    fn name(&self, worker: usize, step: usize) -> String {
        let worker = self.scenario.workers.get(worker).map_or("", |worker| worker.id.as_str());
        format!("{}/{}", visible(worker), step + 1)
    }

    fn decided(&mut self, index: u32) {
        let Some(verdict) = self.trace.writes.get(index as usize).filter(|verdict| !verdict.given_up) else { return };
        let of = self.scenario.resources.get(verdict.resource).zip(self.scenario.workers.get(verdict.worker));
        let Some((resource, worker)) = of else { return };
        let write = match worker.plan.get(verdict.step) {
            Some(Step::Write(write)) => Some(write),
            _ => None,
        };
        let guarded = !verdict.unguarded;
        let guard = if guarded { resource.guard } else { Guard::None };
        let own_key = || {
            let key = write.and_then(|write| write.key.clone());
            key.unwrap_or_else(|| [worker.id.as_str(), "/", &(verdict.step + 1).to_string()].concat())
        };
        let grant = verdict.grant.and_then(|number| self.trace.grant(number)).filter(|_| guard == Guard::Holder);
        let lease = grant.and_then(|grant| self.scenario.leases.get(grant.lease));
        let body = write.map(|write| write.value.as_str());
        let mut what = self.name(verdict.worker, verdict.step);
        if verdict.attempt > 1 {
            what.extend([" attempt ", &verdict.attempt.to_string()]);
        }
        if verdict.copy > 0 {
            what.extend([" copy ", &verdict.copy.to_string()]);
        }
        if let Some(row) = self.rows.get_mut(verdict.resource).filter(|_| verdict.decision == Decision::Accepted) {
            row.body = body.unwrap_or(row.body);
            if guard != Guard::None {
                row.token = verdict.token;
                row.seq = row.seq.map(|_| verdict.seq);
            }
        }
        self.acts.push(Act::Arrives(Box::new(Arrival {
            at: show_instant(verdict.decided_at, self.scale),
            what,
            decision: verdict.decision,
            statement: Statement { guard, kind: verdict.kind },
            resource: &resource.id,
            // What is not asked for is not bound: a statement says by itself what it compares.
            token: verdict.token.filter(|_| guard != Guard::None || (guarded && resource.authenticates)),
            seq: (guard == Guard::TokenSeq).then_some(verdict.seq),
            body,
            key: (resource.idempotent && guarded && verdict.kind == Kind::Write).then(own_key),
            worker: (resource.authenticates && guarded).then_some(&worker.id),
            lease: lease.map(|lease| lease.id.as_str()),
            grant: grant.map(|grant| grant.number),
            now: (guard == Guard::Holder).then_some(verdict.decided_at),
        })));
    }
}
