//! The page around this one, when this one stands in a frame: what it posts, and what it is posted.
//!
//! Invariant: only what the page around says itself is heard, never another frame or this window. What is posted goes to
//! whoever embeds, so nothing secret is ever posted; a sandboxed frame has no origin by which it could choose.

use js_sys::{Array, JsString, Object, Reflect};
use leptos::prelude::{Owner, StoredValue, WithValue, on_cleanup, window, window_event_listener};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, ResizeObserver, Window};

/// The most fields of a message that are looked at.
const MOST_FIELDS: u32 = 12;

/// The longest name of a field, in UTF-16 units.
const MOST_NAME: u32 = 40;

/// One field of a message that came.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// A text.
    Text(String),
    /// A text that is too long to be looked at.
    TooLong,
    /// A number.
    Number(f64),
    /// Anything else.
    Other,
}

/// A value of a message that is posted.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// True or false.
    Is(bool),
    /// Values in order.
    List(Vec<Value>),
    /// Values by name.
    Object(Vec<(&'static str, Value)>),
}

/// The page around this one.
pub struct Around(Window);

impl Around {
    /// It, when there is one.
    pub fn find() -> Option<Self> {
        let window = window();
        let parent = window.parent().ok().flatten()?;
        (AsRef::<JsValue>::as_ref(&parent) != AsRef::<JsValue>::as_ref(&window)).then_some(Self(parent))
    }

    /// Posts a message to it.
    pub fn post(&self, message: &Value) {
        // It may be on its way out, with nobody left to hear.
        let _ = self.0.post_message(&to_js(message), "*");
    }

    /// Calls `each` with each message of it that is an object with a field of that name, for as long as the current owner
    /// lives. Texts of more than `most` UTF-16 units are not copied.
    pub fn listen(&self, named: &'static str, most: u32, each: impl Fn(Vec<(String, Field)>) + 'static) {
        let around: JsValue = self.0.clone().into();
        let heard = window_event_listener(leptos::ev::message, move |event| {
            if event.source().is_some_and(|source| JsValue::from(source) == around)
                && let Some(fields) = fields(&event.data(), named, most)
            {
                each(fields);
            }
        });
        if Owner::current().is_some() {
            on_cleanup(move || heard.remove());
        }
    }
}

/// The fields of an object that has one of that name.
fn fields(data: &JsValue, named: &str, most: u32) -> Option<Vec<(String, Field)>> {
    let object = data.dyn_ref::<Object>().filter(|object| !Array::is_array(object))?;
    Reflect::has(object, &named.into()).ok().filter(|has| *has)?;
    let field = |name: JsValue| {
        let value = Reflect::get(object, &name).unwrap_or_default();
        let name = name.unchecked_into::<JsString>().slice(0, MOST_NAME);
        let field = match (value.dyn_ref::<JsString>(), value.as_f64()) {
            (Some(text), _) if text.length() > most => Field::TooLong,
            (Some(text), _) => Field::Text(text.into()),
            (None, Some(number)) => Field::Number(number),
            (None, None) => Field::Other,
        };
        (String::from(name), field)
    };
    Some(Object::keys(object).slice(0, MOST_FIELDS).iter().map(field).collect())
}

/// A value as the browser has it.
fn to_js(value: &Value) -> JsValue {
    match value {
        Value::Text(text) => text.into(),
        Value::Number(number) => (*number).into(),
        Value::Is(is) => (*is).into(),
        Value::List(values) => values.iter().map(to_js).collect::<Array>().into(),
        Value::Object(fields) => {
            let object = Object::new();
            for (name, value) in fields {
                // A new object takes any field.
                let _ = Reflect::set(&object, &(*name).into(), &to_js(value));
            }
            object.into()
        }
    }
}

/// Calls `changed` with the height of `element` with its edges, at first at once, then after each layout that changes its
/// size, for as long as the current owner lives.
pub fn watch_height(element: &Element, changed: impl Fn(f64) + 'static) {
    changed(element.get_bounding_client_rect().height());
    let watched = element.clone();
    let callback = Closure::<dyn FnMut()>::new(move || changed(watched.get_bounding_client_rect().height()));
    let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) else { return };
    observer.observe(element);
    if Owner::current().is_some() {
        let kept = StoredValue::new_local((observer, callback));
        on_cleanup(move || kept.with_value(|(observer, _)| observer.disconnect()));
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use js_sys::JSON;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn read(json: &str) -> Option<Vec<(String, Field)>> {
        fields(&JSON::parse(json).expect("a test's own JSON"), "fenceline", 8)
    }

    #[test]
    fn only_an_object_with_the_field_is_a_message() {
        for other in ["null", "7", "\"fenceline\"", "[]", "{}", "{\"type\":\"set\"}"] {
            assert_eq!(read(other), None, "{other}");
        }
        let found = read("{\"fenceline\":1,\"type\":\"get\",\"list\":[1],\"long\":\"123456789\"}");
        let expected = [
            ("fenceline", Field::Number(1.0)),
            ("type", Field::Text("get".into())),
            ("list", Field::Other),
            ("long", Field::TooLong),
        ];
        assert_eq!(found, Some(expected.map(|(name, field)| (name.to_owned(), field)).to_vec()));
    }

    #[test]
    fn a_message_of_a_thousand_long_names_is_cut() {
        let many: Vec<_> = (0..1_000).map(|at| format!("\"{}{at}\":0", "x".repeat(200))).collect();
        let found = read(&format!("{{\"fenceline\":1,{}}}", many.join(","))).expect("it has the field");
        assert_eq!(found.len(), 12);
        assert!(found.iter().all(|(name, _)| name.len() <= 40));
    }

    #[test]
    fn what_is_posted_is_what_was_meant() {
        let inner = Value::List(vec![Value::Number(1.0), Value::Is(false), Value::Text("</script>".into())]);
        let posted = JSON::stringify(&to_js(&Value::Object(vec![("a", inner)]))).map(String::from);
        assert_eq!(posted.as_deref().ok(), Some("{\"a\":[1,false,\"</script>\"]}"));
    }

    #[test]
    fn a_page_that_is_not_in_a_frame_has_none_around_it() {
        // The tests run in a page of their own, or in a frame of the runner's: then the one is there, and is another window.
        let around = Around::find().map(|around| JsValue::from(around.0));
        assert!(around.is_none_or(|around| around != JsValue::from(window())));
    }
}
