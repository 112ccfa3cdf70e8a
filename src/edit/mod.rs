//! Edits of the structure of a scenario: what a person adds, renames, removes, doubles and moves.
//!
//! Pure: each takes a scenario and gives another one, with the part that is to be selected then. What names a lease or a
//! resource follows it: renaming renames the steps' references, removing takes the steps with it that would name nothing.
//! Whether the result can be run is judged where it is shown.

mod action;
mod names;
mod removal;

use fenceline_engine::Scenario;
use fenceline_engine::scenario::{Basis, Exchange, Lease, Pause, Resource, Step, Worker, Write};

use crate::selection::Part;
pub use action::{Action, act, sentence, sound};
use names::{fresh, lease_named, resource_named};
pub use names::{is_taken, rename};
pub use removal::{Company, company, remove};

/// One second.
const SECOND: u64 = 1_000_000;

/// What can be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum New {
    /// A lease.
    Lease,
    /// A resource.
    Resource,
    /// A worker that acquires, works and writes.
    Worker,
    /// A step of a worker, after the one at that place or at the end of its plan (worker, place, kind).
    Step(usize, Option<usize>, Kind),
    /// A pause of a worker.
    Pause(usize),
}

/// The kinds of steps, in the order in which they are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Acquire a lease.
    Acquire,
    /// Work for some time.
    Work,
    /// Wait until a time.
    Until,
    /// Check the lease locally.
    Check,
    /// Read a resource.
    Read,
    /// Establish the token.
    Establish,
    /// Write a value.
    Write,
    /// Release a lease.
    Release,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] =
        [Self::Acquire, Self::Work, Self::Until, Self::Check, Self::Read, Self::Establish, Self::Write, Self::Release];

    /// Its name in a document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Acquire => "acquire",
            Self::Work => "work",
            Self::Until => "until",
            Self::Check => "check",
            Self::Read => "read",
            Self::Establish => "establish",
            Self::Write => "write",
            Self::Release => "release",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What a button says that adds one.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Until => "wait",
            other => other.name(),
        }
    }

    /// What it does, for a person who chooses one.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Acquire => "acquire the lease",
            Self::Work => "work",
            Self::Until => "wait until a time",
            Self::Check => "check its lease by its own clock",
            Self::Read => "read",
            Self::Establish => "establish its token",
            Self::Write => "write",
            Self::Release => "release the lease",
        }
    }
}

/// Adds something. None where the document has nothing that it could belong to or name.
pub fn add(scenario: &Scenario, new: New) -> Option<(Scenario, Part)> {
    let mut changed = scenario.clone();
    let part = match new {
        New::Lease => {
            let id = fresh("lock", |id| scenario.leases.iter().any(|lease| lease.id == id));
            changed.leases.push(Lease::new(&id, 30 * SECOND));
            Part::Lease(scenario.leases.len())
        }
        New::Resource => {
            let id = fresh("report", |id| scenario.resources.iter().any(|resource| resource.id == id));
            changed.resources.push(Resource::new(&id));
            Part::Resource(scenario.resources.len())
        }
        New::Worker => {
            // A worker of an empty document needs something to hold and something to write to.
            if changed.leases.is_empty() {
                changed.leases.push(Lease::new("lock", 30 * SECOND));
            }
            if changed.resources.is_empty() {
                changed.resources.push(Resource::new("report"));
            }
            let id = next_letter(scenario);
            let plan = [Kind::Acquire, Kind::Work, Kind::Write];
            let plan = plan.into_iter().filter_map(|kind| step(&changed, &id, kind)).collect();
            changed.workers.push(Worker { id, plan, ..Worker::default() });
            Part::Worker(scenario.workers.len())
        }
        New::Step(worker, after, kind) => {
            let of = scenario.workers.get(worker)?;
            let step = step(scenario, &of.id, kind)?;
            let place = after.map_or(of.plan.len(), |after| (after + 1).min(of.plan.len()));
            changed.workers[worker].plan.insert(place, step);
            Part::Step(worker, place)
        }
        New::Pause(worker) => {
            let pauses = &mut changed.workers.get_mut(worker)?.pauses;
            // After all others, so that it overlaps none; not after a crash, which has no after.
            let end =
                pauses.iter().map(|pause| Some(pause.at + pause.length?)).try_fold(0, |end, of| Some(of?.max(end)))?;
            pauses.push(Pause { at: end + SECOND, length: Some(5 * SECOND) });
            Part::Pause(worker, pauses.len() - 1)
        }
    };
    Some((changed, part))
}

