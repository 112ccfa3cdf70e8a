//! A worker: what it believes above what it does.
//!
//! The band is solid while the belief is true, hatched from the instant at which the grant ended at the service. A
//! worker that goes on under a grant whose time is up by its own clock, because it never looked, is hatched as well.

use fenceline_engine::scenario::{Micros, Step};
use fenceline_engine::trace::{Belief, BeliefEnd, Decision, Direction, Ended, Event, Happening, Subject};

use super::{Build, WorkerPlace, any_place, baseline, boxed};
use crate::measure::{Face, first_fit, shorten, width};
use crate::palette::{self, Tone};
use crate::projection::tenth;
use crate::scene::{Anchor, ItemId, Layer, Layout, Rect, Shape};
use crate::words::{belief_end, duration};

/// The least room for which a text inside a mark is tried, in px.
const LEAST_ROOM: f32 = 18.0;

/// What a stretch of a belief band shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stretch {
    True,
    Wrong,
    ActsOn,
}

impl Build<'_> {
    pub(super) fn workers(&mut self) {
        for worker in 0..self.worker_places.len() {
            let place = self.worker_places[worker];
            if self.layout != Layout::Narrow {
                let (left, right) = (self.scale.left(), self.scale.right());
                let line = Shape::Line { class: "fl-life", from: (left, place.line()), to: (right, place.line()) };
                self.push(ItemId::Life(worker as u32), Layer::Blocks, None, [line]);
            }
            self.beliefs(worker, place);
            self.pauses(worker, place);
            self.steps(worker, place);
        }
    }

    /// The row of each belief of a worker, and the rows in all: two leases held at once lie in two rows.
    fn rows_of_beliefs(&self, worker: usize) -> Vec<(usize, usize)> {
        let mut ends: Vec<Micros> = Vec::new();
        let mut rows = Vec::new();
        for (index, belief) in self.trace.beliefs.iter().enumerate().filter(|(_, belief)| belief.worker == worker) {
            let until = belief.acts_until;
            let row = ends.iter().position(|end| *end <= belief.from).unwrap_or(ends.len());
            if row == ends.len() {
                ends.push(until);
            } else {
                ends[row] = until;
            }
            rows.push((index, row));
        }
        rows
    }

    /// How many rows of belief bands a worker's lane needs, at least 1 and at most 4.
    pub(super) fn belief_rows(&self, worker: usize) -> usize {
        let rows = self.rows_of_beliefs(worker).into_iter().map(|(_, row)| row + 1).max().unwrap_or(1);
        rows.min(4)
    }

    fn beliefs(&mut self, worker: usize, place: WorkerPlace) {
        let h = self.m.band.1;
        for (index, row) in self.rows_of_beliefs(worker) {
            let belief = self.trace.beliefs[index];
            let top = place.band.0 + row.min(3) as f32 * (h + 2.0);
            let truth = match self.trace.grant(belief.grant).and_then(|grant| grant.ended) {
                Some((end, _)) => end.clamp(belief.from, belief.until),
                None => belief.until,
            };
            let last = belief.acts_until.max(belief.until);
            let acts = (last > belief.until).then_some(last);
            let id = index as u32;
            if truth > belief.from {
                self.band(ItemId::TrueBelief(id), &belief, (belief.from, truth), top, Stretch::True);
            }
            // A sliver between the end at the service and the end by its own clock needs no words of its own.
            let sliver = self.scale.x(belief.until) - self.scale.x(truth) < 30.0 && acts.is_some();
            if belief.until > truth && !sliver {
                self.band(ItemId::WrongBelief(id), &belief, (truth, belief.until), top, Stretch::Wrong);
            }
            if let Some(until) = acts {
                let from = if sliver { truth } else { belief.until };
                self.band(ItemId::ActsOn(id), &belief, (from, until), top, Stretch::ActsOn);
            }
            let [long, short] = belief_end(belief.ended_by);
            let told = acts.is_some() && self.is_told(&belief, last);
            let [long, short] = if told { belief_end(BeliefEnd::WriteRejected) } else { [long, short] };
            if !long.is_empty()
                && let Some(x) = self.shown(last)
            {
                let room = self.scale.right() - x - 10.0;
                if let Some(words) = first_fit(&[long, short], Face::Small, room) {
                    let at = (x + 9.0, baseline(top + h / 2.0));
                    let text = super::lettered(Face::Small, "fl-text fl-muted", at, Anchor::Start, words.to_owned());
                    if self.placer.is_off_blocks(&text.area) && !self.believes_again(worker, last) {
                        self.placer.take(text.area);
                        self.push(ItemId::BeliefEnd(id), Layer::Blocks, Some(last), [Shape::Text(text)]);
                    }
                }
            }
        }
    }

    /// Whether the grant of a belief is live at the service at a time.
    fn is_live(&self, belief: &Belief, at: Micros) -> bool {
        self.trace.grant(belief.grant).is_some_and(|grant| grant.ended.is_none_or(|(end, _)| at < end))
    }

    /// Whether a rejection tells the worker that its grant is no good at that time.
    fn is_told(&self, belief: &Belief, at: Micros) -> bool {
        self.trace.messages.iter().any(|message| {
            message.worker == belief.worker
                && message.direction == Direction::Reply
                && message.handled_at == Some(at)
                && message
                    .verdict
                    .and_then(|verdict| self.trace.writes.get(verdict as usize))
                    .is_some_and(|verdict| verdict.decision == Decision::Rejected)
        })
    }

    /// Whether a belief of the worker begins at or soon after a time, so that its band is where a note would go.
    fn believes_again(&self, worker: usize, at: Micros) -> bool {
        let soon = at.saturating_add(self.scale.per_px().saturating_mul(140));
        self.trace.beliefs.iter().any(|belief| belief.worker == worker && (at..soon).contains(&belief.from))
    }

    fn band(&mut self, id: ItemId, belief: &Belief, (from, to): (Micros, Micros), top: f32, stretch: Stretch) {
        let Some((left, right)) = self.stretch(from, Some(to)) else { return };
        let tone = self.tone(belief.worker);
        let (h, name) = (self.m.band.1, self.worker_id(belief.worker));
        let token = self.trace.grant(belief.grant).map_or(0, |grant| grant.token);
        let area = boxed(left, right, top, h);
        let length = duration(to - from);
        let (class, strong, wordings) = match stretch {
            Stretch::True => (
                palette::fill(tone),
                false,
                vec![
                    format!("{name} believes it holds the lease, and it does"),
                    format!("believes it holds {token}, and does"),
                    format!("holds {token}"),
                ],
            ),
            Stretch::Wrong => (
                palette::untrue(tone),
                true,
                vec![
                    format!("holds nothing, still believes it does for {length}"),
                    "holds nothing, still believes it does".to_owned(),
                    "holds nothing".to_owned(),
                ],
            ),
            Stretch::ActsOn if self.is_live(belief, from) => (
                palette::untrue(tone),
                true,
                vec![format!("its clock says it is over, acts under {token}"), format!("acts under {token}")],
            ),
            Stretch::ActsOn => (
                palette::untrue(tone),
                true,
                vec![
                    format!("holds nothing, does not look, acts under {token} for {length}"),
                    format!("holds nothing, still acts under {token}"),
                    "holds nothing".to_owned(),
                ],
            ),
        };
        let mut shapes = vec![Shape::Rect { class, at: area, r: 3.0 }];
        let face = if strong { Face::SmallStrong } else { Face::Small };
        let inset = if strong { 14.0 } else { 9.0 };
        let wordings: Vec<&str> = wordings.iter().map(String::as_str).collect();
        let y = baseline(top + h / 2.0);
        let room = (left + inset, right - inset + 4.0);
        // A text with a line through it says less than the band does without one.
        if let Some((x, words)) = self.clear_place(&wordings, face, room, y) {
            if strong {
                let plate = Rect { x: tenth(x - 5.0), y: top + 1.5, w: width(words, face) + 10.0, h: h - 3.0 };
                shapes.push(Shape::Rect { class: "fl-plate", at: plate, r: 2.0 });
            }
            let class = if strong { ink_strong(tone) } else { palette::ink(tone) };
            shapes.push(self.letter(face, class, (x, y), Anchor::Start, words));
        }
        self.placer.dislike(area);
        self.push(id, Layer::Blocks, Some(from), shapes);
    }

    fn pauses(&mut self, worker: usize, place: WorkerPlace) {
        for index in 0..self.trace.pauses.len() {
            let pause = self.trace.pauses[index];
            if pause.worker != worker {
                continue;
            }
            let Some((left, right)) = self.stretch(pause.from, pause.until) else { continue };
            let (top, h) = place.activity;
            let area = boxed(left, right, top, h);
            let mut shapes = vec![Shape::Rect { class: "fl-pause", at: area, r: 0.0 }];
            let wordings = match pause.until {
                Some(until) => {
                    let length = duration(until - pause.from);
                    [format!("paused {length}"), length]
                }
                None => ["crashed: never runs again".to_owned(), "crashed".to_owned()],
            };
            let wordings: Vec<&str> = wordings.iter().map(String::as_str).collect();
            let face = if self.layout == Layout::Medium { Face::SmallStrong } else { Face::BodyStrong };
            // In the left half where it can be: a message from another lane is likelier to pass through the right one.
            let y = baseline(top + h / 2.0);
            let longest = width(wordings[0], face);
            let start = left + 17.0 + 0.25 * (right - left - longest - 34.0).max(0.0);
            let place = self
                .clear_place(&wordings[..1], face, (start, right - 17.0), y)
                .or_else(|| self.clear_place(&wordings, face, (left + 17.0, right - 17.0), y))
                .or_else(|| any_place(&wordings, face, (left + 17.0, right - 17.0)));
            if let Some((x, words)) = place {
                let w = width(words, face);
                let plate = Rect { x: tenth(x - 9.0), y: top + 5.0, w: tenth(w + 18.0), h: h - 10.0 };
                shapes.push(Shape::Rect { class: "fl-plate", at: plate, r: 4.0 });
                let class = if face == Face::BodyStrong { "fl-text fl-12 fl-strong" } else { "fl-text fl-strong" };
                let text = self.letter(face, class, (x + w / 2.0, y), Anchor::Middle, words);
                self.placer.take(plate);
                shapes.push(text);
            }
            self.placer.dislike(area);
            self.push(ItemId::Pause(index as u32), Layer::Blocks, Some(pause.from), shapes);
        }
    }

    fn steps(&mut self, worker: usize, place: WorkerPlace) {
        for index in 0..self.trace.steps.len() {
            let span = self.trace.steps[index];
            if span.worker != worker {
                continue;
            }
            let Some(step) = self.scenario.workers.get(worker).and_then(|worker| worker.plan.get(span.step)) else {
                continue;
            };
            let parts = self.running_parts(worker, span.began_at, span.ended_at);
            let shapes = match step {
                Step::Work { label, .. } => {
                    let label = if label.is_empty() { "works" } else { label };
                    self.work(worker, place, &parts, label)
                }
                Step::Until { at } => self.wait(place, &parts, &[&format!("waits until {}", duration(*at)), "waits"]),
                Step::Acquire { .. } => self.wait(place, &parts, &["waits for the lease", "waits"]),
                Step::Read { .. } => self.wait(place, &parts, &["reads"]),
                Step::Establish { .. } | Step::Write(_) | Step::Release { .. } => {
                    self.wait(place, &parts, &["waits for the answer", "waits"])
                }
                Step::Check { .. } => Vec::new(),
            };
            self.push(ItemId::Step(index as u32), Layer::Blocks, Some(span.began_at), shapes);
        }
    }

    /// A stretch of time without the worker's pauses; what has no end runs to the end of the picture or to a crash.
    fn running_parts(&self, worker: usize, from: Micros, to: Option<Micros>) -> Vec<(Micros, Option<Micros>)> {
        let mut parts = Vec::new();
        let mut at = from;
        for pause in self.trace.pauses.iter().filter(|pause| pause.worker == worker) {
            if to.is_some_and(|to| pause.from >= to) {
                break;
            }
            if pause.until.is_some_and(|until| until <= at) {
                continue;
            }
            if pause.from > at {
                parts.push((at, Some(pause.from)));
            }
            match pause.until {
                Some(until) => at = until.max(at),
                None => return parts,
            }
        }
        if to.is_none_or(|to| to > at) {
            parts.push((at, to));
        }
        parts
    }

    /// Blocks of work; the label goes into the first part with room for all of it, else, cut short, into the widest.
    fn work(
        &mut self,
        worker: usize,
        place: WorkerPlace,
        parts: &[(Micros, Option<Micros>)],
        label: &str,
    ) -> Vec<Shape> {
        let tone = self.tone(worker);
        let (top, h) = place.activity;
        let boxes: Vec<Rect> = parts
            .iter()
            .filter_map(|(from, to)| self.stretch(*from, *to))
            .map(|(left, right)| boxed(left, right, top, h))
            .collect();
        let mut shapes: Vec<Shape> =
            boxes.iter().map(|area| Shape::Rect { class: palette::fill(tone), at: *area, r: 3.0 }).collect();
        for area in &boxes {
            self.placer.dislike(*area);
        }
        let (face, class) = match self.m.face {
            Face::Body => (Face::Body, palette::ink12(tone)),
            _ => (Face::Small, palette::ink(tone)),
        };
        // A grip may sit on either edge.
        let inset = if self.view.grips { 13.0 } else { 10.0 };
        let room = |area: &Rect| area.w - 2.0 * inset + 1.0;
        let widest = boxes.iter().max_by(|one, other| one.w.total_cmp(&other.w));
        let fits = boxes.iter().find(|area| width(label, face) <= room(area));
        let Some(area) = fits.or(widest).copied().filter(|area| room(area) >= LEAST_ROOM) else { return shapes };
        let y = baseline(top + h / 2.0);
        // Whole, or as much of it as finds a place that no message runs through.
        for share in [1.0, 0.6, 0.35] {
            let Some(text) = shorten(label, face, room(&area) * share) else { break };
            let place = self.clear_place(&[&text], face, (area.x + inset, area.right() - inset + 1.0), y);
            if let Some((x, text)) = place {
                shapes.push(self.letter(face, class, (x, y), Anchor::Start, text));
                break;
            }
        }
        shapes
    }

    /// A dashed box while a worker waits, with its reason where there is room.
    fn wait(&mut self, place: WorkerPlace, parts: &[(Micros, Option<Micros>)], wordings: &[&str]) -> Vec<Shape> {
        let (top, h) = place.activity;
        let mut shapes = Vec::new();
        let mut told = false;
        for (from, to) in parts {
            let Some((left, right)) = self.stretch(*from, *to) else { continue };
            if right - left < 3.0 {
                continue;
            }
            let area = boxed(left, right, top + 5.0, h - 10.0);
            shapes.push(Shape::Rect { class: "fl-wait", at: area, r: 3.0 });
            let (y, room) = (baseline(top + h / 2.0), (left + 10.0, right - 10.0));
            if !told && let Some((x, words)) = self.clear_place(wordings, Face::Small, room, y) {
                told = true;
                let at = (x, y);
                shapes.push(self.letter(Face::Small, "fl-text fl-muted fl-halo", at, Anchor::Start, words));
            }
            self.placer.dislike(area);
        }
        shapes
    }

    /// The notes on events: what a mark alone does not say.
    pub(super) fn notes(&mut self) {
        for (id, event) in self.trace.events.iter().enumerate() {
            let id = id as u32;
            match (event.lane, event.what) {
                (fenceline_engine::trace::Lane::Lease(lease), Happening::FailedOver(_)) => {
                    self.failover(id, event, lease);
                }
                (fenceline_engine::trace::Lane::Resource(resource), Happening::Restarted) => {
                    self.restart(id, event, resource);
                }
                (fenceline_engine::trace::Lane::Worker(worker), what) => {
                    let wordings: &[&str] = match what {
                        Happening::Resumed if self.sends_soon(worker, event.at) => {
                            &["resumes, sends what it had", "resumes, sends", "resumes"]
                        }
                        Happening::Resumed => &["resumes"],
                        Happening::CheckPassed(_) => &["its check passes", "check passes"],
                        Happening::PlanEnded(Ended::StoppedItself) => {
                            &["its check fails: it stops itself", "stops itself"]
                        }
                        Happening::PlanEnded(Ended::LeaseLost) => &["lost its lease: stops", "stops"],
                        Happening::PlanEnded(Ended::Unanswered) => &["no answer: gives up", "gives up"],
                        _ => continue,
                    };
                    self.worker_note(id, event, worker, wordings);
                }
                _ => {}
            }
        }
    }

    /// Whether a worker sends a write as good as at once after a time.
    fn sends_soon(&self, worker: usize, at: Micros) -> bool {
        let soon = at.saturating_add(self.scale.per_px().saturating_mul(24));
        self.trace.messages.iter().any(|message| {
            message.worker == worker
                && message.direction == Direction::Request
                && message.subject == Subject::Write
                && (at..=soon).contains(&message.sent_at)
        })
    }

    fn worker_note(&mut self, id: u32, event: &Event, worker: usize, wordings: &[&str]) {
        let Some(place) = self.worker_places.get(worker).copied() else { return };
        let Some(x) = self.shown(event.at) else { return };
        let (top, h) = place.activity;
        let mut shapes = Vec::new();
        if matches!(event.what, Happening::CheckPassed(_) | Happening::PlanEnded(_)) {
            shapes = self.upright("fl-check", x, top - 4.0, top + h + 4.0);
        }
        // Past the grip of the pause, and past the little that a worker does before it sends.
        let sides: &[f32] = if event.what == Happening::Resumed { &[19.0, 35.0, 51.0, 67.0] } else { &[7.0, -7.0] };
        let middle = baseline(top + h / 2.0);
        let rows: &[f32] =
            if event.what == Happening::Resumed { &[middle] } else { &[middle, top + h + 10.0, top - 3.0] };
        shapes.extend(self.note_beside(wordings, x, rows, sides));
        self.push(ItemId::Note(id), Layer::Pills, Some(event.at), shapes);
    }
}

/// The class of strong text in a tone.
const fn ink_strong(tone: Tone) -> &'static str {
    match tone {
        Tone::Zero => "fl-text fl-bold fl-ink-0",
        Tone::A => "fl-text fl-bold fl-ink-a",
        Tone::B => "fl-text fl-bold fl-ink-b",
        Tone::C => "fl-text fl-bold fl-ink-c",
        Tone::D => "fl-text fl-bold fl-ink-d",
    }
}
