//! A browser in front of the built page, and what a person does with it.
//!
//! Tests are plain functions: [`Page`] speaks `WebDriver` behind calls that wait for their answer, and ends its browser when it goes
//! out of scope, also when the test panics. Each test has its own driver and its own browser, because two of the three drivers
//! keep one session each, and because a test then finds nothing that another has left.
//!
//! `cargo xtask test` builds the page into `dist/`, names the browser in `FENCELINE_BROWSER` and its driver in `FENCELINE_DRIVER`.
//! Without them the tests run in Chromium, through the `chromedriver` on PATH; [`Page::assert_accessible`] also needs the path of
//! axe-core's script, in `FENCELINE_AXE`, and the tests of the one file and of the documentation their places, in `FENCELINE_BUNDLE` and
//! `FENCELINE_BOOK`.
//!
//! ```no_run
//! use fenceline_e2e::{Page, View};
//!
//! let page = Page::open(View::DESKTOP, "");
//! page.drag("#pause-end", -120, 0);
//! page.wait_for_text("#verdict", "accepted");
//! page.keys("Control+z");
//! page.wait_for_text("#verdict", "rejected");
//! ```

// Every method panics when the page or the browser is not as it should be: that is how a test fails. [`Page`] says it once for all.
#![allow(clippy::missing_panics_doc)]

mod act;
mod axe;
pub mod chapter;
mod console;
mod driver;
mod gestures;
pub mod hosts;
mod input;
pub mod inspecting;
mod look;
pub mod opening;
mod page;
mod paper;
mod server;
mod view;

pub use input::Pointer;
pub use look::Area;
pub use page::Page;
pub use paper::Paper;
pub use server::{BOOK, DRIP, FLOOD, WITHOUT_WASM, WITHOUT_WORKER, is_sending};
pub use view::View;
