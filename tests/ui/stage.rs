//! Handles over the picture: items are chosen, moved, scaled and turned by hand, and paths are bent.

use std::sync::Arc;

use eddy::document::Document;
use eddy::edit::figure::Grip;
use eddy::edit::{Action, Edit, Item, List};
use eddy::params::{self, Value};
use eddy::scene::{
    BoxShape, Capsule, Directional, Disc, Line, MaskImage, Motor, MotorKind, Obstacle, Path,
    PathPoint, Shape, Terrain,
};
use eddy::solvers::{Feature, METHODS};
use eddy::ui::format;
use eddy::ui::panels::scene::Chosen;
use eddy::ui::panels::viewport::{Grab, Mode, Tool};
use egui::{Event, Modifiers, PointerButton, Pos2, vec2};

use crate::ui::support::{Answers, Rig, document, rig_with};

const OBSTACLE: Item = (List::Obstacles, 0);

fn with(shape: Shape) -> Rig<'static> {
    let mut document = document();
    document.scene.obstacles.push(Obstacle {
        shape,
        position: [0.5, 0.6, 0.0],
        ..Obstacle::default()
    });
    let mut rig = rig_with(document, Answers::default());
    choose(&mut rig, &[OBSTACLE]);
    rig
}

fn choose(rig: &mut Rig<'_>, items: &[Item]) {
    rig.editor().panels.scene.choose_all(items.to_vec());
    rig.steps();
}

fn select_tool(rig: &mut Rig<'_>) {
    rig.editor().act(Action::SelectTool);
    rig.steps();
    assert_eq!(rig.editor().panels.viewport.handles.tool, Tool::Select);
}

fn screen(rig: &mut Rig<'_>, world: [f32; 2]) -> Pos2 {
    let seen = rig.editor().panels.viewport.seen().expect("a picture");
    seen.camera.to_screen(seen.rect, world)
}

fn zoom(rig: &mut Rig<'_>) -> f32 {
    rig.editor().panels.viewport.seen().unwrap().camera.zoom
}

fn spot(rig: &mut Rig<'_>, grab: Grab) -> Option<Pos2> {
    let spots = rig.editor().panels.viewport.handles.spots();
    spots.iter().find(|(g, _)| *g == grab).map(|(_, at)| *at)
}

fn handle(rig: &mut Rig<'_>, grip: Grip) -> Pos2 {
    spot(rig, Grab::Item(OBSTACLE, grip)).expect("a handle")
}

fn press(rig: &mut Rig<'_>, at: Pos2, modifiers: Modifiers) {
    rig.harness
        .event_modifiers(Event::PointerMoved(at), modifiers);
    rig.harness.run_steps(1);
    rig.button(at, true, modifiers);
}

/// Drags with keys held; the last place is reached in one frame and let go of in the next.
fn drag(rig: &mut Rig<'_>, from: Pos2, to: Pos2, modifiers: Modifiers) {
    press(rig, from, modifiers);
    for share in [0.3, 0.7, 1.0] {
        let at = from + (to - from) * share;
        rig.harness
            .event_modifiers(Event::PointerMoved(at), modifiers);
        rig.harness.run_steps(1);
    }
    rig.button(to, false, modifiers);
    rig.steps();
}

fn click(rig: &mut Rig<'_>, at: Pos2, modifiers: Modifiers) {
    press(rig, at, modifiers);
    rig.button(at, false, modifiers);
    rig.steps();
}

fn obstacle(rig: &mut Rig<'_>) -> Obstacle {
    rig.document().scene.obstacles[0].clone()
}

fn is_multiple(v: f32, step: f64) -> bool {
    let n = f64::from(v) / step;
    (n - n.round()).abs() < 1e-4
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Disc(Disc { radius: 0.13 }),
        Shape::Box(BoxShape {
            half_size: [0.13, 0.12, 0.1],
            rounding: 0.02,
        }),
        Shape::Line(Line {
            length: 0.33,
            thickness: 0.05,
        }),
        Shape::Capsule(Capsule {
            length: 0.21,
            radius: 0.06,
        }),
        Shape::Mask(MaskImage {
            size: 0.31,
            ..MaskImage::default()
        }),
    ]
}

