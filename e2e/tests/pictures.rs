//! What the share dialog hands out is what it says: pictures by their dots, the clipboard by what is on it.

use fenceline_e2e::opening::opened;
use fenceline_e2e::{Page, View};
use serde_json::json;

const DONE: &str = ".share .done";
const FAILED: &str = ".share .done.failed";
const COPY_LINK: &str = ".share input[aria-label='The link'] + button";

/// Keeps what the page hands out as a file: names and blobs.
const WATCH_FILES: &str = "window.names = []; window.blobs = [];
    const made = new Map(), create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => { const address = create(blob); made.set(address, blob); return address; };
    HTMLAnchorElement.prototype.click = function () {
        if (made.has(this.href)) { window.names.push(this.download); window.blobs.push(made.get(this.href)); }
    };";

/// The width of a picture in dots, and how light its first dot is, of 255.
const LOOK: &str = "return createImageBitmap(BLOB).then((picture) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [picture.width, picture.height];
        const pen = canvas.getContext('2d');
        pen.drawImage(picture, 0, 0);
        const [red, green, blue] = pen.getImageData(picture.width / 2, 3, 1, 1).data;
        return [picture.width, picture.height, (red + green + blue) / 3];
    })";

fn look(page: &Page, blob: &str) -> [f64; 3] {
    let seen = page.evaluate(&LOOK.replace("BLOB", blob), &[]);
    serde_json::from_value(seen).expect("width, height, light")
}

fn shared() -> Page {
    let page = opened(View::DESKTOP);
    page.evaluate(WATCH_FILES, &[]);
    page.click("button[aria-label=Share]");
    page.wait_for_text(DONE, "The link is copied.");
    page
}

fn files(page: &Page) -> usize {
    page.evaluate("return window.blobs.length", &[]).as_u64().unwrap_or_default() as usize
}

#[test]
fn a_picture_in_dots_has_as_many_as_it_says_and_the_colours_that_were_chosen() {
    let page = shared();
    let mut once = [0.0; 2];
    for (index, theme) in ["light", "dark"].into_iter().enumerate() {
        page.choose(".share label select", theme);
        for scale in 1..=3_usize {
            let count = files(&page);
            page.press_words(".offers", &format!("PNG {scale}×"));
            page.wait_until("the picture", || files(&page) == count + 1);
            let [width, height, light] = look(&page, &format!("window.blobs[{count}]"));
            if scale == 1 {
                once = [width, height];
            }
            assert!(width > 300.0 && height > 100.0, "{width} by {height}");
            // Whole numbers of dots.
            let dots = |sides: [f64; 2]| sides.map(|side| side.round() as usize);
            assert_eq!(dots([width, height]), dots(once).map(|side| side * scale), "{theme} at {scale}×");
            assert!(if index == 0 { light > 200.0 } else { light < 60.0 }, "{theme}: {light}");
        }
    }
    page.assert_quiet_console();
}

#[test]
fn what_is_copied_is_on_the_clipboard() {
    let page = opened(View::DESKTOP);
    if !page.allow_clipboard() {
        return;
    }
    page.keys("1");
    page.click("button[aria-label=Share]");
    page.wait_for_text(DONE, "The link is copied.");
    let on_it = || page.evaluate("return navigator.clipboard.readText()", &[]);
    let line = |what: &str| page.value(&format!(".share input[aria-label='{what}']"));
    assert_eq!(on_it(), json!(line("The link")));
    page.press_words(".offers", "Copy embed code");
    page.wait_for_text(DONE, "The embed code is copied.");
    assert_eq!(on_it(), json!(line("The embed code")));
    page.wait_for_text(".offers pre", "A");
    page.press_words(".offers", "Copy text");
    page.wait_for_text(DONE, "The text is copied.");
    let shown = page.evaluate("return document.querySelector('.offers pre').textContent", &[]);
    assert_eq!(on_it(), shown);
    page.press_words(".offers", "Copy picture");
    page.wait_for_text(DONE, "The picture is copied.");
    let [width, height, _] = {
        page.evaluate(
            "return navigator.clipboard.read().then(([item]) => item.getType('image/png')).then((blob) => { window.copied = blob })",
            &[],
        );
        look(&page, "window.copied")
    };
    assert!(width > 600.0 && height > 200.0, "{width} by {height}");
    page.assert_quiet_console();
}

#[test]
fn a_copy_that_the_browser_does_not_allow_is_told_as_a_failure() {
    let page = shared();
    page.evaluate(
        "const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
        Object.assign(navigator.clipboard, { writeText: refuse, write: refuse });
        document.execCommand = () => false",
        &[],
    );
    page.wait_for_none(FAILED);
    page.click(COPY_LINK);
    page.wait_for_text(FAILED, "The link could not be copied: this browser does not allow it.");
    page.press_words(".offers", "Copy picture");
    page.wait_for_text(FAILED, "The picture could not be copied: this browser does not allow it.");
    page.assert_accessible("a copy that failed");
    page.press_words(".offers", "Scenario (.json)");
    page.wait_for_text(DONE, "The scenario is saved.");
    page.wait_for_none(FAILED);
}

#[test]
fn a_double_click_hands_out_one_file() {
    let page = shared();
    page.wait_for_text(".offers pre", "A");
    for (words, place) in [("SVG", "section:nth-of-type(3)"), ("Save text", "section:nth-of-type(4)")] {
        let mark = format!(
            "const found = [...document.querySelectorAll('.offers {place} button')].find((it) => it.textContent.trim() === '{words}');
            found.dataset.tried = 'yes'; found.scrollIntoView({{ block: 'center' }})"
        );
        page.evaluate(&mark, &[]);
        let before = files(&page);
        page.double_click("[data-tried]");
        page.wait_until("a file", || files(&page) > before);
        page.evaluate("return new Promise((done) => setTimeout(done, 300))", &[]);
        assert_eq!(files(&page), before + 1, "{words}");
        page.evaluate("delete document.querySelector('[data-tried]').dataset.tried", &[]);
    }
}

#[test]
fn what_makes_the_files_is_loaded_again_after_it_could_not_be() {
    let page = opened(View::DESKTOP);
    if !page.cut_off(&["*fenceline-exporter*"]) {
        return;
    }
    page.click("button[aria-label=Share]");
    page.wait_for_text(".offers .none", "could not be loaded");
    page.press_words(".offers", "SVG");
    page.wait_for_text(
        FAILED,
        "The picture could not be made: the part of the page that makes it could not be loaded.",
    );
    page.cut_off(&[]);
    page.press_words(".offers", "SVG");
    page.wait_for_text(DONE, "The picture is saved.");
    let asked =
        "return performance.getEntriesByType('resource').filter((of) => of.name.includes('exporter_bg')).length";
    let once = page.evaluate(asked, &[]);
    page.press_words(".offers", "PNG 1×");
    page.wait_for_text(DONE, "The picture is saved.");
    assert_eq!(page.evaluate(asked, &[]), once, "it is loaded once");
}
