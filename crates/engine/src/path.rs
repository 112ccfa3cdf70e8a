//! Places in a scenario document, as JSON Pointers that cost nothing until they are shown.
//!
//! Checking runs at every frame of a drag, and nearly always finds nothing. A path is therefore a chain of borrowed
//! links on the stack, and turns into text only for an error.

use std::collections::BTreeSet;
use std::fmt;

/// A place in a scenario document. Its text is the JSON Pointer (RFC 6901), empty for the document as a whole.
///
/// ```
/// use fenceline_engine::Path;
///
/// let path = Path::Root.field("workers").index(0).field("starts").to_string();
/// assert_eq!(path, "/workers/0/starts");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// The document as a whole.
    Root,
    /// A member of the object at the first path.
    Field(&'a Path<'a>, &'a str),
    /// An item, from 0, of the list at the first path.
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    /// The member of that name.
    #[must_use]
    pub const fn field(&'a self, name: &'a str) -> Self {
        Self::Field(self, name)
    }

    /// The item at that index, from 0.
    #[must_use]
    pub const fn index(&'a self, index: usize) -> Self {
        Self::Index(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(parent, name) => write!(f, "{parent}/{}", name.replace('~', "~0").replace('/', "~1")),
            Self::Index(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

/// The segments of a JSON Pointer, unescaped.
pub(crate) fn segments(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer.split('/').skip(1).map(|segment| segment.replace("~1", "/").replace("~0", "~"))
}

/// The places of a document that could not be read. What stands in for them in the scenario is not the author's, so
/// that nothing that follows from it may be held against the document.
#[derive(Debug, Default)]
pub(crate) struct Unread(BTreeSet<String>);

impl Unread {
    pub fn add(&mut self, path: &Path) {
        self.0.insert(path.to_string());
    }

    /// Whether that very place could not be read.
    pub fn has(&self, path: &Path) -> bool {
        !self.0.is_empty() && self.0.contains(&path.to_string())
    }

    /// Whether that place, or one that it lies in, could not be read.
    pub fn covers(&self, path: &Path) -> bool {
        let parent = match path {
            Path::Root => return self.has(path),
            Path::Field(parent, _) | Path::Index(parent, _) => parent,
        };
        self.has(path) || self.covers(parent)
    }

    /// Whether that place, one that it lies in, or one that lies in it could not be read.
    pub fn touches(&self, path: &Path) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let within = format!("{path}/");
        self.covers(path) || self.0.range(within.clone()..).next().is_some_and(|next| next.starts_with(&within))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_slash_or_a_tilde_is_escaped_and_comes_back() {
        let root = Path::Root;
        let name = root.field("a/b~1c");
        assert_eq!(name.to_string(), "/a~1b~01c");
        assert_eq!(segments(&name.to_string()).collect::<Vec<_>>(), ["a/b~1c"]);
    }

    #[test]
    fn the_document_as_a_whole_is_the_empty_pointer() {
        assert_eq!(Path::Root.to_string(), "");
        assert_eq!(segments("").count(), 0);
    }

    #[test]
    fn an_unread_place_covers_what_lies_in_it_and_touches_what_it_lies_in() {
        let root = Path::Root;
        let pauses = root.field("pauses");
        let (first, tenth) = (pauses.index(1), pauses.index(10));
        let at = first.field("at");
        let mut unread = Unread::default();
        assert!(!unread.covers(&at) && !unread.touches(&at));
        unread.add(&first);
        assert!(unread.covers(&first) && unread.covers(&at));
        assert!(!unread.covers(&pauses) && !unread.covers(&tenth));
        assert!(unread.touches(&pauses) && unread.touches(&at) && unread.touches(&root));
        assert!(!unread.touches(&tenth));
    }
}
