//! The lease: granted, renewed, ended, and what its holder hears of that.

use crate::clock::show_length;
use crate::scenario::TokenSource;
use crate::trace::{Ended, Event, EventId, Happening, Lane};
use crate::words::capital;

use super::{Gathered, Heartbeat, Mark, Narrator, Sentence};

impl Narrator<'_, '_> {
    pub(super) fn granted(&mut self, id: EventId, event: &Event, number: u32) {
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

    pub(super) fn noted(&mut self, id: EventId, event: &Event, number: u32) {
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

    pub(super) fn heartbeat(&mut self, id: EventId, event: &Event, grant: Option<u32>, what: Heartbeat) {
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
        let who =
            grant.and_then(|grant| story.trace.grant(grant)).map_or_else(String::new, |of| story.worker(of.worker));
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

    pub(super) fn learned_lost(&mut self, id: EventId, event: &Event, number: u32) {
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

    pub(super) fn lease_ended(&mut self, id: EventId, event: &Event, number: u32) {
        let story = self.story;
        let Some(&grant) = story.trace.grant(number) else { return };
        self.live[grant.lease] = None;
        self.ended[number as usize] = true;
        let (who, lease) = (story.worker(grant.worker), story.grant(number));
        let (mark, mut text) = match event.what {
            Happening::Released(_) => (Mark::Release, format!("{who} gives {lease} back")),
            Happening::Forgotten(_) => {
                (Mark::Failover, capital(format!("{lease} ends: the standby does not know of it")))
            }
            _ => (Mark::Expiry, capital(format!("{lease} ends"))),
        };
        if mark != Mark::Release {
            if !self.over[grant.worker] && self.noted_of(grant.worker, grant.lease) == Some(number) {
                text.extend([". ", &who, " is not told"]);
            }
            let delay = story.scenario.leases.get(grant.lease).map_or(0, |lease| lease.lock_delay);
            if delay > 0 {
                text.extend([". The service waits ", &show_length(delay), " before it grants again"]);
            }
        }
        self.say(id, event, mark, text);
    }

    pub(super) fn failed_over(&mut self, id: EventId, event: &Event, next: u64) {
        let Lane::Lease(lease) = event.lane else { return };
        let story = self.story;
        let what = match story.scenario.leases.len() {
            1 => "the lease service".into(),
            _ => story.lease(lease),
        };
        let counts =
            story.scenario.leases.get(lease).is_some_and(|of| matches!(of.tokens, TokenSource::Counter { .. }));
        let mut text = format!("A standby takes over {what}");
        if counts {
            text.extend([": its next token is ", &next.to_string()]);
            if self.highest[lease].is_some_and(|highest| next <= highest) {
                text.push_str(", not above those handed out before");
            }
        }
        self.say(id, event, Mark::Failover, text);
    }
}
