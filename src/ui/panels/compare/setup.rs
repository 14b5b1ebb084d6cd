//! What is compared, over how many frames, what that comes to, and how far it is.

use std::sync::Arc;

use egui::{ComboBox, DragValue, PopupCloseBehavior, RichText, TextEdit, Ui, vec2};

use super::values::{allowed, usual_values};
use crate::compare::{Budget, Measure, Plan, Question, Way, variable};
use crate::device::DeviceChoice;
use crate::document::Document;
use crate::params::Entry;
use crate::ui::compare_job::{self, Asked, MOST_WAYS, Stage};
use crate::ui::editor::Editor;
use crate::ui::{format, theme, widgets};

/// Most frames that are run for each way.
const MOST_FRAMES: u32 = 100_000;

/// What is set.
pub struct Setup {
    /// None for the first that is offered.
    question: Option<Question>,
    /// The parameter and the values of one's own choice.
    path: String,
    values: String,
    search: String,
    first: u32,
    frames: u32,
    budget: Budget,
    known: Option<Known>,
    planned: Option<Planned>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            question: None,
            path: String::new(),
            values: String::new(),
            search: String::new(),
            first: 0,
            frames: 60,
            budget: Budget {
                ms: 8.0,
                measure: Measure::Pressure,
                share: 0.05,
            },
            known: None,
            planned: None,
        }
    }
}

/// What there is to compare about a document.
struct Known {
    of: Arc<Document>,
    /// The same without what was painted, which can be long.
    plain: Document,
    offered: Vec<(Question, String)>,
    parameters: Vec<(Entry, String)>,
}

/// The ways that a question comes to about the document that is known.
struct Planned {
    question: Question,
    ways: Result<Vec<Way>, String>,
    /// Bytes that the largest of them takes.
    memory: u64,
}

impl Setup {
    /// Works out anew what hangs on the document, where it is another one.
    fn know(&mut self, document: &Arc<Document>) {
        if self
            .known
            .as_ref()
            .is_some_and(|k| Arc::ptr_eq(&k.of, document))
        {
            return;
        }
        let plain = document.without_strokes();
        // Painting changes nothing.
        if let Some(known) = self.known.as_mut().filter(|k| k.plain == plain) {
            known.of = Arc::clone(document);
            return;
        }
        self.planned = None;
        let offered = Question::offered(&plain).into_iter();
        let known = Known {
            of: Arc::clone(document),
            offered: offered.map(|q| (q.clone(), q.title(&plain))).collect(),
            parameters: variable(&plain),
            plain,
        };
        if !known.parameters.iter().any(|(e, _)| e.path == self.path) {
            self.path.clear();
            self.values.clear();
        }
        let own = matches!(self.question, Some(Question::Parameter(..)));
        let there = |q: &Question| known.offered.iter().any(|(o, _)| o == q);
        if !own && !self.question.as_ref().is_some_and(there) {
            let first = known.offered.first().map(|(q, _)| q.clone());
            self.question =
                Some(first.unwrap_or_else(|| Question::Parameter(String::new(), String::new())));
        }
        self.known = Some(known);
    }

    /// What is asked now.
    fn asked(&self) -> Question {
        match &self.question {
            Some(Question::Parameter(..)) | None => {
                Question::Parameter(self.path.clone(), self.values.clone())
            }
            Some(question) => question.clone(),
        }
    }

    /// The ways that it comes to about what is known; worked out anew only where it, or the document, is another one.
    fn plan(&mut self) -> Option<&Planned> {
        let question = self.asked();
        let plain = &self.known.as_ref()?.plain;
        if !self
            .planned
            .as_ref()
            .is_some_and(|p| p.question == question)
        {
            self.planned = None;
        }
        Some(self.planned.get_or_insert_with(|| {
            let ways = question.ways_beside_own(plain, MOST_WAYS);
            let memory = |ways: &Vec<Way>| Plan::new(plain, ways.clone(), 0, 1).memory_bytes();
            Planned {
                memory: ways.as_ref().map_or(0, memory),
                question,
                ways,
            }
        }))
    }

    /// What is known about another document goes.
    pub fn forget(&mut self) {
        (self.known, self.planned) = (None, None);
    }
}

