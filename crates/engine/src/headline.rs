//! The sentence over the timeline: the worst thing that happened in a run, in one line and a second one that says why.
//!
//! The order of gravity is that of the findings and nothing else's, so that the banner, the guard switch and the command
//! line can never name different events for the same run.

mod telling;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::findings::{Finding, find};
use crate::scenario::{Scenario, Step};
use crate::story::Story;
use crate::trace::{Ended, Outcome, Trace, Verdict};
use crate::words::{list, push_cut};

use telling::Telling;

/// What a run came to, as the colour and the silhouette of its verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing was decided.
    #[default]
    Neutral,
    /// All is well: whatever took effect was right.
    Accepted,
    /// A stale write was kept out.
    Fenced,
    /// A holder's own write was turned away: safe, but not served.
    Refused,
    /// A stale write took effect over nothing newer, or writes took effect in the wrong order.
    StaleAccepted,
    /// Something was lost: a newer value, an update, or one effect too many.
    Corrupting,
}

/// What a run comes to, in two words: all that a place in a race window or a map has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gist {
    /// What it came to.
    pub class: Class,
    /// `stale accepted`, `rejected`, `harmless`.
    pub words: &'static str,
}

impl Gist {
    /// Everything that a run can come to.
    pub const ALL: [Self; 13] = {
        const fn of(class: Class, words: &'static str) -> Gist {
            Gist { class, words }
        }
        [
            of(Class::Corrupting, "overwrites newer"),
            of(Class::StaleAccepted, "stale accepted"),
            of(Class::Corrupting, "update lost"),
            of(Class::Corrupting, "applied twice"),
            of(Class::StaleAccepted, "out of order"),
            of(Class::Refused, "holder refused"),
            of(Class::Fenced, "rejected"),
            of(Class::Fenced, "gives up"),
            of(Class::Accepted, "already applied"),
            of(Class::Accepted, "replayed"),
            of(Class::Accepted, "stops itself"),
            of(Class::Accepted, "harmless"),
            of(Class::Neutral, "nothing decided"),
        ]
    };
}

/// Its place among [`Gist::ALL`]: the words are the program's own, and are not sent along.
impl Serialize for Gist {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = Self::ALL.iter().position(|of| of == self);
        let place = place.and_then(|place| u8::try_from(place).ok());
        serializer.serialize_u8(place.ok_or_else(|| S::Error::custom("a gist of nobody's"))?)
    }
}

impl<'de> Deserialize<'de> for Gist {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let place = u8::deserialize(deserializer)?;
        Self::ALL.get(usize::from(place)).copied().ok_or_else(|| D::Error::custom("there is no such gist"))
    }
}

/// The verdict on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// What it came to.
    pub class: Class,
    /// The first word or two, shown in the outcome's colour; empty when there is no outcome.
    pub lead: &'static str,
    /// The rest of the first sentence, without a full stop.
    pub rest: String,
    /// The second line: one or more whole sentences; may be empty.
    pub detail: String,
    /// The decision that it speaks of (index into [`Trace::writes`]).
    pub witness: Option<u32>,
}

/// How many decisions there were of each outcome, writes and establishes alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accepted while current.
    pub accepted: u32,
    /// Rejected and not current.
    pub stale_rejected: u32,
    /// Accepted though not current.
    pub stale_accepted: u32,
    /// Rejected though current.
    pub holder_refused: u32,
    /// Answered from a kept key.
    pub replayed: u32,
}

/// What a guard would make of a schedule, in a word or two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortOutcome {
    /// What it came to.
    pub class: Class,
    /// `A overwrites B`, `A rejected`, `all accepted`.
    pub text: String,
}

impl Counts {
    /// The counts of a run.
    pub fn of(trace: &Trace) -> Self {
        let mut counts = Self::default();
        for verdict in &trace.writes {
            let count = match verdict.outcome() {
                Outcome::Accepted => &mut counts.accepted,
                Outcome::StaleRejected => &mut counts.stale_rejected,
                Outcome::StaleAccepted => &mut counts.stale_accepted,
                Outcome::HolderRefused => &mut counts.holder_refused,
                Outcome::Replayed => &mut counts.replayed,
            };
            *count += 1;
        }
        counts
    }
}

impl Headline {
    /// The verdict on a run of that scenario.
    pub fn new(scenario: &Scenario, trace: &Trace) -> Self {
        let story = Story::new(scenario, trace);
        let finding = find(&story);
        let witness = finding.witness();
        let about = witness.and_then(|index| Some((index, story.verdict(index)?)));
        let (lead, rest, detail) = match (finding, about) {
            (Finding::Stopped(worker), _) => stopped(&story, worker),
            (Finding::Fine { count }, _) => {
                let what = if trace.writes.iter().all(Verdict::applied) { "writes" } else { "requests" };
                ("Accepted", format!("each of {count} {what} arrived while its lease was running"), String::new())
            }
            (_, Some((index, verdict))) => Telling { story: &story, index, verdict }.tell(finding),
            (_, None) => nothing(&story),
        };
        let mut detail = detail;
        if finding.class() <= Class::Accepted {
            push_sentence(&mut detail, &loose_ends(&story));
        }
        Self { class: finding.class(), lead, rest, detail, witness }
    }

