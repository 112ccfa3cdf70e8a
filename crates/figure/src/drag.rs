//! The edit that a drag means: a handle taken to a time gives a new scenario.
//!
//! Pure, and always made from the scenario at the start of the drag, so that a drag has no memory. Limits are applied
//! here: no pause overlaps its neighbour, no message arrives before it is sent, no length is negative, no time is beyond
//! what a document may hold. Snapping is the caller's.

use fenceline_engine::Knob;
use fenceline_engine::limits::MAX_DRIFT_PPM;
use fenceline_engine::scenario::{MAX_MICROS, Micros, Pause, Scenario, Step, Worker};
use fenceline_engine::trace::{Direction, EndedBy, Event, Grant, Happening, Lane, Message, StepSpan, Subject, Trace};

use crate::handle::HandleId;

/// A period between renewals cannot be dragged so short that a run of the same length would hold more of them.
const MOST_HEARTBEATS: Micros = 2_000;

/// How far a handle can go, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Where the length that it changes begins; 0 for a point in time.
    pub from_us: Micros,
    /// Where it stands.
    pub now_us: Micros,
    /// The earliest time to which it can go.
    pub min_us: Micros,
    /// The latest time to which it can go.
    pub max_us: Micros,
}

/// The limits of a handle; `None` when the story has no such handle.
pub fn limits(scenario: &Scenario, trace: &Trace, handle: HandleId) -> Option<Limits> {
    let found = match handle {
        HandleId::LeaseEnd { lease, grant } => {
            let ttl = scenario.leases.get(lease)?.ttl;
            let grant = movable_end(trace, lease, grant)?;
            let from = grant.due_at.checked_sub(ttl)?;
            Limits { from_us: from, now_us: grant.due_at, min_us: from + 1, max_us: from + MAX_MICROS }
        }
        HandleId::WorkerStart { worker } => {
            let starts = scenario.workers.get(worker)?.starts;
            Limits { from_us: 0, now_us: starts, min_us: 0, max_us: MAX_MICROS }
        }
        HandleId::WorkEnd { worker, step } => {
            let is_it = |span: &&StepSpan| span.worker == worker && span.step == step;
            limits_of_work(scenario, trace.steps.iter().find(is_it)?)?
        }
        HandleId::PauseStart { worker, pause } => {
            let at = *scenario.workers.get(worker)?.pauses.get(pause)?;
            let (before, after) = neighbours(scenario.workers.get(worker)?, pause);
            let max = at.length.map_or(after, |length| at.at.saturating_add(length));
            Limits { from_us: 0, now_us: at.at, min_us: before, max_us: max.min(MAX_MICROS) }
        }
        HandleId::PauseBody { worker, pause } => {
            let at = *scenario.workers.get(worker)?.pauses.get(pause)?;
            let (before, after) = neighbours(scenario.workers.get(worker)?, pause);
            let max = after.saturating_sub(at.length.unwrap_or(0)).min(MAX_MICROS);
            Limits { from_us: 0, now_us: at.at, min_us: before, max_us: max }
        }
        HandleId::PauseEnd { worker, pause } => {
            let at = *scenario.workers.get(worker)?.pauses.get(pause)?;
            let (_, after) = neighbours(scenario.workers.get(worker)?, pause);
            Limits {
                from_us: at.at,
                now_us: at.at.saturating_add(at.length?),
                min_us: at.at,
                max_us: after.min(at.at.saturating_add(MAX_MICROS)),
            }
        }
        HandleId::Arrival { worker, step, peek, attempt, copy } => {
            limits_of_arrival(sent(trace, worker, Some(step), peek, attempt).find(|message| message.copy == copy)?)?
        }
        HandleId::Renewal { worker, attempt, copy } => {
            limits_of_arrival(sent(trace, worker, None, false, attempt).find(|message| message.copy == copy)?)?
        }
        // Messages are in order of sending: whatever moves with the delay comes after the first answer was sent.
        HandleId::Reply { worker, step, peek, attempt } => {
            limits_of_arrival(answers(trace, worker, Some(step), peek, attempt).next()?)?
        }
        HandleId::RenewalReply { worker, attempt } => {
            limits_of_arrival(answers(trace, worker, None, false, attempt).next()?)?
        }
        HandleId::RenewEvery { worker } => {
            let every = scenario.workers.get(worker)?.renew_every?;
            let noted =
                |event: &&Event| event.lane == Lane::Worker(worker) && matches!(event.what, Happening::Noted(_));
            let from = trace.events.iter().find(noted)?.at;
            // A run has no room for heartbeats without number.
            let least = (trace.ended_at / MOST_HEARTBEATS).max(1);
            length_from(from, every, least)
        }
        HandleId::RetryAfter { worker, step } => {
            let retry = scenario.workers.get(worker)?.plan.get(step)?.exchange()?.retry?;
            length_from(sent(trace, worker, Some(step), false, 1).next()?.sent_at, retry.after, 1)
        }
        HandleId::Until { worker, step } => {
            let Step::Until { at } = scenario.workers.get(worker)?.plan.get(step)? else { return None };
            let is_it = |span: &&StepSpan| span.worker == worker && span.step == step;
            let min_us = trace.steps.iter().find(is_it).map_or(0, |span| span.began_at);
            Limits { from_us: 0, now_us: *at, min_us, max_us: MAX_MICROS }
        }
        HandleId::ClockOffset { worker } => {
            let (from_us, offset) = (anchor(scenario) / 2, scenario.workers.get(worker)?.clock.offset);
            // A clock that is further behind than that stands beyond the beginning of the picture: it has its field.
            let now_us = from_us.checked_add_signed(offset)?;
            Limits { from_us, now_us, min_us: 0, max_us: from_us.saturating_add(MAX_MICROS) }
        }
        HandleId::ClockDrift { worker } => {
            let (from_us, ppm) = (anchor(scenario), scenario.workers.get(worker)?.clock.drift_ppm);
            let at = |ppm: i32| from_us.saturating_add_signed(gained(from_us, ppm));
            Limits { from_us, now_us: at(ppm), min_us: at(-MAX_DRIFT_PPM), max_us: at(MAX_DRIFT_PPM) }
        }
        HandleId::CheckMargin { worker, step } => {
            let Step::Check { margin, .. } = scenario.workers.get(worker)?.plan.get(step)? else { return None };
            let is_it = |span: &&StepSpan| span.worker == worker && span.step == step;
            length_from(trace.steps.iter().find(is_it)?.began_at, *margin, 0)
        }
        HandleId::LockDelayEnd { lease } => {
            let delay = scenario.leases.get(lease)?.lock_delay;
            let ended = |grant: &Grant| match grant.ended {
                Some((end, EndedBy::Expiry | EndedBy::Failover)) if grant.lease == lease => Some(end),
                _ => None,
            };
            length_from(trace.grants.iter().find_map(ended)?, delay, 0)
        }
        HandleId::Failover { lease, failover } => instant(scenario.leases.get(lease)?.failovers.get(failover)?.at),
        HandleId::Restart { resource, restart } => instant(*scenario.resources.get(resource)?.restarts.get(restart)?),
    };
    // A story may already stand beyond a limit, a start past a crash for instance: then where it stands is the limit.
    Some(Limits { min_us: found.min_us.min(found.now_us), max_us: found.max_us.max(found.now_us), ..found })
}

