//! What was done, to go back to.

use egui::{RichText, Ui};

use crate::edit::Action;
use crate::ui::editor::{Editor, Request};
use crate::ui::{theme, widgets};

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "history", |ui| {
        ui.horizontal(|ui| {
            let undo = ui.add_enabled(editor.history.can_undo(), egui::Button::new("Undo"));
            if undo.clicked() {
                editor.act(Action::Undo);
            }
            let redo = ui.add_enabled(editor.history.can_redo(), egui::Button::new("Redo"));
            if redo.clicked() {
                editor.act(Action::Redo);
            }
        });
        ui.add_space(theme::GAP);
        let labels: Vec<String> = editor.history.labels().map(str::to_owned).collect();
        let now = editor.history.position();
        for (i, label) in labels.iter().enumerate().rev() {
            let color = if i == now {
                theme::bright()
            } else if i > now {
                theme::weak()
            } else {
                theme::text()
            };
            let text = RichText::new(label).color(color);
            let row = ui.push_id(i, |ui| {
                let size = egui::vec2(ui.available_width(), theme::ROW);
                let left = egui::Layout::left_to_right(egui::Align::Center)
                    .with_main_justify(true)
                    .with_main_align(egui::Align::LEFT);
                let button = egui::Button::selectable(i == now, text).truncate();
                ui.allocate_ui_with_layout(size, left, |ui| ui.add(button))
            });
            if row.inner.inner.clicked() && i != now {
                editor.ask(Request::Step(i));
            }
        }
        if labels.len() == 1 {
            widgets::empty(
                ui,
                "Nothing has been changed yet",
                "Every change appears here. Click one to go back to it.",
            );
        }
    });
}
