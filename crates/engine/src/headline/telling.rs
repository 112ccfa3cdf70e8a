//! The two lines about one decision, for each kind of finding.

use crate::findings::Finding;
use crate::scenario::Guard;
use crate::story::Story;
use crate::trace::{Outcome, Reason, Standing, Verdict};
use crate::words::capital;

use super::{Lines, others_fenced, push_sentence};

/// The decision that the headline is about.
pub(super) struct Telling<'s, 'a> {
    pub story: &'s Story<'a>,
    pub index: u32,
    pub verdict: &'a Verdict,
}

impl Telling<'_, '_> {
    pub fn tell(&self, finding: Finding) -> Lines {
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
                    let own = Story::token(verdict.token);
                    format!("the newer value came with {token}, so {own} is no older to the guard.")
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
        let turned_away = story.turned_away(self.index, verdict);
        let mut detail = self.how_late();
        let rest = match (verdict.standing, successor) {
            (Standing::Superseded, Some(_)) if known.is_none() && turned_away.is_some() => {
                let (holder, token, at, ground) = turned_away.map_or_else(Default::default, |refused| {
                    let (token, at) = (Story::token(refused.token), story.at(refused.decided_at));
                    (story.worker(refused.worker), token, at, story.ground(refused))
                });
                push_sentence(&mut detail, &format!("{holder}, the holder, was refused at {at}: {ground}."));
                format!("{act} got in, and {holder}’s {token} had been turned away")
            }
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
                push_sentence(&mut detail, &self.locks_out());
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
            Some(later) if later.decided_at == self.verdict.decided_at => format!(
                "{}’s {} came at the same instant.",
                story.worker(later.worker),
                story.newer_value(later.resource),
            ),
            Some(later) => format!(
                "{}’s {} came {} later.",
                story.worker(later.worker),
                story.newer_value(later.resource),
                story.span(later.decided_at - self.verdict.decided_at)
            ),
            None => format!("{holder} wrote nothing here."),
        }
    }

    /// Who was turned away later because of the token that this left behind.
    fn locks_out(&self) -> String {
        let story = self.story;
        let later = story.trace.writes.iter().enumerate().skip(self.index as usize + 1);
        let mut refused = later.filter(|(index, later)| {
            later.resource == self.verdict.resource
                && later.outcome() == Outcome::HolderRefused
                && story.remembered_from(*index as u32, later) == Some(self.index)
        });
        refused.next().map_or_else(String::new, |(_, later)| {
            format!("{} holds the lease and is turned away because of it.", story.worker(later.worker))
        })
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
            (_, None) if story.started_with(verdict.resource) == Some(verdict.remembered_token) => {
                format!("{} had that from the start.", capital(self.resource()))
            }
            (_, None) => String::new(),
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
