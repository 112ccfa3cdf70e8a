//! The protocol between an embedded figure and the page around it: what each message says, in both directions.
//!
//! It exists apart from the browser so that every hostile message can be tried in a test. Invariants: a message is taken only
//! in its exact shape, field by field; what is refused is answered with a reason; a version that is not known is not guessed
//! at. `docs/src/embedding.md` describes every message; the two change together.

use fenceline_engine::{Class, Counts, Headline, Property, ScenarioError, Trace};

use crate::platform::frames::{Field, Value};
use crate::platform::theme::Theme;

/// The version of the protocol, and the field that names it in every message.
pub const VERSION: u32 = 1;

/// The name of that field.
pub const NAME: &str = "fenceline";

/// The longest text in a message to the figure, in UTF-16 units.
pub const MOST_TEXT: u32 = 64 * 1_024;

/// The lowest and the highest figure that is told of, in CSS pixels.
pub const HEIGHTS: std::ops::RangeInclusive<u32> = 160..=2_400;

/// What is wrong with a document: so many things are told at most.
const MOST_PROBLEMS: usize = 30;

/// What the page around asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// `hello`: to be told once more that the figure is ready.
    Hello,
    /// `get`: what is shown.
    Get,
    /// `set` with `scenario`: to show that document.
    Scenario(String),
    /// `set` with `link`: to show what that link opens.
    Link(String),
    /// `theme`: to look like that.
    Theme(Theme),
}

/// A message that came.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// By what the answer is to be told from others.
    pub id: Option<u64>,
    /// What is asked for, or why that cannot be told.
    pub what: Result<Ask, Fault>,
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// One word, for a program.
    pub code: &'static str,
    /// A sentence, for a person.
    pub message: String,
    /// What is wrong with a document.
    pub problems: Vec<ScenarioError>,
}

impl Fault {
    /// Without a document.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), problems: Vec::new() }
    }
}

/// Reads a message that has the field [`NAME`].
pub fn read(fields: &[(String, Field)]) -> Asked {
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, field)| field);
    let id = match field("id") {
        // Whole, and small enough to be exact.
        Some(Field::Number(id)) if *id >= 0.0 && *id <= 9_007_199_254_740_991.0 && id.fract() == 0.0 => {
            Some(*id as u64)
        }
        _ => None,
    };
    let what = if id.is_none() && field("id").is_some() {
        Err(Fault::new("shape", "The field ‘id’ is no whole number from 0 to 2^53 - 1."))
    } else {
        ask(fields, field)
    };
    Asked { id, what }
}

fn ask<'a>(fields: &[(String, Field)], field: impl Fn(&str) -> Option<&'a Field>) -> Result<Ask, Fault> {
    if field(NAME) != Some(&Field::Number(f64::from(VERSION))) {
        let version = VERSION.to_string();
        return Err(Fault::new("version", ["This figure speaks version ", &version, " of the protocol."].concat()));
    }
    let Some(Field::Text(kind)) = field("type") else {
        return Err(Fault::new("shape", "The field ‘type’ is missing, or no text."));
    };
    let own: &[&str] = match kind.as_str() {
        "hello" | "get" => &[],
        "set" if field("link").is_some() => &["link"],
        "set" => &["scenario"],
        "theme" => &["theme"],
        _ => return Err(Fault::new("type", "The types of message are hello, get, set and theme.")),
    };
    let is_known = |name: &str| [NAME, "type", "id"].contains(&name) || own.contains(&name);
    if let Some((name, _)) = fields.iter().find(|(name, _)| !is_known(name)) {
        let name = fenceline_engine::visible(name);
        return Err(Fault::new("shape", ["A message of type ‘", kind, "’ has no field ‘", &name, "’."].concat()));
    }
    let text = |name: &str| match field(name) {
        Some(Field::Text(text)) => Ok(text.as_str()),
        Some(Field::TooLong) => {
            let most = MOST_TEXT.to_string();
            Err(Fault::new("size", ["The field ‘", name, "’ is longer than ", &most, " characters."].concat()))
        }
        _ => Err(Fault::new("shape", ["The field ‘", name, "’ is missing, or no text."].concat())),
    };
    Ok(match (kind.as_str(), own) {
        ("hello", _) => Ask::Hello,
        ("get", _) => Ask::Get,
        ("theme", _) => Ask::Theme(match text("theme")? {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            "auto" => Theme::Auto,
            _ => return Err(Fault::new("shape", "The field ‘theme’ is light, dark or auto.")),
        }),
        (_, ["link"]) => Ask::Link(text("link")?.into()),
        _ => Ask::Scenario(text("scenario")?.into()),
    })
}

