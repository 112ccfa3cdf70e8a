//! The veil: hides what the destinations did from the playhead on, for a reader who is to say it first.
//!
//! What was sent is shown, what was ruled is not: no verdict, no gate, no memory, no sentence on how a worker took it.

use super::Build;
use crate::measure::Face;
use crate::scene::{Anchor, Item, ItemId, Layer, Rect, Shape};

impl Build<'_> {
    pub(super) fn veil(&mut self) {
        let Some(now) = self.view.playhead.filter(|_| self.view.veiled) else { return };
        let from = self.scale.px(now.clamp(self.scale.window().from_us(), self.scale.window().to_us()));
        let tells_too_much = |item: &Item| match item.id {
            ItemId::Arrival(_) => item.at.is_some_and(|at| at > now),
            ItemId::Exposure(_) => true,
            _ => item.at.is_some_and(|at| at >= now),
        };
        self.items.retain(|item| !tells_too_much(item));
        for (resource, place) in self.resource_places.clone().into_iter().enumerate() {
            let left = (from - 16.0).max(self.scale.left());
            let right = self.scale.right() + 1.0;
            if right - left < 2.0 {
                continue;
            }
            let top = place.rail - 7.0;
            let area = Rect { x: left, y: top, w: right - left, h: place.strip.0 + place.strip.1 + 1.0 - top };
            let mut shapes = vec![Shape::Rect { class: "fl-veil", at: area, r: 4.0 }];
            if area.w > 30.0 {
                let middle = (left + area.w / 2.0, top + area.h / 2.0 + 5.0);
                let text =
                    super::lettered(Face::LargeStrong, "fl-text fl-13 fl-strong", middle, Anchor::Middle, "?".into());
                shapes.push(Shape::Text(text));
            }
            self.push(ItemId::Veil(resource as u32), Layer::Veils, None, shapes);
        }
    }
}
