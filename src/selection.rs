//! The selection: what is being looked at, by names that survive editing.
//!
//! Indexes into a trace change while a pause is dragged; worker, step, attempt and copy do not. A [`Part`] is a place in
//! the document: whatever is drawn, told or edited belongs to one, which is how timeline, list and inspector agree on what
//! is selected.

use std::fmt;

use fenceline_engine::trace::{Event, Happening, Lane, MessageId, Trace, Verdict};
use fenceline_engine::{Knob, Scenario, Sends};
use fenceline_figure::{HandleId, ItemId, Scene};

/// Names one decision about a write or an establish, whatever the schedule makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WriteId {
    /// The worker.
    pub worker: usize,
    /// The step, from 0.
    pub step: usize,
    /// The attempt, from 1.
    pub attempt: u32,
    /// 0 for the request itself, 1 … for its copies.
    pub copy: u32,
}

impl WriteId {
    /// The name of a decision.
    pub const fn of(verdict: &Verdict) -> Self {
        Self { worker: verdict.worker, step: verdict.step, attempt: verdict.attempt, copy: verdict.copy }
    }

    /// Its place in this trace; none when it was not decided in this run.
    pub fn find(self, trace: &Trace) -> Option<u32> {
        trace.writes.iter().position(|verdict| Self::of(verdict) == self).map(|index| index as u32)
    }
}

impl fmt::Display for WriteId {
    /// A short text for links: `0-2-1-0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}-{}", self.worker, self.step, self.attempt, self.copy)
    }
}

impl WriteId {
    /// The write of which [`Self::to_string`] gave that text.
    pub fn read(text: &str) -> Option<Self> {
        let numbers: Option<Vec<u32>> = text.split('-').map(|number| number.parse().ok()).collect();
        let &[worker, step, attempt, copy] = numbers?.as_slice() else { return None };
        Some(Self { worker: worker as usize, step: step as usize, attempt, copy })
    }
}

/// A part of the document. All counted from 0, in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A lease.
    Lease(usize),
    /// A resource.
    Resource(usize),
    /// A worker.
    Worker(usize),
    /// A step (worker, step).
    Step(usize, usize),
    /// A pause (worker, pause).
    Pause(usize, usize),
}

impl fmt::Display for Part {
    /// A short text for attributes: `step-0-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lease(lease) => write!(f, "lease-{lease}"),
            Self::Resource(resource) => write!(f, "resource-{resource}"),
            Self::Worker(worker) => write!(f, "worker-{worker}"),
            Self::Step(worker, step) => write!(f, "step-{worker}-{step}"),
            Self::Pause(worker, pause) => write!(f, "pause-{worker}-{pause}"),
        }
    }
}

impl Part {
    /// The part of which [`Self::to_string`] gave that text.
    pub fn read(text: &str) -> Option<Self> {
        let mut words = text.split('-');
        let kind = words.next()?;
        let first = words.next()?.parse().ok()?;
        let second = words.next().map(str::parse).transpose().ok()?;
        if words.next().is_some() {
            return None;
        }
        match (kind, second) {
            ("lease", None) => Some(Self::Lease(first)),
            ("resource", None) => Some(Self::Resource(first)),
            ("worker", None) => Some(Self::Worker(first)),
            ("step", Some(step)) => Some(Self::Step(first, step)),
            ("pause", Some(pause)) => Some(Self::Pause(first, pause)),
            _ => None,
        }
    }

    /// Whether the document has it.
    pub fn is_in(self, scenario: &Scenario) -> bool {
        let worker = |worker: usize| scenario.workers.get(worker);
        match self {
            Self::Lease(lease) => lease < scenario.leases.len(),
            Self::Resource(resource) => resource < scenario.resources.len(),
            Self::Worker(of) => worker(of).is_some(),
            Self::Step(of, step) => worker(of).is_some_and(|worker| step < worker.plan.len()),
            Self::Pause(of, pause) => worker(of).is_some_and(|worker| pause < worker.pauses.len()),
        }
    }

