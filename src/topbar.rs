//! The bar at the top: the brand, what is open, undo and redo, the theme.

use leptos::prelude::*;

use crate::arrive::{Arrivals, open_file};
use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::Icon;
use crate::library::Picker;
use crate::platform::theme::Theme;
use crate::share::Share;

/// The bar.
#[component]
pub fn TopBar(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    view! {
        <header class="topbar">
            <span class="wordmark">
                <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
                    <path class="rail" d="M2 8h16M2 13h16"></path>
                    <path class="post" d="M3.5 17V6l2-2.5 2 2.5v11M12.5 17V6l2-2.5 2 2.5v11"></path>
                </svg>
                "Fenceline"
            </span>
            <Picker editor/>
            <HistoryButton editor command=Command::Undo icon="#u-undo" able=editor.can_undo nothing="Nothing to undo"/>
            <HistoryButton editor command=Command::Redo icon="#u-redo" able=editor.can_redo nothing="Nothing to redo"/>
            <span class="spacer"></span>
            <label class="switch">
                <input
                    type="checkbox"
                    role="switch"
                    prop:checked=Signal::derive(move || editor.prediction.with(Option::is_some))
                    on:change=move |event| editor.run(Command::Predict(event_target_checked(&event)))
                />
                <span class="track" aria-hidden="true"></span>
                <span class="word">"Predict first"</span>
            </label>
            <OpenButton editor/>
            <Share editor/>
            <button
                class="btn"
                type="button"
                aria-label="Keys"
                title="Keys · ?"
                aria-haspopup="dialog"
                on:click=move |_| editor.run(Command::Help(true))
            >
                <Icon name="#u-keys"/>
            </button>
            <ThemeButton editor/>
        </header>
    }
}

#[component]
fn OpenButton(editor: Editor) -> impl IntoView {
    let arrivals = use_context::<Arrivals>().unwrap_or_default();
    view! {
        <button
            class="btn"
            type="button"
            aria-label="Open a file"
            title="Open a file: or drop or paste it"
            on:click=move |_| open_file(editor, arrivals)
        >
            <Icon name="#u-open"/>
        </button>
    }
}

/// A button that stays focusable when it cannot act, so that the keyboard is not thrown off the page by an undo.
#[component]
fn HistoryButton(
    editor: Editor,
    command: Command,
    icon: &'static str,
    able: Memo<bool>,
    nothing: &'static str,
) -> impl IntoView {
    let (label, keys, aria_keys) = (command.label(), command.shortcut().unwrap_or_default(), command.aria_shortcut());
    let title = Signal::derive(move || if able.get() { [label, keys].join(" · ") } else { nothing.into() });
    let disabled = Signal::derive(move || if able.get() { "false" } else { "true" });
    view! {
        <button
            class="btn"
            type="button"
            aria-label=label
            aria-keyshortcuts=aria_keys
            aria-disabled=disabled
            title=title
            on:click=move |_| editor.run(command.clone())
        >
            <Icon name=icon/>
        </button>
    }
}

#[component]
fn ThemeButton(editor: Editor) -> impl IntoView {
    let words = Signal::derive(move || match editor.theme.get() {
        Theme::Auto => "Theme: system",
        Theme::Light => "Theme: light",
        Theme::Dark => "Theme: dark",
    });
    let icon = Signal::derive(move || match editor.theme.get() {
        Theme::Auto => "#u-auto",
        Theme::Light => "#u-light",
        Theme::Dark => "#u-dark",
    });
    view! {
        <button
            class="btn"
            type="button"
            aria-label=words
            title=words
            on:click=move |_| editor.run(Command::NextTheme)
        >
            <svg class="ico" aria-hidden="true" focusable="false">
                <use_ href=icon></use_>
            </svg>
        </button>
    }
}
