//! What happened, as a list of sentences: the full text equivalent of the drawing.
//!
//! One walk over the events, in linear time. Not every event is told: a request is told where it is decided, heartbeats
//! are gathered, a reply is told when somebody learns from it. What is left out can be inferred from what is there.

use crate::clock::{show_length, show_span};
use crate::decided::{decided, mark_of};
use crate::scenario::{Guard, Memory, Micros, Scenario, Step, TokenSource};
use crate::story::Story;
use crate::trace::{
    Decision, Direction, Ended, Event, EventId, Happening, Lane, Message, MessageId, Subject, Trace,
};
use crate::words::{capital, quote};

/// One sentence of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// When, in microseconds.
    pub at: Micros,
    /// The event that it tells of; of several, the first.
    pub event: EventId,
    /// The line of the timeline that it belongs to.
    pub lane: Lane,
    /// What kind of thing happened.
    pub mark: Mark,
    /// The decision that it tells of (index into [`Trace::writes`]).
    pub verdict: Option<u32>,
    /// Its first part, to stand out; may be empty.
    pub bold: String,
    /// The rest. Plain text, without a full stop.
    pub text: String,
}

impl Sentence {
    /// Both parts as one text.
    pub fn plain(&self) -> String {
        match (self.bold.as_str(), self.text.as_str()) {
            ("", text) => text.into(),
            (bold, "") => bold.into(),
            (bold, text) => format!("{bold} {text}"),
        }
    }
}

/// What kind of thing a sentence tells of: the icon beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A lease was granted.
    Grant,
    /// A worker waits for a lease.
    Wait,
    /// A renewal, confirmed or refused.
    Renewal,
    /// A lease ended by itself.
    Expiry,
    /// A lease was given back.
    Release,
    /// A standby took over.
    Failover,
    /// A lock delay ended.
    LockDelay,
    /// A process stopped running.
    Pause,
    /// It runs again.
    Resume,
    /// A request left.
    Send,
    /// A message was lost.
    Lost,
    /// A read or a peek.
    Read,
    /// A check of the worker's own clock.
    Check,
    /// Accepted while current.
    Accepted,
    /// Accepted though not current.
    StaleAccepted,
    /// Rejected and not current.
    StaleRejected,
    /// Rejected though current.
    HolderRefused,
    /// Answered from a kept key.
    Replayed,
    /// A resource restarted.
    Restart,
    /// A worker learned something.
    Learned,
    /// A plan ended early, or never.
    Stop,
}

/// What happened in a run of that scenario, in order.
pub fn narrate(scenario: &Scenario, trace: &Trace) -> Vec<Sentence> {
    let story = Story::new(scenario, trace);
    let mut narrator = Narrator {
        sentences: Vec::new(),
        told: vec![false; trace.events.len()],
        pauses: 0,
        gathered: Vec::new(),
        resumed: vec![None; scenario.workers.len()],
        running: vec![None; scenario.workers.len()],
        over: vec![false; scenario.workers.len()],
        waits: vec![None; scenario.workers.len()],
        noted: vec![None; scenario.workers.len() * scenario.leases.len()],
        ended: vec![false; trace.grants.len() + 1],
        live: vec![None; scenario.leases.len()],
        highest: vec![None; scenario.leases.len()],
        remembered: scenario.resources.iter().map(|resource| resource.initial.token).collect(),
        holds: vec![None; scenario.resources.len()],
        known: vec![None; scenario.leases.len() * scenario.resources.len()],
        story: &story,
    };
    for (id, event) in trace.events.iter().enumerate() {
        narrator.hear(id as EventId, event);
    }
    narrator.close();
    narrator.sentences
}

