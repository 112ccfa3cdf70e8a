//! What comes into the page and leaves it: files, pastes, the share dialog, and the page that embeds.

use fenceline_e2e::chapter::unguarded;
use fenceline_e2e::opening::{FENCED, OVERWRITTEN, PAUSE_END, VERDICT, everywhere, opened};
use fenceline_e2e::{Page, View};
use serde_json::json;

const DONE: &str = ".share .done";
const NOTICE: &str = ".arrival[role=alert]";
const UNDO: &str = "button[aria-label=Undo]";

/// Keeps what the page hands out as a file, to be looked at: `[name, kind, text]`. A picture in dots has its first bytes as text.
const WATCH_FILES: &str = "window.handed = [];
    const made = new Map(), create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => { const address = create(blob); made.set(address, blob); return address; };
    HTMLAnchorElement.prototype.click = function () {
        const blob = made.get(this.href);
        if (blob) blob.text().then((text) => window.handed.push([this.download, blob.type, text]));
    };";

fn handed(page: &Page, count: usize) -> Vec<[String; 3]> {
    page.wait_until("the file to be handed out", || page.evaluate("return window.handed.length", &[]) == count);
    serde_json::from_value(page.evaluate("return window.handed", &[])).expect("names, kinds and texts")
}

/// Drops a file on the page.
fn drop_file(page: &Page, name: &str, text: &str) {
    let script = "const carried = new DataTransfer();
        carried.items.add(new File([arguments[1]], arguments[0]));
        for (const kind of ['dragover', 'drop'])
            document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }))";
    page.evaluate(script, &[name.into(), text.into()]);
}

fn paste(page: &Page, text: &str) {
    let script = "const carried = new DataTransfer(); carried.setData('text/plain', arguments[0]);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true }))";
    page.evaluate(script, &[text.into()]);
}

#[test]
fn the_link_is_copied_and_said_to_be() {
    everywhere(|page, _| {
        page.keys("1");
        page.wait_for_text(VERDICT, OVERWRITTEN);
        page.click("button[aria-label=Share]");
        page.wait_for_text(DONE, "The link is copied.");
        let link = page.value(".share input[aria-label='The link']");
        assert!(link.contains("s=1"), "{link}");
        let code = page.value(".share input[aria-label='The embed code']");
        assert!(code.starts_with("<iframe src=") && code.contains("?embed=1#") && code.contains("s=1"), "{code}");
        page.assert_accessible("the share dialog");
        page.press_words(".share", "Close");
        // What was copied is opened by pasting it.
        page.keys("3");
        page.wait_for_text(VERDICT, FENCED);
        paste(page, &link);
        page.wait_for_text(VERDICT, OVERWRITTEN);
    });
}

#[test]
fn files_are_handed_out_and_the_scenario_comes_back_as_it_was() {
    let page = opened(View::DESKTOP);
    page.evaluate(WATCH_FILES, &[]);
    page.keys("1");
    page.wait_for_text(VERDICT, OVERWRITTEN);
    page.keys("Control+s");
    let scenario = handed(&page, 1).remove(0);
    assert_eq!(scenario[0], "paused-worker-overwrites-a-newer-report.json");
    page.keys("3");
    page.wait_for_text(VERDICT, FENCED);
    drop_file(&page, "mine.json", &scenario[2]);
    page.wait_for_text(VERDICT, OVERWRITTEN);

    page.click("button[aria-label=Share]");
    page.press_words(".offers", "SVG");
    page.wait_for_text(DONE, "The picture is saved.");
    let svg = handed(&page, 2).remove(1);
    assert!(
        svg[0] == "paused-worker-overwrites-a-newer-report.svg"
            && svg[2].starts_with("<svg xmlns=")
            && svg[2].contains("A’s stale write"),
        "{svg:?}"
    );
    page.press_words(".offers", "PNG 2×");
    page.wait_until("the picture in dots", || page.evaluate("return window.handed.length", &[]) == 3);
    let png = handed(&page, 3).remove(2);
    assert_eq!(png[1], "image/png");
    assert!(png[2].contains("PNG"), "it begins as a PNG does");
    page.assert_quiet_console();
}

