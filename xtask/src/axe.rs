//! axe-core, by which the end-to-end tests judge whether everybody can use the page: fetched once, checked, kept in the cache.
//!
//! It is one script from the npm registry that the person's own npm is set up for. Invariant: only the script whose checksum
//! is written here is ever handed to the tests.

use std::path::{Path, PathBuf};

use crate::shell::{self, Failure};
use crate::tool;

/// The version that the page is held against: a newer one has other rules.
const VERSION: &str = "4.14.1";

/// The SHA-256 of its `axe.min.js`.
const SHA_256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";

/// The script: from the cache, or else fetched now.
///
/// # Errors
/// It has to be fetched, and that fails; or what came is not what was expected.
pub fn script() -> Result<PathBuf, Failure> {
    let folder = tool::cache()?.join(format!("axe-core-{VERSION}"));
    let script = folder.join("axe.min.js");
    if is_the_one(&script) {
        return Ok(script);
    }
    println!("Fetching axe-core {VERSION}: it finds what keeps people from using the page. Once per machine, 0.7 MB.");
    println!("  into {}", folder.display());
    // By way of a folder of its own, so that another clone never finds half a script.
    let scratch = folder.with_file_name(format!("axe-core-{VERSION}.{}", std::process::id()));
    let fetched = fetch_into(&scratch).and_then(|()| keep(&scratch.join("package"), &folder));
    // Only space: a folder that cannot be removed does no harm.
    let _ = std::fs::remove_dir_all(&scratch);
    fetched.map_err(|failure| {
        Failure::new(format!(
            "axe-core {VERSION} could not be fetched ({failure}). The end-to-end tests need it. If this machine has no npm, or its \
             registry refuses, put the file `axe.min.js` of that version at {}.",
            script.display()
        ))
    })?;
    if is_the_one(&script) {
        Ok(script)
    } else {
        Err(Failure::new(format!(
            "{} is not the axe-core {VERSION} that was expected: its SHA-256 differs, or neither `sha256sum` nor `shasum` is on PATH",
            script.display()
        )))
    }
}

/// Fetches the package and takes out of it what is needed, and its licence.
fn fetch_into(scratch: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(scratch)
        .map_err(|error| Failure::new(format!("could not make {}: {error}", scratch.display())))?;
    let package = format!("axe-core@{VERSION}");
    shell::run(shell::program("npm").args(["pack", "--silent", &package]).current_dir(scratch))?;
    let archive = format!("axe-core-{VERSION}.tgz");
    shell::run(
        shell::program("tar").args(["-xzf", &archive, "package/axe.min.js", "package/LICENSE"]).current_dir(scratch),
    )
}

fn keep(package: &Path, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::rename(package.join("LICENSE"), folder.join("LICENSE")))
        .and_then(|()| std::fs::rename(package.join("axe.min.js"), folder.join("axe.min.js")))
        .map_err(|error| Failure::new(format!("could not move it to {}: {error}", folder.display())))
}

/// Whether a file is the script that was expected.
fn is_the_one(script: &Path) -> bool {
    if !script.is_file() {
        return false;
    }
    let asked = |program: &str, arguments: &[&str]| shell::ask(shell::program(program).args(arguments).arg(script));
    let sum = asked("sha256sum", &[]).or_else(|| asked("shasum", &["-a", "256"]));
    sum.is_some_and(|sum| sum.trim_start_matches('\\').starts_with(SHA_256))
}
