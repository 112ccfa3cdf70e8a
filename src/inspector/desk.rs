//! The desk: what the inspector keeps while it is not open.
//!
//! It exists so that the editor, which is copied into every part of the page, carries one small handle for all of it.

use fenceline_figure::HandleId;
use leptos::prelude::*;

use super::draft::Drafts;

/// What is to get the focus in the inspector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The name of the part.
    Name,
    /// The field at that JSON Pointer, with its value ready to be typed over.
    Field(String),
    /// The button that takes the part away.
    Removal,
}

impl Wanted {
    /// Where it is.
    pub fn selector(&self) -> String {
        match self {
            Self::Name => "#inspector-part".into(),
            // Digits, letters and slashes: nothing in a pointer of a handle can end the quotation.
            Self::Field(pointer) => ["[data-pointer=\"", pointer, "\"]"].concat(),
            Self::Removal => "#remove-part".into(),
        }
    }
}

/// What the inspector keeps.
#[derive(Clone, Copy)]
pub struct Desk(StoredValue<Kept>);

#[derive(Clone, Copy)]
struct Kept {
    wanted: RwSignal<Option<Wanted>>,
    came_from: RwSignal<Option<HandleId>>,
    refused: RwSignal<Option<String>>,
    drafts: Drafts,
}

impl Desk {
    /// Nothing yet.
    pub fn new() -> Self {
        let (wanted, came_from, refused) = (RwSignal::new(None), RwSignal::new(None), RwSignal::new(None));
        Self(StoredValue::new(Kept { wanted, came_from, refused, drafts: Drafts::new() }))
    }

    /// What is to get the focus, once it is there.
    pub fn wanted(self) -> RwSignal<Option<Wanted>> {
        self.0.get_value().wanted
    }

    /// The handle from which somebody came to type its number, and to which Enter and Escape lead back.
    pub fn came_from(self) -> RwSignal<Option<HandleId>> {
        self.0.get_value().came_from
    }

    /// Why the last edit of the structure was not made; it stands until the next command.
    pub fn refused(self) -> RwSignal<Option<String>> {
        self.0.get_value().refused
    }

    /// What was typed into fields and could not be taken.
    pub fn drafts(self) -> Drafts {
        self.0.get_value().drafts
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}
