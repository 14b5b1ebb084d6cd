//! Icons, drawn as shapes so that they are sharp at every scale.

use egui::{Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, pos2, vec2};

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
    /// Back to the default.
    Undo,
    /// The same, the other way.
    Redo,
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
}

/// Paints an icon into a rectangle.
pub fn paint(painter: &Painter, icon: Icon, rect: Rect, color: Color32) {
    let side = rect.width().min(rect.height());
    let (c, r) = (rect.center(), side * 0.5);
    let at = |x: f32, y: f32| c + vec2(x, y) * r;
    let stroke = Stroke::new((side * 0.11).max(1.2), color);
    let fill = |points: Vec<Pos2>| {
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    let line = |points: Vec<Pos2>| {
        painter.add(Shape::line(points, stroke));
    };
    let bar = |x0: f32, x1: f32| {
        painter.rect_filled(Rect::from_min_max(at(x0, -0.75), at(x1, 0.75)), 1.0, color);
    };
    let arc = |from: f32, to: f32, radius: f32| -> Vec<Pos2> {
        (0..=14)
            .map(|i| {
                let a = (from + (to - from) * i as f32 / 14.0).to_radians();
                at(radius * a.cos(), radius * a.sin())
            })
            .collect()
    };
    match icon {
        Icon::Play => fill(vec![at(-0.55, -0.8), at(0.8, 0.0), at(-0.55, 0.8)]),
        Icon::Pause => {
            bar(-0.62, -0.18);
            bar(0.18, 0.62);
        }
        Icon::Step => {
            fill(vec![at(-0.75, -0.75), at(0.35, 0.0), at(-0.75, 0.75)]);
            bar(0.4, 0.75);
        }
        Icon::Reset => {
            fill(vec![at(0.75, -0.75), at(-0.35, 0.0), at(0.75, 0.75)]);
            bar(-0.75, -0.4);
        }
        Icon::Undo | Icon::Redo => {
            let flip = if icon == Icon::Undo { 1.0 } else { -1.0 };
            let mirror = |points: Vec<Pos2>| {
                points
                    .into_iter()
                    .map(|p| pos2(c.x + (p.x - c.x) * flip, p.y))
            };
            line(mirror(arc(-150.0, 120.0, 0.62)).collect());
            fill(mirror(vec![at(-0.95, -0.62), at(-0.15, -0.62), at(-0.62, 0.05)]).collect());
        }
        Icon::Fit => {
            for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                line(vec![
                    at(x * 0.8, y * 0.3),
                    at(x * 0.8, y * 0.8),
                    at(x * 0.3, y * 0.8),
                ]);
            }
        }
        Icon::Add => {
            line(vec![at(-0.7, 0.0), at(0.7, 0.0)]);
            line(vec![at(0.0, -0.7), at(0.0, 0.7)]);
        }
        Icon::Close => {
            line(vec![at(-0.55, -0.55), at(0.55, 0.55)]);
            line(vec![at(0.55, -0.55), at(-0.55, 0.55)]);
        }
        Icon::Duplicate => {
            let sheet = |a: Pos2, b: Pos2| {
                painter.rect_stroke(
                    Rect::from_min_max(a, b),
                    1.0,
                    stroke,
                    egui::StrokeKind::Middle,
                );
            };
            sheet(at(-0.7, -0.7), at(0.25, 0.25));
            sheet(at(-0.25, -0.25), at(0.7, 0.7));
        }
        Icon::Delete => {
            line(vec![at(-0.75, -0.55), at(0.75, -0.55)]);
            line(vec![at(-0.25, -0.8), at(0.25, -0.8)]);
            line(vec![
                at(-0.55, -0.5),
                at(-0.42, 0.8),
                at(0.42, 0.8),
                at(0.55, -0.5),
            ]);
        }
        Icon::Shown | Icon::Hidden => {
            let lid = |sign: f32| -> Vec<Pos2> {
                (0..=12)
                    .map(|i| {
                        let x = -0.9 + 1.8 * i as f32 / 12.0;
                        at(x, sign * 0.55 * (1.0 - (x / 0.9).powi(2)))
                    })
                    .collect()
            };
            line(lid(1.0));
            line(lid(-1.0));
            if icon == Icon::Shown {
                painter.circle_filled(c, r * 0.26, color);
            } else {
                line(vec![at(-0.7, 0.7), at(0.7, -0.7)]);
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
                .rect_filled(rect, theme::CORNER, theme::ACCENT_FILL);
        } else if framed {
            ui.painter()
                .rect_filled(rect, theme::CORNER, visuals.bg_fill);
        }
        let color = match (ui.is_enabled(), on, side >= theme::ROW) {
            (false, ..) => theme::WEAK.gamma_multiply(0.5),
            (_, true, _) => theme::BRIGHT,
            (.., true) => visuals.fg_stroke.color,
            (.., false) if response.hovered() => theme::BRIGHT,
            (.., false) => theme::WEAK,
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
