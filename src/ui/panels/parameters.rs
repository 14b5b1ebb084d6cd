//! The parameters of the method.

use egui::Ui;

use crate::edit::Edit;
use crate::ui::editor::{Editor, Request};
use crate::ui::inspector::{Inspector, tree};
use crate::ui::{theme, widgets};

/// What is searched for.
#[derive(Default)]
pub struct Search {
    query: String,
    advanced: bool,
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "parameters", |ui| {
        let width = ui.available_width();
        widgets::search(
            ui,
            &mut editor.panels.parameters.query,
            "Search parameters",
            width,
        );
        ui.horizontal(|ui| {
            ui.checkbox(&mut editor.panels.parameters.advanced, "Show rarely used");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                reset_all(editor, ui);
            });
        });
        ui.add_space(theme::GAP);
        let document = editor.document().clone();
        let search = &editor.panels.parameters;
        let outcomes = Inspector {
            query: &search.query,
            advanced: search.advanced,
            kind_label: "Method",
            flat: document.scene.domain.cells_z <= 1,
            ..Inspector::default()
        }
        .show(ui, &document, "method");
        editor.outcomes(ui.ctx(), outcomes);
    });
}

/// Puts every parameter that differs from its default back, as one step.
fn reset_all(editor: &mut Editor, ui: &mut Ui) {
    let nodes = tree::collect(editor.document(), "method", &|_| false);
    let changed: Vec<Edit> = nodes
        .iter()
        .filter_map(|n| match n {
            tree::Node::Leaf { path, spec, value } if *value != spec.default => {
                Some(Edit::Set(path.clone(), spec.default.clone()))
            }
            _ => None,
        })
        .collect();
    let text = match changed.len() {
        0 => "All at default".to_owned(),
        n => format!("Reset {n} changed"),
    };
    let button = ui.add_enabled(!changed.is_empty(), egui::Button::new(text).small());
    if button.clicked() {
        editor.ask(Request::Edit("Reset parameters".to_owned(), changed));
    }
}
