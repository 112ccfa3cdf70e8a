//! Editing by fields: every number without a drag, and what cannot stand.

use fenceline_e2e::inspecting::{PART, at, inspected};
use fenceline_e2e::opening::{FENCED, HARMLESS, VERDICT};
use fenceline_e2e::{Page, View};

#[test]
fn a_number_can_be_typed_stepped_and_undone() {
    inspected(|page| {
        page.press_words(".inspector", "A");
        page.press_words(".inspector", "at 5s for 45s");
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
    inspected(|page| {
        page.press_words(".inspector", "report-lock");
        let ttl = at("/leases/0/ttl");
        page.fill(&ttl, "soon");
        page.wait_for_text(".field[data-invalid] .reason", "Not allowed: \"soon\"");
        page.wait_for_text(".field[data-invalid] .reason", "Allowed: a duration above");
        assert_eq!(page.value(&ttl), "soon");
        assert_eq!(page.attribute(&ttl, "aria-invalid").as_deref(), Some("true"));
        assert_eq!(page.text(VERDICT), FENCED, "the last document that can be run stays");

        // It is still there after a look elsewhere.
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "report-lock");
        assert_eq!(page.value(&ttl), "soon");
        page.click("#tab-why");
        page.click("#tab-edit");
        assert_eq!(page.value(&ttl), "soon");

        page.press_words(".inspector", "Put back 30s");
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
    inspected(|page| {
        page.click(".story [data-part='step-0-2']");
        page.wait_for_text(PART, "Step 3: write ‘stale report’ to report");
        assert!(page.count("svg.drawing .picked[data-part='step-0-2']") > 0);
        page.focus("#handle-pause-end-0-0");
        page.wait_for_text(PART, "Pause");
        assert!(page.count(".story [data-picked][data-part='pause-0-0']") > 0);
        assert_eq!(page.count(".story [data-picked][data-part='step-0-2']"), 0);
        page.press_words(".inspector", "Worker A");
        page.wait_for_text(PART, "Worker A");
        assert!(page.count("svg.drawing .picked[data-part='worker-0']") > 0);
    });
}

#[test]
fn enter_on_a_handle_opens_the_field_of_its_number() {
    inspected(|page| {
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
fn guard_memory_authentication_and_the_source_of_tokens_are_chosen() {
    inspected(|page| {
        page.press_words(".inspector", "report");
        page.choose(&at("/resources/0/guard"), "no guard");
        page.wait_for_text(VERDICT, "Overwritten");
        page.choose(&at("/resources/0/guard"), "token >");
        page.wait_for_text(VERDICT, FENCED);
        page.choose(&at("/resources/0/remembers"), "in memory");
        page.press_words(".inspector", "Add a restart");
        page.fill(&at("/resources/0/restarts/0"), "45s");
        page.wait_for_text(VERDICT, "Overwritten");
        page.press_words(".inspector", "Remove restart 1");
        page.wait_for_text(VERDICT, FENCED);
        for flag in ["authenticates", "idempotent"] {
            page.click(&at(&format!("/resources/0/{flag}")));
        }
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "report-lock");
        page.choose(&at("/leases/0/tokens/from"), "random");
        page.wait_for(&at("/leases/0/tokens/seed"));
        page.choose(&at("/leases/0/tokens/from"), "a counter");
        page.fill(&at("/leases/0/tokens/next"), "7");
        page.wait_for_text(".story", "token 7");
        page.press_words(".inspector", "Add a failover");
        page.fill(&at("/leases/0/failovers/0/next"), "7");
        page.wait_for_text(".story", "standby");
    });
}

#[test]
fn clocks_and_renewals_have_fields() {
    inspected(|page| {
        page.press_words(".inspector", "A");
        page.fill(&at("/workers/0/clock/offset"), "-2s");
        assert_eq!(page.value(&at("/workers/0/clock/offset")), "-2s");
        page.fill(&at("/workers/0/clock/drift_ppm"), "-600000");
        page.wait_for_text(".field[data-invalid] .reason", "Not allowed: -600000");
        page.fill(&at("/workers/0/clock/drift_ppm"), "1000");
        page.wait_for_none(".field[data-invalid]");
        page.fill(&at("/workers/0/renew_every"), "10s");
        page.press_words(".inspector", "Delay or lose renewal 1");
        page.click(&at("/workers/0/renewal_sends/0/lost"));
        page.fill(&at("/workers/0/renew_every"), "");
        assert_eq!(page.value(&at("/workers/0/renew_every")), "");
    });
}

#[test]
fn keys_that_edit_the_document_are_the_writers_while_somebody_types() {
    inspected(|page| {
        page.press_words(".inspector", "A");
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
    inspected(|page| {
        page.press_words(".inspector", "report-lock");
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
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "A");
        page.press_words(".inspector", "wait");
        page.wait_for_text(PART, "Step 4: wait until 10s");
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "report-lock");
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
    inspected(|page| {
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
    inspected(|page| {
        let fill = |pointer: &str, text: &str| page.fill(&at(pointer), text);
        fill("/title", "Mine");
        fill("/network/delay", "0.1s");
        page.press_words(".inspector", "report-lock");
        fill("/leases/0/lock_delay", "2s");
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "report");
        fill("/resources/0/initial/token", "3");
        fill("/resources/0/initial/value", "blank");
        page.choose(&at("/resources/0/guard"), "check");
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "B");
        fill("/workers/1/starts", "21s");
        fill("/workers/1/renew_every", "9s");
        page.choose(&at("/workers/1/on_lease_lost"), "stops");
        page.press_words(".inspector", "builds anew, 7s");
        fill("/workers/1/plan/1/label", "<b>thinks</b>");
        fill("/workers/1/plan/1/for", "6.5s");
        page.press_words(".inspector", "check");
        page.choose(&at("/workers/1/plan/2/from"), "when it received");
        fill("/workers/1/plan/2/margin", "1.5s");
        page.press_words(".inspector", "read");
        page.press_words(".inspector", "establish");
        page.choose(&at("/workers/1/plan/4/lease"), "its grant of");
        fill("/workers/1/plan/4/peek_sends/0/delay", "0.4s");
        page.press_words(".inspector", "Worker B");
        page.press_words(".inspector", "write ‘new report’ to report");
        fill("/workers/1/plan/5/value", "newest");
        fill("/workers/1/plan/5/token", "77");
        fill("/workers/1/plan/5/key", "once");
        page.click(&at("/workers/1/plan/5/unguarded"));
        page.click(&at("/workers/1/plan/5/wait"));
        page.click(&at("/workers/1/plan/5/sends/0/reply_lost"));
        page.press_words(".inspector", "release");
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
        page.press_words(".inspector", "report-lock");
        page.press_words(".inspector", "Add a failover");
        page.fill(&at("/leases/0/id"), "a-name-as-long-as-a-name-may-ever-be.123");
        fits("a lease");
        page.press_words(".inspector", "Document");
        page.press_words(".inspector", "report");
        page.press_words(".inspector", "Add a restart");
        fits("a resource");
        page.click(".story [data-part='step-0-2']");
        page.wait_for_text(PART, "Step 3");
        page.press_words(".inspector", "Retry when no reply comes");
        page.press_words(".inspector", "Duplicate the request");
        page.fill(&at("/workers/0/plan/2/value"), &"W".repeat(90));
        page.fill(&at("/workers/0/plan/2/sends/0/delay"), &"9".repeat(60));
        page.wait_for(".field[data-invalid]");
        fits("a write");
        page.press_words(".inspector", "Worker A");
        fits("a worker");
        page.press_words(".inspector", "at 5s for 45s");
        fits("a pause");
        page.click("#tab-source");
        fits("the source");
        page.assert_quiet_console();
    }
}
