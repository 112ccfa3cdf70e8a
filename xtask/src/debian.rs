//! Programs that Debian has as packages: found, or installed with apt-get where it is there.

use std::fs;
use std::path::PathBuf;

use crate::shell::{self, Failure};

/// One program, under the names it goes by, and the Debian packages that bring it.
pub struct Need {
    /// The names.
    pub programs: &'static [&'static str],
    /// The packages.
    pub packages: &'static [&'static str],
}

impl Need {
    /// Where it is.
    pub fn find(&self) -> Option<PathBuf> {
        let on_path = self.programs.iter().find_map(|name| shell::on_path(name));
        on_path.or_else(|| beside_path(self.programs[0]))
    }
}

/// What is there and not on PATH.
fn beside_path(name: &str) -> Option<PathBuf> {
    let found = match name {
        // Where macOS keeps browsers; their drivers find them without PATH.
        "chromium" => PathBuf::from("/Applications/Google Chrome.app"),
        "firefox" => PathBuf::from("/Applications/Firefox.app"),
        // Debian keeps every version of PostgreSQL's server apart.
        "postgres" | "initdb" => {
            let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
            newest(versions.filter_map(|version| Some(version.ok()?.path()))).join("bin").join(name)
        }
        "mariadbd" | "redis-server" => PathBuf::from("/usr/sbin").join(name),
        _ => return None,
    };
    found.exists().then_some(found)
}

/// The folder whose name is the highest number: 17 is after 9.
fn newest(folders: impl Iterator<Item = PathBuf>) -> PathBuf {
    let number = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    folders.filter(|folder| number(folder).is_some()).max_by_key(number).unwrap_or_default()
}

/// Makes sure that all of these are here.
///
/// # Errors
/// Something is missing and cannot be installed.
pub fn ensure(needs: &[Need], why: &str) -> Result<(), Failure> {
    let missing: Vec<_> = needs.iter().filter(|need| need.find().is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<_> = missing.iter().flat_map(|need| need.packages).copied().collect();
    install(&packages, why)?;
    match missing.iter().find(|need| need.find().is_none()) {
        None => Ok(()),
        Some(still) => {
            let (program, packages) = (still.programs[0], packages.join(" "));
            Err(Failure::new(format!("{program} is still missing after {packages} was installed")))
        }
    }
}

fn install(packages: &[&str], why: &str) -> Result<(), Failure> {
    let list = packages.join(" ");
    if shell::on_path("apt-get").is_none() {
        let needed = "needs programs that are not on PATH. Install what your system has for Debian's packages";
        return Err(Failure::new(format!("{why}: this {needed} {list}.")));
    }
    println!("Installing {list} with apt-get: {why}. Once per machine, about 1 to 3 minutes.");
    apt_get(&["update", "--quiet"])
        .and_then(|()| apt_get(&[&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat()))
        .map_err(|failure| {
            let instead = "Install them in another way, so that their programs are on PATH.";
            Failure::new(format!("{list} could not be installed ({failure}). {instead}"))
        })
}

/// Whether this is root.
pub fn is_root() -> bool {
    shell::ask(shell::program("id").arg("-u")).is_some_and(|id| id == "0")
}

/// Runs apt-get as root: directly when this is root, through sudo otherwise.
fn apt_get(arguments: &[&str]) -> Result<(), Failure> {
    let mut command = if is_root() { shell::program("env") } else { shell::program("sudo") };
    shell::run(command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_the_highest_number() {
        let folders = |names: &[&str]| {
            newest(names.iter().map(|name| PathBuf::from("/x").join(name)).collect::<Vec<_>>().into_iter())
        };
        assert_eq!(folders(&["9", "17", "16", "old"]), PathBuf::from("/x/17"));
        assert_eq!(folders(&["old"]), PathBuf::new());
    }
}