/// Renewals of one grant that nothing else came between.
struct Gathered {
    grant: Option<u32>,
    what: Heartbeat,
    sentence: usize,
    times: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Heartbeat {
    Confirmed,
    Refused,
    Lost,
    AnswerLost,
}

/// The walk, with what is true at the event that it stands at.
struct Narrator<'s, 'a> {
    story: &'s Story<'a>,
    sentences: Vec<Sentence>,
    /// Events that an earlier sentence has told of.
    told: Vec<bool>,
    /// How many pauses have begun.
    pauses: usize,
    gathered: Vec<Gathered>,
    /// For each worker, the sentence of its last resume.
    resumed: Vec<Option<usize>>,
    /// For each worker, its running step.
    running: Vec<Option<usize>>,
    /// For each worker, whether its plan is over.
    over: Vec<bool>,
    /// For each worker, the acquire whose waiting was told.
    waits: Vec<Option<usize>>,
    /// For each worker and lease, the grant that it has noted and not given back.
    noted: Vec<Option<u32>>,
    /// For each grant, whether it has ended.
    ended: Vec<bool>,
    /// For each lease, its live grant.
    live: Vec<Option<u32>>,
    /// For each lease, the highest token handed out.
    highest: Vec<Option<u64>>,
    /// For each resource, the remembered token.
    remembered: Vec<u64>,
    /// For each resource, the decision whose value it holds.
    holds: Vec<Option<u32>>,
    /// For each lease and resource, the latest grant known there.
    known: Vec<Option<u32>>,
}

impl Narrator<'_, '_> {
    fn hear(&mut self, id: EventId, event: &Event) {
        if self.told[id as usize] {
            return;
        }
        match event.what {
            Happening::Sent(message) => self.sent(id, event, message),
            Happening::Lost(message) => self.lost(id, event, message),
            Happening::Arrived(message) => self.arrived(id, event, message),
            Happening::Received(message) => self.received(id, event, message),
            Happening::Granted(grant) => self.granted(id, event, grant),
            Happening::Noted(grant) => self.noted(id, event, grant),
            Happening::Renewed(grant, _) => self.heartbeat(id, event, Some(grant), Heartbeat::Confirmed),
            Happening::RenewalRefused(grant) => self.heartbeat(id, event, Some(grant), Heartbeat::Refused),
            Happening::LearnedLost(grant) => self.learned_lost(id, event, grant),
            Happening::Expired(grant) | Happening::Released(grant) | Happening::Forgotten(grant) => {
                self.lease_ended(id, event, grant);
            }
            Happening::FailedOver(next) => self.failed_over(id, event, next),
            Happening::LockDelayEnded => {
                if let Lane::Lease(lease) = event.lane {
                    let text = format!("The lock delay of {} is over", self.story.lease(lease));
                    self.say(id, event, Mark::LockDelay, text);
                }
            }
            Happening::Paused => self.paused(id, event),
            Happening::Resumed => self.resume(id, event),
            Happening::Began(step) => self.set_running(event.lane, Some(step)),
            Happening::Finished(_) => self.set_running(event.lane, None),
            Happening::CheckPassed(step) => self.check_passed(id, event, step),
            Happening::PlanEnded(ended) => self.plan_ended(id, event, ended),
            Happening::WasRead(_) | Happening::WasPeeked => self.read(id, event),
            Happening::Decided(verdict) => self.decided(id, event, verdict),
            Happening::Applied(verdict) => {
                if let Lane::Resource(resource) = event.lane {
                    self.holds[resource] = Some(verdict);
                }
            }
            Happening::Restarted => self.restarted(id, event),
            Happening::Confirmed(_) => {}
        }
    }

    fn say(&mut self, event: EventId, of: &Event, mark: Mark, text: String) {
        self.gathered.clear();
        let (at, lane) = (of.at, of.lane);
        self.sentences.push(Sentence { at, event, lane, mark, verdict: None, bold: String::new(), text });
    }

    fn message(&self, id: MessageId) -> Option<&Message> {
        self.story.trace.messages.get(id as usize)
    }

    fn event(&self, id: usize) -> Option<&Event> {
        self.story.trace.events.get(id)
    }

    fn step(&self, worker: usize, step: usize) -> Option<&Step> {
        self.story.scenario.workers.get(worker)?.plan.get(step)
    }

