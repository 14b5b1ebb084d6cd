//! What makes the editor one's own: workspaces, themes, recent files, keys.

use eddy::document;
use eddy::edit::Action;
use eddy::sim::Command;
use eddy::ui::dock::Workspace;
use eddy::ui::editor::Request;
use eddy::ui::panels::PANELS;
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{document as small, rig};

#[test]
fn workspaces_keep_their_own_panels() {
    let mut rig = rig();
    rig.click("Workspace Bake");
    let layout = rig.harness.state_mut().layout();
    assert_eq!(layout.workspace(), Workspace::Bake);
    let seen = layout.visible();
    assert!(
        seen.contains(&"bake".to_owned()) && !seen.contains(&"plots".to_owned()),
        "{seen:?}"
    );
    // A panel that the workspace has not comes when it is asked for.
    rig.editor().ask(Request::Show("plots"));
    rig.steps();
    assert!(
        rig.harness
            .state_mut()
            .layout()
            .visible()
            .contains(&"plots".to_owned())
    );
    rig.editor().act(Action::LookWorkspace);
    rig.steps();
    let layout = rig.harness.state_mut().layout();
    assert_eq!(layout.workspace(), Workspace::Look);
    assert!(layout.visible().contains(&"parameters".to_owned()));
    assert!(layout.is_sound());
}

#[test]
fn every_panel_is_drawn_in_the_light_theme_and_at_twice_the_size() {
    let mut rig = rig();
    rig.harness.ctx.set_theme(egui::Theme::Light);
    for zoom in [1.0, 2.0] {
        rig.harness.ctx.set_zoom_factor(zoom);
        for panel in PANELS {
            rig.editor().ask(Request::Show(panel.id));
            rig.steps();
            assert!(
                rig.harness
                    .state_mut()
                    .layout()
                    .visible()
                    .contains(&panel.id.to_owned())
            );
        }
    }
    let visuals = &rig.harness.ctx.global_style().visuals;
    assert!(!visuals.dark_mode);
    let sum = |c: egui::Color32| u32::from(c.r()) + u32::from(c.g()) + u32::from(c.b());
    assert!(sum(visuals.panel_fill) > 600 && sum(visuals.widgets.inactive.fg_stroke.color) < 300);
}

#[test]
fn files_that_were_opened_and_saved_are_offered_again() {
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = ["a.ron", "b.ron"].map(|name| dir.path().join(name));
    document::save(&a, &small()).unwrap();
    document::save(&b, &small()).unwrap();
    let mut rig = rig();
    for path in [&a, &b] {
        rig.editor().ask(Request::File(path.clone()));
        rig.wait("opened", |r| r.editor().file.as_ref() == Some(path));
    }
    assert_eq!(rig.editor().recent.files(), [b.clone(), a.clone()]);
    rig.click("File");
    rig.harness
        .get_all_by_label_contains("Open recent")
        .next()
        .expect("a menu in the menu")
        .click();
    rig.steps();
    rig.harness
        .get_by_role_and_label(egui::Role::Button, &format!("a {}", dir.path().display()))
        .click();
    rig.wait("opened again", |r| r.editor().file.as_ref() == Some(&a));
    assert_eq!(rig.editor().recent.files(), [a.clone(), b.clone()]);
}

#[test]
fn all_keys_stand_on_one_sheet() {
    let mut rig = rig();
    rig.harness.key_press(egui::Key::F1);
    rig.steps();
    assert!(rig.editor().panels.keys_sheet);
    for action in Action::ALL.iter().filter(|a| !a.keys().is_empty()) {
        assert!(
            rig.harness
                .query_all_by_label(action.doc())
                .next()
                .is_some(),
            "{action:?}"
        );
    }
    rig.harness.key_press(egui::Key::F1);
    rig.steps();
    assert!(!rig.editor().panels.keys_sheet);
}

#[test]
fn the_range_is_played_again_when_it_is_asked_for() {
    let mut rig = rig();
    rig.click("Loop");
    assert!(
        rig.fake
            .heard()
            .iter()
            .any(|c| matches!(c, Command::Loop(true)))
    );
    rig.click("Loop");
    assert!(
        rig.fake
            .heard()
            .iter()
            .any(|c| matches!(c, Command::Loop(false)))
    );
}

#[test]
fn the_flow_is_asked_for_while_it_is_drawn() {
    let mut rig = rig();
    rig.click("Overlays");
    rig.harness.get_by_label("Arrows along the flow").click();
    rig.steps();
    rig.harness.get_by_label("Streamlines").click();
    rig.steps();
    let watched = |commands: Vec<Command>| -> Vec<Vec<String>> {
        let watch = |c| match c {
            Command::Watch(fields) => Some(fields),
            _ => None,
        };
        commands.into_iter().filter_map(watch).collect()
    };
    assert_eq!(watched(rig.fake.heard()), [["velocity"]]);
    rig.harness.get_by_label("Arrows along the flow").click();
    rig.harness.get_by_label("Streamlines").click();
    rig.steps();
    assert_eq!(watched(rig.fake.heard()), [Vec::<String>::new()]);
    for name in ["Line-integral convolution", "Tracer particles"] {
        rig.harness.get_by_label(name).click();
        rig.steps();
        assert_eq!(watched(rig.fake.heard()), [["velocity"]], "{name}");
        rig.harness.get_by_label(name).click();
        rig.steps();
        assert_eq!(watched(rig.fake.heard()), [Vec::<String>::new()], "{name}");
    }
    rig.harness.get_by_label("Grid in metres").click();
    rig.steps();
    assert!(watched(rig.fake.heard()).is_empty());
    assert!(rig.editor().panels.viewport.overlays.grid);
}

#[test]
fn looks_are_found_by_tag_and_by_star() {
    let mut rig = rig();
    let shown = |rig: &crate::ui::support::Rig<'_>, name: &str| {
        rig.harness
            .query_all_by_role_and_label(egui::Role::Button, name)
            .next()
            .is_some()
    };
    assert!(shown(&rig, "Campfire") && shown(&rig, "Karman Street"));
    rig.click("wind");
    assert!(!shown(&rig, "Campfire") && shown(&rig, "Karman Street"));
    rig.click("wind");
    let card = rig
        .harness
        .get_by_role_and_label(egui::Role::Button, "Campfire")
        .rect();
    rig.harness.hover_at(card.center());
    rig.steps();
    rig.click("Favourite Campfire");
    assert_ne!(rig.document().name, "Campfire", "the star does not open");
    rig.click("favourites");
    assert!(shown(&rig, "Campfire") && !shown(&rig, "Karman Street"));
    rig.click("Favourite Campfire");
    assert!(!shown(&rig, "Campfire"));
}
