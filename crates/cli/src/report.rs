//! A run as a text that is read from top to bottom: verdict, guards, grants, what happened, decisions, properties, endings.

use std::fmt::Write as _;

use fenceline_engine::explain::{explain_each, rule_of};
use fenceline_engine::scenario::Guard;
use fenceline_engine::trace::{Grant, Property};
use fenceline_engine::{Ended, Headline, Scale, Scenario, Trace, narrate, show_instant, show_time, visible};

/// The whole report. Control characters of the document are spelled out.
pub fn report(scenario: &Scenario, trace: &Trace) -> String {
    let mut report = Report { out: String::new(), scenario, trace, scale: Scale::of(trace) };
    report.head();
    report.guards();
    report.grants();
    report.narrative();
    report.decisions();
    report.properties();
    report.endings();
    report.out
}

struct Report<'a> {
    out: String,
    scenario: &'a Scenario,
    trace: &'a Trace,
    scale: Scale,
}

impl Report<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(visible(text).trim_end());
        self.out.push('\n');
    }

    fn section(&mut self, title: &str) {
        self.line("");
        self.line(title);
    }

    /// Rows with their columns aligned; the last one is as wide as it is.
    fn table<const N: usize>(&mut self, rows: &[[String; N]]) {
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..N).map(width).collect();
        for row in rows {
            let mut line = String::from(" ");
            for (cell, &width) in row.iter().zip(&widths) {
                // Writing to a string cannot fail.
                let _ = write!(line, " {cell:<width$} ");
            }
            self.line(&line);
        }
    }

    fn at(&self, at: u64) -> String {
        show_instant(at, self.scale)
    }

    fn worker(&self, index: usize) -> String {
        self.scenario.workers.get(index).map_or_else(String::new, |worker| worker.id.clone())
    }

    fn resource(&self, index: usize) -> &str {
        self.scenario.resources.get(index).map_or("", |resource| &resource.id)
    }

    fn head(&mut self) {
        let headline = Headline::new(self.scenario, self.trace);
        let texts = [self.scenario.title.as_str(), self.scenario.about.as_str()];
        for text in texts.into_iter().filter(|text| !text.is_empty()) {
            self.line(text);
        }
        if !self.out.is_empty() {
            self.line("");
        }
        self.line(&headline.sentence());
        if !headline.detail.is_empty() {
            self.line(&headline.detail);
        }
    }

    fn guards(&mut self) {
        let resources = &self.scenario.resources;
        if resources.is_empty() {
            return;
        }
        let rows: Vec<_> = resources
            .iter()
            .map(|resource| {
                let rule = if resource.guard == Guard::None { "the last writer wins" } else { rule_of(resource.guard) };
                [visible(&resource.id), resource.guard.name().into(), rule.into()]
            })
            .collect();
        self.section(if rows.len() == 1 { "Guard" } else { "Guards" });
        self.table(&rows);
    }

    fn grants(&mut self) {
        let end = |grant: &Grant| match grant.ended {
            Some((at, by)) => format!("to {} ({})", self.at(at), by.name()),
            None => format!("live at the end ({})", self.at(self.trace.ended_at)),
        };
        let lease = |grant: &Grant| self.scenario.leases.get(grant.lease).map_or("", |lease| lease.id.as_str());
        let rows: Vec<_> = self
            .trace
            .grants
            .iter()
            .map(|grant| {
                [
                    grant.number.to_string(),
                    visible(lease(grant)),
                    visible(&self.worker(grant.worker)),
                    format!("token {}", grant.token),
                    format!("from {}", self.at(grant.granted_at)),
                    end(grant),
                ]
            })
            .collect();
        if !rows.is_empty() {
            self.section("Grants");
            self.table(&rows);
        }
    }

    fn narrative(&mut self) {
        let sentences = narrate(self.scenario, self.trace);
        if sentences.is_empty() {
            return;
        }
        let unit = self.scale.unit();
        self.section(&if unit.is_empty() { "What happened".into() } else { format!("What happened (time in {unit})") });
        let times: Vec<String> = sentences.iter().map(|sentence| show_time(sentence.at, self.scale)).collect();
        let width = times.iter().map(|time| time.chars().count()).max().unwrap_or(0);
        for (time, sentence) in times.iter().zip(&sentences) {
            self.line(&format!("  {time:>width$}  {}", sentence.plain()));
        }
    }

    fn decisions(&mut self) {
        if self.trace.writes.is_empty() {
            return;
        }
        self.section("Decisions");
        for (verdict, why) in self.trace.writes.iter().zip(explain_each(self.scenario, self.trace)) {
            let mut line = format!("  {}/{} {}", self.worker(verdict.worker), verdict.step + 1, verdict.kind.name());
            if verdict.attempt > 1 {
                let _ = write!(line, ", attempt {}", verdict.attempt);
            }
            if verdict.copy > 0 {
                let _ = write!(line, ", copy {}", verdict.copy);
            }
            let token = verdict.token.map_or_else(|| "no token".into(), |token| format!("token {token}"));
            let decision = verdict.decision.name();
            let reason = verdict.reason.map_or_else(String::new, |reason| format!(" ({})", reason.name()));
            let (resource, at) = (self.resource(verdict.resource), self.at(verdict.decided_at));
            let standing = verdict.standing.name();
            let _ = write!(line, ", {token}, at {resource}, {at}: {decision}{reason}, {standing}");
            self.line(&line);
            self.line(&format!("    {}", why.comparison.sentence));
            self.line(&format!("    {}", why.standing));
            for flag in &why.flags {
                self.line(&format!("    {}: {}", flag.name, flag.text));
            }
        }
    }

    fn properties(&mut self) {
        let rows: Vec<_> = Property::ALL
            .iter()
            .map(|&property| {
                let witness = self.trace.property(property).witness;
                let broken = witness.and_then(|index| self.trace.writes.get(index as usize)).map(|verdict| {
                    let (worker, step) = (self.worker(verdict.worker), verdict.step + 1);
                    format!("broken by {}/{step} at {}", visible(&worker), self.at(verdict.decided_at))
                });
                [property.name().into(), broken.unwrap_or_else(|| "holds".into())]
            })
            .collect();
        self.section("Properties");
        self.table(&rows);
    }

    fn endings(&mut self) {
        let rows: Vec<_> = self
            .trace
            .endings
            .iter()
            .enumerate()
            .map(|(worker, ending)| {
                let how = match ending.ended {
                    Ended::Finished => "every step ended",
                    Ended::Rejected => "a write or establish was rejected",
                    Ended::StoppedItself => "its own check did not pass",
                    Ended::LeaseLost => "it learned that its lease was lost",
                    Ended::Unanswered => "its last attempt went unanswered",
                    Ended::Waiting => "it waits for an answer that never comes",
                    Ended::Crashed => "it never wakes up again",
                };
                let at = ending.at.map_or_else(|| "–".into(), |at| self.at(at));
                [visible(&self.worker(worker)), ending.ended.name().into(), at, how.into()]
            })
            .collect();
        if !rows.is_empty() {
            self.section("Workers");
            self.table(&rows);
        }
    }
}
