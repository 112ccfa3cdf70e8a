//! The guards in the languages of key-value and object stores.
//!
//! Redis runs a script as one step (<https://redis.io/docs/latest/develop/programmability/eval-intro/>). An etcd transaction compares
//! values as bytes, and no comparison of a value is true of a key that is not there
//! (<https://etcd.io/docs/v3.5/learning/api/#transaction>). S3 knows `If-Match` and `If-None-Match`, equality with an `ETag`, and
//! nothing else (<https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html>).

use fenceline_engine::Guard;

use super::{Expressed, GuardCode, Parameter, Store, accepted_when};

const DOUBLES: &str = "Numbers in Lua are doubles: tokens are exact up to 2^53 - 1.";
const FAILOVER: &str = "A replica that takes over may not have the last writes: the remembered token can go back. WAIT lessens that, and does not \
                        exclude it.";
const FORGETS: &str = "A restart without persistence and an eviction forget the remembered token, and then every token is above it: appendonly yes, \
                       and maxmemory-policy noeviction.";
const SAME_SHARD: &str = "In a cluster both keys must be in one slot: {report} and {report}:lock are.";
const PRIMARY_CLOCK: &str = "The lock is a key that Redis ends by its own clock (SET … NX PX).";

const FIXED_WIDTH: &str = "Values are compared as bytes: tokens are written with as many digits, zeros in front.";
const KEY_IS_THERE: &str =
    "The key is there from the beginning: no comparison of a value is true of a key that is missing.";
const NO_LESS_OR_EQUAL: &str = "There is no <=: what is not above the token is below the next one.";
const CREATE_REVISION: &str =
    "A lock of etcd's own is a key under a lease; its create revision is the grant, and also makes a good token.";

const EQUALITY: &str = "S3 compares ETags for equality and nothing else. The comparison of tokens is done by the writer, on the object whose ETag \
                        it then names: if another write came between, S3 answers 412 and all is done again.";
const TOKEN_IN_BODY: &str = "The token stands in the body. An ETag tells the body of an object and not its metadata: with the token there, a newer \
                             token over the same body would go unseen.";
const CONFLICT: &str = "409 means that another conditional write is under way: do all of it again.";
const INITIAL: &str = "initial.json is the object before the first write: it says that no token was seen.";
const GONE: &str =
    "404 means that the object is gone, and the token that it remembered with it: that is no reason to accept.";
const EVERY_WRITER: &str = "A writer that leaves If-Match away is not stopped, unless a bucket policy asks for it.";
const NO_LEASES: &str = "It looks at one object at a time: whether a lease is live, in another object or elsewhere, cannot be part of the condition. \
                         Compare tokens instead.";

/// A guard for Redis, as a script.
pub(super) fn redis(guard: Guard) -> GuardCode {
    let keep = "redis.call('HSET', KEYS[1], 'body', ARGV[1], 'token', ARGV[2])\nreturn 1";
    let last = "local last = tonumber(redis.call('HGET', KEYS[1], 'token') or '0')\n";
    let compared = |condition: &str| {
        let write = [last, "if not (", condition, ") then return 0 end\n", keep].concat();
        (Expressed::AtOnce, write, vec![Parameter::Body, Parameter::Token])
    };
    let (expressed, write, parameters) = match guard {
        Guard::None => {
            (Expressed::AtOnce, "redis.call('HSET', KEYS[1], 'body', ARGV[1])\nreturn 1".into(), vec![Parameter::Body])
        }
        Guard::CheckThenWrite => (
            Expressed::WithARace,
            "-- HGET {report} token\n-- Go on only when the token is above it; then:\n".to_owned() + keep,
            vec![Parameter::Body, Parameter::Token],
        ),
        Guard::Newer => compared("last < tonumber(ARGV[2])"),
        Guard::NewerOrEqual => compared("last <= tonumber(ARGV[2])"),
        Guard::Same => {
            let write = [
                "local last = redis.call('HGET', KEYS[1], 'token')\nif last and tonumber(last) ~= tonumber(ARGV[2]) then return 0 end\n",
                keep,
            ];
            (Expressed::AtOnce, write.concat(), vec![Parameter::Body, Parameter::Token])
        }
        Guard::TokenSeq => (
            Expressed::AtOnce,
            [
                last,
                "local seen = tonumber(redis.call('HGET', KEYS[1], 'seq') or '0')\n\
                 local token, seq = tonumber(ARGV[2]), tonumber(ARGV[3])\n\
                 if not (last < token or (last == token and seen < seq)) then return 0 end\n\
                 redis.call('HSET', KEYS[1], 'body', ARGV[1], 'token', ARGV[2], 'seq', ARGV[3])\nreturn 1",
            ]
            .concat(),
            vec![Parameter::Body, Parameter::Token, Parameter::Seq],
        ),
        Guard::Holder => (
            Expressed::AtOnce,
            ["if redis.call('GET', KEYS[2]) ~= ARGV[3] then return 0 end\n", keep].concat(),
            vec![Parameter::Body, Parameter::Token, Parameter::Grant],
        ),
    };
    let mut notes = match guard {
        Guard::None => vec![],
        Guard::Holder => vec![PRIMARY_CLOCK, SAME_SHARD],
        _ => vec![DOUBLES, FORGETS],
    };
    notes.push(FAILOVER);
    let accepted_when = accepted_when(guard, "it returns 1", "when it returns 0");
    let setup = String::new();
    GuardCode { store: Store::Redis, guard, expressed, setup, write, parameters, accepted_when, notes }
}

