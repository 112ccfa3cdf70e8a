//! What the tests of the figure share: the stories that they draw, at which widths, and what of a drawing they look at.
#![allow(dead_code, reason = "each test program uses its own part of it")]

use std::fs;
use std::path::Path;

use fenceline_engine::scenario::{Exchange, Guard, Resource, Send, Step, Worker, Write};
use fenceline_engine::{Scenario, Trace, run};
use fenceline_figure::{Scene, Shape, TimeWindow, View, fit, scene};

/// The widths at which pictures are drawn.
pub const WIDTHS: [f32; 7] = [1396.0, 1240.0, 1000.0, 760.0, 700.0, 360.0, 240.0];

/// One story: its name, its scenario, its run.
pub struct Story {
    pub name: String,
    pub scenario: Scenario,
    pub trace: Trace,
}

impl Story {
    pub fn new(name: &str, document: &str) -> Self {
        let scenario = Scenario::from_json(document).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let trace = run(&scenario).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        Self { name: name.to_owned(), scenario, trace }
    }
}

/// The story that the page opens on.
pub fn seed() -> Story {
    Story::new("paused-worker", include_str!("../../../../presets/paused-worker.json"))
}

/// All stories: those of this file, every preset, every worked case.
pub fn stories() -> Vec<Story> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut stories = vec![crowd(), traffic()];
    for folder in ["presets", "crates/engine/cases"] {
        let entries = fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|end| end == "json"));
        files.sort();
        for path in files {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let json: serde_json::Value =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            // A case has its scenario inside, beside what is expected of it; the list of the presets is neither.
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            match json.get("scenario") {
                Some(scenario) => stories.push(Story::new(&name, &scenario.to_string())),
                None if json.get("workers").is_some() => stories.push(Story::new(&name, &text)),
                None => {}
            }
        }
    }
    assert!(stories.len() > 22, "the presets and the cases were found");
    stories
}

/// So many writes of 64 workers, each with its 8 copies, that all arrive at the instant 0.
pub fn at_one_instant(writes: usize) -> Story {
    let copies = Exchange { sends: vec![Send { copies: vec![0; 8], ..Send::default() }], retry: None };
    let write = Step::Write(Write { wait: false, token: Some(1), exchange: copies, ..Write::new("report", "v") });
    let worker = |number: usize| Worker {
        id: format!("writer-{number}"),
        plan: vec![write.clone(); writes / 64],
        ..Worker::default()
    };
    let resource = Resource { guard: Guard::None, ..Resource::new("report") };
    let workers = (0..64).map(worker).collect();
    let scenario = Scenario { resources: vec![resource], workers, ..Scenario::default() };
    let trace = run(&scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
    Story { name: "at one instant".into(), scenario, trace }
}

/// Many writes that arrive at one instant: nothing else makes labels fight so hard for room.
pub fn crowd() -> Story {
    let writers: Vec<String> = (0..24)
        .map(|number| {
            format!(
                r#"{{ "id": "writer-{number}", "starts": "{}ms", "plan": [
                    {{ "do": "write", "resource": "a long name for a report", "value": "value number {number}",
                       "token": {}, "sends": [{{ "delay": "{}ms" }}] }} ] }}"#,
                number * 10,
                (number * 7) % 24,
                5_000 - number * 10
            )
        })
        .collect();
    let document = format!(
        r#"{{ "version": 1, "resources": [{{ "id": "a long name for a report" }}], "workers": [{}] }}"#,
        writers.join(",")
    );
    Story::new("crowd", &document)
}

