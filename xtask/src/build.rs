//! The page, built by Trunk.

use std::path::Path;
use std::process::Command;

use crate::shell::{self, Failure};

/// Trunk, with wasm-bindgen's programs first on its PATH.
pub fn trunk(trunk: &Path, wasm_bindgen: &Path) -> Command {
    let mut command = shell::program(trunk);
    // Trunk takes any NO_COLOR for its own option of that name, which wants `true` or `false`.
    command.env("PATH", shell::path_with(&[wasm_bindgen])).env_remove("NO_COLOR");
    command
}

/// Builds the page as it is published, into `dist/`.
///
/// # Errors
/// It does not build.
pub fn release(trunk_program: &Path, wasm_bindgen: &Path) -> Result<(), Failure> {
    // Offline: everything is here, and Trunk shall not look for newer tools of its own.
    shell::run(trunk(trunk_program, wasm_bindgen).args(["build", "--release", "--offline", "true"]))
}
