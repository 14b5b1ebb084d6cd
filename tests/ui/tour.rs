//! The first five minutes with the editor, as one script.

use eddy::document::{self, Looping};
use eddy::edit::Action;
use eddy::ui::bake_job::Stage;

use crate::ui::support::{Answers, document as small, rig_with};

/// A preset is opened, a parameter changed, the look saved, and a flow map for Unreal baked and read back.
#[test]
fn from_a_preset_to_a_texture_in_an_engine() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("first_fire.ron");
    let answers = Answers {
        save: Some(path.clone()),
        ..Answers::default()
    };
    let mut rig = rig_with(small(), answers);
    rig.click("Campfire");
    rig.wait("opened", |r| r.document().name == "Campfire");
    let opened = rig.document();

    rig.drag_slider("Cooling", 0.3, 0.8);
    assert_ne!(rig.document().method, opened.method);
    assert!(rig.editor().history.is_dirty());

    rig.editor().act(Action::Save);
    rig.wait("saved", |r| !r.editor().history.is_dirty());
    let saved = document::load(&path).unwrap().document;
    assert_eq!(saved, *rig.document());
    assert_eq!(saved.name, "First fire");

    // As short and small as a first try is.
    rig.editor().history.edit("Small", |d| {
        d.scene.domain.cells_x = 32;
        d.scene.domain.cells_y = 32;
        d.time.warm_up = 0;
        d.time.end_frame = 3;
        d.bake.looping = Looping::None;
    });
    rig.click("Workspace Bake");
    rig.click("Flow map");
    rig.click("Unreal");
    let out = dir.path().join("textures");
    rig.editor().bake.folder = out.display().to_string();
    rig.steps();
    rig.click("Start bake");
    rig.wait("baked", |r| !r.editor().bake.running());
    let Stage::Finished(written) = rig.editor().bake.stage.clone() else {
        panic!("{:?}", rig.editor().bake.stage);
    };
    let picture = written
        .files
        .iter()
        .map(|(path, _)| path)
        .find(|p| p.extension().is_some_and(|e| e == "png"))
        .expect("a flow map is a PNG");
    let bytes = std::fs::read(picture).unwrap();
    use zune_png::zune_core::{bytestream::ZCursor, result::DecodingResult};
    let mut decoder = zune_png::PngDecoder::new(ZCursor::new(&bytes));
    let pixels: Vec<u32> = match decoder.decode().expect("another reader reads it") {
        DecodingResult::U8(v) => v.into_iter().map(u32::from).collect(),
        DecodingResult::U16(v) => v.into_iter().map(u32::from).collect(),
        _ => panic!("neither 8 nor 16 bits"),
    };
    let (width, height) = decoder.dimensions().expect("it has a size");
    assert_eq!((width, height), (32, 32));
    let first = pixels.first().copied().unwrap_or_default();
    assert!(pixels.iter().any(|p| *p != first), "there is a flow in it");
    let sidecar = std::fs::read_to_string(&written.sidecar).unwrap();
    assert!(sidecar.to_lowercase().contains("unreal"));
}
