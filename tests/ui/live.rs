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

/// The median, because the machine that tests may be busy with something else; the worst must still be far from a step.
#[test]
fn frames_do_not_wait_for_a_slow_step() {
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (512, 512);
    document.scene.emitters.push(Default::default());
    document.method = eddy::solvers::MethodParams::default();
    let path = "pressure.iterations";
    let mut most = 400;
    let mut harness = loop {
        eddy::params::set(&mut document.method, path, &most.to_string())
            .expect("the default method iterates");
        let mut harness = live(document.clone());
        wait(&mut harness, "a frame", |app| {
            app.editor().snapshot.frame >= 1
        });
        let ms = harness.state_mut().editor().snapshot.frame_ms;
        if ms > 600.0 || most >= 100_000 {
            break harness;
        }
        most = ((most as f32 * 900.0 / ms.max(1.0)) as u32).clamp(most * 2, 100_000);
    };
    let step_ms = harness.state_mut().editor().snapshot.frame_ms;
    let begin = Instant::now();
    let mut frames = Vec::new();
    while begin.elapsed() < Duration::from_secs(3) {
        let frame = Instant::now();
        harness.run_steps(1);
        frames.push(frame.elapsed().as_secs_f32() * 1e3);
    }
    frames.sort_by(f32::total_cmp);
    let (median, worst) = (frames[frames.len() / 2], frames[frames.len() - 1]);
    println!(
        "a step takes {step_ms:.0} ms; {} pictures, median {median:.1} ms, worst {worst:.1} ms",
        frames.len()
    );
    assert!(median < 50.0, "median {median} ms");
    assert!(
        worst < step_ms * 0.8,
        "worst {worst} ms beside a step of {step_ms} ms"
    );
}
