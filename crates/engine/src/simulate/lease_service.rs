//! The lease service: who holds a lease, by its own truth and on true time.

use crate::queue::Place;
use crate::record::Recorder;
use crate::scenario::TokenSource;
use crate::time::Timekeeper;
use crate::trace::{EndedBy, Grant, Happening, Lane, Standing};

use super::Run;
use super::state::{Body, Due, InFlight};

impl<K: Timekeeper, R: Recorder> Run<'_, K, R> {
    /// Serves a request that arrived at the service.
    pub(super) fn serve(&mut self, request: InFlight<K::Time>) {
        match request.body {
            Body::Acquire { lease } => {
                self.tell(Lane::Lease(lease), Happening::Arrived(request.id));
                self.ask_for(lease, request);
            }
            Body::Renew { lease, grant } => {
                self.tell(Lane::Lease(lease), Happening::Arrived(request.id));
                self.renew(lease, grant, &request);
            }
            Body::Release { lease } => {
                self.tell(Lane::Lease(lease), Happening::Arrived(request.id));
                let live = self.state.leases[lease].live;
                if live.is_some_and(|grant| self.holder(grant) == request.worker as usize) {
                    self.end_grant(lease, EndedBy::Release);
                }
                self.reply(&request, Lane::Lease(lease), Body::Released { lease });
            }
            _ => unreachable!("only requests to the lease service are handed to it"),
        }
    }

    fn ask_for(&mut self, lease: usize, request: InFlight<K::Time>) {
        let state = &self.state.leases[lease];
        match state.live {
            Some(grant) if self.holder(grant) == request.worker as usize => {
                self.reply(&request, Lane::Lease(lease), Body::Granted { lease, grant });
            }
            None if !state.waits => {
                self.state.leases[lease].waiting.push(request);
                self.grant_on(lease);
            }
            _ => self.state.leases[lease].waiting.push(request),
        }
    }

    fn holder(&self, grant: u32) -> usize {
        self.state.grants[grant as usize - 1].worker
    }

    /// Grants the lease to the worker that has waited longest, if any, and answers all its waiting requests.
    fn grant_on(&mut self, lease: usize) {
        let Some(&first) = self.state.leases[lease].waiting.first() else { return };
        let worker = first.worker as usize;
        let token = self.issue(lease, &first);
        let number = self.state.grants.len() as u32 + 1;
        let now = self.state.now;
        let ends = self.keeper.sum(now, self.model.leases[lease].ttl);
        self.state.grants.push(Grant {
            number,
            lease,
            worker,
            token,
            granted_at: K::micros(now),
            due_at: K::micros(ends),
            ended: None,
        });
        self.state.seqs.push(0);
        let state = &mut self.state.leases[lease];
        state.live = Some(number);
        state.latest = number;
        self.expire_at(lease, ends);
        // A grant follows from the request that was granted; that the lease became free is told just before it.
        self.tell(Lane::Lease(lease), Happening::Granted(number));
        let mut waiting = std::mem::take(&mut self.state.leases[lease].waiting);
        waiting.retain(|request| {
            let granted = request.worker as usize == worker;
            if granted {
                self.reply(request, Lane::Lease(lease), Body::Granted { lease, grant: number });
            }
            !granted
        });
        self.state.leases[lease].waiting = waiting;
    }

    fn issue(&mut self, lease: usize, request: &InFlight<K::Time>) -> u64 {
        let source = &mut self.state.leases[lease].source;
        match self.model.leases[lease].tokens {
            TokenSource::Counter { .. } => {
                *source += 1;
                *source - 1
            }
            TokenSource::Random { .. } => split_mix(source) >> 32,
            TokenSource::WorkerClock => {
                let clock = self.model.workers[request.worker as usize].clock;
                self.keeper.local_millis(clock, request.asked)
            }
        }
    }

    fn expire_at(&mut self, lease: usize, at: K::Time) {
        let state = &mut self.state.leases[lease];
        state.stamp += 1;
        let due = Due::Expiry { lease, stamp: state.stamp };
        self.schedule(at, Place::lease_end(lease), due);
    }

    fn renew(&mut self, lease: usize, grant: u32, request: &InFlight<K::Time>) {
        if self.state.leases[lease].live == Some(grant) {
            let ends = self.keeper.sum(self.state.now, self.model.leases[lease].ttl);
            self.state.grants[grant as usize - 1].due_at = K::micros(ends);
            self.expire_at(lease, ends);
            self.tell(Lane::Lease(lease), Happening::Renewed(grant, K::micros(ends)));
            self.reply(request, Lane::Lease(lease), Body::Renewed { lease, grant });
        } else {
            self.tell(Lane::Lease(lease), Happening::RenewalRefused(grant));
            self.reply(request, Lane::Lease(lease), Body::Refused { lease, grant });
        }
    }

    pub(super) fn expire(&mut self, lease: usize) {
        self.end_grant(lease, EndedBy::Expiry);
    }

    /// Ends the live grant now; grants on at once, or after the lock delay.
    fn end_grant(&mut self, lease: usize, by: EndedBy) {
        let now = self.state.now;
        let state = &mut self.state.leases[lease];
        let grant = state.live.take().expect("a grant is only ended while it is live");
        state.stamp += 1;
        self.state.grants[grant as usize - 1].ended = Some((K::micros(now), by));
        let cause = self.state.cause;
        self.tell(
            Lane::Lease(lease),
            match by {
                EndedBy::Expiry => Happening::Expired(grant),
                EndedBy::Release => Happening::Released(grant),
                EndedBy::Failover => Happening::Forgotten(grant),
            },
        );
        let lock_delay = self.model.leases[lease].lock_delay;
        if by == EndedBy::Release || self.keeper.is_zero(lock_delay) {
            self.grant_on(lease);
        } else {
            self.state.leases[lease].waits = true;
            let at = self.keeper.sum(now, lock_delay);
            self.schedule(at, Place::lease_end(lease), Due::LockDelayEnd { lease, cause: self.state.cause });
        }
        self.state.cause = cause;
    }

    pub(super) fn end_lock_delay(&mut self, lease: usize) {
        self.state.leases[lease].waits = false;
        self.tell(Lane::Lease(lease), Happening::LockDelayEnded);
        self.grant_on(lease);
    }

    pub(super) fn fail_over(&mut self, lease: usize, index: usize) {
        let failover = self.model.leases[lease].failovers[index];
        if let TokenSource::Counter { .. } = self.model.leases[lease].tokens {
            self.state.leases[lease].source = failover.next;
        }
        self.tell(Lane::Lease(lease), Happening::FailedOver(failover.next));
        if failover.forgets_holder && self.state.leases[lease].live.is_some() {
            self.end_grant(lease, EndedBy::Failover);
        }
    }

    /// The standing of a writer at this instant.
    pub(super) fn standing(&self, grant: Option<u32>) -> Standing {
        let Some(number) = grant else { return Standing::Unleased };
        let lease = &self.state.leases[self.state.grants[number as usize - 1].lease];
        if lease.live == Some(number) {
            Standing::Current
        } else if lease.latest > number {
            Standing::Superseded
        } else {
            Standing::Expired
        }
    }

    /// Whether the service ever issued this token to this worker.
    pub(super) fn issued(&self, worker: usize, token: u64) -> bool {
        self.state.grants.iter().any(|grant| grant.worker == worker && grant.token == token)
    }
}

/// `SplitMix64`: advances the state, then mixes it.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_random_source_is_split_mix() {
        // The published first outputs of the generator for the seed 1234567.
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
    }
}
