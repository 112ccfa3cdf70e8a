//! The drawing of a race window: bands with a tick at each boundary, glyph and words under them, the knob and its stem.

use fenceline_engine::Class;

use super::{Band, Strip};
use crate::handle::{GripShape, Handle};
use crate::measure::{Face, shorten, width};
use crate::projection::tenth;
use crate::scene::{Anchor, Layout, Rect, Scene, Shape, Text};

/// The height of the bands, at rest and while dragged.
const HEIGHT: [f32; 2] = [10.0, 14.0];
/// From the strip's top to the middle of the bands.
const MIDDLE: f32 = 9.0;
/// From the strip's top to the baseline of the first row of words, and from row to row.
const FIRST_ROW: f32 = 29.0;
const ROW: f32 = 15.0;
/// The size of a glyph beside words.
const GLYPH: f32 = 12.0;
/// From a glyph to its words.
const BESIDE: f32 = 17.0;
/// Between two labels.
const APART: f32 = 10.0;

/// How many rows of words there are.
const fn rows(layout: Layout) -> usize {
    match layout {
        Layout::Narrow => 2,
        Layout::Medium | Layout::Wide => 1,
    }
}

/// The height that a strip takes under a lane.
pub(crate) const fn room(layout: Layout) -> f32 {
    FIRST_ROW + ROW * (rows(layout) - 1) as f32 + 7.0
}

/// The class of a band, and whether it is hatched.
const fn fill(band: &Band) -> (&'static str, bool) {
    let Some(gist) = band.gist else { return ("fl-w-none", false) };
    match gist.class {
        Class::Neutral => ("fl-w-neutral", false),
        Class::Accepted => ("fl-w-accepted", false),
        Class::Fenced => ("fl-w-fenced", false),
        Class::Refused => ("fl-w-refused", false),
        Class::StaleAccepted | Class::Corrupting => ("fl-w-corrupting", true),
    }
}

/// The shapes of a race window under the lane of its handle; empty when the scene has no room for it.
pub fn strip_shapes(scene: &Scene, handle: &Handle, strip: &Strip, dragged: bool) -> Vec<Shape> {
    let Some(top) = scene.lane(handle.lane).and_then(|lane| lane.strip) else { return Vec::new() };
    let middle = tenth(top + MIDDLE);
    let h = HEIGHT[usize::from(dragged)];
    let mut shapes = Vec::new();
    let place = |at| scene.scale.px(at).clamp(scene.scale.left(), scene.scale.right());
    let spans: Vec<(f32, f32)> = strip.bands.iter().map(|band| (place(band.from_us), place(band.to_us))).collect();
    // A part of the axis may be zoomed to: of what lies beyond it nothing is drawn.
    let shown =
        |band: &Band| scene.scale.window().to_us() >= band.from_us && scene.scale.window().from_us() <= band.to_us;
    for (band, (left, right)) in strip.bands.iter().zip(&spans).filter(|(band, _)| shown(band)) {
        let at = Rect { x: *left, y: tenth(middle - h / 2.0), w: tenth((right - left).max(0.5)), h };
        let (class, hatched) = fill(band);
        shapes.push(Shape::Rect { class, at, r: 0.0 });
        if hatched {
            shapes.push(Shape::Rect { class: "fl-w-hatch", at, r: 0.0 });
        }
    }
    for (_, (left, _)) in strip.bands.iter().zip(&spans).skip(1).filter(|(band, _)| scene.scale.shows(band.from_us)) {
        let reach = h / 2.0 + 2.5;
        let (from, to) = ((*left, tenth(middle - reach)), (*left, tenth(middle + reach)));
        shapes.push(Shape::Line { class: "fl-w-tick", from, to });
    }
    labels(scene, strip, &spans, top, shown, &mut shapes);
    if scene.layout == Layout::Wide {
        gutter(scene, handle, middle, &mut shapes);
    }
    let x = handle.x;
    if handle.shape != GripShape::Body {
        let from = tenth(handle.y + handle.h / 2.0 + 4.0);
        if from < middle {
            shapes.push(Shape::Line { class: "fl-w-stem", from: (x, from), to: (x, middle) });
        }
    }
    let x = if handle.shape == GripShape::Body { place(handle.now_us) } else { x };
    match strip.here().and_then(Band::glyph).filter(|_| dragged) {
        Some(glyph) => {
            shapes.push(Shape::Circle { class: "fl-w-halo", centre: (x, middle), r: 10.0 });
            let at = Rect { x: tenth(x - 8.0), y: tenth(middle - 8.0), w: 16.0, h: 16.0 };
            shapes.push(Shape::Glyph { glyph, at });
        }
        None => shapes.push(Shape::Circle { class: "fl-w-knob", centre: (x, middle), r: 5.5 }),
    }
    shapes
}

/// Glyph and words under each band, as near to its left end as they fit; shorter words, then only the glyph, where they do
/// not.
fn labels(
    scene: &Scene,
    strip: &Strip,
    spans: &[(f32, f32)],
    top: f32,
    shown: impl Fn(&Band) -> bool,
    shapes: &mut Vec<Shape>,
) {
    let end = scene.scale.right() + 12.0;
    let mut free = vec![scene.scale.left() - 4.0; rows(scene.layout)];
    for (index, (band, (left, right))) in strip.bands.iter().zip(spans).enumerate() {
        let beside = if band.glyph().is_some() { BESIDE } else { 0.0 };
        let told = strip.told(index);
        let found = [told.as_str(), band.words(), ""].into_iter().find_map(|wording| {
            if wording.is_empty() && (band.glyph().is_none() || right - left < GLYPH) {
                return None;
            }
            let w = if wording.is_empty() { GLYPH } else { beside + width(wording, Face::Small) };
            (0..free.len()).find_map(|row| {
                let x = left.min(end - w).max(free[row]);
                // A label that begins beyond its band would be read as the next one's.
                (x <= *right && x + w <= end).then_some((wording, row, x, w))
            })
        });
        let Some((wording, row, x, w)) = found.filter(|_| shown(band)) else { continue };
        free[row] = x + w + APART;
        let y = tenth(top + FIRST_ROW + ROW * row as f32);
        if let Some(glyph) = band.glyph() {
            let at = Rect { x: tenth(x), y: tenth(y - 10.0), w: GLYPH, h: GLYPH };
            shapes.push(Shape::Glyph { glyph, at });
        }
        if !wording.is_empty() {
            shapes.push(Shape::Text(text("fl-text fl-halo", tenth(x + beside), y, wording.to_owned())));
        }
    }
}

/// What the strip is, in the gutter.
fn gutter(scene: &Scene, handle: &Handle, middle: f32, shapes: &mut Vec<Shape>) {
    let room = scene.scale.left() - 24.0;
    shapes.push(Shape::Text(text("fl-text fl-strong", 16.0, tenth(middle + 4.0), "Race window".into())));
    if let Some(label) = shorten(&handle.label, Face::Small, room) {
        shapes.push(Shape::Text(text("fl-text fl-muted", 16.0, tenth(middle + 19.0), label)));
    }
}

fn text(class: &'static str, x: f32, y: f32, content: String) -> Text {
    let area = Rect { x, y: tenth(y - 9.0), w: width(&content, Face::Small), h: 11.5 };
    Text { class, x, y, anchor: Anchor::Start, area, content }
}
