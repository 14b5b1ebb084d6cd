//! What the program has noted: warnings, errors, what was done in the background.

use std::fmt::Write as _;

use egui::{RichText, Ui};
use log::Level;

use crate::ui::editor::Editor;
use crate::ui::logbook::{self, Note};
use crate::ui::{theme, widgets};

/// Draws the panel.
pub fn ui(_: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "log", |ui| {
        let notes = logbook::notes();
        ui.horizontal(|ui| {
            let any = !notes.is_empty();
            if ui.add_enabled(any, egui::Button::new("Copy all")).clicked() {
                ui.ctx().copy_text(as_text(&notes));
            }
            if ui.add_enabled(any, egui::Button::new("Clear")).clicked() {
                logbook::clear();
            }
        });
        ui.add_space(theme::GAP);
        if notes.is_empty() {
            widgets::empty(
                ui,
                "Nothing has been noted",
                "Warnings and errors appear here, with what a report of a fault needs.",
            );
        }
        for note in notes.iter().rev() {
            ui.horizontal_wrapped(|ui| {
                let time = RichText::new(format!("{:>7.1} s", note.seconds));
                ui.label(time.monospace().color(theme::weak()));
                let (word, color) = match note.level {
                    Level::Error => ("error", theme::error()),
                    Level::Warn => ("warning", theme::warn()),
                    _ => ("note", theme::weak()),
                };
                ui.label(RichText::new(word).small().color(color));
                if note.times > 1 {
                    let times = RichText::new(format!("{} times", note.times));
                    ui.label(times.small().color(theme::weak()));
                }
                ui.add(egui::Label::new(&note.text).selectable(true).wrap())
                    .on_hover_text(&note.part);
            });
        }
    });
}

fn as_text(notes: &[Note]) -> String {
    let mut text = String::new();
    for note in notes {
        let _ = writeln!(
            text,
            "{:.1} s {} {}: {}{}",
            note.seconds,
            note.level,
            note.part,
            note.text,
            match note.times {
                1 => String::new(),
                n => format!(" ({n} times)"),
            }
        );
    }
    text
}
