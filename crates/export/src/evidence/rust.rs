//! The replay as a test in Rust, with `rusqlite`.

use std::fmt::Write as _;

use fenceline_engine::visible;

use super::replay::{Act, Arrival, Replay, Row, Tables};
use super::sql::{ISSUED, KEEP_KEY};

const HEAD: &str = "\
// The arrivals of one schedule, replayed in SQLite: a real database decides about each write.
";

const USE: &str = "\
//
// It is a file for `tests/`, and needs `cargo add --dev rusqlite --features bundled`. Nothing waits: the arrivals come in their
// order, each with its time. Made by Fenceline.

use rusqlite::{Connection, OptionalExtension, Result, ToSql, params};

";

const REPLAY: &str = r"
/// A parameter of a statement, by its name.
type Value<'a> = (&'a str, &'a dyn ToSql);

/// What happened at the destinations, done again and compared.
struct Replay {
    db: Connection,
";

const ARRIVES: &str = r#"
    fn check<T: PartialEq + std::fmt::Debug>(&mut self, place: &str, expected: &T, found: &T) {
        if found != expected {
            self.differences.push(format!("{place}: expected {expected:?}, found {found:?}"));
        }
    }

    /// A request reaches its resource, which decides about it in one transaction.
    fn arrives(&mut self, at: &str, what: &str, expected: &str, statement: &str, values: &[Value]) -> Result<()> {
        self.db.execute_batch("BEGIN IMMEDIATE")?;
        let decision = self.decide(statement, values)?;
        self.db.execute_batch(if decision == "accepted" { "COMMIT" } else { "ROLLBACK" })?;
        self.check(&format!("{what} at {at}"), &expected, &decision);
        Ok(())
    }

    /// Runs a statement with those of the values that it asks for; gives the rows that it changed or found.
    fn rows(&self, sql: &str, values: &[Value]) -> Result<usize> {
        let mut statement = self.db.prepare(sql)?;
        for (name, value) in values {
            if let Some(index) = statement.parameter_index(name)? {
                statement.raw_bind_parameter(index, value)?;
            }
        }
        if statement.readonly() {
            return Ok(usize::from(statement.raw_query().next()?.is_some()));
        }
        statement.raw_execute()
    }

    fn decide(&self, statement: &str, values: &[Value]) -> Result<&'static str> {
"#;

const KEY: &str = r#"        if has(values, ":key") && self.rows(KEEP_KEY, values)? == 0 {
            return Ok("replayed");
        }
"#;

const FORGED: &str = r#"        if has(values, ":worker") && has(values, ":token") && self.rows(ISSUED, values)? == 0 {
            return Ok("rejected");
        }
"#;

const DECIDE: &str = r#"        if statement.contains(":token") && !has(values, ":token") {
            return Ok("rejected");
        }
        Ok(if self.rows(statement, values)? == 1 { "accepted" } else { "rejected" })
    }
"#;

const LEASES: &str = r#"
    /// The lease service moves the end of a grant.
    fn ends(&mut self, lease: &str, grant: i64, ends_at: i64) -> Result<()> {
        let sql = "UPDATE leases SET ends_at = ? WHERE id = ? AND grant_no = ?";
        self.db.execute(sql, params![ends_at, lease, grant]).map(|_| ())
    }
"#;

const LOOKS: &str = r#"
    /// A worker asks what is remembered, in a transaction of its own.
    fn looks(&mut self, what: &'static str, resource: &str, expected: i64) -> Result<()> {
        let sql = "SELECT token FROM resources WHERE id = ?";
        let token: Option<i64> = self.db.query_row(sql, [resource], |row| row.get(0)).optional()?;
        self.seen.push((what, token.unwrap_or_default()));
        self.check(&format!("what {what} sees"), &Some(expected), &token);
        Ok(())
    }

    /// The worker compares by itself, and sends its write or gives it up.
    fn compares(&mut self, at: &str, what: &str, token: Option<i64>, sends: bool) -> Result<()> {
        let seen = self.seen.iter().find(|(of, _)| *of == what).map(|(_, token)| *token);
        let found = token.is_some() && token > seen;
        self.check(&format!("whether {what} goes on at {at}"), &sends, &found);
        Ok(())
    }
"#;

const HAS: &str = r"
fn has(values: &[Value], name: &str) -> bool {
    values.iter().any(|(of, _)| *of == name)
}
";

const TEST: &str = r#"
#[test]
fn each_request_is_decided_as_the_schedule_says() {
    let db = Connection::open_in_memory().expect("a database in memory");
    db.execute_batch(TABLES).expect("the tables are new");
"#;

const END: &str = r#"    happens(&mut replay).expect("SQLite runs each statement");
    assert!(replay.differences.is_empty(), "SQLite decided otherwise: {:#?}", replay.differences);
}
"#;

