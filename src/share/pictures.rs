//! The picture leaves the page: in lines or in dots, as a file or on the clipboard.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Done, file_name, is_second};
use crate::editor::Editor;
use crate::platform::picture::{MOST, Png, png};
use crate::platform::{clipboard, exporter, files};

/// How many dots a pixel has in a picture on the clipboard.
const COPIED: u32 = 2;

/// The buttons.
#[component]
pub(super) fn Pictures(editor: Editor, done: Done) -> impl IntoView {
    let theme = RwSignal::new("light");
    let svg = move || {
        let (kind, document) = (["svg-", theme.get_untracked()].concat(), editor.scenario.get_untracked().to_json());
        async move { exporter::export(&kind, &document).await }
    };
    let drawn = move |scale: u32| {
        let svg = svg();
        async move { png(&svg.await?, scale).await }
    };
    let name = move |extension| editor.scenario.with_untracked(|scenario| file_name(&scenario.title, extension));
    let none = move |why: &str| done.fail(&["The picture could not be made: ", why, "."].concat());
    let save_svg = move |click: MouseEvent| {
        if is_second(&click) {
            return;
        }
        let (name, svg) = (name("svg"), svg());
        spawn_local(async move {
            match svg.await {
                Ok(text) => done.saved("The picture", files::save_text(&name, "image/svg+xml", &text)),
                Err(why) => none(&why),
            }
        });
    };
    let save_png = move |scale: u32| {
        let (name, drawn) = (name("png"), drawn(scale));
        spawn_local(async move {
            match drawn.await {
                Ok(Png { blob, is_coarser: true }) if files::save(&name, &blob) => {
                    let most = MOST.to_string();
                    done.say(&["The picture is saved, in fewer dots: a side has at most ", &most, "."].concat());
                }
                Ok(Png { blob, .. }) => done.saved("The picture", files::save(&name, &blob)),
                Err(why) => none(&why),
            }
        });
    };
    let copy = move |_| {
        let drawn = drawn(COPIED);
        let copied = clipboard::copy_picture(async move { drawn.await.map(|png| png.blob) });
        spawn_local(async move {
            match copied.await {
                Ok(()) => done.say("The picture is copied."),
                Err(why) => done.fail(&["The picture could not be copied: ", &why, "."].concat()),
            }
        });
    };
    let in_dots = move |scale: u32| {
        let save = move |click: MouseEvent| {
            if !is_second(&click) {
                save_png(scale);
            }
        };
        view! {
            <button class="chip" type="button" on:click=save>
                {["PNG ", &scale.to_string(), "×"].concat()}
            </button>
        }
    };
    view! {
        <label>
            "Picture in "
            <select on:change=move |event| {
                theme.set(match event_target_value(&event).as_str() {
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
        {(1..=3).map(in_dots).collect_view()}
        <button class="chip" type="button" on:click=copy>
            "Copy picture"
        </button>
    }
}
