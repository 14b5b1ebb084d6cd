//! Which method simulates and which solver finds its pressure: what each is good for, what it costs and what it honours.

mod card;
mod words;

use egui::Ui;

use crate::edit::Edit;
use crate::params::{self, label_from_name};
use crate::poisson::{self, SOLVERS, SolverInfo, SolverParams};
use crate::solvers::{METHODS, MethodParams, pressure_solver, system_solvers};
use crate::ui::editor::{Editor, Request};
use crate::ui::panels::{cost, presets as gallery};
use crate::ui::{presets, theme, widgets};
use card::{Card, Picture};

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "method", |ui| {
        methods(editor, ui);
        ui.add_space(theme::GAP);
        solvers(editor, ui);
    });
}

/// Says which of the chosen solvers are not made for this scene, and offers what is.
pub fn solver_warnings(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    for (path, chosen) in system_solvers(&document.method) {
        let place = SolverParams::OPTIONS.iter().position(|o| o.name == chosen);
        let Some(info) = place.map(|p| SOLVERS[p]) else {
            continue;
        };
        if let Some(text) = words::beyond(info, &document) {
            let system = label_from_name(path.split('.').next().unwrap_or_default());
            widgets::colored_note(ui, &format!("{system}: {text}"), theme::warn());
            as_preconditioner(editor, ui, info, &format!("method.{path}"));
            ui.add_space(theme::GAP);
        }
    }
}

/// Offers a solver that this scene is beyond as the preconditioner of one that is sure to come to the solution; `path` is that
/// of the choice.
fn as_preconditioner(editor: &mut Editor, ui: &mut Ui, info: &SolverInfo, path: &str) {
    let Some(other) = poisson::preconditioned_by(info.id) else {
        return;
    };
    let button = ui.button("Use as a preconditioner").on_hover_text(
        "Conjugate gradients with this solver in each iteration: they put right what it leaves round obstacles.",
    );
    if button.clicked() {
        let plain = SolverParams::from_index(other.index());
        let mut edits = editor
            .kept
            .choose(path, SolverParams::OPTIONS[other.index()].name);
        let place = path.trim_end_matches("kind");
        for change in params::differences(&plain, &other) {
            if let Some(value) = change.after {
                edits.push(Edit::Set(format!("{place}{}", change.path), value));
            }
        }
        let label = format!("{} as preconditioner", info.title);
        editor.ask(Request::Edit(label, edits));
    }
}

fn methods(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    let used = words::used(&document);
    let chosen = document.method.info().id;
    for (info, option) in METHODS.iter().zip(MethodParams::OPTIONS) {
        let mine = info.id == chosen;
        let picture = match presets::first_of(info.id) {
            Some(index) => Picture::Of(gallery::library_picture(editor, ui, index)),
            None => Picture::None,
        };
        let mean = cost::mean_ms(&editor.snapshot).filter(|_| mine);
        let cost = match mean {
            Some(ms) => {
                let budget = editor.panels.cost.budget.ms(document.time.frame_rate);
                words::measured(ms, budget, &document, &editor.snapshot.device)
            }
            None => words::declared(info.cost),
        };
        let dims: Vec<String> = info.dims.iter().map(|d| format!("{d}D")).collect();
        let card = Card {
            kind: "Method",
            title: info.title,
            beside: dims.join(", "),
            summary: info.summary,
            picture,
            chosen: mine,
            enabled: true,
        };
        let clicked = card.show(ui, |ui| {
            card::entry(ui, "Good for", info.good_for);
            card::entry(ui, "Not for", info.not_for);
            card::entry(ui, "Cost", &cost);
            card::entry(ui, "After", info.paper);
            card::features(ui, info, &used);
        });
        if clicked && !mine {
            let edits = editor.kept.choose("method.kind", option.name);
            editor.ask(Request::Edit(format!("Use {}", info.title), edits));
        }
        ui.add_space(theme::GAP);
    }
}

fn solvers(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    let pressure =
        pressure_solver(&document.method).map(|(path, chosen)| (format!("method.{path}"), chosen));
    widgets::heading(ui, "Pressure solvers");
    widgets::note(
        ui,
        match &pressure {
            Some(_) => "What keeps the flow from piling up. Click one to use it.",
            None => "What keeps the flow from piling up. This method solves for no pressure.",
        },
    );
    let ms = editor.snapshot.history.last().and_then(|p| p.pressure_ms());
    for (info, option) in SOLVERS.iter().zip(SolverParams::OPTIONS) {
        ui.add_space(theme::GAP);
        let mine = pressure.as_ref().is_some_and(|(_, c)| c == option.name);
        let card = Card {
            kind: "Pressure solver",
            title: info.title,
            beside: String::new(),
            summary: info.summary,
            picture: Picture::None,
            chosen: mine,
            enabled: pressure.is_some(),
        };
        let clicked = card.show(ui, |ui| {
            if let Some(ms) = ms.filter(|_| mine) {
                card::entry(ui, "Cost", &words::solve(ms));
            }
            card::entry(ui, "After", info.paper);
            if let Some(text) = words::beyond(info, &document) {
                widgets::colored_note(ui, text, theme::warn());
            }
        });
        let Some((path, _)) = &pressure else {
            continue;
        };
        if words::beyond(info, &document).is_some() {
            as_preconditioner(editor, ui, info, path);
        }
        if clicked && !mine {
            let edits = editor.kept.choose(path, option.name);
            editor.ask(Request::Edit(format!("Use {}", info.title), edits));
        }
    }
}