/// Where a clock's drift is taken by hand; its offset, at half of it. A time of the document, so that neither moves under the
/// pointer, and one that is in the picture: the end of the first lease, if it began at once.
fn anchor(scenario: &Scenario) -> Micros {
    scenario.leases.first().map_or(10_000_000, |lease| lease.ttl).max(2)
}

/// By how much a clock of that drift has gone ahead of the time, after so long.
fn gained(after: Micros, drift_ppm: i32) -> i64 {
    (i128::from(after) * i128::from(drift_ppm) / 1_000_000) as i64
}

/// The drift of a clock that shows `to` after so long: as round a number as tells it from what it was.
fn drift(after: Micros, to: Micros, before: i32) -> i32 {
    let gained = i128::from(to) - i128::from(after);
    let exact = (gained * 1_000_000 / i128::from(after)) as i32;
    let change = exact.abs_diff(before);
    let unit = [10_000, 1_000, 100, 10].into_iter().find(|unit| 4 * unit <= change).unwrap_or(1);
    let unit = unit as i32;
    let rounded = (exact + exact.signum() * unit / 2) / unit * unit;
    rounded.clamp(-MAX_DRIFT_PPM, MAX_DRIFT_PPM)
}

/// An attempt of a step, or of a worker's renewals, with its copies and the answers to them, in order of sending.
fn about(
    trace: &Trace,
    worker: usize,
    step: Option<usize>,
    peek: bool,
    attempt: u32,
) -> impl Iterator<Item = &Message> {
    trace.messages.iter().filter(move |message| {
        message.worker == worker
            && message.step == step
            && message.attempt == attempt
            && (message.subject == Subject::Peek) == peek
    })
}

