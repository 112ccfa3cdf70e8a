//! The page on paper: as a printer gets it, and what can be read there.

use fantoccini::wd::PrintConfiguration;
use lopdf::Document;
use serde_json::json;

use crate::Page;
use crate::driver::Browser;

impl Page {
    /// Shows the page as it goes to a printer. Says whether this browser can do that.
    #[track_caller]
    pub fn as_printed(&self) -> bool {
        let can = self.browser == Browser::Chromium;
        if can {
            self.chromium("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
        }
        can
    }

    /// The page as it is printed; none in a browser whose driver cannot print.
    #[track_caller]
    pub fn printed(&self) -> Option<Paper> {
        if self.browser == Browser::WebKit {
            return None;
        }
        let how = PrintConfiguration::builder().background(true).build().expect("a configuration");
        let pdf = Document::load_mem(&self.ask(self.client.print(how))).expect("a PDF");
        let pages: Vec<u32> = pdf.get_pages().into_keys().collect();
        Some(Paper(without_spaces(&pdf.extract_text(&pages).expect("the text of a PDF"))))
    }
}

/// What can be read on paper, in the order in which it is drawn, in pictures and in frames too.
///
/// It is read from the PDF: what merely stands in the document and is not drawn is not on it.
#[derive(Debug)]
pub struct Paper(String);

impl Paper {
    /// How often these words are there. Spaces do not count, since a PDF places each piece of a line by itself.
    pub fn count(&self, words: &str) -> usize {
        self.0.matches(&without_spaces(words)).count()
    }
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
