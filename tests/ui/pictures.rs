//! What the window looks like, drawn by whatever adapter there is.

use std::path::Path;
use std::time::Duration;

use eddy::document::Document;
use eddy::document::animation::{KeyValue, Track, TrackKey};
use eddy::edit::{Action, List};
use eddy::scene::Obstacle;
use eddy::sim::{Fault, State as Running};
use eddy::ui::dock::Workspace;
use eddy::ui::editor::Request;
use eddy::ui::welcome::Welcome;
use eddy::view::Picture;
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Answers, Rig, document, rig, rig_with};

/// The same state gives the same picture, to the byte, in both themes.
#[test]
fn the_same_state_gives_the_same_picture() {
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        for workspace in Workspace::ALL {
            let picture = || {
                let mut rig = rig();
                rig.harness.ctx.set_theme(theme);
                rig.editor().ask(Request::Workspace(workspace));
                settle(&mut rig);
                rig.harness.render()
            };
            let (Ok(first), Ok(second)) = (picture(), picture()) else {
                println!("skipped: no adapter can draw here");
                return;
            };
            assert_eq!(first.dimensions(), (1440, 900));
            // The line at the bottom says how fast this machine draws.
            let drawn = 1440 * 870;
            let different = first
                .pixels()
                .zip(second.pixels())
                .take(drawn)
                .filter(|(a, b)| a != b)
                .count();
            assert_eq!(different, 0, "{theme:?}, {workspace:?}: pixels differ");
            let pixel = first.get_pixel(5, 5);
            let bright = pixel.0[..3].iter().map(|c| u32::from(*c)).sum::<u32>() > 380;
            assert_eq!(bright, theme == egui::Theme::Light);
        }
    }
}

/// Pictures of the main states are kept at a quarter of their size, where glyph edges that drivers smooth each in their own
/// way do not show, and everything that is moved, missing or of another colour does.
#[test]
fn the_main_states_look_as_they_did() {
    let mut faults = Vec::new();
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        for (name, prepare) in STATES {
            let mut rig = rig_with(looked_at(), Answers::default());
            rig.harness.ctx.set_theme(theme);
            // No folder of this machine.
            rig.editor().bake.folder = "/textures".to_owned();
            prepare(&mut rig);
            settle(&mut rig);
            let Ok(picture) = rig.harness.render() else {
                println!("skipped: no adapter can draw here");
                return;
            };
            let (width, height) = picture.dimensions();
            let now = quarter(picture.as_raw(), width as usize, height as usize);
            let name = format!("{name}_{}.png", format!("{theme:?}").to_lowercase());
            if let Some(fault) = compare(&name, &now) {
                faults.push(fault);
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{}\nlook at what is under target/pictures; if it is meant, run the test with EDDY_UPDATE=1",
        faults.join("\n")
    );
}

type State = (&'static str, fn(&mut Rig<'_>));

/// What is looked at, in both themes.
const STATES: &[State] = &[
    ("look", |_| {}),
    ("first_run", |rig| rig.editor().welcome = Welcome::first()),
    ("bake", |rig| workspace(rig, Workspace::Bake)),
    ("compare", |rig| workspace(rig, Workspace::Compare)),
    ("timeline", |rig| {
        rig.show("Timeline");
        rig.harness
            .get_by_label("Key of vorticity confinement at frame 60")
            .click();
    }),
    ("cost", |rig| rig.show("Cost")),
    ("scene", |rig| {
        rig.editor().act(Action::SelectTool);
        let chosen = vec![(List::Obstacles, 0)];
        rig.editor().panels.scene.choose_all(chosen);
        rig.show("Scene");
    }),
    ("method", |rig| rig.show("Method")),
    ("changes", |rig| {
        rig.editor()
            .history
            .edit("Slower", |d| d.time.frame_rate = 24.0);
        rig.show("Changes");
    }),
    ("fault", |rig| {
        let fault = Fault::NotFinite {
            field: "velocity".to_owned(),
            cell: Some([3, 4, 0]),
            frame: 7,
        };
        rig.fake.change(|s| s.state = Running::Fault(fault, None));
    }),
    ("palette", |rig| rig.editor().act(Action::Palette)),
    ("keys", |rig| rig.editor().act(Action::Keys)),
    ("twice_as_large", |rig| rig.harness.ctx.set_zoom_factor(2.0)),
];

