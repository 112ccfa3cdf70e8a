//! `cargo xtask test`: everything that a change has to pass, part by part.
//!
//! A part that fails does not stop the others. A part that cannot run fails: nothing is skipped in silence.
//!
//! The browser tests are compiled in the release profile. They share all compiled libraries with the page, which is built in that
//! profile for publication, and so they also test the code that ships.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::axe;
use crate::browser::Browser;
use crate::build;
use crate::bundle;
use crate::count::Count;
use crate::docs;
use crate::npm;
use crate::options::TestOptions;
use crate::report::{self, Outcome};
use crate::setup::{self, WASM};
use crate::shell::{self, Failure};
use crate::stores;

/// One thing that a change has to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The source is formatted.
    Format,
    /// Clippy finds nothing in what runs on this machine.
    Lint,
    /// Clippy finds nothing in what runs in a browser.
    LintPage,
    /// Tests that run on this machine, and the examples in the documentation.
    Native,
    /// Guard code on real data stores; only when it is asked for.
    Stores,
    /// The page's own tests, in a browser.
    Page,
    /// The engine's cases, in a browser: there it gives what it gives here.
    EngineInBrowser,
    /// The page can be built for publication.
    Build,
    /// The documentation can be built, and what it claims is true.
    Docs,
    /// What a person does, done at the built page.
    EndToEnd,
}

impl Part {
    /// Every part, in the order they run: what fails fast comes first.
    pub const ALL: [Self; 10] = [
        Self::Format,
        Self::Lint,
        Self::Native,
        Self::Stores,
        Self::LintPage,
        Self::Build,
        Self::Page,
        Self::EngineInBrowser,
        Self::Docs,
        Self::EndToEnd,
    ];

    /// Its name, on the command line and in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lint => "lint",
            Self::LintPage => "lint-page",
            Self::Native => "native",
            Self::Stores => "stores",
            Self::Page => "page",
            Self::EngineInBrowser => "engine-in-browser",
            Self::Build => "build",
            Self::Docs => "docs",
            Self::EndToEnd => "e2e",
        }
    }
}

/// Runs the tests, shows what they found, and gives whether all is well.
pub fn test(options: &TestOptions) -> bool {
    // The end-to-end tests test the page and the documentation as they are now, not as they were built last week.
    let wanted = |part: &Part| {
        let needed = matches!(part, Part::Build | Part::Docs) && options.only.contains(&Part::EndToEnd);
        options.only.is_empty() || options.only.contains(part) || needed
    };
    let mut parts: Vec<Part> = Part::ALL.into_iter().filter(wanted).collect();
    // Servers are a lot to ask of a machine: whoever wants them says so. The table tells when they were left out.
    if !options.stores && options.only.is_empty() {
        parts.retain(|part| *part != Part::Stores);
        println!("Guard code is not run on real data stores: that is `--stores`.");
    }
    let start = Instant::now();
    let machine = Machine::set_up(&parts, options);
    let mut outcomes = Vec::new();
    for part in parts {
        if part == Part::EndToEnd {
            for browser in &options.browsers {
                let name = format!("{} ({})", part.name(), browser.name());
                outcomes.push(timed(&name, || machine.run(part, *browser)));
            }
        } else {
            outcomes.push(timed(part.name(), || machine.run(part, Browser::Chromium)));
        }
    }
    println!("\n=== {} s in all, with the set-up ===\n{}", start.elapsed().as_secs(), report::table(&outcomes));
    outcomes.iter().all(|outcome| outcome.count.failed == 0)
}

/// A count, and what is wrong if the count does not say it.
type Found = (Count, Option<String>);

fn timed(name: &str, part: impl FnOnce() -> Result<Found, Failure>) -> Outcome {
    println!("\n=== {name} ===");
    let start = Instant::now();
    let (count, reason) = part().unwrap_or_else(|failure| {
        println!("{name} cannot run: {failure}");
        (Count::step(false), Some(failure.to_string()))
    });
    Outcome { name: name.to_owned(), count, time: start.elapsed(), reason }
}

