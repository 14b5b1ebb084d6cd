//! Opening, saving, dropping.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eddy::document;
use eddy::document::recovery::{self, Recovery};
use eddy::edit::Action;
use eddy::ui::editor::Request;
use eddy::ui::{files, rescue};

use crate::ui::support::{Answers, Rig, document as small, rig, rig_with};

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
    rig.wait("asked about changes", |r| r.editor().guard.is_some());
    rig.click("Discard changes");
    rig.wait("opened", |r| r.document().name == "Mine");
    assert!(!rig.editor().history.is_dirty());
}

#[test]
fn what_saving_would_lose_is_said_when_a_file_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("noted.ron");
    std::fs::write(
        &path,
        "(\n  version: 1,\n  name: \"Noted\", // by hand\n)\n",
    )
    .unwrap();
    let mut rig = rig();
    files::load(rig.editor(), path);
    rig.wait("opened", |r| r.document().name == "Noted");
    let toast = rig.editor().toasts.shown()[0].clone();
    assert!(toast.text.contains("noted.ron") && toast.text.contains("comments"));
}

/// The end of a pipe may never come.
#[cfg(unix)]
#[test]
fn a_pipe_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pipe.ron");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let mut rig = rig();
    files::load(rig.editor(), path);
    rig.wait("refused", |r| !r.editor().toasts.shown().is_empty());
    let toast = rig.editor().toasts.shown()[0].clone();
    assert!(toast.details.contains("pipe"), "{}", toast.details);
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

/// A file with a look of that name.
fn look(dir: &Path, name: &str) -> PathBuf {
    let path = dir.join(format!("{name}.ron"));
    let mut look = small();
    look.name = name.to_owned();
    document::save(&path, &look).unwrap();
    path
}

/// A document that takes long to write: with strokes of very many points.
fn large() -> document::Document {
    let mut large = small();
    large.name = "Large".to_owned();
    let point = |frame| eddy::scene::StrokePoint {
        frame,
        ..Default::default()
    };
    large.scene.strokes.push(eddy::scene::Stroke {
        points: (0..200_000).map(point).collect(),
        ..Default::default()
    });
    large
}

/// While a dialog is open, and while a file is read, one works on.
#[test]
fn what_is_changed_while_a_file_is_chosen_or_read_is_asked_about() {
    let dir = tempfile::tempdir().unwrap();
    let path = look(dir.path(), "Other");
    let answers = Answers {
        open: Some(path.clone()),
        ..Answers::default()
    };
    let mut rig = rig_with(small(), answers);
    let rename = |rig: &mut Rig<'_>, name: &str| {
        let name = name.to_owned();
        rig.editor().history.edit("Name", |d| d.name = name);
    };
    rig.editor().act(Action::Open);
    rig.harness.run_steps(1);
    rename(&mut rig, "Mine");
    rig.wait("asked", |r| r.editor().guard.is_some());
    rig.click("Keep editing");
    assert_eq!(rig.document().name, "Mine");

    files::load(rig.editor(), path.clone());
    rename(&mut rig, "Mine too");
    rig.wait("asked", |r| r.editor().guard.is_some());
    rig.click("Keep editing");
    assert_eq!(rig.document().name, "Mine too");
    assert_eq!(rig.labels().len(), 3, "{:?}", rig.labels());

    // Asked once is enough where nothing is changed any more.
    rig.editor().act(Action::Open);
    rig.wait("asked", |r| r.editor().guard.is_some());
    rig.click("Discard changes");
    rig.wait("opened", |r| r.document().name == "Other");
    assert!(rig.editor().guard.is_none());
}

