//! A chapter of somebody else's documentation, with several elements in it: `hosts/two.html`.

use serde_json::{Value, json};

use crate::hosts::frame_of;
use crate::{Page, View};

/// A document of the tests: A's late write is stopped by nothing.
pub fn unguarded() -> Value {
    let text = include_str!("../hosts/story.json");
    serde_json::from_str(text).expect("a document of the tests")
}

/// A page with several elements.
#[track_caller]
pub fn chapter(view: View) -> Page {
    let page = Page::open(view, "hosts/two.html");
    page.wait_until("the elements", || page.evaluate("return Boolean(window.inside?.shadowRoot)", &[]) == json!(true));
    page
}

/// What an element told last in an event of that kind, once it did.
#[track_caller]
pub fn told(page: &Page, figure: &str, kind: &str) -> Value {
    let script = "return told.findLast((of) => of.figure === arguments[0] && of.type === arguments[1])?.detail ?? null";
    page.wait_for_value(&format!("{figure} to tell {kind}"), script, &[figure.into(), kind.into()])
}

/// The height of an element's frame, in CSS pixels.
#[track_caller]
pub fn height_of(page: &Page, id: &str) -> f64 {
    page.evaluate(&format!("return {}.getBoundingClientRect().height", frame_of(id)), &[]).as_f64().unwrap_or_default()
}

/// Presses the button of an element.
#[track_caller]
pub fn press(page: &Page, id: &str) {
    page.focus(&format!("#{id}"));
    page.evaluate("document.getElementById(arguments[0]).shadowRoot.querySelector('button').focus()", &[id.into()]);
    page.keys("Enter");
}
