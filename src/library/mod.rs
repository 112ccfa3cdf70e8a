//! The library: presets to choose from, and the lesson of the one that is open.
//!
//! Loaded when it is first needed, from the page's own files. Choosing a preset is a step like any other: undo brings the
//! work before it back.

mod lesson;
mod picker;
mod progress;
mod read;

use std::sync::Arc;

use fenceline_engine::Scenario;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::command::Command;
use crate::editor::Editor;
use crate::panel::Panel;
use crate::platform::fetch;
use crate::work::Work;
pub use lesson::Lesson;
pub use picker::Picker;
pub use progress::{Mark, Progress};
pub use read::{Library, Preset};

/// Where the library stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Shelf {
    /// Nobody has asked for it.
    Unasked,
    /// It is on its way.
    Loading,
    /// It is here.
    Here(Arc<Library>),
    /// It did not come, and why.
    Failed(String),
}

/// The library of the page: one for all that shows of it.
#[derive(Clone, Copy)]
pub struct Books {
    /// Where it stands.
    pub shelf: RwSignal<Shelf>,
    /// How far somebody came.
    pub progress: Progress,
    /// Why the last preset that was asked for did not open.
    pub refused: RwSignal<Option<String>>,
    /// Whether the list is open.
    pub open: RwSignal<bool>,
    /// The preset that was asked for last: one that comes late does not take its place.
    wanted: StoredValue<String>,
}

impl Books {
    /// A library that is not loaded yet.
    pub fn new() -> Self {
        Self {
            shelf: RwSignal::new(Shelf::Unasked),
            progress: Progress::restore(),
            refused: RwSignal::new(None),
            open: RwSignal::new(false),
            wanted: StoredValue::new(String::new()),
        }
    }

    /// Loads it, unless it is here or on its way.
    pub fn load(self) {
        if matches!(self.shelf.get_untracked(), Shelf::Loading | Shelf::Here(_)) {
            return;
        }
        self.shelf.set(Shelf::Loading);
        spawn_local(async move {
            let found = fetch::json("presets/library.json").await.map(|value| Library::read(&value));
            let stands = match found {
                Ok(library) if library.presets.is_empty() => Shelf::Failed("there is nothing in it".into()),
                Ok(library) => Shelf::Here(Arc::new(library)),
                Err(reason) => Shelf::Failed(reason),
            };
            // The page may be gone by now.
            let _ = self.shelf.try_set(stands);
        });
    }

    /// The library, when it is here.
    pub fn library(self) -> Option<Arc<Library>> {
        match self.shelf.get() {
            Shelf::Here(library) => Some(library),
            _ => None,
        }
    }

    /// The preset of that name, when the library is here.
    pub fn preset(self, id: &str) -> Option<Preset> {
        self.library()?.find(id).map(|(_, preset)| preset.clone())
    }

    /// Opens a preset, with its lesson.
    pub fn open(self, editor: Editor, id: &str) {
        let id = id.to_string();
        self.wanted.set_value(id.clone());
        spawn_local(async move {
            let found = preset(&id).await;
            if self.wanted.try_with_value(|wanted| *wanted == id) != Some(true) {
                return;
            }
            match found {
                Ok(scenario) => {
                    self.progress.mark(&id, Mark::Seen);
                    let _ = self.refused.try_set(None);
                    let _ = self.open.try_set(false);
                    editor.run(Command::Open(Work::preset(&id, scenario)));
                    editor.run(Command::Show(Panel::Lesson));
                }
                Err(reason) => {
                    let _ = self.refused.try_set(Some(reason));
                }
            }
        });
    }
}

impl Default for Books {
    fn default() -> Self {
        Self::new()
    }
}

/// The scenario of a preset.
///
/// # Errors
/// In words, why there is none.
pub async fn preset(id: &str) -> Result<Scenario, String> {
    let text = fetch::text(&["presets/", id, ".json"].concat()).await?;
    let scenario = Scenario::from_json(&text).map_err(|_| "it is no scenario")?;
    if Editor::problems(&scenario).is_empty() { Ok(scenario) } else { Err("it is no scenario that can be run".into()) }
}
