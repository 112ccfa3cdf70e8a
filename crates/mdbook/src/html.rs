//! A figure as HTML: the picture, what it comes to in words, and the element that a script can bring to life.
//!
//! ```html
//! <div class="fenceline"><fence-line src="…#…"><figure><svg …/><figcaption>…</figcaption></figure></fence-line></div>
//! ```
//!
//! It is whole without a script. Invariant: it is one line, so that Markdown takes it as one block of HTML wherever it stands, and
//! text of a document is only ever text in it.

use fenceline_claims::{Colours, Origin, Sheet};
use fenceline_engine::{Headline, Scenario, Trace, visible};
use fenceline_figure::svg::escape;
use fenceline_figure::{Options, Theme, static_svg};
use fenceline_link::{Link, MAX_LINK_BYTES, Shown, View, encode};

use crate::configuration::Configuration;

/// The figure of a run, the how-many-th of its book.
pub fn figure(sheet: &Sheet, trace: &Trace, number: u32, configuration: &Configuration) -> String {
    let options = Options { width: configuration.width, theme: Theme::Page(number), title: false };
    let picture = static_svg(&sheet.scenario, trace, &options);
    let class = match sheet.colours {
        Colours::Auto => "fenceline",
        Colours::Light => "fenceline fenceline-light",
        Colours::Dark => "fenceline fenceline-dark",
    };
    let fragment = fragment(sheet);
    let base = configuration.playground.as_deref();
    let source = fragment.as_ref().map(|fragment| text(&format!("{}#{fragment}", base.unwrap_or_default())));
    let attribute = source.as_ref().map_or_else(String::new, |source| format!(" src=\"{source}\""));
    let open = source.filter(|_| base.is_some()).map_or_else(String::new, |source| {
        format!(" <a class=\"fenceline-open\" href=\"{source}\">Open in the playground</a>")
    });
    let caption = caption(sheet, trace);
    let html = format!(
        "<div class=\"{class}\"><fence-line{attribute}><figure>{picture}<figcaption>{caption}{open}</figcaption></figure></fence-line></div>"
    );
    // mdBook looks for its own `{{#include …}}` in what comes out of here.
    html.replace(['\n', '\r'], " ").replace("{{", "{&#123;")
}

fn caption(sheet: &Sheet, trace: &Trace) -> String {
    let headline = Headline::new(&sheet.scenario, trace);
    let mut caption = String::new();
    let title = sheet.caption.as_deref().unwrap_or(&sheet.scenario.title);
    if !title.is_empty() {
        let stop = if title.ends_with(['.', '!', '?', ':', '…']) { "" } else { "." };
        caption.push_str(&["<span class=\"fenceline-title\">", &text(title), stop, "</span> "].concat());
    }
    let (lead, rest) = (text(headline.lead), text(&headline.rest));
    let sentence = if lead.is_empty() { rest } else { format!("<strong>{lead}:</strong> {rest}") };
    caption.push_str(&["<span class=\"fenceline-verdict\">", &sentence, ".</span>"].concat());
    caption
}

/// What the playground opens with, when it fits into a link.
fn fragment(sheet: &Sheet) -> Option<String> {
    let shown = match &sheet.origin {
        Origin::Preset(name) if sheet.guard.is_none() => Shown::Preset(name.clone()),
        origin => {
            let of = if let Origin::Preset(name) = origin { Some(name.clone()) } else { None };
            Shown::Scenario { scenario: Box::new(Scenario::clone(&sheet.scenario)), of }
        }
    };
    let fragment = encode(&Link { shown, view: View::default() });
    (fragment.len() <= MAX_LINK_BYTES).then_some(fragment)
}

/// Text as text: nothing in it means anything to HTML, and nothing invisible is left.
fn text(of: &str) -> String {
    let mut out = String::new();
    escape(&visible(of), &mut out);
    out
}
