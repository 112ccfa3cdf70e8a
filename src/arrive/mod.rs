//! What comes into the page from outside: by its address, as a file, or pasted; and what there is to say of it.
//!
//! Invariant: whatever comes is hostile until it is read. What cannot be read changes nothing, and is told with its place, what
//! was found there and what is allowed.

mod address;
mod arrivals;
mod file;
mod notice;

use fenceline_engine::{Place, ScenarioError, place_of, visible};
use fenceline_link::LinkError;
use leptos::prelude::*;

pub use address::{Address, Arrival, arrive, fragment, link, when_settled};
pub use arrivals::Arrivals;
pub use file::{Intake, open_file};
pub use notice::{ArrivalNotice, Said};

/// How many problems are listed: a person mends a few at a time.
const MOST_LISTED: usize = 30;

/// One thing that is wrong with a document, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, when there is a text.
    pub place: Option<Place>,
    /// What.
    pub error: ScenarioError,
}

impl Problem {
    /// The problems of a document that was made without a text.
    pub fn without_text(errors: Vec<ScenarioError>) -> Vec<Self> {
        errors.into_iter().map(|error| Self { place: None, error }).collect()
    }

    /// The problems of a text, in its order. An error that names no place of the document says itself where it is.
    pub fn in_text(text: &str, errors: Vec<ScenarioError>) -> Vec<Self> {
        let place = |error: &ScenarioError| (!error.path.is_empty()).then(|| place_of(text, &error.path));
        let with_place = |error: ScenarioError| Self { place: place(&error), error };
        let mut problems: Vec<_> = errors.into_iter().take(MOST_LISTED * 10).map(with_place).collect();
        problems.sort_by_key(|problem| problem.place);
        problems
    }
}

/// Problems as the items of a list.
pub fn listed(problems: &[Problem]) -> AnyView {
    let item = |Problem { place, error }: &Problem| {
        let path = if error.path.is_empty() { "/" } else { &error.path };
        let line = place.map(|place| ["line ", &place.line.to_string(), " · "].concat());
        view! {
            <li>
                <code>{line} {visible(path)}</code>
                <span>{["Found ", &error.found, "."].concat()}</span>
                <span class="muted">{["Allowed: ", &error.allowed, "."].concat()}</span>
            </li>
        }
    };
    let more = problems.len().saturating_sub(MOST_LISTED);
    let more = (more > 0).then(|| view! { <li class="muted">{["and ", &more.to_string(), " more"].concat()}</li> });
    view! {
        {problems.iter().take(MOST_LISTED).map(item).collect_view()}
        {more}
    }
    .into_any()
}

/// Why something was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In a sentence.
    pub why: String,
    /// One by one, when it is a document.
    pub problems: Vec<Problem>,
    /// What is shown now.
    pub instead: &'static str,
    /// What came, to be taken back.
    pub original: Option<String>,
}

impl Refusal {
    /// With what is wrong, one by one.
    pub const fn new(why: String, problems: Vec<Problem>) -> Self {
        Self { why, problems, instead: "Nothing was changed.", original: None }
    }

    /// Of a link with which the page was opened.
    #[must_use]
    pub fn at_the_start(self, link: String) -> Self {
        Self { instead: "The first preset is shown instead.", original: Some(link), ..self }
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::new(why, Vec::new())
    }
}

impl From<LinkError> for Refusal {
    fn from(error: LinkError) -> Self {
        let why = error.to_string().lines().next().unwrap_or_default().to_owned();
        let problems = match error {
            LinkError::Scenario(errors) => Problem::without_text(errors),
            _ => Vec::new(),
        };
        Self::new(why, problems)
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn problems_of_a_text_come_in_its_order() {
        let error = |path: &str| ScenarioError { path: path.into(), found: String::new(), allowed: String::new() };
        let text = "{\n\"a\": 1,\n\"b\": 2\n}";
        let lines: Vec<_> = Problem::in_text(text, vec![error("/b"), error("/a"), error("")])
            .into_iter()
            .map(|problem| problem.place.map(|place| place.line))
            .collect();
        assert_eq!(lines, [None, Some(2), Some(3)]);
    }
}
