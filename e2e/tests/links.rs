//! The address: it opens what was shown, the browser's Back and Forward go between works, and broken links say so.

use fenceline_e2e::opening::{FENCED, PAUSE_END, VERDICT, everywhere, opened};
use fenceline_e2e::{Page, View};

const NOTICE: &str = ".notice[role=alert]";
const TITLE: &str = ".picker .scenario";

fn fragment(page: &Page) -> String {
    page.address().split_once('#').map_or_else(String::new, |(_, fragment)| fragment.to_owned())
}

#[test]
fn the_address_opens_what_was_made_as_it_was_looked_at() {
    everywhere(|page, pointer| {
        assert_eq!(fragment(page), "", "nothing is different yet");
        page.drag_with(pointer, PAUSE_END, -120, 0);
        page.wait_until("the address to hold the work", || fragment(page).contains("s=1"));
        page.keys("1");
        page.press_words("[role=tablist]", "Guards compared");
        page.wait_until("the address to name the panel", || fragment(page).contains("panel=guards"));
        let (verdict, value) = (page.text(VERDICT), page.attribute(PAUSE_END, "aria-valuenow"));
        let address = page.address();
        assert!(fragment(page).contains("handle=pause-end-0-0") && fragment(page).len() < 400, "{address}");

        let again = Page::open(View::DESKTOP, &format!("#{}", fragment(page)));
        again.wait_for_text(VERDICT, &verdict);
        assert_eq!(again.attribute(PAUSE_END, "aria-valuenow"), value);
        assert_eq!(again.text("[role=tab][aria-selected=true]"), "Guards compared");
        again.wait_for("#handle-pause-end-0-0[tabindex='0']");
        again.wait_for_none(NOTICE);
        // What was opened is where its undo ends.
        assert_eq!(again.attribute("button[aria-label=Undo]", "aria-disabled").as_deref(), Some("true"));
        again.assert_quiet_console();
    });
}

#[test]
fn an_untouched_preset_has_its_name_in_the_address_and_undo_brings_it_back() {
    let page = opened(View::DESKTOP);
    page.choose_preset("A restart that forgets");
    page.wait_until("the address to name the preset", || fragment(&page).starts_with("p=restart-forgets"));
    page.keys("1");
    page.wait_until("the address to hold the change", || fragment(&page).contains("of=restart-forgets"));
    page.keys("Control+z");
    page.wait_until("the address to name the preset again", || fragment(&page).starts_with("p=restart-forgets"));
    page.assert_quiet_console();
}

#[test]
fn back_and_forward_go_between_works() {
    let page = opened(View::DESKTOP);
    page.keys("1");
    page.wait_for_text(VERDICT, "Overwritten");
    page.wait_until("the address to hold the change", || fragment(&page).contains("s=1"));
    page.choose_preset("A restart that forgets");
    page.wait_until("the address to name the preset", || fragment(&page).starts_with("p=restart-forgets"));
    let title = page.text(TITLE);
    page.evaluate("history.back()", &[]);
    page.wait_until("the work before", || page.text(TITLE) != title);
    page.wait_for_text(VERDICT, "Overwritten");
    page.wait_until("its address", || fragment(&page).contains("s=1"));
    page.evaluate("history.forward()", &[]);
    page.wait_until("the preset", || page.text(TITLE) == title);
    page.assert_quiet_console();
}

#[test]
fn a_link_put_into_the_address_of_an_open_page_opens() {
    let page = opened(View::DESKTOP);
    page.evaluate("location.hash = 'p=delayed-message&at=20s&panel=margins'", &[]);
    page.wait_until("the preset", || !page.text(TITLE).contains("Paused worker"));
    assert_eq!(page.text("[role=tab][aria-selected=true]"), "Margins");
    page.wait_for_text(".transport", "20");
    // Undo brings back what was there.
    page.keys("Control+z");
    page.wait_for_text(TITLE, "Paused worker");
    page.assert_quiet_console();
}

