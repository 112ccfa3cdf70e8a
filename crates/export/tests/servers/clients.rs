//! The servers, as the tests speak to them: through the clients that people use.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;

use fenceline_export::stores::{GuardCode, Parameter, Store};

/// A write as it is sent.
#[derive(Clone, Debug)]
pub struct Write {
    pub token: u64,
    pub seq: u64,
    pub body: String,
}

fn port(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: run `cargo xtask test --stores`"))
}

/// What a client prints when it is told that.
fn told(program: &str, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} cannot be started: {error}"));
    let mut stdin = child.stdin.take().expect("it reads");
    let input = input.to_owned();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it was told").expect("it listened");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("ERROR"), "{program}: {said}");
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

/// A text as SQL writes it. `MariaDB` takes a backslash for more than it is.
fn quoted(text: &str, store: Store) -> String {
    let text = if store == Store::Mysql { text.replace('\\', "\\\\") } else { text.to_owned() };
    format!("'{}'", text.replace('\'', "''"))
}

fn value(parameter: Parameter, write: &Write, store: Store) -> String {
    match parameter {
        Parameter::Body => quoted(&write.body, store),
        Parameter::Token | Parameter::Grant => write.token.to_string(),
        Parameter::Seq => write.seq.to_string(),
        Parameter::Lease => quoted("report-lock", store),
        Parameter::Now => unreachable!("these stores have clocks"),
    }
}

/// A server, as the tests speak to it.
pub trait Server {
    /// Starts over, with what the guard needs.
    fn set_up(&self, code: &GuardCode);
    /// Makes the server keep a trail of what was accepted, in its order.
    fn keep_trail(&self, code: &GuardCode);
    /// Sends writes over one connection, and tells which were accepted.
    fn send(&self, code: &GuardCode, writes: &[Write]) -> Vec<bool>;
    /// What it holds: token and body.
    fn row(&self, code: &GuardCode) -> (u64, String);
    /// The trail.
    fn trail(&self, code: &GuardCode) -> Vec<(u64, u64)>;
    /// Grants the lease for a time, in seconds.
    fn grant(&self, code: &GuardCode, grant: u64, ends_in: f64);
}

/// A server that has transactions.
pub trait Database: Server {
    /// What begins a transaction, at the lowest level that the guard code claims to hold under.
    const BEGIN: &str;
    /// What takes a lock that nothing else is about, for as long as the connection is there.
    const SIGNAL: &str;
    /// What tells whether somebody has that lock.
    const IS_SIGNALLED: &str;
    /// What takes two seconds.
    const WAIT: &str;
    /// What the client is told to send writes.
    fn script(&self, code: &GuardCode, writes: &[Write]) -> String;
    /// Which of the writes were accepted, by what the client printed.
    fn accepted(said: &str) -> Vec<bool>;
    /// What a client prints when it is told that, on a connection of its own.
    fn say_of(&self, code: &GuardCode, input: &str) -> String;
}

/// Each test has its own: they run side by side.
fn database(test: &str, code: &GuardCode) -> String {
    format!("{test}_{}", code.guard.name().replace('-', "_"))
}

fn pairs(text: &str) -> Vec<(u64, u64)> {
    let number = |text: &str| text.trim().parse::<u64>().unwrap_or_else(|_| panic!("a number, not {text}"));
    let pair = |line: &str| line.split_once(['|', '\t', ' ']).map(|(token, seq)| (number(token), number(seq)));
    text.lines().filter(|line| !line.is_empty()).map(|line| pair(line).expect("two numbers")).collect()
}

