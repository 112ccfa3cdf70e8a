//! The handles: what lies over the drawing and can be taken by mouse, finger, pen and keys.
//!
//! They are HTML, since focus on SVG elements is not reliable across browsers; what a grip looks like is painted by the
//! drawing under them. Invariants: a handle's element lives as long as its number does, so that a drag never loses its
//! pointer; only handles take touches, so that the page scrolls everywhere else; at most one move is worked out a frame.

use fenceline_figure::{GripShape, Handle, HandleId};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent};

use super::paint::css_px;
use super::reach::nearest;
use crate::command::{Command, Fineness, Stroke};
use crate::drag::{Effect as Gesture, Pointer};
use crate::editor::Editor;
use crate::platform::size::pointer_is_coarse;
use crate::spoken::{plain_number, spoken_outcome, spoken_value};

/// The smallest area that takes a pointer, in px: for a mouse, and for a finger.
const REACH: [f32; 2] = [28.0, 44.0];

/// What waits for the next frame: where the pointer was last.
type Pending = StoredValue<Option<(HandleId, f64, Fineness)>>;

/// The id of a handle's element.
fn element_id(handle: HandleId) -> String {
    format!("handle-{handle}")
}

/// All handles, as one tab stop.
#[component]
pub fn Handles(
    /// What is open.
    editor: Editor,
    /// The handle under the pointer.
    hovered: RwSignal<Option<HandleId>>,
) -> impl IntoView {
    let over = NodeRef::<Div>::new();
    let pending: Pending = StoredValue::new(None);
    let outcome = Memo::new(move |_| spoken_outcome(editor));
    let reach = REACH[usize::from(pointer_is_coarse())];
    let ids =
        Memo::new(move |_| editor.scene.with(|scene| scene.handles.iter().map(|handle| handle.id).collect::<Vec<_>>()));
    let keys = move |event: KeyboardEvent| {
        let Some(handle) = editor.active.get_untracked() else { return };
        let Some(command) = Command::on_handle(stroke_of(&event.key(), &event), handle) else { return };
        event.prevent_default();
        editor.run(command);
        if let (Command::Walk(_), Some(next)) = (command, editor.active.get_untracked()) {
            if let Some(element) = element_of(next) {
                // An element that cannot be focused leaves the focus where it is.
                let _ = element.focus();
            }
        }
    };
    view! {
        <div class="handles" node_ref=over on:keydown=keys role="group" aria-label="Handles of the timeline">
            <For
                each=move || ids.get()
                key=|id| *id
                children=move |id| view! { <HandleView editor id over pending outcome reach hovered/> }
            />
        </div>
    }
}

/// A key event as the commands read it.
pub fn stroke_of<'a>(key: &'a str, event: &KeyboardEvent) -> Stroke<'a> {
    Stroke { key, command: event.ctrl_key() || event.meta_key(), shift: event.shift_key(), alt: event.alt_key() }
}

fn element_of(handle: HandleId) -> Option<HtmlElement> {
    document().get_element_by_id(&element_id(handle))?.dyn_into().ok()
}

