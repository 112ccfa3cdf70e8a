//! The plot of a race map: the picture, its ticks, and the crosshair that is dragged over it.

use std::sync::Arc;

use fenceline_engine::Stretch;
use fenceline_explorer::protocol::{Answer, Axis, Work};
use fenceline_figure::{Glyph, TimeScale, TimeWindow};
use leptos::ev;
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use super::Asked;
use super::paint::{FILLS, Ink, Palette, fill_of, picture, read_colour};
use super::rows::{Region, Rows};
use crate::command::Command;
use crate::editor::Editor;
use crate::explore::workshop::Task;
use crate::glyph::OutcomeGlyph;
use crate::platform::canvas::{pixels_per_px, show, style_of};
use crate::platform::size::{watch_media, watch_width};

/// The most rows of a picture, however many pixels it has.
const MOST_ROWS: f64 = 600.0;

/// A part of a length as a percentage of it, to a hundredth.
fn percent(part: f64) -> String {
    let hundredths = (part * 10_000.0).round() as u32;
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    let zero = if rest < 10 { "0" } else { "" };
    [&whole.to_string(), ".", zero, &rest.to_string(), "%"].concat()
}

/// A tick: where it is, as a part of the axis, and what it says.
type Tick = (f64, String);

/// The ticks of an axis that is so many px long.
fn ticks((from, to): (i64, i64), px: f32, room: f32) -> Vec<Tick> {
    if from < 0 {
        return vec![(0.0, super::signed(from)), (0.5, "0".into()), (1.0, super::signed(to))];
    }
    let window = TimeWindow::new(from as u64, to as u64);
    let scale = TimeScale::new(window, 0.0, px);
    scale.ticks(room).into_iter().map(|tick| (f64::from(tick.x / px), tick.label)).collect()
}

