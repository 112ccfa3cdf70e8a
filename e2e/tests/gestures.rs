//! What is done to the drawing by the wheel, by two fingers, with a key held down; and what those see who ask for less motion or for
//! colours of their own.

use fenceline_e2e::opening::{FENCED, OVERWRITTEN, PAUSE_END, VERDICT, opened};
use fenceline_e2e::{Page, View};

const RAIL: &str = "svg.drawing .fl-rail";

/// The time at both ends of the axis, in seconds.
fn axis(page: &Page) -> (f64, f64) {
    let scrubber = |name| page.attribute(".scrubber", name).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
    (scrubber("aria-valuemin"), scrubber("aria-valuemax"))
}

fn value(page: &Page) -> f64 {
    page.attribute(PAUSE_END, "aria-valuenow").and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

fn scrolled(page: &Page) -> f64 {
    page.evaluate("return scrollY", &[]).as_f64().unwrap_or(f64::NAN)
}

#[test]
fn the_wheel_scrolls_the_page_and_with_control_looks_closer_where_it_points() {
    let page = opened(View::DESKTOP);
    let whole = axis(&page);
    page.wheel(RAIL, 0, 120);
    page.wait_until("the page to scroll", || scrolled(&page) > 20.0);
    assert_eq!(axis(&page), whole);
    page.evaluate("scrollTo(0, 0)", &[]);
    let scrubber = page.area(".scrubber");
    let part = (page.area(RAIL).middle().0 - scrubber.x) / scrubber.width;
    page.holding("Control", || page.wheel(RAIL, 0, -400));
    page.wait_until("a closer look", || axis(&page).1 - axis(&page).0 < 0.6 * (whole.1 - whole.0));
    let (from, to) = axis(&page);
    // What is under the pointer stays under it.
    let (before, after) = (whole.0 + part * (whole.1 - whole.0), from + part * (to - from));
    assert!((before - after).abs() < 0.5, "{before} s, then {after} s");
    assert!(scrolled(&page) < 1.0, "the page stays");
    page.holding("Shift", || page.wheel(RAIL, 0, 200));
    page.wait_until("what comes later", || axis(&page).0 > from);
    page.holding("Control", || page.wheel(RAIL, 0, 2_000));
    page.wait_until("the whole again", || axis(&page) == whole);
    page.assert_quiet_console();
}

#[test]
fn two_fingers_look_closer_and_back() {
    let page = opened(View::PHONE);
    let whole = axis(&page);
    if !page.pinch(RAIL, 80.0, 240.0) {
        return;
    }
    page.wait_until("a closer look", || axis(&page).1 - axis(&page).0 < 0.5 * (whole.1 - whole.0));
    page.pinch(RAIL, 260.0, 40.0);
    page.wait_until("the whole again", || axis(&page) == whole);
    assert_eq!(page.text(VERDICT), FENCED, "nothing was changed");
    page.assert_quiet_console();
}

#[test]
fn a_drag_with_alt_is_finer_and_with_shift_goes_to_what_happens() {
    let page = opened(View::DESKTOP);
    let in_tenths = |value: f64| (value * 10.0 - (value * 10.0).round()).abs() < 1e-6;
    // Of so many px at least one is no whole step of a tenth of a second.
    let finer = (1..8).any(|right| {
        page.holding("Alt", || page.drag(PAUSE_END, -right, 0));
        let value = value(&page);
        page.keys("Control+z");
        assert!((value * 100.0 - (value * 100.0).round()).abs() < 1e-6, "{value}");
        !in_tenths(value)
    });
    assert!(finer, "with Alt the steps are of a hundredth");
    page.drag(PAUSE_END, -37, 0);
    assert!(in_tenths(value(&page)), "{}", value(&page));
    page.keys("Control+z");
    // B's report arrives at 38.4 s; A's pause begins at 5 s.
    let second = page.area(".scrubber").width / 60.0;
    let to = ((38.4 - 50.0) * second - 3.0).round() as i32;
    page.holding("Shift", || page.drag(PAUSE_END, to, 0));
    assert!((value(&page) - 33.4).abs() < 1e-6, "{}", value(&page));
    page.assert_quiet_console();
}

#[test]
fn whoever_asks_for_less_motion_sees_the_run_go_from_event_to_event() {
    let page = opened(View::DESKTOP);
    if !page.prefers("prefers-reduced-motion", "reduce") {
        return;
    }
    page.click("[aria-label='Play']");
    let seen = page.evaluate(
        "return new Promise((done) => {
            const seen = [], scrubber = document.querySelector('.scrubber');
            const look = () => {
                seen.push(scrubber.getAttribute('aria-valuenow'));
                if (seen.length < 90) requestAnimationFrame(look); else done(new Set(seen).size);
            };
            look();
        })",
        &[],
    );
    // Of the places of a glide there is one to nearly each frame.
    let places = seen.as_u64().unwrap_or_default();
    assert!((1..=12).contains(&places), "{places} places in 90 frames");
    page.assert_quiet_console();
}

#[test]
fn in_colours_of_the_readers_own_everything_is_told_by_shape_and_words() {
    let page = opened(View::DESKTOP);
    if !page.prefers("forced-colors", "active") {
        return;
    }
    page.keys("1");
    page.wait_for_text(VERDICT, OVERWRITTEN);
    let colours = page.evaluate(
        "const probe = document.createElement('i'); document.body.append(probe);
        const named = (name) => { probe.style.cssText = `forced-color-adjust: none; color: ${name}`; return getComputedStyle(probe).color };
        const allowed = ['Canvas', 'CanvasText', 'Highlight', 'HighlightText', 'GrayText', 'LinkText', 'ButtonFace', 'ButtonText'].map(named);
        const odd = new Set();
        for (const shape of document.querySelectorAll('svg.drawing :is(rect, path, circle, text, line)')) {
            const { fill, stroke } = getComputedStyle(shape);
            for (const colour of [fill, stroke])
                if (/^rgb/.test(colour) && !/, 0\\)$/.test(colour) && !allowed.includes(colour)) odd.add(`${shape.getAttribute('class')}: ${colour}`);
        }
        probe.remove();
        return [...odd]",
        &[],
    );
    assert_eq!(colours, serde_json::json!([]));
    page.assert_accessible("forced colours");
    page.screenshot("forced-colours");
    page.assert_quiet_console();
}
