//! Where in a text a JSON Pointer points: the line and column for whoever wrote it.
//!
//! Errors name places by pointers, because documents are also made without any text; whoever has a text in front of them is
//! helped by its lines. It looks again instead of remembering: nothing is kept of a text that is right.

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// Where the value that a pointer names begins, or the nearest around it when the text does not have it: a missing field is told
/// at its object. `text` is JSON; of what is none, some place is given.
///
/// ```
/// use fenceline_engine::{Place, place_of};
///
/// let text = "{\n  \"leases\": [\n    { \"id\": \"lock\" }\n  ]\n}";
/// assert_eq!(place_of(text, "/leases/0/id"), Place { line: 3, column: 13 });
/// assert_eq!(place_of(text, "/leases/0/ttl"), Place { line: 3, column: 5 });
/// ```
pub fn place_of(text: &str, pointer: &str) -> Place {
    let bytes = text.as_bytes();
    let mut at = after_space(bytes, 0);
    for part in pointer.split('/').skip(1) {
        let found = match bytes.get(at) {
            Some(b'{') => member(text, at, &part.replace("~1", "/").replace("~0", "~")),
            Some(b'[') => part.parse().ok().and_then(|index| item(bytes, at, index)),
            _ => None,
        };
        match found {
            Some(inside) => at = inside,
            None => break,
        }
    }
    let before = &text[..at.min(text.len())];
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Place { line, column }
}

/// Where the value of that member of the object at `at` begins. Of one that is given twice, the second: that is the one complained of.
fn member(text: &str, at: usize, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut found = None;
    let mut at = after_space(bytes, at + 1);
    while bytes.get(at) == Some(&b'"') {
        let end = after_text(bytes, at);
        let key = serde_json::from_str::<String>(text.get(at..end)?);
        let colon = after_space(bytes, end);
        let value = after_space(bytes, colon + 1);
        if key.is_ok_and(|key| key == name) {
            found = Some(value);
        }
        at = next(bytes, value)?;
    }
    found
}

/// Where that item of the list at `at` begins.
fn item(bytes: &[u8], at: usize, index: usize) -> Option<usize> {
    let mut at = after_space(bytes, at + 1);
    for _ in 0..index {
        at = next(bytes, at)?;
    }
    bytes.get(at).filter(|byte| **byte != b']').map(|_| at)
}

/// The beginning of what follows the value at `at`, or the bracket that ends what it is in.
fn next(bytes: &[u8], at: usize) -> Option<usize> {
    let end = after_space(bytes, after_value(bytes, at));
    match bytes.get(end)? {
        b',' => Some(after_space(bytes, end + 1)),
        _ => Some(end),
    }
}

fn after_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The end of the text whose quote is at `at`.
fn after_text(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of the value at `at`. Never before the next byte, so that whoever walks along gets to the end.
fn after_value(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut here = at;
    while let Some(byte) = bytes.get(here) {
        match byte {
            b'"' => {
                here = after_text(bytes, here);
                if depth == 0 {
                    return here;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 1 { here + 1 } else { here.max(at + 1) },
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return here.max(at + 1),
            _ => {}
        }
        here += 1;
    }
    bytes.len().max(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        "{\n",
        "  \"title\": \"a } ] , \\\" b\", \"version\": 1,\n",
        "  \"leases\": [ { \"id\": \"ä\", \"ttl\": \"0s\" }, {\"ttl\": [1, 2, {\"x/y~z\": null}]} ],\n",
        "\n",
        "  \"workers\": [], \"workers\": {}\n",
        "}\n"
    );

    #[test]
    fn a_pointer_is_found_at_its_value() {
        for (pointer, line, column) in [
            ("", 1, 1),
            ("/title", 2, 12),
            ("/version", 2, 39),
            ("/leases", 3, 13),
            ("/leases/0/ttl", 3, 35),
            ("/leases/1", 3, 43),
            ("/leases/1/ttl/1", 3, 55),
            ("/leases/1/ttl/2/x~1y~0z", 3, 68),
            // The second of two that have one name.
            ("/workers", 5, 29),
        ] {
            assert_eq!(place_of(TEXT, pointer), Place { line, column }, "{pointer}");
        }
    }

    #[test]
    fn what_is_not_there_is_told_at_what_is_around_it() {
        for (pointer, around) in [
            ("/resources", ""),
            ("/leases/2", "/leases"),
            ("/leases/0/ttl/3", "/leases/0/ttl"),
            ("/leases/x", "/leases"),
            ("/workers/0", "/workers"),
        ] {
            assert_eq!(place_of(TEXT, pointer), place_of(TEXT, around), "{pointer}");
        }
    }

    #[test]
    fn any_text_has_some_place() {
        for text in ["", "{", "{\"a\"", "{\"a\":", "[", "[,", "[1,]", "]", "\"", "{\"a\":}}", "{\"\\", "[[[[", "ä"] {
            for pointer in ["", "/a", "/0", "/1/2/3", "/a/b", "nonsense", "/"] {
                let Place { line, column } = place_of(text, pointer);
                assert!(line == 1 && column <= text.len() + 1, "{text} {pointer}");
            }
        }
    }
}