/// The plot.
#[component]
pub fn Plot(
    /// What is open.
    editor: Editor,
    /// The map that is asked for.
    asked: Memo<Option<Asked>>,
    /// What the horizontal knob comes to where the vertical one stands.
    slice: Memo<Option<Vec<Stretch>>>,
    /// The outcomes of the map, once it is worked out.
    regions: RwSignal<Vec<Region>>,
    /// Whether they are those of the map that is asked for.
    is_worked_out: RwSignal<bool>,
    /// Whether that map could not be worked out.
    has_failed: RwSignal<bool>,
) -> impl IntoView {
    let plot = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let probes = NodeRef::<Div>::new();
    let size = RwSignal::new((0.0_f64, 0.0_f64));
    plot.on_load(move |plot| {
        let measured: Element = plot.clone().unchecked_into();
        watch_width(&plot, move |width| size.set((width, f64::from(measured.client_height()))));
    });

    let rows = StoredValue::new(None::<Rows>);
    let palette = StoredValue::new(None::<Palette>);
    // It is called at a frame, and by then the panel may have been closed: its signals are asked whether they are still there.
    let paint = move || {
        let element = canvas.try_get_untracked().flatten().zip(probes.try_get_untracked().flatten());
        let (Some((canvas, probes)), Some((width, _))) = (element, size.try_get_untracked()) else { return };
        let palette = palette.try_update_value(|palette| {
            *palette = palette.or_else(|| read_palette(&probes));
            *palette
        });
        let ratio = pixels_per_px();
        let width = (width * ratio).round() as usize;
        let _ = rows.try_with_value(|rows| {
            let Some((rows, palette)) = rows.as_ref().zip(palette.flatten()) else { return };
            if width > 0 && rows.count() > 0 {
                let bytes = picture(rows, &palette, width, (ratio.round() as usize).max(1));
                show(&canvas, &bytes, width as u32, rows.count() as u32);
            }
        });
    };
    let base = Memo::new(move |_| {
        asked.with(|asked| {
            let asked = asked.as_ref()?;
            let base = editor.scenario.with(|scenario| asked.base(scenario));
            Some((base, asked.knobs.clone(), asked.ranges))
        })
    });
    // Rows come more often than frames do.
    let is_due = StoredValue::new(false);
    let paint_soon = move || {
        if is_due.try_update_value(|is_due| std::mem::replace(is_due, true)) == Some(false) {
            request_animation_frame(move || {
                let _ = is_due.try_update_value(|is_due| *is_due = false);
                paint();
            });
        }
    };
    let task = Task::new();
    Effect::new(move |_| {
        let (width, height) = size.get();
        let Some((_, [across, up], [xs, ys])) = base.get() else { return };
        if width < 1.0 || height < 1.0 {
            return;
        }
        let count = (height * pixels_per_px()).round().min(MOST_ROWS) as usize;
        is_worked_out.set(false);
        has_failed.set(false);
        rows.set_value(Some(Rows::new(xs, count)));
        let axis = |knob, (from, to)| Axis { knob, from, to };
        let work = Work::Map { across: axis(across, xs), up: axis(up, ys), rows: count as u32 };
        // What the map is worked out from is the schedule with its two numbers turned, wherever they stand in it.
        let scenario: Arc<_> = editor.scenario.get_untracked();
        task.start(scenario, work, move |answer| {
            let Answer::Rows { rows: found, is_whole } = answer else {
                let _ = has_failed.try_set(true);
                return;
            };
            let _ = rows.try_update_value(|rows| {
                if let Some(rows) = rows {
                    for (row, found) in found {
                        rows.take(row, found);
                    }
                }
            });
            paint_soon();
            if is_whole {
                let found = rows.try_with_value(|rows| rows.as_ref().map(Rows::regions)).flatten();
                // A panel that was closed in between has nobody to show it to.
                let _ = regions.try_set(found.unwrap_or_default());
                let _ = is_worked_out.try_set(true);
            }
        });
    });
    // The colours are the theme's: when that changes, they are read and painted anew.
    let repaint = move || {
        palette.set_value(None);
        request_animation_frame(paint);
    };
    Effect::new(move |before: Option<()>| {
        editor.theme.track();
        if before.is_some() {
            repaint();
        }
    });
    watch_media("(prefers-color-scheme: dark)", move |_| repaint());
    watch_media("(forced-colors: active)", move |_| repaint());

    let holder = StoredValue::new(None::<i32>);
    let pending = StoredValue::new(None::<(f64, f64)>);
    let flush = move || {
        let place = pending.try_update_value(Option::take).flatten();
        let (Some((x, y)), Some(asked)) = (place, asked.try_get_untracked().flatten()) else { return };
        let values = [asked.value_at(0, x), asked.value_at(1, 1.0 - y)];
        let [across, up] = asked.knobs;
        editor.run(Command::TurnTo(vec![(across, values[0]), (up, values[1])]));
    };
    let place = move |event: &PointerEvent| {
        let Some(plot) = plot.get_untracked() else { return };
        let area = plot.get_bounding_client_rect();
        let x = (f64::from(event.client_x()) - area.left()) / area.width().max(1.0);
        let y = (f64::from(event.client_y()) - area.top()) / area.height().max(1.0);
        let idle = pending.with_value(Option::is_none);
        pending.set_value(Some((x, y)));
        if idle {
            request_animation_frame(flush);
        }
    };
    let press = move |event: PointerEvent| {
        let on_knob = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let on_knob = on_knob.is_some_and(|target| target.matches(".map-knob").unwrap_or(false));
        // A finger scrolls the page, save where it takes hold of the knob.
        let takes = event.is_primary() && event.button() == 0 && (on_knob || event.pointer_type() != "touch");
        if !takes || holder.get_value().is_some() {
            return;
        }
        holder.set_value(Some(event.pointer_id()));
        if let Some(plot) = plot.get_untracked() {
            // A pointer that is gone by now cannot be captured.
            let _ = plot.set_pointer_capture(event.pointer_id());
        }
        event.prevent_default();
        editor.run(Command::Hold);
        if !on_knob {
            place(&event);
        }
    };
    let let_go = move |event: &PointerEvent, keep: bool| {
        if holder.get_value() != Some(event.pointer_id()) {
            return;
        }
        holder.set_value(None);
        if keep {
            flush();
        } else {
            pending.set_value(None);
        }
        editor.run(if keep { Command::Drop } else { Command::Cancel });
    };
    let listeners = [
        window_event_listener(ev::pointermove, move |event| {
            // A release that came nowhere, outside the window for instance, is made up for.
            if holder.get_value() == Some(event.pointer_id()) && event.buttons() == 0 {
                let_go(&event, true);
            } else if holder.get_value() == Some(event.pointer_id()) {
                place(&event);
            }
        }),
        window_event_listener(ev::pointerup, move |event| let_go(&event, true)),
        window_event_listener(ev::pointercancel, move |event| let_go(&event, false)),
    ];
    on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));

    let part = move |axis: usize, from_end: bool| {
        Signal::derive(move || {
            let part = asked.with(|asked| asked.as_ref().map_or(0.0, |asked| asked.part(axis)));
            percent(if from_end { 1.0 - part } else { part })
        })
    };
    let axis_ticks = move |axis: usize| {
        Memo::new(move |_| {
            let (width, height) = size.get();
            let range = asked.with(|asked| asked.as_ref().map(|asked| asked.ranges[axis]));
            let (px, room) = if axis == 0 { (width, 52.0) } else { (height, 46.0) };
            range.map(|range| ticks(range, px.max(1.0) as f32, room)).unwrap_or_default()
        })
    };
    let (across, up) = (axis_ticks(0), axis_ticks(1));
    let mark = |(at, label): Tick| {
        view! { <span style:left=percent(at)>{label}</span> }
    };
    let mark_up = |(at, label): Tick| {
        view! { <span style:bottom=percent(at)>{label}</span> }
    };
    let band = move |stretch: Stretch| {
        let place = asked.with_untracked(|asked| {
            let (from, to) = asked.as_ref()?.ranges[0];
            let part = |value: i64| ((value - from) as f64 / (to - from).max(1) as f64).clamp(0.0, 1.0);
            Some((part(stretch.values.start), part(stretch.values.end)))
        });
        let (left, right) = place.unwrap_or_default();
        view! {
            <i data-fill=FILLS[fill_of(stretch.gist)] style:left=percent(left) style:width=percent(right - left)></i>
        }
    };
    let glyph = |region: Region| {
        let glyph = region.gist.and_then(|gist| Glyph::of_class(gist.class)).filter(|_| region.width > 0.06);
        glyph.map(|glyph| {
            view! {
                <span class="map-glyph" style:left=percent(region.at.0) style:bottom=percent(region.at.1)>
                    <OutcomeGlyph of=Signal::stored(Some(glyph))/>
                </span>
            }
        })
    };
    let hidden = Signal::derive(move || editor.hidden_from.get().is_some());
    view! {
        <div class="map-frame" class:veiled=hidden>
            <div class="map-up" aria-hidden="true">
                {move || up.get().into_iter().map(mark_up).collect_view()}
            </div>
            <div class="plot" node_ref=plot aria-hidden="true" on:pointerdown=press on:dragstart=|event| event.prevent_default()>
                <canvas node_ref=canvas></canvas>
                {move || {
                    // Those of another map would lie in the wrong place.
                    let shown = if is_worked_out.get() { regions.get() } else { Vec::new() };
                    shown.into_iter().map(glyph).collect_view()
                }}
                <div class="map-slice" style:bottom=part(1, false)>
                    {move || slice.get().unwrap_or_default().into_iter().map(band).collect_view()}
                </div>
                <div class="map-line" style:left=part(0, false)></div>
                <div class="map-knob" style:left=part(0, false) style:top=part(1, true)></div>
            </div>
            <div class="map-across" aria-hidden="true">
                {move || across.get().into_iter().map(mark).collect_view()}
            </div>
            <div class="probes" node_ref=probes aria-hidden="true">
                {FILLS.map(|fill| view! { <i data-fill=fill></i> }).into_iter().collect_view()}
                <i class="line"></i>
            </div>
        </div>
    }
}

