//! The key to the drawing: its four textures with their words.

use leptos::prelude::*;

/// The key.
#[component]
pub fn Key() -> impl IntoView {
    view! {
        <ul class="key" aria-label="Key">
            <li>
                <svg width="22" height="12" aria-hidden="true">
                    <rect class="fl-fill fl-fill-a" x=".5" y=".5" width="21" height="11" rx="2"></rect>
                </svg>
                "working"
            </li>
            <li>
                <svg width="22" height="12" aria-hidden="true">
                    <rect class="fl-pause" x=".5" y=".5" width="21" height="11" rx="2"></rect>
                </svg>
                "paused"
            </li>
            <li>
                <svg width="22" height="12" aria-hidden="true">
                    <rect class="fl-untrue fl-untrue-a" x=".5" y=".5" width="21" height="11" rx="2"></rect>
                </svg>
                "believes, wrongly"
            </li>
            <li>
                <svg width="22" height="12" aria-hidden="true">
                    <path class="fl-pickets" d="M1 6h20M3 2v8M8 2v8M13 2v8M18 2v8"></path>
                </svg>
                "guard"
            </li>
        </ul>
    }
}
