//! The plan of a destination: where each arrival, verdict and word above its fence goes.
//!
//! Made before the lanes have their heights, with the rail at y = 0, since the lane grows with the rows that the verdicts
//! need. Arrivals and verdicts at nearly the same time stack upward: no glyph is ever left out.

use fenceline_engine::scenario::Memory;
use fenceline_engine::trace::{Decision, Direction, Event, Happening, Lane, Message, MessageId, Subject};

use super::{Build, lettered};
use crate::glyph::Glyph;
use crate::measure::{Face, width};
use crate::place::{Placer, Segment};
use crate::projection::tenth;
use crate::scene::{Anchor, Layout, Rect, Text};
use crate::words::{comparison, rule, verdict_word};

/// How far above the rail labels may climb, in px. What finds no place below lies on other glyphs there.
const CEILING: f32 = 40_000.0;
/// The width of the stacks in which bare glyphs pile up.
const STACK: f32 = 12.0;
/// With less room than this for each arrival, no verdict has words.
const LEAST_SHARE: f32 = 8.0;

/// Where everything above the rail goes, with the rail at y = 0.
#[derive(Clone, Debug)]
pub(super) struct ResourcePlan {
    /// Rows of verdicts above the rail, at least 1.
    pub(super) rows: usize,
    pub(super) arrivals: Vec<ArrivalMark>,
    pub(super) tags: Vec<Tag>,
    pub(super) rule: Option<Text>,
    pub(super) restarts: Vec<(u32, f32, Option<Text>)>,
}

/// An arrival on the fence.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrivalMark {
    pub(super) message: MessageId,
    pub(super) x: f32,
    /// Above the rail: negative.
    pub(super) y: f32,
    /// Half its height; a read's is small.
    pub(super) half: f32,
    pub(super) passes: bool,
    pub(super) verdict: Option<u32>,
}

/// A verdict's tag.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    pub(super) verdict: u32,
    pub(super) glyph: Glyph,
    pub(super) area: Rect,
    pub(super) word: String,
    pub(super) comparison: String,
}

impl ResourcePlan {
    /// Places what lies above the rail of a resource whose lane begins at `top`.
    pub(super) fn new(build: &Build<'_>, resource: usize, top: f32) -> Self {
        let mut arrivals = arrivals(build, resource);
        arrivals.sort_by(|one, other| one.x.total_cmp(&other.x));
        let left = build.scale.left();
        let bounds = Rect { x: left - 4.0, y: -CEILING, w: build.width - left, h: CEILING };
        let mut placer = Placer::new(bounds);
        stack(build, &mut arrivals, &mut placer);
        let rail = top + build.m.rail;
        dislike_lines(build, resource, &arrivals, rail, &mut placer);
        for event in restarts_of(build, resource).filter_map(|(_, event)| build.shown(event.at)) {
            let owner = u32::MAX;
            placer.dislike_line(Segment { from: (event, -build.m.rail), to: (event, 0.0), owner });
        }
        let mut highest = arrivals.iter().map(|mark| mark.y - mark.half).fold(0.0, f32::min);
        let rule = place_rule(build, resource, &mut placer);
        let mut tags = Vec::new();
        let mut stacked = vec![0; (bounds.w / STACK) as usize + 2];
        let lone = arrivals.iter().filter(|mark| mark.verdict.is_some()).count() == 1;
        for mark in &arrivals {
            if let Some(tag) = place_tag(build, mark, (&arrivals, lone), &mut placer, &mut stacked) {
                highest = highest.min(tag.area.y);
                tags.push(tag);
            }
        }
        highest = rule.as_ref().map_or(highest, |text| highest.min(text.area.y));
        let restarts = place_restarts(build, resource, &mut placer);
        for (.., text) in &restarts {
            highest = text.as_ref().map_or(highest, |text| highest.min(text.area.y));
        }
        // One row reaches up to the first tags; each further row is one tag higher.
        let over = -highest - build.m.tag.1 - 2.0;
        let rows = 1 + (over / build.row_pitch()).ceil().max(0.0) as usize;
        Self { rows, arrivals, tags, rule, restarts }
    }
}

