//! Sharing: what is shown leaves the page as a link, a file, a picture, or a text that other programs read or run.
//!
//! Invariant: everything is made from what is shown at that moment, and nothing is sent anywhere.

mod kind;
mod texts;

use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::arrive::link;
use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::Icon;
use crate::platform::{address, clipboard, exporter, files, picture};
pub use kind::file_name;
use texts::Texts;

/// What was done last, or why it could not be done.
#[derive(Clone, Copy)]
struct Done(RwSignal<String>);

impl Done {
    fn say(self, words: &str) {
        // The page may be gone by now.
        let _ = self.0.try_set(words.to_owned());
    }
}

/// Copies a text and says so.
fn copy(done: Done, what: &'static str, text: String) {
    spawn_local(async move {
        let is_copied = clipboard::copy(&text).await;
        let words = if is_copied { " is copied." } else { " could not be copied: this browser does not allow it." };
        done.say(&[what, words].concat());
    });
}

/// The address of what is shown.
fn address_of(editor: Editor) -> Option<String> {
    let fragment = fenceline_link::encode(&link(editor));
    (fragment.len() <= fenceline_link::MAX_LINK_BYTES).then(|| [&address::base(), "#", &fragment].concat())
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
    let done = Done(RwSignal::new(String::new()));
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
                <p class="done" role="status">
                    {move || done.0.get()}
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
    let shown =
        move || address.get().unwrap_or_else(|| "The scenario is too large for a link: save it as a file.".into());
    let code = move || address.get().map_or_else(String::new, |address| embed_code(&address, &title.get()));
    let copy_link = move |_| {
        if let Some(address) = address.get_untracked() {
            copy(done, "The link", address);
        }
    };
    let dark = RwSignal::new("light");
    let svg = move || {
        let (kind, document) = (["svg-", dark.get_untracked()].concat(), editor.scenario.get_untracked().to_json());
        async move { exporter::export(&kind, &document).await }
    };
    let name = move |extension| file_name(&title.get_untracked(), extension);
    let save_svg = move |_| {
        spawn_local(async move {
            match svg().await {
                Ok(text) if files::save_text(&name("svg"), "image/svg+xml", &text) => done.say("The picture is saved."),
                Ok(_) => done.say("The picture could not be saved."),
                Err(why) => done.say(&["The picture could not be made: ", &why, "."].concat()),
            }
        });
    };
    let with_png = move |scale: u32, copies: bool| {
        spawn_local(async move {
            let made = match svg().await {
                Ok(svg) => picture::png(&svg, scale).await,
                Err(why) => Err(why),
            };
            match made {
                Err(why) => done.say(&["The picture could not be made: ", &why, "."].concat()),
                Ok(png) if copies && clipboard::copy_picture(&png).await => done.say("The picture is copied."),
                Ok(_) if copies => done.say("The picture could not be copied: this browser does not allow it."),
                Ok(png) if files::save(&name("png"), &png) => done.say("The picture is saved."),
                Ok(_) => done.say("The picture could not be saved."),
            }
        });
    };
    let png = move |scale: u32| {
        view! {
            <button class="chip" type="button" on:click=move |_| with_png(scale, false)>
                {["PNG ", &scale.to_string(), "×"].concat()}
            </button>
        }
    };
    view! {
        <div class="offers">
            <section>
                <h3>"Link"</h3>
                <p class="muted">"Opens exactly this view. What is behind the # stays in the browser: no server sees it."</p>
                <div class="row">
                    <input type="text" readonly aria-label="The link" prop:value=shown/>
                    <button class="chip" type="button" on:click=copy_link>
                        "Copy link"
                    </button>
                </div>
            </section>
            <section>
                <h3>"Embed"</h3>
                <p class="muted">"The timeline in a page of your own, to be dragged there."</p>
                <div class="row">
                    <input type="text" readonly aria-label="The embed code" prop:value=code/>
                    <button
                        class="chip"
                        type="button"
                        on:click=move |_| copy(done, "The embed code", untrack(code))
                    >
                        "Copy embed code"
                    </button>
                </div>
            </section>
            <section>
                <h3>"Files"</h3>
                <div class="row">
                    <button class="chip" type="button" on:click=move |_| {
                        editor.run(Command::Save);
                        done.say("The scenario is saved.");
                    }>
                        "Scenario (.json)"
                    </button>
                    <label>
                        "Picture in "
                        <select on:change=move |event| {
                            dark.set(match event_target_value(&event).as_str() {
                                "dark" => "dark",
                                "auto" => "auto",
                                _ => "light",
                            });
                        }>
                            <option value="light">"light"</option>
                            <option value="dark">"dark"</option>
                            <option value="auto">"the reader’s theme"</option>
                        </select>
                    </label>
                    <button class="chip" type="button" on:click=save_svg>
                        "SVG"
                    </button>
                    {png(1)}
                    {png(2)}
                    {png(3)}
                    <button class="chip" type="button" on:click=move |_| with_png(2, true)>
                        "Copy picture"
                    </button>
                </div>
            </section>
            <Texts editor done/>
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