/// What the parts need of this machine. Each need that could not be met fails the parts that have it, and only those.
struct Machine {
    wasm: Result<(), Failure>,
    trunk: Result<PathBuf, Failure>,
    wasm_bindgen: Result<PathBuf, Failure>,
    drivers: Vec<(Browser, Result<PathBuf, Failure>)>,
    /// Real data stores.
    stores: Result<(), Failure>,
    /// What runs a run's evidence.
    python: Result<(), Failure>,
    /// What builds the documentation.
    mdbook: Result<PathBuf, Failure>,
    /// What finds obstacles in the page.
    axe: Result<PathBuf, Failure>,
    /// The page in `dist/` is that of this run.
    built: Cell<bool>,
    /// End-to-end tests at once.
    threads: usize,
}

impl Machine {
    /// Sets up what these parts need, all of it before the first part runs: a person can answer sudo and then leave.
    fn set_up(parts: &[Part], options: &TestOptions) -> Self {
        let any = |needing: &[Part]| parts.iter().any(|part| needing.contains(part));
        let unless_needed = || Failure::new("not set up, because no part needed it");
        let page = any(&[Part::LintPage, Part::Page, Part::EngineInBrowser, Part::Build, Part::EndToEnd]);
        let browser_tests = any(&[Part::Page, Part::EngineInBrowser]);
        let mut browsers = if any(&[Part::EndToEnd]) { options.browsers.clone() } else { Vec::new() };
        if browser_tests && !browsers.contains(&Browser::Chromium) {
            browsers.push(Browser::Chromium);
        }
        Self {
            // First, because this is what may ask for a password.
            drivers: browsers.into_iter().map(|browser| (browser, browser.ready())).collect(),
            python: if any(&[Part::Native]) { setup::python() } else { Err(unless_needed()) },
            stores: if any(&[Part::Stores]) { stores::ready() } else { Err(unless_needed()) },
            wasm: if page { setup::wasm_target().and_then(|()| setup::fetch()) } else { Err(unless_needed()) },
            trunk: if any(&[Part::Build]) { setup::trunk() } else { Err(unless_needed()) },
            wasm_bindgen: if any(&[Part::Build]) || browser_tests {
                setup::wasm_bindgen()
            } else {
                Err(unless_needed())
            },
            mdbook: if any(&[Part::Docs]) { setup::mdbook() } else { Err(unless_needed()) },
            axe: if any(&[Part::EndToEnd]) { axe::script() } else { Err(unless_needed()) },
            built: Cell::new(false),
            threads: options.threads,
        }
    }

    /// Runs a part; in this browser, if it is one that runs in several.
    fn run(&self, part: Part, browser: Browser) -> Result<Found, Failure> {
        match part {
            Part::Format => Ok(step(&mut [cargo(&["fmt", "--all", "--check"])])),
            // Not `tools`: two programs of one line each, and linting them would compile all of wasm-bindgen a second time.
            Part::Lint => Ok(step(&mut [cargo(&[
                "clippy",
                "--keep-going",
                "--workspace",
                "--exclude=fenceline",
                "--exclude=fenceline-tools",
                "--all-targets",
                "--",
                "--deny=warnings",
            ])])),
            Part::LintPage => {
                self.wasm.clone()?;
                // In the release profile, for the same reason as the tests: macros are compiled once.
                let lint = |package: &str, targets: &str| {
                    let package = format!("--package={package}");
                    cargo(&["clippy", "--release", "--target", WASM, &package, targets, "--", "--deny=warnings"])
                };
                let browser = "--test=browser";
                Ok(step(&mut [
                    lint("fenceline", "--all-targets"),
                    lint("fenceline-explorer", "--all-targets"),
                    lint("fenceline-engine", browser),
                    lint("fenceline-bench", browser),
                ]))
            }
            // Not the page: what it does natively is nothing, and it would be compiled once more for that.
            Part::Native => {
                // The tests that need it fail by themselves; all others can still be run.
                if let Err(failure) = &self.python {
                    println!("{failure}");
                }
                counted(cargo(&["test", "--no-fail-fast", "--workspace"]).args(
                    ["fenceline", "fenceline-tools", "fenceline-e2e"].map(|package| format!("--exclude={package}")),
                ))
            }
            Part::Stores => {
                self.stores.clone()?;
                let servers = stores::Servers::start()?;
                let mut tests = cargo(&[
                    "test",
                    "--no-fail-fast",
                    "--package=fenceline-export",
                    "--features=servers",
                    "--test=servers",
                ]);
                counted(tests.envs(servers.variables.iter().map(|(name, value)| (name, value))))
            }
            Part::Page => self.in_browser(&["--package=fenceline", "--lib", "--test=*"]),
            Part::EngineInBrowser => self.in_browser(&["--package=fenceline-engine", "--test=browser"]),
            Part::Build => {
                self.wasm.clone()?;
                build::release(&self.trunk.clone()?, &self.wasm_bindgen.clone()?)?;
                self.built.set(true);
                Ok((Count::step(true), None))
            }
            Part::Docs => {
                docs::build(self.mdbook.as_deref().map_err(Clone::clone)?)?;
                Ok((Count::step(true), None))
            }
            Part::EndToEnd => self.end_to_end(browser),
        }
    }

