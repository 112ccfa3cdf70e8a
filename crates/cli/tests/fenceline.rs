//! The program as a person runs it: what it prints, where, and with which exit status.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const STORY: &str = include_str!("../../../presets/paused-worker.json");

fn fenceline(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fenceline"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may refuse its arguments and end before it has read anything.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("all output is UTF-8")
}

/// What it printed, for a run that must succeed.
fn printed(arguments: &[&str], input: &[u8]) -> String {
    let output = fenceline(arguments, input);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    text(&output.stdout)
}

/// What it said on standard error, for a run that must be refused.
fn refused(arguments: &[&str], input: &[u8]) -> String {
    let output = fenceline(arguments, input);
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    text(&output.stderr)
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/cases");
    let mut files: Vec<_> =
        folder.read_dir().expect("there are cases").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// A path of its own for a test's file.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn the_story_is_reported_from_the_verdict_to_the_endings() {
    let expected = "\
Paused worker overwrites a newer report
A holds the lease and is paused past its end. B takes over and publishes. Then A wakes up and sends what it had.

Fenced: A’s stale write (41) was rejected — the report remembers 42
A woke 19.8 s after lease 41 ended and sent what it had. B’s newer report is intact.

Guard
  report  newer  token > last_token

Grants
  1  report-lock  A  token 41  from 0.2 s   to 30.2 s (expiry)
  2  report-lock  B  token 42  from 30.2 s  to 60.2 s (expiry)

What happened (time in s)
   0.2  A acquires the lease: token 41, for 30 s
   5.0  A is paused for 45.0 s, in the middle of ‘builds’
  20.2  B asks for the lease and waits: A holds it
  30.2  Lease 41 ends. A is not told
  30.2  B acquires the lease: token 42, for 30 s
  37.4  B sends ‘new report’ with token 42; it takes 1.0 s to arrive
  38.4  B’s ‘new report’ is accepted. The report remembers 42
  50.0  A resumes; lease 41 has ended meanwhile
  50.4  A sends ‘stale report’ with token 41; it takes 1.0 s to arrive
  51.4  A’s ‘stale report’ is rejected: 41 is not above 42
  51.6  A hears the rejection and stops
  60.2  Lease 42 ends

Decisions
  B/3 write, token 42, at report, 38.4 s: accepted, current
    42 > 40 is true, so the write is accepted.
    B held lease 42, granted at 30.2 s. It had 21.8 s left.
  A/3 write, token 41, at report, 51.4 s: rejected (token-older), superseded
    41 > 42 is false, so the write is rejected.
    Lease 41 ended at 30.2 s and was superseded by 42 at 30.2 s. A acted 20.2 s after it ended.

Properties
  no-overwrite    holds
  no-stale-write  holds
  no-lost-update  holds
  at-most-once    holds
  holder-served   holds

Workers
  A  rejected  51.6 s  a write or establish was rejected
  B  finished  38.6 s  every step ended
";
    assert_eq!(printed(&["trace", "-"], STORY.as_bytes()), expected);
}

