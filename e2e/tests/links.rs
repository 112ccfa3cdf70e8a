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
        assert!(fragment(&page).starts_with(&link[..2]), "it stays until there is something else to say");
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
