//! The search: is there any schedule within bounds that breaks a property? All of them are tried.

mod asked;
mod outcome;

use std::sync::Arc;

pub use asked::Asked;
use fenceline_engine::{Property, Scenario};
use fenceline_explorer::protocol::{Place, Work};
use leptos::prelude::*;
use outcome::{State, result, says};

use super::Explorer;
use super::workshop::Task;
use crate::app::keep_to_text;
use crate::editor::Editor;
use crate::why::name_of;

/// The panel.
#[component]
pub fn SearchPanel(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let Explorer { asked, .. } = use_context::<Explorer>().unwrap_or_default();
    let state = RwSignal::new(State::default());
    let problem = RwSignal::new(None::<&'static str>);
    let task = Task::new();
    let begin = move || {
        let bounds = match asked.with_untracked(Asked::bounds) {
            Ok(bounds) => bounds,
            Err(reason) => {
                problem.set(Some(reason));
                return;
            }
        };
        problem.set(None);
        let scenario = editor.scenario.get_untracked();
        state.set(State::GoesOn(Place::default()));
        task.start(Arc::clone(&scenario), Work::Search(bounds), move |answer| {
            // A panel that was closed in between has nobody to tell.
            let _ = state.try_set(State::after(&scenario, bounds, answer));
        });
    };
    // What was found is true of the schedule that was searched, and of no other.
    Effect::new(move |before: Option<Arc<Scenario>>| {
        let now = editor.scenario.get();
        if before.is_some_and(|before| before != now) {
            task.give_up();
            state.update(|state| {
                if !matches!(state, State::Idle) {
                    *state = State::Changed;
                }
            });
        }
        now
    });
    let goes_on = Memo::new(move |_| state.with(|state| matches!(state, State::GoesOn(..))));
    let press = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if goes_on.get_untracked() { task.stop() } else { begin() }
    };
    let set = move |change: fn(&mut Asked, String)| {
        move |event: web_sys::Event| asked.update(|asked| change(asked, event_target_value(&event)))
    };
    let property = move |of: Option<Property>| {
        let chosen = Signal::derive(move || asked.with(|asked| asked.property == of));
        view! {
            <option value=of.map_or("", Property::name) prop:selected=chosen>
                {of.map_or("any property", name_of)}
            </option>
        }
    };
    let changes = move |count: usize| {
        let chosen = Signal::derive(move || asked.with(|asked| asked.changes == count));
        view! {
            <option value=count.to_string() prop:selected=chosen>
                {count.to_string()}
            </option>
        }
    };
    let typed = move |of: fn(&Asked) -> &String| Signal::derive(move || asked.with(|asked| of(asked).clone()));
    view! {
        <div class="search">
            <h2 class="vh">"Search for a schedule that breaks a property"</h2>
            <p>
                "Tries every schedule with a few more pauses and other delays, and shows the smallest that breaks a property: fewest pauses first."
            </p>
            <form
                class="bounds"
                on:submit=press
                on:keydown=|event| keep_to_text(&event)
            >
                <div class="field">
                    <label for="search-property">"Break"</label>
                    <select
                        id="search-property"
                        on:change=set(|asked, value| {
                            asked.property = Property::ALL.into_iter().find(|property| property.name() == value);
                        })
                    >
                        {[None].into_iter().chain(Property::ALL.map(Some)).map(property).collect_view()}
                    </select>
                </div>
                <div class="field">
                    <label for="search-changes">"Changes at most"</label>
                    <select
                        id="search-changes"
                        on:change=set(|asked, value| asked.changes = value.parse().unwrap_or(asked.changes))
                    >
                        {(1..=4).map(changes).collect_view()}
                    </select>
                </div>
                <div class="field">
                    <label for="search-step">"In steps of"</label>
                    <input
                        type="text"
                        id="search-step"
                        class="number"
                        autocomplete="off"
                        spellcheck="false"
                        prop:value=typed(|asked| &asked.step)
                        on:input=set(|asked, value| asked.step = value)
                    />
                </div>
                <div class="field">
                    <label for="search-max">"Each up to"</label>
                    <input
                        type="text"
                        id="search-max"
                        class="number"
                        autocomplete="off"
                        spellcheck="false"
                        prop:value=typed(|asked| &asked.max)
                        on:input=set(|asked, value| asked.max = value)
                    />
                </div>
                <button class="chip" type="submit">
                    {move || if goes_on.get() { "Stop" } else { "Search" }}
                </button>
            </form>
            <p class="reason" role="alert">
                {move || problem.get().unwrap_or_default()}
            </p>
            <Show when=move || goes_on.get()>
                <Bar state/>
            </Show>
            <div role="status">{move || state.with(|state| result(editor, state))}</div>
        </div>
    }
}

/// How far a search is.
#[component]
fn Bar(state: RwSignal<State>) -> impl IntoView {
    let of = move || {
        state.with(|state| match state {
            State::GoesOn(place) => *place,
            _ => Place::default(),
        })
    };
    view! {
        <div class="progress">
            <progress
                aria-label="Schedules tried"
                max="1000"
                value=Signal::derive(move || {
                    let place = of();
                    (u128::from(place.covered) * 1_000 / u128::from(place.total.max(1))).to_string()
                })
            ></progress>
            <span>
                {move || says(of())}
            </span>
        </div>
    }
}
