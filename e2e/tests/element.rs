//! The element `<fence-line>`: a picture that becomes a living figure, and what it tells and takes.

use fenceline_e2e::View;
use fenceline_e2e::chapter::{chapter, height_of, press, told, unguarded};
use fenceline_e2e::hosts::frame_of;
use fenceline_e2e::opening::{FENCED, OVERWRITTEN, PAUSE_END, VERDICT};
use serde_json::json;

#[test]
fn a_picture_becomes_a_living_figure_when_somebody_wants_it_to() {
    for view in [View::DESKTOP, View::PHONE] {
        let page = chapter(view);
        assert!(page.area("#one img").height > 100.0);
        assert_eq!(
            page.evaluate(
                "return performance.getEntriesByType('resource').filter((of) => /wasm/.test(of.name)).length",
                &[]
            ),
            json!(0)
        );
        page.assert_accessible("a chapter with pictures");
        press(&page, "one");
        assert_eq!(told(&page, "one", "verdict")["sentence"], FENCED);
        assert!(page.area("#one img").height < 1.0, "the figure is there in place of the picture");
        let focused = page.evaluate("return document.activeElement.id", &[]);
        assert_eq!(focused, "one", "the focus goes along");

        page.enter(&frame_of("one"));
        page.wait_for_text(VERDICT, FENCED);
        // As high as what it shows: nothing to scroll, in either direction.
        page.wait_until("a frame of the right height", || {
            page.evaluate(
                "const { scrollHeight: a, clientHeight: b, scrollWidth: c, clientWidth: d } = document.documentElement;
                 return a === b && c === d && b - document.querySelector('.embed').getBoundingClientRect().height < 1",
                &[],
            ) == json!(true)
        });
        page.drag(PAUSE_END, -(page.area(".scrubber").width * 0.4) as i32, 0);
        page.leave();
        let change = told(&page, "one", "change");
        assert_eq!(change["scenario"]["title"], "Paused worker overwrites a newer report");
        page.wait_until("another verdict", || told(&page, "one", "verdict")["sentence"] != FENCED);
        page.assert_quiet_console();
    }
}

#[test]
fn several_figures_on_a_page_do_not_meet() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.querySelector('#one').open(); document.querySelector('#two').open(); inside.open()", &[]);
    assert_eq!(told(&page, "one", "verdict")["sentence"], FENCED);
    assert_eq!(told(&page, "two", "verdict")["sentence"], OVERWRITTEN);
    page.enter(&frame_of("two"));
    page.wait_for_text(".guard-menu code", "No guard");
    page.wait_for_none(".guard-menu select");
    page.leave();
    assert!((height_of(&page, "two") - 420.0).abs() < 0.5, "as high as its author said");

    let set = "const [id, what] = arguments;
        const figure = id ? document.getElementById(id) : inside;
        figure.set(what).then((state) => told.push({ figure: id, type: 'set', detail: state }))";
    page.evaluate(set, &["one".into(), unguarded()]);
    assert_eq!(told(&page, "one", "set")["scenario"]["title"], "Without a fence");
    // The answer and the news of it are two messages.
    page.wait_until("the verdict to follow", || told(&page, "one", "verdict")["sentence"] == OVERWRITTEN);
    page.evaluate(set, &["two".into(), "p=paused-worker".into()]);
    assert_eq!(told(&page, "two", "set")["fragment"], "p=paused-worker");

    // In a shadow root, with its document between its tags.
    let get = "inside.get().then((state) => told.push({ figure: 'inside', type: 'get', detail: state }))";
    page.evaluate(get, &[]);
    assert_eq!(told(&page, "inside", "get")["scenario"]["title"], "Nobody writes");

    // A refusal is the caller's.
    let refused = "document.querySelector('#one').set({ version: 1, title: 7 }).catch((problem) =>
        told.push({ figure: 'one', type: 'refused', detail: { code: problem.code, path: problem.problems[0].path } }))";
    page.evaluate(refused, &[]);
    assert_eq!(told(&page, "one", "refused"), json!({ "code": "scenario", "path": "/title" }));
    assert_eq!(page.evaluate("return told.filter((of) => of.type === 'error')", &[]), json!([]));
    page.assert_quiet_console();
}

#[test]
fn the_playground_that_a_figure_opens_is_a_whole_one() {
    let page = chapter(View::DESKTOP);
    press(&page, "one");
    told(&page, "one", "verdict");
    page.enter(&frame_of("one"));
    // A frame without an origin keeps nothing; what it opens is a page like any other.
    let keeps = "try { localStorage.setItem('e2e', '1'); return true } catch { return false }";
    assert_eq!(page.evaluate(keeps, &[]), json!(false));
    page.click(".foot .open");
    page.enter_new_window();
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for(".topbar");
    assert_eq!(page.evaluate(keeps, &[]), json!(true));
    assert_eq!(page.evaluate("return window.opener === null", &[]), json!(true));
}