    /// A `cargo test` that runs in headless Chromium.
    fn in_browser(&self, targets: &[&str]) -> Result<Found, Failure> {
        self.wasm.clone()?;
        counted(&mut browser_tests(&self.driver(Browser::Chromium)?, &self.wasm_bindgen.clone()?, targets))
    }

    fn driver(&self, browser: Browser) -> Result<PathBuf, Failure> {
        let set_up = self.drivers.iter().find(|(of, _)| *of == browser);
        set_up.map_or_else(|| Err(Failure::new("its browser was not set up")), |(_, driver)| driver.clone())
    }

    /// Tests of the built page, in this browser.
    fn end_to_end(&self, browser: Browser) -> Result<Found, Failure> {
        if !self.built.get() {
            return Err(Failure::new("the page was not built"));
        }
        let driver = self.driver(browser)?;
        let axe = self.axe.clone()?;
        let bundle = bundle::place()?;
        bundle::make(&bundle)?;
        let site = npm::install(&npm::pack()?)?;
        let mut tests = cargo(&["test", "--package=fenceline-e2e", "--test=*", "--no-fail-fast", "--"]);
        tests
            .arg(format!("--test-threads={}", self.threads))
            .env("FENCELINE_BROWSER", browser.name())
            .env("FENCELINE_DRIVER", driver)
            .env("FENCELINE_AXE", axe)
            .env("FENCELINE_BUNDLE", bundle)
            .env("FENCELINE_BOOK", docs::place()?)
            .env("FENCELINE_SITE", site);
        counted(&mut tests)
    }
}

/// A `cargo test` that runs in headless Chromium, with wasm-bindgen's programs in that folder.
pub fn browser_tests(driver: &Path, wasm_bindgen: &Path, targets: &[&str]) -> Command {
    let runner = wasm_bindgen.join(format!("wasm-bindgen-test-runner{}", std::env::consts::EXE_SUFFIX));
    let mut tests = cargo(&["test", "--release", "--no-fail-fast", "--target", WASM]);
    tests
        .args(targets)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .env("CHROMEDRIVER", driver)
        // A driver on PATH or in the environment for another browser would win over Chromium's.
        .env_remove("GECKODRIVER")
        .env_remove("SAFARIDRIVER")
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", shell::root().join("webdriver.json"))
        // A test that forgets `run_in_browser` would run in Node, or in nothing.
        .env("WASM_BINDGEN_TEST_ONLY_WEB", "1")
        // The runner's own limits, 20 and 5 seconds, are too short for a small machine that is busy.
        .env("WASM_BINDGEN_TEST_TIMEOUT", "180")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    tests
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = shell::cargo();
    command.args(arguments);
    command
}

/// Commands that are right or wrong together. All of them run, so that one fix does not uncover the next fault.
fn step(commands: &mut [Command]) -> Found {
    let faults: Vec<_> =
        commands.iter_mut().filter_map(|command| shell::run(command).err()).map(|fault| fault.to_string()).collect();
    (Count::step(faults.is_empty()), (!faults.is_empty()).then(|| faults.join("; ")))
}

/// A command that runs tests and says how many.
fn counted(tests: &mut Command) -> Result<Found, Failure> {
    let mut count = Count::default();
    let ended_well = shell::run_following(tests, |line| count.read(line))?;
    let (count, reason) = count.judge(ended_well);
    Ok((count, reason.map(str::to_owned)))
}
