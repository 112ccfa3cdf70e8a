//! Who works things out for the page: the explorer, in a worker where there can be one, a little at each frame in the page where
//! not.
//!
//! Invariants: what is heard of a job that was given up is dropped; every job that was not given up gets a last answer, be it
//! [`Answer::Failed`]; a worker that cannot start costs no job, since the page then takes on all that are open.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use fenceline_engine::Scenario;
use fenceline_explorer::protocol::{self, Answer, Request, Said, Work, decode, encode};
use leptos::prelude::*;

use crate::platform::explorer::{Heard, InPage, InWorker};

/// How long the page works at each frame, in milliseconds: half of it, so that the other half is the page's.
const SLICE: f64 = 8.0;

/// Who is told the answers.
type Hear = Rc<dyn Fn(Answer)>;

/// A job that has no last answer yet.
struct Open {
    scenario: Arc<Scenario>,
    work: Work,
    hear: Hear,
}

/// Where the explorer is.
#[derive(Default)]
enum Place {
    /// Nothing was asked yet.
    #[default]
    Nowhere,
    /// In a worker; whether that has said that it is ready.
    Worker(InWorker, bool),
    /// It is being loaded into the page.
    Loading,
    /// In the page; whether a slice is due at the next frame.
    Page(InPage, bool),
}

#[derive(Default)]
struct Inner {
    place: Place,
    open: BTreeMap<u32, Open>,
    /// The job that came last.
    last: u32,
    /// The document that the explorer was told last, and its number.
    told: Option<(u32, Arc<Scenario>)>,
    /// A worker could not start: another would not either.
    without_worker: bool,
}

/// The one explorer of a page.
#[derive(Clone, Default)]
pub struct Workshop(Rc<RefCell<Inner>>);

impl Workshop {
    /// Begins a job, and gives its number. The last answer may come before this returns.
    fn begin(&self, scenario: Arc<Scenario>, work: Work, hear: Hear) -> u32 {
        let job = {
            let inner = &mut *self.0.borrow_mut();
            inner.last = inner.last.wrapping_add(1).max(1);
            inner.open.insert(inner.last, Open { scenario, work, hear });
            inner.last
        };
        if matches!(self.0.borrow().place, Place::Nowhere) {
            self.start();
        } else {
            self.send(job);
        }
        job
    }

    /// Finds the explorer a place, and hands it what is open.
    fn start(&self) {
        let worker = if self.0.borrow().without_worker { None } else { self.worker() };
        if let Some(worker) = worker {
            self.0.borrow_mut().place = Place::Worker(worker, false);
            self.send_all();
            return;
        }
        self.0.borrow_mut().place = Place::Loading;
        let this = self.clone();
        leptos::task::spawn_local(async move {
            match InPage::load().await {
                Some(page) => {
                    this.0.borrow_mut().place = Place::Page(page, false);
                    this.send_all();
                }
                // The next job tries again: the connection may be back by then.
                None => this.give_up(),
            }
        });
    }

    fn worker(&self) -> Option<InWorker> {
        let inner = Rc::downgrade(&self.0);
        InWorker::start(move |heard| {
            let Some(inner) = inner.upgrade() else { return };
            let this = Self(inner);
            match heard {
                Heard::Ready => {
                    if let Place::Worker(_, is_ready) = &mut this.0.borrow_mut().place {
                        *is_ready = true;
                    }
                }
                Heard::Message(bytes) => this.hear(&bytes),
                Heard::Gone => this.worker_is_gone(),
            }
        })
    }

    fn worker_is_gone(&self) {
        let was_ready = {
            let inner = &mut *self.0.borrow_mut();
            let Place::Worker(_, was_ready) = std::mem::take(&mut inner.place) else { return };
            inner.told = None;
            was_ready
        };
        if was_ready {
            // What broke it would break the page as well. The next job has another worker.
            self.give_up();
        } else {
            self.0.borrow_mut().without_worker = true;
            self.start();
        }
    }

    /// Tells everybody that nothing comes of it.
    fn give_up(&self) {
        let open = {
            let inner = &mut *self.0.borrow_mut();
            inner.place = Place::Nowhere;
            inner.told = None;
            std::mem::take(&mut inner.open)
        };
        for open in open.into_values() {
            (open.hear)(Answer::Failed);
        }
    }

    fn send_all(&self) {
        let jobs: Vec<u32> = self.0.borrow().open.keys().copied().collect();
        for job in jobs {
            self.send(job);
        }
    }

