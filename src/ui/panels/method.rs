//! Which method simulates, and what it can do.

use egui::{Frame, Margin, RichText, Sense, Stroke, Ui, UiBuilder};

use crate::edit::Edit;
use crate::params::label_from_name;
use crate::poisson::SOLVERS;
use crate::solvers::{Feature, METHODS, MethodInfo};
use crate::ui::editor::{Editor, Request};
use crate::ui::{theme, widgets};

/// Parts of the scene, in the order in which they are listed.
const FEATURES: &[Feature] = &[
    Feature::Dye,
    Feature::Temperature,
    Feature::Velocity,
    Feature::Gravity,
    Feature::Obstacles,
    Feature::MovingObstacles,
    Feature::Motors,
    Feature::OpenFaces,
    Feature::InflowFaces,
    Feature::PeriodicFaces,
];

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "method", |ui| {
        let chosen = editor.document().method.info().id;
        for info in METHODS {
            if card(ui, info, info.id == chosen) && info.id != chosen {
                let label = format!("Use {}", info.title);
                editor.ask(Request::Edit(label, vec![Edit::Method(info.id.to_owned())]));
            }
            ui.add_space(theme::GAP);
        }
        ui.add_space(theme::GAP);
        widgets::heading(ui, "Pressure solvers");
        widgets::note(
            ui,
            "What keeps the flow from piling up. Choose one among the parameters.",
        );
        for solver in SOLVERS {
            ui.add_space(theme::GAP);
            ui.label(RichText::new(solver.title).color(theme::text()));
            widgets::note(ui, solver.summary);
            paper(ui, solver.paper);
        }
    });
}

fn card(ui: &mut Ui, info: &MethodInfo, chosen: bool) -> bool {
    let edge = if chosen {
        theme::accent()
    } else {
        theme::line()
    };
    let response = ui
        .scope_builder(
            UiBuilder::new().id_salt(info.id).sense(Sense::click()),
            |ui| {
                Frame::new()
                    .fill(theme::bar())
                    .stroke(Stroke::new(1.0, edge))
                    .corner_radius(theme::CORNER)
                    .inner_margin(Margin::same(theme::MARGIN))
                    .show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        ui.horizontal(|ui| {
                            ui.label(RichText::new(info.title).color(theme::bright()).strong());
                            let dims: Vec<String> =
                                info.dims.iter().map(|d| format!("{d}D")).collect();
                            ui.label(RichText::new(dims.join(", ")).small().color(theme::weak()));
                        });
                        ui.add(egui::Label::new(info.summary).wrap());
                        paper(ui, info.paper);
                        ui.add_space(theme::GAP);
                        features(ui, info);
                    });
            },
        )
        .response;
    widgets::name(&response, &format!("Method {}", info.title));
    response.clicked()
}

fn paper(ui: &mut Ui, text: &str) {
    if !text.is_empty() {
        widgets::note(ui, &format!("After {text}"));
    }
}

/// What of the scene the method honours; what it leaves out is listed too.
fn features(ui: &mut Ui, info: &MethodInfo) {
    let names = |honoured: bool| -> Vec<String> {
        FEATURES
            .iter()
            .filter(|f| info.honours.contains(f) == honoured)
            .map(|f| label_from_name(f.name()).to_lowercase())
            .collect()
    };
    let honoured = names(true);
    if !honoured.is_empty() {
        widgets::colored_note(ui, &format!("Uses {}", honoured.join(", ")), theme::good());
    }
    let ignored = names(false);
    if !ignored.is_empty() {
        widgets::note(ui, &format!("Leaves out {}", ignored.join(", ")));
    }
}
