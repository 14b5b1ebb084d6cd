//! How well the method does: what remains of the error, and what should stay the same.

use egui::{Color32, RichText, Ui, Vec2b};
use egui_plot::{GridMark, Line, Plot, PlotPoints};

use crate::sim::{HistoryPoint, Snapshot};
use crate::solvers::Invariant;
use crate::ui::editor::Editor;
use crate::ui::{format, theme, widgets};

/// Height of a plot.
const HEIGHT: f32 = 132.0;
/// Least width of a plot; more stand side by side where there is room.
const WIDTH: f32 = 300.0;
/// Most points of a line: more than pixels do not show.
const POINTS: usize = 600;

/// A line of a plot.
struct Series {
    name: String,
    points: Vec<[f64; 2]>,
}

/// One plot.
struct Chart {
    title: String,
    unit: String,
    x: &'static str,
    log: bool,
    series: Vec<Series>,
    verdict: (String, Color32),
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
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
            ui.columns(columns, |columns| {
                for (ui, chart) in columns.iter_mut().zip(row) {
                    draw(ui, chart);
                }
            });
            ui.add_space(theme::GAP);
        }
    });
}

fn charts(snapshot: &Snapshot) -> Vec<Chart> {
    let mut charts = Vec::new();
    charts.extend(residual(snapshot));
    charts.extend(before_and_after(&snapshot.history));
    if let Some(last) = snapshot.history.last() {
        charts.extend(
            last.invariants
                .iter()
                .map(|invariant| over_time(&snapshot.history, invariant)),
        );
    }
    charts
}

/// The error by iteration of the last pressure solve.
fn residual(snapshot: &Snapshot) -> Option<Chart> {
    let solve = snapshot.report.pressure()?;
    if solve.residuals.is_empty() {
        return None;
    }
    if solve.l2_before <= 0.0 {
        return None;
    }
    let drop = f64::from(solve.l2_before) / f64::from(solve.l2.max(f32::MIN_POSITIVE));
    let iterations = format::count(solve.iterations as usize, "iteration");
    let verdict = if solve.converged {
        (
            format!(
                "Converged after {iterations}: the error fell {}.",
                fold(drop)
            ),
            theme::GOOD,
        )
    } else {
        (
            format!(
                "Not converged: after {iterations} the error is {} smaller. \
                 More iterations or another solver bring it down.",
                fold(drop)
            ),
            theme::WARN,
        )
    };
    Some(Chart {
        title: "Pressure error".to_owned(),
        unit: solve.unit.to_owned(),
        x: "iteration",
        log: true,
        series: vec![Series {
            name: "error (root mean square)".to_owned(),
            points: solve
                .residuals
                .iter()
                .map(|(i, r)| [f64::from(*i), f64::from(*r)])
                .collect(),
        }],
        verdict,
    })
}

fn fold(times: f64) -> String {
    if times < 1.05 {
        "hardly any".to_owned()
    } else {
        format!("{} times", format::number(times))
    }
}

/// The error before and after each frame's pressure solve.
fn before_and_after(history: &[std::sync::Arc<HistoryPoint>]) -> Option<Chart> {
    let last = history.last()?;
    if last.residual[0] <= 0.0 {
        return None;
    }
    let line = |k: usize, name: &str| Series {
        name: name.to_owned(),
        points: thinned(history, |p| f64::from(p.residual[k])),
    };
    let [before, after] = last.residual.map(f64::from);
    let left = after / before.max(f64::MIN_POSITIVE) * 100.0;
    let verdict = if left < 1.0 {
        (
            format!(
                "{} % of the error is left after the solve.",
                format::number(left)
            ),
            theme::GOOD,
        )
    } else if left < 20.0 {
        (
            format!("{left:.0} % of the error is left: fine for a look, not for a measurement."),
            theme::TEXT,
        )
    } else {
        (
            format!(
                "{left:.0} % of the error is left: swirls lose life and fluid seems to vanish."
            ),
            theme::WARN,
        )
    };
    Some(Chart {
        title: "Pressure error before and after".to_owned(),
        unit: String::new(),
        x: "frame",
        log: true,
        series: vec![line(0, "before"), line(1, "after")],
        verdict,
    })
}

fn over_time(history: &[std::sync::Arc<HistoryPoint>], invariant: &Invariant) -> Chart {
    let value = |p: &HistoryPoint| {
        p.invariants
            .iter()
            .find(|i| i.name == invariant.name)
            .map_or(f64::NAN, |i| i.value)
    };
    let points = thinned(history, |p| value(p));
    let verdict = explain(invariant, &points);
    Chart {
        title: invariant.label.to_owned(),
        unit: invariant.unit.to_owned(),
        x: "frame",
        log: invariant.name.starts_with("divergence"),
        series: vec![Series {
            name: invariant.label.to_owned(),
            points,
        }],
        verdict,
    }
}

/// What the last value means, in plain words.
fn explain(invariant: &Invariant, points: &[[f64; 2]]) -> (String, Color32) {
    let value = invariant.value;
    let now = format::with_unit(value, invariant.unit);
    let trend = trend(points);
    let plain = |text: String| (text, theme::TEXT);
    match invariant.name {
        "cfl" if value > 8.0 => (
            format!(
                "The fluid crosses {} cells a step: details smear. Allow more sub-steps.",
                format::number(value)
            ),
            theme::WARN,
        ),
        "cfl" => plain(format!(
            "The fluid crosses {} cells a step at most.",
            format::number(value)
        )),
        name if name.starts_with("divergence") => plain(format!(
            "Fluid appears or vanishes at up to {now}; zero is perfect."
        )),
        "kinetic_energy" => plain(format!("Energy of motion: {now}, {trend}.")),
        "dye_mass" => plain(format!("Dye in all: {now}, {trend}.")),
        _ => plain(format!("Now {now}, {trend}.")),
    }
}

