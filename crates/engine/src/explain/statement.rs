//! The statement behind a decision: what the destination ran, with its values filled in, and the rows that it changed.
//!
//! It exists because a guard is one conditional statement and nothing else. Invariant: what is shown can be run, and
//! changes as many rows as it says; a test has a real `SQLite` run each.

use super::Why;
use super::guarded::{GrantColumns, Guarded};
use crate::scenario::{Guard, Micros, Resource};
use crate::trace::{Decision, Direction, Happening, Kind, Reason, Subject};
use crate::words::{push_cut, visible};

/// The longest value that is shown, in characters.
const LONGEST_VALUE: usize = 32;

/// A statement as the destination ran it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What was run before it, in the same transaction; for `check-then-write`, first what its worker asked, which was
    /// none of that transaction. May be empty.
    pub before: Vec<String>,
    /// The statement, line by line; empty when none was run.
    pub lines: Vec<String>,
    /// What was stored, and so how its condition came out; without a full stop.
    pub note: String,
    /// How many rows it changed, or found; none when none was run.
    pub rows: Option<u32>,
}

impl Statement {
    /// All of it, as it is run: what came before, then the statement.
    pub fn code(&self) -> String {
        let mut code = self.before.join("\n");
        for line in &self.lines {
            if !code.is_empty() {
                code.push('\n');
            }
            code.push_str(line);
        }
        code
    }

    /// What it came to: `rows changed: 0`.
    pub fn outcome(&self) -> String {
        let asks = self.lines.first().is_some_and(|line| line.starts_with("SELECT"));
        match self.rows {
            None => "no statement was run".into(),
            Some(rows) => [if asks { "rows found: " } else { "rows changed: " }, &rows.to_string()].concat(),
        }
    }
}

/// A text as SQL writes it.
fn quoted(value: &str) -> String {
    let mut cut = String::new();
    push_cut(&mut cut, value, LONGEST_VALUE);
    ["'", &cut.replace('\'', "''"), "'"].concat()
}

/// A name as SQL takes it.
fn named(id: &str) -> String {
    let word = ["order", "group", "table", "index", "select", "set", "values", "where", "check", "key"];
    let plain = !id.is_empty()
        && !word.contains(&id.to_ascii_lowercase().as_str())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !id.as_bytes()[0].is_ascii_digit();
    if plain { id.into() } else { ["\"", &visible(id).replace('"', "\"\""), "\""].concat() }
}

impl Why<'_, '_> {
    pub(super) fn statement(&self) -> Statement {
        let (story, verdict) = (self.story, self.verdict);
        let Some(resource) = story.scenario.resources.get(verdict.resource) else {
            return refused(String::new());
        };
        match verdict.reason {
            Some(Reason::TokenMissing) => return refused("it carries no token, so no statement is run".into()),
            Some(Reason::TokenForged) => {
                let lines = vec![self.issued()];
                let note = "no such row: its token was not issued to its sender, so nothing is written".into();
                return Statement { before: Vec::new(), lines, note, rows: Some(0) };
            }
            _ => {}
        }
        if verdict.decision == Decision::Replayed {
            let note = "the key is there already: the first outcome is the answer, and nothing else is run".into();
            return Statement { before: Vec::new(), lines: vec![self.keep_key()], note, rows: Some(0) };
        }
        if verdict.given_up {
            let mut gave_up = refused(self.compared_at_the_worker());
            gave_up.before = vec![self.question(resource)];
            return gave_up;
        }
        let guard = if verdict.unguarded { Guard::None } else { resource.guard };
        let mut before = Vec::new();
        // The worker asked, in its own time; the rest is one transaction.
        if guard == Guard::CheckThenWrite {
            before.push(self.question(resource));
        }
        let keeps_key = resource.idempotent && verdict.kind == Kind::Write && !verdict.unguarded;
        if keeps_key {
            before.push(self.keep_key());
        }
        if resource.authenticates && !verdict.unguarded && verdict.token.is_some() {
            before.push(self.issued());
        }
        let mut note = self.stored(resource, guard);
        if keeps_key && verdict.decision == Decision::Rejected {
            note.push_str("; all of it is rolled back, so the key is not kept");
        }
        let rows = Some(u32::from(verdict.decision == Decision::Accepted));
        Statement { before, lines: self.update(resource, guard), note, rows }
    }

