//! The address: it always opens what is shown, as it is shown.
//!
//! It is written when the work has come to rest, in place of what was there; opening another work is a step, from which the
//! browser's Back comes back. It is read at the start, and whenever somebody changes it. Invariants: a link that does not open
//! changes nothing and says why; what this page wrote itself is not read again.

use std::sync::Arc;
use std::time::Duration;

use fenceline_engine::run;
use fenceline_figure::{HandleId, TimeWindow, fit, limits};
use fenceline_link::{Link, LinkError, MAX_LINK_BYTES, Notice, Opened, Shown, View, decode, encode};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Arrivals, Refusal};
use crate::app::OPENING_ID;
use crate::editor::{Editor, LookedAt};
use crate::library;
use crate::panel::Panel;
use crate::platform::address;
use crate::selection::{Part, WriteId};
use crate::work::{Origin, Work};

/// How long everything has to stand still before the address is written.
const SETTLED: Duration = Duration::from_millis(350);

/// What a link opens, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// The work.
    pub work: Work,
    /// How it is looked at.
    pub view: LookedAt,
    /// What there is to say of the link.
    pub notices: Vec<Notice>,
}

/// Reads a link, a fragment with its `#` or a whole address, and fetches the presets that it names.
///
/// # Errors
/// In words, why it does not open.
pub async fn arrive(text: &str) -> Result<Arrival, Refusal> {
    let Opened { link: Link { shown, view }, mut notices } = decode(text)?;
    let work = match shown {
        Shown::Preset(id) => {
            let scenario = library::preset(&id).await;
            let missing = |reason: &str| ["The preset ‘", &id, "’ of the link did not open: ", reason, "."].concat();
            Work::preset(&id, scenario.map_err(|reason| missing(&reason))?)
        }
        Shown::Scenario { scenario, of } => {
            let problems = Editor::problems(&scenario);
            if !problems.is_empty() {
                return Err(LinkError::Scenario(problems).into());
            }
            let origin = match of {
                // Without the preset it is still the work; it only cannot be started again.
                Some(id) => library::preset(&id).await.ok().map(|of| Origin { id, scenario: Arc::new(of) }),
                None => None,
            };
            Work { scenario: Arc::from(scenario), origin: origin.map(Arc::new) }
        }
    };
    let view = looked_at(&view, &work, &mut notices);
    Ok(Arrival { work, view, notices })
}

/// What a link's view means on this page.
fn looked_at(view: &View, work: &Work, notices: &mut Vec<Notice>) -> LookedAt {
    let mut known = |key: &'static str, is_known: bool| {
        if !is_known {
            notices.push(Notice::Value(key));
        }
    };
    let View { panel, part, write, handle, at, zoom } = view;
    let found = LookedAt {
        panel: panel.as_deref().and_then(Panel::from_name).unwrap_or_default(),
        handle: handle.as_deref().and_then(HandleId::from_key),
        part: part.as_deref().and_then(Part::read),
        write: write.as_deref().and_then(WriteId::read),
        playhead: *at,
        zoom: zoom.map(|(from, to)| TimeWindow::new(from, to)),
    };
    // What is named well and is not there: the schedule may have changed since.
    let trace = run(&work.scenario).unwrap_or_default();
    let end = trace.ended_at.max(fit(&trace).to_us());
    let is_there = |handle| limits(&work.scenario, &trace, handle).is_some();
    let found = LookedAt {
        handle: found.handle.filter(|handle| is_there(*handle)),
        part: found.part.filter(|part| part.is_in(&work.scenario)),
        write: found.write.filter(|write| write.find(&trace).is_some()),
        playhead: found.playhead.filter(|at| *at <= end),
        ..found
    };
    known("at", at.is_none_or(|_| found.playhead.is_some()));
    known("panel", panel.as_deref().is_none_or(|name| Panel::from_name(name).is_some()));
    known("handle", handle.is_some() == found.handle.is_some());
    known("part", part.is_some() == found.part.is_some());
    known("write", write.is_some() == found.write.is_some());
    LookedAt { part: found.part.or_else(|| found.handle.and_then(Part::of_handle)), ..found }
}

