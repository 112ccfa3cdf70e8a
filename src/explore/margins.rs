//! Margins: by how much each number can change before a property does, the most fragile first.

use std::cell::RefCell;

use fenceline_engine::{Edge, Least, Margin};
use fenceline_explorer::protocol::{Answer, Work};
use fenceline_figure::{exact, nearly};
use leptos::prelude::*;

use super::flip::{Flip, Wish};
use super::words::{FAILED, signed};
use super::workshop::Task;
use crate::command::Command;
use crate::editor::Editor;
use crate::selection::Part;

/// The margins that are worked out so far.
#[derive(Clone, Debug, Default, PartialEq)]
struct Table {
    /// Those with an edge, the nearest first.
    rows: Vec<Margin>,
    /// How many numbers can be anything.
    free: usize,
    /// How many are not worked out yet.
    left: usize,
}

impl Table {
    /// Takes in what is worked out of one number.
    fn take(&mut self, found: Option<Margin>) {
        match found.filter(|found| found.least() != Least::Unbounded) {
            Some(found) => {
                let least = found.least().distance();
                let at = self.rows.partition_point(|row| row.least().distance() <= least);
                self.rows.insert(at, found);
            }
            None => self.free += 1,
        }
    }
}

/// The panel.
#[component]
pub fn Margins(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let table = RwSignal::new(Table::default());
    let left = RwSignal::new(0_usize);
    let has_failed = RwSignal::new(false);
    let task = Task::new();
    Effect::new(move |_| {
        let scenario = editor.scenario.get();
        if editor.is_held() {
            // What changes at every frame is worked out when it has come to rest.
            task.give_up();
            return;
        }
        has_failed.set(false);
        let made = RefCell::new(Table::default());
        task.start(scenario, Work::Margins, move |answer| {
            // A panel that was closed in between has nobody to show anything to.
            let Answer::Margins { found, left: still } = answer else {
                let _ = (has_failed.try_set(true), left.try_set(0));
                return;
            };
            let made = &mut *made.borrow_mut();
            for found in found {
                made.take(found);
            }
            made.left = still as usize;
            // A table that stands is replaced by a whole one; an empty one fills row by row.
            let stands = table.try_with_untracked(|table| !table.rows.is_empty() && table.left == 0) == Some(true);
            if made.left == 0 || !stands {
                let _ = table.try_set(made.clone());
            }
            let _ = left.try_set(made.left);
        });
    });
    let count = Memo::new(move |_| table.with(|table| table.rows.len()));
    let free = move || {
        table.with(|table| match table.free {
            0 => String::new(),
            1 => "One more number can be anything: no property depends on it.".into(),
            free => {
                [&free.to_string(), " more numbers can be anything: no property depends on one of them alone."].concat()
            }
        })
    };
    view! {
        <div class="margins">
            <h2 class="vh">"Margins"</h2>
            <div class="flips">
                <Flip editor wish=Wish::Write/>
                <Flip editor wish=Wish::Hold/>
            </div>
            <h3>"How far each number can go before a property changes"</h3>
            <p class="muted">"Only that number changes. The most fragile comes first; choose one to select it on the timeline."</p>
            <Show when=move || has_failed.get()>
                <p class="reason">{FAILED}</p>
            </Show>
            <div class="scroll" role="region" aria-label="Margins" tabindex="0">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Margin"</th>
                            <th scope="col">"Number"</th>
                            <th scope="col">"Now"</th>
                            <th scope="col">"Changes at"</th>
                        </tr>
                    </thead>
                    <tbody>
                        <For
                            each=move || 0..count.get()
                            key=|index| *index
                            children=move |index| view! { <MarginRow editor table index/> }
                        />
                    </tbody>
                </table>
            </div>
            <p class="muted">{free}</p>
            <p class="muted">
                {move || match left.get() {
                    0 => String::new(),
                    left => [&left.to_string(), " numbers are still being worked out."].concat(),
                }}
            </p>
        </div>
    }
}

#[component]
fn MarginRow(editor: Editor, table: RwSignal<Table>, index: usize) -> impl IntoView {
    let row = Memo::new(move |_| table.with(|table| table.rows.get(index).cloned()));
    let of = move |read: fn(&Margin) -> String| {
        Signal::derive(move || row.with(|row| row.as_ref().map_or_else(String::new, read)))
    };
    let label = move || {
        let label = row.with(|row| row.as_ref().map(|row| editor.scenario.with(|scenario| row.knob.label(scenario))));
        label.unwrap_or_default()
    };
    let choose = move |_| {
        let Some(knob) = row.with_untracked(|row| row.as_ref().map(|row| row.knob.clone())) else { return };
        let handle = editor.scene.with_untracked(|scene| {
            scene.handles.iter().map(|handle| handle.id).find(|handle| handle.knob().as_ref() == Some(&knob))
        });
        editor.run(handle.map_or_else(|| Command::Pick(Part::of_knob(&knob)), Command::Activate));
    };
    view! {
        <tr>
            <td>
                <b>{of(least)}</b>
            </td>
            <td>
                <button class="link" type="button" on:click=choose>
                    {label}
                </button>
            </td>
            <td>{of(|row| signed(row.value))}</td>
            <td>{of(edges)}</td>
        </tr>
    }
}

/// How far it can go.
fn least(row: &Margin) -> String {
    match row.least() {
        Least::Exactly(distance) => nearly(distance),
        Least::AtLeast(distance) => ["at least ", &exact(distance)].concat(),
        Least::Unbounded => String::new(),
    }
}

/// Where a property changes, below and above.
fn edges(row: &Margin) -> String {
    let side = |edge: Edge, sign: &str| match edge {
        Edge::At(at) => Some([sign, &signed(at)].concat()),
        Edge::NotBefore(at) => Some(["not followed beyond ", &signed(at)].concat()),
        Edge::Never => None,
    };
    // A tie leaves a round number to what is before it: then it is what is above that number.
    let above = match row.above {
        Edge::At(at) if (at - 1).rem_euclid(1_000) == 0 => Some(["> ", &signed(at - 1)].concat()),
        edge => side(edge, "≥ "),
    };
    let below = match row.below {
        Edge::At(at) if (at + 1).rem_euclid(1_000) == 0 => Some(["< ", &signed(at + 1)].concat()),
        edge => side(edge, "≤ "),
    };
    [below, above].into_iter().flatten().collect::<Vec<_>>().join(" or ")
}
