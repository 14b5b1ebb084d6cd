//! Which method simulates and which solver finds its pressure: what each is good for, what it costs and what it honours.

mod card;
mod words;

use egui::Ui;

use crate::document::Document;
use crate::poisson::{SOLVERS, SolverParams};
use crate::solvers::{METHODS, MethodParams, pressure_solver};
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

/// What the chosen pressure solver is not made for in this scene.
pub fn pressure_warning(document: &Document) -> Option<&'static str> {
    let (_, chosen) = pressure_solver(&document.method)?;
    let place = SolverParams::OPTIONS
        .iter()
        .position(|o| o.name == chosen)?;
    words::beyond(SOLVERS[place], document)
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
        if clicked
            && !mine
            && let Some((path, _)) = &pressure
        {
            let edits = editor.kept.choose(path, option.name);
            editor.ask(Request::Edit(format!("Use {}", info.title), edits));
        }
    }
}
