//! What could have been: race map, margins, the smallest change that flips something, and the search.
//!
//! Everything is asked of the engine, for the schedule on screen, beside the page (`workshop.rs`); what comes of it is applied as
//! a step that can be undone. Invariant: a panel that is closed works nothing out.

mod axes;
mod flip;
mod map;
mod margins;
mod search;
mod words;
mod workshop;

use fenceline_engine::Knob;
use leptos::prelude::*;

pub use flip::{Flip, Wish};
pub use map::{PinnedMap, RaceMap, is_roomy};
pub use margins::Margins;
pub use search::SearchPanel;

use search::Asked;
use workshop::Workshop;

/// What a person set in these panels; it outlives their being closed.
#[derive(Clone, Copy)]
pub struct Explorer {
    /// The knobs of the race map, horizontal and vertical; none while it is for the page to choose.
    axes: RwSignal<(Option<Knob>, Option<Knob>)>,
    /// What the search is asked.
    asked: RwSignal<Asked>,
    /// Who works it out.
    workshop: StoredValue<Workshop, LocalStorage>,
}

impl Explorer {
    /// Nothing set yet.
    pub fn new() -> Self {
        Self {
            axes: RwSignal::new((None, None)),
            asked: RwSignal::new(Asked::default()),
            workshop: StoredValue::new_local(Workshop::default()),
        }
    }
}

impl Default for Explorer {
    fn default() -> Self {
        Self::new()
    }
}
