//! Keys are set in the inspectors and handled in the time line.

use eddy::document::Document;
use eddy::document::animation::{Interpolation, KeyValue, Track, TrackKey, Wave};
use eddy::sim::Command;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::support::{Answers, Rig, document, rig, rig_with};

const CURL: &str = "method.vorticity_confinement";

fn keyed() -> Document {
    let mut d = document();
    let key = |frame: u32, value| TrackKey {
        time: d.time.seconds(frame) as f32,
        value: KeyValue::Number(value),
        interpolation: Interpolation::Linear,
    };
    let keys = vec![key(0, 2.0), key(60, 8.0), key(120, 4.0)];
    d.animation.tracks.push(Track {
        path: CURL.to_owned(),
        keys,
        ..Track::default()
    });
    d
}

fn rig_keyed() -> Rig<'static> {
    let mut rig = rig_with(keyed(), Answers::default());
    rig.show("Timeline");
    rig
}

/// Frames and values of the first track.
fn keys(rig: &mut Rig<'_>) -> Vec<(u32, f32)> {
    let d = rig.document();
    let Some(track) = d.animation.tracks.first() else {
        return Vec::new();
    };
    let keys = track.keys.iter();
    keys.map(|k| (d.time.frame_at(f64::from(k.time)), k.value.numbers()[0]))
        .collect()
}

fn go_to(rig: &mut Rig<'_>, frame: u32) {
    rig.fake.change(|s| s.frame = frame);
    rig.steps();
}

fn slider_value(rig: &Rig<'_>, name: &str) -> f64 {
    let slider = rig.harness.get_by_role_and_label(egui::Role::Slider, name);
    slider.accesskit_node().numeric_value().unwrap()
}

fn has(rig: &Rig<'_>, name: &str) -> bool {
    rig.harness.query_all_by_label(name).next().is_some()
}

#[test]
fn the_mark_sets_and_removes_a_key_and_the_row_follows_the_time() {
    let mut rig = rig();
    rig.click("Set key of vorticity confinement");
    assert_eq!(keys(&mut rig), [(12, 0.0)]);
    assert!(has(&rig, "Remove key of vorticity confinement"));
    // At another frame a drag of the slider is a key there, as one step.
    go_to(&mut rig, 24);
    assert!(has(&rig, "Set key of vorticity confinement"));
    rig.drag_slider("Vorticity confinement", 0.1, 0.8);
    let now = keys(&mut rig);
    assert_eq!((now.len(), now[0], now[1].0), (2, (12, 0.0), 24));
    assert!(now[1].1 > 5.0);
    assert_eq!(rig.labels().len(), 3, "{:?}", rig.labels());
    // Half way the curve is half way.
    go_to(&mut rig, 18);
    let half = slider_value(&rig, "Vorticity confinement");
    assert!((half - f64::from(now[1].1) * 0.5).abs() < 1e-3, "{half}");
    go_to(&mut rig, 24);
    rig.click("Remove key of vorticity confinement");
    assert_eq!(keys(&mut rig), [(12, 0.0)]);
    go_to(&mut rig, 12);
    rig.click("Remove key of vorticity confinement");
    assert!(rig.document().animation.is_empty());
    assert_eq!(rig.labels().len(), 5);
}

#[test]
fn the_last_key_leaves_its_value_behind() {
    let mut rig = rig_with(keyed(), Answers::default());
    for frame in [0, 60, 120] {
        go_to(&mut rig, frame);
        rig.click("Remove key of vorticity confinement");
    }
    assert!(rig.document().animation.is_empty());
    let value = eddy::params::get(&*rig.document(), CURL).unwrap();
    assert_eq!(value.to_string(), "4");
}

#[test]
fn only_what_can_be_animated_has_a_mark() {
    let rig = rig();
    assert!(has(&rig, "Set key of warm start"));
    assert!(!has(&rig, "Set key of velocity advection"), "it restarts");
}

