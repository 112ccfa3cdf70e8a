//! The grips: what a handle looks like, painted into the drawing under the element that takes the pointer.

use fenceline_figure::{GripState, HandleId, grip};
use leptos::prelude::*;

use super::paint::paint;
use crate::editor::Editor;

/// All grips; the active one last, so that nothing lies over its bubble.
#[component]
pub fn Grips(
    /// What is open.
    editor: Editor,
    /// The handle under the pointer.
    hovered: RwSignal<Option<HandleId>>,
) -> impl IntoView {
    let ids = Memo::new(move |_| {
        let active = editor.active.get();
        editor.scene.with(|scene| {
            let (mut resting, last): (Vec<_>, Vec<_>) =
                scene.handles.iter().map(|handle| handle.id).partition(|id| Some(*id) != active);
            resting.extend(last);
            resting
        })
    });
    view! {
        <For
            each=move || ids.get()
            key=|id| *id
            children=move |id| {
                let shapes = Memo::new(move |_| {
                    let state = if editor.active.get() == Some(id) { GripState::Selected } else { GripState::Rest };
                    editor.scene.with(|scene| scene.handle(id).map_or_else(Vec::new, |handle| grip(scene, handle, state)))
                });
                view! {
                    <g
                        class="grip"
                        class:hovered=move || hovered.get() == Some(id)
                        class:faded=move || editor.dragging.get().is_some_and(|dragged| dragged != id)
                    >
                        {move || shapes.with(|shapes| shapes.iter().map(paint).collect::<Vec<_>>())}
                    </g>
                }
            }
        />
    }
}
