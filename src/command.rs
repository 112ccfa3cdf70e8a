//! The commands: everything that a person can do, as one enum, with its words and its keys.
//!
//! It exists so that a button, a key and a test do the same thing by the same name. Invariant: nothing changes the page
//! but a command given to [`Editor::run`](crate::editor::Editor::run).

use std::sync::Arc;

use fenceline_engine::{Guard, Knob, Micros, Scenario};
use fenceline_figure::{HandleId, TimeWindow};

use crate::edit::Action;
use crate::panel::Panel;
use crate::predict::Answer;
use crate::selection::{Part, WriteId};
use crate::work::Work;

/// One thing that a person does.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Take back the last step.
    Undo,
    /// Take the last undo back.
    Redo,
    /// Have the destinations judge by this guard.
    Guard(Guard),
    /// Change the scenario to this one. What cannot be run is not taken; ask [`Editor::problems`] first.
    ///
    /// [`Editor::problems`]: crate::editor::Editor::problems
    Edit(Arc<Scenario>),
    /// The same, by a press on a button beside the field at that JSON Pointer: presses that follow each other are one step.
    EditField(Arc<Scenario>, String),
    /// Set these numbers, as one step.
    Turn(Vec<(Knob, i64)>),
    /// Take hold of numbers that are turned together.
    Hold,
    /// Turn what is held to these numbers.
    TurnTo(Vec<(Knob, i64)>),
    /// Open another work in place of this one; undo brings this one back.
    Open(Work),
    /// Make a handle the one that the keys move.
    Activate(HandleId),
    /// Make the next (1) or previous (-1) handle the active one.
    Walk(isize),
    /// Move a handle by keys.
    Step(HandleId, Stride),
    /// Move a handle to the next boundary of its race window, or to the one before.
    Boundary(HandleId, bool),
    /// Start dragging a handle.
    Grab(HandleId),
    /// Place the dragged handle at an x of the drawing.
    Place(HandleId, f64, Fineness),
    /// Keep what was dragged.
    Drop,
    /// Put back what is being dragged.
    Cancel,
    /// Show why a write was judged as it was.
    Select(WriteId),
    /// Show why the next write, or the one before, was judged as it was; round the ends.
    StepWrite(bool),
    /// Select a part of the document; none for the document as a whole.
    Pick(Option<Part>),
    /// Change the structure of the document: add, move, double or take away.
    Do(Action),
    /// Take the selected part away; where more goes with it, offer that.
    RemovePart,
    /// Double the selected part.
    DuplicatePart,
    /// Open the field of a handle's number, to type it.
    Type(HandleId),
    /// Open a panel.
    Show(Panel),
    /// Put the playhead there; none puts it away.
    Seek(Option<Micros>),
    /// Put the playhead on the next event, or the one before.
    StepEvent(bool),
    /// Let the playhead go along the run, or stop it.
    Play(bool),
    /// Go on to the next speed.
    NextSpeed,
    /// Show that stretch of time; none for the whole story.
    Zoom(Option<TimeWindow>),
    /// Zoom by so many steps, in when positive, around a time; around the playhead or the middle when none is named.
    ZoomBy(f64, Option<Micros>),
    /// Move what is shown by a part of its length; positive is later.
    PanBy(f64),
    /// Show or hide what can be taken along: link, files, texts.
    Share(bool),
    /// Hand the scenario out as a file.
    Save,
    /// Show or hide the list of keys.
    Help(bool),
    /// Hide the rulings and ask for them first, from the start; or stop asking and show everything.
    Predict(bool),
    /// Say something of the write that is asked about.
    Say(Answer),
    /// Take what was said as the answer, and show what happens.
    Answer,
    /// Go on to the next write.
    NextQuestion,
    /// Go on to the next theme.
    NextTheme,
}

/// How far a key moves a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// That many steps of the scale; negative for earlier.
    Steps(i32),
    /// As early as it can be.
    Earliest,
    /// As late as it can be.
    Latest,
}

/// Every key of the page, by where it is used: what the list of keys shows.
pub const SHORTCUTS: &[(&str, &[(&str, &str)])] = &[
    (
        "Anywhere",
        &[
            ("Ctrl Z", "undo"),
            ("Shift Ctrl Z", "redo"),
            ("1 … 7", "choose a guard"),
            ("Delete", "remove what is selected"),
            ("Ctrl D", "duplicate what is selected"),
            ("Ctrl S", "save the scenario as a file"),
            ("Ctrl V", "open a scenario or a link that was copied"),
            ("Esc", "cancel a drag; put the playhead away"),
            ("?", "this list"),
        ],
    ),
    (
        "On a handle of the timeline",
        &[
            ("← →", "one step earlier or later"),
            ("Shift ← →", "ten steps"),
            ("Page Down Page Up", "fifty steps"),
            ("Home End", "as early or late as it goes"),
            ("[ ]", "previous or next boundary of its race window"),
            ("↑ ↓", "previous or next handle"),
            ("Enter", "type a value"),
        ],
    ),
    ("While dragging", &[("Alt", "finer steps"), ("Shift", "snap to other events"), ("Esc", "put it back")]),
    (
        "Playback and zoom",
        &[
            ("Space", "play or pause"),
            (", .", "previous or next event"),
            ("+ −", "zoom in or out"),
            ("0", "the whole story"),
            ("Ctrl wheel", "zoom at the pointer"),
            ("Shift wheel", "earlier or later when zoomed"),
        ],
    ),
];

