//! The last frames, what each kernel took on top of the others.

use egui::{RichText, Ui, Vec2b};
use egui_plot::{FilledArea, GridMark, HLine, Line, LineStyle, Plot, PlotPoints};

use super::budget;
use super::parts::{Frame, Part, called};
use crate::ui::panels::plots::{
    Cursor, Reading, few_whole_steps, mark, named, still, tooltip, under, values, whole,
};
use crate::ui::{format, theme};

/// Kernels with a colour of their own.
pub const OWN: usize = 6;
/// The budget is drawn where the frames reach this share of it; else it would press them flat.
const NEAR: f64 = 0.2;

/// The colour of the part at that place.
pub fn color(place: usize) -> egui::Color32 {
    let colors = theme::parts();
    colors[place.min(OWN)]
}

/// What is stacked: the first kernels, then all others as one.
struct Layer {
    label: String,
    place: usize,
    /// Of each frame, ms.
    ms: Vec<f64>,
}

fn layers(frames: &[Frame<'_>], parts: &[Part]) -> Vec<Layer> {
    let own = parts.iter().take(OWN).enumerate();
    let mut layers: Vec<Layer> = own
        .map(|(place, part)| Layer {
            label: called(part.name, parts),
            place,
            ms: frames.iter().map(|f| f.of(part.name)).collect(),
        })
        .collect();
    if parts.len() > OWN {
        let rest = |i: usize, frame: &Frame<'_>| {
            let all: f64 = frame.kernels.iter().map(|k| k.ms).sum();
            (all - layers.iter().map(|l| l.ms[i]).sum::<f64>()).max(0.0)
        };
        let ms = frames.iter().enumerate().map(|(i, f)| rest(i, f)).collect();
        layers.push(Layer {
            label: "other kernels".to_owned(),
            place: OWN,
            ms,
        });
    }
    layers
}

/// Frames that the plot is wide at least.
const FEWEST: u32 = 10;

/// Draws them, with the budget.
pub fn ui(
    ui: &mut Ui,
    frames: &[Frame<'_>],
    parts: &[Part],
    budget: f32,
    cursor: &mut Cursor,
    height: f32,
) {
    let layers = layers(frames, parts);
    let peak = frames.iter().map(|f| f.ms).fold(0.0, f64::max);
    let near = peak >= NEAR * f64::from(budget);
    legend(ui, &layers, budget, near);
    let top = if near {
        peak.max(f64::from(budget) * 1.05)
    } else {
        peak
    };
    let xs: Vec<f64> = frames.iter().map(|f| f64::from(f.frame)).collect();
    let whole: PlotPoints<'static> = frames.iter().map(|f| [f64::from(f.frame), f.ms]).collect();
    let mut empty = empty(height, ceiling(top));
    if let [first, .., last] | [first @ last] = frames {
        // A few frames do not fill the width.
        let least = first.frame.saturating_add(FEWEST);
        empty = empty
            .include_x(first.frame)
            .include_x(last.frame.max(least));
    }
    let response = empty.show(ui, |plot| {
        let mut below = vec![0.0; xs.len()];
        for layer in &layers {
            let above: Vec<f64> = below.iter().zip(&layer.ms).map(|(a, b)| a + b).collect();
            let area = FilledArea::new(layer.label.clone(), &xs, &below, &above)
                .fill_color(color(layer.place))
                .allow_hover(false);
            plot.add(area);
            below = above;
        }
        let line = Line::new("whole frame", whole).color(theme::text());
        plot.line(line.width(1.2).allow_hover(false));
        if near {
            let at = f64::from(budget);
            // On a ground of its own, or it would be lost among the areas.
            let ground = HLine::new("ground", at).color(theme::panel());
            plot.hline(ground.width(3.0).allow_hover(false));
            plot.hline(
                HLine::new("budget", at)
                    .color(theme::warn())
                    .width(1.4)
                    .style(LineStyle::dashed_dense())
                    .allow_hover(false),
            );
        }
    });
    point(
        ui,
        frames,
        &layers,
        cursor,
        &response.response,
        &response.transform,
    );
}

/// The nearest frame to the pointer, here or in another plot, with what it consisted of.
fn point(
    ui: &Ui,
    frames: &[Frame<'_>],
    layers: &[Layer],
    cursor: &mut Cursor,
    response: &egui::Response,
    transform: &egui_plot::PlotTransform,
) {
    let here = under(response, transform);
    let Some(x) = here.or_else(|| cursor.frame(ui.ctx())) else {
        return;
    };
    let away = |f: &Frame<'_>| (f64::from(f.frame) - x).abs();
    let nearest = frames.iter().enumerate();
    let Some((i, frame)) = nearest.min_by(|a, b| away(a.1).total_cmp(&away(b.1))) else {
        return;
    };
    let x = f64::from(frame.frame);
    let whole = Reading {
        name: "whole frame".to_owned(),
        color: theme::text(),
        dashed: false,
        value: format!("{:.2} ms", frame.ms),
        at: Some([x, frame.ms]),
    };
    // As they lie above each other.
    let layers = layers.iter().rev().map(|layer| Reading {
        name: layer.label.clone(),
        color: color(layer.place),
        dashed: false,
        value: format!("{:.2} ms", layer.ms[i]),
        at: None,
    });
    let readings: Vec<Reading> = std::iter::once(whole).chain(layers).collect();
    mark(ui, transform, x, &readings);
    if here.is_some() {
        let place = format!("Frame {}", frame.frame);
        tooltip(ui, response, &place, &readings);
        cursor.point(ui.ctx(), *transform.frame(), x);
    }
}

/// The names of the colours and lines.
fn legend(ui: &mut Ui, layers: &[Layer], budget: f32, near: bool) {
    ui.spacing_mut().interact_size.y = 14.0;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.label(RichText::new("ms by frame").small().color(theme::weak()));
        named(ui, theme::text(), false, "whole frame");
        let (time, rate) = (budget::time(f64::from(budget)), budget::rate(budget));
        let far = if near { "" } else { ", far above" };
        let text = format!("budget {time}: {rate}{far}");
        named(ui, theme::warn(), true, &text);
        for layer in layers {
            named(ui, color(layer.place), false, &layer.label);
        }
    });
}

