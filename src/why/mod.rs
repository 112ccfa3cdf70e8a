//! Why the selected write was judged as it was: the comparison with its numbers, the statement that the destination ran,
//! the truth, the properties of the run, and what led to it.
//!
//! Ended, superseded, known at the destination are three instants; they are shown side by side and never as one. Buttons
//! stay what they are while what they say changes, so that the focus is never lost.

mod code;
mod properties;
mod shown;

use fenceline_engine::explain::Instants;
use fenceline_engine::{Micros, show_time};
use leptos::prelude::*;
use web_sys::MouseEvent;

use crate::command::Command;
use crate::editor::Editor;
use crate::explore::{Flip, Wish};
use crate::glyph::{Icon, OutcomeGlyph, outcome_name};
use crate::timeline::clicked;
use code::Code;
pub use properties::{Properties, glyph_of as glyph_of_property, meaning_of, name_of};
use shown::Shown;

/// The panel.
#[component]
pub fn Why(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let shown = Memo::new(move |_| Shown::of(editor));
    let is_there = Memo::new(move |_| shown.with(Option::is_some));
    view! {
        <h2 class="vh">"Why the selected write was judged so"</h2>
        <Show when=move || is_there.get() fallback=move || view! { <Nothing editor/> }>
            <Explained editor shown/>
        </Show>
    }
}

/// What stands here when no write was decided.
#[component]
fn Nothing(editor: Editor) -> impl IntoView {
    let what = move || editor.headline.with(|headline| headline.rest.clone());
    view! {
        <div class="why">
            <p class="why-of">
                <b>{what}"."</b>
                <span class="muted">"Once a write arrives, this says why it was accepted or rejected."</span>
            </p>
            <Properties editor/>
        </div>
    }
}

#[component]
fn Explained(editor: Editor, shown: Memo<Option<Shown>>) -> impl IntoView {
    let text = move |of: fn(&Shown) -> String| {
        Signal::derive(move || shown.with(|shown| shown.as_ref().map_or_else(String::new, of)))
    };
    let glyph = Signal::derive(move || shown.with(|shown| shown.as_ref()?.glyph));
    let instant = move |words: &'static str, of: fn(&Instants) -> Option<Micros>| {
        let at = Memo::new(move |_| shown.with(|shown| shown.as_ref().and_then(|shown| shown.instant(of))));
        view! {
            <div class="instant" data-none=Signal::derive(move || at.with(Option::is_none).then_some(""))>
                <dt>{words}</dt>
                <dd>{move || at.get().unwrap_or_else(|| "not in this run".into())}</dd>
            </div>
        }
    };
    let flags = move || {
        let flags = shown.with(|shown| shown.as_ref().map(|shown| shown.explanation.flags.clone())).unwrap_or_default();
        flags.into_iter().map(|flag| view! { <li>{flag.text}</li> }).collect::<Vec<_>>()
    };
    view! {
        <div class="why" data-outcome=Signal::derive(move || outcome_name(glyph.get()))>
            <div class="why-of">
                <p>
                    <Token shown/>
                    <b>{text(|shown| shown.explanation.title.clone())}</b>
                    " "
                    <span class="muted">{text(Shown::times)}</span>
                </p>
                <Steps editor shown/>
            </div>
            <div class="comparison">
                <code class="rule">{text(|shown| shown.explanation.comparison.rule.into())}</code>
                <Sides shown/>
                <p class="ruling">
                    <OutcomeGlyph of=glyph/>
                    <span>{text(|shown| shown.explanation.comparison.sentence.clone())}</span>
                </p>
            </div>
            <div class="statement">
                <h3 class="vh">"What the destination ran"</h3>
                <pre>
                    <Code code=text(|shown| shown.explanation.statement.code())/>
                    <span class="note">{text(|shown| ["\n-- ", &shown.explanation.statement.note].concat())}</span>
                </pre>
                <p class="ran">
                    <OutcomeGlyph of=glyph/>
                    <b class="mono">{text(|shown| shown.explanation.statement.outcome())}</b>
                </p>
            </div>
            <div class="truth">
                <h3>"Truth at the lease service"</h3>
                <p>{text(|shown| shown.explanation.standing.clone())}</p>
                <dl class="instants">
                    {instant("Its lease ended", |instants| instants.ended)}
                    {instant("Superseded", |instants| instants.superseded)}
                    {instant("Newer one known here", |instants| instants.known)}
                </dl>
                <ul class="flags">{flags}</ul>
            </div>
            <Flip editor wish=Wish::Write/>
            <div class="further">
                <Chain editor shown/>
                <Properties editor/>
            </div>
        </div>
    }
}

