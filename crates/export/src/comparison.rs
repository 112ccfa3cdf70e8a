//! Guards compared: what becomes of each write of this very schedule under each of the seven guards, and what each keeps.
//!
//! Under another guard other writes may come to a decision (a worker that is rejected stops, one that peeks gives up), so a column
//! is named by worker, step, attempt and copy, and a cell may say that its write does not come.

use std::collections::BTreeSet;

use fenceline_engine::explain::{rule_of, title_of};
use fenceline_engine::{Guard, Property, Scenario, Trace, Verdict, run, short_outcome, visible};
use fenceline_figure::words::verdict_word;

use crate::markdown::{code, inline, push_head, push_row};

/// How many writes have a column; more would be no comparison any more.
const MOST_COLUMNS: usize = 40;

/// The comparison as plain texts: the titles, then a row for each guard.
struct Table {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    left_out: usize,
}

/// A write, whatever a guard makes of it.
type Name = (usize, usize, u32, u32);

const fn name_of(verdict: &Verdict) -> Name {
    (verdict.worker, verdict.step, verdict.attempt, verdict.copy)
}

/// The comparison as a Markdown table.
pub fn comparison(scenario: &Scenario, trace: &Trace) -> String {
    let table = Table::of(scenario, trace);
    let mut out = String::new();
    let properties = table.titles.len() - Property::ALL.len();
    let titles = table.titles.iter().enumerate();
    let titles = titles.map(|(column, title)| if column < properties { inline(title) } else { code(title) });
    push_head(&mut out, &titles.collect::<Vec<_>>());
    for row in &table.rows {
        // The first two are our own words in code.
        let cells = row.iter().enumerate().map(|(column, cell)| if column < 2 { code(cell) } else { inline(cell) });
        push_row(&mut out, &cells.collect::<Vec<_>>());
    }
    if table.left_out > 0 {
        let (shown, more) = (MOST_COLUMNS.to_string(), table.left_out.to_string());
        out.extend(["\nThe first ", &shown, " writes; ", &more, " more are left out.\n"]);
    }
    out
}

/// The same table as comma-separated values (RFC 4180).
pub fn csv(scenario: &Scenario, trace: &Trace) -> String {
    let mut table = Table::of(scenario, trace);
    if table.left_out > 0 {
        table.titles.push([&table.left_out.to_string(), " more writes are left out"].concat());
        table.rows.iter_mut().for_each(|row| row.push(String::new()));
    }
    let mut out = String::new();
    for row in [&table.titles].into_iter().chain(&table.rows) {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        out.extend([&cells.join(","), "\r\n"]);
    }
    out
}

/// A cell in quotes. One that a spreadsheet would take for a formula begins with an apostrophe, which it then leaves out.
fn quoted(cell: &str) -> String {
    let formula = if cell.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    ["\"", formula, &visible(cell).replace('"', "\"\""), "\""].concat()
}

impl Table {
    fn of(scenario: &Scenario, trace: &Trace) -> Self {
        let runs: Vec<(Guard, Option<(Scenario, Trace)>)> = Guard::ALL
            .into_iter()
            .map(|guard| {
                let changed = scenario.under(guard);
                let ran = run(&changed).ok().map(|trace| (changed, trace));
                (guard, ran)
            })
            .collect();
        let mut names: Vec<Name> = Vec::new();
        let mut titles = vec!["Guard".into(), "Accepts when".into(), "This schedule".into()];
        let mut left_out = BTreeSet::new();
        let shown = std::iter::once((scenario, trace));
        let others = runs.iter().filter_map(|(_, ran)| ran.as_ref()).map(|(scenario, trace)| (scenario, trace));
        for (scenario, trace) in shown.chain(others) {
            for (index, verdict) in trace.writes.iter().enumerate() {
                let name = name_of(verdict);
                if names.contains(&name) {
                    continue;
                }
                if names.len() == MOST_COLUMNS {
                    left_out.insert(name);
                    continue;
                }
                names.push(name);
                titles.push(title_of(scenario, trace, index as u32).unwrap_or_default());
            }
        }
        titles.extend(Property::ALL.map(|property| property.name().to_owned()));
        let rows = runs.iter().map(|(guard, ran)| row(*guard, ran.as_ref(), &names)).collect();
        Self { titles, rows, left_out: left_out.len() }
    }
}

fn row(guard: Guard, ran: Option<&(Scenario, Trace)>, names: &[Name]) -> Vec<String> {
    let rule = if guard == Guard::None { "always" } else { rule_of(guard) };
    let mut row = vec![guard.name().to_owned(), rule.to_owned()];
    let Some((scenario, trace)) = ran else {
        row.push("cannot be run".into());
        row.resize(3 + names.len() + Property::ALL.len(), String::new());
        return row;
    };
    row.push(short_outcome(scenario, trace).text);
    row.extend(names.iter().map(|name| {
        let verdict = trace.writes.iter().find(|verdict| name_of(verdict) == *name);
        verdict.map_or_else(|| "does not come".into(), |verdict| verdict_word(verdict, "", None))
    }));
    let keeps = |property| if trace.property(property).holds() { "holds" } else { "broken" };
    row.extend(Property::ALL.map(|property| keeps(property).to_owned()));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_quoted_and_is_no_formula() {
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "\"'=1+1\"");
        assert_eq!(quoted("one\ntwo"), "\"one\\ntwo\"");
    }
}
