//! One drag, from press to release: always worked out from where everything stood at its beginning, so that nothing on the
//! way is lost.

use egui::{Key, Modifiers, Pos2, Ui};

use super::{Grab, Sight, Stage, choose, path};
use crate::edit::figure::{Figure, Grip, facts, form_values, own_angle, path_of, turned};
use crate::edit::{Edit, Item};
use crate::params::Value;
use crate::ui::editor::Editor;
use crate::ui::format;
use crate::ui::panels::scene::Chosen;
use crate::ui::panels::viewport::flow::grid_step;

/// So far the pointer must go before a press is a drag, points of the screen.
const SLACK: f32 = 3.0;
/// Steps of angles, degrees: usual, fine, and free.
const ANGLES: [f64; 3] = [15.0, 1.0, 0.1];

/// What the hand holds.
pub(super) struct Drag {
    pub grab: Grab,
    /// Where it was pressed.
    pub press: Pos2,
    /// Whether it has gone further than a press trembles.
    pub moved: bool,
    /// What the numbers are at present.
    pub readout: String,
    /// The item was chosen before it was pressed on.
    was_chosen: bool,
    /// A step of the history has begun.
    begun: bool,
    from: [f32; 2],
    figure: Option<Figure>,
    angle: f32,
    /// What is moved, with where it stood.
    starts: Vec<(Item, [f32; 3])>,
    /// Where the point of the path stood relative to its item.
    offset: [f32; 3],
}

/// The steps in which a drag goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// Of lengths, m; none where they are free.
    pub length: Option<f64>,
    /// What is smaller than that makes no difference on the screen, m.
    pub least: f64,
    /// Of angles, degrees.
    pub angle: f64,
}

impl Steps {
    /// The lines of the grid, a tenth of that where `fine`; free where neither is wanted.
    pub fn new(zoom: f32, snap: bool, fine: bool) -> Self {
        let grid = grid_step(zoom);
        let least = 10_f64.powf(f64::from(0.5 / zoom).log10().floor());
        match (snap, fine) {
            (_, true) => Self {
                length: Some(grid / 10.0),
                least,
                angle: ANGLES[1],
            },
            (true, false) => Self {
                length: Some(grid),
                least,
                angle: ANGLES[0],
            },
            (false, false) => Self {
                length: None,
                least,
                angle: ANGLES[2],
            },
        }
    }
    /// A place, as near as the steps allow.
    pub fn place(&self, v: f32) -> f32 {
        let step = self.length.unwrap_or(self.least);
        round_to(f64::from(v), step)
    }
    /// A size, as near as the steps allow, and never nothing.
    pub fn size(&self, v: f32) -> f32 {
        let step = self.length.unwrap_or(self.least);
        round_to(f64::from(v), step).max(step as f32)
    }
}

/// The nearest multiple of a step, as the number that is written with few digits.
fn round_to(v: f64, step: f64) -> f32 {
    let multiple = (v / step).round();
    // Steps below one are fractions of a whole number, which divides without a trace.
    if step < 1.0 {
        (multiple / (1.0 / step).round().max(1.0)) as f32
    } else {
        (multiple * step) as f32
    }
}

/// The difference of two lengths, without the noise of its last digits.
fn apart(a: f32, b: f32) -> f32 {
    ((f64::from(a) - f64::from(b)) * 1e6).round() as f32 / 1e6
}

/// Takes hold.
pub(super) fn begin(
    editor: &mut Editor,
    ui: &Ui,
    stage: &Stage,
    sight: &Sight,
    grab: Grab,
    at: Pos2,
) {
    let mut drag = Drag {
        grab,
        press: at,
        moved: false,
        readout: String::new(),
        was_chosen: false,
        begun: false,
        from: sight.world(at),
        figure: None,
        angle: 0.0,
        starts: Vec::new(),
        offset: [0.0; 3],
    };
    if let Grab::Item(item, _) | Grab::Point(item, _) | Grab::Way(item, _) = grab {
        drag.was_chosen = editor.panels.scene.items().contains(&item);
        choose(editor, ui, item);
        drag.figure = stage.figure(item).copied();
        drag.angle = own_angle(&stage.scene, item).unwrap_or(0.0);
        let position = |item: &Item| Some((*item, facts(&stage.scene, *item)?.position?));
        let mut moved = stage.free(editor.panels.scene.items());
        // The one that is held says where the others go.
        moved.sort_by_key(|i| *i != item);
        drag.starts = moved.iter().filter_map(position).collect();
    }
    if let Grab::Point(item, i) = grab {
        editor.panels.viewport.handles.point = Some(i);
        let points = facts(&stage.scene, item).and_then(|f| f.path);
        drag.offset = points
            .and_then(|p| p.points.get(i))
            .map_or([0.0; 3], |p| p.offset);
    }
    editor.panels.viewport.handles.drag = Some(drag);
}

