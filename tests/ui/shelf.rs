//! Looks of one's own, what was changed in them, bakes that wait, and the first steps.

use eddy::bake;
use eddy::document;
use eddy::edit::{Action, Edit};
use eddy::params::Value;
use eddy::ui::bake_job::Stage;
use eddy::ui::editor::Request;
use eddy::ui::shelf;
use eddy::ui::welcome::Welcome;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::ui::support::{Answers, Rig, document as small, rig, rig_with};

fn says(rig: &Rig<'_>, text: &str) -> bool {
    rig.harness
        .query_all_by_label_contains(text)
        .next()
        .is_some()
}

#[test]
fn a_look_is_kept_found_begun_from_and_removed() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("presets");
    let mut rig = rig();
    shelf::open(rig.editor(), folder.clone());
    // A picture that a look is made from may have the look's name.
    let mask = folder.join("my_own_fire.png");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(&mask, "a mask").unwrap();
    rig.editor().act(Action::SavePreset);
    rig.steps();
    assert!(says(&rig, "The picture is what is seen now."));
    let naming = rig.editor().shelf.naming.as_mut().expect("it is asked");
    naming.name = "My own fire".to_owned();
    naming.tags = "warm, my tag".to_owned();
    rig.steps();
    rig.click("Save preset");
    rig.wait("kept", |r| r.editor().shelf.own.len() == 1);
    let path = folder.join("my_own_fire.ron");
    let picture = rig.editor().shelf.own[0].picture();
    assert!(picture.is_file());
    let kept = document::load(&path).unwrap().document;
    assert_eq!(kept.name, "My own fire");
    assert_eq!(kept.tags, ["warm", "my tag"]);
    assert_eq!(
        rig.document().name,
        "Untitled",
        "the look itself is not renamed"
    );

    // It stands in the gallery, and opening it begins a new look: the preset stays as it is.
    rig.click("mine");
    rig.click("My own fire");
    rig.wait("opened", |r| r.document().name == "My own fire");
    assert!(rig.editor().file.is_none() && !rig.editor().history.is_dirty());
    rig.editor().ask(Request::Edit(
        "Cells".to_owned(),
        vec![Edit::Set("time.cfl".to_owned(), Value::Float(1.0))],
    ));
    rig.steps();
    // What is changed is asked about before another is opened.
    rig.click("My own fire");
    assert!(rig.editor().guard.is_some());
    rig.click("Discard changes");
    rig.wait("opened again", |r| r.document().time.cfl != 1.0);

    let own = rig.editor().shelf.own[0].clone();
    shelf::remove(rig.editor(), &own);
    rig.wait("removed", |r| r.editor().shelf.own.is_empty());
    assert!(!path.exists() && !picture.exists());
    assert_eq!(std::fs::read(&mask).unwrap(), b"a mask");
}

#[test]
fn what_cannot_be_read_among_ones_own_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("broken.ron"), "(nonsense").unwrap();
    document::save(&dir.path().join("good.ron"), &small()).unwrap();
    let mut rig = rig();
    shelf::open(rig.editor(), dir.path().to_owned());
    rig.wait("read", |r| !r.editor().shelf.own.is_empty());
    assert_eq!(rig.editor().shelf.own.len(), 1);
}

#[test]
fn a_look_saved_under_another_name_is_called_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("night_fire.ron");
    let answers = Answers {
        save: Some(path.clone()),
        ..Answers::default()
    };
    let mut rig = rig_with(small(), answers);
    rig.editor().act(Action::SaveAs);
    rig.wait("saved", |r| r.editor().file.is_some());
    assert_eq!(document::load(&path).unwrap().document.name, "Night fire");
    assert_eq!(rig.document().name, "Night fire");
    assert!(!rig.editor().history.is_dirty());
}

