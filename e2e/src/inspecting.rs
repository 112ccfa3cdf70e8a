//! The inspector as the tests know it.

use crate::Page;
use crate::opening;

/// Where the name of the selected part stands.
pub const PART: &str = "#inspector-part";

/// The field at a JSON Pointer.
pub fn at(pointer: &str) -> String {
    format!("[data-pointer='{pointer}']")
}

/// The page with the inspector open, on a desk and on a phone.
#[track_caller]
pub fn inspected(story: impl Fn(&Page)) {
    opening::everywhere(|page, _| {
        page.click("#tab-edit");
        page.wait_for_text(PART, "Document");
        story(page);
    });
}
