//! The statement that each guard stands for, in SQL.
//!
//! It exists so that the statement shown for a decision and the one that is run as evidence are one. Whoever asks says how its
//! values are written: as numbers, or as parameters.

use crate::scenario::Guard;

/// One request at a resource, with its values as SQL writes them.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<'a> {
    /// The guard that it meets.
    pub guard: Guard,
    /// The table of the resource.
    pub table: &'a str,
    /// The id of its row.
    pub row: &'a str,
    /// The token that the request carries.
    pub token: &'a str,
    /// The sequence that it carries.
    pub seq: &'a str,
    /// The value that it writes; none for an establish.
    pub body: Option<&'a str>,
    /// The grant that it was made under; only `holder` looks at it.
    pub grant: GrantColumns<'a>,
}

/// A grant, with its values as SQL writes them.
#[derive(Clone, Copy, Debug)]
pub struct GrantColumns<'a> {
    /// The id of the lease.
    pub lease: &'a str,
    /// The number of the grant.
    pub number: &'a str,
    /// The instant of the decision.
    pub now: &'a str,
}

impl Guarded<'_> {
    /// The statement, line by line. It changes one row when the guard accepts, and none when it does not.
    ///
    /// `same` has no token to compare with where the column is null: nothing was remembered yet.
    pub fn lines(&self) -> Vec<String> {
        let mut sets = Vec::new();
        if self.guard != Guard::None {
            sets.push(["token = ", self.token].concat());
        }
        if self.guard == Guard::TokenSeq {
            sets.push(["seq = ", self.seq].concat());
        }
        sets.extend(self.body.map(|body| ["body = ", body].concat()));
        if sets.is_empty() {
            // Establishing where no token is remembered touches the row and changes nothing in it.
            sets.push("body = body".into());
        }
        let mut lines = vec![
            ["UPDATE ", self.table].concat(),
            ["   SET ", &sets.join(", ")].concat(),
            [" WHERE id = ", self.row].concat(),
        ];
        lines.extend(self.condition().map(|condition| ["   AND ", &condition].concat()));
        lines
    }

    fn condition(&self) -> Option<String> {
        let token = self.token;
        Some(match self.guard {
            Guard::None | Guard::CheckThenWrite => return None,
            Guard::Newer => ["token < ", token].concat(),
            Guard::NewerOrEqual => ["token <= ", token].concat(),
            Guard::Same => ["(token = ", token, " OR token IS NULL)"].concat(),
            Guard::TokenSeq => ["(token, seq) < (", token, ", ", self.seq, ")"].concat(),
            // The question to the lease service, in the same transaction.
            Guard::Holder => {
                let GrantColumns { lease, number, now } = self.grant;
                let live = [" AND grant_no = ", number, " AND ends_at > ", now, ")"].concat();
                ["EXISTS (SELECT 1 FROM leases WHERE id = ", lease, &live].concat()
            }
        })
    }
}
