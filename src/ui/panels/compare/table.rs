//! All numbers, with the best of each column marked, to be sorted and copied.

use std::fmt::Write as _;

use egui::{Align, Color32, Label, Layout, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};

use crate::compare::Row;
use crate::ui::compare_job::Results;
use crate::ui::icons::{self, Icon};
use crate::ui::{format, theme, widgets};

/// A column: its name among those of the comparison (empty for memory), its heading, and whether less is better.
struct Column {
    name: &'static str,
    head: &'static str,
    doc: &'static str,
    better: bool,
}

const fn column(name: &'static str, head: &'static str, doc: &'static str, better: bool) -> Column {
    Column {
        name,
        head,
        doc,
        better,
    }
}

/// The columns, in order.
const COLUMNS: [Column; 10] = [
    column(
        "ms_per_frame",
        "Frame",
        "Time to simulate a frame, the median of all.",
        true,
    ),
    column(
        "solve_ms",
        "Pressure solve",
        "The part of it that goes into the pressure.",
        true,
    ),
    column(
        "iterations",
        "Iterations",
        "Iterations of the last pressure solve.",
        false,
    ),
    column(
        "residual_l2_before",
        "Error before",
        "Pressure error before the last solve.",
        false,
    ),
    column(
        "residual_l2",
        "Error left",
        "Pressure error after the last solve, as a root mean square.",
        true,
    ),
    column(
        "residual_linf",
        "Largest error",
        "Pressure error after the last solve, in the worst cell.",
        true,
    ),
    column(
        "divergence_linf",
        "Divergence",
        "Fluid that appears or vanishes in the worst cell.",
        true,
    ),
    column(
        "dye_difference_l2",
        "Dye off by",
        "Difference of the dye from the reference's.",
        true,
    ),
    column(
        "velocity_difference_l2",
        "Flow off by",
        "Difference of the velocity from the reference's.",
        true,
    ),
    column(
        "",
        "Memory",
        "What the buffers of the simulation take.",
        true,
    ),
];

/// Width of a column of numbers.
const NUMBER: f32 = 88.0;
/// Width of the buttons.
const USE: f32 = 76.0;
/// Height of the headings: two lines.
const HEAD: f32 = 34.0;

impl Column {
    fn value(&self, row: &Row) -> Option<f64> {
        match self.name {
            "" => Some(row.memory_bytes as f64),
            name => row.get(name),
        }
    }
    fn unit(&self, rows: &[Row]) -> &'static str {
        match self.name {
            "" => "MB",
            name => rows.first().map_or("", |r| r.unit(name)),
        }
    }
    fn shown(&self, row: &Row) -> String {
        match self.value(row) {
            None => "–".to_owned(),
            Some(v) if self.name.is_empty() => format::number(v * 1e-6),
            Some(v) => format::number(v),
        }
    }
    /// The least value, where less is better and not all are alike.
    fn best(&self, rows: &[Row]) -> Option<f64> {
        let values = || {
            rows.iter()
                .filter_map(|r| self.value(r))
                .filter(|v| v.is_finite())
        };
        let (low, high) = (values().reduce(f64::min)?, values().reduce(f64::max)?);
        (self.better && low < high).then_some(low)
    }
}

/// By which column the rows are in order, and whether the largest comes first. None for the order in which they ran.
#[derive(Default)]
pub struct Order(Option<(usize, bool)>);

impl Order {
    fn next(&mut self, column: usize) {
        self.0 = match self.0 {
            Some((c, false)) if c == column => Some((column, true)),
            Some((c, true)) if c == column => None,
            _ => Some((column, false)),
        };
    }

