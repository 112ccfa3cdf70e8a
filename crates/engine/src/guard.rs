//! The guard: one comparison of what a request carries with what the resource remembers.
//!
//! The comparison and the write that follows are one atomic step at the resource; only `check-then-write` compares
//! elsewhere (at the worker, on what a peek saw), which is why it is a race.

use crate::scenario::Guard;
use crate::trace::Reason;

/// What a request presents.
#[derive(Clone, Copy, Debug)]
pub struct Presented {
    /// Its token, `T`.
    pub token: u64,
    /// Its sequence, `S`.
    pub seq: u32,
    /// Whether the grant that it was made under is live at the lease service at this instant.
    pub grant_is_live: bool,
}

/// What a resource remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The token, `t`.
    pub token: u64,
    /// The sequence, `s`.
    pub seq: u32,
    /// Whether any guarded request was accepted since the start, or since a restart that forgot.
    pub anything: bool,
}

impl Guard {
    /// Decides at the resource. `check-then-write` accepts here: its comparison was made before.
    ///
    /// # Errors
    /// Why the request is rejected.
    pub fn decide(self, presented: Presented, remembered: Remembered) -> Result<(), Reason> {
        let Presented { token, seq, grant_is_live } = presented;
        match self {
            Self::None | Self::CheckThenWrite => Ok(()),
            Self::Newer => newer(token, remembered.token),
            Self::NewerOrEqual if token < remembered.token => Err(Reason::TokenOlder),
            Self::NewerOrEqual => Ok(()),
            Self::Same if remembered.anything && token != remembered.token => Err(Reason::TokenDiffers),
            Self::Same => Ok(()),
            Self::TokenSeq if token < remembered.token => Err(Reason::TokenOlder),
            Self::TokenSeq if token == remembered.token && seq <= remembered.seq => Err(Reason::SeqNotNewer),
            Self::TokenSeq => Ok(()),
            Self::Holder if grant_is_live => Ok(()),
            Self::Holder => Err(Reason::NotHolder),
        }
    }
}

/// `T > t`: the comparison of `newer`, and of a worker that checks before it writes.
///
/// # Errors
/// Whether the token is older or equal.
pub fn newer(token: u64, remembered: u64) -> Result<(), Reason> {
    match token.cmp(&remembered) {
        std::cmp::Ordering::Greater => Ok(()),
        std::cmp::Ordering::Equal => Err(Reason::TokenEqual),
        std::cmp::Ordering::Less => Err(Reason::TokenOlder),
    }
}
