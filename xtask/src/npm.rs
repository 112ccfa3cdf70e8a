//! `cargo xtask npm`: the npm package of the element with the built page in it, and a site that has it installed.
//!
//! The site is what the end-to-end tests open: what is tested is what comes out of the tarball, not what went into it. Nothing of
//! it asks a registry.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build;
use crate::docs;
use crate::setup;
use crate::shell::{self, Failure};

/// What the package has to have in it, besides what npm asks for.
const NEEDED: [&str; 10] = [
    "package/package.json",
    "package/README.md",
    "package/LICENSE-MIT",
    "package/custom-elements.json",
    "package/page/index.html",
    "package/page/fence-line.js",
    "package/page/fence-line.d.ts",
    "package/page/explorer.js",
    "package/page/fenceline-explorer.js",
    "package/page/fenceline-explorer_bg.wasm",
];

/// Builds the page, makes the package, and installs it into a site.
///
/// # Errors
/// It does not build, or npm is missing or refuses.
pub fn npm() -> Result<(), Failure> {
    setup::wasm_target()?;
    setup::fetch()?;
    build::release(&setup::trunk()?, &setup::wasm_bindgen()?)?;
    let tarball = pack()?;
    let site = install(&tarball)?;
    println!("The package is {}; a site that has it installed is in {}.", tarball.display(), site.display());
    Ok(())
}

/// Where packages are made.
fn folder() -> Result<PathBuf, Failure> {
    Ok(setup::target_folder()?.join("npm"))
}

/// Makes the package of the page in `dist/`, and gives the tarball.
///
/// # Errors
/// A file cannot be copied, npm is missing or refuses, or the package lacks something.
pub fn pack() -> Result<PathBuf, Failure> {
    let (root, folder) = (shell::root(), folder()?);
    docs::remove(&folder)?;
    let package = folder.join("package");
    docs::copy(&root.join("dist"), &package.join("page"))?;
    for (from, name) in [
        ("npm/package.json", "package.json"),
        ("npm/README.md", "README.md"),
        ("npm/custom-elements.json", "custom-elements.json"),
        ("LICENSE-MIT", "LICENSE-MIT"),
        ("LICENSE-APACHE", "LICENSE-APACHE"),
    ] {
        fs::copy(root.join(from), package.join(name))
            .map_err(|error| Failure::new(format!("could not copy {from} into the package: {error}")))?;
    }
    shell::run(
        npm_program().args(["pack", "--silent", "--offline", "--pack-destination"]).arg(&folder).current_dir(&package),
    )?;
    let tarball = folder.join(format!("fenceline-{}.tgz", env!("CARGO_PKG_VERSION")));
    let listed = shell::ask(shell::program("tar").arg("-tzf").arg(&tarball));
    let listed =
        listed.ok_or_else(|| Failure::new(format!("`tar` is missing, or {} was not made", tarball.display())))?;
    let has = |name: &str| listed.lines().any(|line| line == name);
    let is_there = |kind: &str| listed.lines().any(|line| line.starts_with("package/page/") && line.ends_with(kind));
    match NEEDED.into_iter().find(|name| !has(name)).or_else(|| (!is_there("_bg.wasm")).then_some("the compiled page"))
    {
        Some(missing) => Err(Failure::new(format!("the package lacks {missing}"))),
        None => Ok(tarball),
    }
}

/// Installs the package into a site of its own, and gives its folder.
///
/// # Errors
/// npm refuses, or the package is not found by its name.
pub fn install(tarball: &Path) -> Result<PathBuf, Failure> {
    let site = folder()?.join("site");
    docs::remove(&site)?;
    docs::copy(&shell::root().join("npm").join("site"), &site)?;
    shell::run(
        npm_program()
            .args(["install", "--silent", "--offline", "--no-audit", "--no-fund", "--ignore-scripts"])
            .arg(tarball)
            .current_dir(&site),
    )?;
    let question = ["--input-type=module", "--eval", "process.stdout.write(import.meta.resolve('fenceline'))"];
    let found = shell::ask(shell::program("node").args(question).current_dir(&site)).unwrap_or_default();
    if found.ends_with("/node_modules/fenceline/page/fence-line.js") {
        Ok(site)
    } else {
        Err(Failure::new(format!("`import \"fenceline\"` leads to {found:?} in {}", site.display())))
    }
}

fn npm_program() -> std::process::Command {
    shell::program(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_package_has_the_version_of_the_project() {
        let package = include_str!("../../npm/package.json");
        let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(package.contains(&version), "npm/package.json has to have {version}");
    }
}