    /// The part whose number a handle changes.
    pub const fn of_handle(handle: HandleId) -> Option<Self> {
        match handle.knob() {
            Some(knob) => Self::of_knob(&knob),
            None => match handle {
                HandleId::ClockDrift { worker } => Some(Self::Worker(worker)),
                _ => None,
            },
        }
    }

    /// The part that a knob is a number of; none for the network's.
    pub const fn of_knob(knob: &Knob) -> Option<Self> {
        Some(match *knob {
            Knob::NetworkDelay => return None,
            Knob::Ttl(lease) | Knob::LockDelay(lease) | Knob::FailoverAt(lease, _) => Self::Lease(lease),
            Knob::RestartAt(resource, _) => Self::Resource(resource),
            Knob::Starts(worker)
            | Knob::Offset(worker)
            | Knob::RenewEvery(worker)
            | Knob::Send(worker, Sends::Renewals, ..) => Self::Worker(worker),
            Knob::PauseAt(worker, pause) | Knob::PauseFor(worker, pause) => Self::Pause(worker, pause),
            Knob::WorkFor(worker, step)
            | Knob::UntilAt(worker, step)
            | Knob::Margin(worker, step)
            | Knob::RetryAfter(worker, step)
            | Knob::Send(worker, Sends::Step(step) | Sends::Peek(step), ..) => Self::Step(worker, step),
        })
    }

    /// The part that a lane stands for.
    pub const fn of_lane(lane: Lane) -> Self {
        match lane {
            Lane::Lease(lease) => Self::Lease(lease),
            Lane::Worker(worker) => Self::Worker(worker),
            Lane::Resource(resource) => Self::Resource(resource),
        }
    }

    fn of_message(trace: &Trace, id: MessageId) -> Option<Self> {
        let message = trace.messages.get(id as usize)?;
        Some(message.step.map_or(Self::Worker(message.worker), |step| Self::Step(message.worker, step)))
    }

    fn of_verdict(trace: &Trace, verdict: u32) -> Option<Self> {
        let verdict = trace.writes.get(verdict as usize)?;
        Some(Self::Step(verdict.worker, verdict.step))
    }

    /// The pause of that worker which holds that instant.
    fn of_pause(scenario: &Scenario, worker: usize, at: u64) -> Option<Self> {
        let pauses = &scenario.workers.get(worker)?.pauses;
        let holds = |pause: &fenceline_engine::scenario::Pause| {
            pause.at <= at && pause.length.is_none_or(|length| at <= pause.at.saturating_add(length))
        };
        pauses.iter().position(holds).map(|pause| Self::Pause(worker, pause))
    }

    /// The part that a drawn item belongs to; none for grid, axis and the like.
    pub fn of_item(scenario: &Scenario, trace: &Trace, scene: &Scene, item: ItemId) -> Option<Self> {
        let lane_of = |at: usize| scene.lanes.get(at).map(|place| Self::of_lane(place.lane));
        match item {
            ItemId::Lanes | ItemId::Grid | ItemId::Axis | ItemId::RaceWindow | ItemId::Playhead => None,
            ItemId::Name(place) => lane_of(place as usize),
            ItemId::Life(worker) | ItemId::Clock(worker) => Some(Self::Worker(worker as usize)),
            ItemId::Expiry(grant) | ItemId::Ribbon(grant) | ItemId::LockDelay(grant) => {
                trace.grant(grant).map(|grant| Self::Lease(grant.lease))
            }
            ItemId::TrueBelief(belief)
            | ItemId::WrongBelief(belief)
            | ItemId::ActsOn(belief)
            | ItemId::BeliefEnd(belief) => trace.beliefs.get(belief as usize).map(|belief| Self::Worker(belief.worker)),
            ItemId::Step(step) => trace.steps.get(step as usize).map(|span| Self::Step(span.worker, span.step)),
            ItemId::Pause(pause) => {
                let span = trace.pauses.get(pause as usize)?;
                Self::of_pause(scenario, span.worker, span.from)
            }
            ItemId::Message(id) | ItemId::Pill(id) | ItemId::Arrival(id) => Self::of_message(trace, id),
            ItemId::Verdict(verdict) => Self::of_verdict(trace, verdict),
            ItemId::Fence(resource) | ItemId::Exposure(resource) | ItemId::Veil(resource) => {
                Some(Self::Resource(resource as usize))
            }
            ItemId::Memory(memory) => trace.memories.get(memory as usize).map(|memory| Self::Resource(memory.resource)),
            ItemId::Note(event) => Self::of_event(scenario, trace, trace.events.get(event as usize)?),
        }
    }

