//! The run: takes what is due next, until nothing is pending.
//!
//! The three parties live in files of their own ([`lease_service`], [`resource`], and the worker in [`worker`], [`pauses`]
//! and [`inbox`]); they share one [`State`],
//! whose lists keep their room from run to run. Nothing here looks inside a time (see [`crate::time`]) and nothing here
//! decides what comes first (see [`crate::queue`]).

mod inbox;
mod lease_service;
mod pauses;
mod resource;
mod state;
mod worker;

use crate::model::{Does, Model, Send};
use crate::queue::{MessageKey, Place};
use crate::record::Recorder;
use crate::scenario::Micros;
use crate::time::Timekeeper;
use crate::trace::{Direction, EventId, Happening, Lane, Message, Subject};

pub(crate) use state::{Body, Due, InFlight, State};

/// The most events that a run may take.
pub const MAX_EVENTS: u32 = 100_000;

/// Why a run has no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunError {
    /// It would take more than [`MAX_EVENTS`] events.
    TooManyEvents,
    /// Two pauses of this worker overlap (only where a knob has moved one: validation refuses such a document).
    PausesOverlap(usize),
}

/// What a queue entry counts as while it is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// A heartbeat's timer, message or reply.
    Heartbeat,
    /// An expiry.
    Expiry,
    /// Anything else.
    Other,
}

/// One run under way.
pub(crate) struct Run<'a, K: Timekeeper, R> {
    pub model: &'a Model<K::Time>,
    pub keeper: &'a mut K,
    pub state: &'a mut State<K::Time>,
    pub recorder: &'a mut R,
}

