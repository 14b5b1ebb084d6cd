//! Every panel is opened by its tab and driven.

use eddy::params::{self, Value};
use eddy::solvers::METHODS;
use eddy::ui::dock::Workspace;
use eddy::ui::editor::Request;
use eddy::ui::panels::PANELS;
use eddy::ui::presets;
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Rig, rig};

fn has(rig: &Rig<'_>, name: &str) -> bool {
    rig.harness.query_all_by_label(name).next().is_some()
}

#[test]
fn every_panel_opens_by_its_tab_and_names_everything() {
    let mut rig = rig();
    for panel in PANELS {
        rig.show(panel.title);
        let visible = rig.harness.state_mut().layout().visible();
        assert!(visible.iter().any(|id| id == panel.id), "{}", panel.id);
        rig.harness.check_accessibility();
    }
}

#[test]
fn a_drag_is_one_step_and_undo_restores_the_document() {
    let mut rig = rig();
    let before = rig.document();
    let slider = params::entries(&before.method)
        .into_iter()
        .find(|e| matches!(e.value, Value::Float(_)) && !e.spec.advanced && e.spec.soft[1] < 1e6)
        .expect("the method has a number with a slider");
    let name = slider.spec.label();
    rig.drag_slider(&name, 0.3, 0.9);
    let after = rig.document();
    assert_ne!(before, after);
    assert_eq!(rig.labels().len(), 2, "{:?}", rig.labels());
    assert_eq!(rig.editor().history.undo_label(), Some(name.as_str()));
    assert!(
        rig.fake.heard().len() >= 2,
        "the simulation follows the drag"
    );

    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    rig.steps();
    assert_eq!(rig.document(), before);
    rig.harness.key_press_modifiers(
        egui::Modifiers::COMMAND.plus(egui::Modifiers::SHIFT),
        egui::Key::Z,
    );
    rig.steps();
    assert_eq!(rig.document(), after);
}

#[test]
fn what_is_changed_can_be_reset() {
    let mut rig = rig();
    rig.show("Time");
    rig.drag_slider("CFL limit", 0.2, 0.8);
    assert_ne!(rig.document().time.cfl, 4.0);
    rig.click("Reset cfl limit");
    assert_eq!(rig.document().time.cfl, 4.0);
}

#[test]
fn numbers_are_typed_beyond_the_slider_but_not_beyond_what_is_allowed() {
    let mut rig = rig();
    rig.show("Time");
    let entries = params::entries(&rig.document().time);
    let cfl = entries.iter().find(|e| e.path == "cfl").expect("a limit");
    let (soft, hard) = (cfl.spec.soft, cfl.spec.hard);
    for (text, expected) in [("48", 48.0), ("1e9", hard[1]), ("-5", hard[0])] {
        rig.harness.get_by_label("CFL limit number").click();
        rig.steps();
        rig.harness.get_by_label("CFL limit number").type_text(text);
        rig.steps();
        rig.harness.key_press(egui::Key::Enter);
        rig.steps();
        assert_eq!(rig.document().time.cfl, expected, "{text}");
        assert!(params::problems(&*rig.document()).is_empty());
    }
    assert!(soft[1] < 48.0, "a slider that goes as far proves nothing");
}

#[test]
fn parameters_are_found_by_searching() {
    let mut rig = rig();
    let all = params::entries(&rig.document().method);
    let last = all.last().expect("the method has parameters").spec.label();
    let search = rig.harness.get_by_label("Search parameters");
    search.focus();
    rig.harness
        .get_by_label("Search parameters")
        .type_text(&last);
    rig.steps();
    assert!(has(&rig, &last));
    rig.harness.get_by_label("Search parameters").focus();
    rig.harness
        .get_by_label("Search parameters")
        .type_text(" zzz");
    rig.steps();
    assert!(has(&rig, "Nothing matches"));
    rig.harness
        .get_all_by_label("Clear search")
        .last()
        .unwrap()
        .click();
    rig.steps();
    assert!(!has(&rig, "Nothing matches"));
    assert_eq!(rig.labels().len(), 1, "searching changes nothing");
}

