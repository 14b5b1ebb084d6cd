//! What choices cost and change: ways to run the look side by side, as a chart, as pictures and as numbers.

mod chart;
mod columns;
mod legend;
mod pictures;
mod setup;
mod table;
mod values;
mod words;

use std::sync::Arc;

use egui::{Layout, RichText, Ui, vec2};

use crate::compare::{Change, Cost, Measure, changes, same_simulation};
use crate::document::Document;
use crate::edit::Edit;
use crate::ui::compare_job::{Difference, Results};
use crate::ui::editor::{Editor, Request};
use crate::ui::{theme, widgets};

/// From this width on the settings stand beside the chart.
const WIDE: f32 = 700.0;
/// Width of the settings there.
const SETTINGS: f32 = 260.0;

/// What the panel remembers.
pub struct CompareView {
    setup: setup::Setup,
    measure: Measure,
    cost: Cost,
    table: columns::Order,
    pictures: pictures::Gallery,
    known: Option<Known>,
}

/// How a look stands to the results of a comparison.
struct Known {
    of: (u64, usize, Arc<Document>),
    /// The way that it is already.
    in_use: Option<usize>,
    /// Whether it is what they were run for.
    same: bool,
}

impl Default for CompareView {
    fn default() -> Self {
        Self {
            setup: setup::Setup::default(),
            measure: Measure::Pressure,
            cost: Cost::default(),
            table: columns::Order::default(),
            pictures: pictures::Gallery::default(),
            known: None,
        }
    }
}

impl CompareView {
    /// Which way a look is already, and whether it is what the results were run for; worked out anew only where the look or
    /// the results are others.
    fn stand(&mut self, document: &Arc<Document>, results: &Results) -> (Option<usize>, bool) {
        let ways = results.ways.len();
        let is = |k: &Known| {
            (k.of.0, k.of.1) == (results.number, ways) && Arc::ptr_eq(&k.of.2, document)
        };
        if !self.known.as_ref().is_some_and(is) {
            self.known = Some(Known {
                of: (results.number, ways, Arc::clone(document)),
                in_use: results.in_use(document),
                same: same_simulation(document, &results.document),
            });
        }
        self.known
            .as_ref()
            .map_or((None, false), |k| (k.in_use, k.same))
    }

    /// A difference has been worked out.
    pub fn receive(&mut self, difference: Difference) {
        self.pictures.receive(difference);
    }

    /// Another document: what was found about the old one, and the pictures of it, go.
    pub fn forget(&mut self) {
        self.known = None;
        self.setup.forget();
        self.pictures.forget();
    }
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    let results = editor.compare.results.clone();
    widgets::scroll(ui, "compare", |ui| match &results {
        None => {
            introduction(ui);
            setup::ui(editor, ui, &document);
        }
        Some(results) => found(editor, ui, &document, results),
    });
}

fn chart(editor: &mut Editor, ui: &mut Ui, results: &Results) {
    let frame_rate = editor.document().time.frame_rate;
    let frame_ms = editor.panels.cost.budget.ms(frame_rate);
    let view = &mut editor.panels.compare;
    chart::ui(&mut view.measure, &mut view.cost, frame_ms, ui, results);
}

fn introduction(ui: &mut Ui) {
    widgets::heading(ui, "See what a choice costs, and what it changes");
    let text = "Every choice is a trade: more iterations or a better solver look closer to the truth, and take longer. \
                A comparison runs this look in several ways and shows time, error and picture of each, so that you pay \
                only for what can be seen.";
    ui.add(egui::Label::new(RichText::new(text).color(theme::text())).wrap());
    ui.add_space(theme::GROUP_GAP);
}

fn found(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>, results: &Arc<Results>) {
    let (in_use, same) = editor.panels.compare.stand(document, results);
    let width = ui.available_width();
    if width >= WIDE {
        ui.horizontal_top(|ui| {
            let gap = theme::GROUP_GAP;
            column(ui, SETTINGS, |ui| setup::ui(editor, ui, document));
            ui.add_space(gap);
            let rest = ui.available_width();
            column(ui, rest, |ui| {
                state(ui, results, in_use, same);
                chart(editor, ui, results);
            });
        });
    } else {
        setup::ui(editor, ui, document);
        ui.add_space(theme::GROUP_GAP);
        state(ui, results, in_use, same);
        chart(editor, ui, results);
    }
    ui.add_space(theme::GROUP_GAP);
    pictures::ui(editor, ui, results);
    ui.add_space(theme::GROUP_GAP);
    let used = table::ui(&mut editor.panels.compare.table, ui, results, in_use);
    ui.add_space(theme::GAP);
    widgets::note(ui, &words::how(results));
    if let Some(way) = used {
        apply(editor, results, way);
    }
}

/// A part of the panel that is so wide, and as high as what stands in it.
fn column(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    let layout = Layout::top_down(egui::Align::Min);
    ui.allocate_ui_with_layout(vec2(width, 0.0), layout, |ui| {
        ui.set_width(width);
        add(ui);
    });
}

/// What was asked, and whether the answer is one about the look as it is now.
fn state(ui: &mut Ui, results: &Results, in_use: Option<usize>, same: bool) {
    let title = RichText::new(&results.title)
        .color(theme::bright())
        .strong();
    ui.add(egui::Label::new(title).wrap());
    if let Some((text, color)) = words::standing(results) {
        widgets::colored_note(ui, &text, color);
    }
    // Its line is there whatever is in it: what stands below does not move when a way is taken over.
    ui.scope(|ui| {
        ui.set_min_height(16.0);
        if let Some(way) = in_use.and_then(|i| results.ways.get(i)) {
            let text = format!("This look is now as in “{}”.", way.label);
            widgets::colored_note(ui, &text, theme::good());
        } else if !same {
            let text = "Run for an earlier state of this look: what was changed since is not in these results.";
            widgets::colored_note(ui, text, theme::warn());
        }
    });
}

/// Gives the look what makes a way, as one step of the history.
fn apply(editor: &mut Editor, results: &Results, way: usize) {
    let Some(way) = results.ways.get(way) else {
        return;
    };
    let now = editor.document();
    let edits: Vec<Edit> = changes(now, &results.document, &results.ways, &way.document)
        .into_iter()
        .map(|change| match change {
            Change::Set(path, value) => Edit::Set(path, value),
            Change::Animate(track) => Edit::Track(track),
            Change::Still(path) => Edit::RemoveTrack(path),
        })
        .collect();
    // All of it or nothing: what it changes may not be there any more.
    let mut trial = (**editor.document()).clone();
    let problem = edits.iter().find_map(|e| e.clone().apply(&mut trial).err());
    match problem {
        Some(problem) => editor.toasts.error(
            "That does not fit this look any more",
            format!("{}: {}", problem.path, problem.message),
        ),
        None => editor.ask(Request::Edit(format!("Use {}", way.label), edits)),
    }
}
