//! What a block or a file shows: a scenario written out, of a preset or in another file, and how it is to look.
//!
//! ```json
//! { "version": 1, "workers": [], "expect": {} }
//! { "scenario": { "version": 1 }, "guard": "none", "expect": {} }
//! { "preset": "paused-worker", "caption": "A is paused for 45 s.", "theme": "dark" }
//! { "file": "story.json", "expect": { "verdict": "fenced" } }
//! ```
//!
//! Invariant: what is handed to the engine is the author's own text with nothing but the fields around it blanked out, so
//! that whatever the engine says of a place is said of that place in the file.

use fenceline_engine::{AROUND, Guard, Scenario, ScenarioError};

use crate::json::{Kind, Value, parse};
use crate::reader::{Object, Problem, Reader, cut};

/// Where presets and other files come from.
pub trait Sources {
    /// The document of a preset of the library.
    fn preset(&self, name: &str) -> Option<String>;

    /// The text of the file at a path beside the one that names it.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn file(&self, path: &str) -> Result<String, String>;
}

/// Where the scenario of a figure stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the block itself.
    Here,
    /// In the library.
    Preset(String),
    /// In another file.
    File(String),
}

/// The colours that a figure asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// Those of what it stands in.
    #[default]
    Auto,
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
}

/// What a block or a file shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The scenario, under the guard that the figure asks for.
    pub scenario: Scenario,
    /// Where it stands.
    pub origin: Origin,
    /// The guard that takes the place of the scenario's own.
    pub guard: Option<Guard>,
    /// What is written below the figure.
    pub caption: Option<String>,
    /// Its colours.
    pub colours: Colours,
}

/// What a block has to hold.
const BLOCK: &str = "a scenario (see `version`), or an object with one of the fields scenario, preset, file";

/// Reads a block; the claims of its `expect` are left to who knows how it runs.
pub(crate) fn read<'v>(
    reader: &mut Reader<'_>,
    root: &'v Value,
    sources: &dyn Sources,
) -> Option<(Sheet, Option<&'v Value>)> {
    let Kind::Object(members) = &root.kind else {
        reader.refuse_value(root, "", BLOCK);
        return None;
    };
    let object = Object { value: root, path: "" };
    let given: Vec<&str> = ["scenario", "preset", "file"].into_iter().filter(|name| root.get(name).is_some()).collect();
    if let [_, second, ..] = given[..] {
        reader.refuse(root.locate(&format!("/{second}")), &object.path_of(second), "more than one scenario", BLOCK);
        return None;
    }
    let found = match given.first() {
        None => {
            for name in AROUND {
                let mut again = members.iter().filter(|member| member.name == name).skip(1);
                if let Some(member) = again.next() {
                    let found = format!("the field \"{name}\" once more");
                    reader.refuse(member.name_span.start, &object.path_of(name), found, "each field once");
                }
            }
            bare(reader, root).map(|scenario| (scenario, Origin::Here))
        }
        Some(which) => {
            let mut known = vec![*which];
            known.extend(AROUND);
            reader.only(object, &known);
            elsewhere(reader, object, which, sources)
        }
    };
    let guard = object.get("guard").and_then(|value| {
        let names = Guard::ALL.map(Guard::name);
        reader.choice(value, "/guard", &names).and_then(Guard::from_name)
    });
    let caption = object.get("caption").and_then(|value| reader.text(value, "/caption", "a text in double quotes"));
    let theme = object.get("theme").and_then(|value| reader.choice(value, "/theme", &["auto", "light", "dark"]));
    for note in ["name", "why"] {
        if let Some(value) = object.get(note) {
            reader.text(value, &object.path_of(note), "a text in double quotes");
        }
    }
    let (mut scenario, origin) = found?;
    if let Some(guard) = guard {
        scenario.resources.iter_mut().for_each(|resource| resource.guard = guard);
    }
    let colours = match theme {
        Some("light") => Colours::Light,
        Some("dark") => Colours::Dark,
        _ => Colours::Auto,
    };
    let sheet = Sheet { scenario, origin, guard, caption: caption.map(Into::into), colours };
    Some((sheet, object.get("expect")))
}

/// The scenario that the block itself is, together with the fields around it.
fn bare(reader: &mut Reader<'_>, root: &Value) -> Option<Scenario> {
    let text = without_around(reader.text, root);
    engine(reader, root, "", &text).map_err(|problems| reader.problems.extend(problems)).ok()
}

