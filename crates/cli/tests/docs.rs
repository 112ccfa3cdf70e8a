//! The reference in `docs/`, held against the engine: no field, default, limit, option or statement is told that is not there, and none
//! that is there is left out.
//!
//! What is generated stands between two comments. `FENCELINE_WRITE_DOCS=1 cargo test -p fenceline-cli --test docs` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use fenceline_engine::{Guard, Property, Reason, Scenario, limits};
use fenceline_export::stores::{Expressed, Store, guard_code};
use serde_json::{Value, json};

fn page(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/src").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, text)
}

/// Holds the generated part of a page against what it should be; writes it where that is asked for.
fn assert_generated(name: &str, part: &str, wanted: &str) {
    let (path, text) = page(name);
    let (begin, end) = (format!("<!-- begin: {part} -->\n"), format!("<!-- end: {part} -->"));
    let start = text.find(&begin).expect("the page has the part") + begin.len();
    let stop = text.find(&end).expect("the part ends");
    if std::env::var_os("FENCELINE_WRITE_DOCS").is_some() {
        let whole = [&text[..start], wanted, &text[stop..]].concat();
        fs::write(&path, whole).expect("the page can be written");
        return;
    }
    assert!(
        text[start..stop] == *wanted,
        "docs/src/{name} is not what the program says: FENCELINE_WRITE_DOCS=1 cargo test -p fenceline-cli --test docs"
    );
}

#[test]
fn the_help_on_the_page_is_that_of_the_program() {
    let output = Command::new(env!("CARGO_BIN_EXE_fenceline")).arg("--help").output().expect("it runs");
    let help = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(help.contains("Usage:"), "{help}");
    assert_generated("command-line.md", "help", &format!("\n```text\n{help}```\n\n"));
}

#[test]
fn the_guard_code_on_the_page_is_that_of_the_stores() {
    let mut out = String::from("\n| |");
    for guard in Guard::ALL {
        let _ = write!(out, " `{guard}` |");
    }
    out.push('\n');
    out.push_str(&"| --- ".repeat(Guard::ALL.len() + 1));
    out.push_str("|\n");
    for store in Store::ALL {
        let _ = write!(out, "| [{}](#{}) |", store.label(), store.name());
        for guard in Guard::ALL {
            let word = match guard_code(store, guard).expressed {
                Expressed::AtOnce => "yes",
                Expressed::ByTryingAgain => "in a loop",
                Expressed::WithARace => "a race",
                Expressed::InPart => "in part",
                Expressed::Not => "no",
            };
            let _ = write!(out, " {word} |");
        }
        out.push('\n');
    }
    out.push_str(
        "\n*yes*: in one atomic step. *in a loop*: read, compare, swap if nothing changed, else again. *a race*: in two steps, which is what \
         this guard is. *in part*: as far as the notes beside the code say.\n",
    );
    for store in Store::ALL {
        let _ = write!(out, "\n## {} {{#{}}}\n", store.label(), store.name());
        let language = match store {
            Store::Sqlite | Store::Postgresql | Store::Mysql => "sql",
            Store::Mongodb => "javascript",
            Store::Redis => "lua",
            Store::Dynamodb | Store::Etcd | Store::S3 => "text",
        };
        for guard in Guard::ALL {
            let text = guard_code(store, guard).to_text();
            assert!(!text.contains("```"), "the code does not end its block");
            let _ = write!(out, "\n### {}: {guard}\n\n```{language}\n{text}```\n", store.label());
        }
    }
    out.push('\n');
    assert_generated("guard-code.md", "guard-code", &out);
}

/// A document with one of each thing.
fn everything() -> Value {
    let send = json!([{ "delay": "1s" }]);
    json!({
        "version": 1, "network": {},
        "leases": [{ "id": "l", "ttl": "1s", "tokens": {}, "failovers": [{ "at": "0s", "next": 1 }] }],
        "resources": [{ "id": "r", "initial": {} }],
        "workers": [{
            "id": "A", "clock": {}, "pauses": [{ "at": "9s", "for": "1s" }],
            "plan": [
                { "do": "acquire", "lease": "l", "sends": send, "retry": { "after": "1s", "attempts": 2 } },
                { "do": "work", "for": "1s" },
                { "do": "until", "at": "1s" },
                { "do": "check", "lease": "l" },
                { "do": "read", "resource": "r" },
                { "do": "establish", "resource": "r" },
                { "do": "write", "resource": "r", "value": "v" },
                { "do": "release", "lease": "l" },
            ],
        }],
    })
}

/// The headings of the reference with a table of fields, and where in the document such an object stands.
const OBJECTS: [(&str, &str); 19] = [
    ("document", ""),
    ("network", "/network"),
    ("lease", "/leases/0"),
    ("tokens", "/leases/0/tokens"),
    ("failover", "/leases/0/failovers/0"),
    ("resource", "/resources/0"),
    ("initial", "/resources/0/initial"),
    ("worker", "/workers/0"),
    ("clock", "/workers/0/clock"),
    ("pause", "/workers/0/pauses/0"),
    ("acquire", "/workers/0/plan/0"),
    ("work", "/workers/0/plan/1"),
    ("until", "/workers/0/plan/2"),
    ("check", "/workers/0/plan/3"),
    ("read", "/workers/0/plan/4"),
    ("establish", "/workers/0/plan/5"),
    ("write", "/workers/0/plan/6"),
    ("release", "/workers/0/plan/7"),
    ("send", "/workers/0/plan/0/sends/0"),
];
const RETRY: (&str, &str) = ("retry", "/workers/0/plan/0/retry");

