//! The Rust evidence of every preset, of the story under every guard, and of hostile documents, with a real `SQLite`.
#![cfg(not(target_arch = "wasm32"))]
// Generated code is held to the compiler's own warnings; what it repeats, it repeats for its reader.
#![allow(clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/evidence.rs"));
