//! The search: is there any schedule within bounds that breaks a property? All of them are tried.

use std::cell::RefCell;
use std::sync::Arc;

use fenceline_engine::{
    Bounds, Counterexample, Headline, Progress, Property, Scenario, Search, parse_duration, run, show_length,
};
use leptos::prelude::*;

use super::slices::Slices;
use super::{Explorer, words::signed};
use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, glyph_of};
use crate::why::name_of;

/// What the search is asked; numbers as they were typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    property: Option<Property>,
    changes: usize,
    step: String,
    max: String,
}

impl Default for Asked {
    fn default() -> Self {
        Self { property: None, changes: 2, step: "1s".into(), max: "60s".into() }
    }
}

impl Asked {
    /// The bounds, or what is wrong with them.
    fn bounds(&self) -> Result<Bounds, &'static str> {
        let read = |text: &str| parse_duration(text.trim()).ok();
        let step =
            read(&self.step).filter(|step| *step > 0).ok_or("The step is not a duration above 0, such as 1s.")?;
        let max =
            read(&self.max).filter(|max| *max > 0).ok_or("The longest is not a duration above 0, such as 60s.")?;
        if step > max {
            return Err("The step is longer than the longest: then there is nothing to try.");
        }
        Ok(Bounds { changes: self.changes, step, max, property: self.property })
    }
}

/// What the bounds say, for a result.
fn within(bounds: &Bounds) -> String {
    let most = match bounds.changes {
        1 => "one pause or delay changed".into(),
        count => ["at most ", &count.to_string(), " pauses and delays changed"].concat(),
    };
    let last = if bounds.changes > 1 { "; all but the last in steps of " } else { "; steps of " };
    let exact = if bounds.changes > 1 { ", the last exact" } else { " counted, all between them covered" };
    [&most, ", each up to ", &show_length(bounds.max), last, &show_length(bounds.step), exact].concat()
}

/// A number with a comma before each three digits.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    covered: u64,
    total: u64,
    /// How many pauses and how many delays are being combined.
    combining: (usize, usize),
}

impl Place {
    fn of(search: &Search) -> Self {
        let combining = search.combining().unwrap_or_default();
        Self { covered: search.covered(), total: search.total(), combining }
    }

    /// `tried 1,240 of 6,000`.
    fn says(self) -> String {
        ["tried ", &grouped(self.covered), " of ", &grouped(self.total)].concat()
    }
}

/// How a search stands.
#[derive(Clone, Debug, Default)]
enum State {
    /// None was asked for.
    #[default]
    Idle,
    /// It goes on.
    GoesOn(Place),
    /// It was stopped there.
    Stopped(Place),
    /// It came to its end: schedules covered, left out, and the bounds.
    Nothing(u64, u64, Bounds),
    /// It found this.
    Found(Box<Finding>),
    /// The schedule is not any more what was searched.
    Changed,
}

/// What a search found.
#[derive(Clone, Debug)]
struct Finding {
    scenario: Arc<Scenario>,
    property: Property,
    /// What was changed, a line each.
    changes: Vec<String>,
    /// What then goes wrong.
    headline: Headline,
    covered: u64,
    /// Whether it is the smallest: not where the search was stopped.
    is_smallest: bool,
}

impl Finding {
    fn of(from: &Scenario, found: &Counterexample, covered: u64, is_smallest: bool) -> Option<Self> {
        let trace = run(&found.scenario).ok()?;
        let mut changes: Vec<String> = (found.pauses.iter())
            .map(|(boundary, pause)| {
                let worker = from.workers.get(boundary.worker).map_or("?", |worker| worker.id.as_str());
                let (length, at) = (show_length(pause.length.unwrap_or(0)), show_length(pause.at));
                let step = (boundary.step + 1).to_string();
                [worker, " is paused for ", &length, " at ", &at, ", as its step ", &step, " begins."].concat()
            })
            .collect();
        changes.extend(found.delays.iter().map(|(knob, to)| {
            let before = knob.value(from).map_or_else(String::new, |before| [" instead of ", &signed(before)].concat());
            ["The ", &knob.label(from), " is ", &signed(*to), &before, "."].concat()
        }));
        if changes.is_empty() {
            changes.push("Nothing has to change: it is broken as the schedule stands.".into());
        }
        let headline = Headline::new(&found.scenario, &trace);
        Some(Self {
            scenario: Arc::new(found.scenario.clone()),
            property: found.property,
            changes,
            headline,
            covered,
            is_smallest,
        })
    }
}

