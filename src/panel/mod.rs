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
    /// The selected part in fields.
    Edit,
    /// The document as text.
    Source,
}

impl Panel {
    /// All panels, in the order of their tabs.
    pub const ALL: [Self; 5] = [Self::Why, Self::Lesson, Self::Guards, Self::Edit, Self::Source];

    /// What its tab says.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Why => "Why",
            Self::Lesson => "Lesson",
            Self::Guards => "Guards compared",
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

    /// The panel that a key leads to from this one, round the ends.
    fn after_key(self, key: &str) -> Option<Self> {
        let count = Self::ALL.len();
        let here = Self::ALL.iter().position(|panel| *panel == self)?;
        let next = match key {
            "ArrowRight" => (here + 1) % count,
            "ArrowLeft" => (here + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return None,
        };
        Some(Self::ALL[next])
    }
}

/// The tabs and the open panel.
#[component]
pub fn Panels(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let open = editor.panel;
    let keys = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some(next) = open.get_untracked().after_key(&event.key()) else { return };
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
                {Panel::ALL.map(tab).into_iter().collect_view()}
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
        assert_eq!(last.after_key("ArrowRight"), Some(Panel::ALL[0]));
        assert_eq!(Panel::ALL[0].after_key("ArrowLeft"), Some(last));
        assert_eq!(last.after_key("Home"), Some(Panel::ALL[0]));
        assert_eq!(Panel::ALL[0].after_key("End"), Some(last));
        assert_eq!(last.after_key("Tab"), None);
    }
}
