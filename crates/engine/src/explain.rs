//! Why one write was decided as it was: the comparison with its numbers, the standing with its times, what led to it.
//!
//! The three instants (ended, superseded, known at the resource) are kept apart here as everywhere.

mod chain;
mod guarded;
mod statement;

use crate::headline::Class;
use crate::scenario::{Guard, Micros, Scenario};
use crate::story::Story;
use crate::trace::{Decision, EndedBy, EventId, Grant, Kind, Outcome, Reason, Standing, Trace, Verdict};
use crate::words::capital;
pub use guarded::{GrantColumns, Guarded};
pub use statement::Statement;

/// Why a write or an establish was decided as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The outcome's colour and silhouette.
    pub class: Class,
    /// What was written: `A writes ‘stale report’`.
    pub title: String,
    /// When it was sent; none when its worker gave it up.
    pub sent_at: Option<Micros>,
    /// The test that decided it.
    pub comparison: Comparison,
    /// The decision whose token this one was compared with; none for the initial token, and where nothing is compared.
    pub compared_with: Option<u32>,
    /// What the destination ran.
    pub statement: Statement,
    /// The writer's standing at the lease service, with its times: one or more whole sentences.
    pub standing: String,
    /// The three instants of the grant that it was made under.
    pub instants: Instants,
    /// Its flags.
    pub flags: Vec<Flag>,
    /// What led to it, in order of time.
    pub chain: Vec<Link>,
}

/// The test that decided a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The rule in code: `token > last_token`.
    pub rule: &'static str,
    /// The two sides with their numbers; none where nothing is compared.
    pub sides: Option<Sides>,
    /// Whether the test was passed.
    pub holds: bool,
    /// The same in words: `41 > 42 is false, so the write is rejected.`
    pub sentence: String,
}

/// The two sides of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// What the request carries.
    pub left: String,
    /// `>`, `≥` or `=`.
    pub operator: &'static str,
    /// What it is compared with.
    pub right: String,
    /// What the left side is: `this write`.
    pub left_is: &'static str,
    /// What the right side is: `remembered`.
    pub right_is: &'static str,
}

/// When the old owner lost what. Microseconds; none where it did not come to that in the run, or no grant is involved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instants {
    /// The grant ended at the lease service.
    pub ended: Option<Micros>,
    /// A later grant of the lease was made.
    pub superseded: Option<Micros>,
    /// A later grant was first known at the resource.
    pub known: Option<Micros>,
}

/// A flag as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name in a summary.
    pub name: &'static str,
    /// The decision that it points to (index into [`Trace::writes`]).
    pub verdict: u32,
    /// What it means here.
    pub text: String,
}

/// One link of the chain of causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// When, in microseconds.
    pub at: Micros,
    /// The event.
    pub event: EventId,
    /// What happened, without a full stop.
    pub text: String,
}

/// Why that decision (an index into [`Trace::writes`]) came out as it did; `None` when there is no such decision.
pub fn explain(scenario: &Scenario, trace: &Trace, verdict: u32) -> Option<Explanation> {
    let story = Story::new(scenario, trace);
    let why = Why { story: &story, index: verdict, verdict: story.verdict(verdict)? };
    Some(Explanation { chain: why.chain(), ..why.explanation() })
}

/// Why each decision of a run came out as it did, in order, without the chains: a list has no room for them, and each
/// takes a walk over the run.
pub fn explain_each(scenario: &Scenario, trace: &Trace) -> Vec<Explanation> {
    let story = Story::new(scenario, trace);
    let each = trace.writes.iter().enumerate();
    each.map(|(index, verdict)| Why { story: &story, index: index as u32, verdict }.explanation()).collect()
}

/// What a decision (an index into [`Trace::writes`]) was about: `A writes ‘stale report’`.
pub fn title_of(scenario: &Scenario, trace: &Trace, verdict: u32) -> Option<String> {
    let story = Story::new(scenario, trace);
    let of = story.verdict(verdict)?;
    Some(Why { story: &story, index: verdict, verdict: of }.title())
}

/// The class of one decision by itself.
pub const fn class_of(verdict: &Verdict) -> Class {
    match verdict.outcome() {
        _ if verdict.overwrites_newer.is_some() || verdict.stale_read.is_some() || verdict.applied_twice.is_some() => {
            Class::Corrupting
        }
        Outcome::StaleAccepted => Class::StaleAccepted,
        Outcome::StaleRejected => Class::Fenced,
        Outcome::HolderRefused if verdict.already_applied.is_none() => Class::Refused,
        Outcome::Accepted | Outcome::Replayed | Outcome::HolderRefused => Class::Accepted,
    }
}

/// A guard's rule in code.
pub const fn rule_of(guard: Guard) -> &'static str {
    match guard {
        Guard::None => "no comparison",
        Guard::CheckThenWrite => "if token > peek { write }",
        Guard::Newer => "token > last_token",
        Guard::NewerOrEqual => "token >= last_token",
        Guard::Same => "token == last_token",
        Guard::TokenSeq => "(token, seq) > (last_token, last_seq)",
        Guard::Holder => "grant == live_grant",
    }
}