#[component]
fn HandleView(
    editor: Editor,
    id: HandleId,
    over: NodeRef<Div>,
    pending: Pending,
    outcome: Memo<String>,
    reach: f32,
    hovered: RwSignal<Option<HandleId>>,
) -> impl IntoView {
    let handle = Memo::new(move |_| editor.scene.with(|scene| scene.handle(id).cloned()));
    let read = move |of: fn(&Handle) -> f32| handle.with(|handle| handle.as_ref().map_or(0.0, of));
    let is_body = handle.with_untracked(|handle| handle.as_ref().is_some_and(|handle| handle.shape == GripShape::Body));
    let width = move || if is_body { read(|handle| handle.w) } else { read(|handle| handle.w).max(reach) };
    let height = move || read(|handle| handle.h).max(reach);
    let text = move |of: fn(&Handle) -> String| handle.with(|handle| handle.as_ref().map_or_else(String::new, of));
    let value_text = move || [text(|handle| spoken_value(&handle.value)), outcome.get()].join(", ");

    // Where the pointer is, in the coordinates of the drawing.
    let place = move |event: &PointerEvent| {
        let corner = over.get_untracked().map(|over| over.get_bounding_client_rect());
        let (left, top) = corner.map_or((0.0, 0.0), |corner| (corner.left(), corner.top()));
        (f64::from(event.client_x()) - left, f64::from(event.client_y()) - top)
    };
    let pointer = move |event: &PointerEvent| Pointer {
        id: event.pointer_id(),
        x: place(event).0,
        is_primary: event.is_primary(),
        button: event.button(),
    };
    let flush = move || {
        if let Some((id, x, fineness)) = pending.try_update_value(Option::take).flatten() {
            editor.run(Command::Place(id, x, fineness));
        }
    };
    let perform = move |gesture: Gesture<HandleId>, fineness: Fineness| match gesture {
        Gesture::Begin(id, x) | Gesture::Move(id, x) => {
            if matches!(gesture, Gesture::Begin(..)) {
                editor.run(Command::Grab(id));
            }
            let idle = pending.with_value(Option::is_none);
            pending.set_value(Some((id, x, fineness)));
            if idle {
                request_animation_frame(flush);
            }
        }
        Gesture::Commit(_) => {
            flush();
            editor.run(Command::Drop);
        }
        Gesture::Rollback(_) => {
            pending.set_value(None);
            editor.run(Command::Cancel);
        }
        Gesture::Nothing | Gesture::Hold(_) | Gesture::Click(_) => {}
    };
    let press = move |event: PointerEvent| {
        let (x, y) = place(&event);
        let taken = editor.scene.with_untracked(|scene| {
            let taken = nearest(&scene.handles, x as f32, y as f32, reach)?;
            Some((taken, scene.scale.x(scene.handle(taken)?.now_us)))
        });
        let Some((taken, at)) = taken else { return };
        if let Gesture::Hold(id) = editor.pointer(|drag| drag.press(taken, at, pointer(&event))) {
            editor.run(Command::Activate(id));
            if let Some(element) = element_of(id) {
                // A pointer that is gone by now cannot be captured, and sends nothing more either.
                let _ = element.set_pointer_capture(event.pointer_id());
                let _ = element.focus();
            }
        }
    };
    let motion = move |event: PointerEvent| {
        let moved = pointer(&event);
        let fineness = if event.alt_key() { Fineness::Tenths } else { Fineness::Steps };
        perform(editor.pointer(|drag| drag.motion(moved)), fineness);
    };
    let release = move |event: PointerEvent| {
        perform(editor.pointer(|drag| drag.release(event.pointer_id())), Fineness::Steps);
    };
    let cancel = move |event: PointerEvent| {
        perform(editor.pointer(|drag| drag.cancel_pointer(event.pointer_id())), Fineness::Steps);
    };
    view! {
        <div
            class="handle"
            class:body=is_body
            class:held=move || editor.dragging.get() == Some(id)
            id=element_id(id)
            role="slider"
            tabindex=move || if editor.active.get() == Some(id) { "0" } else { "-1" }
            aria-label=move || text(|handle| handle.label.clone())
            aria-orientation="horizontal"
            aria-valuemin=move || text(|handle| plain_number(handle.min_us.saturating_sub(handle.from_us)))
            aria-valuemax=move || text(|handle| plain_number(handle.max_us.saturating_sub(handle.from_us)))
            aria-valuenow=move || text(|handle| plain_number(handle.value_us))
            aria-valuetext=value_text
            style:left=move || css_px(read(|handle| handle.x) - width() / 2.0)
            style:top=move || css_px(read(|handle| handle.y) - height() / 2.0)
            style:width=move || css_px(width())
            style:height=move || css_px(height())
            on:pointerdown=press
            // Focus goes to the handle that is taken, not to the element that happens to lie on top.
            on:mousedown=|event| event.prevent_default()
            on:pointermove=motion
            on:pointerup=release
            on:pointercancel=cancel
            on:lostpointercapture=cancel
            on:pointerenter=move |_| hovered.set(Some(id))
            on:pointerleave=move |_| hovered.set(None)
            on:focus=move |_| editor.run(Command::Activate(id))
        ></div>
    }
}
