//! The handles beyond the story's main ones, and what the drawing says of clocks and instants.

use fenceline_e2e::opening::{FENCED, PAUSE_END, VERDICT, everywhere, opened};
use fenceline_e2e::{Page, Pointer, View};

const DRAWN: &str = "svg.drawing text";
const WORK_END: &str = "#handle-work-end-0-1";
const GRANT: &str = "#handle-reply-0-0-1";

/// So many seconds of an axis of 60 s, in px.
fn seconds(page: &Page, count: f64) -> i32 {
    (page.area(".scrubber").width * count / 60.0).round() as i32
}

fn value(page: &Page, handle: &str) -> f64 {
    page.attribute(handle, "aria-valuenow").and_then(|value| value.parse().ok()).unwrap_or(f64::NAN)
}

#[test]
fn a_restart_is_dragged_before_the_write_that_it_forgot() {
    everywhere(|page, pointer| {
        page.choose_preset("A restart that forgets");
        // 42 is accepted at 39 s, the restart forgets it at 45 s, and 41 arrives at 51 s.
        page.wait_for_text(DRAWN, "restarts, forgets");
        page.wait_for_text(VERDICT, "Overwritten");
        page.drag_with(pointer, "#handle-restart-0-0", -seconds(page, 10.0), 0);
        page.wait_for_text(VERDICT, "Fenced");
        assert!((value(page, "#handle-restart-0-0") - 35.0).abs() < 1.0);
        page.keys("Control+z");
        page.wait_for_text(VERDICT, "Overwritten");
    });
}

#[test]
fn two_ends_that_nearly_meet_are_both_taken() {
    everywhere(|page, pointer| {
        // The pause ends at 50.0 s, the work at 50.4 s.
        assert_eq!((value(page, PAUSE_END), value(page, WORK_END)), (45.0, 5.0));
        page.drag_with(pointer, WORK_END, seconds(page, 4.0), 0);
        page.wait_until("the work to be longer", || value(page, WORK_END) > 8.0);
        assert!((value(page, PAUSE_END) - 45.0).abs() < 0.01);
        page.keys("Control+z");
        page.wait_until("the work to be as it was", || (value(page, WORK_END) - 5.0).abs() < 0.01);
        page.drag_with(pointer, PAUSE_END, -seconds(page, 4.0), 0);
        page.wait_until("the pause to be shorter", || value(page, PAUSE_END) < 43.0);
        assert!((value(page, WORK_END) - 5.0).abs() < 0.01);
    });
}

#[test]
fn a_grant_on_its_way_is_delayed_by_its_end() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_for_text(VERDICT, FENCED);
    assert_eq!(page.attribute(GRANT, "aria-label").as_deref(), Some("Arrival of A’s grant 41"));
    page.drag(GRANT, seconds(&page, 3.0), 0);
    page.wait_until("the grant to be late", || value(&page, GRANT) > 2.0);
    page.wait_for_text(".drawing text", "3.2 s");
    page.keys("Control+z");
    page.wait_until("the grant to be as it was", || value(&page, GRANT) < 0.3);
    page.assert_quiet_console();
}

#[test]
fn a_finger_takes_a_dot_only_where_it_is_seen() {
    let page = Page::open(View::PHONE, "");
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for(".handle.unseen#handle-reply-1-0-1");
    // Its own slider takes the keys; with its part it comes to be seen.
    page.focus("#handle-reply-1-0-1");
    page.wait_for("#handle-reply-1-0-1:not(.unseen)");
    page.drag_with(Pointer::Touch, "#handle-reply-1-0-1", seconds(&page, 6.0), 0);
    page.wait_until("the grant to be late", || value(&page, "#handle-reply-1-0-1") > 4.0);
    page.assert_quiet_console();
}

#[test]
fn the_three_instants_are_told_where_they_lie() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_for_text(VERDICT, FENCED);
    for words in ["41 over, 42 granted", "41 still accepted", "42 known"] {
        page.wait_for_text(DRAWN, words);
    }
    // With ownership checked in the same transaction there is no such stretch.
    page.click(".segment[data-guard='holder']");
    page.wait_until("the stretch to go", || !page.texts(DRAWN).iter().any(|text| text.contains("still accepted")));
    page.assert_quiet_console();
}

#[test]
fn a_wrong_clock_has_an_axis_of_its_own() {
    everywhere(|page, pointer| {
        assert_eq!(page.count("svg.drawing .fl-own-clock"), 0);
        page.choose_preset("A worker whose clock is slow");
        page.wait_for("svg.drawing .fl-own-clock");
        page.wait_for_text(DRAWN, if pointer == Pointer::Mouse { "clock 50 % slow" } else { "own clock" });
    });
}