/// Gives the drag up where Escape is pressed: everything is as it was before. Says whether it was.
pub(super) fn escape(editor: &mut Editor, ui: &Ui) -> bool {
    let handles = &mut editor.panels.viewport.handles;
    let pressed = || ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape));
    if handles.drag.is_none() || !pressed() {
        return false;
    }
    handles.ended = true;
    if handles.drag.take().is_some_and(|drag| drag.begun) {
        editor.give_up();
    }
    true
}

/// Follows the pointer.
pub(super) fn follow(editor: &mut Editor, ui: &Ui, stage: &Stage, sight: &Sight, at: Pos2) {
    let Some(mut drag) = editor.panels.viewport.handles.drag.take() else {
        return;
    };
    let snap = editor.panels.viewport.handles.snap;
    if drag.begun && !editor.holding() {
        // Undone, or overtaken by another change.
        editor.panels.viewport.handles.ended = true;
        return;
    }
    drag.moved |= at.distance(drag.press) > SLACK;
    if drag.moved && drag.grab != Grab::Empty {
        let (fine, even) = ui.input(|i| (i.modifiers.command, i.modifiers.shift));
        let steps = Steps::new(sight.camera.zoom, snap, fine);
        let to = sight.world(at);
        let (label, edits) = changes(editor, stage, &mut drag, to, steps, even);
        if !edits.is_empty() {
            editor.drag(ui.ctx(), "handle", &label, edits);
            drag.begun = true;
        }
    }
    editor.panels.viewport.handles.drag = Some(drag);
}

/// Lets go.
pub(super) fn end(editor: &mut Editor, ui: &Ui, stage: &Stage, sight: &Sight) {
    let Some(drag) = editor.panels.viewport.handles.drag.take() else {
        return;
    };
    let more = ui.input(|i| i.modifiers.command || i.modifiers.shift);
    match drag.grab {
        Grab::Empty if drag.moved => {
            let Some(to) = ui.input(|i| i.pointer.latest_pos()) else {
                return;
            };
            let frame = egui::Rect::from_two_pos(drag.press, to);
            let mut items = if more {
                editor.panels.scene.items().to_vec()
            } else {
                Vec::new()
            };
            let within = stage.figures.iter().filter(|(item, figure)| {
                let seen = stage.enabled(*item) && !stage.locked(*item);
                seen && frame.contains(sight.screen(figure.centre))
            });
            for (item, _) in within {
                if !items.contains(item) {
                    items.push(*item);
                }
            }
            editor.panels.scene.choose_all(items);
        }
        Grab::Empty if !more => editor.panels.scene.clear(),
        Grab::Item(item, Grip::Body) if !drag.moved && drag.was_chosen => {
            // A click on one of several chooses it alone; with Ctrl or Shift it is taken out.
            if more {
                editor.panels.scene.toggle(item);
            } else {
                editor.panels.scene.choose(Chosen::Item(item.0, item.1));
                editor.panels.viewport.handles.point = None;
            }
        }
        _ => {}
    }
}

