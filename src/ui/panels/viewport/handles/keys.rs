//! The keys that move what is chosen, and that let go of it.

use egui::{Key, Modifiers, Ui};

use super::{Stage, path};
use crate::document::Document;
use crate::edit::figure::{facts, path_of};
use crate::params::Value;
use crate::ui::editor::Editor;

/// Cells that the arrow keys go with Shift held.
const FAR: f32 = 10.0;

/// Keys count while nothing else has the keyboard.
pub(super) fn ui(editor: &mut Editor, ui: &Ui, stage: &Stage, document: &Document) {
    let busy = editor.guard.is_some()
        || editor.panels.palette.is_open()
        || editor.panels.keys_sheet
        || egui::Popup::is_any_open(ui.ctx())
        || editor.panels.viewport.handles.drag.is_some()
        || editor.panels.scene.items().is_empty();
    if busy || ui.memory(|m| m.focused().is_some()) {
        return;
    }
    if ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape)) {
        if editor.panels.viewport.handles.point.take().is_none() {
            editor.panels.scene.clear();
        }
        return;
    }
    let h = document.scene.domain.grid().h;
    let way = ui.input_mut(|i| {
        let mut way = [0.0_f32; 2];
        // With Shift first: without, it would count as both.
        for (modifiers, far) in [(Modifiers::SHIFT, FAR), (Modifiers::NONE, 1.0)] {
            for (key, axis, sign) in [
                (Key::ArrowRight, 0, 1.0),
                (Key::ArrowLeft, 0, -1.0),
                (Key::ArrowUp, 1, 1.0),
                (Key::ArrowDown, 1, -1.0),
            ] {
                way[axis] += far * sign * i.count_and_consume_key(modifiers, key) as f32;
            }
        }
        way
    });
    if way != [0.0; 2] {
        nudge(editor, stage, way.map(|n| n * h));
    }
}

/// Moves what is chosen, or the chosen point of its path, by so many metres.
fn nudge(editor: &mut Editor, stage: &Stage, by: [f32; 2]) {
    let items = stage.free(editor.panels.scene.items());
    let point = editor.panels.viewport.handles.point;
    if let ([item], Some(i)) = (&items[..], point) {
        let found = facts(&stage.scene, *item).and_then(|f| f.path?.points.get(i));
        if let Some(p) = found {
            let to = [p.offset[0] + by[0], p.offset[1] + by[1], p.offset[2]];
            editor.edit("Nudge a point", vec![path::set_point(*item, i, to)]);
        }
        return;
    }
    let edit = |item: &crate::edit::Item| {
        let [x, y, z] = facts(&stage.scene, *item)?.position?;
        let path = format!("{}.position", path_of(*item));
        Some(editor.setting(path, Value::Vec3([x + by[0], y + by[1], z])))
    };
    let edits: Vec<_> = items.iter().filter_map(edit).collect();
    let label = match items[..] {
        [item] => {
            let name = facts(&stage.scene, item).map_or("", |f| f.name);
            format!("Nudge {name}")
        }
        _ => format!("Nudge {} items", items.len()),
    };
    if !edits.is_empty() {
        editor.edit(&label, edits);
    }
}
