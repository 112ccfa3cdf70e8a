//! The figure in other people's pages: the messages between the two, the element, and what is left without scripts and in print.

use fenceline_e2e::hosts::frame_of;
use fenceline_e2e::opening::{FENCED, OVERWRITTEN, PAUSE_END, VERDICT};
use fenceline_e2e::{Page, View, WITHOUT_WASM};
use serde_json::{Value, json};

const RAW: &str = "document.querySelector('#place iframe')";

/// The first message of that kind that the host has heard with these fields, and forgets it.
fn heard(page: &Page, kind: &str, with: &Value) -> Value {
    let script = "const [kind, fields] = arguments;
        const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        const at = heard.findIndex((of) => of.type === kind && Object.keys(fields).every((name) => same(of[name], fields[name])));
        return at < 0 ? null : heard.splice(at, 1)[0]";
    page.wait_for_value(&format!("a message {kind} with {with}"), script, &[kind.into(), with.clone()])
}

fn say(page: &Page, message: &Value) {
    page.evaluate("say(arguments[0])", std::slice::from_ref(message));
}

/// A page that frames the figure itself, once the figure has said what it shows.
fn raw() -> Page {
    let page = Page::open(View::DESKTOP, "hosts/raw.html");
    let ready = heard(&page, "ready", &json!({ "fenceline": 1 }));
    assert!(ready["height"].as_f64().is_some_and(|height| (200.0..1_200.0).contains(&height)), "{ready}");
    let verdict = heard(&page, "verdict", &json!({ "class": "fenced" }));
    assert_eq!(verdict["sentence"], FENCED);
    assert_eq!((&verdict["counts"]["accepted"], &verdict["counts"]["stale_rejected"]), (&json!(1), &json!(1)));
    assert_eq!(verdict["properties"]["no-overwrite"], json!(true));
    page
}

/// A document of the tests: A's late write is stopped by nothing.
fn unguarded() -> Value {
    let text = include_str!("../hosts/story.json");
    serde_json::from_str(text).expect("a document of the tests")
}

#[test]
fn host_and_figure_exchange_each_message() {
    let page = raw();
    say(&page, &json!({ "fenceline": 1, "type": "hello", "id": 1 }));
    heard(&page, "ready", &json!({ "id": 1 }));
    say(&page, &json!({ "fenceline": 1, "type": "get", "id": 2 }));
    let state = heard(&page, "state", &json!({ "id": 2 }));
    assert_eq!(state["fragment"], "p=paused-worker");
    let scenario: Value = serde_json::from_str(state["scenario"].as_str().unwrap_or_default()).expect("a document");
    assert_eq!(scenario["title"], "Paused worker overwrites a newer report");

    say(&page, &json!({ "fenceline": 1, "type": "set", "id": 3, "scenario": unguarded().to_string() }));
    let state = heard(&page, "state", &json!({ "id": 3 }));
    assert!(state["fragment"].as_str().is_some_and(|fragment| fragment.contains("s=1")), "{state}");
    assert_eq!(heard(&page, "verdict", &json!({ "class": "corrupting" }))["sentence"], OVERWRITTEN);
    say(
        &page,
        &json!({ "fenceline": 1, "type": "set", "id": 4, "link": "https://example.org/#p=paused-worker&at=20s" }),
    );
    assert_eq!(heard(&page, "state", &json!({ "id": 4 }))["fragment"], "p=paused-worker&at=20s");
    heard(&page, "verdict", &json!({ "class": "fenced" }));

    say(&page, &json!({ "fenceline": 1, "type": "theme", "theme": "dark" }));
    page.enter(RAW);
    page.wait_for("html[data-theme=dark]");
    page.drag(PAUSE_END, -(page.area(".scrubber").width * 0.4) as i32, 0);
    page.leave();
    let change = heard(&page, "change", &json!({}));
    assert!(change["fragment"].as_str().is_some_and(|fragment| fragment.contains("of=paused-worker")), "{change}");
    heard(&page, "verdict", &json!({ "fenceline": 1 }));
    // What the host set itself was no news to it.
    assert_eq!(page.evaluate("return heard.filter((of) => of.type === 'change').length", &[]), json!(0));
    page.assert_quiet_console();
}

