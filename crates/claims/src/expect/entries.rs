//! Claims about one thing among many: a write, a grant, a resource, a worker, each named and then claimed of.

use std::collections::BTreeMap;

use fenceline_engine::summary::{GrantSummary, WriteSummary};
use fenceline_engine::{Decision, Ended, EndedBy, Kind, Reason, Scenario, Standing};

use super::{FLAGS, Judge, NONE, Shape, Truth};
use crate::reader::{Object, Reader, cut, names};

/// What may be claimed of a write.
const OF_WRITE: [&str; 12] = [
    "kind",
    "resource",
    "decided_at",
    "decided_at_us",
    "token",
    "seq",
    "remembered_token",
    "remembered_seq",
    "decision",
    "reason",
    "standing",
    "flags",
];

/// What may be claimed of a grant.
const OF_GRANT: [&str; 8] =
    ["lease", "worker", "token", "granted_at", "granted_at_us", "ended_at", "ended_at_us", "ended_by"];

/// What may be claimed of a resource.
const OF_RESOURCE: [&str; 4] = ["value", "version", "token", "seq"];

/// One arrival of a write: its worker and step, the attempt, the copy.
pub(crate) type Arrival<'v> = (&'v str, u64, u64);

impl Judge<'_, '_> {
    pub(super) fn writes(&mut self, object: Object) {
        let summary = self.summary;
        let by_arrival: BTreeMap<Arrival, &WriteSummary> = summary
            .writes
            .iter()
            .map(|write| ((write.write.as_str(), u64::from(write.attempt), u64::from(write.copy)), write))
            .collect();
        self.each(object, "writes", &["write", "attempt", "copy"], &OF_WRITE, |judge, entry| {
            let arrival = arrival(judge.reader, judge.scenario, entry)?;
            let write = by_arrival.get(&arrival).copied();
            let may_be_null = |field: &str| !matches!(field, "decision" | "flags");
            let told = move |field: &str| (of_write(field, write), may_be_null(field));
            Some((in_words(arrival), told))
        });
    }

    pub(super) fn grants(&mut self, object: Object) {
        let summary = self.summary;
        self.each(object, "grants", &["number"], &OF_GRANT, |judge, entry| {
            let value = judge.reader.required(entry, "number", "the how-many-th grant of the run, from 1")?;
            let number = judge.reader.number(value, &entry.path_of("number"), 1)?;
            let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
            let grant = summary.grants.get(index);
            Some((format!("grant {number}"), move |field: &str| (of_grant(field, grant), true)))
        });
    }

    pub(super) fn resources(&mut self, object: Object) {
        let summary = self.summary;
        self.each(object, "resources", &["id"], &OF_RESOURCE, |judge, entry| {
            let ids: Vec<&str> = summary.resources.iter().map(|resource| resource.id.as_str()).collect();
            let id = id(judge.reader, entry, &ids)?;
            let resource = summary.resources.iter().find(|resource| resource.id == id)?;
            let told = move |field: &str| {
                let told = match field {
                    "value" => (Shape::Text, Truth::Text(&resource.value)),
                    "version" => (Shape::Number, Truth::Number(resource.version.into())),
                    "token" => (Shape::Number, Truth::Number(resource.token)),
                    _ => (Shape::Number, Truth::Number(resource.seq.into())),
                };
                (told, false)
            };
            Some((cut(id), told))
        });
    }

    pub(super) fn workers(&mut self, object: Object) {
        let summary = self.summary;
        self.each(object, "workers", &["id"], &["ended"], |judge, entry| {
            let ids: Vec<&str> = summary.workers.iter().map(|(id, _)| id.as_str()).collect();
            let id = id(judge.reader, entry, &ids)?;
            let (_, ended) = summary.workers.iter().find(|(worker, _)| worker == id)?;
            Some((cut(id), move |_: &str| ((Shape::One(&ENDED), Truth::Text(ended)), false)))
        });
    }

