//! What is left of a figure where it cannot live: without scripts, without the built page, and on paper.

use fenceline_e2e::chapter::{chapter, height_of, press, told};
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
    if let Some(pdf) = page.print() {
        assert!(pdf.starts_with("JVBERi0"), "a PDF begins with %PDF-");
    }
    if page.as_printed() {
        assert!(page.area("#one img").height > 100.0);
        assert!(height_of(&page, "one") < 1.0);
        // There is no other picture of it.
        let height =
            page.evaluate("return inside.shadowRoot.querySelector('iframe').getBoundingClientRect().height", &[]);
        assert!(height.as_f64().is_some_and(|height| height > 100.0), "{height}");
    }
    page.assert_quiet_console();
}
