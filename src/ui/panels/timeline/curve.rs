//! The values of a track over time.

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, TextStyle, Ui, pos2, vec2};

use super::{Lane, Scale};
use crate::document::Document;
use crate::document::animation::{Modulator, Track};
use crate::params::Value;
use crate::ui::inspector::shown;
use crate::ui::{format, theme};

/// Pixels between two points of a curve.
const STEP: f32 = 2.0;

/// How values of a lane stand in its rectangle.
#[derive(Clone, Copy)]
pub(super) struct Heights {
    rect: Rect,
    left: f32,
    low: f64,
    high: f64,
}

impl Heights {
    /// Points from the least value to the greatest.
    pub(super) fn height(&self) -> f32 {
        self.rect.height()
    }
    /// What a point of the screen is worth; zero where the curve is flat.
    pub(super) fn per_point(&self) -> f64 {
        (self.high - self.low).max(0.0) / f64::from(self.rect.height().max(1.0))
    }
    pub(super) fn y(&self, value: f64) -> f32 {
        let span = self.high - self.low;
        if span <= 0.0 {
            return self.rect.center().y;
        }
        let share = ((value - self.low) / span) as f32;
        self.rect.bottom() - self.rect.height() * share
    }
}

/// Draws the curve, with a scale of values where there is room for one. Gives how values stand, where there are numbers.
pub(super) fn draw(
    ui: &Ui,
    document: &Document,
    lane: &Lane,
    rect: Rect,
    scale: &Scale,
    tall: bool,
) -> Option<Heights> {
    let painter = ui.painter().with_clip_rect(rect);
    let n = lane.present.components();
    if n == 0 {
        jumps(ui, &painter, document, lane, rect, scale);
        return None;
    }
    let dt = f64::from(document.time.frame_dt());
    let begin = scale.x(0.0).max(rect.left());
    let count = ((rect.right() - begin) / STEP).max(1.0) as usize;
    let value = |axis: usize, i: usize| {
        let frame = scale.frame(begin + i as f32 * STEP);
        lane.present
            .component(&lane.track, axis, f64::from(frame) * dt)
            .value
    };
    let flat = document.scene.domain.cells_z <= 1 && n == 3 && !lane.present.spec.color;
    let axes = if flat && lane.present.spec.unit == "°" {
        2..3
    } else {
        0..if flat { 2 } else { n }
    };
    let curves: Vec<(usize, Vec<f64>)> = axes
        .map(|axis| (axis, (0..=count).map(|i| value(axis, i)).collect()))
        .collect();
    let all = || curves.iter().flat_map(|(_, c)| c.iter().copied());
    let inside = rect.shrink2(vec2(0.0, if tall { 12.0 } else { 4.0 }));
    let heights = Heights {
        rect: inside,
        left: begin,
        low: all().fold(f64::INFINITY, f64::min),
        high: all().fold(f64::NEG_INFINITY, f64::max),
    };
    if tall {
        values(ui, &painter, lane, &heights);
    }
    if tall && !lane.track.modulator.is_off() {
        // The way of the keys, about which the wave swings.
        keyed(&painter, lane, &curves, &heights, |i| {
            f64::from(scale.frame(begin + i as f32 * STEP)) * dt
        });
    }
    let dim = if lane.track.enabled { 1.0 } else { 0.35 };
    for (axis, curve) in &curves {
        let color = color_of(lane, *axis, n).gamma_multiply(if tall { dim } else { 0.6 * dim });
        let points: Vec<Pos2> = curve
            .iter()
            .enumerate()
            .map(|(i, v)| pos2(begin + i as f32 * STEP, heights.y(*v)))
            .collect();
        painter.add(Shape::line(
            points,
            Stroke::new(if tall { 1.6 } else { 1.1 }, color),
        ));
    }
    Some(heights)
}

/// The values without the wave, as thin lines.
fn keyed(
    painter: &Painter,
    lane: &Lane,
    curves: &[(usize, Vec<f64>)],
    heights: &Heights,
    time: impl Fn(usize) -> f64,
) {
    let still = Track {
        modulator: Modulator::default(),
        ..lane.track.clone()
    };
    let (rect, line) = (
        heights.rect,
        Stroke::new(1.0, theme::weak().gamma_multiply(0.6)),
    );
    for (axis, curve) in curves {
        let points: Vec<Pos2> = (0..curve.len())
            .map(|i| {
                let value = lane.present.component(&still, *axis, time(i)).value;
                pos2(
                    heights.left + i as f32 * STEP,
                    heights.y(value).clamp(rect.top(), rect.bottom()),
                )
            })
            .collect();
        painter.add(Shape::line(points, line));
    }
}

/// Least and greatest value, with unit, and lines for them.
fn values(ui: &Ui, painter: &Painter, lane: &Lane, heights: &Heights) {
    let font = TextStyle::Small.resolve(ui.style());
    let mut ends = vec![(heights.high, Align2::RIGHT_BOTTOM)];
    if heights.high > heights.low {
        ends.push((heights.low, Align2::RIGHT_TOP));
    }
    for (value, align) in ends {
        let y = heights.y(value);
        let line = Stroke::new(1.0, theme::line());
        painter.hline(heights.rect.x_range(), y, line);
        let text = format::with_unit(value, lane.present.spec.unit);
        let at = pos2(heights.rect.right() - 4.0, y);
        painter.text(at, align, text, font.clone(), theme::weak());
    }
}

/// Red, green and blue for colours; the series of the plots for everything else.
fn color_of(lane: &Lane, axis: usize, n: usize) -> Color32 {
    if lane.present.spec.color {
        return [
            Color32::from_rgb(0xe5, 0x73, 0x6b),
            Color32::from_rgb(0x7f, 0xc1, 0x78),
            Color32::from_rgb(0x6f, 0xa5, 0xe8),
        ][axis.min(2)];
    }
    if n == 1 {
        theme::accent()
    } else {
        theme::series()[axis.min(3)]
    }
}

/// What has no numbers: a bar for each stretch, with what holds there.
fn jumps(ui: &Ui, painter: &Painter, document: &Document, lane: &Lane, rect: Rect, scale: &Scale) {
    let dt = f64::from(document.time.frame_dt()).max(1e-9);
    let font = TextStyle::Small.resolve(ui.style());
    let mut edges = vec![0.0];
    edges.extend(
        lane.track
            .keys
            .iter()
            .map(|k| (f64::from(k.time) / dt) as f32),
    );
    edges.push(scale.frame(rect.right()));
    for pair in edges.windows(2).filter(|p| p[1] > p[0]) {
        let value = lane.present.at(&lane.track, f64::from(pair[0]) * dt);
        let x = [scale.x(pair[0]).max(rect.left()), scale.x(pair[1])];
        let bar = Rect::from_x_y_ranges(x[0]..=x[1], rect.y_range()).shrink2(vec2(0.0, 5.0));
        let off = matches!(value, Value::Bool(false));
        let fill = if off {
            theme::sunken()
        } else {
            theme::accent_fill()
        };
        painter.rect_filled(
            bar,
            2.0,
            fill.gamma_multiply(if lane.track.enabled { 0.8 } else { 0.3 }),
        );
        let at = bar.left_center() + vec2(9.0, 0.0);
        let text = shown(&lane.present.spec, &value);
        let inside = painter.with_clip_rect(bar.intersect(painter.clip_rect()));
        inside.text(at, Align2::LEFT_CENTER, text, font.clone(), theme::text());
    }
}
