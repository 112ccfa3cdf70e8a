//! The verdict glyphs: one silhouette for each outcome, so that colour is never alone.
//!
//! Drawn on a 16 × 16 field, as a filled body in the outcome's colour and a mark in the paper's. The page's chips, banner
//! and guard switch use the same paths as the picture.

use fenceline_engine::trace::{Outcome, Verdict};

/// The silhouettes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Glyph {
    /// A circle with a check.
    Accepted,
    /// A shield with a bar.
    Fenced,
    /// A triangle with an exclamation mark.
    Corrupting,
    /// An octagon with a cross.
    Refused,
    /// A ring with two arrows' worth of a turn: answered again, nothing done.
    Replayed,
}

impl Glyph {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Accepted, Self::Fenced, Self::Corrupting, Self::Refused, Self::Replayed];

    /// The glyph of a verdict. A holder's write whose effect was already in place is harmless, not refused.
    pub const fn of(verdict: &Verdict) -> Self {
        match verdict.outcome() {
            Outcome::Accepted => Self::Accepted,
            Outcome::StaleAccepted => Self::Corrupting,
            Outcome::HolderRefused if verdict.already_applied.is_some() => Self::Replayed,
            Outcome::HolderRefused => Self::Refused,
            Outcome::StaleRejected => Self::Fenced,
            Outcome::Replayed => Self::Replayed,
        }
    }

    /// The name of its colour token, after `--outcome-`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Fenced => "fenced",
            Self::Corrupting => "corrupting",
            Self::Refused => "refused",
            Self::Replayed => "replayed",
        }
    }

    /// The body, filled and outlined in the outcome's colour.
    pub const fn body(self) -> &'static str {
        match self {
            Self::Accepted | Self::Replayed => "M8 .75a7.25 7.25 0 1 1 0 14.5a7.25 7.25 0 1 1 0-14.5z",
            Self::Fenced => "M8 .6l6.2 2.2v5c0 3.6-2.5 6.3-6.2 7.6C4.3 14.1 1.8 11.4 1.8 7.8v-5z",
            Self::Corrupting => "M8 .9l7.4 13a.6.6 0 0 1-.5.9H1.1a.6.6 0 0 1-.5-.9z",
            Self::Refused => "M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z",
        }
    }

    /// The mark on the body, drawn as a line with round ends in the paper's colour.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Accepted => "M4.7 8.3l2.2 2.2 4.4-4.8",
            Self::Fenced => "M4.7 7.7h6.6",
            Self::Corrupting => "M8 5.6v4M8 12.4v.01",
            Self::Refused => "M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
            Self::Replayed => "M5 6.2h6M5 9.8h6",
        }
    }

    /// The class of the body.
    pub const fn body_class(self) -> &'static str {
        match self {
            Self::Accepted => "fl-glyph fl-o-accepted",
            Self::Fenced => "fl-glyph fl-o-fenced",
            Self::Corrupting => "fl-glyph fl-o-corrupting",
            Self::Refused => "fl-glyph fl-o-refused",
            Self::Replayed => "fl-glyph fl-o-replayed",
        }
    }
}
