//! Why the selected write was judged as it was: the comparison with its numbers, the truth, and what led to it.
//!
//! Ended, superseded, known at the destination are three instants; they are shown side by side and never as one.

use fenceline_engine::{Explanation, Micros, Scale, Trace, explain, show_instant, show_time};
use fenceline_figure::palette::{Tone, tones};
use leptos::prelude::*;

use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, glyph_of, outcome_name};

/// All that the panel shows.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    explanation: Explanation,
    token: Option<String>,
    /// Whose the two tokens are: this write's, and the remembered one.
    tones: [&'static str; 2],
    decided_at: Micros,
    scale: Scale,
}

const fn letter(tone: Tone) -> &'static str {
    match tone {
        Tone::Zero => "0",
        Tone::A => "a",
        Tone::B => "b",
        Tone::C => "c",
        Tone::D => "d",
    }
}

fn shown(editor: Editor) -> Option<Shown> {
    let selected = editor.selected.get()?;
    editor.scenario.with(|scenario| {
        editor.trace.with(|trace| {
            let verdict = trace.writes.get(selected as usize)?;
            let tones = tones(scenario);
            let of = |worker: Option<usize>| {
                letter(worker.and_then(|worker| tones.get(worker)).copied().unwrap_or_default())
            };
            Some(Shown {
                explanation: explain(scenario, trace, selected)?,
                token: verdict.token.map(|token| token.to_string()),
                tones: [of(Some(verdict.worker)), of(remembered_from(trace, selected))],
                decided_at: verdict.decided_at,
                scale: Scale::of(trace),
            })
        })
    })
}

/// The worker whose token the resource remembered when that was decided; none for the initial one.
fn remembered_from(trace: &Trace, verdict: u32) -> Option<usize> {
    let of = trace.writes.get(verdict as usize)?;
    let memory = trace.memories.iter().rev().find(|memory| {
        memory.resource == of.resource && memory.from <= of.decided_at && memory.token == of.remembered_token
    })?;
    trace.grant(memory.token_of?).map(|grant| grant.worker)
}

/// The panel.
#[component]
pub fn Why(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let shown = Memo::new(move |_| shown(editor));
    view! {
        <h2 class="vh">"Why the selected write was judged so"</h2>
        {move || shown.get().map(explanation)}
        <Show when=move || shown.with(Option::is_none)>
            <p class="why muted">"No write has reached a destination."</p>
        </Show>
    }
}

fn explanation(shown: Shown) -> impl IntoView {
    let Shown { explanation, token, tones: [own, remembered], decided_at, scale } = shown;
    let Explanation { class, title, sent_at, comparison, standing, instants, flags, chain } = explanation;
    let glyph = glyph_of(class);
    let times = match sent_at {
        Some(sent) => ["sent ", &show_instant(sent, scale), ", arrived ", &show_instant(decided_at, scale)].concat(),
        None => ["given up ", &show_instant(decided_at, scale)].concat(),
    };
    let sides = comparison.sides.map(|sides| {
        view! {
            <div class="sides">
                <span class="figure token" data-tone=own>{sides.left}</span>
                <span class="operator">{sides.operator}</span>
                <span class="figure token" data-tone=remembered>{sides.right}</span>
                <span class="caption">{sides.left_is}</span>
                <span class="caption"></span>
                <span class="caption">{sides.right_is}</span>
            </div>
        }
    });
    let instant = |words: &'static str, at: Option<Micros>| {
        let none = at.is_none();
        let time = at.map_or_else(|| "not in this run".into(), |at| show_instant(at, scale));
        view! {
            <div class="instant" data-none=none.then_some("")>
                <dt>{words}</dt>
                <dd>{time}</dd>
            </div>
        }
    };
    let flags = flags.into_iter().map(|flag| view! { <li>{flag.text}</li> }).collect::<Vec<_>>();
    let chain = chain
        .into_iter()
        .map(|link| {
            view! {
                <li>
                    <time>{show_time(link.at, scale)}</time>
                    <span>{link.text}</span>
                </li>
            }
        })
        .collect::<Vec<_>>();
    view! {
        <div class="why" data-outcome=outcome_name(glyph)>
            <p class="why-of">
                {token.map(|token| view! { <span class="token" data-tone=own>{token}</span> })}
                <b>{title}</b>
                <span class="muted">{times}</span>
            </p>
            <div class="comparison">
                <code class="rule">{comparison.rule}</code>
                {sides}
                <p class="ruling">
                    <OutcomeGlyph of=Signal::stored(glyph)/>
                    <span>{comparison.sentence}</span>
                </p>
            </div>
            <div class="truth">
                <h3>"Truth at the lease service"</h3>
                <p>{standing}</p>
                <dl class="instants">
                    {instant("Its lease ended", instants.ended)}
                    {instant("Superseded", instants.superseded)}
                    {instant("Newer one known here", instants.known)}
                </dl>
                <ul class="flags">{flags}</ul>
            </div>
            <div class="led">
                <h3>"What led to it"</h3>
                <ol class="chain">{chain}</ol>
            </div>
        </div>
    }
}
