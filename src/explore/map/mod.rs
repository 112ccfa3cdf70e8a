//! The race map: what the schedule comes to for every pair of values of two numbers, with a crosshair that sets both.
//!
//! It is painted from coarse to fine, so that something is there at once. Invariants: the map does not depend on where its own
//! two numbers stand, so that dragging the crosshair works nothing out anew but the slice; every row is exact.

mod paint;
mod plot;
mod rows;

use std::sync::Arc;

use fenceline_engine::{Gist, Knob, Scenario, Stretch, stretches};
use fenceline_explorer::ground;
use fenceline_figure::{Band, Glyph, told};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::Explorer;
use super::axes::{first_axes, range};
use super::words::{FAILED, signed};
use crate::app::keep_to_text;
use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, outcome_name};
use crate::platform::size::watch_media;
use crate::step::step_of;
use paint::{FILLS, fill_of};
use plot::Plot;
use rows::{Region, to_the_end};

/// How much work the slice may take, in events.
const WORK: u64 = 20_000;

/// A map as it is asked for.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    /// The horizontal and the vertical knob.
    knobs: [Knob; 2],
    /// Where they stand.
    values: [i64; 2],
    /// How far their axes go.
    ranges: [(i64, i64); 2],
}

impl Asked {
    fn of(editor: Editor, explorer: Explorer, before: Option<&Self>) -> Option<Self> {
        let (across, up) = explorer.axes.get();
        let story = editor.whole.get().to_us();
        let held = editor.is_held();
        editor.scenario.with(|scenario| {
            let (first_across, first_up) = first_axes(scenario)?;
            let there = |knob: Option<Knob>| knob.filter(|knob| knob.value(scenario).is_some());
            let across = there(across).unwrap_or(first_across);
            let up = there(up).unwrap_or(first_up);
            let knobs = [across, up];
            let values = [knobs[0].value(scenario)?, knobs[1].value(scenario)?];
            let ranges = [0, 1].map(|axis| {
                let before = before.filter(|before| before.knobs == knobs).map(|before| before.ranges[axis]);
                match before {
                    Some(before) if held => before,
                    before => range(&knobs[axis], values[axis], story, before),
                }
            });
            Some(Self { knobs, values, ranges })
        })
    }

    /// The scenario with both knobs where their axes begin: what the map is worked out from.
    fn base(&self, scenario: &Scenario) -> Scenario {
        ground(scenario, self.knobs.iter().zip(self.ranges.map(|(from, _)| from)))
    }

    /// Where a value lies on its axis, as a part of its length.
    fn part(&self, axis: usize) -> f64 {
        let ((from, to), value) = (self.ranges[axis], self.values[axis]);
        (value.saturating_sub(from) as f64 / (to - from).max(1) as f64).clamp(0.0, 1.0)
    }

    /// The value at a part of an axis, on the steps that fit it.
    fn value_at(&self, axis: usize, part: f64) -> i64 {
        let (from, to) = self.ranges[axis];
        let step = step_of((to - from).unsigned_abs()) as i64;
        let value = from + ((to - from) as f64 * part.clamp(0.0, 1.0)).round() as i64;
        ((value + step / 2).div_euclid(step) * step).clamp(from, to)
    }
}

/// What each value of the horizontal knob comes to where the vertical one stands.
fn slice(scenario: &Scenario, asked: &Asked) -> Vec<Stretch> {
    let (from, to) = asked.ranges[0];
    to_the_end(stretches(scenario, &asked.knobs[0], from..to + 1, WORK), to + 1)
}

/// A slice in words.
fn sentence(slice: &[Stretch]) -> String {
    let bands: Vec<Band> = (slice.iter())
        .map(|stretch| Band { gist: stretch.gist, values: stretch.values.clone(), from_us: 0, to_us: 0 })
        .collect();
    let told: Vec<String> = (0..bands.len()).map(|index| told(&bands, index, false)).collect();
    told.join("; ")
}

/// The words of an outcome.
fn words_of(gist: Option<Gist>) -> &'static str {
    gist.map_or("not possible", |gist| gist.words)
}

/// Whether there is room to pin the map beside the other panels.
pub fn is_roomy() -> ReadSignal<bool> {
    let (roomy, set) = signal(false);
    watch_media("(min-width: 1280px)", move |matches| set.set(matches));
    roomy
}

/// The map in a card of its own, beside the panels.
#[component]
pub fn PinnedMap(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    view! {
        <section class="card pinned-map" aria-labelledby="race-map-title">
            <div class="card-head">
                <h2 id="race-map-title">"Race map"</h2>
            </div>
            <RaceMap editor/>
        </section>
    }
}

