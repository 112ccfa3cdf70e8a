//! The panels under the timeline: one at a time, as tabs.
//!
//! Each panel is a file of its own elsewhere; here is only which there are, what they are called, and the keys of a tab
//! list. Invariant: a panel that is not open is not there, so that it costs nothing while something is dragged.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use crate::command::Command;
use crate::compared::Compared;
use crate::editor::Editor;
use crate::explore::{Margins, RaceMap, SearchPanel};
use crate::inspector::Inspector;
use crate::library::Lesson;
use crate::source::Source;
use crate::why::Why;

/// One of the panels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// Why the selected write was judged as it was.
    #[default]
    Why,
    /// What the open preset teaches.
    Lesson,
    /// The shown schedule under every guard.
    Guards,
    /// Two numbers against each other. Where there is room it is pinned beside the panels, and is none of them.
    Map,
    /// By how much each number can change.
    Margins,
    /// A schedule that breaks a property.
    Search,
    /// The selected part in fields.
    Edit,
    /// The document as text.
    Source,
}

impl Panel {
    /// All panels, in the order of their tabs.
    pub const ALL: [Self; 8] =
        [Self::Why, Self::Lesson, Self::Guards, Self::Map, Self::Margins, Self::Search, Self::Edit, Self::Source];

    /// What its tab says.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Why => "Why",
            Self::Lesson => "Lesson",
            Self::Guards => "Guards compared",
            Self::Map => "Race map",
            Self::Margins => "Margins",
            Self::Search => "Search",
            Self::Edit => "Edit",
            Self::Source => "Source",
        }
    }

    /// Its name in ids and links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Why => "why",
            Self::Lesson => "lesson",
            Self::Guards => "guards",
            Self::Map => "map",
            Self::Margins => "margins",
            Self::Search => "search",
            Self::Edit => "edit",
            Self::Source => "source",
        }
    }

    /// The panel of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|panel| panel.name() == name)
    }

    fn tab_id(self) -> String {
        ["tab-", self.name()].concat()
    }

    /// The panels that have a tab. A map that is pinned beside them has none.
    fn tabs(roomy: bool) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |panel| !(roomy && *panel == Self::Map))
    }

    /// The panel that a key leads to from this one, round the ends.
    fn after_key(self, key: &str, roomy: bool) -> Option<Self> {
        let tabs: Vec<Self> = Self::tabs(roomy).collect();
        let count = tabs.len();
        let here = tabs.iter().position(|panel| *panel == self)?;
        let next = match key {
            "ArrowRight" => (here + 1) % count,
            "ArrowLeft" => (here + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return None,
        };
        tabs.get(next).copied()
    }
}

/// The tabs and the open panel.
#[component]
pub fn Panels(
    /// What is open.
    editor: Editor,
    /// Whether the race map is pinned beside the panels.
    roomy: ReadSignal<bool>,
) -> impl IntoView {
    let open = editor.panel;
    Effect::new(move |_| {
        if roomy.get() && open.get() == Panel::Map {
            editor.run(Command::Show(Panel::default()));
        }
    });
    let keys = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some(next) = open.get_untracked().after_key(&event.key(), roomy.get_untracked()) else { return };
        event.prevent_default();
        editor.run(Command::Show(next));
        let tab = document().get_element_by_id(&next.tab_id());
        if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
            // A tab that cannot be focused leaves the focus where it is.
            let _ = tab.focus();
        }
    };
    let tab = move |panel: Panel| {
        let is_open = Signal::derive(move || open.get() == panel);
        view! {
            <button
                class="tab"
                type="button"
                role="tab"
                id=panel.tab_id()
                aria-controls="panel"
                aria-selected=Signal::derive(move || if is_open.get() { "true" } else { "false" })
                tabindex=Signal::derive(move || if is_open.get() { "0" } else { "-1" })
                on:click=move |_| editor.run(Command::Show(panel))
            >
                {panel.label()}
            </button>
        }
    };
    view! {
        <section class="card panels" aria-label="Panels">
            <div class="tabs" role="tablist" aria-label="Panels" on:keydown=keys>
                <For each=move || Panel::tabs(roomy.get()) key=|panel| panel.name() children=tab/>
            </div>
            <div
                class="panel"
                id="panel"
                role="tabpanel"
                tabindex="0"
                aria-labelledby=Signal::derive(move || open.get().tab_id())
                data-panel=Signal::derive(move || open.get().name())
            >
                {move || match open.get() {
                    Panel::Why => view! { <Why editor/> }.into_any(),
                    Panel::Lesson => view! { <Lesson editor/> }.into_any(),
                    Panel::Guards => view! { <Compared editor/> }.into_any(),
                    Panel::Map => view! { <RaceMap editor/> }.into_any(),
                    Panel::Margins => view! { <Margins editor/> }.into_any(),
                    Panel::Search => view! { <SearchPanel editor/> }.into_any(),
                    Panel::Edit => view! { <Inspector editor/> }.into_any(),
                    Panel::Source => view! { <Source editor/> }.into_any(),
                }}
            </div>
        </section>
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn a_panel_is_found_by_its_name() {
        for panel in Panel::ALL {
            assert_eq!(Panel::from_name(panel.name()), Some(panel));
        }
        assert_eq!(Panel::from_name("elsewhere"), None);
    }

    #[test]
    fn the_arrows_go_round_the_tabs() {
        let last = Panel::ALL[Panel::ALL.len() - 1];
        for roomy in [false, true] {
            assert_eq!(last.after_key("ArrowRight", roomy), Some(Panel::ALL[0]));
            assert_eq!(Panel::ALL[0].after_key("ArrowLeft", roomy), Some(last));
            assert_eq!(last.after_key("Home", roomy), Some(Panel::ALL[0]));
            assert_eq!(Panel::ALL[0].after_key("End", roomy), Some(last));
            assert_eq!(last.after_key("Tab", roomy), None);
        }
    }

    #[test]
    fn a_pinned_map_has_no_tab() {
        assert_eq!(Panel::Guards.after_key("ArrowRight", false), Some(Panel::Map));
        assert_eq!(Panel::Guards.after_key("ArrowRight", true), Some(Panel::Margins));
    }
}
