//! What holds for every run, whatever the scenario: order at the guards, one effect a key, no step inside a pause.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use std::collections::BTreeMap;

use common::generate::any_scenario;
use fenceline_engine::scenario::{Memory, Resource, Step};
use fenceline_engine::trace::{Direction, Happening, Lane};
use fenceline_engine::{Decision, Guard, Kind, Model, Outcome, Runner, Scenario, Trace, Verdict, run};
use proptest::prelude::*;

fn told(scenario: &Scenario) -> Trace {
    run(scenario).expect("the generator makes valid scenarios only")
}

fn forgets(resource: &Resource) -> bool {
    resource.remembers == Memory::InMemory && !resource.restarts.is_empty()
}

/// The resources that have that guard and never forget, with what they accepted by it, in order.
///
/// A writer that goes around the guard leaves the memory alone, so its writes are left out and the order stands.
fn accepted_by<'a>(scenario: &'a Scenario, trace: &'a Trace, guard: Guard) -> Vec<(&'a Resource, Vec<&'a Verdict>)> {
    let of_guard =
        scenario.resources.iter().enumerate().filter(|(_, resource)| resource.guard == guard && !forgets(resource));
    of_guard
        .map(|(index, resource)| {
            let accepted = |verdict: &&Verdict| {
                verdict.resource == index && verdict.decision == Decision::Accepted && !verdict.unguarded
            };
            (resource, trace.writes.iter().filter(accepted).collect())
        })
        .collect()
}

/// The (token, sequence) that a resource knew, and accepted after that, in order.
fn generations(resource: &Resource, accepted: &[&Verdict]) -> Vec<(u64, u32)> {
    let first = (resource.initial.token, 0);
    let token = |verdict: &&Verdict| (verdict.token.expect("a guard accepts no request without a token"), verdict.seq);
    std::iter::once(first).chain(accepted.iter().map(token)).collect()
}

/// The key that a decided write carries.
fn key(scenario: &Scenario, verdict: &Verdict) -> String {
    let worker = &scenario.workers[verdict.worker];
    match &worker.plan[verdict.step] {
        Step::Write(write) => write.key.clone().unwrap_or_else(|| format!("{}/{}", worker.id, verdict.step + 1)),
        other => panic!("a write was decided for a step `{}`", other.name()),
    }
}