/// The map, its axes and its key.
#[component]
pub fn RaceMap(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let explorer = use_context::<Explorer>().unwrap_or_default();
    let asked =
        Memo::new(move |before: Option<&Option<Asked>>| Asked::of(editor, explorer, before.and_then(Option::as_ref)));
    // The regions of the last map that was worked out to its end, and whether that is the one that is asked for.
    let regions = RwSignal::new(Vec::<Region>::new());
    let is_worked_out = RwSignal::new(false);
    let has_failed = RwSignal::new(false);
    let slice = Memo::new(move |_| {
        let hidden = editor.hidden_from.get().is_some();
        asked.with(|asked| {
            let asked = asked.as_ref().filter(|_| !hidden)?;
            Some(editor.scenario.with(|scenario| slice(scenario, asked)))
        })
    });
    let is_there = Memo::new(move |_| asked.with(Option::is_some));
    let label = move |axis: usize| {
        Memo::new(move |_| {
            let knob = asked.with(|asked| asked.as_ref().map(|asked| asked.knobs[axis].clone()));
            knob.map_or_else(String::new, |knob| editor.scenario.with(|scenario| knob.label(scenario)))
        })
    };
    let labels = [label(0), label(1)];
    let alternative = move || {
        let slice = slice.with(|slice| slice.as_deref().map(sentence))?;
        let (value, [across, up]) = (asked.with(|asked| asked.as_ref().map(|asked| asked.values[1]))?, labels);
        let here = ["Where the ", &up.get(), " is ", &signed(value), ", by the ", &across.get(), ": ", &slice, ". "];
        let all: Vec<String> = regions.with(|regions| {
            let told = |region: &Region| {
                let percent = (region.share * 100.0).round() as u32;
                [words_of(region.gist), " ", &percent.to_string(), " %"].concat()
            };
            regions.iter().map(told).collect()
        });
        if has_failed.get() {
            return Some([&here.concat(), FAILED].concat());
        }
        if !is_worked_out.get() {
            return Some([&here.concat(), "The whole map is being worked out."].concat());
        }
        Some([&here.concat(), "Of the whole map: ", &all.join(", "), "."].concat())
    };
    view! {
        <div class="race-map">
            <h2 class="vh">"Race map"</h2>
            <Show
                when=move || is_there.get()
                fallback=|| view! { <p class="muted">"A map needs two numbers. Add a worker first."</p> }
            >
                <div class="map-axes">
                    <Choice editor asked axis=0/>
                    <Choice editor asked axis=1/>
                </div>
                <Plot editor asked slice regions is_worked_out has_failed/>
                <div class="map-sliders">
                    <Slider editor asked label=labels[0] axis=0/>
                    <Slider editor asked label=labels[1] axis=1/>
                </div>
                <ul class="map-key" aria-label="Key of the race map">
                    <For
                        each=move || regions.get()
                        key=|region| words_of(region.gist)
                        children=|region| view! { <KeyEntry gist=region.gist/> }
                    />
                </ul>
                <Show when=move || has_failed.get()>
                    <p class="reason">{FAILED}</p>
                </Show>
                <p class="vh" id="map-words">
                    {alternative}
                </p>
            </Show>
        </div>
    }
}

/// An outcome of the map: its texture, its glyph and its words.
#[component]
fn KeyEntry(gist: Option<Gist>) -> impl IntoView {
    let glyph = gist.and_then(|gist| Glyph::of_class(gist.class));
    view! {
        <li data-outcome=outcome_name(glyph)>
            <i class="swatch" data-fill=FILLS[fill_of(gist)]></i>
            <OutcomeGlyph of=Signal::stored(glyph)/>
            {words_of(gist)}
        </li>
    }
}

