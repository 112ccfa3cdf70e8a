//! The kinds of text that leave the page: as data, in the order in which they are offered.

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What the exporter calls it.
    pub key: &'static str,
    /// What a person calls it.
    pub label: &'static str,
    /// How its file's name ends.
    pub extension: &'static str,
}

const fn kind(key: &'static str, label: &'static str, extension: &'static str) -> Kind {
    Kind { key, label, extension }
}

/// The kinds, by what they are for.
pub const KINDS: &[(&str, &[Kind])] = &[
    (
        "Words",
        &[
            kind("markdown", "What happened, as Markdown", "md"),
            kind("mermaid", "A sequence diagram, as Mermaid", "mmd"),
            kind("comparison", "Guards compared, as Markdown", "md"),
            kind("csv", "Guards compared, as CSV", "csv"),
        ],
    ),
    (
        "Evidence that runs",
        &[kind("python", "A Python script with sqlite3", "py"), kind("rust", "A Rust test with rusqlite", "rs")],
    ),
    (
        "Guard code",
        &[
            kind("guard-sqlite", "SQLite", "sql"),
            kind("guard-postgresql", "PostgreSQL", "sql"),
            kind("guard-mysql", "MySQL and MariaDB", "sql"),
            kind("guard-mongodb", "MongoDB", "js"),
            kind("guard-dynamodb", "DynamoDB", "txt"),
            kind("guard-redis", "Redis", "lua"),
            kind("guard-etcd", "etcd", "txt"),
            kind("guard-s3", "S3", "txt"),
        ],
    ),
];

/// The kind of that key.
pub fn find(key: &str) -> Option<Kind> {
    KINDS.iter().flat_map(|(_, kinds)| *kinds).copied().find(|kind| kind.key == key)
}

/// What a file is called, after the scenario's title.
pub fn file_name(title: &str, extension: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.len() + word.len() > 60 {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(&word.to_lowercase());
    }
    let name = if name.is_empty() { "scenario" } else { &name };
    [name, ".", extension].concat()
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn a_kind_is_found_by_its_key() {
        for (_, kinds) in KINDS {
            for kind in *kinds {
                assert_eq!(find(kind.key), Some(*kind));
            }
        }
        assert_eq!(find("nonsense"), None);
    }

    #[test]
    fn what_is_offered_is_what_the_exporter_makes() {
        use fenceline_export::{Kind as Text, stores::Store};
        let offered: Vec<_> = KINDS.iter().flat_map(|(_, kinds)| *kinds).copied().collect();
        let keys: Vec<_> = offered.iter().map(|kind| kind.key.to_owned()).collect();
        let texts = Text::ALL.map(|text| text.name().to_owned());
        let stores = Store::ALL.map(|store| ["guard-", store.name()].concat());
        assert_eq!(keys, [&texts[..], &stores[..]].concat());
        for (kind, text) in offered.iter().zip(Text::ALL) {
            assert_eq!(kind.extension, text.ending());
        }
    }

    #[test]
    fn a_file_is_called_after_the_title() {
        assert_eq!(file_name("Paused worker: A’s report!", "json"), "paused-worker-a-s-report.json");
        assert_eq!(file_name("../../etc/passwd\0", "md"), "etc-passwd.md");
        assert_eq!(file_name("", "svg"), "scenario.svg");
        assert_eq!(file_name(&"x".repeat(100), "svg"), "scenario.svg");
        assert!(file_name(&"word ".repeat(100), "svg").len() < 80);
    }
}
