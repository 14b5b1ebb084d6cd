//! The question about a document that needs more memory than is taken without asking.

use egui::{Rect, RichText, Stroke, Ui, UiBuilder, pos2, vec2};

use crate::bake::free_memory;
use crate::document::Document;
use crate::edit::{Action, Edit};
use crate::params::Value;
use crate::sim::Command;
use crate::ui::editor::{Editor, Request};
use crate::ui::{format, theme, widgets};

/// Says what is needed and what is free, and offers to take it or to make do with fewer cells.
pub fn ui(editor: &mut Editor, ui: &mut Ui, rect: Rect, needed: u64, limit: u64) {
    let document = editor.document().clone();
    let width = (rect.width() - 24.0).min(460.0);
    let place = Rect::from_min_size(
        pos2(rect.center().x - width * 0.5, rect.top() + 24.0),
        vec2(width, 0.0),
    );
    let mut inner = ui.new_child(UiBuilder::new().id_salt("memory").max_rect(place));
    egui::Frame::new()
        .fill(theme::bar())
        .stroke(Stroke::new(1.0, theme::warn().gamma_multiply(0.7)))
        .corner_radius(theme::CORNER)
        .inner_margin(theme::MARGIN)
        .show(&mut inner, |ui| {
            ui.set_width(width - 2.0 * f32::from(theme::MARGIN));
            words(ui, &document, needed, limit);
            ui.horizontal_wrapped(|ui| answers(editor, ui, &document, needed, limit));
        });
}

fn words(ui: &mut Ui, document: &Document, needed: u64, limit: u64) {
    let title = format!("This look needs {} of memory", format::bytes(needed));
    ui.label(RichText::new(title).color(theme::warn()).strong());
    let [x, y, z] = document.scene.domain.grid().cells;
    let cells = if z > 1 {
        format!("{x} × {y} × {z}")
    } else {
        format!("{x} × {y}")
    };
    let text = format!(
        "Its {cells} cells need more than the {} that Eddy takes without asking. It waits until you decide.",
        format::bytes(limit)
    );
    ui.add(egui::Label::new(text).wrap());
    let Some(free) = free_memory() else { return };
    let bytes = format::bytes(free);
    if free < needed {
        let text = format!("Only {bytes} are free: the machine would come to a stop.");
        widgets::colored_note(ui, &text, theme::error());
    } else {
        widgets::note(ui, &format!("{bytes} are free now."));
    }
}

fn answers(editor: &mut Editor, ui: &mut Ui, document: &Document, needed: u64, limit: u64) {
    if let Some(smaller) = smaller(document, limit) {
        let [x, y] = [smaller.scene.domain.cells_x, smaller.scene.domain.cells_y];
        if widgets::primary(ui, &format!("Use {x} × {y} cells")).clicked() {
            editor.ask(Request::Edit("Fewer cells".to_owned(), cells_of(&smaller)));
            editor.tell(Command::Play);
        }
    }
    if ui
        .button(format!("Take {}", format::bytes(needed)))
        .clicked()
    {
        editor.tell(Command::Memory(needed));
        editor.tell(Command::Play);
    }
    let undo = editor.history.undo_label().map(|l| format!("Undo “{l}”"));
    if let Some(undo) = undo
        && ui.button(undo).clicked()
    {
        editor.act(Action::Undo);
    }
}

/// The document with its cells halved until it fits; none where that does not help.
fn smaller(document: &Document, limit: u64) -> Option<Document> {
    let mut smaller = document.clone();
    while smaller.memory_bytes() > limit {
        let domain = &mut smaller.scene.domain;
        if domain.cells_x.min(domain.cells_y) < 32 {
            return None;
        }
        domain.cells_x /= 2;
        domain.cells_y /= 2;
        if domain.cells_z > 1 {
            domain.cells_z = (domain.cells_z / 2).max(2);
        }
    }
    Some(smaller)
}

fn cells_of(document: &Document) -> Vec<Edit> {
    let domain = &document.scene.domain;
    [
        ("cells_x", domain.cells_x),
        ("cells_y", domain.cells_y),
        ("cells_z", domain.cells_z),
    ]
    .into_iter()
    .map(|(name, n)| Edit::Set(format!("scene.domain.{name}"), Value::Int(n)))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_cells_fit_and_keep_their_proportions() {
        let mut document = Document::default();
        (document.scene.domain.cells_x, document.scene.domain.cells_y) = (16384, 8192);
        let limit = document.memory_bytes() / 5;
        let fits = smaller(&document, limit).expect("it can be made smaller");
        assert!(fits.memory_bytes() <= limit);
        let domain = &fits.scene.domain;
        assert_eq!((domain.cells_x, domain.cells_y), (4096, 2048));
        assert!(smaller(&document, 10).is_none());
    }
}
