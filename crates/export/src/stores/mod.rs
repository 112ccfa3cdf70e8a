//! Guard code: a guard as the one conditional write of a data store that readers have.
//!
//! It exists because the picture ends where somebody's own code begins. Invariants: comparison and effect are one atomic step, or
//! the code says that they are not; what a store cannot say, it is not made to seem to say. What can be run here is run in the
//! tests, on the real stores.

mod documents;
mod keys;
mod sql;

use fenceline_engine::{Guard, Scenario};

/// A data store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// `SQLite`.
    Sqlite,
    /// `PostgreSQL`.
    Postgresql,
    /// `MySQL` and `MariaDB`.
    Mysql,
    /// `MongoDB`.
    Mongodb,
    /// `DynamoDB`.
    Dynamodb,
    /// Redis.
    Redis,
    /// etcd.
    Etcd,
    /// S3, and what speaks its protocol.
    S3,
}

impl Store {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 8] =
        [Self::Sqlite, Self::Postgresql, Self::Mysql, Self::Mongodb, Self::Dynamodb, Self::Redis, Self::Etcd, Self::S3];

    /// What a person calls it.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgresql => "PostgreSQL",
            Self::Mysql => "MySQL and MariaDB",
            Self::Mongodb => "MongoDB",
            Self::Dynamodb => "DynamoDB",
            Self::Redis => "Redis",
            Self::Etcd => "etcd",
            Self::S3 => "S3",
        }
    }

    /// Its name in arguments and addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgresql => "postgresql",
            Self::Mysql => "mysql",
            Self::Mongodb => "mongodb",
            Self::Dynamodb => "dynamodb",
            Self::Redis => "redis",
            Self::Etcd => "etcd",
            Self::S3 => "s3",
        }
    }

    /// The store of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|store| store.name() == name)
    }

    /// How its language begins a comment.
    const fn comment(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Postgresql | Self::Mysql | Self::Redis => "-- ",
            Self::Mongodb => "// ",
            // JSON and etcd's transactions have none; what is pasted is the part between.
            Self::Dynamodb | Self::Etcd | Self::S3 => "# ",
        }
    }
}

/// A value that a write brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// What is written.
    Body,
    /// The fencing token.
    Token,
    /// The sequence number under that token.
    Seq,
    /// The name of the lease.
    Lease,
    /// The number of the grant.
    Grant,
    /// The time by the writer's clock, where the store has none of its own.
    Now,
}

/// Whether a store can say what a guard says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expressed {
    /// In one atomic step.
    AtOnce,
    /// As a loop around one atomic step: read, compare, swap if nothing changed, else again.
    ByTryingAgain,
    /// In two steps with a race between them, which is what this guard is.
    WithARace,
    /// Only as far as the notes say.
    InPart,
    /// Not at all.
    Not,
}

/// A guard in a store's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardCode {
    /// The store.
    pub store: Store,
    /// The guard.
    pub guard: Guard,
    /// Whether the store can say it.
    pub expressed: Expressed,
    /// What is done once, before the first write.
    pub setup: String,
    /// What is done at each write. Empty when there is nothing to be done.
    pub write: String,
    /// The values that the write takes, in the order of its placeholders.
    pub parameters: Vec<Parameter>,
    /// How the store says that it accepted.
    pub accepted_when: String,
    /// What to know of it.
    pub notes: Vec<&'static str>,
}

impl GuardCode {
    /// All of it as one text, with the words as comments.
    pub fn to_text(&self) -> String {
        let comment = self.store.comment();
        let mut out = String::new();
        let mut say = |words: &str| {
            for line in wrapped(words) {
                out.extend([comment, &line, "\n"]);
            }
        };
        say(&[self.store.label(), ": ", rule(self.guard)].concat());
        say(match self.expressed {
            Expressed::AtOnce => "Comparison and write are one atomic step.",
            Expressed::ByTryingAgain => {
                "There is no such comparison in this store: it is read, compared, and swapped if nothing changed."
            }
            Expressed::WithARace => "Two steps, and between them is the race that this guard is.",
            Expressed::InPart => "This store can say it only in part: see the notes.",
            Expressed::Not => "This store cannot say it.",
        });
        for note in &self.notes {
            say(&["- ", note].concat());
        }
        for (title, code) in [("Once:", &self.setup), ("At each write:", &self.write)] {
            if !code.is_empty() {
                out.extend(["\n", comment, title, "\n", code.trim_end(), "\n"]);
            }
        }
        if !self.write.is_empty() {
            for line in wrapped(&["Accepted when ", &self.accepted_when, "."].concat()) {
                out.extend([comment, &line, "\n"]);
            }
        }
        out
    }
}

/// What a guard compares, in words.
const fn rule(guard: Guard) -> &'static str {
    match guard {
        Guard::None => "no guard, the last writer wins.",
        Guard::CheckThenWrite => "check in the application, then write without a condition.",
        Guard::Newer => "accept a token above the remembered one.",
        Guard::NewerOrEqual => "accept a token that is not below the remembered one.",
        Guard::Same => {
            "accept the remembered token and no other: a known mistake, the first writer locks every later one out."
        }
        Guard::TokenSeq => "accept what is above the remembered (token, sequence), the token compared first.",
        Guard::Holder => "accept while the writer's grant is the live one.",
    }
}

/// Whether a guard has the store ask a condition; without one it takes every write.
const fn asks(guard: Guard) -> bool {
    !matches!(guard, Guard::None | Guard::CheckThenWrite)
}

