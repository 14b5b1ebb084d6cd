//! Textures for engines: what to write, where, how large it gets, and how far it is.

mod list;
mod run;
mod templates;
mod words;

use std::sync::Arc;

use egui::{Frame, Margin, Ui};

use crate::bake::templates::TEMPLATES;
use crate::bake::{self, Estimate};
use crate::document::{Document, Engine};
use crate::edit::Edit;
use crate::params::{Choice, Value, label_from_name};
use crate::ui::editor::{Editor, Request};
use crate::ui::inspector::{Inspector, Outcome};
use crate::ui::{theme, widgets};

pub use templates::free_name;

/// What was estimated last, and for what.
#[derive(Default)]
pub struct Sizes {
    of: Option<(Arc<Document>, Result<Estimate, String>)>,
}

impl Sizes {
    /// The estimate for a document; worked out anew only where the document is another one.
    fn get(&mut self, document: &Arc<Document>) -> &Result<Estimate, String> {
        if let Some((known, _)) = &self.of
            && !Arc::ptr_eq(known, document)
        {
            self.of = None;
        }
        let (_, estimate) = self.of.get_or_insert_with(|| {
            let frames = document.time.first_frame..document.time.end_frame;
            let estimate = bake::estimate(document, frames).map_err(|e| e.to_string());
            (Arc::clone(document), estimate)
        });
        estimate
    }
}

/// Draws the panel: settings that scroll, then the bakes, and below them, always in sight and in place, how it goes.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    egui::Panel::bottom("bake run")
        .frame(
            Frame::new()
                .fill(theme::bar())
                .inner_margin(Margin::symmetric(theme::MARGIN, theme::MARGIN - 2)),
        )
        .resizable(false)
        .show_separator_line(false)
        .show(ui, |ui| run::bar(editor, ui, &document));
    widgets::scroll(ui, "bake", |ui| {
        settings(editor, ui, &document);
        list::ui(editor, ui);
    });
}

fn settings(editor: &mut Editor, ui: &mut Ui, document: &Arc<Document>) {
    widgets::heading(ui, "Start from");
    ui.horizontal_wrapped(|ui| {
        for template in TEMPLATES.iter().filter(|t| (t.fits)(document)) {
            if ui
                .button(template.name)
                .on_hover_text(template.doc)
                .clicked()
            {
                let mut other = (**document).clone();
                other.bake.outputs = (template.outputs)(&other);
                editor.ask(Request::Edit(
                    format!("Bake: {}", template.name),
                    vec![Edit::Replace(Box::new(other))],
                ));
            }
        }
    });
    ui.add_space(theme::GAP);
    widgets::heading(ui, "Made for");
    engines(editor, ui, document);
    ui.add_space(theme::GAP);
    widgets::heading(ui, "Write to");
    run::target(editor, ui, document);
    ui.add_space(theme::GAP);
    widgets::heading(ui, "What is written");
    if document.bake.outputs.is_empty() {
        let usual = bake::default_outputs(document.method.info().fields);
        let names: Vec<&str> = usual.iter().map(|o| o.name.as_str()).collect();
        widgets::note(
            ui,
            &format!(
                "No textures are listed: {} are written, a file for each frame. Choose a start above to change that.",
                names.join(" and ")
            ),
        );
    }
    for output in &document.bake.outputs {
        widgets::note(
            ui,
            &format!("{}: {}", output.name, words::frames(document, output)),
        );
    }
    let channels = channels(document);
    let mut outcomes = Inspector {
        advanced: true,
        lists: &["outputs"],
        hidden: &|path| words::is_idle(document, path),
        label: &|path| words::label(document, path),
        adapt: &|path, spec, value| words::adapt(document, path, spec, value),
        option: &words::option,
        suggest: &|path| {
            let channel = ["red", "green", "blue", "alpha"]
                .iter()
                .any(|c| path.ends_with(&format!(".{c}")));
            channel.then(|| channels.clone())
        },
        ..Inspector::default()
    }
    .show(ui, document, "bake");
    for outcome in &mut outcomes {
        if let Outcome::Set {
            path, value, also, ..
        } = outcome
        {
            *also = words::also(document, path, value);
        }
    }
    editor.outcomes(ui.ctx(), outcomes);
}

fn engines(editor: &mut Editor, ui: &mut Ui, document: &Document) {
    let now = document.bake.engine;
    ui.horizontal_wrapped(|ui| {
        for (i, option) in Engine::OPTIONS.iter().enumerate() {
            let engine = Engine::from_index(i);
            let name = words::option("bake.engine", option.name)
                .map_or_else(|| label_from_name(option.name), str::to_owned);
            let button = ui
                .selectable_label(engine == now, &name)
                .on_hover_text(words::engine(engine));
            if button.clicked() && engine != now {
                let value = Value::Choice(option.name.to_owned());
                editor.ask(Request::Edit(
                    format!("Bake for {name}"),
                    vec![Edit::Set("bake.engine".to_owned(), value)],
                ));
            }
        }
    });
    widgets::note(ui, words::engine(now));
}

/// What may go into a channel, as shown and as written.
fn channels(document: &Document) -> Vec<(String, String)> {
    let mut all = vec![
        ("nothing".to_owned(), String::new()),
        ("zero".to_owned(), "0".to_owned()),
        ("one".to_owned(), "1".to_owned()),
    ];
    for field in document.method.info().fields {
        if field.components == 1 {
            all.push((field.label.to_owned(), field.name.to_owned()));
            continue;
        }
        let parts = ["x", "y", "z"].iter().take(field.components as usize);
        for part in parts.chain(std::iter::once(&"length")) {
            all.push((
                format!("{} {part}", field.label),
                format!("{}.{part}", field.name),
            ));
        }
    }
    all
}
