//! The explorer as a module: what `web/explorer.js` calls in a Web Worker, and `src/platform/explorer.rs` in the page.

use std::cell::RefCell;

use fenceline_explorer::Session;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the page or the worker began.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::new());
}

/// Takes a message of the page.
#[wasm_bindgen]
pub fn hear(message: &[u8]) {
    SESSION.with_borrow_mut(|session| session.hear(message));
}

/// Whether there is something to do or to say.
#[wasm_bindgen]
pub fn has_work() -> bool {
    SESSION.with_borrow(Session::has_work)
}

/// Works for about so many milliseconds, and gives what there is to say; empty when there is nothing.
#[wasm_bindgen]
pub fn go_on(slice: f64) -> Vec<u8> {
    SESSION.with_borrow_mut(|session| session.go_on(now, slice))
}

fn main() {}
