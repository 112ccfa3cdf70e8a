//! Guard code in `SQLite`: it decides as the engine does, one write after another and eight at a time.

use std::thread;

use fenceline_engine::{Guard, Scenario};
use fenceline_engine::{Presented, Remembered};
use fenceline_export::stores::{GuardCode, Parameter, Store, guard_code};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// A write as it is sent.
#[derive(Clone, Copy, Debug)]
struct Write {
    token: u64,
    seq: u32,
}

fn values(code: &GuardCode, write: Write, body: &str) -> Vec<Value> {
    let value = |parameter: &Parameter| match parameter {
        Parameter::Body => Value::Text(body.into()),
        Parameter::Token => Value::Integer(write.token as i64),
        Parameter::Seq => Value::Integer(write.seq.into()),
        Parameter::Lease => Value::Text("report-lock".into()),
        Parameter::Now => unreachable!("SQLite has a clock"),
        Parameter::Grant => Value::Integer(write.token as i64),
    };
    code.parameters.iter().map(value).collect()
}

fn opened(code: &GuardCode) -> Connection {
    let connection = Connection::open_in_memory().expect("SQLite opens");
    connection.execute_batch(&code.setup).expect("the table is made");
    connection
}

/// Whether the store accepts.
fn accepts(connection: &Connection, code: &GuardCode, write: Write, body: &str) -> bool {
    let values = params_from_iter(values(code, write, body));
    connection.execute(&code.write, values).expect("the write runs") == 1
}

/// The guards that compare, save for the one that asks the lease service.
const COMPARING: [Guard; 5] = [Guard::None, Guard::Newer, Guard::NewerOrEqual, Guard::Same, Guard::TokenSeq];

#[test]
fn a_stream_of_writes_is_decided_as_the_engine_decides_it() {
    for guard in COMPARING {
        let code = guard_code(Store::Sqlite, guard);
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..40 {
            let connection = opened(&code);
            let mut remembered = Remembered { token: 0, seq: 0, anything: false };
            for index in 0..30 {
                // Xorshift: any stream will do, as long as it is the same at each run.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let write = Write { token: 1 + state % 6, seq: 1 + (state >> 8) as u32 % 3 };
                let presented = Presented { token: write.token, seq: write.seq, grant_is_live: true };
                let expected = guard.decide(presented, remembered).is_ok();
                let body = format!("body {index}");
                assert_eq!(accepts(&connection, &code, write, &body), expected, "{guard} {write:?} on {remembered:?}");
                if expected && guard != Guard::None {
                    remembered = Remembered { token: write.token, seq: write.seq, anything: true };
                }
            }
        }
    }
}

#[test]
fn a_holder_writes_as_long_as_its_grant_is_the_live_one() {
    let code = guard_code(Store::Sqlite, Guard::Holder);
    let connection = opened(&code);
    let lease = |grant: u64, ends_in: i64| {
        let sql = "INSERT OR REPLACE INTO lease VALUES ('report-lock', ?1, unixepoch('now', 'subsec') + ?2)";
        connection.execute(sql, (grant as i64, ends_in)).expect("the lease is granted");
    };
    lease(41, 30);
    assert!(accepts(&connection, &code, Write { token: 41, seq: 1 }, "first"));
    assert!(!accepts(&connection, &code, Write { token: 40, seq: 1 }, "not the holder"));
    lease(42, 30);
    assert!(!accepts(&connection, &code, Write { token: 41, seq: 2 }, "no longer the holder"));
    lease(42, -1);
    assert!(!accepts(&connection, &code, Write { token: 42, seq: 1 }, "its lease has ended"));
}

/// The token of a racing writer's step: they rise, and several writers have the same.
const fn racing_token(step: u64, worker: u64) -> u64 {
    1 + (step * 8 + worker) / 3
}

/// The grant that is live while they race under `holder`.
const HELD: i64 = 40;

