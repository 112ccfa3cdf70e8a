//! Exports: what a run says, as text that other programs read or run.

pub mod evidence;
pub mod stores;
