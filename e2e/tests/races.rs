//! What could have been: the race window of a handle, the race map, margins and flips, the search.
//!
//! In the opening story A is paused from 5 s on, for P, in the middle of its work; it sends at 5.4 s + P, and with a delay of D
//! that arrives at 5.4 s + P + D. Its lease ends at 30.2 s; B's write is sent at 37.4 s and arrives at 38.4 s.

use fenceline_e2e::opening::{BOUNDARY, FENCED, HARMLESS, PAUSE_END, VERDICT, opened};
use fenceline_e2e::{Page, Pointer, View};

/// Chooses something in a list, as a person does with the list open.
#[track_caller]
fn choose(page: &Page, css: &str, value: &str) {
    page.wait_for(css);
    page.evaluate(
        "const list = document.querySelector(arguments[0]);
         list.value = arguments[1];
         list.dispatchEvent(new Event('change', { bubbles: true }))",
        &[css.into(), value.into()],
    );
}

#[test]
fn the_race_window_of_the_pause_reads_the_three_regions_of_a_hand_calculation() {
    for view in [View::DESKTOP, View::PHONE] {
        let page = opened(view);
        // Current while 6.4 s + P is before 30.2 s: P < 23.8 s. Accepted until B's has arrived: at P = 32 s both arrive at
        // 38.4 s, both sent at 37.4 s, and A comes first in the file.
        let told = ["harmless < 23.8 s", "stale accepted 23.8–32.0 s", "rejected > 32.0 s"];
        page.wait_for_text("#race-window", &told.join("; "));
        page.wait_for_text("#race-window", "13.0 s to the edge");
        let drawn = page.texts("svg.drawing text");
        for words in told {
            assert!(drawn.iter().any(|text| text == words), "{words:?} is not drawn: {drawn:?}");
        }
        assert!(drawn.iter().any(|text| text == "13.0 s to the edge"), "{drawn:?}");
        page.assert_quiet_console();
    }
}

#[test]
fn the_race_window_follows_what_else_is_changed() {
    let page = opened(View::DESKTOP);
    page.keys("1");
    // Without a guard what came after 32 s is not rejected: it overwrites.
    page.wait_for_text("#race-window", "stale accepted 23.8–32.0 s; overwrites newer > 32.0 s");
    page.keys("3");
    page.wait_for_text("#race-window", "rejected > 32.0 s");
    // The window of another handle is another one: B's work may end later, until A's write comes first.
    page.click("#handle-work-end-1-1");
    // A's arrives at 51.4 s, sent at 50.4 s. B's work begins at 30.4 s; sent at 50.4 s too it would come second.
    page.wait_for_text("#race-window", "rejected < 20.0 s; stale accepted ≥ 20.0 s");
    page.assert_quiet_console();
}

#[test]
fn brackets_jump_to_the_boundaries_and_undo_takes_them_back() {
    let page = opened(View::DESKTOP);
    page.focus(PAUSE_END);
    page.keys("[");
    // The first value that is rejected lies a microsecond beyond the tie.
    page.wait_for_text("#race-window", "1 us to the edge");
    page.keys("[");
    page.wait_for_text(VERDICT, BOUNDARY);
    assert_eq!(page.attribute(PAUSE_END, "aria-valuetext").as_deref(), Some("23.8 seconds, stale write accepted"));
    page.keys("]");
    page.wait_for_text(VERDICT, FENCED);
    // Presses that follow each other quickly are one step; on a busy machine they may be three.
    page.keys("Control+z Control+z Control+z");
    page.wait_for_text("#race-window", "13.0 s to the edge");
    page.assert_quiet_console();
}

/// Drags the crosshair by parts of the map, and reads what comes of it.
fn drag_the_crosshair(page: &Page, pointer: Pointer) {
    let plot = page.area(".plot");
    // Half of the minute to the left: P is 15 s.
    page.drag_start(pointer, ".map-knob");
    page.drag_move(-(plot.width / 2.0).round() as i32, 0);
    page.wait_for_text(VERDICT, HARMLESS);
    page.drag_end();
    page.wait_for_text(VERDICT, HARMLESS);
    page.keys("Control+z");
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for_text(".map-sliders", "45.0 s");
    // Up by half of 10 s: the delay is about 6 s, and the pause stays about where it is.
    page.drag_with(pointer, ".map-knob", -(plot.width / 3.0).round() as i32, -(plot.height / 2.0).round() as i32);
    // P is 25 s and D is 6 s: 5.4 + 31 is before 38.4 and after 30.2.
    page.wait_for_text(VERDICT, BOUNDARY);
    let words = page.text("#map-words");
    assert!(words.contains("stale accepted"), "{words}");
    page.keys("Control+z");
    page.wait_for_text(VERDICT, FENCED);
}

