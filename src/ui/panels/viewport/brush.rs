//! Stirring: what the hand does becomes strokes that are stamped with the frame of the simulation, so that a look can be
//! played again, undone and baked exactly as it was painted.

use egui::{Context, CursorIcon, Key, PointerButton, Rect, Response, Stroke as Line, Ui};

use crate::document::Document;
use crate::edit::List;
use crate::edit::arrange::free_name;
use crate::field::FieldData;
use crate::scene::{Dab, Disc, Groundwork, Shape, Stroke, Terrain};
use crate::sim::{Command, State};
use crate::solvers::Feature;
use crate::ui::editor::Editor;
use crate::ui::theme;
use crate::view::Camera;

/// What the brush does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Moves the fluid and leaves dye.
    #[default]
    Both,
    /// Moves the fluid.
    Stir,
    /// Leaves dye.
    Dye,
    /// Takes dye away.
    Erase,
    /// Raises the ground.
    Raise,
    /// Lowers it.
    Lower,
}

impl Mode {
    /// Every mode with its name and what it does.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (
            Self::Both,
            "Stir + dye",
            "Drag to move the fluid and leave dye.",
        ),
        (Self::Stir, "Stir", "Drag to move the fluid."),
        (
            Self::Dye,
            "Dye",
            "Drag to leave dye without moving the fluid.",
        ),
        (Self::Erase, "Erase", "Drag to take dye away."),
        (Self::Raise, "Raise ground", "Drag to raise the ground."),
        (Self::Lower, "Lower ground", "Drag to dig into the ground."),
    ];

    /// Whether it changes the ground, and by which sign.
    pub fn ground(self) -> Option<f32> {
        match self {
            Self::Raise => Some(1.0),
            Self::Lower => Some(-1.0),
            Self::Both | Self::Stir | Self::Dye | Self::Erase => None,
        }
    }

    /// Whether the document's method can do anything with it.
    pub fn fits(self, document: &Document) -> bool {
        let honours = document.method.info().honours;
        self.ground().is_none() || honours.contains(&Feature::Terrain)
    }
}

/// The brush and the stroke that it is making.
pub struct Brush {
    /// What it does.
    pub mode: Mode,
    /// Radius as a share of the shorter edge of the domain.
    pub size: f32,
    /// Colour of the dye.
    pub color: [f32; 3],
    /// How much dye a second.
    pub strength: f32,
    /// How much dye an erasing brush takes a second.
    pub erasing: f32,
    /// By how much a stroke raises or lowers the ground, m.
    pub height: f32,
    /// How much of its own velocity it gives to the fluid: 0 none, 1 all.
    pub push: f32,
    /// Whether strokes stay in the scene, to be played again; otherwise they stir the fluid once and are gone.
    pub keep: bool,
    active: Option<Active>,
    /// The stroke was ended by something else; the next begins when the button has been let go.
    ended: bool,
}

impl Default for Brush {
    fn default() -> Self {
        Self {
            mode: Mode::Both,
            size: 0.05,
            color: [0.95, 0.55, 0.25],
            strength: 6.0,
            erasing: ERASE,
            height: 0.1,
            push: 1.0,
            keep: true,
            active: None,
            ended: false,
        }
    }
}

struct Active {
    /// It changes the ground, not the fluid.
    on_ground: bool,
    /// The simulation was paused, and runs only while the brush is down.
    only_while_down: bool,
    position: [f32; 3],
}

/// Dye that an erasing brush takes a second at first: enough to clean at one pass.
const ERASE: f32 = 40.0;
/// Distance of the touches of a stroke over the ground, in radii. The slope of a touch takes its whole radius, so that touches
/// a radius apart add up to its height.
const APART: f32 = 0.25;
/// Smallest and largest brush, as shares of the domain.
const SIZES: [f32; 2] = [0.004, 0.5];

impl Brush {
    /// Makes it larger or smaller.
    pub fn scale(&mut self, factor: f32) {
        self.size = (self.size * factor).clamp(SIZES[0], SIZES[1]);
    }
    /// Radius in m on a grid.
    pub fn radius(&self, size: [f32; 3]) -> f32 {
        self.size * size[0].min(size[1])
    }
    /// Another document: the stroke belongs to the old one.
    pub fn forget(&mut self) {
        self.ended |= self.active.take().is_some();
    }
    /// Whether a stroke is being made.
    pub fn active(&self) -> bool {
        self.active.is_some()
    }
    /// A stroke goes on while the hand rests.
    pub fn keep_going(&self, ctx: &Context) {
        if self.active.is_some() {
            ctx.request_repaint();
        }
    }

