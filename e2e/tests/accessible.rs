//! What axe-core finds in every state that a person can bring the page into, in light and dark, on a desk and on a phone: nothing.

use fenceline_e2e::opening::{VERDICT, opened};
use fenceline_e2e::{Page, View};

const VIEWS: [View; 4] = [View::DESKTOP, View::PHONE, View::DESKTOP.dark(), View::PHONE.dark()];

/// The page in each view, with what the view is called.
#[track_caller]
fn in_each_view(states: impl Fn(&Page, &dyn Fn(&str) -> String)) {
    for view in VIEWS {
        let page = Page::open(view, "");
        page.wait_for("#verdict");
        let size = if view.phone { "phone" } else { "desktop" };
        let theme = if view.dark { "dark" } else { "light" };
        states(&page, &|state| format!("{state}, {size}, {theme}"));
        page.assert_quiet_console();
    }
}

#[test]
fn the_opening_page_and_each_panel_have_no_obstacle() {
    in_each_view(|page, called| {
        page.assert_accessible(&called("the opening page"));
        for tab in page.texts("[role=tab]") {
            let id = page.evaluate(
                "return [...document.querySelectorAll('[role=tab]')].find((t) => t.innerText.trim() === arguments[0]).id",
                &[tab.as_str().into()],
            );
            page.click(&format!("#{}", id.as_str().unwrap_or_default()));
            page.wait_for(&format!("#{}[aria-selected=true]", id.as_str().unwrap_or_default()));
            page.assert_accessible(&called(&format!("the panel {tab}")));
        }
    });
}

#[test]
fn every_verdict_of_a_write_has_no_obstacle() {
    in_each_view(|page, called| {
        for guard in ["none", "check-then-write", "newer-or-equal", "same", "token-seq", "holder"] {
            page.click(&format!(".segment[data-guard='{guard}']"));
            page.wait_for(&format!(".segment[data-guard='{guard}'] input:checked"));
            page.assert_accessible(&called(&format!("under {guard}")));
        }
        page.click("#tab-guards");
        page.click(".compared tr[data-guard='none'] td:nth-of-type(2) button");
        page.wait_for(".compared .because");
        page.assert_accessible(&called("guards compared, a reason open"));
    });
}

#[test]
fn predicting_and_playing_have_no_obstacle() {
    in_each_view(|page, called| {
        page.click(".led .chain li:last-child button");
        page.assert_accessible(&called("the playhead at a write"));
        page.keys("Escape");
        page.click(".switch input");
        page.wait_for(".ask");
        page.assert_accessible(&called("asked to predict"));
    });
}

#[test]
fn every_kind_of_part_can_be_edited_without_an_obstacle() {
    in_each_view(|page, called| {
        page.click("#tab-edit");
        page.wait_for(".inspector");
        for part in ["lease-0", "resource-0", "worker-0", "step-0-2", "pause-0-0"] {
            let marks = format!(".story [data-part='{part}'], svg.drawing [data-part='{part}']");
            let first = "const mark = document.querySelector(arguments[0]);
                mark.dispatchEvent(new MouseEvent('click', { bubbles: true }))";
            page.wait_for(&marks);
            page.evaluate(first, &[marks.as_str().into()]);
            page.assert_accessible(&called(&format!("editing {part}")));
        }
        page.click("#tab-source");
        page.focus("#source-text");
        page.keys("Control+a");
        page.type_text("{ \"version\": 7, \"odd\": 1 }");
        page.keys("Control+Enter");
        page.wait_for("#source-problems li");
        page.assert_accessible(&called("a document with errors"));
    });
}

#[test]
fn a_lesson_and_the_tour_have_no_obstacle() {
    in_each_view(|page, called| {
        page.click(".notice button");
        page.wait_for(".tour");
        page.assert_accessible(&called("the tour"));
        page.keys("Escape");
        page.wait_for_none(".tour");
        page.click(".picker");
        page.click("dialog[open] .preset");
        page.wait_for(".lesson .question");
        page.click(".lesson button");
        page.wait_for(".lesson .teaching");
        page.assert_accessible(&called("a lesson with its answer"));
    });
}

#[test]
fn a_schedule_without_a_write_has_no_obstacle() {
    in_each_view(|page, called| {
        page.click("#tab-source");
        page.focus("#source-text");
        page.keys("Control+a");
        page.type_text(
            "{ \"version\": 1, \"workers\": [{ \"id\": \"A\", \"plan\": [{ \"do\": \"work\", \"for\": \"5s\" }] }] }",
        );
        page.keys("Control+Enter");
        page.wait_for_text("#verdict", "No worker writes anything");
        for panel in ["why", "guards", "edit"] {
            page.click(&format!("#tab-{panel}"));
            page.assert_accessible(&called(&format!("nothing written, the panel {panel}")));
        }
    });
}

#[test]
fn dialogs_have_no_obstacle() {
    in_each_view(|page, called| {
        page.keys("?");
        page.wait_for("dialog[open]");
        page.assert_accessible(&called("the list of keys"));
        page.keys("Escape");
        page.wait_for_none("dialog[open]");
        page.click(".picker");
        page.wait_for("dialog[open] .preset");
        page.assert_accessible(&called("the presets"));
    });
}

#[test]
fn the_longest_names_make_no_page_wider() {
    let long = [
        "publisher_of_reports_in_eu_west_1_primar",
        "publisher_of_reports_in_eu_west_2_backup",
        "REPORT_publisher_eu_west_1_primary_table",
    ];
    for (view, title) in
        [(View::PHONE, "x".repeat(300)), (View { width: 360, ..View::PHONE }, "\u{202e}drawkcab".into())]
    {
        let page = opened(view);
        let kept = page.evaluate("return fetch('presets/paused-worker.json').then((answer) => answer.text())", &[]);
        let mut text = kept.as_str().expect("a preset").to_owned();
        for (old, new) in [("\"A\"", long[0]), ("\"B\"", long[1]), ("\"report\"", long[2])] {
            text = text.replace(old, &format!("\"{new}\""));
        }
        let mut document: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        document["title"] = title.into();
        page.open_document(&document.to_string());
        page.wait_for_text(VERDICT, long[0]);
        let panels = page.texts("[role=tab]");
        for panel in panels {
            page.press_words("[role=tablist]", &panel);
            let wider = page.evaluate(
                "const width = document.documentElement.clientWidth;
                // What is wider than its own box by more than the edge of a button, and does not scroll.
                const out = [...document.querySelectorAll('main *, header *')].filter((of) =>
                    of.clientWidth > 0 && of.scrollWidth > of.clientWidth + 9 && getComputedStyle(of).overflowX === 'visible');
                return [document.documentElement.scrollWidth - width, out.slice(-6).map((of) => `${of.tagName}.${of.className?.baseVal ?? of.className}`)]",
                &[],
            );
            assert_eq!(wider, serde_json::json!([0, []]), "{} px, {panel}", view.width);
        }
    }
}
