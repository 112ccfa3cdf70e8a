//! What a person sees of the page, and waits for.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::page::{PATIENCE, Page, pictures};

/// How often the page is looked at while waiting.
const GLANCE: Duration = Duration::from_millis(40);

/// Where something is in the page's window, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Area {
    /// The point in the middle.
    pub fn middle(self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

impl Page {
    /// The text of an element as it is read on the screen, once the element is there.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        self.wait_for(css);
        self.texts(css).into_iter().next().unwrap_or_default()
    }

    /// The texts of all elements, as they are read on the screen.
    #[track_caller]
    pub fn texts(&self, css: &str) -> Vec<String> {
        let texts = self.evaluate(
            "return [...document.querySelectorAll(arguments[0])].map((e) => (e.innerText ?? e.textContent).trim())",
            &[json!(css)],
        );
        serde_json::from_value(texts).unwrap_or_default()
    }

    /// How many elements there are.
    #[track_caller]
    pub fn count(&self, css: &str) -> usize {
        self.texts(css).len()
    }

    /// An attribute of an element, once the element is there.
    #[track_caller]
    pub fn attribute(&self, css: &str, name: &str) -> Option<String> {
        self.wait_for(css);
        let value = self.evaluate(
            "return document.querySelector(arguments[0])?.getAttribute(arguments[1])",
            &[json!(css), json!(name)],
        );
        value.as_str().map(str::to_owned)
    }

    /// Where an element is in the window, once it is there. It is scrolled into view first.
    #[track_caller]
    pub fn area(&self, css: &str) -> Area {
        self.wait_for(css);
        let area = self.evaluate(
            "const e = document.querySelector(arguments[0]);
             e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
             const r = e.getBoundingClientRect();
             return [r.x, r.y, r.width, r.height]",
            &[json!(css)],
        );
        let [x, y, width, height] =
            serde_json::from_value(area).unwrap_or_else(|_| self.fail(&format!("`{css}` has no place")));
        Area { x, y, width, height }
    }

    /// What a function body returns when it runs in the page: `return document.title`.
    #[track_caller]
    pub fn evaluate(&self, script: &str, arguments: &[Value]) -> Value {
        self.ask(self.client.execute(script, arguments.to_vec()))
    }

    /// Waits until there is an element.
    #[track_caller]
    pub fn wait_for(&self, css: &str) {
        self.wait_until(&format!("`{css}` to be there"), || self.count(css) > 0);
    }

    /// Waits until there is no such element.
    #[track_caller]
    pub fn wait_for_none(&self, css: &str) {
        self.wait_until(&format!("no `{css}` to be there"), || self.count(css) == 0);
    }

    /// Waits until the text of some such element contains these words.
    #[track_caller]
    pub fn wait_for_text(&self, css: &str, words: &str) {
        let met = met_in_time(|| self.texts(css).iter().any(|text| text.contains(words)));
        if !met {
            self.fail(&format!("`{css}` should say {words:?}, but says {:?}", self.texts(css)));
        }
    }

    /// Waits until the condition is met. `what` ends the sentence "waited for …".
    #[track_caller]
    pub fn wait_until(&self, what: &str, condition: impl Fn() -> bool) {
        if !met_in_time(condition) {
            self.fail(&format!("waited {} s for {what}", PATIENCE.as_secs()));
        }
    }

    /// The errors in the browser's console since the browser was opened; outside Chromium, since the page was loaded.
    #[track_caller]
    pub fn console_errors(&self) -> Vec<String> {
        if self.browser != Browser::Chromium {
            return serde_json::from_value(self.evaluate("return window.fencelineErrors ?? []", &[]))
                .unwrap_or_default();
        }
        // Chromium forgets what it has handed out.
        let entries = self.command("se/log", json!({ "type": "browser" }));
        let entries = entries.as_array().cloned().unwrap_or_default();
        let errors =
            entries.iter().filter(|entry| entry["level"] == "SEVERE").filter_map(|entry| entry["message"].as_str());
        self.errors.borrow_mut().extend(errors.map(str::to_owned));
        self.errors.borrow().clone()
    }

    /// Panics if there is an error in the console.
    #[track_caller]
    pub fn assert_quiet_console(&self) {
        let errors = self.console_errors();
        assert!(errors.is_empty(), "the console should be quiet, but it says {errors:#?}");
    }

    /// Keeps what the window shows as `target/screenshots/NAME-BROWSER.png`.
    #[track_caller]
    pub fn screenshot(&self, name: &str) -> PathBuf {
        let picture = self.ask(self.client.screenshot());
        let folder = pictures();
        let file = folder.join(format!("{name}-{}.png", format!("{:?}", self.browser).to_lowercase()));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&file, picture))
            .expect("target/screenshots can be written");
        file
    }
}

/// Whether the condition is met in time.
fn met_in_time(condition: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if condition() {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(GLANCE);
    }
}
