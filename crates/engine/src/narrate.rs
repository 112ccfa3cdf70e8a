//! What happened, as a list of sentences: the full text equivalent of the drawing.
//!
//! One walk over the events, in linear time. Not every event is told: a request is told where it is decided, heartbeats
//! are gathered, a reply is told when somebody learns from it. What is left out can be inferred from what is there.

mod decided;
mod lease;
mod messages;
mod resource;
mod worker;

use crate::scenario::{Micros, Scenario, Step};
use crate::story::Story;
use crate::trace::{Ended, Event, EventId, Happening, Lane, Message, MessageId, Trace};

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
        refused: vec![None; scenario.leases.len() * scenario.resources.len()],
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
    /// For each lease and resource, the latest grant under which a request was refused there.
    refused: Vec<Option<u32>>,
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

    fn noted_of(&self, worker: usize, lease: usize) -> Option<u32> {
        self.noted.get(worker * self.story.scenario.leases.len() + lease).copied().flatten()
    }

    fn set_noted(&mut self, worker: usize, lease: usize, grant: Option<u32>) {
        let leases = self.story.scenario.leases.len();
        if let Some(noted) = self.noted.get_mut(worker * leases + lease) {
            *noted = grant;
        }
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
