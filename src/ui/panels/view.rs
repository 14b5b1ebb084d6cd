//! The look's name, and what the viewport shows, in full.

use egui::Ui;

use super::viewport;
use crate::document::ViewSettings;
use crate::ui::editor::Editor;
use crate::ui::inspector::Inspector;
use crate::ui::{theme, widgets};

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "view", |ui| {
        let document = editor.document().clone();
        let outcomes = Inspector::default().show(ui, &document, "");
        editor.outcomes(ui.ctx(), outcomes);
        ui.add_space(theme::GAP);
        ui.separator();
        let fields: Vec<(String, String)> = viewport::fields(&document)
            .iter()
            .map(|f| (f.label.to_owned(), f.name.to_owned()))
            .collect();
        let outcomes = Inspector {
            advanced: true,
            hidden: &|path| is_idle(&document.view, path),
            suggest: &|path| (path == "view.field").then(|| fields.clone()),
            ..Inspector::default()
        }
        .show(ui, &document, "view");
        editor.outcomes(ui.ctx(), outcomes);
    });
}

/// Whether a setting has no effect as the others are.
fn is_idle(view: &ViewSettings, path: &str) -> bool {
    match path {
        "view.range_low" | "view.range_high" => view.auto_range,
        "view.paper" => !view.ink,
        _ => false,
    }
}
