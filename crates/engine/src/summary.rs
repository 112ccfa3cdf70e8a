//! The summary of a run: the one JSON shape that the command line, the page's API and the tests speak.
//!
//! Field order, indentation and escaping are fixed here by hand, so that equal runs give equal bytes everywhere and the
//! page carries no JSON library for it.

use std::fmt::Write as _;

use crate::scenario::{Micros, Scenario};
use crate::trace::{Property, Trace};

/// What a run came to, with names in place of indexes. Times are microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Every grant, in order.
    pub grants: Vec<GrantSummary>,
    /// Every decision about a write or an establish, in order.
    pub writes: Vec<WriteSummary>,
    /// What each resource holds at the end, in file order.
    pub resources: Vec<ResourceSummary>,
    /// Whether each property holds, in the order of [`Property::ALL`].
    pub properties: [(&'static str, bool); 5],
    /// How each worker ended: its id and the way, in file order.
    pub workers: Vec<(String, &'static str)>,
}

/// One grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantSummary {
    /// 1, 2, 3 … in the run.
    pub number: u32,
    /// The lease's id.
    pub lease: String,
    /// The holder's id.
    pub worker: String,
    /// The token handed out.
    pub token: u64,
    /// When it was granted.
    pub granted_at: Micros,
    /// When it ended and by what; `None` when still live at the end of the run.
    pub ended: Option<(Micros, &'static str)>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteSummary {
    /// Worker and step, the step counted from 1: `A/3`.
    pub write: String,
    /// `write` or `establish`.
    pub kind: &'static str,
    /// The attempt, from 1.
    pub attempt: u32,
    /// 0, or the how-many-th copy.
    pub copy: u32,
    /// The resource's id.
    pub resource: String,
    /// When it was decided.
    pub decided_at: Micros,
    /// The token carried.
    pub token: Option<u64>,
    /// The sequence carried.
    pub seq: u32,
    /// The token remembered just before.
    pub remembered_token: u64,
    /// The sequence remembered just before.
    pub remembered_seq: u32,
    /// `accepted`, `rejected` or `replayed`.
    pub decision: &'static str,
    /// Why it was rejected.
    pub reason: Option<&'static str>,
    /// The writer's standing.
    pub standing: &'static str,
    /// The names of its flags, sorted.
    pub flags: Vec<&'static str>,
}

/// A resource at the end of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceSummary {
    /// Its id.
    pub id: String,
    /// Its value.
    pub value: String,
    /// How many writes were applied.
    pub version: u32,
    /// The remembered token.
    pub token: u64,
    /// The remembered sequence.
    pub seq: u32,
}

impl Summary {
    /// The summary of a run of that scenario.
    pub fn new(scenario: &Scenario, trace: &Trace) -> Self {
        let worker = |index: usize| scenario.workers.get(index).map_or_else(String::new, |worker| worker.id.clone());
        let grants = trace.grants.iter().map(|grant| GrantSummary {
            number: grant.number,
            lease: scenario.leases.get(grant.lease).map_or_else(String::new, |lease| lease.id.clone()),
            worker: worker(grant.worker),
            token: grant.token,
            granted_at: grant.granted_at,
            ended: grant.ended.map(|(at, by)| (at, by.name())),
        });
        let writes = trace.writes.iter().map(|verdict| WriteSummary {
            write: format!("{}/{}", worker(verdict.worker), verdict.step + 1),
            kind: verdict.kind.name(),
            attempt: verdict.attempt,
            copy: verdict.copy,
            resource: scenario.resources.get(verdict.resource).map_or_else(String::new, |resource| resource.id.clone()),
            decided_at: verdict.decided_at,
            token: verdict.token,
            seq: verdict.seq,
            remembered_token: verdict.remembered_token,
            remembered_seq: verdict.remembered_seq,
            decision: verdict.decision.name(),
            reason: verdict.reason.map(crate::trace::Reason::name),
            standing: verdict.standing.name(),
            flags: verdict.flags(),
        });
        let resources = scenario.resources.iter().enumerate().map(|(index, resource)| {
            let last = trace.memories.iter().rev().find(|memory| memory.resource == index);
            let written = last.and_then(|memory| memory.value_of);
            ResourceSummary {
                id: resource.id.clone(),
                value: written.map_or(resource.initial.value.as_str(), |write| value_of(scenario, trace, write)).into(),
                version: last.map_or(0, |memory| memory.version),
                token: last.map_or(resource.initial.token, |memory| memory.token),
                seq: last.map_or(0, |memory| memory.seq),
            }
        });
        let workers = scenario.workers.iter().zip(&trace.endings);
        Self {
            grants: grants.collect(),
            writes: writes.collect(),
            resources: resources.collect(),
            properties: Property::ALL.map(|property| (property.name(), trace.property(property).holds())),
            workers: workers.map(|(worker, ending)| (worker.id.clone(), ending.ended.name())).collect(),
        }
    }

    /// The summary as JSON: two spaces a level, fields in the documented order, no newline at the end.
    pub fn to_json(&self) -> String {
        let mut json = Json { out: String::new(), depth: 0, first: true };
        json.open('{');
        json.list("grants", &self.grants, |json, grant| {
            json.number("number", u64::from(grant.number));
            json.text("lease", &grant.lease);
            json.text("worker", &grant.worker);
            json.number("token", grant.token);
            json.number("granted_at_us", grant.granted_at);
            json.maybe_number("ended_at_us", grant.ended.map(|(at, _)| at));
            json.maybe_text("ended_by", grant.ended.map(|(_, by)| by));
        });
        json.list("writes", &self.writes, |json, write| {
            json.text("write", &write.write);
            json.text("kind", write.kind);
            json.number("attempt", u64::from(write.attempt));
            json.number("copy", u64::from(write.copy));
            json.text("resource", &write.resource);
            json.number("decided_at_us", write.decided_at);
            json.maybe_number("token", write.token);
            json.number("seq", u64::from(write.seq));
            json.number("remembered_token", write.remembered_token);
            json.number("remembered_seq", u64::from(write.remembered_seq));
            json.text("decision", write.decision);
            json.maybe_text("reason", write.reason);
            json.text("standing", write.standing);
            json.texts("flags", &write.flags);
        });
        json.list("resources", &self.resources, |json, resource| {
            json.text("id", &resource.id);
            json.text("value", &resource.value);
            json.number("version", u64::from(resource.version));
            json.number("token", resource.token);
            json.number("seq", u64::from(resource.seq));
        });
        json.key("properties");
        json.open('{');
        for (name, holds) in self.properties {
            json.key(name);
            json.out.push_str(if holds { "true" } else { "false" });
        }
        json.close('}');
        json.list("workers", &self.workers, |json, (id, ended)| {
            json.text("id", id);
            json.text("ended", ended);
        });
        json.close('}');
        json.out
    }
}

/// The value that the write with this decision carries; empty for an establish.
pub(crate) fn value_of<'a>(scenario: &'a Scenario, trace: &Trace, write: u32) -> &'a str {
    trace.writes.get(write as usize).map_or("", |verdict| carried(scenario, verdict.worker, verdict.step))
}