/// A step of a kind, with what it needs to name; none when the document has nothing to name.
fn step(scenario: &Scenario, worker: &str, kind: Kind) -> Option<Step> {
    let lease = || scenario.leases.first().map(|lease| lease.id.clone());
    let resource = || scenario.resources.first().map(|resource| resource.id.clone());
    Some(match kind {
        Kind::Acquire => Step::Acquire { lease: lease()?, exchange: Exchange::default() },
        Kind::Work => Step::Work { length: 5 * SECOND, label: String::new() },
        Kind::Until => Step::Until { at: 10 * SECOND },
        Kind::Check => Step::Check { lease: lease()?, from: Basis::default(), margin: 0 },
        Kind::Read => Step::Read { resource: resource()?, exchange: Exchange::default() },
        Kind::Establish => Step::Establish {
            resource: resource()?,
            lease: None,
            peek_sends: Vec::new(),
            exchange: Exchange::default(),
        },
        Kind::Write => Step::Write(Write::new(&resource()?, &["from ", worker].concat())),
        Kind::Release => Step::Release { lease: lease()?, exchange: Exchange::default() },
    })
}

/// Makes a step one of another kind. What both kinds have is kept: the lease, the resource, how messages travel.
pub fn turn_into(scenario: &Scenario, worker: usize, at: usize, kind: Kind) -> Option<Scenario> {
    let of = scenario.workers.get(worker)?;
    let before = of.plan.get(at)?;
    let mut after = step(scenario, &of.id, kind)?;
    if let (Some(name), Some(place)) = (lease_named(before), names::lease_named_mut(&mut after)) {
        name.clone_into(place);
    }
    if let (Some(name), Some(place)) = (resource_named(before), names::resource_named_mut(&mut after)) {
        name.clone_into(place);
    }
    if let (Some(travels), Some(place)) = (before.exchange(), after.exchange_mut()) {
        place.clone_from(travels);
    }
    let mut changed = scenario.clone();
    changed.workers[worker].plan[at] = after;
    Some(changed)
}

/// Doubles a part; the double comes right after it, under a name of its own.
pub fn duplicate(scenario: &Scenario, part: Part) -> Option<(Scenario, Part)> {
    if !part.is_in(scenario) {
        return None;
    }
    let mut changed = scenario.clone();
    let then = match part {
        Part::Lease(lease) => {
            let mut double = scenario.leases[lease].clone();
            double.id = fresh(&double.id, |id| scenario.leases.iter().any(|lease| lease.id == id));
            changed.leases.insert(lease + 1, double);
            Part::Lease(lease + 1)
        }
        Part::Resource(resource) => {
            let mut double = scenario.resources[resource].clone();
            double.id = fresh(&double.id, |id| scenario.resources.iter().any(|resource| resource.id == id));
            changed.resources.insert(resource + 1, double);
            Part::Resource(resource + 1)
        }
        Part::Worker(worker) => {
            let double = Worker { id: next_letter(scenario), ..scenario.workers[worker].clone() };
            changed.workers.insert(worker + 1, double);
            Part::Worker(worker + 1)
        }
        Part::Step(worker, step) => {
            let plan = &mut changed.workers[worker].plan;
            plan.insert(step + 1, plan[step].clone());
            Part::Step(worker, step + 1)
        }
        Part::Pause(worker, pause) => {
            let length = scenario.workers[worker].pauses[pause].length?;
            let (mut added, Part::Pause(_, last)) = add(scenario, New::Pause(worker))? else { return None };
            added.workers[worker].pauses[last].length = Some(length);
            return Some((added, Part::Pause(worker, last)));
        }
    };
    Some((changed, then))
}

/// Moves a part one place up (-1) or down (1) among its like; none at either end. Pauses lie where their times put them.
pub fn shift(scenario: &Scenario, part: Part, by: isize) -> Option<(Scenario, Part)> {
    fn swap<T>(items: &mut [T], at: usize, by: isize) -> Option<usize> {
        let to = at.checked_add_signed(by)?;
        (at < items.len() && to < items.len()).then(|| items.swap(at, to))?;
        Some(to)
    }
    let mut changed = scenario.clone();
    let then = match part {
        Part::Lease(lease) => Part::Lease(swap(&mut changed.leases, lease, by)?),
        Part::Resource(resource) => Part::Resource(swap(&mut changed.resources, resource, by)?),
        Part::Worker(worker) => Part::Worker(swap(&mut changed.workers, worker, by)?),
        Part::Step(worker, step) => Part::Step(worker, swap(&mut changed.workers.get_mut(worker)?.plan, step, by)?),
        Part::Pause(..) => return None,
    };
    Some((changed, then))
}

/// The first of A, B … Z that no worker is called, then A2, B2 ….
fn next_letter(scenario: &Scenario) -> String {
    let is_taken = |id: &str| scenario.workers.iter().any(|worker| worker.id == id);
    let letter = ('A'..='Z').map(String::from).find(|letter| !is_taken(letter));
    letter.unwrap_or_else(|| fresh("A", is_taken))
}