#[test]
fn of_two_files_that_are_opened_at_once_the_later_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (first, later) = (look(dir.path(), "First"), look(dir.path(), "Later"));
    let mut rig = rig();
    files::load(rig.editor(), later.clone());
    // Both have been read before either is looked at, in either order.
    files::load(rig.editor(), first);
    files::load(rig.editor(), later);
    rig.wait("opened", |r| r.document().name == "Later");
    std::thread::sleep(Duration::from_millis(100));
    rig.steps();
    assert_eq!(rig.document().name, "Later");
    let other = Arc::new(small());
    let path = look(dir.path(), "Third");
    files::load(rig.editor(), path);
    rig.editor().replace(Arc::clone(&other), None);
    std::thread::sleep(Duration::from_millis(200));
    rig.steps();
    assert!(
        Arc::ptr_eq(&rig.document(), &other),
        "what was opened since stays"
    );
}

#[test]
fn a_file_belongs_to_the_document_that_was_saved_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.ron");
    let mut rig = rig();
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Mine".to_owned());
    files::save(rig.editor(), path.clone());
    // Another look is opened while the file is written, and changed.
    rig.editor().replace(Arc::new(small()), None);
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Second".to_owned());
    rig.wait("saved", |r| !r.editor().toasts.shown().is_empty());
    assert_eq!(rig.editor().file, None);
    assert!(rig.editor().history.is_dirty());
    assert_eq!(document::load(&path).unwrap().document.name, "Mine");
}

/// On a slow disk, or with a large document, a save may take longer than the next one.
#[test]
fn the_document_that_was_saved_last_is_the_one_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.ron");
    let mut rig = rig_with(large(), Answers::default());
    files::save(rig.editor(), path.clone());
    rig.editor().history.edit("Clear", |d| {
        d.scene.strokes.clear();
        d.name = "Small".to_owned();
    });
    files::save(rig.editor(), path.clone());
    rig.wait("saved", |r| !r.editor().history.is_dirty());
    rig.editor().jobs.finish(Duration::from_secs(60));
    // As long as the large one could take, were it still on its way.
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(document::load(&path).unwrap().document.name, "Small");
}

#[test]
fn no_copy_is_written_after_it_was_given_up() {
    let dir = tempfile::tempdir().unwrap();
    let crashed = Recovery::in_dir(dir.path()).unwrap();
    crashed.keep(&large(), None, None).unwrap();
    drop(crashed);
    let mut rig = rig();
    let own = Recovery::in_dir(dir.path()).unwrap();
    rescue::begin(rig.editor(), own, dir.path().to_owned());
    rig.wait("offered", |r| !r.editor().rescue.left.is_empty());
    // The new copy is begun in the frame in which the document is opened, and takes its time.
    rig.editor().ask(Request::Recovered);
    rig.harness.run_steps(1);
    assert_eq!(rig.document().name, "Large");
    rig.editor().history.mark_saved();
    rig.harness.run_steps(1);
    rig.editor().jobs.finish(Duration::from_secs(60));
    std::thread::sleep(Duration::from_secs(2));
    let files = std::fs::read_dir(dir.path().join("recovery")).unwrap();
    let copies = files
        .flatten()
        .filter(|f| f.path().extension().is_some_and(|e| e == "ron"));
    assert_eq!(copies.count(), 0);
}

