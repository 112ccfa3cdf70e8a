//! The colours: the tokens of both themes, and which identity each worker gets.
//!
//! Saturation means outcome and nothing else, so identities are near-neutrals beside a letter. The page's tokens are the
//! same values; the static picture fills them in from here, since it must stand without a style sheet.

use fenceline_engine::scenario::Scenario;
use fenceline_engine::trace::Trace;

/// The near-neutral identity of a worker, or of what nobody wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// Nobody's: the initial value, a hand-made token.
    #[default]
    Zero,
    /// Warm, as for a worker A.
    A,
    /// Cool, as for a worker B.
    B,
    /// A grey with a little sea in it.
    C,
    /// A grey with a little heather in it.
    D,
}

/// The identity of each worker, in file order.
///
/// A worker whose name is A, B, C or D has that letter's; the others take those that are left, in order, then all of
/// them again. The name is always written beside it.
pub fn tones(scenario: &Scenario) -> Vec<Tone> {
    let named = |id: &str| match id {
        "A" | "a" => Some(Tone::A),
        "B" | "b" => Some(Tone::B),
        "C" | "c" => Some(Tone::C),
        "D" | "d" => Some(Tone::D),
        _ => None,
    };
    let all = [Tone::A, Tone::B, Tone::C, Tone::D];
    let taken: Vec<Tone> = scenario.workers.iter().filter_map(|worker| named(&worker.id)).collect();
    let mut left = all.into_iter().filter(|tone| !taken.contains(tone)).chain(all.into_iter().cycle());
    scenario.workers.iter().map(|worker| named(&worker.id).or_else(|| left.next()).unwrap_or_default()).collect()
}

/// The identity of a grant: its holder's.
pub(crate) fn tone_of_grant(trace: &Trace, tones: &[Tone], grant: Option<u32>) -> Tone {
    grant.and_then(|number| trace.grant(number)).and_then(|grant| tones.get(grant.worker)).copied().unwrap_or_default()
}

/// Makes a function from a tone to a class with that tone's letter at its end.
macro_rules! by_tone {
    ($($name:ident => $prefix:literal),+ $(,)?) => { $(
        #[doc = concat!("The class `", $prefix, "…` of a tone.")]
        pub(crate) const fn $name(tone: Tone) -> &'static str {
            match tone {
                Tone::Zero => concat!($prefix, "0"),
                Tone::A => concat!($prefix, "a"),
                Tone::B => concat!($prefix, "b"),
                Tone::C => concat!($prefix, "c"),
                Tone::D => concat!($prefix, "d"),
            }
        }
    )+ };
}

by_tone! {
    fill => "fl-fill fl-fill-",
    pill => "fl-pill-",
    arrow => "fl-arrow-",
    untrue => "fl-untrue fl-untrue-",
    line => "fl-line fl-stroke-",
    thin => "fl-thin fl-stroke-",
    beat => "fl-beat fl-stroke-",
    tip => "fl-tip fl-stroke-",
    ink => "fl-text fl-ink-",
    ink12 => "fl-text fl-12 fl-ink-",
    ink_mono => "fl-text fl-mono fl-ink-",
    ink_mono12 => "fl-text fl-mono fl-12 fl-ink-",
}

