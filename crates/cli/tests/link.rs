//! Links, as a person makes and reads them.

use std::process::{Command, Output};

const STORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../presets/paused-worker.json");

fn fenceline(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fenceline")).args(arguments).output().expect("the program runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = fenceline(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

fn refused(arguments: &[&str]) -> String {
    let output = fenceline(arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("it prints UTF-8")
}

fn scenario(text: &str) -> fenceline_engine::Scenario {
    fenceline_engine::Scenario::from_json(text).expect("it is a scenario")
}

#[test]
fn a_link_is_made_and_read_back_to_the_same_scenario() {
    let link = printed(&["link", STORY]);
    assert!(link.starts_with("#s=1") && link.ends_with('\n'), "{link}");
    let story = std::fs::read_to_string(STORY).expect("the preset is there");
    assert_eq!(scenario(&printed(&["link", "--read", &link])), scenario(&story));
}

#[test]
fn a_base_becomes_the_front_of_the_address() {
    let link = printed(&["link", STORY, "--base", "https://example.org/play/#p=old"]);
    assert!(link.starts_with("https://example.org/play/#s=1") && !link.contains("old"), "{link}");
    assert!(printed(&["link", "--read", link.trim()]).contains("Paused worker"));
}

#[test]
fn a_link_that_would_not_open_is_not_made() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let story = scenario(&std::fs::read_to_string(STORY).expect("the preset is there"));
    let mut busy = story.clone();
    busy.workers[0].renew_every = Some(1);
    // Letters in no order, which hardly anything makes shorter: in base64 they are more than a megabyte.
    let mut random = 1_u32;
    let mut letter = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // From # to ~ without the backslash: none of them is longer in JSON.
        let letter = b'#' + ((random >> 16) % 91) as u8;
        char::from(if letter < b'\\' { letter } else { letter + 1 })
    };
    let about: String = std::iter::repeat_with(&mut letter).take(1_040_000).collect();
    for (name, scenario, words) in [
        ("busy.json", busy, "more than 100000 events"),
        (
            "large.json",
            fenceline_engine::Scenario { about, ..story },
            "a link of this scenario would not open. The link is",
        ),
    ] {
        let file = folder.join(name);
        std::fs::write(&file, scenario.to_json()).expect("it can be written");
        let told = refused(&["link", file.to_str().expect("a path in UTF-8")]);
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn a_link_of_a_preset_gives_its_document() {
    let story = std::fs::read_to_string(STORY).expect("the preset is there");
    assert_eq!(printed(&["link", "--read", "#p=paused-worker&panel=why"]), story);
    assert!(refused(&["link", "--read", "#p=nonsense"]).contains("no preset ‘nonsense’"));
}

#[test]
fn what_of_a_link_is_not_known_is_told_beside_the_scenario() {
    let output = fenceline(&["link", "--read", "#p=paused-worker&mood=\u{1b}[2J"]);
    assert!(output.status.success());
    let told = String::from_utf8(output.stderr).expect("it prints UTF-8");
    assert_eq!(told, "fenceline: The link’s ‘mood’ is not known here and was passed over.\n");
}

#[test]
fn a_link_that_does_not_open_says_why() {
    let link = printed(&["link", STORY]);
    assert!(refused(&["link", "--read", &link[..link.len() - 9]]).contains("cut short or changed"));
    assert!(refused(&["link", "--read", "#s=7p.AAAA"]).contains("newer Fenceline"));
    let told = refused(&["link", "--read", r#"#s={"version":1,"leases":[{"id":"lock","ttl":"\u001b[2J"}]}"#]);
    assert!(told.contains("/leases/0/ttl: found") && !told.contains('\u{1b}'), "{told}");
    assert!(refused(&["link"]).contains("FILE is missing"));
    assert!(refused(&["link", STORY, "--read", "#p=x"]).contains("--read takes a link"));
}
