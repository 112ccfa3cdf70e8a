//! `cargo xtask recipes`: the recipes for other builders of documentation, each built as its reader would.
//!
//! It is no part of `cargo xtask test`: the builders are other people's, and come from their own registries. Invariant: a recipe whose builder
//! is missing is told, and is never counted as built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::docs;
use crate::setup;
use crate::shell::{self, Failure};

/// What the example of each recipe comes to, as its figures say it.
const TOLD: [&str; 2] = ["the report remembers 42", "replaced B’s newer report"];

/// What is fetched for the recipes, in the versions that they were tried with.
const FROM_PYPI: [&str; 3] = ["mkdocs==1.6.1", "sphinx==9.0.4", "myst-parser==5.2.0"];

/// Builds every recipe whose builder is here; with `install`, fetches the builders first, into `target/recipes`.
///
/// # Errors
/// A builder cannot be fetched, or a recipe does not build, or what it builds has no figures.
pub fn recipes(install: bool) -> Result<(), Failure> {
    let target = setup::target_folder()?;
    shell::run(shell::cargo().args(["build", "--quiet", "--package=fenceline-cli"]))?;
    let place = Place {
        programs: target.join("debug"),
        python: target.join("recipes").join("venv").join("bin"),
        at: target.join("recipes"),
    };
    place.lay_out()?;
    if install {
        place.install()?;
    }
    place.rustdoc()?;
    let mut missing = Vec::new();
    for (program, recipe) in [("mkdocs", Place::mkdocs as fn(&Place) -> _), ("sphinx-build", Place::sphinx)] {
        if place.has(program) {
            recipe(&place)?;
        } else {
            missing.push(program);
        }
    }
    if place.vitepress_program().is_file() {
        place.vitepress()?;
    } else {
        missing.push("vitepress");
    }
    if !missing.is_empty() {
        println!("Not built, because the builder is not here: {}. `--install` fetches them.", missing.join(", "));
    }
    Ok(())
}

struct Place {
    /// Where `fenceline` is.
    programs: PathBuf,
    /// Where Python's programs are, once they were installed.
    python: PathBuf,
    /// Where the recipes are copied to and built.
    at: PathBuf,
}

impl Place {
    /// Copies the recipes and, where the page is built, the page into each.
    fn lay_out(&self) -> Result<(), Failure> {
        for name in ["mkdocs", "sphinx", "vitepress", "rustdoc"] {
            docs::copy(&shell::root().join("recipes").join(name), &self.at.join(name))?;
        }
        let page = shell::root().join("dist");
        if page.join("index.html").is_file() {
            for place in ["mkdocs/docs/play", "sphinx/_static/play", "vitepress/public/play"] {
                docs::copy(&page, &self.at.join(place))?;
            }
        }
        Ok(())
    }

    fn install(&self) -> Result<(), Failure> {
        let python = self.python.join("python");
        if !python.is_file() {
            shell::run(shell::program("python3").args(["-m", "venv"]).arg(self.at.join("venv")))?;
        }
        shell::run(shell::program(python).args(["-m", "pip", "install", "--quiet"]).args(FROM_PYPI))?;
        let mut npm = shell::program("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund"]).current_dir(self.at.join("vitepress"));
        shell::run(&mut npm)
    }

    fn has(&self, program: &str) -> bool {
        self.python.join(program).is_file() || shell::on_path(program).is_some()
    }

    fn vitepress_program(&self) -> PathBuf {
        self.at.join("vitepress/node_modules/.bin/vitepress")
    }

    /// A program in the folder of a recipe, with `fenceline` and the builders on its PATH.
    fn program(&self, name: impl AsRef<std::ffi::OsStr>, recipe: &str) -> Command {
        let mut command = shell::program(name);
        let path = shell::path_with(&[&self.programs, &self.python]);
        command.current_dir(self.at.join(recipe)).env("PATH", path);
        command
    }

    fn mkdocs(&self) -> Result<(), Failure> {
        // Through `env`, which looks a program up on the PATH that it is given.
        shell::run(self.program("env", "mkdocs").args(["mkdocs", "build", "--quiet", "--strict"]))?;
        self.built("mkdocs", "mkdocs/site/index.html", &TOLD)
    }

    fn sphinx(&self) -> Result<(), Failure> {
        let build = ["sphinx-build", "-q", "-W", "-b", "html", ".", "_build"];
        shell::run(self.program("env", "sphinx").args(build))?;
        self.built("sphinx", "sphinx/_build/index.html", &TOLD)
    }

    fn vitepress(&self) -> Result<(), Failure> {
        shell::run(self.program(self.vitepress_program(), "vitepress").arg("build"))?;
        self.built("vitepress", "vitepress/.vitepress/dist/index.html", &TOLD)
    }

    fn rustdoc(&self) -> Result<(), Failure> {
        let render = ["render", "story.json", "--width", "800"];
        let picture = shell::ask(self.program(self.programs.join("fenceline"), "rustdoc/src").args(render));
        let kept = fs::read_to_string(self.at.join("rustdoc/src/story.svg")).unwrap_or_default();
        if picture.as_deref() != Some(kept.trim()) {
            return Err(Failure::new(
                "recipes/rustdoc/src/story.svg is not what `fenceline render story.json --width 800` paints there",
            ));
        }
        let mut doc = shell::cargo();
        doc.args(["doc", "--quiet", "--no-deps", "--target-dir", "target"]).current_dir(self.at.join("rustdoc"));
        shell::run(&mut doc)?;
        self.built("rustdoc", "rustdoc/target/doc/report_lock/index.html", &TOLD[..1])
    }

    /// Holds a built page against what its figures have to say.
    fn built(&self, recipe: &str, page: &str, told: &[&str]) -> Result<(), Failure> {
        let path = self.at.join(page);
        let text = fs::read_to_string(&path)
            .map_err(|error| Failure::new(format!("{recipe}: could not read {}: {error}", path.display())))?;
        let lacks = told.iter().find(|words| !text.contains(**words));
        let has_pictures =
            text.contains("<svg ") || text.matches("src=\"data:image/svg+xml;base64,").count() == told.len();
        if let Some(words) = lacks {
            return Err(Failure::new(format!("{recipe}: {} does not say ‘{words}’", path.display())));
        }
        if !has_pictures || text.contains("language-fenceline") {
            return Err(Failure::new(format!("{recipe}: {} has a block that is not drawn", path.display())));
        }
        println!("{recipe}: {}", Path::new("target/recipes").join(page).display());
        Ok(())
    }
}