#[test]
fn a_link_that_does_not_open_says_why_and_the_story_is_there() {
    let whole = {
        let page = opened(View::DESKTOP);
        page.keys("1");
        page.wait_until("the address to hold the change", || fragment(&page).contains("s=1"));
        fragment(&page)
    };
    let cut = &whole[..whole.len() - 20];
    for (link, words) in [
        (cut, "cut short or changed"),
        ("s=2p.AAAA", "newer Fenceline"),
        ("s=1q.AAAA", "no form"),
        ("p=no-such-preset", "did not open"),
        ("p=%3Cb%3E", "names no preset"),
        ("nonsense", "names no preset"),
        ("s={\"version\":1,\"leases\":[{\"id\":\"lock\",\"ttl\":\"0s\"}]}", "/leases/0/ttl"),
    ] {
        let page = Page::open(View::DESKTOP, &format!("#{link}"));
        page.wait_for_text(VERDICT, FENCED);
        page.wait_for_text(NOTICE, words);
        let as_given = "return decodeURIComponent(location.hash) === '#' + decodeURIComponent(arguments[0])";
        let stays = page.evaluate(as_given, &[link.into()]);
        assert_eq!(stays, true, "{link} stays until there is something else to say");
        page.press_words(NOTICE, "Dismiss");
        page.wait_for_none(NOTICE);
    }
}

#[test]
fn a_broken_link_in_an_open_page_changes_nothing() {
    let page = opened(View::DESKTOP);
    page.keys("1");
    page.wait_for_text(VERDICT, "Overwritten");
    page.evaluate("location.hash = 's=1z.' + 'A'.repeat(1500000)", &[]);
    page.wait_for_text(NOTICE, "At most");
    page.wait_for_text(VERDICT, "Overwritten");
    page.evaluate("location.hash = 'p=paused-worker&mood=blue'", &[]);
    page.wait_for_text(NOTICE, "mood");
    page.wait_for_text(VERDICT, FENCED);
    page.assert_accessible("a notice on a link");
    page.assert_quiet_console();
}

#[test]
fn back_leads_to_the_page_as_it_was_opened_too() {
    let page = opened(View::DESKTOP);
    page.choose_preset("A restart that forgets");
    page.wait_until("the address to name the preset", || fragment(&page).starts_with("p=restart-forgets"));
    page.evaluate("history.back()", &[]);
    page.wait_for_text(TITLE, "Paused worker");
    page.wait_for_text(VERDICT, FENCED);
    page.assert_quiet_console();
}

#[test]
fn a_value_that_is_half_typed_stays_out_of_a_work_that_is_opened_meanwhile() {
    let page = opened(View::DESKTOP);
    page.choose_preset("Ask for the owner in the same step");
    page.wait_until("the address to name it", || fragment(&page).starts_with("p=holder-check"));
    page.evaluate("location.hash = 'p=paused-worker'", &[]);
    page.wait_for_text(TITLE, "Paused worker");
    for select_all in [false, true] {
        // A number, by its handle's field; then the title, in the form of the document.
        if select_all {
            page.evaluate("location.hash = 'p=paused-worker&panel=edit'", &[]);
            page.wait_for("[data-pointer='/title']");
            page.focus("[data-pointer='/title']");
        } else {
            page.focus(PAUSE_END);
            page.keys("Enter");
            page.wait_for("[data-pointer='/workers/0/pauses/0/for']:focus");
        }
        page.keys("Control+a");
        page.type_text("12s");
        page.evaluate("history.back()", &[]);
        page.wait_until("the work before", || !page.text(TITLE).contains("Paused worker") || select_all);
        page.evaluate("return new Promise((done) => setTimeout(done, 800))", &[]);
        page.click("#verdict");
        assert!(!page.text(".picker").contains("changed"), "{}", page.text(".picker"));
        assert!(fragment(&page).starts_with("p="), "{}", fragment(&page));
        page.evaluate("location.hash = 'p=paused-worker'", &[]);
        page.wait_for_text(TITLE, "Paused worker");
        assert!(!page.text(".picker").contains("changed"), "{}", page.text(".picker"));
    }
    page.assert_quiet_console();
}

#[test]
fn the_playhead_is_where_it_was_even_beyond_the_axis() {
    let page = opened(View::DESKTOP);
    page.click("[aria-label='Previous event']");
    let said =
        |page: &Page| (page.attribute(".scrubber", "aria-valuenow"), page.attribute(".scrubber", "aria-valuetext"));
    let there = said(&page);
    page.wait_until("the address to tell of it", || fragment(&page).contains("at="));
    let again = Page::open(View::DESKTOP, &format!("#{}", fragment(&page)));
    again.wait_for_text(VERDICT, FENCED);
    assert_eq!(said(&again), there);
    again.wait_for_none(NOTICE);
}

