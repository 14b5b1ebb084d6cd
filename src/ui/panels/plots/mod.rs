//! How well the method does: what remains of the error, and what should stay the same.

mod axes;
mod charts;
mod cursor;
mod draw;
mod pin;
mod spectrum;
mod words;

use egui::{Label, RichText, Ui};

use crate::ui::editor::Editor;
use crate::ui::icons::{self, Icon};
use crate::ui::{theme, widgets};
use charts::charts;
use pin::Pinned;
use spectrum::Spectrum;

pub use axes::{decades, few_steps, few_whole_steps, still, values, whole};
pub use cursor::{Cursor, Reading, mark, named, tooltip, under};

/// Space between plots that stand side by side.
const APART: f32 = 24.0;
/// Height of a plot where there is room for it.
const HEIGHT: f32 = 132.0;
/// The least that says anything.
const LEAST: f32 = 64.0;
/// Least width of a plot; more stand side by side where there is room.
const WIDTH: f32 = 300.0;

/// What the plots remember.
#[derive(Default)]
pub struct Plots {
    pinned: Option<Pinned>,
    /// The error of a solve by its time instead of by its iterations.
    by_time: bool,
    /// Where the error sits.
    pub spectrum: Spectrum,
}

impl Plots {
    /// The name of the run that is pinned.
    pub fn pinned(&self) -> Option<&str> {
        self.pinned.as_ref().map(|p| p.name.as_str())
    }
    /// Another document: its runs are other ones.
    pub fn forget(&mut self) {
        self.pinned = None;
        self.spectrum.forget();
    }
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    // Buttons, captions and words leave this to a plot and its axis.
    let words = if editor.panels.plots.pinned.is_some() {
        140.0
    } else {
        124.0
    };
    let height = (ui.available_height() - words).clamp(LEAST, HEIGHT);
    widgets::scroll(ui, "plots", |ui| {
        let mut charts = charts(&editor.snapshot, editor.panels.plots.by_time);
        // Beside the error that it takes apart.
        let waves = editor
            .panels
            .plots
            .spectrum
            .chart(ui.ctx(), &editor.snapshot);
        let at = charts.len().min(1);
        charts.splice(at..at, waves);
        if charts.is_empty() && editor.panels.plots.pinned.is_none() {
            widgets::empty(
                ui,
                "Nothing to plot yet",
                "Play or step the simulation: each frame adds a point.",
            );
            return;
        }
        header(editor, ui);
        let panels = &mut editor.panels;
        if let Some(pinned) = &panels.plots.pinned {
            pinned.complete(&mut charts, panels.plots.by_time);
        }
        if charts.is_empty() {
            return;
        }
        let pinned = panels.plots.pinned.as_ref();
        let cursor = &mut panels.cursor;
        let columns = ((ui.available_width() / WIDTH) as usize).clamp(1, charts.len());
        let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, APART);
        for row in charts.chunks(columns) {
            ui.columns(columns, |columns| {
                for (ui, chart) in columns.iter_mut().zip(row) {
                    ui.spacing_mut().item_spacing.x = gap;
                    let behind = pinned.and_then(|p| p.behind(chart));
                    // Columns are justified, and so would be the words.
                    ui.vertical(|ui| draw::draw(ui, chart, behind, cursor, height));
                }
            });
            ui.add_space(theme::GAP);
        }
    });
}

/// What is kept to compare with, and along what errors are plotted.
fn header(editor: &mut Editor, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding.y = 1.0;
        let pin = ui
            .button("Pin this run")
            .on_hover_text("Keeps these curves behind those of the next runs, to compare them.");
        if pin.clicked() {
            let look = editor.document().name.clone();
            editor.panels.plots.pinned = Pinned::of(&look, &editor.snapshot);
        }
        if let Some(name) = editor.panels.plots.pinned().map(str::to_owned) {
            let text = RichText::new(format!("Pinned: {name}")).small();
            ui.add(Label::new(text.color(theme::text())).wrap());
            let tip = "Take the pinned curves away";
            if icons::small(ui, Icon::Close, "Unpin", tip).clicked() {
                editor.panels.plots.pinned = None;
            }
        }
        ui.add_space(theme::GAP);
        let by_time = &mut editor.panels.plots.by_time;
        let tip = "The error of a solve by the time that it took, not by its iterations: an iteration of one solver costs more than that of another.";
        ui.checkbox(by_time, "Error by time").on_hover_text(tip);
        let tip = "Sorts what is left of the pressure error by the length of its waves: sweeps take away short ones and leave long ones.";
        ui.checkbox(&mut editor.panels.plots.spectrum.on, "Waves of the error").on_hover_text(tip);
    });
}
