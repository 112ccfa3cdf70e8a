//! Why a write was judged as it was: statement, chain, properties, the guards compared, and what is read aloud; by mouse, finger
//! and keys.

use fenceline_e2e::opening::{FENCED, HARMLESS, OVERWRITTEN, PAUSE_END, PLAYHEAD, VERDICT, everywhere};
use fenceline_e2e::{Page, Pointer, View};

#[track_caller]
fn press(page: &Page, pointer: Pointer, css: &str) {
    if pointer == Pointer::Touch { page.tap(css) } else { page.click(css) }
}

#[track_caller]
fn choose_guard(page: &Page, guard: &str) {
    page.click(&format!(".segment[data-guard='{guard}']"));
}

#[test]
fn the_statement_that_the_destination_ran_is_shown_with_its_values_and_rows() {
    everywhere(|page, _| {
        assert_eq!(
            page.text(".statement pre"),
            "UPDATE report\n   SET token = 41, body = 'stale report'\n WHERE id = 1\n   AND token < 41\n\
             -- stored token is 42, and 42 < 41 is false"
        );
        assert_eq!(page.text(".statement .ran"), "rows changed: 0");

        choose_guard(page, "none");
        page.wait_for_text(".statement .ran", "rows changed: 1");
        assert_eq!(
            page.text(".statement pre"),
            "UPDATE report\n   SET body = 'stale report'\n WHERE id = 1\n-- no condition: the last writer wins"
        );

        choose_guard(page, "check-then-write");
        page.wait_for_text(".statement .ran", "no statement was run");
        assert_eq!(
            page.text(".statement pre"),
            "SELECT token FROM report WHERE id = 1; -- 42, at 50.6 s\n-- it saw 42, and 41 > 42 is false"
        );

        choose_guard(page, "holder");
        page.wait_for_text(".statement pre", "AND grant_no = 1 AND ends_at > now())");
        page.wait_for_text(".statement pre", "-- at 51.4 s the lease is held by B, grant 2");
        assert_eq!(page.text(".statement .ran"), "rows changed: 0");
    });
}

#[test]
fn the_three_instants_stand_side_by_side() {
    everywhere(|page, _| {
        assert_eq!(
            page.texts(".instant dt"),
            ["Its lease ended", "Superseded", "Newer one known here"],
            "ended, superseded and known are never one"
        );
        // The lease is granted at 0.2 s for 30 s; B waits for it, so it is granted again at once; B's write arrives at 38.4 s.
        assert_eq!(page.texts(".instant dd"), ["30.2 s", "30.2 s", "38.4 s"]);
    });
}

#[test]
fn writes_are_stepped_through_and_the_button_keeps_the_focus() {
    everywhere(|page, pointer| {
        assert_eq!(page.text(".steps span"), "write 2 of 2");
        press(page, pointer, ".steps [aria-label='Previous write']");
        page.wait_for_text(".why-of", "B writes ‘new report’");
        assert_eq!(page.text(".steps span"), "write 1 of 2");
        page.wait_for_text(".story [aria-current]", "B’s ‘new report’ is accepted");
        page.focus(".steps [aria-label='Next write']");
        page.keys("Enter");
        page.wait_for_text(".why-of", "A writes ‘stale report’");
        page.keys("Enter");
        page.wait_for_text(".why-of", "B writes ‘new report’");
    });
}

#[test]
fn a_link_of_the_chain_selects_its_part_and_puts_the_playhead_there() {
    everywhere(|page, pointer| {
        let link = |words: &str| {
            let find = "const all = [...document.querySelectorAll('.chain button')];
                all.forEach((link) => link.removeAttribute('data-wanted'));
                all.find((link) => link.innerText.includes(arguments[0])).setAttribute('data-wanted', '')";
            page.evaluate(find, &[words.into()]);
            "[data-wanted]"
        };
        press(page, pointer, link("A is paused"));
        page.wait_for_text(".story [data-picked]", "A is paused for 45.0 s");
        let said = page.attribute(PLAYHEAD, "aria-valuetext").unwrap_or_default();
        assert!(said.starts_with("5.0 seconds"), "{said}");
        page.wait_for_text(".why-of", "A writes ‘stale report’");

        page.focus(link("B’s ‘new report’ (42) is accepted"));
        page.keys("Enter");
        page.wait_for_text(".why-of", "B writes ‘new report’");
        let said = page.attribute(PLAYHEAD, "aria-valuetext").unwrap_or_default();
        assert!(said.starts_with("38.4 seconds"), "{said}");
    });
}

