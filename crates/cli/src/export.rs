//! A run as a text for other programs.

use fenceline_engine::{Scenario, Trace};
use fenceline_export::Kind;
use fenceline_export::stores::{Store, of_scenario};

use crate::failure::Failure;

/// The name of the guards' code among the kinds.
const GUARD_CODE: &str = "guard-code";

/// Which text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Text {
    /// One that tells of the run.
    Run(Kind),
    /// The scenario's guards for a data store.
    GuardCode(Store),
}

impl Text {
    /// The text of that kind; of guard code, for that store.
    ///
    /// # Errors
    /// There is no such kind or store, or one is given without the other.
    pub fn named(kind: &str, store: Option<&str>) -> Result<Self, Failure> {
        let stores = || Store::ALL.map(Store::name).join(", ");
        match (kind, store) {
            (GUARD_CODE, None) => Err(Failure::Usage(format!("--as {GUARD_CODE} takes --store: {}", stores()))),
            (GUARD_CODE, Some(name)) => {
                let store = Store::from_name(name).map(Self::GuardCode);
                store.ok_or_else(|| Failure::Usage(format!("--store is one of {}, not {name:?}", stores())))
            }
            (_, Some(_)) => Err(Failure::Usage(format!("--store goes with --as {GUARD_CODE}"))),
            (name, None) => Kind::from_name(name).map(Self::Run).ok_or_else(|| {
                let kinds = Kind::ALL.map(Kind::name).join(", ");
                Failure::Usage(format!("--as is one of {kinds}, {GUARD_CODE}, not {name:?}"))
            }),
        }
    }

    /// The text for that run.
    ///
    /// # Errors
    /// The run cannot be written so.
    pub fn of(self, scenario: &Scenario, trace: &Trace) -> Result<String, Failure> {
        match self {
            Self::Run(kind) => kind.write(scenario, trace).map_err(|why| Failure::Export(why.to_string())),
            Self::GuardCode(store) => {
                let none = || Failure::Export("the scenario has no resource, and so no guard".into());
                of_scenario(scenario, store).ok_or_else(none)
            }
        }
    }
}
