//! Sharing: what is shown leaves the page as a link, a file, a picture, or a text that other programs read or run.
//!
//! Invariant: everything is made from what is shown at that moment, and nothing is sent anywhere.

mod kind;
mod pictures;
mod texts;

use fenceline_engine::Scenario;
use leptos::ev::MouseEvent;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::arrive::fragment;
use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::Icon;
use crate::platform::{address, clipboard, files};
pub use kind::file_name;
use pictures::Pictures;
use texts::Texts;

/// What was done last, or why it could not be done.
#[derive(Clone, Copy)]
struct Done(RwSignal<Result<String, String>>);

impl Done {
    /// Nothing yet.
    fn nothing() -> Self {
        Self(RwSignal::new(Ok(String::new())))
    }

    /// That something is done.
    fn say(self, words: &str) {
        self.tell(Ok(words.to_owned()));
    }

    /// That something could not be done.
    fn fail(self, words: &str) {
        self.tell(Err(words.to_owned()));
    }

    fn tell(self, what: Result<String, String>) {
        // The page may be gone by now.
        let _ = self.0.try_set(what);
    }

    /// That something was handed out as a file, or that the browser did not take it.
    fn saved(self, what: &str, is_saved: bool) {
        if is_saved {
            self.say(&[what, " is saved."].concat());
        } else {
            self.fail(&[what, " could not be saved: this browser does not allow it."].concat());
        }
    }
}

/// Copies a text and says so.
fn copy(done: Done, what: &'static str, text: String) {
    spawn_local(async move {
        if clipboard::copy(&text).await {
            done.say(&[what, " is copied."].concat());
        } else {
            done.fail(&[what, " could not be copied: this browser does not allow it."].concat());
        }
    });
}

/// Hands a scenario out as a file. Says whether the browser was asked to keep it.
pub fn save(scenario: &Scenario) -> bool {
    let text = [&scenario.to_json(), "\n"].concat();
    files::save_text(&file_name(&scenario.title, "json"), "application/json", &text)
}

/// Whether a click is the second one of a double click: who hands out a file that way wants one.
fn is_second(click: &MouseEvent) -> bool {
    click.detail() > 1
}

/// The address of what is shown.
fn address_of(editor: Editor) -> Option<String> {
    Some([&address::base(), "#", &fragment(editor)?].concat())
}

/// What a page that embeds the view says.
fn embed_code(address: &str, title: &str) -> String {
    let (base, fragment) = address.split_once('#').unwrap_or((address, ""));
    let base = base.split('?').next().unwrap_or_default();
    let title = if title.is_empty() { "A schedule of leases and writes" } else { title };
    let mut quoted = String::new();
    fenceline_figure::svg::escape(title, &mut quoted);
    [
        "<iframe src=\"",
        base,
        "?embed=1#",
        &fragment.replace('&', "&amp;"),
        "\" title=\"",
        &quoted,
        "\" loading=\"lazy\" referrerpolicy=\"no-referrer\" sandbox=\"allow-scripts allow-popups allow-popups-to-escape-sandbox\" style=\"width: 100%; height: 560px; border: 0\"></iframe>",
    ]
    .concat()
}

/// The button, and the dialog that it opens. It copies the link at once: that is what most come for.
#[component]
pub fn Share(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let done = Done::nothing();
    let open = editor.sharing;
    Effect::new(move |_| {
        let open = open.get();
        let Some(dialog) = dialog.get() else { return };
        if open && !dialog.open() {
            done.say("");
            // It is in the document and not open: that cannot fail.
            let _ = dialog.show_modal();
            if let Some(address) = untrack(move || address_of(editor)) {
                copy(done, "The link", address);
            }
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    view! {
        <button
            class="btn worded"
            type="button"
            aria-label="Share"
            title="Share: link, embed code, files"
            aria-haspopup="dialog"
            on:click=move |_| editor.run(Command::Share(true))
        >
            <Icon name="#u-share"/>
            <span class="word">"Share"</span>
        </button>
        <dialog
            class="dialog share"
            node_ref=dialog
            aria-labelledby="share-title"
            on:close=move |_| editor.run(Command::Share(false))
        >
            <div class="dialog-head">
                <h2 id="share-title">"Share"</h2>
                <p class="done" class:failed=move || done.0.with(Result::is_err) role="status">
                    {move || done.0.get().unwrap_or_else(|why| why)}
                </p>
                <button class="btn worded" type="button" on:click=move |_| editor.run(Command::Share(false))>
                    "Close"
                </button>
            </div>
            {move || open.get().then(|| view! { <Offers editor done/> })}
        </dialog>
    }
}

/// What is offered. It is there only while the dialog is open, so that a drag does not pay for it.
#[component]
fn Offers(editor: Editor, done: Done) -> impl IntoView {
    let address = Memo::new(move |_| address_of(editor));
    let title = Memo::new(move |_| editor.scenario.with(|scenario| scenario.title.clone()));
    Effect::new(move |before: Option<()>| {
        address.track();
        // What was done with another link is not done with this one.
        if before.is_some() {
            done.say("");
        }
    });
    let code = Memo::new(move |_| address.with(|address| Some(embed_code(address.as_deref()?, &title.get()))));
    let save_scenario = move |click: MouseEvent| {
        if !is_second(&click) {
            done.saved("The scenario", editor.scenario.with_untracked(|scenario| save(scenario)));
        }
    };
    view! {
        <div class="offers">
            <section>
                <h3>"Link"</h3>
                <p class="muted">"Opens exactly this view. What is behind the # stays in the browser: no server sees it."</p>
                <Line done text=address what="The link" copies="Copy link"/>
            </section>
            <section>
                <h3>"Embed"</h3>
                <p class="muted">
                    "The timeline in a page of your own, to be dragged there. This page’s server has to send "
                    <code>"Access-Control-Allow-Origin: *"</code> ", as the usual hosts of static pages do."
                </p>
                <Line done text=code what="The embed code" copies="Copy embed code"/>
            </section>
            <section>
                <h3>"Files"</h3>
                <div class="row">
                    <button class="chip" type="button" on:click=save_scenario>
                        "Scenario (.json)"
                    </button>
                    <Pictures editor done/>
                </div>
            </section>
            <Texts editor done/>
        </div>
    }
}

/// One line to be copied, if there is one.
#[component]
fn Line(done: Done, text: Memo<Option<String>>, what: &'static str, copies: &'static str) -> impl IntoView {
    let shown = move || text.get().unwrap_or_else(|| "The scenario is too large for a link: save it as a file.".into());
    let copy_it = move |_| {
        if let Some(text) = text.get_untracked() {
            copy(done, what, text);
        }
    };
    view! {
        <div class="row">
            <input type="text" readonly aria-label=what prop:value=shown/>
            <button class="chip" type="button" disabled=move || text.with(Option::is_none) on:click=copy_it>
                {copies}
            </button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn the_embed_code_is_one_frame_whatever_the_title_says() {
        let code = embed_code("https://example.org/play/?x#s=1p.AA&at=3s", "\"><script>alert(1)</script>");
        assert!(
            code.starts_with("<iframe src=\"https://example.org/play/?embed=1#s=1p.AA&amp;at=3s\" title=\"&quot;&gt;")
        );
        assert_eq!(code.matches('<').count(), 2);
    }
}
