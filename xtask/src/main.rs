//! The project's own commands: set-up, serve, build and test.
//!
//! They are Rust and use nothing but the standard library, so that a machine with git and Rust can run them seconds after a clone.
//! Whatever else is needed (Trunk, wasm-bindgen's programs, a browser) is found or installed by [`setup`], with a word on why.

mod axe;
mod bench;
mod browser;
mod build;
mod bundle;
mod count;
mod debian;
mod docs;
mod npm;
mod options;
mod parts;
mod recipes;
mod report;
mod serve;
mod setup;
mod shell;
mod stores;
mod tool;

use std::process::ExitCode;

use options::Command;
use shell::Failure;

fn main() -> ExitCode {
    let outcome = match options::parse(std::env::args().skip(1)) {
        Ok(Command::Help) => {
            print!("{}", options::HELP);
            Ok(true)
        }
        Ok(Command::Serve(options)) => serve::serve(&options).map(|()| true),
        Ok(Command::Build) => build_page().map(|()| true),
        Ok(Command::Bundle(out)) => bundle::bundle(out.as_deref()).map(|()| true),
        Ok(Command::Npm) => npm::npm().map(|()| true),
        Ok(Command::Docs) => docs::docs().map(|()| true),
        Ok(Command::Recipes { install }) => recipes::recipes(install).map(|()| true),
        Ok(Command::Bench) => bench::bench().map(|()| true),
        Ok(Command::Test(options)) => Ok(parts::test(&options)),
        Err(failure) => Err(failure),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn build_page() -> Result<(), Failure> {
    setup::wasm_target()?;
    setup::fetch()?;
    build::release(&setup::trunk()?, &setup::wasm_bindgen()?)?;
    println!("The page is in dist/. Any static file server can serve it.");
    Ok(())
}
