//! The editor: one small handle through which every part of the page reads and changes what is open.
//!
//! Document → trace → scene → view, each a memo of the one before, so that whatever changed is shown everywhere in the
//! same frame. Invariants: the document changes in [`Editor::run`] and nowhere else; a document that cannot be run is
//! never shown; every move of a drag is worked out from what was there when it began.

use std::sync::Arc;

use fenceline_engine::Headline;
use fenceline_engine::{Guard, Scenario, Trace, run};
use fenceline_figure::{GripShape, Handle, HandleId, Scene, TimeWindow, View, dragged, fit, scene, with_value};
use leptos::prelude::*;

use crate::command::{Command, Fineness, Stride};
use crate::drag::{Drag, Effect as Gesture};
use crate::guards;
use crate::history::{History, RunId};
use crate::platform::theme::Theme;
use crate::selection::WriteId;
use crate::step::{grid_of, snap, step_of, stride};

/// Key presses on one handle that follow each other within this many milliseconds are one undo step.
const PAUSE_BETWEEN_RUNS: f64 = 1_000.0;

/// What is open, and everything that follows from it.
#[derive(Clone, Copy)]
pub struct Editor {
    history: RwSignal<History<Arc<Scenario>>>,
    held: RwSignal<Option<Held>>,
    chosen: RwSignal<Option<WriteId>>,
    grasped: RwSignal<Option<HandleId>>,
    drag: StoredValue<Drag<HandleId>>,
    presses: StoredValue<Presses>,
    /// The width of the drawing, in CSS pixels.
    pub width: RwSignal<f64>,
    /// The theme.
    pub theme: RwSignal<Theme>,
    /// The document as it is to be shown.
    pub scenario: Memo<Arc<Scenario>>,
    /// Its run.
    pub trace: Memo<Arc<Trace>>,
    /// Its picture.
    pub scene: Memo<Arc<Scene>>,
    /// Its verdict.
    pub headline: Memo<Headline>,
    /// The selected write: an index into the trace's writes.
    pub selected: Memo<Option<u32>>,
    /// The handle that the keys move.
    pub active: Memo<Option<HandleId>>,
    /// What is being dragged.
    pub dragging: Memo<Option<HandleId>>,
    /// Whether there is something to undo.
    pub can_undo: Memo<bool>,
    /// Whether there is something to redo.
    pub can_redo: Memo<bool>,
}

/// A drag under way: what it began from.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    handle: Handle,
    trace: Arc<Trace>,
}

/// Which key presses belong together.
#[derive(Clone, Copy, Debug, Default)]
struct Presses {
    last: Option<(HandleId, f64)>,
    run: RunId,
}

impl Presses {
    fn press(&mut self, handle: HandleId, now: f64) -> RunId {
        let follows = self.last.is_some_and(|(last, at)| last == handle && now - at <= PAUSE_BETWEEN_RUNS);
        if !follows {
            self.run = self.run.wrapping_add(1);
        }
        self.last = Some((handle, now));
        self.run
    }
}

