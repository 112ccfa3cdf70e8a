//! What the tests share: the library as a source, and blocks in the places where Markdown has them.

use fenceline_claims::{Checked, Form, Sources, check};

/// The presets of the library, and one file.
pub struct Library;

impl Sources for Library {
    fn preset(&self, name: &str) -> Option<String> {
        fenceline_presets::document(name).map(Into::into)
    }

    fn file(&self, path: &str) -> Result<String, String> {
        match path {
            "story.json" => self.preset("paused-worker").ok_or_else(String::new),
            "broken.json" => Ok("{ \"version\": 1, \"gaurd\": 2 }".into()),
            _ => Err("there is no such file".into()),
        }
    }
}

pub fn markdown(text: &str) -> Checked {
    check(text, Form::Markdown, &Library)
}

pub fn json(text: &str) -> Checked {
    check(text, Form::Json, &Library)
}

/// What is false, a line each: `3 /expect/verdict verdict: "fenced", now "accepted"`.
pub fn false_claims(checked: &Checked) -> Vec<String> {
    let line = |found: &fenceline_claims::Found| {
        let of = &found.finding;
        format!("{} {} {}: {}, now {}", found.line, of.path, of.what, of.claimed, of.now)
    };
    checked.findings.iter().map(line).collect()
}

/// What cannot be read, a line each.
pub fn problems(checked: &Checked) -> Vec<String> {
    checked.problems.iter().map(|missed| format!("{} {}", missed.line, missed.problem.error)).collect()
}
