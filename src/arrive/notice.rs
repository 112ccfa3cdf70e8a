//! What there is to say of what came last, and how it is shown.

use fenceline_link::Notice;
use leptos::prelude::*;

use super::{Arrivals, Refusal, listed};
use crate::platform::{clipboard, focus};

/// What there is to say of what came last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// It was not taken.
    Refused(Refusal),
    /// It was taken, but not all of it.
    Partly {
        /// What was passed over.
        notices: Vec<Notice>,
        /// The link, to be taken back: what is shown from now on does not have what was passed over.
        original: Option<String>,
    },
    /// A file was taken without these fields, which stood around its scenario.
    SetAside(Vec<&'static str>),
    /// What is shown now is too large for the address.
    TooLarge,
}

/// Shows what there is to say.
#[component]
pub fn ArrivalNotice() -> impl IntoView {
    let said = use_context::<Arrivals>().unwrap_or_default().said();
    let dismiss = move |_| {
        said.set(None);
        focus::soon_if_lost(".picker");
    };
    move || {
        said.get().map(|said| {
            let words = match said {
                Said::Refused(Refusal { why, problems, instead, original }) => view! {
                    <p>{why} " " {instead}</p>
                    <ol class="problems">{listed(&problems)}</ol>
                    {original.map(|original| view! { <CopyIt original/> })}
                }
                .into_any(),
                Said::Partly { notices, original } => view! {
                    {notices.into_iter().map(|notice| view! { <p>{notice.to_string()}</p> }).collect_view()}
                    {original.map(|original| view! { <CopyIt original/> })}
                }
                .into_any(),
                Said::SetAside(names) => view! { <p>{set_aside(&names)}</p> }.into_any(),
                Said::TooLarge => view! {
                    <p>
                        "This scenario is too large for an address: no link opens it, and the address names nothing. \
                        Save it as a file to keep it."
                    </p>
                }
                .into_any(),
            };
            view! {
                <div class="card notice arrival" role="alert">
                    <div class="words">{words}</div>
                    <button class="chip" type="button" on:click=dismiss>
                        "Dismiss"
                    </button>
                </div>
            }
        })
    }
}

/// What is said of a file that was taken without these fields.
fn set_aside(names: &[&str]) -> String {
    let judged =
        if names.contains(&"expect") { " Its claims are judged by ‘fenceline check’, not here." } else { "" };
    [
        "Opened without what the file says around its scenario: ",
        &names.join(", "),
        ".",
        judged,
        " A file saved here is without it.",
    ]
    .concat()
}

/// Gives back what could not be opened: its reader may know more of it than this page.
#[component]
fn CopyIt(original: String) -> impl IntoView {
    let words = RwSignal::new("Copy the link");
    let copy = move |_| {
        let original = original.clone();
        leptos::task::spawn_local(async move {
            let is_copied = clipboard::copy(&original).await;
            // The notice may be gone by now.
            let _ = words.try_set(if is_copied { "Copied" } else { "This browser does not allow it" });
        });
    };
    view! {
        <button class="chip" type="button" on:click=copy>
            {words}
        </button>
    }
}
