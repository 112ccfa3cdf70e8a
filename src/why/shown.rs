//! What the Why panel shows, worked out in one go: the explanation of the selected write, with whose tokens it names.

use fenceline_engine::explain::{Instants, Link, Sides};
use fenceline_engine::{Explanation, Micros, Scale, explain, show_instant};
use fenceline_figure::Glyph;
use fenceline_figure::palette::{Tone, tones};
use leptos::prelude::*;

use crate::editor::Editor;
use crate::glyph::glyph_of_decision;
use crate::selection::Part;

/// All that the panel shows of one write.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The explanation.
    pub explanation: Explanation,
    /// The glyph of its decision.
    pub glyph: Option<Glyph>,
    /// The token that the request carries.
    pub token: Option<String>,
    /// Whose the two tokens are: this write's, and the remembered one.
    pub tones: [&'static str; 2],
    /// When it was decided.
    pub decided_at: Micros,
    /// The scale of its times.
    pub scale: Scale,
    /// Which of how many decisions it is, from 1.
    pub place: [usize; 2],
    /// What each link of the chain leads to.
    pub leads: Vec<Lead>,
}

/// What a link of the chain leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    /// The decision that it tells of.
    pub verdict: Option<u32>,
    /// The part of the document that it tells of.
    pub part: Option<String>,
}

impl Shown {
    /// That of the selected write; none when nothing was decided.
    pub fn of(editor: Editor) -> Option<Self> {
        let selected = editor.selected.get()?;
        editor.scenario.with(|scenario| {
            editor.trace.with(|trace| {
                let verdict = trace.writes.get(selected as usize)?;
                let tones = tones(scenario);
                let of = |worker: Option<usize>| {
                    letter(worker.and_then(|worker| tones.get(worker)).copied().unwrap_or_default())
                };
                let explanation = explain(scenario, trace, selected)?;
                let lead = |link: &Link| {
                    let event = trace.events.get(link.event as usize);
                    Lead {
                        verdict: event.and_then(|event| trace.verdict_of(event.what)),
                        part: event
                            .and_then(|event| Part::of_event(scenario, trace, event))
                            .map(|part| part.to_string()),
                    }
                };
                let compared_with = explanation.compared_with.and_then(|write| trace.writes.get(write as usize));
                Some(Self {
                    leads: explanation.chain.iter().map(lead).collect(),
                    glyph: glyph_of_decision(verdict.decision, explanation.class),
                    explanation,
                    token: verdict.token.map(|token| token.to_string()),
                    tones: [of(Some(verdict.worker)), of(compared_with.map(|verdict| verdict.worker))],
                    decided_at: verdict.decided_at,
                    scale: Scale::of(trace),
                    place: [selected as usize + 1, trace.writes.len()],
                })
            })
        })
    }

    /// When it was sent and arrived.
    pub fn times(&self) -> String {
        let decided = show_instant(self.decided_at, self.scale);
        match self.explanation.sent_at {
            Some(sent) => ["sent ", &show_instant(sent, self.scale), ", arrived ", &decided].concat(),
            None => ["given up ", &decided].concat(),
        }
    }

    /// One of the three instants.
    pub fn instant(&self, of: fn(&Instants) -> Option<Micros>) -> Option<String> {
        of(&self.explanation.instants).map(|at| show_instant(at, self.scale))
    }

    /// The two sides of the comparison, with the tones of their tokens.
    pub fn sides(&self) -> Option<(Sides, [&'static str; 2])> {
        self.explanation.comparison.sides.clone().map(|sides| (sides, self.tones))
    }
}

const fn letter(tone: Tone) -> &'static str {
    match tone {
        Tone::Zero => "0",
        Tone::A => "a",
        Tone::B => "b",
        Tone::C => "c",
        Tone::D => "d",
    }
}
