//! The Fenceline page: a timeline on which leases, pauses and late writes are dragged and judged.
//!
//! It draws what [`fenceline_figure`] lays out and says what [`fenceline_engine`] judges; of its own it has only what a
//! person does. Start at [`editor`] for what follows from what, at [`command`] for what can be done.

pub mod announce;
pub mod app;
pub mod arrive;
pub mod banner;
pub mod command;
pub mod compared;
pub mod drag;
pub mod edit;
pub mod editor;
pub mod embed;
pub mod explore;
pub mod glyph;
pub mod guards;
pub mod history;
pub mod inspector;
pub mod keep;
pub mod library;
pub mod panel;
pub mod platform;
pub mod playback;
pub mod predict;
pub mod selection;
pub mod share;
pub mod shortcuts;
pub mod source;
pub mod spoken;
pub mod step;
pub mod story;
pub mod timeline;
pub mod topbar;
pub mod tour;
pub mod why;
pub mod work;

pub use app::App;

// The unit tests need no browser; they run there because that is where the rest of the page is compiled for.
#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
