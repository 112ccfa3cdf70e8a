//! Messages: those that are slow, lost, made to wait, or learned from.

use crate::clock::show_span;
use crate::scenario::Step;
use crate::story::Story;
use crate::trace::{Direction, Ended, Event, EventId, Happening, Lane, Message, MessageId, Subject};
use crate::words::quote;

use super::{Heartbeat, Mark, Narrator};

impl Narrator<'_, '_> {
    pub(super) fn sent(&mut self, id: EventId, event: &Event, message: MessageId) {
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
        // Only where nothing was told in between: what it did first comes first.
        let resumed = resumed.filter(|&at| at + 1 == self.sentences.len() && self.sentences[at].at == event.at);
        let decides = matches!(message.subject, Subject::Write | Subject::Establish);
        let told = slow || (decides && (message.attempt > 1 || resumed.is_some()));
        let (true, Some(step)) = (told, message.step) else { return };
        let mut does = self.sends(&message, step);
        if message.attempt > 1 {
            does.push_str(", again");
        }
        if slow {
            let took = show_span(took, self.story.scale);
            does.extend(["; it takes ", &took, " to arrive"]);
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

    pub(super) fn lost(&mut self, id: EventId, event: &Event, message: MessageId) {
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

    pub(super) fn arrived(&mut self, id: EventId, event: &Event, message: MessageId) {
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
                let text =
                    format!("{who}’s release of {} arrives, but {who} does not hold it any more", story.lease(lease));
                self.say(id, event, Mark::Release, text);
            }
            _ => {}
        }
    }

    pub(super) fn received(&mut self, id: EventId, event: &Event, message: MessageId) {
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
}