#[test]
fn a_broken_property_names_the_write_that_broke_it() {
    let unguarded = STORY.replace(r#""id": "report""#, r#""id": "report", "guard": "none""#);
    let report = printed(&["trace", "-"], unguarded.as_bytes());
    for line in [
        "Overwritten: A’s stale write (41) replaced B’s newer report",
        "  report  none  the last writer wins",
        "    overwrites_newer: It replaced B’s ‘new report’, written at 38.4 s under lease 42, granted later.",
        "  no-overwrite    broken by A/3 at 51.4 s",
        "  no-lost-update  holds",
    ] {
        assert!(report.lines().any(|of| of == line), "{line:?} in\n{report}");
    }
}

#[test]
fn the_json_of_every_case_is_what_the_case_expects() {
    let files = cases();
    assert!(files.len() >= 21, "only {} cases", files.len());
    for file in files {
        let case = json(&std::fs::read_to_string(&file).expect("it can be read"));
        let summary = printed(&["trace", "--json", "-"], case["scenario"].to_string().as_bytes());
        assert!(summary.ends_with("}\n"), "{summary}");
        assert_eq!(json(&summary), case["expect"], "{}", file.display());
    }
}

#[test]
fn a_scenario_is_read_from_a_file() {
    let file = scratch("story.json");
    std::fs::write(&file, STORY).expect("it can be written");
    let path = file.to_str().expect("the path is UTF-8");
    assert_eq!(printed(&["trace", path], b""), printed(&["trace", "-"], STORY.as_bytes()));
    assert_eq!(printed(&["trace", path, "--json"], b""), printed(&["trace", "-", "--json"], STORY.as_bytes()));
}

#[test]
fn a_bad_document_is_refused_with_one_line_for_each_error() {
    let bad = r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "0s" }], "resources": [{ "id": "report", "gaurd": "none" }],
                   "workers": [{ "id": "A", "plan": [{ "do": "acquire", "lease": "lok" }] }] }"#;
    let told = refused(&["trace", "-"], bad.as_bytes());
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    for (line, path, found) in [
        (lines[0], "/leases/0/ttl: ", "0s"),
        (lines[1], "/resources/0", "gaurd"),
        (lines[2], "/workers/0/plan/0/lease: ", "lok"),
    ] {
        assert!(line.starts_with(path) && line.contains(found) && line.contains(", allowed: "), "{line}");
    }
}

#[test]
fn what_is_no_document_at_all_is_refused_in_one_line() {
    let large = vec![b' '; (1 << 20) + 1];
    let documents: [(&[u8], &str); 5] = [
        (b"", "/: found "),
        (b"{", "/: found "),
        (b"[1, 2]", "/: found "),
        (b"{\"title\": \"\xff\"}", "/: found a byte that is not UTF-8 at offset 11, allowed: JSON text in UTF-8\n"),
        (&large, "/: found more than 1 MiB, allowed: a document of at most 1 MiB\n"),
    ];
    for (document, expected) in documents {
        let told = refused(&["trace", "-"], document);
        assert!(told.starts_with(expected) && told.lines().count() == 1, "{told}");
    }
}

#[test]
fn a_file_that_claims_something_is_run_as_the_scenario_that_it_holds() {
    let file = cases().remove(0);
    let case = json(&std::fs::read_to_string(&file).expect("it can be read"));
    let scenario = case["scenario"].to_string();
    let path = file.to_str().expect("the path is UTF-8");
    assert_eq!(printed(&["trace", path], b""), printed(&["trace", "-"], scenario.as_bytes()));
    let claiming = scenario.replacen('{', r#"{ "expect": { "verdict": "nonsense" }, "#, 1);
    assert_eq!(printed(&["trace", path], b""), printed(&["trace", "-"], claiming.as_bytes()));
}

#[test]
fn a_block_is_rendered_with_its_guard_its_caption_and_its_colours() {
    let block = br#"{ "preset": "paused-worker", "guard": "none", "caption": "Nobody compares", "theme": "dark" }"#;
    let picture = printed(&["render", "-"], block);
    assert!(picture.contains("<title>Nobody compares</title><desc>Overwritten: "), "{picture}");
    let themed = |theme| printed(&["render", "-", "--theme", theme], block);
    assert_eq!(picture, themed("dark"));
    assert_ne!(picture, themed("light"), "who asks for a theme gets it");
    let told = refused(&["render", "-"], br#"{ "preset": "nonsense", "theme": "blue" }"#);
    assert_eq!(told.lines().count(), 2, "{told}");
}

#[test]
fn a_run_of_too_many_events_is_refused() {
    let endless = r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "1h" }],
        "workers": [{ "id": "A", "renew_every": "1ms",
                      "plan": [{ "do": "acquire", "lease": "lock" }, { "do": "work", "for": "1h" }] }] }"#;
    let told = refused(&["trace", "-"], endless.as_bytes());
    assert!(told.contains("100000 events") && told.lines().count() == 1, "{told}");
}