/// A guard for etcd, as `etcdctl txn` takes it.
pub(super) fn etcd(guard: Guard) -> GuardCode {
    let puts = "put report/body \"…\"\nput report/token \"0000000000000042\"\n";
    let transaction = |compare: &str, puts: &str, otherwise: &str| {
        // Three parts, each ended by an empty line; a part of nothing is that line alone.
        let part = |lines: &str| if lines.is_empty() { "\n".into() } else { [lines.trim_end(), "\n\n"].concat() };
        ["etcdctl txn <<'END'\n", &part(compare), &part(puts), &part(otherwise), "END"].concat()
    };
    let ask = "get report/token";
    let compared = |compare: &str| (Expressed::AtOnce, transaction(compare, puts, ask));
    let mut notes = vec![FIXED_WIDTH, KEY_IS_THERE];
    let mut parameters = vec![Parameter::Body, Parameter::Token];
    let (expressed, write) = match guard {
        Guard::None => {
            notes.clear();
            parameters.pop();
            (Expressed::AtOnce, "etcdctl put report/body \"…\"".into())
        }
        Guard::CheckThenWrite => {
            let steps = "etcdctl get --print-value-only report/token\n# Go on only when the token is above it.\n";
            (Expressed::WithARace, [steps, &transaction("", puts, "")].concat())
        }
        Guard::Newer => compared("value(\"report/token\") < \"0000000000000042\""),
        Guard::NewerOrEqual => {
            notes.push(NO_LESS_OR_EQUAL);
            compared("value(\"report/token\") < \"0000000000000043\"")
        }
        Guard::Same => {
            notes = vec![
                FIXED_WIDTH,
                "There is no OR: the first write is a transaction of its own, version(\"report/token\") = \"0\".",
            ];
            compared("value(\"report/token\") = \"0000000000000042\"")
        }
        Guard::TokenSeq => {
            parameters.push(Parameter::Seq);
            notes.push("Token and sequence stand in one value, the token first.");
            let puts = "put report/body \"…\"\nput report/token \"0000000000000042.0000000001\"\n";
            (Expressed::AtOnce, transaction("value(\"report/token\") < \"0000000000000042.0000000001\"", puts, ask))
        }
        Guard::Holder => {
            notes = vec![CREATE_REVISION];
            parameters.push(Parameter::Grant);
            compared("create(\"report-lock/694d…\") = \"42\"")
        }
    };
    let setup = match guard {
        Guard::Newer | Guard::NewerOrEqual | Guard::CheckThenWrite => "etcdctl put report/token \"0000000000000000\"",
        Guard::TokenSeq => "etcdctl put report/token \"0000000000000000.0000000000\"",
        _ => "",
    };
    let accepted_when = match guard {
        Guard::None => "it says OK".into(),
        _ => accepted_when(guard, "it says SUCCESS", "when it says FAILURE"),
    };
    GuardCode { store: Store::Etcd, guard, expressed, setup: setup.into(), write, parameters, accepted_when, notes }
}

