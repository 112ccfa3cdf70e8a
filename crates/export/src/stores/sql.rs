//! The guards in SQL.
//!
//! One table of one row a resource, which is there from the beginning: an UPDATE of a row that is not there looks like a rejection.
//! `PostgreSQL` under READ COMMITTED locks the row, waits for whoever has it, and asks the condition again on what that one left
//! (<https://www.postgresql.org/docs/current/transaction-iso.html>); `InnoDB` reads the latest row in an UPDATE; `SQLite` has one
//! writer at a time. So in each of them a comparison in the WHERE of one UPDATE has no race.

use fenceline_engine::Guard;

use super::{Expressed, GuardCode, Parameter, Store, accepted_when, asks};

const ROW_IS_THERE: &str =
    "The row is there from the beginning: an UPDATE that finds none changes nothing, and says so by its count alone.";
const CHANGED_ROWS: &str = "MySQL and MariaDB count changed rows: an accepted write of what is there already counts 0, unless the connection \
                            asks for found rows (CLIENT_FOUND_ROWS).";
const IMMEDIATE: &str = "In a longer transaction begin with BEGIN IMMEDIATE, so that no other writer comes between.";
const READ_COMMITTED: &str = "Under READ COMMITTED the condition is asked again after a wait. Under REPEATABLE READ a write that waited fails \
                              with 40001 instead: try it again.";
const TRY_AGAIN: &str = "Under REPEATABLE READ a write that waited fails with 40001: try it again.";
const CHANGED_MEANWHILE: &str = "In a longer transaction, with innodb_snapshot_isolation (the default in MariaDB 11.8), a row that changed since \
                                 the transaction first read fails with error 1020: try it again.";
const WHEN_ASKED: &str =
    "SYSDATE is asked when the lease is locked; NOW would be the start of the statement, before any wait for that.";
const FRACTIONS: &str = "'subsec' needs SQLite 3.42.";
const TAKE_OVER_WAITS: &str = "FOR SHARE makes a take-over of the lease wait for this write.";
const SHARED_LOCK: &str =
    "LOCK IN SHARE MODE makes a take-over of the lease wait for this write, under READ COMMITTED too.";
const SAME_DATABASE: &str = "The lease is in the same database, and the database's clock says when it ends.";
const WITHOUT_NULL: &str = "The remembered token is NULL until the first write.";

/// A guard for one of the three.
pub(super) fn code(store: Store, guard: Guard) -> GuardCode {
    let (expressed, template) = write(store, guard);
    let (write, parameters) = filled(store, &template);
    let mut notes = Vec::new();
    if guard == Guard::Holder {
        notes.push(SAME_DATABASE);
    }
    if guard == Guard::Same {
        notes.push(WITHOUT_NULL);
    }
    notes.push(ROW_IS_THERE);
    match store {
        Store::Mysql => {
            if guard == Guard::Holder {
                notes.extend([SHARED_LOCK, WHEN_ASKED]);
            }
            // An accepted write of these two changes the remembered token.
            if guard != Guard::Newer && guard != Guard::TokenSeq {
                notes.push(CHANGED_ROWS);
            }
            if asks(guard) {
                notes.push(CHANGED_MEANWHILE);
            }
        }
        Store::Postgresql if guard == Guard::Holder => notes.extend([TAKE_OVER_WAITS, TRY_AGAIN]),
        Store::Postgresql if asks(guard) => notes.push(READ_COMMITTED),
        Store::Sqlite if guard == Guard::Holder => notes.extend([IMMEDIATE, FRACTIONS]),
        Store::Sqlite => notes.push(IMMEDIATE),
        _ => {}
    }
    let accepted_when = accepted_when(guard, "1 row was changed", "when 0 were");
    GuardCode { store, guard, expressed, setup: setup(store, guard), write, parameters, accepted_when, notes }
}

