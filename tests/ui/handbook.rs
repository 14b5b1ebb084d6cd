//! The pictures of the panels in `docs/panels`, which `docs/tour.md` shows: each in both themes, at 100 % and at 200 %.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use eddy::app::App;
use eddy::device::DeviceChoice;
use eddy::document::animation::KeyValue;
use eddy::edit::Edit;
use eddy::ui::dock::Workspace;
use eddy::ui::editor::Request;
use eddy::ui::panels::PANELS;
use eddy::ui::presets;
use eddy::ui::services::runner;
use eddy::view::Picture;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::Answers;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/panels")
}

/// Pixels of a window.
const SIZE: [f32; 2] = [1440.0, 900.0];
/// Pixels between pictures.
const GAP: u32 = 12;

/// With `EDDY_UPDATE` they are made anew, from a look that plays.
#[test]
fn the_tour_shows_every_panel() {
    if std::env::var_os("EDDY_UPDATE").is_some() {
        make();
    }
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tour.md");
    let tour = std::fs::read_to_string(tour).expect("a tour");
    for panel in PANELS {
        let (title, picture) = (panel.title, format!("panels/{}.png", panel.id));
        assert!(
            tour.contains(&format!("## {title}\n")),
            "{title} is not in the tour"
        );
        assert!(tour.contains(&picture), "{picture} is not in the tour");
        let there = folder().join(format!("{}.png", panel.id)).is_file();
        assert!(
            there,
            "docs/{picture} is missing; run the test with EDDY_UPDATE=1"
        );
    }
}

fn make() {
    std::fs::create_dir_all(folder()).expect("a folder");
    let mut all: Vec<Vec<Picture>> = PANELS.iter().map(|_| Vec::new()).collect();
    for scale in [1.0, 2.0] {
        for theme in [egui::Theme::Dark, egui::Theme::Light] {
            let mut harness = playing(scale, theme);
            for (panel, pictures) in PANELS.iter().zip(&mut all) {
                let of = match panel.id {
                    "compare" => Workspace::Compare,
                    _ => Workspace::Look,
                };
                let editor = harness.state_mut().editor();
                editor.ask(Request::Workspace(of));
                editor.ask(Request::Show(panel.id));
                settle(&mut harness);
                if panel.id == "texture" {
                    let there = |h: &mut Harness<'static, App>| {
                        h.query_by_label_contains("texels").is_some()
                    };
                    wait(&mut harness, "it is encoded", there);
                }
                let place = harness.state_mut().layout().place(panel.id);
                let place = place.expect("it is shown") * scale;
                let Ok(window) = harness.render() else {
                    println!("skipped: no adapter can draw here");
                    return;
                };
                pictures.push(cut(window.as_raw(), window.width(), place));
            }
        }
    }
    for (panel, pictures) in PANELS.iter().zip(&all) {
        let png = together(pictures).png().expect("it has pixels");
        std::fs::write(folder().join(format!("{}.png", panel.id)), png).expect("it is written");
    }
}

/// A look that has played for some frames, with a few changes.
fn playing(scale: f32, theme: egui::Theme) -> Harness<'static, App> {
    let names = presets::all();
    let at = names.iter().position(|p| p.name.contains("Wind"));
    let mut document = presets::document(at.unwrap_or(0)).expect("a look");
    for (frame, value) in [(0, 0.5), (70, 3.0), (160, 1.0)] {
        let time = document.time.seconds(frame);
        let path = "method.vorticity_confinement".to_owned();
        let key = Edit::SetKey(path, time, KeyValue::Number(value));
        key.apply(&mut document).expect("it can be animated");
    }
    let mut harness = Harness::builder()
        .with_size(egui::Vec2::from(SIZE) / scale)
        .with_pixels_per_point(scale)
        .allow_missing_glyphs()
        .build_eframe(move |cc| {
            let dialogs = Arc::new(Answers::default());
            let start = runner(DeviceChoice::Cpu);
            App::new(cc, document, None, start, dialogs, Instant::now())
                .expect("a thread for the simulation")
        });
    harness.ctx.set_theme(theme);
    let editor = harness.state_mut().editor();
    editor
        .history
        .edit("Softer shading", |d| d.view.shading = 0.2);
    // No folder of this machine.
    editor.bake.folder = "/textures".to_owned();
    wait(&mut harness, "it plays", |h| {
        h.state_mut().editor().snapshot.frame >= 60
    });
    let editor = harness.state_mut().editor();
    editor.tell(eddy::sim::Command::Pause);
    editor
        .panels
        .timeline
        .choose("method.vorticity_confinement");
    editor.ask(Request::Workspace(Workspace::Compare));
    settle(&mut harness);
    harness.get_by_label("Run comparison").click();
    let compared = |h: &mut Harness<'static, App>| h.state_mut().editor().compare.results.is_some();
    wait(&mut harness, "it is compared", compared);
    harness
}

/// Goes on until something has come.
fn wait(
    harness: &mut Harness<'static, App>,
    what: &str,
    there: impl Fn(&mut Harness<'static, App>) -> bool,
) {
    let begin = Instant::now();
    while !there(harness) {
        assert!(begin.elapsed().as_secs() < 300, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
        harness.run_steps(1);
    }
}

fn settle(harness: &mut Harness<'static, App>) {
    for _ in 0..30 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        harness.run_steps(1);
    }
}

/// A part of a picture.
fn cut(rgba: &[u8], width: u32, place: egui::Rect) -> Picture {
    let height = rgba.len() as u32 / 4 / width;
    let [left, right] = [place.left(), place.right()].map(|x| (x as u32).min(width));
    let [top, bottom] = [place.top(), place.bottom()].map(|y| (y as u32).min(height));
    let row = |y: u32| {
        let [from, to] = [left, right].map(|x| ((y * width + x) * 4) as usize);
        &rgba[from..to]
    };
    Picture {
        width: right - left,
        height: bottom - top,
        rgba: (top..bottom).flat_map(row).copied().collect(),
    }
}

/// Two rows: dark and light at 100 %, dark and light at 200 %.
fn together(pictures: &[Picture]) -> Picture {
    let rows: Vec<&[Picture]> = pictures.chunks(2).collect();
    let wide = |row: &[Picture]| row.iter().map(|p| p.width + GAP).sum::<u32>() - GAP;
    let high = |row: &[Picture]| row.iter().map(|p| p.height).max().unwrap_or(0);
    let width = rows.iter().map(|r| wide(r)).max().unwrap_or(1);
    let height = rows.iter().map(|r| high(r) + GAP).sum::<u32>() - GAP;
    let mut rgba = vec![128; (width * height * 4) as usize];
    let mut top = 0;
    for row in rows {
        let mut left = 0;
        for picture in row {
            let lines = picture.rgba.chunks_exact((picture.width * 4) as usize);
            for (y, line) in (top..).zip(lines) {
                let at = ((y * width + left) * 4) as usize;
                rgba[at..at + line.len()].copy_from_slice(line);
            }
            left += picture.width + GAP;
        }
        top += high(row) + GAP;
    }
    Picture {
        width,
        height,
        rgba,
    }
}
