//! Guard code on real servers: `PostgreSQL`, `MariaDB` and Redis, through the clients that people use.
//!
//! `cargo xtask test --stores` starts the servers and says where they are. What is run is the text that the page shows.

mod clients;

use std::thread;
use std::time::{Duration, Instant};

use clients::{Database, Mariadb, Postgresql, Redis, Server, Write};
use fenceline_engine::Guard;
use fenceline_export::stores::{GuardCode, Store, guard_code};

/// The writes of the seed: 42, 41, 42, 43.
fn seed() -> Vec<Write> {
    let write = |(token, seq, body): (u64, u64, &str)| Write { token, seq, body: body.into() };
    [(42, 1, "new"), (41, 1, "stale"), (42, 2, "again"), (43, 1, "O'Brien \\ ; --")].map(write).to_vec()
}

/// What comes of them under a guard, worked out from its comparison.
fn expected(guard: Guard) -> [bool; 4] {
    match guard {
        Guard::Newer => [true, false, false, true],
        Guard::NewerOrEqual | Guard::TokenSeq => [true, false, true, true],
        Guard::Same => [true, false, true, false],
        _ => [true, true, true, true],
    }
}

/// The writes of one of eight that race: rising tokens, several of which two of them have.
fn racing(worker: u64) -> Vec<Write> {
    let write =
        |step: u64| Write { token: 1 + (step * 8 + worker) / 3, seq: 1 + worker, body: format!("{worker}-{step}") };
    (0..25).map(write).collect()
}

const HIGHEST: u64 = 1 + (24 * 8 + 7) / 3;

/// The grant that is live while they race under `holder`.
const HELD: u64 = 40;

const WITHOUT_A_LEASE: [Guard; 5] = [Guard::None, Guard::Newer, Guard::NewerOrEqual, Guard::Same, Guard::TokenSeq];

fn the_seeds_sequence(store: Store, server: &impl Server) {
    for guard in WITHOUT_A_LEASE {
        let code = guard_code(store, guard);
        server.set_up(&code);
        let accepted = server.send(&code, &seed());
        assert_eq!(accepted, expected(guard), "{store:?} {guard}");
        let (token, body) = server.row(&code);
        let last =
            seed().into_iter().zip(accepted).filter(|(_, accepted)| *accepted).map(|(write, _)| write).next_back();
        let last = last.expect("the first is accepted");
        assert_eq!(body, last.body, "{store:?} {guard}");
        assert_eq!(token, if guard == Guard::None { 0 } else { last.token }, "{store:?} {guard}");
    }
}

/// Eight connections send their writes at once. Gives how many were accepted.
fn race(server: &(impl Server + Sync), code: &GuardCode) -> usize {
    thread::scope(|scope| {
        let writer = |worker| {
            scope.spawn(move || {
                let answers = server.send(code, &racing(worker));
                assert_eq!(answers.len(), 25, "each write is answered");
                answers.into_iter().filter(|accepted| *accepted).count()
            })
        };
        let writers: Vec<_> = (0..8).map(writer).collect();
        writers.into_iter().map(|writer| writer.join().expect("a writer ends")).sum()
    })
}

/// How many of the racing writes have that token.
fn with_token(token: u64) -> usize {
    (0..8).flat_map(racing).filter(|write| write.token == token).count()
}