    /// Judges each entry of a list: what it is about, and what is true of each of its fields.
    fn each<'s, F>(
        &mut self,
        object: Object,
        list: &str,
        naming: &[&str],
        claiming: &[&str],
        mut about: impl FnMut(&mut Self, Object) -> Option<(String, F)>,
    ) where
        F: Fn(&str) -> ((Shape<'static>, Truth<'s>), bool),
    {
        let Some(value) = object.get(list) else { return };
        let list = object.path_of(list);
        let known = [naming, claiming].concat();
        for (index, item) in self.reader.items(value, &list, "objects").iter().enumerate() {
            let path = format!("{list}/{index}");
            let Some(entry) = self.reader.object(item, &path, &known) else { continue };
            if !claiming.iter().any(|field| entry.get(field).is_some()) {
                let allowed = format!("at least one of {}", claiming.join(", "));
                self.reader.refuse(item.span.start, &path, "an entry that claims nothing", allowed);
            }
            let Some((what, told)) = about(self, entry) else { continue };
            for field in claiming {
                let Some(value) = entry.get(field) else { continue };
                let ((shape, truth), may_be_null) = told(field);
                let what = format!("{what}: {field}");
                self.field(value, &entry.path_of(field), &what, shape, may_be_null, &truth);
            }
        }
    }
}

fn id<'v>(reader: &mut Reader, entry: Object<'v>, ids: &[&str]) -> Option<&'v str> {
    let value = reader.required(entry, "id", "an id of the scenario")?;
    let path = entry.path_of("id");
    let found = value.as_text().filter(|id| ids.contains(id));
    if found.is_none() {
        reader.refuse_value(value, &path, format!("one of {}", names(ids.iter().copied())));
    }
    found
}

/// The arrival that an entry names.
pub(crate) fn arrival<'v>(reader: &mut Reader, scenario: &Scenario, entry: Object<'v>) -> Option<Arrival<'v>> {
    let value = reader.required(entry, "write", "a write by worker and step, for example \"A/3\"")?;
    let name = value.as_text().filter(|name| {
        let found = name.rsplit_once('/').and_then(|(worker, step)| {
            let worker = scenario.workers.iter().find(|one| one.id == worker)?;
            worker.plan.get(step.parse::<usize>().ok()?.checked_sub(1)?).map(|found| (found, step))
        });
        found.is_some_and(|(found, step)| is_decided(found) && !step.starts_with(['0', '+']))
    });
    if name.is_none() {
        let all = scenario.workers.iter().flat_map(|worker| {
            let decided = worker.plan.iter().enumerate().filter(|(_, step)| is_decided(step));
            decided.map(|(index, _)| format!("{}/{}", worker.id, index + 1))
        });
        let all: Vec<String> = all.collect();
        let all = names(all.iter().map(String::as_str));
        let allowed = format!("a write or establish of the scenario: {all}");
        reader.refuse_value(value, &entry.path_of("write"), allowed);
    }
    let mut count = |field: &str, least| {
        entry.get(field).map_or(Some(least), |value| reader.number(value, &entry.path_of(field), least))
    };
    let (attempt, copy) = (count("attempt", 1), count("copy", 0));
    Some((name?, attempt?, copy?))
}

fn is_decided(step: &fenceline_engine::scenario::Step) -> bool {
    use fenceline_engine::scenario::Step;
    matches!(step, Step::Write(_) | Step::Establish { .. })
}

/// An arrival in words: `A/3, attempt 2`.
pub(crate) fn in_words((name, attempt, copy): Arrival) -> String {
    let mut words = cut(name);
    if attempt > 1 {
        words.extend([", attempt ", &attempt.to_string()]);
    }
    if copy > 0 {
        words.extend([", copy ", &copy.to_string()]);
    }
    words
}

