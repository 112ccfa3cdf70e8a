//! `cargo xtask bundle`: the built page as one HTML file that opens from a disk, for slides and where there is no network.
//!
//! Style sheets and the boot script stand in it as they are; compiled modules as base64 and presets as JSON, each in an element
//! with the id `file:NAME`, where `web/boot.js` and `src/platform/fetch.rs` look before they load anything. Invariant: the file
//! refers to nothing outside itself, and its own content policy forbids it to.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::build;
use crate::setup;
use crate::shell::{self, Failure};

/// What the file may load: nothing from anywhere. Its modules are blobs that it makes of its own text.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data:; \
     base-uri 'none'; form-action 'none'";

/// Builds the page and makes one file of it.
///
/// # Errors
/// It does not build, or the file cannot be made.
pub fn bundle(out: Option<&str>) -> Result<(), Failure> {
    setup::wasm_target()?;
    setup::fetch()?;
    build::release(&setup::trunk()?, &setup::wasm_bindgen()?)?;
    let out = out.map_or_else(place, |out| Ok(PathBuf::from(out)))?;
    let size = make(&out)?;
    println!(
        "The page is in {} ({:.1} MB). It opens from a disk, without a network.",
        out.display(),
        size as f64 / 1e6
    );
    Ok(())
}

/// Where the file is when nobody says where.
///
/// # Errors
/// Cargo does not say where it builds.
pub fn place() -> Result<PathBuf, Failure> {
    Ok(setup::target_folder()?.join("bundle").join("fenceline.html"))
}

/// Makes one file of the page in `dist/`, and gives its size.
///
/// # Errors
/// A file cannot be read or written, or the page is not what it is expected to be.
pub fn make(out: &Path) -> Result<usize, Failure> {
    let page = joined(&shell::root().join("dist"))?;
    let written = out.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(out, &page));
    written.map_err(|error| Failure::new(format!("could not write {}: {error}", out.display())))?;
    Ok(page.len())
}

/// The page in a folder, with all its files in it.
fn joined(folder: &Path) -> Result<String, Failure> {
    let page = text(&folder.join("index.html"))?;
    let mut out = String::with_capacity(4 << 20);
    let mut rest = page.as_str();
    while let Some(start) = ["<link ", "<script ", "</head>"].iter().filter_map(|tag| rest.find(tag)).min() {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        if rest.starts_with("</head>") {
            break;
        }
        let end = rest.find('>').ok_or_else(|| unexpected("a tag without an end", rest))? + 1;
        let (tag, after) = rest.split_at(end);
        rest = after;
        if tag.starts_with("<script ") {
            rest = rest.strip_prefix("</script>").ok_or_else(|| unexpected("a script with text of its own", tag))?;
            let code = text(&folder.join(file(tag, "src")?))?;
            let [js, wasm] = [attribute(tag, "data-js"), attribute(tag, "data-wasm")]
                .map(|name| name.ok_or_else(|| unexpected("a script that loads no module", tag)));
            let (js, wasm) = (js?, wasm?);
            let _ = writeln!(out, "<script type=\"module\" data-js=\"{js}\" data-wasm=\"{wasm}\">");
            out.push_str(closed_by("</script", &code, tag)?);
            out.push_str("</script>");
        } else {
            out.push_str(&link(folder, tag)?);
        }
    }
    if !rest.starts_with("</head>") {
        return Err(Failure::new("the built page has no end of its head"));
    }
    out.push_str(&carried(folder)?);
    out.push_str(rest);
    let head = format!("<head>\n    <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    Ok(out.replacen("<head>", &head, 1))
}

/// What takes the place of a link in the head.
fn link(folder: &Path, tag: &str) -> Result<String, Failure> {
    match attribute(tag, "rel") {
        Some("stylesheet") => {
            let sheet = text(&folder.join(file(tag, "href")?))?;
            Ok(format!("<style>\n{}</style>", closed_by("</style", &sheet, tag)?))
        }
        Some("icon") => {
            let icon = base64(&bytes(&folder.join(file(tag, "href")?))?);
            Ok(format!("<link rel=\"icon\" type=\"image/svg+xml\" href=\"data:image/svg+xml;base64,{icon}\">"))
        }
        // What would only be loaded earlier is here already.
        Some("modulepreload" | "preload") => Ok(String::new()),
        _ => Err(unexpected("a link that a single file cannot have", tag)),
    }
}

/// The elements with the files that the page asks for while it runs.
fn carried(folder: &Path) -> Result<String, Failure> {
    let mut out = String::new();
    let mut compiled = 0;
    for name in names(folder)? {
        // A compiled module is two files of one name; a script without the other is somebody else's.
        let Some(module) = name.strip_suffix("_bg.wasm") else { continue };
        compiled += 1;
        for name in [format!("{module}.js"), name.clone()] {
            let content = base64(&bytes(&folder.join(&name))?);
            let _ = writeln!(out, "<script type=\"text/plain\" id=\"file:{name}\">{content}</script>");
        }
    }
    if compiled == 0 {
        return Err(Failure::new(format!("there is no compiled module in {}", folder.display())));
    }
    for name in names(&folder.join("presets"))? {
        if Path::new(&name).extension().is_none_or(|kind| kind != "json") {
            continue;
        }
        // In JSON this sign can only stand in a text, where it may be written so.
        let content = text(&folder.join("presets").join(&name))?.replace('<', "\\u003c");
        let _ = writeln!(out, "<script type=\"application/json\" id=\"file:presets/{name}\">{content}</script>");
    }
    Ok(out)
}

/// A text that the end of its element does not occur in.
fn closed_by<'t>(end: &str, content: &'t str, tag: &str) -> Result<&'t str, Failure> {
    let lower = content.to_ascii_lowercase();
    if lower.contains(end) || lower.contains("<!--") {
        return Err(unexpected(&format!("{end} or <!-- in the file of"), tag));
    }
    Ok(content)
}

