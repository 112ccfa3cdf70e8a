//! A run as Markdown, to be read in an issue, a review or a document: verdict, properties, what happened, and why.
//!
//! Invariant: no text of a document is markup. It is written in `CommonMark` with the tables that most programs know.

mod escape;

use fenceline_engine::explain::{Explanation, explain_each, rule_of};
use fenceline_engine::{
    Counts, Guard, Headline, Outcome, Property, Scale, Scenario, Trace, Verdict, narrate, show_instant, show_time,
};

pub(crate) use escape::inline;
use escape::paragraph;

/// The run as a whole document.
pub fn markdown(scenario: &Scenario, trace: &Trace) -> String {
    let mut document = Document { out: String::new(), scenario, trace, scale: Scale::of(trace) };
    document.head();
    document.guards();
    document.properties();
    document.narrative();
    document.reasons();
    document.out
}

/// A row of a table.
pub(crate) fn push_row(out: &mut String, cells: &[String]) {
    out.extend(["| ", &cells.join(" | "), " |\n"]);
}

/// The head of a table.
pub(crate) fn push_head(out: &mut String, titles: &[String]) {
    push_row(out, titles);
    push_row(out, &vec!["---".to_owned(); titles.len()]);
}

struct Document<'a> {
    out: String,
    scenario: &'a Scenario,
    trace: &'a Trace,
    scale: Scale,
}

impl Document<'_> {
    fn paragraph(&mut self, text: &str) {
        let text = paragraph(text);
        if !text.is_empty() {
            self.out.extend([&text, "\n\n"]);
        }
    }

    fn section(&mut self, title: &str) {
        self.out.extend(["## ", title, "\n\n"]);
    }

    /// A table; the titles are our own words.
    fn table<const N: usize>(&mut self, titles: [&str; N], rows: &[[String; N]]) {
        push_head(&mut self.out, &titles.map(String::from));
        for row in rows {
            push_row(&mut self.out, row);
        }
        self.out.push('\n');
    }

    fn head(&mut self) {
        let headline = Headline::new(self.scenario, self.trace);
        let title = inline(&self.scenario.title);
        self.out.extend(["# ", if title.is_empty() { "A schedule" } else { &title }, "\n\n"]);
        self.paragraph(&self.scenario.about);
        self.out.extend(["**Verdict.** ", &inline(&headline.sentence()), ".\n\n"]);
        self.paragraph(&headline.detail);
        let of = Counts::of(self.trace);
        let mut counts = format!(
            "Accepted: {}. Stale and rejected: {}. Stale and accepted: {}. Holder refused: {}.",
            of.accepted, of.stale_rejected, of.stale_accepted, of.holder_refused
        );
        if of.replayed > 0 {
            counts.extend([" Answered from a kept key: ", &of.replayed.to_string(), "."]);
        }
        self.paragraph(&counts);
    }

    fn guards(&mut self) {
        let rule = |guard| if guard == Guard::None { "the last writer wins".into() } else { code(rule_of(guard)) };
        let row = |of: &fenceline_engine::scenario::Resource| [inline(&of.id), code(of.guard.name()), rule(of.guard)];
        let rows: Vec<_> = self.scenario.resources.iter().map(row).collect();
        if !rows.is_empty() {
            self.section(if rows.len() == 1 { "Guard" } else { "Guards" });
            self.table(["Resource", "Guard", "Accepts when"], &rows);
        }
    }

    /// A decision by its name: `A/3 at 51.4 s`.
    fn named(&self, verdict: &Verdict) -> String {
        let worker = self.scenario.workers.get(verdict.worker).map_or("", |worker| worker.id.as_str());
        let at = show_instant(verdict.decided_at, self.scale);
        format!("{}/{} at {at}", inline(worker), verdict.step + 1)
    }

    fn properties(&mut self) {
        let rows = Property::ALL.map(|property| {
            let witness = self.trace.property(property).witness;
            let broken = witness.and_then(|index| self.trace.writes.get(index as usize));
            let says = broken.map_or_else(|| "holds".into(), |of| format!("**broken** by {}", self.named(of)));
            [code(property.name()), says]
        });
        self.section("Properties");
        self.table(["Property", "In this run"], &rows);
    }

    fn narrative(&mut self) {
        let sentences = narrate(self.scenario, self.trace);
        if sentences.is_empty() {
            return;
        }
        let rows: Vec<_> =
            sentences.iter().map(|sentence| [show_time(sentence.at, self.scale), inline(&sentence.plain())]).collect();
        let unit = self.scale.unit();
        let time = if unit.is_empty() { "Time".into() } else { format!("Time ({unit})") };
        self.section("What happened");
        self.table([time.as_str(), "Event"], &rows);
    }

    /// Why each decision that is not simply a holder's accepted write came out as it did.
    fn reasons(&mut self) {
        let explained = explain_each(self.scenario, self.trace);
        let each = self.trace.writes.iter().zip(&explained);
        let telling: Vec<_> =
            each.filter(|(verdict, of)| verdict.outcome() != Outcome::Accepted || !of.flags.is_empty()).collect();
        if telling.is_empty() {
            return;
        }
        self.section("Why");
        for (verdict, of) in telling {
            self.reason(verdict, of);
        }
        self.out.push('\n');
    }

    fn reason(&mut self, verdict: &Verdict, of: &Explanation) {
        let decision = verdict.decision.name();
        let reason = verdict.reason.map_or_else(String::new, |reason| format!(" ({})", code(reason.name())));
        let (named, standing) = (self.named(verdict), verdict.standing.name());
        self.out.extend(["- **", &named, "**: ", &inline(&of.title), ": "]);
        self.out.extend([decision, reason.as_str(), "; its writer was ", standing, ".\n"]);
        let flags = of.flags.iter().map(|flag| (Some(flag.name), flag.text.as_str()));
        let told = [(None, of.comparison.sentence.as_str()), (None, of.standing.as_str())];
        for (name, text) in told.into_iter().chain(flags).filter(|(_, text)| !text.is_empty()) {
            let name = name.map_or_else(String::new, |name| [&code(name), ": "].concat());
            let text = if name.is_empty() { paragraph(text) } else { inline(text) };
            self.out.extend(["  - ", &name, &text, "\n"]);
        }
    }
}

/// Our own word as code.
pub(crate) fn code(word: &str) -> String {
    ["`", word, "`"].concat()
}
