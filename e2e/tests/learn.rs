//! Learning: the library, lessons, predicting first, the tour, and work that is kept.

use fenceline_e2e::opening::{FENCED, VERDICT, everywhere};
use fenceline_e2e::{Page, View};

const BOUNDARY: &str = "Stale but accepted";

#[test]
fn a_preset_is_found_opened_and_taken_back() {
    everywhere(|page, _| {
        page.click(".picker");
        page.wait_until("all presets to be listed", || page.count(".presets .preset") == 44);
        assert_eq!(page.count(".presets section"), 7);
        page.keys("Escape");
        page.choose_preset("The old token arrives first");
        page.wait_for_text(VERDICT, BOUNDARY);
        page.wait_for_text(".lesson .question", "Must the guard reject it?");
        page.wait_for_text(".picker", "The old token arrives first");
        page.focus("#panel");
        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
        page.keys("Shift+Control+z");
        page.wait_for_text(VERDICT, BOUNDARY);
        page.click(".picker");
        page.wait_for_text(".preset[aria-current]", "The old token arrives first");
        page.wait_for_text(".preset[aria-current] .mark", "seen");
    });
}

#[test]
fn a_search_that_finds_nothing_says_so() {
    everywhere(|page, _| {
        page.click(".picker");
        page.wait_for(".presets[open] .preset");
        page.focus(".presets input");
        page.type_text("zebra");
        page.wait_for_text(".presets .list", "No preset speaks of that.");
    });
}

#[test]
fn a_preset_is_chosen_by_keys_alone() {
    everywhere(|page, _| {
        page.focus(".picker");
        page.keys("Enter");
        page.wait_for(".presets[open] .preset");
        page.wait_for(".presets input:focus");
        page.keys("ArrowDown ArrowDown");
        page.wait_for_text(".preset:focus", "A pause before the local check");
        page.keys("End");
        page.wait_for(".presets section:last-child li:last-child .preset:focus");
        page.keys("Home ArrowUp");
        page.wait_for(".presets input:focus");
        page.type_text("retry after the takeover");
        page.wait_until("one preset to be left", || page.count(".presets .preset") == 1);
        page.keys("Enter");
        page.wait_for_none(".presets[open]");
        page.wait_for_text(".lesson h2", "A retry after the takeover");
        page.wait_for(".picker:focus");
    });
}

#[test]
fn a_library_that_does_not_come_says_so_and_changes_nothing() {
    everywhere(|page, _| {
        page.evaluate(
            "window.reached = window.fetch;
             window.fetch = (address, ...rest) => window.cut && String(address).includes(window.cut)
                 ? Promise.reject(new TypeError('cut off')) : window.reached(address, ...rest);
             window.cut = 'presets/'",
            &[],
        );
        page.click(".picker");
        page.wait_for_text(".presets .list", "The presets did not come: it could not be loaded.");
        page.evaluate("window.cut = 'presets/retry'", &[]);
        page.press_words(".presets", "Try again");
        page.wait_until("all presets to be listed", || page.count(".presets .preset") == 44);
        page.type_text("retry after the takeover");
        page.press_words(".presets", "A retry after the takeover");
        page.wait_for_text(".presets .list", "The preset did not open: it could not be loaded. Nothing was changed.");
        page.evaluate("window.cut = ''", &[]);
        page.keys("Escape");
        page.wait_for_none(".presets[open]");
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(page.attribute("[aria-label='Undo']", "aria-disabled").as_deref(), Some("true"));
    });
}

#[test]
fn a_lesson_asks_first_then_teaches_and_shows_what_helps() {
    everywhere(|page, _| {
        page.choose_preset("The old token arrives first");
        page.wait_for(".lesson .question");
        assert_eq!(page.count(".lesson .teaching"), 0, "the answer is not there before somebody asks");
        page.press_words(".lesson", "Show the answer");
        page.wait_for_text(".lesson .teaching", "the report");
        page.click(".helps div:first-child .chip");
        page.wait_for_text(VERDICT, "Fenced");
        page.wait_for_text(".picker", "changed");
        page.press_words(".lesson", "Start again");
        page.wait_for_text(VERDICT, BOUNDARY);
        page.press_words(".lesson", "→ ");
        page.wait_until("the next lesson", || !page.text(".lesson h2").contains("The old token arrives first"));
    });
}

