//! The parameters of the method.

use egui::Ui;

use crate::edit::Edit;
use crate::params;
use crate::poisson::SOLVERS;
use crate::solvers::METHODS;
use crate::solvers::MethodParams;
use crate::ui::editor::{Editor, Request};
use crate::ui::inspector::Inspector;
use crate::ui::panels::method;
use crate::ui::{format, theme, widgets};

/// What is searched for.
#[derive(Default)]
pub struct Search {
    query: String,
    advanced: bool,
}

impl Search {
    /// Shows what has that name.
    pub fn look_for(&mut self, name: &str) {
        name.clone_into(&mut self.query);
        self.advanced = true;
    }
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
        method::solver_warnings(editor, ui);
        let document = editor.document().clone();
        let search = &editor.panels.parameters;
        let outcomes = Inspector {
            query: &search.query,
            advanced: search.advanced,
            kind_label: "Method",
            flat: document.scene.domain.cells_z <= 1,
            frame: Some((&document, editor.present_frame())),
            option: &title,
            ..Inspector::default()
        }
        .show(ui, &document, "method");
        editor.outcomes(ui.ctx(), outcomes);
    });
}

/// What a method or a solver is called on its card.
fn title(path: &str, name: &str) -> Option<&'static str> {
    let is = |id: &str| id.replace('_', "") == name.to_lowercase();
    match path {
        "method.kind" => METHODS.iter().find(|m| is(m.id)).map(|m| m.title),
        _ if path.ends_with(".kind") => SOLVERS.iter().find(|s| is(s.id)).map(|s| s.title),
        _ => None,
    }
}

/// Two ways back, each one step of the history: to the look as it was opened, and to the method's own defaults, which
/// is another look.
fn reset_all(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    let opened = editor.opened().clone();
    let changes_to = |method: &MethodParams| params::differences(&document.method, method).len();
    let with = |method: MethodParams| {
        let mut other = (*document).clone();
        other.method = method;
        vec![Edit::Replace(Box::new(other))]
    };
    ui.menu_button("Reset…", |ui| {
        let changes = changes_to(&opened.method);
        let text = format!(
            "{} since “{}” was opened",
            format::count(changes, "change"),
            opened.name
        );
        let button = ui
            .add_enabled(changes > 0, egui::Button::new(text))
            .on_hover_text("Puts the parameters back to what they were when the look was opened.");
        if button.clicked() {
            let edits = with(opened.method.clone());
            editor.ask(Request::Edit("Back to the look".to_owned(), edits));
            ui.close();
        }
        let Some(defaults) = MethodParams::from_id(document.method.info().id) else {
            return;
        };
        let changes = changes_to(&defaults);
        let button = ui
            .add_enabled(
                changes > 0,
                egui::Button::new(format!("All {changes} that differ from the defaults")),
            )
            .on_hover_text(
                "Puts every parameter to the method's default. The look becomes another one.",
            );
        if button.clicked() {
            let edits = with(defaults);
            editor.ask(Request::Edit("Back to the defaults".to_owned(), edits));
            ui.close();
        }
    });
}
