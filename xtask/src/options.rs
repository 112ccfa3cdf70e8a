//! The command line, read by hand: a few commands with a handful of options do not pay for a parser's compile time.

use crate::browser::Browser;
use crate::parts::Part;
use crate::shell::Failure;

/// What `cargo xtask help` prints.
pub const HELP: &str = "\
cargo xtask serve    build the page, serve it on 127.0.0.1 and rebuild it on every change
    --open           open it in the browser
    --port N         serve on this port (default: the first free one from 8080)
    --release        build it as it is published: slower to build, faster to run
cargo xtask test     run everything a change has to pass
    --browser NAME   where the end-to-end tests run: chromium (default), firefox, webkit or all
    --stores         also run guard code on PostgreSQL, MariaDB and Redis
    --only PART      only this part: format, lint, lint-page, native, stores, page, engine-in-browser, build, docs or
                     e2e; may be repeated
    --threads N      how many end-to-end tests run at once (default: 2)
cargo xtask build    build the page for publication, into dist/
cargo xtask bundle   build the page as one file that opens from a disk, target/bundle/fenceline.html
    --out FILE       write it there
cargo xtask npm      build the npm package of the element, target/npm/fenceline-VERSION.tgz, and install it into a site
cargo xtask docs     build the documentation, with the built page when there is one, and check what it claims
cargo xtask recipes  build the recipes for MkDocs, Sphinx, VitePress and rustdoc, those whose builder is there
    --install        fetch the builders first, from PyPI and npm, into target/recipes
cargo xtask bench    measure what the engine costs, natively and in headless Chromium

Each command first installs what it misses, outside the clone.
";

/// One of the project's commands.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// Print [`HELP`].
    Help,
    /// Serve the page.
    Serve(ServeOptions),
    /// Build the page for publication.
    Build,
    /// Build the page as one file, there.
    Bundle(Option<String>),
    /// Make the npm package.
    Npm,
    /// Build and check the documentation.
    Docs,
    /// Build the recipes for other builders.
    Recipes {
        /// Whether to fetch the builders first.
        install: bool,
    },
    /// Measure.
    Bench,
    /// Run the tests.
    Test(TestOptions),
}

/// How to serve.
#[derive(Debug, Default, PartialEq)]
pub struct ServeOptions {
    /// Open a browser.
    pub open: bool,
    /// The port, or the first free one.
    pub port: Option<u16>,
    /// Build as published.
    pub release: bool,
}

/// What to test.
#[derive(Debug, PartialEq)]
pub struct TestOptions {
    /// Where the end-to-end tests run.
    pub browsers: Vec<Browser>,
    /// The parts to run; empty for all.
    pub only: Vec<Part>,
    /// Whether guard code is run on real data stores.
    pub stores: bool,
    /// End-to-end tests at once.
    pub threads: usize,
}

impl Default for TestOptions {
    fn default() -> Self {
        // Two: a second browser fills the time the first one waits, a third only slows both on a small machine.
        Self { browsers: vec![Browser::Chromium], only: Vec::new(), stores: false, threads: 2 }
    }
}

/// Reads the words after `cargo xtask`.
///
/// # Errors
/// A word that is not known, or a value that is missing or wrong.
pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Command, Failure> {
    let mut words = words.into_iter();
    match words.next().as_deref() {
        None | Some("help" | "--help" | "-h") => Ok(Command::Help),
        Some("serve") => serve(words),
        Some("build") => match words.next() {
            None => Ok(Command::Build),
            Some(word) => Err(unknown("build", &word)),
        },
        Some("npm") => match words.next() {
            None => Ok(Command::Npm),
            Some(word) => Err(unknown("npm", &word)),
        },
        Some("docs") => match words.next() {
            None => Ok(Command::Docs),
            Some(word) => Err(unknown("docs", &word)),
        },
        Some("recipes") => match words.next().as_deref() {
            None => Ok(Command::Recipes { install: false }),
            Some("--install") => Ok(Command::Recipes { install: true }),
            Some(word) => Err(unknown("recipes", word)),
        },
        Some("bundle") => bundle(words),
        Some("bench") => match words.next() {
            None => Ok(Command::Bench),
            Some(word) => Err(unknown("bench", &word)),
        },
        Some("test") => test(words),
        Some(word) => Err(Failure::new(format!("there is no command `{word}`\n\n{HELP}"))),
    }
}

