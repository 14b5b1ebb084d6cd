//! Lines over the picture: arrows and streamlines of the flow, and a grid of metres.

use egui::{
    Color32, Painter, Popup, PopupCloseBehavior, Pos2, Rect, Shape, Slider, Stroke, Ui, pos2, vec2,
};

use crate::field::{FieldData, Grid};
use crate::sim::Command;
use crate::ui::editor::Editor;
use crate::ui::icons::{self, Icon};
use crate::ui::{format, widgets};
use crate::view::{Camera, Flow};

/// Least distance between arrows or lines, points of the screen.
const CLOSEST: f32 = 8.0;
/// The field whose flow is drawn.
const VELOCITY: &str = "velocity";

/// What is drawn over the picture.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Overlays {
    /// Arrows along the flow.
    pub arrows: bool,
    /// Lines along the flow.
    pub streamlines: bool,
    /// From one arrow or line to the next, points of the screen.
    pub spacing: f32,
    /// How much arrows are alike in length: 0 as long as the flow is fast, 1 all the same.
    pub alike: f32,
    /// Lines at round lengths.
    pub grid: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self {
            arrows: false,
            streamlines: false,
            spacing: 28.0,
            alike: 0.3,
            grid: false,
        }
    }
}

impl Overlays {
    fn flow(&self) -> bool {
        self.arrows || self.streamlines
    }
    fn any(&self) -> bool {
        self.flow() || self.grid
    }
}

/// The menu in the bar.
pub fn menu(editor: &mut Editor, ui: &mut Ui) {
    let mut overlays = editor.panels.viewport.overlays.clone();
    let tip = "Arrows, streamlines and a grid over the picture";
    let response = icons::toggle(ui, Icon::Flow, "Overlays", tip, overlays.any());
    let popup = Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_min_width(250.0);
        ui.checkbox(&mut overlays.arrows, "Arrows along the flow");
        ui.checkbox(&mut overlays.streamlines, "Streamlines");
        ui.add_enabled_ui(overlays.flow(), |ui| {
            slider(
                ui,
                "Apart",
                Slider::new(&mut overlays.spacing, 12.0..=96.0)
                    .integer()
                    .suffix(" px"),
            );
        });
        ui.add_enabled_ui(overlays.arrows, |ui| {
            slider(
                ui,
                "Alike in length",
                Slider::new(&mut overlays.alike, 0.0..=1.0).fixed_decimals(2),
            );
        });
        ui.separator();
        ui.checkbox(&mut overlays.grid, "Grid in metres");
    });
    editor.panels.viewport.overlays = overlays;
}

fn slider(ui: &mut Ui, name: &str, slider: Slider<'_>) {
    ui.horizontal(|ui| {
        ui.label(name);
        let response = ui.add(slider);
        widgets::name(&response, name);
    });
}

/// Asks the simulation for the flow while it is drawn.
pub fn watch(editor: &mut Editor, ctx: &egui::Context) {
    let flow = editor.panels.viewport.overlays.flow();
    let mut wanted: Vec<String> = flow.then(|| VELOCITY.to_owned()).into_iter().collect();
    // What the panel of textures reads besides.
    for name in editor.panels.texture.wants(ctx.cumulative_pass_nr()) {
        if !wanted.contains(name) {
            wanted.push(name.clone());
        }
    }
    if wanted != editor.panels.viewport.watching {
        editor.panels.viewport.watching.clone_from(&wanted);
        editor.tell(Command::Watch(wanted));
    }
}

/// Draws what is wanted.
pub fn paint(editor: &Editor, painter: &Painter, rect: Rect, camera: &Camera, field: &FieldData) {
    let overlays = &editor.panels.viewport.overlays;
    if overlays.grid {
        grid(painter, rect, camera, &field.grid);
    }
    let velocity = editor.snapshot.field(VELOCITY).filter(|_| overlays.flow());
    let Some(flow) = velocity.and_then(|v| Flow::new(v)) else {
        return;
    };
    let seen = camera.domain(rect, &field.grid).intersect(rect);
    let spots = spots(seen, overlays.spacing);
    let spots: Vec<[f32; 2]> = spots
        .into_iter()
        .map(|p| camera.to_world(rect, p))
        .collect();
    let mut lines = Vec::new();
    if overlays.streamlines {
        let apart = overlays.spacing.max(CLOSEST) / camera.zoom;
        lines = flow.lines(&spots, 10.0 * apart, 3.0 / camera.zoom, apart);
        // A dot of a line says nothing.
        lines.retain(|line| line.len() > 6);
    }
    if overlays.arrows {
        let fastest = flow.fastest().max(1e-12);
        for spot in &spots {
            let Some([u, v]) = flow.at(*spot) else {
                continue;
            };
            let speed = u.hypot(v);
            let share = overlays.alike + (1.0 - overlays.alike) * speed / fastest;
            let length = 0.9 * overlays.spacing * share / camera.zoom;
            if speed > 1e-6 * fastest && length * camera.zoom > 1.5 {
                lines.extend(arrow(*spot, [u / speed * length, v / speed * length]));
            }
        }
    }
    let painter = painter.with_clip_rect(seen);
    // A dark edge, so that they are seen over every picture.
    for (width, color) in [
        (2.6, Color32::from_black_alpha(110)),
        (1.1, Color32::from_white_alpha(200)),
    ] {
        for line in lines.iter().filter(|l| l.len() > 1) {
            let points: Vec<Pos2> = line.iter().map(|p| camera.to_screen(rect, *p)).collect();
            painter.add(Shape::line(points, Stroke::new(width, color)));
        }
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

/// From one line of the grid to the next, m, where a metre takes so many points of the screen.
pub(super) fn grid_step(zoom: f32) -> f64 {
    format::round_length(f64::from(110.0 / zoom))
}

/// Lines at round lengths.
pub(super) fn grid(painter: &Painter, rect: Rect, camera: &Camera, cells: &Grid) {
    let step = grid_step(camera.zoom) as f32;
    let [w, h, _] = cells.size();
    let domain = camera.domain(rect, cells).intersect(rect);
    let stroke = Stroke::new(1.0, Color32::from_white_alpha(46));
    let dark = Stroke::new(2.0, Color32::from_black_alpha(40));
    let lines =
        |size: f32| (1..(size / step).ceil().min(1000.0) as u32).map(move |i| i as f32 * step);
    for x in lines(w) {
        let x = camera.to_screen(rect, [x, 0.0]).x;
        let ends = [pos2(x, domain.top()), pos2(x, domain.bottom())];
        if domain.x_range().contains(x) {
            painter.line_segment(ends, dark);
            painter.line_segment(ends, stroke);
        }
    }
    for y in lines(h) {
        let y = camera.to_screen(rect, [0.0, y]).y;
        let ends = [pos2(domain.left(), y), pos2(domain.right(), y)];
        if domain.y_range().contains(y) {
            painter.line_segment(ends, dark);
            painter.line_segment(ends, stroke);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
