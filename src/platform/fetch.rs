//! Files of the page itself, loaded when they are needed; from the page itself when it is one file that carries them
//! (`cargo xtask bundle`).

use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// The longest file that is taken.
const MOST: usize = 1 << 20;

/// A text file at an address relative to the page's own.
///
/// # Errors
/// In a few words, why there is none.
pub async fn text(address: &str) -> Result<String, String> {
    let carried = document().get_element_by_id(&["file:", address].concat());
    if let Some(text) = carried.and_then(|element| element.text_content()) {
        return Ok(text);
    }
    let response = JsFuture::from(window().fetch_with_str(address)).await.map_err(|_| "it could not be loaded")?;
    let response: Response = response.dyn_into().map_err(|_| "it could not be loaded")?;
    if !response.ok() {
        return Err(["the server answered ", &response.status().to_string()].concat());
    }
    let body = response.text().map_err(|_| "it could not be read")?;
    let text = JsFuture::from(body).await.map_err(|_| "it could not be read")?;
    let text = text.as_string().ok_or("it is no text")?;
    if text.len() > MOST { Err("it is too long".into()) } else { Ok(text) }
}

/// The same as a JSON value of the browser's.
///
/// # Errors
/// In a few words, why there is none.
pub async fn json(address: &str) -> Result<JsValue, String> {
    let text = text(address).await?;
    js_sys::JSON::parse(&text).map_err(|_| "it is no JSON".into())
}