/// A scenario's own text: the fields around it blanked out, each byte where it was.
fn without_around(text: &str, root: &Value) -> String {
    let blank = |byte: &u8| if matches!(byte, b'\n' | b'\r') { *byte } else { b' ' };
    let mut bytes: Vec<u8> = text.as_bytes().iter().map(blank).collect();
    let mut keep = |range: std::ops::Range<usize>| bytes[range.clone()].copy_from_slice(&text.as_bytes()[range]);
    let kept: Vec<_> = root.members().iter().filter(|member| !AROUND.contains(&member.name.as_str())).collect();
    keep(root.span.start..root.span.start + 1);
    keep(root.span.end - 1..root.span.end);
    for member in &kept {
        keep(member.name_span.start..member.value.span.end);
    }
    for member in kept.iter().rev().skip(1) {
        // Another field follows, and so at least the comma before it.
        bytes[member.value.span.end] = b',';
    }
    // Whole fields were kept, and whole characters in them.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The engine's reading of a piece of the text; what it refuses, at its place there.
fn engine(reader: &Reader<'_>, root: &Value, path: &str, text: &str) -> Result<Scenario, Vec<Problem>> {
    let at_place = |mut error: ScenarioError| {
        if path.is_empty() && error.found.starts_with("an unknown field") && error.path.matches('/').count() == 1 {
            error.allowed += "; around it: guard, caption, theme, expect";
        }
        error.path.insert_str(0, path);
        Problem { at: root.locate(&error.path).min(reader.text.len()), error }
    };
    Scenario::from_json(text).map_err(|errors| errors.into_iter().map(at_place).collect())
}

/// The scenario that a field of the block holds or names.
fn elsewhere(
    reader: &mut Reader<'_>,
    object: Object,
    which: &str,
    sources: &dyn Sources,
) -> Option<(Scenario, Origin)> {
    let value = object.get(which)?;
    if which == "scenario" {
        let text = reader.text.get(value.span.clone()).unwrap_or_default();
        let read = engine(reader, object.value, "/scenario", text);
        return read.map_err(|problems| reader.problems.extend(problems)).ok().map(|read| (read, Origin::Here));
    }
    let path = object.path_of(which);
    let name = reader.text(value, &path, "a name in double quotes")?;
    if which == "preset" {
        let Some(text) = sources.preset(name) else {
            reader.refuse_value(value, &path, "a preset of the library, for example \"paused-worker\"");
            return None;
        };
        let scenario = named(reader, value, &path, Ok(text), "a preset that is a scenario");
        return scenario.map(|scenario| (scenario, Origin::Preset(name.into())));
    }
    if !is_path_from_here(name) {
        reader.refuse_value(
            value,
            &path,
            "a path from here, with / between its parts, for example \"../presets/story.json\"",
        );
        return None;
    }
    let what = "a file that holds a scenario, by its path from here";
    named(reader, value, &path, sources.file(name), what).map(|scenario| (scenario, Origin::File(name.into())))
}

/// The scenario of a text that a block names; each thing that is wrong with it is told where it is named.
fn named(
    reader: &mut Reader<'_>,
    name: &Value,
    path: &str,
    text: Result<String, String>,
    allowed: &str,
) -> Option<Scenario> {
    let text = text.map_err(|why| vec![format!("it cannot be read: {why}")]);
    let errors = |errors: Vec<ScenarioError>| errors.iter().map(ToString::to_string).collect();
    match text.and_then(|text| scenario_in(&text).map_err(errors)) {
        Ok(scenario) => Some(scenario),
        Err(reasons) => {
            for why in reasons {
                let found = format!("\"{}\" ({why})", cut(name.as_text().unwrap_or_default()));
                reader.refuse(name.span.start, path, found, allowed);
            }
            None
        }
    }
}

/// Whether a path can be followed from the file that names it, wherever that lies.
fn is_path_from_here(path: &str) -> bool {
    let is_foreign = |c: char| c == '\\' || c == ':' || c.is_control();
    !path.is_empty() && !path.starts_with('/') && !path.contains(is_foreign)
}

/// What a file shows that is one block; its claims are passed over.
///
/// # Errors
/// Everything else that is wrong with it.
pub fn sheet_of(text: &str, sources: &dyn Sources) -> Result<Sheet, Vec<ScenarioError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = match parse(text) {
        Ok(root) if matches!(root.kind, Kind::Object(_)) => root,
        // The engine says what a scenario looks like.
        _ => return Scenario::from_json(text).map(Sheet::from),
    };
    let mut reader = Reader { text, problems: Vec::new() };
    match read(&mut reader, &root, sources) {
        Some((sheet, _)) if reader.problems.is_empty() => Ok(sheet),
        _ => Err(reader.problems.into_iter().map(|problem| problem.error).collect()),
    }
}

/// The scenario of a file that a block names: one written out there, whatever stands around it.
fn scenario_in(text: &str) -> Result<Scenario, Vec<ScenarioError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(root) = parse(text) else { return Scenario::from_json(text) };
    let mut reader = Reader { text, problems: Vec::new() };
    let found = if root.get("scenario").is_some() {
        let object = Object { value: &root, path: "" };
        elsewhere(&mut reader, object, "scenario", &crate::NoSources).map(|(scenario, _)| scenario)
    } else if matches!(root.kind, Kind::Object(_)) {
        bare(&mut reader, &root)
    } else {
        return Scenario::from_json(text);
    };
    found.ok_or_else(|| reader.problems.into_iter().map(|problem| problem.error).collect())
}

impl From<Scenario> for Sheet {
    fn from(scenario: Scenario) -> Self {
        Self { scenario, origin: Origin::Here, guard: None, caption: None, colours: Colours::Auto }
    }
}

/// Whether a JSON text is meant for Fenceline: a scenario, one with claims around it, or claims on a preset or file.
///
/// A text that is no JSON is meant for it when it has the words of a scenario: a comma too many must not make claims
/// go unchecked.
pub fn is_meant(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(root) = parse(text) else {
        return ["\"version\"", "\"workers\"", "\"plan\"", "\"do\""].iter().all(|word| text.contains(word));
    };
    let is_scenario = |value: &Value| {
        let first = value.get("version").is_some_and(|version| text.get(version.span.clone()) == Some("1"));
        let is_list = |name| value.get(name).is_some_and(|list| matches!(list.kind, Kind::List(_)));
        first && ["workers", "leases", "resources"].into_iter().any(is_list)
    };
    let names_one =
        ["preset", "file"].into_iter().any(|name| root.get(name).is_some_and(|value| value.as_text().is_some()));
    is_scenario(&root) || root.get("scenario").is_some_and(is_scenario) || (names_one && root.get("expect").is_some())
}
