//! A plot with its captions and its words.

use egui::{Align, Color32, Layout, RichText, Ui, Vec2b, vec2};
use egui_plot::{GridMark, Line, LineStyle, Plot, PlotPoints, Points};

use super::axes;
use super::charts::{Axis, Chart, Series, thinned};
use super::cursor::{self, Cursor, Reading};
use super::words;
use crate::ui::icons::{self, Icon};
use crate::ui::{format, theme, widgets};

/// Up to so many points are marked.
const FEW: usize = 32;
/// Below this a value is drawn as if it were this: zero has no place on a logarithmic axis.
const LEAST: f64 = 1e-12;
/// Room for two lines of words: what stands below does not move when they change.
const WORDS: f32 = 32.0;

/// A pinned line beside its own.
pub fn dimmed(color: Color32) -> Color32 {
    color.gamma_multiply(0.62)
}

/// Draws a chart, with that of a pinned run behind it.
pub fn draw(ui: &mut Ui, chart: &Chart, pinned: Option<&Chart>, cursor: &mut Cursor, height: f32) {
    caption(ui, chart, pinned);
    let shown = |v: f64| if chart.log { v.max(LEAST).log10() } else { v };
    let edges = edges(chart, pinned, shown);
    let plot = axes_of(chart, height, edges);
    let response = plot.show(ui, |plot| {
        let lines = |series: &Series| -> PlotPoints<'static> {
            let points = thinned(&series.points);
            points.iter().map(|p| [p[0], shown(p[1])]).collect()
        };
        for (series, color) in pinned_series(chart, pinned) {
            plot.line(
                Line::new(format!("pinned {}", series.name), lines(series))
                    .color(dimmed(color))
                    .width(1.4)
                    .style(LineStyle::dashed_dense())
                    .allow_hover(false),
            );
        }
        for (series, color) in chart.series.iter().zip(theme::series()) {
            plot.line(
                Line::new(series.name.clone(), lines(series))
                    .color(color)
                    .width(1.6)
                    .allow_hover(false),
            );
            // A curve of few measurements shows where it was measured.
            if series.points.len() <= FEW {
                plot.points(
                    Points::new(series.name.clone(), lines(series))
                        .color(color)
                        .radius(2.2)
                        .allow_hover(false),
                );
            }
        }
    });
    point(
        ui,
        chart,
        pinned,
        cursor,
        &response.response,
        &response.transform,
    );
    ui.scope(|ui| {
        ui.set_min_height(WORDS);
        let (text, color) = &chart.verdict;
        widgets::colored_note(ui, text, *color);
        if let Some(text) = pinned.and_then(|p| words::against(chart, p)) {
            widgets::colored_note(ui, &text, theme::text());
        }
    });
}

/// The lines of a pinned run with the colours of their own ones.
fn pinned_series<'a>(
    chart: &'a Chart,
    pinned: Option<&'a Chart>,
) -> impl Iterator<Item = (&'a Series, Color32)> {
    let all = pinned.map_or(&[][..], |p| &p.series).iter();
    all.map(|series| {
        let own = chart.series.iter().position(|s| s.name == series.name);
        let colors = theme::series();
        (series, colors[own.unwrap_or(0) % colors.len()])
    })
}

