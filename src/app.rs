//! The page: its parts in order, and the keys that work everywhere on it.

use fenceline_engine::Scenario;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};

use crate::announce::Announcer;
use crate::arrive::{Address, Arrival, ArrivalNotice, Arrivals, Intake, Refusal, Said, arrive};
use crate::banner::Banner;
use crate::command::Command;
use crate::editor::{Editor, LookedAt};
use crate::embed::{Embed, Options};
use crate::explore::{Explorer, PinnedMap, is_roomy};
use crate::glyph::Symbols;
use crate::guards::Guards;
use crate::keep::Keeper;
use crate::library::Books;
use crate::panel::Panels;
use crate::platform::size::window_width;
use crate::platform::theme::Theme;
use crate::platform::{address, focus};
use crate::predict::{Ask, keep_honest};
use crate::shortcuts::Shortcuts;
use crate::source::SourceDraft;
use crate::story::Story;
use crate::timeline::{Timeline, stroke_of};
use crate::topbar::TopBar;
use crate::tour::{Tour, TourCard, TourOffer};
use crate::work::Work;

/// The preset that the page opens on.
pub const OPENING_ID: &str = "paused-worker";
/// Its group in the library, which is not loaded yet when the page opens.
pub const OPENING_GROUP: &str = "A lease ends, its worker does not";
/// Its document.
pub const OPENING: &str = include_str!("../presets/paused-worker.json");

/// The whole page, on what its address says, or on its opening scenario.
#[component]
pub fn App() -> impl IntoView {
    let fragment = address::fragment();
    let opened = RwSignal::new(None::<Result<Arrival, Option<Refusal>>>);
    if fragment.is_empty() {
        opened.set(Some(Err(None)));
    } else {
        spawn_local(async move {
            let arrived = arrive(&["#", &fragment].concat()).await;
            opened.set(Some(arrived.map_err(|refusal| Some(refusal.at_the_start(address::whole())))));
        });
    }
    move || {
        opened.get().and_then(|arrived| {
            let (work, view, said) = match arrived {
                Ok(Arrival { work, view, notices }) => {
                    let original = Some(address::whole());
                    (work, view, (!notices.is_empty()).then_some(Said::Partly { notices, original }))
                }
                Err(refusal) => {
                    // The tests hold the opening scenario to be valid.
                    let opening = Work::preset(OPENING_ID, Scenario::from_json(OPENING).ok()?);
                    (opening, LookedAt::default(), refusal.map(Said::Refused))
                }
            };
            let editor = Editor::open(work)?;
            editor.look_at(view);
            Some(match Options::of(address::query) {
                Some(options) => view! { <Embed editor options said/> }.into_any(),
                None => view! { <Page editor said/> }.into_any(),
            })
        })
    }
}

/// The page on what an editor has open.
#[component]
pub fn Page(
    /// What is open.
    editor: Editor,
    /// What there is to say of the link that it was opened with.
    #[prop(optional_no_strip)]
    said: Option<Said>,
) -> impl IntoView {
    let tour = Tour::new();
    provide_context(tour);
    provide_context(Arrivals::new(said));
    keep_honest(editor);
    provide_context(Books::new());
    provide_context(SourceDraft::new());
    provide_context(Explorer::new());
    let roomy = is_roomy();
    let pinned = Signal::derive(move || roomy.get() && !editor.prediction.with(Option::is_some));
    let theme = Theme::restore();
    theme.apply();
    editor.theme.set(theme);
    editor.width.set(first_width(window_width()));
    listen_to_keys(editor);
    view! {
        <Symbols/>
        <svg class="symbols" aria-hidden="true" focusable="false" inner_html=fenceline_figure::DEFS></svg>
        <TopBar editor/>
        <main class="page">
            <TourOffer tour/>
            <ArrivalNotice/>
            <Keeper editor/>
            <Banner editor/>
            <Guards editor/>
            <Timeline editor/>
            <div class="deck" class:pinned=pinned>
                <Story editor/>
                <Show when=move || !editor.prediction.with(Option::is_some) fallback=move || view! { <Ask editor/> }>
                    <Panels editor roomy/>
                </Show>
                <Show when=move || pinned.get()>
                    <PinnedMap editor/>
                </Show>
            </div>
        </main>
        <Shortcuts editor/>
        <TourCard tour/>
        <Announcer editor/>
        <Address editor/>
        <Intake editor/>
    }
}

/// Listens to the keys that mean something wherever the focus is.
pub(crate) fn listen_to_keys(editor: Editor) {
    let keys = window_event_listener(leptos::ev::keydown, move |event| {
        if is_typing(&event) && saves(&event) {
            event.prevent_default();
            // What is being typed is part of what is saved: it is taken when its field is left.
            focus::paused(|| editor.run(Command::Save));
            return;
        }
        // What is behind an open dialog cannot be seen: it is not to be changed either.
        if is_typing(&event) || document().query_selector("dialog[open]").is_ok_and(|open| open.is_some()) {
            return;
        }
        if event.key() == " " && !is_on_control(&event) {
            event.prevent_default();
            editor.run(Command::Play(!editor.playing.get_untracked()));
        } else if let Some(command) = Command::anywhere(stroke_of(&event.key(), &event)) {
            if command != Command::Cancel {
                event.prevent_default();
            }
            editor.run(command);
        }
    });
    on_cleanup(move || keys.remove());
}

/// Whether a key saves the scenario, also while somebody types.
fn saves(event: &KeyboardEvent) -> bool {
    Command::anywhere(stroke_of(&event.key(), event)) == Some(Command::Save)
}

/// Keeps a key that is pressed in a text from meaning something on the page; all but the one that saves.
pub(crate) fn keep_to_text(event: &KeyboardEvent) {
    if !saves(event) {
        event.stop_propagation();
    }
}

/// Whether a key goes into a text: then it is the writer's, whatever else it means on the page.
pub(crate) fn is_typing(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| {
        target.matches("input:not([type=radio], [type=checkbox], [type=range]), select, textarea").unwrap_or(false)
    })
}

/// Whether a key is pressed on something that a space presses or checks.
fn is_on_control(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches("button, a, input, summary, [role=tab]").unwrap_or(false))
}

/// What the drawing's width will be in a window of that width, so that the first picture is the right one.
pub(crate) fn first_width(window: f64) -> f64 {
    let margins = if window < 760.0 { 32.0 } else { 40.0 };
    window.min(1440.0) - margins
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn the_opening_scenario_is_valid() {
        assert!(Scenario::from_json(OPENING).is_ok_and(|scenario| scenario.check().is_empty()));
    }
}
