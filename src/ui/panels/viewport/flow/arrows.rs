//! Arrows and streamlines, made beside the interface.

use std::sync::Arc;

use egui::{Color32, Pos2, Rect, Shape, Stroke, vec2};

use super::{Over, Overlays};
use crate::field::FieldData;
use crate::sim::Snapshot;
use crate::ui::beside::Beside;
use crate::view::{Camera, Flow};

/// Least distance between arrows or lines, points of the screen.
const CLOSEST: f32 = 8.0;

/// The lines that are shown, in metres, and those that are being made.
#[derive(Default)]
pub struct Lines {
    making: Beside<Asked, Vec<Vec<[f32; 2]>>>,
    shown: Vec<Vec<[f32; 2]>>,
}

/// What lines depend on.
#[derive(Clone, PartialEq)]
struct Asked {
    serial: u64,
    overlays: Overlays,
    camera: Camera,
    clip: Rect,
    rect: Rect,
}

impl Lines {
    /// Draws those that are wanted; where the flow or what is seen of it has changed, the earlier ones until the new ones
    /// are there.
    pub(super) fn paint(
        &mut self,
        over: &Over<'_>,
        snapshot: &Snapshot,
        flow: &Arc<FieldData>,
        overlays: &Overlays,
    ) {
        let asked = Asked {
            serial: snapshot.serial,
            overlays: overlays.clone(),
            camera: *over.camera,
            clip: over.painter.clip_rect(),
            rect: over.rect,
        };
        let (flow, of) = (Arc::clone(flow), asked.clone());
        let make = move || Flow::new(&flow).map_or_else(Vec::new, |flow| of.lines(&flow));
        self.making.ask(over.painter.ctx(), asked, make);
        if let Some(lines) = self.making.take() {
            self.shown = lines;
        }
        // A dark edge, so that they are seen over every picture.
        for (width, color) in [
            (2.6, Color32::from_black_alpha(110)),
            (1.1, Color32::from_white_alpha(200)),
        ] {
            for line in &self.shown {
                let points: Vec<Pos2> = line.iter().map(|p| over.at(*p)).collect();
                over.painter
                    .add(Shape::line(points, Stroke::new(width, color)));
            }
        }
    }
}

impl Asked {
    fn lines(&self, flow: &Flow<'_>) -> Vec<Vec<[f32; 2]>> {
        let (overlays, zoom) = (&self.overlays, self.camera.zoom);
        let spots: Vec<[f32; 2]> = spots(self.clip, overlays.spacing)
            .into_iter()
            .map(|p| self.camera.to_world(self.rect, p))
            .collect();
        let mut lines = Vec::new();
        if overlays.streamlines {
            let apart = overlays.spacing.max(CLOSEST) / zoom;
            lines = flow.lines(&spots, 10.0 * apart, 3.0 / zoom, apart);
            // A dot of a line says nothing.
            lines.retain(|line| line.len() > 6);
        }
        if overlays.arrows {
            let fastest = flow.fastest().max(f32::MIN_POSITIVE);
            for spot in &spots {
                let Some([u, v]) = flow.at(*spot) else {
                    continue;
                };
                let speed = u.hypot(v);
                let share = overlays.alike + (1.0 - overlays.alike) * speed / fastest;
                let length = 0.9 * overlays.spacing * share / zoom;
                if speed > 1e-6 * fastest && length * zoom > 1.5 {
                    lines.extend(arrow(*spot, [u / speed * length, v / speed * length]));
                }
            }
        }
        lines
    }
}

/// Places so far apart, every other row shifted by half.
fn spots(seen: Rect, apart: f32) -> Vec<Pos2> {
    let mut spots = Vec::new();
    if !seen.is_positive() {
        return spots;
    }
    // What was remembered may be anything.
    let apart = apart.max(CLOSEST);
    let rows = (seen.height() / apart) as usize;
    let columns = (seen.width() / apart) as usize;
    for j in 0..=rows {
        for i in 0..=columns {
            let shift = if j % 2 == 0 { 0.25 } else { 0.75 };
            let p = seen.min + vec2((i as f32 + shift) * apart, (j as f32 + 0.5) * apart);
            if seen.contains(p) {
                spots.push(p);
            }
        }
    }
    spots
}

/// Shaft and head of an arrow about its middle.
fn arrow([x, y]: [f32; 2], [dx, dy]: [f32; 2]) -> [Vec<[f32; 2]>; 2] {
    let at = |along: f32, aside: f32| [x + along * dx - aside * dy, y + along * dy + aside * dx];
    [
        vec![at(-0.5, 0.0), at(0.5, 0.0)],
        vec![at(0.2, 0.16), at(0.5, 0.0), at(0.2, -0.16)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn places_lie_inside_and_as_far_apart_as_asked() {
        let seen = Rect::from_min_size(pos2(10.0, 20.0), vec2(200.0, 100.0));
        let spots = spots(seen, 25.0);
        assert!((24..=36).contains(&spots.len()), "{}", spots.len());
        for (i, a) in spots.iter().enumerate() {
            assert!(seen.contains(*a));
            assert!(spots[..i].iter().all(|b| a.distance(*b) > 24.0));
        }
        assert!(super::spots(Rect::NOTHING, 25.0).is_empty());
    }
}
