//! The drawing of a handle: a capsule at rest; selected, in ink, with its ring, its bubble and its dimension line.

use crate::handle::{GripShape, Handle, HandleId};
use crate::measure::{Face, width};
use crate::projection::tenth;
use crate::scene::{Anchor, Rect, Scene, Shape, Text};

/// How a handle is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GripState {
    /// Not selected.
    Rest,
    /// Not selected, and called for: under the pointer, or beside what is selected. Dots show themselves.
    Shown,
    /// Selected or dragged.
    Selected,
}

/// The shapes of a handle, to be drawn over the scene. The note stands beside the value in the bubble of the selected one;
/// empty for none.
pub fn grip(scene: &Scene, handle: &Handle, state: GripState, note: &str) -> Vec<Shape> {
    match state {
        GripState::Rest => rest(handle),
        GripState::Shown => shown(handle),
        GripState::Selected => selected(scene, handle, note),
    }
}

fn rest(handle: &Handle) -> Vec<Shape> {
    match handle.shape {
        GripShape::Capsule => capsule(handle, handle.w, "fl-grip", "fl-grip-lines"),
        GripShape::Knob => vec![knob(handle, "fl-grip")],
        // A diamond is a part of the scene, a body has nothing of its own, dots would be too many.
        GripShape::Diamond | GripShape::Body | GripShape::Dot => Vec::new(),
    }
}

fn shown(handle: &Handle) -> Vec<Shape> {
    if handle.shape == GripShape::Dot { vec![knob(handle, "fl-grip")] } else { rest(handle) }
}

fn knob(handle: &Handle, class: &'static str) -> Shape {
    Shape::Circle { class, centre: (handle.x, handle.y), r: tenth(handle.h / 2.0) }
}

fn capsule(handle: &Handle, w: f32, class: &'static str, lines: &'static str) -> Vec<Shape> {
    let at = Rect { x: tenth(handle.x - w / 2.0), y: tenth(handle.y - handle.h / 2.0), w, h: handle.h };
    let reach = (handle.h / 8.0).clamp(2.5, 4.5);
    let d = format!(
        "M{x1} {top}V{bottom}M{x2} {top}V{bottom}",
        x1 = tenth(handle.x - 1.5),
        x2 = tenth(handle.x + 1.5),
        top = tenth(handle.y - reach),
        bottom = tenth(handle.y + reach)
    );
    vec![Shape::Rect { class, at, r: tenth(w / 2.0) }, Shape::Path { class: lines, d }]
}

fn selected(scene: &Scene, handle: &Handle, note: &str) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let note_w = if note.is_empty() { 0.0 } else { width(note, Face::Small) + 8.0 };
    let bubble_w = (width(&handle.value, Face::LargeStrong) + note_w + 18.0).max(44.0);
    let edge = handle.y - handle.h / 2.0;
    let above = edge - 36.0 >= 2.0;
    let at = if handle.shape == GripShape::Body { tenth(handle.x - handle.w / 2.0) } else { handle.x };
    let middle = at.clamp(bubble_w / 2.0 + 2.0, scene.width - bubble_w / 2.0 - 2.0);
    let top = tenth(if above { edge - 34.0 } else { handle.y + handle.h / 2.0 + 12.0 });
    // Work counts running time only, which no straight line measures; a lease is as long as its ribbon, for all to see.
    let measured = !matches!(handle.id, HandleId::WorkEnd { .. } | HandleId::LeaseEnd { .. });
    if handle.from_us > 0 && above && measured {
        let from = scene.scale.px(handle.from_us).clamp(scene.scale.left(), scene.scale.right());
        let (y, end) = (tenth(top + 11.5), tenth(middle - bubble_w / 2.0));
        if end > from + 4.0 {
            shapes.push(Shape::Line { class: "fl-dimension", from: (from, y - 7.0), to: (from, edge - 2.0) });
            shapes.push(Shape::Line { class: "fl-dimension", from: (from, y), to: (end, y) });
        }
    }
    match handle.shape {
        GripShape::Capsule => {
            let w = handle.w + 1.0;
            let ring =
                Rect { x: tenth(handle.x - w / 2.0 - 4.0), y: tenth(edge - 4.0), w: w + 8.0, h: tenth(handle.h + 8.0) };
            shapes.push(Shape::Rect { class: "fl-ring", at: ring, r: tenth(ring.w / 2.0) });
            shapes.extend(capsule(handle, w, "fl-grip-on", "fl-grip-on-lines"));
        }
        GripShape::Diamond => {
            let half = tenth(handle.h / 2.0 + 5.0);
            let d = |half: f32| {
                format!("M{} {}l{half} {half} -{half} {half} -{half} -{half}z", handle.x, tenth(handle.y - half))
            };
            shapes.push(Shape::Path { class: "fl-ring", d: d(half) });
            shapes.push(Shape::Path { class: "fl-grip-on", d: d(tenth(handle.h / 2.0)) });
        }
        GripShape::Knob | GripShape::Dot => {
            let r = tenth(handle.h / 2.0 + 4.0);
            shapes.push(Shape::Circle { class: "fl-ring", centre: (handle.x, handle.y), r });
            shapes.push(knob(handle, "fl-grip-on"));
        }
        GripShape::Body => {
            let at = Rect {
                x: tenth(handle.x - handle.w / 2.0 - 3.0),
                y: tenth(edge - 3.0),
                w: handle.w + 6.0,
                h: tenth(handle.h + 6.0),
            };
            shapes.push(Shape::Rect { class: "fl-ring", at, r: 5.0 });
        }
    }
    shapes.extend(bubble(handle, middle - note_w / 2.0, Rect { x: middle, y: top, w: bubble_w, h: 0.0 }, at, above));
    if note_w > 0.0 {
        let x = tenth(middle + bubble_w / 2.0 - 9.0);
        let y = tenth(top + 16.0);
        let area = Rect { x: tenth(x - note_w + 8.0), y: tenth(y - 9.0), w: tenth(note_w - 8.0), h: 11.5 };
        let class = "fl-text fl-on-ink-note";
        shapes.push(Shape::Text(Text { class, x, y, anchor: Anchor::End, area, content: note.to_owned() }));
    }
    shapes
}

/// The value in a bubble that points at the handle: `text` is the middle of its text, `bubble` its middle, top and width.
fn bubble(handle: &Handle, text: f32, bubble: Rect, at: f32, above: bool) -> [Shape; 3] {
    let Rect { x: middle, y: top, w, .. } = bubble;
    let area = Rect { x: tenth(middle - w / 2.0), y: top, w: tenth(w), h: 23.0 };
    let tip = at.clamp(area.x + 9.0, area.right() - 9.0);
    let d = if above {
        format!("M{} {}h10l-5 5z", tenth(tip - 5.0), area.bottom())
    } else {
        format!("M{} {}h10l-5 -5z", tenth(tip - 5.0), area.y)
    };
    let text = Text {
        class: "fl-text fl-on-ink",
        x: tenth(text),
        y: tenth(top + 16.0),
        anchor: Anchor::Middle,
        area,
        content: handle.value.clone(),
    };
    [Shape::Rect { class: "fl-bubble", at: area, r: 6.0 }, Shape::Path { class: "fl-bubble", d }, Shape::Text(text)]
}
