//! What a drag means: the edit, its limits, and that the handle ends up under the pointer.

mod common;

use common::{Story, seed, stories};
use fenceline_engine::scenario::{MAX_MICROS, Micros, Pause, Scenario, Step};
use fenceline_engine::{Knob, Trace, run};
use fenceline_figure::{HandleId, View, dragged, limits, scene, with_value};
use proptest::prelude::*;

const SECOND: Micros = 1_000_000;

fn handles(story: &Story) -> Vec<HandleId> {
    scene(&story.scenario, &story.trace, &View::live(1396.0)).handles.iter().map(|handle| handle.id).collect()
}

fn drag(story: &Story, handle: HandleId, to: Micros) -> (Scenario, Trace) {
    let edited = dragged(&story.scenario, &story.trace, handle, to);
    let trace = run(&edited).unwrap_or_else(|errors| panic!("{}: {handle:?} to {to}: {errors:?}", story.name));
    (edited, trace)
}

/// Where a handle stands after a drag. Work cannot end inside a pause of its worker: it ends at the resume.
fn landing(scenario: &Scenario, handle: HandleId, to: Micros) -> Micros {
    let HandleId::WorkEnd { worker, .. } = handle else { return to };
    let mut pauses: Vec<&Pause> = scenario.workers[worker].pauses.iter().collect();
    pauses.sort_by_key(|pause| pause.at);
    let mut to = to;
    for pause in pauses {
        let Some(length) = pause.length else { continue };
        if pause.at <= to && to < pause.at + length {
            to = pause.at + length;
        }
    }
    to
}