/// How finely a dragged handle snaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fineness {
    /// To what else happens nearby, else to the steps of the scale.
    Events,
    /// To the steps of the scale.
    Steps,
    /// To a tenth of them.
    Tenths,
}

/// A key with what is held down beside it.
#[derive(Clone, Copy, Debug)]
pub struct Stroke<'a> {
    /// The key's value, as the browser names it.
    pub key: &'a str,
    /// Control, or ⌘ on a Mac.
    pub command: bool,
    /// Shift.
    pub shift: bool,
    /// Alt, or ⌥ on a Mac.
    pub alt: bool,
}

impl Command {
    /// Whether it changes the document by itself, and not step by step under a hand.
    pub const fn changes_the_document(&self) -> bool {
        matches!(
            self,
            Self::Guard(_)
                | Self::Edit(_)
                | Self::EditField(..)
                | Self::Turn(_)
                | Self::Open(_)
                | Self::Do(_)
                | Self::RemovePart
                | Self::DuplicatePart
        )
    }

    /// What the button that gives it says.
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::Guard(_) => "Choose guard",
            Self::Edit(_) | Self::EditField(..) | Self::Do(_) => "Change",
            Self::Turn(_) => "Apply",
            Self::Hold | Self::TurnTo(_) => "Set both numbers",
            Self::Open(_) => "Open",
            Self::Activate(_) | Self::Walk(_) => "Go to handle",
            Self::Step(..) | Self::Boundary(..) | Self::Grab(_) | Self::Place(..) => "Move handle",
            Self::Drop => "Keep",
            Self::Cancel => "Cancel",
            Self::Select(_) => "Show why",
            Self::StepWrite(true) => "Next write",
            Self::StepWrite(false) => "Previous write",
            Self::Pick(_) => "Select",
            Self::RemovePart => "Remove what is selected",
            Self::DuplicatePart => "Duplicate what is selected",
            Self::Type(_) => "Type a value",
            Self::Show(_) => "Open panel",
            Self::Seek(_) | Self::StepEvent(_) => "Move playhead",
            Self::Play(_) => "Play or pause",
            Self::NextSpeed => "Speed",
            Self::Zoom(_) | Self::ZoomBy(..) | Self::PanBy(_) => "Zoom",
            Self::Share(_) => "Share",
            Self::Save => "Save as a file",
            Self::Help(_) => "Keys",
            Self::Predict(_) => "Predict first",
            Self::Say(_) | Self::Answer | Self::NextQuestion => "Answer",
            Self::NextTheme => "Switch theme",
        }
    }

    /// Its keys, for a person; none when it has none that always mean it.
    pub const fn shortcut(&self) -> Option<&'static str> {
        match self {
            Self::Undo => Some("Ctrl Z"),
            Self::Redo => Some("Shift Ctrl Z"),
            Self::Cancel => Some("Esc"),
            Self::RemovePart => Some("Delete"),
            Self::DuplicatePart => Some("Ctrl D"),
            Self::Save => Some("Ctrl S"),
            Self::Type(_) => Some("Enter"),
            _ => None,
        }
    }

    /// Its keys as `aria-keyshortcuts` wants them.
    pub const fn aria_shortcut(&self) -> Option<&'static str> {
        match self {
            Self::Undo => Some("Control+Z Meta+Z"),
            Self::Redo => Some("Control+Shift+Z Meta+Shift+Z"),
            Self::RemovePart => Some("Delete Backspace"),
            Self::DuplicatePart => Some("Control+D Meta+D"),
            Self::Save => Some("Control+S Meta+S"),
            _ => None,
        }
    }

    /// What a key means wherever the focus is.
    pub fn anywhere(stroke: Stroke<'_>) -> Option<Self> {
        let Stroke { key, command, shift, alt } = stroke;
        if alt {
            return None;
        }
        match (key, command, shift) {
            ("z" | "Z", true, false) => Some(Self::Undo),
            ("z" | "Z", true, true) | ("y" | "Y", true, false) => Some(Self::Redo),
            ("d" | "D", true, false) => Some(Self::DuplicatePart),
            ("s" | "S", true, false) => Some(Self::Save),
            ("Escape", false, _) => Some(Self::Cancel),
            // A laptop's only delete key may tell the one or the other.
            ("Delete" | "Backspace", false, false) => Some(Self::RemovePart),
            ("?", false, _) => Some(Self::Help(true)),
            (",", false, false) => Some(Self::StepEvent(false)),
            (".", false, false) => Some(Self::StepEvent(true)),
            ("+" | "=", false, _) => Some(Self::ZoomBy(1.0, None)),
            ("-" | "_", false, _) => Some(Self::ZoomBy(-1.0, None)),
            // Some keyboards have the digits on their shifted level: a key that gives a digit is that digit.
            ("0", false, _) => Some(Self::Zoom(None)),
            (key, false, _) => guard_of(key).map(Self::Guard),
            _ => None,
        }
    }

    /// What a key means while the focus is in the timeline, on that handle.
    pub fn on_handle(stroke: Stroke<'_>, handle: HandleId) -> Option<Self> {
        let Stroke { key, command, shift, alt } = stroke;
        // Many keyboards have the brackets on a level that browsers tell as Control and Alt.
        if let ("[" | "]", true) = (key, command == alt) {
            return Some(Self::Boundary(handle, key == "]"));
        }
        if command || alt {
            return None;
        }
        let steps = if shift { 10 } else { 1 };
        let stride = match key {
            "ArrowLeft" => Stride::Steps(-steps),
            "ArrowRight" => Stride::Steps(steps),
            "PageDown" => Stride::Steps(-50),
            "PageUp" => Stride::Steps(50),
            "Home" => Stride::Earliest,
            "End" => Stride::Latest,
            "ArrowUp" => return Some(Self::Walk(-1)),
            "ArrowDown" => return Some(Self::Walk(1)),
            "Enter" if !shift => return Some(Self::Type(handle)),
            _ => return None,
        };
        Some(Self::Step(handle, stride))
    }
}

