//! The static painter: a scene as SVG text that stands alone.
//!
//! No script, no reference to anything outside, no fonts fetched: the style sheet goes along with its colours filled in,
//! so that readers that know no custom properties show it too. All text of the document is escaped, and characters that
//! XML does not allow are dropped.

use std::fmt::Write;

use fenceline_engine::scenario::Scenario;
use fenceline_engine::trace::Trace;

use crate::head::Head;
use crate::layout::scene;
use crate::legible::legible;
use crate::palette::TOKENS;
use crate::scene::{Scene, Shape, View};
use crate::{DEFS, MARKS_CSS};

/// How a static picture is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Its width in px.
    pub width: f32,
    /// Its colours.
    pub theme: Theme,
    /// Whether the scenario's title and the verdict stand above the drawing. They are in the picture's description
    /// either way.
    pub title: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { width: 760.0, theme: Theme::Auto, title: true }
    }
}

/// The colours of a static picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
    /// As the reader's system says.
    #[default]
    Auto,
    /// As the page says in which it stands as an element, among other pictures. The page carries [`MARKS_CSS`] and the tokens
    /// of [`crate::palette::TOKENS`]; the number tells this picture's ids from those of the others.
    Page(u32),
}

/// The picture of a run as a self-contained SVG document.
pub fn static_svg(scenario: &Scenario, trace: &Trace, options: &Options) -> String {
    let scenario = &*legible(scenario);
    let view = View::still(options.width);
    let scene = scene(scenario, trace, &view);
    let verdict = fenceline_engine::Headline::new(scenario, trace).sentence();
    let mut out = String::with_capacity(48 * 1024);
    let head = options.title.then(|| Head::new(&scenario.title, &verdict, scene.width));
    let (w, h) = (scene.width, scene.height + head.as_ref().map_or(0.0, |head| head.height));
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fl\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         role=\"img\""
    );
    if let Theme::Page(number) = options.theme {
        let _ = write!(out, " id=\"fl-{number}\"");
    }
    out.push('>');
    let title = if scenario.title.is_empty() { "A run of leases, workers and writes" } else { &scenario.title };
    out.push_str("<title>");
    escape(title, &mut out);
    out.push_str("</title><desc>");
    escape(&verdict, &mut out);
    out.push_str("</desc><style>");
    style(options.theme, &mut out);
    out.push_str("</style>");
    match options.theme {
        Theme::Page(number) => out.push_str(&DEFS.replace("id=\"fl-", &format!("id=\"fl-{number}-"))),
        _ => out.push_str(DEFS),
    }
    let _ = write!(out, "<rect class=\"fl-paper\" width=\"{w}\" height=\"{h}\"/>");
    if let Some(head) = &head {
        head.paint(&mut out);
        let _ = write!(out, "<g transform=\"translate(0 {})\">", head.height);
    }
    paint(&scene, &mut out);
    if head.is_some() {
        out.push_str("</g>");
    }
    out.push_str("</svg>\n");
    out
}

/// Writes every item of a scene, in draw order.
pub fn paint(scene: &Scene, out: &mut String) {
    for item in &scene.items {
        if item.selected {
            out.push_str("<g class=\"fl-selected\">");
        }
        markup(scene.shapes(item), out);
        if item.selected {
            out.push_str("</g>");
        }
    }
}

/// Writes shapes as SVG elements.
pub fn markup(shapes: &[Shape], out: &mut String) {
    for shape in shapes {
        // Writing to a string cannot fail.
        let _ = element(shape, out);
    }
}

fn element(shape: &Shape, out: &mut String) -> std::fmt::Result {
    match shape {
        Shape::Rect { class, at, r } => {
            let (x, y, w, h) = (at.x, at.y, at.w, at.h);
            write!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"")?;
            if *r > 0.0 {
                write!(out, " rx=\"{r}\"")?;
            }
            out.push_str("/>");
        }
        Shape::Line { class, from: (x1, y1), to: (x2, y2) } => {
            write!(out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>")?;
        }
        Shape::Circle { class, centre: (x, y), r } => {
            write!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>")?;
        }
        Shape::Path { class, d } => write!(out, "<path class=\"{class}\" d=\"{d}\"/>")?,
        Shape::Text(text) => {
            write!(out, "<text class=\"{}\" x=\"{}\" y=\"{}\"", text.class, text.x, text.y)?;
            if text.anchor != crate::scene::Anchor::Start {
                write!(out, " text-anchor=\"{}\"", text.anchor.name())?;
            }
            out.push('>');
            escape(&text.content, out);
            out.push_str("</text>");
        }
        Shape::Glyph { glyph, at } => {
            let scale = at.w / 16.0;
            write!(
                out,
                "<g transform=\"translate({} {}) scale({scale})\"><path class=\"{}\" d=\"{}\"/>\
                 <path class=\"fl-glyph-mark\" d=\"{}\"/></g>",
                at.x,
                at.y,
                glyph.body_class(),
                glyph.body(),
                glyph.mark()
            )?;
        }
    }
    Ok(())
}

/// Writes text with the characters escaped that mean something in XML, and without those that XML does not allow.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            // Controls, what can turn the reading direction of the rest of the picture, and non-characters.
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => {}
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            '\u{fdd0}'..='\u{fdef}' => {}
            c if c as u32 & 0xfffe == 0xfffe => {}
            c => out.push(c),
        }
    }
}

fn style(theme: Theme, out: &mut String) {
    match theme {
        Theme::Light => filled(false, out),
        Theme::Dark => filled(true, out),
        Theme::Auto => {
            filled(false, out);
            out.push_str("@media (prefers-color-scheme: dark) {");
            filled(true, out);
            out.push('}');
        }
        Theme::Page(number) => own_patterns(number, out),
    }
}

/// The rules that fill with a pattern, for one picture of a page and its own patterns.
fn own_patterns(number: u32, out: &mut String) {
    for rule in MARKS_CSS.split_inclusive('}') {
        let Some((before, pattern)) = rule.split_once("url(#fl-") else { continue };
        let selector = before.split_once('{').map_or("", |(selector, _)| selector).trim();
        let name = pattern.split_once(')').map_or("", |(name, _)| name);
        // Writing to a string cannot fail.
        let _ = write!(out, "#fl-{number} {selector}{{fill:url(#fl-{number}-{name})}}");
    }
}

/// The style sheet with the tokens of a theme filled in.
fn filled(dark: bool, out: &mut String) {
    // An empty line would end the picture where it stands in Markdown.
    let css = MARKS_CSS.split_once("*/").map_or(MARKS_CSS, |(_, rules)| rules).replace("\n\n", "\n");
    let mut rest = css.trim_start();
    while let Some((before, after)) = rest.split_once("var(--") {
        out.push_str(before);
        let (name, after) = after.split_once(')').unwrap_or((after, ""));
        let token = TOKENS.iter().find(|(token, ..)| *token == name);
        out.push_str(token.map_or("currentColor", |(_, light, night)| if dark { night } else { light }));
        rest = after;
    }
    out.push_str(rest);
}
