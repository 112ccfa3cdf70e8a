//! The forms in which a link arrives, and what is said of one that does not open.

use fenceline_engine::scenario::Step;
use fenceline_link::{Link, LinkError, Notice, Opened, Shown, decode, encode, names_a_work};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{link, looked_at, opened, plain_bytes, sealed, shown, story};

#[test]
fn a_link_is_read_as_it_comes_out_of_a_message() {
    let text = encode(&link(story()));
    for around in [
        format!("  https://example.org/play/?x=1#{text}\n"),
        format!("#{text}"),
        format!("<https://example.org/#{text}>."),
        format!("(see #{text})"),
        format!("{text}&"),
        format!("{}\r\n {}", &text[..76], &text[76..]),
        utf8_percent_encode(&format!("https://example.org/#{text}"), NON_ALPHANUMERIC).to_string(),
        text.replace('=', "%3D").replacen("s%3D", "s=", 1),
        format!("(see #s={})", story().to_json().trim_end()),
    ] {
        assert_eq!(shown(&around), story(), "{around}");
    }
}

#[test]
fn json_is_read_as_it_is_percent_encoded_or_in_base64() {
    let json = story().to_json();
    let encoded = utf8_percent_encode(&json, NON_ALPHANUMERIC).to_string();
    let base64 = data_encoding::BASE64URL_NOPAD.encode(json.as_bytes());
    for text in [format!("s={json}"), format!("panel=why&s={json}"), format!("s={encoded}"), format!("s=1j.{base64}")] {
        assert_eq!(shown(&text), story());
    }
    let mut odd = story();
    odd.title = "a & b = 50 % <b>, %41, issue #7, &s={, é".into();
    let json = odd.to_json();
    let encoded = utf8_percent_encode(&json, NON_ALPHANUMERIC).to_string();
    // What a browser makes of it: a # and an & stay, a % of its own does too.
    let by_browser =
        json.replace('%', "%25").replace(' ', "%20").replace('"', "%22").replace('<', "%3C").replace('>', "%3E");
    for value in [json, encoded, by_browser] {
        for text in [format!("s={value}"), format!("#s={value}"), format!("https://example.org/#s={value}")] {
            assert_eq!(shown(&text), odd, "{text}");
        }
    }
    assert_eq!(decode("s=%7B%22title%22:%22%ff%22%7D"), Err(LinkError::Damaged), "no text");
}

#[test]
fn a_link_in_the_source_of_a_page_opens() {
    let shown = Shown::Scenario { scenario: Box::new(story()), of: Some("paused-worker".into()) };
    let made = Link { shown, view: looked_at() };
    assert_eq!(opened(&encode(&made).replace('&', "&amp;")), made);
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
    broken.workers[0].plan.push(Step::Until { at: u64::MAX });
    assert!(matches!(decode(&encode(&link(broken))), Err(LinkError::Scenario(_))));
    let mut lost = story();
    lost.leases[0].id = "other".into();
    assert!(matches!(decode(&encode(&link(lost))), Err(LinkError::Scenario(_))));
}

#[test]
fn what_a_later_version_appends_is_passed_over_and_told() {
    let mut longer = plain_bytes(&encode(&link(story())));
    assert_eq!(shown(&sealed("1p.", &longer)), story());
    longer.extend([7, 1, 2, 3]);
    let Opened { link: found, notices } = decode(&sealed("1p.", &longer)).expect("it opens");
    assert_eq!((found, notices), (link(story()), vec![Notice::More]));
}

#[test]
fn a_run_of_too_many_events_is_refused_in_every_form() {
    let mut busy = story();
    busy.workers[0].renew_every = Some(1);
    assert_eq!(busy.validate(), [], "only a run tells");
    for text in [encode(&link(busy.clone())), format!("s={}", busy.to_json())] {
        let Err(LinkError::Scenario(errors)) = decode(&text) else { panic!("{text}") };
        assert!(errors[0].found.contains("events"), "{errors:?}");
    }
}