fn sent(trace: &Trace, worker: usize, step: Option<usize>, peek: bool, attempt: u32) -> impl Iterator<Item = &Message> {
    about(trace, worker, step, peek, attempt).filter(|message| message.direction == Direction::Request)
}

fn answers(
    trace: &Trace,
    worker: usize,
    step: Option<usize>,
    peek: bool,
    attempt: u32,
) -> impl Iterator<Item = &Message> {
    about(trace, worker, step, peek, attempt).filter(|message| message.direction == Direction::Reply)
}

/// The limits of an instant that nothing else bounds.
const fn instant(at: Micros) -> Limits {
    Limits { from_us: 0, now_us: at, min_us: 0, max_us: MAX_MICROS }
}

/// The limits of a length that begins at an instant.
const fn length_from(from_us: Micros, length: Micros, least: Micros) -> Limits {
    Limits {
        from_us,
        now_us: from_us.saturating_add(length),
        min_us: from_us.saturating_add(least),
        max_us: from_us.saturating_add(MAX_MICROS),
    }
}

/// The limits of the end of a stretch of work; `None` when it is no work or did not end.
pub(crate) fn limits_of_work(scenario: &Scenario, span: &StepSpan) -> Option<Limits> {
    let worker = scenario.workers.get(span.worker)?;
    let Step::Work { .. } = worker.plan.get(span.step)? else { return None };
    let max_us = end_of_work(worker, span.began_at, MAX_MICROS);
    Some(Limits { from_us: span.began_at, now_us: span.ended_at?, min_us: span.began_at, max_us })
}

/// The limits of the arrival of a message; `None` when it is lost.
pub(crate) fn limits_of_arrival(message: &Message) -> Option<Limits> {
    let sent_at = message.sent_at;
    let max_us = sent_at.saturating_add(MAX_MICROS);
    Some(Limits { from_us: sent_at, now_us: message.arrives_at?, min_us: sent_at, max_us })
}

/// The scenario in which the handle stands at `to_us`, or as near as its limits allow.
///
/// The start of a pause moves with its end fixed, the end changes the length, the body moves the whole; an arrival
/// changes the delay of that attempt or copy, the end of a lease its time to live, the end of work its running length.
/// `scenario` and `trace` are those at the start of the drag. A handle that the story does not have changes nothing.
pub fn dragged(scenario: &Scenario, trace: &Trace, handle: HandleId, to_us: Micros) -> Scenario {
    let mut edited = scenario.clone();
    if let Some(limits) = limits(scenario, trace, handle) {
        let to = to_us.clamp(limits.min_us, limits.max_us);
        // A handle that stays where it is changes nothing, not even the way in which the document says it.
        if to != limits.now_us {
            edit(&mut edited, trace, handle, to, limits);
        }
    }
    edited
}

/// The scenario in which the handle's number is `value_us`, or as near as its limits allow: what typing a value or
/// pressing a key means.
///
/// The same as dragging it to that length from [`Handle::from_us`](crate::Handle), save for work: its number is running
/// time, so a value passes through a pause that no end of work can lie in.
pub fn with_value(scenario: &Scenario, trace: &Trace, handle: HandleId, value_us: i64) -> Scenario {
    let Some(limits) = limits(scenario, trace, handle) else { return scenario.clone() };
    if let HandleId::WorkEnd { worker, step } = handle {
        let mut edited = scenario.clone();
        Knob::WorkFor(worker, step).turn(&mut edited, value_us.min(MAX_MICROS as i64));
        return edited;
    }
    dragged(scenario, trace, handle, limits.from_us.saturating_add_signed(value_us))
}

