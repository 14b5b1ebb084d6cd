//! Methods and solvers are chosen by their cards, and keep what was set.

use eddy::edit::Action;
use eddy::params::{self, Value};
use eddy::scene::Obstacle;
use eddy::solvers::{METHODS, pressure_solver};
use egui::epaint::Shape;
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Rig, rig};

fn says(rig: &Rig<'_>, text: &str) -> bool {
    rig.harness.query_all_by_label_contains(text).count() > 0
}

fn tall() -> Rig<'static> {
    let mut rig = rig();
    rig.harness.set_size(egui::vec2(1440.0, 1700.0));
    rig.steps();
    rig.show("Method");
    rig
}

/// Pictures that are drawn within a rectangle.
fn pictures(rig: &Rig<'_>, within: egui::Rect) -> usize {
    let shapes = rig.harness.output().shapes.iter();
    let is_picture = |shape: &Shape| match shape {
        Shape::Rect(rect) => rect.brush.is_some() && within.contains_rect(rect.rect),
        Shape::Mesh(mesh) => {
            mesh.texture_id != egui::TextureId::default()
                && within.contains_rect(shape.visual_bounding_rect())
        }
        _ => false,
    };
    shapes.filter(|s| is_picture(&s.shape)).count()
}

#[test]
fn a_card_shows_what_a_method_is_good_for_and_costs() {
    let mut rig = tall();
    for info in METHODS {
        let name = format!("Method {}", info.title);
        let place = rig.harness.get_by_label(&name).rect();
        for text in [info.good_for, info.not_for, info.paper] {
            assert!(says(&rig, text), "{text}");
        }
        rig.wait("its picture", |rig| pictures(rig, place) == 1);
    }
    // What is measured is said of the method that runs.
    assert!(says(
        &rig,
        "Cost moderate in this run: 9.5 ms a frame at 24 × 24 cells on a test, 57 % of the budget"
    ));
    for feature in ["dye", "moving obstacles", "gravity"] {
        assert!(
            rig.harness
                .query_all_by_role_and_label(egui::Role::Label, feature)
                .next()
                .is_some(),
            "{feature}"
        );
    }
}

fn set(rig: &mut Rig<'_>, path: &str, value: &str) {
    rig.editor().history.edit("Set", |d| {
        params::set(d, path, value).unwrap();
    });
    rig.steps();
}

fn solver(rig: &mut Rig<'_>) -> Value {
    params::get(&*rig.document(), "method.pressure.kind").expect("the method has a solver")
}

/// There and back: the scene stays, and every solver finds its own parameters again.
#[test]
fn a_card_uses_its_solver_and_each_keeps_its_parameters() {
    let mut rig = tall();
    set(&mut rig, "method.pressure.kind", "Jacobi");
    set(&mut rig, "method.pressure.iterations", "77");
    let jacobi = rig.document();
    rig.harness
        .get_by_label("Pressure solver Multigrid")
        .click();
    rig.steps();
    assert_eq!(solver(&mut rig), Value::Choice("Multigrid".to_owned()));
    assert_eq!(rig.editor().history.undo_label(), Some("Use Multigrid"));
    assert_eq!(rig.document().scene, jacobi.scene);
    set(&mut rig, "method.pressure.iterations", "9");
    let multigrid = rig.document();

    rig.harness.get_by_label("Pressure solver Jacobi").click();
    rig.steps();
    assert_eq!(rig.document(), jacobi);
    // Once more on what is in use changes nothing.
    let steps = rig.labels().len();
    rig.harness.get_by_label("Pressure solver Jacobi").click();
    rig.steps();
    assert_eq!(rig.labels().len(), steps);

    // By the keyboard, and by the parameter itself.
    rig.harness
        .get_by_label("Pressure solver Multigrid")
        .focus();
    rig.steps();
    rig.harness.key_press(egui::Key::Enter);
    rig.steps();
    assert_eq!(rig.document(), multigrid);
    rig.editor().history.undo();
    rig.steps();
    assert_eq!(rig.document(), jacobi);
    rig.show("Parameters");
    // The last one on the page is that of the pressure.
    let kinds = rig
        .harness
        .get_all_by_role_and_label(egui::Role::ComboBox, "Kind");
    kinds.last().expect("a choice").click();
    rig.steps();
    rig.click("Multigrid");
    assert_eq!(rig.document(), multigrid);
}

/// On its card, and above its parameters.
#[test]
fn a_solver_for_boxes_is_warned_of_among_obstacles() {
    let mut rig = tall();
    let text = "for which this solver is not made";
    rig.editor()
        .history
        .edit("Clear", |d| d.scene.obstacles.clear());
    rig.steps();
    assert!(!says(&rig, text));
    rig.editor().history.edit("Put", |d| {
        d.scene.obstacles.push(Obstacle::default());
    });
    rig.steps();
    assert!(says(&rig, text));
    rig.show("Parameters");
    assert!(!says(&rig, "Pressure: This scene has obstacles"));
    set(&mut rig, "method.pressure.kind", "Spectral");
    assert!(says(&rig, "Pressure: This scene has obstacles"));
    // The way out, in one step of the history.
    rig.harness.get_by_label("Use as a preconditioner").click();
    rig.steps();
    let (_, chosen) = pressure_solver(&rig.document().method).expect("it has one");
    assert_eq!(chosen, "Pcg");
    let all = params::entries(&rig.document().method);
    let helper = all.iter().find(|e| e.path == "pressure.preconditioner");
    let spectral = Value::Choice("Spectral".to_owned());
    assert_eq!(helper.map(|e| &e.value), Some(&spectral));
    assert!(!says(&rig, text));
    rig.editor().act(Action::Undo);
    rig.steps();
    assert!(says(&rig, "Pressure: This scene has obstacles"));
}

/// The same for methods, as soon as there are two; of one, a click on it changes nothing.
#[test]
fn every_method_keeps_its_parameters() {
    let mut rig = tall();
    set(&mut rig, "method.pressure.iterations", "77");
    let before = rig.document();
    let mine = before.method.info();
    for other in METHODS.iter().filter(|m| m.id != mine.id) {
        for info in [other, &mine] {
            let name = format!("Method {}", info.title);
            rig.harness.get_by_label(&name).click();
            rig.steps();
            assert_eq!(rig.document().method.info().id, info.id);
            assert_eq!(rig.document().scene, before.scene);
        }
        assert_eq!(rig.document(), before, "{}", other.id);
    }
    // The one in use stays as it is when it is clicked.
    let name = format!("Method {}", mine.title);
    rig.harness.get_by_label(&name).click();
    rig.steps();
    assert_eq!(rig.document(), before);
}
