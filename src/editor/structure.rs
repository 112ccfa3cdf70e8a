//! Editing the structure: what buttons and keys add, move, double and take away.
//!
//! Invariant: what cannot be done is said, and nothing more goes than what was said to go.

use std::sync::Arc;

use leptos::prelude::*;

use super::Editor;
use crate::edit::{self, Action, New};
use crate::inspector::Wanted;
use crate::panel::Panel;

impl Editor {
    /// Changes the structure and selects what comes of it, or says why not.
    pub(super) fn act(self, action: &Action) {
        let selected = self.part.get_untracked();
        match edit::act(&self.scenario.get_untracked(), selected, action) {
            Ok((changed, then)) => {
                let was_empty = self.scenario.with_untracked(|scenario| scenario.workers.is_empty());
                self.desk.drafts().forget_moved(action);
                self.change(Arc::new(changed));
                if then != selected {
                    self.pick(then);
                }
                if was_empty && *action == Action::Add(New::Worker) {
                    // The offer that was pressed is gone with the emptiness: the worker is what to go on with.
                    self.panel.set(Panel::Edit);
                    self.desk.wanted().set(Some(Wanted::Name));
                }
            }
            Err(reason) => {
                self.panel.set(Panel::Edit);
                self.desk.refused().set(Some(reason));
            }
        }
    }

    /// Takes the selected part away when it goes alone. Where it would take others along, opens the inspector at the
    /// button that says so.
    pub(super) fn remove_part(self) {
        let Some(part) = self.part.get_untracked() else { return };
        if self.scenario.with_untracked(|scenario| edit::company(scenario, part)).is_none() {
            self.act(&Action::Remove(part));
        } else if self.prediction.with_untracked(Option::is_none) {
            self.panel.set(Panel::Edit);
            self.desk.wanted().set(Some(Wanted::Removal));
        }
    }
}
