//! The painter: a scene's shapes as SVG elements that stay in place while their numbers change.
//!
//! Items are keyed by what they stand for and each reads its own shapes from a memo, so that a frame of a drag touches
//! only the attributes that differ. It draws what the scene says and adds nothing: the static picture paints the same.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use fenceline_engine::Trace;
use fenceline_figure::{ItemId, Layer, Scene, Shape};
use leptos::either::EitherOf6;
use leptos::prelude::*;

use crate::editor::Editor;
use crate::glyph::symbol;

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

/// One shape.
pub fn paint(shape: &Shape) -> impl IntoView + use<> {
    match shape {
        Shape::Rect { class, at, r } => EitherOf6::A(view! {
            <rect class=*class x=px(at.x) y=px(at.y) width=px(at.w) height=px(at.h) rx=px(*r)></rect>
        }),
        Shape::Line { class, from, to } => EitherOf6::B(view! {
            <line class=*class x1=px(from.0) y1=px(from.1) x2=px(to.0) y2=px(to.1)></line>
        }),
        Shape::Circle { class, centre, r } => EitherOf6::C(view! {
            <circle class=*class cx=px(centre.0) cy=px(centre.1) r=px(*r)></circle>
        }),
        Shape::Path { class, d } => EitherOf6::D(view! { <path class=*class d=d.clone()></path> }),
        Shape::Text(text) => EitherOf6::E(view! {
            <text class=text.class x=px(text.x) y=px(text.y) text-anchor=text.anchor.name()>
                {text.content.clone()}
            </text>
        }),
        Shape::Glyph { glyph, at } => EitherOf6::F(view! {
            <use_
                class=glyph.body_class()
                href=symbol(Some(*glyph))
                x=px(at.x)
                y=px(at.y)
                width=px(at.w)
                height=px(at.h)
            ></use_>
        }),
    }
}

/// One item as it is now.
#[derive(Clone, Debug, Default, PartialEq)]
struct Drawn {
    selected: bool,
    write: Option<u32>,
    shapes: Vec<Shape>,
}

impl Drawn {
    fn of(scene: &Scene, trace: &Trace, index: usize) -> Self {
        let Some(item) = scene.items.get(index) else { return Self::default() };
        Self { selected: item.selected, write: write_of(item.id, trace), shapes: scene.shapes(item).to_vec() }
    }
}

/// The decision that a click on an item selects.
fn write_of(item: ItemId, trace: &Trace) -> Option<u32> {
    match item {
        ItemId::Verdict(verdict) => Some(verdict),
        ItemId::Message(id) | ItemId::Pill(id) | ItemId::Arrival(id) => trace.messages.get(id as usize)?.verdict,
        _ => None,
    }
}

/// The items of some layers, in draw order.
#[component]
pub fn Items(
    /// What is open.
    editor: Editor,
    /// The layers, from the bottom up.
    layers: RangeInclusive<Layer>,
) -> impl IntoView {
    let scene = editor.scene;
    let ids = Memo::new(move |_| {
        scene.with(|scene| {
            let drawn = scene.items.iter().enumerate().filter(|(_, item)| layers.contains(&item.layer));
            drawn.map(|(index, item)| (item.id, index)).collect::<Vec<_>>()
        })
    });
    // While the same things are drawn, which is so during most of a drag, this is not made anew.
    let places = Memo::new(move |_| Arc::new(ids.get().into_iter().collect::<BTreeMap<_, _>>()));
    view! {
        <For
            each=move || ids.get()
            key=|(id, _)| *id
            children=move |(id, _)| {
                let drawn = Memo::new(move |_| {
                    let index = places.with(|places| places.get(&id).copied());
                    let Some(index) = index else { return Drawn::default() };
                    scene.with(|scene| editor.trace.with(|trace| Drawn::of(scene, trace, index)))
                });
                view! {
                    <g
                        class:fl-selected=move || drawn.with(|drawn| drawn.selected)
                        data-write=move || drawn.with(|drawn| drawn.write)
                    >
                        {move || drawn.with(|drawn| drawn.shapes.iter().map(paint).collect::<Vec<_>>())}
                    </g>
                }
            }
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_written_to_a_tenth() {
        for (value, text) in [(0.0, "0"), (176.5, "176.5"), (-0.5, "-0.5"), (12.04, "12"), (-3.0, "-3"), (-0.04, "0")] {
            assert_eq!(px(value), text);
        }
    }
}
