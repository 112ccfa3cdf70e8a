//! The kinds of text that leave the program, by name: one list for the command line and the page.

use fenceline_engine::{Scenario, Trace};

use crate::evidence::{NotExpressible, python, rust};
use crate::{comparison, markdown, mermaid};

/// A kind of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Verdict, properties, what happened and why.
    Markdown,
    /// A sequence diagram.
    Mermaid,
    /// The seven guards side by side, as a Markdown table.
    Comparison,
    /// The same as comma-separated values.
    Csv,
    /// A script that replays the arrivals in `SQLite`.
    Python,
    /// The same as a test for Rust.
    Rust,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Markdown, Self::Mermaid, Self::Comparison, Self::Csv, Self::Python, Self::Rust];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Mermaid => "mermaid",
            Self::Comparison => "comparison",
            Self::Csv => "csv",
            Self::Python => "python",
            Self::Rust => "rust",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What the name of its file ends with.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Markdown | Self::Comparison => "md",
            Self::Mermaid => "mmd",
            Self::Csv => "csv",
            Self::Python => "py",
            Self::Rust => "rs",
        }
    }

    /// The text for a run of that scenario.
    ///
    /// # Errors
    /// Why there is no evidence; the other kinds always come.
    pub fn write(self, scenario: &Scenario, trace: &Trace) -> Result<String, NotExpressible> {
        match self {
            Self::Markdown => Ok(markdown::markdown(scenario, trace)),
            Self::Mermaid => Ok(mermaid::mermaid(scenario, trace)),
            Self::Comparison => Ok(comparison::comparison(scenario, trace)),
            Self::Csv => Ok(comparison::csv(scenario, trace)),
            Self::Python => python(scenario, trace),
            Self::Rust => rust(scenario, trace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_found_by_its_name() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(Kind::from_name("nonsense"), None);
    }
}
