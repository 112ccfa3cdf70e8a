//! Leaves the names of functions out of the page that is published: they were a third of what a first visit loads.
//!
//! Not by the profile's `strip`: that also takes what wasm-bindgen has to know of the target, and the names from the browser
//! tests, where a panic should say where it was.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_FAMILY", "wasm") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=--strip-all");
        println!("cargo::rustc-link-arg-bins=--keep-section=target_features");
    }
}