/// The file beside the page that an attribute names.
fn file<'t>(tag: &'t str, name: &str) -> Result<&'t str, Failure> {
    let address = attribute(tag, name).ok_or_else(|| unexpected(&format!("no {name} in"), tag))?;
    let file = address.strip_prefix("./").unwrap_or(address);
    let is_beside = !file.is_empty() && !file.contains(['/', ':', '\\', '?']);
    if is_beside { Ok(file) } else { Err(unexpected("a file that is not beside the page", tag)) }
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn unexpected(what: &str, tag: &str) -> Failure {
    let shown: String = tag.chars().take(120).collect();
    Failure::new(format!("the built page is not what a bundle can be made of: {what} {shown}"))
}

fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!("could not look into {}: {error}. `cargo xtask build` makes it.", folder.display()))
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.extend(entry.map_err(failed)?.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::new(format!("could not read {}: {error}", path.display())))
}

fn text(path: &Path) -> Result<String, Failure> {
    let not_text = |_| Failure::new(format!("{} is not UTF-8", path.display()));
    bytes(path).and_then(|bytes| String::from_utf8(bytes).map_err(not_text))
}

/// Bytes as text, as `atob` reads it.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { sign.into() } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A built page of a few files, in a folder of its own.
    fn dist(name: &str, head: &str, css: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("fenceline-bundle-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("presets")).expect("a folder");
        let page = format!("<!doctype html>\n<html><head>{head}</head><body></body></html>\n");
        for (name, content) in [
            ("index.html", page.as_str()),
            ("one.css", css),
            ("two.css", "p {}"),
            ("boot.js", "load();\n"),
            ("favicon.svg", "<svg/>"),
            ("page-1.js", "export default 1"),
            ("page-1_bg.wasm", "wasm"),
            ("other.js", "export {}"),
            ("presets/a.json", "{ \"title\": \"</script>\" }"),
        ] {
            fs::write(folder.join(name), content).expect("a file");
        }
        folder
    }

    const HEAD: &str = "<link rel=\"icon\" href=\"favicon.svg\"><link rel=\"stylesheet\" href=\"./one.css\" integrity=\"x\"/>\
        <link rel=\"stylesheet\" href=\"./two.css\"><script type=\"module\" src=\"./boot.js\" data-js=\"./page-1.js\" \
        data-wasm=\"./page-1_bg.wasm\"></script><link rel=\"modulepreload\" href=\"./page-1.js\">";

    fn of(name: &str, head: &str, css: &str) -> Result<String, String> {
        let folder = dist(name, head, css);
        let page = joined(&folder).map_err(|failure| failure.to_string());
        fs::remove_dir_all(folder).expect("the folder goes");
        page
    }

    #[test]
    fn all_that_the_page_needs_is_in_it_and_nothing_is_outside() {
        let page = of("whole", HEAD, "b { color: red }").expect("a page");
        for part in [
            "<head>\n    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';",
            "<style>\nb { color: red }</style><style>\np {}</style>",
            "<script type=\"module\" data-js=\"./page-1.js\" data-wasm=\"./page-1_bg.wasm\">\nload();\n</script>",
            "<script type=\"text/plain\" id=\"file:page-1_bg.wasm\">d2FzbQ==</script>",
            "<script type=\"application/json\" id=\"file:presets/a.json\">{ \"title\": \"\\u003c/script>\" }</script>",
            "href=\"data:image/svg+xml;base64,PHN2Zy8+\"",
            "</head><body></body></html>",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains("src=") && !page.contains("href=\"."), "{page}");
        assert!(!page.contains("file:other.js"), "a script that is no compiled module stays out");
    }

    #[test]
    fn what_a_single_file_cannot_hold_is_refused() {
        for (name, head, css, word) in [
            ("style", HEAD, "/* </STYLE> */", "</style"),
            ("link", "<link rel=\"manifest\" href=\"./m.json\">", "", "manifest"),
            ("outside", "<link rel=\"stylesheet\" href=\"https://example.org/x.css\">", "", "not beside the page"),
            ("missing", "<link rel=\"stylesheet\" href=\"./three.css\">", "", "three.css"),
        ] {
            let refused = of(name, head, css).expect_err("it is refused");
            assert!(refused.contains(word), "{word} in {refused}");
        }
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let of = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(of, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
