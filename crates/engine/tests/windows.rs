//! Windows against brute force: every value of every knob of random small scenarios, run one by one.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use std::collections::BTreeMap;

use common::generate::{Scale, scenario};
use fenceline_engine::{
    Delay, Edge, FlipSearch, Knob, Least, Model, PauseStart, Property, Runner, Scenario, Sends, Sign, Signature, Turn,
    Window, flip, margin, race_map, run, stretches, windows, windows_within,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The outcome at one value, by a plain run of the turned scenario; `None` when that is not a valid document.
fn outcome(scenario: &Scenario, knob: &Knob, value: i64) -> Option<Signature> {
    if value < 0 && !matches!(knob, Knob::Offset(_)) {
        return None;
    }
    let mut turned = scenario.clone();
    knob.turn(&mut turned, value);
    outcome_of(&turned)
}

fn outcome_of(turned: &Scenario) -> Option<Signature> {
    let model = Model::new(turned).ok()?;
    let mut runner = Runner::default();
    let outcome = runner.run(&model).ok()?;
    let properties = outcome.properties.map(fenceline_engine::trace::PropertyResult::holds);
    Some(Signature { writes: outcome.writes.iter().map(Sign::from).collect(), properties })
}

fn by_brute_force(scenario: &Scenario, knob: &Knob, from: i64, to: i64) -> Vec<Window> {
    let mut found: Vec<Window> = Vec::new();
    for value in from..to {
        let outcome = outcome(scenario, knob, value);
        match found.last_mut() {
            Some(last) if last.outcome == outcome => last.values.end = value + 1,
            _ => found.push(Window { values: value..value + 1, outcome }),
        }
    }
    found
}

/// The part of a pointer that tells knobs of one kind: the field.
fn kind(knob: &Knob) -> String {
    let pointer = knob.pointer();
    pointer.split('/').filter(|part| part.parse::<usize>().is_err()).collect::<Vec<_>>().join("/")
}

fn random_scenarios(count: usize) -> impl Iterator<Item = Scenario> {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = scenario(Scale::Micros);
    (0..count).map(move |_| strategy.new_tree(&mut runner).expect("a scenario is generated").current())
}

#[test]
fn windows_are_what_running_every_value_gives() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (index, scenario) in random_scenarios(2_000).enumerate() {
        // Two knobs of each scenario, so that all kinds come up within the time of a test; which ones goes round.
        let knobs = Knob::all(&scenario);
        for turn in 0..2 {
            let knob = &knobs[(index * 7 + turn * 5) % knobs.len()];
            *kinds.entry(kind(knob)).or_default() += 1;
            let from = if matches!(knob, Knob::Offset(_)) { -40 } else { 0 };
            let expected = by_brute_force(&scenario, knob, from, 70);
            let found = windows(&scenario, knob, from..70);
            assert_eq!(found, expected, "{} of {}", knob.pointer(), scenario.to_json());
        }
    }
    let all_kinds = [
        "/network/delay",
        "/leases/ttl",
        "/leases/lock_delay",
        "/leases/failovers/at",
        "/resources/restarts",
        "/workers/starts",
        "/workers/clock/offset",
        "/workers/renew_every",
        "/workers/pauses/at",
        "/workers/pauses/for",
        "/workers/plan/for",
        "/workers/plan/at",
        "/workers/plan/margin",
        "/workers/plan/retry/after",
        "/workers/plan/sends/delay",
        "/workers/plan/sends/reply_delay",
        "/workers/plan/sends/copies",
        "/workers/plan/peek_sends/delay",
        "/workers/renewal_sends/delay",
    ];
    for kind in all_kinds {
        assert!(kinds.get(kind).is_some_and(|&count| count >= 5), "{kind} came up too rarely: {kinds:?}");
    }
}