/// What the figure says.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// It is there: the first message, and the answer to `hello`.
    Ready(u32),
    /// It is that high now.
    Height(u32),
    /// What is shown: the answer to `get` and to `set`.
    State(Shown),
    /// What is shown after somebody changed it.
    Change(Shown),
    /// What it comes to.
    Verdict(Verdict),
    /// Something was not done.
    Error(Fault),
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// As the fragment of a link, with how it is looked at.
    pub fragment: String,
    /// As a document.
    pub scenario: String,
}

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    class: Class,
    sentence: String,
    detail: String,
    counts: Counts,
    properties: [(&'static str, bool); 5],
}

impl Verdict {
    /// Of that run.
    pub fn of(headline: &Headline, trace: &Trace) -> Self {
        Self {
            class: headline.class,
            sentence: headline.sentence(),
            detail: headline.detail.clone(),
            counts: Counts::of(trace),
            properties: Property::ALL.map(|property| (property.name(), trace.property(property).holds())),
        }
    }
}

/// The name of a class in a message.
const fn class_name(class: Class) -> &'static str {
    match class {
        Class::Neutral => "neutral",
        Class::Accepted => "accepted",
        Class::Fenced => "fenced",
        Class::Refused => "refused",
        Class::StaleAccepted => "stale-accepted",
        Class::Corrupting => "corrupting",
    }
}

/// A height as it is told: whole pixels, within [`HEIGHTS`].
pub fn told_height(height: f64) -> u32 {
    (height.ceil() as u32).clamp(*HEIGHTS.start(), *HEIGHTS.end())
}

impl Message {
    /// The message as it is posted, in answer to the message of that id.
    pub fn with_id(self, id: Option<u64>) -> Value {
        let number = |number: u32| Value::Number(f64::from(number));
        let (kind, mut own) = match self {
            Self::Ready(height) => {
                let version = Value::Text(env!("CARGO_PKG_VERSION").into());
                ("ready", vec![("version", version), ("height", number(height))])
            }
            Self::Height(height) => ("height", vec![("height", number(height))]),
            Self::State(shown) => ("state", shown.fields()),
            Self::Change(shown) => ("change", shown.fields()),
            Self::Verdict(Verdict { class, sentence, detail, counts, properties }) => {
                let counts = vec![
                    ("accepted", number(counts.accepted)),
                    ("stale_rejected", number(counts.stale_rejected)),
                    ("stale_accepted", number(counts.stale_accepted)),
                    ("holder_refused", number(counts.holder_refused)),
                    ("replayed", number(counts.replayed)),
                ];
                let properties = properties.map(|(name, holds)| (name, Value::Is(holds))).to_vec();
                let fields = vec![
                    ("class", Value::Text(class_name(class).into())),
                    ("sentence", Value::Text(sentence)),
                    ("detail", Value::Text(detail)),
                    ("counts", Value::Object(counts)),
                    ("properties", Value::Object(properties)),
                ];
                ("verdict", fields)
            }
            Self::Error(Fault { code, message, problems }) => {
                let problem = |ScenarioError { path, found, allowed }: ScenarioError| {
                    let fields = [("path", path), ("found", found), ("allowed", allowed)];
                    Value::Object(fields.map(|(name, text)| (name, Value::Text(text))).to_vec())
                };
                let problems = problems.into_iter().take(MOST_PROBLEMS).map(problem).collect();
                let fields = vec![
                    ("code", Value::Text(code.into())),
                    ("message", Value::Text(message)),
                    ("problems", Value::List(problems)),
                ];
                ("error", fields)
            }
        };
        let mut fields = vec![(NAME, number(VERSION)), ("type", Value::Text(kind.into()))];
        if let Some(id) = id {
            fields.push(("id", Value::Number(id as f64)));
        }
        fields.append(&mut own);
        Value::Object(fields)
    }
}

impl Shown {
    fn fields(self) -> Vec<(&'static str, Value)> {
        vec![("fragment", Value::Text(self.fragment)), ("scenario", Value::Text(self.scenario))]
    }
}

#[cfg(test)]
mod tests {
    use fenceline_engine::{Scenario, run};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn text(text: &str) -> Field {
        Field::Text(text.into())
    }

    /// What is read of a message of this version with those fields.
    fn asked(fields: &[(&str, Field)]) -> Asked {
        let version = [(NAME, Field::Number(1.0))];
        let fields = version.iter().chain(fields);
        read(&fields.map(|(name, field)| ((*name).to_owned(), field.clone())).collect::<Vec<_>>())
    }

