//! Moving a handle: by dragging, and by keys.
//!
//! Invariants: every move of a drag is worked out from what was there when it began; a move that makes a document which
//! cannot be run is not made; key presses that follow each other on one handle are one undo step.

use std::sync::Arc;

use fenceline_engine::{Knob, Micros, Scenario, Trace, run};
use fenceline_figure::{
    GripShape, Handle, HandleId, Scene, TimeScale, TimeWindow, View, dragged, scene, turned, with_value,
};
use leptos::prelude::*;

use super::Editor;
use crate::command::{Fineness, Stride};
use crate::history::{History, RunId};
use crate::step::{grid_of, snap, step_of, stride};

/// Key presses on one handle that follow each other within this many milliseconds are one undo step.
const PAUSE_BETWEEN_RUNS: f64 = 1_000.0;

/// What is held, and changes at every frame until it is let go.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Held {
    /// A handle, with what its drag began from.
    Handle(Box<Handle>, Arc<Trace>),
    /// Numbers that are turned together: the crosshair of a map.
    Numbers,
}

impl Held {
    /// The handle that is held.
    pub(super) fn handle(&self) -> Option<HandleId> {
        match self {
            Self::Handle(handle, _) => Some(handle.id),
            Self::Numbers => None,
        }
    }
}

/// What is moved by presses: a handle by keys, a field by the buttons beside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pressed {
    Handle(HandleId),
    Field(String),
}

/// Which presses belong together.
#[derive(Clone, Debug, Default)]
pub(super) struct Presses {
    last: Option<(Pressed, f64)>,
    run: RunId,
}

impl Presses {
    fn press(&mut self, on: Pressed, now: f64) -> RunId {
        let follows = self.last.as_ref().is_some_and(|(last, at)| *last == on && now - at <= PAUSE_BETWEEN_RUNS);
        if !follows {
            self.run = self.run.wrapping_add(1);
        }
        self.last = Some((on, now));
        self.run
    }
}

impl Editor {
    pub(super) fn walk(self, by: isize) {
        let handles =
            self.scene.with_untracked(|scene| scene.handles.iter().map(|handle| handle.id).collect::<Vec<_>>());
        let now = self.active.get_untracked().and_then(|active| handles.iter().position(|id| *id == active));
        let next = now.map_or(0, |now| now.saturating_add_signed(by).min(handles.len().saturating_sub(1)));
        if let Some(id) = handles.get(next) {
            self.take(*id);
        }
    }

    pub(super) fn step(self, id: HandleId, by: Stride) {
        if self.held.with_untracked(Option::is_some) {
            return;
        }
        let found = self.scene.with_untracked(|scene| Some((scene.handle(id)?.clone(), scene.scale.window())));
        let Some((handle, axis)) = found else { return };
        self.take(id);
        let length = |at: Micros| at as i64 - handle.from_us as i64;
        let length = stride(
            handle.value_us,
            by,
            step_of(axis.length()),
            length(handle.min_us),
            // Steps may go beyond the axis, which then grows; one key press does not go to the end of time.
            length(if by == Stride::Latest { handle.max_us.min(axis.to_us()) } else { handle.max_us }),
        );
        // A key sets the number, which gets past a pause that no end of work can be dragged into.
        let moved = with_value(&self.scenario.get_untracked(), &self.trace.get_untracked(), id, length);
        if moved != *self.scenario.get_untracked() && run(&moved).is_ok() {
            self.press(Pressed::Handle(id), Arc::new(moved));
        }
    }

    /// Moves a handle to the next boundary of its race window, or the one before.
    pub(super) fn jump(self, id: HandleId, forward: bool) {
        if self.held.with_untracked(Option::is_some) {
            return;
        }
        self.take(id);
        let to = self.strip.with_untracked(|strip| {
            strip.as_ref().filter(|strip| strip.handle == id).and_then(|strip| strip.boundary(forward))
        });
        let moved = to.and_then(|to| {
            let handle = self.scene.with_untracked(|scene| scene.handle(id).cloned())?;
            turned(&self.scenario.get_untracked(), &handle, to)
        });
        if let Some(moved) = moved.filter(|moved| run(moved).is_ok()) {
            self.press(Pressed::Handle(id), Arc::new(moved));
        }
    }

