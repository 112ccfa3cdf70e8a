//! What is looked at: all of the editor that is no document, as one value, to keep in an address and to put back.

use fenceline_engine::Micros;
use fenceline_figure::{HandleId, TimeWindow};
use leptos::prelude::*;

use super::Editor;
use crate::panel::Panel;
use crate::selection::{Part, WriteId};

/// What is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookedAt {
    /// Which panel is open.
    pub panel: Panel,
    /// The selected part; none for the document as a whole.
    pub part: Option<Part>,
    /// The write that somebody chose.
    pub write: Option<WriteId>,
    /// The handle that somebody took.
    pub handle: Option<HandleId>,
    /// Where the playhead stands.
    pub playhead: Option<Micros>,
    /// What is zoomed to.
    pub zoom: Option<TimeWindow>,
}

impl Editor {
    /// What is looked at now.
    pub fn looked_at(self) -> LookedAt {
        LookedAt {
            panel: self.panel.get(),
            part: self.picked.get(),
            write: self.chosen.get(),
            handle: self.grasped.get(),
            playhead: self.playhead.get(),
            zoom: self.zoom.get(),
        }
    }

    /// Looks at that, as far as the open document has it.
    pub fn look_at(self, what: LookedAt) {
        let LookedAt { panel, part, write, handle, playhead, zoom } = what;
        self.playing.set(false);
        self.panel.set(panel);
        self.chosen.set(write);
        self.grasped.set(handle);
        self.picked.set(part.filter(|part| self.scenario.with_untracked(|scenario| part.is_in(scenario))));
        let end = self.whole.get_untracked().to_us();
        // The last thing that happens may lie beyond the axis, and the playhead with it.
        let last = end.max(self.trace.with_untracked(|trace| trace.ended_at));
        self.playhead.set(playhead.map(|at| at.min(last)));
        self.zoom.set(zoom.filter(|zoom| zoom.to_us() <= end));
    }
}
