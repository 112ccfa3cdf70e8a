//! The five properties of a run: what each means in plain words, whether it holds, and the first write that breaks it.

use fenceline_engine::Property;
use fenceline_engine::explain::title_of;
use fenceline_figure::Glyph;
use leptos::prelude::*;

use crate::command::Command;
use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, outcome_name};

/// A property's name.
pub const fn name_of(property: Property) -> &'static str {
    match property {
        Property::NoOverwrite => "Nothing newer overwritten",
        Property::NoStaleWrite => "No stale write accepted",
        Property::NoLostUpdate => "No update lost",
        Property::AtMostOnce => "No write applied twice",
        Property::HolderServed => "Holder never refused",
    }
}

/// What a property asks for, in a sentence that reads right whether it holds or not.
pub const fn meaning_of(property: Property) -> &'static str {
    match property {
        Property::NoOverwrite => "No write may replace a value that was written under a later lease.",
        Property::NoStaleWrite => "A write may take effect only while its writer holds the lease.",
        Property::NoLostUpdate => "No write may rest on a value that another worker has changed since it was read.",
        Property::AtMostOnce => "A repeat or a copy of a write may not take effect again.",
        Property::HolderServed => "Whoever holds the lease must get through.",
    }
}

/// The glyph of a property.
pub const fn glyph_of(property: Property, holds: bool) -> Glyph {
    match property {
        _ if holds => Glyph::Accepted,
        Property::HolderServed => Glyph::Refused,
        _ => Glyph::Corrupting,
    }
}

/// The list of them.
#[component]
pub fn Properties(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    view! {
        <div class="properties">
            <h3>"What this run keeps"</h3>
            <ul>{Property::ALL.map(|property| view! { <Kept editor property/> }).into_iter().collect_view()}</ul>
        </div>
    }
}

#[component]
fn Kept(editor: Editor, property: Property) -> impl IntoView {
    let witness = Memo::new(move |_| editor.trace.with(|trace| trace.property(property).witness));
    let glyph = Signal::derive(move || Some(glyph_of(property, witness.get().is_none())));
    let says = move || if witness.get().is_none() { "holds" } else { "broken" };
    let title = Memo::new(move |_| {
        let witness = witness.get()?;
        editor.scenario.with(|scenario| editor.trace.with(|trace| title_of(scenario, trace, witness)))
    });
    let show = move |_| {
        if let Some(write) = witness.get_untracked().and_then(|witness| editor.write_id(witness)) {
            editor.run(Command::Select(write));
        }
    };
    view! {
        <li data-property=property.name() data-outcome=Signal::derive(move || outcome_name(glyph.get()))>
            <OutcomeGlyph of=glyph/>
            <p>
                <b>{name_of(property)}</b>
                ": "
                <span class="holds">{says}</span>
                <small>{meaning_of(property)}</small>
                <Show when=move || witness.get().is_some()>
                    <button class="link" type="button" on:click=show>
                        "First broken when "
                        {move || title.get().unwrap_or_default()}
                    </button>
                </Show>
            </p>
        </li>
    }
}
