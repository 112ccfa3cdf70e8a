//! What a person does at the page.

use fantoccini::actions::{ActionSequence, Actions};
use serde_json::json;

use crate::driver::Browser;
use crate::input::{self, FRAME, Pointer, Stroke};
use crate::page::Page;

/// Moves in one drag: enough for the page to see a drag, and not a jump.
const MOVES: u32 = 8;

impl Page {
    /// Clicks the middle of an element.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.press(Pointer::Mouse, css);
    }

    /// Taps the middle of an element with a finger.
    #[track_caller]
    pub fn tap(&self, css: &str) {
        self.press(Pointer::Touch, css);
    }

    /// Clicks the middle of an element twice, as people do who take every button for a file.
    #[track_caller]
    pub fn double_click(&self, css: &str) {
        let (x, y) = self.area(css).middle();
        self.point(Pointer::Mouse, &[Stroke::Down(x, y), Stroke::Up, Stroke::Down(x, y), Stroke::Up]);
    }

    fn press(&self, pointer: Pointer, css: &str) {
        let (x, y) = self.area(css).middle();
        self.point(pointer, &[Stroke::Down(x, y), Stroke::Up]);
    }

    /// Drags an element with the mouse, from its middle by this far.
    #[track_caller]
    pub fn drag(&self, css: &str, right: i32, down: i32) {
        self.drag_with(Pointer::Mouse, css, right, down);
    }

    /// Drags an element from its middle by this far.
    #[track_caller]
    pub fn drag_with(&self, pointer: Pointer, css: &str, right: i32, down: i32) {
        self.drag_start(pointer, css);
        self.drag_move(right, down);
        self.drag_end();
    }

    /// Takes hold of an element in its middle.
    #[track_caller]
    pub fn drag_start(&self, pointer: Pointer, css: &str) {
        let (x, y) = self.area(css).middle();
        self.point(pointer, &[Stroke::Down(x, y)]);
        self.held.set(Some((pointer, x, y)));
    }

    /// Moves what is held by this far, in small steps.
    #[track_caller]
    pub fn drag_move(&self, right: i32, down: i32) {
        let (pointer, x, y) = self.held();
        let at = |step: u32| {
            let part = f64::from(step) / f64::from(MOVES);
            (x + f64::from(right) * part, y + f64::from(down) * part)
        };
        let strokes: Vec<_> = (1..=MOVES).map(at).map(|(x, y)| Stroke::Move(x, y)).collect();
        self.point(pointer, &strokes);
        let (x, y) = at(MOVES);
        self.held.set(Some((pointer, x, y)));
    }

    /// Lets go.
    #[track_caller]
    pub fn drag_end(&self) {
        let (pointer, _, _) = self.held();
        self.held.set(None);
        self.point(pointer, &[Stroke::Up]);
    }

    #[track_caller]
    fn held(&self) -> (Pointer, f64, f64) {
        self.held.get().expect("`drag_start` comes before `drag_move` and `drag_end`")
    }

    /// Presses keys one after the other: `ArrowRight Shift+ArrowRight Control+z Escape`.
    #[track_caller]
    pub fn keys(&self, keys: &str) {
        self.perform(input::keys(keys));
    }

    /// Types a text into what has the focus.
    #[track_caller]
    pub fn type_text(&self, text: &str) {
        self.perform(input::typing(text));
    }

    /// Types a text into a field in place of what is there, and leaves the field with Enter.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        self.area(css);
        self.focus(css);
        self.keys("Control+a Delete");
        self.type_text(text);
        self.keys("Enter");
    }

    /// Chooses from a list by typing how the choice begins.
    #[track_caller]
    pub fn choose(&self, css: &str, begins: &str) {
        self.area(css);
        self.focus(css);
        self.type_text(begins);
        self.keys("Enter");
    }

    /// What a field holds.
    #[track_caller]
    pub fn value(&self, css: &str) -> String {
        self.wait_for(css);
        let value = self.evaluate("return document.querySelector(arguments[0]).value", &[css.into()]);
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Gives an element the focus, as a script would. A person's way is [`Page::keys`] with `Tab`.
    #[track_caller]
    pub fn focus(&self, css: &str) {
        self.wait_for(css);
        self.evaluate("document.querySelector(arguments[0]).focus()", &[json!(css)]);
    }

    #[track_caller]
    fn point(&self, pointer: Pointer, strokes: &[Stroke]) {
        let (left, top) = self.frame.get();
        let strokes: Vec<_> = strokes
            .iter()
            .map(|stroke| match *stroke {
                Stroke::Down(x, y) => Stroke::Down(x + left, y + top),
                Stroke::Move(x, y) => Stroke::Move(x + left, y + top),
                Stroke::Up => Stroke::Up,
            })
            .collect();
        let strokes = strokes.as_slice();
        if (self.browser, pointer) != (Browser::Chromium, Pointer::Touch) {
            self.perform(pointer.does(strokes));
            return;
        }
        // chromedriver forgets a finger at the end of each command. Chromium's own command goes the same way into the browser.
        for stroke in strokes {
            let (kind, points) = match *stroke {
                Stroke::Down(x, y) => ("touchStart", json!([{ "x": x.round(), "y": y.round() }])),
                Stroke::Move(x, y) => ("touchMove", json!([{ "x": x.round(), "y": y.round() }])),
                Stroke::Up => ("touchEnd", json!([])),
            };
            self.chromium("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
            std::thread::sleep(FRAME);
        }
    }

    #[track_caller]
    pub(crate) fn perform(&self, sequence: ActionSequence) {
        self.ask(self.client.perform_actions(Actions::from(sequence)));
    }
}
