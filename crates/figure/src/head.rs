//! The head of a static picture: the scenario's title, and the verdict under it.

use fenceline_engine::scenario::Scenario;

use crate::measure::{Face, shorten};
use crate::svg::escape;

/// Writes the title and the verdict above the drawing, each cut to one line.
pub(crate) fn paint(scenario: &Scenario, verdict: &str, width: f32, out: &mut String) {
    let room = width - 24.0;
    for (text, face, class, y) in [
        (scenario.title.as_str(), Face::TitleStrong, "fl-text fl-16 fl-strong", 22),
        (verdict, Face::LargeStrong, "fl-text fl-13", 41),
    ] {
        if let Some(text) = shorten(text, face, room).filter(|text| !text.is_empty()) {
            out.push_str(&format!("<text class=\"{class}\" x=\"12\" y=\"{y}\">"));
            escape(&text, out);
            out.push_str("</text>");
        }
    }
}