/// A later version may know another guard, another step, another flag: it is not the message's fault.
#[test]
fn what_arrived_whole_and_is_not_known_is_not_called_damaged() {
    // No title, no about, no delay, no lease; one resource ‘R’ with the guard after the last, and then with a flag more.
    let guard = [0, 0, 0, 0, 1, 1, b'R', 7, 0, 0, 0, 0, 0];
    let flag = [0, 0, 0, 0, 1, 1, b'R', 2, 0, 0, 8, 0, 0];
    for bytes in [guard, flag] {
        assert_eq!(decode(&sealed("1p.", &bytes)), Err(LinkError::Unreadable));
    }
    assert!(LinkError::Unreadable.to_string().contains("arrived whole"));
    let known = [0, 0, 0, 0, 1, 1, b'R', 2, 0, 0, 4, 0, 0];
    assert!(shown(&sealed("1p.", &known)).resources[0].idempotent);
}

#[test]
fn fields_of_a_document_that_are_not_known_are_passed_over_and_told() {
    let json = story().to_json();
    let newer = json.replacen('{', "{ \"mood\": \"blue\",", 1).replacen(
        "\"ttl\":",
        "\"colour\": { \"deep\": [] }, \"ttl\":",
        1,
    );
    let base64 = data_encoding::BASE64URL_NOPAD.encode(newer.as_bytes());
    for text in [format!("s={newer}"), format!("s=1j.{base64}")] {
        let Opened { link, notices } = decode(&text).expect("it opens");
        assert_eq!(link.shown, Shown::Scenario { scenario: Box::new(story()), of: None });
        assert_eq!(notices, [Notice::Field("/mood".into()), Notice::Field("/leases/0/colour".into())]);
    }
    let fields: Vec<_> = (0..200).map(|n| format!("\"\u{202e}{n}\": 1,")).collect();
    let fields = fields.concat();
    let Opened { notices, .. } = decode(&format!("s={{{fields} \"version\": 1}}")).expect("it opens");
    assert_eq!((notices.len(), notices.last()), (6, Some(&Notice::Fields(195))));
    assert!(notices.iter().all(|notice| !notice.to_string().contains('\u{202e}')), "{notices:?}");
    // What is wrong is wrong in a link too.
    assert!(matches!(decode("s={\"version\": 2, \"mood\": 1}"), Err(LinkError::Scenario(errors)) if errors.len() == 1));
}

#[test]
fn a_text_is_meant_as_a_link_when_it_names_a_work() {
    for link in [
        "https://example.org/#p=x",
        "#s=1p.AAAA",
        "p=x",
        " #panel=why&s= ",
        "p%3Dpaused-worker",
        "https://example.org/?embed=1#at=3s&amp;p=x",
    ] {
        assert!(names_a_work(link), "{link}");
    }
    for other in ["", "see #p", "https://example.org/#top", "https://example.org/?p=5", "#p=x\n#p=y", "{}", "panel=why"]
    {
        assert!(!names_a_work(other), "{other}");
    }
}

#[test]
fn of_a_value_that_is_given_over_and_over_is_told_once() {
    let Opened { notices, .. } =
        decode(&["p=paused-worker", &"&at=x".repeat(1_000), &"&k=1".repeat(1_000)].concat()).expect("it opens");
    assert_eq!(notices.iter().filter(|notice| **notice == Notice::Value("at")).count(), 1);
    assert!(notices.len() < 10, "{notices:?}");
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
        ("s=", LinkError::Damaged, "cut short"),
        ("s=1", LinkError::Damaged, "cut short"),
        ("s=1z", LinkError::Damaged, "cut short"),
        ("s=1p.", LinkError::Damaged, "damaged"),
        ("s=1p.AAAAAA", LinkError::Damaged, "damaged"),
        ("s=1j.AAAA_w", LinkError::Damaged, "damaged"),
    ] {
        let found = decode(text).expect_err(text);
        assert_eq!(found, error, "{text}");
        assert!(found.to_string().contains(words), "{text}: {found}");
    }
}
