//! The style sheet that the figures of a chapter share: the marks, and their colours in each of mdBook's five themes.
//!
//! The picture's own colours are custom properties here, so that they follow the theme a reader chooses, at once and without
//! a script of ours. On paper every figure is light.

use fenceline_figure::MARKS_CSS;
use fenceline_figure::palette::TOKENS;

/// What is no colour: how a figure sits in its page.
const SHAPE: &str = "\
.fenceline fence-line{display:block}\
.fenceline figure{margin:1.5em 0}\
.fenceline svg{display:block;max-width:100%;height:auto}\
.fenceline figcaption{margin-top:.5em;font-size:.9em}\
.fenceline-open{white-space:nowrap}\
@media print{.fenceline figure{break-inside:avoid}.fenceline-open{display:none}}";

/// It, as an element on one line.
pub fn style() -> String {
    let marks = MARKS_CSS.split_once("*/").map_or(MARKS_CSS, |(_, rules)| rules);
    let (light, dark) = (tokens(false), tokens(true));
    let sheet = format!(
        "{SHAPE}.fenceline{{{light}}}.coal .fenceline,.navy .fenceline,.ayu .fenceline{{{dark}}}\
         .fenceline.fenceline-light{{{light}}}.fenceline.fenceline-dark{{{dark}}}\
         @media print{{.fenceline.fenceline{{{light}}}}}{marks}"
    );
    let words: Vec<&str> = sheet.split_whitespace().collect();
    format!("<style>{}</style>", words.join(" "))
}

fn tokens(dark: bool) -> String {
    let declared =
        |(name, light, night): &(&str, &str, &str)| format!("--{name}:{};", if dark { night } else { light });
    TOKENS.iter().map(declared).collect()
}
