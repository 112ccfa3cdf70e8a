//! The sentence over the timeline: the worst thing that happened in a run, in one line and a second one that says why.
//!
//! The order of gravity is [`Finding`]'s order and nothing else's, so that the banner, the guard switch and the command
//! line can never name different events for the same run.

use crate::findings::{Finding, find};
use crate::scenario::{Guard, Scenario};
use crate::story::Story;
use crate::trace::{Ended, Outcome, Reason, Standing, Trace, Verdict};
use crate::words::{capital, list, push_cut};

/// What a run came to, as the colour and the silhouette of its verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing was decided.
    #[default]
    Neutral,
    /// All is well: whatever took effect was right.
    Accepted,
    /// A stale write was kept out.
    Fenced,
    /// A holder's own write was turned away: safe, but not served.
    Refused,
    /// A stale write took effect over nothing newer, or writes took effect in the wrong order.
    StaleAccepted,
    /// Something was lost: a newer value, an update, or one effect too many.
    Corrupting,
}

/// The verdict on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// What it came to.
    pub class: Class,
    /// The first word or two, shown in the outcome's colour; empty when there is no outcome.
    pub lead: &'static str,
    /// The rest of the first sentence, without a full stop.
    pub rest: String,
    /// The second line: one or more whole sentences; may be empty.
    pub detail: String,
    /// The decision that it speaks of (index into [`Trace::writes`]).
    pub witness: Option<u32>,
}

/// How many decisions there were of each outcome, writes and establishes alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accepted while current.
    pub accepted: u32,
    /// Rejected and not current.
    pub stale_rejected: u32,
    /// Accepted though not current.
    pub stale_accepted: u32,
    /// Rejected though current.
    pub holder_refused: u32,
    /// Answered from a kept key.
    pub replayed: u32,
}

/// What a guard would make of a schedule, in a word or two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortOutcome {
    /// What it came to.
    pub class: Class,
    /// `A overwrites B`, `A rejected`, `all accepted`.
    pub text: String,
}

impl Counts {
    /// The counts of a run.
    pub fn of(trace: &Trace) -> Self {
        let mut counts = Self::default();
        for verdict in &trace.writes {
            let count = match verdict.outcome() {
                Outcome::Accepted => &mut counts.accepted,
                Outcome::StaleRejected => &mut counts.stale_rejected,
                Outcome::StaleAccepted => &mut counts.stale_accepted,
                Outcome::HolderRefused => &mut counts.holder_refused,
                Outcome::Replayed => &mut counts.replayed,
            };
            *count += 1;
        }
        counts
    }
}

impl Headline {
    /// The verdict on a run of that scenario.
    pub fn new(scenario: &Scenario, trace: &Trace) -> Self {
        let story = Story::new(scenario, trace);
        let finding = find(&story);
        let witness = finding.witness();
        let about = witness.and_then(|index| Some((index, story.verdict(index)?)));
        let (lead, rest, detail) = match (finding, about) {
            (Finding::Stopped(worker), _) => stopped(&story, worker),
            (Finding::Fine { count }, _) => {
                let what = if trace.writes.iter().all(Verdict::applied) { "writes" } else { "requests" };
                ("Accepted", format!("each of {count} {what} arrived while its lease was running"), String::new())
            }
            (_, Some((index, verdict))) => Telling { story: &story, index, verdict }.tell(finding),
            (_, None) => nothing(&story),
        };
        let mut detail = detail;
        if finding.class() <= Class::Accepted {
            push_sentence(&mut detail, &loose_ends(&story));
        }
        Self { class: finding.class(), lead, rest, detail, witness }
    }

    /// The first line as one text: `Fenced: A’s stale write (41) was rejected`.
    pub fn sentence(&self) -> String {
        if self.lead.is_empty() { self.rest.clone() } else { format!("{}: {}", self.lead, self.rest) }
    }
}

