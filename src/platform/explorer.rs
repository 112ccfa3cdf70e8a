//! The explorer's module: in a Web Worker, or loaded into the page and run there.
//!
//! Which of the two is not this file's to decide. `web/boot.js` starts both, because an `import` cannot be written here.

use js_sys::{Function, Promise, Reflect, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, MessageEvent, Worker};

/// What is heard of a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// It is ready.
    Ready,
    /// It cannot start, or has broken down.
    Gone,
    /// A message.
    Message(Vec<u8>),
}

/// A worker that runs the explorer.
pub struct InWorker {
    worker: Worker,
    // They are called as long as the worker lives.
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(Event)>,
}

impl InWorker {
    /// Starts one; none where there can be none.
    pub fn start(heard: impl Fn(Heard) + Clone + 'static) -> Option<Self> {
        let start: Function = Reflect::get(&window(), &"fencelineWorker".into()).ok()?.dyn_into().ok()?;
        let worker: Worker = start.call0(&JsValue::NULL).ok()?.dyn_into().ok()?;
        let hear = heard.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data();
            hear(match (data.as_bool(), data.dyn_into::<Uint8Array>()) {
                (Some(true), _) => Heard::Ready,
                (_, Ok(bytes)) => Heard::Message(bytes.to_vec()),
                _ => Heard::Gone,
            });
        });
        let error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            // It is dealt with: the page goes on without it.
            event.prevent_default();
            heard(Heard::Gone);
        });
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        Some(Self { worker, _message: message, _error: error })
    }

    /// Sends it a message.
    pub fn post(&self, message: &[u8]) {
        // Bytes can always be sent; what became of a worker that is gone is heard of otherwise.
        let _ = self.worker.post_message(&Uint8Array::from(message));
    }
}

impl Drop for InWorker {
    /// Ends it, in the middle of whatever it does.
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The module in the page itself.
#[derive(Clone, Debug)]
pub struct InPage {
    module: JsValue,
    hear: Function,
    has_work: Function,
    go_on: Function,
}

impl InPage {
    /// Loads it; none when it cannot be had.
    pub async fn load() -> Option<Self> {
        let load: Function = Reflect::get(&window(), &"fencelineModule".into()).ok()?.dyn_into().ok()?;
        let loading: Promise = load.call1(&JsValue::NULL, &"fenceline-explorer".into()).ok()?.dyn_into().ok()?;
        let module = JsFuture::from(loading).await.ok()?;
        let of = |name: &str| Reflect::get(&module, &name.into()).ok()?.dyn_into::<Function>().ok();
        Some(Self { hear: of("hear")?, has_work: of("has_work")?, go_on: of("go_on")?, module })
    }

    /// Sends it a message; none when it has broken down.
    #[must_use]
    pub fn post(&self, message: &[u8]) -> Option<()> {
        self.hear.call1(&self.module, &Uint8Array::from(message)).ok().map(drop)
    }

    /// Lets it work for about so many milliseconds, and gives what it says (empty: nothing) and whether there is more; none
    /// when it has broken down.
    pub fn go_on(&self, slice: f64) -> Option<(Vec<u8>, bool)> {
        let said: Uint8Array = self.go_on.call1(&self.module, &slice.into()).ok()?.dyn_into().ok()?;
        let more = self.has_work.call0(&self.module).ok()?.as_bool()?;
        Some((said.to_vec(), more))
    }
}