    /// Turns numbers together while they are held, always from what was there before.
    pub(super) fn turn_to(self, to: &[(Knob, i64)]) {
        if self.held.with_untracked(|held| *held != Some(Held::Numbers)) {
            return;
        }
        let before = self.history.with_untracked(|history| history.snapshot().map(|work| Arc::clone(&work.scenario)));
        let Some(turned) = before.and_then(|before| turned_to(&before, to)) else { return };
        if self.scenario.with_untracked(|shown| *shown != turned) {
            self.history.update(|history| {
                let work = history.present().with(turned);
                history.preview(work);
            });
        }
    }

    /// Changes the scenario by a press: one step with the presses on the same thing just before.
    pub(super) fn press(self, on: Pressed, scenario: Arc<Scenario>) {
        let run = self.presses.try_update_value(|presses| presses.press(on, js_sys::Date::now())).unwrap_or_default();
        self.history.update(|history| {
            let work = history.present().with(scenario);
            history.edit_in_run(work, run);
        });
    }

    pub(super) fn grab(self, id: HandleId) {
        let Some(handle) = self.scene.with_untracked(|scene| scene.handle(id).cloned()) else { return };
        self.history.update(History::begin);
        self.held.set(Some(Held::Handle(Box::new(handle), self.trace.get_untracked())));
        self.take(id);
    }

    pub(super) fn place(self, id: HandleId, x: f64, fineness: Fineness) {
        let Some(Held::Handle(handle, trace)) = self.held.get_untracked().filter(|held| held.handle() == Some(id))
        else {
            return;
        };
        let Some(before) =
            self.history.with_untracked(|history| history.snapshot().map(|work| Arc::clone(&work.scenario)))
        else {
            return;
        };
        let scale = self.scene.with_untracked(|scene| scene.scale);
        let x = x.clamp(f64::from(scale.left()), f64::from(scale.right()));
        let length = |at: Micros| at as i64 - handle.from_us as i64;
        let (least, most) = (length(handle.min_us), length(handle.max_us));
        let near = if fineness == Fineness::Events { nearest_event(&trace, &scale, x, handle.now_us) } else { None };
        let length = if let Some(event) = near {
            length(event).clamp(least, most.max(least))
        } else {
            let grid = grid_of(scale.window().length(), fineness);
            snap(length(scale.at(x)), grid, least, most)
        };
        // Back where it began is back to the very document it began from, whatever the grid.
        let moved = if length == handle.value_us {
            Arc::clone(&before)
        } else {
            Arc::new(dragged(&before, &trace, id, handle.from_us.saturating_add_signed(length)))
        };
        if self.scenario.with_untracked(|shown| *shown != moved) && run(&moved).is_ok() {
            self.history.update(|history| {
                let work = history.present().with(moved);
                history.preview(work);
            });
        }
    }
}

/// A scenario with these numbers, when that can be shown.
pub(super) fn turned_to(scenario: &Scenario, to: &[(Knob, i64)]) -> Option<Arc<Scenario>> {
    let mut turned = scenario.clone();
    for (knob, value) in to {
        knob.turn(&mut turned, *value);
    }
    run(&turned).is_ok().then(|| Arc::new(turned))
}

/// How near an event has to be to snap to it, in px.
const NEAR: f64 = 6.0;

/// The instant nearest to an x at which something happens, when one is near; not where the handle itself stood.
fn nearest_event(trace: &Trace, scale: &TimeScale, x: f64, own: Micros) -> Option<Micros> {
    let distance = |at: Micros| (f64::from(scale.px(at)) - x).abs();
    let events = trace.events.iter().map(|event| event.at).filter(|at| *at != own && distance(*at) <= NEAR);
    events.min_by(|one, other| distance(*one).total_cmp(&distance(*other)))
}