/// How a store says that it accepted: when that is `done`; and, where it asks a condition, how it says that it rejected.
fn accepted_when(guard: Guard, done: &str, rejected: &str) -> String {
    match guard {
        Guard::None => done.into(),
        Guard::CheckThenWrite => ["the application found its token above the one that it read, and ", done].concat(),
        _ => [done, "; rejected ", rejected].concat(),
    }
}

/// The guards of a scenario's destinations in a store's language, each once, in the order of the document; none when it has no
/// destination.
pub fn of_scenario(scenario: &Scenario, store: Store) -> Option<String> {
    let mut guards = Vec::new();
    for resource in &scenario.resources {
        if !guards.contains(&resource.guard) {
            guards.push(resource.guard);
        }
    }
    let texts: Vec<String> = guards.into_iter().map(|guard| guard_code(store, guard).to_text()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// A guard as code for a store.
pub fn guard_code(store: Store, guard: Guard) -> GuardCode {
    match store {
        Store::Sqlite | Store::Postgresql | Store::Mysql => sql::code(store, guard),
        Store::Mongodb => documents::mongodb(guard),
        Store::Dynamodb => documents::dynamodb(guard),
        Store::Redis => keys::redis(guard),
        Store::Etcd => keys::etcd(guard),
        Store::S3 => keys::s3(guard),
    }
}

/// Words in lines of about 100 characters.
fn wrapped(words: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < 100 => line.extend([" ", word]),
            _ => lines.push(if lines.is_empty() { word.into() } else { ["  ", word].concat() }),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_store_says_every_guard_or_says_that_it_cannot() {
        for store in Store::ALL {
            assert_eq!(Store::from_name(store.name()), Some(store));
            for guard in Guard::ALL {
                let code = guard_code(store, guard);
                assert_eq!((code.store, code.guard), (store, guard));
                assert_eq!(code.write.is_empty(), code.expressed == Expressed::Not, "{store:?} {guard}");
                assert_eq!(code.expressed == Expressed::WithARace, guard == Guard::CheckThenWrite, "{store:?} {guard}");
                let whole = matches!(code.expressed, Expressed::AtOnce | Expressed::WithARace);
                assert!(whole || !code.notes.is_empty(), "{store:?} {guard}: what is missing is told");
                let text = code.to_text();
                assert!(text.starts_with(&[store.comment(), store.label()].concat()), "{text}");
                assert!(text.lines().all(|line| line.len() < 130 && line.trim_end() == line), "{text}");
            }
        }
    }

    #[test]
    fn a_store_that_is_asked_no_condition_is_said_to_reject_nothing() {
        for store in Store::ALL {
            for guard in Guard::ALL {
                let code = guard_code(store, guard);
                let says = code.accepted_when.contains("rejected");
                assert_eq!(says, asks(guard), "{store:?} {guard}: {}", code.accepted_when);
                let text = code.to_text();
                assert!(asks(guard) || !text.contains("reject"), "{text}");
                let reads = code.accepted_when.contains("the application found its token above");
                assert_eq!(reads, guard == Guard::CheckThenWrite, "{store:?} {guard}: {}", code.accepted_when);
            }
        }
    }

    #[test]
    fn a_scenario_has_each_of_its_guards_once_in_its_own_order() {
        let document = |guards: &[&str]| {
            let resource = |(at, guard): (usize, &&str)| format!(r#"{{"id":"r{at}","guard":"{guard}"}}"#);
            let resources: Vec<_> = guards.iter().enumerate().map(resource).collect();
            let text = format!(r#"{{"version":1,"resources":[{}],"workers":[]}}"#, resources.join(","));
            Scenario::from_json(&text).expect("a document")
        };
        let code = |guard| guard_code(Store::Redis, guard).to_text();
        let found = of_scenario(&document(&["same", "newer", "same"]), Store::Redis);
        assert_eq!(found, Some([code(Guard::Same), code(Guard::Newer)].join("\n")));
        assert_eq!(of_scenario(&document(&[]), Store::Redis), None);
    }

    #[test]
    fn every_value_that_a_request_to_dynamodb_names_is_given_and_is_a_parameter() {
        for guard in Guard::ALL {
            let code = guard_code(Store::Dynamodb, guard);
            for (name, parameter) in [
                (":body", Parameter::Body),
                (":token", Parameter::Token),
                (":seq", Parameter::Seq),
                (":grant", Parameter::Grant),
                (":now", Parameter::Now),
            ] {
                let given = code.write.contains(&format!("\"{name}\": {{"));
                let used = code.write.replace(&format!("\"{name}\""), "").contains(name);
                assert_eq!((given, used), (code.parameters.contains(&parameter), given), "{guard} {name}");
            }
        }
    }

    #[test]
    fn a_comparison_takes_what_it_compares() {
        for store in Store::ALL {
            for guard in Guard::ALL {
                let GuardCode { parameters, expressed, .. } = guard_code(store, guard);
                if expressed == Expressed::Not || guard == Guard::None {
                    continue;
                }
                let takes = |parameter| parameters.contains(&parameter);
                assert!(takes(Parameter::Token) || guard == Guard::Holder, "{store:?} {guard}");
                assert_eq!(takes(Parameter::Seq), guard == Guard::TokenSeq, "{store:?} {guard}");
                assert_eq!(takes(Parameter::Grant), guard == Guard::Holder, "{store:?} {guard}");
            }
        }
    }
}
