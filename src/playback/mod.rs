//! Playback: the playhead goes along the run by itself, or from event to event, forward and back.
//!
//! Invariant: nothing runs while nothing plays. Where the playhead stands is in the editor; here is what moves it.

mod scrub;
mod transport;

use fenceline_engine::{Micros, Trace};
use leptos::prelude::*;

use crate::command::Command;
use crate::editor::Editor;
use crate::platform::motion::is_reduced;
pub use scrub::Scrubber;
pub use transport::{States, Transport};

/// How long the whole axis takes at the usual speed, in milliseconds.
const WHOLE: f64 = 12_000.0;

/// The speeds, in halves of the usual one.
const SPEEDS: [u32; 4] = [1, 2, 4, 8];

/// How fast it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed(u32);

impl Default for Speed {
    fn default() -> Self {
        Self(2)
    }
}

impl Speed {
    /// The next faster one; after the fastest the slowest.
    #[must_use]
    pub fn next(self) -> Self {
        let here = SPEEDS.iter().position(|speed| *speed == self.0).unwrap_or(0);
        Self(SPEEDS[(here + 1) % SPEEDS.len()])
    }

    /// `1×`.
    pub const fn label(self) -> &'static str {
        match self.0 {
            1 => "½×",
            4 => "2×",
            8 => "4×",
            _ => "1×",
        }
    }
}

/// The first instant after `at` at which something happens.
pub fn next_event(trace: &Trace, at: Option<Micros>) -> Option<Micros> {
    trace.events.iter().map(|event| event.at).find(|event| at.is_none_or(|at| *event > at))
}

/// The last instant before `at` at which something happens.
pub fn previous_event(trace: &Trace, at: Option<Micros>) -> Option<Micros> {
    trace.events.iter().rev().map(|event| event.at).find(|event| at.is_none_or(|at| *event < at))
}

/// The last instant, up to `at`, at which something happens.
fn event_until(trace: &Trace, at: Micros) -> Option<Micros> {
    trace.events.iter().rev().map(|event| event.at).find(|event| *event <= at)
}

/// Keeps the playhead going while something plays, for as long as the current owner lives.
pub fn keep_playing(editor: Editor) {
    let running = StoredValue::new(false);
    Effect::new(move |_| {
        if editor.playing.get() && !running.get_value() {
            running.set_value(true);
            let from = editor.playhead.get_untracked().unwrap_or(0);
            frame(editor, running, from as f64, js_sys::Date::now());
        }
    });
}

/// One frame: `at` is where it plays, between events too.
fn frame(editor: Editor, running: StoredValue<bool>, at: f64, then: f64) {
    request_animation_frame(move || {
        // The page may be gone by now.
        if editor.playing.try_get_untracked() != Some(true) {
            running.try_set_value(false);
            return;
        }
        let now = js_sys::Date::now();
        let axis = editor.axis.get_untracked();
        let speed = f64::from(editor.speed.get_untracked().0) / 2.0;
        // Somebody may have put the playhead elsewhere.
        let shown = editor.playhead.get_untracked().unwrap_or(0) as f64;
        let is_reduced = is_reduced();
        let from = if !is_reduced && (shown - at).abs() > 1.0 { shown } else { at };
        let next = from + (now - then) * speed * axis.length() as f64 / WHOLE;
        // What is hidden is not played into.
        let hidden = editor.hidden_from.get_untracked().map(|hidden| hidden.saturating_sub(1));
        let end = hidden.map_or(axis.to_us(), |hidden| hidden.min(axis.to_us())) as f64;
        let place = next.min(end) as Micros;
        let place = if is_reduced && next < end {
            editor.trace.with_untracked(|trace| event_until(trace, place)).unwrap_or(0)
        } else {
            place
        };
        editor.run(Command::Seek(Some(place)));
        if next >= end {
            running.set_value(false);
            editor.run(Command::Play(false));
        } else {
            frame(editor, running, next.floor(), now);
        }
    });
}

#[cfg(test)]
mod tests {
    use fenceline_engine::Scenario;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn story() -> Trace {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        fenceline_engine::run(&scenario).unwrap_or_default()
    }

    #[test]
    fn steps_go_from_event_to_event_both_ways() {
        let trace = story();
        // A asks at 0, is granted at 0.2 s, is told at 0.4 s.
        assert_eq!(next_event(&trace, None), Some(0));
        assert_eq!(next_event(&trace, Some(0)), Some(200_000));
        assert_eq!(next_event(&trace, Some(250_000)), Some(400_000));
        assert_eq!(previous_event(&trace, Some(250_000)), Some(200_000));
        assert_eq!(previous_event(&trace, Some(0)), None);
        assert_eq!(previous_event(&trace, None), Some(trace.ended_at));
        assert_eq!(next_event(&trace, Some(trace.ended_at)), None);
    }

    #[test]
    fn speeds_go_round() {
        let mut speed = Speed::default();
        let labels: Vec<_> = std::iter::repeat_with(|| {
            speed = speed.next();
            speed.label()
        })
        .take(4)
        .collect();
        assert_eq!(labels, ["2×", "4×", "½×", "1×"]);
    }
}