/// Draws the settings with the button that runs the comparison.
pub fn ui(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) {
    let setup = &mut editor.panels.compare.setup;
    setup.know(document);
    widgets::heading(ui, "Compare");
    questions(setup, ui);
    ui.horizontal_wrapped(|ui| {
        let mut number = |label: &str, name: &str, value: &mut u32, least: u32, tip: &str| {
            ui.label(RichText::new(label).color(theme::text()));
            let drag = DragValue::new(value).range(least..=MOST_FRAMES).speed(0.5);
            let response = ui.add_sized([theme::NUMBER, theme::ROW - 2.0], drag);
            widgets::name(&response, name);
            response.on_hover_text(tip);
        };
        number("Frames", "Frames to run", &mut setup.frames, 1, "How many frames each way runs. Time is the median of a frame; errors and pictures are those of the last.");
        number("from", "Frame to begin with", &mut setup.first, 0, "The frame with which all begin. The look is simulated up to there once, and every way goes on from the same state.");
    });
    let (first, frames) = (setup.first, setup.frames);
    let Some(planned) = setup.plan() else { return };
    let memory = planned.memory;
    let ways = planned.ways.clone();
    ui.add_space(theme::GAP);
    // Before what is said, whose lines come and go: a button that moves is missed.
    let runnable = ways.as_ref().ok().cloned();
    run(editor, ui, document, runnable, [first, frames]);
    match &ways {
        Ok(ways) => {
            let text = effort(editor, document, ways.len(), [first, frames], memory);
            widgets::note(ui, &text).on_hover_text(
                "The reference is this look with ten times the most iterations that are compared, without an early end and \
                 with the solver that comes closest: what the others are measured against. The ways take turns, so that all are at the same frame and whatever slows the machine down slows all of them.",
            );
        }
        Err(message) => {
            widgets::colored_note(ui, message, theme::warn());
        }
    }
}

fn questions(setup: &mut Setup, ui: &mut Ui) {
    let offered = setup
        .known
        .as_ref()
        .map_or(Vec::new(), |k| k.offered.clone());
    for (question, title) in offered {
        let on = setup.question.as_ref() == Some(&question);
        let budget = question == Question::Budget;
        if ui.radio(on, title).clicked() {
            setup.question = Some(question);
        }
        if on && budget {
            limits(&mut setup.budget, ui);
        }
    }
    let own = matches!(setup.question, Some(Question::Parameter(..)) | None);
    if ui.radio(own, "One parameter").clicked() && !own {
        setup.question = Some(Question::Parameter(String::new(), String::new()));
    }
    if own {
        parameter(setup, ui);
    }
}

/// What a look may cost, and how far it may be off.
fn limits(budget: &mut Budget, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("At most").color(theme::text()));
        let ms = DragValue::new(&mut budget.ms).range(0.01..=10_000.0).speed(0.05).suffix(" ms");
        let response = ui.add_sized([theme::NUMBER, theme::ROW - 2.0], ms);
        widgets::name(&response, "Most time a frame");
        response.on_hover_text("How long a frame may take on this device");
        ui.label(RichText::new("and").color(theme::text()));
        let mut percent = budget.share * 100.0;
        let drag = DragValue::new(&mut percent).range(1e-4..=1000.0).speed(0.05).suffix(" %");
        let response = ui.add_sized([theme::NUMBER, theme::ROW - 2.0], drag);
        widgets::name(&response, "Most pressure error left");
        response.on_hover_text("How much of the pressure error may be left at the last frame: 5 % is seldom seen, 1 % hardly ever");
        budget.share = percent * 0.01;
        ui.label(RichText::new("error left").color(theme::text()));
    });
}

/// The parameter and its values.
fn parameter(setup: &mut Setup, ui: &mut Ui) {
    let known = setup.known.as_ref().map_or(&[][..], |k| &k.parameters);
    let chosen = known.iter().find(|(e, _)| e.path == setup.path).cloned();
    let shown = chosen
        .as_ref()
        .map_or("Choose a parameter", |(_, label)| label);
    let width = ui.available_width().min(320.0);
    let mut picked = None;
    let combo = ComboBox::from_id_salt("compared parameter")
        .width(width)
        .wrap_mode(egui::TextWrapMode::Wrap)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .selected_text(shown)
        .show_ui(ui, |ui| {
            ui.set_min_width(width.max(220.0));
            widgets::search(ui, &mut setup.search, "Search this method", 220.0);
            let words = setup.search.to_lowercase();
            for (entry, label) in known {
                let fits = words
                    .split_whitespace()
                    .all(|w| label.to_lowercase().contains(w));
                if fits
                    && ui
                        .selectable_label(entry.path == setup.path, label)
                        .on_hover_text(entry.spec.doc)
                        .clicked()
                {
                    picked = Some(entry.clone());
                    ui.close();
                }
            }
        });
    widgets::name(&combo.response, "Compared parameter");
    if let Some(entry) = picked {
        setup.values = usual_values(&entry);
        setup.path = entry.path;
        setup.search.clear();
        return;
    }
    let response = ui.add_sized(
        [width, theme::ROW],
        TextEdit::singleline(&mut setup.values)
            .hint_text("Values, with commas between them")
            .align(egui::Align2::LEFT_CENTER),
    );
    widgets::name(&response, "Values to compare");
    if let Some((entry, _)) = chosen {
        widgets::note(ui, &allowed(&entry));
    }
}