#[test]
fn the_key_that_saves_takes_what_is_being_typed_with_it() {
    let page = Page::open(View::DESKTOP, "#p=paused-worker&panel=edit");
    page.wait_for_text(VERDICT, FENCED);
    page.evaluate(WATCH_FILES, &[]);
    page.focus("[data-pointer='/title']");
    page.keys("Control+a");
    page.type_text("Mine now");
    page.keys("Control+s");
    let scenario = handed(&page, 1).remove(0);
    assert_eq!(scenario[0], "mine-now.json");
    assert!(scenario[2].contains("\"Mine now\""), "{}", scenario[2]);
    page.wait_for("[data-pointer='/title']:focus");
    page.assert_quiet_console();
}

#[test]
fn each_text_that_is_offered_is_made() {
    let page = opened(View::DESKTOP);
    page.click("button[aria-label=Share]");
    page.wait_for_text(DONE, "The link is copied.");
    let kinds = page.texts(".offers optgroup option");
    assert_eq!(kinds.len(), 14, "{kinds:?}");
    for (kind, words) in [
        ("What happened", "A’s stale write (41) was rejected"),
        ("A sequence diagram", "sequenceDiagram"),
        ("Guards compared, as Markdown", "| Guard | Accepts when"),
        ("Guards compared, as CSV", "newer"),
        ("A Python script", "import sqlite3"),
        ("A Rust test", "rusqlite"),
        ("SQLite", "UPDATE report"),
        ("PostgreSQL", "UPDATE report"),
        ("MySQL", "UPDATE report"),
        ("MongoDB", "updateOne"),
        ("DynamoDB", "ConditionExpression"),
        ("Redis", "redis.call"),
        ("etcd", "etcdctl txn"),
        ("S3", "--if-match"),
    ] {
        page.wait_until(kind, || {
            let chosen =
                "return document.querySelector('.offers section:last-of-type select').selectedOptions[0].label";
            page.evaluate(chosen, &[]).as_str().is_some_and(|label| label.starts_with(kind))
        });
        page.wait_for_text(".offers pre", words);
        page.wait_for_none(".offers .none");
        page.focus(".offers section:last-of-type select");
        page.keys("ArrowDown");
    }
    page.assert_accessible("a text that is offered");
    page.assert_quiet_console();
}

#[test]
fn what_cannot_be_read_is_told_with_its_line_and_changes_nothing() {
    let page = opened(View::DESKTOP);
    page.keys("1");
    page.wait_for_text(VERDICT, OVERWRITTEN);
    for (text, words) in [
        ("{\n  \"version\": 1,\n  \"leases\": [{ \"id\": \"lock\", \"ttl\": \"0s\" }]\n}", "line 3 · /leases/0/ttl"),
        ("{ \"version\": 1,, }", "line 1"),
        ("hello", "its first character is {"),
        ("", "its first character is {"),
    ] {
        drop_file(&page, "<b>odd</b>.json", text);
        page.wait_for_text(NOTICE, words);
        page.wait_for_text(NOTICE, "‘<b>odd</b>.json’");
        page.wait_for_text(NOTICE, "Nothing was changed.");
        page.wait_for_text(VERDICT, OVERWRITTEN);
    }
    drop_file(&page, "large.json", &" ".repeat(1_100_000));
    page.wait_for_text(NOTICE, "has 1100 kB; a scenario has at most 1048 kB");
    page.assert_accessible("a notice on a file");
    page.press_words(NOTICE, "Dismiss");
    page.wait_for_none(NOTICE);
    // A text that is neither is not meant for this page.
    paste(&page, "just words");
    page.wait_for_none(NOTICE);
    page.assert_quiet_console();
}

