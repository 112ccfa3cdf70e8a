//! A scenario under another guard: the comparison that the guard switch, the table of guards and an export make alike.

use super::{Guard, Scenario, Step};

impl Scenario {
    /// The same scenario with that guard at every destination that it matters to: those with a writer that a guard can stop, or
    /// all when there is none.
    #[must_use]
    pub fn under(&self, guard: Guard) -> Self {
        let mut changed = self.clone();
        let guarded = self.guarded();
        for (resource, switched) in changed.resources.iter_mut().zip(guarded) {
            if switched {
                resource.guard = guard;
            }
        }
        changed
    }

    /// For each destination, whether a guard matters to it.
    pub fn guarded(&self) -> Vec<bool> {
        let stops = |id: &str| {
            self.workers.iter().flat_map(|worker| &worker.plan).any(|step| match step {
                Step::Write(write) => !write.unguarded && write.resource == id,
                Step::Establish { resource, .. } => resource == id,
                _ => false,
            })
        };
        let guarded: Vec<bool> = self.resources.iter().map(|resource| stops(&resource.id)).collect();
        if guarded.contains(&true) { guarded } else { vec![true; guarded.len()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Resource, Worker, Write};

    #[test]
    fn a_destination_that_is_only_written_around_its_guard_keeps_it() {
        let around = Write { unguarded: true, ..Write::new("legacy", "v") };
        let plan = vec![Step::Write(Write::new("report", "v")), Step::Write(around)];
        let scenario = Scenario {
            resources: vec![Resource::new("report"), Resource::new("legacy")],
            workers: vec![Worker { id: "A".into(), plan, ..Worker::default() }],
            ..Scenario::default()
        };
        let guards = |scenario: &Scenario| scenario.resources.iter().map(|of| of.guard).collect::<Vec<_>>();
        assert_eq!(guards(&scenario.under(Guard::Holder)), [Guard::Holder, Guard::Newer]);
        let unwritten = Scenario { workers: Vec::new(), ..scenario };
        assert_eq!(guards(&unwritten.under(Guard::Same)), [Guard::Same, Guard::Same]);
    }
}
