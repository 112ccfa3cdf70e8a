//! What can be wrong with a link, in words for whoever opened it.

use std::fmt;

use fenceline_engine::{ScenarioError, visible};

use crate::coded::MAX_LINK_BYTES;

/// How many things of a kind are told of one by one: a hostile link has as many as it likes.
pub(crate) const MOST_TOLD: usize = 5;

/// What a stranger chose the name of, as it is told: on one line, and not long.
pub(crate) fn shown(name: &str) -> String {
    visible(name).chars().take(60).collect()
}

/// Why a link does not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// It says nothing of what is to be shown.
    Nothing,
    /// It is longer than any link of ours.
    TooLong {
        /// How long, in bytes.
        found: usize,
    },
    /// The name of its preset is none.
    PresetName,
    /// It was made by a later version.
    Newer {
        /// Of which it says it is.
        version: u32,
    },
    /// It is coded in a way that there is not.
    Codec,
    /// It is not as it was made: cut, or changed.
    Damaged,
    /// It arrived as it was made, and is made as this version makes none.
    Unreadable,
    /// It unpacks to more than any scenario of ours.
    Unpacks,
    /// What it holds is no scenario that can be shown.
    Scenario(Vec<ScenarioError>),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("The link names no preset (p=…) and no scenario (s=…); it may have been cut short."),
            Self::TooLong { found } => write!(
                f,
                "The link is {} kB long. At most {} kB are read; a scenario of that size goes into a file.",
                found.div_ceil(1_000),
                MAX_LINK_BYTES / 1_000
            ),
            Self::PresetName => {
                f.write_str("The link names no preset: a name is at most 60 letters from a to z, digits and hyphens.")
            }
            Self::Newer { version } => {
                write!(
                    f,
                    "The link was made by a newer Fenceline (version {version} of links; this one reads 1). \
                     Open it there, or ask for the scenario as a file."
                )
            }
            Self::Codec => f.write_str("The link is in no form that this Fenceline reads (1p, 1z, 1j or JSON)."),
            Self::Damaged => {
                f.write_str("The link is damaged: it was cut short or changed on its way. Ask for it again, whole.")
            }
            Self::Unreadable => f.write_str(
                "The link arrived whole, but this Fenceline cannot read what it holds. It was made by a newer one, or by \
                 another program. Open it there, or ask for the scenario as a file.",
            ),
            Self::Unpacks => write!(
                f,
                "The link unpacks to more than {} kB, which no scenario has. It was not made by Fenceline.",
                MAX_LINK_BYTES / 1_000
            ),
            Self::Scenario(errors) => {
                f.write_str("The link holds a scenario that cannot be shown.")?;
                errors.iter().try_for_each(|error| write!(f, "\n{error}"))
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// What of a link was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The scenario says more than this version knows.
    More,
    /// A field of its document, at that JSON Pointer, is not known.
    Field(String),
    /// So many further fields are not.
    Fields(usize),
    /// A pair of that name is not known.
    Key(String),
    /// The value of a pair of that name is none that it can have.
    Value(&'static str),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::More => f.write_str("The link was made by a newer Fenceline and says more than this one can show."),
            Self::Field(path) => write!(f, "The link’s field {path} is not known here and was passed over."),
            Self::Fields(count) => write!(f, "So were {count} further fields."),
            Self::Key(key) => write!(f, "The link’s ‘{key}’ is not known here and was passed over."),
            Self::Value(key) => write!(f, "The link’s ‘{key}’ is nothing that is here, and was passed over."),
        }
    }
}
