//! The handles: what lies over the drawing and can be taken by mouse, finger, pen and keys.
//!
//! They are HTML, since focus on SVG elements is not reliable across browsers; what a grip looks like is painted by the
//! drawing under them. Invariants: a handle's element stays where it is for as long as its number is there, so that
//! neither a drag nor the focus is lost while handles pass each other; only handles take touches, so that the page
//! scrolls everywhere else.

use std::collections::BTreeMap;

use fenceline_engine::Micros;
use fenceline_figure::{GripShape, Handle, HandleId, Scene};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::hand::Hand;
use super::paint::css_px;
use super::race_window::RACE_WINDOW;
use crate::command::{Command, Stroke};
use crate::editor::Editor;
use crate::platform::focus;
use crate::platform::size::pointer_is_coarse;
use crate::selection::Part;
use crate::spoken::{plain_number, spoken_outcome, spoken_value};

/// The smallest area that takes a pointer, in px: for a mouse, and for a finger.
const REACH: [f32; 2] = [28.0, FINGER];

/// The smallest area that takes a finger, in px.
pub const FINGER: f32 = 44.0;

/// Whether a handle can be seen without pointing at it: a dot only while its part is selected.
pub fn is_shown(handle: &Handle, part: Option<Part>) -> bool {
    handle.shape != GripShape::Dot || part.is_some() && part == Part::of_handle(handle.id)
}

/// The id of a handle's element.
fn element_id(handle: HandleId) -> String {
    format!("handle-{handle}")
}

/// The element of a handle.
pub fn element_of(handle: HandleId) -> Option<HtmlElement> {
    document().get_element_by_id(&element_id(handle))?.dyn_into().ok()
}

/// All handles in an order that no drag changes: by lane, then by what they are.
fn in_place(scene: &Scene) -> Vec<HandleId> {
    let lane = |handle: &Handle| scene.lanes.iter().position(|place| place.lane == handle.lane);
    let mut placed: Vec<_> = scene.handles.iter().map(|handle| (lane(handle), handle.id)).collect();
    placed.sort_unstable();
    placed.into_iter().map(|(_, id)| id).collect()
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
    let outcome = Memo::new(move |_| spoken_outcome(editor));
    let reach = REACH[usize::from(pointer_is_coarse())];
    let hand = Hand::new(editor, over, reach, hovered);
    let ids = Memo::new(move |_| editor.scene.with(|scene| in_place(scene)));
    // Looked up once for all: each of a thousand handles would go through all of them.
    let places = Memo::new(move |_| {
        editor.scene.with(|scene| scene.handles.iter().enumerate().map(|(place, handle)| (handle.id, place)).collect())
    });
    let keys = move |event: KeyboardEvent| {
        let Some(handle) = editor.active.get_untracked() else { return };
        let Some(command) = Command::on_handle(stroke_of(&event.key(), &event), handle) else { return };
        event.prevent_default();
        let walks = matches!(command, Command::Walk(_));
        editor.run(command);
        if let (true, Some(next)) = (walks, editor.active.get_untracked().and_then(element_of)) {
            // An element that cannot be focused leaves the focus where it is.
            let _ = next.focus();
        }
    };
    // Handles that come and go make the others move in the document, and an element that is moved loses the focus.
    let has_focus = StoredValue::new(false);
    let pressed = window_event_listener(leptos::ev::pointerdown, move |_| has_focus.set_value(false));
    on_cleanup(move || pressed.remove());
    Effect::new(move |_| {
        ids.track();
        if has_focus.get_value() {
            focus::soon_if_lost(".handle[tabindex='0']");
        }
    });
    view! {
        <div
            class="handles"
            node_ref=over
            role="group"
            aria-label="Handles of the timeline"
            on:keydown=keys
            on:focusin=move |_| has_focus.set_value(true)
            on:focusout=move |event| {
                // To somewhere else, by a person; an element that is moved gives it to nobody.
                if event.related_target().is_some() {
                    has_focus.set_value(false);
                }
            }
            on:pointerdown=move |event| hand.press(&event)
            on:pointermove=move |event| hand.hover(&event)
            on:pointerout=move |_| hovered.set(None)
            // Focus goes to the handle that is taken, not to the element that happens to lie on top.
            on:mousedown=|event| event.prevent_default()
        >
            <For
                each=move || ids.get()
                key=|id| *id
                children=move |id| view! { <HandleView editor places id outcome reach/> }
            />
        </div>
    }
}

/// What a handle's number is where it stands at that time.
fn length(at: Micros, handle: &Handle) -> i64 {
    at as i64 - handle.from_us as i64
}

/// A key event as the commands read it.
pub fn stroke_of<'a>(key: &'a str, event: &KeyboardEvent) -> Stroke<'a> {
    Stroke { key, command: event.ctrl_key() || event.meta_key(), shift: event.shift_key(), alt: event.alt_key() }
}

#[component]
fn HandleView(
    editor: Editor,
    places: Memo<BTreeMap<HandleId, usize>>,
    id: HandleId,
    outcome: Memo<String>,
    reach: f32,
) -> impl IntoView {
    let handle = Memo::new(move |_| {
        let place = places.with(|places| places.get(&id).copied())?;
        editor.scene.with(|scene| scene.handles.get(place).cloned())
    });
    let read = move |of: fn(&Handle) -> f32| handle.with(|handle| handle.as_ref().map_or(0.0, of));
    let is_body = handle.with_untracked(|handle| handle.as_ref().is_some_and(|handle| handle.shape == GripShape::Body));
    let width = move || if is_body { read(|handle| handle.w) } else { read(|handle| handle.w).max(reach) };
    let height = move || read(|handle| handle.h).max(reach);
    let words = move |of: fn(&Handle) -> String| handle.with(|handle| handle.as_ref().map_or_else(String::new, of));
    let text = move |of: fn(&Handle) -> String| Signal::derive(move || words(of));
    let value_text = Signal::derive(move || [words(|handle| spoken_value(&handle.value)), outcome.get()].join(", "));
    let stop = Signal::derive(move || if editor.active.get() == Some(id) { "0" } else { "-1" });
    view! {
        <div
            class="handle"
            class:body=is_body
            class:unseen=Signal::derive(move || {
                handle.with(|handle| handle.as_ref().is_some_and(|handle| !is_shown(handle, editor.part.get())))
            })
            id=element_id(id)
            role="slider"
            tabindex=stop
            aria-label=text(|handle| handle.label.clone())
            aria-orientation="horizontal"
            aria-valuemin=text(|handle| plain_number(length(handle.min_us, handle)))
            aria-valuemax=text(|handle| plain_number(length(handle.max_us, handle)))
            aria-valuenow=text(|handle| plain_number(handle.value_us))
            aria-valuetext=value_text
            aria-describedby=Signal::derive(move || (editor.active.get() == Some(id)).then_some(RACE_WINDOW))
            style:left=Signal::derive(move || css_px(read(|handle| handle.x) - width() / 2.0))
            style:top=Signal::derive(move || css_px(read(|handle| handle.y) - height() / 2.0))
            style:width=Signal::derive(move || css_px(width()))
            style:height=Signal::derive(move || css_px(height()))
            on:focus=move |_| editor.run(Command::Activate(id))
        ></div>
    }
}