fn workspace(rig: &mut Rig<'_>, workspace: Workspace) {
    rig.editor().ask(Request::Workspace(workspace));
}

/// A scene with an obstacle, and a parameter with keys.
fn looked_at() -> Document {
    let mut d = document();
    d.name = "Looked at".to_owned();
    d.scene.obstacles.push(Obstacle::default());
    let key = |frame: u32, value| TrackKey {
        time: d.time.seconds(frame) as f32,
        value: KeyValue::Number(value),
        ..TrackKey::default()
    };
    let keys = vec![key(0, 2.0), key(60, 8.0)];
    d.animation.tracks.push(Track {
        path: "method.vorticity_confinement".to_owned(),
        keys,
        ..Track::default()
    });
    d
}

/// Hands are still, pictures of presets have arrived, and nothing is under way.
fn settle(rig: &mut Rig<'_>) {
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(10));
        rig.steps();
    }
}

/// The mean of each four by four pixels, without the line at the bottom that says how fast this machine draws.
fn quarter(rgba: &[u8], width: usize, height: usize) -> Picture {
    let (w, h) = (width / 4, (height - 32) / 4);
    let mut out = Vec::with_capacity(w * h * 4);
    for (j, i) in (0..h).flat_map(|j| (0..w).map(move |i| (j, i))) {
        for c in 0..3 {
            let at = |k: usize| rgba[((4 * j + k / 4) * width + 4 * i + k % 4) * 4 + c];
            out.push(((0..16).map(|k| u32::from(at(k))).sum::<u32>() / 16) as u8);
        }
        out.push(255);
    }
    Picture {
        width: w as u32,
        height: h as u32,
        rgba: out,
    }
}

/// Levels that do not count, and pixels that may differ by more: in the whole picture, and in any square of so many a side,
/// which is less than an icon has.
const LEVELS: u8 = 28;
const FEW: usize = 30;
const PATCH: [usize; 2] = [8, 6];

/// Says how a picture differs from the one that is kept, if it does; with `EDDY_UPDATE` it is kept instead.
fn compare(name: &str, now: &Picture) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kept = root.join("tests/ui/pictures").join(name);
    let png = now.png().expect("it has pixels");
    if std::env::var_os("EDDY_UPDATE").is_some() {
        std::fs::create_dir_all(kept.parent()?).expect("a folder");
        std::fs::write(&kept, png).expect("it is written");
        return None;
    }
    let different: Vec<usize> = match std::fs::read(&kept) {
        Ok(bytes) => {
            let mut decoder = zune_png::PngDecoder::new(std::io::Cursor::new(bytes));
            let before = decoder.decode_raw().expect("a PNG");
            let now: Vec<&[u8]> = now.rgba.chunks_exact(4).map(|p| &p[..3]).collect();
            if before.len() != now.len() * 3 {
                return Some(format!("{name} has another size"));
            }
            let far =
                |(a, b): (&[u8], &&[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > LEVELS);
            let pairs = before.chunks_exact(3).zip(&now).enumerate();
            pairs.filter(|(_, p)| far(*p)).map(|(i, _)| i).collect()
        }
        Err(e) => return Some(format!("{name}: {e}")),
    };
    let mut patches = std::collections::HashMap::<_, usize>::new();
    for i in &different {
        let [x, y] = [i % now.width as usize, i / now.width as usize];
        *patches.entry([x / PATCH[0], y / PATCH[0]]).or_default() += 1;
    }
    let most = patches.values().max().copied().unwrap_or(0);
    if different.len() <= FEW && most <= PATCH[1] {
        return None;
    }
    let out = root.join("target/pictures");
    let _ = std::fs::create_dir_all(&out).and_then(|()| std::fs::write(out.join(name), png));
    Some(format!(
        "{name}: {} pixels of a quarter of the size differ, {most} of them beside each other",
        different.len()
    ))
}
