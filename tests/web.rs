//! The page in a real browser, without a driver: mounted, acted on through the document, and read as text.

#![cfg(target_arch = "wasm32")]

use fenceline::App;
use leptos::prelude::*;
use leptos::task::tick;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, KeyboardEvent, KeyboardEventInit, PointerEvent, PointerEventInit};

wasm_bindgen_test_configure!(run_in_browser);

/// The page, in an element of its own that goes when it does.
struct Mounted {
    root: HtmlElement,
    _mounted: Box<dyn std::any::Any>,
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.root.remove();
    }
}

impl Mounted {
    async fn new() -> Self {
        let root: HtmlElement = document().create_element("div").expect("an element").unchecked_into();
        document().body().expect("a body").append_child(&root).expect("the body takes an element");
        let style = document().create_element("style").expect("an element");
        // Where the handles lie over the drawing decides which one a pointer takes.
        style.set_text_content(Some(include_str!("../style/timeline.css")));
        root.append_child(&style).expect("an element takes a style");
        let mounted = leptos::mount::mount_to(root.clone(), App);
        tick().await;
        Self { root, _mounted: Box::new(mounted) }
    }

    fn all(&self, css: &str) -> Vec<Element> {
        let found = self.root.query_selector_all(css).expect("a selector");
        (0..found.length()).filter_map(|index| found.get(index)).map(JsCast::unchecked_into).collect()
    }

    fn one(&self, css: &str) -> HtmlElement {
        let found = self.root.query_selector(css).expect("a selector");
        found.unwrap_or_else(|| panic!("no {css}")).unchecked_into()
    }

    fn text(&self, css: &str) -> String {
        self.one(css).text_content().unwrap_or_default()
    }

    fn verdict(&self) -> String {
        self.text("#verdict")
    }

    async fn click(&self, css: &str) {
        self.one(css).click();
        tick().await;
    }

    async fn key(&self, css: &str, key: &str, control: bool) {
        let init = KeyboardEventInit::new();
        init.set_key(key);
        init.set_bubbles(true);
        init.set_cancelable(true);
        init.set_ctrl_key(control);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).expect("an event");
        self.one(css).dispatch_event(&event).expect("the event is well formed");
        tick().await;
    }

    async fn pointer(&self, css: &str, kind: &str, (x, y): (f64, f64)) {
        let init = PointerEventInit::new();
        init.set_pointer_id(7);
        init.set_is_primary(true);
        init.set_button(if kind == "pointermove" { -1 } else { 0 });
        init.set_buttons(u16::from(kind != "pointerup"));
        init.set_client_x(x.round() as i32);
        init.set_client_y(y.round() as i32);
        init.set_bubbles(true);
        let event = PointerEvent::new_with_event_init_dict(kind, &init).expect("an event");
        self.one(css).dispatch_event(&event).expect("the event is well formed");
        tick().await;
    }

    /// A drag is worked out once a frame.
    async fn frame(&self) {
        let promise = js_sys::Promise::new(&mut |done, _| {
            request_animation_frame(move || drop(done.call0(&wasm_bindgen::JsValue::NULL)));
        });
        wasm_bindgen_futures::JsFuture::from(promise).await.expect("a frame comes");
        tick().await;
    }

    fn middle(&self, css: &str) -> (f64, f64) {
        let area = self.one(css).get_bounding_client_rect();
        (area.x() + area.width() / 2.0, area.y() + area.height() / 2.0)
    }
}

const PAUSE: &str = "#handle-pause-end-0-0";
const FENCED: &str = "Fenced: A’s stale write (41) was rejected — the report remembers 42";

#[wasm_bindgen_test]
async fn the_page_opens_on_the_fenced_story() {
    let page = Mounted::new().await;
    assert_eq!(page.verdict(), FENCED);
    assert_eq!(page.text("[data-count=accepted] dd"), "1");
    assert_eq!(page.text("[data-count=fenced] dd"), "1");
    assert_eq!(page.text("[data-count=corrupting] dd"), "0");
    assert_eq!(page.text("[data-count=refused] dd"), "0");
    assert_eq!(page.all(".segment").len(), 7);
    assert!(page.text(".story").contains("A’s ‘stale report’ is rejected: 41 is not above 42"));
    assert!(page.text(".comparison").contains("41 > 42 is false, so the write is rejected."));
}

#[wasm_bindgen_test]
async fn the_drawing_holds_svg_elements_of_every_kind() {
    let page = Mounted::new().await;
    for tag in ["rect", "line", "path", "text", "use"] {
        let found = page.all(&format!("svg.drawing > g > g > {tag}"));
        assert!(!found.is_empty(), "no {tag} directly in a group of the drawing");
        assert_eq!(found[0].namespace_uri().as_deref(), Some("http://www.w3.org/2000/svg"));
    }
    for id in ["fl-pause", "fl-untrue-a", "o-fenced", "u-undo"] {
        let found = page.one(&format!("[id={id}]"));
        assert_eq!(found.namespace_uri().as_deref(), Some("http://www.w3.org/2000/svg"), "{id}");
        assert!(found.child_element_count() > 0, "{id} is empty");
    }
}

#[wasm_bindgen_test]
async fn choosing_a_guard_changes_the_verdict_and_undo_brings_it_back() {
    let page = Mounted::new().await;
    assert_eq!(page.text("[data-guard=none] .gives"), "A overwrites B");
    page.click("input[value=none]").await;
    assert_eq!(page.verdict(), "Overwritten: A’s stale write (41) replaced B’s newer report");
    page.click("[aria-label=Undo]").await;
    assert_eq!(page.verdict(), FENCED);
    page.click("[aria-label=Redo]").await;
    assert!(page.verdict().starts_with("Overwritten"));
}

