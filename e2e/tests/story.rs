//! The opening story, told by hand: dragged with a mouse and a finger, moved by keys, judged by each guard.

use fenceline_e2e::opening::{BOUNDARY, FENCED, HARMLESS, OVERWRITTEN, PAUSE_END, VERDICT, everywhere};
use fenceline_e2e::{Page, Pointer, View};

const PAUSE_START: &str = "#handle-pause-start-0-0";
/// The end of B's work, at 37.4 s: its write is sent then, and arrives 1.0 s later.
const WORK_END: &str = "#handle-work-end-1-1";

/// How far that many seconds are on the axis, in px.
fn seconds(page: &Page, seconds: f64) -> i32 {
    let (end, start) = (page.area(PAUSE_END).middle().0, page.area(PAUSE_START).middle().0);
    (seconds * (end - start) / 45.0).round() as i32
}

/// The four counts as they are read, in the order shown.
fn counts(page: &Page) -> Vec<String> {
    page.texts(".count dd")
}

/// What the switch says of each guard, in the order shown.
fn outcomes(page: &Page) -> Vec<String> {
    page.texts(".segment .gives")
}

#[test]
fn the_page_opens_on_a_late_write_that_is_rejected() {
    everywhere(|page, _| {
        assert_eq!(counts(page), ["1", "1", "0", "0"]);
        assert_eq!(
            outcomes(page),
            ["A overwrites B", "A gives up", "A rejected", "A rejected", "A rejected", "A rejected", "A rejected"]
        );
        let story = page.text(".story");
        for sentence in [
            "A acquires the lease: token 41, for 30 s",
            "B acquires the lease: token 42, for 30 s",
            "B’s ‘new report’ is accepted. The report remembers 42",
            "A’s ‘stale report’ is rejected: 41 is not above 42",
        ] {
            assert!(story.contains(sentence), "{sentence:?} is not in {story:?}");
        }
        assert!(page.text(".why").contains("41 > 42 is false, so the write is rejected."));
        let drawn = page.texts("svg.drawing text");
        for word in ["rejected", "accepted", "paused 45.0 s"] {
            assert!(drawn.iter().any(|text| text == word), "{word:?} is not drawn: {drawn:?}");
        }
    });
}

#[test]
fn a_pause_that_ends_well_before_the_lease_makes_the_stale_write_a_current_one() {
    everywhere(|page, pointer| {
        let thirty = seconds(page, 30.0);
        page.drag_with(pointer, PAUSE_END, -thirty, 0);
        page.wait_for_text(VERDICT, HARMLESS);
        assert_eq!(counts(page), ["2", "0", "0", "0"]);

        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(counts(page), ["1", "1", "0", "0"]);
        assert_eq!(page.attribute(PAUSE_END, "aria-valuetext").as_deref(), Some("45.0 seconds, stale write rejected"));

        page.keys("Shift+Control+z");
        page.wait_for_text(VERDICT, HARMLESS);
    });
}

#[test]
fn without_a_guard_the_late_write_overwrites_the_newer_report() {
    everywhere(|page, _| {
        page.click(".segment[data-guard='none']");
        page.wait_for_text(VERDICT, OVERWRITTEN);
        assert_eq!(counts(page), ["1", "0", "1", "0"]);
        page.wait_for_text("svg.drawing text", "A overwrites B");
        page.wait_for_text(".story", "A’s ‘stale report’ overwrites B’s ‘new report’");
        page.click(".segment[data-guard='newer']");
        page.wait_for_text(VERDICT, FENCED);
    });
}

#[test]
fn an_old_token_is_accepted_until_the_newer_one_is_known() {
    everywhere(|page, pointer| {
        let fifteen = seconds(page, 15.0);
        page.drag_with(pointer, WORK_END, fifteen, 0);
        page.wait_for_text(VERDICT, BOUNDARY);
        assert_eq!(counts(page), ["1", "0", "1", "0"]);
        page.wait_for_text(".why", "41 > 40 is true, so the write is accepted.");
        assert_eq!(
            outcomes(page).last().map(String::as_str),
            Some("A rejected"),
            "only the holder check closes the gap"
        );
    });
}

#[test]
fn everything_is_judged_while_the_drag_lasts_and_escape_puts_it_back() {
    everywhere(|page, pointer| {
        let (seventeen, thirty) = (seconds(page, 17.0), seconds(page, 30.0));
        page.drag_start(pointer, PAUSE_END);
        page.drag_move(-seventeen, 0);
        page.wait_for_text(VERDICT, BOUNDARY);
        page.drag_move(seventeen - thirty, 0);
        page.wait_for_text(VERDICT, HARMLESS);
        assert_eq!(counts(page), ["2", "0", "0", "0"]);

        page.keys("Escape");
        page.wait_for_text(VERDICT, FENCED);
        page.drag_move(-5, 0);
        page.drag_end();
        assert_eq!(page.text(VERDICT), FENCED);
        assert_eq!(page.attribute(PAUSE_END, "aria-valuetext").as_deref(), Some("45.0 seconds, stale write rejected"));
        assert_eq!(page.attribute("[aria-label='Undo']", "aria-disabled").as_deref(), Some("true"));
    });
}