#[test]
fn a_file_with_claims_is_opened_without_them_and_says_so() {
    let page = opened(View::DESKTOP);
    let mut bare = unguarded();
    bare["expect"] = json!({ "verdict": "corrupting" });
    bare["caption"] = json!("Nothing stops A.");
    drop_file(&page, "claimed.json", &bare.to_string());
    page.wait_for_text(VERDICT, OVERWRITTEN);
    page.wait_for_text(NOTICE, "Opened without what the file says around its scenario: caption, expect.");
    page.wait_for_text(NOTICE, "Its claims are judged by ‘fenceline check’, not here.");
    page.assert_accessible("a notice on claims");
    page.press_words(NOTICE, "Dismiss");
    page.wait_for_none(NOTICE);

    // In a field of its own, and under another guard; with nothing lost there is nothing to say.
    let inside = json!({ "guard": "newer", "scenario": unguarded() });
    drop_file(&page, "guarded.json", &inside.to_string());
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for_none(NOTICE);
    paste(&page, &json!({ "scenario": unguarded(), "name": "x" }).to_string());
    page.wait_for_text(NOTICE, "around its scenario: name. A file");

    // What only names a scenario is no file of one.
    drop_file(&page, "named.json", "{\n  \"preset\": \"paused-worker\", \"expect\": {}\n}");
    page.wait_for_text(NOTICE, "line 2 · /preset");
    page.wait_for_text(NOTICE, "Nothing was changed.");
    page.wait_for_text(VERDICT, OVERWRITTEN);
    page.assert_quiet_console();
}

#[test]
fn what_is_dropped_or_pasted_is_undone_by_one_undo() {
    let page = opened(View::DESKTOP);
    let document = "{ \"version\": 1, \"title\": \"Pasted\", \"leases\": [], \"resources\": [], \"workers\": [] }";
    paste(&page, document);
    page.wait_for_text(".picker", "Pasted");
    page.click(UNDO);
    page.wait_for_text(VERDICT, FENCED);
    page.assert_quiet_console();
}

#[test]
fn an_embedded_page_is_dragged_and_opened_in_the_playground() {
    for view in [View::DESKTOP, View::PHONE] {
        let page = Page::open(view, "?embed=1&theme=dark#p=paused-worker");
        page.wait_for_text(VERDICT, FENCED);
        assert_eq!(page.attribute("html", "data-theme").as_deref(), Some("dark"));
        page.wait_for_none(".topbar, .deck, .notice");
        page.assert_accessible("the embedded page");
        page.drag(PAUSE_END, -(page.area(".scrubber").width * 0.4) as i32, 0);
        page.wait_until("another verdict", || page.text(VERDICT) != FENCED);
        let verdict = page.text(VERDICT);
        page.choose(".guard-menu select", "No guard");
        page.choose(".guard-menu select", "token > last");
        page.wait_for_text(VERDICT, &verdict);
        page.wait_until("the way to the playground", || {
            page.attribute(".foot a", "href").is_some_and(|href| href.contains("s=1") && !href.contains("embed"))
        });
        let href = page.attribute(".foot a", "href").unwrap_or_default();
        assert!(!page.address().contains("s=1"), "a figure writes no address");
        let playground = Page::open(View::DESKTOP, &format!("#{}", href.split_once('#').map_or("", |(_, of)| of)));
        playground.wait_for_text(VERDICT, &verdict);
        page.assert_quiet_console();
    }
}

#[test]
fn options_of_an_embedded_page_that_are_none_leave_the_default() {
    let page = Page::open(View::DESKTOP, "?embed=1&theme=%3Cb%3E&guard=locked&controls=none");
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for_text(".guard-menu code", "token > last");
    page.wait_for_none(".guard-menu select");
    assert!(page.area(".timeline-head").height < 0.5);
    page.assert_quiet_console();
}
