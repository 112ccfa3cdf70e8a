//! Playing the run, stepping through it both ways, and looking closer: by mouse, finger and keys.

use fenceline_e2e::opening::{PLAYHEAD, VERDICT, everywhere};
use fenceline_e2e::{Page, Pointer};

fn said(page: &Page) -> String {
    page.attribute(PLAYHEAD, "aria-valuetext").unwrap_or_default()
}

/// What the axis shows: from and to, in seconds.
fn axis(page: &Page) -> (f64, f64) {
    let number = |name| page.attribute(PLAYHEAD, name).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
    (number("aria-valuemin"), number("aria-valuemax"))
}

#[test]
fn the_run_is_stepped_through_from_event_to_event_and_back() {
    everywhere(|page, _| {
        assert_eq!(page.count("svg.drawing .fl-flag"), 0, "no playhead until somebody asks for it");
        assert_eq!(page.attribute("[aria-label='Previous event']", "aria-disabled").as_deref(), Some("false"));
        page.click("[aria-label='Next event']");
        assert!(said(page).starts_with("0.0 seconds"), "{}", said(page));
        page.click("[aria-label='Next event']");
        assert!(said(page).starts_with("0.2 seconds; Lease service: 41 is held by A"), "{}", said(page));
        page.click("[aria-label='Next event']");
        assert!(said(page).contains("Worker A: works: builds, holds 41"), "{}", said(page));
        page.click("[aria-label='Previous event']");
        assert!(said(page).starts_with("0.2 seconds"), "{}", said(page));
        page.keys(". . .");
        assert!(said(page).contains("Worker A: paused, holds 41"), "{}", said(page));
        page.keys(",");
        page.click("[aria-label='Put the playhead away']");
        assert_eq!(page.count("svg.drawing .fl-flag"), 0);
    });
}

#[test]
fn the_playhead_is_scrubbed_along_the_axis() {
    everywhere(|page, pointer| {
        let area = page.area(PLAYHEAD);
        page.drag_start(pointer, PLAYHEAD);
        assert!(said(page).starts_with("30.0 seconds"), "{}", said(page));
        page.drag_move((area.width * 17.0 / 60.0).round() as i32, 0);
        page.wait_until("the playhead to follow", || said(page).starts_with("47."));
        page.drag_end();
        assert!(said(page).contains("Lease service: 42 is held by B"), "{}", said(page));
        assert!(said(page).contains("Worker A: paused, acts under 41"), "{}", said(page));
        assert!(said(page).contains("Destination ‘report’: remembers 42"), "{}", said(page));
        page.wait_for("svg.drawing .ahead[data-write='1']");
        assert_eq!(page.count("svg.drawing .ahead[data-write='0']"), 0);
        if pointer == Pointer::Touch {
            page.wait_for_text(".states", "paused, acts under 41");
        } else {
            page.wait_for_text("svg.drawing text", "42 is held by B");
        }
        // It stays where it is while the run changes under it.
        page.click(".segment[data-guard='none']");
        assert!(said(page).starts_with("47."), "{}", said(page));
        assert!(said(page).contains("remembers no token"), "{}", said(page));
        page.keys("Escape");
        page.wait_for_none("svg.drawing .fl-flag");
    });
}

#[test]
fn the_playhead_is_moved_by_keys() {
    everywhere(|page, _| {
        page.focus(PLAYHEAD);
        page.keys("End ArrowLeft");
        assert!(said(page).starts_with("59.9 seconds"), "{}", said(page));
        page.keys("Shift+ArrowLeft");
        assert!(said(page).starts_with("58.9 seconds"), "{}", said(page));
        page.keys("ArrowDown");
        assert!(said(page).starts_with("51.6 seconds"), "A hears the rejection: {}", said(page));
        page.keys("ArrowDown");
        assert!(said(page).starts_with("51.4 seconds"), "A’s write is rejected: {}", said(page));
        page.keys("Home");
        assert!(said(page).starts_with("0.0 seconds"), "{}", said(page));
    });
}

