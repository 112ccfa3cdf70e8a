//! Exports: what a run says, as text that other programs read or run.

pub mod comparison;
pub mod evidence;
mod kind;
pub mod markdown;
pub mod mermaid;
pub mod stores;

pub use kind::Kind;
