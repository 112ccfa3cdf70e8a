//! How many tests ran, read from what test runners print.
//!
//! Exit codes alone are not enough: a runner that finds no test at all ends with code 0, and so would a suite that is never built.

/// Tests that passed and failed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Tests that passed.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
    /// Browser test binaries without a test. Natively that is common (the unit tests of a package that has none); in a browser it is a
    /// file whose tests nobody runs.
    pub empty: usize,
}

impl Count {
    /// One step that is right or wrong as a whole.
    pub fn step(right: bool) -> Self {
        Self { passed: usize::from(right), failed: usize::from(!right), empty: 0 }
    }

    /// Adds what a line says, if it is the summary of a test binary: `test result: ok. 3 passed; 0 failed; …`, or `no tests to run!`.
    pub fn read(&mut self, line: &str) {
        let line = without_colour(line);
        self.empty += usize::from(line.trim() == "no tests to run!");
        let Some(rest) = line.trim().strip_prefix("test result:") else { return };
        for item in rest.split(['.', ';']) {
            let mut words = item.split_whitespace();
            let (Some(number), Some(word)) = (words.next(), words.next()) else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            match word {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                _ => {}
            }
        }
    }

    /// What the count means once the runner has ended: the count to report, and what is wrong if that is not in the count itself.
    pub fn judge(self, ended_well: bool) -> (Self, Option<&'static str>) {
        match (ended_well, self.passed, self.failed) {
            (true, 0, 0) => (Self { failed: 1, ..self }, Some("0 tests ran")),
            (true, _, 0) if self.empty > 0 => {
                (Self { failed: self.empty, ..self }, Some("0 tests ran in one of the binaries"))
            }
            (true, _, 0) | (false, _, 1..) => (self, None),
            (true, _, 1..) => (self, Some("tests failed, but their runner did not say so at its end")),
            (false, _, 0) => {
                (Self { failed: 1, ..self }, Some("the runner failed, though no test did: see its output above"))
            }
        }
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.empty += other.empty;
    }
}

/// The text without terminal colours (`ESC [ … m`), which some runners print even into a pipe.
fn without_colour(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            for skipped in characters.by_ref() {
                if skipped.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(output: &str) -> Count {
        let mut count = Count::default();
        output.lines().for_each(|line| count.read(line));
        count
    }

    #[test]
    fn summaries_of_several_binaries_add_up() {
        let output = "running 2 tests\ntest a ... ok\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.25s";
        assert_eq!(count(output), Count { passed: 5, failed: 1, empty: 0 });
    }

    #[test]
    fn a_summary_is_read_through_indentation_and_colour() {
        assert_eq!(
            count("    test result: \u{1b}[32mok\u{1b}[0m. 4 passed; 0 failed; 0 ignored; 0 filtered out"),
            Count { passed: 4, failed: 0, empty: 0 }
        );
    }

    #[test]
    fn a_line_that_only_mentions_a_result_counts_nothing() {
        assert_eq!(count("note: the test result: 7 passed"), Count::default());
        assert_eq!(count("7 passed; 0 failed"), Count::default());
    }

    #[test]
    fn no_tests_at_all_is_a_failure() {
        let (judged, reason) = count("no tests to run!").judge(true);
        assert_eq!(judged.failed, 1);
        assert_eq!(reason, Some("0 tests ran"));
    }

    #[test]
    fn an_empty_browser_test_beside_others_is_a_failure() {
        let output = "no tests to run!\ntest result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out";
        assert_eq!(count(output).judge(true).0, Count { passed: 4, failed: 1, empty: 1 });
    }

    #[test]
    fn a_runner_that_dies_without_a_summary_is_a_failure() {
        let (judged, reason) = count("error: could not compile").judge(false);
        assert_eq!(judged, Count { passed: 0, failed: 1, empty: 0 });
        assert!(reason.is_some());
    }

    #[test]
    fn a_binary_that_dies_after_another_passed_is_a_failure() {
        let (judged, _) = count("test result: ok. 4 passed; 0 failed; 0 ignored").judge(false);
        assert_eq!(judged, Count { passed: 4, failed: 1, empty: 0 });
    }

    #[test]
    fn failed_tests_are_counted_once() {
        let (judged, reason) = count("test result: FAILED. 1 passed; 2 failed; 0 ignored").judge(false);
        assert_eq!(judged, Count { passed: 1, failed: 2, empty: 0 });
        assert_eq!(reason, None);
    }

    #[test]
    fn passing_tests_pass() {
        assert_eq!(
            count("test result: ok. 4 passed; 0 failed; 0 ignored").judge(true),
            (Count { passed: 4, failed: 0, empty: 0 }, None)
        );
    }
}