/// The colours that the style sheet gives the map, as the browser makes them out.
fn read_palette(probes: &Element) -> Option<Palette> {
    let mut palette = Palette::default();
    for (index, ink) in palette.inks.iter_mut().enumerate() {
        let probe = probes.children().item(index as u32)?;
        *ink = Ink {
            ground: read_colour(&style_of(&probe, "background-color"))?,
            texture: read_colour(&style_of(&probe, "color"))?,
        };
    }
    let line = probes.children().item(FILLS.len() as u32)?;
    palette.line = read_colour(&style_of(&line, "color"))?;
    Some(palette)
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    #[test]
    fn parts_are_percentages_to_a_hundredth() {
        for (part, text) in
            [(0.0, "0.00%"), (0.75, "75.00%"), (0.123_45, "12.35%"), (1.0, "100.00%"), (0.000_5, "0.05%")]
        {
            assert_eq!(percent(part), text);
        }
    }

    #[test]
    fn an_axis_of_a_minute_has_round_ticks_and_one_below_zero_its_ends() {
        let labels = |range, px| ticks(range, px, 50.0).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels((0, 60_000_000), 300.0), ["0 s", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(labels((-10_000_000, 10_000_000), 300.0), ["−10.0 s", "0", "10.0 s"]);
    }
}
