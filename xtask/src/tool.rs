//! Programs that are needed in one exact version, and the per-user cache that keeps them.
//!
//! The cache is outside the clone, so that a second clone finds them, and outside `~/.cargo/bin`, so that a person's own tools stay
//! theirs. A folder is named after the version in it: what is there is right, and is never replaced.

use std::path::{Path, PathBuf};

use crate::shell::{self, Failure};

/// A program that `cargo install` can build.
pub struct Tool {
    /// The program and its package.
    pub name: &'static str,
    /// The version that this project was tried with.
    pub version: &'static str,
    /// The features to build it with; its default ones when there is none.
    pub features: Option<&'static str>,
    /// What it is for: "Trunk builds and serves the page".
    pub purpose: &'static str,
    /// How long the installation takes on a small machine.
    pub about: &'static str,
}

impl Tool {
    /// The program: from the cache, from PATH if its version is right there, or else built now.
    ///
    /// # Errors
    /// It has to be built, and that fails.
    pub fn ready(&self) -> Result<PathBuf, Failure> {
        let folder = cache()?.join(format!("{}-{}", self.name, self.version));
        let cached = folder.join("bin").join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX));
        if has_version(&cached, self.version) {
            return Ok(cached);
        }
        if let Some(found) = shell::on_path(self.name).filter(|found| has_version(found, self.version)) {
            return Ok(found);
        }
        self.install(&folder)?;
        if has_version(&cached, self.version) {
            Ok(cached)
        } else {
            Err(Failure::new(format!(
                "{} was installed, but does not run as version {}",
                cached.display(),
                self.version
            )))
        }
    }

    fn install(&self, folder: &Path) -> Result<(), Failure> {
        println!(
            "Installing {} {}: {}. Once per machine, about {}.",
            self.name, self.version, self.purpose, self.about
        );
        println!("  into {}", folder.display());
        // Kept when the installation is interrupted, so that the next attempt goes on from there.
        let scratch = folder.with_file_name(format!("{}-{}.build", self.name, self.version));
        let mut install = shell::cargo();
        install
            .args(["install", "--locked", "--root"])
            .arg(folder)
            .arg("--target-dir")
            .arg(&scratch)
            .arg(format!("{}@{}", self.name, self.version))
            .args(self.features.into_iter().flat_map(|features| ["--no-default-features", "--features", features]))
            // These tools wait for files and for other programs. Optimising them would take several times as long as all their work.
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        shell::run(&mut install).map_err(|failure| {
            Failure::new(format!(
                "{name} {version} could not be installed ({failure}). If this network refuses the download, install {name} {version} \
                 in another way and put it on PATH: it is used from there when `{name} --version` says {version}.",
                name = self.name,
                version = self.version,
            ))
        })?;
        // Only space: a folder that cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(scratch);
        Ok(())
    }
}

/// Where this project keeps programs, over all clones.
///
/// # Errors
/// The system names no home.
pub fn cache() -> Result<PathBuf, Failure> {
    let folder = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("fenceline").join("tools"))
        .ok_or_else(|| Failure::new("there is no place for tools: set HOME or XDG_CACHE_HOME"))
}

/// Whether this file is a program that calls itself this version (`trunk 0.21.14`, `mdbook v0.5.4`).
pub fn has_version(program: &Path, version: &str) -> bool {
    program.is_file()
        && shell::ask(std::process::Command::new(program).arg("--version"))
            .and_then(|answer| answer.split_whitespace().nth(1).map(|word| word.trim_start_matches('v') == version))
            .unwrap_or(false)
}