fn of_write<'s>(field: &str, write: Option<&'s WriteSummary>) -> (Shape<'static>, Truth<'s>) {
    let number =
        |of: fn(&WriteSummary) -> Option<u64>| (Shape::Number, write.and_then(of).map_or(Truth::Null, Truth::Number));
    let text = |of: &dyn Fn(&'s WriteSummary) -> Option<&'s str>| write.and_then(of).map_or(Truth::Null, Truth::Text);
    match field {
        "kind" => (Shape::One(&KINDS), text(&|write| Some(write.kind))),
        "resource" => (Shape::Text, text(&|write| Some(&write.resource))),
        "decided_at" => (Shape::Time, write.map_or(Truth::Null, |write| Truth::Time(write.decided_at))),
        "decided_at_us" => number(|write| Some(write.decided_at)),
        "token" => number(|write| write.token),
        "seq" => number(|write| Some(write.seq.into())),
        "remembered_token" => number(|write| Some(write.remembered_token)),
        "remembered_seq" => number(|write| Some(write.remembered_seq.into())),
        "decision" => (Shape::One(&DECISIONS), Truth::Text(write.map_or(NONE, |write| write.decision))),
        "reason" => (Shape::One(&REASONS), text(&|write| write.reason)),
        "standing" => (Shape::One(&STANDINGS), text(&|write| Some(write.standing))),
        _ => (Shape::Some(&FLAGS), Truth::Names(write.map_or(&[], |write| &write.flags))),
    }
}

fn of_grant<'s>(field: &str, grant: Option<&'s GrantSummary>) -> (Shape<'static>, Truth<'s>) {
    let ended = grant.and_then(|grant| grant.ended);
    let text = |text: Option<&'s str>| text.map_or(Truth::Null, Truth::Text);
    let number = |number: Option<u64>| number.map_or(Truth::Null, Truth::Number);
    let time = |time: Option<u64>| time.map_or(Truth::Null, Truth::Time);
    match field {
        "lease" => (Shape::Text, text(grant.map(|grant| grant.lease.as_str()))),
        "worker" => (Shape::Text, text(grant.map(|grant| grant.worker.as_str()))),
        "token" => (Shape::Number, number(grant.map(|grant| grant.token))),
        "granted_at" => (Shape::Time, time(grant.map(|grant| grant.granted_at))),
        "granted_at_us" => (Shape::Number, number(grant.map(|grant| grant.granted_at))),
        "ended_at" => (Shape::Time, time(ended.map(|(at, _)| at))),
        "ended_at_us" => (Shape::Number, number(ended.map(|(at, _)| at))),
        _ => (Shape::One(&ENDED_BY), text(ended.map(|(_, by)| by))),
    }
}

const KINDS: [&str; 2] = [Kind::Write.name(), Kind::Establish.name()];
const ENDED_BY: [&str; 3] = [EndedBy::Expiry.name(), EndedBy::Release.name(), EndedBy::Failover.name()];

/// The names of all values of a type, in their order, and of some more.
macro_rules! named {
    ($(#[$about:meta] $name:ident = $type:ident $(+ $more:expr)?;)+) => { $(
        #[$about]
        pub(crate) const $name: [&str; $type::ALL.len() $(+ { let _: &str = $more; 1 })?] = {
            let mut names = [""; $type::ALL.len() $(+ { let _: &str = $more; 1 })?];
            let mut index = 0;
            while index < $type::ALL.len() {
                names[index] = $type::ALL[index].name();
                index += 1;
            }
            $(names[index] = $more;)?
            names
        };
    )+ };
}

named! {
    /// The decisions about a write that may be claimed.
    DECISIONS = Decision + NONE;
    /// Why a write may be rejected.
    REASONS = Reason;
    /// What its writer may be.
    STANDINGS = Standing;
    /// How a worker may end.
    ENDED = Ended;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_claimed_is_named_as_a_run_names_it() {
        assert_eq!(DECISIONS, ["accepted", "rejected", "replayed", "none"]);
        assert_eq!(STANDINGS, ["current", "expired", "superseded", "unleased"]);
        assert_eq!(REASONS.len(), Reason::ALL.len());
        assert!(ENDED.contains(&"stopped-itself") && ENDED_BY.len() == EndedBy::ALL.len());
        assert_eq!(KINDS, Kind::ALL.map(Kind::name));
    }

    #[test]
    fn an_arrival_is_told_with_what_sets_it_apart() {
        assert_eq!(in_words(("A/3", 1, 0)), "A/3");
        assert_eq!(in_words(("A/3", 2, 1)), "A/3, attempt 2, copy 1");
    }
}
