//! Pages that embed the figure, and what a test does in their frames.
//!
//! They lie in `hosts/` and are served under their own content policy: a page that embeds needs to allow frames, and nothing
//! that the figure itself needs.

use serde_json::{Value, json};

use crate::Page;
use crate::driver::Browser;

/// Where the frame of an element is, as an expression in the page: the element's tag has that id.
pub fn frame_of(id: &str) -> String {
    format!("document.getElementById('{id}')?.shadowRoot?.querySelector('iframe')")
}

impl Page {
    /// From here on everything is looked for in a frame: that which the expression gives, once it is there.
    #[track_caller]
    pub fn enter(&self, frame: &str) {
        let script = format!("return {frame}");
        self.wait_until(&format!("the frame {frame}"), || !self.evaluate(&script, &[]).is_null());
        if self.browser != Browser::Firefox {
            // The drivers of Chromium and WebKit point into the page, whichever sandboxed frame they were sent to.
            let place = "frame.scrollIntoView({ block: 'nearest' }); const { x, y } = frame.getBoundingClientRect(); return [x, y]";
            let place = self.evaluate(&format!("const frame = {frame}; {place}"), &[]);
            self.frame.set(serde_json::from_value(place).unwrap_or_default());
        }
        self.command("frame", json!({ "id": self.evaluate(&script, &[]) }));
    }

    /// And from here on in the page again.
    #[track_caller]
    pub fn leave(&self) {
        self.frame.set((0.0, 0.0));
        self.command("frame", json!({ "id": null }));
    }

    /// From here on everything is looked for in the window that the page opened, once it is there.
    #[track_caller]
    pub fn enter_new_window(&self) {
        self.frame.set((0.0, 0.0));
        let here = self.ask(self.client.window());
        self.wait_until("another window", || self.ask(self.client.windows()).len() > 1);
        if let Some(other) = self.ask(self.client.windows()).into_iter().find(|window| *window != here) {
            self.ask(self.client.switch_to_window(other));
        }
    }

    /// Loads the page anew for a browser that runs no scripts. Says whether this browser can do that.
    #[track_caller]
    pub fn without_scripts(&self, address: &str) -> bool {
        let can = self.browser == Browser::Chromium;
        if can {
            self.chromium("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
            self.visit(address);
        }
        can
    }

    /// What the function body returns once it returns something, as a value.
    #[track_caller]
    pub fn wait_for_value(&self, what: &str, script: &str, arguments: &[Value]) -> Value {
        let found = std::cell::RefCell::new(Value::Null);
        self.wait_until(what, || {
            *found.borrow_mut() = self.evaluate(script, arguments);
            !found.borrow().is_null()
        });
        found.into_inner()
    }
}
