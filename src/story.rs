//! What happened: the drawing in words, and by keyboard the way to look at a write.

use fenceline_engine::{Mark, Sentence, narrate};
use fenceline_engine::{Scale, show_time};
use fenceline_figure::Glyph;
use leptos::prelude::*;
use web_sys::MouseEvent;

use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, outcome_name};
use crate::timeline::clicked_write;

/// The glyph of a decision; none for whatever else happened.
const fn glyph_of(mark: Mark) -> Option<Glyph> {
    match mark {
        Mark::Accepted => Some(Glyph::Accepted),
        Mark::StaleAccepted => Some(Glyph::Corrupting),
        Mark::StaleRejected => Some(Glyph::Fenced),
        Mark::HolderRefused => Some(Glyph::Refused),
        Mark::Replayed => Some(Glyph::Replayed),
        _ => None,
    }
}

/// The icon of whatever is no decision.
const fn icon_of(mark: Mark) -> &'static str {
    match mark {
        Mark::Grant | Mark::Release => "#u-lease",
        Mark::Wait | Mark::Pause => "#u-pause",
        Mark::Renewal | Mark::Failover | Mark::Restart => "#u-again",
        Mark::Expiry | Mark::LockDelay => "#u-expire",
        Mark::Resume => "#u-resume",
        Mark::Send => "#u-send",
        Mark::Lost => "#u-lost",
        Mark::Read | Mark::Learned => "#u-reply",
        Mark::Check => "#u-check",
        _ => "#u-stop",
    }
}

/// A row as it is now.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    time: String,
    sentence: Sentence,
    selected: bool,
}

/// The list.
#[component]
pub fn Story(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let rows = Memo::new(move |_| {
        let selected = editor.selected.get();
        editor.scenario.with(|scenario| {
            editor.trace.with(|trace| {
                let scale = Scale::of(trace);
                let row = |sentence: Sentence| Row {
                    time: show_time(sentence.at, scale),
                    selected: sentence.verdict.is_some() && sentence.verdict == selected,
                    sentence,
                };
                narrate(scenario, trace).into_iter().map(row).collect::<Vec<_>>()
            })
        })
    });
    let count = Memo::new(move |_| rows.with(Vec::len));
    let unit = Memo::new(move |_| editor.trace.with(|trace| Scale::of(trace).unit()));
    let select = move |event: MouseEvent| {
        if let Some(write) = clicked_write(&event).and_then(|verdict| editor.write_id(verdict)) {
            editor.run(Command::Select(write));
        }
    };
    view! {
        <section class="card" aria-labelledby="story-title">
            <div class="card-head">
                <h2 id="story-title">"What happened"</h2>
                <span class="muted">{count} " events, times in " {unit}</span>
            </div>
            <ol class="story" on:click=select>
                <For each=move || 0..count.get() key=|index| *index children=move |index| view! { <RowView rows index/> }/>
            </ol>
        </section>
    }
}

#[component]
fn RowView(rows: Memo<Vec<Row>>, index: usize) -> impl IntoView {
    let row = Memo::new(move |_| rows.with(|rows| rows.get(index).cloned()));
    let glyph = Memo::new(move |_| row.with(|row| row.as_ref().and_then(|row| glyph_of(row.sentence.mark))));
    let verdict = Memo::new(move |_| row.with(|row| row.as_ref().and_then(|row| row.sentence.verdict)));
    let text = move |of: fn(&Row) -> &str| row.with(|row| row.as_ref().map_or_else(String::new, |row| of(row).into()));
    let icon = move || row.with(|row| row.as_ref().map_or("", |row| icon_of(row.sentence.mark)));
    let inside = move || {
        view! {
            <time>{move || text(|row| &row.time)}</time>
            <Show
                when=move || glyph.get().is_some()
                fallback=move || {
                    view! {
                        <svg class="ico" aria-hidden="true" focusable="false">
                            <use_ href=icon></use_>
                        </svg>
                    }
                }
            >
                <OutcomeGlyph of=glyph/>
            </Show>
            <span class="says">
                <b>{move || text(|row| &row.sentence.bold)}</b>
                {move || if text(|row| &row.sentence.bold).is_empty() { "" } else { " " }}
                {move || text(|row| &row.sentence.text)}
            </span>
        }
    };
    let is_selected = move || row.with(|row| row.as_ref().is_some_and(|row| row.selected));
    view! {
        <li>
            <Show
                when=move || verdict.get().is_some()
                fallback=move || view! { <div class="row">{inside()}</div> }
            >
                <button
                    class="row"
                    type="button"
                    data-write=move || verdict.get()
                    data-outcome=move || outcome_name(glyph.get())
                    aria-current=move || is_selected().then_some("true")
                >
                    {inside()}
                </button>
            </Show>
        </li>
    }
}
