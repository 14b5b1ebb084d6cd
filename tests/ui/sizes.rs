//! Whether everything can be read at every size of the interface: no text ends in dots or at an edge.

use eddy::edit::Action;
use eddy::ui::dock::Workspace;
use eddy::ui::editor::Request;
use eddy::ui::panels::PANELS;
use egui::epaint::{ClippedShape, Shape, TextShape};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::ui::support::{Rig, rig};

/// Texts that do not fit where they are drawn: what, and how it is cut.
pub fn cut(rig: &Rig<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for ClippedShape {
        clip_rect, shape, ..
    } in &rig.harness.output().shapes
    {
        texts(shape, &mut |text| {
            let words = text.galley.text();
            // Tabs have arrows beside them, and the menu of panels has them all.
            if words.is_empty() || PANELS.iter().any(|p| p.title == words) {
                return;
            }
            let rect = text.visual_bounding_rect();
            let seen = clip_rect.intersect(rect);
            // What is scrolled away below or above is not cut.
            if seen.height() < 1.0 || !rect.is_positive() {
                return;
            }
            if text.galley.elided {
                found.push(format!("“{words}” ends in dots"));
            } else if rect.left() < clip_rect.left() - 1.5 || rect.right() > clip_rect.right() + 1.5
            {
                found.push(format!("“{words}” at {rect:?} is cut by {clip_rect:?}"));
            }
        });
    }
    found
}

fn texts(shape: &Shape, look: &mut dyn FnMut(&TextShape)) {
    match shape {
        Shape::Text(text) => look(text),
        Shape::Vec(shapes) => shapes.iter().for_each(|s| texts(s, look)),
        _ => {}
    }
}

/// Things to operate that lie outside of the window to either side.
pub fn outside(rig: &Rig<'_>, width: f32) -> Vec<String> {
    let operated = [
        egui::Role::Button,
        egui::Role::ComboBox,
        egui::Role::Slider,
        egui::Role::CheckBox,
        egui::Role::RadioButton,
        egui::Role::SpinButton,
        egui::Role::TextInput,
    ];
    rig.harness
        .query_all_by(|node| operated.contains(&node.role()))
        .filter(|node| {
            let title = node.accesskit_node().label().unwrap_or_default();
            !PANELS.iter().any(|p| p.title == title)
        })
        .filter(|node| node.rect().left() < -1.0 || node.rect().right() > width + 1.0)
        .map(|node| format!("{:?} at {:?}", node.accesskit_node().label(), node.rect()))
        .collect()
}

/// Shows every panel in every workspace, and looks each time.
fn everywhere(rig: &mut Rig<'_>, mut look: impl FnMut(&mut Rig<'_>, Workspace, &str)) {
    for workspace in Workspace::ALL {
        rig.editor().ask(Request::Workspace(workspace));
        rig.steps();
        for panel in PANELS {
            rig.editor().ask(Request::Show(panel.id));
            rig.steps();
            look(rig, workspace, panel.title);
        }
    }
}

