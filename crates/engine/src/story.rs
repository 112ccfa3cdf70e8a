//! A run with the names that its scenario gives: the lookups and phrases that every sentence about it is made of.
//!
//! Headline, narrative and explanation say the same thing in the same words because they all take them from here.
//! Nothing here judges: standing, reasons and flags are the trace's.

use crate::clock::{Scale, show_instant, show_span};
use crate::scenario::{Guard, Micros, Resource, Scenario, Step, Write};
use crate::summary::{carried, value_of};
use crate::trace::{
    Decision, Direction, EndedBy, Event, Grant, Happening, Kind, Lane, Message, PauseSpan, Reason, Standing, Subject,
    Trace, Verdict,
};
use crate::words::{is_noun, name, quote};

/// A scenario and its trace, told together.
pub(crate) struct Story<'a> {
    pub scenario: &'a Scenario,
    pub trace: &'a Trace,
    pub scale: Scale,
    /// Tokens that were handed out more than once, sorted.
    reused: Vec<u64>,
    /// For each decision, the request that it decided.
    requests: Vec<Option<u32>>,
}

impl<'a> Story<'a> {
    pub fn new(scenario: &'a Scenario, trace: &'a Trace) -> Self {
        let mut tokens: Vec<u64> = trace.grants.iter().map(|grant| grant.token).collect();
        tokens.sort_unstable();
        let mut reused: Vec<u64> = tokens.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        reused.dedup();
        let mut requests = vec![None; trace.writes.len()];
        for (id, message) in trace.messages.iter().enumerate() {
            let decides = matches!(message.subject, Subject::Write | Subject::Establish);
            if decides
                && message.direction == Direction::Request
                && let Some(request) = message.verdict.and_then(|verdict| requests.get_mut(verdict as usize))
            {
                *request = Some(id as u32);
            }
        }
        Self { scenario, trace, scale: Scale::of(trace), reused, requests }
    }

    pub fn at(&self, at: Micros) -> String {
        show_instant(at, self.scale)
    }

    pub fn span(&self, length: Micros) -> String {
        show_span(length, self.scale)
    }

    // Who and what.

    /// A worker's name.
    pub fn worker(&self, index: usize) -> String {
        self.scenario.workers.get(index).map_or_else(|| "?".into(), |worker| name(&worker.id))
    }

