//! What the explorer answers is what the engine gives, however it is sliced and whatever else it does.

use std::cell::Cell;

use fenceline_engine::{
    Bounds, FlipSearch, Knob, Partition, Progress, Property, RaceMap, Scenario, Search, Stretch, margin, run,
};
use fenceline_explorer::protocol::{Answer, Axis, Request, Said, Work, decode, encode};
use fenceline_explorer::{Session, ground};

/// How much work a row of a map may take.
const WORK: u64 = 20_000;

fn say(session: &mut Session, request: &Request) {
    session.hear(&encode(request));
}

fn told(session: &mut Session, scenario: &Scenario) {
    say(session, &Request::Document { number: 1, text: scenario.to_json() });
}

fn begin(session: &mut Session, job: u32, work: Work) {
    say(session, &Request::Begin { job, document: 1, work });
}

/// Works until nothing is left, in slices that end after so many looks at the clock.
fn all(session: &mut Session, looks: f64) -> Vec<Said> {
    let now = Cell::new(0.0);
    let clock = || {
        now.set(now.get() + 1.0);
        now.get()
    };
    let mut said = Vec::new();
    while session.has_work() {
        let bytes = session.go_on(clock, looks);
        if !bytes.is_empty() {
            said.extend(decode::<Vec<Said>>(&bytes).expect("it is a message"));
        }
    }
    said
}

/// The answers to one job that runs alone, in the smallest slices and in one.
fn answers(scenario: &Scenario, work: &Work) -> Vec<Answer> {
    let of = |looks: f64| {
        let mut session = Session::new();
        told(&mut session, scenario);
        begin(&mut session, 1, work.clone());
        all(&mut session, looks).into_iter().map(|said| said.answer).collect::<Vec<_>>()
    };
    let (sliced, whole) = (of(1.0), of(f64::INFINITY));
    assert_eq!(joined(&sliced), joined(&whole));
    assert!(sliced.iter().rev().skip(1).all(|answer| !answer.is_last()), "only the last one ends it");
    assert!(sliced.last().is_some_and(Answer::is_last));
    sliced
}

/// What a job has said in all, without where its slices ended.
fn joined(answers: &[Answer]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for answer in answers {
        match answer {
            Answer::Rows { rows, .. } => parts.extend(rows.iter().map(|row| format!("{row:?}"))),
            Answer::Margins { found, .. } => parts.extend(found.iter().map(|found| format!("{found:?}"))),
            Answer::Place(_) => {}
            last => parts.push(format!("{last:?}")),
        }
    }
    parts.join("\n")
}

fn presets() -> impl Iterator<Item = (&'static str, Scenario)> {
    fenceline_presets::ALL.iter().map(|(name, text)| (*name, Scenario::from_json(text).expect("a preset is valid")))
}

fn story() -> Scenario {
    Scenario::from_json(fenceline_presets::document("paused-worker").expect("it is there")).expect("it is valid")
}