/// A window of 1280 × 800 pixels at the size of everything: 200 % leaves 640 × 400 points.
#[test]
fn nothing_is_cut_at_any_size_of_everything() {
    let mut faults = Vec::new();
    for percent in [100_u8, 150, 200] {
        let scale = f32::from(percent) / 100.0;
        let mut rig = rig();
        rig.editor().bake.folder = "textures".to_owned();
        let size = egui::vec2(1280.0, 800.0) / scale;
        rig.harness.set_size(size);
        everywhere(&mut rig, |rig, workspace, panel| {
            let look = |rig: &Rig<'_>| [cut(rig), outside(rig, size.x)].concat();
            let mut all = look(rig);
            if !all.is_empty() {
                // The row of tabs may still be on its way to the one that was asked for.
                rig.harness.run_steps(24);
                all = look(rig);
            }
            let place = format!("{percent} %, {workspace:?}, {panel}");
            faults.extend(all.iter().map(|f| format!("{place}: {f}")));
        });
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A window that is moved to a finer screen, and back: everything keeps its place and its size in points.
#[test]
fn a_window_goes_from_screen_to_screen() {
    let mut rig = rig();
    let places = |rig: &mut Rig<'_>| {
        rig.steps();
        let buttons = rig.harness.query_all_by(|n| n.role() == egui::Role::Button);
        let all: Vec<_> = buttons
            .map(|n| (n.accesskit_node().label(), n.rect()))
            .collect();
        assert!(all.len() > 30);
        all
    };
    let before = places(&mut rig);
    for density in [2.0, 1.25, 3.0, 1.0] {
        let viewports = &mut rig.harness.input_mut().viewports;
        let root = viewports.entry(egui::ViewportId::ROOT).or_default();
        root.native_pixels_per_point = Some(density);
        for ((name, then), (other, now)) in before.iter().zip(places(&mut rig)) {
            assert_eq!(*name, other);
            // Edges lie on whole pixels, which are others.
            let moved = (then.min - now.min)
                .length()
                .max((then.max - now.max).length());
            assert!(moved < 2.5, "{name:?} at {density}: {then:?} and {now:?}");
        }
    }
}

/// Every character that is shown is in the fonts: one that is not shows as an empty box.
#[test]
fn every_character_can_be_drawn() {
    let mut rig = rig();
    let mut missing = std::collections::BTreeSet::new();
    rig.editor().history.edit("More cells", |d| {
        d.scene.domain.cells_x += 1;
    });
    rig.editor().welcome = eddy::ui::welcome::Welcome::first();
    for panel in PANELS {
        rig.editor().ask(Request::Show(panel.id));
        rig.steps();
        missing.extend(undrawable(&rig));
    }
    for action in [Action::Keys, Action::Palette] {
        rig.editor().act(action);
        rig.steps();
        missing.extend(undrawable(&rig));
    }
    let told = Action::ALL.iter().map(|a| a.doc());
    let document = rig.document();
    let docs: Vec<_> = eddy::params::entries(&*document)
        .iter()
        .map(|e| e.spec.doc)
        .collect();
    let font = egui::FontId::proportional(13.0);
    for text in told.chain(docs) {
        missing.extend(unknown(&rig, &font, text));
    }
    assert_eq!(
        unknown(&rig, &font, "a\u{2192}").len(),
        1,
        "the test sees them"
    );
    assert!(missing.is_empty(), "{missing:?}");
}

/// Characters on the screen that their fonts do not have, each with the text that it stands in.
fn undrawable(rig: &Rig<'_>) -> Vec<(char, String)> {
    let mut found = Vec::new();
    for clipped in &rig.harness.output().shapes {
        texts(&clipped.shape, &mut |text| {
            let job = &text.galley.job;
            for section in &job.sections {
                let bytes = &section.byte_range;
                let part = job.text.get(bytes.start.0..bytes.end.0);
                found.extend(unknown(
                    rig,
                    &section.format.font_id,
                    part.unwrap_or_default(),
                ));
            }
        });
    }
    found
}

fn unknown(rig: &Rig<'_>, font: &egui::FontId, text: &str) -> Vec<(char, String)> {
    let drawn = text.chars().filter(|c| !c.is_control());
    rig.harness.ctx.fonts_mut(|fonts| {
        let missing = drawn.filter(|c| !fonts.has_glyph(font, *c));
        missing.map(|c| (c, text.to_owned())).collect()
    })
}

/// What a window manager, or a hand, may make of a window.
#[test]
fn no_size_of_the_window_is_too_small() {
    for size in [
        [200.0, 150.0],
        [150.0, 300.0],
        [60.0, 900.0],
        [900.0, 30.0],
        [1.0, 1.0],
        [4000.0, 100.0],
        [200.0, 120.0],
        [240.0, 160.0],
    ] {
        let mut rig = rig();
        rig.harness.set_size(size.into());
        everywhere(&mut rig, |_, _, _| {});
        // Whatever asks or answers over the panels, opened in a large window and in this one.
        for action in [
            Action::Palette,
            Action::SaveAs,
            Action::SavePreset,
            Action::Keys,
            Action::Open,
        ] {
            rig.harness.set_size([1200.0, 800.0].into());
            rig.editor().act(action);
            rig.editor().act(action);
            rig.steps();
            rig.harness.set_size(size.into());
            rig.steps();
            rig.editor().act(action);
            rig.steps();
        }
    }
}

/// A window that lies over the others has its title and its end on the screen.
#[test]
fn the_sheet_of_keys_fits_the_window() {
    for size in [[1440.0, 900.0], [640.0, 400.0], [480.0, 300.0]] {
        let mut rig = rig();
        rig.harness.set_size(size.into());
        rig.harness.key_press(egui::Key::F1);
        rig.steps();
        let id = egui::Id::unique("keys");
        let rect = rig.harness.ctx.memory(|m| m.area_rect(id));
        let screen = rig.harness.ctx.content_rect();
        assert!(
            rect.is_some_and(|r| screen.contains_rect(r)),
            "{size:?}: {rect:?}"
        );
    }
}

/// The button that starts a bake stands where it is, whatever is written on it or said above it.
#[test]
fn the_button_that_bakes_keeps_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let mut rig = rig();
    rig.editor()
        .history
        .edit("Long", |d| d.time.end_frame = 4000);
    rig.show("Bake");
    rig.editor().bake.folder = dir.path().display().to_string();
    rig.steps();
    let place = |rig: &Rig<'_>, name: &str| {
        rig.harness
            .get_by_role_and_label(egui::Role::Button, name)
            .rect()
    };
    let before = place(&rig, "Start bake");
    rig.click("Start bake");
    assert_eq!(place(&rig, "Add to queue"), before);
    rig.click("Cancel");
    rig.wait("cancelled", |r| !r.editor().bake.running());
    assert_eq!(place(&rig, "Start bake"), before);
}
