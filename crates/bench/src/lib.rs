//! The benchmark: what a run, a race window, a race map and a search cost, and how that grows.
//!
//! It exists so that "fast enough" is a number beside its goal. The same measurements run natively and in a browser; each
//! is the median of many samples, and none of them passes or fails: a busy machine is no fault of the code.

pub mod work;

use std::fmt::Write as _;
use std::hint::black_box;

use fenceline_engine::{Bounds, Knob, Model, Progress, RaceMap, Runner, Scenario, Search, run, stretches};
use fenceline_figure::{HandleId, View, scene, strip};

use work::{messages, never_breaks, story, workers};

/// How many samples a figure is the median of.
const SAMPLES: usize = 21;

/// One measured figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// The median, in microseconds.
    pub us: f64,
    /// What it is to stay within, in microseconds.
    pub goal_us: Option<f64>,
}

impl Figure {
    /// One line that a program reads back: `name|microseconds|goal`, each figure marked by its first word.
    pub fn line(&self) -> String {
        let goal = self.goal_us.map_or_else(String::new, |goal| goal.to_string());
        format!("figure|{}|{}|{goal}", self.name, self.us)
    }

    /// The figure of such a line.
    pub fn read(line: &str) -> Option<Self> {
        let mut parts = line.trim().split('|').skip_while(|part| !part.ends_with("figure")).skip(1);
        let (name, us, goal) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { name: name.into(), us: us.parse().ok()?, goal_us: goal.parse().ok() })
    }
}

/// The median time of one of `times` calls, over many samples. `now` is a clock in microseconds.
fn median(now: &dyn Fn() -> f64, times: u32, mut call: impl FnMut()) -> f64 {
    call();
    let mut samples: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let start = now();
            (0..times).for_each(|_| call());
            (now() - start) / f64::from(times)
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[SAMPLES / 2]
}

/// Measures everything. `now` is a clock in microseconds.
pub fn measure(now: &dyn Fn() -> f64) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |name: &str, goal_us: Option<f64>, us: f64| figures.push(Figure { name: name.into(), us, goal_us });
    let story = story();
    add("one run of the story", Some(1.0), run_of(now, &story, 20_000));
    add("one run of the story, told", None, median(now, 500, || drop(black_box(run(black_box(&story))))));
    add("the story's race window, engine alone", None, window(now, &story));
    add("the story's race window, as it is drawn", None, drawn_window(now, &story));
    add("a 400 by 240 race map of the story, rows exact", Some(16_000.0), map(now, &story, 60_000_000));
    add("a search of 1,000,000 schedules", Some(2_000_000.0), search(now));
    for count in [2, 8, 32] {
        add(&format!("one run of {count} workers"), None, run_of(now, &workers(count), 2_000));
    }
    for count in [10, 100, 1_000] {
        add(&format!("one run of {count} messages"), None, run_of(now, &messages(count), 40_000 / count as u32));
    }
    figures
}

fn run_of(now: &dyn Fn() -> f64, scenario: &Scenario, times: u32) -> f64 {
    let Ok(model) = Model::new(scenario) else { return f64::NAN };
    let mut runner = Runner::default();
    median(now, times, || {
        let outcome = runner.run(black_box(&model));
        black_box(outcome.is_ok_and(|outcome| outcome.writes.is_empty()));
    })
}

fn window(now: &dyn Fn() -> f64, story: &Scenario) -> f64 {
    median(now, 500, || drop(black_box(stretches(story, &Knob::PauseFor(0, 0), 0..55_000_000, u64::MAX))))
}

fn drawn_window(now: &dyn Fn() -> f64, story: &Scenario) -> f64 {
    let Ok(trace) = run(story) else { return f64::NAN };
    let scene = scene(story, &trace, &View::live(1_280.0));
    let Some(handle) = scene.handle(HandleId::PauseEnd { worker: 0, pause: 0 }) else { return f64::NAN };
    median(now, 500, || drop(black_box(strip(story, &trace, handle, scene.scale.window()))))
}