/// The test.
pub fn test(replay: &Replay<'_>) -> String {
    let tables = replay.tables;
    let mut out = String::from(HEAD);
    for line in &replay.about {
        out.extend(["//\n// ", line, "\n"]);
    }
    out.push_str(&USE.replace("OptionalExtension, ", if replay.does(Act::looks) { "OptionalExtension, " } else { "" }));
    out.extend(["const TABLES: &str = \"\n", &tables.lines().join("\n"), "\n\";\n"]);
    let asks = [(tables.seen, "KEEP_KEY", KEEP_KEY), (tables.issued, "ISSUED", ISSUED)];
    for (_, name, sql) in asks.into_iter().filter(|(asks, ..)| *asks) {
        out.extend(["const ", name, ": &str = \"", sql, "\";\n"]);
    }
    for statement in replay.statements() {
        out.extend(["\n/// ", statement.remark(), "\nconst ", &statement.name(), ": &str = \"\n"]);
        out.extend(statement.lines().iter().map(|line| ["    ", line, "\n"].concat()));
        out.push_str("\";\n");
    }
    out.push_str(REPLAY);
    out.push_str(if replay.does(Act::looks) { "    seen: Vec<(&'static str, i64)>,\n" } else { "" });
    out.push_str("    differences: Vec<String>,\n}\n\nimpl Replay {");
    out.push_str(ARRIVES.trim_start_matches('\n').replacen("    fn", "\n    fn", 1).as_str());
    out.extend([(tables.seen, KEY), (tables.issued, FORGED)].into_iter().filter(|(asks, _)| *asks).map(|of| of.1));
    out.push_str(DECIDE);
    if replay.does(Act::grants) {
        grants(&mut out, tables);
    }
    out.push_str(if replay.does(Act::ends) { LEASES } else { "" });
    out.push_str(if replay.does(Act::looks) { LOOKS } else { "" });
    rows(&mut out, replay);
    out.push_str("}\n");
    out.push_str(HAS);
    out.push_str("\nfn happens(replay: &mut Replay) -> Result<()> {\n");
    for row in &replay.first {
        call(&mut out, "starts", &row_values(row, tables));
    }
    for act in &replay.acts {
        push_act(&mut out, act, tables);
    }
    for row in &replay.last {
        call(&mut out, "ends_as", &row_values(row, tables));
    }
    out.push_str("    Ok(())\n}\n");
    out.push_str(TEST);
    let seen = if replay.does(Act::looks) { "seen: Vec::new(), " } else { "" };
    out.extend(["    let mut replay = Replay { db, ", seen, "differences: Vec::new() };\n", END]);
    out
}

/// The method for grants: what of them is kept depends on who asks.
fn grants(out: &mut String, tables: Tables) {
    out.push_str("\n    /// The lease service grants; its tables are in the same database.\n");
    let named = |used: bool, name: &'static str| if used { name.to_owned() } else { format!("_{name}") };
    let (lease, grant, ends_at) =
        (named(tables.leases, "lease"), named(tables.leases, "grant"), named(tables.leases, "ends_at"));
    let (token, worker) = (named(tables.issued, "token"), named(tables.issued, "worker"));
    let _ = writeln!(
        out,
        "    fn grants(&mut self, {lease}: &str, {grant}: i64, {token}: i64, {worker}: &str, {ends_at}: i64) -> Result<()> {{"
    );
    if tables.issued {
        out.push_str("        self.db.execute(\"INSERT INTO issued VALUES (?, ?)\", params![token, worker])?;\n");
    }
    if tables.leases {
        out.push_str("        let sql = \"INSERT OR REPLACE INTO leases VALUES (?, ?, ?)\";\n");
        out.push_str("        self.db.execute(sql, params![lease, grant, ends_at])?;\n");
    }
    out.push_str("        Ok(())\n    }\n");
}

