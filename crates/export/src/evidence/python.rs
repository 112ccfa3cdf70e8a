//! The replay as a Python script that uses the standard library alone.

use std::fmt::Write as _;

use fenceline_engine::visible;

use super::replay::{Act, Arrival, Replay, Row, Tables};
use super::sql::{ISSUED, KEEP_KEY};

// The second line says how the file is encoded, so that no line of a document can.
const HEAD: &str = r"#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# The arrivals of one schedule, replayed in SQLite: a real database decides about each write.
";

const USE: &str = r"#
#   python3 FILE             replays in memory
#   python3 FILE kept.db     keeps the database in a new file, to be looked at afterwards
#
# It needs Python 3.8 or later and nothing else. Nothing waits: the arrivals come in their order, each with its time.
# Status 0: each request was decided as the schedule says, and the last rows are as it says. Status 1: what differs is printed.
# Made by Fenceline.

import os
import sqlite3
import sys

";

/// What is kept for the one who looks at the database.
const NOTES: &str = "CREATE TABLE decisions (at TEXT, what TEXT, token INTEGER, decision TEXT);\n";

const CLASS: &str = r#"

class Replay:
    """What happened at the destinations, done again and compared."""

    def __init__(self, path):
        if path != ":memory:" and os.path.exists(path):
            sys.exit(f"{path!r} is there already; name a new file")
        try:
            self.db = sqlite3.connect(path, isolation_level=None)
            self.db.executescript(TABLES)
        except sqlite3.Error as error:
            sys.exit(f"{path!r} cannot be made: {error}")
        self.decided = 0
        self.differences = []
"#;

const DIFFERS: &str = r#"
    def note(self, at, what, token, decision):
        self.decided += 1
        self.db.execute("INSERT INTO decisions VALUES (?, ?, ?, ?)", (at, what, token, decision))
        print(f"  {at:>10}  {what}  token {'-' if token is None else token}: {decision}")

    def check(self, where, expected, found):
        if found != expected:
            self.differences.append(f"{where}: expected {expected!r}, found {found!r}")
"#;

const ARRIVES: &str = r#"
    def arrives(self, at, what, expected, statement, **values):
        """A request reaches its resource, which decides about it in one transaction."""
        self.db.execute("BEGIN IMMEDIATE")
        decision = self.decide(statement, values)
        self.db.execute("COMMIT" if decision == "accepted" else "ROLLBACK")
        self.note(at, what, values.get("token"), decision)
        self.check(f"{what} at {at}", expected, decision)

    def decide(self, statement, values):
"#;

const KEY: &str = r#"        if "key" in values and self.db.execute(KEEP_KEY, values).rowcount == 0:
            return "replayed"
"#;

const FORGED: &str = r#"        if "worker" in values and "token" in values and not self.db.execute(ISSUED, values).fetchone():
            return "rejected"
"#;

const DECIDE: &str = r#"        if ":token" in statement and "token" not in values:
            return "rejected"
        rows = self.db.execute(statement, values).rowcount
        return "accepted" if rows == 1 else "rejected"
"#;

const LEASES: &str = r#"
    def ends(self, lease, grant, ends_at):
        """The lease service moves the end of a grant."""
        self.db.execute("UPDATE leases SET ends_at = ? WHERE id = ? AND grant_no = ?", (ends_at, lease, grant))
"#;

const LOOKS: &str = r#"
    def looks(self, what, resource, expected):
        """A worker asks what is remembered, in a transaction of its own."""
        (token,) = self.db.execute("SELECT token FROM resources WHERE id = ?", (resource,)).fetchone()
        self.seen[what] = token
        self.check(f"what {what} sees", expected, token)

    def compares(self, at, what, token, sends):
        """The worker compares by itself, and sends its write or gives it up."""
        found = token is not None and token > self.seen[what]
        if not found:
            self.note(at, what, token, "gives up")
        self.check(f"whether {what} goes on at {at}", sends, found)
"#;

const MAIN: &str = r#"

def main():
    # A name may have letters that the terminal has not.
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.stderr.reconfigure(errors="backslashreplace")
    replay = Replay(sys.argv[1] if len(sys.argv) > 1 else ":memory:")
    happens(replay)
    replay.db.close()
    if replay.differences:
        sys.exit("\n".join(["SQLite decided otherwise:", *replay.differences]))
    print(f"{replay.decided} decisions in SQLite {sqlite3.sqlite_version}, each as expected, and so are the last rows.")