#[test]
fn the_start_of_a_pause_whose_end_stays_has_the_windows_of_running_every_value() {
    let mut tried = 0;
    for scenario in random_scenarios(400) {
        let places = (scenario.workers.iter().enumerate())
            .flat_map(|(worker, of)| (0..of.pauses.len()).map(move |pause| (worker, pause)));
        for (worker, pause) in places.take(2) {
            let Some(start) = PauseStart::of(&scenario, worker, pause) else { continue };
            let end = scenario.workers[worker].pauses[pause];
            let end = (end.at + end.length.unwrap_or(0)) as i64;
            let found = windows_within(&scenario, &start, 0..end + 1, u64::MAX);
            let mut expected: Vec<Window> = Vec::new();
            for value in 0..=end {
                let mut turned = scenario.clone();
                let of = &mut turned.workers[worker].pauses[pause];
                (of.at, of.length) = (value as u64, Some((end - value) as u64));
                let outcome = outcome_of(&turned);
                match expected.last_mut() {
                    Some(last) if last.outcome == outcome => last.values.end = value + 1,
                    _ => expected.push(Window { values: value..value + 1, outcome }),
                }
            }
            assert_eq!(found.parts, expected, "pause {pause} of {worker} in {}", scenario.to_json());
            tried += 1;
        }
    }
    assert!(tried > 100, "pauses came up too rarely: {tried}");
}

#[test]
fn a_stretch_has_the_class_of_the_headline_at_each_of_its_values() {
    for (index, scenario) in random_scenarios(400).enumerate() {
        let knobs = Knob::all(&scenario);
        let knob = &knobs[(index * 7) % knobs.len()];
        for stretch in stretches(&scenario, knob, 0..70, u64::MAX).parts {
            for value in [stretch.values.start, stretch.values.end - 1] {
                let mut turned = scenario.clone();
                knob.set(&mut turned, value);
                let class = run(&turned).ok().map(|trace| fenceline_engine::Headline::new(&turned, &trace).class);
                assert_eq!(
                    stretch.gist.map(|gist| gist.class),
                    class,
                    "{} at {value} of {}",
                    knob.pointer(),
                    scenario.to_json()
                );
            }
        }
    }
}

#[test]
fn windows_stop_where_their_work_runs_out_and_are_exact_up_to_there() {
    let story = story();
    let knob = Knob::at(&story, "/workers/0/pauses/0/for").expect("A has a pause");
    let whole = windows(&story, &knob, 0..60_000_000);
    let part = windows_within(&story, &knob, 0..60_000_000, 1);
    // One run is made whatever the bound: it ends at the first boundary of its certificate, which is none beyond 23.8 s.
    let stop = part.stopped_at.expect("one run does not cover a minute");
    assert!(stop <= 23_800_000, "{stop}");
    assert_eq!(part.parts, [Window { values: 0..stop, outcome: whole[0].outcome.clone() }]);
    assert_eq!(windows_within(&story, &knob, 0..60_000_000, 1_000_000).stopped_at, None);
}

#[test]
fn a_margin_ends_at_the_first_value_that_changes_a_property() {
    for (index, scenario) in random_scenarios(200).enumerate() {
        let knobs = Knob::all(&scenario);
        let knob = &knobs[(index * 11) % knobs.len()];
        let Some(found) = margin(&scenario, knob) else { panic!("the knob is the scenario's") };
        let properties = |value| outcome(&scenario, knob, value).map(|outcome| outcome.properties);
        let now = properties(found.value);
        let least = if matches!(knob, Knob::Offset(_)) { found.value - 90 } else { (found.value - 90).max(0) };
        let most = found.value + 90;
        let below = (least..found.value).rev().find(|&value| properties(value) != now);
        let above = (found.value + 1..most).find(|&value| properties(value) != now);
        for (edge, expected, seen) in
            [(found.below, below, least..found.value), (found.above, above, found.value..most)]
        {
            let said = match edge {
                // A ttl of 0 is no edge of the schedule's own, and what lies beyond the values tried is not contradicted.
                Edge::At(value) if seen.contains(&value) => Some(value),
                _ => None,
            };
            let expected = expected.filter(|&value| outcome(&scenario, knob, value).is_some() || said.is_some());
            assert_eq!(said, expected, "{} of {}", knob.pointer(), scenario.to_json());
        }
    }
}