/// Heartbeats, losses, copies, a crash, a release, two leases and two resources in one story.
pub fn traffic() -> Story {
    Story::new(
        "traffic",
        r#"{ "version": 1, "network": { "delay": "300ms" },
          "leases": [
            { "id": "first", "ttl": "6s", "lock_delay": "2s" },
            { "id": "second", "ttl": "9s", "failovers": [{ "at": "7s", "next": 90, "forgets_holder": false }] } ],
          "resources": [
            { "id": "report", "guard": "check-then-write", "initial": { "token": 40, "value": "initial" } },
            { "id": "ledger", "guard": "token-seq", "restarts": ["8s"], "remembers": "in-memory" } ],
          "workers": [
            { "id": "A", "renew_every": "2s", "renewal_sends": [{}, { "lost": true }, { "reply_lost": true }],
              "plan": [
                { "do": "acquire", "lease": "first" }, { "do": "acquire", "lease": "second" },
                { "do": "read", "resource": "ledger" },
                { "do": "work", "for": "3s", "label": "a long label that will never fit into its block" },
                { "do": "write", "resource": "report", "value": "from A" },
                { "do": "write", "resource": "ledger", "value": "entry", "wait": false,
                  "sends": [{ "lost": true, "copies": ["1s", "2s", "2100ms"] }] },
                { "do": "until", "at": "14s" }, { "do": "check", "lease": "first" } ],
              "pauses": [{ "at": "9s", "for": "2s" }, { "at": "11s", "for": "1s" }, { "at": "12s", "for": "0s" }] },
            { "id": "a-worker-with-a-long-name", "starts": "1s",
              "plan": [
                { "do": "acquire", "lease": "first" }, { "do": "work", "for": "1s" },
                { "do": "write", "resource": "report", "value": "from the other" },
                { "do": "release", "lease": "first" } ] },
            { "id": "C", "starts": "2s",
              "plan": [{ "do": "acquire", "lease": "second" }, { "do": "work", "for": "10s" }],
              "pauses": [{ "at": "15s", "for": "forever" }] } ] }"#,
    )
}

/// Calls a check with parts of every story, down to a hundredth of it around each decision.
pub fn each_part(check: impl Fn(&Story, &View, &Scene)) {
    for story in stories() {
        let whole = fit(&story.trace).to_us();
        let around = |at: u64, by: u64| TimeWindow::new(at.saturating_sub(by), at + by);
        let mut windows = vec![
            TimeWindow::new(0, whole / 10 + 1),
            TimeWindow::new(whole / 4, whole / 2),
            around(whole / 2, whole / 50),
            TimeWindow::new(whole * 2, whole * 3),
        ];
        windows.extend(story.trace.writes.iter().take(4).map(|verdict| around(verdict.decided_at, whole / 200)));
        if story.name == "paused-worker" {
            windows.extend([TimeWindow::new(29_900_000, 30_300_000), TimeWindow::new(36_000_000, 39_000_000)]);
        }
        let last = story.trace.writes.len().checked_sub(1).map(|last| last as u32);
        for window in windows {
            for width in [1396.0, 1000.0, 360.0] {
                let view = View { window: Some(window), selected_write: last, ..View::live(width) };
                check(&story, &view, &scene(&story.scenario, &story.trace, &view));
            }
        }
    }
}

/// The corners or ends of a shape.
pub fn points_of(shape: &Shape) -> Vec<(f32, f32)> {
    match shape {
        Shape::Rect { at, .. } | Shape::Glyph { at, .. } => vec![(at.x, at.y), (at.right(), at.bottom())],
        Shape::Text(text) => vec![(text.area.x, text.area.y), (text.area.right(), text.area.bottom())],
        Shape::Line { from, to, .. } => vec![*from, *to],
        Shape::Circle { centre: (x, y), r, .. } => vec![(x - r, y - r), (x + r, y + r)],
        Shape::Path { d, .. } => starts_of(d),
    }
}

/// The points at which the parts of a path start.
pub fn starts_of(d: &str) -> Vec<(f32, f32)> {
    let number = |text: &str| text.parse::<f32>().ok();
    d.split('M')
        .skip(1)
        .filter_map(|part| {
            let end = part.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(part.len());
            let (x, y) = part[..end].split_once(' ')?;
            Some((number(x)?, number(y)?))
        })
        .collect()
}
