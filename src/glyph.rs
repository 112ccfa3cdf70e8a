//! The glyphs and textures of the page: drawn once as symbols, used by name.
//!
//! An outcome is never told by colour alone: each has a silhouette of its own (circle, shield, triangle, octagon) that
//! stays when the colours go.

use fenceline_engine::{Class, Decision};
use fenceline_figure::Glyph;
use leptos::prelude::*;

/// The glyph of what a run came to; none when nothing was decided.
pub const fn glyph_of(class: Class) -> Option<Glyph> {
    match class {
        Class::Neutral => None,
        Class::Accepted => Some(Glyph::Accepted),
        Class::Fenced => Some(Glyph::Fenced),
        Class::Refused => Some(Glyph::Refused),
        Class::StaleAccepted | Class::Corrupting => Some(Glyph::Corrupting),
    }
}

/// The glyph of one decision by itself: what was answered from a kept key took no effect, which its class does not tell.
pub const fn glyph_of_decision(decision: Decision, class: Class) -> Option<Glyph> {
    match decision {
        Decision::Replayed => Some(Glyph::Replayed),
        Decision::Accepted | Decision::Rejected => glyph_of(class),
    }
}

/// The name by which the style sheets know an outcome.
pub const fn outcome_name(glyph: Option<Glyph>) -> &'static str {
    match glyph {
        Some(glyph) => glyph.name(),
        None => "neutral",
    }
}

/// The address of an outcome's symbol.
pub const fn symbol(glyph: Option<Glyph>) -> &'static str {
    match glyph {
        None => "#o-neutral",
        Some(Glyph::Accepted) => "#o-accepted",
        Some(Glyph::Fenced) => "#o-fenced",
        Some(Glyph::Corrupting) => "#o-corrupting",
        Some(Glyph::Refused) => "#o-refused",
        Some(Glyph::Replayed) => "#o-replayed",
    }
}

/// The class that fills an outcome's symbol with its colour.
const fn fill(glyph: Option<Glyph>) -> &'static str {
    match glyph {
        Some(glyph) => glyph.body_class(),
        None => "fl-o-replayed",
    }
}

/// An outcome's glyph in its colour; decoration only: the words stand beside it.
#[component]
pub fn OutcomeGlyph(
    /// Which.
    #[prop(into)]
    of: Signal<Option<Glyph>>,
) -> impl IntoView {
    view! {
        <svg class="ico" aria-hidden="true" focusable="false">
            <use_ class=Signal::derive(move || fill(of.get())) href=Signal::derive(move || symbol(of.get()))></use_>
        </svg>
    }
}

/// An interface icon, by the name of its symbol; decoration only.
#[component]
pub fn Icon(
    /// Which.
    name: &'static str,
) -> impl IntoView {
    view! {
        <svg class="ico" aria-hidden="true" focusable="false">
            <use_ href=name></use_>
        </svg>
    }
}