#[test]
fn a_figure_further_down_comes_when_it_is_scrolled_to() {
    let page = chapter(View::DESKTOP);
    assert_eq!(page.evaluate("return document.querySelector('#far').live", &[]), json!(false));
    page.evaluate("document.querySelector('#far').scrollIntoView()", &[]);
    told(&page, "far", "verdict");
    page.enter(&frame_of("far"));
    assert!(page.area(".timeline-head").height < 0.5, "without buttons, as its author said");
    page.leave();
    page.assert_quiet_console();
}

#[test]
fn a_figure_looks_like_the_page_around_it() {
    let page = chapter(View::DESKTOP.dark());
    page.evaluate("document.documentElement.className = 'light'", &[]);
    press(&page, "one");
    told(&page, "one", "ready");
    let themed = |theme: &str| {
        page.enter(&frame_of("one"));
        page.wait_for(&format!("html[data-theme={theme}]"));
        page.leave();
        page.wait_for(&format!("#one[data-scheme={theme}]"));
    };
    themed("light");
    page.evaluate("document.documentElement.className = 'coal'", &[]);
    themed("dark");
    page.evaluate("document.documentElement.className = ''; document.body.dataset.mdColorScheme = 'default'", &[]);
    themed("light");
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'", &[]);
    themed("dark");
    page.evaluate("document.querySelector('#one').setAttribute('theme', 'light')", &[]);
    themed("light");
    page.assert_quiet_console();
}

#[test]
fn what_a_reader_made_is_there_again_when_the_figure_was_moved() {
    let page = chapter(View::DESKTOP);
    press(&page, "one");
    told(&page, "one", "ready");
    page.enter(&frame_of("one"));
    page.focus(PAUSE_END);
    page.keys("1");
    page.wait_for_text(VERDICT, OVERWRITTEN);
    page.leave();
    told(&page, "one", "change");
    page.evaluate("told.length = 0; const one = document.querySelector('#one'); one.remove(); document.querySelector('main').prepend(one)", &[]);
    assert_eq!(told(&page, "one", "verdict")["sentence"], OVERWRITTEN);
    page.evaluate("document.querySelector('#one').close()", &[]);
    page.wait_until("the picture again", || page.area("#one img").height > 100.0);
    page.assert_quiet_console();
}

#[test]
fn a_message_from_elsewhere_is_ignored_by_the_element() {
    let page = chapter(View::DESKTOP);
    press(&page, "one");
    told(&page, "one", "verdict");
    let height = height_of(&page, "one");
    let before = page.evaluate("return told.length", &[]);
    let lie = "for (const type of ['ready', 'height', 'verdict', 'change', 'error']) arguments[0].postMessage({
        fenceline: 1, type, height: 2000, sentence: 'All is well', fragment: 'p=x', scenario: '{}', code: 'failed', message: 'Gone' }, '*')";
    page.enter("document.querySelector('.stranger')");
    page.evaluate(&lie.replace("arguments[0]", "parent"), &[]);
    page.leave();
    page.evaluate(&lie.replace("arguments[0]", "window"), &[]);
    page.evaluate(
        "document.querySelector('#one').get().then(() => told.push({ figure: 'one', type: 'got', detail: 1 }))",
        &[],
    );
    told(&page, "one", "got");
    assert_eq!(page.evaluate("return told.length - 1", &[]), before);
    assert!((height_of(&page, "one") - height).abs() < 0.5);
    page.assert_quiet_console();
}

#[test]
fn a_figure_that_asks_first_tells_its_host_nothing_before() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.querySelector('#one').setAttribute('predict', '')", &[]);
    press(&page, "one");
    told(&page, "one", "ready");
    page.evaluate(
        "document.querySelector('#one').get().then(() => told.push({ figure: 'one', type: 'got', detail: 1 }))",
        &[],
    );
    told(&page, "one", "got");
    let verdicts = "return told.filter((of) => of.type === 'verdict').length";
    assert_eq!(page.evaluate(verdicts, &[]), json!(0));
    page.evaluate(
        "document.querySelector('#one').set('p=delayed-message').then(() => told.push({ figure: 'one', type: 'set', detail: 1 }))",
        &[],
    );
    told(&page, "one", "set");
    page.evaluate(
        "document.querySelector('#one').get().then(() => told.push({ figure: 'one', type: 'got-again', detail: 1 }))",
        &[],
    );
    told(&page, "one", "got-again");
    assert_eq!(page.evaluate(verdicts, &[]), json!(0));
    page.assert_quiet_console();
}