/// A round number not below: the axis stays while peaks come and go.
fn ceiling(top: f64) -> f64 {
    let top = top.max(1e-3);
    let decade = 10_f64.powf(top.log10().floor());
    let steps = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0].map(|m| m * decade);
    steps.into_iter().find(|s| *s >= top).unwrap_or(top)
}

fn empty(height: f32, top: f64) -> Plot<'static> {
    still("cost of frames", height)
        .auto_bounds(Vec2b::TRUE)
        .set_margin_fraction(egui::vec2(0.0, 0.0))
        .include_y(0.0)
        .include_y(top)
        .y_axis_formatter(|mark: GridMark, _| format::number(mark.value))
        .x_axis_formatter(|mark: GridMark, _| whole(mark.value))
        .x_grid_spacer(few_whole_steps)
        .y_grid_spacer(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::KernelTime;

    #[test]
    fn the_axis_ends_at_round_numbers() {
        assert_eq!(ceiling(17.5), 20.0);
        assert_eq!(ceiling(2.0), 2.0);
        assert!((ceiling(0.42) - 0.5).abs() < 1e-9);
        assert!(ceiling(0.0) > 0.0);
    }

    #[test]
    fn nothing_of_a_frame_is_left_out_of_the_stack() {
        const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let kernels: Vec<KernelTime> = NAMES
            .iter()
            .enumerate()
            .map(|(i, name)| KernelTime {
                name,
                part: "",
                ms: 8.0 - i as f64,
                runs: 1,
            })
            .collect();
        let frames = [1, 2].map(|frame| Frame {
            frame,
            ms: 40.0,
            kernels: &kernels,
        });
        let parts = super::super::parts::parts(&frames, &mut Vec::new());
        let layers = layers(&frames, &parts);
        assert_eq!(layers.len(), OWN + 1);
        assert_eq!(layers[OWN].ms, [3.0, 3.0]);
        let sum: f64 = layers.iter().map(|l| l.ms[0]).sum();
        assert_eq!(sum, 36.0);
    }
}
