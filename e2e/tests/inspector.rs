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

/// Puts a document in place of what is open, by way of its source.
#[track_caller]
fn paste(page: &Page, document: &str) {
    page.click("#tab-source");
    page.focus("#source-text");
    page.keys("Control+a Delete");
    page.type_text(document);
    page.keys("Control+Enter");
    page.wait_for_none(".problems li");
    page.wait_until("nothing to be left to apply", || {
        page.attribute(".source .chip", "aria-disabled").as_deref() == Some("true")
    });
}

#[test]
fn an_empty_timeline_offers_two_ways_to_begin() {
    everywhere(|page| {
        assert_eq!(page.count(".empty"), 0);
        paste(page, "{ \"version\": 1 }");
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
    everywhere(|page| {
        press(page, "report-lock");
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
fn keys_that_edit_the_document_are_the_writers_while_somebody_types() {
    everywhere(|page| {
        press(page, "A");
        let name = at("/workers/0/id");
        page.focus(&name);
        page.keys("Home Delete");
        page.type_text("X");
        page.keys("Control+d");
        page.keys("Enter");
        page.wait_for_text(PART, "Worker X");
        assert_eq!(page.count("svg.drawing [data-part='worker-2']"), 0, "nothing was doubled");
        page.focus("#inspector-part");
        page.keys("Control+d");
        page.wait_for_text(PART, "Worker A");
        page.wait_for("svg.drawing [data-part='worker-2']");
        page.keys("Delete");
        page.wait_for_none("svg.drawing [data-part='worker-2']");
    });
}

#[test]
fn what_was_typed_in_vain_comes_back_with_what_it_was_about_and_shows_nowhere_else() {
    everywhere(|page| {
        press(page, "report-lock");
        let ttl = at("/leases/0/ttl");
        page.fill(&ttl, "soon");
        page.wait_for(".field[data-invalid]");

        // A change of that very number answers it; taking the change back asks again.
        page.focus("#handle-lease-end-0-1");
        page.keys("ArrowRight");
        page.wait_until("the new number to show", || page.value(&ttl) == "30.1s");
        page.wait_for_none(".field[data-invalid]");
        page.keys("Control+z");
        page.wait_until("the text to be back", || page.value(&ttl) == "soon");

        // A new step elsewhere leaves it alone.
        press(page, "Document");
        press(page, "A");
        press(page, "wait");
        page.wait_for_text(PART, "Step 4: wait until 10s");
        press(page, "Document");
        press(page, "report-lock");
        assert_eq!(page.value(&ttl), "soon");

        // With an error beside a field, undo and redo go on as ever.
        page.click("[aria-label='Undo']");
        page.click("[aria-label='Redo']");
        assert_eq!(page.value(&ttl), "soon");
        page.focus(&ttl);
        page.keys("Escape");
        page.wait_until("Escape to put the number back", || page.value(&ttl) == "30s");
    });
}

#[test]
fn buttons_beside_an_empty_delay_go_on_from_the_usual_one() {
    everywhere(|page| {
        page.click(".story [data-write='1']");
        page.wait_for_text(PART, "Step 3");
        let reply = at("/workers/0/plan/2/sends/0/reply_delay");
        page.wait_for(&reply);
        assert_eq!(page.value(&reply), "");
        assert_eq!(page.attribute(&reply, "placeholder").as_deref(), Some("0.2s, as usual"));
        page.click("[aria-label='More: Reply takes']");
        page.wait_until("one step above the usual", || page.value(&reply) == "0.3s");
        page.click("[aria-label='Less: Reply takes']");
        page.click("[aria-label='Less: Reply takes']");
        page.wait_until("one step below", || page.value(&reply) == "0.1s");
    });
}

#[test]
fn what_a_field_says_is_what_the_document_says() {
    everywhere(|page| {
        let fill = |pointer: &str, text: &str| page.fill(&at(pointer), text);
        fill("/title", "Mine");
        fill("/network/delay", "0.1s");
        press(page, "report-lock");
        fill("/leases/0/lock_delay", "2s");
        press(page, "Document");
        press(page, "report");
        fill("/resources/0/initial/token", "3");
        fill("/resources/0/initial/value", "blank");
        page.choose(&at("/resources/0/guard"), "check");
        press(page, "Document");
        press(page, "B");
        fill("/workers/1/starts", "21s");
        fill("/workers/1/renew_every", "9s");
        page.choose(&at("/workers/1/on_lease_lost"), "stops");
        press(page, "builds anew, 7s");
        fill("/workers/1/plan/1/label", "<b>thinks</b>");
        fill("/workers/1/plan/1/for", "6.5s");
        press(page, "check");
        page.choose(&at("/workers/1/plan/2/from"), "when it received");
        fill("/workers/1/plan/2/margin", "1.5s");
        press(page, "read");
        press(page, "establish");
        page.choose(&at("/workers/1/plan/4/lease"), "its grant of");
        fill("/workers/1/plan/4/peek_sends/0/delay", "0.4s");
        press(page, "Worker B");
        press(page, "write ‘new report’ to report");
        fill("/workers/1/plan/5/value", "newest");
        fill("/workers/1/plan/5/token", "77");
        fill("/workers/1/plan/5/key", "once");
        page.click(&at("/workers/1/plan/5/unguarded"));
        page.click(&at("/workers/1/plan/5/wait"));
        page.click(&at("/workers/1/plan/5/sends/0/reply_lost"));
        press(page, "release");
        page.wait_for_text(PART, "Step 7: release report-lock");

        page.click("#tab-source");
        // However it is laid out over lines.
        let source = page.value("#source-text").split_whitespace().collect::<Vec<_>>().join(" ");
        let read = |part: &str| assert!(source.contains(part), "{part} is not in {source}");
        for part in [
            r#""title": "Mine""#,
            r#""delay": "0.1s""#,
            r#""lock_delay": "2s""#,
            r#""token": 3, "value": "blank""#,
            r#""guard": "check-then-write""#,
            r#""starts": "21s""#,
            r#""renew_every": "9s""#,
            r#""on_lease_lost": "stop""#,
            r#""do": "work", "for": "6.5s", "label": "<b>thinks</b>""#,
            r#""do": "check", "lease": "report-lock", "from": "received", "margin": "1.5s""#,
            r#""do": "read", "resource": "report""#,
            r#""do": "establish", "resource": "report", "lease": "report-lock""#,
            r#""peek_sends": [{ "delay": "0.4s" }]"#,
            r#""value": "newest", "key": "once", "token": 77, "unguarded": true, "wait": false"#,
            r#""reply_lost": true"#,
            r#""do": "release", "lease": "report-lock""#,
        ] {
            read(part);
        }
    });
}

#[test]
fn what_the_source_says_is_wrong_is_kept_with_what_was_typed() {
    everywhere(|page| {
        page.click("#tab-source");
        page.focus("#source-text");
        page.keys("Control+a Delete");
        page.type_text("{ \"version\": 2 }");
        page.keys("Control+Enter");
        page.wait_for_text(".problems", "/version");
        page.click("#tab-why");
        page.click("#tab-source");
        page.wait_for_text(".problems", "/version");
        assert_eq!(page.attribute("#source-text", "aria-invalid").as_deref(), Some("true"));
        page.click(".source .chip:nth-of-type(2)");
        page.wait_for_none(".problems li");
        assert!(page.value("#source-text").contains("paused"), "the document that is shown");
    });
}

#[test]
fn every_part_fits_a_small_phone_and_nothing_is_too_small_to_press() {
    for (view, least) in [(View::DESKTOP, 24.0), (View { width: 360, ..View::PHONE }, 44.0)] {
        let page = Page::open(view, "");
        page.wait_for_text(VERDICT, FENCED);
        page.click("#tab-edit");
        let fits = |what: &str| {
            let script = "const root = document.documentElement; return root.scrollWidth - root.clientWidth";
            assert_eq!(page.evaluate(script, &[]), 0, "{what} sticks out of {} px", view.width);
            // A box to tick is pressed by its words too.
            let small = "return [...document.querySelectorAll('.inspector :is(button, select, input[type=text])')]
                .filter((e) => { const r = e.getBoundingClientRect(); return Math.min(r.width, r.height) < arguments[0] })
                .map((e) => e.ariaLabel ?? e.textContent)";
            let small = page.evaluate(small, &[least.into()]);
            assert!(small.as_array().is_some_and(Vec::is_empty), "{what}: too small to press: {small}");
        };
        fits("the document");
        press(&page, "report-lock");
        press(&page, "Add a failover");
        page.fill(&at("/leases/0/id"), "a-name-as-long-as-a-name-may-ever-be.123");
        fits("a lease");
        press(&page, "Document");
        press(&page, "report");
        press(&page, "Add a restart");
        fits("a resource");
        page.click(".story [data-part='step-0-2']");
        page.wait_for_text(PART, "Step 3");
        press(&page, "Retry when no reply comes");
        press(&page, "Duplicate the request");
        page.fill(&at("/workers/0/plan/2/value"), &"W".repeat(90));
        page.fill(&at("/workers/0/plan/2/sends/0/delay"), &"9".repeat(60));
        page.wait_for(".field[data-invalid]");
        fits("a write");
        press(&page, "Worker A");
        fits("a worker");
        press(&page, "at 5s for 45s");
        fits("a pause");
        page.click("#tab-source");
        fits("the source");
        page.assert_quiet_console();
    }
}
