//! The drag: what pointer events on a handle mean, as a state machine without a browser.
//!
//! Idle, pressed, dragging. Invariants: only the primary button of the primary pointer starts anything; only that pointer
//! goes on with it; a press that never moves further than [`SLOP`] is a click; where the handle was grabbed stays under
//! the pointer.

/// How far, in CSS pixels, a press may move and still be a click.
pub const SLOP: f64 = 3.0;

/// What a pointer event says, in the coordinates of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Which pointer.
    pub id: i32,
    /// Where it is.
    pub x: f64,
    /// Whether it is the first finger, or the mouse.
    pub is_primary: bool,
    /// The button that changed; 0 is the main one.
    pub button: i16,
}

/// Where a drag stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Drag<H> {
    /// Nothing is held.
    #[default]
    Idle,
    /// A handle is held and was not moved yet.
    Pressed {
        /// The handle.
        handle: H,
        /// The pointer that holds it.
        pointer: i32,
        /// Where it was pressed.
        from: f64,
        /// How far right of the handle's own place it was pressed.
        grab: f64,
    },
    /// A handle follows the pointer.
    Dragging {
        /// The handle.
        handle: H,
        /// The pointer that holds it.
        pointer: i32,
        /// How far right of the handle's own place it was pressed.
        grab: f64,
    },
}

/// What is to be done about an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect<H> {
    /// Nothing.
    Nothing,
    /// The handle was taken hold of: capture the pointer.
    Hold(H),
    /// The handle's first move: begin a preview, then place it at this x.
    Begin(H, f64),
    /// Place the handle at this x.
    Move(H, f64),
    /// The drag is over: keep it.
    Commit(H),
    /// The drag is off: as if it had never begun.
    Rollback(H),
    /// It was a click.
    Click(H),
}

impl<H: Copy> Drag<H> {
    /// The handle that is being dragged, if any moved yet.
    pub const fn dragged(self) -> Option<H> {
        match self {
            Self::Dragging { handle, .. } => Some(handle),
            _ => None,
        }
    }

    /// The handle that is held, moved or not.
    pub const fn held(self) -> Option<H> {
        match self {
            Self::Idle => None,
            Self::Pressed { handle, .. } | Self::Dragging { handle, .. } => Some(handle),
        }
    }

    /// A pointer goes down on a handle that stands at `at`.
    pub fn press(&mut self, handle: H, at: f64, pointer: Pointer) -> Effect<H> {
        if self.held().is_some() || pointer.button != 0 || !pointer.is_primary {
            return Effect::Nothing;
        }
        *self = Self::Pressed { handle, pointer: pointer.id, from: pointer.x, grab: pointer.x - at };
        Effect::Hold(handle)
    }

    /// A pointer moves.
    pub fn motion(&mut self, pointer: Pointer) -> Effect<H> {
        match *self {
            Self::Pressed { handle, pointer: id, from, grab } if id == pointer.id => {
                if (pointer.x - from).abs() <= SLOP {
                    return Effect::Nothing;
                }
                *self = Self::Dragging { handle, pointer: id, grab };
                Effect::Begin(handle, pointer.x - grab)
            }
            Self::Dragging { handle, pointer: id, grab } if id == pointer.id => Effect::Move(handle, pointer.x - grab),
            _ => Effect::Nothing,
        }
    }

    /// A pointer goes up.
    pub fn release(&mut self, pointer: i32) -> Effect<H> {
        match *self {
            Self::Pressed { handle, pointer: id, .. } if id == pointer => {
                *self = Self::Idle;
                Effect::Click(handle)
            }
            Self::Dragging { handle, pointer: id, .. } if id == pointer => {
                *self = Self::Idle;
                Effect::Commit(handle)
            }
            _ => Effect::Nothing,
        }
    }

    /// Escape, a lost pointer, an undo: whatever is held is let go of.
    pub fn cancel(&mut self) -> Effect<H> {
        match std::mem::replace(self, Self::Idle) {
            Self::Dragging { handle, .. } => Effect::Rollback(handle),
            Self::Pressed { .. } | Self::Idle => Effect::Nothing,
        }
    }

    /// [`Self::cancel`], by one pointer: another pointer's cancellation is none of the drag's business.
    pub fn cancel_pointer(&mut self, pointer: i32) -> Effect<H> {
        match *self {
            Self::Pressed { pointer: id, .. } | Self::Dragging { pointer: id, .. } if id == pointer => self.cancel(),
            _ => Effect::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    const MOUSE: Pointer = Pointer { id: 1, x: 100.0, is_primary: true, button: 0 };

    fn at(x: f64) -> Pointer {
        Pointer { x, button: -1, ..MOUSE }
    }

    fn pressed() -> Drag<char> {
        let mut drag = Drag::default();
        assert_eq!(drag.press('p', 96.0, MOUSE), Effect::Hold('p'));
        drag
    }

    #[test]
    fn the_place_where_a_handle_was_grabbed_stays_under_the_pointer() {
        let mut drag = pressed();
        assert_eq!(drag.motion(at(120.0)), Effect::Begin('p', 116.0));
        assert_eq!(drag.motion(at(90.0)), Effect::Move('p', 86.0));
        assert_eq!(drag.release(1), Effect::Commit('p'));
        assert_eq!(drag, Drag::Idle);
    }

    #[test]
    fn a_press_that_hardly_moves_is_a_click() {
        let mut drag = pressed();
        assert_eq!(drag.motion(at(103.0)), Effect::Nothing);
        assert_eq!(drag.release(1), Effect::Click('p'));
    }

    #[test]
    fn a_drag_that_comes_back_is_still_a_drag() {
        let mut drag = pressed();
        drag.motion(at(120.0));
        assert_eq!(drag.motion(at(100.0)), Effect::Move('p', 96.0));
        assert_eq!(drag.release(1), Effect::Commit('p'));
    }

    #[test]
    fn only_the_primary_button_of_the_primary_pointer_takes_hold() {
        let mut drag = Drag::default();
        assert_eq!(drag.press('p', 0.0, Pointer { button: 2, ..MOUSE }), Effect::Nothing);
        assert_eq!(drag.press('p', 0.0, Pointer { is_primary: false, ..MOUSE }), Effect::Nothing);
        assert_eq!(drag, Drag::Idle);
    }

    #[test]
    fn a_second_pointer_neither_takes_over_nor_ends_a_drag() {
        let mut drag = pressed();
        drag.motion(at(120.0));
        let second = Pointer { id: 2, ..MOUSE };
        assert_eq!(drag.press('q', 0.0, second), Effect::Nothing);
        assert_eq!(drag.motion(Pointer { x: 300.0, ..second }), Effect::Nothing);
        assert_eq!(drag.release(2), Effect::Nothing);
        assert_eq!(drag.cancel_pointer(2), Effect::Nothing);
        assert_eq!(drag.dragged(), Some('p'));
    }

    #[test]
    fn a_cancelled_drag_is_rolled_back_and_its_pointer_forgotten() {
        let mut drag = pressed();
        drag.motion(at(120.0));
        assert_eq!(drag.cancel(), Effect::Rollback('p'));
        assert_eq!(drag.motion(at(130.0)), Effect::Nothing);
        assert_eq!(drag.release(1), Effect::Nothing);
    }

    #[test]
    fn a_press_that_is_cancelled_leaves_nothing_to_roll_back() {
        let mut drag = pressed();
        assert_eq!(drag.cancel_pointer(1), Effect::Nothing);
        assert_eq!(drag, Drag::Idle);
    }
}
