//! What a frame costs, and what of it takes longest.

use egui::{Label, Rect, RichText, Sense, Ui, vec2};

use crate::device::KernelTime;
use crate::params::label_from_name;
use crate::ui::editor::Editor;
use crate::ui::{format, theme, widgets};

/// What the numbers take beside each other.
const BESIDE: f32 = 480.0;

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    widgets::scroll(ui, "cost", |ui| {
        let snapshot = editor.snapshot.clone();
        let frame = format!("{:.2} ms", snapshot.frame_ms);
        let memory = format::bytes(snapshot.memory_bytes);
        let estimated = format::bytes(editor.document().memory_bytes());
        let estimated =
            format!("What the simulation's fields take. Estimated for this look: {estimated}.");
        let rate = editor.meter.shown_fps();
        let readouts = [
            ("A frame takes", frame, 11, "Time to simulate one frame."),
            ("Memory", memory, 9, estimated.as_str()),
            (
                "Pictures a second",
                rate,
                4,
                "How often this window is drawn.",
            ),
        ];
        let show = |ui: &mut Ui| {
            for (label, value, chars, tip) in &readouts {
                ui.horizontal(|ui| widgets::readout(ui, label, value, *chars, tip));
            }
        };
        // Below each other where they would not fit beside each other.
        if ui.available_width() < BESIDE {
            show(ui);
        } else {
            ui.horizontal(show);
        }
        ui.label(RichText::new(&snapshot.device).small().color(theme::weak()));
        ui.add_space(theme::GAP);
        let mut kernels = snapshot.report.kernels.clone();
        kernels.retain(|k| k.ms > 0.0);
        kernels.sort_by(|a, b| b.ms.total_cmp(&a.ms));
        if kernels.is_empty() {
            widgets::empty(
                ui,
                "Nothing measured yet",
                "Play or step the simulation to see what each part of a frame costs.",
            );
            return;
        }
        let total: f64 = kernels.iter().map(|k| k.ms).sum();
        ui.add(Label::new(RichText::new(verdict(&kernels, total)).color(theme::text())).wrap());
        ui.add_space(theme::GAP);
        for kernel in &kernels {
            bar(ui, kernel, &called(kernel, &kernels), total, kernels[0].ms);
        }
    });
}

/// What dominates, in words.
fn verdict(kernels: &[KernelTime], total: f64) -> String {
    let Some(first) = kernels.first() else {
        return String::new();
    };
    let share = first.ms / total.max(1e-9);
    let name = called(first, kernels);
    if share > 0.5 {
        format!(
            "{name} takes {:.0} % of the work: to be faster, begin there.",
            share * 100.0
        )
    } else {
        format!(
            "The work is spread out; the largest part is {} with {:.0} %.",
            name.to_lowercase(),
            share * 100.0
        )
    }
}

/// The kernel's name, with what it ran for where it ran for more than one part of the frame.
fn called(kernel: &KernelTime, all: &[KernelTime]) -> String {
    let name = label_from_name(kernel.name);
    let once = all.iter().filter(|k| k.name == kernel.name).count() == 1;
    match kernel.part {
        part if once || part.is_empty() => name,
        part => format!("{name}, {part}"),
    }
}

fn bar(ui: &mut Ui, kernel: &KernelTime, label: &str, total: f64, longest: f64) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    if ui.is_rect_visible(rect) {
        let painter = ui.painter();
        let names = (rect.width() * 0.42).min(170.0);
        let number = 70.0;
        let track = Rect::from_min_max(rect.min + vec2(names, 4.0), rect.max - vec2(number, 4.0));
        let share = (kernel.ms / longest.max(1e-9)) as f32;
        painter.rect_filled(track, 2.0, theme::sunken());
        painter.rect_filled(
            Rect::from_min_size(track.min, vec2(track.width() * share, track.height())),
            2.0,
            theme::accent().gamma_multiply(0.8),
        );
        let body = egui::TextStyle::Small.resolve(ui.style());
        let clipped = painter.with_clip_rect(rect.with_max_x(track.left() - 4.0));
        clipped.text(
            rect.left_center(),
            egui::Align2::LEFT_CENTER,
            label,
            body,
            theme::text(),
        );
        painter.text(
            rect.right_center(),
            egui::Align2::RIGHT_CENTER,
            format!("{:.3} ms", kernel.ms),
            egui::TextStyle::Monospace.resolve(ui.style()),
            theme::weak(),
        );
    }
    response.on_hover_text(format!(
        "{}: {:.3} ms in {}, {:.0} % of the work",
        label_from_name(kernel.name),
        kernel.ms,
        format::count(kernel.runs as usize, "run"),
        kernel.ms / total.max(1e-9) * 100.0
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_names_what_dominates() {
        let for_part = |name, part, ms| KernelTime {
            name,
            part,
            ms,
            runs: 1,
        };
        let time = |name, ms| for_part(name, "", ms);
        let text = verdict(&[time("jacobi_sweep", 8.0), time("advect", 2.0)], 10.0);
        assert!(text.contains("Jacobi sweep") && text.contains("80 %"));
        let text = verdict(&[time("a", 4.0), time("b", 3.0), time("c", 3.0)], 10.0);
        assert!(text.contains("spread out"));
        let twice = ["pressure", "viscosity of u"].map(|part| for_part("jacobi_sweep", part, 5.0));
        assert_eq!(called(&twice[1], &twice), "Jacobi sweep, viscosity of u");
        assert_eq!(called(&twice[1], &twice[1..]), "Jacobi sweep");
    }
}
