//! The address of the page: its fragment, which no server sees, and the browser's history of it.
//!
//! A sandboxed frame may refuse both; then the page is as it is, and its address says nothing.

use leptos::prelude::window;
use wasm_bindgen::JsValue;
use web_sys::UrlSearchParams;

/// What stands behind the first `#`; empty when there is none.
pub fn fragment() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.strip_prefix('#').map(str::to_owned).unwrap_or(hash)
}

/// The whole address up to the `#`.
pub fn base() -> String {
    let whole = whole();
    whole.split_once('#').map_or(whole.clone(), |(base, _)| base.to_owned())
}

/// The whole address.
pub fn whole() -> String {
    window().location().href().unwrap_or_default()
}

/// The value of that name in the query.
pub fn query(name: &str) -> Option<String> {
    let query = window().location().search().unwrap_or_default();
    UrlSearchParams::new_with_str(&query).ok()?.get(name)
}

/// Puts a fragment into the address: in place of the one that is there, or as a step that the browser can go back from. Says
/// whether it is there now: some frames refuse it, and so does a browser that is asked too often or to keep too much.
#[must_use]
pub fn put(fragment: &str, as_a_step: bool) -> bool {
    let Ok(history) = window().history() else { return false };
    let address = ["#", fragment].concat();
    let put = if as_a_step {
        history.push_state_with_url(&JsValue::NULL, "", Some(&address))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
    };
    put.is_ok()
}
