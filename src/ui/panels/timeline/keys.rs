//! The keys of a lane, under the hand and the keyboard.

use egui::{Id, Key, Pos2, Rect, Response, Sense, Stroke, Ui, pos2, vec2};

use super::curve::Heights;
use super::hand::Lift;
use super::{Lane, Scale, hand};
use crate::document::Document;
use crate::ui::editor::{Editor, Request};
use crate::ui::inspector::shown;
use crate::ui::{diamond, theme};

/// Half the side of a key, and of where it can be taken.
const RADIUS: f32 = 5.5;
const REACH: f32 = 8.0;

/// Of the key at a position of a track.
pub(super) fn id(path: &str, index: usize) -> Id {
    Id::unique(("timeline key", path, index))
}

/// Draws the keys of a lane and lets them be picked and taken.
pub(super) fn ui(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    lane: &Lane,
    rect: Rect,
    scale: &Scale,
    heights: Option<Heights>,
) {
    let dt = f64::from(document.time.frame_dt()).max(1e-9);
    let painter = ui.painter().with_clip_rect(rect.expand2(vec2(0.0, 2.0)));
    for (k, key) in lane.track.keys.iter().enumerate() {
        let frame = (f64::from(key.time) / dt) as f32;
        let numbers = key.value.numbers();
        let y = match (heights, numbers) {
            (Some(heights), [v]) => heights.y(f64::from(*v)).clamp(rect.top(), rect.bottom()),
            _ => rect.center().y,
        };
        let at = pos2(scale.x(frame), y);
        if !rect.expand(REACH).contains(at) {
            continue;
        }
        let around = Rect::from_center_size(at, vec2(2.0 * REACH, 2.0 * REACH));
        let sense = Sense::click_and_drag();
        let response = ui.interact(
            around.intersect(ui.clip_rect()),
            id(&lane.track.path, k),
            sense,
        );
        let picked = editor.panels.timeline.is_picked(&lane.track.path, key.time);
        let value = key.value.as_kind(lane.present.spec.kind);
        let value = value
            .map(|v| shown(&lane.present.spec, &v))
            .unwrap_or_default();
        let name = format!(
            "Key of {} at frame {}",
            lane.label.to_lowercase(),
            frame.round()
        );
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, picked, &name));
        paint(&painter, at, picked, &response);
        operate(editor, ui, document, lane, k, scale, heights, &response);
        let drag = match heights {
            Some(_) if numbers.len() == 1 => {
                "Drag along for the time, up and down for the value, with Shift for one of them"
            }
            _ => "Drag to move",
        };
        response.on_hover_text(format!(
            "{} {value} at frame {} ({:.2} s)\n{drag}, Delete to delete, double click to go there.",
            lane.label,
            frame.round(),
            key.time
        ));
    }
}

fn paint(painter: &egui::Painter, at: Pos2, picked: bool, response: &Response) {
    let color = match (picked, response.hovered() || response.has_focus()) {
        (true, _) => theme::warn(),
        (_, true) => theme::bright(),
        _ => theme::accent(),
    };
    // A rim, so that it is seen on its own curve.
    diamond::paint(
        painter,
        at,
        RADIUS + 1.5,
        diamond::Fill::Whole,
        theme::panel(),
    );
    diamond::paint(painter, at, RADIUS, diamond::Fill::Whole, color);
    if response.has_focus() {
        painter.circle_stroke(at, RADIUS + 4.0, Stroke::new(1.0, theme::bright()));
    }
}

fn operate(
    editor: &mut Editor,
    ui: &Ui,
    document: &Document,
    lane: &Lane,
    k: usize,
    scale: &Scale,
    heights: Option<Heights>,
    response: &Response,
) {
    let this = (lane.track.path.clone(), lane.track.keys[k].time.to_bits());
    let frame = document.time.frame_at(f64::from(lane.track.keys[k].time));
    let timeline = &mut editor.panels.timeline;
    let more = ui.input(|i| i.modifiers.command || i.modifiers.shift);
    if response.drag_started() {
        if !timeline.picked.contains(&this) {
            if !more {
                timeline.picked.clear();
            }
            timeline.picked.insert(this.clone());
        }
        timeline.choose(&lane.track.path);
        let from = response
            .interact_pointer_pos()
            .map_or(frame as f32, |p| scale.frame(p.x));
        let pressed = ui.input(|i| i.pointer.press_origin());
        let lift = pressed.and_then(|p| Lift::of(lane, heights, p.y));
        let from = pressed.map_or(from, |p| scale.frame(p.x));
        hand::take(timeline, document, from, lift);
    } else if response.double_clicked() {
        editor.ask(Request::GoTo(frame));
    } else if response.clicked() {
        if !more {
            timeline.picked.clear();
        }
        if !(more && timeline.picked.remove(&this)) {
            timeline.picked.insert(this.clone());
        }
        timeline.choose(&lane.track.path);
    }
    if response.has_focus() {
        let filter = egui::EventFilter {
            horizontal_arrows: true,
            ..Default::default()
        };
        ui.memory_mut(|m| m.set_focus_lock_filter(response.id, filter));
        let (by, left, right, delete) = ui.input(|i| {
            (
                if i.modifiers.shift { 10 } else { 1 },
                i.key_pressed(Key::ArrowLeft),
                i.key_pressed(Key::ArrowRight),
                i.key_pressed(Key::Delete),
            )
        });
        if (left || right || delete) && !editor.panels.timeline.picked.contains(&this) {
            editor.panels.timeline.picked = [this].into();
        }
        if left != right {
            hand::nudge(editor, document, if left { -by } else { by });
        }
    }
}