    fn set_running(&mut self, lane: Lane, step: Option<usize>) {
        if let Lane::Worker(worker) = lane {
            self.running[worker] = step;
        }
    }

    fn set_noted(&mut self, worker: usize, lease: usize, grant: Option<u32>) {
        let leases = self.story.scenario.leases.len();
        if let Some(noted) = self.noted.get_mut(worker * leases + lease) {
            *noted = grant;
        }
    }

    // Messages.

    fn sent(&mut self, id: EventId, event: &Event, message: MessageId) {
        let Some(&message) = self.message(message) else { return };
        let (Direction::Request, Some(arrives), 0) = (message.direction, message.arrives_at, message.copy) else {
            return;
        };
        if let (Subject::Release, Lane::Lease(lease)) = (message.subject, message.peer) {
            self.set_noted(message.worker, lease, None);
        }
        let took = arrives - message.sent_at;
        let slow = took > self.story.scenario.network.delay;
        let resumed = self.resumed.get(message.worker).copied().flatten();
        let resumed = resumed.filter(|&at| self.sentences[at].at == event.at);
        let decides = matches!(message.subject, Subject::Write | Subject::Establish);
        let told = slow || (decides && (message.attempt > 1 || resumed.is_some()));
        let (true, Some(step)) = (told, message.step) else { return };
        let mut does = self.sends(&message, step);
        if message.attempt > 1 {
            does.push_str(", again");
        }
        if slow {
            let took = show_span(took, self.story.scale);
            does.push_str(&format!("; it takes {took} to arrive"));
        }
        if let Some(index) = resumed {
            // Its own words, and the news that it had ended meanwhile, stay for the decision.
            self.sentences[index].text = format!("{} resumes and {does}", self.story.worker(message.worker));
            self.resumed[message.worker] = None;
        } else {
            self.say(id, event, Mark::Send, format!("{} {does}", self.story.worker(message.worker)));
        }
    }

    /// `sends ‘stale report’ with token 41`.
    fn sends(&self, message: &Message, step: usize) -> String {
        let story = self.story;
        let with = match message.token {
            Some(token) => format!("with token {token}"),
            None => "without a token".into(),
        };
        match (message.subject, message.peer, self.step(message.worker, step)) {
            (Subject::Write, _, Some(Step::Write(write))) if write.value.is_empty() => {
                format!("sends an empty value {with}")
            }
            (Subject::Write, _, Some(Step::Write(write))) => format!("sends {} {with}", quote(&write.value)),
            (Subject::Establish, Lane::Resource(resource), _) => {
                format!("presents {} to {}", Story::token(message.token), story.resource(resource))
            }
            (Subject::Read, Lane::Resource(resource), _) => format!("asks to read {}", story.resource(resource)),
            (Subject::Peek, Lane::Resource(resource), _) => {
                format!("asks what {} remembers", story.resource(resource))
            }
            (Subject::Release, Lane::Lease(lease), _) => format!("gives {} back", story.lease(lease)),
            (_, Lane::Lease(lease), _) => format!("asks for {}", story.lease(lease)),
            _ => "sends a request".into(),
        }
    }

    fn lost(&mut self, id: EventId, event: &Event, message: MessageId) {
        let Some(&message) = self.message(message) else { return };
        let story = self.story;
        let is_reply = message.direction == Direction::Reply;
        if message.subject == Subject::Renew {
            let what = if is_reply { Heartbeat::AnswerLost } else { Heartbeat::Lost };
            return self.heartbeat(id, event, message.grant, what);
        }
        let who = story.worker(message.worker);
        let what = match (message.subject, message.peer, message.step) {
            (Subject::Write | Subject::Establish, _, Some(step)) => story.step_thing(message.worker, step),
            (Subject::Read, Lane::Resource(resource), _) => format!("{who}’s read of {}", story.resource(resource)),
            (Subject::Peek, Lane::Resource(resource), _) => format!("{who}’s look at {}", story.resource(resource)),
            (Subject::Release, Lane::Lease(lease), _) => format!("{who}’s release of {}", story.lease(lease)),
            (_, Lane::Lease(lease), _) => format!("{who}’s request for {}", story.lease(lease)),
            _ => format!("{who}’s request"),
        };
        let what = match message.attempt {
            1 => what,
            attempt => format!("{what} (attempt {attempt})"),
        };
        let text = match (is_reply, message.grant) {
            (true, Some(grant)) if message.subject == Subject::Acquire => {
                format!("The news that {who} holds {} is lost on the way", story.grant(grant))
            }
            (true, _) => format!("The answer to {what} is lost on the way"),
            (false, _) => format!("{what} is lost on the way"),
        };
        self.say(id, event, Mark::Lost, text);
    }

