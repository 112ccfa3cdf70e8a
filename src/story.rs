//! What happened: the drawing in words, and by keyboard the way to look at a write.
//!
//! A run of thousands of events is told in part until all of it is asked for, and then scrolls in its own frame. Invariant:
//! selecting something never moves the page, only that frame.

use fenceline_engine::{Mark, Sentence, narrate};
use fenceline_engine::{Scale, show_time};
use fenceline_figure::Glyph;
use leptos::html::Ol;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, MouseEvent};

use crate::editor::Editor;
use crate::glyph::{outcome_name, symbol};
use crate::selection::Part;
use crate::timeline::clicked;

/// How many events are listed before somebody asks for all.
const FIRST: usize = 200;
/// From how many listed events on the list has its own frame to scroll in.
const LONG: usize = 60;

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
    /// The part of the document that it tells of.
    part: Option<Part>,
    /// Whether it tells of the selected write.
    selected: bool,
    /// Whether it tells of the selected part.
    picked: bool,
}

/// The list.
#[component]
pub fn Story(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let rows = Memo::new(move |_| {
        let (selected, picked) = (editor.selected.get(), editor.part.get());
        let hidden = editor.hidden_from.get();
        editor.scenario.with(|scenario| {
            editor.trace.with(|trace| {
                let scale = Scale::of(trace);
                let row = |sentence: Sentence| {
                    let event = trace.events.get(sentence.event as usize);
                    let part = event.and_then(|event| Part::of_event(scenario, trace, event));
                    Row {
                        time: show_time(sentence.at, scale),
                        selected: sentence.verdict.is_some() && sentence.verdict == selected,
                        picked: part.is_some() && part == picked,
                        part,
                        sentence,
                    }
                };
                let told = narrate(scenario, trace).into_iter();
                told.filter(|sentence| hidden.is_none_or(|hidden| sentence.at < hidden)).map(row).collect::<Vec<_>>()
            })
        })
    });
    let count = Memo::new(move |_| rows.with(Vec::len));
    let wants_all = RwSignal::new(false);
    let listed = Memo::new(move |_| if wants_all.get() { count.get() } else { count.get().min(FIRST) });
    let list = NodeRef::<Ol>::new();
    Effect::new(move |_| {
        editor.selected.track();
        editor.part.track();
        // Once the row is marked.
        request_animation_frame(move || {
            if let Some(list) = list.try_get_untracked().flatten() {
                show_current(list.into(), 0);
            }
        });
    });
    let summary = Signal::derive(move || {
        let unit = editor.trace.with(|trace| Scale::of(trace).unit());
        [&count.get().to_string(), " events, times in ", unit].concat()
    });
    let select = move |event: MouseEvent| {
        if let Some(command) = clicked(editor, &event) {
            editor.run(command);
        }
    };
    let walk = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key() {
            return;
        }
        let Some(list) = list.get_untracked() else { return };
        if let Some(row) = row_at(&list.into(), &event.key()) {
            event.prevent_default();
            // A row that cannot be focused leaves the focus where it is.
            let _ = row.focus();
            row.click();
        }
    };
    view! {
        <section class="card" aria-labelledby="story-title">
            <div class="card-head">
                <h2 id="story-title">"What happened"</h2>
                <span class="muted">{summary}</span>
            </div>
            <ol
                class="story"
                data-long=Signal::derive(move || (listed.get() > LONG).then_some(""))
                node_ref=list
                on:click=select
                on:keydown=walk
            >
                <For each=move || 0..listed.get() key=|index| *index children=move |index| view! { <RowView rows index/> }/>
            </ol>
            <Show when=move || { listed.get() < count.get() }>
                <p class="story-rest">
                    <button class="chip" type="button" on:click=move |_| wants_all.set(true)>
                        {move || ["Show all ", &count.get().to_string(), " events"].concat()}
                    </button>
                </p>
            </Show>
        </section>
    }
}

/// The row to which a key leads from the one that has the focus.
fn row_at(list: &Element, key: &str) -> Option<HtmlElement> {
    let here = document().active_element()?.closest("li").ok()??;
    let next = match key {
        "ArrowDown" => here.next_element_sibling(),
        "ArrowUp" => here.previous_element_sibling(),
        "Home" => list.first_element_child(),
        "End" => list.last_element_child(),
        _ => None,
    }?;
    next.query_selector("button").ok()??.dyn_into().ok()
}

/// How often a list is scrolled towards its current row: what was not in view has an estimated height until it comes near.
const MOST_SCROLLS: u32 = 8;

/// Scrolls a list that has its own frame so far that its current row is seen.
fn show_current(list: Element, scrolls: u32) {
    if list.scroll_height() <= list.client_height() || scrolls == MOST_SCROLLS {
        return;
    }
    // Several rows may tell of the selected part; of those, that of the selected write.
    let wanted = ["[aria-current][data-picked]", "[data-picked]", "[aria-current]"];
    let Some(row) = wanted.iter().find_map(|css| list.query_selector(css).ok().flatten()) else { return };
    let (row, frame) = (row.get_bounding_client_rect(), list.get_bounding_client_rect());
    let over = (row.top() - frame.top()).min(0.0) + (row.bottom() - frame.bottom()).max(0.0);
    if over.abs() >= 1.0 {
        list.set_scroll_top(list.scroll_top() + over.ceil() as i32);
        request_animation_frame(move || show_current(list, scrolls + 1));
    }
}

#[component]
fn RowView(rows: Memo<Vec<Row>>, index: usize) -> impl IntoView {
    let row = Memo::new(move |_| rows.with(|rows| rows.get(index).cloned()));
    let text =
        move |of: fn(&Row) -> String| Signal::derive(move || row.with(|row| row.as_ref().map_or_else(String::new, of)));
    let mark = move || row.with(|row| row.as_ref().map(|row| row.sentence.mark));
    let glyph = move || mark().and_then(glyph_of);
    let verdict = Signal::derive(move || row.with(|row| row.as_ref().and_then(|row| row.sentence.verdict)));
    let current = move || row.with(|row| row.as_ref().is_some_and(|row| row.selected)).then_some("true");
    let inside = move || {
        let class = Signal::derive(move || glyph().map_or("", Glyph::body_class));
        let icon = Signal::derive(move || glyph().map_or_else(|| mark().map_or("", icon_of), |of| symbol(Some(of))));
        view! {
            <time>{text(|row| row.time.clone())}</time>
            <svg class="ico" aria-hidden="true" focusable="false">
                <use_ class=class href=icon></use_>
            </svg>
            <span class="says">
                // The space after the first part is drawn only where there is one.
                <b>{text(|row| row.sentence.bold.clone())}</b>
                {text(|row| if row.sentence.bold.is_empty() { String::new() } else { " ".into() })}
                {text(|row| row.sentence.text.clone())}
            </span>
        }
    };
    let part = move || row.with(|row| row.as_ref().and_then(|row| row.part)).map(|part| part.to_string());
    let picked = move || row.with(|row| row.as_ref().is_some_and(|row| row.picked)).then_some("");
    view! {
        <li>
            <button
                class="row"
                type="button"
                data-write=verdict
                data-part=Signal::derive(part)
                data-picked=Signal::derive(picked)
                data-outcome=Signal::derive(move || outcome_name(glyph()))
                aria-current=Signal::derive(current)
            >
                {inside()}
            </button>
        </li>
    }
}
