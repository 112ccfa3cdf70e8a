//! The painter: shapes as SVG elements that stay in place while their numbers change.
//!
//! It works on the elements themselves, without a signal or a view for each, since a drawing is one value that changes as
//! a whole, at every frame of a drag: a shape that is as it was costs one comparison, and one that moved costs the
//! attributes that differ. Invariant: after a painting the elements are what the shapes say, in their order, and nothing
//! is added; the static picture paints the same.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use fenceline_figure::{Glyph, Shape};
use leptos::prelude::document;
use web_sys::Element;

use crate::glyph::symbol;
use crate::selection::Part;

const SVG: &str = "http://www.w3.org/2000/svg";

/// A coordinate of a scene, which lies on a tenth of a pixel, as text.
///
/// By integers: formatting of floats would be a twentieth of what the page loads.
pub fn px(value: f32) -> String {
    let tenths = (value * 10.0).round() as i32;
    let (sign, tenths) = if tenths < 0 { ("-", tenths.unsigned_abs()) } else { ("", tenths.unsigned_abs()) };
    let whole = tenths / 10;
    match tenths % 10 {
        0 => format!("{sign}{whole}"),
        rest => format!("{sign}{whole}.{rest}"),
    }
}

/// A length for a style property.
pub fn css_px(value: f32) -> String {
    px(value) + "px"
}

/// One thing to paint: a group of shapes.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a, K> {
    /// What it stands for; keeps its element from one painting to the next.
    pub key: K,
    /// The group's class; empty for none.
    pub class: &'static str,
    /// The decision that a click on it selects.
    pub write: Option<u32>,
    /// The part of the document that it belongs to: selected by a click where there is no decision.
    pub part: Option<Part>,
    /// Its shapes, in draw order.
    pub shapes: &'a [Shape],
}

/// A group as it was painted.
struct Painted {
    element: Element,
    class: &'static str,
    write: Option<u32>,
    part: Option<Part>,
    shapes: Vec<(Shape, Element)>,
    /// The painting in which it was seen last.
    seen: u32,
}

/// The elements of one drawing, and what they show.
pub struct Painter<K> {
    into: Element,
    painted: BTreeMap<K, Painted>,
    paintings: u32,
}

impl<K: Ord + Copy> Painter<K> {
    /// A painter of an element that nothing else draws in.
    pub const fn new(into: Element) -> Self {
        Self { into, painted: BTreeMap::new(), paintings: 0 }
    }

    /// Makes the element show these groups, in their order.
    pub fn paint<'a>(&mut self, groups: impl Iterator<Item = Group<'a, K>>) {
        self.paintings = self.paintings.wrapping_add(1);
        let now = self.paintings;
        let mut order = Vec::with_capacity(self.painted.len());
        for group in groups {
            let Some(painted) = self.painted_of(group.key) else { return };
            painted.seen = now;
            painted.show(&group);
            order.push(group.key);
        }
        // What is gone goes first: in the way, it would make everything behind it move.
        self.painted.retain(|_, painted| {
            if painted.seen != now {
                painted.element.remove();
            }
            painted.seen == now
        });
        let mut next = self.into.first_element_child();
        for key in order {
            let element = &self.painted[&key].element;
            if next.as_ref() == Some(element) {
                next = element.next_element_sibling();
            } else {
                // Inserting an element that is there already moves it. Neither can fail: it is no ancestor of its parent.
                let _ = self.into.insert_before(element, next.as_deref());
            }
        }
    }

    fn painted_of(&mut self, key: K) -> Option<&mut Painted> {
        Some(match self.painted.entry(key) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(place) => place.insert(Painted {
                element: create("g")?,
                class: "",
                write: None,
                part: None,
                shapes: Vec::new(),
                seen: 0,
            }),
        })
    }
}

