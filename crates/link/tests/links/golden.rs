//! Golden links: what was ever sent opens for ever.

use std::path::Path;

use fenceline_engine::Scenario;
use fenceline_link::{Link, Shown, encode};

use crate::{link, looked_at, opened, plain_bytes, sealed, shown};

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
            let plain = sealed("1p.", &plain_bytes(&made));
            std::fs::write(&links, format!("{made}\n{plain}\n")).expect("the links can be written");
        }
        let texts = std::fs::read_to_string(&links).unwrap_or_else(|error| panic!("{}: {error}", links.display()));
        let made = plain_bytes(&encode(&link(scenario.clone())));
        for text in texts.lines() {
            assert_eq!(shown(text), scenario, "{}", links.display());
            // How well it is packed may change; what is packed is the version's.
            assert_eq!(plain_bytes(text), made, "{}", links.display());
            count += 1;
        }
    }
    assert!(count >= 8, "{count} golden links");
}

/// The pairs belong to what opens for ever, in whatever order they came, and so do the other codecs.
#[test]
fn golden_links_of_a_view_open_as_it_was() {
    let text = include_str!("../golden/story-edited.json");
    let scenario = Box::new(Scenario::from_json(text).expect("it is a scenario"));
    let made = Link { shown: Shown::Scenario { scenario, of: Some("paused-worker".into()) }, view: looked_at() };
    let links: Vec<&str> = include_str!("../golden/looked-at.links").lines().collect();
    for link in &links {
        assert_eq!(opened(link), made, "{link}");
    }
    assert_eq!(links.len(), 4);
    let preset = Link { shown: Shown::Preset("paused-worker".into()), view: looked_at() };
    let pairs = "panel=guards&part=pause-0-0&write=0-2-1-0&handle=pause-end-0-0&at=34.567s&zoom=12.5s-1m1.000001s";
    assert_eq!(opened(&format!("p=paused-worker&{pairs}")), preset);
}
