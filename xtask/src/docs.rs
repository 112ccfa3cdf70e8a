//! `cargo xtask docs`: the documentation as a book, and whether what it says is true.
//!
//! The book is built by mdBook with this project's own preprocessor, which fails on a claim that is false. What neither of them looks
//! at is looked at here: that every link inside the book leads somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::setup;
use crate::shell::{self, Failure};

/// The folder of the book that the built page is put into, as docs/book.toml says.
const PLAY: &str = "play";

/// Where the built book is.
///
/// # Errors
/// Cargo does not say where it builds.
pub fn place() -> Result<PathBuf, Failure> {
    Ok(setup::target_folder()?.join("docs"))
}

/// Sets up mdBook, builds the book and checks it.
///
/// # Errors
/// Something is missing, does not build, or is not true.
pub fn docs() -> Result<(), Failure> {
    build(&setup::mdbook()?)
}

/// Builds the book with this mdBook and checks it.
///
/// # Errors
/// Something does not build, or is not true.
pub fn build(mdbook: &Path) -> Result<(), Failure> {
    let target = setup::target_folder()?;
    let root = shell::root();
    shell::run(shell::cargo().args(["build", "--quiet", "--package=mdbook-fenceline", "--package=fenceline-cli"]))?;
    let programs = target.join("debug");
    let book = place()?;
    remove(&book)?;
    let mut build = shell::program(mdbook);
    build.args(["build", "docs", "--dest-dir"]).arg(&book).env("PATH", shell::path_with(&[&programs]));
    shell::run(&mut build)?;
    let has_page = root.join("dist").join("index.html").is_file();
    if has_page {
        copy(&root.join("dist"), &book.join(PLAY))?;
    }
    let broken = broken_links(&book, has_page)?;
    if !broken.is_empty() {
        return Err(Failure::new(format!("links of the book that lead nowhere:\n  {}", broken.join("\n  "))));
    }
    let checker = programs.join(format!("fenceline{}", std::env::consts::EXE_SUFFIX));
    shell::run(shell::program(checker).args(["check", "docs", "presets", "recipes", "README.md"]))?;
    println!("The documentation is in {}.", book.display());
    if !has_page {
        println!("Its links to the playground lead nowhere yet: `cargo xtask build`, then this again.");
    }
    Ok(())
}

/// Removes a folder with all that is in it, if it is there.
///
/// # Errors
/// It cannot be removed.
pub fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::new(format!("could not remove {}: {error}", folder.display())))
        }
        _ => Ok(()),
    }
}

/// Copies a folder with all below it.
///
/// # Errors
/// Something cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let copied = || -> std::io::Result<()> {
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            fs::create_dir_all(to.join(&folder))?;
            for entry in fs::read_dir(from.join(&folder))? {
                let entry = entry?;
                let place = folder.join(entry.file_name());
                if entry.file_type()?.is_dir() {
                    folders.push(place);
                } else {
                    fs::copy(entry.path(), to.join(place))?;
                }
            }
        }
        Ok(())
    };
    copied().map_err(|error| Failure::new(format!("could not copy {} to {}: {error}", from.display(), to.display())))
}

/// The links inside the book that lead nowhere: page and link.
fn broken_links(book: &Path, has_page: bool) -> Result<Vec<String>, Failure> {
    let mut broken = Vec::new();
    for page in pages(book)? {
        // It is shown for any address that is missing, so its links start from the root of a server.
        if page == "404.html" {
            continue;
        }
        let text = read(&book.join(&page))?;
        for address in addresses(&text) {
            let (file, fragment) = address.split_once('#').unwrap_or((&address, ""));
            let file = file.split('?').next().unwrap_or_default().trim_start_matches("./");
            let is_play = file.starts_with(&format!("{PLAY}/"));
            if is_play {
                if has_page && !book.join(file).exists() {
                    broken.push(format!("{page}: {address}"));
                }
                continue;
            }
            let target = if file.is_empty() { page.as_str() } else { file };
            let leads =
                book.join(target).is_file() && (fragment.is_empty() || has_id(&read(&book.join(target))?, fragment));
            if !leads {
                broken.push(format!("{page}: {address}"));
            }
        }
    }
    Ok(broken)
}

/// The book's own pages, all in one folder.
fn pages(book: &Path) -> Result<Vec<String>, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("could not look into {}: {error}", book.display()));
    let mut pages = Vec::new();
    for entry in fs::read_dir(book).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().into_string();
        pages.extend(name.into_iter().filter(|name| Path::new(name).extension().is_some_and(|kind| kind == "html")));
    }
    pages.sort_unstable();
    if pages.is_empty() { Err(Failure::new(format!("{} has no pages", book.display()))) } else { Ok(pages) }
}

/// What a page refers to by an address without a host.
fn addresses(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    // Inside tags only: what a page says of HTML is escaped, all but its quotes.
    for tag in text.split('<').skip(1).filter_map(|tag| tag.split_once('>')).map(|(tag, _)| tag) {
        for part in [" href=\"", " src=\""].into_iter().filter_map(|name| tag.split_once(name)).map(|(_, part)| part) {
            let address = part.split('"').next().unwrap_or_default().replace("&amp;", "&");
            let path = address.split(['#', '?', '/']).next().unwrap_or_default();
            // A scheme, or another host, or the root of a server.
            if !path.contains(':') && !address.starts_with('/') && !address.is_empty() {
                found.insert(address);
            }
        }
    }
    found
}

fn has_id(text: &str, id: &str) -> bool {
    text.contains(&format!(" id=\"{id}\""))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::new(format!("could not read {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_inside_the_book_are_followed_and_others_are_not() {
        let folder = std::env::temp_dir().join(format!("fenceline-links-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let one = "<a href=\"two.html#there\"> <a href=\"two.html#nowhere\"> <a href=\"#here\" id=\"here\"> \
            <a href=\"https://example.org/x\"> <a href=\"/root\"> <a href=\"mailto:x\"> <img src=\"none.png\"> \
            <a href=\"./play/#p=a&amp;b\"> <a href=\"play/missing.js\"> &lt;a href=\"text\"";
        fs::write(folder.join("one.html"), one).expect("a page");
        fs::write(folder.join("two.html"), "<p id=\"there\">").expect("a page");
        let without = broken_links(&folder, false).expect("it is read");
        assert_eq!(without, ["one.html: none.png", "one.html: two.html#nowhere"]);
        let with = broken_links(&folder, true).expect("it is read");
        assert!(with.contains(&"one.html: play/missing.js".to_owned()), "{with:?}");
        fs::remove_dir_all(folder).expect("the folder goes");
    }

    #[test]
    fn a_folder_is_copied_with_all_below_it() {
        let folder = std::env::temp_dir().join(format!("fenceline-copy-{}", std::process::id()));
        fs::create_dir_all(folder.join("from/below")).expect("a folder");
        fs::write(folder.join("from/below/file"), "x").expect("a file");
        copy(&folder.join("from"), &folder.join("to")).expect("it is copied");
        assert_eq!(fs::read(folder.join("to/below/file")).expect("it is there"), b"x");
        fs::remove_dir_all(folder).expect("the folder goes");
    }
}