    fn arrived(&mut self, id: EventId, event: &Event, message: MessageId) {
        let Some(&message) = self.message(message) else { return };
        let Lane::Lease(lease) = event.lane else { return };
        let story = self.story;
        let next = self.event(id as usize + 1).filter(|next| next.cause == Some(id)).map(|next| next.what);
        let who = story.worker(message.worker);
        match (message.subject, next) {
            // A grant or an answer follows at once; else it waits.
            (Subject::Acquire, None) if self.waits[message.worker] != message.step => {
                self.waits[message.worker] = message.step;
                let why = match self.live[lease].and_then(|grant| story.trace.grant(grant)) {
                    Some(grant) => format!("{} holds it", story.worker(grant.worker)),
                    None => "the service does not grant yet".into(),
                };
                self.say(id, event, Mark::Wait, format!("{who} asks for {} and waits: {why}", story.lease(lease)));
            }
            (Subject::Release, Some(Happening::Sent(_))) => {
                let text = format!("{who} gives {} back, but does not hold it any more", story.lease(lease));
                self.say(id, event, Mark::Release, text);
            }
            _ => {}
        }
    }

    fn received(&mut self, id: EventId, event: &Event, message: MessageId) {
        let Some(&message) = self.message(message) else { return };
        if !matches!(message.subject, Subject::Write | Subject::Establish) {
            return;
        }
        // A rejection that was waited for ends the plan, at once or after the worker has drawn its conclusion.
        let mut next = id as usize + 1;
        if let Some(Happening::LearnedLost(grant)) = self.event(next).map(|event| event.what) {
            if let Some(grant) = self.story.trace.grant(grant) {
                self.set_noted(message.worker, grant.lease, None);
            }
            next += 1;
        }
        let ends = Event { what: Happening::PlanEnded(Ended::Rejected), ..*event };
        if self.event(next).is_some_and(|next| (next.at, next.lane, next.what) == (ends.at, ends.lane, ends.what)) {
            self.told[id as usize..=next].fill(true);
            self.over[message.worker] = true;
            let text = format!("{} hears the rejection and stops", self.story.worker(message.worker));
            self.say(id, event, Mark::Learned, text);
        }
    }

    // The lease.

    fn granted(&mut self, id: EventId, event: &Event, number: u32) {
        let story = self.story;
        let Some(&grant) = story.trace.grant(number) else { return };
        self.live[grant.lease] = Some(number);
        self.waits[grant.worker] = None;
        let highest = &mut self.highest[grant.lease];
        *highest = (*highest).max(Some(grant.token));
        let length = story.scenario.leases.get(grant.lease).map_or(0, |lease| lease.ttl);
        let (who, lease, token) = (story.worker(grant.worker), story.lease(grant.lease), grant.token);
        let length = show_length(length);
        let text = if self.over[grant.worker] {
            capital(format!("{lease} goes to {who}, whose plan is over: token {token}, for {length}"))
        } else {
            format!("{who} acquires {lease}: token {token}, for {length}")
        };
        self.say(id, event, Mark::Grant, text);
    }

