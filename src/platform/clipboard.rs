//! The clipboard: text and pictures. Where a page may not write to it, the older way is tried; then it says so.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Object, Promise, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{Blob, Clipboard, HtmlDocument, HtmlTextAreaElement};

/// The clipboard, where there is one: not in a page that came over an unprotected connection.
fn clipboard() -> Option<Clipboard> {
    let navigator: JsValue = window().navigator().into();
    Reflect::get(&navigator, &"clipboard".into()).ok()?.dyn_into().ok()
}

/// Copies a text. Says whether it is there now.
pub async fn copy(text: &str) -> bool {
    if let Some(clipboard) = clipboard()
        && JsFuture::from(clipboard.write_text(text)).await.is_ok()
    {
        return true;
    }
    copy_by_selecting(text).unwrap_or(false)
}

/// The older way: a text that is selected for a moment.
fn copy_by_selecting(text: &str) -> Option<bool> {
    let active = document().active_element();
    let area: HtmlTextAreaElement = document().create_element("textarea").ok()?.dyn_into().ok()?;
    area.set_value(text);
    area.set_class_name("vh");
    // In an open dialog nothing outside it can be selected.
    let place =
        document().query_selector("dialog[open]").ok().flatten().or_else(|| document().body().map(Into::into))?;
    place.append_child(&area).ok()?;
    area.select();
    let is_copied = document().dyn_into::<HtmlDocument>().ok()?.exec_command("copy").unwrap_or(false);
    area.remove();
    if let Some(active) = active.and_then(|active| active.dyn_into::<web_sys::HtmlElement>().ok()) {
        // What cannot be focused any more leaves the focus where it is.
        let _ = active.focus();
    }
    Some(is_copied)
}

/// Copies a picture that is still being made. The clipboard is asked at once: some browsers let a page write to it only in the very
/// turn of a person's click, and are told the picture later.
///
/// # Errors
/// In a few words, why it is not there: what `making` said, or that the browser does not allow it.
pub fn copy_picture(
    making: impl Future<Output = Result<Blob, String>> + 'static,
) -> impl Future<Output = Result<(), String>> {
    let failed = Rc::new(RefCell::new(None));
    let told = Rc::clone(&failed);
    let picture = future_to_promise(async move {
        making.await.map(JsValue::from).map_err(|why| {
            let thrown = JsValue::from_str(&why);
            *told.borrow_mut() = Some(why);
            thrown
        })
    });
    let writing = written(&picture);
    async move {
        let is_there = match writing {
            Some(promise) => JsFuture::from(promise).await.is_ok(),
            None => false,
        };
        // The browser may have refused before the picture was made; then that is the reason.
        let failed = failed.borrow_mut().take();
        if is_there { Ok(()) } else { Err(failed.unwrap_or_else(|| "this browser does not allow it".into())) }
    }
}

/// Not every browser has the class that holds a picture.
fn written(picture: &Promise) -> Option<Promise> {
    let class: Function = Reflect::get(&window(), &"ClipboardItem".into()).ok()?.dyn_into().ok()?;
    let kinds = Object::new();
    Reflect::set(&kinds, &"image/png".into(), picture).ok()?;
    let item = Reflect::construct(&class, &Array::of1(&kinds)).ok()?;
    Some(clipboard()?.write(&Array::of1(&item)))
}
