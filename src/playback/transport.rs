//! The transport: play, steps both ways, speed, and what holds at the playhead in words.

use fenceline_engine::{Scale, moment, show_instant};
use leptos::prelude::*;

use super::{next_event, previous_event};
use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::Icon;

/// The buttons.
#[component]
pub fn Transport(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let playing = editor.playing;
    let (icon, words) = (
        Signal::derive(move || if playing.get() { "#u-pause" } else { "#u-play" }),
        Signal::derive(move || if playing.get() { "Pause" } else { "Play" }),
    );
    let at_end = |step: fn(&fenceline_engine::Trace, Option<u64>) -> Option<u64>| {
        Signal::derive(move || {
            let at = editor.playhead.get();
            let none = editor.trace.with(|trace| step(trace, at).is_none());
            if none { "true" } else { "false" }
        })
    };
    let time = Signal::derive(move || {
        let at = editor.playhead.get();
        at.map_or_else(String::new, |at| editor.trace.with(|trace| show_instant(at, Scale::of(trace))))
    });
    let speed = Signal::derive(move || editor.speed.get().label());
    view! {
        <div class="transport" role="group" aria-label="Playback">
            <button
                class="btn play"
                type="button"
                aria-label=words
                title=Signal::derive(move || [words.get(), " · Space"].concat())
                aria-keyshortcuts="Space"
                on:click=move |_| editor.run(Command::Play(!playing.get_untracked()))
            >
                <svg class="ico" aria-hidden="true" focusable="false">
                    <use_ href=icon></use_>
                </svg>
            </button>
            <button
                class="btn"
                type="button"
                aria-label="Previous event"
                title="Previous event · ,"
                aria-keyshortcuts=","
                aria-disabled=at_end(previous_event)
                on:click=move |_| editor.run(Command::StepEvent(false))
            >
                <Icon name="#u-back"/>
            </button>
            <button
                class="btn"
                type="button"
                aria-label="Next event"
                title="Next event · ."
                aria-keyshortcuts="."
                aria-disabled=at_end(next_event)
                on:click=move |_| editor.run(Command::StepEvent(true))
            >
                <Icon name="#u-forward"/>
            </button>
            <button
                class="btn speed"
                type="button"
                aria-label=Signal::derive(move || ["Speed: ", speed.get()].concat())
                title="Speed"
                on:click=move |_| editor.run(Command::NextSpeed)
            >
                {speed}
            </button>
            <Show when=move || editor.playhead.get().is_some()>
                <span class="time">{time}</span>
                <button
                    class="btn"
                    type="button"
                    aria-label="Put the playhead away"
                    title="Put the playhead away · Esc"
                    on:click=move |_| editor.run(Command::Seek(None))
                >
                    <Icon name="#u-lost"/>
                </button>
            </Show>
        </div>
    }
}

/// What holds at the playhead, lane by lane.
#[component]
pub fn States(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let states = Memo::new(move |_| {
        let at = editor.playhead.get()?;
        let names = editor
            .scene
            .with(|scene| scene.lanes.iter().map(|place| (place.lane, place.name.clone())).collect::<Vec<_>>());
        let told = editor.scenario.with(|scenario| editor.trace.with(|trace| moment(scenario, trace, at)));
        let state = |state: fenceline_engine::LaneState| {
            let name = names.iter().find(|(lane, _)| *lane == state.lane).map(|(_, name)| name.clone());
            let words = if state.more.is_empty() { state.words } else { [state.words, state.more].join(", ") };
            (name.unwrap_or_default(), words, state.is_wrong)
        };
        Some(told.into_iter().map(state).collect::<Vec<_>>())
    });
    let item = |(name, words, is_wrong): (String, String, bool)| {
        view! {
            <div class="state" data-wrong=is_wrong.then_some("")>
                <dt>{name}</dt>
                <dd>{words}</dd>
            </div>
        }
    };
    move || {
        states.get().map(|states| {
            view! {
                <dl class="states" aria-label="At the playhead">
                    {states.into_iter().map(item).collect_view()}
                </dl>
            }
        })
    }
}