#[test]
fn unsaved_work_survives_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let recovery = || Recovery::in_dir(dir.path()).unwrap();
    let mut lost = small();
    lost.name = "Lost".to_owned();
    let crashed = recovery();
    crashed.keep(&lost, None, None).unwrap();
    drop(crashed);

    let mut rig = rig();
    rescue::begin(rig.editor(), recovery(), dir.path().to_owned());
    rig.wait("offered", |r| !r.editor().rescue.left.is_empty());
    let copies = || -> Vec<PathBuf> {
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

/// What another program has written since the crash is not overwritten unasked.
#[test]
fn a_rescued_look_does_not_overwrite_what_was_changed_since() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("look.ron");
    let mut before = small();
    document::save(&path, &before).unwrap();
    let print = recovery::fingerprint(&before);
    for changed in [false, true] {
        let mut lost = small();
        lost.name = "Lost".to_owned();
        let crashed = Recovery::in_dir(dir.path()).unwrap();
        crashed.keep(&lost, Some(&path), Some(&print)).unwrap();
        drop(crashed);
        if changed {
            before.description = "by another program".to_owned();
        }
        document::save(&path, &before).unwrap();
        let mut rig = rig();
        let recovery = Recovery::in_dir(dir.path()).unwrap();
        rescue::begin(rig.editor(), recovery, dir.path().to_owned());
        rig.wait("offered", |r| !r.editor().rescue.left.is_empty());
        rig.click("Open it");
        rig.harness
            .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::S);
        let settled =
            |r: &mut Rig<'_>| r.editor().conflict.is_some() || !r.editor().history.is_dirty();
        rig.wait("saved, or asked", settled);
        assert_eq!(rig.editor().conflict.is_some(), changed);
        let there = document::load(&path).unwrap().document;
        assert_eq!(there.name == "Lost", !changed);
    }
}

/// Killed between opening the copy and writing the new one: the old one must still be there.
#[test]
fn a_copy_that_was_opened_stays_until_there_is_another() {
    let dir = tempfile::tempdir().unwrap();
    let mut lost = small();
    lost.name = "Lost".to_owned();
    let crashed = Recovery::in_dir(dir.path()).unwrap();
    crashed.keep(&lost, None, None).unwrap();
    drop(crashed);
    let mut rig = rig();
    // No new copy can be written where there is no folder for it.
    let elsewhere = tempfile::tempdir().unwrap();
    let own = Recovery::in_dir(elsewhere.path()).unwrap();
    std::fs::remove_dir_all(elsewhere.path()).unwrap();
    rescue::begin(rig.editor(), own, dir.path().to_owned());
    rig.wait("offered", |r| !r.editor().rescue.left.is_empty());
    rig.click("Open it");
    rig.wait("told", |r| !r.editor().toasts.shown().is_empty());
    assert_eq!(recovery::left_in(dir.path()).len(), 1);
}

#[test]
fn what_another_program_has_written_is_not_replaced_unasked() {
    let dir = tempfile::tempdir().unwrap();
    let path = look(dir.path(), "Shared");
    let on_disk = || document::load(&path).unwrap().document.name;
    let mut rig = rig();
    rig.editor().ask(Request::File(path.clone()));
    rig.wait("opened", |r| r.document().name == "Shared");
    // Saving twice without waiting is no conflict with oneself.
    for name in ["Mine", "Mine too"] {
        rig.editor()
            .history
            .edit("Name", |d| d.name = name.to_owned());
        rig.editor().act(Action::Save);
        rig.steps();
    }
    rig.wait("saved", |r| !r.editor().history.is_dirty());
    assert!(rig.editor().conflict.is_none());
    assert_eq!(on_disk(), "Mine too");

    let mut theirs = small();
    theirs.name = "Theirs".to_owned();
    document::save(&path, &theirs).unwrap();
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Mine again".to_owned());
    rig.editor().act(Action::Save);
    rig.wait("asked", |r| r.editor().conflict.is_some());
    assert_eq!(on_disk(), "Theirs");
    rig.steps();
    rig.click("Do not save");
    assert!(rig.editor().conflict.is_none() && rig.editor().history.is_dirty());
    assert_eq!(on_disk(), "Theirs");

    rig.editor().act(Action::Save);
    rig.wait("asked again", |r| r.editor().conflict.is_some());
    rig.steps();
    rig.click("Replace it");
    rig.wait("replaced", |r| !r.editor().history.is_dirty());
    assert_eq!(on_disk(), "Mine again");

    // A file that is gone is written again without a question.
    std::fs::remove_file(&path).unwrap();
    rig.editor()
        .history
        .edit("Name", |d| d.name = "Back".to_owned());
    rig.editor().act(Action::Save);
    rig.wait("written", |r| !r.editor().history.is_dirty());
    assert_eq!(on_disk(), "Back");
}
