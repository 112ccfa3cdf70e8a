//! The element `<fence-line>`: a picture that becomes a living figure, and what it tells and takes.

use fenceline_e2e::chapter::{chapter, height_of, press, told, unguarded};
use fenceline_e2e::hosts::frame_of;
use fenceline_e2e::opening::{FENCED, OVERWRITTEN, PAUSE_END, VERDICT};
use fenceline_e2e::{DRIP, FLOOD, Page, View, is_sending};
use serde_json::{Value, json};

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

/// Asks something of an element that it refuses, and gives what it says.
fn refusal(page: &Page, id: &str, asked: &str) -> Value {
    page.evaluate("told.length = 0", &[]);
    let script = "const figure = document.getElementById(arguments[0]);
        const refused = ({ name, code, message, problems }) =>
            told.push({ figure: arguments[0], type: 'refused', detail: { name, code, message, problems } });
        Promise.resolve(ASKED).then(() => refused({ code: 'none' }), refused)";
    page.evaluate(&script.replace("ASKED", asked), &[id.into()]);
    told(page, id, "refused")
}

#[test]
fn what_is_nothing_that_can_be_shown_is_refused_in_words() {
    let page = chapter(View::DESKTOP);
    for nothing in
        ["undefined", "null", "7", "1n", "true", "[]", "() => 1", "(() => { const a = {}; a.a = a; return a })()"]
    {
        let refused = refusal(&page, "one", &format!("figure.set({nothing})"));
        assert_eq!((&refused["code"], &refused["problems"]), (&json!("shape"), &json!([])), "{nothing}: {refused}");
        assert_eq!(refused["message"], "What can be shown is a document, its JSON, or a link.", "{nothing}");
    }
    assert_eq!(page.evaluate(&format!("return {} === null", frame_of("one")), &[]), json!(true), "nothing was opened");
    page.assert_quiet_console();
}

#[test]
fn a_page_that_is_no_place_is_not_framed() {
    let page = chapter(View::DESKTOP);
    for address in [
        "javascript:alert(1)",
        "JavaScript://x/%0aalert(1)",
        "data:text/html,<h1>x</h1>",
        "blob:http://127.0.0.1/7",
        "about:blank",
        "file:///etc/",
        "ftp://example.org/",
        "http://",
    ] {
        page.evaluate("document.querySelector('#one').setAttribute('page', arguments[0])", &[address.into()]);
        let refused = refusal(&page, "one", "figure.open()");
        assert_eq!(refused["code"], "source", "{address}: {refused}");
        assert!(refused["message"].as_str().is_some_and(|words| words.contains(address)), "{refused}");
        assert_eq!(told(&page, "one", "error")["code"], "source");
        assert!(page.area("#one img").height > 100.0);
    }
    // A browser that followed one of them would have said so.
    page.assert_quiet_console();
    page.evaluate("document.querySelector('#one').setAttribute('page', '..')", &[]);
    press(&page, "one");
    told(&page, "one", "ready");
    page.assert_quiet_console();
}

#[test]
fn a_document_is_not_read_beyond_the_length_that_it_may_have() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.querySelector('#one').setAttribute('src', arguments[0])", &[format!("../{FLOOD}").into()]);
    press(&page, "one");
    assert_eq!(told(&page, "one", "error")["code"], "size");
    assert!(page.area("#one img").height > 100.0);
    page.wait_until("the download to end", || !is_sending(FLOOD));
    page.assert_quiet_console();
}

#[test]
fn a_document_is_no_longer_fetched_when_the_figure_was_closed() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.querySelector('#one').setAttribute('src', arguments[0])", &[format!("../{DRIP}").into()]);
    for close in ["one.close()", "one.remove()"] {
        press(&page, "one");
        page.wait_until("the document to come", || is_sending(DRIP));
        page.evaluate(&format!("const one = document.querySelector('#one'); {close}"), &[]);
        page.wait_until("the download to end", || !is_sending(DRIP));
    }
    assert_eq!(page.evaluate("return told.filter((of) => of.type === 'error')", &[]), json!([]));
    page.assert_quiet_console();
}

