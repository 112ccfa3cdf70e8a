//! The preset library: every preset is a document as it would be exported, and what the library says of it is true.
//!
//! The library teaches, so each of its claims is held against the engine: the outcome that was worked out by hand, the
//! guard or setting that helps, the guard that does not, and the write that a person is asked to predict.
#![cfg(not(target_arch = "wasm32"))]

mod common;
#[path = "presets/library.rs"]
mod library;

use std::collections::{BTreeMap, BTreeSet};

use common::naive;
use fenceline_engine::{Guard, Property};
use library::{
    AtStake, DoesNotHelp, Entry, Group, Link, Predict, changed, fails, files, library, line, scenario_of, summary_of,
    text_of, under,
};

#[test]
fn each_preset_is_written_as_it_would_be_exported() {
    for id in files() {
        assert_eq!(text_of(&id), format!("{}\n", scenario_of(&id).to_json()), "{id}.json");
    }
}

#[test]
fn each_file_has_an_entry_and_each_entry_a_file() {
    let entries: Vec<String> = library().presets.into_iter().map(|entry| entry.id).collect();
    let unique: BTreeSet<String> = entries.iter().cloned().collect();
    assert_eq!(unique.len(), entries.len(), "an id is there twice");
    assert_eq!(unique, files());
}

#[test]
fn there_are_at_least_thirty_presets_and_the_page_opens_on_the_first() {
    let library = library();
    assert_eq!(library.version, 1);
    assert!(library.presets.len() >= 30, "{}", library.presets.len());
    assert_eq!(library.presets[0].id, "paused-worker");
}

#[test]
fn the_presets_follow_their_groups() {
    let library = library();
    let mut order: Vec<&str> = library.presets.iter().map(|entry| entry.group.as_str()).collect();
    order.dedup();
    let groups: Vec<&str> = library.groups.iter().map(|group| group.id.as_str()).collect();
    assert_eq!(order, groups, "each group is there, in one piece, in order");
    for Group { id, title, about } in &library.groups {
        assert!(!title.is_empty() && about.ends_with('.'), "{id}");
    }
}

#[test]
fn each_preset_is_told_in_words() {
    let mut titles = BTreeSet::new();
    for entry in library().presets {
        let scenario = scenario_of(&entry.id);
        assert_eq!(scenario.title, entry.title, "{}: one title, in both files", entry.id);
        assert!(titles.insert(entry.title), "{}: the title is there twice", entry.id);
        assert!(scenario.about.ends_with('.'), "{}: its document says what to look for", entry.id);
        assert!(entry.question.ends_with('?'), "{}: a question", entry.id);
        for text in [&entry.teaching, &entry.helps_why, &entry.does_not_help.why] {
            assert!(text.ends_with('.') && text.len() > 15, "{}: {text}", entry.id);
        }
        let sentences = entry.teaching.matches(". ").count() + 1;
        assert!((2..=3).contains(&sentences), "{}: {sentences} sentences of teaching", entry.id);
    }
}