#[test]
fn windows_without_number_end_with_where_it_stopped_and_why() {
    // Work of a year with a renewal a second: each second more is one renewal more, and each run longer than the last.
    let endless = br#"{ "version": 1, "leases": [{ "id": "l", "ttl": "30s" }], "resources": [{ "id": "r" }],
        "workers": [{ "id": "A", "renew_every": "1s", "plan": [{ "do": "acquire", "lease": "l" },
            { "do": "work", "for": "10s" }, { "do": "write", "resource": "r", "value": "v" }] }] }"#;
    let asked = ["windows", "-", "--knob", "/workers/0/plan/1/for", "--from", "0s", "--to", "365d"];
    let told = printed(&asked, endless);
    assert!(told.contains("A/3: accepted, current"), "{told}");
    assert!(told.contains("\nStopped at ") && told.contains("short of 365d"), "{told}");
    let told = json(&printed(&[&asked[..], &["--json"]].concat(), endless));
    let stop = told["stopped_at_us"].as_u64().expect("it says where it stopped");
    assert_eq!(told["windows"][0]["to_us"].as_u64(), Some(stop), "all up to there is one window");
    let short = ["windows", "-", "--knob", "/workers/0/plan/1/for", "--from", "0s", "--to", "1m", "--json"];
    assert!(json(&printed(&short, endless)).get("stopped_at_us").is_none());
}