#[test]
fn a_value_with_which_all_times_add_up_to_too_much_is_invalid() {
    // 2^61 µs are a little more than 7,311 times ten years.
    let step = r#"{ "do": "until", "at": "3650d" }"#;
    let worker = |(index, steps): (usize, usize)| {
        format!(r#"{{ "id": "w{index}", "plan": [{}] }}"#, vec![step; steps].join(","))
    };
    let workers: Vec<String> = (0..28).map(|index| (index, 256)).chain([(28, 143)]).map(worker).collect();
    let document = format!(
        r#"{{ "version": 1, "leases": [{{ "id": "lock", "ttl": "5s" }}], "resources": [{{ "id": "report" }}],
             "workers": [{}] }}"#,
        workers.join(",")
    );
    let scenario = Scenario::from_json(&document).expect("that much is allowed");
    let knob = Knob::at(&scenario, "/workers/3/starts").expect("each worker starts");
    let most = Turn::limits(&knob).1;
    let (mut good, mut bad) = (0, most);
    assert!(outcome(&scenario, &knob, bad).is_none(), "all of it is too much");
    while bad - good > 1 {
        let middle = i64::midpoint(good, bad);
        if outcome(&scenario, &knob, middle).is_some() { good = middle } else { bad = middle }
    }
    let found = windows(&scenario, &knob, bad - 3..bad + 3);
    assert_eq!(found, by_brute_force(&scenario, &knob, bad - 3, bad + 3));
    assert_eq!(found.len(), 2);
}

fn story() -> Scenario {
    Scenario::from_json(include_str!("../../../presets/paused-worker.json")).expect("the preset is valid")
}

#[test]
fn the_storys_pause_has_the_three_windows_of_a_hand_calculation() {
    // A is granted at 0.2 s and works from 0.4 s; paused at 5 s for P with 0.4 s of its 5 s left, it sends at 5.4 + P and
    // arrives at 6.4 + P. Its lease ends at 30.2 s: current while 6.4 + P < 30.2. B's write is sent at 37.4 s and
    // arrives at 38.4 s; at a tie what was sent first is first, and when both were sent at 37.4 s A comes first in the file.
    let story = story();
    let knob = Knob::at(&story, "/workers/0/pauses/0/for").expect("A has a pause");
    let found = windows(&story, &knob, 0..60_000_000);
    let values: Vec<_> = found.iter().map(|window| window.values.clone()).collect();
    assert_eq!(values, [0..23_800_000, 23_800_000..32_000_001, 32_000_001..60_000_000]);
    let holds = |index: usize, property: Property| {
        found[index].outcome.as_ref().is_some_and(|outcome| outcome.properties[property as usize])
    };
    assert!(holds(0, Property::NoStaleWrite) && !holds(1, Property::NoStaleWrite) && holds(2, Property::NoStaleWrite));
}

#[test]
fn the_smallest_flip_of_the_storys_late_write_is_found_and_works() {
    let story = story();
    let trace = run(&story).expect("the preset is valid");
    let late = trace.writes.iter().position(|write| write.worker == 0).expect("A writes");
    let flip = flip(&story, late).expect("something flips it");
    let mut turned = story.clone();
    flip.knob.turn(&mut turned, flip.to);
    let after = run(&turned).expect("still valid");
    let then = after.writes.iter().find(|write| write.worker == 0);
    assert!(then.is_none_or(
        |then| then.decision != trace.writes[late].decision || then.standing != trace.writes[late].standing
    ));
    // One microsecond less does not flip it.
    let mut almost = story.clone();
    flip.knob.turn(&mut almost, if flip.to > flip.from { flip.to - 1 } else { flip.to + 1 });
    let before = run(&almost).expect("still valid");
    let same = before.writes.iter().find(|write| write.worker == 0).expect("A still writes");
    assert_eq!((same.decision, same.standing), (trace.writes[late].decision, trace.writes[late].standing));
}

