//! Progress: which presets were looked at, and what was predicted of them, kept for the next visit.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::platform::storage;

const KEY: &str = "fenceline.progress";

/// More presets than any library has: what is beyond is not read.
const MOST: usize = 1_000;

/// How far somebody came with a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// It was looked at.
    Seen,
    /// Not everything was predicted right.
    Tried,
    /// Everything was predicted right.
    Right,
}

impl Mark {
    const fn name(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Tried => "tried",
            Self::Right => "right",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Seen, Self::Tried, Self::Right].into_iter().find(|mark| mark.name() == name)
    }

    /// For a reader, beside a preset's title.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Tried => "predicted",
            Self::Right => "predicted right",
        }
    }
}

/// The marks of all presets.
#[derive(Clone, Copy)]
pub struct Progress(RwSignal<BTreeMap<String, Mark>>);

impl Progress {
    /// What was kept.
    pub fn restore() -> Self {
        Self(RwSignal::new(storage::kept(KEY).map_or_else(BTreeMap::new, |text| read(&text))))
    }

    /// The mark of a preset.
    pub fn of(self, id: &str) -> Option<Mark> {
        self.0.with(|marks| marks.get(id).copied())
    }

    /// Marks a preset, if that is further than it was.
    pub fn mark(self, id: &str, mark: Mark) {
        if self.0.with_untracked(|marks| marks.get(id).is_some_and(|before| *before >= mark)) {
            return;
        }
        // Another tab may have gone further meanwhile.
        let elsewhere = storage::kept(KEY).map_or_else(BTreeMap::new, |text| read(&text));
        self.0.update(|marks| {
            marks.insert(id.into(), mark);
            further(marks, elsewhere);
        });
        // Where nothing can be kept, it is known for as long as the page is open.
        storage::keep(KEY, &self.0.with_untracked(write));
    }
}

/// Takes over what is further.
fn further(marks: &mut BTreeMap<String, Mark>, elsewhere: BTreeMap<String, Mark>) {
    for (id, mark) in elsewhere {
        let mine = marks.entry(id).or_insert(mark);
        *mine = mark.max(*mine);
    }
}

fn read(text: &str) -> BTreeMap<String, Mark> {
    let line = |line: &str| {
        let (id, mark) = line.split_once(' ')?;
        Some((id.to_string(), Mark::from_name(mark)?))
    };
    text.lines().take(MOST).filter_map(line).collect()
}

fn write(marks: &BTreeMap<String, Mark>) -> String {
    let mut text = String::new();
    for (id, mark) in marks {
        text.push_str(id);
        text.push(' ');
        text.push_str(mark.name());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn progress_is_read_back_and_what_is_none_of_it_left_out() {
        let marks = read("paused-worker right\nnonsense\nfast-clock seen\nslow-clock unknown\n\n");
        let names: Vec<_> = marks.iter().map(|(id, mark)| (id.as_str(), *mark)).collect();
        assert_eq!(names, [("fast-clock", Mark::Seen), ("paused-worker", Mark::Right)]);
        assert_eq!(read(&write(&marks)), marks);
        assert!(read("").is_empty());
    }

    #[test]
    fn what_another_tab_knows_is_kept_where_it_is_further() {
        let mut marks = read("paused-worker right\nfast-clock seen");
        further(&mut marks, read("paused-worker seen\nfast-clock tried\nslow-clock seen"));
        assert_eq!(marks, read("fast-clock tried\npaused-worker right\nslow-clock seen"));
    }
}
