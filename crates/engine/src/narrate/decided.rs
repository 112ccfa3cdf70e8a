//! One decision as a sentence of the narrative: what it was, and why.

use crate::scenario::Guard;
use crate::story::Story;
use crate::trace::{Decision, Kind, Outcome, Standing, Verdict};
use crate::words::capital;

use super::Mark;

/// The icon of a decision.
pub(crate) const fn mark_of(verdict: &Verdict) -> Mark {
    match verdict.outcome() {
        Outcome::Accepted => Mark::Accepted,
        Outcome::StaleAccepted => Mark::StaleAccepted,
        Outcome::HolderRefused => Mark::HolderRefused,
        Outcome::StaleRejected => Mark::StaleRejected,
        Outcome::Replayed => Mark::Replayed,
    }
}

/// What the resource knew of later grants of the writer's lease by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Newer {
    /// Nothing.
    Unknown,
    /// A request under one had come, and was refused.
    TurnedAway,
    /// A request under one had been accepted.
    Known,
}

/// A decision in two parts: the one to stand out (empty where all is well), and the rest.
pub(crate) fn decided(story: &Story<'_>, verdict: &Verdict, newer: Newer) -> (String, String) {
    let thing = story.thing(verdict);
    let ground = story.ground(verdict);
    let who = story.worker(verdict.worker);
    if verdict.given_up {
        let bold = format!("{who} compares and sends nothing:");
        return (bold, ground);
    }
    let applied_before = verdict.already_applied.is_some();
    let bold = match (verdict.decision, verdict.standing) {
        (Decision::Replayed, _) => {
            return (String::new(), format!("{thing} is answered from its kept key and changes nothing"));
        }
        (Decision::Rejected, _) if applied_before => {
            return (format!("{thing} is rejected:"), format!("{ground}; it took effect before"));
        }
        (Decision::Rejected, Standing::Current) => format!("{thing} is refused, though {who} holds the lease:"),
        (Decision::Rejected, _) => format!("{thing} is rejected:"),
        (Decision::Accepted, _) => return accepted(story, verdict, newer, &thing, ground),
    };
    (bold, ground)
}

fn accepted(story: &Story<'_>, verdict: &Verdict, newer: Newer, thing: &str, ground: String) -> (String, String) {
    let whose = |other: u32| story.verdict(other).map_or_else(|| "a newer value".into(), |other| story.thing(other));
    let after = capital(remembers_now(story, verdict));
    if let Some(newer) = verdict.overwrites_newer {
        return (format!("{thing} overwrites {}:", whose(newer)), ground);
    }
    if let Some(missed) = verdict.stale_read {
        let bold = format!("{thing} is accepted, though it was made before {}.", whose(missed));
        return (bold, after);
    }
    if verdict.applied_twice.is_some() {
        return (format!("{thing} takes effect a second time:"), ground);
    }
    match verdict.standing {
        Standing::Current => (String::new(), format!("{thing} is accepted. {after}")),
        Standing::Superseded if newer != Newer::Known => {
            let successor = story.grant_of(verdict).and_then(|grant| story.successor(grant));
            let says = if newer == Newer::TurnedAway { "was turned away here" } else { "is not known here yet" };
            let newer = successor.map_or_else(String::new, |grant| format!(", and {} {says}", grant.token));
            (format!("{thing} is accepted, though stale:"), format!("{ground}{newer}"))
        }
        Standing::Unleased => {
            (format!("{thing} is accepted, though {} holds no lease:", story.worker(verdict.worker)), ground)
        }
        _ => (format!("{thing} is accepted, though stale:"), ground),
    }
}

/// What the resource remembers after an accepted request: `the report remembers 42`.
fn remembers_now(story: &Story<'_>, verdict: &Verdict) -> String {
    let resource = story.resource(verdict.resource);
    match (story.guard_of(verdict), verdict.token) {
        _ if verdict.unguarded => format!("{resource} remembers {} as before", verdict.remembered_token),
        (Guard::TokenSeq, Some(token)) => format!("{resource} remembers ({token}, {})", verdict.seq),
        (Guard::None, _) | (_, None) => format!("{resource} compares nothing"),
        (_, Some(token)) if verdict.kind == Kind::Establish => format!("{resource} now knows {token}"),
        (_, Some(token)) => format!("{resource} remembers {token}"),
    }
}
