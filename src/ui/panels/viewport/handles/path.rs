//! Points of the path along which an item moves.

use super::Stage;
use super::spots;
use crate::edit::figure::{facts, path_of};
use crate::edit::{Edit, Item, List};
use crate::params::Value;
use crate::scene::{Path, PathPoint, Scene};
use crate::ui::editor::Editor;

/// The change that puts a point somewhere, relative to its item.
pub(super) fn set_point(item: Item, i: usize, offset: [f32; 3]) -> Edit {
    let path = format!("{}.path.points.{i}.offset", path_of(item));
    Edit::Set(path, Value::Vec3(offset))
}

fn path_mut(scene: &mut Scene, (list, i): Item) -> Option<&mut Path> {
    match list {
        List::Emitters => scene.emitters.get_mut(i).map(|e| &mut e.path),
        List::Obstacles => scene.obstacles.get_mut(i).map(|o| &mut o.path),
        List::Motors => scene.motors.get_mut(i).map(|m| &mut m.path),
        List::Terrain | List::Strokes | List::Outputs => None,
    }
}

/// Puts a new point into a path, behind another one, and chooses it.
pub(super) fn insert(
    editor: &mut Editor,
    stage: &Stage,
    item: Item,
    after: usize,
    world: [f32; 2],
) {
    let Some(position) = facts(&stage.scene, item).and_then(|f| f.position) else {
        return;
    };
    // What is nearer to the path than to the pointer looks as if it had always been there.
    let near = spots::way(stage, item);
    let stretch = near.get(after).map_or(&[][..], |s| &s[..]);
    let gap = |p: &&[f32; 2]| (p[0] - world[0]).hypot(p[1] - world[1]);
    let on = stretch
        .iter()
        .min_by(|a, b| gap(a).total_cmp(&gap(b)))
        .unwrap_or(&world);
    let tidy = |v: f32| (f64::from(v) * 1e4).round() / 1e4;
    let offset = [
        tidy(on[0] - position[0]) as f32,
        tidy(on[1] - position[1]) as f32,
        0.0,
    ];
    editor.history.edit("Add a point to the path", |document| {
        if let Some(path) = path_mut(&mut document.scene, item) {
            let at = (after + 1).min(path.points.len());
            path.points.insert(at, PathPoint { offset });
        }
    });
    editor.panels.viewport.handles.point = Some(after + 1);
}

/// Gives the chosen item a path of two points, where it has none.
pub fn begin(editor: &mut Editor) {
    let [item] = editor.panels.scene.items()[..] else {
        return;
    };
    let size = editor.document().scene.domain.grid().size();
    let far = size[0].min(size[1]) * 0.2;
    editor.history.edit("Begin a path", |document| {
        if let Some(path) = path_mut(&mut document.scene, item)
            && path.points.is_empty()
        {
            for x in [0.0, far] {
                path.points.push(PathPoint {
                    offset: [x, 0.0, 0.0],
                });
            }
            path.closed = false;
        }
    });
    editor.panels.viewport.handles.point = Some(1);
}

/// Takes the chosen point out of the path of the chosen item; whether there was one.
pub fn delete_point(editor: &mut Editor) -> bool {
    let Some(i) = editor.panels.viewport.handles.point else {
        return false;
    };
    let [item] = editor.panels.scene.items()[..] else {
        return false;
    };
    editor.panels.viewport.handles.point = None;
    editor
        .history
        .edit("Remove a point of the path", |document| {
            if let Some(path) = path_mut(&mut document.scene, item)
                && i < path.points.len()
            {
                path.points.remove(i);
            }
        })
}
