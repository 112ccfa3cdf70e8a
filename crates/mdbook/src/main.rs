//! `mdbook-fenceline`: mdBook's way to figures. A preprocessor that reads a book on standard input and writes it back with each
//! fenced `fenceline` block drawn, its claims checked.
//!
//! ```toml
//! [preprocessor.fenceline]
//! on-error = "fail"                        # or "warn": tell, and go on
//! playground = "https://example.org/"      # where a figure's link leads; without it there is none
//! width = 750                              # of each picture, in pixels
//! ```
//!
//! Invariant: a book with a false claim or an unreadable block is not built unless it says that it may be.

mod book;
mod configuration;
mod html;
mod narrative;
mod sheet;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use fenceline_engine::visible;

const HELP: &str = "\
Draws the fenceline blocks of an mdBook as figures, and fails the build when what a block claims is not true.

mdBook runs it when book.toml has a section [preprocessor.fenceline]. Its settings:
  on-error    fail (the default), or warn: tell what is wrong with a block and go on
  playground  the address that the link under a figure leads to; without it there is no link
  width       the width of each picture in pixels, 320 to 4000; 750 when it is not given

Usage:
  mdbook-fenceline supports RENDERER
  mdbook-fenceline < BOOK
";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    match arguments[..] {
        // Where no figure can be drawn, it is told.
        ["supports", _] => ExitCode::SUCCESS,
        [] => preprocess(),
        ["--help" | "-h" | "help"] => print(HELP),
        ["--version" | "-V"] => print(concat!("mdbook-fenceline ", env!("CARGO_PKG_VERSION"), "\n")),
        _ => fail(["these arguments are not understood; see mdbook-fenceline --help".into()]),
    }
}

fn preprocess() -> ExitCode {
    let (context, book) = match mdbook_preprocessor::parse_input(io::stdin().lock()) {
        Ok(input) => input,
        Err(error) => return fail([format!("standard input is no book of mdBook: {error:#}")]),
    };
    let configuration = match configuration::read(&context) {
        Ok(configuration) => configuration,
        Err(why) => return fail([format!("book.toml: [preprocessor.fenceline]: {why}")]),
    };
    let (book, wrong) = book::drawn(book, &context, &configuration);
    if !wrong.is_empty() && !configuration.goes_on {
        return fail(wrong);
    }
    tell(wrong);
    match serde_json::to_string(&book) {
        Ok(book) => print(&book),
        Err(error) => fail([error.to_string()]),
    }
}

fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail([format!("cannot write to standard output: {error}")]),
    }
}

fn fail(lines: impl IntoIterator<Item = String>) -> ExitCode {
    tell(lines);
    ExitCode::FAILURE
}

/// Lines on standard error, their control characters spelled out.
fn tell(lines: impl IntoIterator<Item = String>) {
    let text: String = lines.into_iter().map(|line| visible(&line) + "\n").collect();
    // There is no other place to tell that standard error is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}