/// What the drag changes when the pointer is there, and what the step is called.
fn changes(
    editor: &Editor,
    stage: &Stage,
    drag: &mut Drag,
    to: [f32; 2],
    steps: Steps,
    even: bool,
) -> (String, Vec<Edit>) {
    let named = |verb: &str, item: Item| {
        let name = facts(&stage.scene, item).map_or("", |f| f.name);
        format!("{verb} {name}")
    };
    match (drag.grab, drag.figure) {
        (Grab::Item(item, Grip::Body) | Grab::Way(item, _), _) => {
            let label = match drag.starts.len() {
                0 | 1 => named("Move", item),
                n => format!("Move {n} items"),
            };
            (label, moved(editor, drag, to, steps, even))
        }
        (Grab::Item(item, Grip::Size(sx, sy)), Some(figure)) => {
            // The handle goes as far as the pointer, wherever it was taken.
            let (from, now) = (figure.local(drag.from), figure.local(to));
            let half = figure.form.half();
            let at = [
                half[0] * f32::from(sx) + now[0] - from[0],
                half[1] * f32::from(sy) + now[1] - from[1],
            ];
            let form = figure.form.pulled((sx, sy), at, even, |v| steps.size(v));
            drag.readout = super::paint::size_text(form);
            let values = form_values(editor.document(), item, form);
            let set = |(path, value)| editor.setting(path, value);
            (named("Scale", item), values.into_iter().map(set).collect())
        }
        (Grab::Item(item, Grip::Turn), Some(figure)) => {
            let angle = |p: [f32; 2]| {
                let way = [p[0] - figure.centre[0], p[1] - figure.centre[1]];
                f64::from(way[1]).atan2(f64::from(way[0])).to_degrees()
            };
            let by = angle(to) - angle(drag.from);
            let turn = f64::from(round_to(f64::from(drag.angle) + by, steps.angle));
            // Half a turn at most, either way.
            let turn = 180.0 - (180.0 - turn).rem_euclid(360.0);
            drag.readout = format!("{}°", format::number(turn));
            let set = turned(&stage.scene, item, turn as f32);
            let edit = set.map(|(path, value)| editor.setting(path, value));
            (named("Turn", item), edit.into_iter().collect())
        }
        (Grab::Point(item, i), _) => {
            let Some((_, position)) = drag.starts.iter().find(|(s, _)| *s == item) else {
                return (String::new(), Vec::new());
            };
            let place = |a: usize| {
                let at = position[a] + drag.offset[a] + to[a] - drag.from[a];
                steps.place(at)
            };
            let at = [place(0), place(1)];
            drag.readout = super::paint::place_text(at);
            let value = [
                apart(at[0], position[0]),
                apart(at[1], position[1]),
                drag.offset[2],
            ];
            let edit = path::set_point(item, i, value);
            (named("Bend the path of", item), vec![edit])
        }
        _ => (String::new(), Vec::new()),
    }
}

/// All that is held goes as far as the one that was taken, which goes from line to line; along one axis where `straight`.
fn moved(
    editor: &Editor,
    drag: &mut Drag,
    to: [f32; 2],
    steps: Steps,
    straight: bool,
) -> Vec<Edit> {
    let Some((_, first)) = drag.starts.first().copied() else {
        return Vec::new();
    };
    let mut by = [to[0] - drag.from[0], to[1] - drag.from[1]];
    if straight {
        let across = usize::from(by[0].abs() >= by[1].abs());
        by[across] = 0.0;
    }
    // An axis along which nothing was moved keeps its exact value.
    let place = |a: usize| match by[a] {
        0.0 => first[a],
        by => steps.place(first[a] + by),
    };
    let at = [place(0), place(1)];
    drag.readout = super::paint::place_text(at);
    let edit = |(item, start): &(Item, [f32; 3])| {
        let to = if *start == first {
            [at[0], at[1], start[2]]
        } else {
            [
                apart(start[0] + at[0], first[0]),
                apart(start[1] + at[1], first[1]),
                start[2],
            ]
        };
        let path = format!("{}.position", path_of(*item));
        editor.setting(path, Value::Vec3(to))
    };
    drag.starts.iter().map(edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_with_few_digits() {
        // 550 points a metre: lines 20 cm apart.
        let steps = Steps::new(550.0, true, false);
        assert_eq!(steps.length, Some(0.2));
        assert_eq!(steps.place(0.53), 0.6);
        assert_eq!(steps.size(0.01), 0.2);
        let fine = Steps::new(550.0, true, true);
        assert_eq!((fine.place(0.533), fine.angle), (0.54, 1.0));
        let free = Steps::new(550.0, false, false);
        assert_eq!(free.place(0.123_456), 0.1235);
        assert_eq!(Steps::new(1.0, true, false).place(260.0), 300.0);
    }
}