    fn noted(&mut self, id: EventId, event: &Event, number: u32) {
        let story = self.story;
        let Some(&grant) = story.trace.grant(number) else { return };
        self.set_noted(grant.worker, grant.lease, Some(number));
        let late = event.at - grant.granted_at;
        if late > story.scenario.network.delay {
            let over = if self.ended[number as usize] { "; it is over already" } else { "" };
            let (who, lease) = (story.worker(grant.worker), story.grant(number));
            let text = format!("{who} hears that it holds {lease}, {} after the grant{over}", story.span(late));
            self.say(id, event, Mark::Learned, text);
        }
    }

    fn heartbeat(&mut self, id: EventId, event: &Event, grant: Option<u32>, what: Heartbeat) {
        let known = self.gathered.iter().position(|of| of.grant == grant && of.what == what);
        let index = known.unwrap_or_else(|| {
            self.gathered.push(Gathered { grant, what, sentence: self.sentences.len(), times: 0 });
            self.sentences.push(Sentence {
                at: event.at,
                event: id,
                lane: event.lane,
                mark: if matches!(what, Heartbeat::Lost | Heartbeat::AnswerLost) { Mark::Lost } else { Mark::Renewal },
                verdict: None,
                bold: String::new(),
                text: String::new(),
            });
            self.gathered.len() - 1
        });
        let of = &mut self.gathered[index];
        of.times += 1;
        let (sentence, times) = (of.sentence, of.times);
        let story = self.story;
        let lease = grant.map_or_else(|| "the lease".into(), |grant| story.grant(grant));
        let who = grant.and_then(|grant| story.trace.grant(grant)).map_or_else(String::new, |of| story.worker(of.worker));
        let often = match times {
            1 => String::new(),
            times => format!(" ({times} times, last at {})", story.at(event.at)),
        };
        self.sentences[sentence].text = match (what, event.what) {
            (Heartbeat::Confirmed, Happening::Renewed(_, end)) => {
                format!("{who} renews {lease}{often}: it now ends at {}", story.at(end))
            }
            (Heartbeat::Refused, _) => format!("{who}’s renewal of {lease} is refused{often}"),
            (Heartbeat::AnswerLost, _) => format!("The answer to {who}’s renewal of {lease} is lost{often}"),
            _ => format!("{who}’s renewal of {lease} is lost{often}"),
        };
    }

    fn learned_lost(&mut self, id: EventId, event: &Event, number: u32) {
        let Lane::Worker(worker) = event.lane else { return };
        if let Some(grant) = self.story.trace.grant(number) {
            self.set_noted(worker, grant.lease, None);
        }
        let stops = Happening::PlanEnded(Ended::LeaseLost);
        let next = id as usize + 1;
        let stops = self.event(next).is_some_and(|next| next.what == stops && next.lane == event.lane);
        if stops {
            self.told[next] = true;
            self.over[worker] = true;
        }
        let and_stops = if stops { " and stops" } else { "" };
        let text = format!("{} learns that {} is lost{and_stops}", self.story.worker(worker), self.story.grant(number));
        self.say(id, event, Mark::Learned, text);
    }

    fn lease_ended(&mut self, id: EventId, event: &Event, number: u32) {
        let story = self.story;
        let Some(&grant) = story.trace.grant(number) else { return };
        self.live[grant.lease] = None;
        self.ended[number as usize] = true;
        let (who, lease) = (story.worker(grant.worker), story.grant(number));
        let (mark, mut text) = match event.what {
            Happening::Released(_) => (Mark::Release, format!("{who} gives {lease} back")),
            Happening::Forgotten(_) => (Mark::Failover, capital(format!("{lease} ends: the standby does not know of it"))),
            _ => (Mark::Expiry, capital(format!("{lease} ends"))),
        };
        if mark != Mark::Release {
            if !self.over[grant.worker] {
                text.push_str(&format!(". {who} is not told"));
            }
            let delay = story.scenario.leases.get(grant.lease).map_or(0, |lease| lease.lock_delay);
            if delay > 0 {
                text.push_str(&format!(". The service waits {} before it grants again", show_length(delay)));
            }
        }
        self.say(id, event, mark, text);
    }

