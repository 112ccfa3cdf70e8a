//! Links of the playground: made from a scenario, and read back.

use std::ffi::OsStr;

use fenceline_engine::{Scenario, visible_json};
use fenceline_link::{Link, Shown, View, decode, encode};

use crate::failure::Failure;

/// The link of a scenario: a fragment with its `#`, behind an address when one is given.
///
/// # Errors
/// No link of the scenario would open: it is too large, or cannot be shown.
pub fn made(scenario: Scenario, base: Option<&str>) -> Result<String, Failure> {
    let shown = Shown::Scenario { scenario: Box::new(scenario), of: None };
    let fragment = encode(&Link { shown, view: View::default() });
    // Whatever an address has behind its own # gives way.
    let base = base.map_or("", |base| base.split_once('#').map_or(base, |(base, _)| base));
    let link = format!("{base}#{fragment}");
    decode(&link).map_err(|error| Failure::Link(format!("a link of this scenario would not open. {error}")))?;
    Ok(link + "\n")
}

/// The scenario of a link, as JSON, and what of the link was passed over.
///
/// # Errors
/// The link does not open.
pub fn read(link: &OsStr) -> Result<(String, Vec<String>), Failure> {
    let text = link.to_str().ok_or_else(|| Failure::Link("a link is text in UTF-8".into()))?;
    let opened = decode(text).map_err(|error| Failure::Link(error.to_string()))?;
    let document = match opened.link.shown {
        Shown::Scenario { scenario, .. } => scenario.to_json(),
        Shown::Preset(name) => {
            let preset = fenceline_presets::document(&name);
            preset.ok_or_else(|| Failure::Link(format!("the library has no preset ‘{name}’")))?.into()
        }
    };
    let notices = opened.notices.iter().map(ToString::to_string).collect();
    Ok((visible_json(document.trim_end()) + "\n", notices))
}
