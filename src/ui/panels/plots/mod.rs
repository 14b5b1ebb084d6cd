//! How well the method does: what remains of the error, and what should stay the same.

mod charts;

use egui::{Align, Layout, RichText, Ui, Vec2b, vec2};
use egui_plot::{GridMark, Line, Plot, PlotPoints, Points};

use crate::ui::editor::Editor;
use crate::ui::icons::{self, Icon};
use crate::ui::{format, theme, widgets};
use charts::{Chart, charts};

/// Space between plots that stand side by side.
const APART: f32 = 24.0;
/// Height of a plot where there is room for it.
const HEIGHT: f32 = 132.0;
/// Least width of a plot; more stand side by side where there is room.
const WIDTH: f32 = 300.0;

/// Up to so many points are marked.
const FEW: usize = 32;

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    // Captions, axis and two lines of words leave this to a plot.
    let height = (ui.available_height() - 122.0).clamp(HEIGHT * 0.6, HEIGHT);
    widgets::scroll(ui, "plots", |ui| {
        let charts = charts(&editor.snapshot);
        if charts.is_empty() {
            widgets::empty(
                ui,
                "Nothing to plot yet",
                "Play or step the simulation: each frame adds a point.",
            );
            return;
        }
        let columns = ((ui.available_width() / WIDTH) as usize).clamp(1, charts.len());
        for row in charts.chunks(columns) {
            let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, APART);
            ui.columns(columns, |columns| {
                for (ui, chart) in columns.iter_mut().zip(row) {
                    ui.spacing_mut().item_spacing.x = gap;
                    // Columns are justified, and so would be the words.
                    ui.vertical(|ui| draw(ui, chart, height));
                }
            });
            ui.add_space(theme::GAP);
        }
    });
}

/// Room above and below a line that is nearly flat: without it rounding errors would fill the plot.
fn edges(chart: &Chart, shown: impl Fn(f64) -> f64) -> Option<[f64; 2]> {
    let values = || {
        chart
            .series
            .iter()
            .flat_map(|s| &s.points)
            .map(|p| shown(p[1]))
            .filter(|v| v.is_finite())
    };
    let low = values().reduce(f64::min)?;
    let high = values().reduce(f64::max)?;
    let least = if chart.log {
        1.0
    } else {
        (low.abs().max(high.abs()) * 0.02).max(1e-9)
    };
    let missing = least - (high - low);
    let room = if chart.log { missing * 0.5 } else { least };
    (missing > 0.0).then_some([low - room, high + room])
}

/// Below this a value is drawn as if it were this: zero has no place on a logarithmic axis.
const LEAST: f64 = 1e-12;

/// Two lines that stay inside the plot's width: what it is, then units and the names of the lines.
fn caption(ui: &mut Ui, chart: &Chart) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let row = vec2(ui.available_width(), 18.0);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let name = format!("Copy {} as CSV", chart.title);
        if icons::small(ui, Icon::Duplicate, &name, "Copy the numbers as CSV").clicked() {
            ui.ctx().copy_text(chart.csv());
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = RichText::new(&chart.title).color(theme::bright());
            ui.add(egui::Label::new(title).truncate());
        });
    });
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(14.0);
        let mut by = match chart.unit.as_str() {
            "" => format!("by {}", chart.x),
            unit => format!("in {unit}, by {}", chart.x),
        };
        if !chart.when.is_empty() {
            by.push_str(", ");
            by.push_str(&chart.when);
        }
        ui.label(RichText::new(by).small().color(theme::weak()));
        if chart.series.len() > 1 {
            for (series, color) in chart.series.iter().zip(theme::series()) {
                let name = RichText::new(format!("— {}", series.name));
                ui.label(name.small().color(color));
            }
        }
    });
}

