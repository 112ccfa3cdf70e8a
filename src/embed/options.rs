//! How an embedded page is shown: what stands in the query of its address. What the page shows stands in the fragment.
//!
//! Invariant: a value that is none, and a name that is not known, leave the default.

use fenceline_engine::{Micros, parse_duration};
use fenceline_figure::TimeWindow;
use leptos::prelude::{GetUntracked as _, WithUntracked as _};

use super::messages::HEIGHTS;
use crate::command::Command;
use crate::editor::Editor;
use crate::platform::theme::Theme;

/// How an embedded page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// `theme=light|dark|auto`.
    pub theme: Theme,
    /// `guard=free|locked`: whether the reader may choose another guard.
    pub guard_is_free: bool,
    /// `controls=full|none`: whether there are buttons to play and to zoom.
    pub has_controls: bool,
    /// `predict=0|1`: whether the reader is asked first.
    pub predicts: bool,
    /// `height=480`: exactly how high the figure is, in CSS pixels; what does not fit scrolls under the verdict. None: as high
    /// as what it shows.
    pub height: Option<u32>,
    /// `step=20s-55s`: the stretch of the story that it opens on.
    pub step: Option<(Micros, Micros)>,
}

impl Default for Options {
    fn default() -> Self {
        Self { theme: Theme::Auto, guard_is_free: true, has_controls: true, predicts: false, height: None, step: None }
    }
}

impl Options {
    /// The options of a query, when it asks for the embedded page (`embed=1`).
    pub fn of(query: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let is = |name: &str, value: &str| query(name).is_some_and(|found| found == value);
        is("embed", "1").then(|| Self {
            theme: match query("theme").as_deref() {
                Some("light") => Theme::Light,
                Some("dark") => Theme::Dark,
                _ => Theme::Auto,
            },
            guard_is_free: !is("guard", "locked"),
            has_controls: !is("controls", "none"),
            predicts: is("predict", "1"),
            height: query("height").and_then(|text| height(&text)),
            step: query("step").and_then(|text| stretch(&text)),
        })
    }

    /// Shows the stretch of the story that was asked for, unless what opened says itself which.
    pub fn stretch(&self, editor: Editor) {
        let whole = editor.whole.get_untracked();
        if let Some((from, to)) = self.step.filter(|(from, _)| *from < whole.to_us())
            && editor.zoom.with_untracked(Option::is_none)
        {
            editor.run(Command::Zoom(Some(TimeWindow::new(from, to.min(whole.to_us())))));
        }
    }
}

/// A height: digits and nothing else, within bounds.
fn height(text: &str) -> Option<u32> {
    let is_plain = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|height| is_plain && HEIGHTS.contains(height))
}

/// A stretch of time: two durations, the second one later.
fn stretch(text: &str) -> Option<(Micros, Micros)> {
    let (from, to) = text.split_once('-')?;
    let (from, to) = (parse_duration(from).ok()?, parse_duration(to).ok()?);
    (from < to).then_some((from, to))
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn of(query: &[(&str, &str)]) -> Option<Options> {
        Options::of(|name| query.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_page_is_embedded_when_it_is_asked_to_be() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("embed", "yes")]), None);
        assert_eq!(of(&[("embed", "1")]), Some(Options::default()));
    }

    #[test]
    fn a_value_that_is_none_leaves_the_default() {
        let asked = [("embed", "1"), ("theme", "pink"), ("guard", ""), ("controls", "<b>"), ("predict", "true")];
        assert_eq!(of(&asked), Some(Options::default()));
        let asked = [("embed", "1"), ("theme", "dark"), ("guard", "locked"), ("controls", "none"), ("predict", "1")];
        let expected = Options {
            theme: Theme::Dark,
            guard_is_free: false,
            has_controls: false,
            predicts: true,
            ..Options::default()
        };
        assert_eq!(of(&asked), Some(expected));
    }

    #[test]
    fn a_height_is_a_whole_number_of_pixels_within_bounds() {
        let height = |text: &str| of(&[("embed", "1"), ("height", text)]).and_then(|options| options.height);
        assert_eq!([height("480"), height("160"), height("2400")], [Some(480), Some(160), Some(2_400)]);
        for bad in ["", "159", "2401", "480px", "+480", "-480", "4.8e2", "99999999999999999999", "４８０"] {
            assert_eq!(height(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_stretch_goes_from_one_time_to_a_later_one() {
        let step = |text: &str| of(&[("embed", "1"), ("step", text)]).and_then(|options| options.step);
        assert_eq!(step("20s-55s"), Some((20_000_000, 55_000_000)));
        assert_eq!(step("0s-1m 30s"), Some((0, 90_000_000)));
        for bad in ["", "-", "20s", "55s-20s", "20s-20s", "20-55", "-5s-20s", "20s-55s-60s", "20s–55s"] {
            assert_eq!(step(bad), None, "{bad}");
        }
    }
}
