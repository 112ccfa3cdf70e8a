//! Claims held against the engine: what is judged true and false, what cannot be read, and what a correction changes.

mod common;
mod corrections;
mod judged;
mod refusals;
mod windows;
