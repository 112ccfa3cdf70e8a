//! The keyboard's focus, where an action takes away what had it.
//!
//! A button that does its work and is gone leaves the keyboard at the beginning of the page; what came in its place is
//! where a reader goes on. All wait for the next frame, when the page has what is to be focused.

use leptos::prelude::{document, request_animation_frame};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

fn focus(css: &str) {
    let found = document().query_selector(css).ok().flatten();
    if let Some(element) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        // What cannot be focused leaves the focus where it is.
        let _ = element.focus();
    }
}

/// Gives the focus to the first element of that selector.
pub fn soon(css: &'static str) {
    request_animation_frame(move || focus(css));
}

/// Does something while nothing has the focus, as after a person has left the field that had it: what was typed there is taken.
pub fn paused(does: impl FnOnce()) {
    let active = document().active_element().and_then(|active| active.dyn_into::<HtmlElement>().ok());
    // What cannot be left or focused again stays as it is.
    if let Some(active) = &active {
        let _ = active.blur();
    }
    does();
    if let Some(active) = &active {
        let _ = active.focus();
    }
}

/// Gives the focus to the first element of that selector, where nothing has it by then: it is nobody's, so nobody loses it.
pub fn soon_if_lost(css: &'static str) {
    request_animation_frame(move || {
        let document = document();
        let body = document.body().map(web_sys::Element::from);
        if document.active_element().is_none_or(|active| Some(active) == body) {
            focus(css);
        }
    });
}
