//! What the viewport shows, in full.

use egui::Ui;

use super::viewport;
use crate::ui::editor::Editor;
use crate::ui::inspector::Inspector;
use crate::ui::widgets;

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "view", |ui| {
        let document = editor.document().clone();
        let fields: Vec<(String, String)> = viewport::fields(&document)
            .iter()
            .map(|f| (f.label.to_owned(), f.name.to_owned()))
            .collect();
        let outcomes = Inspector {
            advanced: true,
            suggest: &|path| (path == "view.field").then(|| fields.clone()),
            ..Inspector::default()
        }
        .show(ui, &document, "view");
        editor.outcomes(ui.ctx(), outcomes);
    });
}
