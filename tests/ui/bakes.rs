//! Baking from the editor.

use std::path::Path;

use eddy::document::{Encoding, Engine, Layout, Output, RangeMode};
use eddy::edit::Action;
use eddy::ui::bake_job::Stage;
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Answers, Rig, document as small, rig, rig_with};

fn says(rig: &Rig<'_>, text: &str) -> bool {
    rig.harness
        .query_all_by_label_contains(text)
        .next()
        .is_some()
}

fn files(dir: &Path) -> usize {
    std::fs::read_dir(dir).map_or(0, Iterator::count)
}

#[test]
fn a_bake_is_started_finished_and_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = small();
    document.time.end_frame = 3;
    document.bake.outputs = eddy::bake::default_outputs(document.method.info().fields);
    document.bake.outputs.truncate(1);
    let mut rig = rig_with(document, Answers::default());
    rig.show("Bake");
    rig.editor().bake.folder = dir.path().join("a").display().to_string();
    rig.steps();
    rig.click("Start bake");
    rig.wait("baked", |r| !r.editor().bake.running());
    let Stage::Finished(written) = rig.editor().bake.stage.clone() else {
        panic!("{:?}", rig.editor().bake.stage);
    };
    assert!(!written.files.is_empty());
    assert!(
        written
            .files
            .iter()
            .all(|(path, size)| path.is_file() && *size > 0)
    );
    assert!(says(&rig, "Wrote"));
    let other = std::sync::Arc::new(small());
    let same = rig.document();
    rig.editor().replace(other, None);
    assert!(matches!(rig.editor().bake.stage, Stage::Idle));
    rig.editor().replace(same, None);

    rig.editor()
        .history
        .edit("Long", |d| d.time.end_frame = 5000);
    rig.editor().bake.folder = dir.path().join("b").display().to_string();
    rig.steps();
    rig.click("Start bake");
    assert!(rig.editor().bake.running());
    assert!(rig.harness.query_by_label("Bake progress").is_some());
    rig.click("Cancel");
    rig.wait("cancelled", |r| !r.editor().bake.running());
    assert!(matches!(rig.editor().bake.stage, Stage::Cancelled));
    let left = std::fs::read_dir(dir.path().join("b")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "a cancelled bake leaves nothing");
}

#[test]
fn closing_during_a_bake_asks_first() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = small();
    document.time.end_frame = 5000;
    document.bake.outputs = eddy::bake::default_outputs(document.method.info().fields);
    let mut rig = rig_with(document, Answers::default());
    rig.show("Bake");
    rig.editor().bake.folder = dir.path().display().to_string();
    rig.steps();
    rig.click("Start bake");
    rig.editor().act(Action::Quit);
    rig.steps();
    assert!(!rig.editor().closing);
    rig.click("Keep baking");
    assert!(rig.editor().guard.is_none() && rig.editor().bake.running());
    // One that ends while the question stands has nothing to lose any more, and its outcome is to be seen.
    rig.editor().act(Action::Quit);
    rig.steps();
    rig.editor().bake.cancel();
    rig.wait("not asked any more", |r| r.editor().guard.is_none());
    assert!(!rig.editor().closing);
    rig.click("Start bake");
    rig.editor().act(Action::Quit);
    rig.steps();
    rig.click("Stop it and close");
    assert!(rig.editor().closing);
    rig.editor().bake.cancel();
    rig.wait("ended", |r| !r.editor().bake.running());
}

