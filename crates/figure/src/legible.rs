//! A scenario's texts as a picture can show them: what cannot be seen, or would turn what stands beside it, spelled out.
//!
//! It stands before the layout, so that a text is measured as it is drawn, and both painters draw the same.

use std::borrow::Cow;

use fenceline_engine::scenario::{Scenario, Step};
use fenceline_engine::visible;

/// The scenario with legible texts. Ids are legible by their rules.
pub(crate) fn legible(scenario: &Scenario) -> Cow<'_, Scenario> {
    let values = scenario.resources.iter().map(|resource| &resource.initial.value);
    let steps = scenario.workers.iter().flat_map(|worker| &worker.plan).filter_map(text_of);
    if std::iter::once(&scenario.title).chain(values).chain(steps).all(|text| is_legible(text)) {
        return Cow::Borrowed(scenario);
    }
    let mut legible = scenario.clone();
    legible.title = visible(&scenario.title);
    for resource in &mut legible.resources {
        resource.initial.value = visible(&resource.initial.value);
    }
    for text in legible.workers.iter_mut().flat_map(|worker| &mut worker.plan).filter_map(text_of_mut) {
        *text = visible(text);
    }
    Cow::Owned(legible)
}

fn is_legible(text: &str) -> bool {
    // Nearly every text of a document is plain.
    text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || visible(text) == text
}

const fn text_of(step: &Step) -> Option<&String> {
    match step {
        Step::Work { label, .. } => Some(label),
        Step::Write(write) => Some(&write.value),
        _ => None,
    }
}

const fn text_of_mut(step: &mut Step) -> Option<&mut String> {
    match step {
        Step::Work { label, .. } => Some(label),
        Step::Write(write) => Some(&mut write.value),
        _ => None,
    }
}