/// The tokens that the marks use: name, light, dark. Type is the same in both.
pub const TOKENS: &[(&str, &str, &str)] = &[
    ("font-sans", SANS, SANS),
    ("font-mono", MONO, MONO),
    ("surface-1", "#ffffff", "#17191d"),
    ("surface-2", "#f1f1ec", "#1f2227"),
    ("lane", "#f8f8f5", "#1b1e22"),
    ("grid", "#e9e9e3", "#24282d"),
    ("grid-strong", "#dadad2", "#31363d"),
    ("ink", "#16181b", "#eeefef"),
    ("ink-2", "#3a3f47", "#c8ccd1"),
    ("ink-muted", "#5a616b", "#9ca3ad"),
    ("on-ink", "#ffffff", "#121417"),
    ("line-control", "#82868c", "#6f7781"),
    ("focus", "#16181b", "#ffffff"),
    ("outcome-accepted", "#00745a", "#3fcaa0"),
    ("outcome-accepted-soft", "#def1ea", "#12332a"),
    ("outcome-fenced", "#0064a4", "#66b8ef"),
    ("outcome-fenced-soft", "#e2eef8", "#132c40"),
    ("outcome-corrupting", "#ae4200", "#ff9355"),
    ("outcome-corrupting-soft", "#fce5d6", "#40230f"),
    ("outcome-refused", "#93407a", "#e39ac6"),
    ("outcome-refused-soft", "#f5e5ef", "#3a2033"),
    ("on-outcome", "#ffffff", "#0f1113"),
    ("fill-accepted", "#2a9d7f", "#2b9c7c"),
    ("fill-fenced", "#2f76b0", "#3a80ba"),
    ("fill-corrupting", "#d4682a", "#d56a2d"),
    ("fill-refused", "#b56a9c", "#b3689a"),
    ("gen-a", "#80652f", "#c9aa68"),
    ("gen-a-fill", "#f0e5cd", "#3a311e"),
    ("gen-a-ink", "#574314", "#ecdbb4"),
    ("gen-b", "#52617c", "#9aabc9"),
    ("gen-b-fill", "#dde3ee", "#293244"),
    ("gen-b-ink", "#303d57", "#d2dcee"),
    ("gen-c", "#4a6763", "#93b5ae"),
    ("gen-c-fill", "#dbe7e4", "#22332f"),
    ("gen-c-ink", "#27433f", "#cfe3dd"),
    ("gen-d", "#6f5b6c", "#bda6b9"),
    ("gen-d-fill", "#eae2e8", "#362c35"),
    ("gen-d-ink", "#4b3a49", "#e4d4e1"),
    ("gen-0", "#6b7078", "#959ba4"),
    ("gen-0-fill", "#e8e8e2", "#2a2e34"),
    ("gen-0-ink", "#3a3f47", "#c8ccd1"),
];

const SANS: &str =
    "-apple-system, BlinkMacSystemFont, \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, \"Noto Sans\", sans-serif";
const MONO: &str = "ui-monospace, SFMono-Regular, \"SF Mono\", Menlo, Consolas, \"Liberation Mono\", monospace";

#[cfg(test)]
mod tests {
    use fenceline_engine::scenario::Worker;

    use super::*;

    fn scenario(ids: &[&str]) -> Scenario {
        let workers = ids.iter().map(|id| Worker { id: (*id).into(), ..Worker::default() }).collect();
        Scenario { workers, ..Scenario::default() }
    }

    #[test]
    fn a_letter_keeps_its_identity_wherever_it_stands() {
        assert_eq!(tones(&scenario(&["B", "cleanup"])), [Tone::B, Tone::A]);
        assert_eq!(tones(&scenario(&["M", "B"])), [Tone::A, Tone::B]);
        assert_eq!(tones(&scenario(&["w1", "w2", "w3", "w4", "w5"])), [Tone::A, Tone::B, Tone::C, Tone::D, Tone::A]);
    }

    /// Relative luminance and contrast as WCAG 2 defines them.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0)) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        if one > other { one / other } else { other / one }
    }

    #[test]
    fn text_on_identities_and_verdicts_reaches_four_and_a_half_in_both_themes() {
        let token = |name: &str, dark: bool| {
            let found = TOKENS.iter().find(|(token, ..)| *token == name);
            let (_, light_value, dark_value) = found.unwrap_or_else(|| panic!("no token {name}"));
            if dark { *dark_value } else { *light_value }
        };
        let mut pairs = vec![
            ("ink-2".to_owned(), "lane".to_owned()),
            ("ink-muted".into(), "lane".into()),
            ("ink".into(), "surface-1".into()),
            ("ink-muted".into(), "surface-2".into()),
        ];
        for tone in ["a", "b", "c", "d", "0"] {
            pairs.push((format!("gen-{tone}-ink"), format!("gen-{tone}-fill")));
            pairs.push((format!("gen-{tone}-ink"), "lane".into()));
            pairs.push(("on-outcome".into(), format!("gen-{tone}")));
        }
        for outcome in ["accepted", "fenced", "corrupting", "refused"] {
            pairs.push(("ink".into(), format!("outcome-{outcome}-soft")));
            pairs.push(("ink-2".into(), format!("outcome-{outcome}-soft")));
            pairs.push(("on-outcome".into(), format!("outcome-{outcome}")));
        }
        for dark in [false, true] {
            for (text, surface) in &pairs {
                let ratio = contrast(token(text, dark), token(surface, dark));
                assert!(ratio >= 4.5, "{text} on {surface}, dark {dark}: {ratio:.2}");
            }
        }
    }

    #[test]
    fn every_token_of_the_style_sheet_has_its_colours() {
        for part in crate::MARKS_CSS.split("var(--").skip(1) {
            let name = part.split(')').next().unwrap_or_default();
            assert!(TOKENS.iter().any(|(token, ..)| *token == name), "no colours for --{name}");
        }
    }
}
