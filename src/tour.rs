//! The tour: five steps past the parts of the page, offered at the first visit and shown only when asked for.
//!
//! It is a card in a corner, not a curtain: the page behind it works all the time.

use leptos::html::Section;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, ScrollIntoViewOptions, ScrollLogicalPosition};

use crate::platform::size::window_width;
use crate::platform::{focus, storage};

const KEY: &str = "fenceline.tour";
const DONE: &str = "done";
/// Marks the part of the page that a step speaks of.
const MARK: &str = "data-toured";

/// A step: the part that it speaks of, its title, its words.
const STEPS: [(&str, &str, &str); 5] = [
    (
        ".timeline",
        "A schedule, drawn in time",
        "Time runs to the right. At the top is who holds the lease; below, what each worker believes and does; at the \
         bottom, what the destination remembers. The slanted lines are messages.",
    ),
    (
        ".timeline",
        "Everything can be dragged",
        "Take the grip at the end of a pause, or the diamond of a message, and move it. Each position is judged at once. \
         The arrow keys do the same, and the Edit tab has a field for every number.",
    ),
    (
        ".guards",
        "The guard decides at the destination",
        "A lease that ends stops nobody. What can stop an old writer is a comparison where its write arrives. \
         Beside each rule stands what this very schedule gives under it.",
    ),
    (
        ".deck",
        "What happened, and why",
        "The list tells the run in words. Choose a write to see the comparison with its numbers, \
         and who held the lease at that moment.",
    ),
    (
        ".topbar",
        "Presets, and a question with each",
        "Choose another schedule from the list at the top. “Predict first” hides the verdicts until you have said what \
         you expect.",
    ),
];

/// The tour of the page.
#[derive(Clone, Copy)]
pub struct Tour {
    /// The step that is shown; none when it is not running.
    at: RwSignal<Option<usize>>,
    /// Whether it is offered.
    offered: RwSignal<bool>,
}

impl Tour {
    /// A tour that is offered unless it was done or declined before.
    pub fn new() -> Self {
        let known = storage::kept(KEY).is_some_and(|kept| kept == DONE);
        Self { at: RwSignal::new(None), offered: RwSignal::new(!known) }
    }

    /// Starts it.
    pub fn start(self) {
        self.offered.set(false);
        self.at.set(Some(0));
    }

    /// Ends it, for good.
    fn end(self) {
        self.offered.set(false);
        self.at.set(None);
        // Where nothing can be kept it is offered again, which is no harm.
        storage::keep(KEY, DONE);
        focus::soon_if_lost(".topbar [aria-label=Keys]");
    }
}

impl Default for Tour {
    fn default() -> Self {
        Self::new()
    }
}

/// The offer, in the flow of the page.
#[component]
pub fn TourOffer(
    /// The tour.
    tour: Tour,
) -> impl IntoView {
    view! {
        <Show when=move || tour.offered.get()>
            <div class="card notice" role="region" aria-label="Tour">
                <p>"New here? A tour of five short steps shows what this page is for."</p>
                <button class="chip" type="button" on:click=move |_| tour.start()>
                    "Take the tour"
                </button>
                <button class="chip" type="button" on:click=move |_| tour.end()>
                    "No, thanks"
                </button>
            </div>
        </Show>
    }
}

/// Marks the part that a step speaks of, brings it into view, and takes the mark from any other.
fn point_at(css: Option<&str>) {
    let document = document();
    if let Ok(Some(before)) = document.query_selector(&["[", MARK, "]"].concat()) {
        // An attribute can always be removed.
        let _ = before.remove_attribute(MARK);
    }
    if let Some(Ok(Some(part))) = css.map(|css| document.query_selector(css)) {
        let _ = part.set_attribute(MARK, "");
        let options = ScrollIntoViewOptions::new();
        // In a narrow window the card takes the lower part.
        let narrow = window_width() < 760.0;
        options.set_block(if narrow { ScrollLogicalPosition::Start } else { ScrollLogicalPosition::Nearest });
        part.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// The card of the step that is shown.
#[component]
pub fn TourCard(
    /// The tour.
    tour: Tour,
) -> impl IntoView {
    let card = NodeRef::<Section>::new();
    Effect::new(move |_| {
        let at = tour.at.get();
        point_at(at.and_then(|at| STEPS.get(at)).map(|step| step.0));
        if let (Some(_), Some(card)) = (at, card.get()) {
            // A card that cannot be focused leaves the focus where it is.
            let _ = card.focus();
        }
    });
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            tour.end();
        }
    };
    let step = move |of: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
        Signal::derive(move || tour.at.get().and_then(|at| STEPS.get(at)).map_or("", of))
    };
    let place = Signal::derive(move || {
        let at = tour.at.get().unwrap_or(0) + 1;
        [&at.to_string(), " of ", &STEPS.len().to_string()].concat()
    });
    let is_last = move || tour.at.get() == Some(STEPS.len() - 1);
    let on = move |_| {
        if is_last() {
            tour.end();
        } else {
            tour.at.update(|at| *at = at.map(|at| at + 1));
        }
    };
    view! {
        <Show when=move || tour.at.get().is_some()>
            <section
                class="tour"
                node_ref=card
                role="dialog"
                tabindex="-1"
                aria-labelledby="tour-title"
                aria-describedby="tour-words"
                on:keydown=keys
            >
                <p class="muted">{place}</p>
                <h2 id="tour-title">{step(|step| step.1)}</h2>
                <p id="tour-words">{step(|step| step.2)}</p>
                <div class="actions">
                    <button class="chip strong" type="button" on:click=on>
                        {move || if is_last() { "Done" } else { "Next" }}
                    </button>
                    <Show when=move || tour.at.get().is_some_and(|at| at > 0)>
                        <button
                            class="chip"
                            type="button"
                            on:click=move |_| tour.at.update(|at| *at = at.map(|at| at.saturating_sub(1)))
                        >
                            "Back"
                        </button>
                    </Show>
                    <Show when=move || !is_last()>
                        <button class="chip" type="button" on:click=move |_| tour.end()>
                            "Skip"
                        </button>
                    </Show>
                </div>
            </section>
        </Show>
    }
}