    /// The first line as one text: `Fenced: A’s stale write (41) was rejected`.
    pub fn sentence(&self) -> String {
        if self.lead.is_empty() { self.rest.clone() } else { format!("{}: {}", self.lead, self.rest) }
    }
}

/// What a run came to, short enough for a button.
pub fn short_outcome(scenario: &Scenario, trace: &Trace) -> ShortOutcome {
    let story = Story::new(scenario, trace);
    let finding = find(&story);
    let class = finding.class();
    let named = |worker: usize| {
        let mut name = String::new();
        push_cut(&mut name, scenario.workers.get(worker).map_or("?", |worker| worker.id.as_str()), 12);
        name
    };
    let writer = finding.witness().and_then(|index| story.verdict(index));
    let who = writer.map_or_else(String::new, |verdict| named(verdict.worker));
    let text = match finding {
        Finding::Overwrite(_) => {
            let newer = writer.and_then(|verdict| Some((verdict, story.verdict(verdict.overwrites_newer?)?)));
            match newer {
                Some((writer, newer)) if writer.worker != newer.worker => {
                    format!("{who} overwrites {}", named(newer.worker))
                }
                _ => format!("{who} overwrites itself"),
            }
        }
        Finding::StaleWrite(_) | Finding::StaleEstablish(_) => format!("stale {who} accepted"),
        Finding::LostUpdate(_) => format!("{who} loses an update"),
        Finding::AppliedTwice(_) => format!("{who} applied twice"),
        Finding::Reordered(_) => format!("{who} out of order"),
        Finding::Refused(_) => format!("{who} refused"),
        Finding::GivenUp(_) => format!("{who} gives up"),
        Finding::Fenced(_) => match others_fenced(trace, writer) {
            0 => format!("{who} rejected"),
            more => format!("{who} and {more} more rejected"),
        },
        Finding::AlreadyApplied(_) => format!("{who}’s repeat rejected"),
        Finding::Replayed(_) => format!("{who}’s repeat answered"),
        Finding::Stopped(worker) => format!("{} stops itself", named(worker)),
        Finding::Harmless(_) | Finding::Fine { .. } => {
            if trace.writes.len() == 1 {
                "accepted".into()
            } else {
                "all accepted".into()
            }
        }
        Finding::Nothing => "nothing arrives".into(),
    };
    ShortOutcome { class, text }
}

/// How many other workers had a stale write rejected.
fn others_fenced(trace: &Trace, first: Option<&Verdict>) -> usize {
    let mut workers: Vec<usize> = trace
        .writes
        .iter()
        .filter(|verdict| verdict.outcome() == Outcome::StaleRejected && verdict.already_applied.is_none())
        .map(|verdict| verdict.worker)
        .filter(|&worker| first.is_none_or(|first| first.worker != worker))
        .collect();
    workers.sort_unstable();
    workers.dedup();
    workers.len()
}

/// Lead, rest and detail.
type Lines = (&'static str, String, String);

fn push_sentence(text: &mut String, sentence: &str) {
    if !text.is_empty() && !sentence.is_empty() {
        text.push(' ');
    }
    text.push_str(sentence);
}

fn stopped(story: &Story<'_>, worker: usize) -> Lines {
    let who = story.worker(worker);
    let ended = story.trace.endings.get(worker).map(|ending| ending.ended);
    if ended == Some(Ended::LeaseLost) {
        return ("Harmless", format!("{who} learned that its lease was lost, and stopped"), String::new());
    }
    let detail = "The check was in time here. A pause after it would not be seen.".into();
    ("Harmless", format!("{who} saw on its own clock that its lease was over, and sent nothing"), detail)
}

fn nothing(story: &Story<'_>) -> Lines {
    let writes = |step: &Step| matches!(step, Step::Write(_) | Step::Establish { .. });
    if !story.scenario.workers.iter().flat_map(|worker| &worker.plan).any(writes) {
        return ("", "No worker writes anything".into(), String::new());
    }
    let where_to = match story.scenario.resources.len() {
        1 => story.resource(0),
        _ => "any resource".into(),
    };
    ("", format!("Nothing reached {where_to} in {}", story.at(story.trace.ended_at)), String::new())
}

/// Workers that did not come to an end of their own.
fn loose_ends(story: &Story<'_>) -> String {
    let mut text = String::new();
    let says = [
        (Ended::Waiting, "still waits for an answer.", "still wait for an answer."),
        (Ended::Crashed, "never wakes up again.", "never wake up again."),
        (Ended::Unanswered, "got no answer and gave up.", "got no answer and gave up."),
    ];
    for (ended, one, several) in says {
        let those = story.trace.endings.iter().enumerate().filter(|(_, ending)| ending.ended == ended);
        let mut names: Vec<String> = those.map(|(worker, _)| story.worker(worker)).collect();
        let says = if names.len() > 1 { several } else { one };
        if names.len() > 3 {
            let more = names.len() - 2;
            names.truncate(2);
            names.push(format!("{more} more"));
        }
        if !names.is_empty() {
            push_sentence(&mut text, &format!("{} {says}", list(&names)));
        }
    }
    text
}
