//! Editing the structure: what is added, renamed, moved, doubled, dropped and removed.

use fenceline_e2e::View;
use fenceline_e2e::inspecting::{PART, at, inspected};
use fenceline_e2e::opening::{FENCED, PAUSE_END, VERDICT, opened};

#[test]
fn workers_steps_leases_and_resources_are_added_renamed_moved_doubled_and_removed() {
    inspected(|page| {
        page.press_words(".inspector", "Add a worker");
        page.wait_for_text(PART, "Worker C");
        page.fill(&at("/workers/2/id"), "Third");
        page.wait_for_text(PART, "Worker Third");
        page.wait_for_text("svg.drawing text", "Worker Third");
        page.press_words(".inspector", "Move up");
        page.wait_for(&at("/workers/1/starts"));
        page.press_words(".inspector", "Duplicate");
        page.wait_for_text(PART, "Worker C");
        page.press_words(".inspector", "Remove");
        page.wait_until("the double to be gone", || page.text(PART) != "Worker C");

        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "Add a resource");
        page.wait_for_text(PART, "Resource report 2");
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "Add a lease");
        page.wait_for_text(PART, "Lease lock");

        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "report-lock");
        page.fill(&at("/leases/0/id"), "print lock");
        page.wait_for_text(PART, "Lease print lock");
        page.press_words(".inspector", "Remove, with the 3 steps that need it");
        page.wait_for_text(PART, "Lease lock");
        page.wait_until("another verdict", || page.text(VERDICT) != FENCED);

        for _ in 0..9 {
            page.keys("Control+z");
        }
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(page.attribute("[aria-label='Undo']", "aria-disabled").as_deref(), Some("true"));
    });
}

#[test]
fn steps_are_added_changed_and_taken_away() {
    inspected(|page| {
        page.press_words(".inspector", "A");
        page.press_words(".inspector", "builds, 5s");
        page.press_words(".inspector", "check");
        page.wait_for_text(PART, "Step 3: check report-lock");
        page.wait_for_text(".story", "stops");
        page.choose(&at("/workers/0/plan/2/do"), "wait");
        page.wait_for_text(PART, "Step 3: wait until 10s");
        page.fill(&at("/workers/0/plan/2/at"), "55s");
        page.wait_for_text(PART, "wait until 55s");
        page.click("#verdict");
        page.keys("Delete");
        page.wait_for_text(PART, "Step 3: write ‘stale report’ to report");
        page.keys("Control+d");
        page.wait_for_text(PART, "Step 4: write ‘stale report’ to report");
    });
}

#[test]
fn a_message_can_be_dropped_doubled_and_retried() {
    inspected(|page| {
        page.click(".story [data-write='1']");
        page.wait_for_text(PART, "Step 3");
        page.click(&at("/workers/0/plan/2/sends/0/lost"));
        page.wait_for_text(".story", "is lost");
        page.press_words(".inspector", "Retry when no reply comes");
        page.wait_for(&at("/workers/0/plan/2/retry/after"));
        page.wait_for_text(VERDICT, FENCED);
        page.fill(&at("/workers/0/plan/2/retry/attempts"), "21");
        page.wait_for_text(".field[data-invalid] .reason", "Not allowed: 21");
        page.press_words(".inspector", "Put back 2");
        page.press_words(".inspector", "Do not retry");
        page.wait_for_none(&at("/workers/0/plan/2/retry/after"));
        page.click(&at("/workers/0/plan/2/sends/0/lost"));
        page.wait_for_text(VERDICT, FENCED);
        page.press_words(".inspector", "Duplicate the request");
        page.fill(&at("/workers/0/plan/2/sends/0/copies/0"), "3s");
        page.wait_until("two decisions about A's write", || page.texts(".count dd")[1] == "2");
        page.press_words(".inspector", "Remove copy 1");
        page.wait_until("one decision about A's write", || page.texts(".count dd")[1] == "1");
    });
}

#[test]
fn an_empty_timeline_offers_two_ways_to_begin() {
    inspected(|page| {
        assert_eq!(page.count(".empty"), 0);
        page.open_document("{ \"version\": 1 }");
        page.wait_for_text(".empty", "Add a worker, or start from a preset.");
        page.click(".empty button:nth-of-type(2)");
        page.wait_for("dialog[open]");
        page.keys("Escape");
        page.wait_for_none("dialog[open]");
        page.click(".empty button:nth-of-type(1)");
        page.wait_for_text(PART, "Worker A");
        page.wait_for_none(".empty");
        page.wait_until("the focus to be on the worker's name", || {
            page.evaluate("return document.activeElement.id", &[]) == "inspector-part"
        });
        page.wait_for_text(".story", "A acquires the lease");
        page.keys("Control+z");
        page.wait_for_text(".empty", "Add a worker");
    });
}

#[test]
fn what_would_take_others_along_is_not_removed_by_a_key_but_offered_with_all_that_goes() {
    inspected(|page| {
        page.press_words(".inspector", "report-lock");
        page.click("#tab-why");
        page.keys("Delete");
        page.wait_until("the focus to be on what removes it", || {
            let focused = page.evaluate("return document.activeElement.textContent", &[]);
            focused == "Remove, with the 2 steps that need it"
        });
        assert_eq!(page.text(VERDICT), FENCED, "nothing is gone yet");
        page.keys("Enter");
        page.wait_until("the lease to be gone", || page.text(PART) == "Document");
        assert_eq!(page.texts(".story li").iter().filter(|row| row.contains("acquires")).count(), 0);
        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
    });
}

#[test]
fn keys_change_nothing_behind_a_dialog() {
    let page = opened(View::DESKTOP);
    page.click(PAUSE_END);
    page.keys("?");
    page.wait_for("dialog[open]");
    page.keys("1 Delete");
    page.keys("Escape");
    page.wait_for_none("dialog[open]");
    page.wait_for_text(VERDICT, FENCED);
    assert_eq!(page.count(PAUSE_END), 1, "the pause is there");
    page.keys("1");
    page.wait_for_text(VERDICT, "Overwritten");
    page.assert_quiet_console();
}
