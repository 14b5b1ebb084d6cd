//! What was done, to go back to.

use std::sync::Arc;

use egui::{Color32, RichText, TextStyle, Ui, text::LayoutJob};

use super::changes;
use crate::document::Document;
use crate::edit::Action;
use crate::ui::editor::{Editor, Request};
use crate::ui::{theme, widgets};

/// What each step did, in a few words, and between which documents.
#[derive(Default)]
pub struct Told(Vec<([Arc<Document>; 2], Option<String>)>);

impl Told {
    /// For these steps; only those that are others than before are worked out.
    fn see(&mut self, documents: &[Arc<Document>]) {
        let pairs = documents.windows(2);
        self.0.truncate(pairs.len());
        for (i, pair) in pairs.enumerate() {
            let same = |(known, _): &([Arc<Document>; 2], _)| {
                Arc::ptr_eq(&known[0], &pair[0]) && Arc::ptr_eq(&known[1], &pair[1])
            };
            if self.0.get(i).is_some_and(same) {
                continue;
            }
            let told = changes::in_short(&pair[0], &pair[1]);
            let fresh = ([pair[0].clone(), pair[1].clone()], told);
            match self.0.get_mut(i) {
                Some(old) => *old = fresh,
                None => self.0.push(fresh),
            }
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
        editor.panels.history.see(&documents);
        for (i, label) in labels.iter().enumerate().rev() {
            let color = if i == now {
                theme::bright()
            } else if i > now {
                theme::weak()
            } else {
                theme::text()
            };
            let told = i
                .checked_sub(1)
                .and_then(|i| editor.panels.history.0.get(i));
            let text = row_text(ui, label, told.and_then(|(_, t)| t.as_deref()), color);
            let row = ui.push_id(i, |ui| {
                let size = egui::vec2(ui.available_width(), theme::ROW);
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
