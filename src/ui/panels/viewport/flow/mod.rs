//! What lies over the picture: streaks, lines, arrows and tracers of the flow, and a grid of metres.

mod arrows;
mod streaks;
mod tracers;

use egui::{Color32, Painter, Popup, PopupCloseBehavior, Rect, Slider, Stroke, Ui, pos2};

use crate::field::{FieldData, Grid};
use crate::sim::Command;
use crate::ui::editor::Editor;
use crate::ui::icons::{self, Icon};
use crate::ui::{format, widgets};
use crate::view::Camera;

/// Most tracers.
const MOST_TRACERS: u32 = 4000;
/// The field whose flow is drawn.
const VELOCITY: &str = "velocity";

/// What is drawn over the picture.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Overlays {
    /// Arrows along the flow.
    pub arrows: bool,
    /// Lines along the flow.
    pub streamlines: bool,
    /// From one arrow or line to the next, points of the screen.
    pub spacing: f32,
    /// How much arrows are alike in length: 0 as long as the flow is fast, 1 all the same.
    pub alike: f32,
    /// Noise smeared along the flow.
    pub streaks: bool,
    /// How strongly, from 0 to 1.
    pub contrast: f32,
    /// Points that the flow carries.
    pub tracers: bool,
    /// How many of them.
    pub tracer_count: u32,
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
            streaks: false,
            contrast: 0.6,
            tracers: false,
            tracer_count: 1200,
            grid: false,
        }
    }
}

impl Overlays {
    /// Whether anything is drawn that needs the velocity.
    fn flow(&self) -> bool {
        self.lines() || self.streaks || self.tracers
    }
    fn lines(&self) -> bool {
        self.arrows || self.streamlines
    }
    fn any(&self) -> bool {
        self.flow() || self.grid
    }
}

/// The menu in the bar.
pub fn menu(editor: &mut Editor, ui: &mut Ui) {
    let mut overlays = editor.panels.viewport.overlays.clone();
    let tip = "Arrows, lines, streaks and tracers of the flow, and a grid in metres";
    let response = icons::toggle(ui, Icon::Flow, "Overlays", tip, overlays.any());
    let popup = Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_min_width(250.0);
        ui.checkbox(&mut overlays.arrows, "Arrows along the flow");
        ui.checkbox(&mut overlays.streamlines, "Streamlines");
        ui.add_enabled_ui(overlays.lines(), |ui| {
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
        ui.checkbox(&mut overlays.streaks, "Line-integral convolution")
            .on_hover_text("Fine streaks along the flow, everywhere at once. They run downstream while it plays.");
        ui.add_enabled_ui(overlays.streaks, |ui| {
            slider(
                ui,
                "Contrast",
                Slider::new(&mut overlays.contrast, 0.05..=1.0).fixed_decimals(2),
            );
        });
        ui.separator();
        ui.checkbox(&mut overlays.tracers, "Tracer particles")
            .on_hover_text("Points that the flow carries while it plays, with their trails.");
        ui.add_enabled_ui(overlays.tracers, |ui| {
            slider(
                ui,
                "How many",
                Slider::new(&mut overlays.tracer_count, 50..=MOST_TRACERS).logarithmic(true),
            );
        });
        ui.separator();
        ui.checkbox(&mut overlays.grid, "Grid in metres");
    });
    editor.panels.viewport.overlays = overlays;
}

fn slider(ui: &mut Ui, name: &str, slider: Slider<'_>) {
    ui.horizontal(|ui| {
        // In columns, under the box that they belong to.
        ui.add_space(20.0);
        let column = egui::vec2(92.0, ui.spacing().interact_size.y);
        let left = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(column, left, |ui| {
            ui.set_min_width(column.x);
            ui.label(name);
        });
        let response = ui.add(slider);
        widgets::name(&response, name);
    });
}

/// Asks the simulation for the flow while it is drawn.
pub fn watch(editor: &mut Editor, ctx: &egui::Context) {
    let flow = editor.panels.viewport.overlays.flow();
    let mut wanted: Vec<String> = flow.then(|| VELOCITY.to_owned()).into_iter().collect();
    // What other panels read besides.
    let pass = ctx.cumulative_pass_nr();
    let panels = &editor.panels;
    let of_plots = panels.plots.spectrum.wants(pass);
    let others = panels.texture.wants(pass).iter().map(String::as_str);
    for name in others.chain(of_plots) {
        if !wanted.iter().any(|w| w == name) {
            wanted.push(name.to_owned());
        }
    }
    if wanted != editor.panels.viewport.watching {
        editor.panels.viewport.watching.clone_from(&wanted);
        editor.tell(Command::Watch(wanted));
    }
}

/// What the overlays keep from frame to frame.
#[derive(Default)]
pub struct Drawn {
    streaks: streaks::Streaks,
    lines: arrows::Lines,
    tracers: tracers::Carried,
}

/// Draws what is wanted.
pub fn paint(
    editor: &mut Editor,
    painter: &Painter,
    rect: Rect,
    camera: &Camera,
    field: &FieldData,
) {
    let snapshot = editor.snapshot.clone();
    let state = &mut editor.panels.viewport;
    let (overlays, drawn) = (&state.overlays, &mut state.drawn);
    let flow = snapshot.field(VELOCITY).filter(|_| overlays.flow());
    let over = Over {
        painter: &painter.with_clip_rect(camera.domain(rect, &field.grid).intersect(rect)),
        rect,
        camera,
    };
    match flow.filter(|_| overlays.streaks) {
        Some(flow) => drawn
            .streaks
            .paint(&over, &snapshot, flow, overlays.contrast),
        None => drawn.streaks = streaks::Streaks::default(),
    }
    if overlays.grid {
        grid(painter, rect, camera, &field.grid);
    }
    match flow.filter(|_| overlays.lines()) {
        Some(flow) => drawn.lines.paint(&over, &snapshot, flow, overlays),
        None => drawn.lines = arrows::Lines::default(),
    }
    if !overlays.tracers {
        drawn.tracers.clear();
    } else if let Some(flow) = flow {
        drawn
            .tracers
            .paint(&over, &snapshot, flow, overlays.tracer_count);
    }
}

/// Where overlays are drawn, cut at the edges of the domain.
struct Over<'a> {
    painter: &'a Painter,
    rect: Rect,
    camera: &'a Camera,
}

impl Over<'_> {
    /// The part of the domain that is seen: its lower left and its upper right corner, m.
    fn seen(&self) -> [[f32; 2]; 2] {
        let seen = self.painter.clip_rect();
        [seen.left_bottom(), seen.right_top()].map(|p| self.camera.to_world(self.rect, p))
    }
    /// Where a position is on the screen.
    fn at(&self, world: [f32; 2]) -> egui::Pos2 {
        self.camera.to_screen(self.rect, world)
    }
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
