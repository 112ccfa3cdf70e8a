//! The page loads: the first thing to look at when everything else fails too.

use fenceline_e2e::{Page, View};

#[test]
fn the_page_shows_something_and_the_console_is_quiet() {
    let page = Page::open(View::DESKTOP, "");
    page.wait_until("the page to have text", || page.texts("main, body").iter().any(|text| !text.is_empty()));
    page.assert_quiet_console();
}

#[test]
fn the_page_fits_a_phone_in_the_dark() {
    let page = Page::open(View::PHONE.dark(), "");
    page.wait_for("body");
    let seen =
        page.evaluate("return [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]", &[]);
    assert_eq!(seen, serde_json::json!([390, 844, true]));
}