/// Whether a drag of the handle moves nothing that the handle itself hangs on.
fn stands_alone(handle: HandleId) -> bool {
    // A later grant begins where an earlier one ends, and both move with the ttl.
    !matches!(handle, HandleId::LeaseEnd { grant, .. } if grant > 1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_dragged_handle_stands_where_it_was_dragged_to(share in 0.0..1.0_f64, far in any::<bool>()) {
        for story in stories().into_iter().chain([timers(), clocks()]) {
            // Renewals move the end of a lease whose ttl changes.
            let renews = story.scenario.workers.iter().any(|worker| worker.renew_every.is_some());
            for handle in handles(&story) {
                let Some(at) = limits(&story.scenario, &story.trace, handle) else { continue };
                let longest = if far { 10_000 * SECOND } else { 80 * SECOND };
                let to = (share * longest as f64) as Micros;
                let (edited, trace) = drag(&story, handle, to);
                let wanted = landing(&story.scenario, handle, to.clamp(at.min_us, at.max_us));
                if stands_alone(handle) && !(renews && matches!(handle, HandleId::LeaseEnd { .. }))
                    && let Some(now) = limits(&edited, &trace, handle)
                {
                    if let HandleId::ClockDrift { .. } = handle {
                        // A drift is a round number of parts of a million.
                        let rough = wanted.abs_diff(at.now_us) / 4 + 1 + now.from_us / 1_000_000;
                        prop_assert!(now.now_us.abs_diff(wanted) <= rough, "{}: {:?} to {}", story.name, handle, wanted);
                        continue;
                    }
                    prop_assert_eq!(now.now_us, wanted, "{} {:?}", story.name, handle);
                }
            }
        }
    }
}

#[test]
fn a_chain_of_leases_shares_a_move_of_its_last_end() {
    let story = seed();
    // 41 runs from 0.2 to 30.2 and 42 from there to 60.2. To end 42 at 50.2, each runs 25 s.
    let handle = HandleId::LeaseEnd { lease: 0, grant: 2 };
    let (edited, trace) = drag(&story, handle, 50_200_000);
    assert_eq!(edited.leases[0].ttl, 25 * SECOND);
    assert_eq!(limits(&edited, &trace, handle).map(|limits| limits.now_us), Some(50_200_000));
}

#[test]
fn the_start_of_a_pause_moves_with_its_end_fixed() {
    let (edited, _) = drag(&seed(), HandleId::PauseStart { worker: 0, pause: 0 }, 12 * SECOND);
    assert_eq!(edited.workers[0].pauses, [Pause { at: 12 * SECOND, length: Some(38 * SECOND) }]);
}

#[test]
fn the_end_of_a_pause_changes_its_length_and_stops_at_its_start() {
    let story = seed();
    let handle = HandleId::PauseEnd { worker: 0, pause: 0 };
    let (edited, _) = drag(&story, handle, 20 * SECOND);
    assert_eq!(edited.workers[0].pauses, [Pause { at: 5 * SECOND, length: Some(15 * SECOND) }]);
    let (edited, trace) = drag(&story, handle, 0);
    assert_eq!(edited.workers[0].pauses, [Pause { at: 5 * SECOND, length: Some(0) }]);
    // An empty pause can be taken by its end again.
    assert!(limits(&edited, &trace, handle).is_some());
}

#[test]
fn the_body_of_a_pause_moves_the_whole_and_not_over_its_neighbour() {
    let mut story = seed();
    story.scenario.workers[0].pauses.push(Pause { at: 60 * SECOND, length: Some(5 * SECOND) });
    story.trace = run(&story.scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
    let handle = HandleId::PauseBody { worker: 0, pause: 0 };
    let (edited, _) = drag(&story, handle, 10 * SECOND);
    assert_eq!(edited.workers[0].pauses[0], Pause { at: 10 * SECOND, length: Some(45 * SECOND) });
    let (edited, _) = drag(&story, handle, 40 * SECOND);
    assert_eq!(edited.workers[0].pauses[0], Pause { at: 15 * SECOND, length: Some(45 * SECOND) });
    let (edited, _) = drag(&story, HandleId::PauseStart { worker: 0, pause: 1 }, 0);
    assert_eq!(edited.workers[0].pauses[1], Pause { at: 50 * SECOND, length: Some(15 * SECOND) });
}

#[test]
fn a_crash_has_a_start_and_no_end() {
    let mut story = seed();
    story.scenario.workers[0].pauses = vec![Pause { at: 5 * SECOND, length: None }];
    story.trace = run(&story.scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
    let ids = handles(&story);
    assert!(ids.contains(&HandleId::PauseStart { worker: 0, pause: 0 }));
    assert!(!ids.contains(&HandleId::PauseEnd { worker: 0, pause: 0 }));
    // Its work never ends, so there is no end to take.
    assert!(!ids.contains(&HandleId::WorkEnd { worker: 0, step: 1 }));
    let (edited, _) = drag(&story, HandleId::PauseStart { worker: 0, pause: 0 }, 3 * SECOND);
    assert_eq!(edited.workers[0].pauses, [Pause { at: 3 * SECOND, length: None }]);
}

#[test]
fn an_arrival_changes_the_delay_of_its_attempt_and_never_precedes_its_sending() {
    let story = seed();
    let handle = HandleId::Arrival { worker: 0, step: 2, peek: false, attempt: 1, copy: 0 };
    let delay = |scenario: &Scenario| scenario.workers[0].plan[2].exchange().and_then(|e| e.sends[0].delay);
    // A runs from 0.4 s, is paused from 5 to 50 s and sends after 5 s of work, at 50.4 s.
    let (edited, _) = drag(&story, handle, 55 * SECOND);
    assert_eq!(delay(&edited), Some(4_600_000));
    let (edited, _) = drag(&story, handle, 10 * SECOND);
    assert_eq!(delay(&edited), Some(0));
}

#[test]
fn a_delay_that_the_document_leaves_out_is_written_where_it_belongs() {
    let mut story = seed();
    if let Step::Write(write) = &mut story.scenario.workers[1].plan[2] {
        write.exchange.sends.clear();
        write.exchange.retry = Some(fenceline_engine::scenario::Retry { after: 100_000, attempts: 3 });
    }
    story.trace = run(&story.scenario).unwrap_or_else(|errors| panic!("{errors:?}"));
    // B sends at 37.4, 37.5 and 37.6 s; the answer to the first is there at 37.8 s.
    let handle = HandleId::Arrival { worker: 1, step: 2, peek: false, attempt: 3, copy: 0 };
    let (edited, _) = drag(&story, handle, 40 * SECOND);
    let sends = edited.workers[1].plan[2].exchange().map(|exchange| exchange.sends.clone()).unwrap_or_default();
    assert_eq!(sends.iter().map(|send| send.delay).collect::<Vec<_>>(), [None, None, Some(2_400_000)]);
}

#[test]
fn work_counts_running_time_only() {
    let story = seed();
    let handle = HandleId::WorkEnd { worker: 0, step: 1 };
    let length = |scenario: &Scenario| match scenario.workers[0].plan[1] {
        Step::Work { length, .. } => length,
        _ => 0,
    };
    // From 0.4 s, paused from 5 to 50 s: an end at 52 s is 4.6 + 2 s of running.
    assert_eq!(length(&drag(&story, handle, 52 * SECOND).0), 6_600_000);
    assert_eq!(length(&drag(&story, handle, 3 * SECOND).0), 2_600_000);
    // Inside the pause it cannot end: it ends at the resume.
    let (edited, trace) = drag(&story, handle, 20 * SECOND);
    assert_eq!(length(&edited), 4_600_000);
    assert_eq!(limits(&edited, &trace, handle).map(|limits| limits.now_us), Some(50 * SECOND));
    // A typed value passes through.
    assert_eq!(length(&with_value(&story.scenario, &story.trace, handle, 4_000_000)), 4 * SECOND);
}

/// A lease of 5 s that A takes at 0 and keeps alive every 2 s, with every timer that a document can hold.
fn timers() -> Story {
    Story::new(
        "timers",
        r#"{ "version": 1,
          "leases": [{ "id": "lock", "ttl": "5s", "lock_delay": "2s",
                       "failovers": [{ "at": "30s", "next": 90 }] }],
          "resources": [{ "id": "report", "restarts": ["40s", "35s"] }],
          "workers": [
            { "id": "A", "renew_every": "2s", "renewal_sends": [{}, { "lost": true }, { "lost": true, "copies": ["500ms"] }],
              "plan": [
                { "do": "acquire", "lease": "lock", "sends": [{ "reply_delay": "1s" }] },
                { "do": "until", "at": "15s" },
                { "do": "write", "resource": "report", "value": "v", "sends": [{ "lost": true }],
                  "retry": { "after": "3s", "attempts": 2 } } ],
              "pauses": [{ "at": "8s", "for": "6s" }] } ] }"#,
    )
}

#[test]
fn every_kind_of_number_with_a_place_on_the_axis_can_be_taken() {
    let story = timers();
    // Granted at 0, known at 1 s: renewals at 3, 5 and 7 s, the last two lost but for a copy at 7.5 s, so that the lease
    // ends at 12.5 s and its lock delay at 14.5 s. After the pause A renews in vain, waits, writes at 15 and 18 s.
    let stands = [
        (HandleId::Reply { worker: 0, step: 0, peek: false, attempt: 1 }, 1_000_000, 1_000_000),
        (HandleId::RenewEvery { worker: 0 }, 3_000_000, 2_000_000),
        (HandleId::Renewal { worker: 0, attempt: 1, copy: 0 }, 3_000_000, 0),
        (HandleId::RenewalReply { worker: 0, attempt: 1 }, 3_000_000, 0),
        (HandleId::Renewal { worker: 0, attempt: 3, copy: 1 }, 7_500_000, 500_000),
        (HandleId::LockDelayEnd { lease: 0 }, 14_500_000, 2_000_000),
        (HandleId::Until { worker: 0, step: 1 }, 15_000_000, 15_000_000),
        (HandleId::RetryAfter { worker: 0, step: 2 }, 18_000_000, 3_000_000),
        (HandleId::Arrival { worker: 0, step: 0, peek: false, attempt: 1, copy: 0 }, 0, 0),
        (HandleId::Failover { lease: 0, failover: 0 }, 30_000_000, 30_000_000),
        (HandleId::Restart { resource: 0, restart: 0 }, 40_000_000, 40_000_000),
        (HandleId::Restart { resource: 0, restart: 1 }, 35_000_000, 35_000_000),
    ];
    let scene = scene(&story.scenario, &story.trace, &View::live(1396.0));
    for (id, at, value) in stands {
        let handle = scene.handle(id).unwrap_or_else(|| panic!("no {id}"));
        assert_eq!((handle.now_us, handle.value_us), (at, value), "{id}");
    }
    assert!(scene.handle(HandleId::Renewal { worker: 0, attempt: 2, copy: 0 }).is_none(), "it never arrives");
}

#[test]
fn the_end_of_a_timer_changes_its_length_and_an_instant_its_time() {
    let story = timers();
    let moved = |handle, to| drag(&story, handle, to).0;
    assert_eq!(moved(HandleId::RenewEvery { worker: 0 }, 4 * SECOND).workers[0].renew_every, Some(3 * SECOND));
    assert_eq!(moved(HandleId::LockDelayEnd { lease: 0 }, 20 * SECOND).leases[0].lock_delay, 7_500_000);
    assert_eq!(moved(HandleId::LockDelayEnd { lease: 0 }, 2 * SECOND).leases[0].lock_delay, 0);
    assert_eq!(
        moved(HandleId::Until { worker: 0, step: 1 }, 16 * SECOND).workers[0].plan[1],
        Step::Until { at: 16 * SECOND }
    );
    let retry = |scenario: &Scenario| scenario.workers[0].plan[2].exchange().and_then(|exchange| exchange.retry);
    let after = |to| retry(&moved(HandleId::RetryAfter { worker: 0, step: 2 }, to)).map(|retry| retry.after);
    assert_eq!(after(17 * SECOND), Some(2 * SECOND));
    assert_eq!(after(0), Some(1), "a wait of nothing is no document");
    let failovers = moved(HandleId::Failover { lease: 0, failover: 0 }, 10 * SECOND).leases[0].failovers.clone();
    assert_eq!(failovers[0].at, 10 * SECOND);
    let restarts = moved(HandleId::Restart { resource: 0, restart: 1 }, 50 * SECOND).resources[0].restarts.clone();
    assert_eq!(restarts, [40 * SECOND, 50 * SECOND]);
}

#[test]
fn a_period_between_renewals_cannot_be_dragged_to_nothing() {
    let story = timers();
    let (edited, trace) = drag(&story, HandleId::RenewEvery { worker: 0 }, 0);
    assert_eq!(edited.workers[0].renew_every, Some(story.trace.ended_at / 2_000));
    assert!(trace.messages.len() < 10_000);
}

#[test]
fn the_delay_of_an_answer_or_a_renewal_is_written_where_it_belongs() {
    let story = timers();
    let reply = HandleId::Reply { worker: 0, step: 0, peek: false, attempt: 1 };
    let delay = |to| {
        let (edited, _) = drag(&story, reply, to);
        edited.workers[0].plan[0].exchange().and_then(|exchange| exchange.sends[0].reply_delay)
    };
    assert_eq!((delay(4 * SECOND), delay(0)), (Some(4 * SECOND), Some(0)));
    let sends = |handle, to| drag(&story, handle, to).0.workers[0].renewal_sends.clone();
    let first = sends(HandleId::Renewal { worker: 0, attempt: 1, copy: 0 }, 3_250_000);
    assert_eq!((first[0].delay, first[0].reply_delay), (Some(250_000), None));
    let first = sends(HandleId::RenewalReply { worker: 0, attempt: 1 }, 3_250_000);
    assert_eq!((first[0].delay, first[0].reply_delay), (None, Some(250_000)));
    let third = sends(HandleId::Renewal { worker: 0, attempt: 3, copy: 1 }, 9 * SECOND);
    assert_eq!(third[2].copies, [2 * SECOND]);
}

#[test]
fn a_handle_tells_the_number_of_the_document_that_it_changes() {
    for story in stories().into_iter().chain([timers(), clocks()]) {
        let scene = scene(&story.scenario, &story.trace, &View::live(1396.0));
        for handle in &scene.handles {
            let pointer = handle.id.pointer();
            let value = match handle.id {
                // What has been gained at the end of the first lease.
                HandleId::ClockDrift { worker } => {
                    let ppm = i64::from(story.scenario.workers[worker].clock.drift_ppm);
                    Some(story.scenario.leases.first().map_or(10_000_000, |lease| lease.ttl) as i64 * ppm / 1_000_000)
                }
                _ => Knob::at(&story.scenario, &pointer).and_then(|knob| knob.value(&story.scenario)),
            };
            assert_eq!(value, Some(handle.value_us), "{} {}: {pointer}", story.name, handle.id);
        }
    }
}

#[test]
fn no_drag_goes_beyond_what_a_document_may_hold() {
    for story in stories().into_iter().chain([timers(), clocks()]) {
        for handle in handles(&story) {
            for to in [0, Micros::MAX, MAX_MICROS, MAX_MICROS + 1] {
                let edited = dragged(&story.scenario, &story.trace, handle, to);
                let text = edited.to_json();
                assert!(Scenario::from_json(&text).is_ok(), "{} {handle:?} to {to}: {text}", story.name);
            }
        }
    }
}

#[test]
fn a_handle_that_the_story_does_not_have_changes_nothing() {
    let story = seed();
    for handle in [
        HandleId::PauseEnd { worker: 9, pause: 0 },
        HandleId::PauseEnd { worker: 0, pause: 9 },
        HandleId::WorkEnd { worker: 0, step: 0 },
        HandleId::LeaseEnd { lease: 0, grant: 0 },
        HandleId::Arrival { worker: 0, step: 2, peek: true, attempt: 0, copy: 7 },
    ] {
        assert_eq!(dragged(&story.scenario, &story.trace, handle, 7 * SECOND), story.scenario);
        assert_eq!(with_value(&story.scenario, &story.trace, handle, 7_000_000), story.scenario);
    }
}

/// A worker whose clock is wrong, and who checks.
fn clocks() -> Story {
    Story::new(
        "clocks",
        r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "30s" }], "resources": [{ "id": "report" }],
          "workers": [{ "id": "A", "clock": { "offset": "-2s", "drift_ppm": 20000 },
            "plan": [
              { "do": "acquire", "lease": "lock" },
              { "do": "check", "lease": "lock", "margin": "5s" },
              { "do": "write", "resource": "report", "value": "x" }
            ] }] }"#,
    )
}

