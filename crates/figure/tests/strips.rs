//! Race windows against dragging: a band says what standing there comes to, for every handle of every preset.

mod common;

use common::{Story, seed, stories};
use fenceline_engine::{Class, Headline, Scenario, Trace, run};
use fenceline_figure::{
    Handle, HandleId, Scene, Shape, Strip, TimeWindow, View, dragged, fit, scene, strip, strip_shapes,
};

fn story() -> (Scenario, Trace) {
    let seed = seed();
    (seed.scenario, seed.trace)
}

/// The most handles that are tried of one story: some have hundreds.
const TRIED: usize = 24;

fn drawn(scenario: &Scenario, trace: &Trace, width: f32, id: HandleId) -> (Scene, Handle) {
    let lane = scene(scenario, trace, &View::live(width)).handle(id).expect("the handle is there").lane;
    let view = View { selected: Some(id), strip: Some(lane), ..View::live(width) };
    let scene = scene(scenario, trace, &view);
    let handle = scene.handle(id).expect("the handle is there").clone();
    (scene, handle)
}

const PAUSE_END: HandleId = HandleId::PauseEnd { worker: 0, pause: 0 };
const PAUSE_START: HandleId = HandleId::PauseStart { worker: 0, pause: 0 };

fn strip_of(id: HandleId) -> Strip {
    let (scenario, trace) = story();
    let (scene, handle) = drawn(&scenario, &trace, 1_280.0, id);
    strip(&scenario, &trace, &handle, scene.scale.window()).expect("it has a race window")
}

fn told(strip: &Strip) -> Vec<String> {
    (0..strip.bands.len()).map(|index| strip.told(index)).collect()
}

#[test]
fn the_storys_pause_reads_the_three_regions_of_a_hand_calculation() {
    // A is granted at 0.2 s, works from 0.4 s and is paused at 5 s with 0.4 s of its 5 s left; it sends at 5.4 s + P, and
    // that arrives at 6.4 s + P. Its lease ends at 30.2 s. B's write is sent at 37.4 s and arrives at 38.4 s: the same
    // instant for P = 32 s, where A, sent at the same time and first in the file, comes first.
    let strip = strip_of(PAUSE_END);
    assert_eq!(told(&strip), ["harmless < 23.8 s", "stale accepted 23.8–32.0 s", "rejected > 32.0 s"]);
    let places: Vec<_> = strip.bands.iter().map(|band| band.from_us).collect();
    assert_eq!(places, [5_000_000, 28_800_000, 37_000_001], "the pause begins at 5 s");
    // It stands at 45 s, 13 s beyond the last value at which the write is still accepted.
    assert_eq!(strip.to_the_edge(), Some(13_000_000));
    assert_eq!((strip.boundary(false), strip.boundary(true)), (Some(32_000_001), None));
}

#[test]
fn the_start_of_a_pause_moves_with_its_end_held() {
    // Paused from 0 s on, A asks for the lease only at 50 s, and its write is its own holder's. Paused any later, it has
    // asked, and what it sends after 50 s bears the old token. Its 5 s of work begin at 0.4 s: a pause that begins at 5.4 s
    // still holds up their end, one that begins later finds the write on its way, to arrive at 6.4 s.
    let strip = strip_of(PAUSE_START);
    assert_eq!(told(&strip), ["harmless at 0.0 s", "rejected 0.0–5.4 s", "harmless > 5.4 s"]);
}