    fn failed_over(&mut self, id: EventId, event: &Event, next: u64) {
        let Lane::Lease(lease) = event.lane else { return };
        let story = self.story;
        let what = match story.scenario.leases.len() {
            1 => "the lease service".into(),
            _ => story.lease(lease),
        };
        let counts = story.scenario.leases.get(lease).is_some_and(|of| matches!(of.tokens, TokenSource::Counter { .. }));
        let mut text = format!("A standby takes over {what}");
        if counts {
            text.push_str(&format!(": its next token is {next}"));
            if self.highest[lease].is_some_and(|highest| next <= highest) {
                text.push_str(", not above those handed out before");
            }
        }
        self.say(id, event, Mark::Failover, text);
    }

    // The worker.

    fn paused(&mut self, id: EventId, event: &Event) {
        let Lane::Worker(worker) = event.lane else { return };
        let story = self.story;
        let span = story.trace.pauses.get(self.pauses).copied();
        self.pauses += 1;
        let who = story.worker(worker);
        let mut text = match span.and_then(|span| Some(span.until? - span.from)) {
            Some(length) => format!("{who} is paused for {}", story.span(length)),
            None => format!("{who} is paused and never wakes up again"),
        };
        let doing = self.running[worker].and_then(|step| self.step(worker, step));
        match doing {
            Some(Step::Work { label, .. }) if !label.is_empty() => {
                text.push_str(&format!(", in the middle of {}", quote(label)));
            }
            Some(Step::Work { .. }) => text.push_str(", in the middle of its work"),
            Some(Step::Acquire { lease, .. }) => {
                let index = story.scenario.leases.iter().position(|of| of.id == *lease);
                let lease = index.map_or_else(|| "the lease".into(), |index| story.lease(index));
                text.push_str(&format!(", while it waits for {lease}"));
            }
            Some(Step::Until { .. } | Step::Check { .. }) => text.push_str(", while it waits"),
            Some(_) => text.push_str(", while it waits for an answer"),
            None if self.over[worker] => text.push_str(", its plan over"),
            None => {}
        }
        self.say(id, event, Mark::Pause, text);
    }

    fn resume(&mut self, id: EventId, event: &Event) {
        let Lane::Worker(worker) = event.lane else { return };
        if self.over[worker] {
            return;
        }
        let story = self.story;
        let leases = story.scenario.leases.len();
        let noted = self.noted.get(worker * leases..(worker + 1) * leases).unwrap_or_default();
        let lost = noted.iter().flatten().find(|&&grant| self.ended[grant as usize]);
        let mut text = format!("{} resumes", story.worker(worker));
        if let Some(&grant) = lost {
            text.push_str(&format!("; {} has ended meanwhile", story.grant(grant)));
        }
        self.resumed[worker] = Some(self.sentences.len());
        self.say(id, event, Mark::Resume, text);
    }

    fn check_passed(&mut self, id: EventId, event: &Event, step: usize) {
        let Lane::Worker(worker) = event.lane else { return };
        let mut text = format!("{} checks its own clock: its lease is still valid", self.story.worker(worker));
        if let Some(Step::Check { lease, .. }) = self.step(worker, step) {
            let leases = &self.story.scenario.leases;
            let index = leases.iter().position(|of| of.id == *lease);
            let noted = index.and_then(|index| self.noted.get(worker * leases.len() + index).copied().flatten());
            if let Some(grant) = noted.filter(|&grant| self.ended[grant as usize]) {
                text.push_str(&format!(", though {} has ended", self.story.grant(grant)));
            }
        }
        self.say(id, event, Mark::Check, text);
    }