#[test]
fn the_handle_keeps_the_focus_while_others_come_and_go_around_it() {
    everywhere(|page, pointer| {
        let focused = || page.evaluate("return document.activeElement.id", &[]);
        page.focus(PAUSE_END);
        // At the start of the pause A writes early; at its end, on an axis that grows, there are other messages.
        page.keys("Home End");
        page.wait_until("the handle to have the focus", || focused() == "handle-pause-end-0-0");
        page.keys("ArrowLeft");
        page.wait_until("the key to move it", || page.attribute(PAUSE_END, "aria-valuenow").as_deref() == Some("54.9"));
        page.keys("Control+z");
        let width = page.evaluate("return innerWidth", &[]).as_f64().unwrap_or_default();
        let right = width - 2.0 - page.area(PAUSE_END).middle().0;
        page.drag_with(pointer, PAUSE_END, right as i32, 0);
        page.wait_until("the handle that was dropped to have the focus", || focused() == "handle-pause-end-0-0");
    });
}

#[test]
fn a_shorter_verdict_does_not_pull_the_timeline_away_from_the_finger() {
    let page = Page::open(View::PHONE, "");
    page.wait_for_text(VERDICT, FENCED);
    let before = (page.area(".drawing").y, page.area(".verdict").height);
    page.drag_start(Pointer::Touch, PAUSE_END);
    // A wakes before its lease ends: nothing is stale, and less is to be said.
    page.drag_move(-seconds(&page, 32.0), 0);
    page.wait_until("nothing to be fenced", || !page.text(VERDICT).contains("Fenced"));
    assert!((page.area(".drawing").y - before.0).abs() < 0.5, "the timeline holds still");
    page.drag_end();
    page.wait_until("the verdict to take the room that it needs", || page.area(".verdict").height < before.1);
    page.assert_quiet_console();
}

#[test]
fn a_number_is_typed_and_the_handle_has_the_focus_again() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_for_text(VERDICT, FENCED);
    page.focus(PAUSE_END);
    page.keys("Enter");
    page.wait_for("[data-pointer='/workers/0/pauses/0/for']:focus");
    page.keys("Control+a");
    // A bare number is seconds, as everywhere on the page.
    page.type_text("20");
    page.keys("Enter");
    page.wait_until("the pause to be as long", || (value(&page, PAUSE_END) - 20.0).abs() < 0.001);
    page.wait_for(&format!("{PAUSE_END}:focus"));
    page.keys("Enter");
    page.wait_for("[data-pointer='/workers/0/pauses/0/for']:focus");
    page.keys("Escape");
    page.wait_for(&format!("{PAUSE_END}:focus"));
    page.assert_quiet_console();
}

#[test]
fn a_clock_is_set_ahead_and_behind_by_hand_and_by_keys() {
    everywhere(|page, pointer| {
        page.choose_preset("A worker whose clock is slow");
        let (offset, drift) = ("#handle-clock-offset-0", "#handle-clock-drift-0");
        page.wait_for(offset);
        assert!(value(page, offset).abs() < 1e-9);
        page.focus(offset);
        page.keys("ArrowRight ArrowRight ArrowRight");
        page.wait_until("the clock to be ahead", || value(page, offset) > 0.0);
        assert!(page.attribute(offset, "aria-valuetext").is_some_and(|text| text.contains("ahead")));
        let ahead = value(page, offset);
        // It has been taken, and shows; now by hand, to the other side.
        page.drag_with(pointer, offset, -seconds(page, ahead + 4.0), 0);
        page.wait_until("the clock to be behind", || value(page, offset) < -2.0);
        assert!(page.attribute(offset, "aria-valuetext").is_some_and(|text| text.contains("behind")));
        page.keys("Control+z Control+z");
        page.wait_until("it to be as it was", || value(page, offset).abs() < 1e-9);
        let before = page.attribute(drift, "aria-valuetext").unwrap_or_default();
        page.focus(drift);
        page.keys("ArrowRight");
        page.wait_until("another drift", || page.attribute(drift, "aria-valuetext").is_some_and(|text| text != before));
        page.assert_quiet_console();
    });
}

#[test]
fn the_margin_of_a_check_is_moved_from_the_check() {
    let page = opened(View::DESKTOP);
    page.choose_preset("A pause after the local check");
    let margin = page.evaluate("return document.querySelector('[id^=handle-check-margin]')?.id", &[]);
    let margin = format!("#{}", margin.as_str().expect("a check has a handle"));
    let before = value(&page, &margin);
    page.focus(&margin);
    page.keys("Shift+ArrowRight");
    page.wait_until("a wider margin", || value(&page, &margin) > before);
    page.keys("Enter");
    page.wait_until("its field", || {
        page.evaluate("return document.activeElement.id", &[]).as_str().is_some_and(|id| id.contains("margin"))
    });
    page.assert_quiet_console();
}
