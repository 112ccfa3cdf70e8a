//! The veil: hides what the destinations did from the playhead on, for a reader who is to say it first.
//!
//! A veiled picture is drawn from what was known just before that instant, so that nothing in it can tell what follows: no
//! verdict, no gate, no memory, not where a worker went on. What is planned stays: messages on their way, the pauses, and
//! when a lease would end by itself.

use fenceline_engine::scenario::{Micros, Scenario};
use fenceline_engine::trace::{BeliefEnd, EndedBy, Ending, Grant, Happening, Trace};

use super::Build;
use crate::measure::Face;
use crate::scene::{Anchor, Item, ItemId, Layer, Rect, Shape, View};

impl View {
    /// From when on the rulings are hidden; none when nothing is.
    pub(super) fn veiled_from(&self) -> Option<Micros> {
        self.playhead.filter(|_| self.veiled)
    }
}

/// What was known just before an instant. What something else refers to by its number keeps it.
pub(super) fn known_before(scenario: &Scenario, trace: &Trace, now: Micros) -> Trace {
    let mut known = trace.clone();
    let is_known = |at: Option<Micros>| at.filter(|at| *at < now);
    known.events.retain(|event| event.at < now);
    known.writes.retain(|verdict| verdict.decided_at < now);
    known.memories.retain(|memory| memory.from < now);
    known.steps.retain(|step| step.began_at < now);
    known.beliefs.retain(|belief| belief.from < now);
    known.grants.retain(|grant| grant.granted_at < now);
    let sent = known.messages.iter().rposition(|message| message.sent_at < now).map_or(0, |last| last + 1);
    known.messages.truncate(sent);

    let ruled = known.writes.len();
    for message in &mut known.messages {
        message.verdict = message.verdict.filter(|verdict| (*verdict as usize) < ruled);
        message.handled_at = is_known(message.handled_at);
    }
    for step in &mut known.steps {
        step.ended_at = step.ended_at.or(Some(now)).map(|at| at.min(now));
    }
    for belief in &mut known.beliefs {
        if belief.until >= now {
            belief.ended_by = BeliefEnd::OwnClock;
        }
        belief.until = belief.until.min(now);
        belief.acts_until = belief.acts_until.min(now);
    }
    for ending in &mut known.endings {
        if is_known(ending.at).is_none() {
            *ending = Ending::default();
        }
    }
    for index in 0..known.grants.len() {
        if is_known(known.grants[index].ended.map(|(at, _)| at)).is_none() {
            let due_at = due(scenario, &known, &known.grants[index]);
            known.grants[index].due_at = due_at;
            known.grants[index].ended = Some((due_at, EndedBy::Expiry));
        }
    }
    known
}

/// When a grant that has not ended would end by itself.
fn due(scenario: &Scenario, known: &Trace, grant: &Grant) -> Micros {
    let renewed = known.events.iter().rev().find_map(|event| match event.what {
        Happening::Renewed(number, due_at) if number == grant.number => Some(due_at),
        _ => None,
    });
    let first =
        scenario.leases.get(grant.lease).map_or(grant.due_at, |lease| grant.granted_at.saturating_add(lease.ttl));
    renewed.unwrap_or(first)
}

impl Build<'_> {
    pub(super) fn veil(&mut self) {
        let Some(now) = self.view.veiled_from() else { return };
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
