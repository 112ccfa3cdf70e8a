//! The editor: one small handle through which every part of the page reads and changes what is open.
//!
//! Document → trace → scene → view, each a memo of the one before, so that whatever changed is shown everywhere in the
//! same frame. Invariants: the document changes in [`Editor::run`] and nowhere else; a document that cannot be run is
//! never shown; what can be undone is the document alone, never what is selected, zoomed to or played.

mod commands;
mod moves;
mod structure;
mod view;

use std::ops::Deref;
use std::sync::Arc;

use fenceline_engine::{Guard, Headline, Micros, Scenario, ScenarioError, Trace, run};
use fenceline_figure::{HandleId, Scene, Strip, TimeWindow, View, fit, strip};
use leptos::prelude::*;

use crate::drag::{Drag, Effect as Gesture};
use crate::guards;
use crate::history::History;
use crate::inspector::Desk;
use crate::panel::Panel;
use crate::platform::theme::Theme;
use crate::playback::Speed;
use crate::predict::Prediction;
use crate::selection::{Part, WriteId};
use crate::work::Work;
pub use view::LookedAt;

use moves::{Held, Presses, active_in, next_axis, with_room};

/// What is open, and everything that follows from it.
///
/// A reference, because every closure of the page holds one. What it refers to is never given back: a page has one editor, for as
/// long as it is there.
#[derive(Clone, Copy)]
pub struct Editor(&'static Signals);

impl Deref for Editor {
    type Target = Signals;

    fn deref(&self) -> &Signals {
        self.0
    }
}

/// The signals of an editor.
pub struct Signals {
    history: RwSignal<History<Work>>,
    held: RwSignal<Option<Held>>,
    chosen: RwSignal<Option<WriteId>>,
    grasped: RwSignal<Option<HandleId>>,
    picked: RwSignal<Option<Part>>,
    drag: StoredValue<Drag<HandleId>>,
    presses: StoredValue<Presses>,
    /// The width of the drawing, in CSS pixels.
    pub width: RwSignal<f64>,
    /// The theme.
    pub theme: RwSignal<Theme>,
    /// Which panel is open. Changed by `Command::Show`.
    pub panel: RwSignal<Panel>,
    /// What the inspector keeps: texts that could not be taken, what gets the focus, why something was not done.
    pub desk: Desk,
    /// Where the playhead stands; none when it is put away. Changed by `Command::Seek`.
    pub playhead: RwSignal<Option<Micros>>,
    /// Whether the playhead goes along by itself. Changed by `Command::Play`.
    pub playing: RwSignal<bool>,
    /// How fast it goes. Changed by `Command::NextSpeed`.
    pub speed: RwSignal<Speed>,
    /// Whether the list of keys is open. Changed by `Command::Help`.
    pub help: RwSignal<bool>,
    /// Whether what can be taken along is shown. Changed by `Command::Share`.
    pub sharing: RwSignal<bool>,
    /// The prediction under way. Changed by `Command::Predict`, `Command::Say` and what follows.
    pub prediction: RwSignal<Option<Prediction>>,
    /// From when on the rulings are hidden; none when nothing is.
    pub hidden_from: Memo<Option<Micros>>,
    /// The stretch of time that is zoomed to; none for the whole story. Changed by `Command::Zoom`.
    pub zoom: RwSignal<Option<TimeWindow>>,
    /// How often another work was opened in place of the one before.
    pub openings: RwSignal<u32>,
    /// What is open, with where it came from.
    pub work: Memo<Work>,
    /// The document as it is to be shown.
    pub scenario: Memo<Arc<Scenario>>,
    /// Its run.
    pub trace: Memo<Arc<Trace>>,
    /// The stretch of time that holds the whole story.
    pub whole: Memo<TimeWindow>,
    /// The stretch of time that the drawing shows.
    pub axis: Memo<TimeWindow>,
    /// Its picture.
    pub scene: Memo<Arc<Scene>>,
    /// Its verdict.
    pub headline: Memo<Headline>,
    /// The selected write: an index into the trace's writes.
    pub selected: Memo<Option<u32>>,
    /// The selected part of the document; none for the document as a whole.
    pub part: Memo<Option<Part>>,
    /// The handle that the keys move.
    pub active: Memo<Option<HandleId>>,
    /// The race window of that handle; none while rulings are hidden.
    pub strip: Memo<Option<Strip>>,
    /// What is being dragged.
    pub dragging: Memo<Option<HandleId>>,
    /// Whether there is something to undo.
    pub can_undo: Memo<bool>,
    /// Whether there is something to redo.
    pub can_redo: Memo<bool>,
}

impl Editor {
    /// Opens a work; none when it cannot be run.
    pub fn open(work: Work) -> Option<Self> {
        let first = Arc::new(run(&work.scenario).ok()?);
        let history = RwSignal::new(History::new(work));
        let held = RwSignal::new(None::<Held>);
        let chosen = RwSignal::new(None::<WriteId>);
        let grasped = RwSignal::new(None::<HandleId>);
        let picked = RwSignal::new(None::<Part>);
        let width = RwSignal::new(1_280.0);
        let zoom = RwSignal::new(None::<TimeWindow>);
        let playhead = RwSignal::new(None::<Micros>);

        let work = Memo::new(move |_| history.with(|history| history.present().clone()));
        let scenario = Memo::new(move |_| history.with(|history| Arc::clone(&history.present().scenario)));
        let trace = Memo::new(move |before: Option<&Arc<Trace>>| {
            // Only documents that can be run get into the history: what was there before is never really needed.
            run(&scenario.get()).map_or_else(|_| Arc::clone(before.unwrap_or(&first)), Arc::new)
        });
        let headline = Memo::new(move |_| scenario.with(|scenario| trace.with(|trace| Headline::new(scenario, trace))));
        let prediction = RwSignal::new(None::<Prediction>);
        let hidden_from = Memo::new(move |_| {
            prediction.with(|of| of.as_ref().and_then(|of| trace.with(|trace| of.hidden_from(trace))))
        });
        let selected = Memo::new(move |_| {
            // What is asked about is what is looked at.
            let asked = prediction.with(|of| of.as_ref().and_then(|of| trace.with(|trace| of.at(trace))));
            if let Some(asked) = asked {
                return Some(asked as u32);
            }
            let found = chosen.get().and_then(|chosen| trace.with(|trace| chosen.find(trace)));
            found.or_else(|| headline.with(|headline| headline.witness))
        });
        let part = Memo::new(move |_| picked.get().filter(|part| scenario.with(|scenario| part.is_in(scenario))));
        let whole = Memo::new(move |before: Option<&TimeWindow>| {
            let held = held.with(Option::is_some);
            next_axis(before.copied(), held, trace.with(|trace| fit(trace)))
        });
        let axis = Memo::new(move |_| {
            // A story that was cut short leaves a zoom on its old end behind.
            let whole = whole.get();
            zoom.get().filter(|zoom| zoom.to_us() <= whole.to_us()).unwrap_or(whole)
        });
        let scene = Memo::new(move |before: Option<&Arc<Scene>>| {
            let view = View {
                width: width.get() as f32,
                window: Some(axis.get()),
                grips: true,
                selected: grasped.get(),
                selected_write: selected.get(),
                strip: None,
                playhead: hidden_from.get().or_else(|| playhead.get()),
                veiled: hidden_from.get().is_some(),
            };
            let before = before.map(AsRef::as_ref);
            scenario.with(|scenario| trace.with(|trace| Arc::new(with_room(scenario, trace, view, before))))
        });
        let active = Memo::new(move |_| scene.with(|scene| active_in(scene, grasped.get())));
        let strip = Memo::new(move |_| {
            let id = active.get().filter(|_| hidden_from.get().is_none())?;
            scene.with(|scene| {
                let handle = scene.handle(id)?;
                scenario.with(|scenario| trace.with(|trace| strip(scenario, trace, handle, whole.get())))
            })
        });
        Some(Self(Box::leak(Box::new(Signals {
            history,
            held,
            chosen,
            grasped,
            picked,
            drag: StoredValue::new(Drag::Idle),
            presses: StoredValue::new(Presses::default()),
            width,
            theme: RwSignal::new(Theme::default()),
            panel: RwSignal::new(Panel::default()),
            desk: Desk::new(),
            playhead,
            playing: RwSignal::new(false),
            speed: RwSignal::new(Speed::default()),
            help: RwSignal::new(false),
            sharing: RwSignal::new(false),
            prediction,
            hidden_from,
            zoom,
            openings: RwSignal::new(0),
            work,
            scenario,
            trace,
            whole,
            axis,
            scene,
            headline,
            selected,
            part,
            active,
            strip,
            dragging: Memo::new(move |_| held.with(|held| held.as_ref().and_then(Held::handle))),
            can_undo: Memo::new(move |_| history.with(History::can_undo)),
            can_redo: Memo::new(move |_| history.with(History::can_redo)),
        }))))
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

    /// What keeps a scenario from being shown; empty when nothing does.
    pub fn problems(scenario: &Scenario) -> Vec<ScenarioError> {
        run(scenario).err().unwrap_or_default()
    }

    /// Whether something is held, and changes at every frame.
    pub fn is_held(self) -> bool {
        self.held.with(Option::is_some)
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

    /// Makes a handle the one that the keys move, and selects the part whose number it changes.
    fn take(self, handle: HandleId) {
        self.grasped.set(Some(handle));
        self.picked.set(Part::of_handle(handle));
    }

    /// Selects a part, and with a step its first decision.
    fn pick(self, part: Option<Part>) {
        self.picked.set(part);
        if let Some(Part::Step(worker, step)) = part {
            let first = self.trace.with_untracked(|trace| {
                trace.writes.iter().find(|verdict| verdict.worker == worker && verdict.step == step).map(WriteId::of)
            });
            if first.is_some() {
                self.chosen.set(first);
            }
        }
    }

    /// One step: the same work with another scenario, if that can be shown.
    fn change(self, scenario: Arc<Scenario>) {
        let work = self.work.get_untracked().with(scenario);
        self.commit(work);
    }

    /// One step: another work. What was looked at belongs to the one before.
    fn replace(self, work: Work) {
        if self.commit(work) {
            self.chosen.set(None);
            self.grasped.set(None);
            self.picked.set(None);
            self.playhead.set(None);
            self.zoom.set(None);
            self.openings.update(|openings| *openings += 1);
        }
    }

    fn commit(self, work: Work) -> bool {
        self.let_go();
        let can_be_shown = Self::problems(&work.scenario).is_empty();
        if can_be_shown {
            self.history.update(|history| {
                history.edit(work);
            });
        } else if self.history.with_untracked(History::is_previewing) {
            self.history.update(|history| {
                history.rollback();
            });
        }
        can_be_shown
    }
}