impl Painted {
    fn show<K>(&mut self, group: &Group<'_, K>) {
        if self.class != group.class {
            self.class = group.class;
            set(&self.element, "class", group.class);
        }
        if self.write != group.write {
            self.write = group.write;
            mark(&self.element, "data-write", group.write);
        }
        if self.part != group.part {
            self.part = group.part;
            mark(&self.element, "data-part", group.part);
        }
        for (_, element) in self.shapes.drain(group.shapes.len().min(self.shapes.len())..) {
            element.remove();
        }
        for (index, shape) in group.shapes.iter().enumerate() {
            match self.shapes.get_mut(index) {
                Some((shown, _)) if shown == shape => {}
                Some((shown, element)) if tag(shown) == tag(shape) => {
                    change(element, Some(shown), shape);
                    shown.clone_from(shape);
                }
                other => {
                    let Some(element) = create(tag(shape)) else { return };
                    change(&element, None, shape);
                    if let Some((shown, old)) = other {
                        // The old element is a child of the group, so it can be replaced.
                        let _ = old.replace_with_with_node_1(&element);
                        *old = element;
                        shown.clone_from(shape);
                    } else {
                        let _ = self.element.append_child(&element);
                        self.shapes.push((shape.clone(), element));
                    }
                }
            }
        }
    }
}

/// An SVG element; none only in a document that cannot have any.
fn create(tag: &str) -> Option<Element> {
    document().create_element_ns(Some(SVG), tag).ok()
}

/// Sets an attribute whose name is a valid one: that cannot fail.
fn set(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

/// Sets an attribute, or takes it away.
fn mark(element: &Element, name: &str, value: Option<impl ToString>) {
    match value {
        Some(value) => set(element, name, &value.to_string()),
        None => drop(element.remove_attribute(name)),
    }
}

const fn tag(shape: &Shape) -> &'static str {
    match shape {
        Shape::Rect { .. } => "rect",
        Shape::Line { .. } => "line",
        Shape::Circle { .. } => "circle",
        Shape::Path { .. } => "path",
        Shape::Text(_) => "text",
        Shape::Glyph { .. } => "use",
    }
}

/// The numbers of a shape, by the attributes that hold them.
fn numbers(shape: &Shape) -> ([&'static str; 5], [f32; 5]) {
    match shape {
        Shape::Rect { at, r, .. } => (["x", "y", "width", "height", "rx"], [at.x, at.y, at.w, at.h, *r]),
        Shape::Line { from, to, .. } => (["x1", "y1", "x2", "y2", ""], [from.0, from.1, to.0, to.1, 0.0]),
        Shape::Circle { centre, r, .. } => (["cx", "cy", "r", "", ""], [centre.0, centre.1, *r, 0.0, 0.0]),
        Shape::Path { .. } => ([""; 5], [0.0; 5]),
        Shape::Text(text) => (["x", "y", "", "", ""], [text.x, text.y, 0.0, 0.0, 0.0]),
        Shape::Glyph { at, .. } => (["x", "y", "width", "height", ""], [at.x, at.y, at.w, at.h, 0.0]),
    }
}

/// The words of a shape, by the attributes that hold them.
fn words(shape: &Shape) -> [(&'static str, &str); 2] {
    match shape {
        Shape::Rect { class, .. } | Shape::Line { class, .. } | Shape::Circle { class, .. } => {
            [("class", class), ("", "")]
        }
        Shape::Path { class, d } => [("class", class), ("d", d)],
        Shape::Text(text) => [("class", text.class), ("text-anchor", text.anchor.name())],
        Shape::Glyph { glyph, .. } => [("class", Glyph::body_class(*glyph)), ("href", symbol(Some(*glyph)))],
    }
}

/// Gives an element what a shape says, where it differs from what the element showed before.
fn change(element: &Element, before: Option<&Shape>, shape: &Shape) {
    let (names, now) = numbers(shape);
    let then = before.map(|before| numbers(before).1);
    for (index, name) in names.into_iter().enumerate().take_while(|(_, name)| !name.is_empty()) {
        if then.is_none_or(|then| then[index].to_bits() != now[index].to_bits()) {
            set(element, name, &px(now[index]));
        }
    }
    let then = before.map(words);
    for (index, (name, value)) in words(shape).into_iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
        if then.is_none_or(|then| then[index].1 != value) {
            set(element, name, value);
        }
    }
    if let Shape::Text(text) = shape {
        let same = matches!(before, Some(Shape::Text(before)) if before.content == text.content);
        if !same {
            element.set_text_content(Some(&text.content));
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn coordinates_are_written_to_a_tenth() {
        for (value, text) in [(0.0, "0"), (176.5, "176.5"), (-0.5, "-0.5"), (12.04, "12"), (-3.0, "-3"), (-0.04, "0")] {
            assert_eq!(px(value), text);
        }
    }
}