fn bundle(mut words: impl Iterator<Item = String>) -> Result<Command, Failure> {
    let mut out = None;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--out" => out = Some(value("--out", words.next())?),
            _ => return Err(unknown("bundle", &word)),
        }
    }
    Ok(Command::Bundle(out))
}

fn serve(mut words: impl Iterator<Item = String>) -> Result<Command, Failure> {
    let mut options = ServeOptions::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--open" => options.open = true,
            "--release" => options.release = true,
            "--port" => options.port = Some(number("--port", words.next())?),
            _ => return Err(unknown("serve", &word)),
        }
    }
    Ok(Command::Serve(options))
}

fn test(mut words: impl Iterator<Item = String>) -> Result<Command, Failure> {
    let mut options = TestOptions::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--stores" => options.stores = true,
            "--browser" => options.browsers = browsers(&value("--browser", words.next())?)?,
            "--only" => options.only.push(part(&value("--only", words.next())?)?),
            "--threads" => options.threads = number::<usize>("--threads", words.next())?.max(1),
            _ => return Err(unknown("test", &word)),
        }
    }
    Ok(Command::Test(options))
}

fn browsers(name: &str) -> Result<Vec<Browser>, Failure> {
    if name == "all" {
        return Ok(Browser::ALL.to_vec());
    }
    match Browser::ALL.into_iter().find(|browser| browser.name() == name) {
        Some(browser) => Ok(vec![browser]),
        None => Err(Failure::new(format!("`--browser {name}`: give chromium, firefox, webkit or all"))),
    }
}

fn part(name: &str) -> Result<Part, Failure> {
    Part::ALL.into_iter().find(|part| part.name() == name).ok_or_else(|| {
        let names: Vec<_> = Part::ALL.iter().map(|part| part.name()).collect();
        Failure::new(format!("`--only {name}`: the parts are {}", names.join(", ")))
    })
}

fn value(option: &str, word: Option<String>) -> Result<String, Failure> {
    word.ok_or_else(|| Failure::new(format!("`{option}` needs a value")))
}

fn number<N: std::str::FromStr>(option: &str, word: Option<String>) -> Result<N, Failure> {
    let word = value(option, word)?;
    word.parse().map_err(|_| Failure::new(format!("`{option} {word}`: that is not a number in range")))
}

fn unknown(command: &str, word: &str) -> Failure {
    Failure::new(format!("`cargo xtask {command}` has no option `{word}`\n\n{HELP}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned)).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_bare_test_runs_everything_in_chromium() {
        assert_eq!(read("test"), Ok(Command::Test(TestOptions::default())));
    }

    #[test]
    fn all_browsers_are_three() {
        let Ok(Command::Test(options)) = read("test --browser all") else {
            panic!("`--browser all` is an option of test")
        };
        assert_eq!(options.browsers, Browser::ALL);
    }

    #[test]
    fn parts_add_up() {
        let Ok(Command::Test(options)) = read("test --only lint --only e2e") else {
            panic!("`--only` may be repeated")
        };
        assert_eq!(options.only, [Part::Lint, Part::EndToEnd]);
    }

    #[test]
    fn a_wrong_part_names_the_right_ones() {
        let message = read("test --only everything").expect_err("there is no such part");
        assert!(message.contains("engine-in-browser"), "{message}");
    }

    #[test]
    fn a_port_is_a_number() {
        assert!(read("serve --port 80000").is_err());
        assert_eq!(
            read("serve --port 9000"),
            Ok(Command::Serve(ServeOptions { port: Some(9000), ..Default::default() }))
        );
    }

    #[test]
    fn every_part_is_in_the_help() {
        for part in Part::ALL {
            assert!(HELP.contains(part.name()), "{} is not in the help", part.name());
        }
    }
}
