//! The npm package, as a site has it that installed it.

use fenceline_e2e::hosts::frame_of;
use fenceline_e2e::opening::{FENCED, VERDICT};
use fenceline_e2e::{Page, View};
use serde_json::json;

#[test]
fn a_site_that_has_installed_the_package_shows_a_figure() {
    assert!(
        std::env::var_os("FENCELINE_SITE").is_some(),
        "FENCELINE_SITE names the site that `cargo xtask npm` makes; cargo xtask test sets it"
    );
    let page = Page::open(View::DESKTOP, "site/");
    page.wait_until("a verdict", || page.evaluate("return window.sentence ?? null", &[]) == json!(FENCED));
    assert_eq!(page.evaluate("return window.isElement", &[]), json!(true));
    // The page is the package's own, beside the module.
    let frame = page.evaluate(&format!("return {}.src", frame_of("installed")), &[]);
    assert!(
        frame.as_str().is_some_and(|frame| frame.contains("/site/node_modules/fenceline/page/index.html?embed=1")),
        "{frame}"
    );
    page.enter(&frame_of("installed"));
    page.wait_for_text(VERDICT, FENCED);
    page.leave();
    page.assert_quiet_console();
}