#[test]
fn an_undo_in_mid_drag_lets_go_of_what_was_held() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_for_text(VERDICT, FENCED);
    page.drag_start(Pointer::Mouse, PAUSE_END);
    page.drag_move(-600, 0);
    page.wait_for_text(VERDICT, HARMLESS);
    page.keys("Control+z");
    page.wait_for_text(VERDICT, FENCED);
    page.drag_move(-100, 0);
    page.drag_end();
    assert_eq!(page.text(VERDICT), FENCED);
    page.keys("Shift+Control+z");
    assert_eq!(page.text(VERDICT), FENCED, "a drag that was taken back is no step that could be redone");
}

#[test]
fn the_whole_story_can_be_told_by_keys() {
    everywhere(|page, _| {
        let focused = |attribute: &str| {
            let script = "return document.activeElement.getAttribute(arguments[0])";
            page.evaluate(script, &[attribute.into()]).as_str().unwrap_or_default().to_owned()
        };
        for _ in 0..24 {
            page.keys("Tab");
            if focused("role") == "slider" && focused("aria-label") != "Playhead" {
                break;
            }
        }
        assert_eq!(focused("aria-label"), "End of A’s pause");
        assert_eq!(focused("aria-valuetext"), "45.0 seconds, stale write rejected");

        page.keys("ArrowLeft Shift+ArrowLeft");
        assert_eq!(focused("aria-valuetext"), "43.9 seconds, stale write rejected");
        page.keys("PageDown PageDown PageDown PageDown PageDown");
        page.wait_for_text(VERDICT, HARMLESS);
        assert_eq!(focused("aria-valuetext"), "18.9 seconds, accepted");

        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
        page.keys("1");
        page.wait_for_text(VERDICT, OVERWRITTEN);
        assert_eq!(focused("aria-valuetext"), "45.0 seconds, A overwrites B");
        page.wait_for_text("[role=status]", OVERWRITTEN);
        page.keys("ArrowDown");
        assert_eq!(focused("role"), "slider");
        assert_ne!(focused("aria-label"), "End of A’s pause");
    });
}

#[test]
fn a_write_chosen_in_one_place_is_shown_in_all() {
    everywhere(|page, _| {
        page.wait_for_text(".story [aria-current]", "A’s ‘stale report’ is rejected");
        page.click(".story [data-write='0']");
        page.wait_for_text(".why", "B writes ‘new report’");
        page.wait_for_text(".story [aria-current]", "B’s ‘new report’ is accepted");
        assert_eq!(page.count("svg.drawing .fl-selected[data-write='1']"), 0);
        assert!(page.count("svg.drawing .fl-selected[data-write='0']") > 0);
    });
}

#[test]
fn the_page_scrolls_under_a_finger_that_is_not_on_a_handle() {
    let page = Page::open(View::PHONE, "");
    page.wait_for_text(VERDICT, FENCED);
    page.drag_with(Pointer::Touch, ".timeline-head", 0, -300);
    if page.fingers_scroll() {
        page.wait_until("the page to have scrolled", || {
            page.evaluate("return scrollY", &[]).as_f64().is_some_and(|scrolled| scrolled > 100.0)
        });
    } else {
        let script = "let e = document.querySelector('.timeline-head'); const found = [];
            for (; e; e = e.parentElement) found.push(getComputedStyle(e).touchAction);
            return found.every((action) => action !== 'none')";
        assert_eq!(page.evaluate(script, &[]), true, "the head of the timeline keeps a finger from scrolling");
    }
    assert_eq!(page.text(VERDICT), FENCED);
}

#[test]
fn nothing_is_wider_than_the_window() {
    for width in [320, 390, 600, 760, 1024, 1280, 1440] {
        let page = Page::open(View { width, ..View::DESKTOP }, "");
        page.wait_for_text(VERDICT, FENCED);
        let script = "const root = document.documentElement; return root.scrollWidth - root.clientWidth";
        assert_eq!(page.evaluate(script, &[]), 0, "what sticks out of a window of {width} px");
    }
}

#[test]
fn the_theme_that_was_chosen_stays() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_for_text(VERDICT, FENCED);
    page.click("[aria-label='Theme: system']");
    page.click("[aria-label='Theme: light']");
    assert_eq!(page.attribute("html", "data-theme").as_deref(), Some("dark"));
    page.reload();
    page.wait_for("[aria-label='Theme: dark']");
    assert_eq!(page.attribute("html", "data-theme").as_deref(), Some("dark"));
}

#[test]
fn what_happened_is_walked_through_by_arrows() {
    everywhere(|page, _| {
        page.focus(".story li:nth-child(2) button");
        page.keys("ArrowDown ArrowDown");
        let focused = || page.evaluate("return document.activeElement.textContent.trim()", &[]);
        let row = |place: u32| {
            let row =
                format!("return document.querySelector('.story li:nth-child({place}) button').textContent.trim()");
            page.evaluate(&row, &[])
        };
        assert_eq!(focused(), row(4));
        page.wait_for(".story li:nth-child(4) [data-picked], .story li:nth-child(4) [aria-current]");
        page.keys("ArrowUp");
        assert_eq!(focused(), row(3));
        page.keys("Home ArrowUp");
        assert_eq!(focused(), row(1), "the first is the first");
        page.keys("End");
        let last = page.count(".story li") as u32;
        assert_eq!(focused(), row(last));
    });
}
