//! The workshop with workers and a module that the test has in its hands; what answers is the explorer itself.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use fenceline_engine::{Bounds, Scenario};
use fenceline_explorer::Session;
use fenceline_explorer::protocol::{Answer, Place, Request, Work, decode};
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use leptos::mount::mount_to_body;
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::super::Explorer;
use super::{Task, Workshop};
use crate::app::OPENING;

/// Workers that do nothing of their own: what each is sent is kept in it.
const WORKERS: &str = "globalThis.workers = [];
    globalThis.fencelineModule = () => Promise.reject();
    globalThis.fencelineWorker = () => {
      const value = (of) => ({ value: of, writable: true });
      const worker = Object.create(Worker.prototype, {
        onmessage: value(null), onerror: value(null), sent: value([]), ended: value(false),
        postMessage: value((message) => worker.sent.push(message)), terminate: value(() => { worker.ended = true; }),
      });
      globalThis.workers.push(worker);
      return worker;
    };";

/// What a function of one argument returns.
fn js(body: &str, argument: &JsValue) -> JsValue {
    Function::new_with_args("it", body).call1(&JsValue::NULL, argument).expect("the script runs")
}

/// How many workers there have been.
fn workers() -> usize {
    js("return globalThis.workers.length", &JsValue::NULL).as_f64().unwrap_or(0.0) as usize
}

/// The last worker says this.
fn says(data: &JsValue) {
    js("globalThis.workers.at(-1).onmessage({ data: it })", data);
}

/// The last worker breaks down.
fn breaks_down() {
    js("globalThis.workers.at(-1).onerror(new Event('error'))", &JsValue::NULL);
}

/// What the last worker was sent, from the first message on.
fn sent() -> Vec<Vec<u8>> {
    let all: Array = js("return globalThis.workers.at(-1).sent", &JsValue::NULL).unchecked_into();
    all.iter().map(|message| message.unchecked_into::<Uint8Array>().to_vec()).collect()
}

/// The last worker starts, and does all that it was sent.
fn does_it_all() {
    says(&JsValue::TRUE);
    let mut session = Session::new();
    for message in sent() {
        session.hear(&message);
    }
    while session.has_work() {
        let said = session.go_on(|| 0.0, 1.0);
        says(&Uint8Array::from(&said[..]).into());
    }
}

/// From now on the page can load the explorer itself. Gives how often it does.
fn module() -> Rc<Cell<u32>> {
    let session = Rc::new(RefCell::new(Session::new()));
    let module = JsValue::from(Object::new());
    let set = |name: &str, closure: JsValue| {
        Reflect::set(&module, &name.into(), &closure).expect("an object takes a function");
    };
    let of = Rc::clone(&session);
    let hear = Closure::<dyn Fn(Uint8Array)>::new(move |message: Uint8Array| of.borrow_mut().hear(&message.to_vec()));
    set("hear", hear.into_js_value());
    let of = Rc::clone(&session);
    set("has_work", Closure::<dyn Fn() -> bool>::new(move || of.borrow().has_work()).into_js_value());
    let go_on = move |slice| Uint8Array::from(&session.borrow_mut().go_on(|| 0.0, slice)[..]);
    set("go_on", Closure::<dyn Fn(f64) -> Uint8Array>::new(go_on).into_js_value());
    let loads = Rc::new(Cell::new(0));
    let counts = Rc::clone(&loads);
    let load = move || {
        counts.set(counts.get() + 1);
        Promise::resolve(&module)
    };
    let load = Closure::<dyn Fn() -> Promise>::new(load).into_js_value();
    js("globalThis.fencelineModule = it", &load);
    loads
}