#[test]
fn the_crosshair_of_the_pinned_map_sets_both_numbers_in_one_step() {
    let page = opened(View::DESKTOP);
    page.wait_for_text("#map-words", "harmless < 23.8 s; stale accepted 23.8–32.0 s; rejected > 32.0 s");
    // In the mean over delays of 0 to 10 s: P < 19.8 s, then up to 28 s, of 60 s.
    page.wait_for_text("#map-words", "rejected 53 %, harmless 33 %, stale accepted 14 %");
    drag_the_crosshair(&page, Pointer::Mouse);
    // Escape puts back what is held.
    page.drag_start(Pointer::Mouse, ".map-knob");
    page.drag_move(-100, -20);
    page.keys("Escape");
    page.wait_for_text(VERDICT, FENCED);
    page.drag_end();
    page.wait_for_text(".map-sliders", "45.0 s");
    page.assert_quiet_console();
}

#[test]
fn the_crosshair_is_dragged_by_a_finger_on_a_phone() {
    let page = opened(View::PHONE);
    page.click("#tab-map");
    page.wait_for_text("#map-words", "rejected 53 %");
    drag_the_crosshair(&page, Pointer::Touch);
    page.assert_quiet_console();
}

#[test]
fn the_sliders_set_the_same_numbers_by_keys() {
    let page = opened(View::DESKTOP);
    page.focus(".map-sliders [data-axis=across]");
    page.keys("ArrowLeft");
    assert_eq!(page.attribute(PAUSE_END, "aria-valuenow").as_deref(), Some("44.9"));
    page.focus(".map-sliders [data-axis=up]");
    page.keys("ArrowRight");
    page.wait_for_text(".map-sliders", "1.01 s");
    page.assert_quiet_console();
}

#[test]
fn another_number_on_an_axis_is_another_map() {
    let page = opened(View::DESKTOP);
    choose(&page, "#map-across", "/leases/0/ttl");
    // With a ttl of T up to 20 s B is granted at 20.2 s, and its write arrives at 28.4 s: stale itself unless T > 8.2 s. From
    // 20 s on B is granted at 0.2 s + T and its write arrives at 8.4 s + T, sent 1 s before: at T = 43 s with A's, sent at the
    // same time and first in the file.
    page.wait_for_text(
        "#map-words",
        "not possible at 0.0 s; stale accepted 0.0–8.2 s; rejected 8.2–43.0 s; stale accepted ≥ 43.0 s",
    );
    page.assert_quiet_console();
}

#[test]
fn the_smallest_flip_is_applied_and_undone() {
    let page = opened(View::DESKTOP);
    // A works from 0.4 s for 5 s, and is paused at 5 s: 4.6 s would end at that very instant, and so at the resume.
    page.wait_for_text(
        "[data-flip=write] p",
        "Shorten A’s ‘builds’ (step 2) by just over 0.4 s, to just under 4.6 s. Then 41 arrives while its lease is running, and is accepted.",
    );
    page.click("[data-flip=write] button");
    // A writes before it is paused then; the last write is B’s, and both are harmless.
    page.wait_for_text(VERDICT, "Harmless");
    page.keys("Control+z");
    page.wait_for_text(VERDICT, FENCED);

    // Without a guard something is broken, and one number mends it.
    page.keys("1");
    page.wait_for_text(VERDICT, "Overwritten");
    page.click("#tab-margins");
    page.wait_for_text("[data-flip=hold] p", "Then all five hold.");
    page.click("[data-flip=hold] button");
    page.wait_for_text(VERDICT, "Harmless");
    page.wait_for_text("[data-flip=hold] p", "All five properties hold already.");
    page.assert_quiet_console();
}

