//! What was made comes back whole, and is short.

use fenceline_engine::scenario::{
    Clock, Exchange, Lease, MAX_EXACT, MAX_MICROS, Pause, Resource, Send, Step, TokenSource, Worker, Write,
};
use fenceline_engine::{Guard, Scenario, limits};
use fenceline_link::{Link, Notice, Opened, Shown, View, decode, encode};
use proptest::prelude::*;

use crate::generate::any_scenario;
use crate::{link, looked_at, opened, scenarios, shown, story};

#[test]
fn every_preset_and_case_comes_back_as_it_was() {
    for (name, scenario) in scenarios() {
        let text = encode(&link(scenario.clone()));
        assert!(text.starts_with("s=1z.") || text.starts_with("s=1p."), "{name}");
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"=.-_".contains(&byte)), "{text}");
        assert_eq!(shown(&text), scenario, "{name}");
    }
}

#[test]
fn the_story_edited_once_has_fewer_than_400_characters() {
    let mut edited = story();
    edited.workers[0].pauses[0].length = Some(32_400_001);
    edited.resources[0].guard = Guard::NewerOrEqual;
    let view = View { zoom: None, ..looked_at() };
    let plain = encode(&link(edited.clone()));
    let shown = Shown::Scenario { scenario: Box::new(edited), of: Some("paused-worker".into()) };
    let viewed = encode(&Link { shown, view });
    println!("{} characters, {} with a view", plain.len(), viewed.len());
    assert!(viewed.len() < 400, "{} characters: {viewed}", viewed.len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn any_scenario_comes_back_as_it_was(scenario in any_scenario()) {
        prop_assume!(scenario.check().is_empty());
        prop_assert_eq!(shown(&encode(&link(scenario.clone()))), scenario);
    }
}

#[test]
fn values_at_their_limits_come_back() {
    let mut scenario = story();
    scenario.title = "\u{202e}\u{0}\n🦀 &=#%".into();
    scenario.workers[1].starts = MAX_MICROS;
    scenario.workers[0].clock = Clock { offset: -1, drift_ppm: -500_000 };
    scenario.leases[0].tokens = TokenSource::Random { seed: MAX_EXACT };
    assert_eq!(scenario.check(), []);
    assert_eq!(shown(&encode(&link(scenario.clone()))), scenario);
}

/// An id as long as one may be, in letters of four bytes.
fn longest_id(number: usize) -> String {
    let number = number.to_string();
    let fill = limits::MAX_ID_CHARS - number.len();
    ["\u{20000}".repeat(fill), number].concat()
}

#[test]
fn as_many_of_everything_as_there_may_be_come_back() {
    let copies = vec![1; limits::MAX_COPIES];
    let sends = vec![Send { copies, ..Send::default() }];
    let write = |resource: usize| {
        Step::Write(Write {
            lease: Some(longest_id(limits::MAX_LEASES - 1)),
            exchange: Exchange { sends: sends.clone(), retry: None },
            ..Write::new(&longest_id(resource), "value")
        })
    };
    let worker = |number: usize| Worker { id: longest_id(number), plan: vec![write(number)], ..Worker::default() };
    let mut scenario = Scenario {
        leases: (0..limits::MAX_LEASES).map(|number| Lease::new(&longest_id(number), 1)).collect(),
        resources: (0..limits::MAX_RESOURCES).map(|number| Resource::new(&longest_id(number))).collect(),
        workers: (0..limits::MAX_WORKERS).map(worker).collect(),
        ..Scenario::default()
    };
    scenario.workers[0].plan = (0..limits::MAX_STEPS).map(|step| write(step % limits::MAX_RESOURCES)).collect();
    scenario.workers[0].pauses =
        (0..limits::MAX_PAUSES as u64).map(|pause| Pause { at: pause, length: Some(1) }).collect();
    assert_eq!(scenario.check(), []);
    let text = encode(&link(scenario.clone()));
    assert!(text.starts_with("s=1z."), "it is coded, not JSON");
    assert_eq!(shown(&text), scenario);
}

#[test]
fn a_view_comes_back_and_what_is_not_known_is_passed_over() {
    let view = View {
        panel: Some("margins".into()),
        part: Some("step-0-2".into()),
        write: Some("0-2-1-0".into()),
        handle: Some("arrival-0-2-1-0".into()),
        at: Some(90_000_001),
        zoom: Some((0, 61_500_000)),
    };
    let made = Link { shown: Shown::Preset("paused-worker".into()), view };
    assert_eq!(opened(&encode(&made)), made);

    let Opened { link, notices } =
        decode("p=paused-worker&panel=<b>&at=-3s&zoom=9s-2s&mood=blue&\u{202e}=1").expect("it opens");
    assert_eq!(link, Link { shown: Shown::Preset("paused-worker".into()), view: View::default() });
    let expected = [
        Notice::Value("panel"),
        Notice::Value("at"),
        Notice::Value("zoom"),
        Notice::Key("mood".into()),
        Notice::Key("\\u{202e}".into()),
    ];
    assert_eq!(notices, expected);
}

#[test]
fn names_that_are_none_cannot_become_other_pairs() {
    let view = View { panel: Some("x&p=other#%é".into()), ..View::default() };
    let made = encode(&Link { shown: Shown::Preset("paused-worker".into()), view });
    let Opened { link, notices } = decode(&made).expect("it opens");
    assert_eq!(link, Link { shown: Shown::Preset("paused-worker".into()), view: View::default() });
    assert_eq!(notices, [Notice::Value("panel")]);
}
