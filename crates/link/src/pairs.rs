//! The pairs of a fragment.

use std::borrow::Cow;

use fenceline_engine::limits::MAX_TOTAL_MICROS;
use fenceline_engine::scenario::Micros;
use fenceline_engine::{format_duration, parse_duration};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::View;
use crate::error::{LinkError, MOST_TOLD, Notice, shown};

/// The most characters of a name.
const LONGEST_NAME: usize = 60;

/// What a name is made of stands as it is; whatever else a caller takes for one cannot become another pair.
const NOT_OF_A_NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-');

/// What a chat takes into a link behind it; no value ends in one of them.
const BEHIND: [char; 11] = ['.', ',', ';', ':', '!', '?', ')', ']', '>', '"', '\''];

/// What the pairs say.
#[derive(Default)]
pub(crate) struct Read {
    /// The preset, or that its name is none.
    pub(crate) preset: Option<Result<String, LinkError>>,
    /// The scenario's coded form, or that it is no text.
    pub(crate) scenario: Option<Result<String, LinkError>>,
    /// The preset that the scenario began as.
    pub(crate) of: Option<String>,
    /// How it is looked at.
    pub(crate) view: View,
}

/// Appends a pair.
pub(crate) fn push(out: &mut String, key: &str, value: &str) {
    if !out.is_empty() {
        out.push('&');
    }
    out.extend([key, "=", value]);
}

/// Appends a pair whose value is a name.
pub(crate) fn push_name(out: &mut String, key: &str, name: &str) {
    push(out, key, &utf8_percent_encode(name, NOT_OF_A_NAME).to_string());
}

/// Appends what a view says.
pub(crate) fn push_view(out: &mut String, view: &View) {
    let View { panel, part, write, handle, at, zoom } = view;
    for (key, value) in [("panel", panel), ("part", part), ("write", write), ("handle", handle)] {
        if let Some(value) = value {
            push_name(out, key, value);
        }
    }
    let time = |us: Micros| format_duration(us).replace(' ', "");
    if let Some(at) = at {
        push(out, "at", &time(*at));
    }
    if let Some((from, to)) = zoom {
        push(out, "zoom", &[&time(*from), "-", &time(*to)].concat());
    }
}

/// Reads the pairs. Of those that are given twice the last counts.
pub(crate) fn read(fragment: &str, notices: &mut Vec<Notice>) -> Read {
    let mut found = Read::default();
    let mut rest = fragment;
    let mut unknown = 0;
    while !rest.is_empty() {
        // JSON reaches to the end: an & in one of its texts is part of it.
        if let Some(json) = rest.strip_prefix("s=").filter(|value| is_json(value)) {
            // A browser encodes every quotation mark: text that has one was never encoded, and a % in it is a %.
            let json = json.trim_end_matches(BEHIND);
            let json = if json.contains('"') { Some(json.to_owned()) } else { decoded(json) };
            found.scenario = Some(json.ok_or(LinkError::Damaged));
            break;
        }
        let (pair, after) = rest.split_once('&').unwrap_or((rest, ""));
        // As an & is written in the source of a page.
        rest = after.strip_prefix("amp;").unwrap_or(after);
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        // Without its sign it names no work: `#p` may be a place of any page.
        let has_sign = pair.contains('=');
        let value = &decoded(value).unwrap_or_else(|| value.to_owned());
        let value = value.trim_end_matches(BEHIND);
        match key {
            "" => {}
            "s" if has_sign => found.scenario = Some(Ok(value.to_owned())),
            "p" if has_sign => found.preset = Some(name(value).ok_or(LinkError::PresetName)),
            "of" => found.of = kept("of", name(value), notices),
            "panel" => found.view.panel = kept("panel", name(value), notices),
            "part" => found.view.part = kept("part", name(value), notices),
            "write" => found.view.write = kept("write", name(value), notices),
            "handle" => found.view.handle = kept("handle", name(value), notices),
            "at" => found.view.at = kept("at", time(value), notices),
            "zoom" => found.view.zoom = kept("zoom", stretch(value), notices),
            _ if unknown < MOST_TOLD => {
                unknown += 1;
                notices.push(Notice::Key(shown(key)));
            }
            _ => {}
        }
    }
    found
}

/// Whether one of the pairs is a scenario in JSON, which reaches to the end.
pub(crate) fn has_json(fragment: &str) -> bool {
    fragment.split('&').any(|pair| pair.strip_prefix("s=").is_some_and(is_json))
}

/// A text without its percent-encoding; none when what it encodes is no text.
fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

fn is_json(value: &str) -> bool {
    value.starts_with('{') || value.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%7b"))
}

fn name(value: &str) -> Option<String> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    ((1..=LONGEST_NAME).contains(&value.len()) && value.bytes().all(plain)).then(|| value.to_owned())
}

fn time(value: &str) -> Option<Micros> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
    let time = (value.len() <= LONGEST_NAME && value.bytes().all(plain)).then(|| parse_duration(value).ok())?;
    // No run gets farther.
    time.filter(|us| u128::from(*us) <= MAX_TOTAL_MICROS)
}

fn stretch(value: &str) -> Option<(Micros, Micros)> {
    let (from, to) = value.split_once('-')?;
    let (from, to) = (time(from)?, time(to)?);
    (from < to).then_some((from, to))
}

fn kept<T>(key: &'static str, value: Option<T>, notices: &mut Vec<Notice>) -> Option<T> {
    if value.is_none() && !notices.contains(&Notice::Value(key)) {
        notices.push(Notice::Value(key));
    }
    value
}
