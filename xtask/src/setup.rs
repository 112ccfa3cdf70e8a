//! What a command needs beyond Rust itself: found, or installed with a word on what, why and how long.
//!
//! Every step first looks and then acts, so a second run costs a few process starts.

use std::path::{Path, PathBuf};

use crate::debian::{self, Need};
use crate::shell::{self, Failure};
use crate::tool::{self, Tool};

/// What the page is compiled to.
pub const WASM: &str = "wasm32-unknown-unknown";

/// wasm-bindgen's programs, both in one folder.
const BINDGEN: [&str; 2] = ["wasm-bindgen", "wasm-bindgen-test-runner"];

/// Trunk.
///
/// # Errors
/// It is not there and cannot be installed.
pub fn trunk() -> Result<PathBuf, Failure> {
    // Not 0.22: it needs a newer Rust than this project asks for.
    Tool {
        name: "trunk",
        version: "0.21.14",
        features: None,
        purpose: "it builds and serves the page",
        about: "3 to 9 minutes",
    }
    .ready()
}

/// mdBook, in the version that the preprocessor's library is of.
///
/// # Errors
/// It is not there and cannot be installed.
pub fn mdbook() -> Result<PathBuf, Failure> {
    Tool {
        name: "mdbook",
        version: "0.5.4",
        // It serves and watches nothing here.
        features: Some("search"),
        purpose: "it builds the documentation",
        about: "1 to 3 minutes",
    }
    .ready()
}

/// Firefox's driver, which Debian does not have.
///
/// # Errors
/// It is not there and cannot be installed.
pub fn geckodriver() -> Result<PathBuf, Failure> {
    Tool {
        name: "geckodriver",
        version: "0.37.1",
        features: None,
        purpose: "the end-to-end tests steer Firefox with it",
        about: "2 minutes",
    }
    .ready()
}

/// Python, which runs the evidence that a person can export.
///
/// # Errors
/// It is not there and cannot be installed.
pub fn python() -> Result<(), Failure> {
    debian::ensure(&[Need { programs: &["python3"], packages: &["python3"] }], "exported evidence is run by Python")
}

/// The compiler's target for the page.
///
/// # Errors
/// It is not there and rustup cannot add it.
pub fn wasm_target() -> Result<(), Failure> {
    let mut question = shell::program(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let libraries = shell::ask(question.args(["--print", "target-libdir", "--target", WASM]));
    if libraries.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    println!("Adding Rust's {WASM} target: the page is compiled to WebAssembly. A download of about 20 MB.");
    shell::run(shell::program("rustup").args(["target", "add", WASM])).map_err(|failure| {
        Failure::new(format!(
            "Rust's {WASM} target could not be added ({failure}). Add it in another way, for instance from your system's Rust packages; \
             it is there when `rustc --print target-libdir --target {WASM}` names a folder that exists."
        ))
    })
}

/// The crates in the lock file, for this machine and for the page.
///
/// Trunk is run offline so that it downloads no tools of its own; it hands that on to cargo, which must then have all it needs.
///
/// # Errors
/// A crate is missing and cannot be downloaded.
pub fn fetch() -> Result<(), Failure> {
    let mut fetch = shell::cargo();
    fetch.args(["fetch", "--target", WASM]);
    if let Some(host) = host() {
        fetch.args(["--target", &host]);
    }
    shell::run(&mut fetch).map_err(|failure| {
        Failure::new(format!(
            "the crates in Cargo.lock could not be downloaded ({failure}). Cargo needs a registry it can reach."
        ))
    })
}

/// The folder with wasm-bindgen's programs, in the version that the page is compiled against.
///
/// # Errors
/// They are not there and cannot be built.
pub fn wasm_bindgen() -> Result<PathBuf, Failure> {
    let version = locked_version("wasm-bindgen")?;
    let folder = tool::cache()?.join(format!("wasm-bindgen-{version}")).join("bin");
    let all_in = |folder: &Path| BINDGEN.iter().all(|name| tool::has_version(&executable(folder, name), &version));
    if all_in(&folder) {
        return Ok(folder);
    }
    if let Some(found) =
        shell::on_path(BINDGEN[0]).and_then(|found| found.parent().map(Path::to_path_buf)).filter(|found| all_in(found))
    {
        return Ok(found);
    }
    println!(
        "Building wasm-bindgen {version}: it joins the compiled page to JavaScript. Once per version, about 1 to 3 minutes."
    );
    println!("  into {}", folder.display());
    let built = tools_from_lock_file()?;
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::new(format!("could not make {}: {error}", folder.display())))?;
    for name in BINDGEN {
        let from = executable(&built, name);
        let to = executable(&folder, name);
        // By way of a name of its own, so that another clone never starts half a program.
        let half = folder.join(format!("{name}.{}", std::process::id()));
        std::fs::copy(&from, &half)
            .and_then(|_| std::fs::rename(&half, &to))
            .map_err(|error| Failure::new(format!("could not copy {} to {}: {error}", from.display(), to.display())))?;
    }
    if all_in(&folder) {
        Ok(folder)
    } else {
        Err(Failure::new(format!(
            "the programs in {} do not call themselves version {version}, as Cargo.lock does",
            folder.display()
        )))
    }
}

/// Builds `tools/` and gives the folder that cargo put the programs into.
fn tools_from_lock_file() -> Result<PathBuf, Failure> {
    let mut build = shell::cargo();
    // A dependency deep down uses Rust in a way that will stop compiling one day; a person who runs the tests can do nothing about that.
    build.args(["build", "--package", "fenceline-tools", "--config", "future-incompat-report.frequency='never'"]);
    // Without optimisation, each rebuild of the page would take many times as long.
    build.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("CARGO_PROFILE_DEV_DEBUG", "false");
    shell::run(&mut build).map_err(|failure| {
        Failure::new(format!(
            "wasm-bindgen's programs could not be built from `tools/` ({failure}). If this network refuses a download, install \
             wasm-bindgen-cli {version} in another way and put it on PATH: it is used from there when its version is the same.",
            version = locked_version("wasm-bindgen").unwrap_or_default(),
        ))
    })?;
    Ok(target_folder()?.join("debug"))
}

/// Where cargo builds, which a person may have set in several ways.
pub fn target_folder() -> Result<PathBuf, Failure> {
    let metadata = shell::ask(shell::cargo().args(["metadata", "--no-deps", "--format-version", "1"]));
    // One known key of the answer does not pay for a JSON parser.
    metadata
        .as_deref()
        .and_then(|metadata| metadata.split_once("\"target_directory\":\""))
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(folder, _)| PathBuf::from(folder.replace("\\\\", "\\")))
        .ok_or_else(|| Failure::new("`cargo metadata` does not say where cargo builds"))
}

/// The version of a package in Cargo.lock.
fn locked_version(package: &str) -> Result<String, Failure> {
    let path = shell::root().join("Cargo.lock");
    let lock = std::fs::read_to_string(&path)
        .map_err(|error| Failure::new(format!("could not read {}: {error}", path.display())))?;
    version_in(&lock, package).ok_or_else(|| Failure::new(format!("{} has no {package}", path.display())))
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    rest.split_once('"').map(|(version, _)| version.to_owned())
}

/// This machine, as the compiler calls it.
fn host() -> Option<String> {
    let answer = shell::ask(shell::program("rustc").arg("-vV"))?;
    answer.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

fn executable(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_version_is_that_of_the_whole_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.2.9\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "trunk"), None);
    }
}