/// For the test of that name.
pub struct Postgresql(pub &'static str);

impl Postgresql {
    fn say(database: &str, input: &str) -> String {
        let port = port("FENCELINE_POSTGRESQL");
        let arguments = [
            "-X",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
            "-p",
            &port,
            "-U",
            "fenceline",
            "-d",
            database,
        ];
        told("psql", &arguments, input)
    }
}

impl Server for Postgresql {
    fn set_up(&self, code: &GuardCode) {
        let name = database(self.0, code);
        Self::say("postgres", &format!("DROP DATABASE IF EXISTS {name};\nCREATE DATABASE {name};\n"));
        Self::say(&name, &code.setup);
    }

    fn keep_trail(&self, code: &GuardCode) {
        let trail = "CREATE TABLE audit (n bigserial, token bigint, seq bigint);
            CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN INSERT INTO audit (token, seq) VALUES (NEW.token, NEW.seq); RETURN NEW; END $$;
            CREATE TRIGGER kept AFTER UPDATE ON report FOR EACH ROW EXECUTE FUNCTION kept();";
        Self::say(&database(self.0, code), trail);
    }

    fn send(&self, code: &GuardCode, writes: &[Write]) -> Vec<bool> {
        Self::accepted(&self.say_of(code, &self.script(code, writes)))
    }

    fn row(&self, code: &GuardCode) -> (u64, String) {
        let row = Self::say(&database(self.0, code), "SELECT coalesce(token, 0), body FROM report;");
        let (token, body) = row.trim_end().split_once('|').expect("a row");
        (token.parse().expect("a token"), body.to_owned())
    }

    fn trail(&self, code: &GuardCode) -> Vec<(u64, u64)> {
        pairs(&Self::say(&database(self.0, code), "SELECT token, seq FROM audit ORDER BY n;"))
    }

    fn grant(&self, code: &GuardCode, grant: u64, ends_in: f64) {
        let sql = format!(
            "INSERT INTO lease VALUES ('report-lock', {grant}, clock_timestamp() + interval '{ends_in} seconds')
             ON CONFLICT (name) DO UPDATE SET grant_no = excluded.grant_no, ends_at = excluded.ends_at;"
        );
        Self::say(&database(self.0, code), &sql);
    }
}

impl Database for Postgresql {
    const BEGIN: &str = "BEGIN;\n";
    const SIGNAL: &str = "SELECT pg_advisory_lock(1);\n";
    const IS_SIGNALLED: &str = "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND granted AND datname = current_database();\n";
    const WAIT: &str = "SELECT pg_sleep(2);\n";

    fn script(&self, code: &GuardCode, writes: &[Write]) -> String {
        let kind = |parameter: &Parameter| match parameter {
            Parameter::Body | Parameter::Lease => "text",
            _ => "bigint",
        };
        let kinds: Vec<_> = code.parameters.iter().map(kind).collect();
        let mut input = format!("PREPARE w ({}) AS {}\n", kinds.join(", "), code.write);
        for write in writes {
            let values: Vec<_> =
                code.parameters.iter().map(|parameter| value(*parameter, write, Store::Postgresql)).collect();
            input.extend([format!("EXECUTE w ({});\n", values.join(", "))]);
        }
        input
    }

    fn accepted(said: &str) -> Vec<bool> {
        said.lines().filter_map(|line| line.strip_prefix("UPDATE ")).map(|rows| rows == "1").collect()
    }

    fn say_of(&self, code: &GuardCode, input: &str) -> String {
        Self::say(&database(self.0, code), input)
    }
}

/// For the test of that name.
pub struct Mariadb(pub &'static str);

impl Mariadb {
    fn say(database: &str, input: &str) -> String {
        let port = format!("--port={}", port("FENCELINE_MARIADB"));
        let arguments = [
            "--no-defaults",
            "--host=127.0.0.1",
            &port,
            "--user=root",
            "--batch",
            "--raw",
            "--skip-column-names",
            database,
        ];
        told("mariadb", &arguments, input)
    }
}

impl Server for Mariadb {
    fn set_up(&self, code: &GuardCode) {
        let name = database(self.0, code);
        Self::say("mysql", &format!("DROP DATABASE IF EXISTS {name};\nCREATE DATABASE {name};\n"));
        Self::say(&name, &code.setup);
    }

    fn keep_trail(&self, code: &GuardCode) {
        let trail = "CREATE TABLE audit (n BIGINT AUTO_INCREMENT PRIMARY KEY, token BIGINT, seq BIGINT);
            CREATE TRIGGER kept AFTER UPDATE ON report FOR EACH ROW
              INSERT INTO audit (token, seq) VALUES (NEW.token, NEW.seq);";
        Self::say(&database(self.0, code), trail);
    }

    fn send(&self, code: &GuardCode, writes: &[Write]) -> Vec<bool> {
        Self::accepted(&self.say_of(code, &self.script(code, writes)))
    }

    fn row(&self, code: &GuardCode) -> (u64, String) {
        let row = Self::say(&database(self.0, code), "SELECT coalesce(token, 0), body FROM report;");
        let (token, body) = row.trim_end().split_once('\t').expect("a row");
        (token.parse().expect("a token"), body.to_owned())
    }

    fn trail(&self, code: &GuardCode) -> Vec<(u64, u64)> {
        pairs(&Self::say(&database(self.0, code), "SELECT token, seq FROM audit ORDER BY n;"))
    }

    fn grant(&self, code: &GuardCode, grant: u64, ends_in: f64) {
        let sql = format!(
            "REPLACE INTO lease VALUES ('report-lock', {grant}, NOW(6) + INTERVAL {} MICROSECOND);",
            (ends_in * 1e6) as i64
        );
        Self::say(&database(self.0, code), &sql);
    }
}

impl Database for Mariadb {
    const BEGIN: &str = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;\nBEGIN;\n";
    // Such locks are the server's, not the database's: it goes by the name of the database.
    const SIGNAL: &str = "DO GET_LOCK(DATABASE(), 0);\n";
    const IS_SIGNALLED: &str = "SELECT IS_USED_LOCK(DATABASE()) IS NOT NULL;\n";
    const WAIT: &str = "DO SLEEP(2);\n";

    fn script(&self, code: &GuardCode, writes: &[Write]) -> String {
        let statement = code.write.trim_end_matches(';');
        let mut input = format!("PREPARE w FROM {};\n", quoted(statement, Store::Mysql));
        for write in writes {
            let values = code.parameters.iter().enumerate();
            let sets: Vec<_> = values
                .map(|(place, parameter)| format!("@p{place} = {}", value(*parameter, write, Store::Mysql)))
                .collect();
            let uses: Vec<_> = (0..code.parameters.len()).map(|place| format!("@p{place}")).collect();
            input.extend([format!(
                "SET {};\nEXECUTE w USING {};\nSELECT ROW_COUNT();\n",
                sets.join(", "),
                uses.join(", ")
            )]);
        }
        input
    }

    fn accepted(said: &str) -> Vec<bool> {
        said.lines().map(|rows| rows == "1").collect()
    }

    fn say_of(&self, code: &GuardCode, input: &str) -> String {
        Self::say(&database(self.0, code), input)
    }
}

/// For the test of that name.
pub struct Redis(pub &'static str);

impl Redis {
    fn say(input: &str) -> String {
        told("redis-cli", &["-p", &port("FENCELINE_REDIS")], input)
    }

    /// The keys of a guard: the hash, the lock and the trail, in one slot.
    fn keys(&self, code: &GuardCode) -> [String; 3] {
        let name = database(self.0, code);
        [format!("{{{name}}}"), format!("{{{name}}}:lock"), format!("{{{name}}}:trail")]
    }

    /// A text as redis-cli takes it.
    fn argument(text: &str) -> String {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
    }
}

impl Server for Redis {
    fn set_up(&self, code: &GuardCode) {
        Self::say(&format!("DEL {}\n", self.keys(code).join(" ")));
    }

    fn keep_trail(&self, code: &GuardCode) {
        // Redis has no triggers: where there is a trail, the script keeps it (see `send`). Its first line is none of it.
        Self::say(&format!("RPUSH {} begins\n", self.keys(code)[2]));
    }

    fn send(&self, code: &GuardCode, writes: &[Write]) -> Vec<bool> {
        let keeps = Self::say(&format!("EXISTS {}\n", self.keys(code)[2])).trim() == "1";
        let keep = "redis.call('RPUSH', KEYS[3], ARGV[2] .. ' ' .. (ARGV[3] or '0'))\nreturn 1";
        let script = if keeps { code.write.replace("return 1", keep) } else { code.write.clone() };
        let sha = Self::say(&format!("SCRIPT LOAD {}\n", Self::argument(&script)));
        let keys = self.keys(code).join(" ");
        let mut input = String::new();
        for write in writes {
            let argument = |parameter: &Parameter| match parameter {
                Parameter::Body => Self::argument(&write.body),
                Parameter::Token | Parameter::Grant => write.token.to_string(),
                Parameter::Seq => write.seq.to_string(),
                Parameter::Lease => "report-lock".into(),
                Parameter::Now => unreachable!("Redis has a clock"),
            };
            // A script that takes fewer leaves the rest alone; the trail wants a token.
            let mut arguments: Vec<_> = code.parameters.iter().map(argument).collect();
            if keeps && arguments.len() < 2 {
                arguments.push(write.token.to_string());
            }
            input.extend([format!("EVALSHA {} 3 {keys} {}\n", sha.trim(), arguments.join(" "))]);
        }
        Self::say(&input).lines().map(|answer| answer == "1").collect()
    }

    fn row(&self, code: &GuardCode) -> (u64, String) {
        let said = Self::say(&format!("HMGET {} token body\n", self.keys(code)[0]));
        let (token, body) = said.split_once('\n').expect("two lines");
        (token.parse().unwrap_or(0), body.trim_end_matches('\n').to_owned())
    }

    fn trail(&self, code: &GuardCode) -> Vec<(u64, u64)> {
        pairs(&Self::say(&format!("LRANGE {} 1 -1\n", self.keys(code)[2])))
    }

    fn grant(&self, code: &GuardCode, grant: u64, ends_in: f64) {
        let lock = &self.keys(code)[1];
        if ends_in > 0.0 {
            Self::say(&format!("SET {lock} {grant} PX {}\n", (ends_in * 1000.0) as u64));
        } else {
            Self::say(&format!("DEL {lock}\n"));
        }
    }
}
