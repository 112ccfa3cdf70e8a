//! axe-core in the page: it finds what keeps people from using it, as far as a program can.
//!
//! A script that comes over `WebDriver` is not subject to the page's content policy, so the page is judged as it is served.

use std::fmt::Write as _;

use serde_json::json;

use crate::page::Page;

/// Runs axe-core and gives each violation as its rule, what it asks for, and where.
const RUN: &str = "
    const done = arguments[arguments.length - 1];
    axe.run(document, { resultTypes: ['violations'], preload: false }).then(
        (found) => done(found.violations.map(({ id, help, nodes }) => [
            id, help, nodes.slice(0, 5).map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
        ])),
        (error) => done([['axe-core did not run', String(error), []]]),
    );";

impl Page {
    /// Panics if axe-core finds a violation in what the page shows now. `state` says what that is.
    ///
    /// # Panics
    /// Also when `FENCELINE_AXE` does not name axe-core's script.
    #[track_caller]
    pub fn assert_accessible(&self, state: &str) {
        if self.evaluate("return typeof axe === 'undefined'", &[]) == json!(true) {
            let named = std::env::var_os("FENCELINE_AXE")
                .expect("FENCELINE_AXE names axe-core's script; cargo xtask test sets it");
            let script = std::fs::read_to_string(named).expect("axe-core's script can be read");
            self.evaluate(&script, &[]);
        }
        // What fades in has the colours of neither state.
        self.wait_until("nothing to move any more", || {
            self.evaluate("return document.getAnimations().every((a) => a.playState !== 'running')", &[]) == json!(true)
        });
        let found = self.ask(self.client.execute_async(RUN, Vec::new()));
        let found: Vec<(String, String, Vec<String>)> =
            serde_json::from_value(found.clone()).unwrap_or_else(|_| self.fail(&format!("axe-core says {found}")));
        let mut report = String::new();
        for (rule, help, places) in &found {
            // Writing to a string cannot fail.
            let _ = write!(report, "\n{rule}: {help}\n  {}", places.join("\n  "));
        }
        assert!(found.is_empty(), "{state}: axe-core finds {} violations:{report}", found.len());
    }
}