fn draw(ui: &mut Ui, chart: &Chart, height: f32) {
    caption(ui, chart);
    let log = chart.log;
    let shown = |v: f64| if log { v.max(LEAST).log10() } else { v };
    let back = move |v: f64| if log { 10_f64.powf(v) } else { v };
    let (x, unit) = (chart.x, chart.unit.clone());
    let mut plot = Plot::new(&chart.title)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .auto_bounds(Vec2b::TRUE)
        .show_background(true)
        .y_axis_min_width(46.0)
        .grid_color(theme::line())
        .y_axis_formatter(move |mark: GridMark, _| format::number(back(mark.value)))
        .x_axis_formatter(move |mark: GridMark, _| {
            if (mark.value - mark.value.round()).abs() < 1e-6 {
                format!("{:.0}", mark.value)
            } else {
                String::new()
            }
        })
        .coordinates_formatter(
            egui_plot::Corner::RightTop,
            egui_plot::CoordinatesFormatter::new(move |p, _| {
                format!("{x} {:.0}: {}", p.x, format::with_unit(back(p.y), &unit))
            }),
        )
        .x_grid_spacer(few_whole_steps)
        .label_formatter(|_| None);
    if log {
        plot = plot.y_grid_spacer(decades);
    }
    for edge in edges(chart, shown).into_iter().flatten() {
        plot = plot.include_y(edge);
    }
    plot.show(ui, |plot| {
        for (series, color) in chart.series.iter().zip(theme::series()) {
            let points: PlotPoints<'_> =
                series.points.iter().map(|p| [p[0], shown(p[1])]).collect();
            plot.line(
                Line::new(series.name.clone(), points)
                    .color(color)
                    .width(1.6),
            );
            // A curve of few measurements shows where it was measured.
            if series.points.len() <= FEW {
                let dots: PlotPoints<'_> =
                    series.points.iter().map(|p| [p[0], shown(p[1])]).collect();
                plot.points(
                    Points::new(series.name.clone(), dots)
                        .color(color)
                        .radius(2.2),
                );
            }
        }
    });
    let (text, color) = &chart.verdict;
    widgets::colored_note(ui, text, *color);
}

/// A line at every so many whole numbers, few enough that each has its number beside it.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
fn few_whole_steps(input: egui_plot::GridInput) -> Vec<GridMark> {
    const MOST: f64 = 5.0;
    let (low, high) = input.bounds;
    let rough = ((high - low) / MOST).max(1.0);
    let decade = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade);
    let step = steps.into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..)
        .map(|i| i as f64 * step)
        .take_while(|value| *value <= high)
        .take(16)
        .map(|value| GridMark {
            value,
            step_size: step,
        })
        .collect()
}

/// A strong line at each power of ten, or every so many, and where there is room faint ones at its multiples.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
pub(crate) fn decades(input: egui_plot::GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let step = ((high - low) / 5.0).ceil().max(1.0);
    let mark = |value, step_size| GridMark { value, step_size };
    let first = (low / step).floor() as i64;
    let last = (high / step).ceil() as i64;
    let mut marks = Vec::new();
    for decade in (first..=last).take(64) {
        let value = decade as f64 * step;
        marks.push(mark(value, step));
        if high - low <= 3.0 {
            marks.extend((2..10).map(|n| {
                // The larger step has a number beside it where it fits.
                let step = if n == 2 || n == 5 { 0.3 } else { 0.1 };
                mark(value + f64::from(n).log10(), step)
            }));
        }
    }
    marks.retain(|m| (low..=high).contains(&m.value));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_few_lines() {
        let at = |low, high| -> Vec<f64> {
            let bounds = (low, high);
            let marks = few_whole_steps(egui_plot::GridInput {
                bounds,
                base_step_size: 0.01,
            });
            marks.iter().map(|m| m.value).collect()
        };
        assert_eq!(at(-2.0, 82.0), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(at(0.0, 80.0), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(at(0.2, 3.1), [1.0, 2.0, 3.0]);
        assert_eq!(at(0.0, 0.0), [0.0]);
        assert!(at(-1e9, 1e9).len() < 10);
    }

    #[test]
    fn every_decade_has_its_line() {
        let grid = |low, high| {
            decades(egui_plot::GridInput {
                bounds: (low, high),
                base_step_size: 0.01,
            })
        };
        let strong = |low, high| -> Vec<f64> {
            let marks = grid(low, high);
            let strong = marks.iter().filter(|m| m.step_size >= 1.0);
            strong.map(|m| m.value).collect()
        };
        assert_eq!(strong(-3.5, 0.5), [-3.0, -2.0, -1.0, 0.0]);
        assert_eq!(strong(-12.0, 3.0), [-12.0, -9.0, -6.0, -3.0, 0.0, 3.0]);
        assert!(grid(-1.0, 1.0).len() > 15, "faint lines between");
        assert!(grid(-9.0, 0.0).iter().all(|m| m.step_size > 0.5));
    }
}
