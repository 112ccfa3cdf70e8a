//! The guards against a real `SQLite`: the conditional UPDATE that each stands for decides alike and leaves the same row.
#![cfg(not(target_arch = "wasm32"))]

use fenceline_engine::scenario::{Guard, Initial, Resource, Step, Worker, Write};
use fenceline_engine::{Decision, Scenario, run};
use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::{Connection, params};

/// One write of a stream: who writes, with which token. Its sequence is the how-many-th of that writer it is.
type Request = (usize, u64);

/// What a stream came to: each decision, and the last row as (value, version, token, seq).
#[derive(Debug, PartialEq)]
struct Outcome {
    accepted: Vec<bool>,
    row: (String, u64, u64, u64),
}

const WRITERS: usize = 5;
const INITIAL: &str = "initial";

/// The stream through the engine: one write every 10 us, nobody waits for a reply, messages take no time.
fn through_the_engine(guard: Guard, initial: u64, stream: &[Request]) -> Outcome {
    let mut workers: Vec<Worker> =
        (0..WRITERS).map(|writer| Worker { id: format!("writer {writer}"), ..Worker::default() }).collect();
    for (index, (writer, token)) in stream.iter().enumerate() {
        workers[*writer].plan.push(Step::Until { at: 10 * index as u64 });
        workers[*writer].plan.push(Step::Write(Write {
            token: Some(*token),
            wait: false,
            ..Write::new("row", &format!("write {index}"))
        }));
    }
    workers.retain(|worker| !worker.plan.is_empty());
    let initial = Initial { token: initial, value: INITIAL.into() };
    let resource = Resource { guard, initial, ..Resource::new("row") };
    let scenario = Scenario { resources: vec![resource], workers, ..Scenario::default() };
    let trace = run(&scenario).expect("the stream is a valid scenario");
    assert_eq!(trace.writes.len(), stream.len(), "each write is decided");
    let memory = trace.memories.last().expect("the resource remembers from the start");
    Outcome {
        accepted: trace.writes.iter().map(|verdict| verdict.decision == Decision::Accepted).collect(),
        row: (
            memory.value_of.map_or(INITIAL.into(), |index| {
                let at = trace.writes[index as usize].decided_at;
                format!("write {}", at / 10)
            }),
            u64::from(memory.version),
            memory.token,
            u64::from(memory.seq),
        ),
    }
}

/// The statement that a guard stands for. `?1` is the value, `?2` the token, `?3` the sequence.
fn statement(guard: Guard) -> &'static str {
    match guard {
        Guard::None => "UPDATE row SET value = ?1, version = version + 1 WHERE ?2 = ?2 AND ?3 = ?3",
        Guard::Newer => "UPDATE row SET value = ?1, version = version + 1, token = ?2, seq = ?3 WHERE token < ?2",
        Guard::NewerOrEqual => {
            "UPDATE row SET value = ?1, version = version + 1, token = ?2, seq = ?3 WHERE token <= ?2"
        }
        Guard::TokenSeq => {
            "UPDATE row SET value = ?1, version = version + 1, token = ?2, seq = ?3 WHERE (token, seq) < (?2, ?3)"
        }
        Guard::CheckThenWrite | Guard::Same | Guard::Holder => unreachable!("no single UPDATE on tokens stands for it"),
    }
}

/// The stream through `SQLite`, one UPDATE each: it decides by the number of rows that changed.
fn through_sqlite(guard: Guard, initial: u64, stream: &[Request]) -> rusqlite::Result<Outcome> {
    let database = Connection::open_in_memory()?;
    database.execute_batch("CREATE TABLE row (value TEXT, version INTEGER, token INTEGER, seq INTEGER)")?;
    let initial = i64::try_from(initial).expect("tokens are exact in JSON");
    database.execute("INSERT INTO row VALUES (?1, 0, ?2, 0)", params![INITIAL, initial])?;
    let mut update = database.prepare(statement(guard))?;
    let mut accepted = Vec::new();
    for (index, (writer, token)) in stream.iter().enumerate() {
        let seq = 1 + stream[..index].iter().filter(|(other, _)| other == writer).count();
        let token = i64::try_from(*token).expect("tokens are exact in JSON");
        accepted.push(update.execute(params![format!("write {index}"), token, seq as i64])? == 1);
    }
    let row = database.query_row("SELECT value, version, token, seq FROM row", [], |row| {
        let number = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
        Ok((row.get(0)?, number(1)?, number(2)?, number(3)?))
    })?;
    Ok(Outcome { accepted, row })
}

/// Mostly tokens that meet, now and then the least and the greatest.
fn token() -> impl Strategy<Value = u64> {
    prop_oneof![12 => 38..=44_u64, 1 => Just(0), 1 => Just(fenceline_engine::scenario::MAX_EXACT)]
}

fn stream() -> impl Strategy<Value = Vec<Request>> {
    vec((0..WRITERS, token()), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_conditional_update_decides_like_its_guard(
        guard in prop::sample::select(vec![Guard::None, Guard::Newer, Guard::NewerOrEqual, Guard::TokenSeq]),
        initial in token(),
        stream in stream(),
    ) {
        let sqlite = through_sqlite(guard, initial, &stream).expect("SQLite runs the statements");
        prop_assert_eq!(through_the_engine(guard, initial, &stream), sqlite);
    }
}

#[test]
fn sqlite_lets_equal_tokens_in_by_sequence_only_where_the_guard_says_so() {
    // Writer 0 writes twice with 41, then writer 1, new to 41, once with sequence 1.
    let stream = [(0, 41), (0, 41), (1, 41)];
    let accepted = |guard| through_sqlite(guard, 40, &stream).expect("SQLite runs the statements").accepted;
    assert_eq!(accepted(Guard::None), [true, true, true]);
    assert_eq!(accepted(Guard::Newer), [true, false, false]);
    assert_eq!(accepted(Guard::NewerOrEqual), [true, true, true]);
    assert_eq!(accepted(Guard::TokenSeq), [true, true, false]);
}
