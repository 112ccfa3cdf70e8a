//! The farthest that a run's time can get: every time and duration of a scenario, as often as it can happen, in one sum.
//!
//! The time of an event is the time of the one that caused it plus one of the scenario's durations, or a time that the
//! scenario names. Along such a chain a step's numbers occur once, those of its messages once per attempt and copy,
//! and those of a lease once per request that can be granted. Heartbeats do not lengthen it: a run ends before the first
//! one that lies more than the longest ttl after the last event of another kind, so that a grant adds at most two
//! ttls, one to that heartbeat and one that it renews. Adding up what cannot all happen makes the sum larger, never too small.

use crate::limits::{MAX_ATTEMPTS, MAX_COPIES};
use crate::scenario::{Exchange, MAX_MICROS, Micros, Pause, Scenario, Send, Step};

/// The sum, in microseconds. Numbers above their own limits count as the limit: they are errors of their own.
pub(super) fn total(scenario: &Scenario) -> u128 {
    let delay = bounded(scenario.network.delay);
    let leases = &scenario.leases;
    let longest_ttl = leases.iter().map(|lease| bounded(lease.ttl)).max().unwrap_or_default();
    let longest_lock_delay = leases.iter().map(|lease| bounded(lease.lock_delay)).max().unwrap_or_default();
    let grant = 2 * longest_ttl + longest_lock_delay;
    let failovers = leases.iter().flat_map(|lease| &lease.failovers);
    let restarts = scenario.resources.iter().flat_map(|resource| &resource.restarts);

    let mut total = grant;
    total += failovers.map(|failover| bounded(failover.at) + longest_lock_delay).sum::<u128>();
    total += restarts.map(|at| bounded(*at)).sum::<u128>();
    for worker in &scenario.workers {
        total += bounded(worker.starts) + bounded(worker.clock.offset.unsigned_abs());
        total += worker.pauses.iter().map(pause).sum::<u128>();
        total += bounded(worker.renew_every.unwrap_or_default()) + travels(&worker.renewal_sends, 1, delay);
        total += worker.plan.iter().map(|step| step_total(step, delay, grant)).sum::<u128>();
    }
    total
}

fn bounded(us: Micros) -> u128 {
    us.min(MAX_MICROS).into()
}

fn pause(pause: &Pause) -> u128 {
    bounded(pause.at) + bounded(pause.length.unwrap_or_default())
}

fn step_total(step: &Step, delay: u128, grant: u128) -> u128 {
    let own = match step {
        Step::Work { length, .. } => bounded(*length),
        Step::Until { at } => bounded(*at),
        Step::Check { margin, .. } => bounded(*margin),
        Step::Acquire { exchange, .. } => arrivals(exchange) * grant,
        Step::Establish { peek_sends, .. } => travels(peek_sends, 1, delay),
        Step::Write(write) => travels(&write.peek_sends, 1, delay),
        Step::Read { .. } | Step::Release { .. } => 0,
    };
    own + step.exchange().map_or(0, |exchange| exchange_total(exchange, delay))
}

fn exchange_total(exchange: &Exchange, delay: u128) -> u128 {
    let waits = exchange.retry.map_or(0, |retry| bounded(retry.after)) * attempts(exchange) as u128;
    waits + travels(&exchange.sends, attempts(exchange), delay)
}

fn attempts(exchange: &Exchange) -> usize {
    exchange.retry.map_or(1, |retry| retry.attempts.clamp(1, MAX_ATTEMPTS)) as usize
}

/// How many requests of an exchange can arrive.
fn arrivals(exchange: &Exchange) -> u128 {
    let copies = exchange.sends.iter().map(|send| send.copies.len().min(MAX_COPIES)).sum::<usize>();
    (attempts(exchange) + copies) as u128
}

/// How long the messages of that many attempts travel, one after another.
fn travels(sends: &[Send], attempts: usize, delay: u128) -> u128 {
    let plain = attempts.saturating_sub(sends.len()) as u128 * 2 * delay;
    plain + sends.iter().map(|send| travel(send, delay)).sum::<u128>()
}

fn travel(send: &Send, delay: u128) -> u128 {
    let there = send.delay.map_or(delay, bounded);
    let back = send.reply_delay.map_or(delay, bounded);
    let copies = send.copies.iter().take(MAX_COPIES).map(|copy| bounded(*copy) + back).sum::<u128>();
    there + back + copies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Clock, Failover, Lease, Resource, Retry, Worker, Write};

    #[test]
    fn every_number_counts_as_often_as_it_can_happen() {
        let mut scenario = Scenario::default();
        scenario.network.delay = 3;
        let failovers = vec![Failover { at: 1_000, next: 1, forgets_holder: true }];
        scenario.leases = vec![Lease { lock_delay: 5, failovers, ..Lease::new("lock", 10) }];
        scenario.resources = vec![Resource { restarts: vec![2_000, 4_000], ..Resource::new("report") }];
        let sends = vec![Send { delay: Some(100), copies: vec![7, 8], ..Send::default() }];
        let retry = Some(Retry { after: 50, attempts: 3 });
        let write =
            Write { peek_sends: vec![Send { reply_delay: Some(40), ..Send::default() }], ..Write::new("report", "v") };
        scenario.workers = vec![Worker {
            id: "A".into(),
            starts: 10_000,
            clock: Clock { offset: -600, drift_ppm: 0 },
            plan: vec![
                Step::Acquire { lease: "lock".into(), exchange: Exchange { sends, retry } },
                Step::Work { length: 70_000, label: String::new() },
                Step::Write(write),
            ],
            pauses: vec![Pause { at: 100_000, length: Some(200_000) }, Pause { at: 500_000, length: None }],
            renew_every: Some(9),
            ..Worker::default()
        }];
        let grant = 2 * 10 + 5;
        // Attempt 1 travels 100 + 3 and its copies 7 + 3 and 8 + 3; attempts 2 and 3 travel 3 + 3 each.
        let acquire = 5 * grant + 3 * 50 + (103 + 10 + 11) + 2 * 6;
        // The peek travels 3 + 40, the write 3 + 3.
        let worker = 10_000 + 600 + 300_000 + 500_000 + 9 + 6 + acquire + 70_000 + 43 + 6;
        assert_eq!(total(&scenario), grant + (1_000 + 5) + 6_000 + worker);
    }

    #[test]
    fn a_number_above_its_limit_counts_as_the_limit() {
        let plan = vec![Step::Work { length: u64::MAX, label: String::new() }, Step::Until { at: u64::MAX }];
        let scenario = Scenario { workers: vec![Worker { plan, ..Worker::default() }], ..Scenario::default() };
        assert_eq!(total(&scenario), 2 * u128::from(MAX_MICROS));
    }
}