/// The requests that arrive at a resource within the window, at the height of their ruling.
fn arrivals(build: &Build<'_>, resource: usize) -> Vec<ArrivalMark> {
    let arrives = |(id, message): (usize, &Message)| {
        if message.direction != Direction::Request || message.peer != Lane::Resource(resource) {
            return None;
        }
        let x = build.shown(message.arrives_at?)?;
        let verdict = message.verdict.and_then(|verdict| build.trace.writes.get(verdict as usize));
        let rejected = verdict.is_some_and(|verdict| verdict.decision == Decision::Rejected);
        let full = matches!(message.subject, Subject::Write | Subject::Establish);
        let half = if full { build.m.diamond } else { 5.0 };
        let y = if rejected { -build.m.stop } else { -1.5 };
        Some(ArrivalMark { message: id as u32, x, y, half, passes: !rejected, verdict: message.verdict })
    };
    build.trace.messages.iter().enumerate().filter_map(arrives).collect()
}

/// Lifts arrivals that would lie on one another, and takes their places.
fn stack(build: &Build<'_>, arrivals: &mut [ArrivalMark], placer: &mut Placer) {
    let pitch = build.row_pitch();
    for mark in arrivals {
        let area = |mark: &ArrivalMark| {
            // The points of two diamonds may come close; their bodies may not.
            let half = mark.half - 1.0;
            Rect {
                x: tenth(mark.x - half),
                y: tenth(mark.y - half),
                w: 2.0 * half,
                h: tenth((2.0 * half).min(-mark.y + half)),
            }
        };
        let clipped = |area: Rect| Rect { h: area.h.min(-area.y), ..area };
        for _ in 0..200 {
            let place = clipped(area(mark));
            if placer.is_free(&place) || mark.x < build.scale.left() + 4.0 {
                break;
            }
            mark.y -= if mark.y > -4.0 { build.m.stop - 1.5 + 4.0 } else { pitch };
        }
        mark.y = tenth(mark.y);
        placer.take(clipped(area(mark)));
    }
}

/// The last stretch of each message above the rail, which labels avoid where they can.
fn dislike_lines(build: &Build<'_>, resource: usize, arrivals: &[ArrivalMark], rail: f32, placer: &mut Placer) {
    for mark in arrivals {
        let message = &build.trace.messages[mark.message as usize];
        let Some(worker) = build.worker_places.get(message.worker) else { continue };
        let from = (build.scale.px(message.sent_at), worker.activity.0 + worker.activity.1 - rail);
        placer.dislike_line(Segment { from, to: (mark.x, mark.y), owner: mark.message });
    }
    // What goes on to a destination further down passes through; how far down is not known yet, about will do.
    let lane = build.m.rail + build.m.strip.0 + build.m.strip.1 + build.m.strip.2 + build.m.gap;
    for (id, message) in build.trace.messages.iter().enumerate() {
        let Lane::Resource(further) = message.peer else { continue };
        let Some(below) = further.checked_sub(resource).filter(|below| *below > 0) else { continue };
        let (Some(worker), Some(arrives_at)) = (build.worker_places.get(message.worker), message.arrives_at) else {
            continue;
        };
        if message.direction == Direction::Request {
            let from = (build.scale.px(message.sent_at), worker.activity.0 + worker.activity.1 - rail);
            let to = (build.scale.px(arrives_at), lane * below as f32);
            placer.dislike_line(Segment { from, to, owner: id as u32 });
        }
    }
}

