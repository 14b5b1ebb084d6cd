//! Frame rate, range, warm-up, sub-steps.

use egui::Ui;

use crate::ui::editor::Editor;
use crate::ui::inspector::Inspector;
use crate::ui::{format, theme, widgets};

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "time", |ui| {
        let document = editor.document().clone();
        let outcomes = Inspector {
            advanced: true,
            ..Inspector::default()
        }
        .show(ui, &document, "time");
        editor.outcomes(ui.ctx(), outcomes);
        ui.add_space(theme::GROUP_GAP);
        let time = &document.time;
        let frames = time.end_frame.saturating_sub(time.first_frame);
        let seconds = f64::from(frames) / f64::from(time.frame_rate.max(1e-3));
        widgets::note(
            ui,
            &format!(
                "The range has {}: {} s at {} frames a second.",
                format::count(frames as usize, "frame"),
                format::number(seconds),
                format::number(f64::from(time.frame_rate))
            ),
        );
    });
}
