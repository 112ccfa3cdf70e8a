//! Which files are checked: those that are named, and in the folders that are named all that may claim something.
//!
//! The order is the same on every machine. Folders behind a symbolic link are not entered, so that no walk is endless.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fenceline_claims::Form;

/// A file to check.
pub struct Met {
    pub path: PathBuf,
    pub form: Form,
    /// Whether it was asked for by its name.
    pub is_named: bool,
}

/// Folders of what was built or fetched.
const SKIPPED: [&str; 2] = ["target", "node_modules"];

/// All files to check, each once, and what could not be looked at.
pub fn files(paths: &[OsString]) -> (Vec<Met>, Vec<(PathBuf, String)>) {
    let (mut walk, mut lost) = (Walk::default(), Vec::new());
    for path in paths {
        let path = PathBuf::from(path);
        let looked =
            fs::metadata(&path).and_then(|is| if is.is_dir() { walk.folder(&path, &mut lost) } else { Ok(()) });
        match (looked, form(&path)) {
            (Err(error), _) => lost.push((path, error.to_string())),
            (Ok(()), _) if path.is_dir() => {}
            (Ok(()), Some(form)) => walk.meet(path, form, true),
            (Ok(()), None) => lost.push((path, "only .md, .markdown and .json files are checked".into())),
        }
    }
    (walk.met, lost)
}

fn form(path: &Path) -> Option<Form> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "md" | "markdown" => Some(Form::Markdown),
        "json" => Some(Form::Json),
        _ => None,
    }
}

#[derive(Default)]
struct Walk {
    met: Vec<Met>,
    seen: BTreeSet<PathBuf>,
}

impl Walk {
    fn meet(&mut self, path: PathBuf, form: Form, is_named: bool) {
        let true_path = path.canonicalize().unwrap_or_else(|_| path.clone());
        if self.seen.insert(true_path) {
            self.met.push(Met { path, form, is_named });
        }
    }

    /// A folder and all below it. What cannot be looked at below it does not keep the rest from being checked.
    fn folder(&mut self, root: &Path, lost: &mut Vec<(PathBuf, String)>) -> io::Result<()> {
        let mut waiting = entries(root)?;
        while let Some(path) = waiting.pop() {
            let name = path.file_name().unwrap_or_default();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if path.is_dir() {
                if path.is_symlink() || SKIPPED.iter().any(|skipped| name == *skipped) {
                    continue;
                }
                match entries(&path) {
                    Ok(below) => waiting.extend(below),
                    Err(error) => lost.push((path, error.to_string())),
                }
            } else if path.is_file()
                && let Some(form) = form(&path)
            {
                self.meet(path, form, false);
            }
        }
        Ok(())
    }
}

/// What a folder holds, the first by name last.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names: Vec<OsString> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort_unstable_by(|one, other| other.cmp(one));
    // `./` before every name would only be in the way.
    let folder = if folder == Path::new(".") { Path::new("") } else { folder };
    Ok(names.into_iter().map(|name| folder.join(name)).collect())
}