fn eight_at_once(store: Store, server: &(impl Server + Sync)) {
    for guard in [Guard::None, Guard::Newer, Guard::NewerOrEqual, Guard::Same, Guard::TokenSeq, Guard::Holder] {
        let code = guard_code(store, guard);
        server.set_up(&code);
        server.keep_trail(&code);
        if guard == Guard::Holder {
            server.grant(&code, HELD, 60.0);
        }
        let accepted = race(server, &code);
        let trail = server.trail(&code);
        assert_eq!(trail.len(), accepted, "{store:?} {guard}: each accepted write is there once, and no other");
        let pairs = || trail.windows(2);
        let (token, body) = server.row(&code);
        match guard {
            Guard::None => assert_eq!(accepted, 200, "{store:?}"),
            Guard::Newer => assert!(pairs().all(|pair| pair[0].0 < pair[1].0), "{store:?}: {trail:?}"),
            Guard::NewerOrEqual => assert!(pairs().all(|pair| pair[0].0 <= pair[1].0), "{store:?}: {trail:?}"),
            // The first one decides which token it is from then on: all that have it are accepted, and nobody else.
            Guard::Same => {
                assert!(pairs().all(|pair| pair[0].0 == pair[1].0), "{store:?}: {trail:?}");
                assert_eq!(accepted, with_token(token), "{store:?}");
            }
            Guard::Holder => {
                assert_eq!(accepted, with_token(HELD), "{store:?}");
                let is_the_holders = |write: Write| write.token == HELD && write.body == body;
                assert!((0..8).flat_map(racing).any(is_the_holders), "{store:?}: {body}");
            }
            _ => assert!(pairs().all(|pair| pair[0] < pair[1]), "{store:?}: {trail:?}"),
        }
        if matches!(guard, Guard::Newer | Guard::NewerOrEqual | Guard::TokenSeq) {
            assert_eq!(token, HIGHEST, "{store:?} {guard}: the highest is remembered");
        }
        println!("{store:?} {guard}: {accepted} of 200 accepted");
    }
}

/// The write of `check-then-write` is two steps: the application asks, and then it writes without a condition.
fn between_its_steps_is_a_race(store: Store, server: &impl Server) {
    let whole = guard_code(store, Guard::CheckThenWrite);
    let (question, write) = whole.write.split_once("-- Go on only when the token is above it").expect("two steps");
    assert!(question.contains("token"), "{store:?}: it asks for the token");
    let write = write.split_once('\n').expect("the write is on lines of its own").1.to_owned();
    let code = GuardCode { write, ..whole };
    server.set_up(&code);
    let mut decided = Vec::new();
    for write in seed() {
        let is_above = server.row(&code).0 < write.token;
        decided.push(is_above && server.send(&code, &[write]) == [true]);
    }
    assert_eq!(decided, [true, false, false, true], "{store:?}: one after the other it does what it should");
    server.set_up(&code);
    let seen = server.row(&code).0;
    for write in seed().into_iter().take(2) {
        assert!(seen < write.token, "{store:?}: both ask before either writes");
        assert_eq!(server.send(&code, &[write]), [true], "{store:?}");
    }
    assert_eq!(server.row(&code), (41, "stale".into()), "{store:?}: the stale write stands");
}

fn the_live_grant_alone_writes(store: Store, server: &impl Server) {
    let code = guard_code(store, Guard::Holder);
    let write = |token: u64, body: &str| vec![Write { token, seq: 1, body: body.into() }];
    server.set_up(&code);
    server.grant(&code, 41, 30.0);
    assert_eq!(server.send(&code, &write(41, "first")), [true], "{store:?}");
    assert_eq!(server.send(&code, &write(40, "never held")), [false], "{store:?}");
    server.grant(&code, 42, 30.0);
    assert_eq!(server.send(&code, &write(41, "superseded")), [false], "{store:?}");
    server.grant(&code, 42, -1.0);
    assert_eq!(server.send(&code, &write(42, "expired")), [false], "{store:?}");
    assert_eq!(server.row(&code).1, "first", "{store:?}");
}

/// Holds a transaction open on a connection of its own, and does the rest while it is.
fn while_open<S: Database + Sync>(
    server: &S,
    code: &GuardCode,
    (inside, end): (&str, &str),
    meanwhile: impl FnOnce(),
) -> String {
    thread::scope(|scope| {
        let input = [S::BEGIN, inside, S::SIGNAL, S::WAIT, end].concat();
        let open = scope.spawn(move || server.say_of(code, &input));
        let patience = Instant::now() + Duration::from_secs(60);
        while server.say_of(code, S::IS_SIGNALLED).trim() != "1" {
            assert!(Instant::now() < patience && !open.is_finished(), "the transaction was never open");
            thread::sleep(Duration::from_millis(20));
        }
        meanwhile();
        open.join().expect("it ends")
    })
}

