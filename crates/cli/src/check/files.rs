//! Reading a file no further than makes sense, and putting another text in its place at once.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The longest file that is read, in bytes. No document that a person wrote is near it.
const LONGEST: u64 = 16 << 20;

/// Why a file was not read.
pub enum Unread {
    /// It is not text, or more of it than anybody wrote.
    NotText(String),
    /// The system does not give it.
    Refused(io::Error),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText(why) => f.write_str(why),
            Self::Refused(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Refused(error)
    }
}

/// Reads a text.
///
/// # Errors
/// It is no file, it cannot be read, it is not UTF-8, or it has no end.
pub fn read(path: &Path) -> Result<String, Unread> {
    // Opening a pipe would wait for whoever writes into it.
    if !fs::metadata(path)?.is_file() {
        return Err(Unread::Refused(io::Error::other("it is not a file")));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Unread::NotText("it is longer than 16 MiB".into()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Unread::NotText(format!("a byte that is not UTF-8 at offset {at}"))
    })
}

/// Puts a text in the place of the one that was read.
///
/// # Errors
/// Why the file is as it was: it cannot be written, or it no longer holds what was read.
pub fn replace(path: &Path, was: &str, text: &str) -> Result<(), String> {
    // Behind a link, it is the file that changes, not the link.
    let path = path.canonicalize().map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.fenceline-{}", std::process::id()));
    let write = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::metadata(&path)?.permissions())?;
        file.sync_all()?;
        if fs::read(&path)? != was.as_bytes() {
            return Err(io::Error::other("it was changed by somebody else meanwhile"));
        }
        fs::rename(&beside, &path)
    };
    write().map_err(|error| {
        // When this fails too, a hidden file is left and the document is as it was.
        let _ = fs::remove_file(&beside);
        format!("it cannot be written: {error}")
    })
}