if __name__ == "__main__":
    main()
"#;

/// The script.
pub fn script(replay: &Replay<'_>) -> String {
    let tables = replay.tables;
    let mut out = String::from(HEAD);
    for line in &replay.about {
        out.extend(["#\n# ", line, "\n"]);
    }
    out.push_str(USE);
    out.extend(["TABLES = \"\"\"\n", &tables.lines().join("\n"), "\n", NOTES, "\"\"\"\n"]);
    let asks = [(tables.seen, "KEEP_KEY", KEEP_KEY), (tables.issued, "ISSUED", ISSUED)];
    for (_, name, sql) in asks.into_iter().filter(|(asks, ..)| *asks) {
        out.extend(["\n", name, " = \"", sql, "\"\n"]);
    }
    for statement in replay.statements() {
        out.extend(["\n# ", statement.remark(), "\n", &statement.name(), " = \"\"\"\n"]);
        out.extend(statement.lines().iter().map(|line| ["    ", line, "\n"].concat()));
        out.push_str("\"\"\"\n");
    }
    out.push_str(CLASS);
    if replay.does(Act::looks) {
        out.push_str("        self.seen = {}\n");
    }
    out.push_str(DIFFERS);
    out.push_str(ARRIVES);
    out.extend([(tables.seen, KEY), (tables.issued, FORGED)].into_iter().filter(|(asks, _)| *asks).map(|of| of.1));
    out.push_str(DECIDE);
    if replay.does(Act::grants) {
        grants(&mut out, replay);
    }
    out.push_str(if replay.does(Act::ends) { LEASES } else { "" });
    out.push_str(if replay.does(Act::looks) { LOOKS } else { "" });
    rows(&mut out, replay);
    out.push_str("\n\ndef happens(replay):\n");
    for row in &replay.first {
        call(&mut out, "starts", &row_values(row, tables));
    }
    for act in &replay.acts {
        push_act(&mut out, act, tables);
    }
    for row in &replay.last {
        call(&mut out, "ends_as", &row_values(row, tables));
    }
    out.push_str(MAIN);
    out
}

/// The method for grants: what of them is kept depends on who asks.
fn grants(out: &mut String, replay: &Replay<'_>) {
    out.push_str("\n    def grants(self, lease, grant, token, worker, ends_at):\n");
    out.push_str("        \"\"\"The lease service grants; its tables are in the same database.\"\"\"\n");
    if replay.tables.issued {
        out.push_str("        self.db.execute(\"INSERT INTO issued VALUES (?, ?)\", (token, worker))\n");
    }
    if replay.tables.leases {
        out.push_str(
            "        self.db.execute(\"INSERT OR REPLACE INTO leases VALUES (?, ?, ?)\", (lease, grant, ends_at))\n",
        );
    }
}

/// The methods for rows.
fn rows(out: &mut String, replay: &Replay<'_>) {
    let columns = replay.tables.columns();
    let places = if replay.tables.seq { "?, ?, ?, ?" } else { "?, ?, ?" };
    let _ = write!(
        out,
        r#"
    def starts(self, resource, {columns}):
        self.db.execute("INSERT INTO resources VALUES ({places})", (resource, {columns}))

    def ends_as(self, resource, {columns}):
        found = self.db.execute("SELECT {columns} FROM resources WHERE id = ?", (resource,)).fetchone()
        print(f"  {{resource!r}}: ({columns}) = {{found!r}}")
        self.check(f"the row of {{resource!r}} at the end", ({columns}), found)
"#
    );
    if !replay.does(Act::forgets) {
        return;
    }
    let (argument, set, bound) = if replay.tables.seq { (", seq", ", seq = ?", ", seq") } else { ("", "", "") };
    let _ = write!(
        out,
        r#"
    def forgets(self, resource, token{argument}):
        """A restart sets what was remembered back; the value stays."""
        self.db.execute("UPDATE resources SET token = ?{set} WHERE id = ?", (token{bound}, resource))
"#
    );
    if replay.tables.seen {
        out.push_str("        self.db.execute(\"DELETE FROM seen WHERE resource = ?\", (resource,))\n");
    }
}

