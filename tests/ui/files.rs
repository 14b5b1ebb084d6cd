//! Opening, saving, dropping.

use std::sync::Arc;

use eddy::document;
use eddy::document::recovery::{self, Recovery};
use eddy::edit::Action;
use eddy::ui::files;

use crate::ui::support::{Answers, document as small, rig, rig_with};

#[test]
fn a_look_is_saved_where_the_dialog_says_and_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.ron");
    let answers = Answers {
        open: Some(path.clone()),
        save: Some(path.clone()),
        ..Answers::default()
    };
    let mut rig = rig_with(small(), answers);
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Mine".to_owned());
    rig.steps();
    assert!(rig.editor().title().starts_with('●'));
    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::S);
    rig.wait("saved", |r| r.editor().file.is_some());
    assert!(!rig.editor().history.is_dirty());
    assert!(rig.editor().title().contains("mine.ron"));
    assert_eq!(document::load(&path).unwrap().document, *rig.document());

    rig.editor()
        .history
        .edit("Name", |d| d.name = "Other".to_owned());
    rig.editor().act(Action::Open);
    rig.steps();
    rig.click("Discard changes");
    rig.wait("opened", |r| r.document().name == "Mine");
    assert!(!rig.editor().history.is_dirty());
}

#[test]
fn a_bad_file_is_refused_with_the_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.ron");
    std::fs::write(&path, "(\n  version: 1,\n  nmae: \"x\",\n)\n").unwrap();
    let answers = Answers {
        open: Some(path),
        ..Answers::default()
    };
    let mut rig = rig_with(small(), answers);
    let before = rig.document();
    rig.editor().act(Action::Open);
    rig.wait("refused", |r| !r.editor().toasts.shown().is_empty());
    let toast = rig.editor().toasts.shown()[0].clone();
    assert!(toast.text.contains("bad.ron"), "{toast:?}");
    assert!(
        toast.details.contains("3:") && toast.details.contains("nmae"),
        "{toast:?}"
    );
    assert!(Arc::ptr_eq(&before, &rig.document()));
    rig.click("Close message");
    assert!(rig.editor().toasts.shown().is_empty());
}

#[test]
fn a_save_that_fails_says_so_and_keeps_the_mark() {
    let answers = Answers {
        save: Some("/nowhere/at/all.ron".into()),
        ..Answers::default()
    };
    let mut rig = rig_with(small(), answers);
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Mine".to_owned());
    rig.editor().act(Action::SaveAs);
    rig.wait("failed", |r| !r.editor().toasts.shown().is_empty());
    assert!(rig.editor().history.is_dirty());
    assert!(rig.editor().file.is_none());
}

#[test]
fn unsaved_changes_can_be_saved_before_going_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kept.ron");
    let answers = Answers {
        save: Some(path.clone()),
        ..Answers::default()
    };
    let mut rig = rig_with(small(), answers);
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Kept".to_owned());
    rig.editor().act(Action::New);
    rig.steps();
    rig.click("Save first");
    rig.wait("saved and gone on", |r| r.document().name == "Untitled");
    assert_eq!(document::load(&path).unwrap().document.name, "Kept");
}

#[test]
fn closing_with_unsaved_changes_asks_first() {
    let mut rig = rig();
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Mine".to_owned());
    rig.editor().act(Action::Quit);
    rig.steps();
    assert!(!rig.editor().closing);
    rig.click("Keep editing");
    rig.editor().act(Action::Quit);
    rig.steps();
    rig.click("Discard changes");
    assert!(rig.editor().closing);
}

#[test]
fn unsaved_work_survives_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let recovery = || Recovery::in_dir(dir.path()).unwrap();
    let mut lost = small();
    lost.name = "Lost".to_owned();
    let crashed = recovery();
    crashed.keep(&lost, None).unwrap();
    drop(crashed);

    let mut rig = rig();
    files::rescue(rig.editor(), recovery(), dir.path().to_owned());
    rig.wait("offered", |r| !r.editor().rescue.left.is_empty());
    let copies = || -> Vec<std::path::PathBuf> {
        std::fs::read_dir(dir.path().join("recovery"))
            .unwrap()
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|x| x == "ron"))
            .collect()
    };
    let old = copies();
    assert_eq!(old.len(), 1);
    rig.click("Open it");
    assert_eq!(rig.document().name, "Lost");
    assert!(rig.editor().history.is_dirty(), "it stands in no file");
    rig.wait("kept again", |_| {
        let now = copies();
        assert!(!now.is_empty(), "there is a copy at every moment");
        now.len() == 1 && now != old
    });
    rig.editor().history.mark_saved();
    rig.wait("taken away once saved", |_| {
        recovery::left_in(dir.path()).is_empty()
    });
}

/// Killed between opening the copy and writing the new one: the old one must still be there.
#[test]
fn a_copy_that_was_opened_stays_until_there_is_another() {
    let dir = tempfile::tempdir().unwrap();
    let mut lost = small();
    lost.name = "Lost".to_owned();
    let crashed = Recovery::in_dir(dir.path()).unwrap();
    crashed.keep(&lost, None).unwrap();
    drop(crashed);
    let mut rig = rig();
    // No new copy can be written where there is no folder for it.
    let elsewhere = tempfile::tempdir().unwrap();
    let own = Recovery::in_dir(elsewhere.path()).unwrap();
    std::fs::remove_dir_all(elsewhere.path()).unwrap();
    files::rescue(rig.editor(), own, dir.path().to_owned());
    rig.wait("offered", |r| !r.editor().rescue.left.is_empty());
    rig.click("Open it");
    rig.wait("told", |r| !r.editor().toasts.shown().is_empty());
    assert_eq!(recovery::left_in(dir.path()).len(), 1);
}
