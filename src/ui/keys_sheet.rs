//! All keys on one sheet.

use egui::{Align2, Context, Grid, Id, RichText, Window, vec2};

use crate::edit::Action;

use super::editor::Editor;
use super::{shortcuts, theme, widgets};

/// What the hand does in the picture, which no action stands for.
const BY_HAND: &[(&str, &str)] = &[
    ("Drag", "Stir, with the brush of the bar above"),
    (
        "Alt+click",
        "Choose what lies there; a click does with the select tool",
    ),
    (
        "Drag a handle",
        "Move, scale or turn; Ctrl: finer, Shift: evenly, Esc: as before",
    ),
    ("Arrows", "Move what is chosen by a cell; with Shift by ten"),
    (
        "Double-click a path",
        "A new point there; Delete takes the chosen one away",
    ),
    ("Wheel", "Zoom about the pointer"),
    (
        "Middle drag",
        "Move the picture; so does a drag with Space held",
    ),
];

/// Draws it, if it is open.
pub fn show(editor: &mut Editor, ctx: &Context) {
    let mut open = editor.panels.keys_sheet;
    if !open {
        return;
    }
    open &= !ctx.input_mut(|i| i.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
    Window::new("Keys")
        .id(Id::unique("keys"))
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .show(ctx, |ui| {
            ui.set_min_width(500.0);
            widgets::note(ui, "In the picture");
            table(
                ui,
                "by hand",
                BY_HAND
                    .iter()
                    .map(|(k, d)| ((*k).to_owned(), (*d).to_owned())),
            );
            ui.add_space(theme::GROUP_GAP);
            widgets::note(ui, "Everywhere");
            let actions = Action::ALL.iter().filter(|a| !a.keys().is_empty());
            table(
                ui,
                "actions",
                actions.map(|a| (shortcuts::shown(ctx, *a), a.doc().to_owned())),
            );
        });
    editor.panels.keys_sheet = open;
}

fn table(ui: &mut egui::Ui, id: &str, rows: impl Iterator<Item = (String, String)>) {
    Grid::new(id)
        .num_columns(2)
        .spacing(vec2(24.0, 5.0))
        .show(ui, |ui| {
            for (keys, what) in rows {
                ui.label(RichText::new(keys).monospace().color(theme::bright()));
                ui.label(what);
                ui.end_row();
            }
        });
}