#[test]
fn an_empty_time_line_says_how_to_begin_and_names_everything() {
    let mut empty = rig();
    empty.show("Timeline");
    assert!(has(&empty, "Nothing changes with time yet"));
    let rig = rig_keyed();
    assert!(has(&rig, "Key of vorticity confinement at frame 60"));
    assert!(has(&rig, "Track vorticity confinement"));
    rig.harness.check_accessibility();
}

#[test]
fn keys_are_dragged_as_one_step_and_undone() {
    let mut rig = rig_keyed();
    let before = rig.document();
    let at = |rig: &Rig<'_>, frame: u32| {
        let name = format!("Key of vorticity confinement at frame {frame}");
        rig.harness.get_by_label(&name).rect().center()
    };
    let (a, b) = (at(&rig, 60), at(&rig, 120));
    let middle = a + (b - a) * 0.5;
    rig.drag(&[
        a,
        a.lerp(middle, 0.3),
        a.lerp(middle, 0.7),
        egui::pos2(middle.x, a.y),
    ]);
    let moved = keys(&mut rig);
    assert_eq!((moved[1].0 / 4, moved[1].1), (90 / 4, 8.0), "{moved:?}");
    assert_eq!(rig.labels(), ["Open", "Move keys"]);
    // Over another key and back: nothing is lost on the way.
    let a = at(&rig, moved[1].0);
    rig.drag(&[
        a,
        b,
        b + egui::vec2(20.0, 0.0),
        egui::pos2(middle.x + 1.0, a.y),
    ]);
    assert_eq!(keys(&mut rig).len(), 3);
    rig.editor().act(eddy::edit::Action::Undo);
    rig.steps();
    rig.editor().act(eddy::edit::Action::Undo);
    rig.steps();
    assert_eq!(rig.document(), before);
}

/// Up and down for the value: as far as the curve is high from its least value to its greatest, 2 to 8.
#[test]
fn the_value_of_a_key_is_dragged_on_the_curve() {
    let mut rig = rig_keyed();
    let before = rig.document();
    let at = |rig: &Rig<'_>, frame: u32| {
        let name = format!("Key of vorticity confinement at frame {frame}");
        rig.harness.get_by_label(&name).rect().center()
    };
    let (low, high) = (at(&rig, 0), at(&rig, 60));
    let half = egui::vec2(0.0, (low.y - high.y) * 0.5);
    rig.drag(&[high, high + half * 0.3, high + half * 0.8, high + half]);
    let now = keys(&mut rig);
    assert_eq!(now[1].0, 60);
    assert!((now[1].1 - 5.0).abs() < 0.1, "{now:?}");
    assert_eq!([now[0], now[2]], [(0, 2.0), (120, 4.0)]);
    assert_eq!(rig.labels(), ["Open", "Move keys"]);
    rig.editor().act(eddy::edit::Action::Undo);
    rig.steps();
    assert_eq!(rig.document(), before);
    // Not below what is allowed, and a hand that trembles means the time alone.
    let low = at(&rig, 0);
    rig.drag(&[
        low,
        low + egui::vec2(0.0, 90.0),
        low + egui::vec2(0.0, 400.0),
    ]);
    assert_eq!(keys(&mut rig)[0], (0, 0.0));
    rig.editor().act(eddy::edit::Action::Undo);
    rig.steps();
    let high = at(&rig, 60);
    rig.drag(&[
        high,
        high + egui::vec2(20.0, 3.0),
        high + egui::vec2(40.0, 3.0),
    ]);
    let now = keys(&mut rig);
    assert!(now[1].0 > 60 && now[1].1 == 8.0, "{now:?}");
}

#[test]
fn keys_are_moved_copied_and_deleted_by_the_keyboard() {
    let mut rig = rig_keyed();
    rig.harness
        .get_by_label("Key of vorticity confinement at frame 60")
        .focus();
    rig.steps();
    rig.harness.key_press(egui::Key::ArrowRight);
    rig.steps();
    assert_eq!(keys(&mut rig)[1], (61, 8.0));
    rig.harness
        .key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::ArrowLeft);
    rig.steps();
    assert_eq!(keys(&mut rig)[1], (51, 8.0));
    rig.click("Copy keys");
    go_to(&mut rig, 100);
    rig.click("Paste keys");
    assert_eq!(keys(&mut rig)[2], (100, 8.0));
    rig.click("Delete keys");
    assert_eq!(keys(&mut rig), [(0, 2.0), (51, 8.0), (120, 4.0)]);
    rig.harness
        .get_by_label("Key of vorticity confinement at frame 120")
        .focus();
    rig.steps();
    rig.harness.key_press(egui::Key::Delete);
    rig.steps();
    assert_eq!(keys(&mut rig), [(0, 2.0), (51, 8.0)]);
}

