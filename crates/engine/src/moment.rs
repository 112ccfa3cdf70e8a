//! A moment of a run in words: what holds at each lane at one instant, after all that happens at it.
//!
//! It exists so that a playhead can be read: what the lease service knows, what each worker does and believes, what each
//! resource remembers. Truth and belief are told apart: a belief that is wrong says so.

use crate::scenario::{Clock, Guard, Micros, Scenario, Step};
use crate::story::Story;
use crate::time::elapsed;
use crate::trace::{Ended, Happening, Lane, Memory, StepSpan, Trace};
use crate::words::quote;
use crate::{Scale, show_instant};

/// What holds at one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneState {
    /// The lane.
    pub lane: Lane,
    /// In a few words: `42 is held by B`, `paused, believes it holds 41`, `remembers 42`.
    pub words: String,
    /// What there is to add where there is room; may be empty: the value that a resource holds, a worker's own clock.
    pub more: String,
    /// Whether the worker believes something that is not so.
    pub is_wrong: bool,
}

/// What holds at each lane at that instant: leases, workers, resources, each in file order.
pub fn moment(scenario: &Scenario, trace: &Trace, at: Micros) -> Vec<LaneState> {
    let now = Now { scenario, trace, story: Story::new(scenario, trace), at, scale: Scale::of(trace) };
    let leases = (0..scenario.leases.len()).map(|lease| now.lease(lease));
    let workers = (0..scenario.workers.len()).map(|worker| now.worker(worker));
    let resources = (0..scenario.resources.len()).map(|resource| now.resource(resource));
    leases.chain(workers).chain(resources).collect()
}

struct Now<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
    story: Story<'a>,
    at: Micros,
    scale: Scale,
}

