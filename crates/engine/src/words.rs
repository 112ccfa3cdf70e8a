//! User text inside our sentences: names and values quoted, shortened, and with nothing invisible in them.
//!
//! A document is somebody else's text. What a sentence takes from it is plain text that cannot be mistaken for the
//! sentence, cannot turn its reading direction and cannot reach a terminal as a command.

use std::fmt::Write as _;

/// The longest value that a sentence quotes whole, in characters.
const LONGEST: usize = 40;

/// Text with every control and direction character spelled out (`\n`, `\u{1b}`, `\u{202e}`); all else as it is.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_visible(&mut out, c);
    }
    out
}

/// A JSON text in which no string holds a character that a terminal would obey or that turns the reading direction: each is
/// escaped as JSON escapes it. Lines stay as they are.
pub fn visible_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && (c.is_control() || turns_direction(c)) {
            push_json_escape(&mut out, c);
        } else {
            out.push(c);
        }
    }
    out
}

/// A character as JSON escapes it.
pub(crate) fn push_json_escape(out: &mut String, c: char) {
    // Writing to a string cannot fail. All that is escaped lies in the first plane.
    let _ = write!(out, "\\u{:04x}", u32::from(c));
}

fn push_visible(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ if c.is_control() || turns_direction(c) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
        _ => out.push(c),
    }
}

/// Characters that are not seen, yet break lines or change the order in which others are shown. Those that join letters are none:
/// scripts and emoji are written with them.
pub(crate) const fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A value in typographic quotes, visible, cut after 40 characters: `‘stale report’`.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("‘");
    push_cut(&mut out, text, LONGEST);
    out.push('’');
    out
}

/// Text cut to `longest` characters, the last of them `…` when something was left out.
pub(crate) fn push_cut(out: &mut String, text: &str, longest: usize) {
    // One past the limit decides; a value may be a mebibyte long.
    let whole = text.chars().nth(longest).is_none();
    for c in text.chars().take(if whole { longest } else { longest.saturating_sub(1) }) {
        push_visible(out, c);
    }
    if !whole {
        out.push('…');
    }
}

/// A worker's name: as it is, or in double quotes where it is more than one word.
pub(crate) fn name(id: &str) -> String {
    let plain = !id.is_empty() && id.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if plain { id.into() } else { format!("“{}”", visible(id)) }
}

/// Whether an id reads as a common noun (`report`), so that a sentence can say "the report".
pub(crate) fn is_noun(id: &str) -> bool {
    id.len() > 2 && !id.ends_with('s') && id.bytes().all(|b| b.is_ascii_lowercase())
}

/// A sentence that begins with one of our own words, with that in upper case. A name at its head stays as it is.
pub(crate) fn capital(mut sentence: String) -> String {
    let ours = ["the ", "lease ", "it ", "nothing ", "each "];
    if ours.iter().any(|word| sentence.starts_with(word))
        && let Some(first) = sentence.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    sentence
}

/// Names in a row: `A`, `A and B`, `A, B and C`.
pub(crate) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_are_spelled_out() {
        assert_eq!(visible("a\nb\u{1b}[31m\u{202e}c\u{7f}"), "a\\nb\\u{1b}[31m\\u{202e}c\\u{7f}");
        assert_eq!(visible("Grüße, 世界 🦀"), "Grüße, 世界 🦀");
    }

    #[test]
    fn a_long_value_is_cut_to_forty_characters() {
        assert_eq!(quote(&"é".repeat(40)), format!("‘{}’", "é".repeat(40)));
        assert_eq!(quote(&"é".repeat(41)), format!("‘{}…’", "é".repeat(39)));
    }

    #[test]
    fn a_name_of_several_words_is_quoted() {
        assert_eq!(name("worker-1"), "worker-1");
        assert_eq!(name("night shift"), "“night shift”");
        assert_eq!(name("  "), "“  ”");
    }

    #[test]
    fn only_a_lower_case_word_reads_as_a_noun() {
        assert!(is_noun("report"));
        for id in ["orders-db", "Report", "row7", "accounts", "db", ""] {
            assert!(!is_noun(id), "{id}");
        }
    }

    #[test]
    fn only_our_own_words_begin_in_upper_case() {
        assert_eq!(capital("the report is unchanged".into()), "The report is unchanged");
        assert_eq!(capital("cleanup holds no lease".into()), "cleanup holds no lease");
        assert_eq!(capital("‘orders-db’ is unchanged".into()), "‘orders-db’ is unchanged");
    }

    #[test]
    fn names_are_listed_with_an_and_before_the_last() {
        let names = ["A", "B", "C"].map(String::from);
        assert_eq!(list(&names), "A, B and C");
        assert_eq!(list(&names[..2]), "A and B");
        assert_eq!(list(&names[..1]), "A");
    }
}