/// Whether the worker is inside one of its pauses.
fn paused(scenario: &Scenario, worker: usize, at: u64) -> bool {
    scenario.workers[worker]
        .pauses
        .iter()
        .any(|pause| at >= pause.at && pause.length.is_none_or(|length| at < pause.at + length))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_scenario_gives_the_same_trace(scenario in any_scenario()) {
        prop_assert_eq!(told(&scenario), told(&scenario));
    }

    #[test]
    fn a_runner_that_ran_before_gives_the_same_trace(first in any_scenario(), second in any_scenario()) {
        let model = |scenario| Model::new(scenario).expect("the generator makes valid scenarios only");
        let (first, second) = (model(&first), model(&second));
        let mut fresh = Runner::default();
        let expected = fresh.trace(&second).expect("few events");
        let mut used = Runner::default();
        used.run(&first).expect("few events");
        {
            let outcome = used.run(&second).expect("few events");
            prop_assert_eq!(outcome.grants, expected.grants.as_slice());
            prop_assert_eq!(outcome.endings, expected.endings.as_slice());
            prop_assert_eq!(outcome.properties, expected.properties);
            // Only the events that decided them are not told.
            let untold = |verdict: &Verdict| Verdict { event: 0, ..*verdict };
            let (writes, told): (Vec<_>, Vec<_>) =
                (outcome.writes.iter().map(untold).collect(), expected.writes.iter().map(untold).collect());
            prop_assert_eq!(writes, told);
        }
        prop_assert_eq!(used.trace(&second).expect("few events"), expected);
    }

    #[test]
    fn accepted_tokens_strictly_rise_under_newer(scenario in any_scenario()) {
        let trace = told(&scenario);
        for (resource, accepted) in accepted_by(&scenario, &trace, Guard::Newer) {
            prop_assert!(generations(resource, &accepted).is_sorted_by(|before, after| before.0 < after.0));
        }
    }

    #[test]
    fn accepted_tokens_never_fall_under_newer_or_equal(scenario in any_scenario()) {
        let trace = told(&scenario);
        for (resource, accepted) in accepted_by(&scenario, &trace, Guard::NewerOrEqual) {
            prop_assert!(generations(resource, &accepted).is_sorted_by(|before, after| before.0 <= after.0));
        }
    }

    #[test]
    fn accepted_generations_strictly_rise_under_token_seq(scenario in any_scenario()) {
        let trace = told(&scenario);
        for (resource, accepted) in accepted_by(&scenario, &trace, Guard::TokenSeq) {
            prop_assert!(generations(resource, &accepted).is_sorted_by(|before, after| before < after));
        }
    }

    #[test]
    fn no_stale_write_is_accepted_under_holder(scenario in any_scenario()) {
        let trace = told(&scenario);
        for verdict in &trace.writes {
            if scenario.resources[verdict.resource].guard == Guard::Holder && !verdict.unguarded {
                prop_assert_ne!(verdict.outcome(), Outcome::StaleAccepted);
            }
        }
    }

    #[test]
    fn each_key_takes_effect_at_most_once_where_keys_are_kept(scenario in any_scenario()) {
        let trace = told(&scenario);
        let mut effects: BTreeMap<(usize, String), u32> = BTreeMap::new();
        for verdict in &trace.writes {
            let resource = &scenario.resources[verdict.resource];
            if resource.idempotent && !forgets(resource) && !verdict.unguarded && verdict.applied() {
                *effects.entry((verdict.resource, key(&scenario, verdict))).or_default() += 1;
            }
        }
        prop_assert!(effects.values().all(|effects| *effects == 1), "{effects:?}");
    }

    #[test]
    fn a_worker_does_nothing_inside_a_pause(scenario in any_scenario()) {
        let trace = told(&scenario);
        for event in &trace.events {
            let acts = match event.what {
                Happening::Sent(message) => trace.messages[message as usize].direction == Direction::Request,
                Happening::Began(_)
                | Happening::Finished(_)
                | Happening::Received(_)
                | Happening::Noted(_)
                | Happening::LearnedLost(_)
                | Happening::CheckPassed(_)
                | Happening::PlanEnded(_) => true,
                _ => false,
            };
            if let (true, Lane::Worker(worker)) = (acts, event.lane) {
                prop_assert!(!paused(&scenario, worker, event.at), "{event:?}");
            }
        }
        for message in trace.messages.iter().filter(|message| message.direction == Direction::Request) {
            prop_assert!(!paused(&scenario, message.worker, message.sent_at), "{message:?}");
        }
        for message in &trace.messages {
            if let Some(handled_at) = message.handled_at {
                prop_assert!(!paused(&scenario, message.worker, handled_at), "{message:?}");
                prop_assert!(message.arrives_at.is_some_and(|arrives_at| arrives_at <= handled_at), "{message:?}");
            }
        }
    }

    #[test]
    fn a_lease_has_at_most_one_live_grant(scenario in any_scenario()) {
        let trace = told(&scenario);
        for (lease, settings) in scenario.leases.iter().enumerate() {
            let grants: Vec<_> = trace.grants.iter().filter(|grant| grant.lease == lease).collect();
            for pair in grants.windows(2) {
                let (ended_at, _) = pair[0].ended.expect("a later grant exists, so the earlier one ended");
                prop_assert!(ended_at <= pair[1].granted_at);
            }
            for grant in grants {
                let end = grant.ended.map_or(trace.ended_at, |(at, _)| at);
                prop_assert!(grant.granted_at <= end);
                prop_assert!(grant.due_at >= grant.granted_at + settings.ttl);
                prop_assert!(end <= grant.due_at);
            }
        }
    }

    #[test]
    fn a_version_counts_the_applied_writes(scenario in any_scenario()) {
        let trace = told(&scenario);
        for index in 0..scenario.resources.len() {
            let applied = trace.writes.iter().filter(|verdict| verdict.resource == index && verdict.applied()).count();
            let last = trace.memories.iter().rfind(|memory| memory.resource == index).expect("each resource has one");
            prop_assert_eq!(last.version as usize, applied);
        }
    }

    #[test]
    fn a_decision_has_a_reason_exactly_when_it_is_a_rejection(scenario in any_scenario()) {
        for verdict in told(&scenario).writes {
            prop_assert_eq!(verdict.reason.is_some(), verdict.decision == Decision::Rejected);
            prop_assert_eq!(verdict.grant.is_none(), verdict.standing == fenceline_engine::Standing::Unleased);
            let bare = verdict.overwrites_newer.or(verdict.stale_read).or(verdict.applied_twice).is_none();
            prop_assert!(verdict.applied() || bare, "only an applied write bears these flags: {verdict:?}");
            prop_assert!(verdict.kind == Kind::Write || bare);
        }
    }

    #[test]
    fn time_never_goes_back_and_a_cause_comes_first(scenario in any_scenario()) {
        let trace = told(&scenario);
        prop_assert!(trace.events.is_sorted_by_key(|event| event.at));
        for (index, event) in trace.events.iter().enumerate() {
            prop_assert!(event.cause.is_none_or(|cause| (cause as usize) < index), "{event:?}");
        }
    }
}
