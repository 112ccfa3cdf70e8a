//! Editing by fields and buttons: every number without a drag, the structure, and what cannot stand.

use fenceline_e2e::{Page, View};

const VERDICT: &str = "#verdict";
const FENCED: &str = "Fenced: A’s stale write (41) was rejected — the report remembers 42";
const HARMLESS: &str = "Harmless: A’s write arrived while lease 41 was still running";
const PART: &str = "#inspector-part";

fn at(pointer: &str) -> String {
    format!("[data-pointer='{pointer}']")
}

/// The page with the inspector open, on a desk and on a phone.
#[track_caller]
fn everywhere(story: impl Fn(&Page)) {
    for view in [View::DESKTOP, View::PHONE] {
        let page = Page::open(view, "");
        page.wait_for_text(VERDICT, FENCED);
        page.click("#tab-edit");
        page.wait_for_text(PART, "Document");
        story(&page);
        page.assert_quiet_console();
    }
}

/// Clicks a button by what it says.
#[track_caller]
fn press(page: &Page, words: &str) {
    page.wait_for_text(".inspector button", words);
    let script = "const found = [...document.querySelectorAll('.inspector button')].find((button) => button.textContent.trim() === arguments[0]);
        document.querySelectorAll('[data-wanted]').forEach((old) => old.removeAttribute('data-wanted'));
        if (found) found.setAttribute('data-wanted', ''); return Boolean(found)";
    assert_eq!(page.evaluate(script, &[words.into()]), true, "no button says {words:?}");
    page.click("[data-wanted]");
}

#[test]
fn a_number_can_be_typed_stepped_and_undone() {
    everywhere(|page| {
        press(page, "A");
        press(page, "at 5s for 45s");
        page.wait_for_text(PART, "Pause");
        let lasts = at("/workers/0/pauses/0/for");
        page.fill(&lasts, "15s");
        page.wait_for_text(VERDICT, HARMLESS);
        assert_eq!(
            page.attribute("#handle-pause-end-0-0", "aria-valuetext").as_deref(),
            Some("15.0 seconds, accepted")
        );

        page.focus("#panel");
        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(page.value(&lasts), "45s");

        for _ in 0..3 {
            page.click("[aria-label='Less: Lasts']");
        }
        page.wait_until("three steps down", || page.value(&lasts) == "44.7s");
        page.click("[aria-label='Undo']");
        page.wait_until("presses that follow each other to be one step", || page.value(&lasts) == "45s");
    });
}

#[test]
fn what_cannot_stand_is_said_beside_the_field_and_what_was_typed_is_kept() {
    everywhere(|page| {
        press(page, "report-lock");
        let ttl = at("/leases/0/ttl");
        page.fill(&ttl, "soon");
        page.wait_for_text(".field[data-invalid] .reason", "Not allowed: \"soon\"");
        page.wait_for_text(".field[data-invalid] .reason", "Allowed: a duration above");
        assert_eq!(page.value(&ttl), "soon");
        assert_eq!(page.attribute(&ttl, "aria-invalid").as_deref(), Some("true"));
        assert_eq!(page.text(VERDICT), FENCED, "the last document that can be run stays");

        // It is still there after a look elsewhere.
        press(page, "Document");
        press(page, "report-lock");
        assert_eq!(page.value(&ttl), "soon");
        page.click("#tab-why");
        page.click("#tab-edit");
        assert_eq!(page.value(&ttl), "soon");

        press(page, "Put back 30s");
        page.wait_for_none(".field[data-invalid]");
        assert_eq!(page.value(&ttl), "30s");
        page.fill(&ttl, "0s");
        page.wait_for(".field[data-invalid]");
        page.fill(&ttl, "30.0s");
        page.wait_for_none(".field[data-invalid]");
        assert_eq!(page.value(&ttl), "30s", "as the document says it");
    });
}

#[test]
fn what_is_selected_is_the_same_in_the_inspector_the_list_and_the_timeline() {
    everywhere(|page| {
        page.click(".story [data-part='step-0-2']");
        page.wait_for_text(PART, "Step 3: write ‘stale report’ to report");
        assert!(page.count("svg.drawing .picked[data-part='step-0-2']") > 0);
        page.focus("#handle-pause-end-0-0");
        page.wait_for_text(PART, "Pause");
        assert!(page.count(".story [data-picked][data-part='pause-0-0']") > 0);
        assert_eq!(page.count(".story [data-picked][data-part='step-0-2']"), 0);
        press(page, "Worker A");
        page.wait_for_text(PART, "Worker A");
        assert!(page.count("svg.drawing .picked[data-part='worker-0']") > 0);
    });
}

#[test]
fn enter_on_a_handle_opens_the_field_of_its_number() {
    everywhere(|page| {
        page.click("#tab-why");
        page.focus("#handle-pause-end-0-0");
        page.keys("Enter");
        page.wait_until("the field to have the focus", || {
            let pointer = page.evaluate("return document.activeElement.getAttribute('data-pointer')", &[]);
            pointer == "/workers/0/pauses/0/for"
        });
        page.type_text("15s");
        page.keys("Enter");
        page.wait_for_text(VERDICT, HARMLESS);
    });
}

