//! JSON with the place of every value in its text: what an error needs to name a line, and a correction to touch nothing else.
//!
//! Invariant: what is read here is read by the engine too, and the other way round; nothing is nested deep enough to
//! exhaust the stack.

use std::ops::Range;

use fenceline_engine::limits::MAX_DEPTH;

/// How deep a text may be nested: a scenario as deep as it may be, inside the object around it, and some room to say so.
const DEPTH: usize = MAX_DEPTH + 8;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub span: Range<usize>,
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// As it is written: the span says how.
    Number,
    Text(String),
    List(Vec<Value>),
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub name: String,
    /// The name with its quotes.
    pub name_span: Range<usize>,
    pub value: Value,
}

/// Where a text stops being JSON, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub at: usize,
    pub why: &'static str,
}

impl Value {
    /// The members of an object; none of anything else.
    pub fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// The first member of that name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|member| member.name == name).map(|member| &member.value)
    }

    /// The text that it is.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Where a JSON Pointer leads, as far as the way exists; a member that is there by the place of its name.
    pub fn locate(&self, pointer: &str) -> usize {
        let (mut value, mut at) = (self, self.span.start);
        for segment in pointer.split('/').skip(1) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            match &value.kind {
                Kind::List(items) => {
                    let Some(item) = segment.parse().ok().and_then(|index: usize| items.get(index)) else { break };
                    (value, at) = (item, item.span.start);
                }
                Kind::Object(members) => {
                    let Some(member) = members.iter().find(|member| member.name == segment) else { break };
                    (value, at) = (&member.value, member.name_span.start);
                }
                _ => break,
            }
        }
        at
    }
}

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Result<Value, NotJson> {
    let mut parser = Parser { text, bytes: text.as_bytes(), at: 0 };
    let value = parser.value(DEPTH)?;
    parser.space();
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.wrong("something after the end")),
    }
}

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            _ if c.is_control() => drop(write!(out, "\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn wrong(&self, why: &'static str) -> NotJson {
        NotJson { at: self.at.min(self.bytes.len()), why }
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self, depth: usize) -> Result<Value, NotJson> {
        self.space();
        let start = self.at;
        let kind = match self.peek() {
            None => return Err(self.wrong("the text ends where a value is expected")),
            Some(b'{') => Kind::Object(self.object(depth)?),
            Some(b'[') => Kind::List(self.list(depth)?),
            Some(b'"') => Kind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
        };
        Ok(Value { span: start..self.at, kind })
    }

    fn word(&mut self) -> Result<Kind, NotJson> {
        let words = [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))];
        let found = words.into_iter().find(|(word, _)| self.bytes[self.at..].starts_with(word.as_bytes()));
        let (word, kind) = found.ok_or_else(|| self.wrong("no JSON value begins so"))?;
        self.at += word.len();
        Ok(kind)
    }

    fn below(&self, depth: usize) -> Result<usize, NotJson> {
        depth.checked_sub(1).ok_or_else(|| self.wrong("lists and objects nested too deep"))
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Value>, NotJson> {
        let depth = self.below(depth)?;
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(items);
        }
        loop {
            items.push(self.value(depth)?);
            self.space();
            if self.take(b']') {
                return Ok(items);
            }
            if !self.take(b',') {
                return Err(self.wrong("a comma or ] is missing"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Vec<Member>, NotJson> {
        let depth = self.below(depth)?;
        self.at += 1;
        let mut members = Vec::new();
        self.space();
        if self.take(b'}') {
            return Ok(members);
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.wrong("the name of a field, in double quotes, is missing"));
            }
            let name = self.string()?;
            let name_span = start..self.at;
            self.space();
            if !self.take(b':') {
                return Err(self.wrong("a colon is missing"));
            }
            members.push(Member { name, name_span, value: self.value(depth)? });
            self.space();
            if self.take(b'}') {
                return Ok(members);
            }
            if !self.take(b',') {
                return Err(self.wrong("a comma or } is missing"));
            }
        }
    }

    fn digits(&mut self) -> Result<(), NotJson> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.wrong("a digit is missing"));
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Kind, NotJson> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(Kind::Number)
    }

    fn string(&mut self) -> Result<String, NotJson> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            // It stops at ASCII only, so these are whole characters.
            out.push_str(&self.text[start..self.at]);
            match self.peek() {
                None => return Err(self.wrong("the text ends inside a string")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.wrong("a line break or control character inside a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, NotJson> {
        let wrong = self.wrong("an escape that JSON does not have");
        self.at += 1;
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.hex().ok_or_else(|| wrong.clone())?;
                let unit = match first {
                    0xd800..0xdc00 => {
                        let second = (self.take(b'\\') && self.take(b'u')).then(|| self.hex()).flatten();
                        let second =
                            second.filter(|unit| (0xdc00..0xe000).contains(unit)).ok_or_else(|| wrong.clone())?;
                        0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    }
                    _ => first,
                };
                char::from_u32(unit).ok_or(wrong)?
            }
            _ => return Err(wrong),
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let unit = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?;
        self.at += 4;
        unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    #[test]
    fn every_value_knows_where_it_stands() {
        let text = " {\"a\": [1, \"é\", null], \"b/c\": {\"d\": -1.5e3}} ";
        let value = read(text);
        let item = |index: usize| match &value.get("a").expect("it is there").kind {
            Kind::List(items) => &text[items[index].span.clone()],
            _ => "",
        };
        assert_eq!([item(0), item(1), item(2)], ["1", "\"é\"", "null"]);
        assert_eq!(&text[value.locate("/a/1")..][..3], "\"é");
        assert_eq!(&text[value.locate("/b~1c/d")..][..3], "\"d\"");
        assert_eq!(value.locate("/b~1c/missing/deeper"), value.locate("/b~1c"));
        assert_eq!(value.locate(""), 1);
    }

    #[test]
    fn what_is_json_here_is_json_elsewhere() {
        for text in [
            "",
            " ",
            "{",
            "[",
            "[1,]",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{a:1}",
            "01",
            "-",
            "1.",
            "1e",
            "+1",
            ".5",
            "tru",
            "nulll",
            "[] []",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"\\ud83e\\udd80\"",
            "\"a\nb\"",
            "\"\u{7f}\"",
            "\"",
            "\"\\",
            "\"\\u",
            "\"\\u00é\"",
            "-0",
            "1E+2",
            "{\"a\":{},\"a\":[]}",
            "\u{feff}1",
            "\"\u{2028}\"",
            "1 // no",
            "NaN",
        ] {
            let theirs: Result<serde_json::Value, _> = serde_json::from_str(text);
            assert_eq!(parse(text).is_ok(), theirs.is_ok(), "{text:?}");
            if let (Ok(ours), Ok(serde_json::Value::String(theirs))) = (parse(text), theirs) {
                assert_eq!(ours.kind, Kind::Text(theirs), "{text:?}");
            }
        }
    }

    #[test]
    fn nesting_without_end_is_refused() {
        for text in ["[".repeat(1_000_000), "{\"a\":".repeat(1_000_000)] {
            assert!(parse(&text).is_err_and(|error| error.why.contains("too deep")));
        }
    }

    #[test]
    fn a_quoted_text_reads_back() {
        let hostile = "a\"b\\c\n\r\t\u{0}\u{1b}\u{7f}é🦀</script>";
        assert_eq!(read(&quoted(hostile)).as_text(), Some(hostile));
        assert!(!quoted(hostile).chars().any(char::is_control));
    }
}