/// One step for each drag, exact undo, and only the size changes.
#[test]
fn every_handle_of_every_shape_scales_it_in_one_step() {
    for shape in shapes() {
        let mut rig = with(shape);
        rig.editor().panels.viewport.handles.snap = false;
        let grips: Vec<Grip> = rig
            .editor()
            .panels
            .viewport
            .handles
            .spots()
            .iter()
            .filter_map(|(grab, _)| match grab {
                Grab::Item(_, grip @ Grip::Size(..)) => Some(*grip),
                _ => None,
            })
            .collect();
        assert!(grips.len() >= 4, "{grips:?}");
        for grip in grips {
            let before = rig.document();
            let steps = rig.editor().history.position();
            let centre = handle(&mut rig, Grip::Body);
            let at = handle(&mut rig, grip);
            let out = (at - centre).normalized() * 30.0;
            drag(&mut rig, at, at + out, Modifiers::NONE);
            let after = rig.document();
            assert_ne!(before.scene.obstacles, after.scene.obstacles, "{grip:?}");
            assert_eq!(rig.editor().history.position(), steps + 1, "{grip:?}");
            let changed: Vec<String> = params::differences(&*before, &*after)
                .into_iter()
                .map(|c| c.path)
                .collect();
            assert!(
                changed
                    .iter()
                    .all(|p| p.starts_with("scene.obstacles.0.shape.")),
                "{changed:?}"
            );
            // The handle went with the pointer, unless it had to stand outside of something thin.
            let now = handle(&mut rig, grip);
            let thin = at.distance(centre) < 16.5;
            let off = now.distance(at + out);
            assert!(thin || off < 2.0, "{grip:?} {now:?} {at:?}");
            rig.editor().history.undo();
            rig.steps();
            assert_eq!(rig.document(), before, "undo is exact");
        }
    }
}

#[test]
fn a_handle_moves_in_steps_of_the_grid_and_finer_with_ctrl() {
    let mut rig = with(Shape::Disc(Disc { radius: 0.13 }));
    let before = rig.document();
    let from = handle(&mut rig, Grip::Body);
    let step = format::round_length(f64::from(110.0 / zoom(&mut rig)));
    let near = |v: f32, to: f32, step: f64| f64::from((v - to).abs()) <= 0.5 * step + 1e-5;
    let target = screen(&mut rig, [0.337, 0.772]);
    drag(&mut rig, from, target, Modifiers::NONE);
    let [x, y, _] = obstacle(&mut rig).position;
    assert!(
        is_multiple(x, step) && is_multiple(y, step),
        "{x} {y} {step}"
    );
    assert!(
        near(x, 0.337, step) && near(y, 0.772, step),
        "{x} {y} {step}"
    );
    assert_eq!(rig.labels(), ["Open", "Move Obstacle"]);
    rig.editor().history.undo();
    rig.steps();
    assert_eq!(rig.document(), before);

    let from = handle(&mut rig, Grip::Body);
    drag(&mut rig, from, target, Modifiers::COMMAND);
    let [x, y, _] = obstacle(&mut rig).position;
    let fine = step / 10.0;
    assert!(
        is_multiple(x, fine) && is_multiple(y, fine),
        "{x} {y} {fine}"
    );
    assert!(
        near(x, 0.337, fine) && near(y, 0.772, fine),
        "{x} {y} {fine}"
    );

    // Free where the grid is left out; Shift keeps one axis exactly.
    rig.editor().panels.viewport.handles.snap = false;
    rig.steps();
    let from = handle(&mut rig, Grip::Body);
    drag(&mut rig, from, from + vec2(37.0, 9.0), Modifiers::SHIFT);
    let [x2, y2, _] = obstacle(&mut rig).position;
    assert_eq!(y2, y);
    assert!((x2 - x - 37.0 / zoom(&mut rig)).abs() < 2e-3);
}

#[test]
fn shift_keeps_the_proportions() {
    let mut rig = with(Shape::Box(BoxShape {
        half_size: [0.16, 0.08, 0.1],
        rounding: 0.0,
    }));
    rig.editor().panels.viewport.handles.snap = false;
    rig.steps();
    let from = handle(&mut rig, Grip::Size(1, 1));
    drag(&mut rig, from, from + vec2(60.0, 0.0), Modifiers::SHIFT);
    let Shape::Box(shape) = obstacle(&mut rig).shape else {
        panic!("a box stays one");
    };
    let [a, b, _] = shape.half_size;
    assert!(a > 0.2 && (a / b - 2.0).abs() < 1e-3, "{a} {b}");
}

