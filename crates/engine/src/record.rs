//! Who listens to a run: nobody, or the one who writes the trace.
//!
//! A run that is repeated a million times must not pay for the telling; a run that is shown must tell everything. The
//! run is written once, and calls a [`Recorder`].

use crate::scenario::Micros;
use crate::trace::{Event, EventId, Happening, Lane, Memory, Message, MessageId, PauseSpan, StepSpan};

/// Listens to a run. What a listener does not ask for passes by it.
pub trait Recorder {
    /// Whether events and messages are kept. What is costly to describe is only described then.
    const TELLS: bool = false;

    /// An event happened. Returns its id.
    fn event(&mut self, _at: Micros, _lane: Lane, _cause: Option<EventId>, _what: Happening) -> EventId {
        0
    }

    /// A message was sent. Returns its id.
    fn message(&mut self, _message: Message) -> MessageId {
        0
    }

    /// A worker handled a message.
    fn handled(&mut self, _message: MessageId, _at: Micros) {}

    /// A request was decided (index of the decision).
    fn decided(&mut self, _message: MessageId, _verdict: u32) {}

    /// A step began.
    fn step_began(&mut self, _worker: usize, _step: usize, _at: Micros) {}

    /// A step ended, or its worker's plan did; one that never began is left out.
    fn step_ended(&mut self, _worker: usize, _step: usize, _at: Micros) {}

    /// A worker's pause began.
    fn pause(&mut self, _worker: usize, _at: Micros, _length: Option<Micros>) {}

    /// A resource remembers or holds something else from now on.
    fn memory(&mut self, _memory: Memory) {}
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Recorder for Nobody {}

/// Keeps when each step began.
#[derive(Debug, Default)]
pub struct Beginnings {
    /// Worker, step, time; in order.
    pub steps: Vec<(usize, usize, Micros)>,
}

impl Recorder for Beginnings {
    fn step_began(&mut self, worker: usize, step: usize, at: Micros) {
        self.steps.push((worker, step, at));
    }
}

/// Keeps everything that is told, in order.
#[derive(Debug, Default)]
pub struct Scribe {
    /// The events.
    pub events: Vec<Event>,
    /// The messages.
    pub messages: Vec<Message>,
    /// The steps that began.
    pub steps: Vec<StepSpan>,
    /// The pauses that began.
    pub pauses: Vec<PauseSpan>,
    /// The memories, from the first change on.
    pub memories: Vec<Memory>,
}

impl Recorder for Scribe {
    const TELLS: bool = true;

    fn event(&mut self, at: Micros, lane: Lane, cause: Option<EventId>, what: Happening) -> EventId {
        self.events.push(Event { at, lane, cause, what });
        self.events.len() as EventId - 1
    }

    fn message(&mut self, message: Message) -> MessageId {
        self.messages.push(message);
        self.messages.len() as MessageId - 1
    }

    fn handled(&mut self, message: MessageId, at: Micros) {
        self.messages[message as usize].handled_at = Some(at);
    }

    fn decided(&mut self, message: MessageId, verdict: u32) {
        self.messages[message as usize].verdict = Some(verdict);
    }

    fn step_began(&mut self, worker: usize, step: usize, at: Micros) {
        self.steps.push(StepSpan { worker, step, began_at: at, ended_at: None });
    }

    fn step_ended(&mut self, worker: usize, step: usize, at: Micros) {
        let span = self.steps.iter_mut().rev().find(|span| span.worker == worker && span.step == step);
        if let Some(span) = span {
            span.ended_at.get_or_insert(at);
        }
    }

    fn pause(&mut self, worker: usize, at: Micros, length: Option<Micros>) {
        self.pauses.push(PauseSpan { worker, from: at, until: length.map(|length| at + length) });
    }

    fn memory(&mut self, memory: Memory) {
        self.memories.push(memory);
    }
}
