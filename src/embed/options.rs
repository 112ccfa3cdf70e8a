//! How an embedded page is shown: what stands in the query of its address. What the page shows stands in the fragment.
//!
//! Invariant: a value that is none, and a name that is not known, leave the default.

use crate::platform::theme::Theme;

/// How an embedded page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// `theme=light|dark|auto`.
    pub theme: Theme,
    /// `guard=free|locked`: whether the reader may choose another guard.
    pub guard_is_free: bool,
    /// `controls=full|none`: whether there are buttons to play and to zoom.
    pub has_controls: bool,
    /// `predict=0|1`: whether the reader is asked first.
    pub predicts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { theme: Theme::Auto, guard_is_free: true, has_controls: true, predicts: false }
    }
}

impl Options {
    /// The options of a query, when it asks for the embedded page (`embed=1`).
    pub fn of(query: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let is = |name: &str, value: &str| query(name).is_some_and(|found| found == value);
        is("embed", "1").then(|| Self {
            theme: match query("theme").as_deref() {
                Some("light") => Theme::Light,
                Some("dark") => Theme::Dark,
                _ => Theme::Auto,
            },
            guard_is_free: !is("guard", "locked"),
            has_controls: !is("controls", "none"),
            predicts: is("predict", "1"),
        })
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn of(query: &[(&str, &str)]) -> Option<Options> {
        Options::of(|name| query.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_page_is_embedded_when_it_is_asked_to_be() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("embed", "yes")]), None);
        assert_eq!(of(&[("embed", "1")]), Some(Options::default()));
    }

    #[test]
    fn a_value_that_is_none_leaves_the_default() {
        let asked = [("embed", "1"), ("theme", "pink"), ("guard", ""), ("controls", "<b>"), ("predict", "true")];
        assert_eq!(of(&asked), Some(Options::default()));
        let asked = [("embed", "1"), ("theme", "dark"), ("guard", "locked"), ("controls", "none"), ("predict", "1")];
        let expected = Options { theme: Theme::Dark, guard_is_free: false, has_controls: false, predicts: true };
        assert_eq!(of(&asked), Some(expected));
    }
}
