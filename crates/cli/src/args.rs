//! What a person asked for on the command line.

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;

use fenceline_engine::scenario::MAX_MICROS;
use fenceline_engine::{Bounds, Property, parse_duration, parse_signed_duration};
use fenceline_figure::{Options, Theme};
use lexopt::ValueExt as _;
use lexopt::prelude::{Long, Short, Value};

use crate::check::{Format, Request};
use crate::export::Text;
use crate::failure::Failure;

/// The whole help.
pub const HELP: &str = "\
Fenceline: which late writes a protected resource accepts, which it rejects, and why

Usage:
  fenceline trace FILE [--json]
  fenceline render FILE [-o OUT.svg] [--theme light|dark|auto] [--width N]
  fenceline export FILE --as KIND [--store STORE] [-o OUT]
  fenceline windows FILE --knob POINTER --from D --to D [--json]
  fenceline margin FILE [--json]
  fenceline search FILE [--changes K] [--step D] [--max D] [--property P] [--json]
  fenceline link FILE [--base URL]
  fenceline link --read LINK
  fenceline check PATH… [--fix] [--format text|json|github]
  fenceline --help | --version

trace runs a scenario and tells what happened; render draws it as an SVG picture; export writes it as a text
for other programs; windows gives the outcome of every value of one number, exactly; margin how far each number can
move before a property changes; search the smallest change of the schedule, within bounds, that breaks a property;
link the playground's link of a scenario, and with --read the scenario of a link; check whether what documents claim
of their scenarios is true.
FILE is a scenario, a JSON document, or what a block says of one (see check); - reads it from standard input.

  --json       print JSON instead of the report
  --knob       a JSON Pointer to a number of the document, written or default, such as /workers/0/pauses/0/for
  --from, --to the range of its values, as durations (30s, 1m 30s, 250ms); --to itself is not part of it
  --changes    how many pauses and delays may be changed, 1 to 4; 2 when it is not given
  --step       the grid of all changes but the last, which is exact; 1s when it is not given
  --max        the longest pause and delay; 60s when it is not given
  --property   the property to break, such as no-overwrite; any when it is not given
  --base       the address of the playground; without it the link is the part from # on
  --read       a link, whole or from # on
  --fix        write what is true in the place of what is false, and change nothing else
  --format     how check tells of it: text (the default), json, or github for annotations of a workflow
  --as         markdown (verdict, properties, what happened and why), mermaid (a sequence diagram), comparison (the
               seven guards side by side, in Markdown) or csv (the same), python or rust (a script or a test that
               replays the arrivals in SQLite), guard-code (the guards of the scenario, for a data store)
  --store      the data store of guard-code: sqlite, postgresql, mysql, mongodb, dynamodb, redis, etcd or s3
  -o, --out    where the picture or the text goes; standard output when it is not given
  --theme      its colours; auto (the default) follows the reader's system
  --width      its width in pixels, 320 to 4000; 760 when it is not given