fn edit(scenario: &mut Scenario, trace: &Trace, handle: HandleId, to: Micros, limits: Limits) -> Option<()> {
    match handle {
        HandleId::LeaseEnd { lease, grant } => {
            let number = chained(scenario, trace, grant);
            let ttl = scenario.leases.get(lease)?.ttl;
            // Each lease in a chain of expiries begins where the one before it ends, so the move is shared out.
            let ttl = if to >= limits.now_us {
                ttl.saturating_add((to - limits.now_us) / number)
            } else {
                ttl.saturating_sub((limits.now_us - to) / number)
            };
            Knob::Ttl(lease).turn(scenario, ttl.clamp(1, MAX_MICROS) as i64);
        }
        HandleId::WorkEnd { worker, step } => {
            let running = running_until(scenario.workers.get(worker)?, limits.from_us, to);
            Knob::WorkFor(worker, step).turn(scenario, running.min(MAX_MICROS) as i64);
        }
        HandleId::PauseStart { worker, pause } => {
            let (_, end) = stretch(scenario.workers.get(worker)?.pauses.get(pause)?);
            Knob::PauseFor(worker, pause).turn(scenario, end.saturating_sub(to).min(MAX_MICROS) as i64);
            Knob::PauseAt(worker, pause).turn(scenario, to as i64);
        }
        HandleId::ClockDrift { worker } => {
            let clock = &mut scenario.workers.get_mut(worker)?.clock;
            clock.drift_ppm = drift(limits.from_us, to, clock.drift_ppm);
        }
        _ => handle.knob()?.turn(scenario, to as i64 - limits.from_us as i64),
    }
    Some(())
}

/// The grant of that number, when its end is the end of its time: not a release, not a failover.
fn movable_end(trace: &Trace, lease: usize, grant: u32) -> Option<&Grant> {
    let grant = trace.grant(grant).filter(|grant| grant.lease == lease)?;
    matches!(grant.ended, None | Some((_, EndedBy::Expiry))).then_some(grant)
}

/// How many times the ttl counts into the end of a grant: once for itself, and once for each expiry before it on which
/// it, or what it followed, was granted.
pub(crate) fn chained(scenario: &Scenario, trace: &Trace, number: u32) -> Micros {
    let mut count = 1;
    let mut at = trace.grant(number).copied();
    while let Some(grant) = at {
        let wait = scenario.leases.get(grant.lease).map_or(0, |lease| lease.lock_delay);
        let renewed = grant.due_at.checked_sub(scenario.leases.get(grant.lease).map_or(0, |lease| lease.ttl))
            != Some(grant.granted_at);
        at = trace.grants[..grant.number as usize - 1]
            .iter()
            .rev()
            .find(|before| before.lease == grant.lease)
            .filter(|before| {
                !renewed
                    && matches!(before.ended, Some((end, EndedBy::Expiry)) if end.saturating_add(wait) == grant.granted_at)
            })
            .copied();
        count += Micros::from(at.is_some());
    }
    count
}

/// A pause as `[start, end)`; one for ever ends at the end of time.
fn stretch(pause: &Pause) -> (Micros, Micros) {
    (pause.at, pause.length.map_or(Micros::MAX, |length| pause.at.saturating_add(length)))
}

/// The end of the pause before and the start of the pause after, by time, then file order.
fn neighbours(worker: &Worker, pause: usize) -> (Micros, Micros) {
    let place = |index: usize| (stretch(&worker.pauses[index]), index);
    let own = place(pause);
    let mut before = 0;
    let mut after = Micros::MAX;
    for other in (0..worker.pauses.len()).filter(|other| *other != pause).map(place) {
        if other < own {
            before = before.max(other.0.1);
        } else {
            after = after.min(other.0.0);
        }
    }
    (before, after)
}

/// The worker's pauses in order of time.
fn by_time(worker: &Worker) -> Vec<(Micros, Micros)> {
    let mut pauses: Vec<_> = worker.pauses.iter().map(stretch).collect();
    pauses.sort_unstable();
    pauses
}

/// How long a worker runs between two times, its pauses left out. An end inside a pause counts up to the pause: work
/// that is done by then ends at the resume.
pub(crate) fn running_until(worker: &Worker, from: Micros, to: Micros) -> Micros {
    let paused: Micros = by_time(worker)
        .into_iter()
        .map(|(start, end)| end.min(to).saturating_sub(start.max(from)))
        .fold(0, Micros::saturating_add);
    to.saturating_sub(from).saturating_sub(paused)
}

/// When work that begins at `from` and runs for `length` ends; just before a crash when that comes first.
pub(crate) fn end_of_work(worker: &Worker, from: Micros, length: Micros) -> Micros {
    let mut end = from.saturating_add(length);
    for (start, resume) in by_time(worker) {
        if resume <= from {
            continue;
        }
        if resume == Micros::MAX {
            // What is done before a crash still ends; the last instant for that is just before it.
            return if end < start { end } else { start.saturating_sub(1).max(from) };
        }
        if start <= end {
            end = end.saturating_add(resume - start.max(from));
        }
    }
    end
}
