//! The hand: pointer events over the timeline, turned into commands.
//!
//! Presses are heard where the handles are; what follows is heard at the window, so that a drag goes on whatever the
//! pointer passes over, and whatever is redrawn under it. Invariant: at most one move is worked out a frame, and a drop
//! works out the last one first.

use fenceline_figure::{Handle, HandleId};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::PointerEvent;

use super::handles::{FINGER, element_of, is_shown};
use super::reach::nearest;
use crate::command::{Command, Fineness};
use crate::drag::{Effect as Gesture, Pointer};
use crate::editor::Editor;

/// What turns events into commands.
#[derive(Clone, Copy)]
pub struct Hand {
    editor: Editor,
    /// What lies over the drawing: its corner is the drawing's.
    over: NodeRef<Div>,
    /// The least width and height of the area in which a handle is taken.
    reach: f32,
    /// The handle under the pointer.
    hovered: RwSignal<Option<HandleId>>,
    /// What waits for the next frame: where the pointer was last.
    pending: StoredValue<Option<(HandleId, f64, Fineness)>>,
}

impl Hand {
    /// A hand that listens for as long as the current owner lives.
    pub fn new(editor: Editor, over: NodeRef<Div>, reach: f32, hovered: RwSignal<Option<HandleId>>) -> Self {
        let hand = Self { editor, over, reach, hovered, pending: StoredValue::new(None) };
        let listeners = [
            window_event_listener(ev::pointermove, move |event| hand.motion(&event)),
            window_event_listener(ev::pointerup, move |event| hand.release(&event)),
            window_event_listener(ev::pointercancel, move |event| hand.cancel(&event)),
        ];
        on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
        hand
    }

    /// A pointer goes down over a handle.
    pub fn press(self, event: &PointerEvent) {
        let taken = self.under(event).and_then(|id| {
            self.editor.scene.with_untracked(|scene| Some((id, scene.scale.x(scene.handle(id)?.now_us))))
        });
        let Some((taken, at)) = taken else { return };
        if let Gesture::Hold(id) = self.editor.pointer(|drag| drag.press(taken, at, self.pointer(event))) {
            self.editor.run(Command::Activate(id));
            if let Some(element) = element_of(id) {
                // So that the drag goes on outside the window. A pointer that is gone by now cannot be captured.
                let _ = element.set_pointer_capture(event.pointer_id());
                let _ = element.focus();
            }
        }
    }

    /// A pointer moves over a handle.
    pub fn hover(self, event: &PointerEvent) {
        let under = self.under(event).filter(|_| event.buttons() == 0);
        if self.hovered.get_untracked() != under {
            self.hovered.set(under);
        }
    }

    fn motion(self, event: &PointerEvent) {
        if event.buttons() == 0 {
            // The pointer went up where nobody heard it.
            self.release(event);
            return;
        }
        let moved = self.pointer(event);
        let fineness = match (event.alt_key(), event.shift_key()) {
            (true, _) => Fineness::Tenths,
            (false, true) => Fineness::Events,
            (false, false) => Fineness::Steps,
        };
        self.perform(self.editor.pointer(|drag| drag.motion(moved)), fineness);
    }

    fn release(self, event: &PointerEvent) {
        self.perform(self.editor.pointer(|drag| drag.release(event.pointer_id())), Fineness::Steps);
    }

    fn cancel(self, event: &PointerEvent) {
        self.perform(self.editor.pointer(|drag| drag.cancel_pointer(event.pointer_id())), Fineness::Steps);
    }

    fn perform(self, gesture: Gesture<HandleId>, fineness: Fineness) {
        match gesture {
            Gesture::Begin(id, x) => {
                self.editor.run(Command::Grab(id));
                self.soon(id, x, fineness);
            }
            Gesture::Move(id, x) => self.soon(id, x, fineness),
            Gesture::Commit(_) => {
                self.flush();
                self.editor.run(Command::Drop);
            }
            Gesture::Rollback(_) => self.editor.run(Command::Cancel),
            Gesture::Nothing | Gesture::Hold(_) | Gesture::Click(_) => {}
        }
    }

    fn soon(self, id: HandleId, x: f64, fineness: Fineness) {
        let idle = self.pending.with_value(Option::is_none);
        self.pending.set_value(Some((id, x, fineness)));
        if idle {
            request_animation_frame(move || self.flush());
        }
    }

    fn flush(self) {
        if let Some((id, x, fineness)) = self.pending.try_update_value(Option::take).flatten() {
            self.editor.run(Command::Place(id, x, fineness));
        }
    }

    /// The handle that the pointer would take hold of.
    fn under(self, event: &PointerEvent) -> Option<HandleId> {
        let (x, y) = self.place(event);
        let part = self.editor.part.get_untracked();
        // A finger cannot find what shows only under a pointer: a dot is there for it when its part is selected.
        let can_be_found = |handle: &&Handle| self.reach < FINGER || is_shown(handle, part);
        self.editor
            .scene
            .with_untracked(|scene| nearest(scene.handles.iter().filter(can_be_found), x as f32, y as f32, self.reach))
    }

    /// Where the pointer is, in the coordinates of the drawing.
    fn place(self, event: &PointerEvent) -> (f64, f64) {
        let corner = self.over.get_untracked().map(|over| over.get_bounding_client_rect());
        let (left, top) = corner.map_or((0.0, 0.0), |corner| (corner.left(), corner.top()));
        (f64::from(event.client_x()) - left, f64::from(event.client_y()) - top)
    }

    fn pointer(self, event: &PointerEvent) -> Pointer {
        Pointer {
            id: event.pointer_id(),
            x: self.place(event).0,
            is_primary: event.is_primary(),
            button: event.button(),
        }
    }
}