    fn code(fields: &[(&str, Field)]) -> &'static str {
        asked(fields).what.expect_err("it is to be refused").code
    }

    #[test]
    fn each_message_is_read_in_its_exact_shape() {
        let id = ("id", Field::Number(7.0));
        assert_eq!(asked(&[("type", text("hello"))]), Asked { id: None, what: Ok(Ask::Hello) });
        assert_eq!(asked(&[("type", text("get")), id.clone()]), Asked { id: Some(7), what: Ok(Ask::Get) });
        let set =
            |name: &'static str, value: &str| asked(&[("type", text("set")), id.clone(), (name, text(value))]).what;
        assert_eq!(set("scenario", "{}"), Ok(Ask::Scenario("{}".into())));
        assert_eq!(set("link", "p=paused-worker"), Ok(Ask::Link("p=paused-worker".into())));
        for (name, theme) in [("light", Theme::Light), ("dark", Theme::Dark), ("auto", Theme::Auto)] {
            assert_eq!(asked(&[("type", text("theme")), ("theme", text(name))]).what, Ok(Ask::Theme(theme)));
        }
    }

    #[test]
    fn a_message_of_any_other_shape_is_refused() {
        assert_eq!(code(&[]), "shape");
        assert_eq!(code(&[("type", Field::Number(1.0))]), "shape");
        assert_eq!(code(&[("type", text("get")), ("scenario", text("{}"))]), "shape");
        assert_eq!(code(&[("type", text("set"))]), "shape");
        assert_eq!(code(&[("type", text("set")), ("scenario", Field::Other)]), "shape");
        assert_eq!(code(&[("type", text("set")), ("scenario", text("{}")), ("link", text("p=x"))]), "shape");
        assert_eq!(code(&[("type", text("theme")), ("theme", text("pink"))]), "shape");
        assert_eq!(code(&[("type", text("set")), ("scenario", Field::TooLong)]), "size");
        assert_eq!(code(&[("type", text("eval"))]), "type");
        assert_eq!(code(&[("type", text("__proto__")), ("constructor", Field::Other)]), "type");
    }

    #[test]
    fn an_id_is_a_whole_number_that_is_exact() {
        for bad in [-1.0, 0.5, f64::NAN, f64::INFINITY, 9_007_199_254_740_992.0] {
            let asked = asked(&[("type", text("get")), ("id", Field::Number(bad))]);
            assert_eq!((asked.id, asked.what.map_err(|fault| fault.code)), (None, Err("shape")), "{bad}");
        }
        assert_eq!(code(&[("type", text("get")), ("id", text("7"))]), "shape");
    }

    #[test]
    fn another_version_is_refused_whatever_else_it_says() {
        for version in [Field::Number(2.0), Field::Number(1.5), text("1"), Field::Other] {
            let asked = read(&[(NAME.to_owned(), version), ("id".to_owned(), Field::Number(3.0))]);
            assert_eq!((asked.id, asked.what.map_err(|fault| fault.code)), (Some(3), Err("version")));
        }
    }

    #[test]
    fn heights_are_whole_and_within_bounds() {
        assert_eq!(told_height(499.2), 500);
        assert_eq!(told_height(0.0), 160);
        assert_eq!(told_height(f64::NAN), 160);
        assert_eq!(told_height(1e9), 2_400);
    }

    fn field<'a>(value: &'a Value, name: &str) -> &'a Value {
        let Value::Object(fields) = value else { panic!("{value:?} has no fields") };
        fields.iter().find(|(key, _)| *key == name).map(|(_, value)| value).expect("the field")
    }

    #[test]
    fn a_verdict_tells_what_the_opening_story_comes_to() {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        let trace = run(&scenario).unwrap_or_default();
        let posted = Message::Verdict(Verdict::of(&Headline::new(&scenario, &trace), &trace)).with_id(None);
        // B's write is accepted, A's comes late and is rejected.
        assert_eq!(field(&posted, "fenceline"), &Value::Number(1.0));
        assert_eq!(field(&posted, "type"), &Value::Text("verdict".into()));
        assert_eq!(field(&posted, "class"), &Value::Text("fenced".into()));
        assert_eq!(field(field(&posted, "counts"), "accepted"), &Value::Number(1.0));
        assert_eq!(field(field(&posted, "counts"), "stale_rejected"), &Value::Number(1.0));
        assert_eq!(field(field(&posted, "counts"), "stale_accepted"), &Value::Number(0.0));
        assert_eq!(field(field(&posted, "properties"), "no-stale-write"), &Value::Is(true));
    }

    #[test]
    fn an_answer_bears_the_id_of_its_question_and_an_error_what_is_wrong() {
        let error = ScenarioError { path: "/leases/0/ttl".into(), found: "0s".into(), allowed: "more".into() };
        let fault = Fault { problems: vec![error; 100], ..Fault::new("scenario", "No.") };
        let posted = Message::Error(fault).with_id(Some(9));
        assert_eq!(field(&posted, "id"), &Value::Number(9.0));
        assert_eq!(field(&posted, "code"), &Value::Text("scenario".into()));
        let Value::List(problems) = field(&posted, "problems") else { panic!("a list") };
        assert_eq!(problems.len(), 30);
        assert_eq!(field(&problems[0], "path"), &Value::Text("/leases/0/ttl".into()));
    }
}