/// The token of the write, in its worker's colour.
#[component]
fn Token(shown: Memo<Option<Shown>>) -> impl IntoView {
    move || {
        let (token, own) = shown.with(|shown| shown.as_ref().and_then(|of| Some((of.token.clone()?, of.tones[0]))))?;
        Some(view! {
            <span class="token" data-tone=own>
                {token}
            </span>
            " "
        })
    }
}

/// Which of several writes it is, and the way to the others.
#[component]
fn Steps(editor: Editor, shown: Memo<Option<Shown>>) -> impl IntoView {
    let place = Memo::new(move |_| shown.with(|shown| shown.as_ref().map_or([0, 0], |shown| shown.place)));
    let says = move || {
        let [at, of] = place.get();
        ["write ", &at.to_string(), " of ", &of.to_string()].concat()
    };
    let button = move |command: Command, icon: &'static str| {
        let label = command.label();
        view! {
            <button class="btn" type="button" aria-label=label title=label on:click=move |_| editor.run(command.clone())>
                <Icon name=icon/>
            </button>
        }
    };
    view! {
        <Show when=move || { place.get()[1] > 1 }>
            <div class="steps" role="group" aria-label="Writes of this run">
                {button(Command::StepWrite(false), "#u-left")}
                <span>{says}</span>
                {button(Command::StepWrite(true), "#u-right")}
            </div>
        </Show>
    }
}

/// The two numbers that were compared.
#[component]
fn Sides(shown: Memo<Option<Shown>>) -> impl IntoView {
    let sides = Memo::new(move |_| shown.with(|shown| shown.as_ref().and_then(Shown::sides)));
    move || {
        let (sides, [own, remembered]) = sides.get()?;
        Some(view! {
            <div class="sides">
                <span class="figure token" data-tone=own>
                    {sides.left}
                </span>
                <span class="operator">{sides.operator}</span>
                <span class="figure token" data-tone=remembered>
                    {sides.right}
                </span>
                <span class="caption">{sides.left_is}</span>
                <span class="caption"></span>
                <span class="caption">{sides.right_is}</span>
            </div>
        })
    }
}

/// What led to it: each link selects what it tells of, and puts the playhead there.
#[component]
fn Chain(editor: Editor, shown: Memo<Option<Shown>>) -> impl IntoView {
    let count = Memo::new(move |_| shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.explanation.chain.len())));
    let follow = move |index: usize, event: &MouseEvent| {
        let at = shown.with_untracked(|shown| Some(shown.as_ref()?.explanation.chain.get(index)?.at));
        if let Some(command) = clicked(editor, event) {
            editor.run(command);
        }
        editor.run(Command::Seek(at));
    };
    let link = move |index: usize| {
        let of = move |read: fn(&Shown, usize) -> Option<String>| {
            Signal::derive(move || shown.with(|shown| read(shown.as_ref()?, index)))
        };
        let time = of(|shown, index| Some(show_time(shown.explanation.chain.get(index)?.at, shown.scale)));
        let says = of(|shown, index| Some(shown.explanation.chain.get(index)?.text.clone()));
        let write = of(|shown, index| Some(shown.leads.get(index)?.verdict?.to_string()));
        let part = of(|shown, index| shown.leads.get(index)?.part.clone());
        view! {
            <li>
                <button type="button" data-write=write data-part=part on:click=move |event| follow(index, &event)>
                    <time>{move || time.get().unwrap_or_default()}</time>
                    <span>{move || says.get().unwrap_or_default()}</span>
                </button>
            </li>
        }
    };
    view! {
        <div class="led">
            <h3>"What led to it"</h3>
            <ol class="chain">
                <For each=move || 0..count.get() key=|index| *index children=link/>
            </ol>
        </div>
    }
}