#[test]
fn margins_are_those_of_the_engine() {
    for (name, scenario) in presets() {
        let found: Vec<_> = (answers(&scenario, &Work::Margins).into_iter())
            .flat_map(|answer| match answer {
                Answer::Margins { found, .. } => found,
                other => panic!("{name}: {other:?}"),
            })
            .collect();
        let expected: Vec<_> = Knob::all(&scenario).iter().map(|knob| margin(&scenario, knob)).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn flips_are_those_of_the_engine() {
    let of = |search: Option<FlipSearch>| {
        let Some(mut search) = search else { return Answer::NoFlip };
        while search.go_on() {}
        Answer::Flip { best: search.best().cloned(), is_complete: search.is_complete() }
    };
    for (name, scenario) in presets() {
        let writes = run(&scenario).expect("it runs").writes.len();
        // One more than there are: then there is nothing to flip.
        for write in 0..=writes {
            let expected = of(FlipSearch::of_write(&scenario, write));
            assert_eq!(answers(&scenario, &Work::FlipWrite(write as u32)), [expected], "{name}, write {write}");
        }
        assert_eq!(answers(&scenario, &Work::FlipToHold), [of(Some(FlipSearch::to_hold(&scenario)))], "{name}");
    }
}

#[test]
fn a_map_has_each_row_once_and_each_as_the_engine_gives_it() {
    for (name, scenario) in presets().step_by(4) {
        let knobs = Knob::all(&scenario);
        let (Some(x), Some(y)) = (knobs.first(), knobs.last()) else { continue };
        let (to, count) = (20_000_000, 33);
        let axis = |knob: &Knob| Axis { knob: knob.clone(), from: 0, to };
        let work = Work::Map { across: axis(x), up: axis(y), rows: count };
        let mut rows: Vec<(u32, Partition<Stretch>)> = (answers(&scenario, &work).into_iter())
            .flat_map(|answer| match answer {
                Answer::Rows { rows, .. } => rows,
                other => panic!("{name}: {other:?}"),
            })
            .collect();
        assert_eq!(
            rows[..3].iter().map(|(row, _)| *row).collect::<Vec<_>>(),
            [0, 16, 32],
            "{name}: from coarse to fine"
        );
        rows.sort_by_key(|(row, _)| *row);
        let ground = ground(&scenario, [(x, 0), (y, 0)]);
        let mut map = RaceMap::new(&ground, x.clone(), 0..to + 1, y.clone());
        let expected: Vec<_> = (0..count)
            .map(|row| (row, map.row(to * (2 * i64::from(row) + 1) / (2 * i64::from(count)), WORK)))
            .collect();
        assert_eq!(rows, expected, "{name}");
    }
}

#[test]
fn a_search_ends_as_that_of_the_engine() {
    for (name, scenario) in presets().step_by(3) {
        for property in [None, Some(Property::NoStaleWrite)] {
            let bounds = Bounds { changes: 1, step: 5_000_000, max: 60_000_000, property };
            let mut search = Search::new(&scenario, bounds);
            let end = loop {
                match search.go_on(64) {
                    Progress::GoesOn => {}
                    end => break end,
                }
            };
            match (answers(&scenario, &Work::Search(bounds)).pop(), end) {
                (Some(Answer::Found(found)), Progress::Found(expected)) => {
                    let document = Scenario::from_json(&found.document).expect("what is found is valid");
                    assert_eq!(document, expected.scenario, "{name}");
                    let pauses = expected.pauses.iter().map(|(at, pause)| (*at, pause.at, pause.length.unwrap_or(0)));
                    assert_eq!(found.pauses, pauses.collect::<Vec<_>>(), "{name}");
                    assert_eq!((&found.delays, found.property), (&expected.delays, expected.property), "{name}");
                    assert!(found.is_smallest);
                }
                (Some(Answer::Nothing { covered, left_out }), Progress::Nothing) => {
                    assert_eq!((covered, left_out), (search.covered(), search.left_out()), "{name}");
                }
                (answer, end) => panic!("{name}: {answer:?} in place of {end:?}"),
            }
        }
    }
}

#[test]
fn jobs_side_by_side_answer_as_each_would_alone() {
    let scenario = story();
    let bounds = Bounds { changes: 1, ..Bounds::default() };
    let works = [Work::Margins, Work::FlipToHold, Work::Search(bounds), Work::FlipWrite(0)];
    let mut session = Session::new();
    told(&mut session, &scenario);
    for (job, work) in (1..).zip(&works) {
        begin(&mut session, job, work.clone());
    }
    let said = all(&mut session, 3.0);
    for (job, work) in (1..).zip(&works) {
        let of_it: Vec<Answer> = said.iter().filter(|said| said.job == job).map(|said| said.answer.clone()).collect();
        let alone = answers(&scenario, work);
        // How often the place of a search is told is the clock's.
        assert_eq!(joined(&of_it), joined(&alone), "{work:?}");
    }
}

#[test]
fn a_long_search_does_not_hold_up_what_is_quick() {
    let mut session = Session::new();
    told(&mut session, &story());
    let bounds = Bounds { changes: 4, property: Some(Property::AtMostOnce), ..Bounds::default() };
    begin(&mut session, 1, Work::Search(bounds));
    begin(&mut session, 2, Work::FlipToHold);
    let clock = Cell::new(0.0);
    let is_there = (0..200).any(|_| {
        let bytes = session.go_on(|| clock.replace(clock.get() + 1.0), 1.0);
        decode::<Vec<Said>>(&bytes).is_some_and(|said| said.iter().any(|said| said.job == 2 && said.answer.is_last()))
    });
    assert!(is_there && session.has_work(), "the flip is there, and the search goes on");
}

#[test]
fn what_is_forgotten_says_nothing_and_what_is_stopped_says_where() {
    let mut session = Session::new();
    told(&mut session, &story());
    let search = |changes, property| Work::Search(Bounds { changes, property, ..Bounds::default() });
    for job in 1..=3 {
        begin(&mut session, job, search(4, Some(Property::AtMostOnce)));
    }
    let clock = Cell::new(0.0);
    for _ in 0..30 {
        session.go_on(|| clock.replace(clock.get() + 1.0), 1.0);
    }
    say(&mut session, &Request::Forget(1));
    say(&mut session, &Request::Stop(2));
    say(&mut session, &Request::Stop(2));
    say(&mut session, &Request::Forget(3));
    let said = all(&mut session, 1.0);
    let [Said { job: 2, answer: Answer::Stopped(place) }] = said[..] else { panic!("{said:?}") };
    assert!(place.covered > 0 && place.covered < place.total, "{place:?}");
}

#[test]
fn a_search_that_is_stopped_with_something_found_says_what() {
    let found = (0..16).any(|exponent| {
        let mut session = Session::new();
        told(&mut session, &story());
        begin(&mut session, 1, Work::Search(Bounds::default()));
        let clock = Cell::new(0.0);
        for _ in 0..1 << exponent {
            session.go_on(|| clock.replace(clock.get() + 1.0), 1.0);
        }
        say(&mut session, &Request::Stop(1));
        all(&mut session, 1.0).iter().any(|said| matches!(&said.answer, Answer::Found(found) if !found.is_smallest))
    });
    assert!(found, "at some time there is a counterexample that may not be the smallest");
}

#[test]
fn the_place_of_a_search_is_told_ten_times_a_second_and_not_at_every_step() {
    let mut session = Session::new();
    told(&mut session, &story());
    let bounds = Bounds { changes: 3, property: Some(Property::AtMostOnce), ..Bounds::default() };
    begin(&mut session, 1, Work::Search(bounds));
    let now = Cell::new(0.0);
    let mut places = Vec::new();
    for _ in 0..100 {
        // Each slice takes 8 ms.
        let bytes = session.go_on(|| now.replace(now.get() + 4.0), 4.0);
        let said = if bytes.is_empty() { Vec::new() } else { decode::<Vec<Said>>(&bytes).expect("a message") };
        places.extend(said.into_iter().filter_map(|said| match said.answer {
            Answer::Place(place) => Some(place.covered),
            _ => None,
        }));
    }
    let seconds = now.get() / 1_000.0;
    let most = seconds * 10.0 + 1.0;
    assert!(places.len() >= 3 && places.len() as f64 <= most, "{} in {seconds} s", places.len());
    assert!(places.is_sorted());
}

#[test]
fn what_cannot_be_done_is_said_and_ends_nothing_else() {
    let mut session = Session::new();
    // No document yet, one that is none, and one that is another.
    begin(&mut session, 1, Work::Margins);
    say(&mut session, &Request::Document { number: 1, text: "{".into() });
    begin(&mut session, 2, Work::Margins);
    told(&mut session, &story());
    say(&mut session, &Request::Begin { job: 3, document: 2, work: Work::Margins });
    begin(&mut session, 4, Work::FlipToHold);
    session.hear(&[]);
    session.hear(b"nonsense");
    let said = all(&mut session, 1.0);
    let failed: Vec<u32> = said.iter().filter(|said| said.answer == Answer::Failed).map(|said| said.job).collect();
    assert_eq!(failed, [1, 2, 3, 0, 0], "0 stands for nobody knows whom");
    assert!(said.iter().any(|said| said.job == 4 && matches!(said.answer, Answer::Flip { .. })));
}