#[test]
fn the_scene_is_edited_in_its_outline() {
    let mut rig = rig();
    rig.show("Scene");
    rig.click("Add obstacle");
    assert_eq!(rig.document().scene.obstacles.len(), 1);
    rig.click("Duplicate Obstacle");
    assert_eq!(rig.document().scene.obstacles.len(), 2);
    rig.harness
        .get_all_by_label("Switch off Obstacle")
        .next()
        .unwrap()
        .click();
    rig.steps();
    assert!(!rig.document().scene.obstacles[0].enabled);
    rig.harness
        .get_all_by_label("Delete Obstacle")
        .next()
        .unwrap()
        .click();
    rig.steps();
    assert_eq!(rig.document().scene.obstacles.len(), 1);
    assert!(rig.document().scene.obstacles[0].enabled);
    rig.harness
        .get_all_by_role_and_label(egui::Role::Button, "Emitter")
        .next()
        .unwrap()
        .click();
    rig.steps();
    assert!(has(&rig, "Softness"), "the inspector shows what is chosen");
    // They lie below what the panel has room for.
    for name in ["Activity", "Add to keys"] {
        rig.harness
            .get_by_role_and_label(egui::Role::Button, name)
            .click_accesskit();
        rig.steps();
    }
    assert_eq!(rig.document().scene.emitters[0].activity.keys.len(), 1);
    for _ in 0..6 {
        rig.editor().history.undo();
    }
    assert!(rig.document().scene.obstacles.is_empty());
}

#[test]
fn methods_are_listed_from_the_registry() {
    let mut rig = rig();
    rig.show("Method");
    for info in METHODS {
        assert!(has(&rig, &format!("Method {}", info.title)));
    }
}

#[test]
fn plots_and_costs_speak_plainly() {
    let mut rig = rig();
    rig.show("Plots");
    assert!(
        rig.harness
            .query_all_by_label_contains("Not converged")
            .next()
            .is_some()
    );
    rig.show("Cost");
    assert!(
        rig.harness
            .query_all_by_label_contains("89 % of the work is in Jacobi sweep")
            .next()
            .is_some()
    );
}

#[test]
fn the_history_goes_back() {
    let mut rig = rig();
    rig.show("Scene");
    rig.click("Add motor");
    rig.show("History");
    rig.click("Open");
    assert!(rig.document().scene.motors.is_empty());
    rig.click("Add motor");
    assert_eq!(rig.document().scene.motors.len(), 1);
}

#[test]
fn a_look_of_the_library_opens_and_unsaved_changes_are_asked_about() {
    let mut rig = rig();
    let Some(look) = presets::all().first() else {
        return;
    };
    rig.click(&look.name);
    assert_eq!(rig.document().name, look.name);
    assert_eq!(rig.labels(), ["Open"]);

    rig.editor()
        .history
        .edit("Name", |d| d.name = "Mine".to_owned());
    rig.steps();
    rig.click(&look.name);
    assert_eq!(rig.document().name, "Mine", "not yet");
    rig.click("Keep editing");
    assert_eq!(rig.document().name, "Mine");
    rig.click(&look.name);
    rig.click("Discard changes");
    assert_eq!(rig.document().name, look.name);
}

#[test]
fn every_look_of_the_library_opens() {
    for i in 0..presets::all().len() {
        presets::document(i).expect("a look of the library opens");
    }
}

#[test]
fn the_palette_finds_actions() {
    let mut rig = rig();
    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
    rig.steps();
    rig.harness
        .get_by_label("What to do")
        .type_text("show hist");
    rig.steps();
    rig.harness.key_press(egui::Key::Enter);
    rig.steps();
    let visible = rig.harness.state_mut().layout().visible();
    assert!(visible.iter().any(|id| id == "history"), "{visible:?}");
}

/// All that is asked in one frame is done, in its order.
#[test]
fn a_workspace_and_a_panel_are_asked_for_at_once() {
    let mut rig = rig();
    rig.editor().ask(Request::Workspace(Workspace::Bake));
    rig.editor().ask(Request::Show("history"));
    rig.steps();
    let layout = rig.harness.state_mut().layout();
    assert_eq!(layout.workspace(), Workspace::Bake);
    assert!(layout.visible().contains(&"history".to_owned()));
}