#[test]
fn it_plays_by_itself_to_the_end_and_can_be_paused() {
    everywhere(|page, _| {
        page.click("[aria-label='Speed: 1×']");
        page.click("[aria-label='Speed: 2×']");
        page.click("#verdict");
        page.keys("Space");
        page.wait_for("[aria-label='Pause']");
        let at = || page.attribute(PLAYHEAD, "aria-valuenow").and_then(|at| at.parse::<f64>().ok()).unwrap_or(0.0);
        page.wait_until("the playhead to have gone on", || at() > 5.0);
        page.click("[aria-label='Pause']");
        page.wait_for("[aria-label='Play']");
        let stopped = at();
        page.click("[aria-label='Play']");
        page.wait_until("it to go on from there", || at() > stopped);
        page.wait_until("it to stop at the end", || at() >= 60.0);
        page.wait_for("[aria-label='Play']");
        page.click("[aria-label='Play']");
        page.wait_until("it to begin again", || at() < 50.0);
    });
}

#[test]
fn a_stretch_of_time_is_looked_at_closer() {
    everywhere(|page, _| {
        assert_eq!(axis(page), (0.0, 60.0));
        page.click("[aria-label='Zoom in']");
        // By a third, around the end of A's pause, which is the active handle and stands at 50 s.
        let (from, to) = axis(page);
        assert!((from - 50.0 / 3.0).abs() < 0.001 && (to - from - 40.0).abs() < 0.001, "{from} to {to}");
        page.click("[aria-label='Later']");
        assert_eq!(axis(page), (20.0, 60.0), "no further than the end");
        page.click("[aria-label='Earlier']");
        assert_eq!(axis(page), (0.0, 40.0));
        page.click("#verdict");
        page.keys("-");
        assert_eq!(axis(page), (0.0, 60.0));
        page.keys("= =");
        let (from, to) = axis(page);
        assert!(to - from < 27.0, "{from} to {to}");
        // The view stays through an edit.
        page.click(".segment[data-guard='none']");
        page.wait_for_text(VERDICT, "Overwritten");
        assert_eq!(axis(page), (from, to));
        page.keys("0");
        assert_eq!(axis(page), (0.0, 60.0));
        for _ in 0..60 {
            page.keys("=");
        }
        let (from, to) = axis(page);
        assert!((to - from - 0.0001).abs() < 1e-9, "the closest look is 100 microseconds: {from} to {to}");
        assert!(page.count("svg.drawing text") > 3);
        page.keys("0");
    });
}

#[test]
fn a_zoomed_drawing_is_dragged_along_and_a_handle_still_moves() {
    everywhere(|page, pointer| {
        for _ in 0..2 {
            page.click("[aria-label='Zoom in']");
        }
        let (from, _) = axis(page);
        // The rail of the fence: nothing that can be taken lies on it there.
        page.drag_with(pointer, "svg.drawing .fl-rail", -60, 0);
        page.wait_until("what is shown to be later", || axis(page).0 > from);
        page.click("[title='The whole story · 0']");
        assert_eq!(axis(page), (0.0, 60.0));
        page.focus("#handle-pause-end-0-0");
        page.keys("ArrowLeft");
        assert_eq!(page.attribute("#handle-pause-end-0-0", "aria-valuenow").as_deref(), Some("44.9"));
    });
}

#[test]
fn the_keys_are_listed_under_a_question_mark() {
    everywhere(|page, _| {
        page.focus("[aria-label='Undo']");
        page.keys("?");
        page.wait_for_text("dialog[open]", "previous or next event");
        page.keys("Escape");
        page.wait_for_none("dialog[open]");
        let focused = page.evaluate("return document.activeElement.getAttribute('aria-label')", &[]);
        assert_eq!(focused, "Undo", "the focus is back where it was");
        page.click("[aria-label='Keys']");
        page.click("dialog[open] button");
        page.wait_for_none("dialog[open]");
    });
}
