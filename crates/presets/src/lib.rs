//! The presets of the library, as documents inside the program: for programs that have no files beside them.
//!
//! The page fetches them instead, one at a time. Invariant: they are the files in `presets/`, all of them, as they are.

/// Every preset: its name and its document, by name.
pub const ALL: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

/// The document of a preset.
///
/// ```
/// assert!(fenceline_presets::document("paused-worker").is_some_and(|document| document.starts_with('{')));
/// assert!(fenceline_presets::document("library").is_none());
/// ```
pub fn document(name: &str) -> Option<&'static str> {
    ALL.binary_search_by_key(&name, |(name, _)| name).ok().map(|place| ALL[place].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_found_by_its_name() {
        assert!(ALL.len() >= 40, "{} presets", ALL.len());
        for (name, text) in ALL {
            assert_eq!(document(name), Some(*text));
        }
        assert_eq!(document("nonsense"), None);
    }
}