impl<K: Timekeeper, R: Recorder> Run<'_, K, R> {
    /// Runs from the start to the end.
    pub fn run(&mut self) -> Result<(), RunError> {
        self.state.reset(self.model);
        self.start()?;
        let longest_ttl = self.longest_ttl();
        let mut last_other = K::Time::default();
        while let Some(entry) = self.state.queue.pop(self.keeper) {
            if self.no_longer_serves(&entry.due) {
                continue;
            }
            if self.state.heartbeats_pending > 0 && self.state.others_pending == 0 {
                let limit = self.keeper.sum(last_other, longest_ttl);
                if self.keeper.before(limit, entry.at) {
                    break;
                }
            }
            self.state.events += 1;
            if self.state.events > MAX_EVENTS {
                return Err(RunError::TooManyEvents);
            }
            self.state.now = entry.at;
            match weight(&entry.due) {
                Weight::Heartbeat => self.state.heartbeats_pending -= 1,
                Weight::Expiry => last_other = entry.at,
                Weight::Other => {
                    self.state.others_pending -= 1;
                    last_other = entry.at;
                }
            }
            self.happen(entry.due);
        }
        self.state.finish();
        Ok(())
    }

    fn start(&mut self) -> Result<(), RunError> {
        self.state.cause = None;
        let model = self.model;
        for worker in 0..model.workers.len() {
            self.start_worker(worker)?;
        }
        for (lease, of) in model.leases.iter().enumerate() {
            for (index, failover) in of.failovers.iter().enumerate() {
                self.schedule(failover.at, Place::failover(lease, index), Due::Failover { lease, index });
            }
        }
        for (resource, of) in model.resources.iter().enumerate() {
            for &at in &of.restarts {
                self.schedule(at, Place::restart(resource), Due::Restart { resource });
            }
        }
        Ok(())
    }

    fn longest_ttl(&mut self) -> K::Time {
        let mut longest = K::Time::default();
        for lease in &self.model.leases {
            longest = self.keeper.later(longest, lease.ttl);
        }
        longest
    }

    fn happen(&mut self, due: Due<K::Time>) {
        self.state.cause = due.cause();
        match due {
            Due::Failover { lease, index } => self.fail_over(lease, index),
            Due::Restart { resource } => self.restart(resource),
            Due::Expiry { lease, .. } => self.expire(lease),
            Due::LockDelayEnd { lease, .. } => self.end_lock_delay(lease),
            Due::Arrival(message) => self.arrive(message),
            Due::PauseStart { worker, .. } => self.pause(worker),
            Due::EmptyPause => {}
            Due::Resume { worker, .. } => self.resume(worker),
            Due::Heartbeat { worker, lease, .. } => self.beat(worker, lease),
            Due::RetryTimer { worker, .. } => self.retry(worker),
            Due::PlanTurn { worker, .. } => self.take_turn(worker),
        }
    }

    /// Whether a timer was overtaken by something that happened since it was set. Its count was taken back then.
    fn no_longer_serves(&self, due: &Due<K::Time>) -> bool {
        match *due {
            Due::Expiry { lease, stamp } => self.state.leases[lease].stamp != stamp,
            Due::Heartbeat { worker, lease, stamp, .. } => self.state.holding(worker, lease).heartbeat_stamp != stamp,
            Due::RetryTimer { worker, stamp, .. } => self.state.workers[worker].retry_stamp != stamp,
            Due::PlanTurn { worker, stamp, .. } => self.state.workers[worker].turn_stamp != stamp,
            _ => false,
        }
    }

    fn arrive(&mut self, message: InFlight<K::Time>) {
        match message.body {
            Body::Acquire { .. } | Body::Renew { .. } | Body::Release { .. } => self.serve(message),
            Body::Read { .. } | Body::Peek { .. } | Body::Present { .. } => self.answer_at_resource(message),
            Body::Granted { .. }
            | Body::Renewed { .. }
            | Body::Refused { .. }
            | Body::Released { .. }
            | Body::ReadOf { .. }
            | Body::Peeked { .. }
            | Body::Outcome { .. } => self.reach_worker(message),
        }
    }

    /// Puts a thing into the queue, and counts it while it is pending.
    fn schedule(&mut self, at: K::Time, place: Place<K::Time>, due: Due<K::Time>) {
        match weight(&due) {
            Weight::Heartbeat => self.state.heartbeats_pending += 1,
            Weight::Other => self.state.others_pending += 1,
            Weight::Expiry => {}
        }
        self.state.queue.push(self.keeper, at, place, due);
    }

    /// Tells of an event, which becomes the cause of what follows.
    fn tell(&mut self, lane: Lane, what: Happening) -> EventId {
        let id = self.recorder.event(K::micros(self.state.now), lane, self.state.cause, what);
        self.state.cause = Some(id);
        id
    }

    /// Sends a request now: the message itself and its copies.
    fn send_request(&mut self, worker: usize, step: u32, attempt: u32, body: Body) {
        let model = self.model;
        let now = self.state.now;
        let message = InFlight {
            worker: worker as u32,
            step,
            attempt,
            copy: 0,
            asked: now,
            id: 0,
            cause: self.state.cause,
            body,
        };
        let send = send_of(model, &message);
        self.dispatch(message, (!send.lost).then_some(send.delay));
        for (index, &delay) in model.copies[send.copies.clone()].iter().enumerate() {
            self.dispatch(InFlight { copy: index as u32 + 1, ..message }, Some(delay));
        }
    }

    /// Sends one message of a request, with its delay; without one it is lost.
    fn dispatch(&mut self, message: InFlight<K::Time>, delay: Option<K::Time>) {
        let now = self.state.now;
        let lane = Lane::Worker(message.worker as usize);
        if let Some(delay) = delay {
            let arrives = self.keeper.sum(now, delay);
            let (id, cause) = self.tell_sent(&message, lane, Some(arrives), None);
            let message = InFlight { id, cause, ..message };
            self.schedule(arrives, Place::arrival(now, message.key(Direction::Request)), Due::Arrival(message));
        } else {
            self.tell_sent(&message, lane, None, None);
        }
    }

    /// Answers a request now.
    fn reply(&mut self, request: &InFlight<K::Time>, lane: Lane, body: Body) {
        let now = self.state.now;
        let send = send_of(self.model, request);
        let arrives = self.keeper.sum(now, send.reply_delay);
        let message = InFlight { body, ..*request };
        let told_arrival = if send.reply_lost { None } else { Some(arrives) };
        let (id, cause) = self.tell_sent(&message, lane, told_arrival, Some(request.id));
        // An arrival at a worker that is paused for ever is not pending: nobody will ever handle it.
        if !send.reply_lost && !self.has_crashed_by(message.worker as usize, arrives) {
            let message = InFlight { id, cause, ..message };
            self.schedule(arrives, Place::arrival(now, message.key(Direction::Reply)), Due::Arrival(message));
        }
    }

    /// Tells of a sending (and of a loss, without an arrival). What follows from the message has the sending as its
    /// cause; what the sender does next does not.
    fn tell_sent(
        &mut self,
        message: &InFlight<K::Time>,
        lane: Lane,
        arrives: Option<K::Time>,
        answers: Option<u32>,
    ) -> (u32, Option<EventId>) {
        if !R::TELLS {
            return (0, None);
        }
        let before = self.state.cause;
        let id = self.recorder.message(self.describe(message, arrives.map(K::micros), answers));
        self.tell(lane, Happening::Sent(id));
        let cause = self.state.cause;
        if arrives.is_none() {
            self.tell(lane, Happening::Lost(id));
        }
        self.state.cause = before;
        (id, cause)
    }

    /// A message as the trace tells of it.
    fn describe(&self, message: &InFlight<K::Time>, arrives_at: Option<Micros>, answers: Option<u32>) -> Message {
        let worker = message.worker as usize;
        let step = message.step.checked_sub(1).map(|step| step as usize);
        let mut told = Message {
            direction: if message.body.is_request() { Direction::Request } else { Direction::Reply },
            subject: Subject::Acquire,
            worker,
            step,
            attempt: message.attempt,
            copy: message.copy,
            peer: Lane::Worker(worker),
            sent_at: K::micros(self.state.now),
            arrives_at,
            handled_at: None,
            token: None,
            grant: None,
            verdict: None,
            answers,
        };
        let (subject, peer) = match message.body {
            Body::Acquire { lease } | Body::Granted { lease, .. } => (Subject::Acquire, Lane::Lease(lease)),
            Body::Renew { lease, .. } | Body::Renewed { lease, .. } | Body::Refused { lease, .. } => {
                (Subject::Renew, Lane::Lease(lease))
            }
            Body::Release { lease } | Body::Released { lease } => (Subject::Release, Lane::Lease(lease)),
            Body::Read { resource } | Body::ReadOf { resource, .. } => (Subject::Read, Lane::Resource(resource)),
            Body::Peek { resource } | Body::Peeked { resource, .. } => (Subject::Peek, Lane::Resource(resource)),
            Body::Present { resource } | Body::Outcome { resource, .. } => {
                let writes = step.is_some_and(|step| self.writes(worker, step));
                (if writes { Subject::Write } else { Subject::Establish }, Lane::Resource(resource))
            }
        };
        (told.subject, told.peer) = (subject, peer);
        match message.body {
            Body::Renew { grant, .. }
            | Body::Granted { grant, .. }
            | Body::Renewed { grant, .. }
            | Body::Refused { grant, .. } => {
                told.grant = Some(grant);
                told.token = self.state.grants.get(grant as usize - 1).map(|grant| grant.token);
            }
            Body::Present { .. } | Body::Outcome { .. } => {
                if let Some(step) = step {
                    let request = &self.state.requests[self.model.workers[worker].steps.start + step];
                    told.grant = request.grant;
                    told.token = request.token;
                }
            }
            _ => {}
        }
        if let Body::Outcome { verdict, .. } = message.body {
            told.verdict = Some(verdict);
        }
        told
    }

    fn writes(&self, worker: usize, step: usize) -> bool {
        let step = &self.model.steps[self.model.workers[worker].steps.start + step];
        matches!(step.does, Does::Present(present) if present.key.is_some())
    }
}

/// What the network does to an attempt of a request.
fn send_of<'a, T>(model: &'a Model<T>, request: &InFlight<T>) -> &'a Send<T> {
    let worker = &model.workers[request.worker as usize];
    let Some(step) = request.step.checked_sub(1) else {
        return model.send(&worker.renewal_sends, request.attempt);
    };
    let step = &model.steps[worker.steps.start + step as usize];
    let sends = if matches!(request.body, Body::Peek { .. }) { &step.peek_sends } else { &step.sends };
    model.send(sends, request.attempt)
}

impl<T> InFlight<T> {
    fn key(&self, direction: Direction) -> MessageKey {
        MessageKey { worker: self.worker, step: self.step, attempt: self.attempt, copy: self.copy, direction }
    }
}

fn weight<T>(due: &Due<T>) -> Weight {
    match due {
        Due::Heartbeat { .. } => Weight::Heartbeat,
        Due::Arrival(message) if message.step == 0 => Weight::Heartbeat,
        Due::Expiry { .. } => Weight::Expiry,
        _ => Weight::Other,
    }
}