#[cfg(test)]
pub(crate) mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::app::OPENING;

    pub(super) fn opening() -> Scenario {
        Scenario::from_json(OPENING).unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    pub(crate) fn every_part(scenario: &Scenario) -> Vec<Part> {
        let mut parts: Vec<_> = (0..scenario.leases.len()).map(Part::Lease).collect();
        parts.extend((0..scenario.resources.len()).map(Part::Resource));
        for (index, worker) in scenario.workers.iter().enumerate() {
            parts.push(Part::Worker(index));
            parts.extend((0..worker.plan.len()).map(|step| Part::Step(index, step)));
            parts.extend((0..worker.pauses.len()).map(|pause| Part::Pause(index, pause)));
        }
        parts
    }

    #[test]
    fn whatever_is_added_is_there_and_the_document_stays_valid() {
        let news = [New::Lease, New::Resource, New::Worker, New::Pause(0), New::Pause(1)];
        let steps = Kind::ALL.into_iter().flat_map(|kind| [New::Step(0, Some(0), kind), New::Step(1, None, kind)]);
        for new in news.into_iter().chain(steps) {
            let (changed, part) = add(&opening(), new).unwrap_or_else(|| panic!("{new:?} cannot be added"));
            assert!(part.is_in(&changed), "{new:?}");
            assert_eq!(changed.check(), [], "{new:?}");
            assert_eq!(
                every_part(&changed).len() - every_part(&opening()).len(),
                if new == New::Worker { 4 } else { 1 }
            );
        }
    }

    #[test]
    fn a_step_is_added_right_after_the_one_that_was_selected() {
        let (changed, part) = add(&opening(), New::Step(0, Some(0), Kind::Until)).expect("it can be added");
        assert_eq!(part, Part::Step(0, 1));
        let kinds: Vec<_> = changed.workers[0].plan.iter().map(Step::name).collect();
        assert_eq!(kinds, ["acquire", "until", "work", "write"]);
    }

    #[test]
    fn a_worker_can_be_added_to_an_empty_document() {
        let (changed, _) = add(&Scenario::default(), New::Worker).expect("it can be added");
        assert_eq!(changed.check(), []);
        assert_eq!((changed.leases.len(), changed.resources.len(), changed.workers[0].id.as_str()), (1, 1, "A"));
        assert_eq!(add(&Scenario::default(), New::Step(0, None, Kind::Work)), None);
    }

    #[test]
    fn a_pause_is_added_after_the_last_one_and_never_after_a_crash() {
        let (changed, _) = add(&opening(), New::Pause(0)).expect("it can be added");
        assert_eq!(changed.workers[0].pauses[1], Pause { at: 51 * SECOND, length: Some(5 * SECOND) });
        let mut crashed = opening();
        crashed.workers[0].pauses[0].length = None;
        assert_eq!(add(&crashed, New::Pause(0)), None);
    }

    #[test]
    fn a_double_comes_right_after_what_it_doubles_under_a_name_of_its_own() {
        for part in every_part(&opening()) {
            let (changed, then) = duplicate(&opening(), part).unwrap_or_else(|| panic!("{part} cannot be doubled"));
            assert_eq!(changed.check(), [], "{part}");
            assert!(then.is_in(&changed) && then != part, "{part}");
        }
        let (changed, _) = duplicate(&opening(), Part::Worker(0)).expect("it is there");
        let ids: Vec<_> = changed.workers.iter().map(|worker| worker.id.as_str()).collect();
        assert_eq!(ids, ["A", "C", "B"]);
    }

    #[test]
    fn a_part_moves_among_its_like_and_not_beyond_them() {
        let (changed, then) = shift(&opening(), Part::Step(0, 1), -1).expect("there is room");
        assert_eq!((changed.workers[0].plan[0].name(), then), ("work", Part::Step(0, 0)));
        assert_eq!(shift(&opening(), Part::Step(0, 0), -1), None);
        assert_eq!(shift(&opening(), Part::Worker(1), 1), None);
        assert_eq!(shift(&opening(), Part::Pause(0, 0), 1), None);
    }

    #[test]
    fn a_step_of_another_kind_keeps_what_both_have() {
        let read = turn_into(&opening(), 0, 2, Kind::Read).expect("it is there");
        let Step::Read { resource, exchange } = &read.workers[0].plan[2] else { panic!("it should be a read") };
        assert_eq!((resource.as_str(), exchange.sends[0].delay), ("report", Some(SECOND)));
        for kind in Kind::ALL {
            let turned = turn_into(&opening(), 0, 0, kind).expect("it is there");
            assert_eq!((turned.workers[0].plan[0].name(), turned.check().len()), (kind.name(), 0));
        }
    }
}