/// The value that a step writes; empty when it is not a write.
pub(crate) fn carried(scenario: &Scenario, worker: usize, step: usize) -> &str {
    match scenario.workers.get(worker).and_then(|worker| worker.plan.get(step)) {
        Some(crate::scenario::Step::Write(write)) => &write.value,
        _ => "",
    }
}

/// A writer of indented JSON.
struct Json {
    out: String,
    depth: usize,
    /// Whether nothing was written inside the innermost bracket yet.
    first: bool,
}

impl Json {
    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.depth += 1;
        self.first = true;
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        if !self.first {
            self.line();
        }
        self.out.push(bracket);
        self.first = false;
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }

    fn item(&mut self) {
        if !self.first {
            self.out.push(',');
        }
        self.first = false;
        self.line();
    }

    fn key(&mut self, key: &str) {
        self.item();
        push_json_text(&mut self.out, key);
        self.out.push_str(": ");
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        push_json_text(&mut self.out, text);
    }

    fn number(&mut self, key: &str, number: u64) {
        self.maybe_number(key, Some(number));
    }

    fn maybe_number(&mut self, key: &str, number: Option<u64>) {
        self.key(key);
        match number {
            // Writing to a string cannot fail.
            Some(number) => drop(write!(self.out, "{number}")),
            None => self.out.push_str("null"),
        }
    }

    fn maybe_text(&mut self, key: &str, text: Option<&str>) {
        self.key(key);
        match text {
            Some(text) => push_json_text(&mut self.out, text),
            None => self.out.push_str("null"),
        }
    }

    fn texts(&mut self, key: &str, texts: &[&str]) {
        self.key(key);
        self.open('[');
        for text in texts {
            self.item();
            push_json_text(&mut self.out, text);
        }
        self.close(']');
    }

    fn list<T>(&mut self, key: &str, items: &[T], fields: impl Fn(&mut Self, &T)) {
        self.key(key);
        self.open('[');
        for item in items {
            self.item();
            self.open('{');
            fields(self, item);
            self.close('}');
        }
        self.close(']');
    }
}

/// A JSON string: quoted, with what JSON cannot hold escaped, and with line and direction marks escaped too, so that
/// the text is safe to print.
fn push_json_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c.is_control() || crate::words::turns_direction(c) => crate::words::push_json_escape(out, c),
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json_of(summary: &Summary) -> String {
        summary.to_json()
    }

    fn empty() -> Summary {
        Summary::new(&Scenario::default(), &Trace::default())
    }

    #[test]
    fn an_empty_run_is_written_with_every_field() {
        let expected = r#"{
  "grants": [],
  "writes": [],
  "resources": [],
  "properties": {
    "no-overwrite": true,
    "no-stale-write": true,
    "no-lost-update": true,
    "at-most-once": true,
    "holder-served": true
  },
  "workers": []
}"#;
        assert_eq!(json_of(&empty()), expected);
    }

    #[test]
    fn a_live_grant_has_null_for_its_end() {
        let grant =
            GrantSummary { number: 1, lease: "lock".into(), worker: "A".into(), token: 41, granted_at: 7, ended: None };
        let json = json_of(&Summary { grants: vec![grant], ..empty() });
        let expected = r#"  "grants": [
    {
      "number": 1,
      "lease": "lock",
      "worker": "A",
      "token": 41,
      "granted_at_us": 7,
      "ended_at_us": null,
      "ended_by": null
    }
  ],
"#;
        assert!(json.contains(expected), "{json}");
    }

    #[test]
    fn text_is_escaped_and_reads_back_as_it_was() {
        let hostile = "a\"b\\c\n\r\t\u{0}\u{1b}\u{7f}\u{202e}é🦀</script>";
        let mut json = String::new();
        push_json_text(&mut json, hostile);
        assert!(!json.chars().any(char::is_control), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some(hostile));
        assert!(json.starts_with(r#""a\"b\\c\n\r\t\u0000\u001b\u007f\u202eé"#), "{json}");
    }
}
