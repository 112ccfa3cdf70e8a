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

impl Pointer {
    /// These actions, done by this pointer.
    pub(crate) fn does(self, actions: impl IntoIterator<Item = PointerAction>) -> ActionSequence {
        match self {
            Self::Mouse => actions.into_iter().fold(MouseActions::new("mouse".to_owned()), MouseActions::then).into(),
            Self::Touch => actions.into_iter().fold(TouchActions::new("touch".to_owned()), TouchActions::then).into(),
        }
    }
}

/// To this point of the page's window, in the time of one frame.
pub(crate) fn to(x: f64, y: f64) -> PointerAction {
    PointerAction::MoveTo { duration: Some(Duration::from_millis(16)), x: x.round(), y: y.round() }
}

/// The pointer goes down.
pub(crate) fn down() -> PointerAction {
    PointerAction::Down { button: MOUSE_BUTTON_LEFT }
}

/// The pointer goes up.
pub(crate) fn up() -> PointerAction {
    PointerAction::Up { button: MOUSE_BUTTON_LEFT }
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
fn key(name: &str) -> char {
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
