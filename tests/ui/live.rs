//! The interface with a real simulation behind it: it must not wait for it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eddy::app::App;
use eddy::device::DeviceChoice;
use eddy::document::Document;
use eddy::sim::Command;
use eddy::ui::services::runner;
use egui_kittest::Harness;

use crate::ui::support::Answers;

fn live(document: Document) -> Harness<'static, App> {
    Harness::builder()
        .with_size([1280.0, 800.0])
        .allow_missing_glyphs()
        .build_eframe(move |cc| {
            App::new(
                cc,
                document,
                None,
                runner(DeviceChoice::Cpu),
                Arc::new(Answers::default()),
                Instant::now(),
            )
            .expect("a thread for the simulation")
        })
}

fn wait(harness: &mut Harness<'static, App>, what: &str, holds: impl Fn(&mut App) -> bool) {
    let begin = Instant::now();
    while !holds(harness.state_mut()) {
        assert!(begin.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
        harness.run_steps(1);
    }
}

#[test]
fn a_look_plays_and_is_reset() {
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (32, 32);
    document.scene.emitters.push(Default::default());
    let mut harness = live(document);
    wait(&mut harness, "five frames", |app| {
        app.editor().snapshot.frame >= 5
    });
    let field = harness.state_mut().editor().snapshot.field("dye").cloned();
    let dye = field.expect("the dye is shown");
    assert!(dye.stats().max > 0.0, "the emitter emits");
    let editor = harness.state_mut().editor();
    editor.tell(Command::Pause);
    editor.tell(Command::Reset);
    wait(&mut harness, "frame 0", |app| {
        app.editor().snapshot.frame == 0
    });
}

/// Iterations of the pressure solve with which a step of a 512² box takes a second and more.
fn slow() -> (Document, f32) {
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (512, 512);
    document.scene.emitters.push(Default::default());
    document.method = eddy::solvers::MethodParams::default();
    let mut most = 400;
    loop {
        eddy::params::set(
            &mut document.method,
            "pressure.iterations",
            &most.to_string(),
        )
        .expect("the default method iterates");
        let mut harness = live(document.clone());
        wait(&mut harness, "two frames", |app| {
            app.editor().snapshot.frame >= 2
        });
        let ms = harness.state_mut().editor().snapshot.frame_ms;
        if ms > 1000.0 || most >= 100_000 {
            return (document, ms);
        }
        most = ((most as f32 * 1300.0 / ms.max(1.0)) as u32).clamp(most * 2, 100_000);
    }
}

/// For how long this thread was ready to run and the processor was somebody else's, ms; zero where that is not told.
fn kept_waiting() -> f32 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ns = text.split_whitespace().nth(1).and_then(|n| n.parse().ok());
    ns.unwrap_or(0.0_f64) as f32 * 1e-6
}

/// What a picture took, ms.
struct Picture {
    /// On the clock.
    wall: f32,
    /// Work of the interface and waiting for locks, threads or files, without what other programs took.
    own: f32,
}

/// Draws as a screen asks for it, for `seconds`.
fn pictures(harness: &mut Harness<'static, App>, seconds: f32) -> Vec<Picture> {
    let begin = Instant::now();
    let mut all = Vec::new();
    while begin.elapsed().as_secs_f32() < seconds {
        let (frame, before) = (Instant::now(), kept_waiting());
        harness.run_steps(1);
        let wall = frame.elapsed().as_secs_f32() * 1e3;
        let own = wall - (kept_waiting() - before);
        all.push(Picture { wall, own });
        // What the editor shows as its work is a part of it.
        let shown = harness.state_mut().editor().meter.last_ms;
        assert!(shown <= wall, "{shown} ms of {wall} ms");
        std::thread::sleep(Duration::from_millis(16).saturating_sub(frame.elapsed()));
    }
    all
}

/// The interface promises its next picture within 50 ms: of its own time at most one of sixty may be longer; on the clock
/// one of ten, because the machine that tests may be busy with something else.
fn assert_quick(what: &str, pictures: &[Picture]) {
    let n = pictures.len();
    let beyond = |ms: &dyn Fn(&Picture) -> f32| pictures.iter().filter(|p| ms(p) > 50.0).count();
    let (own, wall) = (beyond(&|p| p.own), beyond(&|p| p.wall));
    let worst = |ms: &dyn Fn(&Picture) -> f32| pictures.iter().map(ms).fold(0.0, f32::max);
    println!(
        "{what}: {n} pictures, worst {:.1} ms of its own and {:.1} ms on the clock; {own} and {wall} beyond 50 ms",
        worst(&|p| p.own),
        worst(&|p| p.wall)
    );
    assert!(n >= 60, "{what}: only {n} pictures");
    assert!(own <= n / 60, "{what}: {own} of {n} beyond 50 ms");
    assert!(
        wall <= n / 10,
        "{what}: {wall} of {n} beyond 50 ms on the clock"
    );
}

#[test]
fn pictures_do_not_wait_for_a_step_of_a_second() {
    let (document, step_ms) = slow();
    let mut harness = live(document);
    wait(&mut harness, "a frame", |app| {
        app.editor().snapshot.frame >= 1
    });
    assert_quick(
        &format!("a step takes {step_ms:.0} ms"),
        &pictures(&mut harness, 4.0),
    );
}

#[test]
fn pictures_do_not_wait_for_a_bake() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (512, 512);
    document.scene.emitters.push(Default::default());
    document.time.end_frame = 400;
    let mut harness = live(document);
    wait(&mut harness, "a frame", |app| {
        app.editor().snapshot.frame >= 1
    });
    let editor = harness.state_mut().editor();
    editor.act(eddy::edit::Action::Bake);
    editor.bake.folder = dir.path().display().to_string();
    eddy::ui::bake_job::start(editor);
    // The simulation plays on beside it.
    let all = pictures(&mut harness, 4.0);
    let editor = harness.state_mut().editor();
    assert!(editor.bake.running(), "{:?}", editor.bake.stage);
    editor.bake.cancel();
    wait(&mut harness, "cancelled", |app| {
        !app.editor().bake.running()
    });
    assert_quick("a bake runs", &all);
}
