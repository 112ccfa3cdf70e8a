//! Thin adapters to the browser: all that touches the outside world, and nothing that decides anything.
//!
//! Each answers "not there" instead of failing: in a sandboxed frame there is no storage, and in a test no layout.

pub mod address;
pub mod calendar;
pub mod canvas;
pub mod clipboard;
pub mod explorer;
pub mod exporter;
pub mod failure;
pub mod fetch;
pub mod files;
pub mod focus;
pub mod frames;
pub mod motion;
pub mod picture;
pub mod size;
pub mod storage;
pub mod theme;
