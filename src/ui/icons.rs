//! Icons, drawn as shapes so that they are sharp at every scale.

use egui::{Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, vec2};

use super::theme;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Triangle.
    Play,
    /// Two bars.
    Pause,
    /// Bar and triangle.
    Step,
    /// Arrow round to the beginning.
    Reset,
    /// Arrows round.
    Loop,
    /// Back to the default.
    Undo,
    /// The same, the other way.
    Redo,
    /// Arrows one below the other.
    Flow,
    /// Frame corners.
    Fit,
    /// Plus.
    Add,
    /// Two sheets.
    Duplicate,
    /// Bin.
    Delete,
    /// Open eye.
    Shown,
    /// Crossed eye.
    Hidden,
    /// Cross.
    Close,
    /// Star.
    Star,
    /// Outline of a star.
    EmptyStar,
    /// Pointer.
    Pointer,
    /// Brush.
    Brush,
    /// Horseshoe magnet.
    Magnet,
    /// Closed padlock.
    Locked,
    /// Open padlock.
    Unlocked,
    /// Disc in a ring.
    Record,
    /// Tick.
    Tick,
}

/// Draws in a square whose corners are at −1 and 1.
struct Pen<'a> {
    painter: &'a Painter,
    center: Pos2,
    radius: f32,
    stroke: Stroke,
}

impl Pen<'_> {
    fn at(&self, [x, y]: [f32; 2]) -> Pos2 {
        self.center + vec2(x, y) * self.radius
    }
    fn all(&self, points: &[[f32; 2]]) -> Vec<Pos2> {
        points.iter().map(|p| self.at(*p)).collect()
    }
    fn fill(&self, points: &[[f32; 2]]) {
        let (points, color) = (self.all(points), self.stroke.color);
        self.painter
            .add(Shape::convex_polygon(points, color, Stroke::NONE));
    }
    fn line(&self, points: &[[f32; 2]]) {
        self.painter.add(Shape::line(self.all(points), self.stroke));
    }
    fn bar(&self, from: f32, to: f32) {
        let rect = Rect::from_min_max(self.at([from, -0.75]), self.at([to, 0.75]));
        self.painter.rect_filled(rect, 1.0, self.stroke.color);
    }
    fn frame(&self, from: f32, to: f32) {
        let rect = Rect::from_min_max(self.at([from; 2]), self.at([to; 2]));
        let middle = egui::StrokeKind::Middle;
        self.painter.rect_stroke(rect, 1.0, self.stroke, middle);
    }
    fn dot(&self, radius: f32) {
        let (radius, color) = (self.radius * radius, self.stroke.color);
        self.painter.circle_filled(self.center, radius, color);
    }
}

/// Paints an icon into a rectangle.
pub fn paint(painter: &Painter, icon: Icon, rect: Rect, color: Color32) {
    let side = rect.width().min(rect.height());
    let pen = Pen {
        painter,
        center: rect.center(),
        radius: side * 0.5,
        stroke: Stroke::new((side * 0.11).max(1.2), color),
    };
    match icon {
        Icon::Play | Icon::Pause | Icon::Step | Icon::Reset => transport(&pen, icon),
        Icon::Undo => arrow_round(&pen, 1.0),
        Icon::Redo => arrow_round(&pen, -1.0),
        Icon::Loop => track(&pen),
        Icon::Flow => arrows(&pen),
        Icon::Star | Icon::EmptyStar => star(&pen, icon == Icon::Star),
        Icon::Shown | Icon::Hidden => eye(&pen, icon == Icon::Shown),
        Icon::Pointer | Icon::Brush | Icon::Magnet | Icon::Record => hand(&pen, icon),
        Icon::Locked | Icon::Unlocked => padlock(&pen, icon == Icon::Locked),
        Icon::Fit | Icon::Add | Icon::Close | Icon::Duplicate | Icon::Delete | Icon::Tick => {
            tool(&pen, icon);
        }
    }
}

