//! Keys are diamonds wherever they are shown.

use egui::{Color32, Painter, Pos2, Shape, Stroke, pos2};

/// How much of it is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Nothing.
    Outline,
    /// The left half.
    Half,
    /// All.
    Whole,
}

/// Draws one.
pub fn paint(painter: &Painter, at: Pos2, radius: f32, fill: Fill, color: Color32) {
    let corner = |x: f32, y: f32| pos2(at.x + x * radius, at.y + y * radius);
    let [left, top, right, bottom] = [
        corner(-1.0, 0.0),
        corner(0.0, -1.0),
        corner(1.0, 0.0),
        corner(0.0, 1.0),
    ];
    let points = match fill {
        Fill::Outline => Vec::new(),
        Fill::Half => vec![left, top, bottom],
        Fill::Whole => vec![left, top, right, bottom],
    };
    if !points.is_empty() {
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    }
    let outline = vec![left, top, right, bottom];
    painter.add(Shape::closed_line(outline, Stroke::new(1.2, color)));
}