/// The rule in code above the fence, at its left end or where there is room.
fn place_rule(build: &Build<'_>, resource: usize, placer: &mut Placer) -> Option<Text> {
    let guard = build.scenario.resources[resource].guard;
    let (left, right) = (build.scale.left(), build.scale.right());
    let class = "fl-text fl-mono fl-muted fl-halo";
    for clear in [true, false] {
        for row in 0..3_u8 {
            let y = -10.5 - f32::from(row) * build.row_pitch();
            for wording in rule(guard) {
                for step in 0..10_u8 {
                    let x = left + 9.0 + 24.0 * f32::from(step);
                    let text = lettered(Face::SmallMono, class, (x, y), Anchor::Start, wording.to_owned());
                    let area = Rect { x: text.area.x - 3.0, w: text.area.w + 8.0, ..text.area };
                    let good = if clear { placer.is_clear(&area, None) } else { placer.is_free(&area) };
                    if good && text.area.right() <= right + 4.0 {
                        placer.take(area);
                        return Some(text);
                    }
                }
            }
        }
    }
    None
}

/// The tag of a verdict: beside its arrival, else a row or more higher, shortened before it climbs far.
fn place_tag(
    build: &Build<'_>,
    mark: &ArrivalMark,
    (arrivals, lone): (&[ArrivalMark], bool),
    placer: &mut Placer,
    stacked: &mut [u16],
) -> Option<Tag> {
    let index = mark.verdict?;
    let verdict = build.trace.writes.get(index as usize)?;
    let (word, compared) = words_of(build, index);
    let wide = build.layout == Layout::Wide;
    let glyph = Glyph::of(verdict);
    let token = verdict.token.map(|token| token.to_string()).unwrap_or_default();
    let numbered = !token.is_empty();
    let bare = (String::new(), String::new());
    let mut wordings = if wide { vec![(word.clone(), compared)] } else { vec![(word.clone(), String::new())] };
    wordings.extend([(word.clone(), token), (word, String::new())]);
    wordings.dedup();
    let (h, rise) = build.m.tag;
    let pitch = build.row_pitch();
    let right_edge = build.width - 3.0;
    let base = (((-mark.y - build.m.stop) / pitch).round()).max(0.0);
    let make = |word: &str, compared: &str, row: f32, side: f32| {
        let w = tag_width(build, word, compared);
        let reach = mark.half + 9.0;
        let x = match side {
            s if s > 0.0 => mark.x + reach,
            s if s < 0.0 => mark.x - reach - w,
            _ => (mark.x - w / 2.0).min(right_edge - w),
        };
        Rect { x: tenth(x), y: tenth(-rise - row * pitch), w, h }
    };
    let accept = |placer: &mut Placer, area: Rect, (word, comparison): &(String, String)| {
        placer.take(Rect { x: area.x - 2.0, y: area.y - 1.0, w: area.w + 4.0, h: area.h + 2.0 });
        Some(Tag { verdict: index, glyph, area, word: word.clone(), comparison: comparison.clone() })
    };
    // With more verdicts than could ever have a word there is no use in looking for one.
    let room = build.scale.right() - build.scale.left();
    let sparse = (arrivals.len() as f32) * LEAST_SHARE < room;
    for clear in [true, false].into_iter().filter(|_| sparse) {
        for wording in wordings.iter().filter(|(word, _)| !word.is_empty()) {
            for row in [0.0, 1.0, 2.0] {
                for side in [1.0, -1.0, 0.0] {
                    // On its own line, but never on its own diamond.
                    if side == 0.0 && row < 1.0 {
                        continue;
                    }
                    let area = make(&wording.0, &wording.1, base + row, side);
                    let own = (side == 0.0).then_some(mark.message);
                    let good = if clear { placer.is_clear(&area, own) } else { placer.is_free(&area) };
                    // Without a number it stands right beside its arrival, and beside no other one.
                    let plain = wording.1.is_empty() && numbered && !lone;
                    let told = !plain || (row < 1.0 && !near_another(arrivals, mark, &area));
                    if good && told && area.right() <= right_edge {
                        return accept(placer, area, wording);
                    }
                }
            }
        }
    }
    // Below the last bare glyph hereabouts there was no place a moment ago: go on from there.
    let from = stacked.get_mut(((mark.x - build.scale.left()) / STACK).max(0.0) as usize);
    let mut none = 0;
    let from = from.unwrap_or(&mut none);
    let highest = ((CEILING - rise) / pitch) as u16;
    for row in *from..highest {
        for side in [1.0, -1.0, 0.0] {
            let area = make("", "", base + f32::from(row), side);
            if (side != 0.0 || row > 0) && placer.is_free(&area) && area.right() <= right_edge {
                *from = row;
                return accept(placer, area, &bare);
            }
        }
    }
    accept(placer, make("", "", base, 1.0), &bare)
}