#[test]
fn what_a_link_names_and_is_not_there_is_told() {
    for (pair, key) in [
        ("at=99999s", "at"),
        ("handle=arrival-99-99-99-99", "handle"),
        ("write=7-7-1-0", "write"),
        ("part=step-9-9", "part"),
    ] {
        let page = Page::open(View::DESKTOP, &format!("#p=paused-worker&{pair}"));
        page.wait_for_text(VERDICT, FENCED);
        page.wait_for_text(NOTICE, &format!("‘{key}’ is nothing that is here"));
        page.click("button[aria-label=Share]");
        let link = page.value(".share input[aria-label='The link']");
        assert!(!link.contains(key.get(..3).unwrap_or("at=")), "{link}");
    }
    let page = Page::open(View::DESKTOP, "#s=1p.AAAAAAAA#p=paused-worker");
    page.wait_for_text(NOTICE, "damaged");
}

#[test]
fn that_a_link_is_copied_is_not_said_of_another() {
    let page = opened(View::DESKTOP);
    page.choose_preset("A restart that forgets");
    page.wait_until("the address to name the preset", || fragment(&page).starts_with("p=restart-forgets"));
    page.click("button[aria-label=Share]");
    page.wait_for_text(".share .done", "The link is copied.");
    page.evaluate("history.back()", &[]);
    page.wait_for_text(TITLE, "Paused worker");
    page.wait_until("nothing to be said of it", || page.text(".share .done").is_empty());
}

/// Has what the page loads from now on take a while.
const SLOW: &str = "const load = window.fetch;
    window.fetch = (...asked) => new Promise((done) => setTimeout(() => done(load(...asked)), 1200))";

#[test]
fn what_the_browser_refused_to_keep_in_the_address_is_kept_at_the_next_change() {
    let page = opened(View::DESKTOP);
    page.keys("1");
    page.wait_until("the address to hold the change", || fragment(&page).contains("s=1"));
    let before = fragment(&page);
    page.evaluate(
        "window.refused = 0;
        for (const name of ['pushState', 'replaceState'])
            history[name] = () => { window.refused += 1; throw new DOMException('too often', 'SecurityError') }",
        &[],
    );
    page.choose_preset("A restart that forgets");
    page.wait_until("the browser to be asked", || page.evaluate("return window.refused > 0", &[]) == true);
    assert_eq!(fragment(&page), before);
    page.evaluate("delete history.pushState; delete history.replaceState", &[]);
    page.keys("1");
    page.wait_until("the address to name the preset", || fragment(&page).contains("of=restart-forgets"));
    // It is a step as it would have been.
    page.evaluate("history.back()", &[]);
    page.wait_for_text(TITLE, "Paused worker");
    page.wait_for_text(VERDICT, "Overwritten");
    page.assert_quiet_console();
}

#[test]
fn what_is_changed_while_a_link_that_does_not_open_is_on_its_way_is_in_the_address() {
    let page = opened(View::DESKTOP);
    page.evaluate(SLOW, &[]);
    page.evaluate("location.hash = 'p=no-such-preset'", &[]);
    page.keys("1");
    page.wait_for_text(VERDICT, "Overwritten");
    page.wait_for_text(NOTICE, "did not open");
    page.wait_for_text(VERDICT, "Overwritten");
    page.wait_until("the address to hold the change", || fragment(&page).contains("s=1"));
}

#[test]
fn a_link_that_comes_late_does_not_take_the_place_of_what_is_newer() {
    for late in ["location.hash = 'p=delayed-message'", PASTED] {
        let page = opened(View::DESKTOP);
        page.evaluate(SLOW, &[]);
        page.evaluate(late, &["#p=delayed-message".into()]);
        page.evaluate(PASTED, &["{ \"version\": 1, \"title\": \"Newer\" }".into()]);
        page.wait_for_text(TITLE, "Newer");
        page.evaluate("return new Promise((done) => setTimeout(done, 2000))", &[]);
        assert!(page.text(TITLE).contains("Newer"), "{late}");
        page.wait_until("the address to hold it", || fragment(&page).contains("s=1"));
        // Of two that come one after the other, the later one is there in the end.
        page.evaluate(late, &["#p=delayed-message".into()]);
        page.evaluate(PASTED, &["#p=restart-forgets".into()]);
        page.wait_for_text(TITLE, "A restart that forgets");
        page.evaluate("return new Promise((done) => setTimeout(done, 2000))", &[]);
        assert!(page.text(TITLE).contains("A restart that forgets"), "{late}");
        page.assert_quiet_console();
    }
}

