//! Questions: about what would be lost, and about what a crash has left.

use egui::{Align, Frame, Id, Layout, Margin, RichText, Ui};

use crate::edit::Action;

use super::editor::{Editor, Guarded, Request};
use super::{files, rescue, theme, widgets};

/// Questions. They lie over the panels: nothing moves when one comes or goes.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    match editor.guard {
        // It is done: what came of it is to be seen before the window closes.
        Some(Guarded::Bake) if !editor.bake.running() => editor.guard = None,
        Some(Guarded::Request(_) | Guarded::Close) if !editor.history.is_dirty() => {
            // It was saved, or undone, meanwhile.
            answer(editor, ui, true);
        }
        _ => {}
    }
    // A path that is being typed is part of the answer.
    if editor.conflict.is_some() && editor.path_field.is_none() {
        conflict(editor, ui);
    } else if editor.guard == Some(Guarded::Bake) {
        baking(editor, ui);
    } else if editor.guard.is_some() && editor.path_field.is_none() {
        unsaved(editor, ui);
    } else if !editor.rescue.left.is_empty() {
        recovered(editor, ui);
    }
}

fn unsaved(editor: &mut Editor, ui: &mut Ui) {
    let name = editor.document().name.clone();
    let (mut save, mut discard, mut keep) = (false, false, false);
    widgets::modal("unsaved", ui.ctx()).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        heading(ui, &format!("“{name}” has unsaved changes"));
        widgets::note(ui, "They are lost if you go on without saving.");
        ui.add_space(theme::GROUP_GAP);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            save = widgets::primary(ui, "Save first").clicked();
            discard = ui.button("Discard changes").clicked();
            keep = ui.button("Keep editing").clicked();
        });
    });
    if save {
        editor.act(Action::Save);
    } else if discard {
        answer(editor, ui, true);
    } else if keep || widgets::escaped(ui.ctx()) {
        answer(editor, ui, false);
    }
}

fn conflict(editor: &mut Editor, ui: &mut Ui) {
    let Some(save) = &editor.conflict else { return };
    let name = save.name();
    let (mut overwrite, mut elsewhere, mut cancel) = (false, false, false);
    widgets::modal("conflict", ui.ctx()).show(ui.ctx(), |ui| {
        ui.set_width(440.0);
        heading(ui, &format!("“{name}” was changed by another program"));
        widgets::note(ui, "Saving replaces what that program has written there.");
        ui.add_space(theme::GROUP_GAP);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            elsewhere = widgets::primary(ui, "Save as…").clicked();
            overwrite = ui.button("Replace it").clicked();
            cancel = ui.button("Do not save").clicked();
        });
    });
    if overwrite || elsewhere {
        files::settle(editor, overwrite);
        if elsewhere {
            editor.act(Action::SaveAs);
        }
    } else if cancel || widgets::escaped(ui.ctx()) {
        files::settle(editor, false);
        editor.guard = None;
    }
}

fn baking(editor: &mut Editor, ui: &mut Ui) {
    let (mut close, mut keep) = (false, false);
    widgets::modal("baking", ui.ctx()).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        heading(ui, "A bake is running");
        widgets::note(ui, "No textures are written before it is done.");
        ui.add_space(theme::GROUP_GAP);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            keep = widgets::primary(ui, "Keep baking").clicked();
            close = ui.button("Stop it and close").clicked();
        });
    });
    if close {
        editor.close(ui.ctx());
    } else if keep || widgets::escaped(ui.ctx()) {
        editor.guard = None;
    }
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(
        RichText::new(text)
            .text_style(egui::TextStyle::Heading)
            .color(theme::bright()),
    );
}

/// What a crash has left: can be left standing while one works.
fn recovered(editor: &mut Editor, ui: &mut Ui) {
    let Some(left) = editor.rescue.left.last() else {
        return;
    };
    let more = match editor.rescue.left.len() {
        1 => String::new(),
        n => format!(" Nor were {} more.", n - 1),
    };
    let text = format!(
        "“{}” was not saved when Eddy ended last time.{more}",
        left.document.name
    );
    let (mut open, mut forget) = (false, false);
    egui::Area::new(Id::unique("recovery"))
        .anchor(egui::Align2::CENTER_TOP, egui::vec2(0.0, 108.0))
        .order(egui::Order::Middle)
        .show(ui.ctx(), |ui| {
            Frame::new()
                .fill(theme::bar())
                .stroke(egui::Stroke::new(1.0, theme::accent().gamma_multiply(0.7)))
                .corner_radius(theme::CORNER)
                .shadow(ui.visuals().popup_shadow)
                .inner_margin(Margin::symmetric(12, 8))
                .show(ui, |ui| {
                    ui.horizontal(|ui| {
                        ui.label(text);
                        open = widgets::primary(ui, "Open it").clicked();
                        forget = ui.button("Discard it").clicked();
                    });
                });
        });
    if open {
        editor.ask(Request::Recovered);
    } else if forget {
        rescue::forget(editor);
    }
}

fn answer(editor: &mut Editor, ui: &Ui, go_on: bool) {
    match editor.guard.take() {
        Some(Guarded::Request(request)) if go_on => editor.fulfil_now(ui.ctx(), request),
        Some(Guarded::Close) if go_on => editor.quit(ui.ctx()),
        _ => {}
    }
}
