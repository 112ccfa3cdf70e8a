//! Files: chosen, dropped on the page, or pasted; scenarios and links alike.

use fenceline_engine::Scenario;
use fenceline_engine::limits::MAX_DOCUMENT_BYTES;
use fenceline_link::names_a_work;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent};

use super::address::{Arrival, arrive};
use super::arrivals::{Arrivals, Turn};
use super::{Problem, Refusal};
use crate::app::is_typing;
use crate::editor::{Editor, LookedAt};
use crate::platform::files::{self, File};
use crate::work::Work;

/// What a text is that came in.
#[derive(Debug, PartialEq)]
enum Text<'a> {
    /// A document.
    Document(&'a str),
    /// A link of a playground.
    Link(&'a str),
    /// Something else.
    Other,
}

impl<'a> Text<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
        if text.starts_with('{') {
            Self::Document(text)
        } else if names_a_work(text) {
            Self::Link(text)
        } else {
            Self::Other
        }
    }
}

/// Reads a document as a file is read. What documentation puts around a scenario, its claims above all, is not part of it: the names
/// of those fields come with it.
fn read(what: &str, text: &str) -> Result<(Scenario, Vec<&'static str>), Refusal> {
    let why = [what, " is no scenario that can be shown."].concat();
    let refusal = |errors| Refusal::new(why.clone(), Problem::in_text(text, errors));
    let (scenario, around) = Scenario::from_sheet(text).map_err(refusal)?;
    let problems = Editor::problems(&scenario);
    if problems.is_empty() { Ok((scenario, around)) } else { Err(refusal(problems)) }
}

/// Opens a text, whatever it is. Says whether it was meant for this page.
fn take(editor: Editor, arrivals: Arrivals, turn: Turn, what: &str, text: &str) -> bool {
    match Text::of(text) {
        Text::Document(document) => {
            match read(what, document) {
                Ok((scenario, around)) => {
                    let arrival = Arrival { work: Work::own(scenario), view: LookedAt::default(), notices: Vec::new() };
                    if arrivals.open(editor, turn, arrival, None) && !around.is_empty() {
                        arrivals.tell_set_aside(around);
                    }
                }
                Err(refusal) => arrivals.refuse(refusal),
            }
            true
        }
        Text::Link(link) => {
            let link = link.to_owned();
            spawn_local(async move {
                match arrive(&link).await {
                    Ok(arrival) => {
                        arrivals.open(editor, turn, arrival, Some(link));
                    }
                    Err(refusal) => arrivals.refuse(refusal),
                }
            });
            true
        }
        Text::Other => false,
    }
}

/// Reads a file and opens it.
fn open(editor: Editor, arrivals: Arrivals, file: File) {
    let turn = arrivals.begin(editor);
    let what = ["The file ‘", &file.name(), "’"].concat();
    if file.size() > MAX_DOCUMENT_BYTES as f64 {
        let found = (file.size() / 1_000.0).ceil().to_string();
        let allowed = (MAX_DOCUMENT_BYTES / 1_000).to_string();
        arrivals.refuse([&what, " has ", &found, " kB; a scenario has at most ", &allowed, " kB."].concat());
        return;
    }
    spawn_local(async move {
        match file.text().await {
            Ok(text) if take(editor, arrivals, turn, &what, &text) => {}
            Ok(_) => arrivals
                .refuse([&what, " is no scenario: a scenario is a JSON object, its first character is {."].concat()),
            Err(reason) => arrivals.refuse([&what, " could not be read: ", &reason, "."].concat()),
        }
    });
}

/// Lets a person choose a file, and opens it.
pub fn open_file(editor: Editor, arrivals: Arrivals) {
    files::choose(".json,application/json", move |file| open(editor, arrivals, file));
}

/// Opens what is carried: a file, or a text.
fn take_carried(editor: Editor, arrivals: Arrivals, carried: &DataTransfer) -> bool {
    if let Some(file) = files::first(carried.files()) {
        open(editor, arrivals, file);
        return true;
    }
    carried.get_data("text/plain").is_ok_and(|text| take(editor, arrivals, arrivals.begin(editor), "The text", &text))
}