    fn worker_id(&self) -> &str {
        self.story.scenario.workers.get(self.verdict.worker).map_or("", |worker| worker.id.as_str())
    }

    /// Keeps the key of this write, unless it is there.
    fn keep_key(&self) -> String {
        let verdict = self.verdict;
        let own = self.story.write_of(verdict).and_then(|write| write.key.clone());
        let key = own.unwrap_or_else(|| [self.worker_id(), "/", &(verdict.step + 1).to_string()].concat());
        ["INSERT INTO seen (key) VALUES (", &quoted(&key), ") ON CONFLICT DO NOTHING;"].concat()
    }

    /// The question whether the token is the caller's own.
    fn issued(&self) -> String {
        let token = self.verdict.token.unwrap_or_default().to_string();
        ["SELECT 1 FROM issued WHERE token = ", &token, " AND worker = ", &quoted(self.worker_id()), ";"].concat()
    }

    fn update(&self, resource: &Resource, guard: Guard) -> Vec<String> {
        let (story, verdict) = (self.story, self.verdict);
        let lease = story.grant_of(verdict).and_then(|grant| story.scenario.leases.get(grant.lease));
        let value = self.story.write_of(verdict).map_or("", |write| write.value.as_str());
        Guarded {
            guard,
            table: &named(&resource.id),
            row: "1",
            token: &verdict.token.unwrap_or_default().to_string(),
            seq: &verdict.seq.to_string(),
            body: (verdict.kind == Kind::Write).then(|| quoted(value)).as_deref(),
            grant: GrantColumns {
                lease: &quoted(lease.map_or("", |lease| &lease.id)),
                number: &verdict.grant.unwrap_or_default().to_string(),
                now: "now()",
            },
        }
        .lines()
    }

    /// What was stored, and how the condition came out on it.
    fn stored(&self, resource: &Resource, guard: Guard) -> String {
        let (story, verdict) = (self.story, self.verdict);
        let token = verdict.token.unwrap_or_default().to_string();
        let stored = verdict.remembered_token.to_string();
        let holds = verdict.decision == Decision::Accepted;
        let is = |left: &str, operator: &str, right: &str| {
            [
                "stored token is ",
                &stored,
                ", and ",
                left,
                " ",
                operator,
                " ",
                right,
                " is ",
                if holds { "true" } else { "false" },
            ]
            .concat()
        };
        match guard {
            Guard::None if verdict.unguarded && resource.guard != Guard::None => {
                "it goes around the guard: no condition".into()
            }
            Guard::None => "no condition: the last writer wins".into(),
            Guard::CheckThenWrite => [&self.compared_at_the_worker(), "; the write has no condition"].concat(),
            Guard::Newer => is(&stored, "<", &token),
            Guard::NewerOrEqual => is(&stored, "<=", &token),
            Guard::Same if holds && verdict.token != Some(verdict.remembered_token) => {
                "nothing has been accepted yet, so any token fits".into()
            }
            Guard::Same => is(&stored, "=", &token),
            Guard::TokenSeq => {
                let left = ["(", &stored, ", ", &verdict.remembered_seq.to_string(), ")"].concat();
                let right = ["(", &token, ", ", &verdict.seq.to_string(), ")"].concat();
                ["stored is ", &left, ", and ", &left, " < ", &right, " is ", if holds { "true" } else { "false" }]
                    .concat()
            }
            Guard::Holder => {
                let live = story.grant_of(verdict).and_then(|grant| story.live(grant.lease, verdict.event));
                let at = story.at(verdict.decided_at);
                match live {
                    Some(live) => [
                        "at ",
                        &at,
                        " the lease is held by ",
                        &story.worker(live.worker),
                        ", grant ",
                        &live.number.to_string(),
                    ]
                    .concat(),
                    None => ["at ", &at, " nobody holds the lease"].concat(),
                }
            }
        }
    }

    /// What the worker asked beforehand, and what it was told when.
    fn question(&self, resource: &Resource) -> String {
        let mut question = ["SELECT token FROM ", &named(&resource.id), " WHERE id = 1;"].concat();
        if let Some((seen, at)) = self.peeked() {
            question.extend([" -- ", &seen.to_string(), ", at ", &self.story.at(at)]);
        }
        question
    }

