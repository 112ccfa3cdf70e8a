//! The playhead: a line through all lanes with its time on a flag, and what holds then.

use fenceline_engine::{LaneState, Scale, moment, show_instant, show_time};

use super::{Build, lettered};
use crate::measure::{Face, shorten, width};
use crate::projection::tenth;
use crate::scene::{Anchor, ItemId, Layer, Layout, Rect, Shape};

/// The height of the flag, in px.
const FLAG: f32 = 18.0;

impl Build<'_> {
    /// What holds at each lane at the playhead; nothing without one. While rulings are veiled, what holds just before.
    pub(super) fn told(&self) -> Vec<LaneState> {
        let at = self.view.playhead.map(|at| if self.view.veiled { at.saturating_sub(1) } else { at });
        at.map_or_else(Vec::new, |at| moment(self.scenario, self.trace, at))
    }

    pub(super) fn playhead(&mut self) {
        let Some(at) = self.view.playhead else { return };
        let scale = Scale::of(self.trace);
        let (text_y, line_y) = self.m.axis;
        let mut shapes = Vec::new();
        if self.layout == Layout::Wide {
            let words = ["State at ", &show_instant(at, scale)].concat();
            let room = self.m.left - self.m.gutter - 30.0;
            if let Some(words) = shorten(&words, Face::Small, room) {
                let place = (self.m.gutter, text_y);
                shapes.push(Shape::Text(lettered(Face::Small, "fl-text fl-muted", place, Anchor::Start, words)));
            }
        }
        if let Some(x) = self.shown(at) {
            let time = show_time(at, scale);
            let w = tenth(width(&time, Face::SmallStrong) + 14.0);
            let left = tenth((x - w / 2.0).clamp(2.0, self.width - w - 2.0));
            let top = tenth(line_y - FLAG - 4.0).max(0.5);
            let flag = Rect { x: left, y: top, w, h: FLAG };
            shapes.push(Shape::Line { class: "fl-playhead", from: (x, top + FLAG), to: (x, self.height - 8.0) });
            shapes.push(Shape::Rect { class: "fl-flag", at: flag, r: 4.0 });
            let middle = (left + w / 2.0, tenth(top + FLAG / 2.0 + 4.0));
            shapes.push(Shape::Text(lettered(Face::SmallStrong, "fl-text fl-strong", middle, Anchor::Middle, time)));
        }
        self.push(ItemId::Playhead, Layer::Playhead, None, shapes);
    }
}
