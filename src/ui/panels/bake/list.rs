//! The bakes that run and wait, and what came of the last ones.

use std::path::Path;

use egui::{Align, Color32, Label, Layout, RichText, ScrollArea, Ui};

use crate::ui::bake_job::{Past, Stage, Written};
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::{format, theme, widgets};

/// Most files in sight at once; more are scrolled to.
const FILES: usize = 14;

/// Draws them; nothing where there has been none.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    if !editor.bake.running() && editor.bake.past.is_empty() {
        return;
    }
    ui.add_space(theme::GROUP_GAP);
    widgets::heading(ui, "Bakes");
    waiting(editor, ui);
    let mut shown = None;
    for past in &editor.bake.past {
        ui.push_id(past.of.number, |ui| {
            if self::past(ui, past) {
                shown = Some(past.of.out.clone());
            }
        });
    }
    if let Some(folder) = shown {
        editor.ask(Request::Reveal(folder));
    }
}

/// Those that run and wait.
fn waiting(editor: &mut Editor, ui: &mut Ui) {
    if let Stage::Running { share, what } = editor.bake.stage.clone() {
        let look = editor.bake.look.clone();
        let cancel = row(
            ui,
            &look,
            &format!("{:.0} % · {what}", share * 100.0),
            "Cancel the bake of",
        );
        if cancel {
            editor.bake.cancel();
        }
    }
    for next in editor.bake.queue.clone() {
        let text = format!(
            "waits · {} to {}",
            format::count(next.frames() as usize, "frame"),
            next.out.display()
        );
        let number = next.number;
        if ui
            .push_id(number, |ui| row(ui, &next.look, &text, "Do not bake"))
            .inner
        {
            editor.bake.withdraw(number);
        }
    }
}

/// A look, what is said of it, and a cross. Whether that was clicked.
fn row(ui: &mut Ui, look: &str, text: &str, cross: &str) -> bool {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
            let name = format!("{cross} {look}");
            let clicked = icons::small(ui, Icon::Close, &name, &name).clicked();
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.add(Label::new(RichText::new(look).color(theme::text())).wrap());
                widgets::note(ui, text);
            });
            clicked
        })
        .inner
    })
    .inner
}

/// What is said of a bake that has ended.
pub fn said(past: &Past) -> (String, Color32) {
    match &past.stage {
        Stage::Finished(written) => {
            let total: u64 = written.files.iter().map(|(_, size)| size).sum();
            let text = format!(
                "Wrote {} ({}) in {} s.",
                format::count(written.files.len(), "file"),
                format::bytes(total),
                format::number(f64::from((past.seconds * 10.0).round() / 10.0))
            );
            (text, theme::good())
        }
        Stage::Cancelled => ("Stopped. Nothing was written.".to_owned(), theme::warn()),
        Stage::Failed(message) => (
            format!("The bake did not finish: {message}"),
            theme::error(),
        ),
        Stage::Idle | Stage::Running { .. } => (String::new(), theme::weak()),
    }
}

/// A bake that has ended. Whether its folder is to be shown.
fn past(ui: &mut Ui, past: &Past) -> bool {
    let mut reveal = false;
    ui.add_space(theme::GAP);
    ui.add(Label::new(RichText::new(&past.of.look).color(theme::text())).wrap());
    let (text, color) = said(past);
    ui.add(
        Label::new(RichText::new(text).small().color(color))
            .wrap()
            .selectable(matches!(past.stage, Stage::Failed(_))),
    );
    if let Stage::Finished(written) = &past.stage {
        for note in &written.notes {
            widgets::colored_note(ui, note, theme::warn());
        }
        widgets::note(ui, &past.of.out.display().to_string());
        reveal = ui
            .small_button("Open folder")
            .on_hover_text(past.of.out.display().to_string())
            .clicked();
        files(ui, written);
    }
    reveal
}

fn files(ui: &mut Ui, written: &Written) {
    let height = ui.text_style_height(&egui::TextStyle::Small);
    ui.collapsing("Files", |ui| {
        let row = height + ui.spacing().item_spacing.y;
        ScrollArea::vertical()
            .id_salt("baked files")
            .max_height(row * FILES as f32)
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
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(
                RichText::new(format::bytes(size))
                    .small()
                    .color(theme::weak()),
            );
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(name).small().color(theme::text());
                ui.add(Label::new(text).truncate())
                    .on_hover_text(path.display().to_string());
            });
        });
    });
}
