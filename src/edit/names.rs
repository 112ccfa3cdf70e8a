//! Names and what refers to them: steps name leases and resources by their ids.

use fenceline_engine::Scenario;
use fenceline_engine::scenario::Step;

use crate::selection::Part;

/// The lease that a step names.
pub(super) fn lease_named(step: &Step) -> Option<&str> {
    match step {
        Step::Acquire { lease, .. } | Step::Check { lease, .. } | Step::Release { lease, .. } => Some(lease),
        Step::Establish { lease, .. } => lease.as_deref(),
        Step::Write(write) => write.lease.as_deref(),
        Step::Work { .. } | Step::Until { .. } | Step::Read { .. } => None,
    }
}

/// The same, to change.
pub(super) fn lease_named_mut(step: &mut Step) -> Option<&mut String> {
    match step {
        Step::Acquire { lease, .. } | Step::Check { lease, .. } | Step::Release { lease, .. } => Some(lease),
        Step::Establish { lease, .. } => lease.as_mut(),
        Step::Write(write) => write.lease.as_mut(),
        Step::Work { .. } | Step::Until { .. } | Step::Read { .. } => None,
    }
}

/// The resource that a step names.
pub(super) fn resource_named(step: &Step) -> Option<&str> {
    match step {
        Step::Read { resource, .. } | Step::Establish { resource, .. } => Some(resource),
        Step::Write(write) => Some(&write.resource),
        _ => None,
    }
}

/// The same, to change.
pub(super) fn resource_named_mut(step: &mut Step) -> Option<&mut String> {
    match step {
        Step::Read { resource, .. } | Step::Establish { resource, .. } => Some(resource),
        Step::Write(write) => Some(&mut write.resource),
        _ => None,
    }
}

fn steps_mut(scenario: &mut Scenario) -> impl Iterator<Item = &mut Step> {
    scenario.workers.iter_mut().flat_map(|worker| &mut worker.plan)
}

/// Whether another lease, resource or worker, whichever the part is one of, has that name.
pub fn is_taken(scenario: &Scenario, part: Part, id: &str) -> bool {
    let among = |ids: &mut dyn Iterator<Item = &String>, own: usize| {
        ids.enumerate().any(|(place, other)| place != own && other == id)
    };
    match part {
        Part::Lease(own) => among(&mut scenario.leases.iter().map(|lease| &lease.id), own),
        Part::Resource(own) => among(&mut scenario.resources.iter().map(|resource| &resource.id), own),
        Part::Worker(own) => among(&mut scenario.workers.iter().map(|worker| &worker.id), own),
        Part::Step(..) | Part::Pause(..) => false,
    }
}

/// Gives a lease, resource or worker another name; whatever names it follows. Other parts have none.
pub fn rename(scenario: &Scenario, part: Part, id: &str) -> Scenario {
    let mut changed = scenario.clone();
    let (place, named): (_, fn(&mut Step) -> Option<&mut String>) = match part {
        Part::Lease(lease) => (changed.leases.get_mut(lease).map(|lease| &mut lease.id), lease_named_mut),
        Part::Resource(resource) => {
            (changed.resources.get_mut(resource).map(|resource| &mut resource.id), resource_named_mut)
        }
        Part::Worker(worker) => (changed.workers.get_mut(worker).map(|worker| &mut worker.id), |_| None),
        Part::Step(..) | Part::Pause(..) => return changed,
    };
    let Some(place) = place else { return changed };
    let before = std::mem::replace(place, id.into());
    for name in steps_mut(&mut changed).filter_map(named).filter(|name| **name == before) {
        id.clone_into(name);
    }
    changed
}

/// Takes away the steps that need a lease, and the mention of it from those that do not.
pub(super) fn forget_lease(scenario: &mut Scenario, id: &str) {
    for worker in &mut scenario.workers {
        worker.plan.retain_mut(|step| match step {
            Step::Establish { lease, .. } => {
                lease.take_if(|lease| lease == id);
                true
            }
            Step::Write(write) => {
                write.lease.take_if(|lease| lease == id);
                true
            }
            step => lease_named(step) != Some(id),
        });
    }
}

/// Takes away the steps that name a resource.
pub(super) fn forget_resource(scenario: &mut Scenario, id: &str) {
    for worker in &mut scenario.workers {
        worker.plan.retain(|step| resource_named(step) != Some(id));
    }
}

/// A name like that one which is not taken: `lock`, `lock 2`, `lock 3` …, within the length of a name.
pub(super) fn fresh(like: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let base = like.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end();
    let base: String = if base.is_empty() { like } else { base }.chars().take(34).collect();
    if !is_taken(&base) {
        return base;
    }
    let mut number = 2_u32;
    loop {
        let name = [base.as_str(), " ", &number.to_string()].concat();
        if !is_taken(&name) {
            return name;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::app::OPENING;

    fn opening() -> Scenario {
        Scenario::from_json(OPENING).unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    #[test]
    fn whatever_names_a_lease_or_a_resource_follows_its_new_name() {
        for part in [Part::Lease(0), Part::Resource(0)] {
            let renamed = rename(&opening(), part, "other");
            assert_eq!(renamed.check(), []);
            let steps = renamed.workers.iter().flat_map(|worker| &worker.plan);
            let named = steps.filter(|step| [lease_named(step), resource_named(step)].contains(&Some("other")));
            assert_eq!(named.count(), 2, "{part}");
        }
        let renamed = rename(&opening(), Part::Worker(1), "second");
        assert_eq!((renamed.workers[1].id.as_str(), renamed.check().len()), ("second", 0));
    }

    #[test]
    fn a_fresh_name_counts_on_from_the_one_that_it_is_like() {
        let taken = |names: &'static [&str]| move |id: &str| names.contains(&id);
        assert_eq!(fresh("lock", taken(&[])), "lock");
        assert_eq!(fresh("lock", taken(&["lock"])), "lock 2");
        assert_eq!(fresh("lock 2", taken(&["lock", "lock 2"])), "lock 3");
        assert_eq!(fresh("7", taken(&["7"])), "7 2");
        assert!(fresh(&"x".repeat(40), taken(&[])).chars().count() <= 40);
    }
}