#[test]
fn a_lesson_that_follows_a_public_report_links_to_it() {
    everywhere(|page, _| {
        page.choose_preset("The first writer wins");
        page.press_words(".lesson", "Show the answer");
        let link = ".lesson .report a";
        assert_eq!(page.attribute(link, "href").as_deref(), Some("https://github.com/etcd-io/etcd/issues/11788"));
        assert_eq!(page.attribute(link, "rel").as_deref(), Some("noopener noreferrer"));
    });
}

#[test]
fn rulings_are_hidden_until_they_are_predicted() {
    everywhere(|page, _| {
        page.choose_preset("The old token arrives first");
        page.wait_for_text(VERDICT, BOUNDARY);
        page.click(".switch");
        page.wait_for_text(VERDICT, "Predict first");
        page.wait_for_text(".ask h2", "A writes ‘report A’");
        for (what, css) in [("counts", ".count dd"), ("guards", ".segment .gives")] {
            let told = page.texts(css);
            assert!(told.iter().all(|text| text == "?" || text == "hidden"), "{what} tell: {told:?}");
        }
        let drawn = page.texts("svg.drawing text");
        for word in ["accepted", "rejected", "stale accepted", "41 changed nothing"] {
            assert!(!drawn.iter().any(|text| text.starts_with(word)), "{word:?} is drawn: {drawn:?}");
        }
        assert!(!page.text(".story").contains("accepted"));
        // A button that cannot act says nothing and does nothing.
        page.press_words(".ask", "Show what happens");
        page.wait_for_text(".ask h2", "A writes ‘report A’");

        page.press_words(".ask", "It is rejected");
        page.press_words(".ask", "No: it is stale");
        page.press_words(".ask", "Show what happens");
        page.wait_for_text(".ask h2", "It is accepted, and stale.");
        page.wait_for_text(".ask", "You said: rejected, and stale.");
        page.wait_for_text(".ask", "Three instants differ");
        page.assert_accessible("a prediction that was wrong");
        page.press_words(".ask", "Next write");
        page.wait_for_text(".ask h2", "B writes");
        page.press_words(".ask", "It is accepted");
        page.press_words(".ask", "Yes: it is current");
        page.press_words(".ask", "Show what happens");
        page.wait_for_text(".ask", "You said so.");
        page.wait_for_text(VERDICT, BOUNDARY);
        page.press_words(".ask", "See the sum");
        page.wait_for_text(".ask h2", "You were right about 1 of 2.");
        page.assert_accessible("the sum of the predictions");
        page.press_words(".ask", "Choose another preset");
        page.wait_for_text(".preset[aria-current] .mark", "predicted");
        page.keys("Escape");
        page.press_words(".ask", "Show everything");
        page.wait_for(".panel");
        page.visit("");
        page.wait_for_text(VERDICT, FENCED);
        page.click(".picker");
        page.wait_for_text(".preset .mark", "predicted");
    });
}

