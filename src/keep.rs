//! Keeping the work: saved in the browser as it goes, offered again at the next visit.
//!
//! Invariants: nothing is saved while something is dragged; what was kept is offered and never opened unasked; what is read
//! back is as hostile as any file. A storage that takes nothing is told of once, and the page goes on.

use std::sync::Arc;
use std::time::Duration;

use fenceline_engine::Scenario;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::command::Command;
use crate::editor::Editor;
use crate::library;
use crate::platform::calendar::Instant;
use crate::platform::{focus, storage};
use crate::work::{Origin, Work};

const KEY: &str = "fenceline.work";

/// Where work waits that was offered and neither taken nor refused: what is done meanwhile does not take its place.
const OFFERED: &str = "fenceline.offered";

/// The first line of what is kept: another version is not read, save for the one before, which had no time.
const VERSION: &str = "fenceline 2";
const WITHOUT_A_TIME: &str = "fenceline 1";

/// How long the work has to stand still before it is saved.
const SETTLED: Duration = Duration::from_millis(500);

/// A work as it was kept: the scenario, the preset that it began as, and when that was.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    scenario: Arc<Scenario>,
    preset: String,
    at: Option<Instant>,
}

/// A work as it is kept: the version, the preset, when, the document.
fn write(work: &Work, at: Instant) -> String {
    let preset = work.origin.as_ref().map_or("", |origin| origin.id.as_str());
    [VERSION, "\n", preset, "\n", &at.to_string(), "\n", &work.scenario.to_json()].concat()
}

/// What was kept.
///
/// # Errors
/// It is none that this page can read.
fn read(text: &str) -> Result<Kept, ()> {
    let (version, rest) = text.split_once('\n').ok_or(())?;
    let (preset, document) = rest.split_once('\n').ok_or(())?;
    let plain =
        |preset: &str| preset.len() < 60 && preset.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (at, document) = match version {
        VERSION => {
            let (at, document) = document.split_once('\n').ok_or(())?;
            (Some(at.parse()?), document)
        }
        WITHOUT_A_TIME => (None, document),
        _ => return Err(()),
    };
    if !plain(preset) {
        return Err(());
    }
    let scenario = Scenario::from_json(document).map_err(|_| ())?;
    if !Editor::problems(&scenario).is_empty() {
        return Err(());
    }
    Ok(Kept { scenario: Arc::new(scenario), preset: preset.into(), at })
}

/// What the bar says.
#[derive(Clone, Debug, PartialEq)]
enum Note {
    /// There is work from an earlier visit.
    Offer(Kept),
    /// There was some, and it cannot be read.
    Unreadable,
    /// Nothing can be kept.
    Refused,
}

/// Saves the work as it goes, and shows what there is to say about it.
#[component]
pub fn Keeper(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let first = editor.work.get_untracked();
    let offer = |text: String| match read(&text) {
        Ok(kept) => (kept.scenario != first.scenario).then(|| {
            storage::keep(OFFERED, &text);
            Note::Offer(kept)
        }),
        Err(()) => Some(Note::Unreadable),
    };
    let waits = storage::kept(OFFERED).filter(|text| read(text).is_ok());
    let note = RwSignal::new(waits.or_else(|| storage::kept(KEY)).and_then(offer));
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    let refused = StoredValue::new(false);
    let saved = StoredValue::new(first);
    let save = move || {
        waiting.try_set_value(None);
        let Some(work) = editor.work.try_get_untracked() else { return };
        let is_kept = storage::keep(KEY, &write(&work, Instant::now()));
        saved.set_value(work);
        if !is_kept && !refused.get_value() {
            refused.set_value(true);
            note.set(Some(Note::Refused));
        }
    };
    Effect::new(move |_| {
        let work = editor.work.get();
        if let Some(waiting) = waiting.try_update_value(Option::take).flatten() {
            waiting.clear();
        }
        if !editor.is_held() && saved.with_value(|saved| *saved != work) {
            waiting.set_value(set_timeout_with_handle(save, SETTLED).ok());
        }
    });
    // Whoever leaves at once has not waited for it.
    let leaving = window_event_listener_untyped("pagehide", move |_| {
        if let Some(waiting) = waiting.try_update_value(Option::take).flatten() {
            waiting.clear();
            save();
        }
    });
    on_cleanup(move || leaving.remove());
    let dismiss = move || {
        if note.with_untracked(|note| *note == Some(Note::Unreadable)) {
            storage::forget(KEY);
        }
        storage::forget(OFFERED);
        note.set(None);
        focus::soon_if_lost(".picker");
    };
    let restore = move |kept: Kept| {
        dismiss();
        spawn_local(async move {
            // Without the preset it is still the work; it only cannot be started again.
            let preset = if kept.preset.is_empty() { None } else { library::preset(&kept.preset).await.ok() };
            let origin = preset.map(|scenario| Arc::new(Origin { id: kept.preset, scenario: Arc::new(scenario) }));
            editor.run(Command::Open(Work { scenario: kept.scenario, origin }));
        });
    };
    move || {
        note.get().map(|note| {
            let words = match &note {
                Note::Offer(kept) => offered(kept),
                Note::Unreadable => "What was kept from your last visit cannot be read any more.".into(),
                Note::Refused => "This browser does not keep your work: it is gone when the page is closed.".into(),
            };
            let offer = match note {
                Note::Offer(kept) => Some(view! {
                    <button class="chip" type="button" on:click=move |_| restore(kept.clone())>
                        "Restore"
                    </button>
                }),
                _ => None,
            };
            view! {
                <div class="card notice" role="status">
                    <p>{words}</p>
                    {offer}
                    <button class="chip" type="button" on:click=move |_| dismiss()>
                        "Dismiss"
                    </button>
                </div>
            }
        })
    }
}

/// What is said of work that is offered.
fn offered(kept: &Kept) -> String {
    let day = kept.at.and_then(Instant::words).map(|at| [", ", &at].concat()).unwrap_or_default();
    let title = fenceline_engine::visible(kept.scenario.title.trim());
    let title = if title.is_empty() { String::new() } else { [": “", &title, "”"].concat() };
    ["There is work from your last visit", &day, &title, "."].concat()
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn what_is_kept_is_read_back() {
        let scenario = Scenario::from_json(crate::app::OPENING).unwrap_or_default();
        let kept = read(&write(&Work::preset("paused-worker", scenario.clone()), Instant::from_millis(7)))
            .expect("it is what was written");
        assert_eq!((kept.scenario.as_ref(), kept.preset.as_str()), (&scenario, "paused-worker"));
        assert_eq!(kept.at, Some(Instant::from_millis(7)));
        let own = read(&write(&Work::own(scenario.clone()), Instant::from_millis(7))).expect("it is what was written");
        assert_eq!(own.preset, "");
        let older =
            read(&["fenceline 1\npaused-worker\n", &scenario.to_json()].concat()).expect("of the version before");
        assert_eq!((older.scenario.as_ref(), older.at), (&scenario, None));
    }

    #[test]
    fn what_is_no_work_of_this_page_is_not_read() {
        let document = Scenario::default().to_json();
        for text in [
            String::new(),
            "nonsense".into(),
            document.clone(),
            ["fenceline 3\n\n1\n", &document].concat(),
            ["fenceline 2\n\n", &document].concat(),
            ["fenceline 2\n\nyesterday\n", &document].concat(),
            ["fenceline 1\n../x\n", &document].concat(),
            "fenceline 1\n\n{".into(),
            "fenceline 1\n\n{ \"version\": 1, \"leases\": [{}] }".into(),
        ] {
            assert_eq!(read(&text), Err(()), "{text}");
        }
    }
}
