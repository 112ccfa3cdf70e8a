//! Drafts: what was typed into fields and could not be taken.
//!
//! Invariant: what was typed stays until it is taken or put back by its writer, while another part is looked at too. It is
//! shown only where the document still says what it said when that was typed: a draft is no answer to another question.
//! Undo an edit that came between, and it is there again.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::edit::{Action, New};
use crate::selection::Part;

/// What was typed and could not be taken, by the place of its field.
#[derive(Clone, Copy)]
pub struct Drafts(RwSignal<BTreeMap<String, Draft>>);

/// A text that could not be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// Why not, in a sentence.
    pub reason: String,
    /// What the document said there.
    pub said: String,
    /// The preset that the document began as; empty for one of one's own.
    pub origin: String,
}

impl Drafts {
    /// None yet.
    pub fn new() -> Self {
        Self(RwSignal::new(BTreeMap::new()))
    }

    /// The draft at a place where the document says this.
    pub fn get(self, pointer: &str, said: &str, origin: &str) -> Option<Draft> {
        let found = self.0.with(|drafts| drafts.get(pointer).cloned());
        found.filter(|draft| draft.said == said && draft.origin == origin)
    }

    /// Keeps a draft.
    pub fn keep(self, pointer: &str, draft: Draft) {
        self.0.update(|drafts| drop(drafts.insert(pointer.into(), draft)));
    }

    /// Forgets the draft at a place.
    pub fn forget(self, pointer: &str) {
        if self.0.with_untracked(|drafts| drafts.contains_key(pointer)) {
            self.0.update(|drafts| drop(drafts.remove(pointer)));
        }
    }

    /// Forgets the drafts at places that something done has given to something else.
    pub fn forget_moved(self, action: &Action) {
        let Some(place) = moved(action) else { return };
        if self.0.with_untracked(|drafts| drafts.keys().any(|pointer| pointer.starts_with(&place))) {
            self.0.update(|drafts| drafts.retain(|pointer, _| !pointer.starts_with(&place)));
        }
    }
}

impl Default for Drafts {
    fn default() -> Self {
        Self::new()
    }
}

/// How the pointers begin that may name something else after that.
fn moved(action: &Action) -> Option<String> {
    let plan = |worker: &usize| format!("/workers/{worker}/plan/");
    Some(match action {
        // These come last, where nothing was.
        Action::Add(New::Lease | New::Resource | New::Worker | New::Pause(_)) | Action::Put(..) => return None,
        Action::Add(New::Step(worker, ..)) => plan(worker),
        Action::Remove(part) | Action::Duplicate(part) | Action::Shift(part, _) => match part {
            // Steps and workers may go with them.
            Part::Lease(_) | Part::Resource(_) if matches!(action, Action::Remove(_)) => "/".into(),
            Part::Lease(_) => "/leases/".into(),
            Part::Resource(_) => "/resources/".into(),
            Part::Worker(_) => "/workers/".into(),
            Part::Step(..) if matches!(action, Action::Remove(_)) => "/workers/".into(),
            Part::Step(worker, _) => plan(worker),
            Part::Pause(worker, _) => format!("/workers/{worker}/pauses/"),
        },
        Action::Take(pointer) => match pointer.rsplit_once('/') {
            Some((list, last)) if last.bytes().all(|byte| byte.is_ascii_digit()) => [list, "/"].concat(),
            _ => pointer.clone(),
        },
    })
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    const TTL: &str = "/leases/0/ttl";
    const DELAY: &str = "/workers/0/plan/2/sends/0/delay";

    fn with_both(story: impl FnOnce(Drafts)) {
        Owner::new().with(|| {
            let drafts = Drafts::new();
            for pointer in [TTL, DELAY] {
                let text = |text: &str| text.to_string();
                drafts.keep(
                    pointer,
                    Draft { text: text("soon"), reason: text("no"), said: text("30s"), origin: text("story") },
                );
            }
            story(drafts);
        });
    }

    fn are_there(drafts: Drafts) -> (bool, bool) {
        let is_there = |pointer| drafts.get(pointer, "30s", "story").is_some();
        (is_there(TTL), is_there(DELAY))
    }

    #[test]
    fn a_draft_is_shown_while_the_document_says_what_it_said() {
        with_both(|drafts| {
            assert_eq!(drafts.get(TTL, "30s", "story").map(|draft| draft.text).as_deref(), Some("soon"));
            assert_eq!(drafts.get(TTL, "31s", "story"), None);
            assert_eq!(drafts.get(TTL, "30s", "another story"), None);
            assert_eq!(are_there(drafts), (true, true), "it comes back with what it was about");
            drafts.forget(TTL);
            assert_eq!(are_there(drafts), (false, true));
        });
    }

    #[test]
    fn what_is_done_elsewhere_leaves_a_draft_alone() {
        let add = |new| Action::Add(new);
        for (action, left) in [
            (add(New::Lease), (true, true)),
            (add(New::Worker), (true, true)),
            (add(New::Pause(0)), (true, true)),
            (add(New::Step(1, None, crate::edit::Kind::Work)), (true, true)),
            (add(New::Step(0, Some(0), crate::edit::Kind::Work)), (true, false)),
            (Action::Remove(Part::Pause(0, 0)), (true, true)),
            (Action::Remove(Part::Step(0, 0)), (true, false)),
            (Action::Shift(Part::Step(0, 0), 1), (true, false)),
            (Action::Duplicate(Part::Worker(0)), (true, false)),
            (Action::Shift(Part::Lease(0), 1), (false, true)),
            (Action::Remove(Part::Lease(0)), (false, false)),
            (Action::Put("/workers/0/plan/2/retry".into(), "{}"), (true, true)),
            (Action::Take("/workers/0/plan/2/retry".into()), (true, true)),
            (Action::Take("/workers/0/plan/2/sends/1".into()), (true, false)),
            (Action::Take("/leases/0/failovers/0".into()), (true, true)),
        ] {
            with_both(|drafts| {
                drafts.forget_moved(&action);
                assert_eq!(are_there(drafts), left, "{action:?}");
            });
        }
    }
}