#[test]
fn eight_connections_at_once_leave_a_rising_trail() {
    let folder = std::env::temp_dir().join(format!("fenceline-guards-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for guard in [Guard::None, Guard::Newer, Guard::NewerOrEqual, Guard::Same, Guard::TokenSeq, Guard::Holder] {
        let code = guard_code(Store::Sqlite, guard);
        let file = folder.join(format!("{guard}.db"));
        let open = || {
            let connection = Connection::open(&file).expect("SQLite opens");
            connection.busy_timeout(std::time::Duration::from_secs(60)).expect("it waits");
            connection
        };
        let connection = open();
        connection.execute_batch(&code.setup).expect("the table is made");
        connection
            .execute_batch(
                "CREATE TABLE audit (n INTEGER PRIMARY KEY, token INTEGER, seq INTEGER);
                 CREATE TRIGGER kept AFTER UPDATE ON report BEGIN
                   INSERT INTO audit (token, seq) VALUES (NEW.token, NEW.seq);
                 END;",
            )
            .expect("the trail is made");
        if guard == Guard::Holder {
            let live = "INSERT INTO lease VALUES ('report-lock', ?1, unixepoch('now', 'subsec') + 60)";
            connection.execute(live, [HELD]).expect("the lease is granted");
        }
        let accepted: usize = thread::scope(|scope| {
            let writer = |worker: u64| {
                let (code, open) = (&code, &open);
                scope.spawn(move || {
                    let connection = open();
                    let write = |step: u64| Write { token: racing_token(step, worker), seq: 1 + worker as u32 };
                    (0..25).filter(|step| accepts(&connection, code, write(*step), "body")).count()
                })
            };
            let writers: Vec<_> = (0..8).map(writer).collect();
            writers.into_iter().map(|writer| writer.join().expect("a writer ends")).sum()
        });
        let mut trail = connection.prepare("SELECT token, seq FROM audit ORDER BY n").expect("a question");
        let trail: Vec<(i64, i64)> = trail
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
            .and_then(Iterator::collect)
            .expect("the trail is read");
        assert_eq!(trail.len(), accepted, "{guard}: each accepted write is there once");
        let with_token = |token: i64| {
            let tokens = (0..8).flat_map(|worker| (0..25).map(move |step| racing_token(step, worker)));
            tokens.filter(|of| *of as i64 == token).count()
        };
        let pairs = || trail.windows(2);
        match guard {
            Guard::None => assert_eq!(accepted, 200),
            Guard::Newer => assert!(pairs().all(|pair| pair[0].0 < pair[1].0), "{trail:?}"),
            Guard::NewerOrEqual => assert!(pairs().all(|pair| pair[0].0 <= pair[1].0), "{trail:?}"),
            // The first one decides which token it is from then on: all that have it are accepted, and nobody else.
            Guard::Same => assert_eq!(accepted, with_token(trail[0].0), "{trail:?}"),
            Guard::Holder => assert_eq!((trail[0].0, accepted), (HELD, with_token(HELD)), "{trail:?}"),
            _ => assert!(pairs().all(|pair| pair[0] < pair[1]), "{trail:?}"),
        }
        if matches!(guard, Guard::Newer | Guard::NewerOrEqual | Guard::TokenSeq) {
            let highest = Some(racing_token(24, 7) as i64);
            assert_eq!(trail.last().map(|last| last.0), highest, "{guard}: the highest is remembered");
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_seeds_sequence_gives_what_a_scenario_of_it_gives() {
    // 42, 41, 42, 43: accepted, older, equal, accepted.
    for (guard, expected) in [
        (Guard::None, [true, true, true, true]),
        (Guard::Newer, [true, false, false, true]),
        (Guard::NewerOrEqual, [true, false, true, true]),
        (Guard::Same, [true, false, true, false]),
        (Guard::TokenSeq, [true, false, true, true]),
    ] {
        let code = guard_code(Store::Sqlite, guard);
        let connection = opened(&code);
        let writes = [(42, 1), (41, 1), (42, 2), (43, 1)].map(|(token, seq)| Write { token, seq });
        assert_eq!(writes.map(|write| accepts(&connection, &code, write, "body")), expected, "{guard}");
    }
    assert!(Scenario::default().check().is_empty());
}
