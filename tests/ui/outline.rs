//! The outline of the scene: items are chosen, renamed, doubled, deleted, moved and left out; and what that does.

use std::path::PathBuf;
use std::sync::Arc;

use eddy::device::{Device, DeviceChoice};
use eddy::document::Document;
use eddy::edit::{Item, List};
use eddy::scene::{Emitter, Obstacle};
use eddy::sim::{Command, Simulation, State};
use eddy::ui::panels::scene::Chosen;
use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Answers, Rig, document, rig_with};

fn rig() -> Rig<'static> {
    let mut document = document();
    for name in ["Rock", "Wall", "Pipe"] {
        document.scene.obstacles.push(Obstacle {
            name: name.to_owned(),
            ..Obstacle::default()
        });
    }
    let mut rig = rig_with(document, Answers::default());
    rig.show("Scene");
    rig
}

fn names(rig: &mut Rig<'_>) -> Vec<String> {
    let document = rig.document();
    let all = document.scene.obstacles.iter();
    all.map(|o| o.name.clone()).collect()
}

fn chosen(rig: &mut Rig<'_>) -> Vec<Item> {
    let mut items = rig.editor().panels.scene.items().to_vec();
    items.sort_by_key(|(_, i)| *i);
    items
}

fn click_with(rig: &mut Rig<'_>, name: &str, modifiers: Modifiers) {
    let pos = place(rig, name);
    rig.harness
        .event_modifiers(Event::PointerMoved(pos), modifiers);
    rig.harness.run_steps(1);
    for pressed in [true, false] {
        rig.button(pos, pressed, modifiers);
    }
    rig.steps();
}

fn place(rig: &Rig<'_>, name: &str) -> egui::Pos2 {
    let rect = rig
        .harness
        .get_by_role_and_label(egui::Role::Button, name)
        .rect();
    rect.left_center() + egui::vec2(40.0, 0.0)
}

const O: List = List::Obstacles;

#[test]
fn several_are_chosen_doubled_and_deleted_and_undo_is_exact() {
    let mut rig = rig();
    let before = rig.document();
    click_with(&mut rig, "Rock", Modifiers::NONE);
    click_with(&mut rig, "Pipe", Modifiers::COMMAND);
    assert_eq!(chosen(&mut rig), [(O, 0), (O, 2)]);
    rig.harness.key_press_modifiers(Modifiers::COMMAND, Key::D);
    rig.steps();
    assert_eq!(
        names(&mut rig),
        ["Rock", "Rock 2", "Wall", "Pipe", "Pipe 2"]
    );
    assert_eq!(chosen(&mut rig), [(O, 1), (O, 4)], "the copies are chosen");
    let document = rig.document();
    let [a, b] = [0, 1].map(|i| document.scene.obstacles[i].position);
    assert!(b[0] > a[0] && b[1] < a[1], "beside its original");
    rig.harness.key_press(Key::Delete);
    rig.steps();
    assert_eq!(rig.document().scene, before.scene);
    assert_eq!(
        rig.labels(),
        ["Open", "Duplicate 2 items", "Delete 2 items"]
    );
    rig.editor().history.undo();
    rig.editor().history.undo();
    assert_eq!(rig.document(), before);
    click_with(&mut rig, "Rock", Modifiers::NONE);
    click_with(&mut rig, "Pipe", Modifiers::SHIFT);
    assert_eq!(chosen(&mut rig), [(O, 0), (O, 1), (O, 2)]);
}