/// The methods for rows.
fn rows(out: &mut String, replay: &Replay<'_>) {
    let columns = replay.tables.columns();
    let (seq, typed, places, kept) = if replay.tables.seq {
        (", seq", ", seq: Option<i64>", "?, ?, ?, ?", "Option<i64>, Option<i64>, String")
    } else {
        ("", "", "?, ?, ?", "Option<i64>, String")
    };
    let _ = write!(
        out,
        r#"
    fn starts(&mut self, resource: &str, token: Option<i64>{typed}, body: &str) -> Result<()> {{
        let sql = "INSERT INTO resources VALUES ({places})";
        self.db.execute(sql, params![resource, token{seq}, body]).map(|_| ())
    }}

    fn ends_as(&mut self, resource: &str, token: Option<i64>{typed}, body: &str) -> Result<()> {{
        let sql = "SELECT {columns} FROM resources WHERE id = ?";
        let found: ({kept}) = self.db.query_row(sql, [resource], |row| row.try_into())?;
        self.check(&format!("the row of {{resource:?}} at the end"), &(token{seq}, body.to_owned()), &found);
        Ok(())
    }}
"#
    );
    if !replay.does(Act::forgets) {
        return;
    }
    let set = if replay.tables.seq { ", seq = ?" } else { "" };
    let _ = write!(
        out,
        r#"
    /// A restart sets what was remembered back; the value stays.
    fn forgets(&mut self, resource: &str, token: Option<i64>{typed}) -> Result<()> {{
        let sql = "UPDATE resources SET token = ?{set} WHERE id = ?";
        self.db.execute(sql, params![token{seq}, resource])?;
"#
    );
    if replay.tables.seen {
        out.push_str("        self.db.execute(\"DELETE FROM seen WHERE resource = ?\", [resource])?;\n");
    }
    out.push_str("        Ok(())\n    }\n");
}

/// What is remembered in a row.
fn memory(row: &Row<'_>, tables: Tables) -> Vec<String> {
    let mut values = vec![text(row.resource), optional(row.token)];
    if tables.seq {
        values.push(optional(row.seq.map(u64::from)));
    }
    values
}

fn row_values(row: &Row<'_>, tables: Tables) -> Vec<String> {
    let mut values = memory(row, tables);
    values.push(text(row.body));
    values
}

fn push_act(out: &mut String, act: &Act<'_>, tables: Tables) {
    match act {
        Act::Told(told) => out.extend(["    // ", told, "\n"]),
        Act::Grants { lease, grant, token, worker, ends_at } => {
            let values = [text(lease), grant.to_string(), token.to_string(), text(worker), ends_at.to_string()];
            call(out, "grants", &values);
        }
        Act::Ends { lease, grant, at } => call(out, "ends", &[text(lease), grant.to_string(), at.to_string()]),
        Act::Forgets(row) => call(out, "forgets", &memory(row, tables)),
        Act::Looks { what, resource, sees } => {
            call(out, "looks", &[text(what), text(resource), sees.to_string()]);
        }
        Act::Compares { what, at, token, sends } => {
            call(out, "compares", &[text(at), text(what), optional(*token), sends.to_string()]);
        }
        Act::Arrives(arrival) => arrives(out, arrival),
    }
}

fn arrives(out: &mut String, of: &Arrival<'_>) {
    let mut values = vec![(":resource", text(of.resource))];
    values.extend(of.token.map(|token| (":token", [&token.to_string(), "_i64"].concat())));
    values.extend(of.seq.map(|seq| (":seq", [&seq.to_string(), "_i64"].concat())));
    values.extend(of.body.map(|body| (":body", text(body))));
    values.extend(of.key.as_deref().map(|key| (":key", text(key))));
    values.extend(of.worker.map(|worker| (":worker", text(worker))));
    values.extend(of.lease.map(|lease| (":lease", text(lease))));
    values.extend(of.grant.map(|grant| (":grant", [&grant.to_string(), "_i64"].concat())));
    values.extend(of.now.map(|now| (":now", [&now.to_string(), "_i64"].concat())));
    let values: Vec<String> = values.into_iter().map(|(name, value)| format!("(\"{name}\", &{value})")).collect();
    let values = ["&[", &values.join(", "), "]"].concat();
    let (at, what) = (text(&of.at), text(&of.what));
    call(out, "arrives", &[at, what, text(of.decision.name()), of.statement.name(), values]);
}

fn call(out: &mut String, method: &str, values: &[String]) {
    out.extend(["    replay.", method, "(", &values.join(", "), ")?;\n"]);
}

fn optional(number: Option<u64>) -> String {
    number.map_or_else(|| "None".into(), |number| format!("Some({number})"))
}

/// A text as Rust writes it: one line, whatever is in it.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        let mut buffer = [0; 4];
        let shown = &*c.encode_utf8(&mut buffer);
        // Writing to a string cannot fail.
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            '\n' => out.write_str("\\n"),
            _ if visible(shown) == shown => out.write_char(c),
            _ => write!(out, "\\u{{{:x}}}", u32::from(c)),
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
        assert_eq!(text("a\"#b\\"), r##""a\"#b\\""##);
        assert_eq!(text("a\nb\r\u{0}\u{202e}é🦀"), r#""a\nb\u{d}\u{0}\u{202e}é🦀""#);
    }
}