#[test]
fn angles_go_by_fifteen_degrees() {
    let mut rig = with(Shape::Line(Line::default()));
    let centre = handle(&mut rig, Grip::Body);
    let knob = handle(&mut rig, Grip::Turn);
    let arm = knob.distance(centre);
    let at = |degrees: f32| {
        let (sin, cos) = (degrees + 90.0).to_radians().sin_cos();
        centre + vec2(cos, -sin) * arm
    };
    drag(&mut rig, knob, at(41.0), Modifiers::NONE);
    assert_eq!(obstacle(&mut rig).rotation, [0.0, 0.0, 45.0]);
    let knob = handle(&mut rig, Grip::Turn);
    assert!(knob.distance(at(45.0)) < 1.0);
    drag(&mut rig, knob, at(97.3), Modifiers::COMMAND);
    assert_eq!(obstacle(&mut rig).rotation, [0.0, 0.0, 97.0]);
    assert_eq!(rig.labels(), ["Open", "Turn Obstacle", "Turn Obstacle"]);
}

#[test]
fn a_motor_is_turned_and_its_reach_is_pulled() {
    let mut document = document();
    document.scene.motors.push(Motor {
        kind: MotorKind::Directional(Directional::default()),
        ..Motor::default()
    });
    let mut rig = rig_with(document, Answers::default());
    let motor = (List::Motors, 0);
    choose(&mut rig, &[motor]);
    let centre = spot(&mut rig, Grab::Item(motor, Grip::Body)).unwrap();
    let knob = spot(&mut rig, Grab::Item(motor, Grip::Turn)).expect("a wind has a direction");
    let up = centre - vec2(0.0, knob.distance(centre));
    drag(&mut rig, knob, up, Modifiers::NONE);
    let kind = rig.document().scene.motors[0].kind.clone();
    let MotorKind::Directional(d) = kind else {
        panic!("it stays one");
    };
    assert_eq!(d.direction, [0.0, 1.0, 0.0]);
    let edge = spot(&mut rig, Grab::Item(motor, Grip::Size(1, 0))).unwrap();
    drag(
        &mut rig,
        edge,
        edge + (edge - centre) * 0.35,
        Modifiers::COMMAND,
    );
    let radius = rig.document().scene.motors[0].radius;
    assert!((radius - 0.4).abs() < 0.011, "{radius}");
}

#[test]
fn a_piece_of_terrain_is_moved_turned_and_pulled() {
    let mut document = document();
    document.scene.terrain.push(Terrain {
        shape: Shape::Disc(Disc { radius: 0.2 }),
        ..Terrain::default()
    });
    let mut rig = rig_with(document, Answers::default());
    let hill = (List::Terrain, 0);
    choose(&mut rig, &[hill]);
    let centre = spot(&mut rig, Grab::Item(hill, Grip::Body)).unwrap();
    let edge = spot(&mut rig, Grab::Item(hill, Grip::Size(1, 0))).unwrap();
    let out = edge + (edge - centre) * 0.5;
    drag(&mut rig, edge, out, Modifiers::COMMAND);
    let Shape::Disc(disc) = rig.document().scene.terrain[0].shape.clone() else {
        panic!("it stays one");
    };
    assert!((disc.radius - 0.3).abs() < 0.011, "{}", disc.radius);
    let to = centre + (edge - centre);
    drag(&mut rig, centre, to, Modifiers::COMMAND);
    let [x, y, _] = rig.document().scene.terrain[0].position;
    assert!(
        (x - 0.7).abs() < 0.011 && (y - 0.5).abs() < 0.011,
        "{x} {y}"
    );
    rig.editor().act(Action::Undo);
    rig.steps();
    assert_eq!(rig.document().scene.terrain[0].position, [0.5, 0.5, 0.0]);
}

