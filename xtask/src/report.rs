//! What a test run has found, as a table and a last line.

use std::fmt::Write as _;
use std::time::Duration;

use crate::count::Count;

/// What one part has found.
pub struct Outcome {
    /// The part, and where it ran if it can run in several places.
    pub name: String,
    /// Its tests, or 1 for a step without any.
    pub count: Count,
    /// How long it took.
    pub time: Duration,
    /// What is wrong, where the count alone does not say it.
    pub reason: Option<String>,
}

/// The table of parts, then the last line: `N passed, N failed`.
pub fn table(outcomes: &[Outcome]) -> String {
    let width = outcomes.iter().map(|outcome| outcome.name.len()).max().unwrap_or(0).max("part".len());
    let mut text = format!("{:width$}  {:>9}  {:>6}  {:>6}\n", "part", "time", "passed", "failed");
    let mut total = Count::default();
    for Outcome { name, count, time, reason } in outcomes {
        total += *count;
        let time = format!("{:.1} s", time.as_secs_f64());
        let reason = reason.as_deref().map_or_else(String::new, |reason| format!("  {reason}"));
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{name:width$}  {time:>9}  {:>6}  {:>6}{reason}", count.passed, count.failed);
    }
    text + &format!("\n{} passed, {} failed", total.passed, total.failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_sum() {
        let outcome = |name: &str, passed, failed| Outcome {
            name: name.to_owned(),
            count: Count { passed, failed, empty: 0 },
            time: Duration::from_millis(1250),
            reason: (failed > 0).then(|| "0 tests ran".to_owned()),
        };
        let text = table(&[outcome("format", 1, 0), outcome("end-to-end", 12, 1)]);
        assert_eq!(text.lines().last(), Some("13 passed, 1 failed"));
        assert!(text.contains("0 tests ran"), "{text}");
    }
}
