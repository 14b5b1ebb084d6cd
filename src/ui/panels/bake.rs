//! Textures for engines: what to write, where, how large it gets, and how far it is.

use std::sync::Arc;

use egui::{RichText, TextEdit, Ui};

use crate::bake::{self, Estimate};
use crate::device::DeviceChoice;
use crate::document::Document;
use crate::edit::Edit;
use crate::ui::bake_job::{self, Stage, Written};
use crate::ui::editor::{Editor, Request};
use crate::ui::inspector::Inspector;
use crate::ui::{format, theme, widgets};

/// What was estimated last, and for what.
#[derive(Default)]
pub struct Sizes {
    of: Option<(Arc<Document>, Result<Estimate, String>)>,
}

impl Sizes {
    /// The estimate for a document; worked out anew only where the document is another one.
    fn get(&mut self, document: &Arc<Document>) -> &Result<Estimate, String> {
        if let Some((known, _)) = &self.of
            && !Arc::ptr_eq(known, document)
        {
            self.of = None;
        }
        let (_, estimate) = self.of.get_or_insert_with(|| {
            let frames = document.time.first_frame..document.time.end_frame;
            let estimate = bake::estimate(document, frames).map_err(|e| e.to_string());
            (Arc::clone(document), estimate)
        });
        estimate
    }
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "bake", |ui| {
        let document = editor.document().clone();
        run(editor, ui, &document);
        ui.add_space(theme::GROUP_GAP);
        ui.separator();
        let running = editor.bake.running();
        ui.add_enabled_ui(!running, |ui| {
            if document.bake.outputs.is_empty() {
                usual(editor, ui, &document);
            }
            let channels = channels(&document);
            let outcomes = Inspector {
                advanced: true,
                lists: &["outputs"],
                suggest: &|path| {
                    let channel = ["red", "green", "blue", "alpha"]
                        .iter()
                        .any(|c| path.ends_with(&format!(".{c}")));
                    channel.then(|| channels.clone())
                },
                ..Inspector::default()
            }
            .show(ui, &document, "bake");
            editor.outcomes(ui.ctx(), outcomes);
        });
    });
}

/// Offers what most people want.
fn usual(editor: &mut Editor, ui: &mut Ui, document: &Document) {
    widgets::note(
        ui,
        "Nothing is written yet. Add outputs one by one, or begin with these:",
    );
    let outputs = bake::default_outputs(document.method.info().fields);
    let names: Vec<&str> = outputs.iter().map(|o| o.name.as_str()).collect();
    if ui.button(format!("Add {}", names.join(" and "))).clicked() {
        let edits = outputs
            .into_iter()
            .map(|o| Edit::AddOutput(Box::new(o)))
            .collect();
        editor.ask(Request::Edit("Add outputs".to_owned(), edits));
    }
}

/// What may go into a channel, as shown and as written.
fn channels(document: &Document) -> Vec<(String, String)> {
    let mut all = vec![
        ("nothing".to_owned(), String::new()),
        ("zero".to_owned(), "0".to_owned()),
        ("one".to_owned(), "1".to_owned()),
    ];
    for field in document.method.info().fields {
        if field.components == 1 {
            all.push((field.label.to_owned(), field.name.to_owned()));
            continue;
        }
        let parts = ["x", "y", "z"].iter().take(field.components as usize);
        for part in parts.chain(std::iter::once(&"length")) {
            all.push((
                format!("{} {part}", field.label),
                format!("{}.{part}", field.name),
            ));
        }
    }
    all
}