/// What is remembered in a row.
fn memory(row: &Row<'_>, tables: Tables) -> Vec<(&'static str, String)> {
    let mut values = vec![("resource", text(row.resource)), ("token", optional(row.token))];
    if tables.seq {
        values.push(("seq", optional(row.seq.map(u64::from))));
    }
    values
}

fn row_values(row: &Row<'_>, tables: Tables) -> Vec<(&'static str, String)> {
    let mut values = memory(row, tables);
    values.push(("body", text(row.body)));
    values
}

fn push_act(out: &mut String, act: &Act<'_>, tables: Tables) {
    match act {
        Act::Told(told) => out.extend(["    # ", told, "\n"]),
        Act::Grants { lease, grant, token, worker, ends_at } => call(
            out,
            "grants",
            &[
                ("lease", text(lease)),
                ("grant", grant.to_string()),
                ("token", token.to_string()),
                ("worker", text(worker)),
                ("ends_at", ends_at.to_string()),
            ],
        ),
        Act::Ends { lease, grant, at } => {
            let values = [("lease", text(lease)), ("grant", grant.to_string()), ("ends_at", at.to_string())];
            call(out, "ends", &values);
        }
        Act::Forgets(row) => call(out, "forgets", &memory(row, tables)),
        Act::Looks { what, resource, sees } => {
            call(out, "looks", &[("", text(what)), ("resource", text(resource)), ("expected", sees.to_string())]);
        }
        Act::Compares { what, at, token, sends } => {
            let sends = if *sends { "True" } else { "False" };
            call(
                out,
                "compares",
                &[("", text(at)), ("", text(what)), ("token", optional(*token)), ("sends", sends.into())],
            );
        }
        Act::Arrives(arrival) => call(out, "arrives", &arrival_values(arrival)),
    }
}

fn arrival_values(of: &Arrival<'_>) -> Vec<(&'static str, String)> {
    let mut values = vec![
        ("", text(&of.at)),
        ("", text(&of.what)),
        ("", text(of.decision.name())),
        ("", of.statement.name()),
        ("resource", text(of.resource)),
    ];
    values.extend(of.token.map(|token| ("token", token.to_string())));
    values.extend(of.seq.map(|seq| ("seq", seq.to_string())));
    values.extend(of.body.map(|body| ("body", text(body))));
    values.extend(of.key.as_deref().map(|key| ("key", text(key))));
    values.extend(of.worker.map(|worker| ("worker", text(worker))));
    if let Some(now) = of.now {
        values.push(("lease", of.lease.map_or_else(|| "None".into(), text)));
        values.push(("grant", of.grant.map_or_else(|| "None".into(), |grant| grant.to_string())));
        values.push(("now", now.to_string()));
    }
    values
}

/// A call of a method of the replay; a value without a name is told by its place.
fn call(out: &mut String, method: &str, values: &[(&str, String)]) {
    let values: Vec<String> = values
        .iter()
        .map(|(name, value)| if name.is_empty() { value.clone() } else { [name, "=", value].concat() })
        .collect();
    out.extend(["    replay.", method, "(", &values.join(", "), ")\n"]);
}

fn optional(number: Option<u64>) -> String {
    number.map_or_else(|| "None".into(), |number| number.to_string())
}

/// A text as Python writes it: one line, whatever is in it.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        let code = u32::from(c);
        let mut buffer = [0; 4];
        let shown = &*c.encode_utf8(&mut buffer);
        // Writing to a string cannot fail.
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            '\n' => out.write_str("\\n"),
            _ if visible(shown) == shown => out.write_char(c),
            _ if code <= 0xff => write!(out, "\\x{code:02x}"),
            _ if code <= 0xffff => write!(out, "\\u{code:04x}"),
            _ => write!(out, "\\U{code:08x}"),
        };
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_literal_whatever_is_in_it() {
        assert_eq!(text("new report"), r#""new report""#);
        assert_eq!(text(r#"a"""b\"#), r#""a\"\"\"b\\""#);
        assert_eq!(text("a\nb\r\u{0}\u{2028}é🦀"), r#""a\nb\x0d\x00\u2028é🦀""#);
    }
}
