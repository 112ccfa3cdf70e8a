//! Text of a document inside Markdown: it stays text, whatever is in it.

use fenceline_engine::visible;

/// A text for inside a line or a cell of a table: no markup, no HTML, no link, no end of the line.
pub fn inline(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    let mut rest = text.trim().chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        match c {
            // A backslash before a bar means one thing to a table and another to what is in its cells; an entity means one thing.
            '|' => out.push_str("&#124;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '{' | '}' | '<' | '&' | '^' | '~' | '$' | '#' => out.extend(['\\', c]),
            // What some programs make links or pictures of by themselves; `2:00:05` and `note: this` are neither.
            ':' if !next.is_whitespace() && !before.is_ascii_digit() => out.extend(['\\', c]),
            '@' => out.extend(['\\', c]),
            '.' if out.to_ascii_lowercase().ends_with("www") => out.extend(['\\', c]),
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// A text at the beginning of a paragraph: it begins no list, no rule and no other block.
pub fn paragraph(text: &str) -> String {
    let line = inline(text);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let begins_list = digits > 0 && line[digits..].starts_with(['.', ')']);
    let mark = if begins_list { digits } else { 0 };
    if begins_list || line.starts_with(['-', '+', '=', '>', ':']) {
        return [&line[..mark], "\\", &line[mark..]].concat();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped_and_nothing_else() {
        assert_eq!(
            inline("A’s ‘new report’ is accepted (42), 0.2 s: fine"),
            "A’s ‘new report’ is accepted (42), 0.2 s: fine"
        );
        assert_eq!(inline("at 2:00:05"), "at 2:00:05");
        assert_eq!(inline("a | *b* `c` [d](e) <f>"), "a &#124; \\*b\\* \\`c\\` \\[d\\](e) \\<f>");
        assert_eq!(inline("http://x WWW.x :smile:"), "http\\://x WWW\\.x \\:smile:");
        assert_eq!(inline("one\ntwo"), "one\\\\ntwo");
    }

    #[test]
    fn a_paragraph_begins_no_block() {
        for (text, escaped) in
            [("- a", "\\- a"), ("12. a", "12\\. a"), ("1) a", "1\\) a"), ("=== ", "\\==="), ("1.5 s", "1\\.5 s")]
        {
            assert_eq!(paragraph(text), escaped);
        }
        assert_eq!(paragraph("    four spaces"), "four spaces");
    }
}
