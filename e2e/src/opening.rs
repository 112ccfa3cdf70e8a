//! The opening story as the tests know it, and what a person does in most of them.

use crate::{Page, Pointer, View};

/// Where the verdict stands.
pub const VERDICT: &str = "#verdict";
/// What it says when the page opens.
pub const FENCED: &str = "Fenced: A’s stale write (41) was rejected — the report remembers 42";
/// What it says when A writes in time.
pub const HARMLESS: &str = "Harmless: A’s write arrived while lease 41 was still running";
/// What it says when A writes late, and before B.
pub const BOUNDARY: &str = "Stale but accepted: 41 arrived before 42 had reached the report";
/// What it says when nothing stops A.
pub const OVERWRITTEN: &str = "Overwritten: A’s stale write (41) replaced B’s newer report";
/// The handle at the end of A's pause: it stands at 50.0 s, and the pause begins at 5.0 s.
pub const PAUSE_END: &str = "#handle-pause-end-0-0";
/// The slider along which the playhead is moved.
pub const PLAYHEAD: &str = ".scrubber";

/// The page, on its opening story.
#[track_caller]
pub fn opened(view: View) -> Page {
    let page = Page::open(view, "");
    page.wait_for_text(VERDICT, FENCED);
    page
}

/// What a person does, on a desk and on a phone, with the pointer that is there.
#[track_caller]
pub fn everywhere(story: impl Fn(&Page, Pointer)) {
    for (view, pointer) in [(View::DESKTOP, Pointer::Mouse), (View::PHONE, Pointer::Touch)] {
        let page = opened(view);
        story(&page, pointer);
        page.assert_quiet_console();
    }
}

impl Page {
    /// Clicks the first button or label inside an element that begins with these words.
    #[track_caller]
    pub fn press_words(&self, inside: &str, words: &str) {
        let css = format!("{inside} button, {inside} label");
        self.wait_for_text(&css, words);
        // What says just that comes before what only begins so.
        let script = "document.querySelectorAll('[data-wanted]').forEach((old) => old.removeAttribute('data-wanted'));
            const all = [...document.querySelectorAll(arguments[0])], text = (of) => of.innerText.trim();
            const found = all.find((of) => text(of) === arguments[1]) ?? all.find((of) => text(of).startsWith(arguments[1]));
            if (found) found.setAttribute('data-wanted', ''); return Boolean(found)";
        let found = self.evaluate(script, &[css.into(), words.into()]);
        if found != true {
            self.fail(&format!("nothing in `{inside}` says {words:?}"));
        }
        self.click("[data-wanted]");
    }

    /// Opens a preset by searching for it.
    #[track_caller]
    pub fn choose_preset(&self, title: &str) {
        self.click(".picker");
        self.wait_for(".presets[open] .preset");
        self.focus(".presets input");
        self.keys("Control+a Delete");
        self.type_text(title);
        self.wait_until("one preset to be left", || self.count(".presets .preset") == 1);
        self.click(".presets .preset");
        self.wait_for_none(".presets[open]");
    }

    /// Puts a document in place of what is open, by way of the panel that has it as text.
    #[track_caller]
    pub fn open_document(&self, document: &str) {
        self.click("#tab-source");
        self.wait_for("#source-text");
        // Pasted: some of them are long.
        let paste = "const text = document.querySelector('#source-text');
            text.focus(); text.value = arguments[0]; text.dispatchEvent(new Event('input', { bubbles: true }))";
        self.evaluate(paste, &[document.into()]);
        self.keys("Control+Enter");
        self.wait_for_none(".problems li");
        self.wait_until("nothing to be left to apply", || {
            self.attribute(".source .chip", "aria-disabled").as_deref() == Some("true")
        });
    }
}
