//! What comes, in its order: what was begun later is newer, whichever is there first.

use fenceline_link::Notice;
use leptos::prelude::*;

use super::{Arrival, Refusal, Said};
use crate::command::Command;
use crate::editor::Editor;

/// When something began to come.
#[derive(Clone, Copy)]
pub struct Turn {
    number: u32,
    openings: u32,
}

/// What was opened of what came.
#[derive(Clone, Copy, Default)]
struct Turns {
    /// How many have begun.
    begun: u32,
    /// The last that was opened, and how many openings of all kinds there were with it.
    opened: Option<(u32, u32)>,
}

/// What there is to say, for all that may come: one for the page.
#[derive(Clone, Copy)]
pub struct Arrivals {
    said: RwSignal<Option<Said>>,
    turns: StoredValue<Turns>,
}

impl Arrivals {
    /// With what there is to say of the link that the page was opened with.
    pub fn new(said: Option<Said>) -> Self {
        Self { said: RwSignal::new(said), turns: StoredValue::new(Turns::default()) }
    }

    /// What there is to say.
    pub const fn said(self) -> RwSignal<Option<Said>> {
        self.said
    }

    /// Says that something was not taken.
    pub fn refuse(self, refusal: impl Into<Refusal>) {
        self.said.set(Some(Said::Refused(refusal.into())));
    }

    /// Says what of something was passed over; nothing when nothing was.
    pub fn took(self, notices: Vec<Notice>, original: Option<String>) {
        self.said.set((!notices.is_empty()).then_some(Said::Partly { notices, original }));
    }

    /// Says that what is shown now does not fit into the address.
    pub fn tell_too_large(self) {
        self.said.set(Some(Said::TooLarge));
    }

    /// Says what stood around the scenario of a file and is not part of it.
    pub fn tell_set_aside(self, names: Vec<&'static str>) {
        self.said.set(Some(Said::SetAside(names)));
    }

    /// Something begins to come.
    pub fn begin(self, editor: Editor) -> Turn {
        let number = self.turns.get_value().begun + 1;
        self.turns.update_value(|turns| turns.begun = number);
        Turn { number, openings: editor.openings.get_untracked() }
    }

    /// Opens what came, in place of what is open, unless that is newer. Says whether it did.
    pub fn open(self, editor: Editor, turn: Turn, arrival: Arrival, original: Option<String>) -> bool {
        // The page may be gone by now.
        let (Some(turns), Some(openings)) = (self.turns.try_get_value(), editor.openings.try_get_untracked()) else {
            return false;
        };
        let is_newest = openings == turn.openings
            || turns.opened.is_some_and(|(number, with)| with == openings && number < turn.number);
        if !is_newest {
            return false;
        }
        let Arrival { work, view, notices } = arrival;
        editor.run(Command::Predict(false));
        if editor.work.with_untracked(|open| *open != work) {
            editor.run(Command::Open(work));
        }
        editor.look_at(view);
        let opened = Some((turn.number, editor.openings.get_untracked()));
        self.turns.update_value(|turns| turns.opened = opened);
        self.took(notices, original);
        true
    }
}

impl Default for Arrivals {
    fn default() -> Self {
        Self::new(None)
    }
}
