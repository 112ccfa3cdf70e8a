//! What every picture must hold to: nothing overlaps, nothing is cut, nothing is lost, nothing is hostile.

mod common;

use common::{Story, crowd, seed, stories};
use fenceline_engine::scenario::Guard;
use fenceline_engine::trace::{BeliefEnd, Decision, Ended, Ending};
use fenceline_figure::{
    GripShape, GripState, ItemId, Layer, Options, Rect, Scene, Shape, Theme, TimeWindow, View, fit, grip, scene,
    static_svg,
};

const WIDTHS: [f32; 7] = [1396.0, 1240.0, 1000.0, 760.0, 700.0, 360.0, 240.0];

/// Calls a check with every story at every width, still and live.
fn each(check: impl Fn(&Story, &View, &Scene)) {
    for story in stories() {
        for width in WIDTHS {
            let last = story.trace.writes.len().checked_sub(1).map(|last| last as u32);
            let selected = View { selected_write: last, ..View::live(width) };
            for view in [View::still(width), View::live(width), selected] {
                check(&story, &view, &scene(&story.scenario, &story.trace, &view));
            }
        }
    }
}

/// Calls a check with parts of every story, down to a hundredth of it around each decision.
fn each_part(check: impl Fn(&Story, &View, &Scene)) {
    for story in stories() {
        let whole = fit(&story.trace).to_us();
        let around = |at: u64, by: u64| TimeWindow::new(at.saturating_sub(by), at + by);
        let mut windows = vec![
            TimeWindow::new(0, whole / 10 + 1),
            TimeWindow::new(whole / 4, whole / 2),
            around(whole / 2, whole / 50),
            TimeWindow::new(whole * 2, whole * 3),
        ];
        windows.extend(story.trace.writes.iter().take(4).map(|verdict| around(verdict.decided_at, whole / 200)));
        if story.name == "paused-worker" {
            windows.extend([TimeWindow::new(29_900_000, 30_300_000), TimeWindow::new(36_000_000, 39_000_000)]);
        }
        let last = story.trace.writes.len().checked_sub(1).map(|last| last as u32);
        for window in windows {
            for width in [1396.0, 1000.0, 360.0] {
                let view = View { window: Some(window), selected_write: last, ..View::live(width) };
                check(&story, &view, &scene(&story.scenario, &story.trace, &view));
            }
        }
    }
}

/// The area that a shape covers, for those that are labels: texts, pills and tags.
fn label(shape: &Shape) -> Option<Rect> {
    match shape {
        Shape::Text(text) => Some(text.area),
        Shape::Rect { class, at, .. } if class.starts_with("fl-pill") || class.starts_with("fl-tag") => Some(*at),
        _ => None,
    }
}

fn contains(outer: &Rect, inner: &Rect) -> bool {
    outer.x <= inner.x + 1.0
        && inner.right() <= outer.right() + 1.0
        && outer.y <= inner.y + 1.0
        && inner.bottom() <= outer.bottom() + 1.0
}

fn labels_lie_apart(story: &Story, view: &View, scene: &Scene) {
    let labels: Vec<_> =
        scene.all_shapes().filter_map(|(item, shape)| label(shape).map(|area| (item.id, area, shape))).collect();
    for (index, (one, area, shape)) in labels.iter().enumerate() {
        for (other, other_area, other_shape) in &labels[index + 1..] {
            // A pill and the text in it are one label.
            let nested = one == other && contains(area, other_area) && matches!(shape, Shape::Rect { .. });
            assert!(nested || !area.overlaps(other_area), "{} in {view:?}: {shape:?} on {other_shape:?}", story.name);
        }
    }
}

/// The corners or ends of a shape.
fn points_of(shape: &Shape) -> Vec<(f32, f32)> {
    match shape {
        Shape::Rect { at, .. } | Shape::Glyph { at, .. } => vec![(at.x, at.y), (at.right(), at.bottom())],
        Shape::Text(text) => vec![(text.area.x, text.area.y), (text.area.right(), text.area.bottom())],
        Shape::Line { from, to, .. } => vec![*from, *to],
        Shape::Circle { centre: (x, y), r, .. } => vec![(x - r, y - r), (x + r, y + r)],
        Shape::Path { d, .. } => starts_of(d),
    }
}

fn lies_inside(story: &Story, view: &View, scene: &Scene) {
    for (item, shape) in scene.all_shapes() {
        for (x, y) in points_of(shape) {
            let inside = (-0.1..=scene.width + 0.1).contains(&x) && (-0.1..=scene.height + 0.1).contains(&y);
            assert!(inside, "{} in {view:?}: {} {shape:?} at {x}, {y}", story.name, item.id);
        }
    }
}

#[test]
fn no_two_labels_overlap() {
    each(labels_lie_apart);
    each_part(labels_lie_apart);
}

#[test]
fn everything_lies_inside_the_picture() {
    each(lies_inside);
    each_part(lies_inside);
}