    /// What a stroke that changes the ground begins with. Touches lie so close that a stroke is as high as was asked for.
    fn hill(&self, radius: f32, position: [f32; 3], sign: f32) -> Terrain {
        Terrain {
            shape: Shape::Disc(Disc { radius }),
            position,
            softness: radius,
            build: Groundwork::Add,
            height: sign * self.height * APART,
            dabs: vec![Dab::default()],
            ..Terrain::default()
        }
    }

    fn stroke(&self, radius: f32) -> Stroke {
        let dye = self.color.map(|c| c * self.strength);
        let (drag, dye, erase) = match self.mode {
            Mode::Both => (self.push, dye, false),
            Mode::Stir => (self.push, [0.0; 3], false),
            Mode::Dye => (0.0, dye, false),
            Mode::Erase => (0.0, [self.erasing; 3], true),
            Mode::Raise | Mode::Lower => (0.0, [0.0; 3], false),
        };
        Stroke {
            radius,
            drag,
            dye,
            erase,
            ..Stroke::default()
        }
    }
}

/// Draws the brush's circle and paints with it, where the pointer is `free` and belongs to nothing else.
pub fn ui(
    editor: &mut Editor,
    ui: &mut Ui,
    response: &Response,
    rect: Rect,
    camera: &Camera,
    field: &FieldData,
    free: bool,
) {
    let size = field.grid.size();
    let radius = editor.panels.brush.radius(size);
    let panning = ui.input(|i| i.key_down(Key::Space) || i.pointer.middle_down());
    let down = response.is_pointer_button_down_on()
        && ui.input(|i| i.pointer.button_down(PointerButton::Primary))
        && !panning
        && free
        && editor.panels.brush.mode.fits(editor.document());
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    if let Some(pointer) = pointer.filter(|p| free && rect.contains(*p) && !panning) {
        ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        let painter = ui.painter().with_clip_rect(rect);
        let on_screen = radius * camera.zoom;
        painter.circle_stroke(
            pointer,
            on_screen,
            Line::new(3.0, theme::deep().gamma_multiply(0.5)),
        );
        // Dashed where it takes away.
        let line = Line::new(1.2, theme::on_picture().gamma_multiply(0.85));
        if matches!(editor.panels.brush.mode, Mode::Erase | Mode::Lower) {
            let round = (0..=72).map(|i| {
                let (sin, cos) = (5.0 * i as f32).to_radians().sin_cos();
                pointer + egui::vec2(cos, sin) * on_screen
            });
            let points: Vec<egui::Pos2> = round.collect();
            painter.extend(egui::Shape::dashed_line(&points, line, 5.0, 4.0));
        } else {
            painter.circle_stroke(pointer, on_screen, line);
        }
    }
    match (down, response.interact_pointer_pos()) {
        (true, Some(_)) if editor.panels.brush.ended => {}
        (true, Some(pointer)) => {
            // A stroke begins where it was pressed: on a slow machine the pointer has moved on by the time that is seen.
            let pressed = ui.input(|i| i.pointer.press_origin());
            let begins = !editor.panels.brush.active();
            for at in pressed
                .filter(|p| begins && rect.contains(*p))
                .into_iter()
                .chain([pointer])
            {
                let [x, y] = camera.to_world(rect, at);
                paint(editor, [x, y, 0.0], radius);
            }
        }
        (_, pointer) => {
            // And it ends where it was let go.
            if let Some(pointer) =
                pointer.filter(|_| editor.panels.brush.active() && response.drag_stopped())
            {
                let [x, y] = camera.to_world(rect, pointer);
                paint(editor, [x, y, 0.0], radius);
            }
            finish(editor);
            editor.panels.brush.ended = false;
        }
    }
}

/// Begins a stroke, or carries it on to a position.
fn paint(editor: &mut Editor, position: [f32; 3], radius: f32) {
    let frame = editor.snapshot.frame;
    if editor.panels.brush.active() && !editor.history.in_transaction() {
        // Undone, or overtaken by another change.
        finish(editor);
        editor.panels.brush.ended = true;
        return;
    }
    match &mut editor.panels.brush.active {
        None => begin(editor, frame, position, radius),
        Some(active) => {
            let before = active.position;
            active.position = position;
            if active.on_ground {
                heap(editor, position, radius);
                return;
            }
            let ahead = frame + lead(editor);
            extend(editor, ahead, before, position);
        }
    }
}

