//! Cost against error: every way a point, and a line through those that nothing beats.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, RichText, Ui, Vec2b, pos2, vec2};
use egui_plot::{GridMark, Line, PlotPoints, Points, Polygon};

use super::words;
use crate::compare::{Budget, Cost, Measure, Reference, Row, doubt, pareto};
use crate::ui::compare_job::Results;
use crate::ui::panels::plots::{decades, few_steps, still};
use crate::ui::{format, theme, widgets};

/// Height of the plot.
const HEIGHT: f32 = 236.0;
/// Below this a value counts as zero.
const LEAST: f64 = 1e-12;
/// How near the pointer has to be to a point to ask about it.
const NEAR: f32 = 14.0;

/// How values become places along an axis: values far apart by their powers of ten.
#[derive(Clone, Copy)]
struct Axis {
    log: bool,
    /// Where zero is drawn, which has no place on a logarithmic axis: some way below the least of the others.
    floor: f64,
    /// The ends, as shown.
    ends: [f64; 2],
}

impl Axis {
    fn of(values: &[f64]) -> Self {
        let high = values.iter().copied().fold(0.0, f64::max);
        let above = values.iter().copied().filter(|v| *v > LEAST);
        let floor = above.fold(high, f64::min).max(LEAST) / 3.0;
        let low = values.iter().copied().fold(high, f64::min).max(0.0);
        let log = high > 5.0 * low.max(LEAST) && high > LEAST;
        let mut axis = Self {
            log,
            floor,
            ends: [0.0, 1.0],
        };
        if high > 0.0 {
            let (a, b) = (axis.shown(low), axis.shown(high));
            let least = if log { 0.3 } else { high * 0.1 };
            let span = (b - a).max(least);
            let middle = (a + b) * 0.5;
            // Labels need room beside the outermost points.
            axis.ends = [middle - span * 0.62, middle + span * 0.62];
        }
        axis
    }
    fn shown(self, v: f64) -> f64 {
        if self.log {
            v.max(self.floor).log10()
        } else {
            v
        }
    }
    fn back(self, v: f64) -> f64 {
        if self.log { 10_f64.powf(v) } else { v }
    }
}

/// A way in the chart.
struct Point<'a> {
    label: &'a str,
    cost: f64,
    error: f64,
    at: [f64; 2],
    best: bool,
}

/// Draws the choice of what is meant by error, the chart, and what it comes to where a frame may take so many ms.
pub fn ui(measure: &mut Measure, cost: &mut Cost, frame_ms: f32, ui: &mut Ui, results: &Results) {
    let there = |m: Measure| {
        let has = |r: &Row| r.get(m.column()).is_some_and(f64::is_finite);
        results.rows.iter().any(has)
    };
    let known: Vec<Measure> = Measure::ALL.into_iter().filter(|m| there(*m)).collect();
    let Some(first) = known.first() else {
        widgets::note(ui, "None of these ways says how large its error is.");
        return;
    };
    if !known.contains(measure) {
        *measure = *first;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for m in known {
            ui.selectable_value(measure, m, words::name(m))
                .on_hover_text(words::doc(m));
        }
    });
    widgets::note(ui, words::doc(*measure));
    plot(*measure, *cost, ui, results);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for c in Cost::ALL {
            let label = ui.selectable_value(cost, c, words::cost(c));
            widgets::name(&label, &format!("Cost: {}", words::cost(c)));
        }
    });
    let (rows, reference) = (&results.rows, &results.reference);
    let (text, color) = match &results.budget {
        Some(budget) => words::kept(rows, reference, budget),
        None => {
            let frame_ms = (*cost == Cost::Time).then_some(frame_ms);
            words::verdict(rows, reference, *measure, *cost, frame_ms)
        }
    };
    ui.add(egui::Label::new(RichText::new(text).color(color)).wrap());
    if let Some(doubt) = doubt(&results.rows, &results.reference) {
        widgets::colored_note(ui, &doubt, theme::warn());
    }
    widgets::note(
        ui,
        "Further left is cheaper, further down is better. The line joins the ways that no other one beats in both.",
    );
}

/// The ways that have both numbers, with their places.
fn points<'a>(rows: &'a [Row], measure: Measure, cost: Cost) -> (Vec<Point<'a>>, [Axis; 2]) {
    let of = |row: &'a Row| {
        let (cost, error) = (cost.of(row)?, row.get(measure.column())?);
        (cost.is_finite() && error.is_finite()).then_some((row.label.as_str(), cost, error))
    };
    let known: Vec<_> = rows.iter().filter_map(of).collect();
    let axes = [
        Axis::of(&known.iter().map(|k| k.1).collect::<Vec<_>>()),
        Axis::of(&known.iter().map(|k| k.2).collect::<Vec<_>>()),
    ];
    let places: Vec<[f64; 2]> = known.iter().map(|k| [k.1, k.2]).collect();
    let front = pareto(&places);
    let points = known
        .iter()
        .enumerate()
        .map(|(i, (label, cost, error))| Point {
            label,
            cost: *cost,
            error: *error,
            at: [axes[0].shown(*cost), axes[1].shown(*error)],
            best: front.contains(&i),
        });
    (points.collect(), axes)
}

