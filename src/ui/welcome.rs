//! Three steps for whoever opens Eddy for the first time: stir, tune, bake. Each is ticked when it has been done; after the
//! last one, or when it is closed, the card never comes again.

use egui::{Align, Area, Color32, Frame, Id, Layout, Margin, RichText, Ui, vec2};

use crate::edit::Action;
use crate::params;
use crate::sim::State;

use super::bake_job::Stage;
use super::editor::{Editor, Request};
use super::icons::{self, Icon};
use super::{theme, widgets};

/// What has been done of the three steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Welcome {
    /// Whether the card is there.
    pub shown: bool,
    stirred: bool,
    tuned: bool,
    baked: bool,
}

impl Welcome {
    /// For the first time.
    pub fn first() -> Self {
        Self {
            shown: true,
            ..Self::default()
        }
    }

    /// What has been done: stirred, tuned, baked.
    pub fn done(&self) -> [bool; 3] {
        [self.stirred, self.tuned, self.baked]
    }
}

/// Sees what has been done, and draws the card.
pub fn show(editor: &mut Editor, ui: &mut Ui) {
    if !editor.welcome.shown {
        return;
    }
    see(editor);
    if editor.welcome.done() == [true; 3] {
        editor.welcome.shown = false;
        editor
            .toasts
            .done("That is all there is to it. F1 shows the keys.");
        return;
    }
    // What the simulation says lies where the card would.
    if matches!(
        editor.snapshot.state,
        State::Fault(..) | State::Starting(..)
    ) {
        return;
    }
    let Some(seen) = editor.panels.viewport.seen() else {
        return;
    };
    let width = 232.0_f32;
    // In a small window the picture matters more.
    if seen.rect.width() < width * 2.0 || seen.rect.height() < 190.0 {
        return;
    }
    let mut closed = false;
    let mut asked = None;
    Area::new(Id::unique("welcome"))
        .fixed_pos(seen.rect.left_top() + vec2(12.0, 12.0))
        .order(egui::Order::Middle)
        .show(ui.ctx(), |ui| {
            Frame::new()
                .fill(theme::bar())
                .stroke(egui::Stroke::new(1.0, theme::line()))
                .corner_radius(theme::CORNER)
                .inner_margin(Margin::symmetric(12, 8))
                .show(ui, |ui| {
                    ui.set_width(width - 24.0);
                    ui.horizontal(|ui| {
                        ui.label(RichText::new("Three steps").color(theme::bright()).strong());
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            closed =
                                icons::small(ui, Icon::Close, "Close the steps", "Close for good")
                                    .clicked();
                        });
                    });
                    let [stirred, tuned, baked] = editor.welcome.done();
                    step(ui, stirred, "1", "Stir", "Drag in the picture.");
                    if step(ui, tuned, "2", "Tune", "Move a slider in Parameters.") {
                        asked = Some(Request::Show("parameters"));
                    }
                    if step(ui, baked, "3", "Bake", "Write textures for your engine.") {
                        asked = Some(Request::Do(Action::Bake));
                    }
                });
        });
    if closed {
        editor.welcome.shown = false;
    }
    if let Some(request) = asked {
        editor.ask(request);
    }
}

/// What has been done since the look was opened.
fn see(editor: &mut Editor) {
    let (now, opened) = (editor.document().clone(), editor.opened().clone());
    let welcome = &mut editor.welcome;
    welcome.stirred |= now.scene.strokes.len() > opened.scene.strokes.len();
    if !welcome.tuned && !std::sync::Arc::ptr_eq(&now, &opened) {
        welcome.tuned = !params::differences(&now.method, &opened.method).is_empty();
    }
    welcome.baked |= matches!(editor.bake.stage, Stage::Finished(_));
}

/// A step; a click on one that is still to be done leads there.
fn step(ui: &mut Ui, done: bool, number: &str, title: &str, text: &str) -> bool {
    let color: Color32 = if done { theme::weak() } else { theme::text() };
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        let (place, _) = ui.allocate_exact_size(vec2(12.0, 16.0), egui::Sense::hover());
        if done {
            icons::paint(ui.painter(), Icon::Tick, place, theme::good());
        } else {
            let font = egui::TextStyle::Body.resolve(ui.style());
            ui.painter().text(
                place.center(),
                egui::Align2::CENTER_CENTER,
                number,
                font,
                theme::accent(),
            );
        }
        let clicked = ui
            .vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let name = RichText::new(title).color(color);
                let title = ui.add(egui::Label::new(name).sense(egui::Sense::click()));
                widgets::note(ui, text);
                title.clicked()
            })
            .inner;
        clicked && !done
    })
    .inner
}