/// A guard for S3, as commands.
pub(super) fn s3(guard: Guard) -> GuardCode {
    let get = "etag=$(aws s3api get-object --bucket reports --key report.json old.json --query ETag --output text)\n";
    let put_of = |body: &str| format!("aws s3api put-object --bucket reports --key report.json --body {body}.json");
    let put = put_of("new");
    let with_match = " --if-match \"$etag\"";
    let looped = |condition: &str| {
        let compare =
            ["# old.json holds the remembered token, new.json this one: go on only when ", condition, ".\n"].concat();
        (Expressed::ByTryingAgain, [get, &compare, &put, with_match].concat())
    };
    let (expressed, write) = match guard {
        Guard::None => (Expressed::AtOnce, put.clone()),
        Guard::CheckThenWrite => {
            let compare = "# old.json holds the remembered token, new.json this one: go on only when it is above.\n";
            (Expressed::WithARace, [get, compare, &put].concat())
        }
        Guard::Newer => looped("it is above"),
        Guard::NewerOrEqual => looped("it is not below"),
        Guard::Same => looped("they are equal, or nothing was ever written"),
        Guard::TokenSeq => looped("(token, seq) is above"),
        Guard::Holder => (Expressed::Not, String::new()),
    };
    let notes = match guard {
        Guard::None => vec![],
        Guard::CheckThenWrite => vec!["The same with --if-match has no race: see the other guards.", INITIAL],
        Guard::Holder => vec![NO_LEASES],
        _ => vec![EQUALITY, TOKEN_IN_BODY, INITIAL, GONE, CONFLICT, EVERY_WRITER],
    };
    let parameters = match guard {
        Guard::None => vec![Parameter::Body],
        Guard::Holder => vec![],
        Guard::TokenSeq => vec![Parameter::Body, Parameter::Token, Parameter::Seq],
        _ => vec![Parameter::Body, Parameter::Token],
    };
    let setup = match guard {
        Guard::None | Guard::Holder => String::new(),
        _ => put_of("initial") + " --if-none-match '*'",
    };
    let accepted_when = accepted_when(guard, "it succeeds", "when the comparison says no; after 412 begin again");
    GuardCode { store: Store::S3, guard, expressed, setup, write, parameters, accepted_when, notes }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Keys = BTreeMap<String, String>;

    /// The three parts of a transaction, as `etcdctl txn` reads them: each goes to the next empty line.
    fn parts(text: &str) -> [Vec<&str>; 3] {
        let (_, rest) = text.split_once("etcdctl txn <<'END'\n").expect("it is a transaction");
        let (input, _) = rest.split_once("\nEND").expect("it ends");
        let mut lines = input.lines();
        [(); 3].map(|()| lines.by_ref().take_while(|line| !line.is_empty()).collect())
    }

    fn unquoted(text: &str) -> String {
        text.trim().trim_matches('"').into()
    }

    /// Does what etcd does with it: the first part is asked, then the second done, or else the third.
    fn run(text: &str, keys: &mut Keys, created: &str) -> bool {
        let [asked, done, otherwise] = parts(text);
        let holds = asked.iter().all(|line| {
            let (of, rest) = line.split_once("(\"").expect("a comparison");
            let (key, rest) = rest.split_once("\") ").expect("of a key");
            let (sign, wanted) = rest.split_once(' ').expect("with a value");
            let found = if of == "create" { Some(created.to_owned()) } else { keys.get(key).cloned() };
            found.is_some_and(|found| match sign {
                "<" => found < unquoted(wanted),
                "=" => found == unquoted(wanted),
                sign => panic!("no such comparison: {sign}"),
            })
        });
        for line in if holds { done } else { otherwise } {
            if let Some((key, value)) = line.strip_prefix("put ").map(|put| put.split_once(' ').expect("a value")) {
                keys.insert(key.into(), unquoted(value));
            } else {
                assert_eq!(line, "get report/token");
            }
        }
        holds
    }

    #[test]
    fn etcd_decides_the_seeds_sequence_as_each_guard_says() {
        let expected = |guard| match guard {
            Guard::Newer | Guard::TokenSeq => [true, false, false, true],
            Guard::NewerOrEqual => [true, false, true, true],
            Guard::Same => [true, false, true, false],
            _ => [true; 4],
        };
        for guard in Guard::ALL {
            let code = etcd(guard);
            let Some(transaction) = code.write.find("etcdctl txn").map(|at| &code.write[at..]) else {
                assert_eq!((guard, &*code.write), (Guard::None, "etcdctl put report/body \"…\""));
                continue;
            };
            let mut keys = Keys::new();
            if let Some((key, value)) = code.setup.strip_prefix("etcdctl put ").and_then(|put| put.split_once(' ')) {
                keys.insert(key.into(), unquoted(value));
            }
            let decided = [42_u32, 41, 42, 43].map(|token| {
                if guard == Guard::Same && keys.is_empty() {
                    // The first write is another transaction: the note says so.
                    keys.insert("report/token".into(), format!("{token:016}"));
                }
                let next = format!("{:016}", token + 1);
                let text = transaction.replace("0000000000000043", "next");
                let text = text.replace("0000000000000042", &format!("{token:016}")).replace("next", &next);
                run(&text, &mut keys, "42")
            });
            assert_eq!(decided, expected(guard), "{guard}");
            assert_eq!(keys.get("report/body").map(String::as_str), Some("…"), "{guard}");
        }
    }
}
