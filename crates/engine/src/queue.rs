//! The order of events: what is due next, and what comes first when several things are due at the same instant.
//!
//! The whole order lives here and nowhere else. At one instant:
//!
//! 0. pauses begin (whatever else falls on that instant already finds its worker not running);
//! 1. failovers, by lease, then restarts, by resource;
//! 2. expiries and ends of a lock delay, by lease;
//! 3. message arrivals, by time sent, worker, step, attempt, copy, request before reply;
//! 4. for each worker in file order: its resume, its heartbeats by lease, its retry timer, its plan's turn.
//!
//! What an event causes at the same instant joins at its own place: the queue always gives the least of what is there.

use std::cmp::Ordering;

use crate::time::Timekeeper;
use crate::trace::Direction;

/// The place of a thing among those that are due at the same instant.
#[derive(Clone, Copy, Debug)]
pub struct Place<T> {
    class: u8,
    /// The time sent, for arrivals.
    sent: T,
    rank: u64,
}

/// What identifies a message among those that arrive at the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageKey {
    /// The worker that the exchange belongs to.
    pub worker: u32,
    /// The step, counted from 1; 0 for a heartbeat.
    pub step: u32,
    /// The attempt, from 1; for a heartbeat, the how-many-th renewal of its worker.
    pub attempt: u32,
    /// 0 for the message itself, 1 … for its copies.
    pub copy: u32,
    /// Request before reply.
    pub direction: Direction,
}

impl<T: Copy + Default> Place<T> {
    fn new(class: u8, rank: u64) -> Self {
        Self { class, sent: T::default(), rank }
    }

    /// The start of a worker's pause.
    pub fn pause(worker: usize) -> Self {
        Self::new(0, worker as u64)
    }

    /// A failover of a lease, the `index`-th in its list.
    pub fn failover(lease: usize, index: usize) -> Self {
        Self::new(1, ((lease as u64) << 32) | index as u64)
    }

    /// A restart of a resource.
    pub fn restart(resource: usize) -> Self {
        Self::new(1, (1 << 40) | resource as u64)
    }

    /// The expiry of a lease, or the end of its lock delay.
    pub fn lease_end(lease: usize) -> Self {
        Self::new(2, lease as u64)
    }

    /// The arrival of a message that was sent at `sent`.
    pub fn arrival(sent: T, key: MessageKey) -> Self {
        // 64 workers, 256 steps, 8 copies and 100,000 renewals at most: each part fits its bits.
        let rank = (u64::from(key.worker) << 40)
            | (u64::from(key.step) << 28)
            | (u64::from(key.attempt) << 8)
            | (u64::from(key.copy) << 1)
            | u64::from(key.direction == Direction::Reply);
        Self { class: 3, sent, rank }
    }

    /// A worker's resume.
    pub fn resume(worker: usize) -> Self {
        Self::new(4, (worker as u64) << 16)
    }

    /// A worker's heartbeat for a lease.
    pub fn heartbeat(worker: usize, lease: usize) -> Self {
        Self::new(4, ((worker as u64) << 16) | (1 << 8) | lease as u64)
    }

    /// A worker's retry timer.
    pub fn retry(worker: usize) -> Self {
        Self::new(4, ((worker as u64) << 16) | (2 << 8))
    }

    /// The turn of a worker's plan: its current step ends, or its next one begins.
    pub fn plan(worker: usize) -> Self {
        Self::new(4, ((worker as u64) << 16) | (3 << 8))
    }
}

/// One thing that is due.
#[derive(Clone, Copy, Debug)]
pub struct Entry<T, D> {
    /// When.
    pub at: T,
    /// What.
    pub due: D,
}

/// What the order of a thing goes by, and where the thing itself lies.
#[derive(Clone, Copy, Debug)]
struct Key<T> {
    at: T,
    place: Place<T>,
    /// How many were put in before: the last resort, so that the order is total.
    serial: u32,
    slot: u32,
}

/// A binary heap whose comparisons go through a [`Timekeeper`]. What is due lies beside it and stays where it is: most of
/// the time of a run would else go into moving it.
#[derive(Debug)]
pub struct Queue<T, D> {
    heap: Vec<Key<T>>,
    slots: Vec<D>,
    free: Vec<u32>,
    serial: u32,
}

impl<T, D> Default for Queue<T, D> {
    fn default() -> Self {
        Self { heap: Vec::new(), slots: Vec::new(), free: Vec::new(), serial: 0 }
    }
}

