//! The last words of a panic: the console gets its message, the page gets a mark.
//!
//! After a panic the compiled page must not be called again, so it cannot draw its own message: `boot.js` watches for the
//! mark and does.

use leptos::prelude::document;

/// From here on a panic is told in the console and marked on the root element.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        if let Some(root) = document().document_element() {
            // Nobody is left to tell when this fails.
            let _ = root.set_attribute("data-failed", "");
        }
    }));
}