#[test]
fn a_brush_raises_the_ground_in_one_step_that_can_be_undone() {
    let id = METHODS
        .iter()
        .find(|m| m.honours.contains(&Feature::Terrain))
        .expect("a method with ground")
        .id;
    let mut document = document();
    Edit::Method(id.to_owned()).apply(&mut document).unwrap();
    let mut rig = rig_with(document, Answers::default());
    let radius = 0.05;
    rig.editor().panels.brush.size = radius;
    rig.editor().panels.brush.height = 0.2;
    for (mode, sign) in [(Mode::Raise, 1.0), (Mode::Lower, -1.0)] {
        rig.editor().panels.brush.mode = mode;
        rig.steps();
        let (from, to) = (screen(&mut rig, [0.3, 0.5]), screen(&mut rig, [0.6, 0.5]));
        drag(&mut rig, from, to, Modifiers::NONE);
        let scene = &rig.document().scene;
        let hill = scene.terrain.last().expect("a hill");
        assert!(scene.strokes.is_empty());
        assert_eq!(hill.height, sign * 0.05);
        assert!((hill.position[0] - 0.3).abs() < 0.01, "{:?}", hill.position);
        // A touch each quarter of the radius: 0.3 m in steps of 1.25 cm.
        assert!((22..=25).contains(&hill.dabs.len()), "{}", hill.dabs.len());
        for (k, dab) in hill.dabs.iter().enumerate() {
            assert!(
                (dab.offset[0] - k as f32 * 0.0125).abs() < 1e-4,
                "{k}: {dab:?}"
            );
        }
    }
    assert_eq!(rig.labels(), ["Open", "Raise ground", "Lower ground"]);
    rig.editor().act(Action::Undo);
    rig.steps();
    assert_eq!(rig.document().scene.terrain.len(), 1);
}

#[test]
fn escape_gives_a_drag_up_and_nothing_is_painted_with_the_rest_of_it() {
    let mut rig = with(Shape::Disc(Disc { radius: 0.13 }));
    let before = rig.document();
    let from = handle(&mut rig, Grip::Body);
    press(&mut rig, from, Modifiers::NONE);
    rig.harness.hover_at(from + vec2(120.0, 40.0));
    rig.harness.run_steps(2);
    assert_ne!(rig.document(), before);
    let readout = rig.editor().panels.viewport.handles.readout();
    assert!(readout.is_some_and(|r| r.starts_with("x ")), "{readout:?}");
    rig.fake.heard();
    rig.harness.key_press(egui::Key::Escape);
    rig.harness.run_steps(2);
    assert_eq!(rig.document(), before);
    assert!(Arc::ptr_eq(&rig.document(), &before), "exactly as before");
    assert!(!rig.fake.heard().is_empty(), "the simulation is told");
    rig.harness.hover_at(from + vec2(10.0, 90.0));
    rig.harness.run_steps(2);
    rig.button(from, false, Modifiers::NONE);
    rig.steps();
    assert_eq!(rig.document(), before);
    assert_eq!(rig.labels(), ["Open"]);
    assert!(!rig.editor().history.can_redo());
    // The next drag goes as usual.
    drag(&mut rig, from, from + vec2(120.0, 0.0), Modifiers::NONE);
    assert_eq!(rig.labels().len(), 2);
}

#[test]
fn undo_in_the_middle_of_a_drag_ends_it() {
    let mut rig = with(Shape::Disc(Disc { radius: 0.13 }));
    let before = rig.document();
    let from = handle(&mut rig, Grip::Body);
    press(&mut rig, from, Modifiers::NONE);
    rig.harness.hover_at(from + vec2(120.0, 40.0));
    rig.harness.run_steps(2);
    rig.harness
        .key_press_modifiers(Modifiers::COMMAND, egui::Key::Z);
    rig.harness.run_steps(2);
    rig.harness.hover_at(from + vec2(-120.0, 40.0));
    rig.harness.run_steps(2);
    rig.button(from, false, Modifiers::NONE);
    rig.steps();
    assert_eq!(rig.document(), before);
}

