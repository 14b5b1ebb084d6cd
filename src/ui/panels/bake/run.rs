//! Where a bake goes to, how large it gets and how long it takes; and the bar that starts it and shows how far it is.

use std::path::Path;
use std::sync::Arc;

use egui::{Align, Label, Layout, RichText, TextEdit, Ui, vec2};

use crate::device::DeviceChoice;
use crate::document::Document;
use crate::ui::bake_job::{self, Stage};
use crate::ui::editor::{Editor, Request};
use crate::ui::{format, theme, widgets};

/// Draws folder, device, range and what they come to.
pub fn target(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) {
    folder(editor, ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Simulate on").color(theme::text()));
        let device = &mut editor.bake.device;
        ui.selectable_value(device, DeviceChoice::Cpu, "CPU")
            .on_hover_text("The same files every time, on every machine.");
        ui.selectable_value(device, DeviceChoice::Auto, "GPU if there is one")
            .on_hover_text("Faster; the last digits may differ between machines.");
    });
    let (first, end) = (document.time.first_frame, document.time.end_frame);
    let frames = format::count(end.saturating_sub(first) as usize, "frame");
    widgets::note(
        ui,
        &format!(
            "{frames}: {first} to {}. The Time panel sets them.",
            end.saturating_sub(1)
        ),
    );
    match editor.panels.bake.get(document).clone() {
        Ok(e) => {
            let time = match seconds(editor, document) {
                Some(s) => format!(" Takes about {}.", format::duration(s)),
                None => String::new(),
            };
            let text = format!(
                "Writes {}, at most {}.{time} Needs about {} of memory while it runs.",
                format::count(e.files as usize, "file"),
                format::bytes(e.bytes),
                format::bytes(e.memory_bytes)
            );
            widgets::note(ui, &text).on_hover_text(
                "Size before compression; PNG and EXR usually come out at a half or less. The count has the sidecar and the \
                 notes on importing in it. The time is what the simulation takes now, for all frames, with the warm-up.",
            );
        }
        Err(message) => {
            widgets::colored_note(ui, &message, theme::warn());
        }
    }
}

/// How long the simulation of all frames takes at its present speed, s; none before there has been a frame.
fn seconds(editor: &Editor, document: &Document) -> Option<f64> {
    let last = editor.snapshot.history.len().min(30);
    let recent = editor.snapshot.history.iter().rev().take(last);
    let sum: f64 = recent.map(|p| f64::from(p.frame_ms)).sum();
    let frames = f64::from(document.time.warm_up) + f64::from(document.time.end_frame);
    (last > 0 && sum > 0.0).then(|| sum / last as f64 * frames * 1e-3)
}

fn folder(editor: &mut Editor, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Folder").color(theme::text()));
        let button = widgets::text_width(ui, "Choose…") + 2.0 * ui.spacing().button_padding.x;
        let width = ui.available_width() - button - ui.spacing().item_spacing.x;
        let response = ui.add_sized(
            [width.max(60.0), theme::ROW],
            TextEdit::singleline(&mut editor.bake.folder).align(egui::Align2::LEFT_CENTER),
        );
        widgets::name(&response, "Folder");
        if ui.button("Choose…").clicked() {
            editor.ask(Request::ChooseFolder);
        }
    });
    // What is typed may begin anywhere: this is where it ends up.
    match editor.bake.target(editor.file.as_deref()) {
        Some(whole) if whole != Path::new(editor.bake.folder.trim()) => {
            widgets::note(ui, &format!("That is {}", whole.display()));
        }
        Some(_) => {}
        None => {
            widgets::colored_note(ui, "Name a folder for the files.", theme::warn());
        }
    }
}

/// Width of the button that starts a bake, whatever stands on it.
const START: f32 = 112.0;

/// Draws the bar: one line that says how it goes, one with what can be done. Both keep their places.
pub fn bar(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) {
    let out = editor.bake.target(editor.file.as_deref());
    let ready = editor.panels.bake.get(document).is_ok() && out.is_some();
    let running = editor.bake.running();
    line(editor, ui, document, out.as_deref());
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW);
        let text = if running {
            "Add to queue"
        } else {
            "Start bake"
        };
        let tip = match running {
            true => "Bakes the look as it is now, after those that run and wait",
            false => "Bakes the look as it is now",
        };
        ui.add_enabled_ui(ready, |ui| {
            let button = egui::Button::new(RichText::new(text).color(theme::bright()))
                .fill(theme::accent_fill())
                .min_size(vec2(START, theme::ROW));
            if ui.add(button).on_hover_text(tip).clicked() {
                bake_job::start(editor);
            }
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Stage::Running { share, .. } = editor.bake.stage {
                if ui.button("Cancel").clicked() {
                    editor.bake.cancel();
                }
                let width = ui.available_width();
                let bar = ui.add(
                    egui::ProgressBar::new(share)
                        .desired_width(width)
                        .desired_height(theme::ROW - 4.0)
                        .fill(theme::accent_fill())
                        .text(format!("{:.0} %", share * 100.0)),
                );
                widgets::name(&bar, "Bake progress");
            } else if let Some(past) = editor.bake.outcome(document, out.as_deref())
                && matches!(past.stage, Stage::Finished(_))
            {
                let out = past.of.out.clone();
                if ui.button("Open folder").clicked() {
                    editor.ask(Request::Reveal(out));
                }
            }
        });
    });
}

/// How it goes, in a line.
fn line(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>, out: Option<&Path>) {
    let estimate = editor.panels.bake.get(document).clone();
    let outcome = editor.bake.outcome(document, out);
    let (text, color) = match (&editor.bake.stage, outcome) {
        (Stage::Running { what, .. }, _) => {
            let more = match editor.bake.queue.len() {
                0 => String::new(),
                n => format!(" · {n} more"),
            };
            (format!("{}: {what}{more}", editor.bake.look), theme::weak())
        }
        (_, Some(past)) => super::list::said(past),
        _ => match &estimate {
            Ok(e) => {
                let files = format::count(e.files as usize, "file");
                (
                    format!("{files}, at most {}", format::bytes(e.bytes)),
                    theme::weak(),
                )
            }
            Err(message) => (message.clone(), theme::warn()),
        },
    };
    let text = RichText::new(text).small().color(color);
    ui.add_sized(
        [ui.available_width(), 16.0],
        Label::new(text).truncate().halign(Align::LEFT),
    );
}