impl Editor {
    /// Opens a document; none when it cannot be run.
    pub fn open(document: Scenario) -> Option<Self> {
        let first = Arc::new(run(&document).ok()?);
        let history = RwSignal::new(History::new(Arc::new(document)));
        let held = RwSignal::new(None::<Held>);
        let chosen = RwSignal::new(None::<WriteId>);
        let grasped = RwSignal::new(None::<HandleId>);
        let width = RwSignal::new(1_280.0);

        let scenario = Memo::new(move |_| history.with(|history| Arc::clone(history.present())));
        let trace = Memo::new(move |before: Option<&Arc<Trace>>| {
            // Only documents that can be run get into the history: what was there before is never really needed.
            run(&scenario.get()).map_or_else(|_| Arc::clone(before.unwrap_or(&first)), Arc::new)
        });
        let headline = Memo::new(move |_| scenario.with(|scenario| trace.with(|trace| Headline::new(scenario, trace))));
        let selected = Memo::new(move |_| {
            let found = chosen.get().and_then(|chosen| trace.with(|trace| chosen.find(trace)));
            found.or_else(|| headline.with(|headline| headline.witness))
        });
        let axis = Memo::new(move |before: Option<&TimeWindow>| {
            let held = held.with(Option::is_some);
            next_axis(before.copied(), held, trace.with(|trace| fit(trace)))
        });
        let scene = Memo::new(move |_| {
            let view = View {
                width: width.get() as f32,
                window: Some(axis.get()),
                grips: true,
                selected: grasped.get(),
                selected_write: selected.get(),
            };
            scenario.with(|scenario| trace.with(|trace| Arc::new(scene(scenario, trace, &view))))
        });
        let active = Memo::new(move |_| {
            scene.with(|scene| {
                let there = grasped.get().filter(|id| scene.handle(*id).is_some());
                there.or_else(|| first_to_try(&scene.handles))
            })
        });
        Some(Self {
            history,
            held,
            chosen,
            grasped,
            drag: StoredValue::new(Drag::Idle),
            presses: StoredValue::new(Presses::default()),
            width,
            theme: RwSignal::new(Theme::default()),
            scenario,
            trace,
            scene,
            headline,
            selected,
            active,
            dragging: Memo::new(move |_| held.with(|held| held.as_ref().map(|held| held.handle.id))),
            can_undo: Memo::new(move |_| history.with(History::can_undo)),
            can_redo: Memo::new(move |_| history.with(History::can_redo)),
        })
    }

    /// Does what a person asked for.
    pub fn run(self, command: Command) {
        match command {
            Command::Undo => {
                self.let_go();
                self.history.update(|history| {
                    history.undo();
                });
            }
            Command::Redo => {
                self.let_go();
                self.history.update(|history| {
                    history.redo();
                });
            }
            Command::Guard(guard) => self.set_guard(guard),
            Command::Activate(handle) => self.grasped.set(Some(handle)),
            Command::Walk(by) => self.walk(by),
            Command::Step(handle, by) => self.step(handle, by),
            Command::Grab(handle) => self.grab(handle),
            Command::Place(handle, x, fineness) => self.place(handle, x, fineness),
            Command::Drop => {
                if self.held.with_untracked(Option::is_some) {
                    self.history.update(|history| {
                        history.commit();
                    });
                    self.held.set(None);
                }
            }
            Command::Cancel => {
                self.let_go();
                if self.history.with_untracked(History::is_previewing) {
                    self.history.update(|history| {
                        history.rollback();
                    });
                }
            }
            Command::Select(write) => self.chosen.set(Some(write)),
            Command::NextTheme => {
                self.theme.update(|theme| *theme = theme.next());
                let theme = self.theme.get_untracked();
                theme.apply();
                theme.keep();
            }
        }
    }

    /// Passes a pointer event to the drag, and says what it means.
    pub fn pointer(self, event: impl FnOnce(&mut Drag<HandleId>) -> Gesture<HandleId>) -> Gesture<HandleId> {
        self.drag.try_update_value(event).unwrap_or(Gesture::Nothing)
    }

    /// The guard that judges now; none when the destinations have different ones.
    pub fn guard(self) -> Option<Guard> {
        self.scenario.with(|scenario| guards::common_guard(scenario))
    }

    /// The name of a decision of the shown run.
    pub fn write_id(self, verdict: u32) -> Option<WriteId> {
        self.trace.with_untracked(|trace| trace.writes.get(verdict as usize).map(WriteId::of))
    }

    /// Forgets what the pointer holds, without keeping or putting back anything.
    fn let_go(self) {
        self.drag.update_value(|drag| {
            drag.cancel();
        });
        if self.held.with_untracked(Option::is_some) {
            self.held.set(None);
        }
    }

    fn set_guard(self, guard: Guard) {
        self.let_go();
        let changed = guards::with_guard(&self.scenario.get_untracked(), guard);
        self.change(changed);
    }

