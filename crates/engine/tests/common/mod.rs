//! What several of the engine's tests share: the worked cases, random scenarios, and a second, naive engine.
#![allow(dead_code, reason = "each test program uses its own part of it")]

pub mod cases;
pub mod generate;
pub mod naive;
