//! The exporter: a WebAssembly module of the page's own that is loaded when it is first asked for.

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What a document is as a kind of file.
///
/// # Errors
/// In a few words, why it cannot be told.
pub async fn export(kind: &str, document: &str) -> Result<String, String> {
    let missing = "the part of the page that makes it could not be loaded";
    let module = module().await.ok_or(missing)?;
    let written: Function =
        Reflect::get(&module, &"written".into()).ok().and_then(|of| of.dyn_into().ok()).ok_or(missing)?;
    match written.call2(&module, &kind.into(), &document.into()) {
        Ok(text) => text.as_string().ok_or_else(|| missing.into()),
        Err(why) => Err(why.as_string().unwrap_or_else(|| "something broke".into())),
    }
}

/// The module, loaded and ready. `web/boot.js` loads it, because an `import` cannot be written here.
async fn module() -> Option<JsValue> {
    let load: Function = Reflect::get(&window(), &"fencelineModule".into()).ok()?.dyn_into().ok()?;
    let loading: Promise = load.call1(&JsValue::NULL, &"fenceline-exporter".into()).ok()?.dyn_into().ok()?;
    JsFuture::from(loading).await.ok()
}
