//! What hands do that is no click and no drag: the wheel, two fingers, a key that is held meanwhile.

use fantoccini::actions::{ActionSequence, InputSource as _, KeyAction, KeyActions, WheelAction, WheelActions};
use serde_json::json;

use crate::driver::Browser;
use crate::input::{self, FRAME};
use crate::page::Page;

/// In how many moves two fingers go apart.
const MOVES: u32 = 8;

impl Page {
    /// Turns the wheel over the middle of an element: by so many px to the right and down.
    #[track_caller]
    pub fn wheel(&self, css: &str, right: i64, down: i64) {
        let (x, y) = self.area(css).middle();
        let turn = WheelAction::Scroll {
            duration: Some(FRAME),
            x: x.round() as i64,
            y: y.round() as i64,
            delta_x: right,
            delta_y: down,
        };
        self.perform(ActionSequence::from(WheelActions::new("wheel".to_owned()).then(turn)));
    }

    /// Does something while a key is held down: `Control`, `Shift`, `Alt`.
    #[track_caller]
    pub fn holding(&self, key: &str, does: impl FnOnce()) {
        let value = input::key(key);
        let with = |action| ActionSequence::from(KeyActions::new("keyboard".to_owned()).then(action));
        self.perform(with(KeyAction::Down { value }));
        does();
        self.perform(with(KeyAction::Up { value }));
    }

    /// Puts two fingers on an element, left and right of its middle, and takes them from one distance to another. Says whether
    /// this browser can be told to.
    #[track_caller]
    pub fn pinch(&self, css: &str, from: f64, to: f64) -> bool {
        if self.browser != Browser::Chromium {
            return false;
        }
        let (x, y) = self.area(css).middle();
        let fingers = |apart: f64| {
            json!([{ "x": (x - apart / 2.0).round(), "y": y.round(), "id": 0 },
                   { "x": (x + apart / 2.0).round(), "y": y.round(), "id": 1 }])
        };
        let touch = |kind: &str, points: serde_json::Value| {
            self.chromium("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
            std::thread::sleep(FRAME);
        };
        touch("touchStart", fingers(from));
        for step in 1..=MOVES {
            touch("touchMove", fingers(from + (to - from) * f64::from(step) / f64::from(MOVES)));
        }
        touch("touchEnd", json!([]));
        true
    }

    /// Has the person prefer something from now on: `("forced-colors", "active")`. Says whether this browser can be told.
    #[track_caller]
    pub fn prefers(&self, what: &str, how: &str) -> bool {
        let can = self.browser == Browser::Chromium;
        if can {
            self.chromium("Emulation.setEmulatedMedia", &json!({ "features": [{ "name": what, "value": how }] }));
        }
        can
    }
}
