//! This project's documentation as a reader has it: an mdBook whose figures are pictures, and come alive when they are asked to.

use fenceline_e2e::chapter::unguarded;
use fenceline_e2e::opening::{OVERWRITTEN, VERDICT};
use fenceline_e2e::{BOOK, Page, View};
use serde_json::json;

/// A chapter with four figures.
const CHAPTER: &str = "boundary.html";
const FIRST: &str = "#mdbook-content fence-line";
/// The frame of the first of them.
const FRAME: &str = "document.querySelector('#mdbook-content fence-line')?.shadowRoot?.querySelector('iframe')";

fn chapter(view: View) -> Page {
    let page = Page::open(view, &format!("{BOOK}{CHAPTER}"));
    page.wait_until("four pictures in elements", || {
        page.evaluate(
            "const all = [...document.querySelectorAll(arguments[0])];
             return all.length === 4 && all.every((of) => of.shadowRoot && of.querySelector('figure svg'))",
            &[FIRST.into()],
        ) == json!(true)
    });
    page
}

/// The colour of the first figure's paper, as its red part.
fn paper(page: &Page) -> u64 {
    let script = "return getComputedStyle(document.querySelector('.fenceline svg .fl-paper')).fill.match(/\\d+/)[0]";
    page.evaluate(script, &[]).as_str().and_then(|red| red.parse().ok()).expect("a colour")
}

/// Brings the first figure to life, and looks from inside it.
fn enter(page: &Page) {
    page.evaluate("document.querySelector(arguments[0]).open()", &[FIRST.into()]);
    let live = "return document.querySelector(arguments[0]).live";
    page.wait_until("a living figure", || page.evaluate(live, &[FIRST.into()]) == json!(true));
    page.enter(FRAME);
}

#[test]
fn a_figure_of_the_book_comes_alive_and_shows_what_its_picture_said() {
    let page = chapter(View::DESKTOP);
    let wasm = "return performance.getEntriesByType('resource').filter((of) => /wasm/.test(of.name)).length";
    assert_eq!(page.evaluate(wasm, &[]), json!(0), "a picture costs nothing");
    let said = page.text(".fenceline-verdict");
    assert!(said.starts_with("Stale but accepted: "), "{said}");
    enter(&page);
    page.wait_for_text(VERDICT, said.trim_end_matches('.'));
    page.leave();
    page.assert_quiet_console();
}

#[test]
fn figures_follow_the_theme_that_the_reader_of_the_book_chooses() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.documentElement.className = 'js light'", &[]);
    assert!(paper(&page) > 200);
    enter(&page);
    page.wait_for("html[data-theme=light]");
    page.leave();
    page.evaluate("document.documentElement.className = 'js coal'", &[]);
    assert!(paper(&page) < 60);
    page.enter(FRAME);
    page.wait_for("html[data-theme=dark]");
    page.leave();
    page.assert_quiet_console();
}

#[test]
fn without_scripts_the_pictures_and_their_links_are_there() {
    let page = chapter(View::PHONE);
    if page.without_scripts(&format!("{BOOK}{CHAPTER}?quiet")) {
        assert!(page.area(".fenceline svg").height > 60.0);
        assert_eq!(page.attribute(".fenceline-open", "href").as_deref(), Some("./play/index.html#p=old-token-first"));
        page.click(".fenceline-open");
        page.wait_for_text("noscript", "JavaScript");
    }
}

#[test]
fn a_dark_book_is_printed_with_light_pictures() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.documentElement.className = 'js coal'", &[]);
    enter(&page);
    page.wait_for(VERDICT);
    page.leave();
    // What the reader is looking at is not what the picture says, so that the two can be told apart on paper.
    page.evaluate("document.querySelector(arguments[0]).set(arguments[1])", &[FIRST.into(), unguarded()]);
    page.enter(FRAME);
    page.wait_for_text(VERDICT, OVERWRITTEN);
    page.leave();
    if let Some(paper) = page.printed() {
        assert_eq!(paper.count("paused 34.0 s"), 4, "the pictures, that of the living figure too: {paper:?}");
        assert_eq!(paper.count(OVERWRITTEN), 0, "the living figure is not printed: {paper:?}");
        assert_eq!(paper.count("Try it"), 0, "no buttons: {paper:?}");
    }
    if page.as_printed() {
        assert!(page.area(".fenceline svg").height > 100.0, "the picture is there again");
        assert!(paper(&page) > 200);
    }
    page.assert_quiet_console();
}