/// Whether a tag's far end comes so near to another arrival that it could be taken for that one's.
fn near_another(arrivals: &[ArrivalMark], mark: &ArrivalMark, area: &Rect) -> bool {
    const NEAR: f32 = 40.0;
    arrivals.iter().any(|other| {
        other.message != mark.message
            && other.verdict.is_some()
            && (area.x - NEAR..area.right() + NEAR).contains(&other.x)
            && (other.x < area.x || other.x > area.right())
            && (other.x < mark.x) == (area.x < mark.x)
    })
}

/// The word and the comparison of a verdict.
pub(super) fn words_of(build: &Build<'_>, index: u32) -> (String, String) {
    let Some(verdict) = build.trace.writes.get(index as usize) else { return Default::default() };
    let over = verdict
        .overwrites_newer
        .and_then(|other| build.trace.writes.get(other as usize))
        .map(|other| build.worker_id(other.worker))
        .filter(|over| *over != build.worker_id(verdict.worker));
    let compared = build.scenario.resources.get(verdict.resource).map_or_else(String::new, |r| comparison(verdict, r));
    (verdict_word(verdict, build.worker_id(verdict.worker), over), compared)
}

/// The width of a tag with that word and comparison.
pub(super) fn tag_width(build: &Build<'_>, word: &str, compared: &str) -> f32 {
    let (strong, mono) = tag_faces(build.layout);
    if word.is_empty() {
        return build.m.tag.0;
    }
    let compared = if compared.is_empty() { 0.0 } else { 7.0 + width(compared, mono) };
    tenth(25.0 + width(word, strong) + compared + 9.0)
}

pub(super) const fn tag_faces(layout: Layout) -> (Face, Face) {
    match layout {
        Layout::Wide => (Face::BodyStrong, Face::BodyMono),
        _ => (Face::SmallStrong, Face::SmallMono),
    }
}

/// The events at which a resource restarts.
fn restarts_of<'b>(build: &'b Build<'_>, resource: usize) -> impl Iterator<Item = (usize, &'b Event)> {
    let restarts = move |event: &Event| event.what == Happening::Restarted && event.lane == Lane::Resource(resource);
    build.trace.events.iter().enumerate().filter(move |(_, event)| restarts(event))
}

/// The restarts of a resource, each with its word where there is room.
fn place_restarts(build: &Build<'_>, resource: usize, placer: &mut Placer) -> Vec<(u32, f32, Option<Text>)> {
    let mut restarts = Vec::new();
    for (id, event) in restarts_of(build, resource) {
        let Some(x) = build.shown(event.at) else { continue };
        let forgets = build.scenario.resources[resource].remembers == Memory::InMemory;
        let wordings: &[&str] = if forgets { &["restarts, forgets", "restarts"] } else { &["restarts"] };
        let mut placed = None;
        'search: for wording in wordings {
            for row in [0.0, 1.0] {
                for (dx, anchor) in [(6.0, Anchor::Start), (-6.0, Anchor::End)] {
                    let y = -12.5 - row * build.row_pitch();
                    let text = lettered(Face::Small, "fl-text fl-halo", (x + dx, y), anchor, (*wording).to_owned());
                    if placer.is_free(&text.area) && text.area.right() <= build.width - 3.0 {
                        placer.take(text.area);
                        placed = Some(text);
                        break 'search;
                    }
                }
            }
        }
        restarts.push((id as u32, x, placed));
    }
    restarts
}
