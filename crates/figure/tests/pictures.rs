//! What every picture must hold to: nothing overlaps, nothing is cut, nothing is lost, nothing is hostile.

mod common;

use common::{Story, WIDTHS, crowd, each_part, points_of, seed, stories};
use fenceline_figure::{
    GripState, ItemId, Layer, Options, Rect, Scene, Shape, Theme, TimeWindow, View, grip, scene, static_svg,
};

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
fn every_lane_keeps_its_name_in_any_window() {
    each_part(|story, view, scene| {
        let names = scene.layer(Layer::Names).iter().filter(|item| matches!(item.id, ItemId::Name(_))).count();
        assert_eq!(names, scene.lanes.len(), "{} in {view:?}", story.name);
    });
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
            assert_eq!(handle.value_us, handle.now_us as i64 - handle.from_us as i64, "{handle:?}");
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
fn a_static_picture_stays_whole_in_markdown() {
    for story in stories() {
        let picture = static_svg(&story.scenario, &story.trace, &Options::default());
        assert!(
            picture.lines().all(|line| !line.trim().is_empty()),
            "{}: an empty line ends a block of HTML",
            story.name
        );
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
fn pictures_of_one_page_share_no_id_and_leave_the_colours_to_the_page() {
    let story = seed();
    let picture = |number| {
        let options = Options { theme: Theme::Page(number), ..Options::default() };
        static_svg(&story.scenario, &story.trace, &options)
    };
    let ids = |svg: &str| -> std::collections::BTreeSet<String> {
        svg.split(" id=\"").skip(1).filter_map(|part| part.split('"').next()).map(Into::into).collect()
    };
    let (first, second) = (picture(1), picture(12));
    assert!(ids(&first).len() > 5 && ids(&first).is_disjoint(&ids(&second)), "{:?}", ids(&first));
    for svg in [&first, &second] {
        let uses: Vec<_> = svg.split("url(#").skip(1).filter_map(|part| part.split(')').next()).collect();
        let patterns = fenceline_figure::MARKS_CSS.matches("url(#").count();
        assert_eq!(uses.len(), patterns, "each rule that fills with a pattern fills with the picture's own");
        assert!(uses.iter().all(|id| ids(svg).contains(*id)), "{uses:?}");
        assert!(!svg.contains("fill: #") && !svg.contains("var(--"), "no colour is its own");
    }
    assert!(first.contains("<style>#fl-1 .fl-untrue-0{fill:url(#fl-1-untrue-0)}#fl-1 .fl-untrue-a{"), "{first}");
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
        assert!(svg.contains("&amp;\\u{1}\\u{0}\\u{202e}</title>"), "spelled out, not left out");
        // What the page paints is this scene, without a writer that leaves anything out.
        let scene = scene(&story.scenario, &story.trace, &View::live(width));
        for text in scene.items.iter().flat_map(|item| scene.shapes(item)).filter_map(|shape| match shape {
            Shape::Text(text) => Some(&text.content),
            _ => None,
        }) {
            assert_eq!(*text, fenceline_engine::visible(text));
        }
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
