//! How wide a text will be, without a font: an estimate on the large side, so that what fits here fits everywhere.
//!
//! The figure knows no fonts, and a reader's machine picks its own from the list. The widths are those of the common
//! grotesques, rounded up.

/// The faces of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// Sans, 11 px.
    Small,
    /// Sans, 12 px.
    Body,
    /// Sans, 11 px, strong.
    SmallStrong,
    /// Sans, 12 px, strong.
    BodyStrong,
    /// Sans, 13 px, strong.
    LargeStrong,
    /// Sans, 16 px, strong.
    TitleStrong,
    /// Mono, 11 px.
    SmallMono,
    /// Mono, 12 px.
    BodyMono,
    /// Mono, 12 px, strong: tokens.
    Token,
}

/// Widths of the printable ASCII characters, from the space on, in hundredths of an em.
const SANS: [u8; 95] = [
    28, 29, 37, 58, 57, 89, 70, 24, 34, 34, 41, 62, 27, 36, 27, 36, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 27, 27, 62,
    62, 62, 56, 102, 68, 67, 72, 74, 67, 62, 78, 74, 29, 55, 67, 58, 90, 76, 79, 67, 79, 72, 67, 64, 73, 68, 96, 67,
    67, 63, 32, 38, 32, 60, 56, 34, 57, 59, 52, 60, 57, 34, 60, 59, 26, 27, 54, 26, 88, 59, 60, 60, 60, 37, 52, 36, 59,
    53, 77, 53, 53, 52, 36, 28, 36, 62,
];

/// The width of a text in px, on the large side.
pub(crate) fn width(text: &str, face: Face) -> f32 {
    let (size, mono, strong) = match face {
        Face::Small => (11.0, false, false),
        Face::Body => (12.0, false, false),
        Face::SmallStrong => (11.0, false, true),
        Face::BodyStrong => (12.0, false, true),
        Face::LargeStrong => (13.0, false, true),
        Face::TitleStrong => (16.0, false, true),
        Face::SmallMono => (11.0, true, false),
        Face::BodyMono | Face::Token => (12.0, true, false),
    };
    let hundredths: u32 = text.chars().map(|c| if mono { mono_width(c) } else { sans_width(c) }).sum();
    let em = hundredths as f32 / 100.0;
    // A strong face runs about a fourteenth wider.
    (em * size * if strong { 1.07 } else { 1.0 } * 10.0).ceil() / 10.0
}

fn sans_width(c: char) -> u32 {
    match c {
        ' '..='~' => u32::from(SANS[c as usize - 32]),
        '·' | '‘' | '’' => 32,
        '–' => 57,
        '\u{300}'..='\u{36f}' => 0,
        '\u{a1}'..='\u{24f}' | '\u{370}'..='\u{52f}' => 80,
        '≥' | '≤' | '≠' => 62,
        _ => 105,
    }
}

fn mono_width(c: char) -> u32 {
    match c {
        ' '..='~' | '\u{a1}'..='\u{24f}' | '‘' | '’' | '–' | '…' | '≥' | '≤' | '≠' => 61,
        '\u{300}'..='\u{36f}' => 0,
        _ => 105,
    }
}

/// The text cut to fit into a room, with an ellipsis; nothing when not even a few characters would be left.
pub(crate) fn shorten(text: &str, face: Face, room: f32) -> Option<String> {
    if width(text, face) <= room {
        return Some(text.to_owned());
    }
    let room = room - width("…", face);
    let mut used = 0.0;
    let mut end = 0;
    let mut kept = 0;
    for (at, c) in text.char_indices() {
        used += width(c.encode_utf8(&mut [0; 4]), face);
        if used > room {
            break;
        }
        end = at + c.len_utf8();
        kept += 1;
    }
    (kept >= 3).then(|| format!("{}…", text[..end].trim_end()))
}

/// The first of several wordings that fits into a room.
pub(crate) fn first_fit<'a>(wordings: &[&'a str], face: Face, room: f32) -> Option<&'a str> {
    wordings.iter().copied().find(|wording| width(wording, face) <= room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_is_left_alone_and_a_longer_one_is_cut_to_the_room() {
        assert_eq!(shorten("report", Face::Small, 60.0).as_deref(), Some("report"));
        for room in [20.0, 40.0, 80.0, 120.0] {
            if let Some(cut) = shorten("refreshes the report of the whole quarter", Face::Body, room) {
                assert!(cut.ends_with('…'));
                assert!(width(&cut, Face::Body) <= room + 0.2, "{cut} in {room}");
            }
        }
        assert_eq!(shorten("report", Face::Small, 10.0), None);
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        for room in 0..80 {
            let _ = shorten("żółć 報告書 report", Face::Small, room as f32);
        }
    }

    #[test]
    fn wide_scripts_count_as_wide() {
        assert!(width("報告書", Face::Small) >= 3.0 * 11.0);
        assert!(width("iii", Face::Small) < width("www", Face::Small));
    }
}