struct Why<'s, 'a> {
    story: &'s Story<'a>,
    index: u32,
    verdict: &'a Verdict,
}

impl Why<'_, '_> {
    /// All but the chain.
    fn explanation(&self) -> Explanation {
        Explanation {
            class: class_of(self.verdict),
            title: self.title(),
            sent_at: self.story.request(self.index).map(|message| message.sent_at),
            comparison: self.comparison(),
            compared_with: self.compared_with(),
            statement: self.statement(),
            standing: self.standing(),
            instants: self.instants(),
            flags: self.flags(),
            chain: Vec::new(),
        }
    }

    fn title(&self) -> String {
        let (story, verdict) = (self.story, self.verdict);
        let who = story.worker(verdict.worker);
        let mut title = match story.write_of(verdict) {
            Some(write) if write.value.is_empty() => format!("{who} writes an empty value"),
            Some(write) => format!("{who} writes {}", crate::words::quote(&write.value)),
            None => format!("{who} establishes {}", Story::token(verdict.token)),
        };
        if verdict.attempt > 1 {
            title.extend([", attempt ", &verdict.attempt.to_string()]);
        }
        if verdict.copy > 0 {
            title.extend([", copy ", &verdict.copy.to_string()]);
        }
        title
    }

    fn comparison(&self) -> Comparison {
        let (story, verdict) = (self.story, self.verdict);
        let guard = story.guard_of(verdict);
        let kind = Story::kind(verdict);
        let result = match verdict.decision {
            Decision::Accepted => "accepted",
            Decision::Rejected if verdict.given_up => "not sent",
            Decision::Rejected => "rejected",
            Decision::Replayed => "answered with the first outcome",
        };
        let holds = verdict.decision != Decision::Rejected;
        let (rule, sides, sentence) = match (verdict.decision, verdict.reason) {
            _ if verdict.unguarded => {
                ("unguarded", None, format!("The {kind} goes around the guard, so nothing is compared."))
            }
            (Decision::Replayed, _) => {
                let text = "Its key is known: it is answered with the first outcome, and nothing changes.";
                ("key is known", None, text.into())
            }
            (_, Some(Reason::TokenMissing)) => {
                ("token is present", None, format!("It carries no token, so the {kind} is {result}."))
            }
            (_, Some(Reason::TokenForged)) => {
                let text = format!("{}, so the {kind} is {result}.", capital(story.ground(verdict)));
                ("token was issued to the caller", None, text)
            }
            _ if guard == Guard::None => {
                (rule_of(guard), None, format!("Nothing is compared, so the {kind} is {result}: the last writer wins."))
            }
            _ if guard == Guard::CheckThenWrite && !verdict.given_up => {
                let Some((seen, at)) = self.peeked() else {
                    return Comparison {
                        rule: rule_of(guard),
                        sides: None,
                        holds,
                        sentence: "Nothing is compared.".into(),
                    };
                };
                let (who, token, at) = (story.worker(verdict.worker), Story::token(verdict.token), story.at(at));
                let text = format!(
                    "{who} compared before, with what stood here at {at}: {token} > {seen} was true. The {kind} itself compares nothing."
                );
                let sides = Sides { right: seen.to_string(), ..self.sides(guard) };
                (rule_of(guard), Some(sides), text)
            }
            _ if guard == Guard::Same && holds && verdict.token != Some(verdict.remembered_token) => {
                let text = format!(
                    "Nothing has been accepted here yet, and the first token is taken as it is: the {kind} is {result}."
                );
                (rule_of(guard), None, text)
            }
            _ => {
                let sides = self.sides(guard);
                let compared = format!("{} {} {}", sides.left, sides.operator, sides.right);
                (rule_of(guard), Some(sides), format!("{compared} is {holds}, so the {kind} is {result}."))
            }
        };
        Comparison { rule, sides, holds, sentence }
    }

    /// By the order of decisions, not by times: what an accepted request sets at its instant it was not compared with.
    fn compared_with(&self) -> Option<u32> {
        let (story, verdict) = (self.story, self.verdict);
        if story.guard_of(verdict) != Guard::CheckThenWrite {
            return story.remembered_from(self.index, verdict);
        }
        let (seen, at) = self.peeked()?;
        (0..self.index).rev().find(|&earlier| {
            story.verdict(earlier).is_some_and(|of| {
                let sets = of.resource == verdict.resource && of.decision == Decision::Accepted && !of.unguarded;
                sets && of.decided_at <= at && of.token == Some(seen)
            })
        })
    }