/// Takes what is dropped on the page or pasted into it.
#[component]
pub fn Intake(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let arrivals = use_context::<Arrivals>().unwrap_or_default();
    let over = RwSignal::new(false);
    let carries_something = |event: &DragEvent| {
        event.data_transfer().is_some_and(|carried| {
            let kinds = carried.types();
            kinds.iter().any(|kind| kind == "Files" || kind == "text/plain")
        })
    };
    let entered = window_event_listener(leptos::ev::dragover, move |event| {
        if carries_something(&event) {
            // Without this the browser would leave the page for the file.
            event.prevent_default();
            over.set(true);
        }
    });
    let left = window_event_listener(leptos::ev::dragleave, move |event| {
        // It also comes between the parts of the page; outside there is nothing that is entered next.
        if event.related_target().is_none() {
            over.set(false);
        }
    });
    let dropped = window_event_listener(leptos::ev::drop, move |event| {
        over.set(false);
        let into_a_field = is_typing(&event) && files::first(event.data_transfer().and_then(|of| of.files())).is_none();
        if let Some(carried) = event.data_transfer().filter(|_| !into_a_field) {
            event.prevent_default();
            if !take_carried(editor, arrivals, &carried) {
                arrivals.refuse("What was dropped is neither a file nor a scenario nor a link.".to_owned());
            }
        }
    });
    let pasted = window_event_listener_untyped("paste", move |event| {
        let Ok(event) = event.dyn_into::<ClipboardEvent>() else { return };
        if is_typing(&event) {
            return;
        }
        if event.clipboard_data().is_some_and(|carried| take_carried(editor, arrivals, &carried)) {
            event.prevent_default();
        }
    });
    on_cleanup(move || {
        entered.remove();
        left.remove();
        dropped.remove();
        pasted.remove();
    });
    view! {
        <div class="drop" hidden=move || !over.get()>
            <p>"Drop a scenario or a link to open it. Undo brings back what is there."</p>
        </div>
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn a_text_is_a_document_a_link_or_neither() {
        assert_eq!(Text::of("\u{feff} {\"version\": 1}\n"), Text::Document("{\"version\": 1}"));
        assert_eq!(Text::of(" https://example.org/#p=x "), Text::Link("https://example.org/#p=x"));
        assert_eq!(Text::of("#s=1p.AAAA"), Text::Link("#s=1p.AAAA"));
        assert_eq!(Text::of("p=x"), Text::Link("p=x"));
        for other in ["", "see #p", "https://example.org/#top", "#p=x\n#p=y", "[1]"] {
            assert_eq!(Text::of(other), Text::Other, "{other}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_document_names_its_lines() {
        let refusal =
            read("The file", "{\n  \"version\": 1,\n  \"leases\": [{ \"id\": \"lock\", \"ttl\": \"0s\" }]\n}");
        let Refusal { problems, .. } = refusal.expect_err("a ttl of nothing");
        let ttl = problems.iter().find(|problem| problem.error.path == "/leases/0/ttl").expect("it is told");
        assert_eq!(ttl.place.map(|place| place.line), Some(3));
    }

    #[test]
    fn a_document_with_something_around_its_scenario_is_read_without_it() {
        let read = |text| read("The file", text).map_err(|refusal| refusal.problems);
        let (scenario, around) = read("{ \"expect\": {}, \"version\": 1, \"title\": \"Mine\" }").expect("a scenario");
        assert_eq!((scenario.title.as_str(), around), ("Mine", vec!["expect"]));
        let problems = read("{\n\"scenario\": {\n\"version\": 2 } }").expect_err("no such version");
        assert_eq!(problems[0].error.path, "/scenario/version");
        assert_eq!(problems[0].place.map(|place| place.line), Some(3), "its place in the file");
    }
}