    fn plan_ended(&mut self, id: EventId, event: &Event, ended: Ended) {
        let Lane::Worker(worker) = event.lane else { return };
        self.over[worker] = true;
        let who = self.story.worker(worker);
        let text = match ended {
            Ended::StoppedItself => format!("{who} checks its own clock: its lease is over, so it stops"),
            Ended::LeaseLost => format!("{who} learns that its lease is lost and stops"),
            Ended::Unanswered => format!("{who} gets no answer to its last attempt and gives up"),
            Ended::Rejected => format!("{who} stops"),
            Ended::Finished | Ended::Waiting | Ended::Crashed => return,
        };
        self.say(id, event, Mark::Stop, text);
    }

    // The resource.

    fn read(&mut self, id: EventId, event: &Event) {
        let Lane::Resource(resource) = event.lane else { return };
        let story = self.story;
        let asked = event.cause.and_then(|cause| self.event(cause as usize)).and_then(|cause| match cause.what {
            Happening::Arrived(message) => self.message(message),
            _ => None,
        });
        let who = asked.map_or_else(String::new, |message| story.worker(message.worker));
        let text = if event.what == Happening::WasPeeked {
            format!("{who} looks: {} remembers {}", story.resource(resource), self.remembered[resource])
        } else {
            let value = match self.holds[resource] {
                Some(write) => story.value(write),
                None => quote(&story.scenario.resources[resource].initial.value),
            };
            format!("{who} reads {}: {value}", story.resource(resource))
        };
        self.say(id, event, Mark::Read, text);
    }

    fn decided(&mut self, id: EventId, event: &Event, index: u32) {
        let story = self.story;
        let Some(verdict) = story.verdict(index) else { return };
        let remembers = !verdict.unguarded && story.guard_of(verdict) != Guard::None;
        if let (Decision::Accepted, true, Some(token)) = (verdict.decision, remembers, verdict.token) {
            self.remembered[verdict.resource] = token;
        }
        let grant = story.grant_of(verdict);
        let known = grant.and_then(|grant| {
            let place = grant.lease * story.scenario.resources.len() + verdict.resource;
            self.known.get_mut(place)
        });
        let newer_known = known.as_ref().is_some_and(|known| **known > verdict.grant);
        if let (Some(known), Decision::Accepted, false) = (known, verdict.decision, verdict.unguarded) {
            *known = (*known).max(verdict.grant);
        }
        let (bold, mut text) = decided(story, verdict, newer_known);
        let next = id as usize + 1;
        if verdict.given_up && self.event(next).is_some_and(|next| next.what == Happening::PlanEnded(Ended::Rejected)) {
            self.told[next] = true;
            self.over[verdict.worker] = true;
            text.push_str(&format!(". {} stops", story.worker(verdict.worker)));
        }
        self.say(id, event, mark_of(verdict), text);
        if let Some(sentence) = self.sentences.last_mut() {
            (sentence.verdict, sentence.bold) = (Some(index), bold);
        }
    }

    fn restarted(&mut self, id: EventId, event: &Event) {
        let Lane::Resource(index) = event.lane else { return };
        let story = self.story;
        let Some(resource) = story.scenario.resources.get(index) else { return };
        let before = self.remembered[index];
        let name = capital(story.resource(index));
        let text = match resource.remembers {
            Memory::Durably => format!("{name} restarts and still remembers {before}"),
            Memory::InMemory if before == resource.initial.token => format!("{name} restarts and remembers {before}"),
            Memory::InMemory => {
                format!("{name} restarts and forgets {before}: it remembers {} again", resource.initial.token)
            }
        };
        if resource.remembers == Memory::InMemory {
            self.remembered[index] = resource.initial.token;
        }
        self.say(id, event, Mark::Restart, text);
    }

    /// What never came to an end is told at the end.
    fn close(&mut self) {
        let trace = self.story.trace;
        let Some(last) = trace.events.len().checked_sub(1) else { return };
        for (worker, ending) in trace.endings.iter().enumerate() {
            if ending.ended == Ended::Waiting {
                let of = Event { at: trace.ended_at, lane: Lane::Worker(worker), ..trace.events[last] };
                let text = format!("{} still waits for an answer", self.story.worker(worker));
                self.say(last as EventId, &of, Mark::Stop, text);
            }
        }
    }
}