#[test]
fn a_template_is_one_click_and_one_step_and_writes_as_many_files_as_it_says() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = small();
    document.time.end_frame = 4;
    let mut rig = rig_with(document, Answers::default());
    rig.show("Bake");
    for (template, outputs) in [
        ("Flow map", 1),
        ("Flipbook", 2),
        ("Sequence", 2),
        ("Everything (EXR)", 7),
    ] {
        let steps = rig.labels().len();
        rig.click(template);
        assert_eq!(rig.labels().len(), steps + 1);
        let made = rig.document().bake.outputs.clone();
        assert!(made.len() >= outputs.min(5), "{template}: {}", made.len());
        let frames = 0..4;
        let estimate = eddy::bake::estimate(&rig.document(), frames).unwrap();
        let text = format!("Writes {} files", estimate.files);
        assert!(says(&rig, &text), "{template}: {text}");
        let out = dir.path().join(template);
        rig.editor().bake.folder = out.display().to_string();
        rig.steps();
        rig.click("Start bake");
        rig.wait("baked", |r| !r.editor().bake.running());
        let Stage::Finished(written) = rig.editor().bake.stage.clone() else {
            panic!("{:?}", rig.editor().bake.stage);
        };
        assert_eq!(written.files.len() as u64, estimate.files, "{template}");
        assert_eq!(files(&out) as u64, estimate.files, "{template}");
        assert!(says(&rig, &format!("Wrote {} files", estimate.files)));
    }
    let last = &rig.document().bake.outputs[0];
    assert_eq!(last.encoding, Encoding::ExrHalf);
}

#[test]
fn settings_speak_plainly_and_those_without_effect_are_away() {
    let mut rig = rig();
    rig.show("Bake");
    rig.click("Sequence");
    rig.click("1 dye");
    let shown = |rig: &Rig<'_>, name: &str| rig.harness.query_all_by_label(name).next().is_some();
    assert!(shown(&rig, "File format") && shown(&rig, "Colours"));
    assert!(!shown(&rig, "Gap round cells") && !shown(&rig, "Still fluid is"));
    assert!(!shown(&rig, "Fade over"), "there is no loop");
    rig.choose("Frames", "One sheet");
    assert_eq!(rig.document().bake.outputs[0].layout, Layout::Flipbook);
    assert!(shown(&rig, "Gap round cells"));
    rig.choose("Loop", "Fade end into start");
    assert!(shown(&rig, "Fade over"));
    rig.click("Unreal");
    assert_eq!(rig.document().bake.engine, Engine::Unreal);
    assert!(says(&rig, "green points down"));
}

/// Of a fixed range about zero only the larger end counts, so there is one number for both.
#[test]
fn a_range_about_zero_is_one_limit_and_one_step() {
    let mut document = small();
    document.bake.outputs = vec![Output {
        range: RangeMode::Fixed,
        range_low: -5.0,
        range_high: 2.0,
        ..Output::default()
    }];
    let mut rig = rig_with(document, Answers::default());
    rig.show("Bake");
    rig.click("1 velocity");
    let shown = |rig: &Rig<'_>, name: &str| rig.harness.query_all_by_label(name).next().is_some();
    assert!(shown(&rig, "Limit (±)"));
    assert!(!shown(&rig, "Black is") && !shown(&rig, "White is"));
    let number = rig.harness.get_by_label("Limit (±) number");
    assert_eq!(number.value().as_deref(), Some("5"));
    rig.drag_slider("Limit (±)", 0.5, 0.9);
    let output = rig.document().bake.outputs[0].clone();
    assert!(output.range_high > 5.0, "{output:?}");
    assert_eq!(output.range_low, -output.range_high);
    assert_eq!(rig.labels().len(), 2, "{:?}", rig.labels());
}

#[test]
fn what_was_written_does_not_push_the_settings_away() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = small();
    document.time.end_frame = 60;
    let mut rig = rig_with(document, Answers::default());
    rig.show("Bake");
    let place = |rig: &Rig<'_>| {
        rig.harness
            .get_by_role_and_label(egui::Role::Button, "Sequence")
            .rect()
    };
    let before = place(&rig);
    rig.editor().bake.folder = dir.path().display().to_string();
    rig.steps();
    rig.click("Start bake");
    rig.wait("baked", |r| !r.editor().bake.running());
    assert_eq!(place(&rig), before);
    rig.harness.get_by_label("Files").click();
    rig.steps();
    for _ in 0..30 {
        rig.steps();
    }
    assert_eq!(place(&rig), before);
    let start = rig
        .harness
        .get_by_role_and_label(egui::Role::Button, "Start bake");
    assert!(start.rect().bottom() < 900.0);
}

#[test]
fn a_relative_folder_is_shown_whole() {
    let mut rig = rig();
    rig.show("Bake");
    rig.editor().bake.folder = "textures".to_owned();
    rig.steps();
    let whole = std::path::absolute("textures").unwrap();
    assert!(says(&rig, &whole.display().to_string()));
}