check looks at each PATH, and in folders at all .md, .markdown and .json files but hidden ones, target and
node_modules. In Markdown it looks at fenced blocks of the language fenceline. A block or a JSON file is a scenario, or
{ \"scenario\": {…} }, { \"preset\": \"NAME\" } or { \"file\": \"PATH\" }, and beside it may stand:
  guard        takes the place of the scenario's own
  caption      stands at the figure in place of the title
  theme        its colours: auto, light or dark
  expect       what is claimed, in the words of trace --json, any part of it: properties; counts; verdict;
               writes [{ \"write\": \"A/3\", \"decision\": \"rejected\", … }], grants, resources, workers;
               windows [{ \"knob\": POINTER, \"write\": \"A/3\", \"decision\": \"rejected\", \"from\": \"32.3s\", \"to\": \"50s\" }]:
               exactly from there, up to before there; without to, from there on; never when from is \"never\"

Exit status: 0 when the scenario ran, whatever its outcome, or all claims are true; 1 when a claim is false; 2 when
something could not be read, run or written.
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
    /// Write a run as a text for other programs.
    Export {
        /// A path, or `-` for standard input.
        file: OsString,
        /// Which text.
        text: Text,
        /// Where it goes; standard output when there is none.
        out: Option<OsString>,
    },
    /// Give the outcome of every value of a knob.
    Windows {
        /// A path, or `-` for standard input.
        file: OsString,
        /// A JSON Pointer.
        knob: String,
        /// The first value, in microseconds.
        from: i64,
        /// The value after the last.
        to: i64,
        /// Whether to print JSON.
        json: bool,
    },
    /// Give the margin of every knob.
    Margin {
        /// A path, or `-` for standard input.
        file: OsString,
        /// Whether to print JSON.
        json: bool,
    },
    /// Make the link of a scenario.
    Link {
        /// A path, or `-` for standard input.
        file: OsString,
        /// The address in front of the fragment.
        base: Option<String>,
    },
    /// Print the scenario of a link.
    ReadLink {
        /// The link.
        link: OsString,
    },
    /// Hold what documents claim against the engine.
    Check(Request),
    /// Search for a schedule that breaks a property.
    Search {
        /// A path, or `-` for standard input.
        file: OsString,
        /// Within which bounds.
        bounds: Bounds,
        /// Whether to print JSON.
        json: bool,
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
            Some(Value(name)) if name == "export" => Self::parse_export(&mut parser),
            Some(Value(name)) if name == "windows" => Self::parse_windows(&mut parser),
            Some(Value(name)) if name == "margin" => Self::parse_margin(&mut parser),
            Some(Value(name)) if name == "search" => Self::parse_search(&mut parser),
            Some(Value(name)) if name == "link" => Self::parse_link(&mut parser),
            Some(Value(name)) if name == "check" => Self::parse_check(&mut parser),
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

impl Command {
    fn parse_export(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        let (mut file, mut kind, mut store, mut out) = (None, None, None, None);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("as") => kind = Some(parser.value()?.string()?),
                Long("store") => store = Some(parser.value()?.string()?),
                Long("out") | Short('o') => out = Some(parser.value()?).filter(|path| path != "-"),
                Long("help") | Short('h') => return Ok(Self::Help),
                Value(path) => only(&mut file, path)?,
                other => return Err(other.unexpected().into()),
            }
        }
        let file = required(file)?;
        let kind = kind.ok_or_else(|| Failure::Usage("--as is missing".into()))?;
        Ok(Self::Export { file, text: Text::named(&kind, store.as_deref())?, out })
    }

    fn parse_windows(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        let (mut file, mut knob, mut from, mut to, mut json) = (None, None, None, None, false);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("json") => json = true,
                Long("knob") => knob = Some(parser.value()?.string()?),
                Long("from") => from = Some(signed(&parser.value()?.string()?, "--from")?),
                Long("to") => to = Some(signed(&parser.value()?.string()?, "--to")?),
                Long("help") | Short('h') => return Ok(Self::Help),
                Value(path) => only(&mut file, path)?,
                other => return Err(other.unexpected().into()),
            }
        }
        let file = required(file)?;
        let missing = |name: &str| Failure::Usage(format!("{name} is missing"));
        let knob = knob.ok_or_else(|| missing("--knob"))?;
        let (from, to) = (from.ok_or_else(|| missing("--from"))?, to.ok_or_else(|| missing("--to"))?);
        if from >= to {
            return Err(Failure::Usage("--from must be less than --to".into()));
        }
        Ok(Self::Windows { file, knob, from, to, json })
    }

    fn parse_margin(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        // It takes what `trace` takes.
        Ok(match Self::parse_trace(parser)? {
            Self::Trace { file, json } => Self::Margin { file, json },
            help => help,
        })
    }

    fn parse_link(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        let (mut file, mut base, mut link) = (None, None, None);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("base") => base = Some(parser.value()?.string()?),
                Long("read") => link = Some(parser.value()?),
                Long("help") | Short('h') => return Ok(Self::Help),
                Value(path) => only(&mut file, path)?,
                other => return Err(other.unexpected().into()),
            }
        }
        match (link, &file, &base) {
            (Some(link), None, None) => Ok(Self::ReadLink { link }),
            (Some(_), ..) => Err(Failure::Usage("--read takes a link, and neither FILE nor --base".into())),
            (None, ..) => Ok(Self::Link { file: required(file)?, base }),
        }
    }

    fn parse_check(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        let mut request = Request { paths: Vec::new(), fix: false, format: Format::Text };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("fix") => request.fix = true,
                Long("format") => request.format = format(&parser.value()?)?,
                Long("help") | Short('h') => return Ok(Self::Help),
                Value(path) => request.paths.push(path),
                other => return Err(other.unexpected().into()),
            }
        }
        if request.paths.is_empty() {
            return Err(Failure::Usage("PATH is missing; . is this folder and all below it".into()));
        }
        Ok(Self::Check(request))
    }

    fn parse_search(parser: &mut lexopt::Parser) -> Result<Self, Failure> {
        let (mut file, mut bounds, mut json) = (None, Bounds::default(), false);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("json") => json = true,
                Long("changes") => bounds.changes = changes(&parser.value()?.string()?)?,
                Long("step") => bounds.step = length(&parser.value()?.string()?, "--step")?,
                Long("max") => bounds.max = length(&parser.value()?.string()?, "--max")?,
                Long("property") => bounds.property = Some(property(&parser.value()?.string()?)?),
                Long("help") | Short('h') => return Ok(Self::Help),
                Value(path) => only(&mut file, path)?,
                other => return Err(other.unexpected().into()),
            }
        }
        if bounds.step > bounds.max {
            return Err(Failure::Usage("--step must not be longer than --max".into()));
        }
        Ok(Self::Search { file: required(file)?, bounds, json })
    }
}

fn signed(text: &str, name: &str) -> Result<i64, Failure> {
    let signed = parse_signed_duration(text).ok().filter(|value| value.unsigned_abs() <= MAX_MICROS);
    signed.ok_or_else(|| Failure::Usage(format!("{name} is a duration such as 30s, at most 3650d, not {text:?}")))
}

fn length(text: &str, name: &str) -> Result<u64, Failure> {
    let length = parse_duration(text).ok().filter(|length| (1..=MAX_MICROS).contains(length));
    length.ok_or_else(|| Failure::Usage(format!("{name} is a duration above 0 such as 500ms, not {text:?}")))
}

fn changes(text: &str) -> Result<usize, Failure> {
    let changes = text.parse().ok().filter(|changes| (1..=4).contains(changes));
    changes.ok_or_else(|| Failure::Usage(format!("--changes is a whole number from 1 to 4, not {text:?}")))
}

fn property(name: &str) -> Result<Property, Failure> {
    Property::ALL.into_iter().find(|property| property.name() == name).ok_or_else(|| {
        let names = Property::ALL.map(Property::name).join(", ");
        Failure::Usage(format!("--property is one of {names}, not {name:?}"))
    })
}

fn format(name: &OsStr) -> Result<Format, Failure> {
    match name.to_str() {
        Some("text") => Ok(Format::Text),
        Some("json") => Ok(Format::Json),
        Some("github") => Ok(Format::Github),
        _ => Err(Failure::Usage(format!("--format is text, json or github, not {:?}", name.to_string_lossy()))),
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
