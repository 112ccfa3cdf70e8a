//! Links made and opened: they come back whole, they stay short, and what was harmed on its way is refused.

#[allow(dead_code, reason = "the engine uses more of it")]
#[path = "../../engine/tests/common/generate.rs"]
mod generate;

use std::path::Path;

use fenceline_engine::{Guard, Scenario};
use fenceline_link::{Link, LinkError, MAX_LINK_BYTES, Notice, Opened, Shown, View, decode, encode};
use generate::{Scale, scenario};
use proptest::prelude::*;

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
    Scenario::from_json(include_str!("../../../presets/paused-worker.json")).expect("the preset is valid")
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

#[test]
fn every_preset_and_case_comes_back_as_it_was() {
    for (name, scenario) in scenarios() {
        let text = encode(&link(scenario.clone()));
        assert!(text.starts_with("s=1z.") || text.starts_with("s=1p."), "{name}");
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"=.-_".contains(&byte)), "{text}");
        assert_eq!(shown(&text), scenario, "{name}");
    }
}

#[test]
fn the_story_edited_once_has_fewer_than_400_characters() {
    let mut edited = story();
    edited.workers[0].pauses[0].length = Some(32_400_001);
    edited.resources[0].guard = Guard::NewerOrEqual;
    let view = View {
        panel: Some("guards".into()),
        part: Some("pause-0-0".into()),
        write: Some("0-2-1-0".into()),
        handle: Some("pause-end-0-0".into()),
        at: Some(34_567_000),
        zoom: None,
    };
    let plain = encode(&link(edited.clone()));
    let shown = Shown::Scenario { scenario: Box::new(edited), of: Some("paused-worker".into()) };
    let viewed = encode(&Link { shown, view });
    println!("{} characters, {} with a view", plain.len(), viewed.len());
    assert!(viewed.len() < 400, "{} characters: {viewed}", viewed.len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn any_scenario_comes_back_as_it_was(scenario in scenario(Scale::Seconds)) {
        prop_assert_eq!(shown(&encode(&link(scenario.clone()))), scenario);
    }

    #[test]
    fn no_text_brings_the_reader_down(text in ".{0,300}") {
        let _ = decode(&text);
        let _ = decode(&["s=1p.", &text].concat());
        let _ = decode(&["s=1z.", &text].concat());
        let _ = decode(&["s=", &text].concat());
    }

    #[test]
    fn no_bytes_under_a_right_checksum_bring_the_reader_down(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(&sealed("1p", &bytes));
        let _ = decode(&sealed("1z", &bytes));
        let _ = decode(&sealed("1z", &miniz_oxide::deflate::compress_to_vec(&bytes, 1)));
    }
}

/// A link whose checksum is right, whatever its bytes say.
fn sealed(tag: &str, bytes: &[u8]) -> String {
    let mut bytes = bytes.to_vec();
    bytes.extend(castagnoli(&bytes).to_le_bytes());
    ["s=", tag, ".", &data_encoding::BASE64URL_NOPAD.encode(&bytes)].concat()
}

/// The postcard inside a link, under the checksum that the format names.
fn plain_bytes(link: &str) -> Vec<u8> {
    let (tag, payload) = link.split_once('.').expect("a tag and a payload");
    let bytes = data_encoding::BASE64URL_NOPAD.decode(payload.as_bytes()).expect("it is base64url");
    let (body, checksum) = bytes.split_last_chunk::<4>().expect("it has a checksum");
    assert_eq!(castagnoli(body).to_le_bytes(), *checksum);
    match tag {
        "s=1z" => miniz_oxide::inflate::decompress_to_vec(body).expect("it is deflate"),
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

#[test]
fn a_link_that_was_cut_anywhere_is_refused() {
    let text = encode(&link(story()));
    for end in 0..text.len() {
        assert!(decode(&text[..end]).is_err(), "cut after {end}");
    }
    assert_eq!(decode(&text[..text.len() - 1]), Err(LinkError::Damaged));
}

#[test]
fn a_link_with_one_character_changed_is_refused() {
    let text = encode(&link(story()));
    for at in "s=1p.".len()..text.len() {
        for other in ['A', 'z', '0', '-', '_', 'ä', '&', '%'] {
            let changed: String = text.char_indices().map(|(index, c)| if index == at { other } else { c }).collect();
            if changed != text {
                assert!(decode(&changed).is_err(), "{other} at {at}");
            }
        }
    }
}

#[test]
fn a_link_is_read_as_it_comes_out_of_a_message() {
    let text = encode(&link(story()));
    for around in [
        format!("  https://example.org/play/?x=1#{text}\n"),
        format!("#{text}"),
        format!("<https://example.org/#{text}>."),
        format!("(see #{text})"),
        format!("{text}&"),
    ] {
        assert_eq!(shown(&around), story(), "{around}");
    }
}

#[test]
fn json_is_read_as_it_is_percent_encoded_or_in_base64() {
    let json = story().to_json();
    let encoded = percent_encoding::utf8_percent_encode(&json, percent_encoding::NON_ALPHANUMERIC).to_string();
    let base64 = data_encoding::BASE64URL_NOPAD.encode(json.as_bytes());
    for text in [format!("s={json}"), format!("panel=why&s={json}"), format!("s={encoded}"), format!("s=1j.{base64}")] {
        assert_eq!(shown(&text), story());
    }
    let mut odd = story();
    odd.title = "a & b = 50 % <b>".into();
    assert_eq!(shown(&format!("s={}", odd.to_json())), odd);
}

#[test]
fn a_scenario_in_json_is_judged_as_a_file_is() {
    let Err(LinkError::Scenario(errors)) = decode(r#"s={"version":1,"leases":[{"id":"lock","ttl":"0s"}]}"#) else {
        panic!("a ttl of nothing is refused")
    };
    assert!(errors.iter().any(|error| error.path == "/leases/0/ttl"), "{errors:?}");
}

#[test]
fn a_scenario_that_no_file_could_hold_makes_a_link_that_says_so() {
    let mut broken = story();
    broken.workers[0].plan.push(fenceline_engine::scenario::Step::Until { at: u64::MAX });
    assert!(matches!(decode(&encode(&link(broken))), Err(LinkError::Scenario(_))));
    let mut lost = story();
    lost.leases[0].id = "other".into();
    assert!(matches!(decode(&encode(&link(lost))), Err(LinkError::Scenario(_))));
}

#[test]
fn values_at_their_limits_come_back() {
    let mut scenario = story();
    scenario.title = "\u{202e}\u{0}\n🦀 &=#%".into();
    scenario.workers[1].starts = fenceline_engine::scenario::MAX_MICROS;
    scenario.workers[0].clock = fenceline_engine::scenario::Clock { offset: -1, drift_ppm: -500_000 };
    scenario.leases[0].tokens = fenceline_engine::scenario::TokenSource::Random { seed: (1 << 53) - 1 };
    assert_eq!(scenario.check(), []);
    assert_eq!(shown(&encode(&link(scenario.clone()))), scenario);
}

#[test]
fn a_view_comes_back_and_what_is_not_known_is_passed_over() {
    let view = View {
        panel: Some("margins".into()),
        part: Some("step-0-2".into()),
        write: Some("0-2-1-0".into()),
        handle: Some("arrival-0-2-1-0".into()),
        at: Some(90_000_001),
        zoom: Some((0, 61_500_000)),
    };
    let made = Link { shown: Shown::Preset("paused-worker".into()), view };
    assert_eq!(opened(&encode(&made)), made);

    let Opened { link, notices } =
        decode("p=paused-worker&panel=<b>&at=-3s&zoom=9s-2s&mood=blue&\u{202e}=1").expect("it opens");
    assert_eq!(link, Link { shown: Shown::Preset("paused-worker".into()), view: View::default() });
    let expected = [
        Notice::Value("panel"),
        Notice::Value("at"),
        Notice::Value("zoom"),
        Notice::Key("mood".into()),
        Notice::Key("\\u{202e}".into()),
    ];
    assert_eq!(notices, expected);
}

#[test]
fn what_a_later_version_appends_is_passed_over_and_told() {
    let mut longer = plain_bytes(&encode(&link(story())));
    assert_eq!(shown(&sealed("1p", &longer)), story());
    longer.extend([7, 1, 2, 3]);
    let Opened { link: found, notices } = decode(&sealed("1p", &longer)).expect("it opens");
    assert_eq!((found, notices), (link(story()), vec![Notice::More]));
}

#[test]
fn what_cannot_be_read_says_what_is_wrong() {
    for (text, error, words) in [
        ("", LinkError::Nothing, "names no preset"),
        ("panel=why", LinkError::Nothing, "names no preset"),
        ("p=", LinkError::PresetName, "names no preset"),
        ("p=../secret", LinkError::PresetName, "names no preset"),
        ("s=2p.AAAA", LinkError::Newer { version: 2 }, "newer Fenceline (version 2"),
        ("s=9x.AAAA", LinkError::Newer { version: 9 }, "newer Fenceline"),
        ("s=1x.AAAA", LinkError::Codec, "no form"),
        ("s=0p.AAAA", LinkError::Codec, "no form"),
        ("s=99999999999p.AAAA", LinkError::Codec, "no form"),
        ("s=hello", LinkError::Codec, "no form"),
        ("s=1p.", LinkError::Damaged, "damaged"),
        ("s=1p.AAAAAA", LinkError::Damaged, "damaged"),
        ("s=1j.AAAA_w", LinkError::Damaged, "damaged"),
    ] {
        let found = decode(text).expect_err(text);
        assert_eq!(found, error, "{text}");
        assert!(found.to_string().contains(words), "{text}: {found}");
    }
}

#[test]
fn a_link_of_a_megabyte_is_refused_by_its_length_and_lists_cannot_be_claimed_that_are_not_there() {
    let long = "A".repeat(MAX_LINK_BYTES);
    assert!(matches!(decode(&format!("s=1p.{long}")), Err(LinkError::TooLong { .. })));
    // No title, no about, no delay, and 2^63 leases.
    let claim = [0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
    assert_eq!(decode(&sealed("1p", &claim)), Err(LinkError::Damaged));
    // Leases upon leases: more than a document may have, and each of them counts.
    let many = [[0, 0, 0, 0x80, 0x80, 0x04].to_vec(), vec![0; 6 * 65_536]].concat();
    assert!(decode(&sealed("1p", &many)).is_err());
    // Fifty megabytes in fifty kilobytes.
    let bomb = miniz_oxide::deflate::compress_to_vec(&vec![0; 50_000_000], 9);
    assert!(bomb.len() < 100_000);
    assert_eq!(decode(&sealed("1z", &bomb)), Err(LinkError::Unpacks));
}

/// A link that was ever sent opens for ever. A file is a scenario; beside it stand its links, as the versions up to now made
/// them. `FENCELINE_WRITE_GOLDEN=1 cargo test -p fenceline-link golden` adds those of a new file, and never changes one.
#[test]
fn golden_links_open_as_what_they_were_made_from() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the folder is there").map(|file| file.expect("an entry").path()) {
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let scenario = Scenario::from_json(&std::fs::read_to_string(&file).expect("a file that can be read"))
            .unwrap_or_else(|errors| panic!("{}: {errors:?}", file.display()));
        let links = file.with_extension("links");
        if std::env::var_os("FENCELINE_WRITE_GOLDEN").is_some() && !links.exists() {
            let made = encode(&link(scenario.clone()));
            let plain = sealed("1p", &plain_bytes(&made));
            std::fs::write(&links, format!("{made}\n{plain}\n")).expect("the links can be written");
        }
        let texts = std::fs::read_to_string(&links).unwrap_or_else(|error| panic!("{}: {error}", links.display()));
        for text in texts.lines() {
            assert_eq!(shown(text), scenario, "{}", links.display());
            count += 1;
        }
    }
    assert!(count >= 8, "{count} golden links");
}
