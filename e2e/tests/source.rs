//! The document as text, and what is wrong with it.

use fenceline_e2e::inspecting::inspected;
use fenceline_e2e::opening::{FENCED, VERDICT};

#[test]
fn the_source_is_read_as_a_file_would_be_and_its_errors_are_listed() {
    inspected(|page| {
        page.click("#tab-source");
        let source = "#source-text";
        page.focus(source);
        page.keys("Control+a Delete");
        page.type_text("{ \"version\": 1, \"leases\": [{ \"id\": \"a\", \"ttl\": \"0s\" }], \"unknown\": 1 }");
        page.keys("Control+Enter");
        page.wait_for_text(".problems", "/leases/0/ttl");
        page.wait_for_text(".problems", "/unknown");
        assert_eq!(page.text(VERDICT), FENCED);
        page.click("#tab-why");
        page.click("#tab-source");
        assert!(page.value(source).contains("unknown"), "what was typed is kept");
        page.focus(source);
        page.keys("Control+a Delete");
        page.type_text("{ \"version\": 1, \"title\": \"Mine\" }");
        page.keys("Control+Enter");
        page.wait_for_text(".scenario", "Mine");
        page.focus("#panel");
        page.keys("Control+z");
        page.wait_for_text(VERDICT, FENCED);
    });
}

#[test]
fn what_the_source_says_is_wrong_is_kept_with_what_was_typed() {
    inspected(|page| {
        page.click("#tab-source");
        page.focus("#source-text");
        page.keys("Control+a Delete");
        page.type_text("{ \"version\": 2 }");
        page.keys("Control+Enter");
        page.wait_for_text(".problems", "/version");
        page.click("#tab-why");
        page.click("#tab-source");
        page.wait_for_text(".problems", "/version");
        assert_eq!(page.attribute("#source-text", "aria-invalid").as_deref(), Some("true"));
        page.click(".source .chip:nth-of-type(2)");
        page.wait_for_none(".problems li");
        assert!(page.value("#source-text").contains("paused"), "the document that is shown");
    });
}