/// What is at the cursor, which is under the pointer or, along frames, where the pointer is in another plot.
fn point(
    ui: &Ui,
    chart: &Chart,
    pinned: Option<&Chart>,
    cursor: &mut Cursor,
    response: &egui::Response,
    transform: &egui_plot::PlotTransform,
) {
    let shown = |v: f64| if chart.log { v.max(LEAST).log10() } else { v };
    let here = cursor::under(response, transform);
    let along_frames = chart.x == Axis::Frame;
    let nearest = |x: f64| {
        let own = chart.nearest(x);
        own.or_else(|| pinned.and_then(|p| p.nearest(x)))
    };
    let elsewhere = || cursor.frame(ui.ctx()).filter(|_| along_frames);
    let Some(x) = here.or_else(elsewhere).and_then(nearest) else {
        return;
    };
    let reading = |series: &Series, color, dashed| {
        // Iterations of two runs need not be the same ones, frames are.
        let [at, value] = match along_frames {
            true => [x, series.at(x)?],
            false => series.nearest(x)?,
        };
        Some(Reading {
            name: match (dashed, along_frames || at == x) {
                (false, _) => series.name.clone(),
                (true, true) => format!("{}, pinned", series.name),
                (true, false) => {
                    let place = words::within(&chart.x.place(at));
                    format!("{}, pinned, {place}", series.name)
                }
            },
            color,
            dashed,
            value: format::with_unit(value, &chart.unit),
            at: Some([at, shown(value)]),
        })
    };
    let own = chart.series.iter().zip(theme::series());
    let own = own.filter_map(|(s, color)| reading(s, color, false));
    let before = pinned_series(chart, pinned);
    let before = before.filter_map(|(s, color)| reading(s, dimmed(color), true));
    let readings: Vec<Reading> = own.chain(before).collect();
    cursor::mark(ui, transform, x, &readings);
    if here.is_some() {
        let place = chart.x.place(x);
        cursor::tooltip(ui, response, &place, &readings);
        if along_frames {
            cursor.point(ui.ctx(), *transform.frame(), x);
        }
    }
}

/// Room above and below a line that is nearly flat: without it rounding errors would fill the plot.
fn edges(chart: &Chart, pinned: Option<&Chart>, shown: impl Fn(f64) -> f64) -> Option<[f64; 2]> {
    let values = || {
        let all = chart.series.iter();
        all.chain(pinned.map_or(&[][..], |p| &p.series))
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

/// Lines that stay inside the plot's width: what it is, then units and the names of the lines.
fn caption(ui: &mut Ui, chart: &Chart, pinned: Option<&Chart>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let row = vec2(ui.available_width(), 18.0);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let name = format!("Copy {} as CSV", chart.title);
        if icons::small(ui, Icon::Duplicate, &name, "Copy the numbers as CSV").clicked() {
            ui.ctx().copy_text(chart.csv(pinned));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = RichText::new(&chart.title).color(theme::bright());
            ui.add(egui::Label::new(title).truncate());
        });
    });
    ui.spacing_mut().interact_size.y = 14.0;
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(14.0);
        let by = chart.x.by();
        let mut by = match chart.unit.as_str() {
            "" => by.to_owned(),
            unit => format!("in {unit}, {by}"),
        };
        if !chart.when.is_empty() {
            by.push_str(", ");
            by.push_str(&chart.when);
        }
        ui.label(RichText::new(by).small().color(theme::weak()));
        if chart.series.len() > 1 {
            for (series, color) in chart.series.iter().zip(theme::series()) {
                cursor::named(ui, color, false, &series.name);
            }
        }
        if pinned.is_some() {
            let color = match chart.series.len() {
                1 => dimmed(theme::series()[0]),
                _ => theme::weak(),
            };
            cursor::named(ui, color, true, "pinned");
        }
    });
}

/// An empty plot with the axes of a chart.
fn axes_of(chart: &Chart, height: f32, edges: Option<[f64; 2]>) -> Plot<'static> {
    let log = chart.log;
    let back = move |v: f64| if log { 10_f64.powf(v) } else { v };
    let whole = chart.x != Axis::Milliseconds;
    let octaves = chart.x == Axis::Wavelength;
    let mut plot = axes::still(&chart.title, height)
        .auto_bounds(Vec2b::TRUE)
        .y_axis_formatter(move |mark: GridMark, _| format::number(back(mark.value)))
        .x_axis_formatter(move |mark: GridMark, _| match whole {
            true if octaves => axes::power_of_two(mark.value),
            true => axes::whole(mark.value),
            false => format::number((mark.value * 1e6).round() * 1e-6),
        });
    plot = match whole {
        true => plot.x_grid_spacer(axes::few_whole_steps),
        false => plot.x_grid_spacer(axes::few_steps),
    };
    plot = match log {
        true => plot.y_grid_spacer(axes::decades),
        false => plot.y_grid_spacer(axes::values),
    };
    for edge in edges.into_iter().flatten() {
        plot = plot.include_y(edge);
    }
    plot
}