#[test]
fn a_message_that_cannot_be_taken_is_answered_with_a_reason_and_changes_nothing() {
    let page = raw();
    let long = "x".repeat(64 * 1_024 + 1);
    let mut invalid = unguarded();
    invalid["leases"][0]["ttl"] = json!("0s");
    for (id, code, message) in [
        (1, "version", json!({ "fenceline": 2, "type": "get" })),
        (2, "type", json!({ "fenceline": 1, "type": "eval" })),
        (3, "shape", json!({ "fenceline": 1, "type": "get", "script": "alert(1)" })),
        (4, "shape", json!({ "fenceline": 1, "type": "set", "scenario": { "version": 1 } })),
        (5, "size", json!({ "fenceline": 1, "type": "set", "scenario": long })),
        (6, "scenario", json!({ "fenceline": 1, "type": "set", "scenario": "<img src=x onerror=alert(1)>" })),
        (7, "scenario", json!({ "fenceline": 1, "type": "set", "scenario": invalid.to_string() })),
        (8, "link", json!({ "fenceline": 1, "type": "set", "link": "p=no-such-preset" })),
        (9, "link", json!({ "fenceline": 1, "type": "set", "link": "s=1z.AAAA" })),
    ] {
        let mut message = message;
        message["id"] = json!(id);
        say(&page, &message);
        let error = heard(&page, "error", &json!({ "id": id }));
        assert_eq!(error["code"], code, "{error}");
        if id == 7 {
            assert_eq!(error["problems"][0]["path"], "/leases/0/ttl");
        }
    }
    // What is no message of this protocol is not answered.
    for other in [json!(null), json!("get"), json!([1]), json!({ "type": "get", "id": 10 })] {
        say(&page, &other);
    }
    say(&page, &json!({ "fenceline": 1, "type": "get", "id": 11 }));
    assert_eq!(heard(&page, "state", &json!({ "id": 11 }))["fragment"], "p=paused-worker");
    assert_eq!(page.evaluate("return heard", &[]), json!([]));
}

#[test]
fn a_message_from_elsewhere_is_ignored_by_the_figure() {
    let page = raw();
    let set = json!({ "fenceline": 1, "type": "set", "id": 666, "scenario": unguarded().to_string() });
    // From a frame beside it, and from the figure's own window.
    page.enter("document.querySelector('.stranger')");
    page.evaluate("parent.frames[0].postMessage(arguments[0], '*')", std::slice::from_ref(&set));
    page.leave();
    page.enter(RAW);
    page.evaluate("window.postMessage(arguments[0], '*')", &[set]);
    page.leave();
    say(&page, &json!({ "fenceline": 1, "type": "get", "id": 1 }));
    assert_eq!(heard(&page, "state", &json!({ "id": 1 }))["fragment"], "p=paused-worker");
    assert_eq!(page.evaluate("return heard", &[]), json!([]));
    page.assert_quiet_console();
}

/// A page with several elements.
fn chapter(view: View) -> Page {
    let page = Page::open(view, "hosts/two.html");
    page.wait_until("the elements", || page.evaluate("return Boolean(window.inside?.shadowRoot)", &[]) == json!(true));
    page
}

fn told(page: &Page, figure: &str, kind: &str) -> Value {
    let script = "return told.findLast((of) => of.figure === arguments[0] && of.type === arguments[1])?.detail ?? null";
    page.wait_for_value(&format!("{figure} to tell {kind}"), script, &[figure.into(), kind.into()])
}

fn height_of(page: &Page, id: &str) -> f64 {
    page.evaluate(&format!("return {}.getBoundingClientRect().height", frame_of(id)), &[]).as_f64().unwrap_or_default()
}

/// Presses the button of an element.
fn press(page: &Page, id: &str) {
    page.focus(&format!("#{id}"));
    page.evaluate("document.getElementById(arguments[0]).shadowRoot.querySelector('button').focus()", &[id.into()]);
    page.keys("Enter");
}

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

#[test]
fn a_figure_has_the_height_and_the_stretch_that_its_author_gave_it() {
    let page = Page::open(View::DESKTOP, "?embed=1&height=400&step=20s-55s#p=paused-worker");
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for(".zoomed");
    assert!((page.area(".embed").height - 400.0).abs() < 0.5);
    let link = page.attribute(".foot a", "href").unwrap_or_default();
    assert!(link.contains("zoom=20s-55s"), "{link}");
    // The foot is within it, and what does not fit scrolls.
    let (whole, foot) = (page.area(".embed"), page.area(".foot"));
    assert!(foot.y + foot.height <= whole.y + whole.height + 0.5);
    let scrolls = "const e = document.querySelector('.timeline-scroll'); return e.scrollHeight > e.clientHeight";
    assert_eq!(page.evaluate(scrolls, &[]), json!(true));
    page.assert_accessible("a figure of a fixed height");
    // A link that says itself what it looks at is looked at so.
    page.visit("?embed=1&step=20s-55s#p=paused-worker&zoom=0s-10s");
    page.wait_until("the link's own stretch", || {
        page.attribute(".foot a", "href").is_some_and(|href| href.contains("zoom=0s-10s"))
    });
    for none in ["height=9999&step=55s-20s", "height=tall&step=%3Cb%3E", "height=&step="] {
        page.visit(&format!("?embed=1&{none}#p=paused-worker"));
        page.wait_for_text(VERDICT, FENCED);
        page.wait_for_none(".zoomed, .embed.fixed");
    }
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
