//! The calendar: when something was done, in the reader's own time.

use std::fmt;
use std::str::FromStr;

use js_sys::{Date, Object, Reflect};
use wasm_bindgen::JsValue;

/// The last instant of the browser's calendar, in milliseconds.
const LAST: u64 = 8_640_000_000_000_000;

/// An instant of the browser's calendar, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant(u64);

impl Instant {
    /// Now.
    pub fn now() -> Self {
        Self(Date::now() as u64)
    }

    /// The instant so many milliseconds after 1970 began.
    #[cfg(test)]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// As a person reads it: `5 December 2026 at 14:03`; none where the browser has no words for it.
    pub fn words(self) -> Option<String> {
        let date = Date::new(&JsValue::from_f64(self.0 as f64));
        let wanted = Object::new();
        for (what, how) in [("dateStyle", "long"), ("timeStyle", "short")] {
            Reflect::set(&wanted, &what.into(), &how.into()).ok()?;
        }
        let words = date.to_locale_string("en-GB", &wanted).as_string()?;
        Some(fenceline_engine::visible(&words))
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Instant {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.parse().ok().filter(|millis| *millis <= LAST).map(Self).ok_or(())
    }
}
