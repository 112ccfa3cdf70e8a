//! What is shown of a story: a part of its time, the moment at a playhead, what is known so far.

mod common;

use common::{WIDTHS, each_part, points_of, seed, stories};
use fenceline_engine::scenario::Guard;
use fenceline_engine::trace::{BeliefEnd, Decision, Ended, Ending};
use fenceline_figure::{GripShape, ItemId, Shape, View, scene};

#[test]
fn a_window_shows_its_part_of_the_story_and_nothing_beside_it() {
    each_part(|story, view, scene| {
        let (left, right) = (scene.scale.left(), scene.scale.right());
        let of_the_lane =
            |id| matches!(id, ItemId::Name(_) | ItemId::Axis | ItemId::Lanes | ItemId::Clock(_) | ItemId::Playhead);
        for (item, shape) in scene.all_shapes().filter(|(item, _)| !of_the_lane(item.id)) {
            // A mark on an edge has its width; a text begins within the plot.
            let room = if matches!(shape, Shape::Text(_)) { 4.0 } else { 12.0 };
            for (x, _) in points_of(shape) {
                let inside = (left - room..=right + 24.0).contains(&x);
                assert!(inside, "{} in {view:?}: {} {shape:?}", story.name, item.id);
            }
        }
    });
}

#[test]
fn what_lies_outside_a_window_cannot_be_taken() {
    each_part(|story, view, scene| {
        for handle in &scene.handles {
            let inside = (scene.scale.left()..=scene.scale.right()).contains(&handle.x);
            assert!(inside, "{} in {view:?}: {handle:?}", story.name);
            let is_body = handle.shape == GripShape::Body;
            assert!(is_body || scene.scale.shows(handle.now_us), "{} in {view:?}: {handle:?}", story.name);
        }
    });
}

#[test]
fn the_exposure_of_an_old_token_lies_where_its_times_say_and_names_its_instants() {
    let story = seed();
    let shown = |guard| {
        let mut scenario = story.scenario.clone();
        scenario.resources[0].guard = guard;
        let trace = fenceline_engine::run(&scenario).expect("the scenario is valid");
        // Of the two decisions, A's is the later one.
        let scene = scene(&scenario, &trace, &View { selected_write: Some(1), ..View::live(1400.0) });
        let mut bands = Vec::new();
        let mut words = Vec::new();
        for (_, shape) in scene.all_shapes().filter(|(item, _)| matches!(item.id, ItemId::Exposure(_))) {
            match shape {
                Shape::Rect { class: "fl-exposed", at, .. } => bands.push((at.x, at.right())),
                Shape::Text(text) => words.push(text.content.clone()),
                _ => {}
            }
        }
        (bands, words)
    };
    // x = 176 + 20 t: 41 is over at 30.2 s, 42 is known at 38.4 s, the picture ends at 60 s.
    let (bands, words) = shown(Guard::Newer);
    assert_eq!(bands, [(780.0, 944.0)]);
    assert_eq!(words, ["41 still accepted", "41 over, 42 granted", "42 known"]);
    let (bands, _) = shown(Guard::None);
    assert_eq!(bands, [(780.0, 1376.0)]);
    assert_eq!(shown(Guard::Holder), (vec![], vec![]));
}

#[test]
fn a_veiled_picture_tells_no_ruling_that_is_not_to_be_seen_yet() {
    for story in stories() {
        for (index, verdict) in story.trace.writes.iter().enumerate() {
            for width in [1396.0, 1000.0, 360.0] {
                let view = View {
                    playhead: Some(verdict.decided_at),
                    veiled: true,
                    selected_write: Some(index as u32),
                    ..View::live(width)
                };
                let scene = scene(&story.scenario, &story.trace, &view);
                for (item, shape) in scene.all_shapes() {
                    let later = matches!(item.id, ItemId::Verdict(of)
                        if story.trace.writes[of as usize].decided_at >= verdict.decided_at);
                    assert!(!later, "{} tells {} at {width}: {shape:?}", story.name, item.id);
                }
                let veils = scene.items.iter().filter(|item| matches!(item.id, ItemId::Veil(_))).count();
                assert_eq!(veils, story.scenario.resources.len(), "{}", story.name);
            }
        }
    }
}

#[test]
fn a_veiled_picture_is_the_same_whatever_follows() {
    for story in stories() {
        for verdict in &story.trace.writes {
            let now = verdict.decided_at;
            let mut other = story.trace.clone();
            for verdict in other.writes.iter_mut().filter(|verdict| verdict.decided_at >= now) {
                verdict.decision = match verdict.decision {
                    Decision::Rejected => Decision::Accepted,
                    _ => Decision::Rejected,
                };
            }
            other.memories.retain(|memory| memory.from < now);
            other.steps.retain(|step| step.began_at < now);
            for belief in &mut other.beliefs {
                if belief.until >= now {
                    (belief.until, belief.ended_by) = (now + 5, BeliefEnd::WriteRejected);
                }
                belief.acts_until = belief.acts_until.min(now + 9);
            }
            for ending in other.endings.iter_mut().filter(|ending| ending.at.is_none_or(|at| at >= now)) {
                *ending = Ending { ended: Ended::Rejected, at: Some(now + 9) };
            }
            for width in [1396.0, 1000.0, 360.0] {
                let view = View { playhead: Some(now), veiled: true, ..View::live(width) };
                let [one, two] = [&story.trace, &other].map(|trace| scene(&story.scenario, trace, &view));
                assert_eq!(one, two, "{} at {width} before {now}", story.name);
                assert!(one.handles.is_empty());
            }
        }
    }
}

#[test]
fn the_playhead_stands_at_its_time_and_says_it() {
    let story = seed();
    for width in WIDTHS {
        let view = View { playhead: Some(47_000_000), ..View::live(width) };
        let scene = scene(&story.scenario, &story.trace, &view);
        let playhead = scene.items.iter().find(|item| item.id == ItemId::Playhead).expect("a playhead");
        let shapes = scene.shapes(playhead);
        let line = shapes.iter().find_map(|shape| match shape {
            Shape::Line { from, .. } => Some(from.0),
            _ => None,
        });
        assert_eq!(line, Some(scene.scale.px(47_000_000)), "at {width}");
        assert!(shapes.iter().any(|shape| matches!(shape, Shape::Text(text) if text.content == "47.0")), "at {width}");
    }
}