/// The guard that a digit stands for, in the order in which they are shown.
pub fn guard_of(key: &str) -> Option<Guard> {
    let [digit @ b'1'..=b'9'] = key.as_bytes() else { return None };
    Guard::ALL.get(usize::from(digit - b'1')).copied()
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    const PAUSE: HandleId = HandleId::PauseEnd { worker: 0, pause: 0 };

    fn stroke(key: &str) -> Stroke<'_> {
        Stroke { key, command: false, shift: false, alt: false }
    }

    #[test]
    fn digits_and_delete_are_found_on_every_keyboard() {
        for shift in [false, true] {
            assert_eq!(Command::anywhere(Stroke { shift, ..stroke("1") }), Some(Command::Guard(Guard::ALL[0])));
            assert_eq!(Command::anywhere(Stroke { shift, ..stroke("0") }), Some(Command::Zoom(None)));
        }
        assert_eq!(Command::anywhere(Stroke { shift: true, ..stroke("!") }), None);
        for key in ["Delete", "Backspace"] {
            assert_eq!(Command::anywhere(stroke(key)), Some(Command::RemovePart));
        }
    }

    #[test]
    fn control_z_is_undo_and_with_shift_redo() {
        let z = Stroke { command: true, ..stroke("z") };
        assert_eq!(Command::anywhere(z), Some(Command::Undo));
        assert_eq!(Command::anywhere(Stroke { key: "Z", shift: true, ..z }), Some(Command::Redo));
        assert_eq!(Command::anywhere(Stroke { key: "y", ..z }), Some(Command::Redo));
        assert_eq!(Command::anywhere(stroke("z")), None);
    }

    #[test]
    fn arrows_move_a_handle_by_one_step_and_with_shift_by_ten() {
        let moved = |stroke| match Command::on_handle(stroke, PAUSE) {
            Some(Command::Step(PAUSE, Stride::Steps(steps))) => steps,
            other => panic!("{other:?}"),
        };
        assert_eq!(moved(stroke("ArrowLeft")), -1);
        assert_eq!(moved(stroke("ArrowRight")), 1);
        assert_eq!(moved(Stroke { shift: true, ..stroke("ArrowRight") }), 10);
        assert_eq!(moved(stroke("PageUp")), 50);
        assert_eq!(moved(stroke("PageDown")), -50);
    }

    #[test]
    fn brackets_jump_to_a_boundary_also_where_they_need_another_level() {
        assert_eq!(Command::on_handle(stroke("]"), PAUSE), Some(Command::Boundary(PAUSE, true)));
        let level = Stroke { command: true, alt: true, ..stroke("[") };
        assert_eq!(Command::on_handle(level, PAUSE), Some(Command::Boundary(PAUSE, false)));
        assert_eq!(Command::on_handle(Stroke { command: true, ..stroke("[") }, PAUSE), None);
    }

    #[test]
    fn digits_choose_the_guards_in_the_order_shown() {
        let chosen = |key| Command::anywhere(stroke(key));
        assert_eq!(chosen("1"), Some(Command::Guard(Guard::None)));
        assert_eq!(chosen("7"), Some(Command::Guard(Guard::Holder)));
        assert_eq!(chosen("8"), None);
        assert_eq!(chosen("0"), Some(Command::Zoom(None)));
        assert_eq!(chosen("12"), None);
    }

    #[test]
    fn the_browsers_own_keys_are_left_to_it() {
        assert_eq!(Command::on_handle(Stroke { alt: true, ..stroke("ArrowLeft") }, PAUSE), None);
        assert_eq!(Command::anywhere(Stroke { command: true, ..stroke("1") }), None);
        assert_eq!(Command::on_handle(stroke("Tab"), PAUSE), None);
    }
}