/// What is shown, as a link.
pub fn link(editor: Editor) -> Link {
    let LookedAt { panel, part, write, handle, playhead, zoom } = editor.looked_at();
    // A handle brings its part with it, and a write its step.
    let implied = handle.and_then(Part::of_handle);
    let view = View {
        panel: (panel != Panel::default()).then(|| panel.name().into()),
        part: part.filter(|part| Some(*part) != implied).map(|part| part.to_string()),
        write: write.map(|write| write.to_string()),
        handle: handle.map(|handle| handle.to_string()),
        at: playhead,
        zoom: zoom.map(|zoom| (zoom.from_us(), zoom.to_us())),
    };
    let shown = editor.work.with(|work| match work.untouched() {
        Some(id) => Shown::Preset(id.into()),
        None => Shown::Scenario {
            scenario: Box::new(work.scenario.as_ref().clone()),
            of: work.origin.as_ref().map(|origin| origin.id.clone()),
        },
    });
    Link { shown, view }
}

/// Does something each time that what is shown has changed and come to rest.
pub fn when_settled(editor: Editor, then: impl Fn() + Copy + Send + Sync + 'static) {
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<()>| {
        editor.work.track();
        editor.looked_at();
        if let Some(waiting) = waiting.try_update_value(Option::take).flatten() {
            waiting.clear();
        }
        if before.is_some() && !editor.is_held() && !editor.playing.get() {
            let rest = move || {
                waiting.try_set_value(None);
                then();
            };
            waiting.set_value(set_timeout_with_handle(rest, SETTLED).ok());
        }
    });
}

/// What is shown, as the fragment of an address; none when it is longer than a link may be.
pub fn fragment(editor: Editor) -> Option<String> {
    Some(encode(&link(editor))).filter(|fragment| fragment.len() <= MAX_LINK_BYTES)
}

/// Keeps the address, and follows it.
#[component]
pub fn Address(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let arrivals = use_context::<Arrivals>().unwrap_or_default();
    // A page that was opened without a fragment has none as long as nothing is different.
    let plain = encode(&Link { shown: Shown::Preset(OPENING_ID.into()), view: View::default() });
    let named = move || {
        let fragment = address::fragment();
        if fragment.is_empty() { plain.clone() } else { fragment }
    };
    let written = StoredValue::new(named());
    let openings = StoredValue::new(editor.openings.get_untracked());
    let was_too_large = StoredValue::new(false);
    // While a link is on its way in, the address is not to be written over with what it takes the place of; what was to be
    // written meanwhile is owed.
    let arriving = StoredValue::new(0_u32);
    let owed = StoredValue::new(false);
    let write = move || {
        if arriving.try_get_value() != Some(0) {
            owed.try_set_value(true);
            return;
        }
        let Some(now) = editor.openings.try_get_untracked() else { return };
        let fragment = untrack(move || fragment(editor));
        let is_too_large = fragment.is_none();
        if is_too_large && !was_too_large.get_value() {
            arrivals.tell_too_large();
        }
        was_too_large.set_value(is_too_large);
        // No address is better than that of another work.
        let fragment = fragment.unwrap_or_default();
        let is_new = written.with_value(|written| *written != fragment);
        if !is_new || address::put(&fragment, openings.get_value() != now) {
            openings.set_value(now);
            written.set_value(fragment);
        }
    };
    // A link that did not open stays in the address until there is something else to say.
    when_settled(editor, write);
    let follow = move || {
        let text = named();
        if written.with_value(|written| *written == text) {
            return;
        }
        written.set_value(text.clone());
        arriving.update_value(|count| *count += 1);
        let turn = arrivals.begin(editor);
        spawn_local(async move {
            let arrived = arrive(&["#", &text].concat()).await;
            // The page may be gone by now, and another address may be there.
            let Some(is_still_there) = written.try_with_value(|written| *written == text) else { return };
            arriving.update_value(|count| *count -= 1);
            if is_still_there {
                let original = [&address::base(), "#", &text].concat();
                match arrived {
                    Ok(arrival) => {
                        if arrivals.open(editor, turn, arrival, Some(original)) {
                            // The browser has made the step already.
                            openings.set_value(editor.openings.get_untracked());
                        }
                    }
                    Err(refusal) => arrivals.refuse(Refusal { original: Some(original), ..refusal }),
                }
            }
            if arriving.get_value() == 0 && owed.get_value() {
                owed.set_value(false);
                write();
            }
        });
    };
    let changed = window_event_listener_untyped("hashchange", move |_| follow());
    on_cleanup(move || changed.remove());
}
