//! Exposure: how long a destination would still accept the token of a grant that has ended.
//!
//! It exists because the end of a lease and the end of its token are two instants: between them a late write gets through.
//! It is asked of the guard itself, over what the resource remembered; the holder check leaves no exposure, no guard never
//! ends it.

use crate::guard::{Presented, Remembered};
use crate::scenario::{Guard, Memory as Durability, Micros, Scenario};
use crate::trace::{Decision, Memory, Trace};

/// A stretch of time in which a write under an ended grant would be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// From when.
    pub from: Micros,
    /// Until when; none when nothing in the run ends it.
    pub until: Option<Micros>,
}

/// The stretches in which that resource would accept a further guarded write under that grant (its number) after the grant
/// has ended, in order. Empty while the grant is live to the end of the run.
pub fn exposures(scenario: &Scenario, trace: &Trace, grant: u32, resource: usize) -> Vec<Exposure> {
    let mut found: Vec<Exposure> = Vec::new();
    let of = trace.grant(grant).and_then(|grant| Some((grant, grant.ended?.0))).zip(scenario.resources.get(resource));
    let Some(((grant, ended), of)) = of else { return found };
    let memories: Vec<&Memory> = trace.memories.iter().filter(|memory| memory.resource == resource).collect();
    for (index, memory) in memories.iter().enumerate() {
        let until = memories.get(index + 1).map(|next| next.from);
        if until.is_some_and(|until| until <= ended || until == memory.from) {
            continue;
        }
        let presented = Presented { token: grant.token, seq: u32::MAX, grant_is_live: false };
        let anything = remembers_anything(scenario, trace, resource, memory.from);
        let remembered = Remembered { token: memory.token, seq: memory.seq, anything };
        let accepts = match of.guard {
            // The worker compares on what it saw; what it sees now it would pass or not.
            Guard::CheckThenWrite => Guard::Newer.decide(presented, remembered),
            guard => guard.decide(presented, remembered),
        };
        if accepts.is_err() {
            continue;
        }
        let from = memory.from.max(ended);
        match found.last_mut() {
            Some(last) if last.until == Some(from) => last.until = until,
            _ => found.push(Exposure { from, until }),
        }
    }
    found
}

/// Whether a guarded request was accepted by then, and not forgotten by a restart since.
fn remembers_anything(scenario: &Scenario, trace: &Trace, resource: usize, at: Micros) -> bool {
    let of = &scenario.resources[resource];
    let forgot = match of.remembers {
        Durability::Durably => None,
        Durability::InMemory => of.restarts.iter().copied().filter(|restart| *restart <= at).max(),
    };
    trace.writes.iter().any(|verdict| {
        verdict.resource == resource
            && verdict.decision == Decision::Accepted
            && !verdict.unguarded
            && verdict.decided_at <= at
            && forgot.is_none_or(|forgot| forgot <= verdict.decided_at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    /// Grant 1 is A's, with 41, until 30.2 s; grant 2 is B's, with 42, whose write is accepted at 38.4 s.
    fn exposed(guard: Guard) -> Vec<(Micros, Option<Micros>)> {
        let text = include_str!("../../../presets/paused-worker.json");
        let mut scenario = Scenario::from_json(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        scenario.resources[0].guard = guard;
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
        exposures(&scenario, &trace, 1, 0).into_iter().map(|of| (of.from, of.until)).collect()
    }

    #[test]
    fn an_old_token_is_accepted_from_the_end_of_its_lease_until_the_newer_one_is_known() {
        for guard in [Guard::Newer, Guard::NewerOrEqual, Guard::TokenSeq, Guard::Same] {
            assert_eq!(exposed(guard), [(30_200_000, Some(38_400_000))], "{guard}");
        }
    }

    #[test]
    fn without_a_guard_the_exposure_never_ends_and_with_the_holder_check_it_never_begins() {
        assert_eq!(exposed(Guard::None), [(30_200_000, None)]);
        assert_eq!(exposed(Guard::Holder), []);
    }

    #[test]
    fn a_restart_that_forgets_opens_the_door_again() {
        let text = include_str!("../../../presets/paused-worker.json");
        let mut scenario = Scenario::from_json(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        scenario.resources[0].remembers = Durability::InMemory;
        scenario.resources[0].restarts = vec![45_000_000];
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
        // At 51.4 s A's own write is accepted, and 41 is then the remembered one.
        assert_eq!(
            exposures(&scenario, &trace, 1, 0),
            [
                Exposure { from: 30_200_000, until: Some(38_400_000) },
                Exposure { from: 45_000_000, until: Some(51_400_000) }
            ]
        );
    }

    #[test]
    fn a_grant_that_is_live_to_the_end_is_no_exposure() {
        let scenario = Scenario::default();
        assert_eq!(exposures(&scenario, &run(&scenario).unwrap_or_default(), 1, 0), []);
    }
}
