//! What `book.toml` says of the figures. A setting that is not known is refused: nobody would notice that it does nothing.

use fenceline_engine::visible;
use mdbook_preprocessor::PreprocessorContext;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The settings, with their defaults filled in.
pub struct Configuration {
    /// Whether a block that is wrong is only told.
    pub goes_on: bool,
    /// The address of the playground, without a fragment.
    pub playground: Option<String>,
    /// The width of a picture, in pixels.
    pub width: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Section {
    on_error: Option<OnError>,
    playground: Option<String>,
    width: Option<u16>,
    // mdBook's own.
    #[serde(rename = "command")]
    _command: Option<IgnoredAny>,
    #[serde(rename = "before")]
    _before: Option<IgnoredAny>,
    #[serde(rename = "after")]
    _after: Option<IgnoredAny>,
    #[serde(rename = "renderer")]
    _renderer: Option<IgnoredAny>,
    #[serde(rename = "renderers")]
    _renderers: Option<IgnoredAny>,
    #[serde(rename = "optional")]
    _optional: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OnError {
    Fail,
    Warn,
}

/// As wide as the text column of mdBook's theme.
const WIDTH: u16 = 750;

/// Reads the settings.
///
/// # Errors
/// What of them is not understood, in words.
pub fn read(context: &PreprocessorContext) -> Result<Configuration, String> {
    let section = context.config.get::<Section>("preprocessor.fenceline").map_err(|error| format!("{error:#}"))?;
    let (on_error, playground, width) =
        section.map_or((None, None, None), |section| (section.on_error, section.playground, section.width));
    let width = width.unwrap_or(WIDTH);
    if !(320..=4000).contains(&width) {
        return Err(format!("width is a whole number from 320 to 4000, not {width}"));
    }
    let playground = playground.map(|address| {
        // An address with another scheme could run something.
        let is_address = ["https://", "http://", "/", "./", "../"].iter().any(|start| address.starts_with(start));
        let base = address.split('#').next().unwrap_or_default();
        is_address.then(|| base.to_owned()).ok_or_else(|| {
            format!("playground begins with https://, http://, / or ./, not as \"{}\"", visible(&address))
        })
    });
    Ok(Configuration {
        goes_on: matches!(on_error, Some(OnError::Warn)),
        playground: playground.transpose()?,
        width: width.into(),
    })
}
