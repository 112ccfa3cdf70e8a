//! Links made and opened: they come back whole, they stay short, and what was harmed on its way is refused.

#[allow(dead_code, reason = "the engine uses more of it")]
#[path = "../../../engine/tests/common/generate.rs"]
mod generate;

mod forms;
mod golden;
mod hostile;
mod round_trips;

use std::path::Path;

use fenceline_engine::Scenario;
use fenceline_link::{Link, Opened, Shown, View, decode};

/// Every scenario of the library and of the engine's worked cases, with its name.
fn scenarios() -> Vec<(String, Scenario)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["../../presets", "../engine/cases", "../engine/cases-more"] {
        let files = std::fs::read_dir(here.join(folder)).expect("the folder is there");
        for file in files.map(|file| file.expect("an entry").path()) {
            let text = std::fs::read_to_string(&file).expect("a file that can be read");
            let value: Option<serde_json::Value> = serde_json::from_str(&text).ok();
            let scenario = value.as_ref().and_then(|value| value.get("scenario"));
            let document = scenario.map_or(text, ToString::to_string);
            if let Ok(scenario) = Scenario::from_json(&document) {
                all.push((file.display().to_string(), scenario));
            }
        }
    }
    assert!(all.len() > 90, "{} scenarios", all.len());
    all
}

fn story() -> Scenario {
    Scenario::from_json(include_str!("../../../../presets/paused-worker.json")).expect("the preset is valid")
}

fn link(scenario: Scenario) -> Link {
    Link { shown: Shown::Scenario { scenario: Box::new(scenario), of: None }, view: View::default() }
}

fn opened(text: &str) -> Link {
    let Opened { link, notices } = decode(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(notices, [], "{text}");
    link
}

/// The scenario of a text that is a link of one.
fn shown(text: &str) -> Scenario {
    match opened(text).shown {
        Shown::Scenario { scenario, .. } => *scenario,
        Shown::Preset(name) => panic!("the preset {name}"),
    }
}

/// Looked at in every way that a link can say.
fn looked_at() -> View {
    View {
        panel: Some("guards".into()),
        part: Some("pause-0-0".into()),
        write: Some("0-2-1-0".into()),
        handle: Some("pause-end-0-0".into()),
        at: Some(34_567_000),
        zoom: Some((12_500_000, 61_000_001)),
    }
}

/// The value of a link whose checksum is right, whatever its bytes say; a tag is `1p.` or `1z.`.
fn sealed(tag: &str, bytes: &[u8]) -> String {
    let checksum = castagnoli(&[tag.as_bytes(), bytes].concat()).to_le_bytes();
    ["s=", tag, &data_encoding::BASE64URL_NOPAD.encode(&[bytes, &checksum].concat())].concat()
}

/// The postcard inside a link, under the checksum that the format names.
fn plain_bytes(link: &str) -> Vec<u8> {
    let (tag, payload) = link.strip_prefix("s=").expect("a scenario alone").split_at("1p.".len());
    let bytes = data_encoding::BASE64URL_NOPAD.decode(payload.as_bytes()).expect("it is base64url");
    let (body, checksum) = bytes.split_last_chunk::<4>().expect("it has a checksum");
    assert_eq!(castagnoli(&[tag.as_bytes(), body].concat()).to_le_bytes(), *checksum);
    match tag {
        "1z." => miniz_oxide::inflate::decompress_to_vec(body).expect("it is deflate"),
        _ => body.to_vec(),
    }
}

/// CRC-32C, bit by bit: what the format says, worked out in another way.
fn castagnoli(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0x82f6_3b78 } else { crc >> 1 };
        }
    }
    !crc
}