    fn sides(&self, guard: Guard) -> Sides {
        let (story, verdict) = (self.story, self.verdict);
        let token = Story::token(verdict.token);
        let remembered = verdict.remembered_token.to_string();
        let left_is = match verdict.kind {
            Kind::Write => "this write",
            Kind::Establish => "this establish",
        };
        let (left, operator, right, right_is) = match guard {
            Guard::TokenSeq => (
                format!("({token}, {})", verdict.seq),
                ">",
                format!("({remembered}, {})", verdict.remembered_seq),
                "remembered",
            ),
            Guard::Holder => {
                let grant = story.grant_of(verdict);
                let live = grant.and_then(|grant| story.live(grant.lease, verdict.event));
                let shown = |grant: Option<&Grant>| {
                    grant.map_or_else(
                        || "none".into(),
                        |grant| format!("{} · {}", grant.token, story.worker(grant.worker)),
                    )
                };
                (shown(grant), "=", shown(live), "holds the lease")
            }
            Guard::NewerOrEqual => (token, "≥", remembered, "remembered"),
            Guard::Same => (token, "=", remembered, "remembered"),
            Guard::CheckThenWrite => (token, ">", remembered, "seen before"),
            Guard::Newer | Guard::None => (token, ">", remembered, "remembered"),
        };
        Sides { left, operator, right, left_is, right_is }
    }

    fn instants(&self) -> Instants {
        let (story, verdict) = (self.story, self.verdict);
        let Some(grant) = story.grant_of(verdict) else { return Instants::default() };
        let known = story.first_known(grant, verdict.resource).and_then(|known| story.verdict(known));
        Instants {
            ended: grant.ended.map(|(at, _)| at),
            superseded: story.successor(grant).map(|successor| successor.granted_at),
            known: known.map(|known| known.decided_at),
        }
    }

    fn standing(&self) -> String {
        let (story, verdict) = (self.story, self.verdict);
        let who = story.worker(verdict.worker);
        let did = if verdict.given_up { "gave up" } else { "acted" };
        let Some(grant) = story.grant_of(verdict) else {
            return match verdict.token {
                Some(token) => format!("{who} held no lease; {token} came from no lease service."),
                None => format!("{who} held no lease and had no token."),
            };
        };
        let lease = story.grant(grant.number);
        let Some((ended, by)) = story.ended_by(verdict) else {
            let left = story.end_then(verdict).map_or(0, |end| end.saturating_sub(verdict.decided_at));
            let since = story.at(grant.granted_at);
            return format!("{who} held {lease}, granted at {since}. It had {} left.", story.span(left));
        };
        let mut text = match by {
            EndedBy::Expiry => format!("{lease} ended at {}", story.at(ended)),
            EndedBy::Release => format!("{who} had given {lease} back at {}", story.at(ended)),
            EndedBy::Failover => format!("{lease} was forgotten by a failover at {}", story.at(ended)),
        };
        if by != EndedBy::Release {
            text = capital(text);
        }
        match story.successor(grant).filter(|_| verdict.standing == Standing::Superseded) {
            Some(successor) => {
                let newer = match successor.token {
                    token if token == grant.token => story.grant(successor.number),
                    token => token.to_string(),
                };
                let at = story.at(successor.granted_at);
                text.extend([" and was superseded by ", &newer, " at ", &at, "."]);
            }
            None => text.push_str(", and nobody held it after."),
        }
        let sent = story.sent_at(self.index, verdict);
        let arrived = verdict.decided_at.saturating_sub(ended);
        let late = if sent < ended {
            let early = story.span(ended - sent);
            format!("{who} sent this {early} before it ended; it arrived {} after.", story.span(arrived))
        } else {
            format!("{who} {did} {} after it ended.", story.span(sent - ended))
        };
        text.push(' ');
        text.push_str(&late);
        text
    }

    fn flags(&self) -> Vec<Flag> {
        let (story, verdict) = (self.story, self.verdict);
        let pointed = |other: u32| {
            let of = story.verdict(other);
            let at = of.map_or_else(String::new, |of| format!(" at {}", story.at(of.decided_at)));
            (of.map_or_else(|| "another write".into(), |of| story.thing(of)), at, of.and_then(|of| of.grant))
        };
        let mut flags = Vec::new();
        if let Some(other) = verdict.already_applied {
            let (thing, at, _) = pointed(other);
            let text = format!("{thing} had taken effect{at}; this one changes nothing.");
            flags.push(Flag { name: "already_applied", verdict: other, text });
        }
        if let Some(other) = verdict.applied_twice {
            let (thing, at, _) = pointed(other);
            let text = format!("{thing} had taken effect{at}, and now it took effect again.");
            flags.push(Flag { name: "applied_twice", verdict: other, text });
        }
        if let Some(other) = verdict.overwrites_newer {
            let (thing, at, grant) = pointed(other);
            let under = grant.map_or_else(String::new, |grant| format!(" under {}", story.grant(grant)));
            let than = if verdict.grant.is_some() { ", granted later" } else { ", and this one under none" };
            let text = format!("It replaced {thing}, written{at}{under}{than}.");
            flags.push(Flag { name: "overwrites_newer", verdict: other, text });
        }
        if let Some(other) = verdict.stale_read {
            let (thing, at, _) = pointed(other);
            let who = story.worker(verdict.worker);
            let text = format!("{who} had read before {thing} was applied{at}, and did not read again.");
            flags.push(Flag { name: "stale_read", verdict: other, text });
        }
        flags
    }
}
