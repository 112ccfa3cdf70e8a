//! Links: a scenario and how it is looked at, in the fragment of an address, so that what is made here can be sent whole.
//!
//! A fragment is `key=value` pairs with `&` between them. One of them says what is shown:
//!
//! - `p=paused-worker`: a preset, as the library has it.
//! - `s=1z.…`: a scenario. The number is the version, the letter the codec, behind the dot is base64url. `p` is postcard, `z`
//!   the same deflated, both with a checksum of four bytes at the end (CRC-32C of number, letter, dot and all bytes before it,
//!   lowest byte first); `j` is JSON as in a file, for links that other programs make.
//! - `s={…}`: JSON as it is, or percent-encoded as a whole; it reaches to the end.
//!
//! The others say how it is looked at (see [`View`]). What this version does not know it passes over and tells of
//! ([`Notice`]), so that a link of a later version opens as far as it can.
//!
//! ```
//! use fenceline_link::{Link, Shown, View, decode, encode};
//!
//! let view = View { at: Some(34_500_000), panel: Some("guards".into()), ..View::default() };
//! let link = Link { shown: Shown::Preset("paused-worker".into()), view };
//! assert_eq!(encode(&link), "p=paused-worker&panel=guards&at=34.5s");
//! assert_eq!(decode("https://example.org/#p=paused-worker&panel=guards&at=34.5s").unwrap().link, link);
//! ```
//!
//! Invariants: a link that was ever made opens for ever (the structures of each version are frozen, and golden links are kept);
//! a coded scenario that was cut or changed on its way is refused, never opened as another one; nothing is decoded beyond
//! [`MAX_LINK_BYTES`], nor beyond what a valid scenario can have; and what is decoded can be shown.

mod coded;
mod error;
mod pairs;
mod v1;

use std::borrow::Cow;

use fenceline_engine::Scenario;
use fenceline_engine::scenario::Micros;
use percent_encoding::percent_decode_str;

pub use coded::MAX_LINK_BYTES;
pub use error::{LinkError, Notice};

/// What a link opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What is shown.
    pub shown: Shown,
    /// How it is looked at.
    pub view: View,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A preset of the library, untouched: letters, digits and `-`. Whether there is one of that name is not known here.
    Preset(String),
    /// A scenario.
    Scenario {
        /// The scenario.
        scenario: Box<Scenario>,
        /// The preset that it began as.
        of: Option<String>,
    },
}

/// How it is looked at. The names are those of the page: here they are short words of letters, digits and `-`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Which panel is open: `panel=guards`.
    pub panel: Option<String>,
    /// The selected part of the document: `part=step-0-2`.
    pub part: Option<String>,
    /// The selected write: `write=0-2-1-0`, worker, step, attempt and copy.
    pub write: Option<String>,
    /// The handle that the keys move: `handle=pause-end-0-0`.
    pub handle: Option<String>,
    /// Where the playhead stands, in microseconds: `at=34.5s`.
    pub at: Option<Micros>,
    /// The stretch of time that is zoomed to, in microseconds: `zoom=12s-40s`.
    pub zoom: Option<(Micros, Micros)>,
}

/// A link that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// What it opens.
    pub link: Link,
    /// What of it was passed over.
    pub notices: Vec<Notice>,
}

/// The fragment of a link, without its `#`.
///
/// It is the shortest form there is; for a scenario that is not valid it is JSON, which tells whoever opens it what is wrong. It
/// may be longer than [`MAX_LINK_BYTES`], and then nobody opens it.
pub fn encode(link: &Link) -> String {
    let mut out = String::new();
    match &link.shown {
        Shown::Preset(name) => pairs::push_name(&mut out, "p", name),
        Shown::Scenario { of: Some(of), .. } => pairs::push_name(&mut out, "of", of),
        Shown::Scenario { of: None, .. } => {}
    }
    pairs::push_view(&mut out, &link.view);
    // The scenario comes last, and its checksum at its end: a link that was cut anywhere is seen to be cut.
    if let Shown::Scenario { scenario, .. } = &link.shown {
        pairs::push(&mut out, "s", &coded::write(scenario));
    }
    out
}

/// Reads a link: a fragment, with or without its `#`, or a whole address.
///
/// # Errors
/// What is wrong with it, in words for whoever opened it.
pub fn decode(text: &str) -> Result<Opened, LinkError> {
    if text.len() > MAX_LINK_BYTES {
        return Err(LinkError::TooLong { found: text.len() });
    }
    let mut notices = Vec::new();
    let pairs::Read { preset, scenario, of, view } = pairs::read(&fragment_of(text), &mut notices);
    let shown = match (scenario, preset) {
        (Some(text), _) => Shown::Scenario { scenario: Box::new(coded::read(&text?, &mut notices)?), of },
        (None, Some(name)) => Shown::Preset(name?),
        (None, None) => return Err(LinkError::Nothing),
    };
    Ok(Opened { link: Link { shown, view }, notices })
}

/// Whether a text is meant as a link: one line that names a work, if only badly. [`decode`] says whether it opens.
pub fn names_a_work(text: &str) -> bool {
    let text = text.trim();
    let pairs::Read { preset, scenario, .. } = pairs::read(&fragment_of(text), &mut Vec::new());
    text.lines().count() == 1 && (preset.is_some() || scenario.is_some())
}

/// The fragment of a link that may be a whole address.
fn fragment_of(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    // Some programs encode a link once more, together with what separates its pairs.
    let once_more = if text.contains('=') { None } else { percent_decode_str(text).decode_utf8().ok() };
    let text = once_more.unwrap_or(Cow::Borrowed(text));
    match text.split_once('#') {
        Some((before, fragment)) if !pairs::has_json(before) => fragment.to_owned().into(),
        _ => text,
    }
}