/// All symbols and textures. Mounted once, before whatever uses them.
#[component]
pub fn Symbols() -> impl IntoView {
    view! {
        <svg class="symbols" aria-hidden="true" focusable="false">
            <defs>
                {Glyph::ALL
                    .map(|glyph| {
                        view! {
                            <symbol id=&symbol(Some(glyph))[1..] viewBox="0 0 16 16">
                                <path d=glyph.body()></path>
                                <path class="fl-glyph-mark" d=glyph.mark()></path>
                            </symbol>
                        }
                    })
                    .into_iter()
                    .collect_view()}
                <symbol id="o-neutral" viewBox="0 0 16 16">
                    <path d="M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13zm0 1.5a5 5 0 1 0 0 10a5 5 0 1 0 0-10z"></path>
                    <path d="M5 7.25h6v1.5H5z"></path>
                </symbol>
                <symbol id="u-undo" viewBox="0 0 16 16">
                    <path class="ui" d="M5.5 3L2.5 6l3 3M2.8 6h6.7a3.5 3.5 0 010 7H6"></path>
                </symbol>
                <symbol id="u-redo" viewBox="0 0 16 16">
                    <path class="ui" d="M10.5 3l3 3-3 3M13.2 6H6.5a3.5 3.5 0 000 7H10"></path>
                </symbol>
                <symbol id="u-auto" viewBox="0 0 16 16">
                    <circle class="ui" cx="8" cy="8" r="5.5"></circle>
                    <path d="M8 2.5a5.5 5.5 0 010 11z" fill="currentColor"></path>
                </symbol>
                <symbol id="u-light" viewBox="0 0 16 16">
                    <circle class="ui" cx="8" cy="8" r="3"></circle>
                    <path
                        class="ui"
                        d="M8 1.2v1.3M8 13.5v1.3M1.2 8h1.3M13.5 8h1.3M3.2 3.2l.9.9M11.9 11.9l.9.9M3.2 12.8l.9-.9M11.9 4.1l.9-.9"
                    ></path>
                </symbol>
                <symbol id="u-dark" viewBox="0 0 16 16">
                    <path class="ui" d="M13.2 9.6A5.6 5.6 0 016.4 2.8a5.6 5.6 0 106.8 6.8z"></path>
                </symbol>
                <symbol id="u-lease" viewBox="0 0 16 16">
                    <path class="ui" d="M2 5h9.5L14 8l-2.5 3H2z"></path>
                </symbol>
                <symbol id="u-pause" viewBox="0 0 16 16">
                    <path class="ui" d="M6 4v8M10 4v8"></path>
                </symbol>
                <symbol id="u-resume" viewBox="0 0 16 16">
                    <path class="ui" d="M5.5 3.8v8.4L12 8z"></path>
                </symbol>
                <symbol id="u-expire" viewBox="0 0 16 16">
                    <path
                        class="ui"
                        d="M4 2.5h8M4 13.5h8M5 2.5c0 3 6 3.5 6 5.5s-6 2.5-6 5.5M11 2.5c0 3-6 3.5-6 5.5s6 2.5 6 5.5"
                    ></path>
                </symbol>
                <symbol id="u-send" viewBox="0 0 16 16">
                    <path class="ui" d="M5 2.5l5.5 10M6.8 12.3l3.8.4 1.7-3.4"></path>
                </symbol>
                <symbol id="u-reply" viewBox="0 0 16 16">
                    <path class="ui" d="M5 13.5l5.5-10M6.8 3.7l3.8-.4 1.7 3.4"></path>
                </symbol>
                <symbol id="u-lost" viewBox="0 0 16 16">
                    <path class="ui" d="M4.5 4.5l7 7m0-7l-7 7"></path>
                </symbol>
                <symbol id="u-check" viewBox="0 0 16 16">
                    <path class="ui" d="M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM8 5v3l2 1.5"></path>
                </symbol>
                <symbol id="u-stop" viewBox="0 0 16 16">
                    <path class="ui" d="M4 4h8v8H4z"></path>
                </symbol>
                <symbol id="u-play" viewBox="0 0 16 16">
                    <path d="M5 3.2v9.6L13 8z" fill="currentColor"></path>
                </symbol>
                <symbol id="u-back" viewBox="0 0 16 16">
                    <path class="ui" d="M4 3.5v9M11.5 4L6.5 8l5 4"></path>
                </symbol>
                <symbol id="u-forward" viewBox="0 0 16 16">
                    <path class="ui" d="M12 3.5v9M4.5 4l5 4-5 4"></path>
                </symbol>
                <symbol id="u-left" viewBox="0 0 16 16">
                    <path class="ui" d="M10 3.5L5.5 8l4.5 4.5"></path>
                </symbol>
                <symbol id="u-right" viewBox="0 0 16 16">
                    <path class="ui" d="M6 3.5L10.5 8 6 12.5"></path>
                </symbol>
                <symbol id="u-down" viewBox="0 0 16 16">
                    <path class="ui" d="M4 6l4 4.5L12 6"></path>
                </symbol>
                <symbol id="u-in" viewBox="0 0 16 16">
                    <path class="ui" d="M3 8h10M8 3v10"></path>
                </symbol>
                <symbol id="u-out" viewBox="0 0 16 16">
                    <path class="ui" d="M3 8h10"></path>
                </symbol>
                <symbol id="u-open" viewBox="0 0 16 16">
                    <path class="ui" d="M2 4.5h4l1.5 2H14v6H2zM8 12V9"></path>
                </symbol>
                <symbol id="u-leave" viewBox="0 0 16 16">
                    <path class="ui" d="M6 3.5H2.5v10h10V10M9.5 2.5h4v4M13.2 2.8L7.5 8.5"></path>
                </symbol>
                <symbol id="u-share" viewBox="0 0 16 16">
                    <path class="ui" d="M8 9.5V2M5 4.7L8 2l3 2.7M3 8v5.5h10V8"></path>
                </symbol>
                <symbol id="u-keys" viewBox="0 0 16 16">
                    <path class="ui" d="M5.8 6a2.2 2.2 0 114 1.2c-.7.9-1.8 1.1-1.8 2.4M8 12.2v.3"></path>
                </symbol>
                <symbol id="u-again" viewBox="0 0 16 16">
                    <path class="ui" d="M2.5 8a5.5 5.5 0 019.4-3.9L13.5 6M13.5 2.5V6H10M13.5 8a5.5 5.5 0 01-9.4 3.9L2.5 10M2.5 13.5V10H6"></path>
                </symbol>
            </defs>
        </svg>
    }
}
