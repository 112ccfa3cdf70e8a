//! The figure in a frame of somebody else's page: the messages between the two, and what its address asks for.

use fenceline_e2e::chapter::unguarded;
use fenceline_e2e::opening::{FENCED, OVERWRITTEN, PAUSE_END, VERDICT};
use fenceline_e2e::{Page, View};
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
