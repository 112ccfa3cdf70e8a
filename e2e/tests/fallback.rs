//! What is left of a figure where it cannot live: without scripts, without the built page, and on paper.

use fenceline_e2e::chapter::{chapter, height_of, press, told, unguarded};
use fenceline_e2e::opening::{FENCED, OVERWRITTEN};
use fenceline_e2e::{Page, View, WITHOUT_WASM};
use serde_json::json;

#[test]
fn the_picture_stays_when_the_figure_does_not_come() {
    let page = chapter(View::DESKTOP);
    page.evaluate(
        "document.querySelector('#one').setAttribute('page', arguments[0])",
        &[format!("../{WITHOUT_WASM}").into()],
    );
    press(&page, "one");
    let error = told(&page, "one", "error");
    assert_eq!(error["code"], "failed");
    assert!(error["message"].as_str().is_some_and(|words| words.contains("did not load")), "{error}");
    assert!(page.area("#one img").height > 100.0);
    page.evaluate("document.querySelector('#two').setAttribute('src', 'nothing.json')", &[]);
    press(&page, "two");
    assert_eq!(told(&page, "two", "error")["code"], "source");
    assert!(page.area("#two img").height > 100.0);
}

#[test]
fn without_scripts_the_picture_and_the_link_are_there() {
    let page = Page::open(View::DESKTOP, "hosts/two.html");
    if page.without_scripts("hosts/two.html?quiet") {
        assert!(page.area("#one img").height > 100.0);
        assert!(page.area("#one a").height > 10.0);
        assert_eq!(page.evaluate("return Boolean(document.querySelector('#one').shadowRoot)", &[]), json!(false));
    }
}

#[test]
fn a_living_figure_is_printed_as_its_picture() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.querySelector('#one').open(); inside.open()", &[]);
    told(&page, "one", "verdict");
    page.wait_until("the other", || page.evaluate("return inside.live", &[]) == json!(true));
    assert!(page.area("#one img").height < 1.0);
    // What the reader is looking at is not what the picture says, so that the two can be told apart on paper.
    page.evaluate("document.querySelector('#one').set(arguments[0])", &[unguarded()]);
    page.wait_until("another verdict", || told(&page, "one", "verdict")["sentence"] == OVERWRITTEN);
    if let Some(paper) = page.printed() {
        let pictures = page.count("fence-line img");
        assert_eq!(paper.count(FENCED), pictures, "each picture, that of the living figure too: {paper:?}");
        assert_eq!(paper.count(OVERWRITTEN), 0, "the living figure is not printed: {paper:?}");
        assert_eq!(paper.count("Try it"), 0, "no buttons: {paper:?}");
        // There is no other picture of it.
        assert_eq!(paper.count("No worker writes anything"), 1, "a figure without a picture: {paper:?}");
    }
    if page.as_printed() {
        assert!(page.area("#one img").height > 100.0);
        assert!(height_of(&page, "one") < 1.0);
        let height =
            page.evaluate("return inside.shadowRoot.querySelector('iframe').getBoundingClientRect().height", &[]);
        assert!(height.as_f64().is_some_and(|height| height > 100.0), "{height}");
    }
    page.assert_quiet_console();
}
