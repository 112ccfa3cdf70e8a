//! What a person asked for on the command line.

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;

use fenceline_figure::{Options, Theme};
use lexopt::prelude::{Long, Short, Value};

use crate::failure::Failure;

/// The whole help.
pub const HELP: &str = "\
Fenceline: which late writes a protected resource accepts, which it rejects, and why

Usage:
  fenceline trace FILE [--json]
  fenceline render FILE [-o OUT.svg] [--theme light|dark|auto] [--width N]
  fenceline --help | --version

trace runs a scenario and tells what happened; render draws it as an SVG picture.
FILE is a scenario, a JSON document; - reads it from standard input.

  --json       print the summary of the run as JSON instead of the report
  -o, --out    where the picture goes; standard output when it is not given
  --theme      its colours; auto (the default) follows the reader's system
  --width      its width in pixels, 320 to 4000; 760 when it is not given

Exit status: 0 when the scenario ran, whatever its outcome; 2 when it could not be read, run or written.
";

/// Name and version.
pub const VERSION: &str = concat!("fenceline ", env!("CARGO_PKG_VERSION"), "\n");

/// The widths that a picture can have, in pixels: below, nothing fits; above, nothing is gained.
const WIDTHS: RangeInclusive<u16> = 320..=4000;

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Run a scenario and tell what happened.
    Trace {
        /// A path, or `-` for standard input.
        file: OsString,
        /// Whether to print the summary as JSON.
        json: bool,
    },
    /// Draw a run as a picture.
    Render {
        /// A path, or `-` for standard input.
        file: OsString,
        /// Where the picture goes; standard output when there is none.
        out: Option<OsString>,
        /// How it is drawn.
        options: Options,
    },
}

impl Command {
    /// Reads the arguments, the first of them the program's own name.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Failure> {
        let mut parser = lexopt::Parser::from_iter(arguments);
        match parser.next()? {
            Some(Long("help") | Short('h')) => Ok(Self::Help),
            Some(Long("version") | Short('V')) => Ok(Self::Version),
            Some(Value(name)) if name == "trace" => Self::parse_trace(&mut parser),
            Some(Value(name)) if name == "render" => Self::parse_render(&mut parser),
            Some(Value(name)) if name == "help" => Ok(Self::Help),
            Some(Value(name)) => Err(Failure::Usage(format!("there is no command {:?}", name.to_string_lossy()))),
            Some(other) => Err(other.unexpected().into()),
            None => Err(Failure::Usage("a command is missing".into())),
        }
    }

    fn parse_trace(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        let (mut file, mut json) = (None, false);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("json") => json = true,
                Long("help") | Short('h') => return Ok(Self::Help),
                Value(path) => only(&mut file, path)?,
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Self::Trace { file: required(file)?, json })
    }

    fn parse_render(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        let (mut file, mut out, mut options) = (None, None, Options::default());
        while let Some(argument) = parser.next()? {
            match argument {
                Long("out") | Short('o') => out = Some(parser.value()?).filter(|path| path != "-"),
                Long("theme") => options.theme = theme(&parser.value()?)?,
                Long("width") => options.width = width(&parser.value()?)?,
                Long("help") | Short('h') => return Ok(Self::Help),
                Value(path) => only(&mut file, path)?,
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Self::Render { file: required(file)?, out, options })
    }
}

fn only(file: &mut Option<OsString>, path: OsString) -> Result<(), Failure> {
    match file {
        None => *file = Some(path),
        Some(_) => return Err(Failure::Usage(format!("one FILE is enough, {:?} is too many", path.to_string_lossy()))),
    }
    Ok(())
}

fn required(file: Option<OsString>) -> Result<OsString, Failure> {
    file.ok_or_else(|| Failure::Usage("FILE is missing; - reads standard input".into()))
}

fn theme(name: &OsStr) -> Result<Theme, Failure> {
    match name.to_str() {
        Some("light") => Ok(Theme::Light),
        Some("dark") => Ok(Theme::Dark),
        Some("auto") => Ok(Theme::Auto),
        _ => Err(Failure::Usage(format!("--theme is light, dark or auto, not {:?}", name.to_string_lossy()))),
    }
}

fn width(text: &OsStr) -> Result<f32, Failure> {
    let width = text.to_str().and_then(|text| text.parse::<u16>().ok()).filter(|width| WIDTHS.contains(width));
    width.map(f32::from).ok_or_else(|| {
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        Failure::Usage(format!("--width is a whole number from {least} to {most}, not {:?}", text.to_string_lossy()))
    })
}
