//! Tracers over the picture: they are carried on by each frame that is shown, and shown as tapering trails.

use egui::epaint::Vertex;
use egui::{Color32, Mesh, Pos2, Shape, Vec2, epaint::WHITE_UV};

use super::Over;
use crate::field::FieldData;
use crate::sim::Snapshot;
use crate::view::{Flow, Tracers};

/// Half the width of a trail at its head, points.
const WIDTH: f32 = 1.8;
/// Half the width of its dark edge there, points.
const EDGE: f32 = 3.2;
/// Where more frames went by since the last picture, they are carried for so many.
const FRAMES: u32 = 8;

/// The tracers, and the frame to which they have been carried.
#[derive(Default)]
pub struct Carried {
    tracers: Tracers,
    at: Option<(u32, f64)>,
    cells: [u32; 3],
}

impl Carried {
    /// Forgets them.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Carries them to the frame that is shown, and draws them.
    pub(super) fn paint(
        &mut self,
        over: &Over<'_>,
        snapshot: &Snapshot,
        field: &FieldData,
        count: u32,
    ) {
        let Some(flow) = Flow::new(field) else { return };
        if self.cells != field.grid.cells {
            self.clear();
            self.cells = field.grid.cells;
        }
        let now = (snapshot.frame, snapshot.time);
        let count = count.min(super::MOST_TRACERS) as usize;
        let ahead = self
            .at
            .map(|(frame, time)| (snapshot.frame.checked_sub(frame), now.1 - time));
        match ahead {
            Some((Some(0), _)) if self.tracers.all().len() == count => {}
            Some((Some(frames), dt)) => {
                let share = f64::from(FRAMES) / f64::from(frames.max(1));
                let dt = dt.max(0.0) * share.min(1.0);
                self.tracers.advance(&flow, dt as f32, count);
            }
            // An earlier time: they begin anew.
            _ => {
                self.tracers.clear();
                self.tracers.advance(&flow, 0.0, count);
            }
        }
        self.at = Some(now);
        over.painter.add(Shape::mesh(trails(&self.tracers, over)));
    }
}

/// All trails, with a dark edge so that they are seen over every picture.
fn trails(tracers: &Tracers, over: &Over<'_>) -> Mesh {
    let mut mesh = Mesh::default();
    for (half_width, color) in [
        (EDGE, Color32::from_black_alpha(120)),
        (WIDTH, Color32::from_white_alpha(230)),
    ] {
        for tracer in tracers.all() {
            let points: Vec<Pos2> = tracer.trail.iter().map(|p| over.at(*p)).collect();
            strip(
                &mut mesh,
                &points,
                half_width,
                color.gamma_multiply(tracer.strength()),
            );
        }
    }
    mesh
}

/// A strip from nothing at its tail to its full width and colour at its head, soft to both sides.
fn strip(mesh: &mut Mesh, points: &[Pos2], half_width: f32, color: Color32) {
    if points.len() < 2 || color == Color32::TRANSPARENT {
        return;
    }
    let first = mesh.vertices.len() as u32;
    let last = points.len() - 1;
    for (i, point) in points.iter().enumerate() {
        let along = points[(i + 1).min(last)] - points[i.saturating_sub(1)];
        let share = i as f32 / last as f32;
        let aside: Vec2 = along.normalized().rot90() * (half_width * share);
        let inside = color.gamma_multiply(share);
        for (pos, color) in [
            (*point + aside, Color32::TRANSPARENT),
            (*point, inside),
            (*point - aside, Color32::TRANSPARENT),
        ] {
            let uv = WHITE_UV;
            mesh.vertices.push(Vertex { pos, uv, color });
        }
    }
    for k in 0..last as u32 {
        for v in [first + 3 * k, first + 3 * k + 1] {
            mesh.add_triangle(v, v + 1, v + 3);
            mesh.add_triangle(v + 1, v + 4, v + 3);
        }
    }
}