#[test]
fn each_preset_comes_to_what_was_worked_out_for_it() {
    let mut wrong = Vec::new();
    for Entry { id, expect, .. } in library().presets {
        let summary = summary_of(&id, &scenario_of(&id));
        let writes: Vec<String> = summary.writes.iter().map(line).collect();
        let values: BTreeMap<String, String> =
            summary.resources.iter().map(|resource| (resource.id.clone(), resource.value.clone())).collect();
        let ended: BTreeMap<String, String> =
            summary.workers.iter().map(|(worker, ended)| (worker.clone(), (*ended).to_owned())).collect();
        if writes != expect.writes {
            wrong.push(format!("{id}: expected {:#?}, found {writes:#?}", expect.writes));
        }
        if fails(&summary) != expect.fails {
            wrong.push(format!("{id}: expected {:?} to fail, found {:?}", expect.fails, fails(&summary)));
        }
        if values != expect.values {
            wrong.push(format!("{id}: expected {:?}, found {values:?}", expect.values));
        }
        if ended != expect.ended {
            wrong.push(format!("{id}: expected {:?}, found {ended:?}", expect.ended));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_naive_engine_agrees_on_each_preset_under_each_guard() {
    for id in files() {
        for guard in Guard::ALL {
            let scenario = under(scenario_of(&id), guard);
            assert_eq!(summary_of(&id, &scenario).to_json(), naive::summary(&scenario), "{id} under {guard}");
        }
    }
}

#[test]
fn what_is_at_stake_can_be_lost() {
    for Entry { id, at_stake, .. } in library().presets {
        let AtStake { properties, values, applied } = at_stake;
        assert!(!(properties.is_empty() && values.is_empty() && applied.is_empty()), "{id}: nothing is at stake");
        for name in properties {
            assert!(Property::ALL.iter().any(|property| property.name() == name), "{id}: {name} is no property");
        }
    }
}

#[test]
fn what_helps_takes_the_harm_away() {
    for Entry { id, helps, helps_change, at_stake, .. } in library().presets {
        let mut scenario = changed(&id, &helps_change);
        match Guard::from_name(&helps) {
            Some(guard) => scenario = under(scenario, guard),
            None => assert!(!helps_change.is_empty(), "{id}: {helps} is no guard, and no change is given"),
        }
        let harm = at_stake.harm(&summary_of(&id, &scenario));
        assert!(harm.is_empty(), "{id}: with {helps}, lost all the same: {harm:?}");
    }
}

#[test]
fn what_does_not_help_leaves_the_harm() {
    for Entry { id, does_not_help: DoesNotHelp { guard, change, .. }, at_stake, .. } in library().presets {
        let guard = Guard::from_name(&guard).unwrap_or_else(|| panic!("{id}: {guard} is no guard"));
        let scenario = under(changed(&id, &change), guard);
        let harm = at_stake.harm(&summary_of(&id, &scenario));
        assert!(!harm.is_empty(), "{id}: under {guard} nothing is lost");
    }
}

#[test]
fn a_prediction_is_asked_about_a_decision_and_its_answer_says_which() {
    let mut asked = BTreeSet::new();
    for Entry { id, predict, expect, .. } in library().presets {
        let Some(Predict { write, because }) = predict else { continue };
        let line = expect.writes.iter().find(|line| line.split(' ').next() == Some(write.as_str()));
        let line = line.unwrap_or_else(|| panic!("{id}: {write} is not decided"));
        let words: Vec<&str> = line.split(' ').collect();
        let decision = words[1];
        let stale = !words.contains(&"current");
        let expected = match (decision, stale) {
            ("accepted", true) => "Accepted, and stale",
            ("accepted", false) => "Accepted, and not stale",
            ("rejected", true) => "Rejected, and stale",
            ("rejected", false) => "Rejected, and not stale",
            _ => panic!("{id}: a replayed write is neither accepted nor rejected"),
        };
        assert!(
            because.starts_with(expected) && because[expected.len()..].starts_with([':', '.', ',']),
            "{id}: {because}"
        );
        asked.insert((decision.to_owned(), stale));
    }
    assert_eq!(asked.len(), 4, "each of the four answers is right somewhere");
}

#[test]
fn the_self_check_is_asked_and_its_boundary_explained() {
    let library = library();
    let entry = library.presets.iter().find(|entry| entry.id == "old-token-first").expect("the self-check is there");
    let predict = entry.predict.as_ref().expect("it is asked as a question");
    assert_eq!(predict.write, "A/3#1.0");
    for word in ["41", "42", "40", "ended", "granted", "learns"] {
        assert!(predict.because.contains(word), "{word}: {}", predict.because);
    }
    let summary = summary_of(&entry.id, &scenario_of(&entry.id));
    let first = summary.writes.first().expect("there is a first write");
    assert_eq!((first.token, first.remembered_token), (Some(41), 40));
    assert_eq!(summary.grants.last().map(|grant| (grant.worker.as_str(), grant.token)), Some(("B", 42)));
}

#[test]
fn a_link_leads_to_a_public_report() {
    for Entry { id, link, .. } in library().presets {
        let Some(Link { url, label }) = link else { continue };
        let path = url.strip_prefix("https://github.com/").unwrap_or_else(|| panic!("{id}: {url}"));
        let parts: Vec<&str> = path.split('/').collect();
        let [owner, repository, "issues" | "pull", number] = parts[..] else { panic!("{id}: {url}") };
        assert!(label.starts_with(&format!("{owner}/{repository}#{number}: ")), "{id}: {label}");
    }
}

/// What the library has to cover, and the presets that do.
const COVERED: &[(&str, &[&str])] = &[
    ("pause before and after the local check", &["pause-before-check", "pause-after-check"]),
    ("check-then-write", &["check-then-write"]),
    ("delayed message", &["delayed-message"]),
    ("write in flight after a release", &["in-flight-after-release", "late-first-attempt"]),
    (
        "lost reply and retry under strict, equal, sequence and key",
        &["lost-reply-strict", "lost-reply-equal", "lost-reply-sequence", "lost-reply-key"],
    ),
    ("retry after takeover", &["retry-after-takeover"]),
    ("reordering inside one generation", &["reordered-writes"]),
    ("slow and fast worker clock", &["slow-clock", "fast-clock"]),
    ("basis of the local check", &["check-basis"]),
    ("renewal lost", &["renewal-lost"]),
    ("early expiry", &["early-expiry"]),
    ("lock delay, woken inside and after", &["lock-delay-inside", "lock-delay-after"]),
    ("authority failover reusing an equal and a lower generation", &["tokens-reused", "tokens-go-back"]),
    ("destination restart that forgets", &["restart-forgets"]),
    ("old token first, established first, holder check", &["old-token-first", "establish-first", "holder-check"]),
    ("two writes of one owner under strict and sequence", &["two-writes-strict", "two-writes-sequence"]),
    ("equality guard where the first writer wins", &["first-writer-wins"]),
    ("establish with a strict guard, which fences its own holder", &["establish-strict"]),
    ("legacy writer", &["legacy-writer"]),
    ("forged huge token, with and without authentication", &["forged-token-refused", "forged-token"]),
    ("two locks for one resource", &["two-locks-one-resource"]),
    ("one lock for two resources", &["one-lock-two-resources"]),
    ("timestamps as tokens", &["timestamps-as-tokens"]),
    ("random values as tokens", &["random-tokens"]),
    ("stale read with a valid token", &["stale-read"]),
    ("payment sent twice, with and without a key", &["payment-key", "payment-twice"]),
    ("three owners", &["three-owners"]),
    ("late grant", &["late-grant"]),
    ("renewal refused but the worker goes on", &["renewal-refused"]),
];

#[test]
fn everything_that_the_library_has_to_cover_has_a_preset() {
    let files = files();
    for (what, presets) in COVERED {
        for preset in *presets {
            assert!(files.contains(*preset), "{what}: {preset}");
        }
    }
}
