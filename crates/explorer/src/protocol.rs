//! What the page and the explorer say to each other.
//!
//! Every message is the version of this protocol in one byte, then postcard. Both sides are built together, but a browser may
//! have kept one of them from an earlier day: then the version differs, and nothing else of the message is looked at.

use fenceline_engine::{Boundary, Bounds, Flip, Knob, Margin, Micros, Partition, Property, Stretch};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the protocol. Whatever changes the bytes of a message changes it, also in a type of the engine's.
pub const VERSION: u8 = 1;

/// What the page says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// This is what the work from now on is about.
    Document {
        /// A number of its own.
        number: u32,
        /// A JSON document, as [`fenceline_engine::Scenario::to_json`] writes it.
        text: String,
    },
    /// Begin a job.
    Begin {
        /// The job: a number that no other has had. What is said of a number that the page has given up is stale.
        job: u32,
        /// Which document it is about.
        document: u32,
        /// What is to be worked out.
        work: Work,
    },
    /// End a job, and say how far it has come. Only a search has something to say.
    Stop(u32),
    /// End a job, and say nothing more of it.
    Forget(u32),
}

/// What is to be worked out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Work {
    /// A race map of so many rows.
    Map {
        /// The horizontal axis.
        across: Axis,
        /// The vertical axis.
        up: Axis,
        /// How many rows there are between its ends.
        rows: u32,
    },
    /// The margin of every number.
    Margins,
    /// The smallest change that flips a write, an index into the run's decisions.
    FlipWrite(u32),
    /// The smallest change after which all properties hold.
    FlipToHold,
    /// A search for a schedule that breaks a property.
    Search(Bounds),
}

/// An axis of a race map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// What is turned along it.
    pub knob: Knob,
    /// The least value, in microseconds.
    pub from: i64,
    /// The greatest value; it is part of the axis.
    pub to: i64,
}

/// What the explorer says of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// The job.
    pub job: u32,
    /// What it says.
    pub answer: Answer,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Rows of a map, each with its number from the bottom, as far as the work for it went.
    Rows {
        /// The rows that were worked out since the last answer.
        rows: Vec<(u32, Partition<Stretch>)>,
        /// Whether no more is to come.
        is_whole: bool,
    },
    /// Margins, in the order of the document; none stands for a number that has none.
    Margins {
        /// Those that were worked out since the last answer.
        found: Vec<Option<Margin>>,
        /// How many are still to come.
        left: u32,
    },
    /// The smallest change; none when no single number does it.
    Flip {
        /// It.
        best: Option<Flip>,
        /// Whether every number was followed to its end.
        is_complete: bool,
    },
    /// There is nothing to flip.
    NoFlip,
    /// How far a search has come.
    Place(Place),
    /// A search found this.
    Found(Box<Found>),
    /// A search came to its end.
    Nothing {
        /// Schedules covered.
        covered: u64,
        /// Schedules left out, since each would have taken too long.
        left_out: u64,
    },
    /// A search was stopped there before it had found anything.
    Stopped(Place),
    /// The work cannot be done: the document or the message is none, or the explorer is gone. A mistake of the program's.
    Failed,
}

impl Answer {
    /// Whether no other answer follows for that job.
    pub const fn is_last(&self) -> bool {
        match self {
            Self::Rows { is_whole, .. } => *is_whole,
            Self::Margins { left, .. } => *left == 0,
            Self::Place(_) => false,
            Self::Flip { .. } | Self::NoFlip => true,
            Self::Found(_) | Self::Nothing { .. } | Self::Stopped(_) | Self::Failed => true,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Schedules covered.
    pub covered: u64,
    /// Schedules within the bounds.
    pub total: u64,
    /// How many pauses and how many delays are being combined.
    pub combining: (u32, u32),
}

/// A schedule that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// It, as a JSON document.
    pub document: String,
    /// The pauses that were added: where, at what time, and how long, in microseconds.
    pub pauses: Vec<(Boundary, Micros, Micros)>,
    /// The delays that were changed, and to what.
    pub delays: Vec<(Knob, i64)>,
    /// The first property that it breaks.
    pub property: Property,
    /// Schedules covered until then.
    pub covered: u64,
    /// Whether it is the smallest within the bounds: not where the search was stopped.
    pub is_smallest: bool,
}

/// A message as bytes.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Into a vector nothing is refused that these types can hold.
    postcard::to_extend(message, vec![VERSION]).unwrap_or_default()
}

/// Bytes as a message; none when they are not one of this version.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (version, message) = bytes.split_first()?;
    let (message, rest) = (*version == VERSION).then(|| postcard::take_from_bytes(message).ok())??;
    rest.is_empty().then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_back_as_it_was_and_no_other_bytes_are_one() {
        let axis = |knob| Axis { knob, from: -1, to: i64::MAX };
        let work = Work::Map { across: axis(Knob::NetworkDelay), up: axis(Knob::PauseFor(1, 300)), rows: 600 };
        let request = Request::Begin { job: u32::MAX, document: 7, work };
        let bytes = encode(&request);
        assert_eq!(bytes[0], VERSION);
        assert_eq!(decode(&bytes), Some(request));
        for cut in 0..bytes.len() {
            assert_eq!(decode::<Request>(&bytes[..cut]), None, "cut after {cut}");
        }
        assert_eq!(decode::<Request>(&[&bytes[..], &[0]].concat()), None, "something follows");
        let other = [&[VERSION + 1], &bytes[1..]].concat();
        assert_eq!(decode::<Request>(&other), None, "another version");
    }

    #[test]
    fn what_claims_to_be_long_and_is_not_is_refused_without_its_memory() {
        // A list of rows of 2^32 - 1 entries.
        let bytes = [VERSION, 1, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(decode::<Vec<Said>>(&bytes), None);
    }
}
