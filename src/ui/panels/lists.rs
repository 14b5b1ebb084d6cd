//! Adding to and taking from the lists that inspectors show.

use crate::edit::{Edit, List};
use crate::params::label_from_name;
use crate::scene::{Activity, Key, Path, PathPoint, Scene};
use crate::ui::editor::{Editor, Request};

/// Names of the groups that are lists inside of items.
pub const INNER: &[&str] = &["keys", "points"];

/// The list of items with that path, such as `scene.emitters`.
pub fn by_path(path: &str) -> Option<List> {
    List::ALL.into_iter().find(|l| l.path() == path)
}

/// Adds an item to the list at `path`.
pub fn add(editor: &mut Editor, path: &str) {
    if let Some(list) = by_path(path) {
        let label = format!("Add {}", list.item());
        let edit = match Edit::add(list) {
            // Two of the same name would write the same files.
            Edit::AddOutput(mut output) => {
                output.name = super::bake::free_name(editor.document(), &output.name);
                Edit::AddOutput(output)
            }
            edit => edit,
        };
        editor.ask(Request::Edit(label, vec![edit]));
        return;
    }
    inner(editor, path, "Add to", |list| match list {
        Inner::Keys(a) => {
            let (time, value) = a
                .keys
                .last()
                .map_or((0.0, 1.0), |k| (k.time + 1.0, k.value));
            a.keys.push(Key { time, value });
        }
        Inner::Points(p) => {
            let mut offset = p.points.last().map_or([0.0; 3], |l| l.offset);
            if !p.points.is_empty() {
                offset[0] += 0.1;
            }
            p.points.push(PathPoint { offset });
        }
    });
}

/// Takes an item out of the list at `path`.
pub fn remove(editor: &mut Editor, path: &str, index: usize) {
    if let Some(list) = by_path(path) {
        let label = format!("Remove {}", list.item());
        editor.ask(Request::Edit(label, vec![Edit::Remove(list, index)]));
        return;
    }
    inner(editor, path, "Remove from", |list| match list {
        Inner::Keys(a) if index < a.keys.len() => {
            a.keys.remove(index);
        }
        Inner::Points(p) if index < p.points.len() => {
            p.points.remove(index);
        }
        _ => {}
    });
}

/// A list inside of an item.
enum Inner<'a> {
    Keys(&'a mut Activity),
    Points(&'a mut Path),
}

fn inner(editor: &mut Editor, path: &str, verb: &str, change: impl FnOnce(Inner<'_>)) {
    let name = path.rsplit('.').next().unwrap_or_default();
    let label = format!("{verb} {}", label_from_name(name).to_lowercase());
    editor.history.edit(label, |document| {
        if let Some(list) = find(&mut document.scene, path) {
            change(list);
        }
    });
}

fn find<'a>(scene: &'a mut Scene, path: &str) -> Option<Inner<'a>> {
    let steps: Vec<&str> = path.split('.').collect();
    let ["scene", list, index, rest @ ..] = steps.as_slice() else {
        return None;
    };
    let i: usize = index.parse().ok()?;
    match (*list, rest) {
        ("emitters", ["activity", "keys"]) => {
            Some(Inner::Keys(&mut scene.emitters.get_mut(i)?.activity))
        }
        ("motors", ["activity", "keys"]) => {
            Some(Inner::Keys(&mut scene.motors.get_mut(i)?.activity))
        }
        ("emitters", ["path", "points"]) => {
            Some(Inner::Points(&mut scene.emitters.get_mut(i)?.path))
        }
        ("obstacles", ["path", "points"]) => {
            Some(Inner::Points(&mut scene.obstacles.get_mut(i)?.path))
        }
        ("motors", ["path", "points"]) => Some(Inner::Points(&mut scene.motors.get_mut(i)?.path)),
        _ => None,
    }
}
