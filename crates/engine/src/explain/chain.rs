//! What led to a decision: the trace's causes, and what befell the grant, the worker and the resource meanwhile.

use crate::trace::{Decision, EventId, Happening, Lane, Subject};
use crate::words::capital;

use super::{Link, Why};

impl Why<'_, '_> {
    /// What led to the decision: the causes as the trace has them, and what befell the grant and the worker meanwhile.
    pub fn chain(&self) -> Vec<Link> {
        let (story, verdict) = (self.story, self.verdict);
        let events = &story.trace.events;
        let mut linked: Vec<EventId> = Vec::new();
        // Back along the causes.
        let mut next = Some(verdict.event);
        while let Some(id) = next {
            linked.push(id);
            // A cause is always earlier; a trace that says otherwise must not keep us here.
            next = events.get(id as usize).and_then(|event| event.cause).filter(|&cause| cause < id);
        }
        let first = story.grant_of(verdict).map_or(0, |grant| grant.granted_at);
        let mut superseded = false;
        for (id, event) in events.iter().enumerate().take(verdict.event as usize) {
            let matters = match (event.what, event.lane) {
                (Happening::Expired(number) | Happening::Released(number) | Happening::Forgotten(number), _) => {
                    verdict.grant == Some(number)
                }
                (Happening::Granted(number), _) if verdict.grant == Some(number) => true,
                (Happening::Granted(number), _) if !superseded => {
                    let lease = |number: u32| story.trace.grant(number).map(|grant| grant.lease);
                    superseded = verdict.grant.is_some_and(|own| number > own && lease(number) == lease(own));
                    superseded
                }
                (Happening::Paused | Happening::Resumed, Lane::Worker(worker)) => {
                    worker == verdict.worker && event.at >= first
                }
                (Happening::Restarted, Lane::Resource(resource)) => resource == verdict.resource && event.at >= first,
                _ => false,
            };
            if matters {
                linked.push(id as EventId);
            }
        }
        let grant = story.grant_of(verdict);
        let known = grant.and_then(|grant| story.first_known(grant, verdict.resource));
        let pointed = [verdict.overwrites_newer, verdict.stale_read, verdict.applied_twice, verdict.already_applied];
        let others = pointed.into_iter().flatten().chain(known).chain(story.remembered_from(self.index, verdict));
        linked.extend(others.filter_map(|other| story.verdict(other)).map(|other| other.event));
        linked.retain(|&id| id <= verdict.event);
        linked.sort_unstable();
        linked.dedup();
        let link = |id: EventId| {
            let event = events.get(id as usize)?;
            Some(Link { at: event.at, event: id, text: self.link(event.what, event.lane)? })
        };
        linked.into_iter().filter_map(link).collect()
    }

    /// An event of the chain in words; none when it goes without saying.
    fn link(&self, what: Happening, lane: Lane) -> Option<String> {
        let (story, verdict) = (self.story, self.verdict);
        let own = lane == Lane::Worker(verdict.worker);
        Some(match what {
            Happening::Granted(number) => {
                let grant = story.trace.grant(number)?;
                format!("{} acquires {}", story.worker(grant.worker), story.grant(number))
            }
            Happening::Expired(number) => capital(format!("{} ends", story.grant(number))),
            Happening::Released(number) => {
                format!("{} gives {} back", story.worker(story.trace.grant(number)?.worker), story.grant(number))
            }
            Happening::Forgotten(number) => {
                capital(format!("{} ends: the standby does not know of it", story.grant(number)))
            }
            Happening::Paused if own => format!("{} is paused", story.worker(verdict.worker)),
            Happening::Resumed if own => format!("{} resumes", story.worker(verdict.worker)),
            Happening::CheckPassed(_) if own => {
                format!("{} checks its own clock, which says that its lease is valid", story.worker(verdict.worker))
            }
            Happening::Sent(message) if own => {
                let message = story.trace.messages.get(message as usize)?;
                let who = story.worker(verdict.worker);
                match message.subject {
                    Subject::Write | Subject::Establish if message.step == Some(verdict.step) => {
                        let again = if message.attempt > 1 { " again" } else { "" };
                        format!("{who} sends it with {}{again}", with(message.token))
                    }
                    _ => return None,
                }
            }
            Happening::WasPeeked => {
                let seen = self.peeked().map_or_else(|| "a token".into(), |(seen, _)| seen.to_string());
                format!("{} looks: {} remembers {seen}", story.worker(verdict.worker), story.resource(verdict.resource))
            }
            Happening::WasRead(_) => {
                format!("{} reads {}", story.worker(verdict.worker), story.resource(verdict.resource))
            }
            Happening::Restarted => capital(format!("{} restarts", story.resource(verdict.resource))),
            Happening::Decided(index) if index == self.index => {
                let thing = story.thing(verdict);
                let result = match (verdict.decision, verdict.given_up) {
                    (_, true) => "is not sent",
                    (Decision::Accepted, _) => "arrives and is accepted",
                    (Decision::Rejected, _) => "arrives and is rejected",
                    (Decision::Replayed, _) => "arrives and is answered from its kept key",
                };
                format!("{thing} {result}: {}", story.ground(verdict))
            }
            Happening::Decided(index) => {
                let other = story.verdict(index)?;
                let result = match other.decision {
                    Decision::Accepted => "is accepted",
                    Decision::Rejected => "is rejected",
                    Decision::Replayed => "is answered from its kept key",
                };
                let token = other.token.map_or_else(String::new, |token| format!(" ({token})"));
                format!("{}{token} {result} at {}", story.thing(other), story.resource(other.resource))
            }
            _ => return None,
        })
    }
}

fn with(token: Option<u64>) -> String {
    token.map_or_else(|| "no token".into(), |token| format!("token {token}"))
}
