//! What a button does to the document, as data: done by the editor, or refused with a reason.

use fenceline_engine::{Entry, Scenario, ScenarioError};

use super::{New, add, duplicate, remove, shift};
use crate::editor::Editor;
use crate::selection::Part;

/// What a button does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Adds something.
    Add(New),
    /// Takes a part away.
    Remove(Part),
    /// Doubles a part.
    Duplicate(Part),
    /// Moves a part among its like.
    Shift(Part, isize),
    /// Puts a JSON value at a place.
    Put(String, &'static str),
    /// Takes away what stands at a place.
    Take(String),
}

/// Does what a button says: the new scenario, with what is then selected, or why not.
///
/// # Errors
/// In a sentence, why it cannot be done.
pub fn act(scenario: &Scenario, selected: Option<Part>, action: &Action) -> Result<(Scenario, Option<Part>), String> {
    let found = match action {
        Action::Add(new) => add(scenario, *new).map(some_part).ok_or(match new {
            New::Pause(_) => "A worker that never wakes up cannot be paused again.",
            _ => "Add a lease and a resource first: such a step has to name one.",
        }),
        Action::Remove(part) => remove(scenario, *part).ok_or("It is gone already."),
        Action::Duplicate(part) => duplicate(scenario, *part).map(some_part).ok_or("It cannot be doubled."),
        Action::Shift(part, by) => {
            let end = if *by < 0 { "It is the first already." } else { "It is the last already." };
            shift(scenario, *part, *by).map(some_part).ok_or(end)
        }
        Action::Put(pointer, json) => return placed(scenario, selected, pointer, Entry::Json(json)),
        Action::Take(pointer) => return placed(scenario, selected, pointer, Entry::Nothing),
    };
    let (changed, part) = found?;
    let changed = sound(changed).map_err(|problems| sentence(&problems, ""))?;
    Ok((changed, part))
}

fn some_part((scenario, part): (Scenario, Part)) -> (Scenario, Option<Part>) {
    (scenario, Some(part))
}

fn placed(
    scenario: &Scenario,
    selected: Option<Part>,
    pointer: &str,
    entry: Entry,
) -> Result<(Scenario, Option<Part>), String> {
    let changed = scenario.with_field(pointer, entry).and_then(sound);
    changed.map(|changed| (changed, selected)).map_err(|problems| sentence(&problems, pointer))
}

/// The scenario, if it can be shown.
///
/// # Errors
/// Everything that keeps it from that.
pub fn sound(scenario: Scenario) -> Result<Scenario, Vec<ScenarioError>> {
    let problems = Editor::problems(&scenario);
    if problems.is_empty() { Ok(scenario) } else { Err(problems) }
}

/// The problem that speaks of a field; another one with its place.
pub fn sentence(problems: &[ScenarioError], pointer: &str) -> String {
    let own = problems.iter().find(|problem| problem.path == pointer);
    let Some(problem) = own.or_else(|| problems.first()) else { return String::new() };
    let place = if own.is_some() || problem.path.is_empty() || is_inside(pointer, &problem.path) {
        String::new()
    } else {
        [" at ", &problem.path].concat()
    };
    ["Not allowed", &place, ": ", &problem.found, ". Allowed: ", &problem.allowed, "."].concat()
}

/// Whether a place lies in another one.
fn is_inside(pointer: &str, around: &str) -> bool {
    pointer.strip_prefix(around).is_some_and(|rest| rest.starts_with('/'))
}
