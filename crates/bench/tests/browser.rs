//! The benchmark in a browser: its figures go to the log, one a line.
#![cfg(target_arch = "wasm32")]

use fenceline_bench::{Figure, measure};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// The browser's clock, in microseconds.
fn now() -> f64 {
    let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let performance = get(&js_sys::global(), "performance");
    let clock = get(&performance, "now").dyn_into::<js_sys::Function>();
    let ms = clock.ok().and_then(|clock| clock.call0(&performance).ok()?.as_f64());
    ms.unwrap_or_else(js_sys::Date::now) * 1_000.0
}

#[wasm_bindgen_test]
fn figures() {
    let figures = measure(&now);
    for line in figures.iter().map(Figure::line) {
        console_log!("{line}");
    }
    assert!(figures.iter().all(|figure| figure.us > 0.0), "the clock stood still: {figures:?}");
}
