//! The Python evidence, run by a real Python with its own `SQLite`.

mod common;
/// The engine's own random scenarios, which meet ties and ends of intervals all the time.
#[path = "../../engine/tests/common/generate.rs"]
#[allow(dead_code, reason = "the engine's tests use all of it")]
mod generate;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{HOSTILE, Run, all, hostile, story, under_every_guard};
use fenceline_engine::scenario::{Resource, Step, Worker, Write};
use fenceline_engine::{Guard, Scenario};
use fenceline_export::evidence::{MOST_DECISIONS, NotExpressible, python, rust};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn python3(arguments: &[&str], input: &str) -> Output {
    let started = Command::new("python3")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.unwrap_or_else(|error| {
        panic!("the evidence is run by python3, which cannot be started ({error}): install it (Debian: python3)")
    });
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// Runs one script, and gives what it prints and whether it is content.
fn ran(script: &str) -> (bool, String) {
    let output = python3(&["-X", "utf8", "-W", "error", "-"], script);
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it prints UTF-8")).concat();
    (output.status.success(), text)
}

/// Runs many scripts in one process, each in a name space of its own, and gives what failed.
fn ran_all(folder: &Path) -> String {
    let driver = r"
import contextlib, io, pathlib, runpy, sys
for file in sorted(pathlib.Path(sys.argv[1]).glob('*.py')):
    told, sys.argv = sys.argv, [str(file)]
    sys.stdout.flush()
    printed = io.TextIOWrapper(io.BytesIO(), encoding='utf-8')
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(file), run_name='__main__')
        printed.flush()
        assert b'each as expected' in printed.buffer.getvalue(), 'no summary'
        print('ran', file.name)
    except (Exception, SystemExit) as failure:
        print('FAILED', file.name, repr(failure))
    sys.argv = told
";
    let output = python3(&["-X", "utf8", "-c", driver, folder.to_str().expect("a path in UTF-8")], "");
    let said = String::from_utf8(output.stdout).expect("it prints UTF-8");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    said
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}

/// Writes the evidence of each run that has some, runs all, and gives how many ran.
fn all_decide_as_the_engine(name: &str, runs: &[Run]) -> usize {
    let folder = scratch(name);
    let mut expected = 0;
    for (index, run) in runs.iter().enumerate() {
        match python(&run.scenario, &run.trace) {
            Ok(script) => {
                std::fs::write(folder.join(format!("{index:03}-{}.py", run.name)), script).expect("it is written");
                expected += 1;
            }
            Err(NotExpressible::NothingDecided) => assert!(run.trace.writes.is_empty(), "{}", run.name),
            Err(why) => panic!("{}: {why}", run.name),
        }
    }
    let said = ran_all(&folder);
    let failed: Vec<&str> = said.lines().filter(|line| !line.starts_with("ran ")).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(said.lines().count(), expected);
    expected
}

#[test]
fn sqlite_decides_each_preset_and_case_as_the_engine_does() {
    let ran = all_decide_as_the_engine("as-they-are", &all());
    assert!(ran > 80, "only {ran}");
}

#[test]
fn sqlite_decides_each_preset_under_each_guard_as_the_engine_does() {
    let ran = all_decide_as_the_engine("under-each-guard", &under_every_guard());
    assert!(ran > 280, "only {ran}");
}

#[test]
fn sqlite_decides_random_scenarios_as_the_engine_does() {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = generate::any_scenario();
    let runs: Vec<Run> = (0..400)
        .map(|index| {
            let drawn = strategy.new_tree(&mut runner).expect("a scenario is drawn").current();
            Run::of(&format!("random {index}"), drawn)
        })
        .collect();
    let ran = all_decide_as_the_engine("random", &runs);
    assert!(ran > 200, "only {ran} of them decide anything");
}