#[test]
fn the_picked_key_is_edited_in_full() {
    let mut rig = rig_keyed();
    rig.harness
        .get_by_label("Key of vorticity confinement at frame 60")
        .click();
    rig.steps();
    rig.choose("Interpolation of the picked keys", "Stepped");
    let way = |rig: &mut Rig<'_>| rig.document().animation.tracks[0].keys[1].interpolation;
    assert_eq!(way(&mut rig), Interpolation::Stepped);
    rig.drag_slider("Value", 0.8, 0.2);
    let now = keys(&mut rig);
    assert!(now[1].0 == 60 && now[1].1 < 4.0, "{now:?}");
    assert_eq!(rig.labels().len(), 3, "{:?}", rig.labels());
}

#[test]
fn a_wave_is_added_and_shown() {
    let mut rig = rig_keyed();
    rig.choose("Wave", "Oscillator");
    let d = rig.document();
    assert!(matches!(
        d.animation.tracks[0].modulator.wave,
        Wave::Oscillator(_)
    ));
    assert!(has(&rig, "Period") && has(&rig, "Amplitude"));
    assert!(!has(&rig, "Share x"), "a number has no components");
}

#[test]
fn the_ruler_goes_to_frames_and_keys_are_set_there() {
    let mut rig = rig_keyed();
    let rect = rig.harness.get_by_label("Timeline frame").rect();
    let at = rect.center();
    rig.drag(&[at, at]);
    let went = rig.fake.heard().into_iter().find_map(|c| match c {
        Command::GoTo(frame) => Some(frame),
        _ => None,
    });
    let frame = went.expect("the simulation is told");
    assert!((100..140).contains(&frame), "{frame}");
    // On the way there, keys are set at the end of the way.
    rig.click("Set key of vorticity confinement");
    assert!(keys(&mut rig).iter().any(|k| k.0 == frame));
    rig.click("To the key before");
    let before = keys(&mut rig)
        .iter()
        .map(|k| k.0)
        .filter(|k| *k < frame)
        .max();
    let heard = rig.fake.heard();
    assert!(
        heard
            .iter()
            .any(|c| matches!(c, Command::GoTo(f) if Some(*f) == before)),
        "{heard:?}"
    );
}

#[test]
fn tracks_are_switched_off_and_removed_and_go_with_their_item() {
    let mut d = keyed();
    d.scene.emitters.push(Default::default());
    d.animation.tracks.push(Track {
        path: "scene.emitters.1.softness".to_owned(),
        keys: vec![TrackKey {
            value: KeyValue::Number(0.1),
            ..TrackKey::default()
        }],
        ..Track::default()
    });
    let mut rig = rig_with(d, Answers::default());
    rig.show("Timeline");
    rig.click("Switch off track vorticity confinement");
    assert!(!rig.document().animation.tracks[0].enabled);
    rig.click("Remove track vorticity confinement");
    assert_eq!(rig.document().animation.tracks.len(), 1);
    let remove = eddy::edit::Edit::Remove(eddy::edit::List::Emitters, 0);
    let request = |edit| eddy::ui::editor::Request::Edit("Remove".to_owned(), vec![edit]);
    rig.editor().ask(request(remove.clone()));
    rig.steps();
    let path = rig.document().animation.tracks[0].path.clone();
    assert_eq!(path, "scene.emitters.0.softness");
    rig.editor().ask(request(remove));
    rig.steps();
    assert!(rig.document().animation.is_empty());
    rig.editor().act(eddy::edit::Action::Undo);
    rig.steps();
    assert_eq!(rig.document().animation.tracks.len(), 1);
}