impl<T: Copy, D: Copy> Queue<T, D> {
    /// Forgets everything, keeps the room.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.slots.clear();
        self.free.clear();
        self.serial = 0;
    }

    /// Puts a thing in at its place.
    pub fn push<K: Timekeeper<Time = T>>(&mut self, keeper: &mut K, at: T, place: Place<T>, due: D) {
        let slot = if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = due;
            slot
        } else {
            self.slots.push(due);
            self.slots.len() as u32 - 1
        };
        let key = Key { at, place, serial: self.serial, slot };
        self.serial += 1;
        let mut hole = self.heap.len();
        self.heap.push(key);
        while hole > 0 {
            let parent = (hole - 1) / 2;
            if !precedes(keeper, &key, &self.heap[parent]) {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = key;
    }

    /// Takes out what is due first.
    pub fn pop<K: Timekeeper<Time = T>>(&mut self, keeper: &mut K) -> Option<Entry<T, D>> {
        let last = self.heap.pop()?;
        let first = match self.heap.first() {
            Some(&first) => {
                self.sift(keeper, last);
                first
            }
            None => last,
        };
        self.free.push(first.slot);
        Some(Entry { at: first.at, due: self.slots[first.slot as usize] })
    }

    /// Fills the hole at the top with what was last.
    fn sift<K: Timekeeper<Time = T>>(&mut self, keeper: &mut K, last: Key<T>) {
        let len = self.heap.len();
        let mut hole = 0;
        loop {
            let mut child = 2 * hole + 1;
            if child >= len {
                break;
            }
            if child + 1 < len && precedes(keeper, &self.heap[child + 1], &self.heap[child]) {
                child += 1;
            }
            if !precedes(keeper, &self.heap[child], &last) {
                break;
            }
            self.heap[hole] = self.heap[child];
            hole = child;
        }
        self.heap[hole] = last;
    }
}

fn precedes<K: Timekeeper>(keeper: &mut K, a: &Key<K::Time>, b: &Key<K::Time>) -> bool {
    let (one, other) = (&a.place, &b.place);
    let by_rank = || one.rank.cmp(&other.rank).then_with(|| a.serial.cmp(&b.serial));
    let by_sent = one.class == 3 && other.class == 3;
    let tie = |_: &mut K| match one.class.cmp(&other.class) {
        Ordering::Equal if by_sent => K::settled(one.sent, other.sent).map(|order| order.then_with(by_rank)),
        Ordering::Equal => Some(by_rank()),
        order => Some(order),
    };
    let rest = |keeper: &mut K| match one.class.cmp(&other.class) {
        Ordering::Equal if by_sent => keeper.order(one.sent, other.sent).then_with(by_rank),
        order => order.then_with(by_rank),
    };
    keeper.precedes(a.at, b.at, tie, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Plain;

    fn key(worker: u32, step: u32, attempt: u32, copy: u32, direction: Direction) -> MessageKey {
        MessageKey { worker, step, attempt, copy, direction }
    }

    #[test]
    fn things_due_at_one_instant_come_in_the_order_of_the_contract() {
        use Direction::{Reply, Request};
        let order: Vec<Place<i64>> = vec![
            Place::pause(1),
            Place::failover(0, 0),
            Place::failover(0, 1),
            Place::failover(1, 0),
            Place::restart(0),
            Place::restart(1),
            Place::lease_end(0),
            Place::lease_end(1),
            Place::arrival(3, key(9, 9, 9, 7, Reply)),
            Place::arrival(4, key(0, 256, 20, 8, Reply)),
            Place::arrival(4, key(1, 0, 100_000, 8, Reply)),
            Place::arrival(4, key(1, 1, 1, 0, Request)),
            Place::arrival(4, key(1, 1, 1, 0, Reply)),
            Place::arrival(4, key(1, 1, 1, 1, Request)),
            Place::arrival(4, key(1, 1, 2, 0, Request)),
            Place::arrival(4, key(1, 2, 1, 0, Request)),
            Place::resume(0),
            Place::heartbeat(0, 0),
            Place::heartbeat(0, 63),
            Place::retry(0),
            Place::plan(0),
            Place::resume(1),
        ];
        let mut queue = Queue::default();
        for index in (0..order.len()).rev() {
            queue.push(&mut Plain, 7, order[index], index);
        }
        queue.push(&mut Plain, 6, Place::plan(63), 99);
        let mut seen = Vec::new();
        while let Some(entry) = queue.pop(&mut Plain) {
            seen.push(entry.due);
        }
        assert_eq!(seen, std::iter::once(99).chain(0..order.len()).collect::<Vec<_>>());
    }
}