    /// Tells the explorer of an open job, and before that of its document.
    fn send(&self, job: u32) {
        let requests = {
            let inner = &mut *self.0.borrow_mut();
            let Some(open) = inner.open.get(&job) else { return };
            if matches!(inner.place, Place::Nowhere | Place::Loading) {
                return;
            }
            let known = inner.told.as_ref().filter(|(_, told)| Arc::ptr_eq(told, &open.scenario));
            // The jobs are numbered; a document can have the number of the first that was about it.
            let number = known.map_or(job, |(number, _)| *number);
            let document = known.is_none().then(|| Request::Document { number, text: open.scenario.to_json() });
            let begin = Request::Begin { job, document: number, work: open.work.clone() };
            inner.told = Some((number, Arc::clone(&open.scenario)));
            document.into_iter().chain([begin]).collect::<Vec<_>>()
        };
        for request in &requests {
            self.post(request);
        }
    }

    fn post(&self, request: &Request) {
        let message = encode(request);
        let went = match &self.0.borrow().place {
            Place::Worker(worker, _) => {
                worker.post(&message);
                true
            }
            Place::Page(page, _) => page.post(&message).is_some(),
            Place::Nowhere | Place::Loading => return,
        };
        if went { self.go_on_soon() } else { self.give_up() }
    }

    /// In the page: works at the next frame.
    fn go_on_soon(&self) {
        if let Place::Page(_, is_due) = &mut self.0.borrow_mut().place
            && !*is_due
        {
            *is_due = true;
            let this = self.clone();
            request_animation_frame(move || this.go_on());
        }
    }

    fn go_on(&self) {
        let went = match &mut self.0.borrow_mut().place {
            Place::Page(page, is_due) => {
                *is_due = false;
                page.go_on(SLICE)
            }
            _ => return,
        };
        let Some((said, more)) = went else { return self.give_up() };
        if !said.is_empty() {
            self.hear(&said);
        }
        if more {
            self.go_on_soon();
        }
    }

    /// Hands answers to whoever waits for them.
    fn hear(&self, message: &[u8]) {
        let Some(said) = decode::<Vec<Said>>(message) else { return self.give_up() };
        for Said { job, answer } in said {
            if job == 0 {
                // It did not understand the page.
                return self.give_up();
            }
            let hear = {
                let open = &mut self.0.borrow_mut().open;
                if answer.is_last() {
                    open.remove(&job).map(|open| open.hear)
                } else {
                    open.get(&job).map(|open| Rc::clone(&open.hear))
                }
            };
            if let Some(hear) = hear {
                hear(answer);
            }
        }
    }

    /// Gives a job up: nothing more is heard of it.
    fn forget(&self, job: u32) {
        let was_open = self.0.borrow_mut().open.remove(&job).is_some();
        if was_open {
            self.post(&Request::Forget(job));
        }
    }

    /// Has a job say how far it has come, and end.
    fn stop(&self, job: u32) {
        let is_open = self.0.borrow().open.contains_key(&job);
        if !is_open {
            return;
        }
        if matches!(self.0.borrow().place, Place::Worker(_, true) | Place::Page(..)) {
            self.post(&Request::Stop(job));
            return;
        }
        // It has not even begun.
        let open = self.0.borrow_mut().open.remove(&job);
        if let Some(open) = open {
            self.post(&Request::Forget(job));
            (open.hear)(Answer::Stopped(protocol::Place::default()));
        }
    }
}

/// At most one piece of work at a time, for as long as its owner lives.
#[derive(Clone, Copy)]
pub struct Task {
    workshop: StoredValue<Workshop, LocalStorage>,
    job: StoredValue<Option<u32>>,
}

impl Task {
    /// Nothing to do yet. The workshop is the one of the page, by context.
    pub fn new() -> Self {
        let workshop = use_context::<super::Explorer>().unwrap_or_default().workshop;
        let task = Self { workshop, job: StoredValue::new(None) };
        // Only the value is needed: the owner's other signals may be gone by then.
        on_cleanup(move || task.give_up());
        task
    }

    /// Lets a new piece of work take the place of the one before. It is about this scenario; `hear` gets each answer.
    pub fn start(self, scenario: Arc<Scenario>, work: Work, hear: impl Fn(Answer) + 'static) {
        self.give_up();
        let job = self.workshop.try_with_value(Workshop::clone);
        let job = job.map(|workshop| workshop.begin(scenario, work, Rc::new(hear)));
        self.job.set_value(job);
    }

    /// Ends it, and what it has come to is not wanted.
    pub fn give_up(self) {
        if let Some(job) = self.job.try_update_value(Option::take).flatten() {
            let _ = self.workshop.try_with_value(|workshop| workshop.forget(job));
        }
    }

    /// Ends it: what it has come to is its last answer.
    pub fn stop(self) {
        if let Some(job) = self.job.try_get_value().flatten() {
            let _ = self.workshop.try_with_value(|workshop| workshop.stop(job));
        }
    }
}

impl Default for Task {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests;
