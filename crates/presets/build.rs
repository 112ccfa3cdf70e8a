//! Lists the documents in `presets/`, so that a preset is added by adding its file.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../presets").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        // The library's own file says what the presets teach; it is none itself.
        if path.extension().is_some_and(|extension| extension == "json") && name != "library" {
            files.push((name, path.display().to_string()));
        }
    }
    files.sort();
    let item = |(name, path): &(String, String)| format!("({name:?}, include_str!({path:?})),\n");
    let list: String = files.iter().map(item).collect();
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("presets.rs"), format!("&[\n{list}]\n"))
}
