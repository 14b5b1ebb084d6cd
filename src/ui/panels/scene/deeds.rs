//! What is done to all that is chosen in the scene.

use crate::edit::figure::{facts, path_of};
use crate::edit::{Action, Edit, Item, arrange};
use crate::params::Value;
use crate::ui::editor::{Editor, Request};
use crate::ui::format;
use crate::ui::panels::viewport;

/// Does one of the actions on items.
pub fn perform(editor: &mut Editor, action: Action) {
    let items = editor.panels.scene.items().to_vec();
    if action == Action::DeleteItems && viewport::delete_point(editor) {
        return;
    }
    if items.is_empty() {
        return;
    }
    match action {
        Action::DuplicateItems => duplicate(editor, &items),
        Action::DeleteItems => delete(editor, &items),
        Action::RaiseItems => shift(editor, &items, -1),
        Action::LowerItems => shift(editor, &items, 1),
        Action::HideItems => hide(editor, &items),
        Action::LockItems => lock(editor, &items),
        Action::RenameItem => {
            let document = editor.document().clone();
            if let Some(item) = items.last() {
                editor.panels.scene.rename(&document, *item);
                editor.layout_requests.push(Request::Show("scene"));
            }
        }
        _ => {}
    }
}

/// What a step says about items: the name of one, the number of several.
fn about(editor: &Editor, verb: &str, items: &[Item]) -> String {
    let name = match items {
        [item] => facts(&editor.document().scene, *item).map(|f| f.name.to_owned()),
        _ => None,
    };
    let what = name.unwrap_or_else(|| format::count(items.len(), "item"));
    format!("{verb} {what}")
}

/// Doubles items and chooses the copies, which stand a little aside.
pub(super) fn duplicate(editor: &mut Editor, items: &[Item]) {
    let document = editor.document().clone();
    let size = document.scene.domain.grid().size();
    let aside = format::round_length(f64::from(size[0].min(size[1])) * 0.05) as f32;
    let label = about(editor, "Duplicate", items);
    let (edits, copies) = arrange::duplicate(&document, items, [aside, -aside]);
    editor.edit(&label, edits);
    editor.panels.scene.choose_all(copies);
}

/// Deletes items; those that are locked stay.
pub(super) fn delete(editor: &mut Editor, items: &[Item]) {
    let scene = &editor.document().scene;
    let locked = |item: &Item| facts(scene, *item).is_some_and(|f| f.locked);
    let (held, free): (Vec<Item>, Vec<Item>) = items.iter().partition(|i| locked(i));
    if !held.is_empty() {
        let what = about(editor, "Unlock", &held);
        editor
            .toasts
            .error("What is locked is not deleted", format!("{what} first."));
    }
    if !free.is_empty() {
        let label = about(editor, "Delete", &free);
        editor.edit(&label, arrange::delete(&free));
        editor.panels.scene.clear();
    }
}

fn shift(editor: &mut Editor, items: &[Item], by: i32) {
    let (edits, moved) = arrange::shift(&editor.document().scene, items, by);
    if !edits.is_empty() {
        let label = about(editor, "Move", items);
        editor.edit(&label, edits);
        editor.panels.scene.choose_all(moved);
    }
}

fn set_all(editor: &mut Editor, items: &[Item], flag: &str, to: bool, verb: &str) {
    let edit = |item: &Item| Edit::Set(format!("{}.{flag}", path_of(*item)), Value::Bool(to));
    let label = about(editor, verb, items);
    editor.edit(&label, items.iter().map(edit).collect());
}

/// Leaves items out, or takes them in where all are left out.
pub(super) fn hide(editor: &mut Editor, items: &[Item]) {
    let scene = &editor.document().scene;
    let on = !items
        .iter()
        .any(|i| facts(scene, *i).is_some_and(|f| f.enabled));
    let verb = if on { "Switch on" } else { "Switch off" };
    set_all(editor, items, "enabled", on, verb);
}

/// Holds items fast, or lets go of them where all are held.
pub(super) fn lock(editor: &mut Editor, items: &[Item]) {
    let scene = &editor.document().scene;
    let on = items
        .iter()
        .any(|i| facts(scene, *i).is_some_and(|f| !f.locked));
    let verb = if on { "Lock" } else { "Unlock" };
    set_all(editor, items, "locked", on, verb);
}