#[test]
fn a_clock_is_taken_by_hand_either_way() {
    let story = clocks();
    let (offset, drift) = (HandleId::ClockOffset { worker: 0 }, HandleId::ClockDrift { worker: 0 });
    let at = |handle| limits(&story.scenario, &story.trace, handle).expect("it is there");
    // What the clock shows when it is 15 s, and what it has gained by 30 s.
    assert_eq!((at(offset).from_us, at(offset).now_us), (15 * SECOND, 13 * SECOND));
    assert_eq!((at(drift).from_us, at(drift).now_us), (30 * SECOND, 30_600_000));
    let clock = |handle, to| {
        let (edited, _) = drag(&story, handle, to);
        (edited.workers[0].clock.offset, edited.workers[0].clock.drift_ppm)
    };
    assert_eq!(clock(offset, 16 * SECOND), (1_000_000, 20_000));
    assert_eq!(clock(offset, 0), (-15_000_000, 20_000));
    assert_eq!(clock(drift, 30 * SECOND), (-2_000_000, 0));
    assert_eq!(clock(drift, 27 * SECOND), (-2_000_000, -100_000));
    assert_eq!(clock(drift, 0), (-2_000_000, -500_000));
    assert_eq!(clock(drift, 100 * SECOND), (-2_000_000, 500_000));
    // A round number, and a small move is still one.
    assert_eq!(clock(drift, 33_200_000).1, 110_000);
    assert_eq!(clock(drift, 30_600_030).1, 20_001);
    let typed = |handle, value| with_value(&story.scenario, &story.trace, handle, value).workers[0].clock;
    assert_eq!(typed(offset, -500_000).offset, -500_000);
    assert_eq!(typed(drift, -300_000).drift_ppm, -10_000);
}

#[test]
fn a_clock_that_is_behind_by_more_than_the_picture_has_room_for_has_no_handle() {
    let mut story = clocks();
    story.scenario.workers[0].clock.offset = -15_000_001;
    let trace = run(&story.scenario).expect("it runs");
    assert_eq!(limits(&story.scenario, &trace, HandleId::ClockOffset { worker: 0 }), None);
}

#[test]
fn the_margin_of_a_check_is_what_it_wants_left_after_it() {
    let story = clocks();
    let handle = HandleId::CheckMargin { worker: 0, step: 1 };
    let at = limits(&story.scenario, &story.trace, handle).expect("it is there");
    assert_eq!(at.now_us - at.from_us, 5 * SECOND);
    let margin = |to| match drag(&story, handle, to).0.workers[0].plan[1] {
        Step::Check { margin, .. } => margin,
        _ => unreachable!("it is a check"),
    };
    assert_eq!((margin(at.from_us + 7 * SECOND), margin(0)), (7 * SECOND, 0));
}
