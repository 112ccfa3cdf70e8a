//! A resource: read, asked to accept, restarted.

use crate::scenario::{Guard, Memory};
use crate::trace::{Decision, Ended, Event, EventId, Happening, Lane};
use crate::words::{capital, quote};

use super::decided::{decided, mark_of};
use super::{Mark, Narrator};

impl Narrator<'_, '_> {
    pub(super) fn read(&mut self, id: EventId, event: &Event) {
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

    pub(super) fn decided(&mut self, id: EventId, event: &Event, index: u32) {
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
            text.extend([". ", &story.worker(verdict.worker), " stops"]);
        }
        self.say(id, event, mark_of(verdict), text);
        if let Some(sentence) = self.sentences.last_mut() {
            (sentence.verdict, sentence.bold) = (Some(index), bold);
        }
    }

    pub(super) fn restarted(&mut self, id: EventId, event: &Event) {
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
}