#[test]
fn no_mark_on_an_event_runs_through_a_pill_or_a_tag() {
    each(|story, view, scene| {
        let marks = scene.all_shapes().filter(|(item, _)| matches!(item.id, ItemId::Note(_)));
        for (item, shape) in marks {
            let Shape::Line { from, to, .. } = shape else { continue };
            let line = Rect { x: from.0 - 0.5, y: from.1.min(to.1), w: 1.0, h: (to.1 - from.1).abs() };
            for (of, other) in scene.all_shapes().filter(|(of, _)| of.id != item.id) {
                let Shape::Rect { class, at, .. } = other else { continue };
                let is_label = class.starts_with("fl-pill") || class.starts_with("fl-tag");
                assert!(!(is_label && at.overlaps(&line)), "{} in {view:?}: {} on {}", story.name, item.id, of.id);
            }
        }
    });
}

/// The points at which the parts of a path start.
fn starts_of(d: &str) -> Vec<(f32, f32)> {
    let number = |text: &str| text.parse::<f32>().ok();
    d.split('M')
        .skip(1)
        .filter_map(|part| {
            let end = part.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(part.len());
            let (x, y) = part[..end].split_once(' ')?;
            Some((number(x)?, number(y)?))
        })
        .collect()
}

#[test]
fn every_verdict_has_its_glyph() {
    each(|story, view, scene| {
        let glyphs = scene.all_shapes().filter(|(_, shape)| matches!(shape, Shape::Glyph { .. })).count();
        assert_eq!(glyphs, story.trace.writes.len(), "{} at {}", story.name, view.width);
    });
}

#[test]
fn arrivals_at_one_instant_stand_one_above_the_other() {
    let story = crowd();
    for width in WIDTHS {
        let scene = scene(&story.scenario, &story.trace, &View::live(width));
        let diamonds: Vec<_> = scene
            .handles
            .iter()
            .filter(|handle| matches!(handle.id, fenceline_figure::HandleId::Arrival { .. }))
            .map(|handle| (handle.x, handle.y))
            .collect();
        assert_eq!(diamonds.len(), 24, "all arrive at 5 s");
        for (index, (x, y)) in diamonds.iter().enumerate() {
            for (other_x, other_y) in &diamonds[index + 1..] {
                assert!((x - other_x).abs() < 0.1, "they arrive together");
                assert!((y - other_y).abs() >= 10.0, "at {width}: {y} and {other_y}");
            }
        }
    }
}

