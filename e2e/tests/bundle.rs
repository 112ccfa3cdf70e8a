//! The page as one file, opened from a disk: it is whole, and asks nobody for anything.

use std::path::PathBuf;

use fenceline_e2e::opening::{FENCED, OVERWRITTEN, VERDICT};
use fenceline_e2e::{Page, View};

/// The address of the file that `cargo xtask test` has made.
fn bundle() -> String {
    let path = std::env::var_os("FENCELINE_BUNDLE").map(PathBuf::from);
    let path = path.expect("FENCELINE_BUNDLE names the bundle: run `cargo xtask test --only e2e`");
    assert!(path.is_file(), "there is no bundle at {}", path.display());
    format!("file://{}", path.display())
}

/// Everything that was asked of a server or a disk since the page was opened.
const ASKED: &str = "return performance.getEntriesByType('resource').map((entry) => entry.name)
    .filter((name) => !name.startsWith('blob:') && !name.startsWith('data:'))";

#[test]
fn one_file_holds_the_page_its_presets_and_its_exporter() {
    let page = Page::open_elsewhere(View::DESKTOP, &bundle());
    page.wait_for_text(VERDICT, FENCED);
    page.keys("1");
    page.wait_for_text(VERDICT, OVERWRITTEN);
    page.choose_preset("The old token arrives first");
    page.wait_for_text(VERDICT, "Stale but accepted");
    let exported = "return globalThis.fencelineModule('fenceline-exporter').then((module) => typeof module.written)";
    assert_eq!(page.evaluate(exported, &[]), "function");
    assert_eq!(page.evaluate(ASKED, &[]), serde_json::json!([]), "it loads nothing");
    page.assert_quiet_console();
}

#[test]
fn one_file_opens_a_link_to_a_preset_and_embeds() {
    let page = Page::open_elsewhere(View::DESKTOP, &format!("{}?embed=1#p=delayed-message", bundle()));
    page.wait_for_text(VERDICT, "Overwritten: A’s stale write");
    page.assert_quiet_console();
}

#[test]
fn one_file_reads_its_exporter_once() {
    let page = Page::open_elsewhere(View::DESKTOP, &bundle());
    // By then the page has loaded all that it loads by itself.
    page.wait_for_text("#map-words", "rejected 53 %");
    page.evaluate(
        "window.made = []; window.let_go = [];
        const { createObjectURL, revokeObjectURL } = URL;
        URL.createObjectURL = (blob) => {
            const address = createObjectURL(blob);
            if (blob.type === 'text/javascript') window.made.push(address);
            return address;
        };
        URL.revokeObjectURL = (address) => { window.let_go.push(address); revokeObjectURL(address) }",
        &[],
    );
    page.click("button[aria-label=Share]");
    page.wait_for_text(".offers pre", "A");
    page.press_words(".offers", "SVG");
    page.wait_for_text(".share .done", "The picture is saved.");
    let counted = "return [window.made.length, window.made.every((address) => window.let_go.includes(address))]";
    assert_eq!(page.evaluate(counted, &[]), serde_json::json!([1, true]));
}

#[test]
fn one_file_works_out_what_could_have_been_by_itself() {
    let page = Page::open_elsewhere(View::DESKTOP, &bundle());
    page.wait_for_text("#map-words", "rejected 53 %, harmless 33 %, stale accepted 14 %");
    page.wait_for_text("[data-flip=write] p", "Shorten A’s ‘builds’ (step 2) by just over 0.4 s");
    page.click("#tab-search");
    page.click(".search .bounds button");
    page.wait_for_text(".search .outcome", "The smallest schedule that breaks it");
    assert_eq!(page.evaluate(ASKED, &[]), serde_json::json!([]), "it loads nothing");
    page.assert_quiet_console();
}
