//! The browser's storage: a few small texts, kept where the browser allows it.
//!
//! A sandboxed frame has none, a full one takes nothing more: reading then finds nothing, writing says so.

use leptos::prelude::window;

/// The longest text that is read back: what this page writes is never longer.
const MOST: usize = 2 << 20;

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// What is kept under a key.
pub fn kept(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?.filter(|text| text.len() <= MOST)
}

/// Keeps a text under a key. Says whether it is kept now.
pub fn keep(key: &str, text: &str) -> bool {
    text.len() <= MOST && storage().is_some_and(|storage| storage.set_item(key, text).is_ok())
}

/// Keeps nothing under a key any more.
pub fn forget(key: &str) {
    if let Some(storage) = storage() {
        // Where nothing can be removed, nothing is kept.
        let _ = storage.remove_item(key);
    }
}
