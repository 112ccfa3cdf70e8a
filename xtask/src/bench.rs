//! `cargo xtask bench`: what the engine costs natively and in headless Chromium, side by side.
//!
//! Nothing here passes or fails: a busy machine is no fault of the code. Where no browser can be had, the native figures stand
//! alone and it says why.

use std::io::Write as _;
use std::process::Stdio;

use crate::browser::Browser;
use crate::parts::browser_tests;
use crate::setup;
use crate::shell::{self, Failure};

/// Measures and prints.
///
/// # Errors
/// The benchmark cannot be compiled or run.
pub fn bench() -> Result<(), Failure> {
    let browser = in_browser().unwrap_or_else(|failure| {
        println!("no figures of a browser: {failure}");
        String::new()
    });
    let mut native = shell::cargo();
    native.args(["run", "--quiet", "--release", "--package=fenceline-bench"]);
    let mut child = native.stdin(Stdio::piped()).spawn().map_err(|error| Failure::new(error.to_string()))?;
    if let Some(mut input) = child.stdin.take() {
        // A benchmark that does not read them prints its own figures all the same.
        let _ = input.write_all(browser.as_bytes());
    }
    let status = child.wait().map_err(|error| Failure::new(error.to_string()))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("the benchmark ended with {status}"))) }
}

/// The log of the benchmark in a browser, with its figures in it.
fn in_browser() -> Result<String, Failure> {
    setup::wasm_target()?;
    setup::fetch()?;
    let mut tests = browser_tests(
        &Browser::Chromium.ready()?,
        &setup::wasm_bindgen()?,
        &["--package=fenceline-bench", "--test=browser", "--", "--nocapture"],
    );
    let mut log = String::new();
    let ended_well = shell::run_following(&mut tests, |line| {
        log.push_str(line);
        log.push('\n');
    })?;
    if ended_well { Ok(log) } else { Err(Failure::new("the benchmark failed in the browser")) }
}
