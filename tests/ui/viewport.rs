//! The picture: fields, stirring, zooming, time, faults.

use eddy::sim::{Command, Fault, State};
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Rig, rig};

fn center(rig: &mut Rig<'_>) -> egui::Pos2 {
    let seen = rig.editor().panels.viewport.seen().expect("a picture");
    seen.rect.center()
}

#[test]
fn a_field_is_chosen_and_the_simulation_told() {
    let mut rig = rig();
    let fields = rig.document().method.info().fields;
    let other = fields
        .iter()
        .find(|f| f.name != "dye")
        .expect("a second field");
    rig.choose("Field", other.label);
    assert_eq!(rig.document().view.field, other.name);
    let told = rig.fake.heard();
    assert!(
        told.iter()
            .any(|c| matches!(c, Command::Document(d, _) if d.view.field == other.name)),
        "{} commands",
        told.len()
    );
    rig.harness.key_press(egui::Key::V);
    rig.steps();
    assert_ne!(rig.document().view.field, other.name);
}

#[test]
fn a_stroke_acts_at_once_and_is_one_step() {
    let mut rig = rig();
    rig.fake.change(|s| s.state = State::Playing);
    rig.steps();
    rig.fake.heard();
    let c = center(&mut rig);
    rig.harness.hover_at(c);
    rig.harness.run_steps(1);
    rig.harness.drag_at(c);
    rig.harness.run_steps(2);
    let told = rig.fake.heard();
    assert!(
        told.iter()
            .any(|c| matches!(c, Command::Document(d, _) if d.scene.strokes.len() == 1)),
        "the stroke is sent while the button is down"
    );
    for i in 1..6_u32 {
        rig.fake.change(|s| s.frame += 1);
        rig.harness.hover_at(c + egui::vec2(12.0, -4.0) * i as f32);
        rig.harness.run_steps(1);
    }
    rig.harness.drop_at(c + egui::vec2(60.0, -20.0));
    rig.steps();
    assert_eq!(rig.labels(), ["Open", "Brush stroke"]);
    let document = rig.document();
    let points = &document.scene.strokes[0].points;
    assert!(points.len() >= 4, "{points:?}");
    assert!(points.windows(2).all(|p| p[0].frame < p[1].frame));
    assert!(points[0].frame > 12, "what is painted now comes next");
    let (first, last) = (points[0].position, points[points.len() - 1].position);
    assert!(last[0] > first[0] && last[1] > first[1], "y points up");
    rig.editor().history.undo();
    assert!(rig.document().scene.strokes.is_empty());
}

#[test]
fn undo_in_the_middle_of_a_stroke_takes_it_back_and_leaves_the_others_alone() {
    let mut rig = rig();
    rig.fake.change(|s| s.state = State::Playing);
    let c = center(&mut rig);
    rig.drag(&[c, c + egui::vec2(10.0, 0.0)]);
    let one = rig.document();
    assert_eq!(one.scene.strokes.len(), 1);
    rig.harness.hover_at(c);
    rig.harness.run_steps(1);
    rig.harness.drag_at(c);
    rig.harness.run_steps(2);
    assert_eq!(rig.document().scene.strokes.len(), 2);
    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    rig.harness.run_steps(2);
    for i in 1..4_u32 {
        rig.fake.change(|s| s.frame += 2);
        rig.harness.hover_at(c + egui::vec2(9.0, 9.0) * i as f32);
        rig.harness.run_steps(1);
    }
    rig.harness.drop_at(c);
    rig.steps();
    assert_eq!(rig.document(), one);
}

#[test]
fn stirring_a_paused_simulation_runs_it_while_the_button_is_down() {
    let mut rig = rig();
    let c = center(&mut rig);
    rig.drag(&[c, c + egui::vec2(20.0, 0.0)]);
    let told: Vec<String> = rig.fake.heard().iter().map(|c| format!("{c:?}")).collect();
    let at = |name: &str| told.iter().position(|t| t.starts_with(name));
    let (document, play, pause) = (at("Document"), at("Play"), at("Pause"));
    assert!(
        document.is_some() && document < play && play < pause,
        "{play:?} {pause:?}"
    );
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_f_fits() {
    let mut rig = rig();
    let c = center(&mut rig) + egui::vec2(60.0, 30.0);
    let before = rig.editor().panels.viewport.seen().unwrap();
    let world = before.camera.to_world(before.rect, c);
    rig.harness.hover_at(c);
    rig.harness.run_steps(1);
    rig.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 120.0),
        modifiers: egui::Modifiers::NONE,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
    });
    rig.harness.run_steps(12);
    let after = rig.editor().panels.viewport.seen().unwrap();
    assert!(after.camera.zoom > before.camera.zoom * 1.1);
    let still = after.camera.to_world(after.rect, c);
    assert!(
        (0..2).all(|i| (still[i] - world[i]).abs() < 1e-3),
        "{still:?} {world:?}"
    );
    rig.harness.key_press(egui::Key::F);
    rig.steps();
    let fitted = rig.editor().panels.viewport.seen().unwrap();
    assert!((fitted.camera.zoom / before.camera.zoom - 1.0).abs() < 1e-3);
}