/// The part of the chart that keeps to a budget, as a polygon; none where the axes are not the budget's.
fn within(
    budget: &Budget,
    reference: &Reference,
    rows: &[Row],
    measure: Measure,
    cost: Cost,
    [x, y]: [Axis; 2],
) -> Option<Vec<[f64; 2]>> {
    if budget.measure != measure || cost != Cost::Time {
        return None;
    }
    // Shares are told of a row's own, so the line is that of the row that is nearest to it.
    let of = |row: &Row| Some((measure.share(row, reference)?, row.get(measure.column())?));
    let near = |share: f64| (share.max(LEAST).log10() - budget.share.max(LEAST).log10()).abs();
    let (share, error) = rows
        .iter()
        .filter_map(of)
        .filter(|(share, error)| *share > 0.0 && *error > 0.0)
        .min_by(|a, b| near(a.0).total_cmp(&near(b.0)))?;
    let most = [x.shown(budget.ms), y.shown(error * budget.share / share)];
    let [right, top] = [most[0].min(x.ends[1]), most[1].min(y.ends[1])];
    let [left, bottom] = [x.ends[0], y.ends[0]];
    (right > left && top > bottom)
        .then(|| vec![[left, bottom], [right, bottom], [right, top], [left, top]])
}

fn plot(measure: Measure, cost: Cost, ui: &mut Ui, results: &Results) {
    let (points, [x, y]) = points(&results.rows, measure, cost);
    let wanted = results.budget.as_ref().and_then(|budget| {
        within(
            budget,
            &results.reference,
            &results.rows,
            measure,
            cost,
            [x, y],
        )
    });
    let unit = results
        .rows
        .iter()
        .find(|r| r.error.is_none())
        .map_or("", |r| r.unit(measure.column()));
    let mut front: Vec<[f64; 2]> = points.iter().filter(|p| p.best).map(|p| p.at).collect();
    front.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let of = |best: bool| -> Vec<[f64; 2]> {
        points
            .iter()
            .filter(|p| p.best == best)
            .map(|p| p.at)
            .collect()
    };
    let (beaten, best) = (of(false), of(true));
    let up = match unit {
        "" => words::name(measure).to_owned(),
        unit => format!("{}, {unit}", words::name(measure)),
    };
    let small = |text: &str| RichText::new(text).small().color(theme::weak());
    let mut plot = still(
        (
            "compare",
            results.number,
            measure.column(),
            words::cost(cost),
        ),
        HEIGHT,
    )
    .allow_double_click_reset(false)
    .auto_bounds(Vec2b::FALSE)
    .default_x_bounds(x.ends[0], x.ends[1])
    .default_y_bounds(y.ends[0], y.ends[1])
    .x_axis_label(small(words::cost(cost)))
    .y_axis_label(small(&up))
    .x_axis_formatter(move |mark: GridMark, _| tick(x, mark.value))
    .y_axis_formatter(move |mark: GridMark, _| tick(y, mark.value));
    plot = match x.log {
        true => plot.x_grid_spacer(decades),
        false => plot.x_grid_spacer(few_steps),
    };
    plot = match y.log {
        true => plot.y_grid_spacer(decades),
        false => plot.y_grid_spacer(few_steps),
    };
    let accent = theme::accent();
    let weak = theme::weak();
    let good = theme::good();
    let shown = plot.show(ui, |plot| {
        // Every time: the plot would keep those that were right for the first ways.
        plot.set_plot_bounds(egui_plot::PlotBounds::from_min_max(
            [x.ends[0], y.ends[0]],
            [x.ends[1], y.ends[1]],
        ));
        if let Some(wanted) = wanted {
            let fill = good.gamma_multiply(0.12);
            let edge = egui::Stroke::new(1.0, good.gamma_multiply(0.5));
            plot.polygon(Polygon::new("budget", wanted).fill_color(fill).stroke(edge));
        }
        let line = PlotPoints::from(front);
        plot.line(
            Line::new("front", line)
                .color(accent.gamma_multiply(0.7))
                .width(1.4),
        );
        for (points, color, filled) in [(beaten, weak, false), (best, accent, true)] {
            let dots = Points::new(
                if filled { "best" } else { "others" },
                PlotPoints::from(points),
            );
            plot.points(dots.color(color).filled(filled).radius(4.0));
        }
    });
    let place = |p: &Point<'_>| {
        let [px, py] = p.at;
        shown
            .transform
            .position_from_point(&egui_plot::PlotPoint::new(px, py))
    };
    let places: Vec<Pos2> = points.iter().map(place).collect();
    labels(
        &ui.painter().with_clip_rect(shown.response.rect),
        shown.response.rect,
        &points,
        &places,
    );
    let pointer = shown.response.hover_pos();
    let near = pointer.and_then(|pointer| {
        let distance = |i: &usize| places[*i].distance(pointer);
        let nearest = (0..places.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest) < NEAR).then_some(nearest)
    });
    let title = format!(
        "{} by {}, {} ways",
        words::name(measure),
        words::cost(cost).to_lowercase(),
        points.len()
    );
    shown
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &title));
    if let Some(i) = near {
        let p = &points[i];
        ui.painter()
            .circle_stroke(places[i], 7.0, egui::Stroke::new(1.5, theme::bright()));
        let text = format!(
            "{}\n{}: {}\n{}: {}",
            p.label,
            words::cost(cost),
            format::number(p.cost),
            words::name(measure),
            format::with_unit(p.error, unit)
        );
        shown.response.on_hover_text_at_pointer(text);
    }
}

