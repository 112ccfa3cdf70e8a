//! The statement that is shown for a decision, run by a real `SQLite`: it changes the rows that it is said to change.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;

use fenceline_engine::explain::Statement;
use fenceline_engine::{Decision, Guard, Reason, Scenario, Trace, Verdict, explain, run};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, params};

/// Every preset by its file name, in that order.
fn presets() -> Vec<(String, Scenario)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../presets");
    let files = std::fs::read_dir(folder).expect("the presets are there").filter_map(Result::ok);
    let scenario = |file: &std::fs::DirEntry| file.path().extension().is_some_and(|end| end == "json");
    let mut presets: Vec<_> = files
        .filter(|file| scenario(file) && file.file_name() != "library.json")
        .map(|file| {
            let text = std::fs::read_to_string(file.path()).expect("a preset is text");
            (file.file_name().to_string_lossy().into_owned(), Scenario::from_json(&text).expect("a preset is valid"))
        })
        .collect();
    presets.sort_by(|one, other| one.0.cmp(&other.0));
    presets
}

/// A number as `SQLite` takes it; all of a document's are exact in JSON.
fn number(value: u64) -> i64 {
    i64::try_from(value).expect("below 2^53")
}

/// The database as it stood when that was decided: the row, the tokens that were handed out, the lease that is live, and the
/// keys of what took effect.
fn database(scenario: &Scenario, trace: &Trace, index: usize, table: &str) -> rusqlite::Result<Connection> {
    let verdict = &trace.writes[index];
    let base = Connection::open_in_memory()?;
    let now = number(verdict.decided_at);
    base.create_scalar_function("now", 0, FunctionFlags::SQLITE_UTF8, move |_| Ok(now))?;
    base.execute_batch(&format!(
        "CREATE TABLE {table} (id INTEGER PRIMARY KEY, token INTEGER, seq INTEGER, body TEXT);
         CREATE TABLE leases (id TEXT PRIMARY KEY, grant_no INTEGER, ends_at INTEGER);
         CREATE TABLE issued (token INTEGER, worker TEXT);
         CREATE TABLE seen (key TEXT PRIMARY KEY);"
    ))?;
    let of = verdict.resource;
    let memories = || trace.memories.iter().filter(|memory| memory.resource == of);
    // Comparing for equality lets anything in until a guarded request was accepted: then there is no token to compare with.
    let remembers = trace.writes[..index].iter().any(|earlier| {
        let forgot = memories().any(|memory| {
            (earlier.decided_at..=verdict.decided_at).contains(&memory.from)
                && memory.token == scenario.resources[of].initial.token
                && memory.seq == 0
                && memory.token_of.is_none()
                && memory.from > earlier.decided_at
        });
        earlier.resource == of && earlier.decision == Decision::Accepted && !earlier.unguarded && !forgot
    });
    let token = (remembers || scenario.resources[of].guard != Guard::Same).then_some(number(verdict.remembered_token));
    base.execute(&format!("INSERT INTO {table} VALUES (1, ?1, ?2, 'before')"), params![token, verdict.remembered_seq])?;
    for grant in trace.grants.iter().filter(|grant| grant.granted_at <= verdict.decided_at) {
        let worker = &scenario.workers[grant.worker].id;
        base.execute("INSERT INTO issued VALUES (?1, ?2)", params![number(grant.token), worker])?;
        let ends = grant.ended.map_or(i64::MAX, |(at, _)| number(at));
        let lease = &scenario.leases[grant.lease].id;
        base.execute("INSERT OR REPLACE INTO leases VALUES (?1, ?2, ?3)", params![lease, grant.number, ends])?;
    }
    Ok(base)
}

/// Runs what was run before, then the statement, and gives the rows that it changed or found.
fn rows(base: &Connection, statement: &Statement, verdict: &Verdict) -> rusqlite::Result<usize> {
    for line in &statement.before {
        if line.starts_with("INSERT") {
            assert_eq!(base.execute(line, [])?, 1, "a key is kept once: {line}");
        } else {
            assert!(base.prepare(line)?.exists([])?, "the row is there: {line}");
        }
    }
    let sql = statement.lines.join("\n");
    if verdict.decision == Decision::Replayed {
        assert_eq!(base.execute(&sql, [])?, 1, "the first outcome kept the key: {sql}");
    }
    if sql.starts_with("SELECT") { base.prepare(&sql)?.exists([]).map(usize::from) } else { base.execute(&sql, []) }
}

/// Runs the statements of a run, and counts those that were.
fn run_statements(name: &str, scenario: &Scenario, ran: &mut usize) {
    let Ok(trace) = run(scenario) else { return };
    for (index, verdict) in trace.writes.iter().enumerate() {
        let statement = explain(scenario, &trace, index as u32).expect("it was decided").statement;
        let Some(said) = statement.rows else {
            let without = verdict.given_up || verdict.reason == Some(Reason::TokenMissing);
            assert!(without && statement.lines.is_empty(), "{name}: something was decided without a statement");
            continue;
        };
        let first = statement.lines[0].as_str();
        let table = first.strip_prefix("UPDATE ").unwrap_or("other");
        let found = database(scenario, &trace, index, table).and_then(|base| rows(&base, &statement, verdict));
        let guard = scenario.resources[verdict.resource].guard.name();
        let shown = format!("{name} under {guard}, write {index}: {statement:?}");
        let found = found.unwrap_or_else(|error| panic!("{shown}: {error}"));
        assert_eq!(found, said as usize, "{shown}");
        assert_eq!(said == 1, verdict.decision == Decision::Accepted, "{shown}");
        *ran += 1;
    }
}

#[test]
fn each_statement_of_each_preset_under_each_guard_changes_the_rows_that_it_says() {
    let mut ran = 0;
    for (name, preset) in presets() {
        run_statements(&name, &preset, &mut ran);
        for guard in Guard::ALL {
            let mut scenario = preset.clone();
            scenario.resources.iter_mut().for_each(|resource| resource.guard = guard);
            run_statements(&name, &scenario, &mut ran);
        }
    }
    assert!(ran > 500, "only {ran} statements were run");
}

#[test]
fn a_value_with_quotes_and_control_characters_is_stored_as_it_is_shown() {
    let text = r#"{
        "version": 1,
        "resources": [{ "id": "order 7", "initial": { "token": 1 } }],
        "workers": [{ "id": "A", "plan": [
            { "do": "write", "resource": "order 7", "value": "it's\n'); DROP TABLE x; --", "token": 2 }
        ] }]
    }"#;
    let scenario = Scenario::from_json(text).expect("the document is valid");
    let trace = run(&scenario).expect("the scenario is valid");
    let statement = explain(&scenario, &trace, 0).expect("it was decided").statement;
    let table = r#""order 7""#;
    assert_eq!(statement.lines[0], format!("UPDATE {table}"));
    let base = database(&scenario, &trace, 0, table).expect("a database");
    assert_eq!(rows(&base, &statement, &trace.writes[0]).expect("it runs"), 1);
    let stored: String = base.query_row(&format!("SELECT body FROM {table}"), [], |row| row.get(0)).expect("a row");
    assert_eq!(stored, r"it's\n'); DROP TABLE x; --");
}
