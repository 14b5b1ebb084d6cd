//! The bar above: from key to key, what can be done to the keys that are picked, and how fast time goes.

use egui::{ComboBox, Key, Ui};

use super::{Lane, hand};
use crate::document::Document;
use crate::document::animation::Interpolation;
use crate::params::{Choice, label_from_name};
use crate::sim::State;
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::{theme, widgets};

pub(super) fn ui(editor: &mut Editor, ui: &mut Ui, document: &Document, lanes: &[Lane]) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::BAR_HEIGHT - 4.0);
        ui.add_space(f32::from(theme::MARGIN));
        ui.spacing_mut().item_spacing.x = 4.0;
        steps(editor, ui, document);
        ui.add_space(theme::GAP);
        picked(editor, ui, document, lanes);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(f32::from(theme::MARGIN));
            speeds(editor, ui, document);
        });
    });
}

/// To the key before and after the present frame, of any track.
fn steps(editor: &mut Editor, ui: &mut Ui, document: &Document) {
    let (time, now) = (&document.time, editor.present_frame());
    let keys = document.animation.tracks.iter().flat_map(|t| &t.keys);
    let frames: Vec<u32> = keys.map(|k| time.frame_at(f64::from(k.time))).collect();
    let before = frames.iter().copied().filter(|f| *f < now).max();
    let after = frames.iter().copied().filter(|f| *f > now).min();
    for (to, text, name) in [
        (before, "‹ Key", "To the key before"),
        (after, "Key ›", "To the next key"),
    ] {
        let button = ui.add_enabled(to.is_some(), egui::Button::new(text).small());
        widgets::name(&button, name);
        if button.on_hover_text(name).clicked()
            && let Some(frame) = to
        {
            editor.ask(Request::GoTo(frame));
        }
    }
}

fn picked(editor: &mut Editor, ui: &mut Ui, document: &Document, lanes: &[Lane]) {
    let timeline = &editor.panels.timeline;
    let (any, copied) = (!timeline.picked.is_empty(), !timeline.copied.is_empty());
    ui.add_enabled_ui(any, |ui| {
        let now = hand::interpolation(&editor.panels.timeline, document);
        let mut chosen = None;
        let shown = now.map_or("Mixed".to_owned(), name_of);
        let response = ComboBox::from_id_salt("interpolation")
            .width(88.0)
            .selected_text(if any {
                shown
            } else {
                "Interpolation".to_owned()
            })
            .show_ui(ui, |ui| {
                for (i, option) in Interpolation::OPTIONS.iter().enumerate() {
                    let this = Interpolation::from_index(i);
                    let item = ui.selectable_label(now == Some(this), label_from_name(option.name));
                    if item.on_hover_text(option.doc).clicked() {
                        chosen = Some(this);
                    }
                }
            })
            .response;
        widgets::name(&response, "Interpolation of the picked keys");
        response.on_hover_text("How the picked keys go on to the next one.");
        if let Some(interpolation) = chosen {
            hand::interpolate(editor, document, lanes, interpolation);
        }
    });
    ui.add_enabled_ui(any, |ui| {
        if icons::small(
            ui,
            Icon::Duplicate,
            "Copy keys",
            "Copy the picked keys (Ctrl+C)",
        )
        .clicked()
        {
            hand::copy(editor, document);
        }
        if icons::small(
            ui,
            Icon::Delete,
            "Delete keys",
            "Delete the picked keys (Delete)",
        )
        .clicked()
        {
            hand::delete(editor, document);
        }
    });
    let button = ui.add_enabled(copied, egui::Button::new("Paste").small());
    widgets::name(&button, "Paste keys");
    let tip = "Put the copied keys in again, from the present frame on (Ctrl+V)";
    if button.on_hover_text(tip).clicked() {
        hand::paste(editor, document);
    }
    if editor.panels.timeline.view.is_some()
        && icons::small(ui, Icon::Fit, "Show all frames", "Show all frames").clicked()
    {
        editor.panels.timeline.view = None;
    }
}

fn name_of(interpolation: Interpolation) -> String {
    label_from_name(Interpolation::OPTIONS[interpolation.index()].name)
}

/// From right to left.
fn speeds(editor: &Editor, ui: &mut Ui, document: &Document) {
    let room = ui.available_width();
    if room < 150.0 {
        return;
    }
    let realtime = if !matches!(editor.snapshot.state, State::Paused) {
        format!("{:.2}× real time", editor.meter.realtime)
    } else {
        "paused".to_owned()
    };
    let tip = "Simulated seconds a second, as it goes now. 1× is real time.";
    widgets::fixed(ui, &realtime, 16, theme::text()).on_hover_text(tip);
    let (time, now) = (&document.time, editor.present_frame());
    if room > 340.0 {
        let seconds = format!("{:.2} s", time.seconds(now));
        widgets::fixed(ui, &seconds, 9, theme::weak()).on_hover_text("Simulated time");
        widgets::fixed(ui, &format!("frame {now}"), 12, theme::bright());
    }
    if room > 560.0 {
        let mut text = format!("range {} – {}", time.first_frame, time.end_frame);
        if time.warm_up > 0 {
            text.push_str(&format!(" after {} of warm-up", time.warm_up));
        }
        widgets::note(ui, &text).on_hover_text("Set in the Time panel.");
    }
}

/// Keys count while the pointer is over the panel, or one of its keys has the focus.
pub(super) fn keyboard(editor: &mut Editor, ui: &Ui, document: &Document, lanes: &[Lane]) {
    let over = ui.rect_contains_pointer(ui.max_rect());
    let focused = ui.memory(egui::Memory::focused);
    let on_key = focused.is_some_and(|id| {
        lanes
            .iter()
            .any(|l| (0..l.track.keys.len()).any(|k| super::keys::id(&l.track.path, k) == id))
    });
    if !(over && focused.is_none() || on_key) {
        return;
    }
    let (delete, copy, paste) = ui.input_mut(|i| {
        let none = egui::Modifiers::NONE;
        let delete = i.consume_key(none, Key::Delete) || i.consume_key(none, Key::Backspace);
        let copy = i.events.iter().any(|e| matches!(e, egui::Event::Copy));
        let paste = i.events.iter().any(|e| matches!(e, egui::Event::Paste(_)));
        (delete, copy, paste)
    });
    if delete {
        hand::delete(editor, document);
    }
    if copy && hand::copy(editor, document) {
        // The system says that something is pasted only where it has something.
        ui.ctx().copy_text("Keys of Eddy".to_owned());
    }
    if paste {
        hand::paste(editor, document);
    }
}