fn map(now: &dyn Fn() -> f64, story: &Scenario, width: i64) -> f64 {
    let (Some(x), Some(y)) =
        (Knob::at(story, "/workers/0/pauses/0/for"), Knob::at(story, "/workers/0/plan/2/sends/0/delay"))
    else {
        return f64::NAN;
    };
    // Rows are exact, so that 400 columns cost no more than 4.
    median(now, 3, || {
        let mut map = RaceMap::new(story, x.clone(), 0..width, y.clone());
        for row in 0..240 {
            black_box(map.row(row * 41_667, u64::MAX).parts.len());
        }
    })
}

/// A search to its end in which nothing is found, scaled to a million schedules.
fn search(now: &dyn Fn() -> f64) -> f64 {
    let (scenario, property) = never_breaks();
    let bounds = Bounds { changes: 2, step: 500_000, max: 40_000_000, property: Some(property) };
    let start = now();
    let mut search = Search::new(&scenario, bounds);
    while search.go_on(1_000) == Progress::GoesOn {}
    (now() - start) * 1e6 / search.covered() as f64
}

/// How many allocations a thousand runs of the story make after the first; not counted in a browser.
pub fn allocations() -> Option<u64> {
    let model = Model::new(&story()).ok()?;
    let mut runner = Runner::default();
    runner.run(&model).ok()?;
    counted(move || {
        for _ in 0..1_000 {
            black_box(runner.run(black_box(&model)).is_ok());
        }
    })
}

#[cfg(not(target_arch = "wasm32"))]
#[allow(clippy::unnecessary_wraps, reason = "a browser cannot count")]
fn counted(work: impl FnOnce()) -> Option<u64> {
    Some(allocation_counter::measure(work).count_total)
}

#[cfg(target_arch = "wasm32")]
fn counted(_: impl FnOnce()) -> Option<u64> {
    None
}

/// A table of figures of one place, and of another beside them where there are any.
pub fn table(native: &[Figure], browser: &[Figure]) -> String {
    let mut out = format!("{:<48}{:>12}{:>12}{:>8}{:>12}  {}\n", "", "native", "browser", "ratio", "goal", "");
    for figure in native {
        let other = browser.iter().find(|other| other.name == figure.name);
        let in_browser = other.map_or_else(|| "–".into(), |other| shown(other.us));
        let ratio = other.map_or_else(|| "–".into(), |other| format!("{:.1} ×", other.us / figure.us));
        let goal = figure.goal_us.map_or_else(String::new, shown);
        let slowest = other.map_or(figure.us, |other| other.us.max(figure.us));
        let verdict = match figure.goal_us {
            Some(goal) if slowest <= goal => "met",
            Some(_) => "not met",
            None => "",
        };
        let name = &figure.name;
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name:<48}{:>12}{in_browser:>12}{ratio:>8}{goal:>12}  {verdict}", shown(figure.us));
    }
    out
}

/// A time with three digits and its unit.
fn shown(us: f64) -> String {
    let (value, unit) = match us {
        us if us < 1.0 => (us * 1_000.0, "ns"),
        us if us < 1_000.0 => (us, "µs"),
        us if us < 1_000_000.0 => (us / 1_000.0, "ms"),
        us => (us / 1_000_000.0, "s"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_read_back_from_its_line_also_inside_a_log() {
        let figure = Figure { name: "one run".into(), us: 0.75, goal_us: Some(1.0) };
        assert_eq!(Figure::read(&figure.line()), Some(figure.clone()));
        assert_eq!(Figure::read(&format!("    log: {}", figure.line())), Some(figure));
        let without = Figure { name: "another".into(), us: 3.5, goal_us: None };
        assert_eq!(Figure::read(&without.line()), Some(without));
        assert_eq!(Figure::read("running 1 test"), None);
    }

    #[test]
    fn a_median_is_of_single_calls() {
        let clock = std::cell::Cell::new(0.0);
        let us = median(&|| clock.get(), 10, || clock.set(clock.get() + 2.0));
        assert!((us - 2.0).abs() < 1e-9, "{us}");
    }

    #[test]
    fn times_are_shown_in_the_unit_that_fits() {
        assert_eq!([0.75, 1.5, 16_000.0, 2_000_000.0].map(shown), ["750 ns", "1.50 µs", "16.0 ms", "2.00 s"]);
    }

    #[test]
    fn a_repeated_run_allocates_nothing() {
        assert_eq!(allocations(), Some(0));
    }
}
