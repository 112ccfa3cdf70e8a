//! The picture of a race map: one pixel at a time, with textures, and ink where the outcome changes.
//!
//! Pure: rows and colours go in, bytes come out. It is painted by hand since a boundary has to lie on the very pixel that its
//! value belongs to.

use fenceline_engine::{Class, Gist};

use super::rows::{NOT_WORKED_OUT, Rows};

/// Red, green, blue.
pub type Colour = [u8; 3];

/// What one kind of outcome is painted with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ink {
    /// The ground.
    pub ground: Colour,
    /// The texture, and the slice through the map.
    pub texture: Colour,
}

/// The kinds of outcome that a map tells apart by colour and texture.
pub const FILLS: [&str; 7] = ["neutral", "accepted", "fenced", "refused", "corrupting", "none", "unknown"];

/// The place of an outcome among [`FILLS`].
pub fn fill_of(gist: Option<Gist>) -> usize {
    if gist == Some(NOT_WORKED_OUT) {
        return 6;
    }
    match gist {
        None => 5,
        Some(gist) => match gist.class {
            Class::Neutral => 0,
            Class::Accepted => 1,
            Class::Fenced => 2,
            Class::Refused => 3,
            Class::StaleAccepted | Class::Corrupting => 4,
        },
    }
}

/// The colours of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// By the order of [`FILLS`].
    pub inks: [Ink; 7],
    /// The lines between regions.
    pub line: Colour,
}

/// A colour between ground and texture: for what is to be told apart and not to be looked at.
fn between(ink: Ink) -> Colour {
    let mix = |at: usize| ((2 * u16::from(ink.ground[at]) + u16::from(ink.texture[at])) / 3) as u8;
    [mix(0), mix(1), mix(2)]
}

/// Whether the texture of a fill covers a pixel; `unit` is how many pixels of the screen are one of the page.
fn textured(fill: usize, x: usize, y: usize, unit: usize) -> bool {
    let (x, y) = (x / unit, y / unit);
    match fill {
        // Slanted lines, wide: what is harmful is to be seen first.
        4 => (x + y) % 8 < 3,
        // Dots.
        3 => x % 6 < 2 && y % 6 < 2,
        // Lying lines, far apart.
        2 => y % 9 == 4 && x % 3 != 2,
        // Crosses out what cannot be.
        5 => (x + y) % 12 == 0 || (x + 12 - y % 12) % 12 == 0,
        // Standing lines: nobody knows.
        6 => x % 8 == 0,
        _ => false,
    }
}

/// The picture, four bytes a pixel, from the top left.
pub fn picture(rows: &Rows, palette: &Palette, width: usize, unit: usize) -> Vec<u8> {
    let height = rows.count();
    // Which outcome each pixel has, and which fill: two outcomes of one class still have a line between them.
    let mut outcomes: Vec<Option<Gist>> = Vec::new();
    let mut codes = vec![0_u8; width * height];
    for y in 0..height {
        let Some(row) = rows.row(height - 1 - y) else { continue };
        let line = &mut codes[y * width..(y + 1) * width];
        for stretch in row {
            let code = outcomes.iter().position(|of| *of == stretch.gist).unwrap_or_else(|| {
                outcomes.push(stretch.gist);
                outcomes.len() - 1
            });
            // A pixel belongs to the value in its middle; a stretch narrower than a pixel still gets one.
            let at = |value| (rows.across(value) * width as f64).round() as usize;
            let left = at(stretch.values.start).min(width - 1);
            let right = at(stretch.values.end).clamp(left + 1, width);
            line[left..right].fill(code as u8);
        }
    }
    let mut bytes = vec![255_u8; width * height * 4];
    for y in 0..height {
        for x in 0..width {
            let code = codes[y * width + x];
            let differs = |other: usize| codes[other] != code;
            let on_line =
                (1..=unit).any(|by| x >= by && differs(y * width + x - by) || y >= by && differs((y - by) * width + x));
            let fill = fill_of(outcomes.get(code as usize).copied().flatten());
            let ink = palette.inks[fill];
            let colour = match (on_line, textured(fill, x, y, unit)) {
                (true, _) => palette.line,
                (false, true) if fill == 2 => between(ink),
                (false, true) => ink.texture,
                (false, false) => ink.ground,
            };
            let at = (y * width + x) * 4;
            bytes[at..at + 3].copy_from_slice(&colour);
        }
    }
    bytes
}

/// A colour as a browser tells it: `rgb(222, 241, 234)`, with or without an alpha.
pub fn read_colour(text: &str) -> Option<Colour> {
    let inside = text.split_once('(')?.1.split(')').next()?;
    let mut parts = inside.split([',', ' ', '/']).filter(|part| !part.is_empty());
    let mut part = || parts.next()?.parse::<f32>().ok().map(|part| part.clamp(0.0, 255.0) as u8);
    Some([part()?, part()?, part()?])
}

#[cfg(test)]
mod tests {
    use fenceline_engine::Scenario;
    use fenceline_explorer::protocol::{Axis, Work};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::rows::worked_out;
    use super::*;
    use crate::app::OPENING;
    use crate::explore::axes::first_axes;

    #[test]
    fn a_colour_is_read_as_browsers_tell_it() {
        assert_eq!(read_colour("rgb(222, 241, 234)"), Some([222, 241, 234]));
        assert_eq!(read_colour("rgba(1, 2, 3, 0.5)"), Some([1, 2, 3]));
        assert_eq!(read_colour("rgb(1 2 3 / 0.5)"), Some([1, 2, 3]));
        assert_eq!(read_colour("transparent"), None);
        assert_eq!(read_colour("rgb(1, 2)"), None);
    }

    #[test]
    fn each_pixel_has_the_outcome_of_its_value_and_boundaries_are_ink() {
        // One row over 0 to 60 s at a delay of 1 s: current below 23.8 s, stale accepted up to 32.0 s, rejected beyond.
        let scenario = Scenario::from_json(OPENING).unwrap_or_default();
        let (x, y) = first_axes(&scenario).expect("it has numbers");
        let across = Axis { knob: x, from: 0, to: 60_000_000 };
        let up = Axis { knob: y, from: 1_000_000, to: 1_000_000 };
        let mut rows = Rows::new((0, 60_000_000), 1);
        for (row, found) in worked_out(&scenario, Work::Map { across, up, rows: 1 }) {
            rows.take(row, found);
        }
        let mut palette = Palette { line: [9, 9, 9], ..Palette::default() };
        for (fill, ink) in palette.inks.iter_mut().enumerate() {
            *ink = Ink { ground: [fill as u8 * 10, 0, 0], texture: [fill as u8 * 10, 0, 0] };
        }
        // 600 pixels: ten for each second.
        let bytes = picture(&rows, &palette, 600, 1);
        let red = |x: usize| bytes[x * 4];
        assert_eq!([red(0), red(237), red(238), red(239), red(319), red(320), red(321)], [10, 10, 9, 40, 40, 9, 20]);
        assert_eq!(bytes.len(), 600 * 4);
        assert!(bytes.chunks(4).all(|pixel| pixel[3] == 255), "nothing shows through");
    }
}
