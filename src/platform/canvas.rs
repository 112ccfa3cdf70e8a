//! A canvas as a plain field of pixels.

use leptos::prelude::window;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, ImageData};

/// How many pixels of the screen are one of the page, at least 1.
pub fn pixels_per_px() -> f64 {
    let ratio = window().device_pixel_ratio();
    if ratio.is_finite() { ratio.clamp(1.0, 3.0) } else { 1.0 }
}

/// Shows these pixels, four bytes each from the top left, and makes the canvas as large as they are.
pub fn show(canvas: &HtmlCanvasElement, bytes: &[u8], width: u32, height: u32) {
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let context = canvas.get_context("2d").ok().flatten().and_then(|of| of.dyn_into::<CanvasRenderingContext2d>().ok());
    let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(bytes), width, height);
    if let (Some(context), Ok(image)) = (context, image) {
        // Pixels of the canvas' own size are never out of bounds.
        let _ = context.put_image_data(&image, 0.0, 0.0);
    }
}

/// What an element's style comes to: the value of one property, such as `background-color`.
pub fn style_of(element: &Element, property: &str) -> String {
    let style = window().get_computed_style(element).ok().flatten();
    style.and_then(|style| style.get_property_value(property).ok()).unwrap_or_default()
}