#[test]
fn a_click_chooses_and_a_frame_chooses_several() {
    let mut rig = with(Shape::Disc(Disc { radius: 0.13 }));
    choose(&mut rig, &[]);
    let on_obstacle = screen(&mut rig, [0.56, 0.6]);
    let on_emitter = screen(&mut rig, [0.5, 0.25]);
    let nowhere = screen(&mut rig, [0.05, 0.95]);
    // With the brush a click paints, with Alt it chooses.
    click(&mut rig, on_obstacle, Modifiers::ALT);
    assert_eq!(
        rig.editor().panels.scene.chosen(),
        Chosen::Item(List::Obstacles, 0)
    );
    assert!(rig.document().scene.strokes.is_empty());
    select_tool(&mut rig);
    click(&mut rig, on_emitter, Modifiers::NONE);
    assert_eq!(rig.editor().panels.scene.items(), [(List::Emitters, 0)]);
    click(&mut rig, on_obstacle, Modifiers::SHIFT);
    assert_eq!(rig.editor().panels.scene.items().len(), 2);
    click(&mut rig, on_obstacle, Modifiers::SHIFT);
    assert_eq!(rig.editor().panels.scene.items(), [(List::Emitters, 0)]);
    click(&mut rig, nowhere, Modifiers::NONE);
    assert!(rig.editor().panels.scene.items().is_empty());
    let corner = screen(&mut rig, [0.95, 0.05]);
    drag(&mut rig, nowhere, corner, Modifiers::NONE);
    assert_eq!(rig.editor().panels.scene.items().len(), 2);

    // Both go along with the one that is held, and stay as far from each other.
    let before = rig.document();
    rig.editor().panels.viewport.handles.snap = false;
    drag(
        &mut rig,
        on_obstacle,
        on_obstacle + vec2(40.0, 0.0),
        Modifiers::SHIFT,
    );
    let after = rig.document();
    let by = |i: usize| {
        let o = after.scene.obstacles[0].position[i] - before.scene.obstacles[0].position[i];
        let e = after.scene.emitters[0].position[i] - before.scene.emitters[0].position[i];
        (o, e)
    };
    assert!(by(0).0 > 0.01 && (by(0).0 - by(0).1).abs() < 1e-6 && by(1) == (0.0, 0.0));
    assert_eq!(rig.labels(), ["Open", "Move 2 items"]);
    rig.harness.key_press(egui::Key::Escape);
    rig.steps();
    assert!(rig.editor().panels.scene.items().is_empty());
    assert!(
        rig.document().scene.strokes.is_empty(),
        "nothing was painted"
    );
    rig.harness.key_press(egui::Key::B);
    rig.steps();
    drag(&mut rig, nowhere, corner, Modifiers::NONE);
    assert_eq!(
        rig.document().scene.strokes.len(),
        1,
        "the brush paints again"
    );
}

#[test]
fn arrow_keys_nudge_by_a_cell() {
    let mut rig = with(Shape::Disc(Disc { radius: 0.13 }));
    let h = rig.document().scene.domain.grid().h;
    let before = rig.document();
    rig.harness.key_press(egui::Key::ArrowRight);
    rig.steps();
    rig.harness
        .key_press_modifiers(Modifiers::SHIFT, egui::Key::ArrowDown);
    rig.steps();
    let [x, y, _] = obstacle(&mut rig).position;
    assert!((x - 0.5 - h).abs() < 1e-6, "{x} {h}");
    assert!((y - 0.6 + 10.0 * h).abs() < 1e-5, "{y} {h}");
    assert_eq!(rig.labels().len(), 3);
    rig.editor().history.undo();
    rig.editor().history.undo();
    assert_eq!(rig.document(), before);
}

#[test]
fn what_is_locked_stays_where_it_is() {
    let mut rig = with(Shape::Box(BoxShape::default()));
    rig.harness.key_press(egui::Key::L);
    rig.steps();
    assert!(obstacle(&mut rig).locked);
    let before = rig.document();
    assert!(rig.editor().panels.viewport.handles.spots().is_empty());
    select_tool(&mut rig);
    let on = screen(&mut rig, [0.5, 0.6]);
    drag(&mut rig, on, on + vec2(60.0, 0.0), Modifiers::NONE);
    choose(&mut rig, &[OBSTACLE]);
    rig.harness.key_press(egui::Key::ArrowRight);
    rig.steps();
    rig.harness.key_press(egui::Key::Delete);
    rig.steps();
    assert_eq!(rig.document(), before);
    choose(&mut rig, &[]);
    click(&mut rig, on, Modifiers::NONE);
    assert!(rig.editor().panels.scene.items().is_empty());
    choose(&mut rig, &[OBSTACLE]);
    rig.harness.key_press(egui::Key::L);
    rig.steps();
    assert!(!obstacle(&mut rig).locked);
    rig.harness.key_press(egui::Key::Delete);
    rig.steps();
    assert!(rig.document().scene.obstacles.is_empty());
}

