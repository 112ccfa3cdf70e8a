//! The theme: the system's, or the one that was chosen here, kept for the next visit where the browser allows it.

use leptos::prelude::document;

use super::storage;

const KEY: &str = "fenceline.theme";
const ATTRIBUTE: &str = "data-theme";

/// Which theme the page follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's.
    #[default]
    Auto,
    /// Light, whatever the system says.
    Light,
    /// Dark, whatever the system says.
    Dark,
}

impl Theme {
    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Auto => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::Auto,
        }
    }

    /// Its name, as kept and as marked on the root element; none for the system's.
    const fn mark(self) -> Option<&'static str> {
        match self {
            Self::Auto => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// What was chosen on an earlier visit, or what the page that embeds this one has set.
    pub fn restore() -> Self {
        let set = document().document_element().and_then(|root| root.get_attribute(ATTRIBUTE));
        match set.or_else(|| storage::kept(KEY)).as_deref() {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            _ => Self::Auto,
        }
    }

    /// Shows it.
    pub fn apply(self) {
        if let Some(root) = document().document_element() {
            // An attribute of that name can always be set and removed.
            let _ = match self.mark() {
                Some(mark) => root.set_attribute(ATTRIBUTE, mark),
                None => root.remove_attribute(ATTRIBUTE),
            };
        }
    }

    /// Keeps it for the next visit.
    pub fn keep(self) {
        // A full or forbidden storage only means that the next visit starts with the system's theme.
        match self.mark() {
            Some(mark) => {
                storage::keep(KEY, mark);
            }
            None => storage::forget(KEY),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn the_toggle_comes_back_to_the_systems_theme() {
        assert_eq!(Theme::Auto.next().next().next(), Theme::Auto);
        assert_ne!(Theme::Auto.next(), Theme::Light.next());
    }
}
