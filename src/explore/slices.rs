//! Long work in slices: a little at each frame, so that the page stays alive and a person can stop it.
//!
//! Invariant: at most one piece of work goes on for each [`Slices`]; whoever owned it being gone, it ends.

use leptos::prelude::*;

/// How long a slice may take, in milliseconds: half a frame, so that the other half is the page's.
const SLICE: f64 = 8.0;

/// A little of the work; says whether there is more.
type Work = Box<dyn FnMut() -> bool>;
/// What is done after each slice.
type After = Box<dyn Fn()>;

/// What runs long work.
#[derive(Clone, Copy, Debug)]
pub struct Slices {
    /// Which piece of work is the one that goes on.
    turn: StoredValue<u32>,
}

impl Slices {
    /// Nothing to do yet.
    pub fn new() -> Self {
        Self { turn: StoredValue::new(0) }
    }

    /// Lets a new piece of work take the place of the one before, from the next frame on. Each call does a little and says
    /// whether there is more.
    pub fn start(self, work: impl FnMut() -> bool + 'static) {
        self.start_painted(work, || ());
    }

    /// The same, with something to do after each slice.
    pub fn start_painted(self, work: impl FnMut() -> bool + 'static, after: impl Fn() + 'static) {
        if let Some(turn) = self.next() {
            let (work, after): (Work, After) = (Box::new(work), Box::new(after));
            request_animation_frame(move || self.go_on(turn, work, after));
        }
    }

    /// Ends it.
    pub fn stop(self) {
        self.next();
    }

    fn next(self) -> Option<u32> {
        self.turn.try_update_value(|turn| {
            *turn = turn.wrapping_add(1);
            *turn
        })
    }

    fn go_on(self, turn: u32, mut work: Work, after: After) {
        if self.turn.try_get_value() != Some(turn) {
            return;
        }
        let end = js_sys::Date::now() + SLICE;
        while work() {
            if js_sys::Date::now() >= end {
                after();
                request_animation_frame(move || self.go_on(turn, work, after));
                return;
            }
        }
        after();
    }
}

impl Default for Slices {
    fn default() -> Self {
        Self::new()
    }
}