#[test]
fn points_of_a_path_are_dragged_added_and_deleted() {
    let mut document = document();
    let point = |x, y| PathPoint {
        offset: [x, y, 0.0],
    };
    document.scene.obstacles.push(Obstacle {
        position: [0.3, 0.4, 0.0],
        path: Path {
            points: vec![point(0.0, 0.0), point(0.4, 0.0), point(0.4, 0.3)],
            closed: false,
            ..Path::default()
        },
        ..Obstacle::default()
    });
    let mut rig = rig_with(document, Answers::default());
    choose(&mut rig, &[OBSTACLE]);
    let before = rig.document();
    let at = spot(&mut rig, Grab::Point(OBSTACLE, 2)).expect("the third point");
    assert!(at.distance(screen(&mut rig, [0.7, 0.7])) < 1.0);
    let to = screen(&mut rig, [0.812, 0.588]);
    drag(&mut rig, at, to, Modifiers::COMMAND);
    let offset = obstacle(&mut rig).path.points[2].offset;
    let fine = format::round_length(f64::from(110.0 / zoom(&mut rig))) / 10.0;
    let [x, y] = [0.3 + offset[0], 0.4 + offset[1]];
    assert!(
        is_multiple(x, fine) && is_multiple(y, fine),
        "{x} {y} {fine}"
    );
    assert!(
        (x - 0.812).abs() <= 0.011 && (y - 0.588).abs() <= 0.011,
        "{x} {y}"
    );
    assert_eq!(rig.labels().len(), 2);
    rig.editor().history.undo();
    rig.steps();
    assert_eq!(rig.document(), before);

    // A double click between the first two points, away from where the item itself stands.
    let way = screen(&mut rig, [0.5, 0.38]);
    let (offset, _) = before.scene.obstacles[0].path.at(1.0);
    let on = screen(&mut rig, [0.3 + offset[0], 0.4 + offset[1]]);
    assert!(on.distance(way) < 60.0);
    rig.harness.hover_at(on);
    rig.harness.run_steps(1);
    // Frames of a test are a quarter of a second apart.
    let options = |o: &mut egui::Options| o.input_options.max_double_click_delay = 5.0;
    rig.harness.ctx.options_mut(options);
    for pressed in [true, false, true, false] {
        rig.harness.event(Event::PointerButton {
            pos: on,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    rig.steps();
    let points = obstacle(&mut rig).path.points;
    assert_eq!(points.len(), 4, "{points:?}");
    assert!((points[1].offset[0] - offset[0]).abs() < 0.02, "{points:?}");
    assert!(rig.document().scene.strokes.is_empty());
    // The new one is chosen, and Delete means it and not the item.
    rig.harness.key_press(egui::Key::Delete);
    rig.steps();
    assert_eq!(rig.document(), before);
    assert_eq!(rig.document().scene.obstacles.len(), 1);
    rig.harness.key_press(egui::Key::Delete);
    rig.steps();
    assert!(rig.document().scene.obstacles.is_empty());
}

#[test]
fn an_item_gets_its_first_path() {
    let mut rig = with(Shape::Disc(Disc { radius: 0.1 }));
    select_tool(&mut rig);
    rig.click("Add path");
    assert_eq!(obstacle(&mut rig).path.points.len(), 2);
    assert!(spot(&mut rig, Grab::Point(OBSTACLE, 1)).is_some());
    assert_eq!(rig.labels(), ["Open", "Begin a path"]);
}

/// An animated place is keyed at the present frame, not overwritten.
#[test]
fn dragging_what_is_animated_sets_a_key() {
    let mut rig = with(Shape::Disc(Disc { radius: 0.1 }));
    let path = "scene.obstacles.0.position";
    let value = params::get(&*rig.document(), path);
    let Some(Value::Vec3(place)) = value else {
        panic!("a place has three numbers");
    };
    let key = eddy::document::animation::KeyValue::of(&Value::Vec3(place)).unwrap();
    rig.editor().history.edit("Key", |d: &mut Document| {
        let edit = Edit::SetKey(path.to_owned(), 0.0, key);
        edit.apply(d).unwrap();
    });
    rig.steps();
    let from = handle(&mut rig, Grip::Body);
    drag(&mut rig, from, from + vec2(120.0, 0.0), Modifiers::NONE);
    let document = rig.document();
    let (_, track) = document.animation.track(path).expect("it is animated");
    assert_eq!(track.keys.len(), 2, "one at 0 and one at the present frame");
    assert_eq!(document.scene.obstacles[0].position, place);
}