/// The number at a line of the grid.
fn tick(axis: Axis, at: f64) -> String {
    match axis.back(at) {
        v if v.abs() < 1e-9 && !axis.log => "0".to_owned(),
        v => format::number(v),
    }
}

/// Writes the names beside their points, each where it covers neither a point nor another name; one without such a place
/// is told under the pointer.
fn labels(painter: &Painter, rect: Rect, points: &[Point<'_>], places: &[Pos2]) {
    let font = FontId::proportional(theme::FONT_SMALL);
    let mut taken: Vec<Rect> = places
        .iter()
        .map(|p| Rect::from_center_size(*p, vec2(9.0, 9.0)))
        .collect();
    taken.extend(along(points, places));
    let inner = rect.shrink(3.0);
    // Those on the front are named first.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|i| !points[*i].best);
    for i in order {
        let color: Color32 = if points[i].best {
            theme::text()
        } else {
            theme::weak()
        };
        let size = painter
            .layout_no_wrap(points[i].label.to_owned(), font.clone(), color)
            .size();
        let free = spots(places[i], size)
            .into_iter()
            .find(|spot| inner.contains_rect(*spot) && !taken.iter().any(|t| t.intersects(*spot)));
        if let Some(spot) = free {
            painter.text(
                spot.left_top(),
                Align2::LEFT_TOP,
                points[i].label,
                font.clone(),
                color,
            );
            taken.push(spot);
        }
    }
}

/// Small places along the line through the front, which no name is to cross.
fn along(points: &[Point<'_>], places: &[Pos2]) -> Vec<Rect> {
    let mut line: Vec<Pos2> = points
        .iter()
        .zip(places)
        .filter(|(p, _)| p.best)
        .map(|(_, at)| *at)
        .collect();
    line.sort_by(|a, b| a.x.total_cmp(&b.x));
    let between = |pair: &[Pos2]| -> Vec<Rect> {
        let (a, b) = (pair[0], pair[1]);
        let steps = ((a.distance(b) / 5.0) as usize).clamp(1, 400);
        let at = |i: usize| a.lerp(b, i as f32 / steps as f32);
        (0..=steps)
            .map(|i| Rect::from_center_size(at(i), vec2(2.0, 2.0)))
            .collect()
    };
    line.windows(2).flat_map(between).collect()
}

/// Where a name of that size may stand beside a point, the best place first.
fn spots(at: Pos2, size: egui::Vec2) -> Vec<Rect> {
    let mut all = Vec::new();
    for away in [8.0, 20.0, 34.0] {
        let (w, h) = (size.x, size.y);
        let corners = [
            pos2(at.x + away, at.y - h * 0.5),
            pos2(at.x - away - w, at.y - h * 0.5),
            pos2(at.x - w * 0.5, at.y - away - h),
            pos2(at.x - w * 0.5, at.y + away),
            pos2(at.x + away * 0.7, at.y - away * 0.7 - h),
            pos2(at.x + away * 0.7, at.y + away * 0.7),
            pos2(at.x - away * 0.7 - w, at.y - away * 0.7 - h),
            pos2(at.x - away * 0.7 - w, at.y + away * 0.7),
        ];
        all.extend(corners.map(|c| Rect::from_min_size(c, size)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_goes_by_powers_of_ten_where_values_are_far_apart() {
        let far = Axis::of(&[0.001, 1.0]);
        assert!(far.log && far.ends[0] < -3.0 && far.ends[1] > 0.0);
        let near = Axis::of(&[2.0, 3.0]);
        assert!(!near.log && near.ends[0] < 2.0 && near.ends[1] > 3.0);
        for same in [Axis::of(&[2.0]), Axis::of(&[0.0, 0.0]), Axis::of(&[])] {
            assert!(same.ends[0] < same.ends[1] && same.ends.iter().all(|e| e.is_finite()));
        }
        // What is exact does not push the others together.
        let exact = Axis::of(&[0.0, 0.01, 1.0]);
        assert!(exact.log && exact.ends[0] > -4.5, "{:?}", exact.ends);
        assert!(exact.shown(0.0) < exact.shown(0.01));
        assert!((far.back(far.shown(0.02)) - 0.02).abs() < 1e-12);
    }
}