#[test]
fn nothing_of_a_document_reaches_the_terminal_raw() {
    let title = r"\u001b]0;owned\u0007 \u202etitle";
    let report = printed(&["trace", "-"], STORY.replace("Paused worker overwrites", title).as_bytes());
    assert!(report.starts_with(r"\u{1b}]0;owned\u{7} \u{202e}title a newer report"), "{report}");
    let guarded = STORY.replace(r#""id": "report""#, r#""id": "report", "guard": "newer""#);
    let told = refused(&["trace", "-"], guarded.replace("\"newer\"", r#""\u001b[2Jnewer""#).as_bytes());
    let told_key = refused(&["trace", "-"], guarded.replace("\"guard\"", r#""\u001b[2J\nguard""#).as_bytes());
    let told_command = refused(&["\u{1b}[2J"], b"");
    let summary = printed(&["trace", "--json", "-"], STORY.replace("new report", r"\u001b[2J\u009b").as_bytes());
    assert!(summary.contains(r#""value": "\u001b[2J\u009b""#), "{summary}");
    for text in [report, told, told_key, told_command, summary] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_refused_with_the_reason() {
    let told = refused(&["trace", "no/such/file.json"], b"");
    assert!(told.starts_with("fenceline: cannot read no/such/file.json: ") && told.lines().count() == 1, "{told}");
    assert!(refused(&["trace", env!("CARGO_MANIFEST_DIR")], b"").starts_with("fenceline: cannot read "));
}

#[test]
fn wrong_usage_is_refused_with_the_usage() {
    for arguments in [
        &[][..],
        &["trace"],
        &["trce", "-"],
        &["trace", "-", "-"],
        &["trace", "-", "--jsn"],
        &["--json"],
        &["render", "-", "--theme", "sepia"],
        &["render", "-", "--width", "0"],
        &["render", "-", "--width", "wide"],
        &["render", "-", "-o"],
        &["windows", "-", "--knob", "/leases/0/ttl", "--from=-9223372036854775808us", "--to", "1s"],
    ] {
        let told = refused(arguments, b"");
        assert!(told.starts_with("fenceline: "), "{arguments:?}: {told}");
        assert!(told.contains("\nusage: fenceline trace FILE [--json]\n"), "{arguments:?}: {told}");
    }
}

#[test]
fn help_and_version_are_printed() {
    let help = printed(&["--help"], b"");
    assert!(help.contains("fenceline trace FILE [--json]") && help.contains("fenceline render FILE"), "{help}");
    for arguments in [&["-h"][..], &["help"], &["trace", "--help"], &["render", "-", "-h"]] {
        assert_eq!(printed(arguments, b""), help);
    }
    assert_eq!(printed(&["--version"], b""), format!("fenceline {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_a_search_prints_of_a_document_cannot_reach_the_terminal_as_a_command() {
    let document =
        include_str!("../../../presets/paused-worker.json").replace("stale report", "\u{9b}31m\u{202e}\u{7f}");
    let document = document.replace("\"initial\": { \"token\": 40 }", "\"guard\": \"none\"");
    for arguments in [&["search", "-"][..], &["search", "-", "--json"]] {
        let told = printed(arguments, document.as_bytes());
        assert!(told.contains("\\u009b31m\\u202e\\u007f"), "{told}");
        assert!(!told.contains(['\u{9b}', '\u{202e}', '\u{7f}']), "{told:?}");
    }
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    // A report well above what a pipe holds, so that the program must still be writing when the pipe breaks.
    let step = r#"{ "do": "write", "resource": "report", "value": "v" },"#.repeat(250);
    let document = format!(
        r#"{{ "version": 1, "leases": [{{ "id": "lock", "ttl": "1h" }}], "resources": [{{ "id": "report", "guard": "token-seq" }}],
            "workers": [{}] }}"#,
        (0..8)
            .map(|worker| format!(
                r#"{{ "id": "w{worker}", "plan": [{{ "do": "acquire", "lease": "lock" }}, {step} {{ "do": "release", "lease": "lock" }}] }}"#
            ))
            .collect::<Vec<_>>()
            .join(", ")
    );
    let file = scratch("long.json");
    std::fs::write(&file, &document).expect("it can be written");
    assert!(printed(&["trace", "-"], document.as_bytes()).len() > 1 << 17);
    let mut child = Command::new(env!("CARGO_BIN_EXE_fenceline"))
        .arg("trace")
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn render_writes_a_picture_that_says_what_it_shows() {
    let file = scratch("story.svg");
    let path = file.to_str().expect("the path is UTF-8");
    let arguments = ["render", "-", "-o", path, "--theme", "dark", "--width", "900"];
    assert_eq!(printed(&arguments, STORY.as_bytes()), "");
    let picture = std::fs::read_to_string(&file).expect("it was written");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"), "{picture:.200}");
    assert!(picture.contains("width=\"900\""), "{picture:.200}");
    assert!(picture.contains("A’s stale write (41) was rejected"), "{picture:.400}");
    assert_eq!(printed(&["render", "-", "--theme=dark", "--width=900"], STORY.as_bytes()), picture);
    assert_ne!(printed(&["render", "-", "--theme=light", "--width=900"], STORY.as_bytes()), picture);
}

#[test]
fn a_picture_that_cannot_be_written_is_told_with_the_reason() {
    let told = refused(&["render", "-", "-o", "no/such/folder/out.svg"], STORY.as_bytes());
    assert!(told.starts_with("fenceline: cannot write no/such/folder/out.svg: "), "{told}");
}

#[test]
fn the_picture_in_the_readme_is_the_one_that_render_paints() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let preset = format!("{root}/presets/paused-worker.json");
    let painted = Command::new(env!("CARGO_BIN_EXE_fenceline"))
        .args(["render", &preset, "--width", "1000"])
        .output()
        .expect("it runs");
    let kept = std::fs::read(format!("{root}/docs/story.svg")).expect("the picture is in docs/");
    // Not `assert_eq`: it would print both pictures, byte by byte.
    assert!(
        painted.stdout == kept,
        "paint it anew: cargo run -p fenceline-cli -- render presets/paused-worker.json --width 1000 -o docs/story.svg"
    );
}