#[test]
fn everything_is_predicted_by_keys_alone() {
    everywhere(|page, _| {
        page.focus(".switch input");
        page.keys("Space");
        page.wait_for_text(".ask h2", "B writes ‘new report’");
        assert_eq!(page.count(".timeline .handle"), 0, "where a grip lies would tell what follows");
        for (number, answers) in [(1, ["accepted", "Yes"]), (2, ["rejected", "No"])] {
            page.wait_for_text(".ask", &format!("Write {number} of 2"));
            for (question, answer) in answers.iter().enumerate() {
                let group = format!(".ask fieldset:nth-of-type({})", question + 1);
                let option = if ["accepted", "No"].contains(answer) { 1 } else { 2 };
                page.focus(&format!("{group} label:nth-of-type({option}) input"));
                page.keys("Space");
                page.wait_for(&format!("{group} label:nth-of-type({option}) input:checked"));
            }
            page.focus(".ask .strong");
            page.keys("Enter");
            page.wait_for_text(".ask", "You said so.");
            page.wait_for("#ask-title:focus");
            page.focus(".ask .strong");
            page.keys("Enter");
        }
        page.wait_for_text("#ask-title:focus", "You were right about 2 of 2.");
        page.click(".picker");
        page.wait_for_text(".preset[aria-current] .mark", "predicted right");
    });
}

#[test]
fn another_schedule_is_asked_about_from_the_start() {
    everywhere(|page, _| {
        page.click(".switch");
        page.wait_for_text(".ask h2", "B writes ‘new report’");
        page.press_words(".ask", "It is accepted");
        page.press_words(".ask", "Yes: it is current");
        page.press_words(".ask", "Show what happens");
        page.wait_for_text(".ask", "You said so.");
        page.click(".segment[data-guard='none']");
        page.wait_for_text(".ask", "Write 1 of 2");
        page.wait_for_text(VERDICT, "Predict first");
        page.click(".switch");
        page.wait_for_text(VERDICT, "Overwritten");
    });
}

#[test]
fn the_tour_is_offered_once_and_can_be_left_at_any_step() {
    everywhere(|page, _| {
        page.press_words(".notice", "Take the tour");
        page.wait_for_text("#tour-title", "A schedule, drawn in time");
        assert!(page.count(".timeline[data-toured]") == 1);
        page.press_words(".tour", "Next");
        page.press_words(".tour", "Next");
        page.wait_for_text("#tour-title", "The guard decides at the destination");
        assert_eq!(page.count("[data-toured]"), 1);
        page.press_words(".tour", "Back");
        page.wait_for_text("#tour-title", "Everything can be dragged");
        page.keys("Escape");
        page.wait_for_none(".tour");
        assert_eq!(page.count("[data-toured]"), 0);
        page.reload();
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(page.count(".notice"), 0, "it is not offered again");
        page.click("[aria-label='Keys']");
        page.press_words("dialog[open]", "Take the tour");
        for _ in 0..4 {
            page.press_words(".tour", "Next");
        }
        page.press_words(".tour", "Done");
        page.wait_for_none(".tour");
    });
}

#[test]
fn work_is_kept_and_offered_again() {
    everywhere(|page, _| {
        page.click(".segment[data-guard='none']");
        page.wait_for_text(VERDICT, "Overwritten");
        page.wait_until("the work to be kept", || {
            let kept = page.evaluate("return localStorage.getItem('fenceline.work') || ''", &[]);
            kept.as_str().is_some_and(|kept| kept.contains("none"))
        });
        // Not by its address, which would open it at once.
        page.visit("");
        page.wait_for_text(VERDICT, FENCED);
        page.wait_for_text(".notice", "There is work from your last visit");
        let year = page.evaluate("return String(new Date().getFullYear())", &[]);
        page.wait_for_text(".notice", year.as_str().unwrap_or("a year"));
        page.assert_accessible("work that is offered");
        page.press_words(".notice", "Restore");
        page.wait_for_text(VERDICT, "Overwritten");
        page.wait_for_text(".picker", "changed");
        page.focus("#panel");
        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
    });
}

#[test]
fn work_is_kept_however_soon_the_page_is_left() {
    everywhere(|page, _| {
        page.click(".segment[data-guard='none']");
        page.wait_for_text(VERDICT, "Overwritten");
        page.reload();
        page.wait_for_text(VERDICT, FENCED);
        page.press_words(".notice", "Restore");
        page.wait_for_text(VERDICT, "Overwritten");
    });
}