#[test]
fn the_focus_stays_at_a_figure_that_goes_and_comes() {
    let page = chapter(View::DESKTOP);
    let focused =
        "return [document.activeElement.id, document.activeElement.shadowRoot?.activeElement?.localName ?? null]";
    press(&page, "one");
    told(&page, "one", "verdict");
    assert_eq!(page.evaluate(focused, &[]), json!(["one", "iframe"]));
    page.evaluate("told.length = 0; document.querySelector('#one').close()", &[]);
    assert_eq!(page.evaluate(focused, &[]), json!(["one", "button"]));
    // Where the focus is, the keyboard works.
    page.keys("Enter");
    told(&page, "one", "verdict");
    assert_eq!(page.evaluate(focused, &[]), json!(["one", "iframe"]));
    // Something else is asked of it: the frame is another one.
    page.evaluate("told.length = 0; document.querySelector('#one').setAttribute('guard', 'locked')", &[]);
    told(&page, "one", "verdict");
    assert_eq!(page.evaluate(focused, &[]), json!(["one", "iframe"]));
    // A figure that goes while the focus is elsewhere leaves it there.
    page.focus("#two");
    page.evaluate("document.getElementById('two').shadowRoot.querySelector('button').focus(); document.getElementById('one').close()", &[]);
    assert_eq!(page.evaluate(focused, &[]), json!(["two", "button"]));
    page.assert_quiet_console();
}

#[test]
fn a_figure_is_in_the_language_around_it_out_of_shadow_roots_too() {
    let page = chapter(View::DESKTOP);
    let language = |figure: &str| {
        let script =
            format!("return new URL({figure}.shadowRoot.querySelector('iframe').src).searchParams.get('lang')");
        page.evaluate(&script, &[])
    };
    page.evaluate(
        "document.querySelector('#shadowed').lang = 'de'; inside.open(); document.querySelector('#one').open()",
        &[],
    );
    told(&page, "one", "ready");
    let lives = || page.evaluate("return inside.live", &[]) == json!(true);
    page.wait_until("the figure in the shadow root", lives);
    assert_eq!((language("inside"), language("document.querySelector('#one')")), (json!("de"), json!("en")));
    page.evaluate("inside.close(); inside.lang = 'fr'; inside.open()", &[]);
    page.wait_until("it to come again", lives);
    assert_eq!(language("inside"), "fr");
    page.assert_quiet_console();
}

#[test]
fn a_document_with_claims_is_shown_and_its_reader_is_told_nothing_of_them() {
    let page = chapter(View::DESKTOP);
    page.evaluate("document.querySelector('#one').setAttribute('src', 'claimed.json')", &[]);
    press(&page, "one");
    // Under the guard that stands around the scenario.
    assert_eq!(told(&page, "one", "verdict")["sentence"], FENCED);
    page.enter(&frame_of("one"));
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for_none(".notice");
    page.leave();
    let mut claimed = unguarded();
    claimed["expect"] = json!({ "verdict": "corrupting" });
    let set = "document.querySelector('#one').set(arguments[0]).then((state) => told.push({ figure: 'one', type: 'set', detail: state }))";
    page.evaluate(set, std::slice::from_ref(&claimed));
    let state = told(&page, "one", "set");
    assert_eq!((&state["scenario"]["title"], &state["scenario"]["expect"]), (&claimed["title"], &json!(null)));
    page.wait_until("the verdict to follow", || told(&page, "one", "verdict")["sentence"] == OVERWRITTEN);
    let inline = "const figure = document.querySelector('#far'), script = document.createElement('script');
        script.type = 'application/json'; script.textContent = JSON.stringify(arguments[0]);
        figure.removeAttribute('src'); figure.append(script); figure.open()";
    page.evaluate(inline, &[claimed]);
    assert_eq!(told(&page, "far", "verdict")["sentence"], OVERWRITTEN);
    page.enter(&frame_of("far"));
    page.wait_for_none(".notice");
    page.leave();
    page.assert_quiet_console();
}
