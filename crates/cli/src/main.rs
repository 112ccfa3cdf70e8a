//! Fenceline on the command line: the same engine as the page, for a terminal, a script and a build.
//!
//! Nothing of a document reaches the terminal raw, and whatever goes wrong is told on standard error with exit status 2; what `check`
//! finds is told where its reader looks, on standard output.

mod args;
mod check;
mod document;
mod explore;
mod export;
mod failure;
mod link;
mod report;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use fenceline_claims::{Colours, Sheet};
use fenceline_engine::{Scenario, Summary, Trace, run, visible};
use fenceline_figure::{Options, Theme, static_svg};

use args::{Command, HELP, VERSION};
use failure::Failure;

fn main() -> ExitCode {
    match Command::parse(std::env::args_os()).and_then(|command| perform(&command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            ExitCode::from(failure.status())
        }
    }
}

fn perform(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Help => print(HELP),
        Command::Version => print(VERSION),
        Command::Trace { file, json } => {
            let (scenario, trace) = run_file(file)?;
            if *json {
                print(&(Summary::new(&scenario, &trace).to_json() + "\n"))
            } else {
                print(&report::report(&scenario, &trace))
            }
        }
        Command::Windows { file, knob, from, to, json } => {
            let (scenario, _) = run_file(file)?;
            print(&explore::windows_of(&scenario, knob, *from..*to, *json)?)
        }
        Command::Margin { file, json } => print(&explore::margins_of(&run_file(file)?.0, *json)),
        Command::Search { file, bounds, json } => print(&explore::search_in(&run_file(file)?.0, *bounds, *json)),
        Command::Check(request) => {
            let (told, outcome) = check::run(request);
            print(&told)?;
            outcome
        }
        Command::Link { file, base } => print(&link::made(run_file(file)?.0, base.as_deref())?),
        Command::ReadLink { link } => {
            let (document, notices) = link::read(link)?;
            for notice in notices {
                eprintln!("fenceline: {}", visible(&notice));
            }
            print(&document)
        }
        Command::Render { file, out, options } => {
            let Sheet { mut scenario, caption, colours, .. } = document::read(file)?;
            let trace = run(&scenario).map_err(Failure::Document)?;
            if let Some(caption) = caption {
                scenario.title = caption;
            }
            let theme = match (options.theme, colours) {
                (Theme::Auto, Colours::Light) => Theme::Light,
                (Theme::Auto, Colours::Dark) => Theme::Dark,
                (asked, _) => asked,
            };
            let picture = static_svg(&scenario, &trace, &Options { theme, ..*options });
            written(&picture, out.as_deref())
        }
        Command::Export { file, text, out } => {
            let (scenario, trace) = run_file(file)?;
            written(&text.of(&scenario, &trace)?, out.as_deref())
        }
    }
}

fn run_file(file: &OsStr) -> Result<(Scenario, Trace), Failure> {
    let scenario = document::read(file)?.scenario;
    let trace = run(&scenario).map_err(Failure::Document)?;
    Ok((scenario, trace))
}

/// Writes a whole text where it is to go.
fn written(text: &str, out: Option<&OsStr>) -> Result<(), Failure> {
    match out {
        Some(out) => fs::write(out, text).map_err(|error| Failure::file("write", out, &error)),
        None => print(text),
    }
}

/// Prints a whole text. A reader that has seen enough (`| head`) is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Io { what: "cannot write to standard output".into(), why: error.to_string() })
        }
        _ => Ok(()),
    }
}