    fn walk(self, by: isize) {
        let handles =
            self.scene.with_untracked(|scene| scene.handles.iter().map(|handle| handle.id).collect::<Vec<_>>());
        let now = self.active.get_untracked().and_then(|active| handles.iter().position(|id| *id == active));
        let next = now.map_or(0, |now| now.saturating_add_signed(by).min(handles.len().saturating_sub(1)));
        if let Some(id) = handles.get(next) {
            self.grasped.set(Some(*id));
        }
    }

    fn step(self, id: HandleId, by: Stride) {
        if self.held.with_untracked(Option::is_some) {
            return;
        }
        let found = self.scene.with_untracked(|scene| Some((scene.handle(id)?.clone(), scene.scale.window())));
        let Some((handle, axis)) = found else { return };
        self.grasped.set(Some(id));
        let length = stride(
            handle.value_us,
            by,
            step_of(axis.length()),
            handle.min_us.saturating_sub(handle.from_us),
            // Steps may go beyond the axis, which then grows; one key press does not go to the end of time.
            if by == Stride::Latest { handle.max_us.min(axis.to_us()) } else { handle.max_us }
                .saturating_sub(handle.from_us),
        );
        // A key sets the number, which gets past a pause that no end of work can be dragged into.
        let moved = with_value(&self.scenario.get_untracked(), &self.trace.get_untracked(), id, length);
        let runs = self.presses.try_update_value(|presses| presses.press(id, js_sys::Date::now())).unwrap_or_default();
        if moved != *self.scenario.get_untracked() && run(&moved).is_ok() {
            self.history.update(|history| history.edit_in_run(Arc::new(moved), runs));
        }
    }

    fn grab(self, id: HandleId) {
        let Some(handle) = self.scene.with_untracked(|scene| scene.handle(id).cloned()) else { return };
        self.history.update(History::begin);
        self.held.set(Some(Held { handle, trace: self.trace.get_untracked() }));
        self.grasped.set(Some(id));
    }

    fn place(self, id: HandleId, x: f64, fineness: Fineness) {
        let Some(Held { handle, trace }) = self.held.get_untracked().filter(|held| held.handle.id == id) else {
            return;
        };
        let Some(before) = self.history.with_untracked(|history| history.snapshot().cloned()) else { return };
        let scale = self.scene.with_untracked(|scene| scene.scale);
        let at = scale.at(x.clamp(f64::from(scale.left()), f64::from(scale.right())));
        let length = snap(
            at.saturating_sub(handle.from_us),
            grid_of(scale.window().length(), fineness),
            handle.min_us.saturating_sub(handle.from_us),
            handle.max_us.saturating_sub(handle.from_us),
        );
        // Back where it began is back to the very document it began from, whatever the grid.
        let moved = if length == handle.value_us {
            Arc::clone(&before)
        } else {
            Arc::new(dragged(&before, &trace, id, handle.from_us.saturating_add(length)))
        };
        if self.scenario.with_untracked(|shown| *shown != moved) && run(&moved).is_ok() {
            self.history.update(|history| history.preview(moved));
        }
    }

    fn change(self, changed: Scenario) {
        if run(&changed).is_ok() {
            self.history.update(|history| {
                history.edit(Arc::new(changed));
            });
        }
    }
}

/// The handle that the page offers first: the end of a pause, since that is where the story turns.
fn first_to_try(handles: &[Handle]) -> Option<HandleId> {
    let pause = handles.iter().find(|handle| matches!(handle.id, HandleId::PauseEnd { .. }));
    pause.or_else(|| handles.iter().find(|handle| handle.shape != GripShape::Body)).map(|handle| handle.id)
}

/// The axis to draw: it holds still while something is dragged along it, grows when the story outgrows it, and shrinks
/// only when the story has become much shorter, so that a drop does not pull the handle from under the pointer.
fn next_axis(before: Option<TimeWindow>, is_held: bool, fitting: TimeWindow) -> TimeWindow {
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
        let pause = |pause| HandleId::PauseEnd { worker: 0, pause };
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
            let document = Scenario::from_json(crate::app::OPENING).ok()?;
            let editor = Editor::open(document)?;
            Some(editor.active.get_untracked())
        });
        assert_eq!(editor, Some(Some(HandleId::PauseEnd { worker: 0, pause: 0 })));
    }
}
