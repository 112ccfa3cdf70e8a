//! What a person reads when the page cannot start, or has stopped. See web/boot.js.

use fenceline_e2e::{Page, View, WITHOUT_WASM};

#[test]
fn a_page_that_cannot_be_loaded_says_so() {
    let page = Page::open(View::DESKTOP, WITHOUT_WASM);
    page.wait_for_text("#boot-message", "Fenceline did not load");
    page.wait_for_text("#boot-message button", "Reload");
}

#[test]
fn a_page_that_has_panicked_says_so_and_can_be_reloaded() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_until("the page to have text", || page.texts("body").iter().any(|text| !text.is_empty()));
    page.evaluate("document.documentElement.setAttribute('data-failed', '')", &[]);
    page.wait_for_text("#boot-message", "Something broke");
    page.click("#boot-message button");
    page.wait_for_none("#boot-message");
}

#[test]
fn a_page_whose_files_cannot_be_read_says_what_its_server_has_to_send() {
    let page = Page::open(View::DESKTOP, "");
    if !page.cut_off(&["*.css", "*.js", "*.wasm"]) {
        return;
    }
    page.visit("?embed=1");
    page.wait_for_text("#unread", "Access-Control-Allow-Origin");
    assert!(page.area("#unread").height > 5.0, "it is seen");
    page.cut_off(&[]);
    page.visit("");
    page.wait_for_none("#unread");
}
