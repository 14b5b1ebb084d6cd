//! Handles over the picture: what is chosen in the scene is moved, scaled and turned by hand, and paths are bent.
//!
//! 1. Say where everything stands at the present time, tracks and paths included (`spots`).
//! 2. Find what lies under the pointer: points of a path, then handles, then the path, then whole items.
//! 3. From press to release one drag (`drag`), which is one step of the history; Escape gives it up.
//! 4. Draw outlines, handles and the numbers of the drag (`paint`).
//!
//! Handles of what is chosen can be taken with every tool. To choose in the picture, to move an item by its body and to
//! draw a frame round several is left to the select tool, for which Alt stands in while the brush is held.

mod drag;
mod keys;
mod paint;
mod path;
mod spots;

use std::collections::HashMap;
use std::path::PathBuf;

use egui::{CursorIcon, Key, PointerButton, Pos2, Rect, Response, Ui};

use crate::document::Document;
use crate::document::animation::{Modulator, Tracks};
use crate::edit::figure::{Figure, Grip, facts, figure, standing};
use crate::edit::{Item, List};
use crate::scene::{Masks, Scene};
use crate::ui::editor::Editor;
use crate::ui::panels::scene::Chosen;
use crate::view::Camera;

use drag::Drag;
pub use path::{begin as begin_path, delete_point};

/// What the pointer does in the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Stirs and paints.
    #[default]
    Brush,
    /// Chooses, moves, scales and turns.
    Select,
}

/// What can be taken hold of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grab {
    /// An item, by its body or one of its handles.
    Item(Item, Grip),
    /// A point of the path of an item.
    Point(Item, usize),
    /// The path of an item, behind that point.
    Way(Item, usize),
    /// The picture, to draw a frame round items.
    Empty,
}

/// What is remembered about handles.
pub struct Handles {
    /// What the pointer does.
    pub tool: Tool,
    /// Whether what is dragged goes from line to line of the grid.
    pub snap: bool,
    drag: Option<Drag>,
    /// The drag was ended by something else; the next begins when the button has been let go.
    ended: bool,
    /// The point of the path of the chosen item that is chosen.
    point: Option<usize>,
    spots: Vec<(Grab, Pos2)>,
    edges: HashMap<(PathBuf, String), Option<[u32; 2]>>,
}

impl Default for Handles {
    fn default() -> Self {
        Self {
            tool: Tool::default(),
            snap: true,
            drag: None,
            ended: false,
            point: None,
            spots: Vec::new(),
            edges: HashMap::new(),
        }
    }
}

impl Handles {
    /// Another document: what was held belongs to the old one.
    pub fn forget(&mut self) {
        self.ended |= self.drag.take().is_some();
        self.point = None;
        self.edges.clear();
    }
    /// Where handles were drawn last, for those who drive the editor from outside.
    pub fn spots(&self) -> &[(Grab, Pos2)] {
        &self.spots
    }
    /// What the drag that is going on says about itself.
    pub fn readout(&self) -> Option<&str> {
        let drag = self.drag.as_ref().filter(|d| d.moved);
        drag.map(|d| d.readout.as_str()).filter(|r| !r.is_empty())
    }
}

/// The picture on the screen.
#[derive(Clone, Copy)]
struct Sight {
    rect: Rect,
    camera: Camera,
}

impl Sight {
    fn screen(&self, world: [f32; 2]) -> Pos2 {
        self.camera.to_screen(self.rect, world)
    }
    fn world(&self, screen: Pos2) -> [f32; 2] {
        self.camera.to_world(self.rect, screen)
    }
}

/// The scene as it stands at the present frame, by its keys.
struct Stage {
    scene: Scene,
    /// Every item that stands somewhere.
    figures: Vec<(Item, Figure)>,
}

impl Stage {
    fn new(editor: &mut Editor, document: &Document) -> Self {
        let time = document.time.seconds(editor.present_frame());
        let mut document = document.without_strokes();
        // Without the waves about them, as the inspector shows values: that is what one edits.
        for track in &mut document.animation.tracks {
            track.modulator = Modulator::default();
        }
        let scene = match Tracks::new(&document) {
            Some(mut tracks) => {
                tracks.set(time);
                tracks.scene().clone()
            }
            None => document.scene,
        };
        let base = crate::ui::files::base(editor.file.as_deref());
        let known = &mut editor.panels.viewport.handles.edges;
        let mut edges = |image: &str| {
            let key = (base.clone(), image.to_owned());
            *known
                .entry(key)
                .or_insert_with(|| Masks::edges(image, &base))
        };
        let figures = standing(&scene)
            .filter_map(|item| Some((item, figure(&scene, item, time, &mut edges)?)))
            .collect();
        Self { scene, figures }
    }

    fn figure(&self, item: Item) -> Option<&Figure> {
        let found = self.figures.iter().find(|(i, _)| *i == item);
        found.map(|(_, figure)| figure)
    }

    fn locked(&self, item: Item) -> bool {
        facts(&self.scene, item).is_some_and(|f| f.locked)
    }

    fn enabled(&self, item: Item) -> bool {
        facts(&self.scene, item).is_some_and(|f| f.enabled)
    }

    /// What of this stands somewhere and may be moved.
    fn free(&self, items: &[Item]) -> Vec<Item> {
        let free = |item: &&Item| item.0 != List::Strokes && !self.locked(**item);
        items.iter().filter(free).copied().collect()
    }
}

