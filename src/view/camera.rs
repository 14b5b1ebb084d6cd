//! Which part of the domain is seen.

use egui::{Pos2, Rect, Vec2};

use crate::field::Grid;

/// Which part of the domain is seen in a rectangle of the screen. World coordinates are metres, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What lies in the middle of the rectangle, m.
    pub center: [f32; 2],
    /// Points of the screen that a metre takes.
    pub zoom: f32,
}

impl Camera {
    /// Shows the whole domain, as large as it fits.
    pub fn fit(rect: Rect, grid: &Grid) -> Self {
        let [w, h, _] = grid.size().map(|s| s.max(1e-9));
        Self {
            center: [w * 0.5, h * 0.5],
            zoom: (rect.width() / w).min(rect.height() / h).max(1e-9),
        }
    }
    /// Where a position is on the screen.
    pub fn to_screen(&self, rect: Rect, world: [f32; 2]) -> Pos2 {
        rect.center() + Vec2::new(world[0] - self.center[0], self.center[1] - world[1]) * self.zoom
    }
    /// The position under a point of the screen, m.
    pub fn to_world(&self, rect: Rect, screen: Pos2) -> [f32; 2] {
        let d = (screen - rect.center()) / self.zoom;
        [self.center[0] + d.x, self.center[1] - d.y]
    }
    /// Magnifies by `factor` about a point of the screen.
    pub fn zoom_at(&mut self, rect: Rect, screen: Pos2, factor: f32) {
        let before = self.to_world(rect, screen);
        self.zoom = (self.zoom * factor).clamp(1e-6, 1e9);
        let after = self.to_world(rect, screen);
        self.center[0] += before[0] - after[0];
        self.center[1] += before[1] - after[1];
    }
    /// Moves the picture by so many points.
    pub fn pan(&mut self, delta: Vec2) {
        self.center[0] -= delta.x / self.zoom;
        self.center[1] += delta.y / self.zoom;
    }
    /// The domain on the screen.
    pub fn domain(&self, rect: Rect, grid: &Grid) -> Rect {
        let [w, h, _] = grid.size();
        Rect::from_two_pos(
            self.to_screen(rect, [0.0, h]),
            self.to_screen(rect, [w, 0.0]),
        )
    }
}