/// The rows of the tables below each heading, cell by cell.
fn tables(text: &str) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut tables: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    let mut heading = String::new();
    for line in text.lines() {
        if line.starts_with('#') {
            line.trim_start_matches('#').trim().clone_into(&mut heading);
        } else if let Some(row) = line.strip_prefix("| ").and_then(|row| row.strip_suffix(" |"))
            && !row.starts_with("---")
            && !row.starts_with("field |")
        {
            let cells = row.split(" | ").map(str::to_owned).collect();
            tables.entry(heading.clone()).or_default().push(cells);
        }
    }
    tables
}

/// The document with one field of one object set, or taken out.
fn with(place: &str, field: &str, value: Option<&Value>) -> String {
    let mut document = everything();
    let object = document.pointer_mut(place).and_then(Value::as_object_mut).expect("the object is there");
    match value {
        Some(value) => object.insert(field.to_owned(), value.clone()),
        None => object.remove(field),
    };
    document.to_string()
}

fn inside(backticks: &str) -> Option<&str> {
    backticks.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'))
}

#[test]
fn every_field_of_the_format_stands_in_the_reference_and_no_other() {
    let tables = tables(&page("scenario.md").1);
    for (heading, place) in OBJECTS.into_iter().chain([RETRY]) {
        let rows = tables.get(heading).unwrap_or_else(|| panic!("there is no table below {heading}"));
        let mut told: Vec<&str> = rows.iter().filter_map(|row| inside(&row[0])).collect();
        let errors = Scenario::from_json(&with(place, "?", Some(&json!(1)))).expect_err("the field is not known");
        let allowed = &errors.iter().find(|error| error.path == format!("{place}/?")).expect("it says where").allowed;
        let (_, known) = allowed.split_once("field").expect("it says which are known");
        let mut known: Vec<&str> = known.trim_start_matches('s').trim().split(", ").collect();
        told.sort_unstable();
        known.sort_unstable();
        assert_eq!(told, known, "the fields of {heading}");
    }
}

#[test]
fn what_holds_without_a_field_is_what_the_reference_says() {
    let tables = tables(&page("scenario.md").1);
    assert!(Scenario::from_json(&everything().to_string()).is_ok(), "it can be read");
    for (heading, place) in OBJECTS.into_iter().chain([RETRY]) {
        for row in &tables[heading] {
            let (field, left_out) = (inside(&row[0]).expect("a field in backticks"), row[1].as_str());
            if left_out == "required" {
                let without = Scenario::from_json(&with(place, field, None)).expect_err("it is required");
                assert!(without.iter().any(|error| error.path == format!("{place}/{field}")), "{heading} {field}");
            } else if let Some(default) = inside(left_out) {
                let value: Value = serde_json::from_str(default).expect("a default is JSON");
                let given = Scenario::from_json(&with(place, field, Some(&value)));
                assert_eq!(given, Scenario::from_json(&with(place, field, None)), "{heading} {field}");
            } else {
                assert!(!left_out.starts_with('`'), "{heading} {field}: {left_out}");
                assert!(Scenario::from_json(&with(place, field, None)).is_ok(), "{heading} {field} may be left out");
            }
        }
    }
}

#[test]
fn the_limits_of_the_reference_are_those_of_the_engine() {
    let tables = tables(&page("scenario.md").1);
    let days = fenceline_engine::scenario::MAX_MICROS / 86_400_000_000;
    for (what, limit) in [
        ("workers", limits::MAX_WORKERS.to_string()),
        ("leases", limits::MAX_LEASES.to_string()),
        ("resources", limits::MAX_RESOURCES.to_string()),
        ("steps of a worker", limits::MAX_STEPS.to_string()),
        ("pauses of a worker", limits::MAX_PAUSES.to_string()),
        ("copies of an attempt", limits::MAX_COPIES.to_string()),
        ("characters of an id", limits::MAX_ID_CHARS.to_string()),
        ("attempts of a retry", limits::MAX_ATTEMPTS.to_string()),
        ("a time or a duration", format!("{days} days")),
        ("events of a run", "100,000".into()),
        ("bytes of a document", "1,048,576".into()),
    ] {
        let row = tables["Limits"].iter().find(|row| row[0] == what).unwrap_or_else(|| panic!("{what} is missing"));
        assert_eq!(row[1], limit, "{what}");
    }
    assert_eq!(limits::MAX_DOCUMENT_BYTES, 1_048_576);
}

#[test]
fn every_guard_property_and_reason_is_explained() {
    let (scenario, guards) = (page("scenario.md").1, page("guards.md").1);
    let has_row = |text: &str, name: &str| text.lines().any(|line| line.starts_with(&format!("| `{name}` |")));
    for guard in Guard::ALL {
        assert!(has_row(&guards, guard.name()), "{guard}");
    }
    for property in Property::ALL {
        assert!(has_row(&scenario, property.name()), "{}", property.name());
    }
    for reason in Reason::ALL {
        assert!(has_row(&scenario, reason.name()), "{}", reason.name());
    }
}