/// What a run came to, short enough for a button.
pub fn short_outcome(scenario: &Scenario, trace: &Trace) -> ShortOutcome {
    let story = Story::new(scenario, trace);
    let finding = find(&story);
    let class = finding.class();
    let named = |worker: usize| {
        let mut name = String::new();
        push_cut(&mut name, scenario.workers.get(worker).map_or("?", |worker| worker.id.as_str()), 12);
        name
    };
    let writer = finding.witness().and_then(|index| story.verdict(index));
    let who = writer.map_or_else(String::new, |verdict| named(verdict.worker));
    let text = match finding {
        Finding::Overwrite(_) => {
            let newer = writer.and_then(|verdict| Some((verdict, story.verdict(verdict.overwrites_newer?)?)));
            match newer {
                Some((writer, newer)) if writer.worker != newer.worker => {
                    format!("{who} overwrites {}", named(newer.worker))
                }
                _ => format!("{who} overwrites itself"),
            }
        }
        Finding::StaleWrite(_) | Finding::StaleEstablish(_) => format!("stale {who} accepted"),
        Finding::LostUpdate(_) => format!("{who} loses an update"),
        Finding::AppliedTwice(_) => format!("{who} applied twice"),
        Finding::Reordered(_) => format!("{who} out of order"),
        Finding::Refused(_) => format!("{who} refused"),
        Finding::GivenUp(_) => format!("{who} gives up"),
        Finding::Fenced(_) => match others_fenced(trace, writer) {
            0 => format!("{who} rejected"),
            more => format!("{who} and {more} more rejected"),
        },
        Finding::AlreadyApplied(_) => format!("{who}’s repeat rejected"),
        Finding::Replayed(_) => format!("{who}’s repeat answered"),
        Finding::Stopped(worker) => format!("{} stops itself", named(worker)),
        Finding::Harmless(_) | Finding::Fine { .. } => {
            if trace.writes.len() == 1 {
                "accepted".into()
            } else {
                "all accepted".into()
            }
        }
        Finding::Nothing => "nothing arrives".into(),
    };
    ShortOutcome { class, text }
}

/// How many other workers had a stale write rejected.
fn others_fenced(trace: &Trace, first: Option<&Verdict>) -> usize {
    let mut workers: Vec<usize> = trace
        .writes
        .iter()
        .filter(|verdict| verdict.outcome() == Outcome::StaleRejected && verdict.already_applied.is_none())
        .map(|verdict| verdict.worker)
        .filter(|&worker| first.is_none_or(|first| first.worker != worker))
        .collect();
    workers.sort_unstable();
    workers.dedup();
    workers.len()
}