#[test]
fn the_script_of_the_story_says_what_it_did() {
    let run = story();
    let (content, said) = ran(&python(&run.scenario, &run.trace).expect("it can be replayed"));
    assert!(content, "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "      38.4 s  B/3  token 42: accepted");
    assert_eq!(lines[1], "      51.4 s  A/3  token 41: rejected");
    assert_eq!(lines[2], "  'report': (token, body) = (42, 'new report')");
    assert!(lines[3].starts_with("2 decisions in SQLite 3."), "{said}");
}

#[test]
fn a_script_whose_expectation_is_wrong_fails_and_names_the_write() {
    let run = story();
    let script = python(&run.scenario, &run.trace).expect("it can be replayed");
    let flipped = script.replace(r#""A/3", "rejected""#, r#""A/3", "accepted""#);
    assert_ne!(flipped, script);
    let (content, said) = ran(&flipped);
    assert!(!content, "{said}");
    assert!(said.contains("A/3 at 51.4 s: expected 'accepted', found 'rejected'"), "{said}");

    let last = r#"ends_as(resource="report", token=42, body="#;
    let other_row = script.replace(last, &[last, "\"not the \" "].concat());
    assert_ne!(other_row, script);
    let (content, said) = ran(&other_row);
    assert!(!content && said.contains("the row of 'report' at the end"), "{said}");
}

#[test]
fn a_script_with_another_guard_fails() {
    let run = story();
    let script = python(&run.scenario, &run.trace).expect("it can be replayed");
    let open = script.replace("     AND token < :token\n", "");
    assert_ne!(open, script);
    let (content, said) = ran(&open);
    assert!(!content, "without its condition the late write gets through: {said}");
}

#[test]
fn a_worker_that_looks_and_gives_up_is_replayed_as_such() {
    let mut scenario = story().scenario;
    scenario.resources[0].guard = Guard::CheckThenWrite;
    let run = Run::of("looks", scenario);
    let script = python(&run.scenario, &run.trace).expect("it can be replayed");
    let (content, said) = ran(&script);
    assert!(content && said.contains("A/3  token 41: gives up"), "{said}");
    let flipped = script.replace("token=41, sends=False", "token=41, sends=True");
    assert_ne!(flipped, script);
    assert!(!ran(&flipped).0);
}

#[test]
fn no_text_of_a_document_becomes_code() {
    let runs: Vec<Run> = HOSTILE.iter().map(|text| hostile(text)).collect();
    assert_eq!(all_decide_as_the_engine("hostile", &runs), HOSTILE.len());
    for (run, text) in runs.iter().zip(HOSTILE) {
        let script = python(&run.scenario, &run.trace).expect("it can be replayed");
        assert!(script.lines().nth(1).is_some_and(|line| line == "# -*- coding: utf-8 -*-"), "{text:?}");
        assert!(!script.contains(['\u{202e}', '\u{0}', '\u{1b}', '\r']), "{text:?}");
    }
}

#[test]
fn a_kept_database_is_a_new_file_and_holds_the_last_row() {
    let folder = scratch("kept");
    let (script, kept) = (folder.join("story.py"), folder.join("kept.db"));
    let run = story();
    std::fs::write(&script, python(&run.scenario, &run.trace).expect("it can be replayed")).expect("it is written");
    let (script, kept) = (script.to_str().expect("UTF-8"), kept.to_str().expect("UTF-8"));
    assert!(python3(&[script, kept], "").status.success());
    let base = rusqlite::Connection::open(kept).expect("it is a database");
    let row: (i64, String) = base
        .query_row("SELECT token, body FROM resources WHERE id = 'report'", [], |row| row.try_into())
        .expect("a row");
    assert_eq!(row, (42, "new report".into()));
    let again = python3(&[script, kept], "");
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("is there already"), "{again:?}");
    let nowhere = folder.join("no such folder").join("kept.db");
    let nowhere = python3(&[script, nowhere.to_str().expect("UTF-8")], "");
    assert_eq!(nowhere.status.code(), Some(1));
    let said = String::from_utf8_lossy(&nowhere.stderr);
    assert!(said.contains("cannot be made: ") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_run_without_a_decision_has_no_evidence() {
    let mut scenario = story().scenario;
    scenario.workers.iter_mut().for_each(|worker| worker.plan.truncate(2));
    let run = Run::of("nothing", scenario);
    let none = python(&run.scenario, &run.trace).expect_err("nothing is decided");
    assert_eq!(none, NotExpressible::NothingDecided);
    assert_eq!(none.to_string(), "no write is decided in this run, so there is nothing to replay");
}

#[test]
fn a_run_of_thousands_of_decisions_has_no_evidence() {
    // Eight workers that write 250 times each are just few enough; one write more is too many.
    let write = |index: usize| Write { wait: false, token: Some(index as u64), ..Write::new("report", "v") };
    let plan: Vec<Step> = (0..250).map(|index| Step::Write(write(index))).collect();
    let worker = |index: usize| Worker { id: format!("worker {index}"), plan: plan.clone(), ..Worker::default() };
    let mut scenario = Scenario {
        resources: vec![Resource::new("report")],
        workers: (0..8).map(worker).collect(),
        ..Scenario::default()
    };
    let most = Run::of("most", scenario.clone());
    assert_eq!(most.trace.writes.len(), MOST_DECISIONS);
    assert!(ran(&python(&most.scenario, &most.trace).expect("it can be replayed")).0);
    scenario.workers[0].plan.push(Step::Write(write(250)));
    let more = Run::of("more", scenario);
    assert_eq!(python(&more.scenario, &more.trace), Err(NotExpressible::TooMany(MOST_DECISIONS + 1)));
    assert_eq!(rust(&more.scenario, &more.trace), Err(NotExpressible::TooMany(MOST_DECISIONS + 1)));
}
