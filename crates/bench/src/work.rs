//! What is measured: the story, and stories that grow by one thing at a time.

use fenceline_engine::scenario::{Guard, Lease, Resource, Step, Worker, Write};
use fenceline_engine::{Property, Scenario};

/// The story that the page opens on.
pub fn story() -> Scenario {
    // The tests hold the preset to be valid.
    Scenario::from_json(include_str!("../../../presets/paused-worker.json")).unwrap_or_default()
}

/// A story and a property that nothing within any bounds breaks: ownership is checked with the write.
pub fn never_breaks() -> (Scenario, Property) {
    let mut scenario = story();
    scenario.resources.iter_mut().for_each(|resource| resource.guard = Guard::Holder);
    (scenario, Property::NoStaleWrite)
}

/// So many workers that acquire one lease after the other, work and write.
pub fn workers(count: usize) -> Scenario {
    let mut scenario = Scenario { leases: vec![Lease::new("lock", 30_000_000)], ..Scenario::default() };
    scenario.network.delay = 200_000;
    scenario.resources.push(Resource::new("report"));
    let plan = story().workers.swap_remove(1).plan;
    scenario.workers = (0..count)
        .map(|index| {
            let plan = plan.iter().cloned().map(on_the_first).collect();
            Worker { id: format!("w{index}"), starts: index as u64 * 1_000_000, plan, ..Worker::default() }
        })
        .collect();
    scenario
}

/// The same step, about the only lease and the only resource.
fn on_the_first(step: Step) -> Step {
    match step {
        Step::Acquire { exchange, .. } => Step::Acquire { lease: "lock".into(), exchange },
        other => other,
    }
}

/// About so many messages: writes and their replies, of workers that hold no lease.
pub fn messages(count: usize) -> Scenario {
    let mut scenario = Scenario { resources: vec![Resource::new("report")], ..Scenario::default() };
    scenario.resources.iter_mut().for_each(|resource| resource.guard = Guard::None);
    scenario.network.delay = 200_000;
    let write = Step::Write(Write::new("report", "v"));
    let writes = count / 2;
    // A worker has a plan of at most 256 steps.
    scenario.workers = (0..writes.div_ceil(100))
        .map(|index| {
            let steps = writes.saturating_sub(index * 100).min(100);
            Worker { id: format!("w{index}"), plan: vec![write.clone(); steps], ..Worker::default() }
        })
        .collect();
    scenario
}

#[cfg(test)]
mod tests {
    use fenceline_engine::run;

    use super::*;

    #[test]
    fn what_is_measured_is_valid_and_as_large_as_it_says() {
        assert_eq!(story().workers.len(), 2);
        for count in [2, 8, 32] {
            let trace = run(&workers(count)).expect("it runs");
            assert_eq!(trace.grants.len(), count, "each worker is served");
        }
        for count in [10, 100, 1_000] {
            let trace = run(&messages(count)).expect("it runs");
            assert_eq!(trace.messages.len(), count);
        }
        let (scenario, property) = never_breaks();
        assert!(run(&scenario).expect("it runs").properties[property as usize].holds());
    }
}
