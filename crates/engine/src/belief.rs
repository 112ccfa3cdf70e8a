//! What each worker believed, from what it was told.
//!
//! A belief begins with the receipt of a grant and lasts until its end on the worker's own clock, moved by each renewal
//! that the worker saw confirmed, or until the worker learns otherwise. Nothing here asks what was true: the service's
//! truth is in the grants, and the difference between the two is what a reader is to see.

use crate::model::Model;
use crate::record::Scribe;
use crate::scenario::{Clock, Micros};
use crate::time::{first_showing, local};
use crate::trace::{Belief, BeliefEnd, Direction, Grant, Happening, Lane, Subject};

/// The beliefs of a run, in order of beginning.
pub(crate) fn beliefs(model: &Model, scribe: &Scribe, grants: &[Grant]) -> Vec<Belief> {
    let mut told: Vec<Belief> = Vec::new();
    // For each worker and lease, the belief that is still held (an index into `told`).
    let mut held: Vec<Option<usize>> = vec![None; model.workers.len() * model.leases.len()];
    for event in &scribe.events {
        let Lane::Worker(worker) = event.lane else { continue };
        let at = event.at;
        let place = |grant: u32| (worker * model.leases.len()) + grants[grant as usize - 1].lease;
        let until = |grant: u32| believed_end(model, worker, grants[grant as usize - 1].lease, at);
        match event.what {
            Happening::Noted(grant) => {
                end(&mut told, held[place(grant)], at, BeliefEnd::Replaced);
                held[place(grant)] = Some(told.len());
                told.push(Belief {
                    worker,
                    grant,
                    from: at,
                    until: until(grant),
                    ended_by: BeliefEnd::OwnClock,
                    acts_until: 0,
                });
            }
            Happening::Confirmed(grant) => match held[place(grant)] {
                Some(index) if told[index].until >= at => told[index].until = until(grant),
                Some(_) => {
                    // It had given up by its own clock; the late confirmation makes it believe again.
                    held[place(grant)] = Some(told.len());
                    told.push(Belief {
                        worker,
                        grant,
                        from: at,
                        until: until(grant),
                        ended_by: BeliefEnd::OwnClock,
                        acts_until: 0,
                    });
                }
                None => {}
            },
            Happening::LearnedLost(grant) => {
                // It follows from the handling of a reply: of a renewal, or of a write.
                let by_write = event.cause.is_some_and(|cause| match scribe.events[cause as usize].what {
                    Happening::Received(id) => scribe.messages[id as usize].verdict.is_some(),
                    _ => false,
                });
                let by = if by_write { BeliefEnd::WriteRejected } else { BeliefEnd::RenewalRefused };
                if let Some(index) = held[place(grant)].filter(|&index| told[index].grant == grant) {
                    end(&mut told, Some(index), at, by);
                    held[place(grant)] = None;
                }
            }
            Happening::Sent(id) | Happening::Received(id) => {
                let message = &scribe.messages[id as usize];
                if let (Some(grant), Subject::Write | Subject::Establish) = (message.grant, message.subject)
                    && let Some(belief) =
                        told.iter_mut().rev().find(|held| held.worker == worker && held.grant == grant)
                {
                    belief.acts_until = at;
                }
                if let (Subject::Release, Direction::Request, Lane::Lease(lease)) =
                    (message.subject, message.direction, message.peer)
                {
                    let place = worker * model.leases.len() + lease;
                    end(&mut told, held[place].take(), at, BeliefEnd::Released);
                }
            }
            _ => {}
        }
    }
    for belief in &mut told {
        belief.acts_until = belief.acts_until.max(belief.until);
    }
    told
}

/// Ends a belief now, unless the worker's own clock ended it before.
fn end(told: &mut [Belief], index: Option<usize>, at: Micros, by: BeliefEnd) {
    if let Some(belief) = index.map(|index| &mut told[index])
        && at < belief.until
    {
        (belief.until, belief.ended_by) = (at, by);
    }
}

/// When, in true time, a lease confirmed at `at` is over on the worker's own clock.
fn believed_end(model: &Model, worker: usize, lease: usize, at: Micros) -> Micros {
    let clock = model.workers[worker].clock;
    let clock = Clock { offset: clock.offset, drift_ppm: clock.drift_ppm };
    first_showing(clock, local(clock, at) + i128::from(model.leases[lease].ttl))
}