fn transport(pen: &Pen<'_>, icon: Icon) {
    match icon {
        Icon::Pause => {
            pen.bar(-0.62, -0.18);
            pen.bar(0.18, 0.62);
        }
        Icon::Step => {
            pen.fill(&[[-0.75, -0.75], [0.35, 0.0], [-0.75, 0.75]]);
            pen.bar(0.4, 0.75);
        }
        Icon::Reset => {
            pen.fill(&[[0.75, -0.75], [-0.35, 0.0], [0.75, 0.75]]);
            pen.bar(-0.75, -0.4);
        }
        _ => pen.fill(&[[-0.55, -0.8], [0.8, 0.0], [-0.55, 0.8]]),
    }
}

/// Counter-clockwise, or mirrored.
fn arrow_round(pen: &Pen<'_>, flip: f32) {
    let (from, to, radius) = (-150.0_f32, 120.0, 0.62);
    let arc: Vec<[f32; 2]> = (0..=14)
        .map(|i| (from + (to - from) * i as f32 / 14.0).to_radians())
        .map(|a| [radius * a.cos() * flip, radius * a.sin()])
        .collect();
    pen.line(&arc);
    pen.fill(&[
        [-0.95 * flip, -0.62],
        [-0.15 * flip, -0.62],
        [-0.62 * flip, 0.05],
    ]);
}

/// A closed track with an arrow on each straight.
fn track(pen: &Pen<'_>) {
    for side in [1.0, -1.0] {
        pen.line(&[
            [-0.8 * side, 0.1 * side],
            [-0.8 * side, -0.5 * side],
            [0.45 * side, -0.5 * side],
        ]);
        pen.fill(&[
            [0.3 * side, -0.9 * side],
            [0.85 * side, -0.5 * side],
            [0.3 * side, -0.1 * side],
        ]);
    }
}

/// Three arrows to the right.
fn arrows(pen: &Pen<'_>) {
    for (y, tip) in [(-0.6, 0.4), (0.0, 0.9), (0.6, 0.2)] {
        pen.line(&[[-0.85, y], [tip, y]]);
        pen.line(&[[tip - 0.3, y - 0.22], [tip, y], [tip - 0.3, y + 0.22]]);
    }
}

/// Five points; the first one is on top.
fn star(pen: &Pen<'_>, filled: bool) {
    let corner = |i: i32| {
        let (angle, radius) = (36.0 * i as f32 - 90.0, if i % 2 == 0 { 1.0 } else { 0.45 });
        let angle = angle.to_radians();
        [radius * angle.cos(), radius * angle.sin()]
    };
    if filled {
        // Not convex: a triangle for each point, and the middle.
        for i in (0..10).step_by(2) {
            pen.fill(&[corner(i - 1), corner(i), corner(i + 1)]);
        }
        pen.fill(&[1, 3, 5, 7, 9].map(corner));
    }
    let outline: Vec<[f32; 2]> = (0..=10).map(corner).collect();
    pen.line(&outline);
}

fn hand(pen: &Pen<'_>, icon: Icon) {
    match icon {
        Icon::Pointer => {
            pen.fill(&[[-0.55, -0.9], [0.62, 0.25], [-0.05, 0.25]]);
            pen.fill(&[[-0.55, -0.9], [-0.05, 0.25], [-0.55, 0.72]]);
            pen.line(&[[-0.1, 0.2], [0.25, 0.9]]);
        }
        Icon::Brush => {
            pen.line(&[[0.85, -0.85], [-0.05, 0.1]]);
            pen.fill(&[
                [-0.3, -0.1],
                [0.15, 0.32],
                [-0.2, 0.75],
                [-0.9, 0.85],
                [-0.62, 0.3],
            ]);
        }
        Icon::Magnet => {
            let mut bow: Vec<[f32; 2]> = vec![[-0.6, -0.8]];
            bow.extend(
                (0..=10)
                    .map(|i| (180.0 - 18.0 * i as f32).to_radians())
                    .map(|a| [0.6 * a.cos(), 0.1 + 0.7 * a.sin()]),
            );
            bow.push([0.6, -0.8]);
            pen.line(&bow);
            for side in [-1.0, 1.0] {
                pen.line(&[[0.35 * side, -0.45], [0.85 * side, -0.45]]);
            }
        }
        _ => {
            let ring: Vec<[f32; 2]> = (0..=24)
                .map(|i| (15.0 * i as f32).to_radians())
                .map(|a| [0.85 * a.cos(), 0.85 * a.sin()])
                .collect();
            pen.line(&ring);
            pen.dot(0.42);
        }
    }
}

