//! What each command does: the one place where the page changes.

use std::sync::Arc;

use fenceline_engine::Micros;
use leptos::prelude::*;

use super::Editor;
use super::moves::{Held, Pressed, turned_to};
use crate::command::Command;
use crate::edit::Action;
use crate::history::History;
use crate::inspector::Wanted;
use crate::panel::Panel;
use crate::playback::{next_event, previous_event};
use crate::predict::Prediction;
use crate::selection::Part;
use crate::share::save;
use crate::timeline::zoom::{panned, zoomed};

impl Editor {
    /// Does what a person asked for.
    pub fn run(self, command: Command) {
        let refused = self.desk.refused();
        if refused.with_untracked(Option::is_some) {
            refused.set(None);
        }
        // Something that is done in the middle of a drag is done to what was there before it.
        if command.changes_the_document() && self.history.with_untracked(History::is_previewing) {
            self.let_go();
            self.history.update(|history| {
                history.rollback();
            });
        }
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
            Command::Guard(guard) => {
                let changed = self.scenario.get_untracked().under(guard);
                self.change(Arc::new(changed));
            }
            Command::Edit(scenario) => self.change(scenario),
            Command::EditField(scenario, pointer) => {
                self.let_go();
                if Self::problems(&scenario).is_empty() {
                    self.press(Pressed::Field(pointer), scenario);
                }
            }
            Command::Open(work) => self.replace(work),
            Command::Activate(handle) => self.take(handle),
            Command::Walk(by) => self.walk(by),
            Command::Step(handle, by) => self.step(handle, by),
            Command::Boundary(handle, forward) => self.jump(handle, forward),
            Command::Grab(handle) => self.grab(handle),
            Command::Place(handle, x, fineness) => self.place(handle, x, fineness),
            Command::Turn(to) => {
                if let Some(turned) = turned_to(&self.scenario.get_untracked(), &to) {
                    self.change(turned);
                }
            }
            Command::Hold => {
                self.let_go();
                self.history.update(History::begin);
                self.held.set(Some(Held::Numbers));
            }
            Command::TurnTo(to) => self.turn_to(&to),
            Command::Drop => {
                if self.held.with_untracked(Option::is_some) {
                    self.history.update(|history| {
                        history.commit();
                    });
                    self.held.set(None);
                }
            }
            Command::Cancel => {
                let holds = self.drag.with_value(|drag| drag.held().is_some());
                self.let_go();
                if self.history.with_untracked(History::is_previewing) {
                    self.history.update(|history| {
                        history.rollback();
                    });
                } else if !holds {
                    self.playing.set(false);
                    self.playhead.set(None);
                }
            }
            Command::Select(write) => {
                self.picked.set(Some(Part::Step(write.worker, write.step)));
                self.chosen.set(Some(write));
            }
            Command::StepWrite(forward) => {
                let count = self.trace.with_untracked(|trace| trace.writes.len());
                let next = self.selected.get_untracked().filter(|_| count > 0).map(|selected| {
                    let by = if forward { 1 } else { count - 1 };
                    ((selected as usize + by) % count) as u32
                });
                if let Some(write) = next.and_then(|next| self.write_id(next)) {
                    self.run(Command::Select(write));
                }
            }
            Command::Pick(part) => self.pick(part),
            Command::Do(action) => self.act(&action),
            Command::RemovePart => self.remove_part(),
            Command::DuplicatePart => {
                if let Some(part) = self.part.get_untracked() {
                    self.act(&Action::Duplicate(part));
                }
            }
            Command::Type(handle) => {
                self.take(handle);
                if self.prediction.with_untracked(Option::is_some) {
                    return;
                }
                self.panel.set(Panel::Edit);
                self.desk.wanted().set(Some(Wanted::Field(handle.pointer())));
                self.desk.came_from().set(Some(handle));
            }
            Command::Show(panel) => self.panel.set(panel),
            Command::Seek(at) => {
                if at.is_none() {
                    self.playing.set(false);
                }
                self.playhead.set(at.map(|at| self.not_hidden(at)));
            }
            Command::StepEvent(forward) => {
                self.playing.set(false);
                let at = self.playhead.get_untracked();
                let to = self
                    .trace
                    .with_untracked(|trace| if forward { next_event(trace, at) } else { previous_event(trace, at) });
                if to.is_some() {
                    let to = to.map(|to| self.not_hidden(to));
                    self.playhead.set(to);
                    self.keep_in_view(to);
                }
            }
            Command::Play(on) => {
                let axis = self.axis.get_untracked();
                let at = self.playhead.get_untracked();
                if on && at.is_none_or(|at| at < axis.from_us() || at >= axis.to_us()) {
                    self.playhead.set(Some(axis.from_us()));
                }
                self.playing.set(on);
            }
            Command::NextSpeed => self.speed.update(|speed| *speed = speed.next()),
            Command::Zoom(window) => self.zoom.set(window),
            Command::ZoomBy(steps, around) => {
                let (axis, whole) = (self.axis.get_untracked(), self.whole.get_untracked());
                let shown = |at: &Micros| (axis.from_us()..=axis.to_us()).contains(at);
                let active = self.active.get_untracked();
                let handle = || self.scene.with_untracked(|scene| Some(scene.handle(active?)?.now_us));
                let around = around.or_else(|| self.playhead.get_untracked()).or_else(handle).filter(shown);
                // It stays the active one, wherever the axis goes.
                if self.grasped.get_untracked().is_none() {
                    self.grasped.set(active);
                }
                let around = around.unwrap_or_else(|| axis.from_us() + axis.length() / 2);
                self.zoom.set(zoomed(axis, whole, around, steps));
            }
            Command::PanBy(by) => {
                self.zoom.set(panned(self.axis.get_untracked(), self.whole.get_untracked(), by));
            }
            Command::Share(open) => self.sharing.set(open),
            // The browser shows itself what it keeps, or asks where.
            Command::Save => {
                self.scenario.with_untracked(|scenario| save(scenario));
            }
            Command::Help(open) => self.help.set(open),
            Command::Predict(on) => {
                self.playing.set(false);
                self.playhead.set(None);
                self.prediction.set(on.then(Prediction::default));
            }
            Command::Say(answer) => self.with_prediction(|prediction| prediction.draft = answer),
            Command::Answer => self.with_prediction(Prediction::answer),
            Command::NextQuestion => self.with_prediction(Prediction::go_on),
            Command::NextTheme => {
                self.theme.update(|theme| *theme = theme.next());
                let theme = self.theme.get_untracked();
                theme.apply();
                theme.keep();
            }
        }
    }

    fn with_prediction(self, change: impl FnOnce(&mut Prediction)) {
        self.prediction.update(|prediction| {
            if let Some(prediction) = prediction {
                change(prediction);
            }
        });
    }

    /// An instant at which nothing shows that is hidden.
    fn not_hidden(self, at: Micros) -> Micros {
        self.hidden_from.get_untracked().map_or(at, |hidden| at.min(hidden.saturating_sub(1)))
    }

    /// Moves a zoomed view so that it shows an instant.
    fn keep_in_view(self, at: Option<Micros>) {
        let (axis, whole) = (self.axis.get_untracked(), self.whole.get_untracked());
        let Some(at) =
            at.filter(|at| self.zoom.get_untracked().is_some() && !(axis.from_us()..=axis.to_us()).contains(at))
        else {
            return;
        };
        let middle = axis.from_us() + axis.length() / 2;
        let by = (at as f64 - middle as f64) / axis.length() as f64;
        self.zoom.set(panned(axis, whole, by));
    }
}