#[test]
fn every_band_of_every_handle_says_what_dragging_there_gives() {
    let mut tried = 0;
    for Story { name, scenario, trace } in stories() {
        let scene = scene(&scenario, &trace, &View::live(1_280.0));
        for handle in scene.handles.iter().take(TRIED) {
            let Some(strip) = strip(&scenario, &trace, handle, scene.scale.window()) else { continue };
            for band in &strip.bands {
                let is_plain = !matches!(handle.id, HandleId::LeaseEnd { .. } | HandleId::WorkEnd { .. });
                let ends = [Some(band.from_us), (is_plain && band.to_us > band.from_us).then(|| band.to_us - 1)];
                for at in ends.into_iter().flatten().filter(|at| (handle.min_us..=handle.max_us).contains(at)) {
                    let moved = dragged(&scenario, &trace, handle.id, at);
                    let class = run(&moved).ok().map(|trace| Headline::new(&moved, &trace).class);
                    assert_eq!(band.gist.map(|gist| gist.class), class, "{} of {name} at {at}", handle.id);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 500, "only {tried} places were tried");
}

#[test]
fn a_race_window_ends_at_the_edges_of_what_is_shown() {
    let (scenario, trace) = story();
    let (_, handle) = drawn(&scenario, &trace, 1_280.0, PAUSE_END);
    let shown = strip(&scenario, &trace, &handle, TimeWindow::new(20_000_000, 30_000_000)).expect("it shows");
    assert_eq!(told(&shown), ["harmless < 23.8 s", "stale accepted ≥ 23.8 s"]);
    assert_eq!((shown.bands[0].from_us, shown.bands[1].to_us), (20_000_000, 30_000_000));
    assert_eq!(shown.here(), None, "the handle stands at 50 s");
    assert_eq!(strip(&scenario, &trace, &handle, TimeWindow::new(0, 4_000_000)), None);
}

#[test]
fn no_words_of_a_race_window_touch_each_other_or_leave_the_picture() {
    for Story { name, scenario, trace } in stories() {
        for width in [320.0, 390.0, 760.0, 1_280.0] {
            let ids: Vec<_> = scene(&scenario, &trace, &View::live(width))
                .handles
                .iter()
                .map(|handle| handle.id)
                .take(TRIED)
                .collect();
            for id in ids {
                let (scene, handle) = drawn(&scenario, &trace, width, id);
                let Some(strip) = strip(&scenario, &trace, &handle, scene.scale.window()) else { continue };
                let shapes = strip_shapes(&scene, &handle, &strip, false);
                assert!(!shapes.is_empty(), "{id} of {name}");
                let areas: Vec<_> = (shapes.iter())
                    .filter_map(|shape| match shape {
                        Shape::Text(text) => Some(text.area),
                        _ => None,
                    })
                    .collect();
                for (index, area) in areas.iter().enumerate() {
                    assert!(area.x >= 0.0 && area.right() <= width, "{id} of {name} at {width}: {area:?}");
                    assert!(area.bottom() <= scene.height, "{id} of {name} at {width}");
                    assert!(areas[..index].iter().all(|other| !other.overlaps(area)), "{id} of {name} at {width}");
                }
                let lane = scene.lane(handle.lane).and_then(|lane| lane.strip).expect("room was asked for");
                for text in scene.all_shapes().filter_map(|(_, shape)| match shape {
                    Shape::Text(text) => Some(text),
                    _ => None,
                }) {
                    let crosses = areas.iter().any(|area| area.overlaps(&text.area));
                    assert!(!crosses, "{id} of {name} at {width}: {:?} lies over the words at {lane}", text.content);
                }
            }
        }
    }
}

#[test]
fn a_stale_band_is_hatched_and_ticked_at_both_ends() {
    let (scenario, trace) = story();
    let (scene, handle) = drawn(&scenario, &trace, 1_280.0, PAUSE_END);
    let strip = strip(&scenario, &trace, &handle, fit(&trace)).expect("it has a race window");
    assert_eq!(strip.bands[1].gist.map(|gist| gist.class), Some(Class::StaleAccepted));
    let shapes = strip_shapes(&scene, &handle, &strip, false);
    let of_class = |wanted: &str| {
        shapes
            .iter()
            .filter(|shape| matches!(shape, Shape::Rect { class, .. } | Shape::Line { class, .. } if *class == wanted))
            .count()
    };
    assert_eq!((of_class("fl-w-hatch"), of_class("fl-w-tick")), (1, 2));
}
