//! What a frame costs, and what of it takes longest.

mod budget;
mod parts;
mod stack;

use egui::{Label, Rect, RichText, Sense, Ui, vec2};

use crate::ui::editor::Editor;
use crate::ui::{format, theme, widgets};
use parts::{Name, Part, called};

pub use budget::Budget;
pub use parts::mean_ms;

/// What the numbers and the plot take beside each other.
const BESIDE: f32 = 600.0;
/// Width of the numbers beside the plot.
const FACTS: f32 = 290.0;
/// Room for four lines of words: what stands below does not move when they change.
const WORDS: f32 = 70.0;
/// Height of the plot.
const HEIGHT: f32 = 112.0;

/// What the panel remembers.
#[derive(Default)]
pub struct Costs {
    /// What a frame may take.
    pub budget: Budget,
    /// The kernels as they stand below each other.
    order: Vec<Name>,
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "cost", |ui| {
        let snapshot = editor.snapshot.clone();
        let frames = parts::frames(&snapshot);
        let parts = parts::parts(&frames, &mut editor.panels.cost.order);
        let Some(mean) = mean_ms(&snapshot) else {
            ui.vertical(|ui| facts(editor, ui, None));
            widgets::empty(
                ui,
                "Nothing measured yet",
                "Play or step the simulation to see what each part of a frame costs.",
            );
            return;
        };
        let rate = editor.document().time.frame_rate;
        let allowed = editor.panels.cost.budget.ms(rate);
        let plot = |editor: &mut Editor, ui: &mut Ui| {
            let cursor = &mut editor.panels.cursor;
            stack::ui(ui, &frames, &parts, allowed, cursor, HEIGHT);
        };
        // Below each other where they would not fit beside each other.
        if ui.available_width() < BESIDE {
            words(ui, mean, allowed, &parts);
            plot(editor, ui);
            ui.add_space(theme::GAP);
            ui.vertical(|ui| facts(editor, ui, Some(mean)));
        } else {
            ui.horizontal_top(|ui| {
                ui.allocate_ui(vec2(FACTS, 0.0), |ui| {
                    ui.vertical(|ui| {
                        ui.set_width(FACTS);
                        words(ui, mean, allowed, &parts);
                        facts(editor, ui, Some(mean));
                    });
                });
                ui.vertical(|ui| plot(editor, ui));
            });
        }
        ui.add_space(theme::GAP);
        let total: f64 = parts.iter().map(|p| p.ms).sum();
        let longest = parts.iter().map(|p| p.ms).fold(0.0, f64::max);
        for (place, part) in parts.iter().enumerate() {
            let share = [part.ms / total.max(1e-9), part.ms / longest.max(1e-9)];
            bar(
                ui,
                part,
                &called(part.name, &parts),
                share,
                stack::color(place),
            );
        }
    });
}

/// Whether it is in budget, and what dominates.
fn words(ui: &mut Ui, mean: f64, budget: f32, parts: &[Part]) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.set_min_height(WORDS);
        let (text, color) = budget::verdict(mean, budget);
        ui.add(Label::new(RichText::new(text).color(color)).wrap());
        let text = match parts {
            [] => "This device does not say what each part of a frame takes.".to_owned(),
            parts => parts::verdict(parts),
        };
        ui.add(Label::new(RichText::new(text).color(theme::text())).wrap());
    });
}

/// The numbers below each other, and the budget, which can be set.
fn facts(editor: &mut Editor, ui: &mut Ui, mean: Option<f64>) {
    ui.spacing_mut().item_spacing.y = 1.0;
    let none = || "–".to_owned();
    let last = editor.snapshot.frame_ms;
    let last = (last > 0.0).then(|| budget::time(f64::from(last)));
    fact(
        ui,
        "A frame takes",
        &mean.map_or_else(none, budget::time),
        "Time to simulate one frame: the average of the last ones.",
    );
    fact(
        ui,
        "The last one",
        &last.unwrap_or_else(none),
        "Time that the last frame took.",
    );
    let rate = editor.document().time.frame_rate;
    ui.horizontal(|ui| {
        label(ui, "Budget");
        budget::ui(&mut editor.panels.cost.budget, ui, rate);
    });
    fact(
        ui,
        "Memory",
        &format::bytes(editor.snapshot.memory_bytes),
        "What the simulation's fields take now.",
    );
    fact(
        ui,
        "Memory, estimated",
        &format::bytes(editor.document().memory_bytes()),
        "What this look was estimated to take before it ran.",
    );
    fact(
        ui,
        "Pictures a second",
        &editor.meter.shown_fps(),
        "How often this window is drawn.",
    );
    let device = match editor.snapshot.device.as_str() {
        "" => "Finding a device",
        device => device,
    };
    widgets::note(ui, device);
}

/// Width of what stands before a number.
const LABEL: f32 = 118.0;

fn label(ui: &mut Ui, text: &str) -> egui::Response {
    let size = vec2(LABEL, theme::ROW - 6.0);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let label = |ui: &mut Ui| {
        ui.set_min_width(LABEL);
        ui.label(RichText::new(text).small().color(theme::weak()))
    };
    ui.allocate_ui_with_layout(size, layout, label).inner
}

fn fact(ui: &mut Ui, name: &str, value: &str, tip: &str) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW - 6.0);
        label(ui, name).on_hover_text(tip);
        widgets::fixed(ui, value, 10, theme::text()).on_hover_text(tip);
    });
}

/// A kernel: its colour and name, what it takes as a bar, in ms, and as a share of the work.
fn bar(ui: &mut Ui, part: &Part, name: &str, [share, length]: [f64; 2], color: egui::Color32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let (ms, percent) = (
        format!("{:.3} ms", part.ms),
        format!("{:.0} %", share * 100.0),
    );
    response.widget_info(|| {
        let text = format!("{name}: {ms}, {percent}");
        egui::WidgetInfo::labeled(egui::Role::Label, true, text)
    });
    if ui.is_rect_visible(rect) {
        let painter = ui.painter();
        let names = (rect.width() * 0.42).min(190.0);
        let (number, shares) = (72.0, 42.0);
        let track = Rect::from_min_max(
            rect.min + vec2(names, 4.0),
            rect.max - vec2(number + shares, 4.0),
        );
        let patch = Rect::from_center_size(rect.left_center() + vec2(5.0, 0.0), vec2(10.0, 10.0));
        painter.rect_filled(patch, 2.0, color);
        painter.rect_filled(track, 2.0, theme::sunken());
        let done = vec2(track.width() * length as f32, track.height());
        painter.rect_filled(Rect::from_min_size(track.min, done), 2.0, color);
        let clipped = painter.with_clip_rect(rect.with_max_x(track.left() - 4.0));
        let small = egui::TextStyle::Small.resolve(ui.style());
        let at = rect.left_center() + vec2(16.0, 0.0);
        clipped.text(at, egui::Align2::LEFT_CENTER, name, small, theme::text());
        let mono = egui::TextStyle::Monospace.resolve(ui.style());
        let right = egui::Align2::RIGHT_CENTER;
        let at = rect.right_center();
        painter.text(at, right, percent, mono.clone(), theme::weak());
        painter.text(at - vec2(shares, 0.0), right, ms, mono, theme::text());
    }
    response.on_hover_text(format!(
        "{name}: {:.3} ms in {} runs a frame, {:.0} % of the work",
        part.ms,
        format::number((part.runs * 10.0).round() * 0.1),
        share * 100.0
    ));
}
