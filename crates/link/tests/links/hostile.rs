//! Links that were cut, changed, or made to do harm: refused in words, within bounds, and never opened as another scenario.

use fenceline_engine::{Scenario, limits};
use fenceline_link::{Link, LinkError, MAX_LINK_BYTES, Shown, View, decode, encode};
use miniz_oxide::deflate::compress_to_vec;
use proptest::prelude::*;

use crate::{link, looked_at, scenarios, sealed, story};

fn scenario_of(link: Link) -> Scenario {
    match link.shown {
        Shown::Scenario { scenario, .. } => *scenario,
        Shown::Preset(name) => panic!("the preset {name}"),
    }
}

/// Links of all that there is, some of them with all that a view can say.
fn links() -> Vec<Link> {
    let views = [View::default(), looked_at()];
    let made = scenarios().into_iter().enumerate().map(|(place, (_, scenario))| {
        let of = (place % 2 == 1).then(|| "paused-worker".to_owned());
        Link { shown: Shown::Scenario { scenario: Box::new(scenario), of }, view: views[place % 2].clone() }
    });
    made.collect()
}

#[test]
fn a_link_that_was_cut_anywhere_is_refused() {
    for link in links() {
        let text = encode(&link);
        for end in 0..text.len() {
            assert!(decode(&text[..end]).is_err(), "cut after {end}: {text}");
        }
        assert_eq!(decode(&text[..text.len() - 1]), Err(LinkError::Damaged), "{text}");
    }
}

/// Where the scenario of a link begins: it stands behind how it is looked at.
fn payload_of(text: &str) -> usize {
    text.find("s=1").expect("it is a scenario's")
}

/// Every character of a fragment that a person, a chat or a bit may make of another.
const OTHERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.=&#% +/{}<\"…ä";

#[test]
fn a_link_with_one_character_changed_never_opens_another_scenario() {
    let links = links();
    // One with a view, the smallest that is packed, and the smallest that is not.
    let packed = |tag: &str| {
        let with_tag = links.iter().filter(|link| encode(link).contains(tag));
        with_tag.min_by_key(|link| encode(link).len()).expect("there is one")
    };
    let viewed =
        Link { shown: Shown::Scenario { scenario: Box::new(story()), of: Some("x".into()) }, view: looked_at() };
    let smallest = link(Scenario::default());
    for made in [&viewed, packed("s=1z."), &smallest] {
        let text = encode(made);
        let payload = payload_of(&text);
        for (at, whole) in text.char_indices() {
            for other in OTHERS.chars().filter(|other| *other != whole) {
                let changed = [&text[..at], &other.to_string(), &text[at + 1..]].concat();
                if let Ok(opened) = decode(&changed) {
                    assert!(at < payload, "{other} at {at} of {text}");
                    assert_eq!(scenario_of(opened.link), scenario_of(made.clone()), "{other} at {at} of {text}");
                }
            }
        }
    }
}

#[test]
fn two_characters_in_each_others_place_are_noticed() {
    for link in links() {
        let text = encode(&link);
        for at in payload_of(&text) + "s=1z.".len()..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes.swap(at, at + 1);
            let changed = String::from_utf8(bytes).expect("all of it is ASCII");
            assert_eq!(decode(&changed).is_err(), changed != text, "at {at} of {text}");
        }
    }
}

/// What a checksum does not see: another codec for the same bytes.
#[test]
fn the_letter_of_the_codec_is_under_the_checksum() {
    // As deflate: one stored block of eight bytes, which are an empty document and more. As postcard: no document.
    let stored = [1, 8, 0, 0xf7, 0xff, 0, 0, 0, 0, 0, 0, 0, 0];
    assert!(decode(&sealed("1z.", &stored)).is_ok());
    let changed = sealed("1z.", &stored).replace("1z.", "1p.");
    assert_eq!(decode(&changed), Err(LinkError::Damaged));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn no_text_brings_the_reader_down(text in ".{0,300}") {
        let _ = decode(&text);
        let _ = decode(&["s=1p.", &text].concat());
        let _ = decode(&["s=1z.", &text].concat());
        let _ = decode(&["s=", &text].concat());
    }

    #[test]
    fn no_bytes_under_a_right_checksum_bring_the_reader_down(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(&sealed("1p.", &bytes));
        let _ = decode(&sealed("1z.", &bytes));
        let _ = decode(&sealed("1z.", &compress_to_vec(&bytes, 1)));
    }
}

#[test]
fn a_link_of_a_megabyte_is_refused_by_its_length() {
    let long = "A".repeat(MAX_LINK_BYTES);
    assert_eq!(decode(&format!("s=1p.{long}")), Err(LinkError::TooLong { found: MAX_LINK_BYTES + 5 }));
    // As long as may be, and nothing in it.
    for filling in ["A", "&", "%", "#", "=", "s=", "p=&", "at=&", "x&", "\u{202e}", "{", "[", "s={"] {
        let text = filling.repeat(MAX_LINK_BYTES / filling.len());
        for front in ["", "s=1p.", "s=1z.", "s=1j.", "s={"] {
            let text = [front, &text].concat();
            let mut end = text.len().min(MAX_LINK_BYTES);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            assert!(decode(&text[..end]).is_err(), "{front}{filling}…");
        }
    }
}

