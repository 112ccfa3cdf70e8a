//! The work under way: several jobs, a step of each in turn.
//!
//! Invariant: a job that was stopped or forgotten says nothing more; what one says does not depend on the others, nor on when
//! the slices end.

mod map;
mod margins;
mod search;

use std::collections::VecDeque;

use fenceline_engine::{FlipSearch, Scenario};

use crate::protocol::{Answer, Request, Said, Work, decode, encode};

pub use map::ground;

/// Long work, step by step.
trait Job {
    /// Does a step. Returns false when that was the last.
    fn go_on(&mut self) -> bool;

    /// What is new, at the end of a slice; `now` is the time in milliseconds. When the work is done, its last answer.
    fn tell(&mut self, now: f64) -> Option<Answer>;

    /// What it has come to, when it is stopped.
    fn stop(&mut self) -> Option<Answer> {
        None
    }
}

/// The explorer's memory from message to message.
#[derive(Default)]
pub struct Session {
    document: Option<(u32, Scenario)>,
    /// What is to get a step next comes first.
    jobs: VecDeque<(u32, Box<dyn Job>)>,
    said: Vec<Said>,
}

impl Session {
    /// Nothing to do yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a message of the page.
    pub fn hear(&mut self, message: &[u8]) {
        match decode(message) {
            Some(Request::Document { number, text }) => {
                self.document = Scenario::from_json(&text).ok().map(|scenario| (number, scenario));
            }
            Some(Request::Begin { job, document, work }) => {
                let of_it = self.document.as_ref().filter(|(number, _)| *number == document);
                match of_it.map(|(_, scenario)| begin(scenario, work)) {
                    Some(Ok(work)) => self.jobs.push_back((job, work)),
                    Some(Err(answer)) => self.said.push(Said { job, answer }),
                    None => self.said.push(Said { job, answer: Answer::Failed }),
                }
            }
            Some(Request::Stop(job)) => {
                let answer = self.take(job).and_then(|mut work| work.stop());
                self.said.extend(answer.map(|answer| Said { job, answer }));
            }
            Some(Request::Forget(job)) => {
                self.take(job);
                self.said.retain(|said| said.job != job);
            }
            // The page is of another version; whoever answers to it would have to know which job it means.
            None => self.said.push(Said { job: 0, answer: Answer::Failed }),
        }
    }

    fn take(&mut self, job: u32) -> Option<Box<dyn Job>> {
        let place = self.jobs.iter().position(|(of, _)| *of == job)?;
        self.jobs.remove(place).map(|(_, work)| work)
    }

    /// Whether there is something to do or to say.
    pub fn has_work(&self) -> bool {
        !self.jobs.is_empty() || !self.said.is_empty()
    }

    /// Works for about so many milliseconds of a clock, at least one step, and gives what there is to say: a list of [`Said`],
    /// encoded; empty when there is nothing.
    pub fn go_on(&mut self, clock: impl Fn() -> f64, slice: f64) -> Vec<u8> {
        let end = clock() + slice;
        while let Some((job, mut work)) = self.jobs.pop_front() {
            let now = if work.go_on() {
                self.jobs.push_back((job, work));
                clock()
            } else {
                let now = clock();
                let answer = work.tell(now).unwrap_or(Answer::Failed);
                self.said.push(Said { job, answer });
                now
            };
            if now >= end {
                break;
            }
        }
        let now = clock();
        for (job, work) in &mut self.jobs {
            self.said.extend(work.tell(now).map(|answer| Said { job: *job, answer }));
        }
        let said = std::mem::take(&mut self.said);
        if said.is_empty() { Vec::new() } else { encode(&said) }
    }
}

/// Work that was begun, or what there is to say at once.
fn begin(scenario: &Scenario, work: Work) -> Result<Box<dyn Job>, Answer> {
    Ok(match work {
        Work::Map { across, up, rows } => Box::new(map::Map::new(scenario, across, up, rows)),
        Work::Margins => Box::new(margins::Margins::new(scenario)),
        Work::FlipWrite(write) => {
            let search = FlipSearch::of_write(scenario, write as usize).ok_or(Answer::NoFlip)?;
            Box::new(Flip { search, is_done: false })
        }
        Work::FlipToHold => Box::new(Flip { search: FlipSearch::to_hold(scenario), is_done: false }),
        Work::Search(bounds) => Box::new(search::Hunt::new(scenario, bounds)),
    })
}

/// The smallest change.
struct Flip {
    search: FlipSearch,
    is_done: bool,
}

impl Job for Flip {
    fn go_on(&mut self) -> bool {
        self.is_done = !self.search.go_on();
        !self.is_done
    }

    fn tell(&mut self, _: f64) -> Option<Answer> {
        let search = &self.search;
        self.is_done.then(|| Answer::Flip { best: search.best().cloned(), is_complete: search.is_complete() })
    }
}