impl Now<'_> {
    /// Whether something that begins at one instant and ends at another, if it does, holds now.
    fn is_within(&self, from: Micros, until: Option<Micros>) -> bool {
        from <= self.at && until.is_none_or(|until| self.at < until)
    }

    fn lease(&self, lease: usize) -> LaneState {
        let mut grants = self.trace.grants.iter().filter(|grant| grant.lease == lease);
        let held = grants.clone().find(|grant| self.is_within(grant.granted_at, grant.ended.map(|(at, _)| at)));
        let words = match held {
            Some(grant) => format!("{} is held by {}", grant.token, self.story.worker(grant.worker)),
            None if self.is_in_lock_delay(lease) => "nobody holds it: lock delay".into(),
            None if grants.any(|grant| grant.granted_at <= self.at) => "nobody holds it".into(),
            None => "nobody has held it yet".into(),
        };
        LaneState { lane: Lane::Lease(lease), words, more: String::new(), is_wrong: false }
    }

    fn is_in_lock_delay(&self, lease: usize) -> bool {
        let lane = Lane::Lease(lease);
        let ends = |what| matches!(what, Happening::Expired(_) | Happening::Forgotten(_));
        let mut told = self.trace.events.iter().filter(|event| event.lane == lane);
        let ended = told.clone().rfind(|event| event.at <= self.at && ends(event.what));
        let over = told.rfind(|event| event.at <= self.at && event.what == Happening::LockDelayEnded);
        let since = ended.filter(|ended| over.is_none_or(|over| over.at < ended.at));
        let length = self.scenario.leases[lease].lock_delay;
        since.is_some_and(|ended| length > 0 && self.at < ended.at.saturating_add(length))
    }

    fn worker(&self, worker: usize) -> LaneState {
        let does = self.does(worker);
        let (believes, is_wrong) = self.believes(worker);
        let words = if believes.is_empty() { does } else { format!("{does}, {believes}") };
        let clock = self.scenario.workers[worker].clock;
        let more = if clock == Clock::default() { String::new() } else { self.own_clock(clock) };
        LaneState { lane: Lane::Worker(worker), words, more, is_wrong }
    }

    fn own_clock(&self, clock: Clock) -> String {
        let local = i128::from(clock.offset) + elapsed(clock.drift_ppm, self.at as i64);
        let shown = |local: u128| show_instant(Micros::try_from(local).unwrap_or(Micros::MAX), self.scale);
        let sign = if local < 0 { "−" } else { "" };
        format!("its clock: {sign}{}", shown(local.unsigned_abs()))
    }

    fn does(&self, worker: usize) -> String {
        let of = &self.scenario.workers[worker];
        let pauses = self.trace.pauses.iter();
        if let Some(pause) =
            pauses.into_iter().find(|pause| pause.worker == worker && self.is_within(pause.from, pause.until))
        {
            return if pause.until.is_some() { "paused" } else { "crashed" }.into();
        }
        if let Some(ending) = self.trace.endings.get(worker)
            && ending.at.is_some_and(|at| at <= self.at)
        {
            return match ending.ended {
                Ended::Finished => "finished",
                Ended::Rejected => "stopped: write rejected",
                Ended::StoppedItself => "stopped itself",
                Ended::LeaseLost => "stopped: lost its lease",
                Ended::Unanswered => "gave up: no answer",
                Ended::Waiting | Ended::Crashed => "stopped",
            }
            .into();
        }
        let is_now = |span: &&StepSpan| span.worker == worker && self.is_within(span.began_at, span.ended_at);
        let Some(step) = self.trace.steps.iter().rfind(is_now).and_then(|span| of.plan.get(span.step)) else {
            return "not started".into();
        };
        match step {
            Step::Acquire { .. } => "waits for the lease".into(),
            Step::Work { label, .. } if label.is_empty() => "works".into(),
            Step::Work { label, .. } => format!("works: {}", crate::visible(label)),
            Step::Until { .. } => "waits".into(),
            Step::Check { .. } => "checks its lease".into(),
            Step::Read { .. } => "reads".into(),
            Step::Establish { .. } => "waits for the reply".into(),
            Step::Write(_) => "waits for the reply".into(),
            Step::Release { .. } => "gives the lease back".into(),
        }
    }

    /// What a worker believes, and whether it is wrong.
    fn believes(&self, worker: usize) -> (String, bool) {
        let mut words = String::new();
        let mut is_wrong = false;
        for belief in self.trace.beliefs.iter().filter(|belief| belief.worker == worker) {
            let believes = self.is_within(belief.from, Some(belief.until));
            let acts = self.is_within(belief.from, Some(belief.acts_until));
            let Some(grant) = self.trace.grant(belief.grant).filter(|_| acts) else { continue };
            let is_true = self.is_within(grant.granted_at, grant.ended.map(|(at, _)| at));
            is_wrong |= !is_true;
            if !words.is_empty() {
                words.push_str(", ");
            }
            words.push_str(match (believes, is_true) {
                (true, true) => "holds ",
                (true, false) => "wrongly believes it holds ",
                // Its time is up by its own clock, at which it does not look.
                (false, _) => "acts under ",
            });
            words.push_str(&grant.token.to_string());
        }
        (words, is_wrong)
    }

    fn resource(&self, resource: usize) -> LaneState {
        let of = &self.scenario.resources[resource];
        let is_now = |memory: &&Memory| memory.resource == resource && memory.from <= self.at;
        let memory = self.trace.memories.iter().rfind(is_now);
        let token = memory.map_or(of.initial.token, |memory| memory.token);
        let words = match (of.guard, memory) {
            (Guard::None, _) => "remembers no token".into(),
            (Guard::Same, memory) if memory.is_none_or(|memory| memory.token_of.is_none()) => {
                "remembers no token yet".into()
            }
            // What it remembers is what the other guards would compare with; this one does not.
            (Guard::Holder, _) => format!("asks the lease service, remembers {token}"),
            (Guard::TokenSeq, Some(memory)) => format!("remembers {token}.{}", memory.seq),
            _ => format!("remembers {token}"),
        };
        let value = memory.and_then(|memory| memory.value_of).map(|write| self.story.value(write));
        let value = value.unwrap_or_else(|| quote(&of.initial.value));
        LaneState { lane: Lane::Resource(resource), words, more: format!("holds {value}"), is_wrong: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    /// A is granted 41 at 0.2 s, is paused from 5 s to 50 s, and its lease ends at 30.2 s. B is granted 42 then, is told at
    /// 30.4 s, writes at 37.4 s; its write arrives at 38.4 s.
    fn state(at: Micros) -> Vec<String> {
        let text = include_str!("../../../presets/paused-worker.json");
        let scenario = Scenario::from_json(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
        moment(&scenario, &trace, at).into_iter().map(|state| state.words).collect()
    }

    #[test]
    fn before_anything_happens_nobody_has_held_the_lease() {
        assert_eq!(state(0), ["nobody has held it yet", "waits for the lease", "not started", "remembers 40"]);
    }

    #[test]
    fn a_paused_worker_believes_what_was_so_when_it_fell_asleep() {
        assert_eq!(state(20_500_000), ["41 is held by A", "paused, holds 41", "waits for the lease", "remembers 40"]);
        // It heard of its lease at 0.4 s: its 30 s are over at 30.4 s by its own clock, at 30.2 s by the service's.
        assert_eq!(state(30_300_000)[1], "paused, wrongly believes it holds 41");
        assert_eq!(state(30_400_000)[1], "paused, acts under 41");
        assert_eq!(
            state(47_000_000),
            ["42 is held by B", "paused, acts under 41", "finished, holds 42", "remembers 42"]
        );
    }

    #[test]
    fn an_instant_belongs_to_what_begins_at_it() {
        assert_eq!(state(30_200_000)[0], "42 is held by B");
        assert_eq!(state(30_199_999)[0], "41 is held by A");
        assert_eq!(state(5_000_000)[1], "paused, holds 41");
        assert_eq!(state(38_399_999)[3], "remembers 40");
        assert_eq!(state(38_400_000)[3], "remembers 42");
    }

    #[test]
    fn a_wrong_belief_is_told_as_wrong() {
        let text = r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "10s", "lock_delay": "5s" }],
            "resources": [{ "id": "r" }],
            "workers": [{ "id": "A", "clock": { "offset": "2s", "drift_ppm": -500000 }, "plan": [
                { "do": "acquire", "lease": "lock" }, { "do": "work", "for": "30s", "label": "counts" }] }] }"#;
        let scenario = Scenario::from_json(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
        let at = |at| moment(&scenario, &trace, at);
        // At half the speed of time, its clock counts 10 s in 20 s.
        let late = &at(12_000_000)[1];
        assert_eq!((late.words.as_str(), late.is_wrong), ("works: counts, wrongly believes it holds 41", true));
        assert_eq!(late.more, "its clock: 8.0 s");
        assert_eq!(at(12_000_000)[0].words, "nobody holds it: lock delay");
        assert_eq!(at(15_000_000)[0].words, "nobody holds it");
        assert!(!at(9_000_000)[1].is_wrong);
    }
}