fn a_take_over_waits<S: Database + Sync>(store: Store, server: &S) {
    let code = guard_code(store, Guard::Holder);
    server.set_up(&code);
    server.grant(&code, 41, 30.0);
    let write = [Write { token: 41, seq: 1, body: "the holder's".into() }];
    let take_over = "BEGIN;\nUPDATE lease SET grant_no = 42;\nSELECT body FROM report;\nCOMMIT;\n";
    let said = while_open(server, &code, (&server.script(&code, &write), "COMMIT;\n"), || {
        let seen = server.say_of(&code, take_over);
        assert!(seen.contains("the holder's"), "{store:?}: the take-over saw {seen:?}, before the write was there");
    });
    assert_eq!(S::accepted(&said).first(), Some(&true), "{store:?}");
    assert_eq!(server.send(&code, &write), [false], "{store:?}: superseded");
}

/// The lease ends while the write waits for its row.
fn an_end_while_it_waits_counts<S: Database + Sync>(store: Store, server: &S) {
    let code = guard_code(store, Guard::Holder);
    server.set_up(&code);
    server.grant(&code, 41, 1.0);
    let inside = "UPDATE lease SET ends_at = ends_at;\n";
    while_open(server, &code, (inside, "ROLLBACK;\n"), || {
        let write = [Write { token: 41, seq: 1, body: "too late".into() }];
        assert_eq!(server.send(&code, &write), [false], "{store:?}");
    });
}

macro_rules! on_each_server {
    ($($module:ident, $store:expr, $server:ident;)*) => {$(
        mod $module {
            use super::*;

            #[test]
            fn changes_the_right_rows_in_the_seeds_sequence() {
                the_seeds_sequence($store, &$server("seed"));
            }

            #[test]
            fn leaves_a_rising_trail_when_eight_connections_race() {
                eight_at_once($store, &$server("race"));
            }

            #[test]
            fn has_a_race_between_the_steps_of_check_then_write() {
                between_its_steps_is_a_race($store, &$server("steps"));
            }

            #[test]
            fn lets_the_live_grant_alone_write() {
                the_live_grant_alone_writes($store, &$server("lease"));
            }
        }
    )*};
}

on_each_server! {
    postgresql, Store::Postgresql, Postgresql;
    mariadb, Store::Mysql, Mariadb;
    redis, Store::Redis, Redis;
}

#[test]
fn on_postgresql_a_take_over_of_the_lease_waits_for_a_write_that_rests_on_it() {
    a_take_over_waits(Store::Postgresql, &Postgresql("take_over"));
}

#[test]
fn on_mariadb_a_take_over_of_the_lease_waits_for_a_write_that_rests_on_it() {
    a_take_over_waits(Store::Mysql, &Mariadb("take_over"));
}

#[test]
fn on_mariadb_a_lease_that_ends_while_the_write_waits_for_it_has_ended() {
    an_end_while_it_waits_counts(Store::Mysql, &Mariadb("ends"));
}

#[test]
fn on_mariadb_sessions_of_other_time_zones_see_the_same_end() {
    let server = Mariadb("zones");
    let code = guard_code(Store::Mysql, Guard::Holder);
    server.set_up(&code);
    let write = [Write { token: 41, seq: 1, body: "late".into() }];
    for (zone, ends, accepted) in [("+02:00", "-2", false), ("-05:00", "+60", true), ("-05:00", "-2", false)] {
        let grant = format!(
            "SET time_zone = '{zone}';\nREPLACE INTO lease VALUES ('report-lock', 41, NOW(6) + INTERVAL {ends} SECOND);\n"
        );
        server.say_of(&code, &grant);
        assert_eq!(server.send(&code, &write), [accepted], "granted at {zone}, to end {ends} s from then");
    }
}

#[test]
fn on_postgresql_a_lease_that_ends_while_the_write_waits_for_it_has_ended() {
    an_end_while_it_waits_counts(Store::Postgresql, &Postgresql("ends"));
}
