//! A run as a sequence diagram for Mermaid: who sent what to whom, what was lost, and what was decided.
//!
//! The list beside the timeline is its script: each sentence is an arrow or a note. Mermaid has no axis of time, so each begins
//! with its time. Invariant: on a line there is one colon, and all text stands behind it, with whatever means something to Mermaid
//! as an entity. (Its lexer ends a text at `#` and `;`, takes `%%{` for a directive wherever it stands, and mends what looks like
//! a `style` with a colon and `#` behind it.)

use fenceline_engine::narrate::{Mark, Sentence};
use fenceline_engine::trace::{Direction, Event, Happening, Lane, Message};
use fenceline_engine::{Decision, Kind, Scale, Scenario, Trace, Verdict, narrate, show_instant, visible};

/// The longest text that Mermaid draws where nobody set its `maxTextSize` higher, in characters.
const MOST: usize = 50_000;

/// After how many characters a line of a note is broken.
const LINE: usize = 50;

/// The diagram.
pub fn mermaid(scenario: &Scenario, trace: &Trace) -> String {
    let mut diagram = Diagram { out: "sequenceDiagram\n".into(), scenario, trace, scale: Scale::of(trace) };
    let title = entities(&scenario.title);
    if !title.is_empty() {
        diagram.out.extend(["    accTitle: ", &title, "\n"]);
    }
    diagram.participants();
    for sentence in narrate(scenario, trace) {
        diagram.tell(&sentence);
    }
    let length = diagram.out.chars().count();
    if length <= MOST {
        return diagram.out;
    }
    let (head, lines) = diagram.out.split_once('\n').unwrap_or_default();
    let most = "Mermaid draws 50,000, or as many as its setting maxTextSize allows";
    format!("{head}\n    %% About {},000 characters. {most}.\n{lines}", length / 1_000)
}

struct Diagram<'a> {
    out: String,
    scenario: &'a Scenario,
    trace: &'a Trace,
    scale: Scale,
}

impl Diagram<'_> {
    fn participants(&mut self) {
        for (index, lease) in self.scenario.leases.iter().enumerate() {
            let id = if lease.id == "lease service" { String::new() } else { format!(" ({})", lease.id) };
            self.participant(Lane::Lease(index), &format!("lease service{id}"));
        }
        for (index, worker) in self.scenario.workers.iter().enumerate() {
            self.participant(Lane::Worker(index), &worker.id);
        }
        for (index, resource) in self.scenario.resources.iter().enumerate() {
            self.participant(Lane::Resource(index), &format!("{} ({})", resource.id, resource.guard));
        }
    }

    fn participant(&mut self, lane: Lane, name: &str) {
        self.out.extend(["    participant ", &id(lane), " as ", &entities(name), "\n"]);
    }

    fn note(&mut self, lane: Lane, text: &str) {
        self.out.extend(["    Note over ", &id(lane), ": ", &broken(text), "\n"]);
    }

    fn arrow(&mut self, from: Lane, arrow: &str, to: Lane, text: &str) {
        self.out.extend(["    ", &id(from), arrow, &id(to), ": ", &broken(text), "\n"]);
    }

    fn tell(&mut self, sentence: &Sentence) {
        let at = show_instant(sentence.at, self.scale);
        let text = format!("{at} · {}", sentence.plain());
        let event = self.trace.events.get(sentence.event as usize);
        let verdict = sentence.verdict.and_then(|index| self.trace.writes.get(index as usize));
        match (sentence.mark, verdict, event) {
            (
                Mark::Accepted | Mark::StaleAccepted | Mark::StaleRejected | Mark::HolderRefused | Mark::Replayed,
                Some(of),
                _,
            ) if !of.given_up => {
                self.decided(of, &at, &text);
            }
            (Mark::Grant, _, Some(event)) => match self.holder(event) {
                Some((lease, worker)) => self.arrow(lease, "->>", worker, &text),
                None => self.note(sentence.lane, &text),
            },
            (Mark::Lost, _, Some(event)) => match self.message(event) {
                Some(message) => {
                    let worker = Lane::Worker(message.worker);
                    match message.direction {
                        Direction::Request => self.arrow(worker, "-x", message.peer, &text),
                        Direction::Reply => self.arrow(message.peer, "--x", worker, &text),
                    }
                }
                None => self.note(sentence.lane, &text),
            },
            _ => self.note(sentence.lane, &text),
        }
    }

    /// The request as an arrow, then what became of it.
    fn decided(&mut self, verdict: &Verdict, at: &str, text: &str) {
        let (worker, resource) = (Lane::Worker(verdict.worker), Lane::Resource(verdict.resource));
        let kind = verdict.kind.name();
        let token = verdict.token.map_or_else(|| "without a token".into(), |token| format!("with token {token}"));
        let mut sent = format!("{at} · {kind} {token}");
        if verdict.attempt > 1 {
            sent.extend([", attempt ", &verdict.attempt.to_string()]);
        }
        if verdict.copy > 0 {
            sent.extend([", copy ", &verdict.copy.to_string()]);
        }
        self.arrow(worker, "->>", resource, &sent);
        let sign = match (verdict.decision, verdict.kind) {
            (Decision::Accepted, Kind::Write) if verdict.flags().is_empty() => "✓",
            (Decision::Accepted, Kind::Establish) => "✓",
            (Decision::Accepted, _) => "⚠",
            (Decision::Rejected, _) => "✗",
            (Decision::Replayed, _) => "↺",
        };
        self.note(resource, &format!("{sign} {text}"));
    }

    /// The two ends of a grant.
    fn holder(&self, event: &Event) -> Option<(Lane, Lane)> {
        let (Happening::Granted(number) | Happening::Noted(number)) = event.what else { return None };
        let grant = self.trace.grant(number)?;
        Some((Lane::Lease(grant.lease), Lane::Worker(grant.worker)))
    }

    fn message(&self, event: &Event) -> Option<&Message> {
        let (Happening::Lost(id) | Happening::Sent(id)) = event.what else { return None };
        self.trace.messages.get(id as usize)
    }
}