#[test]
fn the_seed_story_lies_where_its_times_say() {
    let story = seed();
    let scene = scene(&story.scenario, &story.trace, &View::still(1400.0));
    // The gutter is 176, the margin 24: 1200 px for 60 s, so x = 176 + 20 t.
    assert_eq!(scene.scale.window(), TimeWindow::new(0, 60_000_000));
    let ribbons: Vec<_> = scene
        .layer(Layer::Ribbons)
        .iter()
        .filter_map(|item| match &scene.shapes(item)[0] {
            Shape::Rect { at, .. } => Some((at.x, at.right())),
            _ => None,
        })
        .collect();
    // A asks at 0.0, is granted 41 at 0.2; B waits and is granted 42 the instant 41 ends, at 30.2; its end is off the axis.
    assert_eq!(ribbons, [(180.0, 780.0), (780.0, 1376.0)]);
    let texts: Vec<_> = scene
        .all_shapes()
        .filter_map(|(_, shape)| match shape {
            Shape::Text(text) => Some(text.content.as_str()),
            _ => None,
        })
        .collect();
    for wanted in [
        "41 · A",
        "42 · B",
        "ends 30.2 s",
        "paused 45.0 s",
        "A believes it holds the lease, and it does",
        "token > last_token",
        "42 > 40",
        "41 < 42",
        "rejected",
        "accepted",
        "'stale report'",
        "41 changed nothing",
    ] {
        assert!(texts.contains(&wanted), "no {wanted:?} in {texts:?}");
    }
}

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
fn every_lane_keeps_its_name_in_any_window() {
    each_part(|story, view, scene| {
        let names = scene.layer(Layer::Names).iter().filter(|item| matches!(item.id, ItemId::Name(_))).count();
        assert_eq!(names, scene.lanes.len(), "{} in {view:?}", story.name);
    });
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

#[test]
fn handles_come_by_lane_then_time_within_their_limits() {
    each(|story, view, scene| {
        let place = |lane| scene.lanes.iter().position(|place| place.lane == lane);
        for pair in scene.handles.windows(2) {
            let order = (place(pair[0].lane), pair[0].now_us) <= (place(pair[1].lane), pair[1].now_us);
            assert!(order, "{} at {}: {:?} before {:?}", story.name, view.width, pair[0].id, pair[1].id);
        }
        for handle in &scene.handles {
            assert!(handle.min_us <= handle.now_us && handle.now_us <= handle.max_us, "{handle:?}");
            assert_eq!(handle.value_us, handle.now_us - handle.from_us, "{handle:?}");
        }
    });
}

#[test]
fn a_selected_grip_stays_in_the_picture() {
    each(|story, view, scene| {
        for handle in &scene.handles {
            for shape in grip(scene, handle, GripState::Selected, "") {
                if let Shape::Text(text) = shape {
                    let area = text.area;
                    let inside = area.x >= 0.0 && area.right() <= scene.width && area.y >= 0.0;
                    assert!(inside && area.bottom() <= scene.height, "{} at {}: {handle:?}", story.name, view.width);
                }
            }
        }
    });
}

#[test]
fn the_same_story_gives_the_same_text() {
    let story = seed();
    let options = Options::default();
    assert_eq!(
        static_svg(&story.scenario, &story.trace, &options),
        static_svg(&story.scenario, &story.trace, &options)
    );
}

#[test]
fn coordinates_are_written_with_one_decimal_at_most() {
    for story in stories() {
        let options = Options { width: 1000.0, theme: Theme::Light, title: true };
        let svg = static_svg(&story.scenario, &story.trace, &options);
        let drawing = svg.split("</defs>").nth(1).unwrap_or_default();
        for attribute in [" x=\"", " y=\"", " x1=\"", " y2=\"", " width=\"", " height=\"", " rx=\""] {
            for part in drawing.split(attribute).skip(1) {
                let value = part.split('"').next().unwrap_or_default();
                let decimals = value.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                assert!(decimals <= 1, "{}: {attribute}{value}", story.name);
            }
        }
    }
}

#[test]
fn a_static_picture_asks_for_nothing_and_runs_nothing() {
    for story in stories() {
        for theme in [Theme::Light, Theme::Dark, Theme::Auto] {
            let svg = static_svg(&story.scenario, &story.trace, &Options { theme, ..Options::default() });
            assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
            assert_eq!(svg.matches("http").count(), 1, "only the namespace");
            for forbidden in
                ["<script", "href", "@import", "@font-face", "<image", "foreignObject", "var(--", "NaN", "inf"]
            {
                assert!(!svg.contains(forbidden), "{}: {forbidden}", story.name);
            }
            assert_eq!(svg.contains("prefers-color-scheme"), theme == Theme::Auto);
        }
    }
}

#[test]
fn hostile_text_is_shown_and_means_nothing() {
    let hostile = "</title><script>alert(1)</script><a href='x' onclick=\"y\">&\u{1}\u{0}\u{202e}";
    let mut story = seed();
    story.scenario.title = hostile.into();
    story.scenario.resources[0].initial.value = hostile.into();
    for worker in &mut story.scenario.workers {
        for step in &mut worker.plan {
            match step {
                fenceline_engine::scenario::Step::Work { label, .. } => *label = hostile.into(),
                fenceline_engine::scenario::Step::Write(write) => write.value = hostile.into(),
                _ => {}
            }
        }
    }
    for width in WIDTHS {
        let svg = static_svg(&story.scenario, &story.trace, &Options { width, ..Options::default() });
        assert!(!svg.contains("<script") && !svg.contains("<a ") && !svg.contains("onclick=\""));
        assert!(svg.contains("&lt;/title&gt;"));
        assert!(svg.chars().all(|c| c == '\n' || (!c.is_control() && c != '\u{202e}')));
    }
}

#[test]
fn thousands_of_arrivals_at_one_instant_are_laid_out_without_comparing_each_with_all() {
    // With each arrival held against all before it this would take minutes; the runner's patience is the measure.
    let story = common::at_one_instant(2_240);
    let scene = scene(&story.scenario, &story.trace, &View::live(1_000.0));
    let verdicts = scene.items.iter().filter(|item| matches!(item.id, ItemId::Verdict(_))).count();
    assert_eq!(verdicts, 2_240 * 9, "each write and its copies");
}

#[test]
fn nonsense_widths_still_give_a_picture() {
    let story = seed();
    for width in [0.0, -5.0, f32::NAN, f32::INFINITY, 1.0e9] {
        let scene = scene(&story.scenario, &story.trace, &View::live(width));
        assert!(scene.width >= View::MIN_WIDTH && scene.width < 20_000.0);
        assert!(scene.height.is_finite());
    }
}

#[test]
fn an_empty_story_has_its_lanes_and_its_axis() {
    let story = Story::new(
        "empty",
        r#"{ "version": 1, "leases": [{ "id": "lock", "ttl": "5s" }], "resources": [{ "id": "report" }], "workers": [] }"#,
    );
    let scene = scene(&story.scenario, &story.trace, &View::live(1000.0));
    assert_eq!(scene.lanes.len(), 2);
    assert_eq!(scene.scale.window(), TimeWindow::new(0, 10_000_000));
}
