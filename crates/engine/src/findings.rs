//! The worst thing that happened in a run: one list, gravest first, that every short verdict is taken from.

use crate::headline::{Class, Gist};
use crate::scenario::Micros;
use crate::story::Story;
use crate::trace::{Ended, Ending, Happening, Kind, Outcome, Standing, Verdict};

/// What a verdict on a run is about. A number is a decision (index into the trace's writes); of several of a kind it is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// A newer value was overwritten.
    Overwrite(u32),
    /// A stale write took effect.
    StaleWrite(u32),
    /// A write rests on a read that was no longer true.
    LostUpdate(u32),
    /// A write took effect twice.
    AppliedTwice(u32),
    /// A write took effect over a later one of the same grant. No property forbids it; a reader wants to know.
    Reordered(u32),
    /// A stale establish was remembered.
    StaleEstablish(u32),
    /// A holder was turned away.
    Refused(u32),
    /// A stale write was rejected.
    Fenced(u32),
    /// A worker compared by itself and sent nothing.
    GivenUp(u32),
    /// A rejected repeat of a write that is in place.
    AlreadyApplied(u32),
    /// A repeat that was answered from its key.
    Replayed(u32),
    /// A worker stopped itself (index of the worker).
    Stopped(usize),
    /// The write, of those that something held up, that came nearest to the end of its lease; or the only one.
    Harmless(u32),
    /// All was accepted and nothing was held up.
    Fine {
        /// How many decisions.
        count: usize,
    },
    /// Nothing was decided.
    Nothing,
}

impl Finding {
    pub const fn class(self) -> Class {
        self.gist().class
    }

    /// Its class, and what it is called where there is room for two words.
    const fn gist(self) -> Gist {
        let place = match self {
            Self::Overwrite(_) => 0,
            Self::StaleWrite(_) | Self::StaleEstablish(_) => 1,
            Self::LostUpdate(_) => 2,
            Self::AppliedTwice(_) => 3,
            Self::Reordered(_) => 4,
            Self::Refused(_) => 5,
            Self::Fenced(_) => 6,
            Self::GivenUp(_) => 7,
            Self::AlreadyApplied(_) => 8,
            Self::Replayed(_) => 9,
            Self::Stopped(_) => 10,
            Self::Harmless(_) | Self::Fine { .. } => 11,
            Self::Nothing => 12,
        };
        Gist::ALL[place]
    }

    /// The decision that it is about.
    pub const fn witness(self) -> Option<u32> {
        match self {
            Self::Overwrite(index)
            | Self::StaleWrite(index)
            | Self::LostUpdate(index)
            | Self::AppliedTwice(index)
            | Self::Reordered(index)
            | Self::StaleEstablish(index)
            | Self::Refused(index)
            | Self::Fenced(index)
            | Self::GivenUp(index)
            | Self::AlreadyApplied(index)
            | Self::Replayed(index)
            | Self::Harmless(index) => Some(index),
            Self::Stopped(_) | Self::Fine { .. } | Self::Nothing => None,
        }
    }
}

/// The gravest finding of a run.
pub(crate) fn find(story: &Story<'_>) -> Finding {
    let writes = &story.trace.writes;
    gravest(writes)
        .or_else(|| story.trace.endings.iter().position(stopped).map(Finding::Stopped))
        .or_else(|| nearest_to_the_end(story).map(Finding::Harmless))
        .unwrap_or(if writes.is_empty() { Finding::Nothing } else { Finding::Fine { count: writes.len() } })
}

/// The gist of a run, from its decisions and endings alone: the class that [`find`] gives it, without a trace.
pub(crate) fn gist(writes: &[Verdict], endings: &[Ending]) -> Gist {
    let stopped = || endings.iter().position(stopped).map(Finding::Stopped);
    let fine = if writes.is_empty() { Finding::Nothing } else { Finding::Fine { count: writes.len() } };
    gravest(writes).or_else(stopped).unwrap_or(fine).gist()
}

fn stopped(ending: &Ending) -> bool {
    matches!(ending.ended, Ended::StoppedItself | Ended::LeaseLost)
}

