//! The explorer: what could have been (race map, margins, flips, the search), worked out beside the page.
//!
//! It exists so that long work costs the page no frame, and a first visit none of its code. It is a WebAssembly module of its own
//! that runs in a Web Worker or, where there can be none, a little at each frame in the page; both ways it is spoken to in the
//! messages of [`protocol`]. Pure: no clock but the one that it is handed. Invariant: what it answers is what the engine
//! gives, to the byte, whoever runs it and however the work was sliced.
#![deny(missing_docs)]

pub mod protocol;
mod session;

pub use session::{Session, ground};
