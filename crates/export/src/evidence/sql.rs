//! The tables and statements of a replay, with parameters in place of all values.
//!
//! What a guard's statement is, the engine says; here it only gets the names of its parameters.

use fenceline_engine::explain::{GrantColumns, Guarded};
use fenceline_engine::{Guard, Kind};

use super::replay::Tables;

/// What a request runs at its resource.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    pub guard: Guard,
    pub kind: Kind,
}

/// Keeps the key of a write, unless it is there. In words that every `SQLite` knows: Python comes with one of any age.
pub const KEEP_KEY: &str = "INSERT OR IGNORE INTO seen (resource, key) VALUES (:resource, :key)";
/// Asks whether the token is the caller's own.
pub const ISSUED: &str = "SELECT 1 FROM issued WHERE token = :token AND worker = :worker";

impl Statement {
    /// Its name in a script: `NEWER_WRITE`.
    pub fn name(self) -> String {
        let guard = match self.guard {
            Guard::None => "plain",
            guard => guard.name(),
        };
        [guard, "-", self.kind.name()].concat().replace('-', "_").to_uppercase()
    }

    /// Its lines.
    pub fn lines(self) -> Vec<String> {
        let grant = GrantColumns { lease: ":lease", number: ":grant", now: ":now" };
        Guarded {
            guard: self.guard,
            table: "resources",
            row: ":resource",
            token: ":token",
            seq: ":seq",
            body: (self.kind == Kind::Write).then_some(":body"),
            grant,
        }
        .lines()
    }

    /// What it does, for the one who reads it.
    pub const fn remark(self) -> &'static str {
        match self.guard {
            Guard::None => "No comparison: the last writer wins.",
            Guard::CheckThenWrite => "No comparison here: the worker compared before, with what it saw then.",
            Guard::Newer => "Only a token above the stored one.",
            Guard::NewerOrEqual => "A token that is not below the stored one.",
            Guard::Same => "The stored token, or any when none is stored.",
            Guard::TokenSeq => "Only a token and sequence above the stored pair.",
            Guard::Holder => "Only while the lease is held under this very grant.",
        }
    }
}

impl Tables {
    /// The statements that make them.
    pub fn lines(self) -> Vec<&'static str> {
        let mut lines = vec![if self.seq {
            "CREATE TABLE resources (id TEXT PRIMARY KEY, token INTEGER, seq INTEGER, body TEXT NOT NULL);"
        } else {
            "CREATE TABLE resources (id TEXT PRIMARY KEY, token INTEGER, body TEXT NOT NULL);"
        }];
        if self.leases {
            lines.push(
                "CREATE TABLE leases (id TEXT PRIMARY KEY, grant_no INTEGER NOT NULL, ends_at INTEGER NOT NULL);",
            );
        }
        if self.issued {
            lines.push("CREATE TABLE issued (token INTEGER NOT NULL, worker TEXT NOT NULL);");
        }
        if self.seen {
            lines.push("CREATE TABLE seen (resource TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (resource, key));");
        }
        lines
    }

    /// The row of a resource: its id, token, sequence and value, as far as there are such columns.
    pub const fn columns(self) -> &'static str {
        if self.seq { "token, seq, body" } else { "token, body" }
    }
}