    /// Positions of the rows as shown; what has no number comes last.
    fn of(&self, rows: &[Row]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        if let Some((column, down)) = self.0 {
            let key = |i: &usize| COLUMNS[column].value(&rows[*i]);
            order.sort_by(|a, b| match (key(a), key(b)) {
                (Some(a), Some(b)) if down => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
        }
        order
    }
}

/// Draws the table, in as many pieces as its columns need at this width. Returns the way that is to be used.
pub fn ui(
    order: &mut Order,
    ui: &mut Ui,
    results: &Results,
    in_use: Option<usize>,
) -> Option<usize> {
    ui.horizontal(|ui| {
        widgets::heading(ui, "Numbers");
        if icons::small(
            ui,
            Icon::Duplicate,
            "Copy the comparison as CSV",
            "Copy the numbers as CSV",
        )
        .clicked()
        {
            ui.ctx().copy_text(csv(results));
        }
    });
    let rows = &results.rows;
    let there = |c: &&usize| rows.iter().any(|r| COLUMNS[**c].value(r).is_some());
    let all: Vec<usize> = (0..COLUMNS.len()).collect();
    let shown: Vec<usize> = all.iter().filter(there).copied().collect();
    let width = ui.available_width();
    let longest = rows
        .iter()
        .map(|r| widgets::text_width(ui, &r.label))
        .fold(60.0, f32::max);
    let names = (longest + 10.0).min(width * 0.36);
    let mut used = None;
    let mut left = shown.as_slice();
    let mut first = true;
    while !left.is_empty() {
        let room = width - names - if first { USE } else { 0.0 };
        let n = ((room / NUMBER) as usize).clamp(1, left.len());
        let (now, rest) = left.split_at(n);
        let piece = Piece {
            columns: now,
            names,
            buttons: first,
            each: (room / n as f32).min(NUMBER * 1.3),
        };
        used = piece.ui(order, ui, results, in_use).or(used);
        (left, first) = (rest, false);
        if !left.is_empty() {
            ui.add_space(theme::GROUP_GAP);
        }
    }
    used
}

/// Some columns of the table.
struct Piece<'a> {
    columns: &'a [usize],
    names: f32,
    buttons: bool,
    each: f32,
}

impl Piece<'_> {
    fn ui(
        &self,
        order: &mut Order,
        ui: &mut Ui,
        results: &Results,
        in_use: Option<usize>,
    ) -> Option<usize> {
        ui.spacing_mut().item_spacing.y = 0.0;
        self.heads(order, ui, &results.rows);
        let best: Vec<Option<f64>> = self
            .columns
            .iter()
            .map(|c| COLUMNS[*c].best(&results.rows))
            .collect();
        let mut used = None;
        for (k, i) in order.of(&results.rows).into_iter().enumerate() {
            let row = &results.rows[i];
            let place = self.row(ui, &row.label, theme::text(), k % 2 == 0);
            let mut x = place.left() + self.names;
            for (c, best) in self.columns.iter().zip(&best) {
                let column = &COLUMNS[*c];
                let is_best = best.is_some() && column.value(row) == *best;
                let color = if is_best {
                    theme::good()
                } else {
                    theme::text()
                };
                let tip = if is_best {
                    "The best of this column"
                } else {
                    ""
                };
                self.number(ui, place, x, &column.shown(row), color, tip);
                x += self.each;
            }
            if self.buttons && self.button(ui, place, x, &row.label, in_use == Some(i)) {
                used = Some(i);
            }
        }
        let reference = &results.reference.row;
        let place = self.row(ui, "Reference", theme::weak(), false);
        let mut x = place.left() + self.names;
        for c in self.columns {
            self.number(
                ui,
                place,
                x,
                &COLUMNS[*c].shown(reference),
                theme::weak(),
                "",
            );
            x += self.each;
        }
        used
    }

    /// A row with its name; returns where its numbers go.
    fn row(&self, ui: &mut Ui, label: &str, color: Color32, striped: bool) -> Rect {
        let font = egui::TextStyle::Body.resolve(ui.style());
        let galley = ui.fonts_mut(|f| f.layout(label.to_owned(), font, color, self.names - 8.0));
        let height = (galley.size().y + 6.0).max(theme::ROW + 2.0);
        let (place, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        if striped {
            ui.painter().rect_filled(place, 2.0, theme::bar());
        }
        let name = Rect::from_min_size(place.min, vec2(self.names, height));
        let mut inner = ui.new_child(
            UiBuilder::new()
                .max_rect(name.shrink2(vec2(4.0, 0.0)))
                .layout(Layout::left_to_right(Align::Center)),
        );
        inner.add(Label::new(RichText::new(label).color(color)).wrap());
        place
    }

    fn number(&self, ui: &mut Ui, place: Rect, x: f32, text: &str, color: Color32, tip: &str) {
        let cell = Rect::from_min_size(pos2(x, place.top()), vec2(self.each - 8.0, place.height()));
        let layout = Layout::right_to_left(Align::Center);
        let mut inner = ui.new_child(UiBuilder::new().max_rect(cell).layout(layout));
        let text = RichText::new(text).monospace().color(color);
        let response = inner.add(Label::new(text).extend());
        if !tip.is_empty() {
            inner.painter().hline(
                response.rect.x_range(),
                response.rect.bottom() - 1.0,
                egui::Stroke::new(1.0, color),
            );
            response.on_hover_text(tip);
        }
    }

    fn button(&self, ui: &mut Ui, place: Rect, x: f32, label: &str, in_use: bool) -> bool {
        let cell = Rect::from_min_size(
            pos2(x, place.top() + 2.0),
            vec2(USE - 6.0, place.height() - 4.0),
        );
        let layout = Layout::left_to_right(Align::Center);
        let mut inner = ui.new_child(UiBuilder::new().max_rect(cell).layout(layout));
        if in_use {
            inner.label(RichText::new("In use").small().color(theme::good()));
            return false;
        }
        let button = egui::Button::new(RichText::new("Use this").small());
        let response = inner.add(button);
        widgets::name(&response, &format!("Use this: {label}"));
        response
            .on_hover_text("Gives the look these settings; can be undone")
            .clicked()
    }

    /// The headings with their units; a click puts the rows in order.
    fn heads(&self, order: &mut Order, ui: &mut Ui, rows: &[Row]) {
        let (place, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD), Sense::hover());
        let mut x = place.left() + self.names;
        for c in self.columns {
            let column = &COLUMNS[*c];
            let cell = Rect::from_min_size(pos2(x, place.top()), vec2(self.each - 2.0, HEAD));
            let response = ui.interact(cell, ui.scope_id().with(("head", *c)), Sense::click());
            response.widget_info(|| {
                let name = format!("Sort by {}", column.head.to_lowercase());
                egui::WidgetInfo::labeled(egui::Role::Button, true, name)
            });
            let sorted = order.0.filter(|(by, _)| by == c);
            let color = match (sorted, response.hovered()) {
                (Some(_), _) => theme::accent(),
                (None, true) => theme::bright(),
                _ => theme::weak(),
            };
            let font = egui::TextStyle::Small.resolve(ui.style());
            let right = cell.right() - 6.0;
            let painter = ui.painter();
            let align = egui::Align2::RIGHT_TOP;
            let head = painter.text(
                pos2(right, cell.top() + 2.0),
                align,
                column.head,
                font.clone(),
                color,
            );
            painter.text(
                pos2(right, cell.top() + 17.0),
                align,
                column.unit(rows),
                font,
                theme::weak(),
            );
            if let Some((_, down)) = sorted {
                arrow(
                    painter,
                    pos2(head.left() - 7.0, head.center().y),
                    down,
                    color,
                );
            }
            if response.on_hover_text(column.doc).clicked() {
                order.next(*c);
            }
            x += self.each;
        }
        ui.painter().hline(
            place.x_range(),
            place.bottom() - 1.0,
            egui::Stroke::new(1.0, theme::line()),
        );
    }
}

