//! What the search is asked: its bounds as they are typed, read and told.

use fenceline_engine::{Bounds, Property, parse_duration, show_length};

/// What the search is asked; numbers as they were typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What is to be broken; none for anything.
    pub property: Option<Property>,
    /// How many pauses and delays may differ.
    pub changes: usize,
    /// The step of the grid.
    pub step: String,
    /// The longest pause and the longest delay.
    pub max: String,
}

impl Default for Asked {
    fn default() -> Self {
        Self { property: None, changes: 2, step: "1s".into(), max: "60s".into() }
    }
}

impl Asked {
    /// The bounds, or what is wrong with them.
    pub fn bounds(&self) -> Result<Bounds, &'static str> {
        let read = |text: &str| parse_duration(text.trim()).ok();
        let step =
            read(&self.step).filter(|step| *step > 0).ok_or("The step is not a duration above 0, such as 1s.")?;
        let max =
            read(&self.max).filter(|max| *max > 0).ok_or("The longest is not a duration above 0, such as 60s.")?;
        if step > max {
            return Err("The step is longer than the longest: then there is nothing to try.");
        }
        Ok(Bounds { changes: self.changes, step, max, property: self.property })
    }
}

/// What the bounds say, for a result.
pub fn within(bounds: &Bounds) -> String {
    let most = match bounds.changes {
        1 => "one pause or delay changed".into(),
        count => ["at most ", &count.to_string(), " pauses and delays changed"].concat(),
    };
    let last = if bounds.changes > 1 { "; all but the last in steps of " } else { "; steps of " };
    let exact = if bounds.changes > 1 { ", the last exact" } else { " counted, all between them covered" };
    [&most, ", each up to ", &show_length(bounds.max), last, &show_length(bounds.step), exact].concat()
}

/// A number with a comma before each three digits.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        for (count, text) in [(0, "0"), (999, "999"), (1_240, "1,240"), (1_000_000, "1,000,000")] {
            assert_eq!(grouped(count), text);
        }
    }

    #[test]
    fn bounds_are_read_or_refused_with_the_reason() {
        let asked = |step: &str, max: &str| Asked { step: step.into(), max: max.into(), ..Asked::default() }.bounds();
        let bounds = asked(" 500ms ", "1m").expect("both are durations");
        assert_eq!((bounds.step, bounds.max), (500_000, 60_000_000));
        assert!(asked("0s", "1m").is_err_and(|reason| reason.starts_with("The step")));
        assert!(asked("1s", "soon").is_err_and(|reason| reason.starts_with("The longest")));
        assert!(asked("2m", "1m").is_err_and(|reason| reason.contains("nothing to try")));
    }

    #[test]
    fn the_bounds_are_told_with_every_number() {
        let bounds = Bounds { changes: 2, step: 1_000_000, max: 60_000_000, property: None };
        let says = within(&bounds);
        assert_eq!(
            says,
            "at most 2 pauses and delays changed, each up to 60 s; all but the last in steps of 1 s, the last exact"
        );
    }
}