#[test]
fn margins_are_listed_the_most_fragile_first_and_select_their_handle() {
    let page = opened(View::DESKTOP);
    page.click("#tab-margins");
    // With a network delay of d from 2.5 s on, A is paused as its grant arrives, and sends at 55 s; B sends at 37 s + 2 d. At
    // d = 9 s both arrive at 56 s, A first.
    page.wait_for_text(".margins tbody tr:first-child", "network delay");
    page.wait_until("all margins", || !page.text(".margins").contains("still being worked out"));
    let first = page.text(".margins tbody tr:first-child");
    assert!(first.contains("8.8 s") && first.contains("≥ 9.0 s"), "{first}");
    let rows = page.texts(".margins tbody tr");
    let pause = rows.iter().position(|row| row.contains("length of A’s pause")).expect("the pause has a margin");
    assert!(rows[pause].contains("13.0 s") && rows[pause].contains("≤ 32.0 s"), "{}", rows[pause]);
    page.click(&format!(".margins tbody tr:nth-child({}) button", pause + 1));
    assert_eq!(page.attribute(PAUSE_END, "tabindex").as_deref(), Some("0"));
    let start = rows.iter().position(|row| row.contains("start of B")).expect("the start has a margin");
    page.click(&format!(".margins tbody tr:nth-child({}) button", start + 1));
    page.wait_for("#handle-worker-start-1[tabindex='0']");
    page.wait_for_text("#race-window", "Start of B");
    page.assert_quiet_console();
}

#[test]
fn a_search_finds_the_smallest_schedule_and_opens_it_as_a_step() {
    let page = opened(View::DESKTOP);
    page.click("#tab-search");
    choose(&page, "#search-property", "no-stale-write");
    choose(&page, "#search-changes", "1");
    page.click(".search .bounds button");
    // The answer to B's request is handled at 30.2 s + r, and B's write arrives 8 s after that: with r = 13.2 s at 51.4 s, as
    // A's, sent at the same time and first in the file. No other single delay does it for less, and no pause has to be added.
    page.wait_for_text(".search .outcome", "The reply delay of B’s acquire (step 1) is 13.2 s instead of 0.2 s.");
    page.wait_for_text(".search .outcome", BOUNDARY);
    page.click(".search .outcome button");
    page.wait_for_text(VERDICT, BOUNDARY);
    page.keys("Control+z");
    page.wait_for_text(VERDICT, FENCED);
    page.assert_quiet_console();
}

#[test]
fn a_search_that_finds_nothing_says_within_what_and_one_that_is_stopped_says_where() {
    let page = opened(View::DESKTOP);
    // Ownership checked with the write: no schedule lets a stale write in.
    page.keys("7");
    page.click("#tab-search");
    choose(&page, "#search-property", "no-stale-write");
    choose(&page, "#search-changes", "1");
    page.click(".search .bounds button");
    // As it stands, 6 places for a pause and 8 delays, 60 values each.
    page.wait_for_text(".search .outcome", "None within these bounds: 841 schedules covered.");
    page.wait_for_text(".search", "one pause or delay changed, each up to 60 s; steps of 1 s");
    // What was found is true of that schedule, and of no other.
    page.click(".segment[data-guard='none']");
    page.wait_for_text(".search", "The schedule has changed since the search.");
    page.wait_for_none(".search .outcome");
    page.keys("Control+z");

    choose(&page, "#search-changes", "4");
    page.click(".search .bounds button");
    page.wait_for_text(".progress", "tried ");
    page.click(".search .bounds button");
    page.wait_for_text(".search .outcome", "Stopped by hand: tried ");
    page.wait_for_none(".progress");

    page.fill("#search-step", "0s");
    page.wait_for_text(".search .reason", "The step is not a duration above 0");
    page.assert_quiet_console();
}

#[test]
fn what_a_search_found_stands_in_nobodys_way() {
    for view in [View::DESKTOP, View::DESKTOP.dark(), View::PHONE, View::PHONE.dark()] {
        let page = opened(view);
        page.click("#tab-search");
        page.click(".search .bounds button");
        page.wait_for(".search .outcome button");
        page.assert_accessible("a search that found something");
    }
}