/// Draws the handles and lets the hand use them. Gives whether the pointer belongs to them, and not to the brush.
pub(super) fn ui(
    editor: &mut Editor,
    ui: &mut Ui,
    response: &Response,
    rect: Rect,
    camera: &Camera,
) -> bool {
    let document = editor.document().clone();
    let sight = Sight {
        rect,
        camera: *camera,
    };
    let stage = Stage::new(editor, &document);
    let chosen = editor.panels.scene.items().to_vec();
    let spots = spots::spots(&stage, &sight, &chosen);
    editor.panels.viewport.handles.spots.clone_from(&spots);
    let point = &mut editor.panels.viewport.handles.point;
    *point = point.filter(|p| {
        let mut points = spots.iter();
        points.any(|(grab, _)| matches!(grab, Grab::Point(_, i) if i == p))
    });

    let (alt, panning, down) = ui.input(|i| {
        let panning = i.key_down(Key::Space) || i.pointer.middle_down();
        let down = i.pointer.button_down(PointerButton::Primary);
        (i.modifiers.alt, panning, down && !panning)
    });
    let painting = editor.panels.brush.active();
    let selecting = (editor.panels.viewport.handles.tool == Tool::Select || alt) && !painting;
    let down = down && response.is_pointer_button_down_on();
    let over = response.hover_pos().filter(|p| rect.contains(*p));
    let pointer = response.interact_pointer_pos().or(over);

    // What is grabbed is what was pressed on: on a slow machine the pointer has moved on by the time that is seen.
    let held = editor.panels.viewport.handles.drag.is_some();
    let pressed = ui.input(|i| i.pointer.press_origin());
    let aim = match down && !held {
        true => pressed.filter(|p| rect.contains(*p)).or(pointer),
        false => pointer,
    };
    let mut under = aim
        .filter(|_| !panning && !painting)
        .and_then(|p| spots::hit(&stage, &sight, &spots, &chosen, p, selecting));
    keys::ui(editor, ui, &stage, &document);
    // Before anything else: with Escape the response loses the button too, as if it had been let go.
    let escaped = drag::escape(editor, ui);
    let held = editor.panels.viewport.handles.drag.is_some();
    let ended = editor.panels.viewport.handles.ended;
    match (down, pointer) {
        (true, Some(at)) if held => drag::follow(editor, ui, &stage, &sight, at),
        (true, Some(at)) if !ended && !painting && (under.is_some() || selecting) => {
            let grab = under.unwrap_or(Grab::Empty);
            drag::begin(editor, ui, &stage, &sight, grab, aim.unwrap_or(at));
            if aim != Some(at) {
                drag::follow(editor, ui, &stage, &sight, at);
            }
        }
        (true, _) => {}
        (false, _) if escaped => {}
        (false, at) => {
            // The last way before the button was let go.
            if let Some(at) = at.filter(|_| held) {
                drag::follow(editor, ui, &stage, &sight, at);
            }
            drag::end(editor, ui, &stage, &sight);
            editor.panels.viewport.handles.ended = false;
        }
    }
    if response.double_clicked()
        && let Some(Grab::Way(item, after)) = under
        && let Some(at) = pointer
    {
        path::insert(editor, &stage, item, after, sight.world(at));
    }
    if let Some(drag) = &editor.panels.viewport.handles.drag {
        under = Some(drag.grab);
    }
    // As it is now: a drag that has just been given up keeps the rest of the way from the brush.
    let handles = &editor.panels.viewport.handles;
    let busy = handles.drag.is_some() || handles.ended || ended || escaped;
    if let Some(icon) = cursor(&stage, under, busy, selecting, over.is_some() && !panning) {
        ui.ctx().set_cursor_icon(icon);
    }
    paint::paint(editor, ui, &stage, &sight, &spots, under, selecting);
    busy || selecting || under.is_some()
}

/// What the pointer looks like.
fn cursor(
    stage: &Stage,
    under: Option<Grab>,
    busy: bool,
    selecting: bool,
    over: bool,
) -> Option<CursorIcon> {
    Some(match under {
        Some(Grab::Item(item, Grip::Size(sx, sy))) => {
            let angle = stage.figure(item).map_or(0.0, |f| f.angle);
            let own = f32::from(sy).atan2(f32::from(sx)).to_degrees();
            // Eighths of a turn; y points up in the scene.
            match ((angle + own) / 45.0).round().rem_euclid(4.0) as i32 {
                0 => CursorIcon::ResizeHorizontal,
                1 => CursorIcon::ResizeNeSw,
                2 => CursorIcon::ResizeVertical,
                _ => CursorIcon::ResizeNwSe,
            }
        }
        Some(Grab::Item(_, Grip::Turn)) if busy => CursorIcon::Grabbing,
        Some(Grab::Item(_, Grip::Turn)) => CursorIcon::Grab,
        Some(Grab::Item(..) | Grab::Point(..)) => CursorIcon::Move,
        Some(Grab::Way(..)) => CursorIcon::Copy,
        Some(Grab::Empty) => CursorIcon::Crosshair,
        None if selecting && over => CursorIcon::Default,
        None => return None,
    })
}

/// Chooses what was pressed on: with Ctrl or Shift in addition.
fn choose(editor: &mut Editor, ui: &Ui, item: Item) {
    let outliner = &mut editor.panels.scene;
    if outliner.items().contains(&item) {
        return;
    }
    let more = ui.input(|i| i.modifiers.command || i.modifiers.shift);
    if more {
        outliner.toggle(item);
    } else {
        outliner.choose(Chosen::Item(item.0, item.1));
        editor.panels.viewport.handles.point = None;
    }
}