/// The choice of a knob for an axis.
#[component]
fn Choice(editor: Editor, asked: Memo<Option<Asked>>, axis: usize) -> impl IntoView {
    let explorer = use_context::<Explorer>().unwrap_or_default();
    let (id, says) = if axis == 0 { ("map-across", "Across") } else { ("map-up", "Up") };
    // The list follows the document, not the values in it: it is open while they may change.
    let knobs = Memo::new(move |_| {
        editor.scenario.with(|scenario| {
            let named = |knob: Knob| (knob.pointer(), knob.label(scenario));
            Knob::all(scenario).into_iter().map(named).collect::<Vec<_>>()
        })
    });
    let chosen = Memo::new(move |_| asked.with(|asked| asked.as_ref().map(|asked| asked.knobs[axis].pointer())));
    let option = move |(pointer, label): (String, String)| {
        let this = pointer.clone();
        let selected = Signal::derive(move || chosen.with(|chosen| chosen.as_ref() == Some(&this)));
        view! {
            <option value=pointer prop:selected=selected>
                {label}
            </option>
        }
    };
    let choose = move |event: web_sys::Event| {
        let knob = editor.scenario.with_untracked(|scenario| Knob::at(scenario, &event_target_value(&event)));
        let Some(now) = asked.get_untracked() else { return };
        explorer.axes.update(|axes| {
            let [across, up] = now.knobs;
            // The same number on both axes is no map: then they change places.
            *axes = match (axis, knob) {
                (0, knob) if knob.as_ref() == Some(&up) => (Some(up), Some(across)),
                (0, knob) => (knob, Some(up)),
                (_, knob) if knob.as_ref() == Some(&across) => (Some(up), Some(across)),
                (_, knob) => (Some(across), knob),
            };
        });
    };
    view! {
        <div class="field">
            <label for=id>{says}</label>
            <select id=id on:change=choose on:keydown=|event| keep_to_text(&event)>
                {move || knobs.get().into_iter().map(option).collect_view()}
            </select>
        </div>
    }
}

/// A slider for one of the two numbers: what keys move.
#[component]
fn Slider(editor: Editor, asked: Memo<Option<Asked>>, label: Memo<String>, axis: usize) -> impl IntoView {
    let of = move |read: fn(&Asked, usize) -> String| {
        Signal::derive(move || asked.with(|asked| asked.as_ref().map_or_else(String::new, |asked| read(asked, axis))))
    };
    let turn = move |event: web_sys::Event| {
        let Some(asked) = asked.get_untracked() else { return };
        let Ok(value) = event_target_value(&event).parse::<i64>() else { return };
        let knob = &asked.knobs[axis];
        let mut turned = editor.scenario.get_untracked().as_ref().clone();
        knob.turn(&mut turned, value);
        editor.run(Command::EditField(Arc::new(turned), knob.pointer()));
        // A value that cannot be is not taken: then the thumb goes back.
        let stands = editor.scenario.with_untracked(|scenario| knob.value(scenario));
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let (Some(input), Some(stands)) = (input, stands) {
            input.set_value(&stands.to_string());
        }
    };
    let value = of(|asked, axis| signed(asked.values[axis]));
    view! {
        <label>
            <span>
                {label} " " <b>{value}</b>
            </span>
            <input
                type="range"
                data-axis=if axis == 0 { "across" } else { "up" }
                min=of(|asked, axis| asked.ranges[axis].0.to_string())
                max=of(|asked, axis| asked.ranges[axis].1.to_string())
                step=of(|asked, axis| {
                    step_of((asked.ranges[axis].1 - asked.ranges[axis].0).unsigned_abs()).to_string()
                })
                prop:value=of(|asked, axis| asked.values[axis].to_string())
                aria-valuetext=value
                on:input=turn
            />
        </label>
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    const SECOND: i64 = 1_000_000;

    fn asked() -> Asked {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        let (across, up) = first_axes(&scenario).expect("it has numbers");
        let (knobs, ranges) = ([across, up], [(0, 60 * SECOND), (0, 10 * SECOND)]);
        Asked { knobs, values: [45 * SECOND, SECOND], ranges }
    }

    #[test]
    fn a_place_on_the_map_is_a_value_on_the_steps_of_its_axis() {
        let asked = asked();
        assert!((asked.part(0) - 0.75).abs() < 1e-9 && (asked.part(1) - 0.1).abs() < 1e-9);
        // A minute goes by tenths of a second, ten seconds by hundredths.
        assert_eq!(asked.value_at(0, 0.501_234), 30_100_000);
        assert_eq!(asked.value_at(1, 0.501_234), 5_010_000);
        assert_eq!((asked.value_at(0, -1.0), asked.value_at(0, 2.0)), (0, 60 * SECOND));
    }

    #[test]
    fn what_a_map_is_worked_out_from_does_not_depend_on_where_its_numbers_stand() {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        let asked = asked();
        let mut moved = scenario.clone();
        asked.knobs[0].turn(&mut moved, 7 * SECOND);
        asked.knobs[1].turn(&mut moved, 9 * SECOND);
        assert_eq!(asked.base(&scenario), asked.base(&moved));
        assert_ne!(scenario, moved);
    }

    #[test]
    fn the_slice_says_the_three_regions_at_the_delay_of_the_story() {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        assert_eq!(
            sentence(&slice(&scenario, &asked())),
            "harmless < 23.8 s; stale accepted 23.8–32.0 s; rejected > 32.0 s"
        );
    }
}
