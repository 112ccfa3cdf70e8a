//! Removal of a part, and what goes with it.
//!
//! A step that needs a lease or a resource cannot stand without it, nor a worker without a step. It exists apart so that
//! what will go is known, and can be said, before it goes.

use fenceline_engine::Scenario;
use fenceline_engine::scenario::Worker;

use super::names;
use crate::selection::Part;

/// What goes with a part that is taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Company {
    /// Steps that need it.
    pub steps: usize,
    /// Workers that are left without a step.
    pub workers: usize,
}

impl Company {
    /// Whether the part goes alone.
    pub const fn is_none(self) -> bool {
        self.steps == 0 && self.workers == 0
    }
}

/// What goes with a part. The steps and pauses of a worker are no company: they are the worker.
pub fn company(scenario: &Scenario, part: Part) -> Company {
    let steps = |scenario: &Scenario| scenario.workers.iter().map(|worker| worker.plan.len()).sum::<usize>();
    let Some((after, _)) = remove(scenario, part) else { return Company::default() };
    let workers = scenario.workers.len() - after.workers.len();
    match part {
        Part::Worker(_) | Part::Pause(..) => Company::default(),
        Part::Step(..) => Company { steps: 0, workers },
        Part::Lease(_) | Part::Resource(_) => Company { steps: steps(scenario) - steps(&after), workers },
    }
}

/// Takes a part away with its company. Gives what is to be selected then.
pub fn remove(scenario: &Scenario, part: Part) -> Option<(Scenario, Option<Part>)> {
    if !part.is_in(scenario) {
        return None;
    }
    let mut changed = scenario.clone();
    let neighbour = |index: usize, count: usize, of: fn(usize) -> Part| (count > 0).then(|| of(index.min(count - 1)));
    let then = match part {
        Part::Lease(lease) => {
            let gone = changed.leases.remove(lease).id;
            names::forget_lease(&mut changed, &gone);
            neighbour(lease, changed.leases.len(), Part::Lease)
        }
        Part::Resource(resource) => {
            let gone = changed.resources.remove(resource).id;
            names::forget_resource(&mut changed, &gone);
            neighbour(resource, changed.resources.len(), Part::Resource)
        }
        Part::Worker(worker) => {
            changed.workers.remove(worker);
            neighbour(worker, changed.workers.len(), Part::Worker)
        }
        Part::Step(worker, step) => {
            let plan = &mut changed.workers[worker].plan;
            plan.remove(step);
            Some(if plan.is_empty() { Part::Worker(worker) } else { Part::Step(worker, step.min(plan.len() - 1)) })
        }
        Part::Pause(worker, pause) => {
            changed.workers[worker].pauses.remove(pause);
            Some(Part::Worker(worker))
        }
    };
    // A lease or a resource stays where it is when workers go; what belongs to a worker may not.
    let empty = |worker: &Worker| worker.plan.is_empty();
    let moves = matches!(part, Part::Step(..) | Part::Pause(..)) && changed.workers.iter().any(empty);
    changed.workers.retain(|worker| !empty(worker));
    Some((changed, then.filter(|_| !moves)))
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use fenceline_engine::scenario::Step;

    use super::super::tests::{every_part, opening};
    use super::*;

    #[test]
    fn whatever_is_removed_leaves_a_valid_document_and_something_that_is_there_selected() {
        for part in every_part(&opening()) {
            let (changed, then) = remove(&opening(), part).unwrap_or_else(|| panic!("{part} cannot be removed"));
            assert_eq!(changed.check(), [], "{part}");
            assert!(then.is_none_or(|then| then.is_in(&changed)), "{part}");
        }
        assert_eq!(remove(&opening(), Part::Lease(9)), None);
    }

    #[test]
    fn removing_a_lease_takes_the_steps_that_name_it() {
        let (changed, _) = remove(&opening(), Part::Lease(0)).expect("it is there");
        assert!(changed.leases.is_empty());
        let kinds: Vec<_> = changed.workers[0].plan.iter().map(Step::name).collect();
        assert_eq!(kinds, ["work", "write"]);
    }

    #[test]
    fn a_worker_goes_with_its_last_step() {
        let mut short = opening();
        short.workers[1].plan.truncate(1);
        let (changed, then) = remove(&short, Part::Step(1, 0)).expect("it is there");
        assert_eq!((changed.workers.len(), then), (1, None));
    }

    #[test]
    fn what_goes_with_a_part_is_known_before() {
        let none = Company::default();
        // Both workers acquire the lease and write to the resource once.
        assert_eq!(company(&opening(), Part::Lease(0)), Company { steps: 2, workers: 0 });
        assert_eq!(company(&opening(), Part::Resource(0)), Company { steps: 2, workers: 0 });
        for alone in [Part::Worker(0), Part::Pause(0, 0), Part::Step(0, 1), Part::Lease(9)] {
            assert_eq!(company(&opening(), alone), none, "{alone}");
        }
        let mut short = opening();
        short.workers[1].plan.truncate(1);
        assert_eq!(company(&short, Part::Lease(0)), Company { steps: 2, workers: 1 });
        assert_eq!(company(&short, Part::Step(1, 0)), Company { steps: 0, workers: 1 });
    }

    #[test]
    fn a_step_that_only_mentions_a_lease_stays_without_the_mention() {
        let mut named = opening();
        let Step::Write(write) = &mut named.workers[0].plan[2] else { panic!("it should be a write") };
        write.lease = Some("report-lock".into());
        assert_eq!(company(&named, Part::Lease(0)).steps, 2, "the two that acquire it");
        let (changed, _) = remove(&named, Part::Lease(0)).expect("it is there");
        assert_eq!(changed.check(), []);
        assert!(matches!(&changed.workers[0].plan[1], Step::Write(write) if write.lease.is_none()));
    }
}
