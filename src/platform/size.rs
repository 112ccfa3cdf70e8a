//! The width of an element, now and whenever it changes.

use leptos::prelude::{Owner, StoredValue, WithValue, on_cleanup, window};
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{Element, ResizeObserver};

/// How wide the window is, in CSS pixels: the best guess before anything is laid out.
pub fn window_width() -> f64 {
    window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(1280.0)
}

/// Whether the main pointer is a finger.
pub fn pointer_is_coarse() -> bool {
    window().match_media("(pointer: coarse)").ok().flatten().is_some_and(|query| query.matches())
}

/// Calls `changed` with whether a media query matches, at first at once, then at each change, for as long as the current
/// owner lives.
pub fn watch_media(query: &str, changed: impl Fn(bool) + 'static) {
    let Some(list) = window().match_media(query).ok().flatten() else { return };
    changed(list.matches());
    let watched = list.clone();
    let callback = Closure::<dyn FnMut()>::new(move || changed(watched.matches()));
    // A list of media queries takes any listener.
    let _ = list.add_event_listener_with_callback("change", callback.as_ref().unchecked_ref());
    if Owner::current().is_some() {
        let kept = StoredValue::new_local((list, callback));
        on_cleanup(move || {
            kept.with_value(|(list, callback)| {
                let _ = list.remove_event_listener_with_callback("change", callback.as_ref().unchecked_ref());
            });
        });
    }
}

/// Calls `changed` with the content width of `element`, at first at once, then at each change, for as long as the
/// current owner lives.
pub fn watch_width(element: &Element, changed: impl Fn(f64) + 'static) {
    changed(content_width(element));
    let watched = element.clone();
    let callback = Closure::<dyn FnMut()>::new(move || changed(content_width(&watched)));
    let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) else { return };
    observer.observe(element);
    if Owner::current().is_some() {
        let kept = StoredValue::new_local((observer, callback));
        on_cleanup(move || kept.with_value(|(observer, _)| observer.disconnect()));
    }
}

fn content_width(element: &Element) -> f64 {
    f64::from(element.client_width())
}