/// What a lane is called inside the diagram: never a name of the document, which may be a word of Mermaid's.
fn id(lane: Lane) -> String {
    match lane {
        Lane::Lease(index) => format!("L{index}"),
        Lane::Worker(index) => format!("W{index}"),
        Lane::Resource(index) => format!("R{index}"),
    }
}

/// A text with all that may mean something to Mermaid as an entity.
fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in visible(text.trim()).chars() {
        push_entity(&mut out, c);
    }
    out
}

fn push_entity(out: &mut String, c: char) {
    // The last two begin what Mermaid puts in place of an entity before it reads.
    let harmless = match c {
        'ﬂ' | '¶' => false,
        _ => c.is_alphanumeric() || !c.is_ascii() || " .,()-_'/+?!".contains(c),
    };
    if harmless { out.push(c) } else { out.extend(["#", &u32::from(c).to_string(), ";"]) }
}

/// The same, in lines that fit a note.
fn broken(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in visible(text).split_whitespace() {
        let long = word.chars().count();
        if length > 0 && length + 1 + long > LINE {
            out.push_str("<br/>");
            length = 0;
        } else if length > 0 {
            out.push(' ');
            length += 1;
        }
        for c in word.chars() {
            push_entity(&mut out, c);
        }
        length += long;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_mermaid_is_an_entity() {
        assert_eq!(entities("a; b # c: <br/>"), "a#59; b #35; c#58; #60;br/#62;");
        assert_eq!(entities("%%{init}%% $$x$$"), "#37;#37;#123;init#125;#37;#37; #36;#36;x#36;#36;");
        assert_eq!(entities("A’s ‘Straße’ 42"), "A’s ‘Straße’ 42");
        assert_eq!(entities("ﬂ°°60¶ß"), "#64258;°°60#182;ß");
        assert_eq!(entities("one\ntwo"), "one#92;ntwo");
    }

    #[test]
    fn a_long_text_is_broken_between_words() {
        let text = "a".repeat(30);
        assert_eq!(broken(&format!("{text} {text} b")), format!("{text}<br/>{text} b"));
        assert_eq!(broken("short text"), "short text");
    }
}
