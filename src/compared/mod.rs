//! Guards compared: this very schedule under all seven guards, write by write, with what each guard keeps.
//!
//! It exists so that somebody who has to choose a guard sees what the choice costs. Invariant: all of it is worked out only
//! while it is open.

mod table;

use fenceline_engine::Property;
use fenceline_engine::scenario::Guard;
use leptos::prelude::*;

use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, glyph_of, outcome_name};
use crate::guards::words_of;
use crate::why::{glyph_of_property, meaning_of, name_of};
use table::{Cell, Line, Table};

/// The cell whose reason is open: row and column.
type Open = RwSignal<Option<(usize, usize)>>;

/// The panel.
#[component]
pub fn Compared(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let table =
        Memo::new(move |_| editor.scenario.with(|scenario| editor.trace.with(|trace| Table::of(scenario, trace))));
    let columns = Memo::new(move |_| table.with(|table| table.columns.len()));
    let left_out = Memo::new(move |_| table.with(|table| table.left_out));
    let open: Open = RwSignal::new(None);
    let title = move |index: usize| {
        let title = move || table.with(|table| table.columns.get(index).map(|column| column.title.clone()));
        view! { <th scope="col">{title}</th> }
    };
    view! {
        <div class="compared">
            <h2 class="vh">"Guards compared"</h2>
            <p>"The same schedule under each guard. Choose a guard to use it; choose a verdict to read its reason."</p>
            <div class="scroll" role="region" aria-label="Guards compared" tabindex="0">
                <table>
                    <thead>
                        <tr>
                            <td></td>
                            <Show when=move || { columns.get() > 0 }>
                                <th scope="colgroup" colspan=Signal::derive(move || columns.get().to_string())>
                                    "What becomes of each write"
                                </th>
                            </Show>
                            <th scope="colgroup" colspan="5">
                                "What this run keeps"
                            </th>
                        </tr>
                        <tr>
                            <th scope="col">"Guard"</th>
                            <For each=move || 0..columns.get() key=|index| *index children=title/>
                            {Property::ALL
                                .map(|property| {
                                    view! {
                                        <th scope="col" title=meaning_of(property)>
                                            {name_of(property)}
                                        </th>
                                    }
                                })
                                .into_iter()
                                .collect_view()}
                        </tr>
                    </thead>
                    <tbody>
                        {Guard::ALL
                            .into_iter()
                            .enumerate()
                            .map(|(row, guard)| view! { <Row editor table columns open row guard/> })
                            .collect_view()}
                    </tbody>
                </table>
            </div>
            <Show when=move || { left_out.get() > 0 }>
                <p class="muted">
                    {move || {
                        ["The first ", &columns.get().to_string(), " writes; ", &left_out.get().to_string(), " more are left out."]
                            .concat()
                    }}
                </p>
            </Show>
        </div>
    }
}

#[component]
fn Row(
    editor: Editor,
    table: Memo<Table>,
    columns: Memo<usize>,
    open: Open,
    row: usize,
    guard: Guard,
) -> impl IntoView {
    let line = Memo::new(move |_| table.with(|table| table.lines.get(row).cloned()));
    let with = move |of: fn(&Line) -> Option<String>| {
        Signal::derive(move || line.with(|line| line.as_ref().and_then(of)).unwrap_or_default())
    };
    let glyph = Signal::derive(move || line.with(|line| glyph_of(line.as_ref()?.outcome.as_ref()?.class)));
    let gives = with(|line| Some(line.outcome.as_ref().map_or("cannot be run", |outcome| &outcome.text).to_owned()));
    let chosen = Signal::derive(move || editor.guard() == Some(guard));
    let kept = move |property: Property| {
        let holds = Signal::derive(move || line.with(|line| line.as_ref().and_then(|of| of.holds[property as usize])));
        let glyph = Signal::derive(move || holds.get().map(|holds| glyph_of_property(property, holds)));
        view! {
            <td class="kept" data-outcome=Signal::derive(move || outcome_name(glyph.get()))>
                <OutcomeGlyph of=glyph/>
                {move || match holds.get() {
                    Some(true) => "holds",
                    Some(false) => "broken",
                    None => "cannot be run",
                }}
            </td>
        }
    };
    view! {
        <tr data-guard=guard.name() data-chosen=Signal::derive(move || chosen.get().then_some(""))>
            <th scope="row">
                <label>
                    <input
                        type="radio"
                        name="compared-guard"
                        value=guard.name()
                        prop:checked=chosen
                        on:change=move |_| editor.run(Command::Guard(guard))
                    />
                    <span>
                        <b>{words_of(guard)}</b>
                        <small data-outcome=Signal::derive(move || outcome_name(glyph.get()))>{gives}</small>
                    </span>
                </label>
            </th>
            <For
                each=move || 0..columns.get()
                key=|index| *index
                children=move |column| view! { <VerdictCell line open row column/> }
            />
            {Property::ALL.map(kept).into_iter().collect_view()}
        </tr>
    }
}

#[component]
fn VerdictCell(line: Memo<Option<Line>>, open: Open, row: usize, column: usize) -> impl IntoView {
    let cell = Memo::new(move |_| line.with(|line| line.as_ref()?.cells.get(column)?.clone()));
    let is_open = Memo::new(move |_| open.get() == Some((row, column)));
    let glyph = Signal::derive(move || cell.with(|cell| cell.as_ref()?.glyph));
    let with = move |of: fn(&Cell) -> String| move || cell.with(|cell| cell.as_ref().map(of)).unwrap_or_default();
    let toggle =
        move |_| open.update(|open| *open = if *open == Some((row, column)) { None } else { Some((row, column)) });
    view! {
        <td data-outcome=Signal::derive(move || outcome_name(glyph.get()))>
            <Show when=move || cell.with(Option::is_some) fallback=|| view! { <span class="muted">"does not come"</span> }>
                <button
                    type="button"
                    aria-expanded=Signal::derive(move || if is_open.get() { "true" } else { "false" })
                    on:click=toggle
                >
                    <OutcomeGlyph of=glyph/>
                    <span>{with(|cell| cell.word.clone())}</span>
                </button>
                <Show when=move || is_open.get()>
                    <p class="because">{with(|cell| cell.reason.clone())}</p>
                </Show>
            </Show>
        </td>
    }
}
