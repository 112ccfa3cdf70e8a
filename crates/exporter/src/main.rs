//! The exporter: what leaves the page as files and text, in a WebAssembly module of its own.
//!
//! It exists so that a first visit does not load what few visits need: the page fetches it with the first export. Invariant: it
//! knows nothing but the document that it is given.

use fenceline_engine::{Scenario, run};
use fenceline_export::Kind;
use fenceline_export::stores::{Store, of_scenario};
use fenceline_figure::{Options, Theme, static_svg};
use wasm_bindgen::prelude::wasm_bindgen;

/// What a document is as a kind of file.
///
/// # Errors
/// In words, why there is none.
#[wasm_bindgen]
pub fn written(kind: &str, document: &str) -> Result<String, String> {
    let none = "the document cannot be shown";
    let scenario = Scenario::from_json(document).map_err(|_| none)?;
    let trace = run(&scenario).map_err(|_| none)?;
    let picture = |theme| static_svg(&scenario, &trace, &Options { theme, ..Options::default() });
    match kind {
        "svg-auto" => Ok(picture(Theme::Auto)),
        "svg-light" => Ok(picture(Theme::Light)),
        "svg-dark" => Ok(picture(Theme::Dark)),
        _ => match (Kind::from_name(kind), kind.strip_prefix("guard-").and_then(Store::from_name)) {
            (Some(kind), _) => kind.write(&scenario, &trace).map_err(|why| why.to_string()),
            (None, Some(store)) => {
                of_scenario(&scenario, store).ok_or_else(|| "it has no resource, and so no guard".into())
            }
            (None, None) => Err(["there is no kind ", kind].concat()),
        },
    }
}

fn main() {}
