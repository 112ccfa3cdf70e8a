//! A statement with its values set off: what came from the write is bold, so that the eye finds where the token is compared.

use leptos::prelude::*;

/// A stretch of code, and whether it is a value.
type Piece<'a> = (bool, &'a str);

/// Cuts code into values (numbers and quoted texts) and what stands between them. Comments, names in double quotes and the
/// row's own id are no values.
fn pieces(code: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for line in code.split_inclusive('\n') {
        let mut rest = line;
        let plain = line.starts_with(" WHERE id = ") || line.starts_with("SELECT token ");
        while !rest.is_empty() {
            let (value, length) = if plain { (false, rest.len()) } else { first_piece(rest) };
            let (piece, after) = rest.split_at(length);
            pieces.push((value, piece));
            rest = after;
        }
    }
    pieces
}

/// Whether code begins with a value, and how many bytes the value, or what stands before the next one, is long.
fn first_piece(code: &str) -> (bool, usize) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let bytes = code.as_bytes();
    if bytes[0] == b'\'' {
        // A doubled quote closes one text and opens the next, which is the same piece to the eye.
        let end = bytes.iter().skip(1).position(|byte| *byte == b'\'').map_or(bytes.len(), |at| at + 2);
        return (true, end);
    }
    let number = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if number > 0 {
        return (true, number);
    }
    let mut at = 0;
    let mut named = false;
    while at < bytes.len() {
        let byte = bytes[at];
        named ^= byte == b'"';
        let starts_number = byte.is_ascii_digit() && at > 0 && !is_word(bytes[at - 1]);
        if !named && bytes[at..].starts_with(b"--") {
            return (false, bytes.len());
        }
        if !named && at > 0 && (byte == b'\'' || starts_number) {
            break;
        }
        at += 1;
    }
    (false, at)
}

/// The code.
#[component]
pub fn Code(
    /// The statement, line by line.
    code: Signal<String>,
) -> impl IntoView {
    let shown = move || {
        code.with(|code| {
            let piece = |(value, text): Piece<'_>| {
                let text = text.to_owned();
                if value { view! { <b>{text}</b> }.into_any() } else { text.into_any() }
            };
            pieces(code).into_iter().map(piece).collect::<Vec<_>>()
        })
    };
    view! { <code>{shown}</code> }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn values(code: &str) -> Vec<&str> {
        let pieces = pieces(code);
        assert_eq!(pieces.iter().map(|(_, text)| *text).collect::<String>(), code, "nothing is lost");
        pieces.into_iter().filter(|(value, _)| *value).map(|(_, text)| text).collect()
    }

    #[test]
    fn numbers_and_quoted_texts_are_values() {
        let code = "UPDATE report\n   SET token = 41, body = 'stale report'\n WHERE id = 1\n   AND token < 41";
        assert_eq!(values(code), ["41", "'stale report'", "41"]);
        assert_eq!(values("   AND (token, seq) < (41, 2)"), ["41", "2"]);
    }

    #[test]
    fn digits_in_names_and_comments_are_none() {
        assert_eq!(values("UPDATE row7\n   SET token = 8"), ["8"]);
        assert_eq!(values("UPDATE \"order 7\"\n   SET token = 8"), ["8"]);
        assert_eq!(values("SELECT token FROM report WHERE id = 1; -- 40, at 7.0 s"), [""; 0]);
        assert_eq!(values("   AND token < 8 -- 9"), ["8"]);
    }

    #[test]
    fn a_quote_inside_a_text_does_not_end_it() {
        assert_eq!(values("body = 'it''s 7', token = 8").concat(), "'it''s 7'8");
        assert_eq!(values("body = 'grüße 7'"), ["'grüße 7'"]);
        assert_eq!(values("body = '"), ["'"]);
    }
}