#[test]
fn each_property_says_whether_it_holds_and_leads_to_the_first_write_that_breaks_it() {
    everywhere(|page, pointer| {
        assert_eq!(page.texts(".properties .holds"), ["holds"; 5]);
        assert_eq!(page.count(".properties button"), 0);

        choose_guard(page, "none");
        page.wait_for_text(VERDICT, OVERWRITTEN);
        assert_eq!(page.texts(".properties .holds"), ["broken", "broken", "holds", "holds", "holds"]);
        press(page, pointer, ".steps [aria-label='Previous write']");
        page.wait_for_text(".why-of", "B writes ‘new report’");
        let witness = "[data-property='no-overwrite'] button";
        assert_eq!(page.text(witness), "First broken when A writes ‘stale report’");
        press(page, pointer, witness);
        page.wait_for_text(".why-of", "A writes ‘stale report’");
    });
}

#[test]
fn without_a_write_it_says_that_nothing_arrived() {
    everywhere(|page, _| {
        page.open_document(
            r#"{ "version": 1, "resources": [{ "id": "report" }], "workers": [{ "id": "A", "plan": [
                { "do": "work", "for": "5s" },
                { "do": "write", "resource": "report", "value": "v", "token": 1, "sends": [{ "lost": true }] }
            ] }] }"#,
        );
        page.wait_for_text(VERDICT, "Nothing reached the report in 5.0 s");
        page.click("#tab-why");
        page.wait_for_text(".why", "Nothing reached the report in 5.0 s.");
        page.wait_for_text(".why", "Once a write arrives, this says why it was accepted or rejected.");
        assert_eq!(page.count(".steps"), 0);
    });
}

#[test]
fn all_guards_are_compared_write_by_write_and_one_is_chosen() {
    everywhere(|page, pointer| {
        page.click("#tab-guards");
        page.wait_for(".compared tbody tr");
        assert_eq!(page.count(".compared tbody tr"), 7);
        let heads = page.texts(".compared thead tr:last-child th");
        assert_eq!(heads[..3], ["Guard", "B writes ‘new report’", "A writes ‘stale report’"]);
        assert_eq!(heads.len(), 8, "the five properties too: {heads:?}");
        let of = |guard: &str| page.texts(&format!(".compared tr[data-guard='{guard}'] td"));
        let holds = "holds";
        assert_eq!(of("none"), ["accepted", "overwrites newer", "broken", "broken", holds, holds, holds]);
        assert_eq!(of("check-then-write"), ["accepted", "gives up", holds, holds, holds, holds, holds]);
        for guard in ["newer", "newer-or-equal", "same", "token-seq", "holder"] {
            assert_eq!(of(guard), ["accepted", "rejected", holds, holds, holds, holds, holds], "{guard}");
        }

        let late = ".compared tr[data-guard='newer'] td:nth-of-type(2)";
        assert_eq!(page.attribute(&format!("{late} button"), "aria-expanded").as_deref(), Some("false"));
        press(page, pointer, &format!("{late} button"));
        page.wait_for_text(late, "41 > 42 is false, so the write is rejected. Lease 41 ended at 30.2 s");

        press(page, pointer, ".compared tr[data-guard='none'] label");
        page.wait_for_text(VERDICT, OVERWRITTEN);
        assert!(page.count(".segment[data-guard='none'] input:checked") == 1);
        page.keys("ArrowDown ArrowDown");
        page.wait_for_text(VERDICT, FENCED);
        assert!(page.count(".compared tr[data-guard='newer'] input:checked") == 1);
        page.keys("Control+z Control+z Control+z");
        page.wait_for_text(VERDICT, FENCED);
    });
}