#[test]
fn tabs_move_and_the_layout_can_be_reset() {
    let mut rig = rig();
    let tab = rig
        .harness
        .get_all_by_role_and_label(egui::Role::Button, "Cost")
        .next();
    let from = tab.expect("a tab").rect().center();
    let to = rig
        .harness
        .get_all_by_role_and_label(egui::Role::Button, "Scene")
        .next()
        .expect("a tab")
        .rect()
        .center();
    rig.drag(&[from, egui::pos2(from.x - 30.0, from.y - 30.0), to]);
    assert!(rig.harness.state_mut().layout().is_sound());
    let moved = rig
        .harness
        .get_all_by_role_and_label(egui::Role::Button, "Cost")
        .next()
        .expect("still there")
        .rect()
        .center();
    assert!(moved.distance(from) > 50.0, "{from:?} {moved:?}");
    rig.editor().act(eddy::edit::Action::ResetLayout);
    rig.steps();
    let back = rig
        .harness
        .get_all_by_role_and_label(egui::Role::Button, "Cost")
        .next()
        .expect("still there")
        .rect()
        .center();
    assert!(back.distance(from) < 2.0, "{from:?} {back:?}");
}

#[test]
fn parameters_go_back_to_the_look_or_to_the_defaults() {
    let mut rig = rig();
    let campfire = presets::all()
        .iter()
        .position(|p| p.id.ends_with("campfire"))
        .expect("a look");
    rig.click(&presets::all()[campfire].name);
    let opened = rig.document();
    let default = eddy::solvers::MethodParams::from_id(opened.method.info().id).unwrap();
    assert_ne!(opened.method, default);
    rig.editor().history.edit("Iterations", |d| {
        params::set(&mut d.method, "pressure.iterations", "77").unwrap();
    });
    rig.steps();
    rig.click("Reset…");
    rig.click("1 change since “Campfire” was opened");
    assert_eq!(rig.document(), opened);
    rig.click("Reset…");
    let all = params::differences(&opened.method, &default).len();
    rig.click(&format!("All {all} that differ from the defaults"));
    assert_eq!(rig.document().method, default);
    rig.editor().history.undo();
    assert_eq!(rig.document(), opened);
}

/// The curve is measured in some frames only; and so do the words beside it.
#[test]
fn a_curve_says_in_which_frame_it_was_measured() {
    let mut rig = rig();
    rig.fake.change(|snapshot| {
        let report = std::sync::Arc::make_mut(&mut snapshot.report);
        (report.solves[0].l2, report.solves[0].iterations) = (0.05, 8);
        let history = std::sync::Arc::make_mut(&mut snapshot.history);
        let mut point = (*history[0]).clone();
        (point.frame, point.residual, point.iterations) = (14, [1.0, 0.05], 8);
        history.push(std::sync::Arc::new(point));
    });
    rig.show("Plots");
    let says = |text: &str| rig.harness.query_by_label_contains(text).is_some();
    assert!(says("by iteration, measured at frame 11"));
    assert!(says("Not converged at frame 11: after 3 iterations"));
}

/// Rows stay in their panel and under each other, whatever they hold.
#[test]
fn rows_of_the_look_stay_in_their_columns_and_do_something() {
    let mut rig = rig();
    rig.show("Display");
    let right = |rig: &Rig<'_>, name: &str| rig.harness.get_by_label(name).rect().right();
    let number = right(&rig, "Exposure number");
    for name in ["Background brightness", "Obstacles brightness"] {
        assert!((right(&rig, name) - number).abs() < 1.0, "{name}");
    }
    assert!(!has(&rig, "Range low") && !has(&rig, "Paper"));
    rig.editor().history.edit("Look", |d| {
        (d.view.auto_range, d.view.ink) = (false, true);
    });
    rig.steps();
    assert!(has(&rig, "Range low") && has(&rig, "Range high") && has(&rig, "Paper"));
    assert!((right(&rig, "Paper brightness") - number).abs() < 1.0);
}
