//! Saving and opening where the desktop has no dialogs.

use std::time::Duration;

use eddy::document;
use eddy::edit::Action;
use eddy::ui::files::{self, Event};
use eddy::ui::path_field::{Found, PathField};
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Answers, Rig, document as small, rig_with};

fn rig() -> Rig<'static> {
    let answers = Answers {
        unavailable: true,
        ..Answers::default()
    };
    rig_with(small(), answers)
}

fn type_path(rig: &mut Rig<'_>, path: &std::path::Path) {
    rig.wait("asked", |r| r.harness.query_by_label("Path").is_some());
    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    rig.harness.run_steps(1);
    rig.harness
        .get_by_label("Path")
        .type_text(&path.display().to_string());
    rig.steps();
}

fn enter(rig: &mut Rig<'_>) {
    rig.harness.key_press(egui::Key::Enter);
    rig.steps();
}

fn says(rig: &Rig<'_>, text: &str) -> bool {
    rig.harness
        .query_all_by_label_contains(text)
        .next()
        .is_some()
}

#[test]
fn a_look_is_saved_under_a_name_that_is_typed() {
    let dir = tempfile::tempdir().unwrap();
    let mut rig = rig();
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Typed".to_owned());
    rig.editor().act(Action::SaveAs);
    type_path(&mut rig, &dir.path().join("typed"));
    enter(&mut rig);
    rig.wait("saved", |r| r.editor().file.is_some());
    assert!(rig.editor().path_field.is_none());
    assert!(!rig.editor().history.is_dirty());
    let path = dir.path().join("typed.ron");
    assert_eq!(document::load(&path).unwrap().document.name, "Typed");
}

#[test]
fn a_file_is_replaced_only_after_a_second_yes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("there.ron");
    std::fs::write(&path, "old").unwrap();
    let mut rig = rig();
    rig.editor().act(Action::SaveAs);
    type_path(&mut rig, &path);
    enter(&mut rig);
    rig.wait("asked again", |r| says(r, "Replace it?"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    rig.harness.key_press(egui::Key::Escape);
    rig.steps();
    assert!(rig.editor().path_field.is_none());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");

    rig.editor().act(Action::SaveAs);
    type_path(&mut rig, &path);
    rig.click("Save");
    rig.wait("asked again", |r| says(r, "Replace it?"));
    rig.click("Replace it");
    rig.wait("saved", |r| r.editor().file.is_some());
    assert!(document::load(&path).is_ok());
}

/// What was looked up for a field that was closed belongs to no other, whatever path stands in it.
#[test]
fn a_field_that_was_given_up_saves_nothing_later() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.ron");
    let mut rig = rig();
    rig.editor().act(Action::SaveAs);
    type_path(&mut rig, &path);
    let number = |rig: &mut Rig<'_>| rig.editor().path_field.as_ref().map(PathField::number);
    let first = number(&mut rig).expect("it is asked");
    rig.harness.key_press(egui::Key::Escape);
    rig.steps();
    rig.editor().act(Action::SaveAs);
    type_path(&mut rig, &path);
    assert!(number(&mut rig).expect("it is asked") != first);
    let answer = |number| Event::Checked(number, path.clone(), Found::Nothing);
    files::take(rig.editor(), answer(first));
    rig.editor().jobs.finish(Duration::from_secs(60));
    assert!(rig.editor().path_field.is_some());
    assert!(!path.exists(), "nothing was clicked");
    enter(&mut rig);
    rig.wait("saved", |r| r.editor().file.is_some());
}

#[test]
fn a_path_that_leads_nowhere_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    let mut rig = rig();
    rig.editor().act(Action::Open);
    type_path(&mut rig, &dir.path().join("none.ron"));
    enter(&mut rig);
    rig.wait("said", |r| says(r, "There is no file of that name"));
    type_path(&mut rig, &dir.path().join("no/where.ron"));
    enter(&mut rig);
    rig.wait("said", |r| says(r, "There is no folder"));
    type_path(&mut rig, dir.path());
    rig.click("Open");
    rig.wait("said", |r| says(r, "This is a folder"));
    let mut other = small();
    other.name = "Other".to_owned();
    let path = dir.path().join("other.ron");
    document::save(&path, &other).unwrap();
    type_path(&mut rig, &path);
    enter(&mut rig);
    rig.wait("opened", |r| r.document().name == "Other");
    assert!(rig.editor().path_field.is_none());
}

#[test]
fn what_is_typed_reaches_nothing_else() {
    let mut rig = rig();
    rig.editor().act(Action::Open);
    rig.wait("asked", |r| r.editor().path_field.is_some());
    rig.fake.heard();
    rig.harness.key_press(egui::Key::Space);
    rig.harness.key_press(egui::Key::R);
    rig.steps();
    assert!(rig.fake.heard().is_empty());
    rig.click("Cancel");
    assert!(rig.editor().path_field.is_none());
}

#[test]
fn unsaved_changes_are_saved_by_a_typed_name_before_going_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kept.ron");
    let mut rig = rig();
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Kept".to_owned());
    rig.editor().act(Action::New);
    rig.steps();
    rig.click("Save first");
    type_path(&mut rig, &path);
    enter(&mut rig);
    rig.wait("saved and gone on", |r| r.document().name == "Untitled");
    assert_eq!(document::load(&path).unwrap().document.name, "Kept");
}

#[test]
fn a_folder_for_textures_is_typed() {
    let dir = tempfile::tempdir().unwrap();
    let mut rig = rig();
    rig.show("Bake");
    rig.click("Choose…");
    type_path(&mut rig, dir.path());
    enter(&mut rig);
    let folder = dir.path().display().to_string();
    rig.wait("chosen", |r| r.editor().bake.folder == folder);
}