fn setup(store: Store, guard: Guard) -> String {
    let (number, text, now) = match store {
        Store::Sqlite => ("INTEGER", "TEXT", "REAL"),
        Store::Postgresql => ("bigint", "text", "timestamptz"),
        _ => ("BIGINT", "TEXT", "TIMESTAMP(6)"),
    };
    let name = if store == Store::Mysql { "VARCHAR(64)" } else { text };
    let strict = if store == Store::Sqlite { " STRICT" } else { "" };
    let token = if guard == Guard::Same { number.to_owned() } else { format!("{number} NOT NULL DEFAULT 0") };
    let mut out = format!(
        "CREATE TABLE report (\n  id {number} PRIMARY KEY,\n  body {text} NOT NULL,\n  token {token},\n  seq {number} NOT NULL DEFAULT 0\n){strict};\n\
         INSERT INTO report (id, body) VALUES (1, 'initial');\n"
    );
    if guard == Guard::Holder {
        out.push_str("CREATE TABLE lease (\n  name ");
        out.extend([
            name,
            " PRIMARY KEY,\n  grant_no ",
            number,
            " NOT NULL,\n  ends_at ",
            now,
            " NOT NULL",
            // Without one, a server may give the first such column the time of each change.
            if store == Store::Mysql { " DEFAULT CURRENT_TIMESTAMP(6)" } else { "" },
            "\n)",
            strict,
            ";\n",
        ]);
    }
    out
}

/// The write, with `{token}` for a value.
fn write(store: Store, guard: Guard) -> (Expressed, String) {
    let update = |sets: &str, condition: &str| {
        let condition = if condition.is_empty() { String::new() } else { ["\n   AND ", condition].concat() };
        ["UPDATE report\n   SET ", sets, "\n WHERE id = 1", &condition, ";"].concat()
    };
    let all = "body = {body}, token = {token}";
    let code = match guard {
        Guard::None => update("body = {body}", ""),
        Guard::CheckThenWrite => {
            let question = "SELECT token FROM report WHERE id = 1;";
            return (
                Expressed::WithARace,
                [question, "\n-- Go on only when {token} is above it.\n", &update(all, "")].concat(),
            );
        }
        Guard::Newer => update(all, "token < {token}"),
        Guard::NewerOrEqual => update(all, "token <= {token}"),
        Guard::Same => update(all, "(token = {token} OR token IS NULL)"),
        Guard::TokenSeq => update("body = {body}, token = {token}, seq = {seq}", "(token, seq) < ({token}, {seq})"),
        Guard::Holder => {
            let grant = "FROM lease WHERE name = {lease} AND grant_no = {grant}";
            let live = |now: &str| ["SELECT 1 ", grant, " AND ends_at > ", now].concat();
            match store {
                // A sub-query of an UPDATE takes no lock on what it reads; a common table expression can. The clock is asked outside
                // of it: within, it would be asked before the wait for that lock.
                Store::Postgresql => {
                    let held = ["WITH held AS (\n  SELECT ends_at ", grant, " FOR SHARE\n)\n"].concat();
                    held + &update(all, "EXISTS (SELECT 1 FROM held WHERE ends_at > clock_timestamp())")
                }
                Store::Sqlite => update(all, &["EXISTS (\n     ", &live("unixepoch('now', 'subsec')"), ")"].concat()),
                _ => update(all, &["EXISTS (\n     ", &live("SYSDATE(6)"), "\n     LOCK IN SHARE MODE)"].concat()),
            }
        }
    };
    (Expressed::AtOnce, code)
}

/// A template with the store's placeholders, and the values that they take in their order.
fn filled(store: Store, template: &str) -> (String, Vec<Parameter>) {
    let mut parameters = Vec::new();
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let parameter = match name {
            "body" => Parameter::Body,
            "token" => Parameter::Token,
            "seq" => Parameter::Seq,
            "lease" => Parameter::Lease,
            _ => Parameter::Grant,
        };
        out.push_str(before);
        let in_comment = before.rsplit('\n').next().is_some_and(|line| line.starts_with("--"));
        let known = parameters.iter().position(|known| *known == parameter);
        match store {
            _ if in_comment => out.push_str("the token"),
            // Each question mark takes a value of its own.
            Store::Mysql => {
                parameters.push(parameter);
                out.push('?');
            }
            Store::Postgresql => {
                let place = known.unwrap_or_else(|| {
                    parameters.push(parameter);
                    parameters.len() - 1
                });
                out.extend(["$", &(place + 1).to_string()]);
            }
            _ => {
                if known.is_none() {
                    parameters.push(parameter);
                }
                out.extend([":", name]);
            }
        }
        rest = after;
    }
    out.push_str(rest);
    (out, parameters)
}
