//! What was done, to go back to.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use egui::{Color32, Rect, RichText, TextStyle, Ui, text::LayoutJob};

use super::changes;
use crate::document::Document;
use crate::edit::Action;
use crate::ui::editor::{Editor, Request};
use crate::ui::{theme, widgets};

/// What steps did, in a few words, by the documents that they left.
#[derive(Default)]
pub struct Told(HashMap<*const Document, (Weak<Document>, Option<String>)>);

impl Told {
    /// What the step between two documents did; worked out when it is first looked at.
    fn of(&mut self, before: &Document, after: &Arc<Document>) -> Option<&str> {
        let told = self.0.entry(Arc::as_ptr(after)).or_insert_with(|| {
            // While the weak one lives, no other document has the address.
            (Arc::downgrade(after), changes::in_short(before, after))
        });
        told.1.as_deref()
    }

    /// Gives up what tells of steps that are no more.
    fn clean(&mut self, steps: usize) {
        if self.0.len() > 2 * steps {
            self.0
                .retain(|_, (document, _)| document.strong_count() > 0);
        }
    }
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "history", |ui| {
        ui.horizontal(|ui| {
            let undo = ui.add_enabled(editor.history.can_undo(), egui::Button::new("Undo"));
            if undo.clicked() {
                editor.act(Action::Undo);
            }
            let redo = ui.add_enabled(editor.history.can_redo(), egui::Button::new("Redo"));
            if redo.clicked() {
                editor.act(Action::Redo);
            }
        });
        ui.add_space(theme::GAP);
        let labels: Vec<String> = editor.history.labels().map(str::to_owned).collect();
        let now = editor.history.position();
        let documents: Vec<_> = editor.history.documents().cloned().collect();
        editor.panels.history.clean(documents.len());
        for (i, label) in labels.iter().enumerate().rev() {
            let color = if i == now {
                theme::bright()
            } else if i > now {
                theme::weak()
            } else {
                theme::text()
            };
            let size = egui::vec2(ui.available_width(), theme::ROW);
            let seen = ui.is_rect_visible(Rect::from_min_size(ui.cursor().min, size));
            let told = match i.checked_sub(1).filter(|_| seen) {
                Some(before) => editor.panels.history.of(&documents[before], &documents[i]),
                None => None,
            };
            let text = row_text(ui, label, told, color);
            let row = ui.push_id(i, |ui| {
                let left = egui::Layout::left_to_right(egui::Align::Center)
                    .with_main_justify(true)
                    .with_main_align(egui::Align::LEFT);
                let button = egui::Button::selectable(i == now, text).truncate();
                ui.allocate_ui_with_layout(size, left, |ui| ui.add(button))
            });
            widgets::name(&row.inner.inner, label);
            if row.inner.inner.clicked() && i != now {
                editor.ask(Request::Step(i));
            }
        }
        if labels.len() == 1 {
            widgets::empty(
                ui,
                "Nothing has been changed yet",
                "Every change appears here. Click one to go back to it.",
            );
        }
    });
}

/// What was done, and in weaker letters what that changed.
fn row_text(ui: &Ui, label: &str, told: Option<&str>, color: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let style = ui.style();
    let mut add = |text: RichText| {
        text.append_to(
            &mut job,
            style,
            egui::FontSelection::Default,
            egui::Align::Center,
        );
    };
    add(RichText::new(label).color(color));
    if let Some(told) = told {
        let told = format!("   {told}");
        add(RichText::new(told)
            .text_style(TextStyle::Small)
            .color(theme::weak()));
    }
    job
}