#[test]
fn each_row_of_a_race_map_is_its_own_exact_windows() {
    let story = story();
    let pause = Knob::at(&story, "/workers/0/pauses/0/for").expect("A has a pause");
    let delay = Knob::at(&story, "/workers/0/plan/2/sends/0/delay").expect("A's write has a delay");
    for row in race_map(&story, &pause, &(0..60_000_000), &delay, (0..10).map(|step| step * 1_000_000)) {
        let edges: Vec<i64> = row.windows.iter().skip(1).map(|window| window.values.start).collect();
        // Sent at 5.4 + P, arriving one delay later: current while that is before 30.2 s. B's arrives at 38.4 s and was sent
        // at 37.4 s, so that at the tie A comes first when its delay is 1 s or more.
        let tie = i64::from(row.y >= 1_000_000);
        assert_eq!(edges, [24_800_000 - row.y, 33_000_000 - row.y + tie]);
    }
}

#[test]
fn a_row_of_a_map_that_no_document_may_show_is_not_possible_and_not_run() {
    let document = include_str!("../../../presets/renewal-lost.json");
    let scenario = Scenario::from_json(document).expect("the preset is valid");
    let worker = scenario.workers.iter().position(|worker| worker.renew_every.is_some()).expect("one renews");
    let every = Knob::RenewEvery(worker);
    for row in race_map(&scenario, &Knob::NetworkDelay, &(0..1_000), &every, [-1, 0, 1_000_000]) {
        let possible = row.windows.iter().any(|window| window.outcome.is_some());
        assert_eq!(possible, row.y > 0, "{}", row.y);
        assert_eq!(row.windows.last().map(|window| window.values.end), Some(1_000));
    }
}

#[test]
fn a_margin_is_exact_only_when_nothing_nearer_was_left_out() {
    let margin = |below, above| fenceline_engine::Margin { knob: Knob::NetworkDelay, value: 100, below, above }.least();
    assert_eq!(margin(Edge::At(90), Edge::At(130)), Least::Exactly(10));
    assert_eq!(margin(Edge::At(90), Edge::NotBefore(120)), Least::Exactly(10));
    assert_eq!(margin(Edge::At(50), Edge::NotBefore(120)), Least::AtLeast(20));
    assert_eq!(margin(Edge::NotBefore(70), Edge::Never), Least::AtLeast(30));
    assert_eq!(margin(Edge::Never, Edge::Never), Least::Unbounded);
}

#[test]
fn a_delay_that_is_a_race_is_a_knob_although_nobody_wrote_it() {
    let document = include_str!("../../../presets/check-then-write.json");
    let scenario = Scenario::from_json(document).expect("the preset is valid");
    let peeks = |knob: &Knob| matches!(knob, Knob::Send(_, Sends::Peek(_), 0, Delay::Request));
    assert!(Knob::all(&scenario).iter().any(peeks), "a peek's delay");
    assert!(!Knob::all(&story()).iter().any(peeks), "and no peek where nobody looks");
}

#[test]
fn a_flip_lies_also_beyond_an_overlap_of_pauses() {
    // A is paused from 2 s to 3 s, and again at 10 s for 1 s; its write of 12 s is stale once the second pause is long enough, or
    // once it begins later. The first pause cannot reach into the second, but can begin after it.
    let scenario = Scenario::from_json(
        r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "20s" }], "resources": [{ "id": "r", "guard": "none" }],
             "workers": [{ "id": "A",
               "plan": [{ "do": "acquire", "lease": "lock" }, { "do": "until", "at": "19s" }, { "do": "write", "resource": "r", "value": "v" }],
               "pauses": [{ "at": "2s", "for": "2s" }, { "at": "10s", "for": "1s" }] }] }"#,
    )
    .expect("it is valid");
    let mut search = FlipSearch::of_write(&scenario, 0).expect("it writes");
    while search.go_on() {}
    assert!(search.is_complete());
    // At 19 s it writes, under a lease that ends at 20 s. With the first pause at 18 s or later it is stale.
    let knob = Knob::at(&scenario, "/workers/0/pauses/0/at").expect("a pause");
    let found = windows(&scenario, &knob, 0..30_000_000);
    let stale = |window: &Window| {
        let outcome = window.outcome.as_ref();
        outcome.is_some_and(|outcome| !outcome.properties[Property::NoStaleWrite as usize])
    };
    assert!(found.iter().any(|window| window.outcome.is_none()), "in between it would overlap");
    assert!(found.iter().any(stale), "and beyond it flips");
}
