//! The undo history: snapshots of a value, so that every change can be taken back.
//!
//! It exists apart from the page so that its rules can be tested without one. Invariants: a preview is never a step; what
//! a preview began from is a step only once it is committed *and* differs; a change that changes nothing adds no step and
//! leaves what can be redone alone.

/// How many steps can be undone; older ones are forgotten, so that a long session stays small.
const LIMIT: usize = 500;

/// Names a run of small changes that belong together: the key presses on one handle, say.
pub type RunId = u32;

/// A value with its past and what was undone of it.
#[derive(Clone, Debug)]
pub struct History<T> {
    past: Vec<T>,
    present: T,
    future: Vec<T>,
    before_preview: Option<T>,
    run: Option<RunId>,
}

impl<T: Clone + PartialEq> History<T> {
    /// A history without a past.
    pub const fn new(present: T) -> Self {
        Self { past: Vec::new(), present, future: Vec::new(), before_preview: None, run: None }
    }

    /// The value as it is to be shown: the previewed one while a preview is on.
    pub const fn present(&self) -> &T {
        &self.present
    }

    /// Whether a preview is on.
    pub const fn is_previewing(&self) -> bool {
        self.before_preview.is_some()
    }

    /// Whether there is a step to undo, or a preview to take back.
    pub fn can_undo(&self) -> bool {
        self.is_previewing() || !self.past.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Starts a preview from the present value. One that is on already is rolled back first.
    pub fn begin(&mut self) {
        self.rollback();
        self.run = None;
        self.before_preview = Some(self.present.clone());
    }

    /// The value that the preview began from: what every move of a drag is worked out from.
    pub const fn snapshot(&self) -> Option<&T> {
        self.before_preview.as_ref()
    }

    /// Shows a value without making it a step. Outside a preview nothing happens.
    pub fn preview(&mut self, value: T) {
        if self.before_preview.is_some() {
            self.present = value;
        }
    }

    /// Ends the preview and keeps its value: as one step when it differs from the snapshot, else as if nothing had been.
    /// Says whether a step was added.
    pub fn commit(&mut self) -> bool {
        match self.before_preview.take() {
            Some(before) if before != self.present => {
                self.push(before);
                true
            }
            _ => false,
        }
    }

    /// Ends the preview and shows the value that it began from. Says whether there was a preview.
    pub fn rollback(&mut self) -> bool {
        match self.before_preview.take() {
            Some(before) => {
                self.present = before;
                true
            }
            None => false,
        }
    }

    /// Changes the value in one step; a preview that is on is rolled back first. Says whether a step was added.
    pub fn edit(&mut self, value: T) -> bool {
        self.begin();
        self.preview(value);
        self.commit()
    }

    /// Changes the value as part of a run: all changes of one run, with nothing else between them, are one step.
    /// A run that comes back to where it started leaves no step.
    pub fn edit_in_run(&mut self, value: T, run: RunId) {
        if self.run == Some(run) && self.before_preview.is_none() {
            self.present = value;
            if self.past.last() == Some(&self.present) {
                self.past.pop();
                self.run = None;
            }
        } else if self.edit(value) {
            self.run = Some(run);
        }
    }

    /// Takes back a step, after any preview is rolled back. Says whether the value was changed.
    pub fn undo(&mut self) -> bool {
        let rolled_back = self.rollback();
        self.run = None;
        match self.past.pop() {
            Some(value) => {
                self.future.push(std::mem::replace(&mut self.present, value));
                true
            }
            None => rolled_back,
        }
    }

    /// Takes the last undo back, after any preview is rolled back. Says whether the value was changed.
    pub fn redo(&mut self) -> bool {
        let rolled_back = self.rollback();
        self.run = None;
        match self.future.pop() {
            Some(value) => {
                self.past.push(std::mem::replace(&mut self.present, value));
                true
            }
            None => rolled_back,
        }
    }

    fn push(&mut self, before: T) {
        if self.past.len() == LIMIT {
            self.past.remove(0);
        }
        self.past.push(before);
        self.future.clear();
        self.run = None;
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn after(edits: &[i32]) -> History<i32> {
        let mut history = History::new(0);
        for edit in edits {
            history.edit(*edit);
        }
        history
    }

    #[test]
    fn undo_and_redo_walk_the_steps_both_ways() {
        let mut history = after(&[1, 2]);
        assert!(history.undo());
        assert_eq!(*history.present(), 1);
        assert!(history.undo());
        assert_eq!(*history.present(), 0);
        assert!(!history.undo(), "there is nothing before the first value");
        assert!(history.redo() && history.redo());
        assert_eq!(*history.present(), 2);
        assert!(!history.redo());
    }

    #[test]
    fn a_drag_of_many_moves_is_one_step() {
        let mut history = after(&[1]);
        history.begin();
        for value in 2..90 {
            history.preview(value);
        }
        assert!(history.commit());
        assert_eq!(*history.present(), 89);
        history.undo();
        assert_eq!(*history.present(), 1);
    }

    #[test]
    fn a_drag_that_changes_nothing_adds_no_step_and_keeps_what_can_be_redone() {
        let mut history = after(&[1, 2]);
        history.undo();
        history.begin();
        history.preview(7);
        history.preview(1);
        assert!(!history.commit());
        assert!(history.redo());
        assert_eq!(*history.present(), 2);
    }

    #[test]
    fn a_click_adds_no_step_and_keeps_what_can_be_redone() {
        let mut history = after(&[1]);
        history.undo();
        history.begin();
        assert!(!history.commit());
        assert!(!history.can_undo());
        assert!(history.can_redo());
    }

    #[test]
    fn a_rolled_back_drag_leaves_no_mark() {
        let mut history = after(&[1, 2]);
        history.undo();
        history.begin();
        history.preview(9);
        assert!(history.is_previewing());
        assert!(history.rollback());
        assert_eq!(*history.present(), 1);
        assert!(history.can_redo());
        assert!(!history.rollback());
    }

    #[test]
    fn an_undo_during_a_drag_first_rolls_the_drag_back() {
        let mut history = after(&[1]);
        history.begin();
        history.preview(5);
        assert!(history.undo());
        assert_eq!(*history.present(), 0);
        assert!(history.redo());
        assert_eq!(*history.present(), 1, "the rolled-back 5 is nowhere in the history");
    }

    #[test]
    fn an_undo_during_the_first_drag_takes_the_drag_back() {
        let mut history = History::new(0);
        history.begin();
        history.preview(5);
        assert!(history.undo());
        assert_eq!(*history.present(), 0);
        assert!(!history.can_redo());
    }

    #[test]
    fn a_preview_outside_a_drag_changes_nothing() {
        let mut history = after(&[1]);
        history.preview(5);
        assert_eq!(*history.present(), 1);
    }

    #[test]
    fn a_new_step_forgets_what_was_undone() {
        let mut history = after(&[1, 2]);
        history.undo();
        history.edit(3);
        assert!(!history.can_redo());
        history.undo();
        assert_eq!(*history.present(), 1);
    }

    #[test]
    fn key_presses_of_one_run_are_one_step() {
        let mut history = after(&[1]);
        for value in 2..10 {
            history.edit_in_run(value, 1);
        }
        history.edit_in_run(20, 2);
        history.undo();
        assert_eq!(*history.present(), 9);
        history.undo();
        assert_eq!(*history.present(), 1);
    }

    #[test]
    fn a_run_that_comes_back_leaves_no_step() {
        let mut history = after(&[1]);
        history.edit_in_run(2, 1);
        history.edit_in_run(1, 1);
        history.undo();
        assert_eq!(*history.present(), 0);
    }

    #[test]
    fn a_run_is_broken_by_whatever_comes_between() {
        let mut history = after(&[1]);
        history.edit_in_run(2, 1);
        history.undo();
        history.edit_in_run(3, 1);
        history.undo();
        assert_eq!(*history.present(), 1);
    }

    #[test]
    fn the_past_is_bounded() {
        let mut history = History::new(0);
        for value in 1..2_000 {
            history.edit(value);
        }
        let mut steps = 0;
        while history.undo() {
            steps += 1;
        }
        assert_eq!(steps, LIMIT);
        assert_eq!(*history.present(), 1_999 - i32::try_from(LIMIT).unwrap_or(0));
    }
}
