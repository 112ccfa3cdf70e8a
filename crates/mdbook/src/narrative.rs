//! A figure as Markdown text, for renderers that are no browser: what happened, a line each, and what it came to.

use fenceline_claims::Sheet;
use fenceline_engine::{Headline, Scale, Trace, narrate, show_instant, visible};

/// The text. Nothing in it is more than text to Markdown.
pub fn text(sheet: &Sheet, trace: &Trace) -> String {
    let scenario = &sheet.scenario;
    let headline = Headline::new(scenario, trace);
    let scale = Scale::of(trace);
    let title = sheet.caption.as_deref().unwrap_or(&scenario.title);
    let mut out = if title.is_empty() { String::new() } else { format!("**{}**\n\n", plain(title)) };
    out.push_str(&plain(&headline.sentence()));
    out.push_str(".\n\n");
    for sentence in narrate(scenario, trace) {
        out.push_str("- ");
        out.push_str(&plain(&format!("{}: {}", show_instant(sentence.at, scale), sentence.plain())));
        out.push('\n');
    }
    out
}

fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).trim().chars() {
        if c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
