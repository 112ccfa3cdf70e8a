//! The embedded page: verdict, guard, timeline, and the way to the playground.
//!
//! It is the same editor with less around it. Invariants: nothing of a reader is kept, no address is written, no tour is offered:
//! a figure in somebody else's text is there to be read and tried, and to be gone.

mod host;
mod messages;
mod options;

use fenceline_engine::{Guard, Headline};
use leptos::html::Main;
use leptos::prelude::*;

use crate::announce::Announcer;
use crate::app::{first_width, listen_to_keys};
use crate::arrive::{ArrivalNotice, Arrivals, Said, link, when_settled};
use crate::command::Command;
use crate::editor::Editor;
use crate::explore::Explorer;
use crate::glyph::{Icon, OutcomeGlyph, Symbols, glyph_of, outcome_name};
use crate::guards;
use crate::library::Books;
use crate::platform::address;
use crate::platform::size::window_width;
use crate::predict::{Ask, keep_honest};
use crate::shortcuts::Shortcuts;
use crate::timeline::Timeline;
pub use options::Options;

/// The embedded page on what an editor has open.
#[component]
pub fn Embed(
    /// What is open.
    editor: Editor,
    /// How it is shown.
    options: Options,
    /// What there is to say of the link that it was opened with.
    said: Option<Said>,
) -> impl IntoView {
    let main = NodeRef::<Main>::new();
    let arrivals = Arrivals::new(said.clone());
    provide_context(arrivals);
    provide_context(Books::new());
    provide_context(Explorer::new());
    keep_honest(editor);
    options.theme.apply();
    editor.theme.set(options.theme);
    editor.width.set(first_width(window_width()));
    listen_to_keys(editor);
    if options.predicts {
        editor.run(Command::Predict(true));
    }
    options.stretch(editor);
    host::talk(editor, options, arrivals, said, main);
    let height = options.height.map(|height| [&height.to_string(), "px"].concat());
    let asks = Signal::derive(move || editor.prediction.with(Option::is_some));
    view! {
        <Symbols/>
        <svg class="symbols" aria-hidden="true" focusable="false" inner_html=fenceline_figure::DEFS></svg>
        <main
            class="embed"
            node_ref=main
            class:fixed=height.is_some()
            style:height=height
            data-controls=if options.has_controls { "full" } else { "none" }
        >
            <ArrivalNotice/>
            <Head editor guard_is_free=options.guard_is_free/>
            <Timeline editor/>
            <Show when=move || asks.get()>
                <Ask editor/>
            </Show>
            <Foot editor/>
        </main>
        <Shortcuts editor/>
        <Announcer editor/>
    }
}

/// The verdict, and the guard beside it.
#[component]
fn Head(editor: Editor, guard_is_free: bool) -> impl IntoView {
    let hides = Signal::derive(move || editor.hidden_from.get().is_some());
    let glyph =
        Signal::derive(
            move || {
                if hides.get() { None } else { glyph_of(editor.headline.with(|headline| headline.class)) }
            },
        );
    let sentence = Signal::derive(move || {
        if hides.get() {
            "Predict first: what will the destination do with each write?".into()
        } else {
            editor.headline.with(Headline::sentence)
        }
    });
    let outcome = Signal::derive(move || outcome_name(glyph.get()));
    let option = move |guard: Guard| {
        let chosen = Signal::derive(move || editor.guard() == Some(guard));
        view! {
            <option value=guard.name() prop:selected=chosen>
                {guards::words_of(guard)}
            </option>
        }
    };
    let mixed = Signal::derive(move || editor.guard().is_none());
    let menu = move || {
        view! {
            <label class="guard-menu">
                <span>"Guard"</span>
                <select aria-label="Guard" on:change=move |event| {
                    if let Some(guard) = Guard::from_name(&event_target_value(&event)) {
                        editor.run(Command::Guard(guard));
                    }
                }>
                    <Show when=move || mixed.get()>
                        <option value="" selected=true>"several"</option>
                    </Show>
                    {Guard::ALL.map(option).into_iter().collect_view()}
                </select>
            </label>
        }
    };
    let named = move || {
        let name = move || editor.guard().map_or("several", guards::words_of);
        view! {
            <p class="guard-menu">
                <span>"Guard"</span>
                <code>{name}</code>
            </p>
        }
    };
    view! {
        <header class="verdict" data-outcome=outcome>
            <OutcomeGlyph of=glyph/>
            <h1 id="verdict">{sentence}</h1>
            {if guard_is_free { menu().into_any() } else { named().into_any() }}
        </header>
    }
}

/// The way to the playground: with what the reader made of it.
#[component]
fn Foot(editor: Editor) -> impl IntoView {
    let address = move || {
        let base = address::base();
        [base.split('?').next().unwrap_or_default(), "#", &fenceline_link::encode(&link(editor))].concat()
    };
    let href = RwSignal::new(untrack(address));
    when_settled(editor, move || href.set(untrack(address)));
    view! {
        <footer class="foot">
            <a class="open" href=href target="_blank" rel="noopener">
                "Open in playground"
                <Icon name="#u-leave"/>
            </a>
        </footer>
    }
}
