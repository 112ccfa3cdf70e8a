//! The fencing engine: a scenario of leases, workers and protected resources goes in, a trace with every write judged comes out.
//!
//! It exists so that one implementation decides what the page draws, what the command line prints and what a document
//! claims. It is pure: no clock, no randomness, no hash order, no I/O; the same scenario gives the same trace, byte for
//! byte, natively and in WebAssembly; a scenario that passed validation cannot make it panic.
//!
//! ```
//! use fenceline_engine::{Scenario, run};
//!
//! let scenario = Scenario::from_json(r#"{
//!     "version": 1,
//!     "resources": [{ "id": "report" }],
//!     "workers": [{ "id": "A", "plan": [{ "do": "write", "resource": "report", "value": "v", "token": 41 }] }]
//! }"#).expect("the document is valid");
//! let trace = run(&scenario).expect("the scenario is valid");
//! assert_eq!(trace.writes[0].decision, fenceline_engine::Decision::Accepted);
//! ```
#![deny(missing_docs)]

mod belief;
mod clock;
mod document;
mod duration;
mod error;
pub mod explain;
mod exposure;
mod field;
mod findings;
mod guard;
pub mod headline;
mod knob;
mod layout;
pub mod limits;
mod model;
mod moment;
pub mod narrate;
mod path;
mod place;
mod queue;
mod read;
mod record;
mod runner;
pub mod scenario;
mod search;
mod simulate;
mod story;
pub mod summary;
mod time;
pub mod trace;
mod validate;
mod verdict;
mod windows;
mod words;
mod write_json;

pub use clock::{Scale, show_instant, show_length, show_span, show_time};
pub use duration::{DurationProblem, format_duration, format_signed_duration, parse_duration, parse_signed_duration};
pub use error::ScenarioError;
pub use explain::{Explanation, explain};
pub use exposure::{Exposure, exposures};
pub use field::{Entry, Fields};
pub use guard::{Presented, Remembered};
pub use headline::{Class, Counts, Gist, Headline, ShortOutcome, short_outcome};
pub use knob::{Delay, Knob, Sends};
pub use model::Model;
pub use moment::{LaneState, moment};
pub use narrate::{Mark, Sentence, narrate};
pub use path::Path;
pub use place::{Place, place_of};
pub use read::AROUND;
pub use runner::{Outcome as RunOutcome, Runner, RunnerOn, run};
pub use scenario::{Guard, Micros, Scenario};
pub use search::{Boundary, Bounds, Counterexample, Progress, Search};
pub use simulate::{MAX_EVENTS, RunError};
pub use summary::Summary;
pub use time::{Plain, Timekeeper};
pub use trace::{Decision, Ended, EndedBy, Kind, Outcome, Property, Reason, Standing, Trace, Verdict};
pub use windows::{
    Edge, Flip, FlipSearch, Kinetic, Least, Margin, Moving, Partition, PauseStart, RaceMap, Row, Sign, Signature,
    Stretch, Turn, Window, flip, flip_to_hold, margin, margins, race_map, stretches, windows, windows_within,
};
pub use words::{visible, visible_json};
