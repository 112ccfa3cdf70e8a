//! The verdict banner: what the schedule comes to, in one sentence and four counts.

use fenceline_engine::Counts;
use fenceline_figure::Glyph;
use leptos::html::Section;
use leptos::prelude::*;

use crate::editor::Editor;
use crate::glyph::{OutcomeGlyph, glyph_of, outcome_name};

/// The banner.
#[component]
pub fn Banner(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let headline = editor.headline;
    let hides = Signal::derive(move || editor.hidden_from.get().is_some());
    let glyph =
        Signal::derive(move || if hides.get() { None } else { glyph_of(headline.with(|headline| headline.class)) });
    let lead = Signal::derive(move || {
        if hides.get() {
            return "Predict first: ".into();
        }
        let lead = headline.with(|headline| headline.lead);
        if lead.is_empty() { String::new() } else { [lead, ": "].concat() }
    });
    let outcome = Signal::derive(move || outcome_name(glyph.get()));
    let section = NodeRef::<Section>::new();
    // While a hand is on the timeline below, a shorter verdict must not pull it away.
    let floor = RwSignal::new(None::<f64>);
    let is_held = Memo::new(move |_| editor.is_held());
    Effect::new(move |_| {
        let section = section.get_untracked().filter(|_| is_held.get());
        let now = section.map(|section| section.get_bounding_client_rect().height());
        if now != floor.get_untracked() {
            floor.set(now);
        }
    });
    let min_height = move || floor.get().map(|px| [&px.to_string(), "px"].concat());
    view! {
        <section
            class="card verdict"
            data-outcome=outcome
            aria-label="Verdict"
            node_ref=section
            style:min-height=min_height
        >
            <OutcomeGlyph of=glyph/>
            <div class="said">
                <h1 id="verdict">
                    <b>{lead}</b>
                    {Signal::derive(move || {
                        if hides.get() {
                            "what will the destination do with each write?".into()
                        } else {
                            headline.with(|headline| headline.rest.clone())
                        }
                    })}
                </h1>
                <p>
                    {Signal::derive(move || {
                        if hides.get() { String::new() } else { headline.with(|headline| headline.detail.clone()) }
                    })}
                </p>
            </div>
            <CountChips editor/>
        </section>
    }
}

#[component]
fn CountChips(editor: Editor) -> impl IntoView {
    let counts = Memo::new(move |_| editor.trace.with(|trace| Counts::of(trace)));
    let chip = move |glyph: Glyph, words: &'static str, count: fn(&Counts) -> u32| {
        let hides = move || editor.hidden_from.get().is_some();
        let zero = Signal::derive(move || (hides() || counts.with(count) == 0).then_some(""));
        let count = Signal::derive(move || if hides() { "?".into() } else { counts.with(count).to_string() });
        view! {
            <div class="count" data-count=glyph.name() data-zero=zero>
                <OutcomeGlyph of=Some(glyph)/>
                <dt>{words}</dt>
                <dd>{count}</dd>
            </div>
        }
    };
    view! {
        <dl class="counts">
            {chip(Glyph::Accepted, "Accepted", |counts| counts.accepted)}
            {chip(Glyph::Fenced, "Stale rejected", |counts| counts.stale_rejected)}
            {chip(Glyph::Corrupting, "Stale accepted", |counts| counts.stale_accepted)}
            {chip(Glyph::Refused, "Holder refused", |counts| counts.holder_refused)}
        </dl>
    }
}