/// A number as postcard writes it.
fn number(mut rest: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

fn items(count: usize, item: &[u8]) -> Vec<u8> {
    [number(count), item.repeat(count)].concat()
}

/// No title, no about, no delay; then these.
fn document(leases: &[u8], resources: &[u8], workers: &[u8]) -> Vec<u8> {
    [&[0, 0, 0], leases, resources, workers].concat()
}

/// One worker ‘A’ with that plan and those pauses.
fn worker(plan: &[u8], pauses: &[u8]) -> Vec<u8> {
    [&[1, 1, b'A', 0, 0], plan, pauses, &[0, 0]].concat()
}

/// One lease of one second with that id and those failovers.
fn lease(id: &[u8], failovers: &[u8]) -> Vec<u8> {
    [&[1], number(id.len()).as_slice(), id, &[(1 << 3) | 4, 0, 0, 41], failovers].concat()
}

const NONE: [u8; 1] = [0];
const UNTIL: [u8; 2] = [2, 0];
const ACQUIRE: [u8; 4] = [0, 0, 0, 0];

#[test]
fn a_list_longer_than_a_scenario_can_have_is_not_read() {
    let parts = limits::MAX_LEASES;
    for (bytes, what) in [
        // A claim that is not kept.
        (document(&number(usize::MAX >> 1), &[], &[]), "leases that are not there"),
        (document(&items(parts + 1, &[0; 6]), &NONE, &NONE), "leases"),
        (document(&NONE, &items(parts + 1, &[0; 6]), &NONE), "resources"),
        (document(&NONE, &NONE, &items(parts + 1, &[0; 7])), "workers"),
        (document(&NONE, &NONE, &worker(&items(limits::MAX_STEPS + 1, &UNTIL), &NONE)), "steps"),
        (document(&NONE, &NONE, &worker(&items(1, &UNTIL), &items(limits::MAX_PAUSES + 1, &[0, 0]))), "pauses"),
        (document(&lease(&[b'a'; 161], &NONE), &NONE, &NONE), "an id"),
    ] {
        assert_eq!(decode(&sealed("1p.", &bytes)), Err(LinkError::Unreadable), "{what}");
    }
    let within = document(&NONE, &NONE, &worker(&items(limits::MAX_STEPS, &UNTIL), &NONE));
    assert!(decode(&sealed("1p.", &within)).is_ok());
}

#[test]
fn a_scenario_that_no_file_can_hold_is_refused() {
    // A read whose attempts are delayed, and so are their replies: six bytes each, and 36 in a document.
    let read = |sends: usize| {
        let step = [&[1, 4, 0], items(sends, &[1, 8, 1, 8, 0, 0]).as_slice(), &[0]].concat();
        document(&NONE, &[1, 1, b'R', 2, 0, 0, 0, 0], &worker(&step, &NONE))
    };
    assert!(decode(&sealed("1p.", &read(25_000))).is_ok(), "900,000 bytes");
    let Err(LinkError::Scenario(errors)) = decode(&sealed("1p.", &read(30_000))) else { panic!("1,080,000 bytes") };
    assert!(errors.len() == 1 && errors[0].found.ends_with("bytes as a document"), "{errors:?}");
}

/// However few characters it has, a link takes no more memory than a large scenario does.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn no_link_takes_more_memory_than_a_large_scenario() {
    let long = vec![b'a'; 500_000];
    let bombs = [
        (
            "an id that every step repeats",
            document(&lease(&long, &NONE), &NONE, &worker(&items(130_000, &ACQUIRE), &NONE)),
        ),
        ("steps", document(&NONE, &NONE, &worker(&items(500_000, &UNTIL), &NONE))),
        ("pauses", document(&NONE, &NONE, &worker(&items(1, &UNTIL), &items(500_000, &[8, 0])))),
        ("leases", document(&items(170_000, &[0; 6]), &NONE, &NONE)),
        ("workers", document(&NONE, &NONE, &items(140_000, &[0; 7]))),
        ("failovers", document(&lease(b"L", &items(330_000, &[8, 1, 1])), &NONE, &NONE)),
        ("restarts", document(&NONE, &[&[1, 1, b'R', 2, 0, 0, 0], items(1_000_000, &[8]).as_slice()].concat(), &NONE)),
        ("nothing, fifty times over", vec![0; 50 * MAX_LINK_BYTES]),
    ];
    for (what, bytes) in bombs {
        let text = sealed("1z.", &compress_to_vec(&bytes, 9));
        let mut opened = None;
        let taken = allocation_counter::measure(|| opened = Some(decode(&text))).bytes_max;
        assert!(opened.expect("it was read").is_err(), "{what}");
        assert!(taken < 160_000_000, "{what}: {} characters take {} MB", text.len(), taken / 1_000_000);
    }
    let unpacked = decode(&sealed("1z.", &compress_to_vec(&vec![0; 50_000_000], 9)));
    assert_eq!(unpacked, Err(LinkError::Unpacks));
}