    fn resource_of(&self, index: usize) -> Option<&'a Resource> {
        self.scenario.resources.get(index)
    }

    /// Whether a resource can be called by its id as by a noun: it is the only one, and its id is a word.
    fn is_the_noun(&self, of: &Resource) -> bool {
        self.scenario.resources.len() == 1 && is_noun(&of.id)
    }

    /// A resource inside a sentence: `the report`, or `‘orders-db’`.
    pub fn resource(&self, index: usize) -> String {
        match self.resource_of(index) {
            Some(of) if self.is_the_noun(of) => format!("the {}", of.id),
            Some(of) => quote(&of.id),
            None => "?".into(),
        }
    }

    /// A newer value of a resource: `newer report`, or `newer value of ‘orders-db’`.
    pub fn newer_value(&self, index: usize) -> String {
        match self.resource_of(index) {
            Some(of) if self.is_the_noun(of) => format!("newer {}", of.id),
            _ => format!("newer value of {}", self.resource(index)),
        }
    }

    /// A lease inside a sentence: `the lease` when there is one only.
    pub fn lease(&self, index: usize) -> String {
        match self.scenario.leases.get(index) {
            Some(of) if self.scenario.leases.len() > 1 => format!("lease {}", quote(&of.id)),
            _ => "the lease".into(),
        }
    }

    /// A grant by the token it was given: `lease 41`; with its holder (and its number) where that does not tell.
    pub fn grant(&self, number: u32) -> String {
        let Some(grant) = self.trace.grant(number) else { return "its lease".into() };
        let lease = format!("lease {}", grant.token);
        if self.reused.binary_search(&grant.token).is_err() {
            return lease;
        }
        let who = self.worker(grant.worker);
        let same = |other: &&Grant| (other.token, other.worker) == (grant.token, grant.worker);
        match self.trace.grants.iter().filter(same).nth(1) {
            None => format!("{who}’s {lease}"),
            Some(_) => format!("{who}’s {lease} (grant {number})"),
        }
    }

    // About one decision.

    pub fn verdict(&self, index: u32) -> Option<&'a Verdict> {
        self.trace.writes.get(index as usize)
    }

    pub fn guard_of(&self, verdict: &Verdict) -> Guard {
        self.resource_of(verdict.resource).map_or(Guard::None, |resource| resource.guard)
    }

    pub fn write_of(&self, verdict: &Verdict) -> Option<&'a Write> {
        match self.scenario.workers.get(verdict.worker)?.plan.get(verdict.step)? {
            Step::Write(write) => Some(write),
            _ => None,
        }
    }

    /// `write` or `establish`.
    pub fn kind(verdict: &Verdict) -> &'static str {
        match verdict.kind {
            Kind::Write => "write",
            Kind::Establish => "establish",
        }
    }

    /// What a writer sends, as its possession: `A’s ‘stale report’`, `B’s establish`, with attempt and copy where there are several.
    pub fn thing(&self, verdict: &Verdict) -> String {
        let mut thing = self.step_thing(verdict.worker, verdict.step);
        if verdict.attempt > 1 {
            thing = format!("{thing} (attempt {})", verdict.attempt);
        }
        match verdict.copy {
            0 => thing,
            1 => format!("{thing} (a copy)"),
            copy => format!("{thing} (copy {copy})"),
        }
    }

    /// What a step sends: `A’s ‘stale report’`.
    pub fn step_thing(&self, worker: usize, step: usize) -> String {
        let what = match self.scenario.workers.get(worker).and_then(|worker| worker.plan.get(step)) {
            Some(Step::Write(_)) => match carried(self.scenario, worker, step) {
                "" => "empty value".into(),
                value => quote(value),
            },
            Some(Step::Establish { .. }) => "establish".into(),
            _ => "request".into(),
        };
        format!("{}’s {what}", self.worker(worker))
    }

    /// A write by its standing: `A’s stale write (41)`, `cleanup’s write without a token`.
    pub fn act(&self, verdict: &Verdict) -> String {
        let (worker, kind) = (self.worker(verdict.worker), Self::kind(verdict));
        match (verdict.standing, verdict.token) {
            (Standing::Current, Some(token)) => format!("{worker}’s {kind} ({token})"),
            (Standing::Current, None) => format!("{worker}’s {kind}"),
            (Standing::Unleased, Some(token)) => format!("{worker}’s {kind} without a lease ({token})"),
            (Standing::Unleased, None) => format!("{worker}’s {kind} without a token"),
            (_, Some(token)) => format!("{worker}’s stale {kind} ({token})"),
            (_, None) => format!("{worker}’s stale {kind}"),
        }
    }

    pub fn token(token: Option<u64>) -> String {
        token.map_or_else(|| "no token".into(), |token| token.to_string())
    }

    /// The message that was decided; none for a write that its worker gave up.
    pub fn request(&self, verdict: u32) -> Option<&'a Message> {
        let id = *self.requests.get(verdict as usize)?;
        self.trace.messages.get(id? as usize)
    }

    /// When the request was sent; for one given up, when that was decided.
    pub fn sent_at(&self, index: u32, verdict: &Verdict) -> Micros {
        self.request(index).map_or(verdict.decided_at, |message| message.sent_at)
    }

    // Around a grant.

    pub fn grant_of(&self, verdict: &Verdict) -> Option<&'a Grant> {
        self.trace.grant(verdict.grant?)
    }

    /// The first later grant of the same lease.
    pub fn successor(&self, grant: &Grant) -> Option<&'a Grant> {
        self.trace.grants.iter().find(|other| other.lease == grant.lease && other.number > grant.number)
    }

    /// The first accepted write or establish at that resource under a later grant of that lease.
    pub fn first_known(&self, grant: &Grant, resource: usize) -> Option<u32> {
        let index = self.trace.writes.iter().position(|verdict| {
            verdict.resource == resource
                && verdict.decision == Decision::Accepted
                && !verdict.unguarded
                && self.grant_of(verdict).is_some_and(|by| by.lease == grant.lease && by.number > grant.number)
        });
        index.map(|index| index as u32)
    }

    /// The last request under a later grant of the writer's lease that was refused here before: what is known to the
    /// destination only as refused did not make its way into what it remembers.
    pub fn turned_away(&self, index: u32, verdict: &Verdict) -> Option<&'a Verdict> {
        let grant = self.grant_of(verdict)?;
        self.trace.writes.get(..index as usize)?.iter().rev().find(|earlier| {
            earlier.resource == verdict.resource
                && earlier.decision == Decision::Rejected
                && !earlier.given_up
                && self.grant_of(earlier).is_some_and(|by| by.lease == grant.lease && by.number > grant.number)
        })
    }

    /// Whether a grant had ended when that was decided, and when.
    pub fn ended_by(&self, verdict: &Verdict) -> Option<(Micros, EndedBy)> {
        // By its standing, not by comparing times: at one instant the order of events decides.
        match verdict.standing {
            Standing::Expired | Standing::Superseded => self.grant_of(verdict)?.ended,
            Standing::Current | Standing::Unleased => None,
        }
    }

    /// Where the end of the verdict's live grant stood when that was decided: it may have been renewed since.
    pub fn end_then(&self, verdict: &Verdict) -> Option<Micros> {
        let grant = self.grant_of(verdict)?;
        let ttl = self.scenario.leases.get(grant.lease)?.ttl;
        let events = self.trace.events.get(..verdict.event as usize).unwrap_or_default();
        let renewed = events.iter().rev().find_map(|event| match event.what {
            Happening::Renewed(number, end) if number == grant.number => Some(end),
            _ => None,
        });
        Some(renewed.unwrap_or(grant.granted_at + ttl))
    }

    /// The grant of a lease that was live when the event came.
    pub fn live(&self, lease: usize, event: u32) -> Option<&'a Grant> {
        let events = self.trace.events.get(..event as usize).unwrap_or_default();
        let mut live = None;
        for event in events.iter().filter(|event| event.lane == Lane::Lease(lease)) {
            match event.what {
                Happening::Granted(number) => live = self.trace.grant(number),
                Happening::Expired(_) | Happening::Released(_) | Happening::Forgotten(_) => live = None,
                _ => {}
            }
        }
        live
    }

    /// The last pause of a worker that overlaps an interval.
    pub fn last_pause(&self, worker: usize, from: Micros, until: Micros) -> Option<&'a PauseSpan> {
        self.trace.pauses.iter().rev().find(|pause| {
            pause.worker == worker && pause.from < until && pause.until.is_none_or(|resume| resume > from)
        })
    }

    // Around a resource.

    /// The decision whose value a resource held just before that one.
    pub fn held_before(&self, index: u32, resource: usize) -> Option<u32> {
        (0..index)
            .rev()
            .find(|&earlier| self.verdict(earlier).is_some_and(|of| of.resource == resource && of.applied()))
    }

    /// The decision whose token a resource remembered just before that one; none when it is the initial one.
    pub fn remembered_from(&self, index: u32, verdict: &Verdict) -> Option<u32> {
        if self.guard_of(verdict) == Guard::None {
            return None;
        }
        let setter = (0..index).rev().find(|&earlier| {
            self.verdict(earlier)
                .is_some_and(|of| of.resource == verdict.resource && of.decision == Decision::Accepted && !of.unguarded)
        })?;
        (self.verdict(setter)?.token == Some(verdict.remembered_token)).then_some(setter)
    }

    /// The token that a resource remembers at first.
    pub fn started_with(&self, resource: usize) -> Option<u64> {
        self.resource_of(resource).map(|resource| resource.initial.token)
    }

    /// The token that a resource remembered when an event (an index) came.
    pub fn remembered_at(&self, resource: usize, event: usize) -> u64 {
        let Some(of) = self.resource_of(resource) else { return 0 };
        let events = self.trace.events.get(..event).unwrap_or_default();
        let set = events.iter().rev().find_map(|event| match (event.what, event.lane) {
            (Happening::Decided(index), _) => self.verdict(index).and_then(|verdict| {
                let takes = verdict.resource == resource
                    && verdict.decision == Decision::Accepted
                    && !verdict.unguarded
                    && of.guard != Guard::None;
                verdict.token.filter(|_| takes)
            }),
            (Happening::Restarted, Lane::Resource(restarted)) => {
                let forgets = restarted == resource && of.remembers != crate::scenario::Memory::Durably;
                forgets.then_some(of.initial.token)
            }
            _ => None,
        });
        set.unwrap_or(of.initial.token)
    }

    /// The last restart at which a resource forgot, between two decisions.
    pub fn forgot_between(&self, earlier: &Verdict, later: &Verdict) -> Option<Micros> {
        if self.resource_of(later.resource)?.remembers == crate::scenario::Memory::Durably {
            return None;
        }
        let events = self.trace.events.get(earlier.event as usize..later.event as usize)?;
        let restarted =
            |event: &&Event| event.what == Happening::Restarted && event.lane == Lane::Resource(later.resource);
        events.iter().rev().find(restarted).map(|event| event.at)
    }

    /// What an applied decision wrote, quoted.
    pub fn value(&self, index: u32) -> String {
        quote(value_of(self.scenario, self.trace, index))
    }

    // Why.

    /// The comparison in words: `41 is not above 42`, `lease 41 is over`, `it carries no token`.
    pub fn ground(&self, verdict: &Verdict) -> String {
        let (token, seq) = (Self::token(verdict.token), verdict.seq);
        let (remembered, remembered_seq) = (verdict.remembered_token, verdict.remembered_seq);
        if verdict.unguarded {
            return "it goes around the guard".into();
        }
        match verdict.reason {
            Some(Reason::TokenMissing) => return "it carries no token".into(),
            Some(Reason::TokenForged) => return format!("{token} was not issued to {}", self.worker(verdict.worker)),
            Some(Reason::NotHolder) => {
                return match verdict.grant {
                    Some(grant) => format!("{} is over", self.grant(grant)),
                    None => format!("{} holds no lease", self.worker(verdict.worker)),
                };
            }
            _ => {}
        }
        if verdict.decision == Decision::Replayed {
            return "its key is known".into();
        }
        let accepted = verdict.decision == Decision::Accepted;
        let is = if accepted { "is" } else { "is not" };
        match self.guard_of(verdict) {
            Guard::None => "nothing is compared".into(),
            Guard::CheckThenWrite if accepted => "it is not compared again".into(),
            Guard::CheckThenWrite | Guard::Newer => format!("{token} {is} above {remembered}"),
            Guard::NewerOrEqual if accepted => format!("{token} is not below {remembered}"),
            Guard::NewerOrEqual => format!("{token} is below {remembered}"),
            Guard::Same if accepted && verdict.token != Some(remembered) => {
                "nothing has been accepted there yet".into()
            }
            Guard::Same if accepted => format!("{token} equals {remembered}"),
            Guard::Same => format!("{token} does not equal {remembered}"),
            Guard::TokenSeq => format!("({token}, {seq}) {is} above ({remembered}, {remembered_seq})"),
            Guard::Holder => verdict.grant.map_or_else(String::new, |grant| format!("{} is live", self.grant(grant))),
        }
    }
}
