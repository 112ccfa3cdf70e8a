//! The picture of a run: its geometry as a [`Scene`], and a painter that writes it as static SVG.
//!
//! It exists so that the page and the picture in a document are one picture: both paint the same scene. It is pure: no
//! DOM, no clock, no fonts; the same scenario and width give the same text on every platform.
//!
//! ```text
//! scene(&Scenario, &Trace, &View) -> Scene                    lay out a run for a width
//! fit(&Trace) -> TimeWindow                                   the window that a view without one shows
//! dragged(&Scenario, &Trace, HandleId, Micros) -> Scenario    the edit that a drag means, limits applied
//! with_value(&Scenario, &Trace, HandleId, Micros) -> Scenario the edit that a typed value or a key means
//! grip(&Scene, &Handle, GripState) -> Vec<Shape>              a handle at rest or selected (ring, bubble, dimension)
//! strip(&Scenario, &Trace, &Handle, TimeWindow) -> Strip      the race window of a handle, and strip_shapes to draw it
//! static_svg(&Scenario, &Trace, &Options) -> String           the picture as a document
//! svg::markup(&[Shape], &mut String)                          shapes as SVG text, for a painter that sets markup
//! MARKS_CSS, DEFS                                             the style sheet and the patterns, for both painters
//! ```
//!
//! ```
//! use fenceline_engine::{Scenario, run};
//! use fenceline_figure::{Options, View, scene, static_svg};
//!
//! let scenario = Scenario::from_json(r#"{
//!     "version": 1,
//!     "resources": [{ "id": "report" }],
//!     "workers": [{ "id": "A", "plan": [{ "do": "write", "resource": "report", "value": "v", "token": 41 }] }]
//! }"#).expect("the document is valid");
//! let trace = run(&scenario).expect("the scenario is valid");
//!
//! let scene = scene(&scenario, &trace, &View::live(1000.0));
//! assert_eq!(scene.lanes.len(), 2);
//! assert!(static_svg(&scenario, &trace, &Options::default()).starts_with("<svg"));
//! ```
#![deny(missing_docs)]

pub mod drag;
pub mod glyph;
pub mod grip;
pub mod handle;
mod head;
mod layout;
mod legible;
mod measure;
pub mod palette;
mod place;
pub mod projection;
pub mod scene;
pub mod strip;
pub mod svg;
pub mod words;

pub use drag::{Limits, dragged, limits, with_value};
pub use glyph::Glyph;
pub use grip::{GripState, grip};
pub use handle::{GripShape, Handle, HandleId};
pub use layout::scene;
pub use projection::{TimeScale, TimeWindow, fit};
pub use scene::{Anchor, Item, ItemId, LaneBox, Layer, Layout, Rect, Scene, Shape, Text, View};
pub use strip::{Band, Strip, strip, strip_shapes, told, turned};
pub use svg::{Options, Theme, static_svg};

pub use words::{duration, exact, nearly, signed};

/// The style sheet of the marks, in terms of the colour tokens. The page links it, the static picture carries it.
pub const MARKS_CSS: &str = include_str!("marks.css");

/// The patterns that the style sheet fills with, as an SVG `<defs>` element. They must be in the same document.
pub const DEFS: &str = include_str!("defs.svg");