/// The handle that the page offers first: the end of a pause, since that is where the story turns.
pub(super) fn first_to_try(handles: &[Handle]) -> Option<HandleId> {
    let pause = handles.iter().find(|handle| matches!(handle.id, HandleId::PauseEnd { .. }));
    let large = |handle: &&Handle| handle.shape != GripShape::Body && !handle.shape.is_small();
    pause.or_else(|| handles.iter().find(large)).or_else(|| handles.first()).map(|handle| handle.id)
}

/// The handle that the keys move: what was taken last while the story has it, else what the page offers first.
pub(super) fn active_in(scene: &Scene, grasped: Option<HandleId>) -> Option<HandleId> {
    grasped.filter(|id| scene.handle(*id).is_some()).or_else(|| first_to_try(&scene.handles))
}

/// The scene with room for a race window in the lane of the active handle. That lane is the one of the scene before, save
/// when another handle was taken: only then is the scene laid out twice.
pub(super) fn with_room(scenario: &Scenario, trace: &Trace, view: View, before: Option<&Scene>) -> Scene {
    if view.veiled {
        return scene(scenario, trace, &view);
    }
    let lane = |scene: &Scene| Some(scene.handle(active_in(scene, view.selected)?)?.lane);
    let likely = before.and_then(lane);
    let laid_out = scene(scenario, trace, &View { strip: likely, ..view });
    match lane(&laid_out) {
        now if now == likely => laid_out,
        now => scene(scenario, trace, &View { strip: now, ..view }),
    }
}

/// The axis to draw: it holds still while something is dragged along it, grows when the story outgrows it, and shrinks
/// only when the story has become much shorter, so that a drop does not pull the handle from under the pointer.
pub(super) fn next_axis(before: Option<TimeWindow>, is_held: bool, fitting: TimeWindow) -> TimeWindow {
    match before {
        Some(before) if is_held || (before.to_us() / 2..=before.to_us()).contains(&fitting.to_us()) => before,
        _ => fitting,
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::app::OPENING;
    use crate::work::Work;

    #[test]
    fn the_axis_holds_still_during_a_drag_and_after_a_small_one() {
        let axis = |to| TimeWindow::new(0, to);
        assert_eq!(next_axis(None, false, axis(60)), axis(60));
        assert_eq!(next_axis(Some(axis(60)), true, axis(900)), axis(60), "held");
        assert_eq!(next_axis(Some(axis(60)), false, axis(50)), axis(60), "a little shorter");
        assert_eq!(next_axis(Some(axis(60)), false, axis(70)), axis(70), "outgrown");
        assert_eq!(next_axis(Some(axis(60)), false, axis(29)), axis(29), "much shorter");
    }

    #[test]
    fn key_presses_that_follow_each_other_on_one_handle_are_one_run() {
        let pause = |pause| Pressed::Handle(HandleId::PauseEnd { worker: 0, pause });
        let mut presses = Presses::default();
        let first = presses.press(pause(0), 0.0);
        assert_eq!(presses.press(pause(0), 900.0), first);
        assert_eq!(presses.press(pause(0), 1_800.0), first, "each press goes on from the last");
        assert_ne!(presses.press(pause(0), 3_000.0), first, "after a rest");
        let second = presses.press(pause(0), 3_100.0);
        assert_ne!(presses.press(pause(1), 3_200.0), second, "another handle");
    }

    #[test]
    fn the_page_first_offers_the_end_of_the_pause() {
        let editor = Owner::new().with(|| {
            let document = Scenario::from_json(OPENING).ok()?;
            let editor = Editor::open(Work::own(document))?;
            Some(editor.active.get_untracked())
        });
        assert_eq!(editor, Some(Some(HandleId::PauseEnd { worker: 0, pause: 0 })));
    }
}