#[test]
fn workers_steps_leases_and_resources_are_added_renamed_moved_doubled_and_removed() {
    everywhere(|page| {
        press(page, "Add a worker");
        page.wait_for_text(PART, "Worker C");
        page.fill(&at("/workers/2/id"), "Third");
        page.wait_for_text(PART, "Worker Third");
        page.wait_for_text("svg.drawing text", "Worker Third");
        press(page, "Move up");
        page.wait_for(&at("/workers/1/starts"));
        press(page, "Duplicate");
        page.wait_for_text(PART, "Worker C");
        press(page, "Remove");
        page.wait_until("the double to be gone", || page.text(PART) != "Worker C");

        press(page, "Document");
        press(page, "Add a resource");
        page.wait_for_text(PART, "Resource report 2");
        press(page, "Document");
        press(page, "Add a lease");
        page.wait_for_text(PART, "Lease lock");

        press(page, "Document");
        press(page, "report-lock");
        page.fill(&at("/leases/0/id"), "print lock");
        page.wait_for_text(PART, "Lease print lock");
        press(page, "Remove, with the 3 steps that need it");
        page.wait_for_text(PART, "Lease lock");
        page.wait_for_text(VERDICT, "");

        for _ in 0..9 {
            page.keys("Control+z");
        }
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(page.attribute("[aria-label='Undo']", "aria-disabled").as_deref(), Some("true"));
    });
}

#[test]
fn steps_are_added_changed_and_taken_away() {
    everywhere(|page| {
        press(page, "A");
        press(page, "builds, 5s");
        press(page, "check");
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
    everywhere(|page| {
        page.click(".story [data-write='1']");
        page.wait_for_text(PART, "Step 3");
        page.click(&at("/workers/0/plan/2/sends/0/lost"));
        page.wait_for_text(".story", "is lost");
        press(page, "Retry when no reply comes");
        page.wait_for(&at("/workers/0/plan/2/retry/after"));
        page.wait_for_text(VERDICT, FENCED);
        page.fill(&at("/workers/0/plan/2/retry/attempts"), "21");
        page.wait_for_text(".field[data-invalid] .reason", "Not allowed: 21");
        press(page, "Put back 2");
        press(page, "Do not retry");
        page.wait_for_none(&at("/workers/0/plan/2/retry/after"));
        page.click(&at("/workers/0/plan/2/sends/0/lost"));
        page.wait_for_text(VERDICT, FENCED);
        press(page, "Duplicate the request");
        page.fill(&at("/workers/0/plan/2/sends/0/copies/0"), "3s");
        page.wait_until("two decisions about A's write", || page.texts(".count dd")[1] == "2");
        press(page, "Remove copy 1");
        page.wait_until("one decision about A's write", || page.texts(".count dd")[1] == "1");
    });
}

#[test]
fn guard_memory_authentication_and_the_source_of_tokens_are_chosen() {
    everywhere(|page| {
        press(page, "report");
        page.choose(&at("/resources/0/guard"), "no guard");
        page.wait_for_text(VERDICT, "Overwritten");
        page.choose(&at("/resources/0/guard"), "token >");
        page.wait_for_text(VERDICT, FENCED);
        page.choose(&at("/resources/0/remembers"), "in memory");
        press(page, "Add a restart");
        page.fill(&at("/resources/0/restarts/0"), "45s");
        page.wait_for_text(VERDICT, "Overwritten");
        press(page, "Remove restart 1");
        page.wait_for_text(VERDICT, FENCED);
        for flag in ["authenticates", "idempotent"] {
            page.click(&at(&format!("/resources/0/{flag}")));
        }
        press(page, "Document");
        press(page, "report-lock");
        page.choose(&at("/leases/0/tokens/from"), "random");
        page.wait_for(&at("/leases/0/tokens/seed"));
        page.choose(&at("/leases/0/tokens/from"), "a counter");
        page.fill(&at("/leases/0/tokens/next"), "7");
        page.wait_for_text(".story", "token 7");
        press(page, "Add a failover");
        page.fill(&at("/leases/0/failovers/0/next"), "7");
        page.wait_for_text(".story", "standby");
    });
}

#[test]
fn clocks_and_renewals_have_fields() {
    everywhere(|page| {
        press(page, "A");
        page.fill(&at("/workers/0/clock/offset"), "-2s");
        assert_eq!(page.value(&at("/workers/0/clock/offset")), "-2s");
        page.fill(&at("/workers/0/clock/drift_ppm"), "-600000");
        page.wait_for_text(".field[data-invalid] .reason", "Not allowed: -600000");
        page.fill(&at("/workers/0/clock/drift_ppm"), "1000");
        page.wait_for_none(".field[data-invalid]");
        page.fill(&at("/workers/0/renew_every"), "10s");
        press(page, "Delay or lose renewal 1");
        page.click(&at("/workers/0/renewal_sends/0/lost"));
        page.fill(&at("/workers/0/renew_every"), "");
        assert_eq!(page.value(&at("/workers/0/renew_every")), "");
    });
}

#[test]
fn the_source_is_read_as_a_file_would_be_and_its_errors_are_listed() {
    everywhere(|page| {
        page.click("#tab-source");
        let source = "#source-text";
        page.focus(source);
        page.keys("Control+a Delete");
        page.type_text("{ \"version\": 1, \"leases\": [{ \"id\": \"a\", \"ttl\": \"0s\" }], \"unknown\": 1 }");
        page.keys("Control+Enter");
        page.wait_for_text(".problems", "/leases/0/ttl");
        page.wait_for_text(".problems", "/unknown");
        assert_eq!(page.text(VERDICT), FENCED);
        page.click("#tab-why");
        page.click("#tab-source");
        assert!(page.value(source).contains("unknown"), "what was typed is kept");
        page.focus(source);
        page.keys("Control+a Delete");
        page.type_text("{ \"version\": 1, \"title\": \"Mine\" }");
        page.keys("Control+Enter");
        page.wait_for_text(".scenario", "Mine");
        page.focus("#panel");
        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
    });
}