/// A triangle that points to where the largest stands.
fn arrow(painter: &egui::Painter, at: egui::Pos2, down: bool, color: Color32) {
    let tip = if down { 3.5 } else { -3.5 };
    let points = vec![
        at + vec2(0.0, tip),
        at + vec2(-3.5, -tip * 0.7),
        at + vec2(3.5, -tip * 0.7),
    ];
    painter.add(egui::Shape::convex_polygon(
        points,
        color,
        egui::Stroke::NONE,
    ));
}

/// The numbers as a table for a spreadsheet, the reference at last.
fn csv(results: &Results) -> String {
    let mut text = "way".to_owned();
    for column in &COLUMNS {
        let unit = match column.name {
            "" => "B",
            _ => column.unit(&results.rows),
        };
        let _ = match unit {
            "" => write!(text, ",{}", column.head),
            unit => write!(text, ",{} ({unit})", column.head),
        };
    }
    text.push('\n');
    for row in results.rows.iter().chain([&results.reference.row]) {
        let _ = write!(text, "\"{}\"", row.label.replace('"', "\"\""));
        for column in &COLUMNS {
            let _ = match column.value(row) {
                Some(v) => write!(text, ",{v}"),
                None => write!(text, ","),
            };
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ms: f64, iterations: Option<f64>) -> Row {
        let mut values = [None; crate::compare::COLUMNS.len()];
        (values[0], values[2]) = (Some(ms), iterations);
        Row {
            id: String::new(),
            label: String::new(),
            values,
            units: [""; crate::compare::COLUMNS.len()],
            brought: None,
            memory_bytes: 1_500_000,
        }
    }

    #[test]
    fn rows_are_sorted_by_a_click_and_the_best_is_known() {
        let rows = [row(3.0, Some(2.0)), row(1.0, None), row(2.0, Some(9.0))];
        let mut order = Order::default();
        assert_eq!(order.of(&rows), [0, 1, 2]);
        order.next(0);
        assert_eq!(order.of(&rows), [1, 2, 0]);
        order.next(0);
        assert_eq!(order.of(&rows), [0, 2, 1]);
        order.next(2);
        assert_eq!(order.of(&rows), [0, 2, 1]);
        for _ in 0..2 {
            order.next(2);
        }
        assert_eq!(order.of(&rows), [0, 1, 2]);
        assert_eq!(COLUMNS[0].best(&rows), Some(1.0));
        assert_eq!(
            COLUMNS[2].best(&rows),
            None,
            "fewer iterations are no better"
        );
        assert_eq!(COLUMNS[9].best(&rows), None, "all are alike");
        assert_eq!(COLUMNS[9].shown(&rows[0]), "1.5");
    }
}