#[test]
fn the_comparison_scrolls_sideways_under_its_first_column_and_the_page_does_not() {
    let page = Page::open(View { width: 360, height: 740, ..View::PHONE }, "");
    page.click("#tab-guards");
    page.wait_for(".compared tbody tr");
    let lefts = "const frame = document.querySelector('.compared .scroll'); frame.scrollLeft = 300;
        const left = (css) => Math.round(document.querySelector(css).getBoundingClientRect().left);
        return [frame.scrollLeft, left('.compared tbody th') - left('.compared .scroll'),
            document.scrollingElement.scrollWidth <= innerWidth]";
    assert_eq!(page.evaluate(lefts, &[]), serde_json::json!([300, 0, true]));
}

#[test]
fn the_chosen_guard_is_told_in_a_sentence() {
    everywhere(|page, _| {
        page.wait_for_text(".guard-says", "Only a token above the remembered one gets through");
        page.focus(PAUSE_END);
        page.keys("7");
        page.wait_for_text(".guard-says", "only the live holder gets through");
    });
}

#[test]
fn a_verdict_is_read_aloud_once_a_drop_and_keys_leave_it_to_the_handle() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_for_text(VERDICT, FENCED);
    let said = || page.texts("[role=status].vh").join("");
    let settled = || std::thread::sleep(std::time::Duration::from_millis(900));
    page.focus(PAUSE_END);
    page.keys("PageDown PageDown PageDown PageDown PageDown");
    page.wait_for_text(VERDICT, HARMLESS);
    assert_eq!(page.attribute(PAUSE_END, "aria-valuetext").as_deref(), Some("20.0 seconds, accepted"));
    settled();
    assert_eq!(said(), "", "the handle said it");

    page.drag_start(Pointer::Mouse, PAUSE_END);
    page.drag_move(700, 0);
    page.wait_for_text(VERDICT, FENCED);
    settled();
    assert_eq!(said(), "", "nothing is said before the drop");
    page.drag_end();
    page.wait_for_text("[role=status].vh", FENCED);
}

#[test]
fn a_long_run_is_told_in_part_until_all_of_it_is_asked_for_and_does_not_move_the_page() {
    let steps: Vec<String> = (0..120)
        .map(|n| format!(r#"{{ "do": "write", "resource": "report", "value": "v{n}", "token": 1, "wait": false, "sends": [{{ "delay": "1s" }}] }}, {{ "do": "work", "for": "1s" }}"#))
        .collect();
    let document = format!(
        r#"{{ "version": 1, "resources": [{{ "id": "report", "guard": "none" }}], "workers": [{{ "id": "A", "plan": [{}] }}] }}"#,
        steps.join(", ")
    );
    let page = Page::open(View::DESKTOP, "");
    page.wait_for_text(VERDICT, FENCED);
    page.open_document(&document);
    page.wait_until("the list to be cut", || page.count(".story .row") == 200);
    page.click(".story-rest button");
    page.wait_until("all of it to be listed", || page.count(".story .row") > 200);
    assert_eq!(page.count(".story-rest"), 0);

    page.click("#tab-why");
    page.wait_for(".steps");
    page.evaluate("document.querySelector('.panels').scrollIntoView()", &[]);
    let before = page.evaluate("return scrollY", &[]);
    press(&page, Pointer::Mouse, ".steps [aria-label='Previous write']");
    page.wait_until("the current row to be seen in its own frame", || {
        let seen = "const row = document.querySelector('.story [aria-current]');
            if (!row) return false;
            const [a, b] = [row, document.querySelector('.story')].map((of) => of.getBoundingClientRect());
            return a.top >= b.top - 1 && a.bottom <= b.bottom + 1";
        page.evaluate(seen, &[]) == serde_json::json!(true)
    });
    assert_eq!(page.evaluate("return scrollY", &[]), before, "the page stays where it is");
    page.assert_quiet_console();
}
