//! The conversation of a figure with the page around it: what it tells unasked, and what it does when it is asked.
//!
//! Invariants: what is set from outside is judged as any link or file is, and what is refused changes nothing; what a reader
//! is to predict is told to nobody; a page that set something is answered, and not told of its own change as if it were news.

use fenceline_engine::Scenario;
use fenceline_link::encode;
use leptos::html::Main;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::messages::{self, Ask, Asked, Fault, Message, Shown, Verdict, told_height};
use super::options::Options;
use crate::arrive::{Arrival, Arrivals, Problem, Refusal, Said, arrive, link, when_settled};
use crate::command::Command;
use crate::editor::{Editor, LookedAt};
use crate::platform::frames::{Around, watch_height};
use crate::work::Work;

/// One conversation.
#[derive(Clone, Copy)]
struct Talk {
    editor: Editor,
    options: Options,
    arrivals: Arrivals,
    around: StoredValue<Around, LocalStorage>,
    /// The height that was told last; none before the figure said that it is ready.
    height: RwSignal<Option<u32>>,
    /// The fragment that was told last.
    fragment: StoredValue<String>,
    /// How often something was set.
    turns: StoredValue<u32>,
}

/// Talks with the page around, if there is one, for as long as the current owner lives.
pub fn talk(editor: Editor, options: Options, arrivals: Arrivals, said: Option<Said>, main: NodeRef<Main>) {
    let Some(around) = Around::find() else { return };
    let talk = Talk {
        editor,
        options,
        arrivals,
        around: StoredValue::new_local(around),
        height: RwSignal::new(None),
        fragment: StoredValue::new(untrack(move || encode(&link(editor)))),
        turns: StoredValue::new(0),
    };
    let refused = said.and_then(|said| match said {
        Said::Refused(refusal) => Some(fault("link", refusal)),
        Said::Partly { .. } | Said::SetAside(_) | Said::TooLarge => None,
    });
    main.on_load(move |main| watch_height(&main, move |height| talk.grown(height)));
    // Whoever embeds hears nothing before it hears that the figure is ready.
    let is_ready = Signal::derive(move || talk.height.with(Option::is_some));
    Effect::new(move |before: Option<(bool, Option<Verdict>)>| {
        let (was_ready, told) = before.unwrap_or_default();
        if !is_ready.get() {
            return (false, told);
        }
        if let Some(refused) = refused.clone().filter(|_| !was_ready) {
            talk.post(Message::Error(refused), None);
        }
        if editor.hidden_from.get().is_some() {
            return (true, told);
        }
        let now = editor.headline.with(|headline| editor.trace.with(|trace| Verdict::of(headline, trace)));
        if told.as_ref() != Some(&now) {
            talk.post(Message::Verdict(now.clone()), None);
        }
        (true, Some(now))
    });
    when_settled(editor, move || {
        let shown = talk.shown();
        if talk.fragment.with_value(|told| *told != shown.fragment) {
            talk.fragment.set_value(shown.fragment.clone());
            talk.post(Message::Change(shown), None);
        }
    });
    talk.around.with_value(|around| {
        around.listen(messages::NAME, messages::MOST_TEXT, move |fields| talk.answer(messages::read(&fields)));
    });
}

impl Talk {
    fn post(self, message: Message, id: Option<u64>) {
        self.around.with_value(|around| around.post(&message.with_id(id)));
    }

    /// The figure has that height now.
    fn grown(self, height: f64) {
        let height = told_height(height);
        match self.height.get_untracked() {
            Some(told) if told == height => return,
            Some(_) => self.post(Message::Height(height), None),
            None => self.post(Message::Ready(height), None),
        }
        self.height.set(Some(height));
    }

    fn shown(self) -> Shown {
        let editor = self.editor;
        untrack(move || Shown {
            fragment: encode(&link(editor)),
            scenario: editor.scenario.with(|scenario| scenario.to_json()),
        })
    }

    fn answer(self, Asked { id, what }: Asked) {
        match what {
            Ok(Ask::Hello) => {
                let height = self.height.get_untracked().unwrap_or(*messages::HEIGHTS.start());
                self.post(Message::Ready(height), id);
            }
            Ok(Ask::Get) => self.post(Message::State(self.shown()), id),
            Ok(Ask::Theme(theme)) => {
                self.editor.theme.set(theme);
                theme.apply();
            }
            Ok(Ask::Scenario(text)) => {
                self.turns.update_value(|turns| *turns += 1);
                self.take(read(&text).map_err(|refusal| fault("scenario", refusal)), id);
            }
            Ok(Ask::Link(text)) => {
                let turn = self.turns.get_value() + 1;
                self.turns.set_value(turn);
                spawn_local(async move {
                    let arrived = arrive(&text).await;
                    // The figure may be gone by now.
                    let Some(turns) = self.turns.try_get_value() else { return };
                    let arrived = if turns == turn {
                        arrived.map_err(|refusal| fault("link", refusal))
                    } else {
                        Err(Fault::new("superseded", "Something else was set meanwhile."))
                    };
                    self.take(arrived, id);
                });
            }
            Err(fault) => self.post(Message::Error(fault), id),
        }
    }

    /// Shows what was set, and answers.
    fn take(self, arrived: Result<Arrival, Fault>, id: Option<u64>) {
        let Arrival { work, view, notices } = match arrived {
            Ok(arrived) => arrived,
            Err(fault) => return self.post(Message::Error(fault), id),
        };
        let editor = self.editor;
        if editor.work.with_untracked(|open| *open != work) {
            editor.run(Command::Open(work));
        }
        editor.look_at(view);
        self.options.stretch(editor);
        if self.options.predicts {
            // At once: what follows from the change must not be told in between.
            editor.run(Command::Predict(true));
        }
        self.arrivals.took(notices, None);
        let shown = self.shown();
        self.fragment.set_value(shown.fragment.clone());
        self.post(Message::State(shown), id);
    }
}

/// Reads a document, and shows it as it is when a file is opened. What stands around its scenario is the author's affair, not the
/// reader's: nothing is said of it.
fn read(text: &str) -> Result<Arrival, Refusal> {
    let refusal = |errors| Refusal::new("This is no scenario that can be shown.".into(), Problem::without_text(errors));
    let (scenario, _) = Scenario::from_sheet(text).map_err(refusal)?;
    let problems = Editor::problems(&scenario);
    if problems.is_empty() {
        Ok(Arrival { work: Work::own(scenario), view: LookedAt::default(), notices: Vec::new() })
    } else {
        Err(refusal(problems))
    }
}

/// Why something was not shown, as it is told to whoever asked for it.
fn fault(code: &'static str, refusal: Refusal) -> Fault {
    let problems = refusal.problems.into_iter().map(|problem| problem.error).collect();
    Fault { problems, ..Fault::new(code, refusal.why) }
}
