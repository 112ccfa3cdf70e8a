//! The scrubber: the axis as a slider along which the playhead is dragged, by mouse, finger and keys.

use fenceline_engine::{Micros, Scale, moment, show_instant};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, PointerEvent};

use super::{next_event, previous_event};
use crate::command::Command;
use crate::editor::Editor;
use crate::spoken::{plain_number, spoken_value};
use crate::step::step_of;
use crate::timeline::css_px;

/// The slider over the axis.
#[component]
pub fn Scrubber(
    /// What is open.
    editor: Editor,
) -> impl IntoView {
    let slider = NodeRef::<Div>::new();
    let holder = StoredValue::new(None::<i32>);
    let place = move |event: &PointerEvent| {
        let Some(slider) = slider.get_untracked() else { return };
        let left = slider.get_bounding_client_rect().left();
        let at = editor.scene.with_untracked(|scene| {
            let x = f64::from(event.client_x()) - left + f64::from(scene.scale.left());
            scene.scale.at(x.clamp(f64::from(scene.scale.left()), f64::from(scene.scale.right())))
        });
        let step = step_of(editor.axis.get_untracked().length());
        editor.run(Command::Seek(Some((at + step / 2) / step * step)));
    };
    let press = move |event: PointerEvent| {
        if event.button() != 0 || !event.is_primary() {
            return;
        }
        editor.run(Command::Play(false));
        holder.set_value(Some(event.pointer_id()));
        if let Some(slider) = slider.get_untracked() {
            // A pointer that is gone by now cannot be captured, nor an element focused that is not shown.
            let _ = slider.set_pointer_capture(event.pointer_id());
            let _ = slider.focus();
        }
        event.prevent_default();
        place(&event);
    };
    let listeners = [
        window_event_listener(ev::pointermove, move |event| {
            if holder.get_value() == Some(event.pointer_id()) && event.buttons() == 0 {
                holder.set_value(None);
            } else if holder.get_value() == Some(event.pointer_id()) {
                place(&event);
            }
        }),
        window_event_listener(ev::pointerup, move |_| holder.set_value(None)),
        window_event_listener(ev::pointercancel, move |_| holder.set_value(None)),
    ];
    on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
    let keys = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let axis = editor.axis.get_untracked();
        let step = step_of(axis.length());
        let at = editor.playhead.get_untracked().unwrap_or(axis.from_us());
        let by = if event.shift_key() { 10 } else { 1 };
        let event_near = |forward: bool| {
            editor.trace.with_untracked(|trace| {
                if forward { next_event(trace, Some(at)) } else { previous_event(trace, Some(at)) }
            })
        };
        let to: Option<Micros> = match event.key().as_str() {
            "ArrowRight" => Some(at.saturating_add(step * by)),
            "ArrowLeft" => Some(at.saturating_sub(step * by)),
            "ArrowUp" | "PageUp" => event_near(true),
            "ArrowDown" | "PageDown" => event_near(false),
            "Home" => Some(axis.from_us()),
            "End" => Some(axis.to_us()),
            _ => return,
        };
        event.prevent_default();
        if let Some(to) = to {
            editor.run(Command::Seek(Some(to.clamp(axis.from_us(), axis.to_us()))));
        }
    };
    let side = move |right: bool| {
        Signal::derive(move || {
            editor.scene.with(|scene| {
                let (left, end) = (scene.scale.left(), scene.scale.right());
                css_px(if right { end - left } else { left })
            })
        })
    };
    let number = move |of: Option<Micros>| of.map(|at| plain_number(at as i64));
    let value = Signal::derive(move || {
        let Some(at) = editor.playhead.get() else { return "no playhead".into() };
        editor.scenario.with(|scenario| {
            editor.trace.with(|trace| {
                let mut said = spoken_value(&show_instant(at, Scale::of(trace)));
                editor.scene.with(|scene| {
                    for state in moment(scenario, trace, at) {
                        let name = scene.lane(state.lane).map_or("", |lane| lane.name.as_str());
                        said.push_str("; ");
                        said.push_str(name);
                        said.push_str(": ");
                        said.push_str(&state.words);
                    }
                });
                said
            })
        })
    });
    view! {
        <div
            class="scrubber"
            node_ref=slider
            role="slider"
            tabindex="0"
            aria-label="Playhead"
            aria-orientation="horizontal"
            aria-valuemin=Signal::derive(move || number(Some(editor.axis.get().from_us())))
            aria-valuemax=Signal::derive(move || number(Some(editor.axis.get().to_us().max(editor.playhead.get().unwrap_or(0)))))
            aria-valuenow=Signal::derive(move || number(Some(editor.playhead.get().unwrap_or(0))))
            aria-valuetext=value
            style:left=side(false)
            style:width=side(true)
            on:pointerdown=press
            on:keydown=keys
        ></div>
    }
}