/// Whether the second half of what is shown lies above or below the first.
fn trend(points: &[[f64; 2]]) -> &'static str {
    let half = points.len() / 2;
    if half < 4 {
        return "just begun";
    }
    let mean = |p: &[[f64; 2]]| p.iter().map(|p| p[1]).sum::<f64>() / p.len() as f64;
    let recent = &points[half..];
    let (a, b) = recent.split_at(recent.len() / 2);
    let (a, b) = (mean(a), mean(b));
    let scale = a.abs().max(b.abs()).max(1e-30);
    match (b - a) / scale {
        d if d > 0.03 => "rising",
        d if d < -0.03 => "falling",
        _ => "steady",
    }
}

/// At most so many points as can be seen: the extremes of each stretch are kept.
fn thinned(
    history: &[std::sync::Arc<HistoryPoint>],
    value: impl Fn(&HistoryPoint) -> f64,
) -> Vec<[f64; 2]> {
    let step = history.len().div_ceil(POINTS / 2).max(1);
    let point = |p: &HistoryPoint| [f64::from(p.frame), value(p)];
    if step <= 2 {
        return history.iter().map(|p| point(p)).collect();
    }
    let mut out = Vec::with_capacity(POINTS);
    for stretch in history.chunks(step) {
        let all = || {
            stretch
                .iter()
                .map(|p| point(p))
                .filter(|p| p[1].is_finite())
        };
        let low = all().min_by(|a, b| a[1].total_cmp(&b[1]));
        let high = all().max_by(|a, b| a[1].total_cmp(&b[1]));
        let mut pair: Vec<[f64; 2]> = low.into_iter().chain(high).collect();
        pair.sort_by(|a, b| a[0].total_cmp(&b[0]));
        pair.dedup();
        out.extend(pair);
    }
    out
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
    (high - low < least).then_some([low - least, high + least])
}

/// Below this a value is drawn as if it were this: zero has no place on a logarithmic axis.
const LEAST: f64 = 1e-12;

fn draw(ui: &mut Ui, chart: &Chart) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(&chart.title).color(theme::BRIGHT));
        let by = match chart.unit.as_str() {
            "" => format!("by {}", chart.x),
            unit => format!("{unit}, by {}", chart.x),
        };
        ui.label(RichText::new(by).small().color(theme::WEAK));
        if chart.series.len() > 1 {
            for (series, color) in chart.series.iter().zip(theme::SERIES) {
                ui.label(
                    RichText::new(format!("— {}", series.name))
                        .small()
                        .color(color),
                );
            }
        }
    });
    let log = chart.log;
    let shown = |v: f64| if log { v.max(LEAST).log10() } else { v };
    let back = move |v: f64| if log { 10_f64.powf(v) } else { v };
    let (x, unit) = (chart.x, chart.unit.clone());
    let mut plot = Plot::new(&chart.title)
        .height(HEIGHT)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .auto_bounds(Vec2b::TRUE)
        .show_background(true)
        .y_axis_min_width(46.0)
        .grid_color(theme::LINE)
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
        .label_formatter(|_| None);
    if log {
        plot = plot.y_grid_spacer(decades);
    }
    for edge in edges(chart, shown).into_iter().flatten() {
        plot = plot.include_y(edge);
    }
    plot.show(ui, |plot| {
        for (series, color) in chart.series.iter().zip(theme::SERIES) {
            let points: PlotPoints<'_> =
                series.points.iter().map(|p| [p[0], shown(p[1])]).collect();
            plot.line(
                Line::new(series.name.clone(), points)
                    .color(color)
                    .width(1.6),
            );
        }
    });
    let (text, color) = &chart.verdict;
    widgets::colored_note(ui, text, *color);
}

/// A line at each power of ten.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
fn decades(input: egui_plot::GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let step = ((high - low) / 5.0).ceil().max(1.0);
    let mut marks = Vec::new();
    let mut value = (low / step).ceil() * step;
    while value <= high && marks.len() < 64 {
        marks.push(GridMark {
            value,
            step_size: step,
        });
        value += step;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn history(n: u32) -> Vec<Arc<HistoryPoint>> {
        (0..n)
            .map(|frame| {
                Arc::new(HistoryPoint {
                    frame,
                    frame_ms: 1.0,
                    substeps: 1,
                    residual: [1.0, 0.1],
                    iterations: 10,
                    invariants: Vec::new(),
                })
            })
            .collect()
    }

    #[test]
    fn long_histories_keep_their_extremes() {
        let h = history(10_000);
        let spike = |p: &HistoryPoint| if p.frame == 4321 { 50.0 } else { 1.0 };
        let points = thinned(&h, spike);
        assert!(points.len() <= POINTS + 2);
        assert!(points.contains(&[4321.0, 50.0]));
        assert!(points.windows(2).all(|w| w[0][0] <= w[1][0]));
    }

    #[test]
    fn a_trend_is_seen() {
        let line = |f: fn(f64) -> f64| -> Vec<[f64; 2]> {
            (0..100).map(|i| [f64::from(i), f(f64::from(i))]).collect()
        };
        assert_eq!(trend(&line(|x| x)), "rising");
        assert_eq!(trend(&line(|x| 200.0 - x)), "falling");
        assert_eq!(trend(&line(|_| 3.0)), "steady");
    }
}
