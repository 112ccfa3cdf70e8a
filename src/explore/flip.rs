//! The smallest change that flips something, in words, with a button that makes it.

use std::sync::Arc;

use fenceline_engine::{Flip as Change, Scenario, run};
use fenceline_explorer::protocol::{Answer, Work};
use leptos::prelude::*;

use super::words::{FAILED, change, then};
use super::workshop::Task;
use crate::command::Command;
use crate::editor::Editor;
use crate::selection::WriteId;

/// What is to be flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The ruling on the selected write.
    Write,
    /// The properties: all of them are to hold.
    Hold,
}

/// How far the search for it is.
#[derive(Clone, Debug, Default, PartialEq)]
enum Found {
    /// There is nothing to ask.
    #[default]
    Nothing,
    /// Something is held, and changes at every frame.
    Held,
    /// It goes on.
    GoesOn,
    /// No single number does it, as far as this was worked out; whether that was all.
    None(bool),
    /// It could not be worked out.
    Failed,
    /// This does, and this is what follows.
    Change(Change, String),
}

/// The smallest change that flips the selected write, or that makes all properties hold: one row.
#[component]
pub fn Flip(
    /// What is open.
    editor: Editor,
    /// What is to be flipped.
    wish: Wish,
) -> impl IntoView {
    let found = RwSignal::new(Found::default());
    let task = Task::new();
    let asked = Memo::new(move |_| match wish {
        Wish::Write => editor.selected.get(),
        // Where all hold there is nothing to mend.
        Wish::Hold => editor.trace.with(|trace| trace.properties.iter().any(|result| !result.holds())).then_some(0),
    });
    Effect::new(move |_| {
        task.give_up();
        let Some(write) = asked.get() else {
            found.set(Found::Nothing);
            return;
        };
        let scenario = editor.scenario.get();
        if editor.is_held() {
            found.set(Found::Held);
            return;
        }
        let work = match wish {
            Wish::Write => Work::FlipWrite(write),
            Wish::Hold => Work::FlipToHold,
        };
        found.set(Found::GoesOn);
        let id = if wish == Wish::Write { editor.write_id(write) } else { None };
        task.start(Arc::clone(&scenario), work, move |answer| {
            let now = match answer {
                Answer::Flip { best: Some(best), is_complete } => told(&scenario, &best, id, is_complete),
                Answer::Flip { best: None, is_complete } => Found::None(is_complete),
                Answer::NoFlip => Found::Nothing,
                _ => Found::Failed,
            };
            // A panel that was closed in between has nobody to tell.
            let _ = found.try_set(now);
        });
    });
    let says = move || {
        found.with(|found| match found {
            Found::Nothing => match wish {
                Wish::Write => "No write is selected.".into(),
                Wish::Hold => "All five properties hold already.".into(),
            },
            Found::Held => "Let go to see it.".into(),
            Found::Failed => FAILED.into(),
            Found::GoesOn => "Trying every number …".into(),
            Found::None(true) => "No single number does it.".into(),
            Found::None(false) => {
                "None was found; some numbers were not followed to their end, which would take too long.".into()
            }
            Found::Change(of, then) => [&editor.scenario.with(|scenario| change(scenario, of)), " ", then].concat(),
        })
    };
    let is_there = Signal::derive(move || found.with(|found| matches!(found, Found::Change(..))));
    let apply = move |_| {
        if let Found::Change(change, _) = found.get_untracked() {
            editor.run(Command::Turn(vec![(change.knob, change.to)]));
        }
    };
    let (name, title) = match wish {
        Wish::Write => ("write", "Smallest change that flips this write"),
        Wish::Hold => ("hold", "Smallest change that makes all properties hold"),
    };
    view! {
        <div class="flip" data-flip=name>
            <h3>{title}</h3>
            <p>{says}</p>
            <Show when=move || is_there.get()>
                <button class="chip" type="button" aria-label=["Apply: ", title].concat() on:click=apply>
                    "Apply"
                </button>
            </Show>
        </div>
    }
}

/// A change with what follows from it.
fn told(scenario: &Arc<Scenario>, best: &Change, write: Option<WriteId>, is_complete: bool) -> Found {
    let mut turned = Scenario::clone(scenario);
    best.knob.turn(&mut turned, best.to);
    let follows = match (write, run(&turned)) {
        (Some(write), Ok(trace)) => then(&trace, write),
        (None, Ok(_)) => "Then all five hold.".into(),
        (_, Err(_)) => return Found::None(false),
    };
    // Others were not followed to their end.
    let more = if is_complete { "" } else { " There may be a smaller one: not every number was followed to its end." };
    Found::Change(best.clone(), [&follows, more].concat())
}
