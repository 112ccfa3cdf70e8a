//! A picture in dots, from one in lines.

use js_sys::Promise;
use leptos::prelude::document;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

/// The most dots of a side: beyond, browsers draw nothing.
pub const MOST: f64 = 16_000.0;

/// A picture in dots.
pub struct Png {
    /// The file.
    pub blob: Blob,
    /// Whether it has fewer dots to a pixel than were asked for, because there is no room for more.
    pub is_coarser: bool,
}

/// A PNG of an SVG document, so many dots to a pixel.
///
/// # Errors
/// In a few words, why there is none.
pub async fn png(svg: &str, scale: u32) -> Result<Png, String> {
    drawn(svg, scale).await.ok_or_else(|| "this browser does not draw it".into())
}

async fn drawn(svg: &str, scale: u32) -> Option<Png> {
    let image = HtmlImageElement::new().ok()?;
    // Not by the address of a blob: the content policy lets pictures come from the page and from themselves.
    image.set_src(&["data:image/svg+xml,", &String::from(js_sys::encode_uri_component(svg))].concat());
    JsFuture::from(image.decode()).await.ok()?;
    let (width, height) = (f64::from(image.natural_width()), f64::from(image.natural_height()));
    let (asked, most) = (f64::from(scale), MOST / width.max(height).max(1.0));
    let scale = asked.min(most);
    let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width((width * scale).round() as u32);
    canvas.set_height((height * scale).round() as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.scale(scale, scale).ok()?;
    context.draw_image_with_html_image_element(&image, 0.0, 0.0).ok()?;
    let blob = Promise::new(&mut |resolve, reject| {
        let listen = Closure::once_into_js(move |blob: JsValue| {
            // Whoever waits for it is told; there is nobody else.
            let _ = resolve.call1(&JsValue::NULL, &blob);
        });
        if let Err(why) = canvas.to_blob(listen.unchecked_ref()) {
            let _ = reject.call1(&JsValue::NULL, &why);
        }
    });
    // A canvas that the browser has no room for makes no blob.
    let blob = JsFuture::from(blob).await.ok()?.dyn_into().ok()?;
    Some(Png { blob, is_coarser: most < asked })
}