#[test]
fn keys_and_buttons_drive_time() {
    let mut rig = rig();
    let said = |rig: &mut Rig<'_>| -> Vec<String> {
        rig.fake.heard().iter().map(|c| format!("{c:?}")).collect()
    };
    rig.harness.key_press(egui::Key::Space);
    rig.steps();
    assert_eq!(said(&mut rig), ["Play"]);
    rig.fake.change(|s| s.state = State::Playing);
    rig.steps();
    rig.click("Pause");
    assert_eq!(said(&mut rig), ["Pause"]);
    rig.fake.change(|s| s.state = State::Paused);
    rig.click("Step");
    assert_eq!(said(&mut rig), ["Step"]);
    rig.click("Reset");
    assert_eq!(said(&mut rig), ["Reset"]);
    let line = rig.harness.get_by_label("Time line").rect();
    let at = egui::pos2(line.left() + line.width() * 0.5, line.center().y);
    rig.drag(&[at, at]);
    let said = said(&mut rig);
    assert!(said.iter().any(|c| c == "GoTo(120)"), "{said:?}");
}

#[test]
fn letters_belong_to_the_text_that_is_typed() {
    let mut rig = rig();
    rig.harness.get_by_label("Search parameters").focus();
    rig.steps();
    rig.harness.key_press(egui::Key::Space);
    rig.harness.key_press(egui::Key::R);
    rig.steps();
    assert!(rig.fake.heard().is_empty());
}

#[test]
fn the_brush_grows_and_shrinks_by_keys() {
    let mut rig = rig();
    let before = rig.editor().panels.brush.size;
    rig.harness.key_press(egui::Key::CloseBracket);
    rig.steps();
    let larger = rig.editor().panels.brush.size;
    assert!(larger > before);
    rig.harness.key_press(egui::Key::OpenBracket);
    rig.steps();
    assert!((rig.editor().panels.brush.size - before).abs() < 1e-5);
}

#[test]
fn a_fault_says_what_happened_and_offers_a_way_back() {
    let mut rig = rig();
    let fault = Fault::NotFinite {
        field: "velocity".to_owned(),
        cell: Some([3, 4, 0]),
        frame: 12,
    };
    rig.fake.change(|s| {
        s.state = State::Fault(fault, Some("method.viscosity".to_owned()));
    });
    rig.steps();
    let text = |rig: &Rig<'_>, t: &str| rig.harness.query_all_by_label_contains(t).next().is_some();
    assert!(text(
        &rig,
        "velocity is not a finite number at cell (3, 4, 0)"
    ));
    assert!(text(&rig, "method.viscosity"));
    rig.click("Go back");
    let told = rig.fake.heard();
    assert!(matches!(told[..], [Command::Recover]), "{told:?}");
}

/// Once the change that stopped it has been taken back, the card offers no further step back.
#[test]
fn a_fault_takes_back_its_own_change_and_no_other() {
    let mut rig = rig();
    rig.editor()
        .history
        .edit("Brush stroke", |d| d.scene.seed += 1);
    rig.editor().history.edit("Too much", |d| d.scene.seed += 1);
    let fault = Fault::NotFinite {
        field: "Largest speed".to_owned(),
        cell: None,
        frame: 12,
    };
    rig.fake.change(|s| {
        s.state = State::Fault(fault, Some("method.vorticity_confinement".to_owned()));
    });
    rig.steps();
    let says = |rig: &Rig<'_>, t: &str| rig.harness.query_all_by_label_contains(t).next().is_some();
    assert!(says(&rig, "not a finite number in frame 12"));
    assert!(says(&rig, "Changed last: Vorticity confinement"));
    rig.click("Undo “Too much”");
    assert!(says(&rig, "Vorticity confinement was taken back"));
    assert!(!says(&rig, "Undo “Brush stroke”"));
    assert_eq!(rig.labels().len(), 3);
}

/// A rock that is moved while the simulation stands still is seen to have moved, but not in the picture.
#[test]
fn what_the_picture_does_not_show_yet_is_said() {
    let mut rig = rig();
    let says = |rig: &Rig<'_>| {
        let shapes = &rig.harness.output().shapes;
        format!("{shapes:?}").contains("The picture follows with the next frame")
    };
    assert!(!says(&rig));
    rig.editor()
        .history
        .edit("Exposure", |d| d.view.exposure += 1.0);
    rig.steps();
    assert!(!says(&rig));
    rig.editor()
        .history
        .edit("Move", |d| d.scene.emitters[0].position[0] += 0.1);
    rig.steps();
    assert!(says(&rig));
    rig.fake.change(|s| s.frame += 1);
    rig.steps();
    assert!(!says(&rig));
}

#[test]
fn a_look_that_needs_much_memory_asks_first() {
    let mut rig = rig();
    let (needed, limit) = (12_000_000_000, 4_000_000_000);
    rig.editor()
        .history
        .edit("Cells", |d| d.scene.domain.cells_x = 64);
    rig.fake.change(|s| {
        s.state = State::Fault(Fault::Memory { needed, limit }, None);
        s.fields.clear();
    });
    rig.steps();
    rig.fake.heard();
    let text = |rig: &Rig<'_>, t: &str| rig.harness.query_all_by_label_contains(t).next().is_some();
    assert!(text(&rig, "This look needs 12.0 GB of memory"));
    assert!(text(&rig, "4.0 GB that Eddy takes without asking"));
    rig.click("Take 12.0 GB");
    let told = rig.fake.heard();
    assert!(
        matches!(told[..], [Command::Memory(n), Command::Play] if n == needed),
        "{told:?}"
    );
    rig.click("Undo “Cells”");
    assert_eq!(rig.document().scene.domain.cells_x, 24);
}
