//! The steps of a plan: which fields belong to which step, and how their messages travel.
//!
//! A step is known by `do`. When that cannot be read, nothing else about the step can be judged, and nothing is.

use super::Reader;
use super::fields::Object;
use super::parts::time_item;
use crate::document::Node;
use crate::limits::{ATTEMPTS, DURATION, MAX_COPIES, PERIOD};
use crate::path::Path;
use crate::scenario::{Basis, Exchange, Micros, Retry, Send, Step, Write};

/// What a list of sends holds.
pub(super) const SENDS: &str = r#"sends such as { "delay": "5s" }"#;

/// What names a lease.
const LEASE: &str = "the id of a lease";

/// What names a resource.
const RESOURCE: &str = "the id of a resource";

#[derive(Clone, Copy)]
enum Do {
    Acquire,
    Work,
    Until,
    Check,
    Read,
    Establish,
    Write,
    Release,
}

const STEPS: [(&str, Do); 8] = [
    ("acquire", Do::Acquire),
    ("work", Do::Work),
    ("until", Do::Until),
    ("check", Do::Check),
    ("read", Do::Read),
    ("establish", Do::Establish),
    ("write", Do::Write),
    ("release", Do::Release),
];

pub(super) fn step(reader: &mut Reader, node: &Node, path: &Path) -> Step {
    // Nothing follows from a step that does nothing.
    known_step(reader, node, path).unwrap_or(Step::Until { at: 0 })
}

fn known_step(reader: &mut Reader, node: &Node, path: &Path) -> Option<Step> {
    let example = r#"a step, for example { "do": "work", "for": "10s" }"#;
    let object = reader.object(node, path, example)?;
    if !reader.once(object, "do") {
        return None;
    }
    let names = r#"what the step does, for example "acquire""#;
    let does = reader.required(object, "do", names, |reader, node, path| reader.choice(node, path, &STEPS))?;
    Some(match does {
        Do::Acquire => {
            reader.only(object, &["do", "lease", "sends", "retry"]);
            Step::Acquire { lease: named(reader, object, "lease", LEASE), exchange: exchange(reader, object) }
        }
        Do::Work => {
            reader.only(object, &["do", "for", "label"]);
            Step::Work {
                length: time(reader, object, "for"),
                label: reader.optional(object, "label", Reader::text).unwrap_or_default(),
            }
        }
        Do::Until => {
            reader.only(object, &["do", "at"]);
            Step::Until { at: time(reader, object, "at") }
        }
        Do::Check => {
            reader.only(object, &["do", "lease", "from", "margin"]);
            let bases = [("sent", Basis::Sent), ("received", Basis::Received)];
            Step::Check {
                lease: named(reader, object, "lease", LEASE),
                from: reader.optional(object, "from", |r, node, path| r.choice(node, path, &bases)).unwrap_or_default(),
                margin: reader.optional(object, "margin", Reader::duration).unwrap_or_default(),
            }
        }
        Do::Read => {
            reader.only(object, &["do", "resource", "sends", "retry"]);
            Step::Read { resource: named(reader, object, "resource", RESOURCE), exchange: exchange(reader, object) }
        }
        Do::Establish => {
            reader.only(object, &["do", "resource", "lease", "peek_sends", "sends", "retry"]);
            Step::Establish {
                resource: named(reader, object, "resource", RESOURCE),
                lease: maybe_lease(reader, object),
                peek_sends: reader.list(object, "peek_sends", SENDS, send),
                exchange: exchange(reader, object),
            }
        }
        Do::Write => Step::Write(write(reader, object)),
        Do::Release => {
            reader.only(object, &["do", "lease", "sends", "retry"]);
            Step::Release { lease: named(reader, object, "lease", LEASE), exchange: exchange(reader, object) }
        }
    })
}

fn write(reader: &mut Reader, object: Object) -> Write {
    let known =
        ["do", "resource", "value", "lease", "key", "token", "unguarded", "wait", "peek_sends", "sends", "retry"];
    reader.only(object, &known);
    let value = r#"the text that is written, for example "new report""#;
    Write {
        resource: named(reader, object, "resource", RESOURCE),
        value: named(reader, object, "value", value),
        lease: maybe_lease(reader, object),
        key: reader.optional(object, "key", Reader::text),
        token: reader.optional(object, "token", Reader::exact),
        unguarded: reader.optional(object, "unguarded", Reader::flag).unwrap_or_default(),
        wait: reader.optional(object, "wait", Reader::flag).unwrap_or(true),
        peek_sends: reader.list(object, "peek_sends", SENDS, send),
        exchange: exchange(reader, object),
    }
}

/// A text that must be there.
fn named(reader: &mut Reader, object: Object, name: &str, allowed: &str) -> String {
    let text = reader.required(object, name, allowed, |reader, node, path| reader.text_as(node, path, allowed));
    text.unwrap_or_default()
}

fn maybe_lease(reader: &mut Reader, object: Object) -> Option<String> {
    reader.optional(object, "lease", |reader, node, path| reader.text_as(node, path, LEASE))
}

fn time(reader: &mut Reader, object: Object, name: &str) -> Micros {
    reader.required(object, name, DURATION.allowed, Reader::duration).unwrap_or_default()
}

fn exchange(reader: &mut Reader, object: Object) -> Exchange {
    Exchange { sends: reader.list(object, "sends", SENDS, send), retry: reader.optional(object, "retry", retry) }
}

pub(super) fn send(reader: &mut Reader, node: &Node, path: &Path) -> Send {
    let known = ["delay", "reply_delay", "lost", "reply_lost", "copies"];
    let Some(object) = reader.object_of(node, path, "what the network does to one attempt", &known) else {
        return Send::default();
    };
    Send {
        delay: reader.optional(object, "delay", Reader::duration),
        reply_delay: reader.optional(object, "reply_delay", Reader::duration),
        lost: reader.optional(object, "lost", Reader::flag).unwrap_or_default(),
        reply_lost: reader.optional(object, "reply_lost", Reader::flag).unwrap_or_default(),
        copies: reader.list_to(object, "copies", "copies", MAX_COPIES, time_item),
    }
}

fn retry(reader: &mut Reader, node: &Node, path: &Path) -> Option<Retry> {
    let object = reader.object_of(node, path, "a retry", &["after", "attempts"])?;
    let attempts = reader
        .required(object, "attempts", ATTEMPTS.allowed, |reader, node, path| reader.number(node, path, &ATTEMPTS));
    Some(Retry {
        after: reader.required(object, "after", PERIOD.allowed, Reader::period).unwrap_or_default(),
        attempts: attempts.and_then(|attempts| attempts.try_into().ok()).unwrap_or_default(),
    })
}
