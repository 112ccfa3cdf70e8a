//! `fenceline check` as a person or a workflow runs it: what is found, how it is told, and what `--fix` leaves behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("it can be made");
    folder
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("it can be made");
    fs::write(path, text).expect("it can be written");
}

/// Exit status, standard output and standard error.
fn check(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fenceline"));
    let output = command.current_dir(folder).arg("check").args(arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("all output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// What it prints, for a run that says all on standard output.
fn told(folder: &Path, arguments: &[&str], status: i32) -> String {
    let (code, out, error) = check(folder, arguments);
    assert_eq!((code, error.as_str()), (Some(status), ""), "{out}");
    out
}

const TRUE: &str =
    r#"{ "preset": "paused-worker", "expect": { "writes": [{ "write": "A/3", "decision": "rejected" }] } }"#;
const FALSE: &str =
    r#"{ "preset": "paused-worker", "expect": { "writes": [{ "write": "A/3", "decision": "accepted" }] } }"#;

fn fenced(block: &str) -> String {
    format!("# A page\n\n```fenceline\n{block}\n```\n")
}

#[test]
fn true_claims_pass_and_are_counted() {
    let at = folder("true");
    put(&at, "a.md", &(fenced(TRUE) + &fenced(TRUE)));
    put(&at, "b.json", TRUE);
    assert_eq!(told(&at, &["."], 0), "3 blocks, 3 claims, 0 false\n");
    assert_eq!(told(&at, &["a.md"], 0), "2 blocks, 2 claims, 0 false\n");
}

#[test]
fn a_false_claim_fails_with_its_file_its_line_and_what_is_true() {
    let at = folder("false");
    put(&at, "docs/a.md", &fenced(TRUE));
    put(&at, "docs/b.markdown", &fenced(FALSE));
    let line = "docs/b.markdown:4: A/3: decision: claimed \"accepted\", now \"rejected\" (/expect/writes/0/decision)\n";
    assert_eq!(told(&at, &["."], 1), format!("{line}2 blocks, 2 claims, 1 false\n"));
    assert_eq!(told(&at, &["./docs"], 1), format!("./{line}2 blocks, 2 claims, 1 false\n"));
    assert_eq!(
        told(&at, &["docs", "--format", "github"], 1),
        "::error file=docs/b.markdown,line=4,title=Fenceline%3A false claim::A/3: decision: claimed \"accepted\", now \"rejected\" \
         (/expect/writes/0/decision)\n2 blocks, 2 claims, 1 false\n"
    );
    let json: serde_json::Value = serde_json::from_str(&told(&at, &["--format=json", "docs"], 1)).expect("it is JSON");
    let expected = serde_json::json!({
        "blocks": 2, "claims": 2, "false": 1, "fixed": 0, "left_alone": 0, "errors": [],
        "findings": [{
            "file": "docs/b.markdown", "line": 4, "path": "/expect/writes/0/decision", "what": "A/3: decision",
            "claimed": "\"accepted\"", "now": "\"rejected\"", "fixed": false,
        }],
    });
    assert_eq!(json, expected);
}

#[test]
fn a_fix_writes_what_is_true_and_nothing_else_and_then_all_passes() {
    let at = folder("fix");
    let text = format!(
        "\u{feff}# É\r\n\r\n> - ```fenceline\r\n>   {}\r\n>   ```\r\n\r\n\r\nend",
        FALSE.replace(" \"expect\"", "\r\n>\t \"expect\"")
    );
    put(&at, "a.md", &text);
    put(&at, "true.md", &fenced(TRUE));
    let line = "a.md:5: fixed: A/3: decision: claimed \"accepted\", now \"rejected\" (/expect/writes/0/decision)\n";
    assert_eq!(told(&at, &["--fix", "."], 0), format!("{line}2 blocks, 2 claims, 1 false, 1 fixed\n"));
    let fixed = fs::read_to_string(at.join("a.md")).expect("it is there");
    assert_eq!(fixed, text.replace("accepted", "rejected"));
    assert_eq!(told(&at, &["--fix", "."], 0), "2 blocks, 2 claims, 0 false\n");
    let names: Vec<_> = fs::read_dir(&at).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
    assert_eq!(names.len(), 2, "nothing is left beside them: {names:?}");
}

#[cfg(unix)]
#[test]
fn a_fix_keeps_the_mode_of_a_file_and_the_link_that_led_to_it() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let at = folder("mode");
    put(&at, "real.md", &fenced(FALSE));
    fs::set_permissions(at.join("real.md"), fs::Permissions::from_mode(0o640)).expect("it can be set");
    symlink("real.md", at.join("link.md")).expect("it can be made");
    assert!(told(&at, &["--fix", "link.md"], 0).ends_with("1 fixed\n"));
    assert!(at.join("link.md").is_symlink());
    let mode = fs::metadata(at.join("real.md")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(told(&at, &["real.md"], 0), "1 block, 1 claim, 0 false\n");
}

#[test]
fn a_block_that_cannot_be_read_fails_otherwise_and_is_never_touched() {
    let at = folder("unread");
    let bad = FALSE.replace("\"preset\"", "\"caption\": 3, \"preset\"");
    put(&at, "a.md", &(fenced(&bad) + &fenced(FALSE) + &fenced("{")));
    let line = "a.md:4: /caption: found 3, allowed: a text in double quotes\n";
    let claim = "A/3: decision: claimed \"accepted\", now \"rejected\" (/expect/writes/0/decision)\n";
    let open = "a.md:15: /: found text that is not JSON: the name of a field, in double quotes, is missing, allowed: one JSON object\n";
    assert_eq!(
        told(&at, &["a.md", "--fix"], 2),
        format!(
            "{line}a.md:4: {claim}a.md:9: fixed: {claim}{open}3 blocks, 2 claims, 2 false, 1 fixed; 2 things that cannot be read\n"
        )
    );
    assert_eq!(fs::read_to_string(at.join("a.md")).expect("it is there"), fenced(&bad) + &fenced(TRUE) + &fenced("{"));
}

#[test]
fn a_walk_passes_over_what_is_hidden_built_or_fetched_and_over_other_json() {
    let at = folder("walk");
    for place in [".git/a.md", "target/a.md", "x/node_modules/a.md", ".hidden.md", "a.txt"] {
        put(&at, place, &fenced(FALSE));
    }
    put(&at, "package.json", r#"{ "version": "1.0.0", "name": "other" }"#);
    put(&at, "broken.json", "{ // a comment");
    fs::write(at.join("latin.json"), b"{ \"a\": \"\xe9\" }").expect("it can be written");
    put(&at, "z/a.MD", &fenced(TRUE));
    assert_eq!(told(&at, &["."], 0), "1 block, 1 claim, 0 false; 3 other JSON files left alone\n");
    assert!(told(&at, &["target"], 1).starts_with("target/a.md:4: "), "what is named is checked");
    assert!(told(&at, &["package.json"], 2).contains("package.json:1: /version: found \"1.0.0\""));
}

#[test]
fn a_scenario_that_was_broken_is_not_left_alone() {
    let at = folder("broken");
    let story = include_str!("../../../presets/paused-worker.json");
    put(&at, "story.json", &story.replace("\"leases\":", "\"leases\""));
    put(&at, "typo.json", &story.replace("\"leases\":", "\"laeses\":"));
    let out = told(&at, &["."], 2);
    assert!(out.starts_with("story.json:6: /: found text that is not JSON: a colon is missing"), "{out}");
    assert!(out.contains("\ntypo.json:6: /laeses: found an unknown field \"laeses\""), "{out}");
}

#[test]
fn what_cannot_be_found_or_read_is_told_and_the_rest_is_checked() {
    let at = folder("missing");
    put(&at, "a.md", &fenced(FALSE));
    put(&at, "notes.txt", "");
    fs::write(at.join("bad.md"), b"\xff").expect("it can be written");
    let out = told(&at, &["nowhere", "a.md", "notes.txt", "bad.md"], 2);
    for line in [
        "a.md:4: A/3: decision: ",
        "nowhere: ",
        "notes.txt: only .md, .markdown and .json files are checked",
        "bad.md: a byte that is not UTF-8 at offset 0",
        "1 block, 1 claim, 1 false; 3 things that cannot be read",
    ] {
        assert!(out.lines().any(|told| told.starts_with(line)), "{line}: {out}");
    }
}

#[test]
fn a_block_may_name_a_file_beside_its_own() {
    let at = folder("beside");
    put(
        &at,
        "scenarios/story.json",
        &include_str!("../../../presets/paused-worker.json").replacen('{', "{ \"expect\": {},", 1),
    );
    let block = |file: &str| fenced(&TRUE.replace("\"preset\": \"paused-worker\"", &format!("\"file\": \"{file}\"")));
    put(&at, "docs/a.md", &block("../scenarios/story.json"));
    assert_eq!(told(&at, &["docs"], 0), "1 block, 1 claim, 0 false\n");
    put(&at, "docs/a.md", &(block("story.json") + &block("../docs")));
    let out = told(&at, &["docs"], 2);
    assert!(out.starts_with("docs/a.md:4: /file: found \"story.json\" (it cannot be read: "), "{out}");
    assert!(out.contains("\"../docs\" (it cannot be read: it is not a file)"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_walk_ends_where_links_go_in_circles_and_checks_each_file_once() {
    use std::os::unix::fs::symlink;
    let at = folder("circle");
    put(&at, "a/a.md", &fenced(TRUE));
    symlink("..", at.join("a/up")).expect("it can be made");
    symlink("a.md", at.join("a/same.md")).expect("it can be made");
    symlink("nowhere", at.join("a/dangling.md")).expect("it can be made");
    assert_eq!(told(&at, &[".", "a", "a/a.md"], 0), "1 block, 1 claim, 0 false\n");
    symlink("/dev/zero", at.join("endless.md")).expect("it can be made");
    assert_eq!(told(&at, &["."], 0), "1 block, 1 claim, 0 false\n");
    assert!(told(&at, &["endless.md"], 2).starts_with("endless.md: it is not a file\n"));
}

#[cfg(unix)]
#[test]
fn names_and_texts_can_neither_command_a_terminal_nor_a_workflow() {
    let at = folder("hostile");
    put(&at, "::error::50%,\u{1b}[2J\n.md", &fenced(&FALSE.replace("accepted", "é\\u001b%0A\u{202e}")));
    put(&at, "b.md", &fenced(&TRUE.replace("paused-worker", "\\r\\n::stop-commands::x")));
    for format in ["text", "github", "json"] {
        let out = told(&at, &[".", "--format", format], 2);
        assert!(!out.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{out:?}");
        let commands = out.lines().filter(|line| line.starts_with("::"));
        assert!(commands.clone().all(|line| line.starts_with("::error file=") && format == "github"), "{out}");
        if format == "github" {
            assert_eq!(commands.count(), 2, "{out}");
            assert!(out.contains("::error file=%3A%3Aerror%3A%3A50%25%2C\\u{1b}[2J\\n.md,line=4,"), "{out}");
        }
    }
}

#[test]
fn what_this_repository_claims_in_its_own_documents_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = told(&root, &["README.md", "docs", "presets", "recipes", "crates/engine/cases"], 0);
    let counts: Vec<usize> = out.split(|c: char| !c.is_ascii_digit()).filter_map(|count| count.parse().ok()).collect();
    assert!(counts[0] >= 60 && counts[1] >= 400 && counts[2] == 0, "{out}");
}

#[test]
fn a_command_line_that_is_not_understood_is_refused() {
    let at = folder("usage");
    for arguments in [&[][..], &["--format", "xml", "."], &["--fixx", "."], &["--format"]] {
        let (code, out, error) = check(&at, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(error.starts_with("fenceline: ") && error.contains("fenceline check PATH… [--fix]"), "{error}");
    }
}