/// What a comparison comes to, in words.
fn effort(
    editor: &Editor,
    document: &Document,
    ways: usize,
    [first, frames]: [u32; 2],
    memory: u64,
) -> String {
    let before = document.time.warm_up.saturating_add(first);
    let all = (ways as f64 + 1.0) * f64::from(frames) + f64::from(before);
    let mut text = format!(
        "{} and a reference, {} each",
        format::count(ways, "way"),
        format::count(frames as usize, "frame")
    );
    if before > 0 {
        let before = format::count(before as usize, "frame");
        text.push_str(&format!(" after {before} that they share"));
    }
    text.push_str(&format!(": {all:.0} frames in all."));
    let last = editor.snapshot.history.iter().rev().take(30);
    let times: Vec<f64> = last.map(|p| f64::from(p.frame_ms)).collect();
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    if mean > 0.0 {
        let time = format::duration(mean * all * 1e-3);
        text.push_str(&format!(
            " At the present speed that is {time}; the reference takes longer than the rest."
        ));
    }
    text.push_str(&format!(
        " Needs about {} of memory while it runs.",
        format::bytes(memory)
    ));
    text
}

/// The button that runs it; while it runs, how far it is and a way to stop it.
fn run(
    editor: &mut Editor,
    ui: &mut Ui,
    document: &Document,
    ways: Option<Vec<Way>>,
    [first, frames]: [u32; 2],
) {
    let stage = editor.compare.stage.clone();
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW);
        if let Stage::Running { share, .. } = &stage {
            if ui.button("Cancel").clicked() {
                editor.compare.cancel();
            }
            let width = ui.available_width().min(240.0);
            let bar = ui.add(
                egui::ProgressBar::new(*share)
                    .desired_width(width)
                    .desired_height(theme::ROW - 4.0)
                    .fill(theme::accent_fill())
                    .text(format!("{:.0} %", share * 100.0)),
            );
            widgets::name(&bar, "Comparison progress");
            return;
        }
        let ready = ways.as_ref().is_some_and(|w| !w.is_empty());
        let clicked = ui
            .add_enabled_ui(ready, |ui| {
                let button =
                    egui::Button::new(RichText::new("Run comparison").color(theme::bright()))
                        .fill(theme::accent_fill())
                        .min_size(vec2(112.0, theme::ROW));
                ui.add(button)
                    .on_hover_text("Runs this look in each of these ways, beside the editor")
                    .clicked()
            })
            .inner;
        if let (true, Some(ways)) = (clicked, ways) {
            let setup = &editor.panels.compare.setup;
            let title = title(setup, document);
            let budget = (setup.question == Some(Question::Budget)).then_some(setup.budget);
            compare_job::start(
                editor,
                Asked {
                    title,
                    ways,
                    first,
                    frames,
                    budget,
                },
            );
        }
    });
    if !editor.compare.running() {
        widgets::note(ui, &place(editor)).on_hover_text("As chosen in the bar at the bottom.");
    }
    match &stage {
        Stage::Running { what, .. } => {
            widgets::note(ui, what);
        }
        Stage::Cancelled => {
            widgets::note(ui, "Cancelled.");
        }
        Stage::Failed(message) => {
            widgets::colored_note(ui, message, theme::error());
        }
        Stage::Idle => {}
    }
}

/// Where it will run.
fn place(editor: &Editor) -> String {
    match (editor.device(), editor.snapshot.device.as_str()) {
        (DeviceChoice::Cpu, _) => "Runs on the CPU.".to_owned(),
        (DeviceChoice::Gpu, _) => "Runs on the GPU.".to_owned(),
        (DeviceChoice::Auto, "") => "Runs on the GPU if there is one.".to_owned(),
        (DeviceChoice::Auto, name) => format!("Runs on {name}."),
    }
}

/// What is asked, as a heading of the results.
fn title(setup: &Setup, document: &Document) -> String {
    let question = setup.asked();
    let Question::Parameter(path, values) = &question else {
        return question.title(document);
    };
    let known = setup.known.as_ref().map_or(&[][..], |k| &k.parameters);
    let label = known
        .iter()
        .find(|(e, _)| e.path == *path)
        .map(|(_, l)| l.as_str());
    format!("{}: {}", label.unwrap_or(path), values.trim())
}