    /// The part that an event belongs to.
    pub fn of_event(scenario: &Scenario, trace: &Trace, event: &Event) -> Option<Self> {
        match (event.what, event.lane) {
            (Happening::Sent(id) | Happening::Lost(id) | Happening::Arrived(id) | Happening::Received(id), _) => {
                Self::of_message(trace, id)
            }
            (Happening::Decided(verdict) | Happening::Applied(verdict), _) => Self::of_verdict(trace, verdict),
            (
                Happening::Began(step) | Happening::Finished(step) | Happening::CheckPassed(step),
                Lane::Worker(worker),
            ) => Some(Self::Step(worker, step)),
            (Happening::Paused | Happening::Resumed, Lane::Worker(worker)) => {
                Self::of_pause(scenario, worker, event.at).or(Some(Self::Worker(worker)))
            }
            (_, lane) => Some(Self::of_lane(lane)),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn a_part_is_read_back_from_its_text() {
        for part in [Part::Lease(0), Part::Resource(7), Part::Worker(2), Part::Step(0, 3), Part::Pause(1, 0)] {
            assert_eq!(Part::read(&part.to_string()), Some(part));
        }
        for text in ["", "lease", "lease-x", "step-1", "pause-1-2-3", "worker-1-2", "lease--1"] {
            assert_eq!(Part::read(text), None, "{text}");
        }
    }

    #[test]
    fn every_drawn_mark_of_the_opening_story_belongs_to_a_part_that_it_has() {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        let trace = fenceline_engine::run(&scenario).unwrap_or_default();
        let scene = fenceline_figure::scene(&scenario, &trace, &fenceline_figure::View::live(1_280.0));
        assert!(scene.items.len() > 20);
        for item in &scene.items {
            let part = Part::of_item(&scenario, &trace, &scene, item.id);
            let none = matches!(item.id, ItemId::Lanes | ItemId::Grid | ItemId::Axis);
            assert_eq!(part.is_none(), none, "{}", item.id);
            assert!(part.is_none_or(|part| part.is_in(&scenario)), "{}", item.id);
        }
    }

    #[test]
    fn a_handle_belongs_to_the_part_that_its_number_is_written_in() {
        let documents = [
            crate::app::OPENING,
            include_str!("../presets/restart-forgets.json"),
            include_str!("../presets/tokens-reused.json"),
            include_str!("../presets/lock-delay-inside.json"),
            include_str!("../presets/renewal-lost.json"),
            include_str!("../presets/lost-reply-key.json"),
        ];
        for document in documents {
            let scenario = Scenario::from_json(document).unwrap_or_default();
            let trace = fenceline_engine::run(&scenario).unwrap_or_default();
            let scene = fenceline_figure::scene(&scenario, &trace, &fenceline_figure::View::live(1_280.0));
            assert!(scene.handles.len() > 8);
            for handle in &scene.handles {
                let place = match Part::of_handle(handle.id).expect("a part") {
                    Part::Lease(lease) => format!("/leases/{lease}/"),
                    Part::Resource(resource) => format!("/resources/{resource}/"),
                    Part::Worker(worker) => format!("/workers/{worker}/"),
                    Part::Step(worker, step) => format!("/workers/{worker}/plan/{step}/"),
                    Part::Pause(worker, pause) => format!("/workers/{worker}/pauses/{pause}/"),
                };
                let pointer = handle.id.pointer();
                assert!(pointer.starts_with(&place), "{}: {pointer} is not in {place}", handle.id);
            }
        }
    }
}
