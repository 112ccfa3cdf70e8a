//! A scenario as documentation holds it: with what it claims, a caption and the like around it, or in a field of its own.
//!
//! Here only what the fields around it say of the scenario is read, which is the guard; what the others hold is judged by who draws
//! and checks documents (`fenceline-claims`).

use super::fields::Object;
use super::{DOCUMENT, Reader, error, in_order, parts, read, tree};
use crate::document::Node;
use crate::error::ScenarioError;
use crate::path::Path;
use crate::scenario::{Guard, Scenario};

/// The fields that may stand around a scenario in a document.
pub const AROUND: [&str; 6] = ["name", "why", "guard", "caption", "theme", "expect"];

/// The field that may hold the scenario.
const INSIDE: &str = "scenario";

/// The field around it that says something of the scenario.
const GUARD: &str = "guard";

/// What a document that holds no scenario itself would have to hold.
const ITSELF: &str = "the scenario itself (see `version`): what is only named here cannot be opened";

impl Scenario {
    /// Reads a JSON document as [`Scenario::from_json`] does, or one with what documentation puts around a scenario ([`AROUND`]), or
    /// with the scenario in a field `scenario`. A guard that stands around it takes the place of the scenario's own.
    ///
    /// With the scenario come the names of the fields that are not part of it, in the order of [`AROUND`]. What they hold is not
    /// looked at.
    ///
    /// # Errors
    /// As [`Scenario::from_json`], by the places of the whole document; a guard that is none, and a field given twice.
    pub fn from_sheet(text: &str) -> Result<(Self, Vec<&'static str>), Vec<ScenarioError>> {
        let sheet = sheet(&tree(text)?, false)?;
        Ok((sheet.scenario, sheet.around))
    }

    /// The same for a document that may be of a later version, as one in a link: fields that this version does not know are passed
    /// over. Their places come with the scenario, as JSON Pointers; those that stand around it are known, and not among them.
    ///
    /// # Errors
    /// As [`Scenario::from_sheet`], save for unknown fields.
    pub fn from_newer_json(text: &str) -> Result<(Self, Vec<String>), Vec<ScenarioError>> {
        let sheet = sheet(&tree(text)?, true)?;
        Ok((sheet.scenario, sheet.passed_over))
    }
}

/// What was read of a document.
struct Sheet {
    scenario: Scenario,
    around: Vec<&'static str>,
    passed_over: Vec<String>,
}

fn sheet(document: &Node, may_be_newer: bool) -> Result<Sheet, Vec<ScenarioError>> {
    let reader = || Reader { passed_over: may_be_newer.then(Vec::new), ..Reader::default() };
    let members = if let Node::Object(members) = document { members.as_slice() } else { &[] };
    let get = |name: &str| members.iter().find(|(member, _)| member == name).map(|(_, value)| value);
    let mut outer = reader();
    let Some(object) = outer.object(document, &Path::Root, DOCUMENT) else { return Err(outer.errors) };
    let own: Node;
    let (prefix, inside) = if let Some(inside) = get(INSIDE) {
        ("/scenario", inside)
    } else {
        let is_own = |(name, _): &&(String, Node)| !AROUND.contains(&name.as_str());
        own = Node::Object(members.iter().filter(is_own).cloned().collect());
        ("", &own)
    };
    let guard = around(&mut outer, object, !prefix.is_empty());
    let Reader { mut errors, passed_over, .. } = outer;
    let mut passed_over = passed_over.unwrap_or_default();
    let mut scenario = Scenario::default();
    let within = |path: String| [prefix, &path].concat();
    let named = ["preset", "file"].into_iter().find(|name| prefix.is_empty() && get(name).is_some());
    match (named, read(inside, reader())) {
        // It would be told at length of everything that a document has that only names a scenario.
        (Some(name), Err(_)) if get("version").is_none() => {
            let found = get(name).map(Node::quote).unwrap_or_default();
            errors.push(error(&Path::Root.field(name), found, ITSELF));
        }
        (_, Err(found)) => {
            errors.extend(found.into_iter().map(|error| ScenarioError { path: within(error.path), ..error }));
        }
        (_, Ok((read, over))) => {
            scenario = read;
            passed_over.extend(over.into_iter().map(within));
        }
    }
    if !errors.is_empty() {
        return Err(in_order(errors, document));
    }
    if let Some(guard) = guard {
        scenario.resources.iter_mut().for_each(|resource| resource.guard = guard);
    }
    let around = AROUND.into_iter().filter(|name| *name != GUARD && get(name).is_some()).collect();
    Ok(Sheet { scenario, around, passed_over })
}

/// Reads what stands around a scenario: the guard.
fn around(reader: &mut Reader, object: Object, has_inside: bool) -> Option<Guard> {
    if has_inside {
        let mut known = vec![INSIDE];
        known.extend(AROUND);
        reader.only(object, &known);
    } else {
        for name in AROUND {
            reader.once(object, name);
        }
    }
    reader.optional(object, GUARD, parts::guard)
}
