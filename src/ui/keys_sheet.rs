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
    let room = ctx.content_rect().size();
    Window::new("Keys")
        .id(Id::unique("keys"))
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .min_width(750.0_f32.min(room.x - 60.0))
        // The title and the edges take the rest.
        .max_height((room.y - 90.0).max(80.0))
        .default_height(room.y)
        .vscroll(true)
        .show(ctx, |ui| {
            widgets::note(ui, "In the picture");
            // Beside the keys and the gap.
            let wide = (room.x - 60.0 - 150.0).min(560.0);
            table(
                ui,
                "by hand",
                wide,
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
                wide,
                actions.map(|a| (shortcuts::shown(ctx, *a), a.doc().to_owned())),
            );
        });
    editor.panels.keys_sheet = open;
}

/// Keys and what they do, which is wrapped where it is wider than so many points.
fn table(ui: &mut egui::Ui, id: &str, wide: f32, rows: impl Iterator<Item = (String, String)>) {
    Grid::new(id)
        .num_columns(2)
        .min_col_width(140.0)
        .max_col_width(wide)
        .spacing(vec2(24.0, 5.0))
        .show(ui, |ui| {
            for (keys, what) in rows {
                ui.label(RichText::new(keys).monospace().color(theme::bright()));
                ui.label(what);
                ui.end_row();
            }
        });
}
