//! All numbers, with the best of each column marked, to be sorted and copied.

use egui::{Align, Color32, Label, Layout, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};

use super::columns::{COLUMNS, Order, csv};
use crate::compare::Row;
use crate::ui::compare_job::Results;
use crate::ui::icons::{self, Icon};
use crate::ui::{theme, widgets};

/// Width of a column of numbers.
const NUMBER: f32 = 70.0;
/// Width of the buttons.
const USE: f32 = 76.0;
/// Height of the headings: two lines.
const HEAD: f32 = 34.0;

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
        // Pieces of about the same width.
        let most = ((room / NUMBER) as usize).clamp(1, left.len());
        let n = left.len().div_ceil(left.len().div_ceil(most));
        let (now, rest) = left.split_at(n);
        let piece = Piece {
            columns: now,
            names,
            buttons: first,
            each: (room / n as f32).min(NUMBER * 1.5),
        };
        used = piece.ui(order, ui, results, in_use).or(used);
        (left, first) = (rest, false);
        if !left.is_empty() {
            ui.add_space(theme::GROUP_GAP);
        }
    }
    for row in rows {
        if let Some(error) = &row.error {
            let text = format!("“{}” failed: {error}", row.label);
            widgets::colored_note(ui, &text, theme::error());
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
            let failed = row.error.is_some();
            let color = if failed {
                theme::error()
            } else {
                theme::text()
            };
            let place = self.row(ui, &row.label, color, k % 2 == 0);
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
            if self.buttons && !failed && self.button(ui, place, x, &row.label, in_use == Some(i)) {
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
