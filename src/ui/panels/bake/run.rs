//! Where a bake goes to, how large it gets, how far it is, and what came of it.

use std::path::Path;
use std::sync::Arc;

use egui::{RichText, ScrollArea, TextEdit, Ui};

use crate::device::DeviceChoice;
use crate::document::Document;
use crate::ui::bake_job::{self, Stage, Written};
use crate::ui::editor::{Editor, Request};
use crate::ui::{format, theme, widgets};

/// Draws it.
pub fn ui(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) {
    let running = editor.bake.running();
    ui.add_enabled_ui(!running, |ui| {
        folder(editor, ui);
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new("Simulate on").color(theme::text()));
            let device = &mut editor.bake.device;
            ui.selectable_value(device, DeviceChoice::Cpu, "CPU")
                .on_hover_text("The same files every time, on every machine.");
            ui.selectable_value(device, DeviceChoice::Auto, "GPU if there is one")
                .on_hover_text("Faster; the last digits may differ between machines.");
        });
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
    let ready = estimate(editor, ui, document);
    ui.add_space(theme::GAP);
    if let Stage::Running { share, what } = editor.bake.stage.clone() {
        ui.horizontal(|ui| {
            if ui.button("Cancel").clicked() {
                editor.bake.cancel();
            }
            let bar = ui.add(
                egui::ProgressBar::new(share)
                    .desired_height(theme::ROW - 4.0)
                    .fill(theme::accent_fill())
                    .text(format!("{:.0} %", share * 100.0)),
            );
            widgets::name(&bar, "Bake progress");
        });
        widgets::note(ui, &format!("{}: {what}", editor.bake.look));
        return;
    }
    let ready = ready && editor.bake.target().is_some();
    ui.add_enabled_ui(ready, |ui| {
        if widgets::primary(ui, "Start bake").clicked() {
            bake_job::start(editor);
        }
    });
    outcome(editor, ui);
}

fn folder(editor: &mut Editor, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Folder").color(theme::text()));
        let response = ui.add_sized(
            [(ui.available_width() - 80.0).max(60.0), theme::ROW],
            TextEdit::singleline(&mut editor.bake.folder).align(egui::Align2::LEFT_CENTER),
        );
        widgets::name(&response, "Folder");
        if ui.button("Choose…").clicked() {
            editor.ask(Request::ChooseFolder);
        }
    });
    // What is typed may begin anywhere: this is where it ends up.
    match editor.bake.target() {
        Some(whole) if whole != Path::new(editor.bake.folder.trim()) => {
            widgets::note(ui, &format!("That is {}", whole.display()));
        }
        Some(_) => {}
        None => {
            widgets::colored_note(ui, "Name a folder for the files.", theme::warn());
        }
    }
}

/// Says what would be written; whether it can be.
fn estimate(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) -> bool {
    let estimate = editor.panels.bake.get(document).clone();
    match &estimate {
        Ok(e) => {
            let text = format!(
                "Writes {}, at most {}. Takes about {} of memory while it runs.",
                format::count(e.files as usize, "file"),
                format::bytes(e.bytes),
                format::bytes(e.memory_bytes)
            );
            widgets::note(ui, &text).on_hover_text(
                "Size before compression; PNG and EXR usually come out at a half or less. The count has the sidecar and the \
                 notes on importing in it.",
            );
        }
        Err(message) => {
            widgets::colored_note(ui, message, theme::warn());
        }
    }
    estimate.is_ok()
}

fn outcome(editor: &mut Editor, ui: &mut Ui) {
    match &editor.bake.stage {
        Stage::Cancelled => {
            widgets::colored_note(ui, "Stopped. Nothing was written.", theme::warn());
        }
        Stage::Failed(message) => {
            widgets::colored_note(ui, "The bake did not finish:", theme::error());
            ScrollArea::vertical()
                .id_salt("bake failure")
                .max_height(LIST)
                .show(ui, |ui| {
                    ui.add(
                        egui::Label::new(RichText::new(message).small())
                            .wrap()
                            .selectable(true),
                    );
                });
        }
        Stage::Finished(written) => finished(ui, written, editor.bake.seconds),
        Stage::Idle | Stage::Running { .. } => {}
    }
}

/// Height of the list of files.
const LIST: f32 = 120.0;

fn finished(ui: &mut Ui, written: &Written, seconds: f32) {
    let total: u64 = written.files.iter().map(|(_, size)| size).sum();
    widgets::colored_note(
        ui,
        &format!(
            "Wrote {} ({}) in {} s.",
            format::count(written.files.len(), "file"),
            format::bytes(total),
            format::number(f64::from((seconds * 10.0).round() / 10.0))
        ),
        theme::good(),
    );
    for note in &written.notes {
        widgets::colored_note(ui, note, theme::warn());
    }
    let height = ui.text_style_height(&egui::TextStyle::Small);
    ui.collapsing("Files", |ui| {
        ScrollArea::vertical()
            .id_salt("baked files")
            .max_height(LIST)
            .auto_shrink([false, true])
            .show_rows(ui, height, written.files.len(), |ui, rows| {
                for (path, size) in &written.files[rows] {
                    file(ui, path, *size);
                }
            });
    });
}

fn file(ui: &mut Ui, path: &Path, size: u64) {
    ui.horizontal(|ui| {
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(
                RichText::new(format::bytes(size))
                    .small()
                    .color(theme::weak()),
            );
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let text = RichText::new(name).small().color(theme::text());
                ui.add(egui::Label::new(text).truncate())
                    .on_hover_text(path.display().to_string());
            });
        });
    });
}