/// Frames between the one that is seen and the one in which what is painted now acts: the simulation may be ahead of the
/// picture, and a position that comes too late would act in the replay and not now.
fn lead(editor: &Editor) -> u32 {
    1 + editor.meter.frames_per_picture.clamp(1.0, 30.0).ceil() as u32
}

fn begin(editor: &mut Editor, frame: u32, position: [f32; 3], radius: f32) {
    let only_while_down = matches!(editor.snapshot.state, State::Paused);
    let first = if only_while_down { frame } else { frame + 1 };
    if let Some(sign) = editor.panels.brush.mode.ground() {
        let mut hill = editor.panels.brush.hill(radius, position, sign);
        let word = if sign > 0.0 { "Raised" } else { "Dug" };
        hill.name = free_name(&editor.document().scene, List::Terrain, word);
        let label = if sign > 0.0 {
            "Raise ground"
        } else {
            "Lower ground"
        };
        editor.history.begin(label);
        editor.history.update(|document| {
            document.scene.terrain.push(hill);
        });
    } else {
        let last = first + lead(editor);
        let mut stroke = editor.panels.brush.stroke(radius);
        stroke.name = format!("Stroke {}", editor.document().scene.strokes.len() + 1);
        stroke.push(first, position);
        stroke.push(last, position);
        editor.history.begin("Brush stroke");
        editor.history.update(|document| {
            document.scene.strokes.push(stroke);
        });
    }
    editor.panels.brush.active = Some(Active {
        on_ground: editor.panels.brush.mode.ground().is_some(),
        only_while_down,
        position,
    });
    if only_while_down {
        // The document is sent at the end of this frame, before the first simulated one can have ended.
        editor.tell_document();
        editor.tell(Command::Play);
    }
}

fn extend(editor: &mut Editor, frame: u32, before: [f32; 3], position: [f32; 3]) {
    let Some(stroke) = editor.document().scene.strokes.last() else {
        return;
    };
    let reached = stroke.points.last().map_or(0, |p| p.frame);
    if frame < reached || (frame == reached && before == position) {
        return;
    }
    editor.history.update(|document| {
        if let Some(stroke) = document.scene.strokes.last_mut() {
            stroke.push(frame, position);
        }
    });
}

/// Carries a stroke over the ground on: touches at even distances on the way.
fn heap(editor: &mut Editor, position: [f32; 3], radius: f32) {
    let Some(hill) = editor.document().scene.terrain.last() else {
        return;
    };
    let last = hill.dabs.last().map_or([0.0; 3], |d| d.offset);
    let way: [f32; 2] = std::array::from_fn(|i| position[i] - hill.position[i] - last[i]);
    let (step, length) = (APART * radius, way[0].hypot(way[1]));
    let count = (length / step) as u16;
    if count == 0 {
        return;
    }
    let dab = |k: u16| {
        let along = f32::from(k) * step / length;
        Dab {
            offset: [last[0] + along * way[0], last[1] + along * way[1], 0.0],
        }
    };
    editor.history.update(|document| {
        if let Some(hill) = document.scene.terrain.last_mut() {
            hill.dabs.extend((1..=count).map(dab));
        }
    });
}

fn finish(editor: &mut Editor) {
    let Some(active) = editor.panels.brush.active.take() else {
        return;
    };
    if editor.panels.brush.keep || active.on_ground {
        editor.history.commit();
    } else if editor.history.in_transaction() {
        // What it did to the fluid stays; the scene is as before.
        editor.history.abort();
    }
    if active.only_while_down {
        editor.tell(Command::Pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_make_different_strokes_and_sizes_stay_in_bounds() {
        let mut brush = Brush::default();
        let stirred = brush.stroke(0.1);
        assert!(stirred.drag > 0.0 && stirred.dye[0] > 0.0);
        brush.mode = Mode::Erase;
        let erased = brush.stroke(0.1);
        assert!(erased.erase && erased.drag == 0.0);
        (brush.erasing, brush.push) = (3.0, 0.5);
        assert_eq!(brush.stroke(0.1).dye, [3.0; 3]);
        brush.mode = Mode::Stir;
        assert_eq!(brush.stroke(0.1).drag, 0.5);
        for _ in 0..100 {
            brush.scale(1.25);
        }
        assert_eq!(brush.size, SIZES[1]);
        for _ in 0..100 {
            brush.scale(0.8);
        }
        assert_eq!(brush.size, SIZES[0]);
    }
}