type Lines = (&'static str, String, String);

fn push_sentence(text: &mut String, sentence: &str) {
    if !text.is_empty() && !sentence.is_empty() {
        text.push(' ');
    }
    text.push_str(sentence);
}

/// The decision that the headline is about.
struct Telling<'s, 'a> {
    story: &'s Story<'a>,
    index: u32,
    verdict: &'a Verdict,
}

impl Telling<'_, '_> {
    fn tell(&self, finding: Finding) -> Lines {
        match finding {
            Finding::Overwrite(_) => self.overwritten(),
            Finding::StaleWrite(_) | Finding::StaleEstablish(_) => self.stale_accepted(),
            Finding::LostUpdate(_) => self.lost_update(),
            Finding::AppliedTwice(_) => self.applied_twice(),
            Finding::Reordered(_) => self.reordered(),
            Finding::Refused(_) => self.refused(),
            Finding::GivenUp(_) => self.given_up(),
            Finding::Fenced(_) => self.fenced(),
            Finding::AlreadyApplied(_) => self.already_applied(),
            Finding::Replayed(_) => self.replayed(),
            _ => self.harmless(),
        }
    }

    fn who(&self) -> String {
        self.story.worker(self.verdict.worker)
    }

    fn resource(&self) -> String {
        self.story.resource(self.verdict.resource)
    }

    /// Another writer as seen from this one: `B’s`, or `its own`.
    fn whose(&self, other: &Verdict) -> String {
        if other.worker == self.verdict.worker {
            "its own".into()
        } else {
            format!("{}’s", self.story.worker(other.worker))
        }
    }

    fn overwritten(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let newer = verdict.overwrites_newer.and_then(|index| Some((index, story.verdict(index)?)));
        let whose = newer.map_or_else(|| "a".into(), |(_, newer)| self.whose(newer));
        let rest = format!("{} replaced {whose} {}", story.act(verdict), story.newer_value(verdict.resource));
        let mut detail = self.how_late();
        let why = match newer.and_then(|(_, newer)| story.forgot_between(newer, verdict)) {
            Some(at) => {
                format!("{} had forgotten what it remembered, at its restart at {}.", self.resource(), story.at(at))
            }
            None => self.let_through(newer.map(|(_, newer)| newer)),
        };
        push_sentence(&mut detail, &capital(why));
        ("Overwritten", rest, detail)
    }

    /// Why the guard let an older owner's write through.
    fn let_through(&self, newer: Option<&Verdict>) -> String {
        let (story, verdict) = (self.story, self.verdict);
        if verdict.unguarded {
            return format!("the write went around the guard of {}.", self.resource());
        }
        match story.guard_of(verdict) {
            Guard::None => format!("nothing at {} compares tokens.", self.resource()),
            Guard::CheckThenWrite => {
                format!("{} had compared before, and the write itself compares nothing.", self.who())
            }
            Guard::Holder => "each holds a lease of its own, so the check of ownership lets both through.".into(),
            _ => match newer.and_then(|newer| newer.token) {
                Some(token) if verdict.token >= Some(token) => {
                    format!(
                        "the later grant carries {token}, so {} is no older to the guard.",
                        Story::token(verdict.token)
                    )
                }
                _ => format!("the guard let it through: {}.", story.ground(verdict)),
            },
        }
    }

    fn stale_accepted(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let act = story.act(verdict);
        let grant = story.grant_of(verdict);
        let successor = grant.and_then(|grant| story.successor(grant));
        let known =
            grant.and_then(|grant| story.first_known(grant, verdict.resource)).filter(|&known| known < self.index);
        let mut detail = self.how_late();
        let rest = match (verdict.standing, successor) {
            (Standing::Superseded, Some(successor)) if known.is_none() => {
                let told_apart = verdict.token.is_some_and(|token| token < successor.token);
                let (held_by, resource) = (story.worker(successor.worker), self.resource());
                push_sentence(&mut detail, &self.what_followed(&held_by));
                match verdict.token {
                    Some(token) if told_apart => {
                        format!("{token} arrived before {} had reached {resource}", successor.token)
                    }
                    _ => format!("{act} arrived before {held_by}’s newer lease had reached {resource}"),
                }
            }
            (Standing::Superseded, _) => {
                push_sentence(&mut detail, &capital(self.let_through(known.and_then(|known| story.verdict(known)))));
                format!("{act} was let through after a newer lease had reached {}", self.resource())
            }
            (Standing::Unleased, _) => {
                push_sentence(&mut detail, &capital(format!("{}.", story.ground(verdict))));
                match verdict.token {
                    _ if verdict.unguarded => format!("{} went around the guard of {}", act, self.resource()),
                    Some(token) => format!("{} holds no lease, and its {token} was believed", self.who()),
                    None => format!("{} holds no lease and shows no token", self.who()),
                }
            }
            _ => {
                let late = story.ended_by(verdict).map_or(0, |(end, _)| verdict.decided_at.saturating_sub(end));
                push_sentence(&mut detail, "Nobody had the lease by then, so nothing newer could tell.");
                format!("{act} arrived {} after its lease ended", story.span(late))
            }
        };
        ("Stale but accepted", rest, detail)
    }

    /// What the newer holder wrote afterwards.
    fn what_followed(&self, holder: &str) -> String {
        let story = self.story;
        let later = story.trace.writes.iter().skip(self.index as usize + 1).find(|later| {
            later.applied() && later.resource == self.verdict.resource && later.grant > self.verdict.grant
        });
        match later {
            Some(later) => format!(
                "{}’s {} came {} later.",
                story.worker(later.worker),
                story.newer_value(later.resource),
                story.span(later.decided_at - self.verdict.decided_at)
            ),
            None => format!("{holder} wrote nothing here."),
        }
    }

    fn lost_update(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let missed = verdict.stale_read.and_then(|index| story.verdict(index));
        let whose = missed.map_or_else(|| "another’s".into(), |missed| self.whose(missed));
        let rest = format!("{} rests on a read from before {whose} write", story.act(verdict));
        let detail = match missed {
            Some(missed) => format!(
                "{} was written at {}; {} had read before that. Tokens cannot see this, a version check can.",
                capital(self.resource()),
                story.at(missed.decided_at),
                self.who()
            ),
            None => String::new(),
        };
        ("Lost update", rest, detail)
    }

    fn applied_twice(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let first = verdict.applied_twice.and_then(|index| story.verdict(index));
        let before = first.map_or_else(String::new, |first| format!(" at {}", story.at(first.decided_at)));
        let act = story.act(verdict);
        let rest = format!("{act} took effect{before} and again at {}", story.at(verdict.decided_at));
        let how = if verdict.copy > 0 { "The network delivered it more than once" } else { "It was sent again" };
        ("Applied twice", rest, format!("{how}, and {}. A kept key would tell them apart.", story.ground(verdict)))
    }

    fn reordered(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let rest = format!("{} replaced a later one of the same lease", story.thing(verdict));
        let why = capital(story.ground(verdict));
        ("Out of order", rest, format!("{why}: the token alone does not order the writes of one owner."))
    }

    /// What the resource would have wanted instead.
    fn remembers(&self) -> String {
        let (story, verdict) = (self.story, self.verdict);
        match verdict.reason {
            Some(Reason::TokenMissing | Reason::TokenForged | Reason::NotHolder) => story.ground(verdict),
            Some(Reason::SeqNotNewer) => {
                format!("{} remembers ({}, {})", self.resource(), verdict.remembered_token, verdict.remembered_seq)
            }
            _ => format!("{} remembers {}", self.resource(), verdict.remembered_token),
        }
    }

    fn refused(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let lease = story.grant_of(verdict).map_or_else(|| "the lease".into(), |grant| story.lease(grant.lease));
        let kind = Story::kind(verdict);
        let rest = format!("{} holds {lease}, yet its {kind} was turned away — {}", self.who(), self.remembers());
        let detail = match (verdict.reason, story.remembered_from(self.index, verdict)) {
            (Some(Reason::TokenMissing | Reason::TokenForged | Reason::NotHolder), _) => String::new(),
            (_, Some(setter)) => story.verdict(setter).map_or_else(String::new, |setter| self.locked_out_by(setter)),
            (_, None) => {
                format!("{}, and {} is where it started.", capital(story.ground(verdict)), verdict.remembered_token)
            }
        };
        ("Refused", rest, detail)
    }

    fn locked_out_by(&self, setter: &Verdict) -> String {
        let (story, verdict) = (self.story, self.verdict);
        let who = story.worker(setter.worker);
        let at = story.at(setter.decided_at);
        let remembered = verdict.remembered_token;
        match setter.standing {
            _ if setter.grant.is_some() && setter.grant == verdict.grant => {
                let rule = match story.guard_of(verdict) {
                    Guard::TokenSeq => "a later write of the same lease came first",
                    _ => "this guard lets one write through for each lease",
                };
                format!("{who} had used {remembered} at {at}: {rule}.")
            }
            Standing::Unleased => format!("{who} presented {remembered} at {at} and holds no lease."),
            _ => format!("{who} had presented {remembered} at {at}, and {}.", story.ground(verdict)),
        }
    }

    fn given_up(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let rest = match verdict.token {
            Some(token) => {
                let remembered = verdict.remembered_token;
                format!("{} compared {token} with the remembered {remembered} and sent nothing", self.who())
            }
            None => format!("{} has no token to compare and sent nothing", self.who()),
        };
        let mut detail = self.how_late();
        let held =
            format!("{} still compares nothing when a write arrives.", capital(story.resource(verdict.resource)));
        push_sentence(&mut detail, &held);
        ("Given up", rest, detail)
    }

    fn fenced(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let rest = format!("{} was rejected — {}", story.act(verdict), self.remembers());
        let mut detail = self.how_late();
        let newer = story
            .held_before(self.index, verdict.resource)
            .and_then(|held| story.verdict(held))
            .filter(|held| held.worker != verdict.worker && held.grant > verdict.grant);
        let kept = match newer {
            Some(held) => format!("{}’s {} is intact.", story.worker(held.worker), story.newer_value(held.resource)),
            None => format!("{} is unchanged.", capital(self.resource())),
        };
        push_sentence(&mut detail, &kept);
        match others_fenced(story.trace, Some(verdict)) {
            0 => {}
            1 => push_sentence(&mut detail, "Another worker’s stale write was rejected too."),
            more => push_sentence(&mut detail, &format!("Stale writes of {more} other workers were rejected too.")),
        }
        ("Fenced", rest, detail)
    }

    fn already_applied(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let rest = format!("{} came again and was rejected, its effect already in place", story.act(verdict));
        let told = if story.write_of(verdict).is_none_or(|write| write.wait) {
            format!("{} hears of a rejection, though the first arrival took effect.", self.who())
        } else {
            String::new()
        };
        ("Harmless", rest, told)
    }

    fn replayed(&self) -> Lines {
        let rest = format!("{} came again and was answered from its kept key", self.story.act(self.verdict));
        ("Harmless", rest, "It took effect once.".into())
    }

    fn harmless(&self) -> Lines {
        let (story, verdict) = (self.story, self.verdict);
        let lease = verdict.grant.map_or_else(|| "the lease".into(), |grant| story.grant(grant));
        let rest = format!("{}’s {} arrived while {lease} was still running", self.who(), Story::kind(verdict));
        let left = story.end_then(verdict).map_or(0, |end| end.saturating_sub(verdict.decided_at));
        ("Harmless", rest, format!("{} had {} left.", capital(lease), story.span(left)))
    }

    /// How it came to be late: `A woke 20.0 s after lease 41 ended and sent what it had.` Empty when it was not.
    fn how_late(&self) -> String {
        let (story, verdict) = (self.story, self.verdict);
        let (Some((end, _)), Some(number)) = (story.ended_by(verdict), verdict.grant) else {
            return String::new();
        };
        let (who, lease) = (self.who(), story.grant(number));
        let after = |at: u64| match at.saturating_sub(end) {
            0 => format!("as {lease} ended"),
            late => format!("{} after {lease} ended", story.span(late)),
        };
        let sent = story.sent_at(self.index, verdict);
        if sent < end {
            let early = story.span(end - sent);
            return match verdict.decided_at - end {
                0 => format!("{who} sent it {early} before {lease} ended, and it arrived at that very instant."),
                late => {
                    let late = story.span(late);
                    format!("{who} sent it {early} before {lease} ended; it arrived {late} after.")
                }
            };
        }
        let woke = story.trace.pauses.iter().rev().filter(|pause| pause.worker == verdict.worker);
        let woke = woke.filter_map(|pause| pause.until).find(|&resume| resume >= end && resume <= sent);
        match woke {
            Some(resume) if verdict.given_up => format!("{who} woke {}.", after(resume)),
            Some(resume) => format!("{who} woke {} and sent what it had.", after(resume)),
            None if verdict.given_up => format!("It did so {}.", after(sent)),
            None => format!("{who} sent it {}.", after(sent)),
        }
    }
}

fn stopped(story: &Story<'_>, worker: usize) -> Lines {
    let who = story.worker(worker);
    let ended = story.trace.endings.get(worker).map(|ending| ending.ended);
    if ended == Some(Ended::LeaseLost) {
        return ("Harmless", format!("{who} learned that its lease was lost, and stopped"), String::new());
    }
    let detail = "The check was in time here. A pause after it would not be seen.".into();
    ("Harmless", format!("{who} saw on its own clock that its lease was over, and sent nothing"), detail)
}

fn nothing(story: &Story<'_>) -> Lines {
    let where_to = match story.scenario.resources.len() {
        1 => story.resource(0),
        _ => "any resource".into(),
    };
    ("", format!("Nothing reached {where_to} in {}", story.at(story.trace.ended_at)), String::new())
}

/// Workers that did not come to an end of their own.
fn loose_ends(story: &Story<'_>) -> String {
    let mut text = String::new();
    let says = [
        (Ended::Waiting, "still waits for an answer.", "still wait for an answer."),
        (Ended::Crashed, "never wakes up again.", "never wake up again."),
        (Ended::Unanswered, "got no answer and gave up.", "got no answer and gave up."),
    ];
    for (ended, one, several) in says {
        let those = story.trace.endings.iter().enumerate().filter(|(_, ending)| ending.ended == ended);
        let mut names: Vec<String> = those.map(|(worker, _)| story.worker(worker)).collect();
        let says = if names.len() > 1 { several } else { one };
        if names.len() > 3 {
            let more = names.len() - 2;
            names.truncate(2);
            names.push(format!("{more} more"));
        }
        if !names.is_empty() {
            push_sentence(&mut text, &format!("{} {says}", list(&names)));
        }
    }
    text
}
