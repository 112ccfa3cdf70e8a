//! What is worked out beside the page: the page stays alive meanwhile, what is stale is dropped, and where there can be no worker
//! it all comes to the same.

use std::fmt::Write as _;

use fenceline_e2e::opening::{BOUNDARY, FENCED, OVERWRITTEN, VERDICT, opened};
use fenceline_e2e::{Page, View, WITHOUT_WORKER};

/// Five workers with a hundred writes each: a thousand messages, with the replies. None holds a lease, so that no schedule
/// is stale, and a search goes through all of them.
fn thousand_messages() -> String {
    let plan = vec![r#"{"do":"write","resource":"report","value":"v"}"#; 100].join(",");
    let mut workers = String::new();
    for id in ["A", "B", "C", "D", "E"] {
        let comma = if workers.is_empty() { "" } else { "," };
        let _ = write!(workers, r#"{comma}{{"id":"{id}","plan":[{plan}]}}"#);
    }
    let resource = r#"{"id":"report","guard":"none"}"#;
    format!(r#"{{"version":1,"network":{{"delay":"0.2s"}},"resources":[{resource}],"workers":[{workers}]}}"#)
}

/// How many schedules the search has tried.
fn tried(page: &Page) -> u64 {
    let says = page.text(".progress");
    let count =
        says.split("tried ").nth(1).and_then(|rest| rest.split(" of ").next()).unwrap_or_default().replace(',', "");
    count.parse().unwrap_or_else(|_| panic!("the search should tell its count, but says {says:?}"))
}

/// How often the page gets to something else while a search tries a hundred schedules: how many turns its event loop takes. That
/// does not depend on how fast or how busy the machine is.
fn turns_of_a_hundred(page: &Page) -> f64 {
    let before = tried(page);
    page.evaluate(
        "const watch = globalThis.watched = { turns: 0 };
         const { port1, port2 } = new MessageChannel();
         port1.onmessage = () => {
           watch.turns += 1;
           if (globalThis.watched === watch) setTimeout(() => port2.postMessage(null));
         };
         port2.postMessage(null)",
        &[],
    );
    std::thread::sleep(std::time::Duration::from_secs(1));
    page.wait_until("the search to go on", || tried(page) >= before + 400);
    let turns = page.evaluate("const { turns } = globalThis.watched; globalThis.watched = null; return turns", &[]);
    turns.as_f64().unwrap_or_default() * 100.0 / (tried(page) - before) as f64
}

/// Whether the page has loaded a file of that name.
fn has_loaded(page: &Page, name: &str) -> bool {
    let all = "return performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)";
    let all: Vec<String> = serde_json::from_value(page.evaluate(all, &[])).unwrap_or_default();
    all.iter().any(|path| path.ends_with(&format!("/{name}")))
}

/// Chooses something in a list.
#[track_caller]
fn choose(page: &Page, css: &str, value: &str) {
    page.wait_for(css);
    page.evaluate(
        "const list = document.querySelector(arguments[0]);
         list.value = arguments[1];
         list.dispatchEvent(new Event('change', { bubbles: true }))",
        &[css.into(), value.into()],
    );
}

/// Takes the focus out of the form, in which keys are the fields'.
fn leave(page: &Page) {
    page.evaluate("document.activeElement.blur()", &[]);
}

#[test]
fn a_search_of_a_thousand_messages_leaves_the_page_to_the_person_and_is_stopped_by_hand() {
    let turns = ["", WITHOUT_WORKER].map(|address| {
        let page = Page::open(View::DESKTOP, address);
        page.wait_for_text(VERDICT, FENCED);
        page.open_document(&thousand_messages());
        page.click("#tab-search");
        choose(&page, "#search-property", "at-most-once");
        choose(&page, "#search-changes", "2");
        page.click(".search .bounds button");
        page.wait_for_text(".progress", "tried ");
        // The first count comes before the first step.
        page.wait_until("the search to begin", || tried(&page) > 0);
        let turns = turns_of_a_hundred(&page);
        let is_in_worker = address.is_empty();
        assert_eq!(has_loaded(&page, "explorer.js"), is_in_worker);
        assert_eq!(has_loaded(&page, "fenceline-explorer.js"), !is_in_worker, "whether the page has loaded it itself");
        page.click(".search .bounds button");
        page.wait_for_text(".search .outcome", "Stopped by hand: tried ");
        page.wait_for_none(".progress");
        if is_in_worker {
            page.assert_quiet_console();
        }
        turns
    });
    let [with, without] = turns;
    println!("turns of the page while a search tries 100 schedules: {with:.1} with a worker, {without:.1} without");
    assert!(with > 3.0 * without, "{with:.1} turns with a worker, {without:.1} without");
}

#[test]
fn what_was_searched_before_a_change_is_never_shown_after_it() {
    let page = opened(View::DESKTOP);
    page.click("#tab-search");
    // There is no such schedule: the search goes on for as long as nobody ends it.
    choose(&page, "#search-property", "at-most-once");
    choose(&page, "#search-changes", "4");
    page.click(".search .bounds button");
    page.wait_for_text(".progress", "tried ");
    leave(&page);
    page.keys("1");
    page.wait_for_text(VERDICT, OVERWRITTEN);
    page.wait_for_text(".search", "The schedule has changed since the search.");
    page.wait_for_none(".progress");
    choose(&page, "#search-property", "no-stale-write");
    // As it stands now it is broken already: that is what the next search says, and nothing of the last one comes in between.
    page.click(".search .bounds button");
    page.wait_for_text(".search .outcome", "Nothing has to change: it is broken as the schedule stands.");
    leave(&page);
    page.keys("Control+z");
    page.wait_for_text(VERDICT, FENCED);
    page.wait_for_text(".search", "The schedule has changed since the search.");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(page.count(".search .outcome"), 0);
    page.assert_quiet_console();
}

/// Goes through all that is worked out, and reads what the hand calculations of `races.rs` give.
fn explore(page: &Page) {
    page.wait_for_text("#map-words", "rejected 53 %, harmless 33 %, stale accepted 14 %");
    page.wait_for_text("[data-flip=write] p", "Shorten A’s ‘builds’ (step 2) by just over 0.4 s");
    page.click("#tab-margins");
    page.wait_for_text(".margins tbody tr:first-child", "network delay");
    page.click("#tab-search");
    choose(page, "#search-property", "no-stale-write");
    choose(page, "#search-changes", "1");
    page.click(".search .bounds button");
    page.wait_for_text(".search .outcome", "The reply delay of B’s acquire (step 1) is 13.2 s instead of 0.2 s.");
    page.wait_for_text(".search .outcome", BOUNDARY);
    choose(page, "#search-changes", "4");
    choose(page, "#search-property", "at-most-once");
    page.click(".search .bounds button");
    page.wait_for_text(".progress", "tried ");
    page.click(".search .bounds button");
    page.wait_for_text(".search .outcome", "Stopped by hand: tried ");
}

#[test]
fn where_the_policy_forbids_workers_the_page_works_it_out_itself() {
    let page = Page::open(View::DESKTOP, WITHOUT_WORKER);
    page.wait_for_text(VERDICT, FENCED);
    explore(&page);
    assert!(has_loaded(&page, "fenceline-explorer.js"), "it ran in the page");
}

#[test]
fn a_browser_without_workers_and_one_whose_worker_does_not_start_come_to_the_same() {
    let broken = "globalThis.Worker = class { postMessage() { setTimeout(() => this.onerror?.(new Event('error'))); } terminate() {} }";
    // A worker that has no `import` says that it cannot have the module.
    let refuses = "globalThis.Worker = class { postMessage() { setTimeout(() => this.onmessage?.({ data: false })); } terminate() {} }";
    let throws = "globalThis.Worker = class { constructor() { throw new Error('no') } }";
    for script in ["delete globalThis.Worker", broken, refuses, throws] {
        let page = Page::open(View::DESKTOP, "");
        if !page.before_each_load(script) {
            return;
        }
        page.reload();
        page.wait_for_text(VERDICT, FENCED);
        explore(&page);
        assert!(has_loaded(&page, "fenceline-explorer.js"), "it ran in the page");
        page.assert_quiet_console();
    }
}

#[test]
fn a_worker_that_breaks_down_ends_what_it_was_at_and_the_next_work_has_another() {
    let page = Page::open(View::DESKTOP, "");
    let kept = "const Known = Worker; globalThis.Worker = class extends Known {
        constructor(at) { super(at); globalThis.workers = [...(globalThis.workers ?? []), this]; } }";
    if !page.before_each_load(kept) {
        return;
    }
    page.reload();
    page.wait_for_text("#map-words", "rejected 53 %");
    page.click("#tab-search");
    choose(&page, "#search-property", "at-most-once");
    choose(&page, "#search-changes", "4");
    page.click(".search .bounds button");
    page.wait_for_text(".progress", "tried ");
    page.evaluate("workers.at(-1).dispatchEvent(new Event('error'))", &[]);
    page.wait_for_text(".search .outcome", "This could not be worked out");
    page.click(".search .bounds button");
    page.wait_for_text(".progress", "tried ");
    assert_eq!(page.evaluate("return workers.length", &[]), 2);
    page.click(".search .bounds button");
    page.wait_for_text(".search .outcome", "Stopped by hand: tried ");
    page.assert_quiet_console();
}

/// A worker that is told nothing until the test lets it: `letThrough()`.
const HELD_BACK: &str = "const Known = Worker, waiting = []; let open = false;
    globalThis.Worker = class extends Known {
      postMessage(...message) { open ? super.postMessage(...message) : waiting.push(() => super.postMessage(...message)) } };
    globalThis.letThrough = () => { open = true; waiting.forEach((go) => go()) }";

#[test]
fn what_comes_in_late_moves_nothing_that_a_person_is_about_to_press() {
    for view in [View::DESKTOP, View::PHONE] {
        let page = Page::open(view, "");
        if !page.before_each_load(HELD_BACK) {
            return;
        }
        page.reload();
        page.wait_for_text(VERDICT, FENCED);
        page.wait_for_text("[data-flip=write] p", "Trying every number …");
        let places = || {
            let all = "return [...document.querySelectorAll('button, select, input, summary, a')]
                .filter((of) => !of.closest('.flip, .map-key') && of.getClientRects().length > 0)
                .map((of) => { const { x, y } = of.getBoundingClientRect(); return [of.innerText, x + scrollX, y + scrollY] })";
            page.evaluate(all, &[])
        };
        let before = places();
        page.evaluate("letThrough()", &[]);
        page.wait_for_text("[data-flip=write] p", "Shorten A’s ‘builds’");
        if view == View::DESKTOP {
            page.wait_for_text("#map-words", "rejected 53 %");
        }
        assert_eq!(places(), before);
        page.assert_quiet_console();
    }
}

#[test]
fn a_panel_may_be_closed_at_any_moment_of_what_is_worked_out_in_it() {
    // One after the other, each for as many frames as it takes for the next answer to find it gone; and the map with them, since
    // there is no room for it on a phone.
    let hurry = "const frame = () => new Promise((done) => requestAnimationFrame(done));
        return (async () => {
          for (let stays = 0; stays < 12; stays += 1) {
            for (const panel of ['map', 'why', 'margins', 'search']) {
              document.querySelector(`#tab-${panel}`).click();
              await new Promise((done) => setTimeout(done));
              document.querySelector('.search .bounds button')?.click();
              for (let frames = 0; frames < stays; frames += 1) await frame();
            }
          }
        })()";
    for address in ["", WITHOUT_WORKER] {
        let page = Page::open(View::PHONE, address);
        page.wait_for_text(VERDICT, FENCED);
        page.evaluate(hurry, &[]);
        page.click("#tab-map");
        page.wait_for_text("#map-words", "rejected 53 %");
        assert_eq!(page.count("#boot-message"), 0);
        if address.is_empty() {
            page.assert_quiet_console();
        }
    }
}
