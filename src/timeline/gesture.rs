//! Gestures on the drawing that change what is shown: the wheel, a pinch, a drag of the empty drawing.
//!
//! Invariants: a finger or wheel that moves up and down scrolls the page as everywhere else; nothing here starts on a
//! handle or on the scrubber; a drag that moved the drawing is no click.

use fenceline_engine::Micros;
use fenceline_figure::TimeWindow;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent, WheelEvent};

use super::zoom::pinched;
use crate::command::Command;
use crate::drag::SLOP;
use crate::editor::Editor;

/// How many px of a wheel are one step of zoom.
const WHEEL: f64 = 200.0;

/// A pointer that is down on the drawing.
#[derive(Clone, Copy, Debug)]
struct Down {
    id: i32,
    from: f64,
    now: f64,
}

/// What the hands do on the drawing.
#[derive(Clone, Copy)]
pub struct Gestures {
    editor: Editor,
    frame: NodeRef<Div>,
    down: StoredValue<Vec<Down>>,
    /// What was shown when the last pointer came down or went up.
    shown: StoredValue<Option<TimeWindow>>,
    moved: StoredValue<bool>,
}

impl Gestures {
    /// Gestures that are listened to for as long as the current owner lives.
    pub fn new(editor: Editor, frame: NodeRef<Div>) -> Self {
        let gestures = Self {
            editor,
            frame,
            down: StoredValue::new(Vec::new()),
            shown: StoredValue::new(None),
            moved: StoredValue::new(false),
        };
        let listeners = [
            window_event_listener(ev::pointermove, move |event| gestures.motion(&event)),
            window_event_listener(ev::pointerup, move |event| gestures.up(&event)),
            window_event_listener(ev::pointercancel, move |event| gestures.up(&event)),
        ];
        on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
        gestures
    }

    /// The wheel turns over the drawing.
    pub fn wheel(self, event: &WheelEvent) {
        // Lines and pages come to about so many px.
        let unit = match event.delta_mode() {
            WheelEvent::DOM_DELTA_LINE => 16.0,
            WheelEvent::DOM_DELTA_PAGE => 400.0,
            _ => 1.0,
        };
        let (across, along) = (event.delta_x() * unit, event.delta_y() * unit);
        if event.ctrl_key() || event.meta_key() {
            event.prevent_default();
            let at = self.time_at(f64::from(event.client_x()));
            self.editor.run(Command::ZoomBy(-along / WHEEL, Some(at)));
        } else if self.editor.zoom.get_untracked().is_some() {
            let by = if event.shift_key() { across + along } else { across };
            if by != 0.0 && (event.shift_key() || across.abs() > along.abs()) {
                event.prevent_default();
                self.editor.run(Command::PanBy(by / self.width()));
            }
        }
    }

    /// A pointer goes down on the drawing.
    pub fn press(self, event: &PointerEvent) {
        let on_a_control = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
            .is_some_and(|target| target.closest("[role=slider]").ok().flatten().is_some());
        if on_a_control || event.button() != 0 {
            return;
        }
        let x = f64::from(event.client_x());
        self.down.update_value(|down| {
            if down.len() < 2 {
                down.push(Down { id: event.pointer_id(), from: x, now: x });
            }
        });
        self.moved.set_value(false);
        self.begin();
    }

    /// Whether the click that comes now belongs to a drag of the drawing.
    pub const fn moved(&self) -> StoredValue<bool> {
        self.moved
    }

    fn begin(self) {
        self.down.update_value(|down| down.iter_mut().for_each(|down| down.from = down.now));
        self.shown.set_value(Some(self.editor.axis.get_untracked()));
    }

    fn motion(self, event: &PointerEvent) {
        let id = event.pointer_id();
        if !self.down.with_value(|down| down.iter().any(|down| down.id == id)) {
            return;
        }
        if event.buttons() == 0 {
            self.up(event);
            return;
        }
        let x = f64::from(event.client_x());
        self.down.update_value(|down| {
            if let Some(down) = down.iter_mut().find(|down| down.id == id) {
                down.now = x;
            }
        });
        let down = self.down.with_value(Clone::clone);
        let is_still = down.iter().all(|down| (down.now - down.from).abs() <= SLOP);
        if is_still && !self.moved.get_value() {
            return;
        }
        let fingers = match down[..] {
            [one] if self.editor.zoom.get_untracked().is_some() => Some((one, one)),
            [one, other] => Some((one, other)),
            _ => None,
        };
        let Some((one, other)) = fingers else { return };
        let Some(shown) = self.shown.get_value() else { return };
        self.moved.set_value(true);
        let part = |x: f64| self.part_at(x);
        let whole = self.editor.whole.get_untracked();
        let window = pinched(shown, whole, (part(one.from), part(other.from)), (part(one.now), part(other.now)));
        self.editor.run(Command::Zoom(window));
    }

    fn up(self, event: &PointerEvent) {
        let id = event.pointer_id();
        self.down.update_value(|down| down.retain(|down| down.id != id));
        self.begin();
    }

    fn width(self) -> f64 {
        self.editor.scene.with_untracked(|scene| f64::from(scene.scale.right() - scene.scale.left())).max(1.0)
    }

    /// A place in the window as a part of the axis.
    fn part_at(self, x: f64) -> f64 {
        let left = self.frame.get_untracked().map_or(0.0, |frame| frame.get_bounding_client_rect().left());
        let from = self.editor.scene.with_untracked(|scene| f64::from(scene.scale.left()));
        (x - left - from) / self.width()
    }

    fn time_at(self, x: f64) -> Micros {
        let axis = self.editor.axis.get_untracked();
        let part = self.part_at(x).clamp(0.0, 1.0);
        axis.from_us() + (part * axis.length() as f64) as Micros
    }
}
