//! Whether the person has asked for less motion.

use leptos::prelude::window;

/// Whether motion is to be kept down.
pub fn is_reduced() -> bool {
    window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|query| query.matches())
}