    /// What the worker saw, and how it compared.
    fn compared_at_the_worker(&self) -> String {
        let token = self.verdict.token.unwrap_or_default();
        let Some((seen, _)) = self.peeked() else { return "it compared what it saw".into() };
        let (seen, holds) = (seen.to_string(), if token > seen { "true" } else { "false" });
        ["it saw ", &seen, ", and ", &token.to_string(), " > ", &seen, " is ", holds].concat()
    }

    /// The token that the peek of this write saw, and when it was looked at.
    pub(super) fn peeked(&self) -> Option<(u64, Micros)> {
        let (trace, verdict) = (self.story.trace, self.verdict);
        // Of several copies, the worker went by the answer that it handled first.
        let answers = trace.messages.iter().filter(|message| {
            message.subject == Subject::Peek
                && message.direction == Direction::Reply
                && message.worker == verdict.worker
                && message.step == Some(verdict.step)
                && message.handled_at.is_some()
        });
        let answer = answers.min_by_key(|message| message.handled_at)?;
        let looked =
            trace.events.iter().position(|event| Some(event.what) == answer.answers.map(Happening::Arrived))?;
        Some((self.story.remembered_at(verdict.resource, looked), answer.sent_at))
    }
}

/// No statement, and why.
const fn refused(note: String) -> Statement {
    Statement { before: Vec::new(), lines: Vec::new(), note, rows: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::{explain, run};

    fn of(guard: Guard, write: u32) -> Statement {
        let text = include_str!("../../../../presets/paused-worker.json");
        let mut scenario = Scenario::from_json(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        scenario.resources[0].guard = guard;
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
        explain(&scenario, &trace, write).map_or_else(|| panic!("no write {write}"), |of| of.statement)
    }

    #[test]
    fn the_late_write_finds_no_row_below_its_token() {
        let statement = of(Guard::Newer, 1);
        assert_eq!(
            statement.lines,
            ["UPDATE report", "   SET token = 41, body = 'stale report'", " WHERE id = 1", "   AND token < 41"]
        );
        assert_eq!(statement.note, "stored token is 42, and 42 < 41 is false");
        assert_eq!(statement.rows, Some(0));
        assert_eq!(of(Guard::Newer, 0).rows, Some(1));
    }

    #[test]
    fn each_guard_has_its_condition() {
        let last = |guard| of(guard, 1).lines.last().cloned().unwrap_or_default();
        assert_eq!(last(Guard::None), " WHERE id = 1");
        assert_eq!(last(Guard::NewerOrEqual), "   AND token <= 41");
        assert_eq!(last(Guard::Same), "   AND (token = 41 OR token IS NULL)");
        assert_eq!(last(Guard::TokenSeq), "   AND (token, seq) < (41, 1)");
        assert!(last(Guard::Holder).contains("grant_no = 1 AND ends_at > now()"), "{}", last(Guard::Holder));
        assert_eq!(of(Guard::Holder, 1).note, "at 51.4 s the lease is held by B, grant 2");
    }

    #[test]
    fn a_worker_that_looks_first_and_gives_up_runs_no_statement() {
        let statement = of(Guard::CheckThenWrite, 1);
        assert_eq!(statement.before, ["SELECT token FROM report WHERE id = 1; -- 42, at 50.6 s"]);
        assert_eq!((statement.lines.len(), statement.rows), (0, None));
        assert_eq!(statement.outcome(), "no statement was run");
        assert_eq!(statement.note, "it saw 42, and 41 > 42 is false");
        let first = of(Guard::CheckThenWrite, 0);
        assert_eq!(first.before, ["SELECT token FROM report WHERE id = 1; -- 40, at 37.6 s"]);
        assert_eq!(first.outcome(), "rows changed: 1");
        assert_eq!(first.note, "it saw 40, and 42 > 40 is true; the write has no condition");
    }

    #[test]
    fn values_and_names_stay_what_they_are() {
        assert_eq!(quoted("it's"), "'it''s'");
        assert_eq!(quoted("a\nb"), "'a\\nb'");
        assert_eq!(named("report"), "report");
        assert_eq!(named("2 reports"), "\"2 reports\"");
        assert_eq!(named("a-b.c"), "\"a-b.c\"");
        assert_eq!(named("a\"b"), "\"a\"\"b\"");
        assert_eq!(named("order"), "\"order\"", "a word of SQL");
        assert_eq!(quoted(&"x".repeat(40)), format!("'{}…'", "x".repeat(31)));
    }
}
