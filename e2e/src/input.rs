//! Real input: the browser gets these as it gets those of a hand, with hit testing, pointer capture and focus.

use std::time::Duration;

use fantoccini::actions::{
    ActionSequence, InputSource as _, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
    TouchActions,
};
use fantoccini::key::Key;

/// What a hand holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// A mouse, its first button.
    Mouse,
    /// One finger.
    Touch,
}

/// A part of what a pointer does, at points of the page's window.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stroke {
    Down(f64, f64),
    Move(f64, f64),
    Up,
}

/// The time of one move: that of one frame, so that the page sees each of them.
pub(crate) const FRAME: Duration = Duration::from_millis(16);

impl Pointer {
    /// These strokes, done by this pointer.
    pub(crate) fn does(self, strokes: &[Stroke]) -> ActionSequence {
        // Whole pixels: not every driver takes parts.
        let to = |x: f64, y: f64| PointerAction::MoveTo { duration: Some(FRAME), x: x.round(), y: y.round() };
        let actions = strokes.iter().flat_map(|stroke| match *stroke {
            Stroke::Down(x, y) => vec![to(x, y), PointerAction::Down { button: MOUSE_BUTTON_LEFT }],
            Stroke::Move(x, y) => vec![to(x, y)],
            Stroke::Up => vec![PointerAction::Up { button: MOUSE_BUTTON_LEFT }],
        });
        match self {
            Self::Mouse => actions.fold(MouseActions::new("mouse".to_owned()), MouseActions::then).into(),
            Self::Touch => actions.fold(TouchActions::new("touch".to_owned()), TouchActions::then).into(),
        }
    }
}

/// Keys one after the other, each perhaps with others held: `ArrowRight Shift+ArrowRight Control+z`.
///
/// # Panics
/// A name is not known.
pub(crate) fn keys(chords: &str) -> ActionSequence {
    let mut actions = KeyActions::new("keyboard".to_owned());
    for chord in chords.split_whitespace() {
        let keys: Vec<char> = chord.split('+').map(key).collect();
        for &value in &keys {
            actions = actions.then(KeyAction::Down { value });
        }
        for &value in keys.iter().rev() {
            actions = actions.then(KeyAction::Up { value });
        }
    }
    actions.into()
}

/// Text as it is typed.
pub(crate) fn typing(text: &str) -> ActionSequence {
    let strokes = text.chars().flat_map(|value| [KeyAction::Down { value }, KeyAction::Up { value }]);
    strokes.fold(KeyActions::new("keyboard".to_owned()), KeyActions::then).into()
}

/// A key, by the name that it has in a `KeyboardEvent`.
pub(crate) fn key(name: &str) -> char {
    let key = match name {
        "Escape" => Key::Escape,
        "Enter" => Key::Enter,
        "Tab" => Key::Tab,
        "Space" => Key::Space,
        "Backspace" => Key::Backspace,
        "Delete" => Key::Delete,
        "ArrowLeft" => Key::Left,
        "ArrowRight" => Key::Right,
        "ArrowUp" => Key::Up,
        "ArrowDown" => Key::Down,
        "Home" => Key::Home,
        "End" => Key::End,
        "PageUp" => Key::PageUp,
        "PageDown" => Key::PageDown,
        "Shift" => Key::Shift,
        "Control" => Key::Control,
        "Alt" => Key::Alt,
        "Meta" => Key::Meta,
        _ => {
            let mut characters = name.chars();
            return match (characters.next(), characters.next()) {
                (Some(character), None) => character,
                _ => panic!("`{name}` is not the name of a key that the tests know: see input.rs"),
            };
        }
    };
    key.into()
}