#[wasm_bindgen_test]
async fn keys_move_a_handle_and_its_value_is_there_to_be_read() {
    let page = Mounted::new().await;
    let value = || page.one(PAUSE).get_attribute("aria-valuetext").unwrap_or_default();
    assert_eq!(value(), "45.0 seconds, stale write rejected");
    page.key(PAUSE, "ArrowLeft", false).await;
    assert_eq!(value(), "44.9 seconds, stale write rejected");
    for _ in 0..8 {
        page.key(PAUSE, "PageDown", false).await;
    }
    assert_eq!(value(), "4.9 seconds, accepted");
    assert_eq!(page.one(PAUSE).get_attribute("aria-valuenow").as_deref(), Some("4.9"));
    assert_eq!(page.text("[data-count=accepted] dd"), "2");
    page.key(PAUSE, "z", true).await;
    assert_eq!(value(), "45.0 seconds, stale write rejected", "one run of key presses is one step");
}

#[wasm_bindgen_test]
async fn keys_take_the_end_of_work_through_a_pause() {
    // A's work begins at 0.4 s and its pause at 5 s: work of 4.6 s or more ends at the resume or after, less than that
    // before the pause. No end of work lies in between, and a key must not stop there.
    const WORK: &str = "#handle-work-end-0-1";
    let page = Mounted::new().await;
    let value = || page.one(WORK).get_attribute("aria-valuetext").unwrap_or_default();
    assert!(value().starts_with("5.0 seconds"), "{}", value());
    page.one(WORK).focus().expect("a handle can be focused");
    page.frame().await;
    for _ in 0..6 {
        page.key(WORK, "ArrowLeft", false).await;
    }
    assert!(value().starts_with("4.4 seconds"), "{}", value());
    for _ in 0..6 {
        page.key(WORK, "ArrowRight", false).await;
    }
    assert!(value().starts_with("5.0 seconds"), "{}", value());
    assert_eq!(page.verdict(), FENCED);
}

#[wasm_bindgen_test]
async fn the_timeline_is_one_tab_stop_that_the_arrows_walk() {
    let page = Mounted::new().await;
    let stops = || page.all(".handles [role=slider][tabindex='0']").iter().map(Element::id).collect::<Vec<_>>();
    assert_eq!(stops(), ["handle-pause-end-0-0"]);
    page.key(PAUSE, "ArrowUp", false).await;
    assert_eq!(stops().len(), 1);
    assert_ne!(stops(), ["handle-pause-end-0-0"]);
    page.key(".handles", "ArrowDown", false).await;
    assert_eq!(stops(), ["handle-pause-end-0-0"]);
}

#[wasm_bindgen_test]
async fn a_drag_is_one_step_and_its_element_outlives_it() {
    let page = Mounted::new().await;
    let element = page.one(PAUSE);
    let (x, y) = page.middle(PAUSE);
    page.pointer(PAUSE, "pointerdown", (x, y)).await;
    for step in 1..=20 {
        page.pointer(PAUSE, "pointermove", (x - f64::from(step) * 10.0, y)).await;
    }
    page.pointer(PAUSE, "pointerup", (x - 200.0, y)).await;
    assert!(page.one(PAUSE).is_same_node(Some(&element)), "a handle that is made anew loses its pointer");
    let value = page.one(PAUSE).get_attribute("aria-valuetext").unwrap_or_default();
    assert!(!value.starts_with("45.0"), "{value}");
    page.click("[aria-label=Undo]").await;
    assert_eq!(page.verdict(), FENCED);
    assert_eq!(page.one("[aria-label=Undo]").get_attribute("aria-disabled").as_deref(), Some("true"));
}

#[wasm_bindgen_test]
async fn escape_in_mid_drag_puts_everything_back() {
    let page = Mounted::new().await;
    let before = page.one(PAUSE).get_attribute("aria-valuetext");
    let (x, y) = page.middle(PAUSE);
    page.pointer(PAUSE, "pointerdown", (x, y)).await;
    page.pointer(PAUSE, "pointermove", (x - 50.0, y)).await;
    page.frame().await;
    assert_ne!(page.one(PAUSE).get_attribute("aria-valuetext"), before, "the drag is shown while it lasts");
    page.key(PAUSE, "Escape", false).await;
    page.pointer(PAUSE, "pointermove", (x - 90.0, y)).await;
    page.pointer(PAUSE, "pointerup", (x - 90.0, y)).await;
    page.frame().await;
    assert_eq!(page.one(PAUSE).get_attribute("aria-valuetext"), before);
    assert_eq!(page.one("[aria-label=Undo]").get_attribute("aria-disabled").as_deref(), Some("true"));
}

#[wasm_bindgen_test]
async fn a_chosen_write_is_shown_in_every_place() {
    let page = Mounted::new().await;
    let rows = page.all(".story button[data-write]");
    assert_eq!(rows.len(), 2, "one row for each decision");
    rows[0].clone().unchecked_into::<HtmlElement>().click();
    tick().await;
    assert_eq!(rows[0].get_attribute("aria-current").as_deref(), Some("true"));
    assert_eq!(rows[1].get_attribute("aria-current"), None);
    assert!(page.text(".why").contains("B writes ‘new report’"));
    let selected = page.all("svg.drawing .fl-selected");
    assert!(!selected.is_empty());
    assert!(selected.iter().all(|group| group.get_attribute("data-write").as_deref() == Some("0")));
}