#[test]
fn every_change_is_listed_and_taken_back() {
    let mut rig = rig();
    let opened = rig.document();
    rig.editor().history.edit("Two", |d| {
        d.time.cfl = 1.0;
        d.scene.emitters.clear();
    });
    rig.editor().ask(Request::Show("changes"));
    rig.steps();
    assert!(says(&rig, "2 changes since"));
    rig.click("Take back cfl limit");
    assert_eq!(rig.document().time.cfl, opened.time.cfl);
    rig.click("Take back emitters");
    assert_eq!(*rig.document(), *opened);
    assert!(says(&rig, "Nothing has been changed"));
}

#[test]
fn bakes_wait_for_each_other_and_can_be_withdrawn() {
    let dir = tempfile::tempdir().unwrap();
    let shown = std::sync::Arc::default();
    let answers = Answers {
        revealed: std::sync::Arc::clone(&shown),
        ..Answers::default()
    };
    let mut document = small();
    document.time.end_frame = 4000;
    document.bake.outputs = bake::default_outputs(document.method.info().fields);
    document.bake.outputs.truncate(1);
    let mut rig = rig_with(document, answers);
    rig.show("Bake");
    let folder = |rig: &mut Rig<'_>, name: &str| {
        rig.editor().bake.folder = dir.path().join(name).display().to_string();
        rig.steps();
    };
    folder(&mut rig, "long");
    rig.click("Start bake");
    rig.editor().history.edit("Short", |d| d.time.end_frame = 2);
    folder(&mut rig, "short");
    rig.click("Add to queue");
    folder(&mut rig, "never");
    rig.click("Add to queue");
    assert_eq!(rig.editor().bake.queue.len(), 2);
    assert!(!dir.path().join("short").exists(), "it waits");
    let last = rig.editor().bake.queue[1].number;
    rig.editor().bake.withdraw(last);
    rig.click("Cancel");
    rig.wait("both have ended", |r| r.editor().bake.past.len() == 2);
    assert!(!rig.editor().bake.running());
    let stages: Vec<_> = rig.editor().bake.past.iter().map(|p| &p.stage).collect();
    assert!(matches!(stages[..], [Stage::Finished(_), Stage::Cancelled]));
    assert!(dir.path().join("short").is_dir() && !dir.path().join("never").exists());

    // Of what is set now nothing has been written; once it is what was baked, its folder can be shown.
    assert!(
        rig.harness.query_all_by_label_contains("Wrote").count() == 1,
        "only in the list"
    );
    folder(&mut rig, "short");
    assert_eq!(rig.harness.query_all_by_label_contains("Wrote").count(), 2);
    rig.harness
        .query_all_by_role_and_label(egui::Role::Button, "Open folder")
        .next()
        .expect("a button")
        .click();
    rig.wait("shown", |_| !shown.lock().unwrap().is_empty());
    assert_eq!(*shown.lock().unwrap(), [dir.path().join("short")]);
}

#[test]
fn a_texture_is_seen_as_it_is_read_back() {
    let mut rig = rig();
    rig.editor().ask(Request::Show("texture"));
    rig.steps();
    rig.wait("worked out", |r| says(r, "texels"));
    assert!(says(&rig, "Red: velocity x") && says(&rig, "rounded by"));
    for what in ["R", "G", "Flow", "Loss", "Colours"] {
        rig.harness
            .query_all_by_label(what)
            .next()
            .unwrap_or_else(|| panic!("{what} can be chosen"))
            .click();
        rig.steps();
    }
}

/// Corners of the nets of a texture that repeats, as they were drawn last.
fn carried(rig: &Rig<'_>) -> Vec<(usize, egui::Pos2, egui::Color32)> {
    let meshes = rig
        .harness
        .output()
        .shapes
        .iter()
        .filter_map(|s| match &s.shape {
            egui::Shape::Mesh(mesh) if mesh.vertices.iter().any(|v| v.uv.x > 1.5) => Some(mesh),
            _ => None,
        });
    let corner = |mesh: &std::sync::Arc<egui::Mesh>| {
        let v = mesh.vertices[mesh.vertices.len() / 3];
        (mesh.vertices.len(), v.uv, v.color)
    };
    meshes.map(corner).collect()
}

