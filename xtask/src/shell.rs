//! Running other programs, and saying in plain words what went wrong.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why something could not be done: one sentence or more, for a person.
#[derive(Debug, Clone)]
pub struct Failure(String);

impl Failure {
    /// A failure with this explanation.
    pub fn new(explanation: impl Into<String>) -> Self {
        Self(explanation.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The root of the clone.
pub fn root() -> PathBuf {
    // Cargo sets the variable when it runs this program; what was compiled in is for a program that is started by hand.
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// A program to be started in the root of the clone.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command whose output a person sees as it comes.
///
/// # Errors
/// It cannot be started, or ends with another code than 0.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("`{}` ended with {status}", line(command)))) }
}

/// Runs a command, shows its output as it comes, and hands each line of its standard output to `each_line` too.
///
/// Gives whether it ended with code 0.
///
/// # Errors
/// It cannot be started or followed.
pub fn run_following(command: &mut Command, mut each_line: impl FnMut(&str)) -> Result<bool, Failure> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, &error))?;
    if let Some(output) = child.stdout.take() {
        let mut output = BufReader::new(output);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            // Bytes, not text: a program under test may print anything.
            match output.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {
                    let mut screen = std::io::stdout().lock();
                    // A closed terminal must not stop the counting.
                    let _ = screen.write_all(&bytes).and_then(|()| screen.flush());
                    each_line(String::from_utf8_lossy(&bytes).trim_end());
                }
            }
        }
    }
    let status = child.wait().map_err(|error| Failure::new(format!("lost sight of `{}`: {error}", line(command))))?;
    Ok(status.success())
}

/// What a command prints, or nothing when it cannot be run or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Where a program is on PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// PATH with these folders in front, so that their programs win.
pub fn path_with(folders: &[&Path]) -> std::ffi::OsString {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().map(|folder| folder.to_path_buf()).chain(std::env::split_paths(&old));
    // Only a folder with a `:` in its name cannot be joined, and then the programs are simply not found.
    std::env::join_paths(all).unwrap_or(old)
}

/// A command as a person would type it.
pub fn line(command: &Command) -> String {
    let mut line =
        Path::new(command.get_program()).file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("could not start `{}`: {error}", line(command)))
}