#[test]
fn a_name_is_typed_in_place() {
    let mut rig = rig();
    click_with(&mut rig, "Wall", Modifiers::NONE);
    for (text, key, expected) in [("Dam", Key::Enter, "Dam"), ("Nothing", Key::Escape, "Dam")] {
        rig.harness.key_press(Key::F2);
        rig.steps();
        rig.harness
            .get_by_role_and_label(egui::Role::TextInput, "New name")
            .type_text(text);
        rig.steps();
        rig.harness.key_press(key);
        rig.steps();
        assert_eq!(names(&mut rig)[1], expected);
    }
    assert_eq!(rig.labels(), ["Open", "Rename Wall"]);
    rig.editor().history.undo();
    rig.steps();
    assert_eq!(names(&mut rig)[1], "Wall");
    // A double click begins too.
    click_with(&mut rig, "Wall", Modifiers::NONE);
    let at = place(&rig, "Wall");
    // Frames of a test are a quarter of a second apart.
    let options = |o: &mut egui::Options| o.input_options.max_double_click_delay = 5.0;
    rig.harness.ctx.options_mut(options);
    for pressed in [true, false, true, false] {
        rig.harness.event(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    rig.steps();
    rig.harness
        .get_by_role_and_label(egui::Role::TextInput, "New name");
}

#[test]
fn items_are_moved_in_their_list_by_keys_and_by_hand() {
    let mut rig = rig();
    click_with(&mut rig, "Pipe", Modifiers::NONE);
    rig.harness
        .key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
    rig.steps();
    assert_eq!(names(&mut rig), ["Rock", "Pipe", "Wall"]);
    assert_eq!(chosen(&mut rig), [(O, 1)]);
    rig.harness
        .key_press_modifiers(Modifiers::ALT, Key::ArrowDown);
    rig.steps();
    assert_eq!(names(&mut rig), ["Rock", "Wall", "Pipe"]);
    assert_eq!(rig.labels(), ["Open", "Move Pipe", "Move Pipe"]);
    let (from, to) = (place(&rig, "Rock"), place(&rig, "Pipe"));
    let below = to + egui::vec2(0.0, 9.0);
    rig.drag(&[from, from + egui::vec2(0.0, 12.0), below]);
    assert_eq!(names(&mut rig), ["Wall", "Pipe", "Rock"]);
    assert_eq!(chosen(&mut rig), [(O, 2)]);
    rig.editor().history.undo();
    assert_eq!(names(&mut rig), ["Rock", "Wall", "Pipe"]);
}

#[test]
fn the_keyboard_goes_from_row_to_row() {
    let mut rig = rig();
    click_with(&mut rig, "Rock", Modifiers::NONE);
    rig.harness.key_press(Key::ArrowDown);
    rig.steps();
    assert_eq!(chosen(&mut rig), [(O, 1)]);
    rig.harness
        .key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    rig.steps();
    assert_eq!(chosen(&mut rig), [(O, 1), (O, 2)]);
    for _ in 0..6 {
        rig.harness.key_press(Key::ArrowUp);
        rig.steps();
    }
    assert_eq!(rig.editor().panels.scene.chosen(), Chosen::Domain);
    assert_eq!(rig.labels(), ["Open"], "nothing was nudged");
    rig.harness.check_accessibility();
}

#[test]
fn several_are_left_out_and_locked_at_once() {
    let mut rig = rig();
    click_with(&mut rig, "Rock", Modifiers::NONE);
    click_with(&mut rig, "Wall", Modifiers::COMMAND);
    rig.click("Switch off Rock");
    let on = |rig: &mut Rig<'_>| -> Vec<bool> {
        let document = rig.document();
        document.scene.obstacles.iter().map(|o| o.enabled).collect()
    };
    assert_eq!(on(&mut rig), [false, false, true]);
    rig.click("Lock Wall");
    let document = rig.document();
    let locked: Vec<bool> = document.scene.obstacles.iter().map(|o| o.locked).collect();
    assert_eq!(locked, [true, true, false]);
    assert_eq!(rig.labels(), ["Open", "Switch off 2 items", "Lock 2 items"]);
    rig.click("Switch on Rock");
    assert_eq!(on(&mut rig), [true, true, true]);
}

fn dye(document: Document) -> f32 {
    let device = Device::new(DeviceChoice::Cpu).unwrap();
    let mut simulation = Simulation::new(Arc::new(document), PathBuf::new(), device).unwrap();
    simulation.run_to(4, &|| false).unwrap();
    simulation.field("dye").unwrap().stats().max
}

#[test]
fn what_is_left_out_does_nothing_and_a_lock_makes_no_difference() {
    let mut document = document();
    document.scene.emitters = vec![Emitter::default()];
    let with = dye(document.clone());
    assert!(with > 0.0);
    document.scene.emitters[0].locked = true;
    assert_eq!(dye(document.clone()), with);
    document.scene.emitters[0].enabled = false;
    assert_eq!(dye(document.clone()), 0.0);

    // Neither names nor locks make what was simulated out of date.
    let mut named = document.clone();
    named.scene.emitters[0].name = "Other".to_owned();
    named.scene.emitters[0].locked = false;
    assert!(named.scene.acts_like(&document.scene));
    named.scene.emitters[0].enabled = true;
    assert!(!named.scene.acts_like(&document.scene));
}

#[test]
fn strokes_are_played_again_from_the_start() {
    let mut document = document();
    document.scene.strokes.push(eddy::scene::Stroke::default());
    let mut rig = rig_with(document, Answers::default());
    rig.show("Scene");
    rig.fake.heard();
    rig.click("Replay strokes");
    let told = rig.fake.heard();
    assert!(
        matches!(told[..], [Command::Reset, Command::Play]),
        "{told:?}"
    );
    rig.click("Clear strokes");
    assert!(rig.document().scene.strokes.is_empty());
}

#[test]
fn strokes_that_are_not_kept_leave_no_trace_in_the_scene() {
    let mut rig = rig();
    let before = rig.document();
    rig.fake.change(|s| s.state = State::Playing);
    rig.click("Keep strokes");
    let seen = rig.editor().panels.viewport.seen().unwrap();
    let at = seen.rect.center() + egui::vec2(-80.0, 60.0);
    rig.harness.hover_at(at);
    rig.harness.run_steps(1);
    rig.harness.drag_at(at);
    rig.harness.run_steps(2);
    let told = rig.fake.heard();
    let painted = told
        .iter()
        .any(|c| matches!(c, Command::Document(d, _) if d.scene.strokes.len() == 1));
    assert!(painted, "the fluid is stirred");
    rig.harness.drop_at(at);
    rig.steps();
    assert_eq!(rig.document(), before);
    assert_eq!(rig.labels(), ["Open"]);
}

#[test]
fn the_brush_erases_and_pushes_as_hard_as_it_is_set() {
    let mut rig = rig();
    rig.choose("Brush", "Erase");
    rig.editor().panels.brush.erasing = 7.0;
    let seen = rig.editor().panels.viewport.seen().unwrap();
    let at = seen.rect.center() + egui::vec2(-80.0, 60.0);
    rig.drag(&[at, at + egui::vec2(20.0, 0.0)]);
    let stroke = rig.document().scene.strokes[0].clone();
    assert!(stroke.erase && stroke.dye == [7.0; 3] && stroke.drag == 0.0);
    rig.choose("Brush", "Stir");
    rig.editor().panels.brush.push = 0.5;
    rig.drag(&[at, at + egui::vec2(20.0, 0.0)]);
    let stroke = rig.document().scene.strokes[1].clone();
    assert!(!stroke.erase && stroke.dye == [0.0; 3] && stroke.drag == 0.5);
}

/// The range follows the field, or is held and set by hand; the legend says what lies under the pointer.
#[test]
fn the_legend_holds_its_range() {
    let mut rig = rig();
    rig.editor()
        .history
        .edit("Show", |d| d.view.field = "velocity".to_owned());
    rig.steps();
    let settings = rig.document().view.clone();
    let field = rig.editor().snapshot.field("velocity").cloned().unwrap();
    let shown = eddy::view::legend(&field, &settings).unwrap().range;
    rig.click("Hold the range");
    let view = rig.document().view.clone();
    assert!(!view.auto_range);
    assert_eq!([view.range_low, view.range_high], shown);
    rig.harness.get_by_label("Legend range high").click();
    rig.steps();
    rig.harness.get_by_label("Legend range high").type_text("9");
    rig.steps();
    rig.harness.key_press(Key::Enter);
    rig.steps();
    assert_eq!(rig.document().view.range_high, 9.0);
    rig.click("Range follows the field");
    assert!(rig.document().view.auto_range);
    assert_eq!(rig.labels().len(), 5, "{:?}", rig.labels());
    let legend = rig.harness.get_by_label_contains("Legend from 0").rect();
    rig.harness
        .hover_at(legend.center_top() + egui::vec2(0.0, 20.0));
    rig.harness.run_steps(40);
    let said = rig.harness.query_by_label_contains("% of the cells");
    assert!(said.is_some(), "the value under the pointer is named");
}

#[test]
fn dye_has_a_histogram_of_its_brightness() {
    let mut rig = rig();
    assert_eq!(rig.document().view.field, "dye");
    let legend = rig.harness.get_by_label_contains("Legend from 0").rect();
    rig.harness
        .hover_at(legend.center_top() + egui::vec2(-40.0, 20.0));
    rig.harness.run_steps(40);
    let said = rig.harness.query_by_label_contains("Brightness");
    assert!(said.is_some());
    // A press on it paints nothing.
    rig.drag(&[legend.center(), legend.center() + egui::vec2(10.0, 0.0)]);
    assert!(rig.document().scene.strokes.is_empty());
}