#[test]
fn a_flow_map_carries_a_texture_along_in_two_phases() {
    let mut rig = rig();
    rig.fake.change(|snapshot| {
        for field in &mut snapshot.fields {
            if field.desc.name == "velocity" {
                let mut swirl = (**field).clone();
                let [nx, ny, _] = swirl.grid.cells;
                for (c, v) in swirl.data.chunks_exact_mut(2).enumerate() {
                    let (x, y) = (c as u32 % nx, c as u32 / nx);
                    let at = [x as f32 - nx as f32 / 2.0, y as f32 - ny as f32 / 2.0];
                    v.copy_from_slice(&[-0.05 * at[1], 0.05 * at[0]]);
                }
                *field = std::sync::Arc::new(swirl);
            }
        }
    });
    rig.editor().ask(Request::Show("texture"));
    rig.steps();
    rig.wait("worked out", |r| says(r, "texels"));
    assert!(!says(&rig, "in two phases"));
    let choice = rig.harness.query_all_by_label("Carried along").next();
    choice.expect("a flow can be carried along").click();
    rig.steps();
    assert!(says(&rig, "in two phases"));
    let before = carried(&rig);
    assert_eq!(before.len(), 2, "{before:?}");
    assert_eq!(before[0].0, 25 * 25);
    assert_eq!(before[0].2, egui::Color32::WHITE);
    rig.harness.run_steps(1);
    let after = carried(&rig);
    for (a, b) in before.iter().zip(&after) {
        assert_ne!(a.1, b.1, "it moves from picture to picture");
    }
    assert_ne!(before[1].2, after[1].2, "the second phase fades");
}

#[test]
fn the_first_steps_are_ticked_and_go_away() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = small();
    document.time.end_frame = 2;
    let mut rig = rig_with(document, Answers::default());
    assert!(!says(&rig, "Three steps"));
    rig.editor().welcome = Welcome::first();
    rig.steps();
    assert!(says(&rig, "Three steps"));
    rig.editor().ask(Request::Edit(
        "Stroke".to_owned(),
        vec![Edit::add(eddy::edit::List::Strokes)],
    ));
    rig.steps();
    assert_eq!(rig.editor().welcome.done(), [true, false, false]);
    let parameter = eddy::params::entries(&*rig.document())
        .into_iter()
        .find_map(|e| match e.value {
            Value::Float(v) if e.path.starts_with("method.") => Some((e.path, v)),
            _ => None,
        })
        .expect("a method has a number");
    let value = Value::Float(parameter.1 + 0.5);
    rig.editor().ask(Request::Edit(
        "Tune".to_owned(),
        vec![Edit::Set(parameter.0, value)],
    ));
    rig.steps();
    assert_eq!(rig.editor().welcome.done(), [true, true, false]);
    rig.show("Bake");
    rig.editor().bake.folder = dir.path().display().to_string();
    rig.steps();
    rig.click("Start bake");
    rig.wait("gone", |r| !r.editor().welcome.shown);
    assert!(!says(&rig, "Three steps"));
}

#[test]
fn panels_are_ticked_in_their_menu_and_taken_out() {
    let mut rig = rig();
    rig.click("Panels");
    let tick = |rig: &Rig<'_>, name: &str| {
        rig.harness
            .get_by_role_and_label(egui::Role::CheckBox, name)
            .accesskit_node()
            .toggled()
    };
    assert_eq!(tick(&rig, "Plots"), Some(egui::accesskit::Toggled::True));
    assert_eq!(tick(&rig, "Log"), Some(egui::accesskit::Toggled::False));
    rig.harness
        .get_by_role_and_label(egui::Role::CheckBox, "Plots")
        .click();
    rig.steps();
    let seen = rig.harness.state_mut().layout().visible();
    assert!(!seen.contains(&"plots".to_owned()), "{seen:?}");
}