fn run(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) {
    let running = editor.bake.running();
    ui.add_enabled_ui(!running, |ui| {
        ui.label(RichText::new("Folder").color(theme::TEXT));
        ui.horizontal(|ui| {
            let response = ui.add_sized(
                [ui.available_width() - 84.0, theme::ROW],
                TextEdit::singleline(&mut editor.bake.folder).align(egui::Align2::LEFT_CENTER),
            );
            widgets::name(&response, "Folder");
            if ui.button("Choose…").clicked() {
                editor.ask(Request::ChooseFolder);
            }
        });
        ui.horizontal(|ui| {
            ui.label("Simulate on");
            let device = &mut editor.bake.device;
            ui.selectable_value(device, DeviceChoice::Cpu, "CPU")
                .on_hover_text("The same files every time, on every machine.");
            ui.selectable_value(device, DeviceChoice::Auto, "GPU if there is one")
                .on_hover_text("Faster; the last digits may differ between machines.");
        });
    });
    ui.add_space(theme::GAP);
    let frames = document
        .time
        .end_frame
        .saturating_sub(document.time.first_frame);
    widgets::note(
        ui,
        &format!(
            "Frames {} to {} ({}). The range is set under Time.",
            document.time.first_frame,
            document.time.end_frame,
            format::count(frames as usize, "frame")
        ),
    );
    ui.add_space(theme::GAP);
    stage(editor, ui, document);
}

fn stage(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) {
    if let Stage::Running { share, what } = editor.bake.stage.clone() {
        let bar = ui.add(
            egui::ProgressBar::new(share)
                .desired_height(theme::ROW - 6.0)
                .fill(theme::ACCENT_FILL)
                .text(format!("{:.0} %", share * 100.0)),
        );
        widgets::name(&bar, "Bake progress");
        ui.horizontal(|ui| {
            if ui.button("Cancel").clicked() {
                editor.bake.cancel();
            }
            ui.label(RichText::new(what).small().color(theme::WEAK));
        });
        return;
    }
    let estimate = editor.panels.bake.get(document).clone();
    match &estimate {
        Ok(e) => {
            let text = format!(
                "About {}, up to {}, {} of memory on the way.",
                format::count(e.files as usize, "file"),
                format::bytes(e.bytes),
                format::bytes(e.memory_bytes)
            );
            widgets::note(ui, &text);
        }
        Err(message) => {
            widgets::colored_note(ui, message, theme::WARN);
        }
    }
    let ready = estimate.is_ok() && !editor.bake.folder.trim().is_empty();
    ui.add_enabled_ui(ready, |ui| {
        if widgets::primary(ui, "Start bake").clicked() {
            bake_job::start(editor);
        }
    });
    match &editor.bake.stage {
        Stage::Cancelled => {
            widgets::colored_note(ui, "Stopped. Nothing was written.", theme::WARN);
        }
        Stage::Failed(message) => {
            widgets::colored_note(ui, "The bake did not finish:", theme::ERROR);
            ui.add(
                egui::Label::new(RichText::new(message).small())
                    .wrap()
                    .selectable(true),
            );
        }
        Stage::Finished(written) => finished(ui, written, editor.bake.seconds),
        Stage::Idle | Stage::Running { .. } => {}
    }
}

/// Most files that are listed.
const MOST: usize = 40;

fn finished(ui: &mut Ui, written: &Written, seconds: f32) {
    let total: u64 = written.files.iter().map(|(_, size)| size).sum();
    widgets::colored_note(
        ui,
        &format!(
            "Wrote {} ({}) in {} s.",
            format::count(written.files.len(), "file"),
            format::bytes(total),
            format::number(f64::from(seconds))
        ),
        theme::GOOD,
    );
    for note in &written.notes {
        widgets::colored_note(ui, note, theme::WARN);
    }
    for (path, size) in written.files.iter().take(MOST) {
        ui.horizontal(|ui| {
            let name = path
                .file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default();
            ui.label(RichText::new(name).small().color(theme::TEXT))
                .on_hover_text(path.display().to_string());
            ui.label(
                RichText::new(format::bytes(*size))
                    .small()
                    .color(theme::WEAK),
            );
        });
    }
    if written.files.len() > MOST {
        widgets::note(ui, &format!("… and {} more", written.files.len() - MOST));
    }
}
