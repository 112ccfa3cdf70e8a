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
mod error;
mod guard;
mod model;
mod queue;
mod record;
mod runner;
pub mod scenario;
mod simulate;
mod time;
pub mod trace;
mod verdict;

pub use error::ScenarioError;
pub use guard::{Presented, Remembered};
pub use model::Model;
pub use runner::{Outcome as RunOutcome, Runner, RunnerOn, run};
pub use scenario::{Guard, Micros, Scenario};
pub use simulate::{MAX_EVENTS, RunError};
pub use time::{Plain, Timekeeper};
pub use trace::{Decision, Ended, EndedBy, Kind, Outcome, Property, Reason, Standing, Trace, Verdict};