/// The gravest of what the decisions by themselves show; none when all is well with them.
fn gravest(writes: &[Verdict]) -> Option<Finding> {
    let first = |is: &dyn Fn(&Verdict) -> bool| writes.iter().position(is).map(|index| index as u32);
    let stale = |verdict: &Verdict| verdict.outcome() == Outcome::StaleAccepted;
    let repeats = |verdict: &Verdict| verdict.already_applied.is_some();
    let fenced = |verdict: &Verdict| verdict.outcome() == Outcome::StaleRejected && !repeats(verdict);

    first(&|verdict| verdict.overwrites_newer.is_some())
        .map(Finding::Overwrite)
        .or_else(|| first(&|verdict| verdict.kind == Kind::Write && stale(verdict)).map(Finding::StaleWrite))
        .or_else(|| first(&|verdict| verdict.stale_read.is_some()).map(Finding::LostUpdate))
        .or_else(|| first(&|verdict| verdict.applied_twice.is_some()).map(Finding::AppliedTwice))
        .or_else(|| reordered(writes).map(Finding::Reordered))
        .or_else(|| first(&stale).map(Finding::StaleEstablish))
        .or_else(|| {
            first(&|verdict| verdict.outcome() == Outcome::HolderRefused && !repeats(verdict)).map(Finding::Refused)
        })
        .or_else(|| first(&|verdict| fenced(verdict) && !verdict.given_up).map(Finding::Fenced))
        .or_else(|| first(&fenced).map(Finding::GivenUp))
        .or_else(|| {
            first(&|verdict| repeats(verdict) && verdict.outcome() != Outcome::Replayed).map(Finding::AlreadyApplied)
        })
        .or_else(|| first(&|verdict| verdict.outcome() == Outcome::Replayed).map(Finding::Replayed))
}

/// The first write that took effect over one of its own grant with a higher sequence.
fn reordered(writes: &[Verdict]) -> Option<u32> {
    let is_it = |&(index, verdict): &(usize, &Verdict)| {
        let before =
            writes[..index].iter().rev().find(|before| before.applied() && before.resource == verdict.resource);
        verdict.applied()
            && before.is_some_and(|before| {
                before.worker == verdict.worker && before.grant == verdict.grant && before.seq > verdict.seq
            })
    };
    writes.iter().enumerate().find(is_it).map(|(index, _)| index as u32)
}

/// Of the writes accepted in time that a pause or a slow message held up, the one with the least time left on its
/// lease; the only decision when there is one.
fn nearest_to_the_end(story: &Story<'_>) -> Option<u32> {
    let trace = story.trace;
    if let [only] = trace.writes.as_slice() {
        return (only.standing == Standing::Current).then_some(0);
    }
    let mut ends: Vec<Micros> = Vec::with_capacity(trace.grants.len());
    let mut nearest: Option<(Micros, u32)> = None;
    for event in &trace.events {
        match event.what {
            Happening::Granted(number) => {
                let grant = trace.grant(number)?;
                ends.push(grant.granted_at + story.scenario.leases.get(grant.lease)?.ttl);
            }
            Happening::Renewed(number, end) => {
                if let Some(known) = ends.get_mut((number as usize).wrapping_sub(1)) {
                    *known = end;
                }
            }
            Happening::Decided(index) => {
                let verdict = story.verdict(index)?;
                let end = verdict.grant.and_then(|number| ends.get((number as usize).wrapping_sub(1)));
                if let (Outcome::Accepted, Some(&end)) = (verdict.outcome(), end) {
                    let left = end.saturating_sub(verdict.decided_at);
                    if nearest.is_none_or(|(least, _)| left < least) && held_up(story, index, verdict) {
                        nearest = Some((left, index));
                    }
                }
            }
            _ => {}
        }
    }
    nearest.map(|(_, index)| index)
}

/// Whether the writer was paused since its grant, or the network took longer than it does by default.
fn held_up(story: &Story<'_>, index: u32, verdict: &Verdict) -> bool {
    let slow = verdict.decided_at - story.sent_at(index, verdict) > story.scenario.network.delay;
    let granted = story.grant_of(verdict).map_or(0, |grant| grant.granted_at);
    slow || story.last_pause(verdict.worker, granted, verdict.decided_at).is_some()
}
