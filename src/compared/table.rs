//! The shown schedule under every guard, as plain data: a column for each write, a row for each guard.
//!
//! Under another guard other writes may come to a decision (a worker that is rejected stops, one that peeks gives up), so a
//! column is named by worker, step, attempt and copy, and a cell may be empty.

use fenceline_engine::explain::explain_each;
use fenceline_engine::scenario::Guard;
use fenceline_engine::{Property, Scenario, ShortOutcome, Trace, run, short_outcome};
use fenceline_figure::Glyph;
use fenceline_figure::words::verdict_word;

use crate::glyph::glyph_of_decision;
use crate::selection::WriteId;

/// How many writes have a column; more would be no comparison any more.
pub const MOST_COLUMNS: usize = 40;

/// A write that has a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub id: WriteId,
    /// What was written: `A writes ‘stale report’`.
    pub title: String,
}

/// What becomes of a write under a guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its glyph.
    pub glyph: Option<Glyph>,
    /// In a word or two.
    pub word: String,
    /// Why.
    pub reason: String,
}

/// The schedule under one guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The guard.
    pub guard: Guard,
    /// What the run comes to; none when it cannot be run.
    pub outcome: Option<ShortOutcome>,
    /// By column; none where the write is not decided.
    pub cells: Vec<Option<Cell>>,
    /// Whether each property holds, in their order; none where the schedule cannot be run.
    pub holds: [Option<bool>; Property::ALL.len()],
}

/// The comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns, in the order in which the writes arrive as the schedule is now, then those that only come elsewhere.
    pub columns: Vec<Column>,
    /// The rows, in the order of the guards.
    pub lines: Vec<Line>,
    /// How many writes have no column.
    pub left_out: usize,
}

struct UnderGuard {
    guard: Guard,
    ran: Option<(Scenario, Trace)>,
}

impl Table {
    /// Compares the guards on a schedule that gives this trace as it is.
    pub fn of(scenario: &Scenario, trace: &Trace) -> Self {
        let runs: Vec<UnderGuard> = Guard::ALL
            .into_iter()
            .map(|guard| {
                let changed = scenario.under(guard);
                let ran = run(&changed).ok().map(|trace| (changed, trace));
                UnderGuard { guard, ran }
            })
            .collect();
        let mut columns: Vec<Column> = Vec::new();
        let mut left_out: Vec<WriteId> = Vec::new();
        let mut add = |scenario: &Scenario, trace: &Trace| {
            let mut titles = None;
            for (index, verdict) in trace.writes.iter().enumerate() {
                let id = WriteId::of(verdict);
                if columns.iter().any(|column| column.id == id) {
                    continue;
                }
                if columns.len() == MOST_COLUMNS {
                    left_out.push(id);
                    continue;
                }
                let titles = titles.get_or_insert_with(|| explain_each(scenario, trace));
                columns.push(Column { id, title: titles[index].title.clone() });
            }
        };
        add(scenario, trace);
        for of in &runs {
            if let Some((scenario, trace)) = &of.ran {
                add(scenario, trace);
            }
        }
        let lines = runs.iter().map(|of| of.line(&columns)).collect();
        // A write that several guards decide about is one write.
        left_out.sort_unstable();
        left_out.dedup();
        Self { columns, lines, left_out: left_out.len() }
    }
}

impl UnderGuard {
    fn line(&self, columns: &[Column]) -> Line {
        let Some((scenario, trace)) = &self.ran else {
            let cells = vec![None; columns.len()];
            return Line { guard: self.guard, outcome: None, cells, holds: [None; Property::ALL.len()] };
        };
        let explained = explain_each(scenario, trace);
        let cell = |column: &Column| {
            let index = column.id.find(trace)? as usize;
            let (verdict, of) = (trace.writes.get(index)?, explained.get(index)?);
            Some(Cell {
                glyph: glyph_of_decision(verdict.decision, of.class),
                word: verdict_word(verdict, "", None),
                reason: [&of.comparison.sentence, " ", &of.standing].concat(),
            })
        };
        Line {
            guard: self.guard,
            outcome: Some(short_outcome(scenario, trace)),
            cells: columns.iter().map(cell).collect(),
            holds: Property::ALL.map(|property| Some(trace.property(property).holds())),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn opening() -> Table {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        Table::of(&scenario, &run(&scenario).unwrap_or_default())
    }

    #[test]
    fn each_write_of_the_opening_story_has_a_column_and_each_guard_a_row() {
        let table = opening();
        let titles: Vec<&str> = table.columns.iter().map(|column| column.title.as_str()).collect();
        assert_eq!(titles, ["B writes ‘new report’", "A writes ‘stale report’"]);
        assert_eq!(table.lines.iter().map(|line| line.guard).collect::<Vec<_>>(), Guard::ALL);
        assert_eq!(table.left_out, 0);
    }

    #[test]
    fn only_without_a_guard_does_the_late_write_get_through() {
        let table = opening();
        let words = |column: usize| -> Vec<&str> {
            let cells = table.lines.iter().filter_map(|line| line.cells[column].as_ref());
            cells.map(|cell| cell.word.as_str()).collect()
        };
        assert_eq!(words(0), ["accepted"; 7]);
        // A looks after its pause, when the report already remembers 42.
        let late = ["overwrites newer", "gives up", "rejected", "rejected", "rejected", "rejected", "rejected"];
        assert_eq!(words(1), late);
        let unguarded = table.lines[0].holds;
        assert_eq!(unguarded, [false, false, true, true, true].map(Some), "it overwrites, and it is stale");
        assert!(table.lines[1..].iter().all(|line| line.holds == [Some(true); 5]));
    }

    #[test]
    fn a_repeat_that_is_answered_from_its_key_has_a_glyph_of_its_own() {
        let text = include_str!("../../presets/lost-reply-key.json");
        let scenario = Scenario::from_json(text).unwrap_or_default();
        let table = Table::of(&scenario, &run(&scenario).unwrap_or_default());
        let repeat = table.columns.iter().position(|column| column.title.ends_with("attempt 2")).unwrap_or_default();
        let cell = table.lines[3].cells[repeat].as_ref();
        assert_eq!(cell.map(|cell| (cell.glyph, cell.word.as_str())), Some((Some(Glyph::Replayed), "replayed")));
    }

    #[test]
    fn a_reason_says_what_was_compared_and_what_the_writer_was() {
        let table = opening();
        let reason = table.lines[2].cells[1].as_ref().map_or("", |cell| cell.reason.as_str());
        assert!(reason.starts_with("41 > 42 is false, so the write is rejected. Lease 41 ended at"), "{reason}");
    }
}