fn padlock(pen: &Pen<'_>, closed: bool) {
    let body = Rect::from_min_max(pen.at([-0.65, -0.05]), pen.at([0.65, 0.85]));
    pen.painter.rect_filled(body, 1.5, pen.stroke.color);
    let lift = if closed { 0.0 } else { -0.2 };
    let mut bow = vec![[-0.4, 0.0]];
    bow.extend(
        (0..=10)
            .map(|i| (180.0 + 18.0 * i as f32).to_radians())
            .map(|a| [0.4 * a.cos(), -0.42 + lift + 0.4 * a.sin()]),
    );
    if closed {
        bow.push([0.4, 0.0]);
    }
    pen.line(&bow);
}

fn eye(pen: &Pen<'_>, open: bool) {
    for side in [1.0, -1.0] {
        let lid: Vec<[f32; 2]> = (0..=12)
            .map(|i| -0.9 + 1.8 * i as f32 / 12.0)
            .map(|x| [x, side * 0.55 * (1.0 - (x / 0.9).powi(2))])
            .collect();
        pen.line(&lid);
    }
    if open {
        pen.dot(0.26);
    } else {
        pen.line(&[[-0.7, 0.7], [0.7, -0.7]]);
    }
}

fn tool(pen: &Pen<'_>, icon: Icon) {
    match icon {
        Icon::Add => {
            pen.line(&[[-0.7, 0.0], [0.7, 0.0]]);
            pen.line(&[[0.0, -0.7], [0.0, 0.7]]);
        }
        Icon::Tick => pen.line(&[[-0.7, 0.05], [-0.2, 0.6], [0.7, -0.6]]),
        Icon::Close => {
            pen.line(&[[-0.55, -0.55], [0.55, 0.55]]);
            pen.line(&[[0.55, -0.55], [-0.55, 0.55]]);
        }
        Icon::Duplicate => {
            pen.frame(-0.7, 0.25);
            pen.frame(-0.25, 0.7);
        }
        Icon::Delete => {
            pen.line(&[[-0.75, -0.55], [0.75, -0.55]]);
            pen.line(&[[-0.25, -0.8], [0.25, -0.8]]);
            pen.line(&[[-0.55, -0.5], [-0.42, 0.8], [0.42, 0.8], [0.55, -0.5]]);
        }
        _ => {
            for (x, y) in [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)] {
                pen.line(&[[x, y * 0.375], [x, y], [x * 0.375, y]]);
            }
        }
    }
}

/// A square button that shows an icon. `name` is what screen readers and the tooltip say.
pub fn button(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str) -> Response {
    toggle(ui, icon, name, tooltip, false)
}

/// Like [`button`], drawn pressed where `on`.
pub fn toggle(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str, on: bool) -> Response {
    sized(ui, icon, name, tooltip, on, theme::ROW)
}

/// A small button without a frame, for use inside rows.
pub fn small(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str) -> Response {
    sized(ui, icon, name, tooltip, false, theme::ROW - 6.0)
}

fn sized(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str, on: bool, side: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), on, name));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&response);
        let framed = side >= theme::ROW || response.hovered() || response.has_focus();
        if on {
            ui.painter()
                .rect_filled(rect, theme::CORNER, theme::accent_fill());
        } else if framed {
            ui.painter()
                .rect_filled(rect, theme::CORNER, visuals.bg_fill);
        }
        let color = match (ui.is_enabled(), on, side >= theme::ROW) {
            (false, ..) => theme::weak().gamma_multiply(0.5),
            (_, true, _) => theme::bright(),
            (.., true) => visuals.fg_stroke.color,
            (.., false) if response.hovered() => theme::bright(),
            (.., false) => theme::weak(),
        };
        paint(
            ui.painter(),
            icon,
            Rect::from_center_size(rect.center(), Vec2::splat(side * 0.52)),
            color,
        );
    }
    response.on_hover_text(tooltip)
}
