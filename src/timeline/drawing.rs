//! The drawing: the scene of the run and the grips of its handles, repainted whenever either changes.

use std::cell::RefCell;
use std::sync::Arc;

use fenceline_engine::{Micros, Scenario, Trace};
use fenceline_figure::{GripState, Handle, HandleId, Item, ItemId, Layer, Scene, Shape, Strip, grip, strip_shapes};
use leptos::prelude::*;
use leptos::svg::G;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::handles::is_shown;
use super::paint::{Group, Painter, px};
use crate::command::Command;
use crate::editor::Editor;
use crate::selection::Part;

/// The decision that a click on an item selects.
fn write_of(item: ItemId, trace: &Trace) -> Option<u32> {
    match item {
        ItemId::Verdict(verdict) => Some(verdict),
        ItemId::Message(id) | ItemId::Pill(id) | ItemId::Arrival(id) => trace.messages.get(id as usize)?.verdict,
        _ => None,
    }
}

/// What the drawing shows of the editor beside the run itself.
#[derive(Clone, Copy)]
struct Looked {
    picked: Option<Part>,
    playhead: Option<Micros>,
}

fn group<'a>(scenario: &Scenario, scene: &'a Scene, trace: &Trace, looked: Looked, item: &Item) -> Group<'a, ItemId> {
    let part = Part::of_item(scenario, trace, scene, item.id);
    let is_ahead = looked.playhead.is_some_and(|now| item.at.is_some_and(|at| at > now));
    let class = match (item.selected, part.is_some() && part == looked.picked, is_ahead) {
        (true, false, false) => "fl-selected",
        (true, true, false) => "fl-selected picked",
        (false, true, false) => "picked",
        (false, false, false) => "",
        (true, _, true) => "fl-selected ahead",
        (false, _, true) => "ahead",
    };
    Group { key: item.id, class, write: write_of(item.id, trace), part, shapes: scene.shapes(item) }
}

/// Paints into a group whenever what `paint` reads changes.
fn repaint<K: Ord + Copy + 'static>(into: NodeRef<G>, paint: impl Fn(&mut Painter<K>) + 'static) {
    let painter = RefCell::new(None::<Painter<K>>);
    Effect::new(move |_| {
        let Some(into) = into.get() else { return };
        let mut painter = painter.borrow_mut();
        paint(painter.get_or_insert_with(|| Painter::new(into.unchecked_into::<Element>())));
    });
}

/// The drawing. It is decoration to a reader of the page: handles and list say all of it in words.
#[component]
pub fn Drawing(
    /// What is open.
    editor: Editor,
    /// The handle under the pointer.
    hovered: RwSignal<Option<HandleId>>,
    /// Whether the last press moved the drawing: then it was no click.
    moved: StoredValue<bool>,
) -> impl IntoView {
    let scene = editor.scene;
    let marks = NodeRef::<G>::new();
    repaint(marks, move |painter| {
        let looked = Looked { picked: editor.part.get(), playhead: editor.playhead.get() };
        let scenario = editor.scenario.get();
        let strip = drawn_strip(editor);
        scene.with(|scene| {
            editor.trace.with(|trace| {
                let (under, over) =
                    scene.items.split_at(scene.items.partition_point(|item| item.layer < Layer::RaceWindow));
                let strip = Group { key: ItemId::RaceWindow, class: "", write: None, part: None, shapes: &strip };
                let of = |item| group(&scenario, scene, trace, looked, item);
                painter.paint(under.iter().map(of).chain([strip]).chain(over.iter().map(of)));
            });
        });
    });
    let grips = NodeRef::<G>::new();
    repaint(grips, move |painter| {
        let (active, dragged, under) = (editor.active.get(), editor.dragging.get(), hovered.get());
        let part = editor.part.get();
        let note = editor.strip.with(|strip| strip.as_ref().and_then(Strip::margin)).unwrap_or_default();
        let drawn = scene.with(|scene| {
            drawn_grips(scene, active, &note, |handle| under == Some(handle.id) || is_shown(handle, part))
        });
        painter.paint(drawn.iter().map(|(key, shapes)| {
            let class = match dragged {
                Some(dragged) if dragged != *key => "grip faded",
                _ if under == Some(*key) => "grip hovered",
                _ => "grip",
            };
            Group { key: *key, class, write: None, part: None, shapes }
        }));
    });
    let width = Signal::derive(move || scene.with(|scene| px(scene.width)));
    let height = Signal::derive(move || scene.with(|scene| px(scene.height)));
    let select = move |event: web_sys::MouseEvent| {
        if moved.get_value() {
            return;
        }
        if let Some(command) = clicked(editor, &event) {
            editor.run(command);
        }
    };
    view! {
        <svg class="drawing" width=width height=height aria-hidden="true" focusable="false" on:click=select>
            <g node_ref=marks></g>
            <g node_ref=grips></g>
        </svg>
    }
}

/// The shapes of the race window of the active handle.
fn drawn_strip(editor: Editor) -> Vec<Shape> {
    let dragged = editor.dragging.get();
    editor.strip.with(|strip| {
        let shapes = strip.as_ref().and_then(|strip| {
            editor.scene.with(|scene| {
                Some(strip_shapes(scene, scene.handle(strip.handle)?, strip, dragged == Some(strip.handle)))
            })
        });
        shapes.unwrap_or_default()
    })
}

/// The shapes of all grips, the active one last, so that nothing lies over its bubble.
fn drawn_grips(
    scene: &Arc<Scene>,
    active: Option<HandleId>,
    note: &str,
    is_shown: impl Fn(&Handle) -> bool,
) -> Vec<(HandleId, Vec<Shape>)> {
    let (mut drawn, last): (Vec<_>, Vec<_>) = scene.handles.iter().partition(|handle| Some(handle.id) != active);
    drawn.extend(last);
    let state = |handle: &Handle| match (active == Some(handle.id), is_shown(handle)) {
        (true, _) => GripState::Selected,
        (false, true) => GripState::Shown,
        (false, false) => GripState::Rest,
    };
    drawn.into_iter().map(|handle| (handle.id, grip(scene, handle, state(handle), note))).collect()
}

/// What a click on something means, by the nearest element around it that says what it stands for.
pub fn clicked(editor: Editor, event: &web_sys::MouseEvent) -> Option<Command> {
    let element = event.target()?.dyn_into::<Element>().ok()?;
    let said = |name: &str| {
        let around = element.closest(&["[", name, "]"].concat()).ok()??;
        around.get_attribute(name)
    };
    let write = said("data-write").and_then(|write| editor.write_id(write.parse().ok()?));
    write.map(Command::Select).or_else(|| Some(Command::Pick(Some(Part::read(&said("data-part")?)?))))
}