/// Answers by who heard them.
type Heard = Rc<RefCell<Vec<(&'static str, Answer)>>>;

fn hear(heard: &Heard, name: &'static str) -> impl Fn(Answer) + 'static {
    let heard = Rc::clone(heard);
    move |answer| heard.borrow_mut().push((name, answer))
}

/// Who has had a last answer, in that order.
fn done(heard: &Heard) -> Vec<&'static str> {
    heard.borrow().iter().filter(|(_, answer)| answer.is_last()).map(|(name, _)| *name).collect()
}

/// Waits until so many jobs are done.
async fn until_done(heard: &Heard, count: usize) {
    for _ in 0..300 {
        if done(heard).len() >= count {
            return;
        }
        let soon = js("return new Promise((done) => setTimeout(done, 10))", &JsValue::NULL);
        let _ = JsFuture::from(soon.unchecked_into::<Promise>()).await;
    }
    panic!("only these were done in time: {:?}", done(heard));
}

fn opening() -> Arc<Scenario> {
    Arc::new(Scenario::from_json(OPENING).unwrap_or_default())
}

/// A workshop, and what is heard of it.
fn shop() -> (Workshop, Heard) {
    // A page that is mounted can wait for what it loads, and so can this one.
    mount_to_body(|| ());
    js(WORKERS, &JsValue::NULL);
    (Workshop::default(), Heard::default())
}

const SEARCH: Work = Work::Search(Bounds { changes: 1, step: 1_000_000, max: 60_000_000, property: None });

#[test]
fn what_a_worker_says_reaches_whoever_asked_and_of_what_was_given_up_nobody_hears() {
    let (shop, heard) = shop();
    let scenario = opening();
    shop.begin(Arc::clone(&scenario), Work::FlipWrite(1), Rc::new(hear(&heard, "flip")));
    let given_up = shop.begin(Arc::clone(&scenario), SEARCH, Rc::new(hear(&heard, "search")));
    shop.begin(scenario, Work::Margins, Rc::new(hear(&heard, "margins")));
    shop.forget(given_up);
    does_it_all();
    let mut done = done(&heard);
    done.sort_unstable();
    assert_eq!(done, ["flip", "margins"]);
    assert!(heard.borrow().iter().all(|(name, answer)| *name != "search" && *answer != Answer::Failed));
    // Both are about one document, which was sent once.
    let documents = sent().iter().filter(|message| matches!(decode(message), Some(Request::Document { .. }))).count();
    assert_eq!((workers(), documents), (1, 1));
}

#[test]
fn what_an_explorer_says_that_does_not_understand_the_page_ends_all_jobs() {
    let (shop, heard) = shop();
    shop.begin(opening(), Work::Margins, Rc::new(hear(&heard, "margins")));
    says(&JsValue::TRUE);
    says(&Uint8Array::from(&[0xff_u8, 1, 2][..]).into());
    assert_eq!(*heard.borrow(), [("margins", Answer::Failed)]);
}

#[test]
async fn a_worker_that_does_not_start_costs_no_job_and_is_not_tried_again() {
    let (shop, heard) = shop();
    let loads = module();
    let scenario = opening();
    shop.begin(Arc::clone(&scenario), Work::Margins, Rc::new(hear(&heard, "first")));
    let given_up = shop.begin(Arc::clone(&scenario), SEARCH, Rc::new(hear(&heard, "given up")));
    says(&JsValue::FALSE);
    // It is on its way into the page.
    shop.forget(given_up);
    shop.begin(Arc::clone(&scenario), Work::FlipToHold, Rc::new(hear(&heard, "second")));
    until_done(&heard, 2).await;
    shop.begin(scenario, Work::FlipWrite(1), Rc::new(hear(&heard, "third")));
    until_done(&heard, 3).await;
    assert!(heard.borrow().iter().all(|(name, answer)| *name != "given up" && *answer != Answer::Failed));
    assert_eq!((workers(), loads.get()), (1, 1));
}

#[test]
async fn where_nothing_can_be_loaded_every_job_is_told_so_and_the_next_one_tries_again() {
    let (shop, heard) = shop();
    js("globalThis.fencelineWorker = () => null", &JsValue::NULL);
    let scenario = opening();
    shop.begin(Arc::clone(&scenario), Work::Margins, Rc::new(hear(&heard, "first")));
    until_done(&heard, 1).await;
    assert_eq!(*heard.borrow(), [("first", Answer::Failed)]);
    module();
    shop.begin(scenario, Work::Margins, Rc::new(hear(&heard, "second")));
    until_done(&heard, 2).await;
    assert_ne!(heard.borrow().last().map(|(_, answer)| answer.clone()), Some(Answer::Failed));
}

#[test]
fn a_worker_that_breaks_down_ends_its_jobs_and_the_next_job_has_another() {
    let (shop, heard) = shop();
    let scenario = opening();
    shop.begin(Arc::clone(&scenario), SEARCH, Rc::new(hear(&heard, "first")));
    says(&JsValue::TRUE);
    breaks_down();
    assert_eq!(*heard.borrow(), [("first", Answer::Failed)]);
    assert_eq!(js("return globalThis.workers[0].ended", &JsValue::NULL), JsValue::TRUE);
    shop.begin(scenario, Work::Margins, Rc::new(hear(&heard, "second")));
    assert_eq!(workers(), 2);
    does_it_all();
    assert_eq!(done(&heard), ["first", "second"]);
}

#[test]
fn a_job_is_stopped_where_it_is_also_before_anything_of_it_was_done() {
    let (shop, heard) = shop();
    let job = shop.begin(opening(), SEARCH, Rc::new(hear(&heard, "search")));
    shop.stop(job);
    assert_eq!(*heard.borrow(), [("search", Answer::Stopped(Place::default()))]);
    does_it_all();
    assert_eq!(heard.borrow().len(), 1, "{:?}", heard.borrow());
}

#[test]
fn a_task_that_is_replaced_or_whose_owner_is_gone_hears_nothing_more() {
    let (_, heard) = shop();
    let page = Owner::new();
    let panel = page.with(|| {
        provide_context(Explorer::new());
        Owner::new()
    });
    let task = panel.with(Task::new);
    task.start(opening(), Work::Margins, hear(&heard, "first"));
    task.start(opening(), Work::Margins, hear(&heard, "second"));
    does_it_all();
    assert_eq!(done(&heard), ["second"]);
    task.start(opening(), Work::Margins, hear(&heard, "third"));
    panel.cleanup();
    assert!(sent().last().is_some_and(|message| matches!(decode(message), Some(Request::Forget(_)))));
    does_it_all();
    assert_eq!(done(&heard), ["second"]);
    // Whatever is still asked of it is asked of nobody.
    task.stop();
    task.give_up();
    page.cleanup();
    assert_eq!(js("return globalThis.workers[0].ended", &JsValue::NULL), JsValue::TRUE, "nobody needs it any more");
}