/// A text that is pasted.
const PASTED: &str = "const carried = new DataTransfer(); carried.setData('text/plain', arguments[0]);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true }))";

#[test]
fn a_link_to_what_is_open_changes_nothing_and_one_that_opened_in_part_can_be_copied() {
    let page = opened(View::DESKTOP);
    page.evaluate(PASTED, &["https://example.org/#p=paused-worker".into()]);
    page.wait_until("the page to have read it", || page.text(VERDICT) == FENCED);
    assert_eq!(page.attribute("button[aria-label=Undo]", "aria-disabled").as_deref(), Some("true"));
    let can_read = page.allow_clipboard();
    for (give, link) in [
        ("location.hash = arguments[0]", "#p=paused-worker&mood=blue"),
        (PASTED, "https://example.org/#p=paused-worker&mood=red"),
    ] {
        page.evaluate(give, &[link.into()]);
        page.wait_for_text(NOTICE, if link.contains("red") { "was passed over" } else { "mood" });
        page.press_words(NOTICE, "Copy the link");
        page.wait_for_text(NOTICE, "Copied");
        if can_read {
            let copied = page.evaluate("return navigator.clipboard.readText()", &[]);
            assert!(copied.as_str().is_some_and(|copied| copied.ends_with(link)), "{copied} for {link}");
        }
        page.press_words(NOTICE, "Dismiss");
        page.wait_for_none(NOTICE);
    }
    page.evaluate("location.hash = 's=1z.AAAA'", &[]);
    page.wait_for_text(NOTICE, "damaged");
    page.press_words(NOTICE, "Copy the link");
    page.wait_for_text(NOTICE, "Copied");
    page.assert_quiet_console();
}

#[test]
fn fields_of_a_link_that_are_not_known_are_told_and_the_rest_opens() {
    let link = "#s={\"version\":1,\"title\":\"Tomorrow\",\"mood\":\"blue\"}";
    let page = Page::open(View::DESKTOP, link);
    page.wait_for_text(TITLE, "Tomorrow");
    page.wait_for_text(NOTICE, "/mood is not known here and was passed over");
    page.assert_quiet_console();
}

#[test]
fn a_scenario_that_no_link_can_hold_says_so_once_and_offers_no_link() {
    let page = opened(View::DESKTOP);
    page.keys("1");
    page.wait_until("the address to hold the change", || fragment(&page).contains("s=1"));
    // As many letters as a document may have, in no order: nothing makes it shorter.
    page.evaluate(
        "let seed = 1, about = '';
        while (about.length < 1040000) {
            seed = (seed * 48271) % 2147483647;
            const letter = String.fromCharCode(33 + (seed >> 8) % 94);
            if (letter !== '\"' && letter !== '\\\\') about += letter;
        }
        const carried = new DataTransfer();
        carried.setData('text/plain', JSON.stringify({ version: 1, title: 'Large', about }));
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true }))",
        &[],
    );
    page.wait_for_text(TITLE, "Large");
    page.wait_for_text(NOTICE, "too large for an address");
    assert_eq!(fragment(&page), "");
    page.press_words(NOTICE, "Dismiss");
    page.click("button[aria-label=Share]");
    for what in ["The link", "The embed code"] {
        let line = format!(".share input[aria-label='{what}']");
        assert!(page.value(&line).contains("too large for a link"), "{what}");
        assert!(page.attribute(&format!("{line} + button"), "disabled").is_some(), "{what}");
    }
    assert_eq!(page.text(".share .done"), "");
    page.press_words(".share", "Close");
    page.keys("Control+z");
    page.wait_until("the address to hold what is there again", || fragment(&page).contains("s=1"));
    page.wait_for_none(NOTICE);
}
