//! A lock for the nightly report, with fencing tokens.
//!
//! The end of a lease does not stop a worker. The report compares tokens, so that a late write comes to nothing:
//!
//! <div>
#![doc = include_str!("story.svg")]
//! </div>
//!
//! A writes at 51.4 s with token 41, and the report remembers 42.

/// A fencing token: it only rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token(pub u64);