/// The panel.
#[component]
pub fn SearchPanel(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let Explorer { asked, .. } = use_context::<Explorer>().unwrap_or_default();
    let state = RwSignal::new(State::default());
    let problem = RwSignal::new(None::<&'static str>);
    let slices = Slices::new();
    let held = StoredValue::new(None::<(Arc<Scenario>, Search)>);
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
        let search = Search::new(&scenario, bounds);
        state.set(State::GoesOn(Place::of(&search)));
        held.set_value(Some((Arc::clone(&scenario), search)));
        let shown = RefCell::new(0.0);
        slices.start(move || {
            let then = held.try_update_value(|held| {
                let (_, search) = held.as_mut()?;
                match search.go_on(8) {
                    Progress::GoesOn => {
                        // The counts are for the eye: ten times a second is enough.
                        let now = js_sys::Date::now();
                        if now - *shown.borrow() > 100.0 {
                            *shown.borrow_mut() = now;
                            let _ = state.try_set(State::GoesOn(Place::of(search)));
                        }
                        None
                    }
                    Progress::Nothing => Some(State::Nothing(search.covered(), search.left_out(), bounds)),
                    Progress::Found(found) => {
                        let found = Finding::of(&scenario, &found, search.covered(), true);
                        Some(found.map_or(State::Idle, |found| State::Found(found.into())))
                    }
                }
            });
            let Some(Some(then)) = then else { return then.is_some() };
            // A panel that was closed in between has nobody to tell.
            let _ = state.try_set(then);
            false
        });
    };
    let stop = move || {
        slices.stop();
        let Some((scenario, search)) = held.try_update_value(Option::take).flatten() else { return };
        // What was found up to there may not be the smallest, but it is there.
        let found = search.best().and_then(|best| Finding::of(&scenario, best, search.covered(), false));
        state.set(found.map_or_else(|| State::Stopped(Place::of(&search)), |found| State::Found(found.into())));
    };
    // What was found is true of the schedule that was searched, and of no other.
    Effect::new(move |before: Option<Arc<Scenario>>| {
        let now = editor.scenario.get();
        if before.is_some_and(|before| before != now) {
            slices.stop();
            held.set_value(None);
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
        if goes_on.get_untracked() { stop() } else { begin() }
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
                on:keydown=|event| event.stop_propagation()
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
                {move || of().says()}
            </span>
        </div>
    }
}

/// What a search came to.
fn result(editor: Editor, state: &State) -> AnyView {
    match state {
        State::Idle | State::GoesOn(..) => ().into_any(),
        State::Changed => {
            view! { <p class="muted">"The schedule has changed since the search. Search again."</p> }.into_any()
        }
        State::Stopped(place) => {
            let (pauses, delays) = place.combining;
            let counted = |count: usize, what: &str| {
                [count.to_string().as_str(), " ", what, if count == 1 { "" } else { "s" }].concat()
            };
            let at = [&counted(pauses, "pause"), " with ", &counted(delays, "changed delay")].concat();
            let says =
                ["Stopped by hand: ", &place.says(), ", in the middle of ", &at, ". Nothing was found up to there."];
            view! { <p class="outcome">{says.concat()}</p> }.into_any()
        }
        State::Nothing(covered, left_out, bounds) => {
            let what = bounds.property.map_or("a property", name_of);
            let none = if *left_out > 0 { "None found: " } else { "None within these bounds: " };
            let not_covered =
                if *left_out > 0 { [", ", &grouped(*left_out), " not covered"].concat() } else { String::new() };
            let says = [none, &grouped(*covered), " schedules covered", &not_covered, "."].concat();
            let asked = ["To break: ", what, ". Bounds: ", &within(bounds), "."].concat();
            let left_out = (*left_out > 0).then(|| {
                let says = [
                    &grouped(*left_out),
                    " schedules were left out, since each would have taken too long: there may be one among them.",
                ]
                .concat();
                view! { <p class="muted">{says}</p> }
            });
            view! {
                <p class="outcome">
                    <b>{says}</b>
                </p>
                <p class="muted">{asked}</p>
                {left_out}
            }
            .into_any()
        }
        State::Found(found) => {
            let scenario = Arc::clone(&found.scenario);
            let open = move |_| editor.run(Command::Edit(Arc::clone(&scenario)));
            let glyph = glyph_of(found.headline.class);
            let which =
                if found.is_smallest { "The smallest schedule that breaks it" } else { "Stopped; the smallest so far" };
            let says = [
                "“",
                name_of(found.property),
                "” can be broken. ",
                which,
                ", of ",
                &grouped(found.covered),
                " covered:",
            ]
            .concat();
            let lines = found.changes.iter().map(|line| view! { <li>{line.clone()}</li> }).collect_view();
            view! {
                <div class="outcome">
                    <p>
                        <b>{says}</b>
                    </p>
                    <ol class="changes">{lines}</ol>
                    <p class="wrong">
                        <OutcomeGlyph of=glyph/>
                        <span>{found.headline.sentence()} ". " {found.headline.detail.clone()}</span>
                    </p>
                    <button class="chip" type="button" on:click=open>
                        "Open on the timeline"
                    </button>
                    " "
                    <span class="muted">"One step: undo brings back what is shown now."</span>
                </div>
            }
            .into_any()
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        for (count, text) in [(0, "0"), (999, "999"), (1_240, "1,240"), (1_000_000, "1,000,000")] {
            assert_eq!(grouped(count), text);
        }
    }

    #[test]
    fn bounds_are_read_or_refused_with_the_reason() {
        let asked = |step: &str, max: &str| Asked { step: step.into(), max: max.into(), ..Asked::default() }.bounds();
        let bounds = asked(" 500ms ", "1m").expect("both are durations");
        assert_eq!((bounds.step, bounds.max), (500_000, 60_000_000));
        assert!(asked("0s", "1m").is_err_and(|reason| reason.starts_with("The step")));
        assert!(asked("1s", "soon").is_err_and(|reason| reason.starts_with("The longest")));
        assert!(asked("2m", "1m").is_err_and(|reason| reason.contains("nothing to try")));
    }

    #[test]
    fn the_bounds_are_told_with_every_number() {
        let bounds = Bounds { changes: 2, step: 1_000_000, max: 60_000_000, property: None };
        let says = within(&bounds);
        assert_eq!(
            says,
            "at most 2 pauses and delays changed, each up to 60 s; all but the last in steps of 1 s, the last exact"
        );
    }
}
