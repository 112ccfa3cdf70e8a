//! Running a model: once with everything told, or many times without allocating anew.

use crate::belief::beliefs;
use crate::error::ScenarioError;
use crate::findings::gist;
use crate::headline::Gist;
use crate::model::Model;
use crate::record::{Beginnings, Nobody, Scribe};
use crate::scenario::{Micros, Scenario};
use crate::simulate::{MAX_EVENTS, Run, RunError, State};
use crate::time::{Plain, Timekeeper};
use crate::trace::{Ending, Grant, Memory, PropertyResult, Trace, Verdict};

/// Runs a scenario and tells everything.
///
/// # Errors
/// All that is wrong with the scenario, when it is not valid.
pub fn run(scenario: &Scenario) -> Result<Trace, Vec<ScenarioError>> {
    let model = Model::new(scenario)?;
    Runner::default().trace(&model).map_err(|error| vec![told(error)])
}

impl Scenario {
    /// All that is wrong with it: what [`Scenario::validate`] finds, and a run that would take too many events.
    pub fn check(&self) -> Vec<ScenarioError> {
        match Model::new(self) {
            Err(errors) => errors,
            Ok(model) => Runner::default().run(&model).err().map(told).into_iter().collect(),
        }
    }
}

fn told(error: RunError) -> ScenarioError {
    match error {
        RunError::TooManyEvents => ScenarioError {
            path: String::new(),
            found: format!("a run of more than {MAX_EVENTS} events"),
            allowed: format!("at most {MAX_EVENTS} events a run: fewer renewals, retries or copies"),
        },
        RunError::PausesOverlap(worker) => ScenarioError {
            path: format!("/workers/{worker}/pauses"),
            found: "pauses that overlap".into(),
            allowed: "pauses that do not overlap; touching ones are fine".into(),
        },
    }
}

/// Runs models, and keeps its room from run to run.
///
/// ```
/// # use fenceline_engine::{Model, Runner, Scenario};
/// # let scenario = Scenario::default();
/// let model = Model::new(&scenario).expect("the scenario is valid");
/// let mut runner = Runner::default();
/// for _ in 0..3 {
///     let outcome = runner.run(&model).expect("few events");
///     assert!(outcome.writes.is_empty());
/// }
/// ```
pub type Runner = RunnerOn<Plain>;

/// [`Runner`], for any way to keep time.
#[derive(Debug, Default)]
pub struct RunnerOn<K: Timekeeper> {
    keeper: K,
    state: State<K::Time>,
}

/// What a run came to, without the telling.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Every decision, in order. Their events are not told.
    pub writes: &'a [Verdict],
    /// Every grant, by number.
    pub grants: &'a [Grant],
    /// How each worker ended.
    pub endings: &'a [Ending],
    /// The properties, in the order of [`crate::Property::ALL`].
    pub properties: [PropertyResult; 5],
}

impl<K: Timekeeper> RunnerOn<K> {
    /// Runs a model. After the first run of a model this does not allocate.
    ///
    /// # Errors
    /// Too many events, or pauses that a knob moved into each other.
    pub fn run(&mut self, model: &Model<K::Time>) -> Result<Outcome<'_>, RunError> {
        Run { model, keeper: &mut self.keeper, state: &mut self.state, recorder: &mut Nobody }.run()?;
        let state = &self.state;
        Ok(Outcome {
            writes: &state.writes,
            grants: &state.grants,
            endings: &state.endings,
            properties: state.properties,
        })
    }
}

impl Outcome<'_> {
    /// What it comes to; its class is that of the run's headline.
    pub fn gist(&self) -> Gist {
        gist(self.writes, self.endings)
    }
}

impl<K: Timekeeper> RunnerOn<K> {
    /// How many events the last run took.
    pub fn events(&self) -> u32 {
        self.state.events
    }

    /// The keeper of its times.
    pub fn keeper(&mut self) -> &mut K {
        &mut self.keeper
    }
}

impl Runner {
    /// Runs a model and tells everything.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn trace(&mut self, model: &Model) -> Result<Trace, RunError> {
        let mut scribe = Scribe::default();
        Run { model, keeper: &mut self.keeper, state: &mut self.state, recorder: &mut scribe }.run()?;
        let state = &self.state;
        Ok(Trace {
            beliefs: beliefs(model, &scribe, &state.grants),
            memories: memories(model, scribe.memories),
            events: scribe.events,
            messages: scribe.messages,
            grants: state.grants.clone(),
            writes: state.writes.clone(),
            steps: scribe.steps,
            pauses: scribe.pauses,
            endings: state.endings.clone(),
            properties: state.properties,
            ended_at: Plain::micros(state.now),
        })
    }
}

impl Runner {
    /// When each step began (worker, step, time), in order.
    pub(crate) fn beginnings(&mut self, model: &Model) -> Result<Vec<(usize, usize, Micros)>, RunError> {
        let mut beginnings = Beginnings::default();
        Run { model, keeper: &mut self.keeper, state: &mut self.state, recorder: &mut beginnings }.run()?;
        Ok(beginnings.steps)
    }
}

/// What each resource remembers and holds: the initial, then each change, resource after resource.
fn memories(model: &Model, changes: Vec<Memory>) -> Vec<Memory> {
    let initial = |(resource, of): (usize, &crate::model::Resource<i64>)| Memory {
        resource,
        from: 0,
        token: of.token,
        seq: 0,
        value_of: None,
        version: 0,
        token_of: None,
    };
    let mut all: Vec<Memory> = model.resources.iter().enumerate().map(initial).collect();
    all.extend(changes);
    all.sort_by_key(|memory| memory.resource);
    all
}
