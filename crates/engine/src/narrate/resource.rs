//! A resource: read, asked to accept, restarted.

use crate::scenario::{Guard, Memory};
use crate::trace::{Decision, Ended, Event, EventId, Happening, Lane, Verdict};
use crate::words::{capital, quote};

use super::decided::{Newer, decided, mark_of};
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
        let (bold, mut text) = decided(story, verdict, self.newer(verdict));
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

    /// What the destination knows of later grants when that is decided; from then on it knows of this one too.
    fn newer(&mut self, verdict: &Verdict) -> Newer {
        let Some(grant) = self.story.grant_of(verdict) else { return Newer::Unknown };
        let place = grant.lease * self.story.scenario.resources.len() + verdict.resource;
        let newer = if self.known[place] > verdict.grant {
            Newer::Known
        } else if self.refused[place] > verdict.grant {
            Newer::TurnedAway
        } else {
            Newer::Unknown
        };
        match verdict.decision {
            Decision::Accepted if !verdict.unguarded => self.known[place] = self.known[place].max(verdict.grant),
            Decision::Rejected if !verdict.given_up => self.refused[place] = self.refused[place].max(verdict.grant),
            _ => {}
        }
        newer
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