#[test]
fn work_that_is_offered_waits_until_it_is_taken_or_refused() {
    everywhere(|page, _| {
        let kept = |what: &str| {
            let what = what.to_owned();
            page.wait_until("the work to be kept", || {
                let kept = page.evaluate("return localStorage.getItem('fenceline.work') || ''", &[]);
                kept.as_str().is_some_and(|kept| kept.contains(&what))
            });
        };
        page.click(".segment[data-guard='none']");
        kept("\"none\"");
        page.visit("");
        page.wait_for_text(".notice", "There is work from your last visit");
        // Going on without it does not take its place.
        page.click(".segment[data-guard='same']");
        kept("\"same\"");
        page.visit("");
        page.press_words(".notice", "Restore");
        page.wait_for_text(VERDICT, "Overwritten");
    });
}

#[test]
fn of_two_tabs_the_last_one_to_write_is_kept() {
    everywhere(|page, _| {
        page.click(".segment[data-guard='none']");
        page.wait_until("the work to be kept", || {
            page.evaluate("return Boolean(localStorage.getItem('fenceline.work'))", &[]) == true
        });
        // What another tab does to the storage.
        page.evaluate("localStorage.setItem('fenceline.work', 'from elsewhere'); localStorage.setItem('fenceline.progress', 'slow-clock right')", &[]);
        page.choose_preset("The old token arrives first");
        page.click(".segment[data-guard='holder']");
        page.wait_until("the work to be kept", || {
            let kept = page.evaluate("return localStorage.getItem('fenceline.work') || ''", &[]);
            kept.as_str().is_some_and(|kept| kept.contains("holder"))
        });
        page.visit("");
        page.wait_for_text(".notice", "“The old token arrives first”.");
        page.click(".picker");
        page.wait_until("both marks", || {
            let marks = page.texts(".preset .mark");
            ["seen", "predicted right"].iter().all(|mark| marks.iter().any(|text| text == mark))
        });
    });
}

#[test]
fn what_was_kept_and_is_junk_is_told_of_and_left() {
    everywhere(|page, _| {
        page.evaluate(
            "localStorage.setItem('fenceline.work', 'fenceline 1\\n\\n{ <b>junk'); localStorage.setItem('fenceline.progress', '\\0<i>');
             localStorage.setItem('fenceline.tour', '7'); localStorage.setItem('fenceline.theme', '<script>')",
            &[],
        );
        page.reload();
        page.wait_for_text(VERDICT, FENCED);
        page.wait_for_text(".notice", "cannot be read any more");
        page.press_words(".notice[role=status]", "Dismiss");
        page.wait_for_none(".notice[role=status]");
        page.reload();
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(page.count(".notice[role=status]"), 0, "it is said once");
    });
}

#[test]
fn a_storage_that_takes_nothing_is_told_of_once_and_the_page_goes_on() {
    let page = Page::open(View::DESKTOP, "");
    let full = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }";
    if !page.before_each_load(full) {
        return;
    }
    page.reload();
    page.wait_for_text(VERDICT, FENCED);
    page.click(".segment[data-guard='none']");
    page.wait_for_text(".notice[role=status]", "does not keep your work");
    page.press_words(".notice[role=status]", "Dismiss");
    page.click(".segment[data-guard='holder']");
    page.wait_for_text(VERDICT, "Fenced");
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(page.count(".notice[role=status]"), 0, "it is said once");
    page.assert_quiet_console();
}

#[test]
fn a_browser_without_storage_shows_the_whole_page() {
    let page = Page::open(View::DESKTOP, "");
    let none =
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })";
    if !page.before_each_load(none) {
        return;
    }
    page.reload();
    page.wait_for_text(VERDICT, FENCED);
    page.press_words(".notice", "No, thanks");
    page.choose_preset("The old token arrives first");
    page.wait_for_text(VERDICT, BOUNDARY);
    page.assert_quiet_console();
}
