//! The interface with a real simulation behind it: it must not wait for it.

use std::process::Command as Process;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eddy::app::App;
use eddy::device::DeviceChoice;
use eddy::document::Document;
use eddy::sim::Command;
use eddy::ui::services::runner;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::Answers;

fn live(document: Document) -> Harness<'static, App> {
    live_on(DeviceChoice::Cpu, document)
}

fn live_on(device: DeviceChoice, document: Document) -> Harness<'static, App> {
    Harness::builder()
        .with_size([1280.0, 800.0])
        .allow_missing_glyphs()
        .build_eframe(move |cc| {
            App::new(
                cc,
                document,
                None,
                runner(device),
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

fn plays_and_is_reset(device: DeviceChoice) {
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (32, 32);
    document.scene.emitters.push(Default::default());
    let mut harness = live_on(device, document);
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

#[test]
fn a_look_plays_and_is_reset() {
    plays_and_is_reset(DeviceChoice::Cpu);
}

#[test]
fn a_look_plays_on_a_gpu_and_is_reset() {
    if let Some(dev) = crate::kernels::gpu() {
        drop(dev);
        plays_and_is_reset(DeviceChoice::Gpu);
    }
}

/// Iterations of the pressure solve with which a step of a 512² box takes two seconds and more.
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
        if ms > 2000.0 || most >= 100_000 {
            return (document, ms);
        }
        most = ((most as f32 * 2400.0 / ms.max(1.0)) as u32).clamp(most * 2, 100_000);
    }
}

/// What has been done since the start, ms; zero where the system does not tell.
#[derive(Clone, Copy, Default)]
struct Spent {
    /// This thread on a processor.
    here: f64,
    /// This thread ready to run while the processors had others.
    waiting: f64,
    /// All threads of this process on processors.
    process: f64,
    /// All processors, whoever had them.
    machine: f64,
}

impl Spent {
    fn now() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let numbers = |text: &str, skip: usize| -> Vec<f64> {
            let parts = text.split_whitespace().skip(skip);
            parts.map_while(|n| n.parse().ok()).collect()
        };
        let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0);
        // Nanoseconds on a processor and waiting for one.
        let thread = read("/proc/thread-self/schedstat");
        let ns: Vec<f64> = thread
            .split_whitespace()
            .map_while(|n| n.parse().ok())
            .collect();
        let ns = |i: usize| ns.get(i).map_or(0.0, |n| n * 1e-6);
        // Ticks of 10 ms. After the name, in brackets: state, ten numbers, then those in user and in system mode.
        let process = read("/proc/self/stat");
        let process = numbers(process.rsplit(')').next().unwrap_or_default(), 1);
        // user, nice, system, idle, iowait, irq, softirq, steal.
        let machine = read("/proc/stat");
        let machine = numbers(&machine, 1);
        let busy = [0, 1, 2, 5, 6, 7].map(|i| at(&machine, i));
        Self {
            here: ns(0),
            waiting: ns(1),
            process: (at(&process, 10) + at(&process, 11)) * 10.0,
            machine: busy.iter().sum::<f64>() * 10.0,
        }
    }

    /// What of the time since `before` this thread waited for other programs. Who had the processors while it waited is
    /// not told; it waited for other programs as far as they had what it did not have, and for threads of Eddy as far as
    /// those had it.
    fn kept_by_others(&self, before: &Self) -> f64 {
        let waited = self.waiting - before.waiting;
        let others = (self.machine - before.machine) - (self.process - before.process);
        let own = (self.process - before.process) - (self.here - before.here);
        let (others, own) = (others.max(0.0), own.max(0.0));
        waited * others / (others + own).max(f64::MIN_POSITIVE)
    }

    /// The share of all work since `before` that other programs did.
    fn share_of_others(&self, before: &Self) -> f64 {
        let machine = self.machine - before.machine;
        let process = self.process - before.process;
        ((machine - process) / machine.max(1.0)).max(0.0)
    }
}

/// What a picture took, ms.
struct Picture {
    /// On the clock.
    wall: f32,
    /// The same without what other programs took: work of the interface and waiting for locks, files, and threads of Eddy.
    own: f32,
}

/// Pictures, and the share of other programs in what the machine did meanwhile.
struct Pictures {
    all: Vec<Picture>,
    others: f64,
}

/// Draws as a screen asks for it, for `seconds`.
fn pictures(harness: &mut Harness<'static, App>, seconds: f32) -> Pictures {
    pictures_while(harness, seconds, |_, _| {})
}

/// The same; before each picture the hand does something, which is told how much of the time has passed, from 0 to 1.
fn pictures_while(
    harness: &mut Harness<'static, App>,
    seconds: f32,
    mut hand: impl FnMut(&mut Harness<'static, App>, f32),
) -> Pictures {
    let (begin, start) = (Instant::now(), Spent::now());
    let mut all = Vec::new();
    while begin.elapsed().as_secs_f32() < seconds {
        hand(harness, begin.elapsed().as_secs_f32() / seconds);
        let before = Spent::now();
        let frame = Instant::now();
        harness.run_steps(1);
        let wall = frame.elapsed().as_secs_f32() * 1e3;
        let own = wall - Spent::now().kept_by_others(&before) as f32;
        all.push(Picture { wall, own });
        // What the editor shows as its work is a part of it.
        let shown = harness.state_mut().editor().meter.last_ms;
        assert!(shown <= wall, "{shown} ms of {wall} ms");
        std::thread::sleep(Duration::from_millis(16).saturating_sub(frame.elapsed()));
    }
    Pictures {
        all,
        others: Spent::now().share_of_others(&start),
    }
}

/// Less than this share of other programs is a machine that has nothing else to do.
const IDLE: f64 = 0.1;

/// More than this share is a machine on which the clock tells of the others alone: it is looked at again.
const TAKEN: f64 = 0.5;
const LOOKS: usize = 4;

/// The pictures of a moment in which most of the machine belongs to the editor; of the last one, if there is none.
fn pictures_when_quiet(harness: &mut Harness<'static, App>, seconds: f32) -> Pictures {
    for _ in 1..LOOKS {
        let all = pictures(harness, seconds);
        if all.others < TAKEN {
            return all;
        }
    }
    pictures(harness, seconds)
}

/// The interface promises its next picture within 50 ms: of its own time at most one of sixty may be longer; on the clock
/// one of ten, because the machine that tests may be busy with something else, and one of sixty where it is not.
fn assert_quick(what: &str, pictures: &Pictures) {
    let Pictures {
        all: pictures,
        others,
    } = pictures;
    let n = pictures.len();
    let beyond = |ms: &dyn Fn(&Picture) -> f32| pictures.iter().filter(|p| ms(p) > 50.0).count();
    let (own, wall) = (beyond(&|p| p.own), beyond(&|p| p.wall));
    let worst = |ms: &dyn Fn(&Picture) -> f32| pictures.iter().map(ms).fold(0.0, f32::max);
    println!(
        "{what}: {n} pictures, worst {:.1} ms of its own and {:.1} ms on the clock; {own} and {wall} beyond 50 ms; \
         {:.0} % of the work was that of other programs",
        worst(&|p| p.own),
        worst(&|p| p.wall),
        others * 100.0
    );
    assert!(n >= 60, "{what}: only {n} pictures");
    assert!(own <= n / 60, "{what}: {own} of {n} beyond 50 ms");
    let most = if *others < IDLE { n / 60 } else { n / 10 };
    assert!(
        wall <= most,
        "{what}: {wall} of {n} beyond 50 ms on the clock"
    );
}

/// Whether this process has nothing to do but the test of that name. Where there are other tests, a process of its own
/// does it: their threads are not the editor's.
fn alone(test: &str) -> bool {
    const ALONE: &str = "EDDY_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let module = module_path!().split_once("::").expect("in a crate").1;
    let output = Process::new(std::env::current_exe().expect("this test has a file"))
        .args([&format!("{module}::{test}"), "--exact", "--nocapture"])
        .env(ALONE, "yes")
        .output()
        .expect("this test can be run again");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    println!("{said}{complained}");
    assert!(output.status.success(), "{said}{complained}");
    assert!(said.contains("1 passed"), "{said}");
    false
}

#[test]
fn nothing_waits_for_a_step_of_two_seconds() {
    if !alone("nothing_waits_for_a_step_of_two_seconds") {
        return;
    }
    let (document, step_ms) = slow();
    let mut harness = live(document);
    wait(&mut harness, "a frame", |app| {
        app.editor().snapshot.frame >= 1
    });
    assert_quick(
        &format!("a step takes {step_ms:.0} ms"),
        &pictures_when_quiet(&mut harness, 4.0),
    );
    let mut slowest = 0.0_f64;
    for _ in 0..4 {
        for (name, what) in CLICKS {
            slowest = slowest.max(answered(&mut harness, name, what));
        }
    }
    println!("clicks are answered within {slowest:.0} ms");
}

/// What is clicked, and a number that is another one when the click has been answered.
type Click = (&'static str, fn(&mut App) -> usize);

const CLICKS: [Click; 4] = [
    ("Select tool", |app| {
        app.editor().panels.viewport.handles.tool as usize
    }),
    ("Snap", |app| {
        usize::from(app.editor().panels.viewport.handles.snap)
    }),
    ("Brush tool", |app| {
        app.editor().panels.viewport.handles.tool as usize
    }),
    ("Keep strokes", |app| {
        usize::from(app.editor().panels.brush.keep)
    }),
];

/// From the press of the button to the picture that shows what came of it, ms: its own time is less than 100.
fn answered(harness: &mut Harness<'static, App>, name: &str, what: fn(&mut App) -> usize) -> f64 {
    // Each tool has its buttons while it is held: those clicked here follow each other so.
    let at = harness.get_by_label(name).rect().center();
    harness.hover_at(at);
    harness.run_steps(1);
    let before = what(harness.state_mut());
    let (begin, start) = (Instant::now(), Spent::now());
    harness.drag_at(at);
    harness.drop_at(at);
    while what(harness.state_mut()) == before {
        harness.run_steps(1);
        assert!(
            begin.elapsed() < Duration::from_secs(10),
            "no answer: {name}"
        );
    }
    let wall = begin.elapsed().as_secs_f64() * 1e3;
    let own = wall - Spent::now().kept_by_others(&start);
    assert!(
        own < 100.0,
        "{name} is answered after {own:.0} ms, {wall:.0} on the clock"
    );
    wall
}

/// The picture goes on, and all of it is one step that can be taken back exactly.
#[test]
fn a_slider_is_dragged_for_ten_seconds() {
    if !alone("a_slider_is_dragged_for_ten_seconds") {
        return;
    }
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (192, 192);
    document.scene.emitters.push(Default::default());
    let mut harness = live(document);
    wait(&mut harness, "a frame", |app| {
        app.editor().snapshot.frame >= 1
    });
    let text = |app: &mut App| eddy::document::to_ron(app.editor().document()).expect("RON");
    let before = text(harness.state_mut());
    let rect = harness
        .get_by_role_and_label(egui::Role::Slider, "Vorticity confinement")
        .rect();
    let at = |share: f32| egui::pos2(rect.left() + rect.width() * share, rect.center().y);
    harness.hover_at(at(0.1));
    harness.run_steps(1);
    harness.drag_at(at(0.1));
    harness.run_steps(1);
    let mut values = std::collections::BTreeSet::new();
    let all = pictures_while(&mut harness, 10.0, |harness, share| {
        let document = harness.state_mut().editor().document().clone();
        let value = eddy::params::get(&*document, "method.vorticity_confinement");
        values.insert(format!("{value:?}"));
        harness.hover_at(at(0.5 - 0.4 * (share * 20.0).cos()));
    });
    harness.drop_at(at(0.9));
    harness.run_steps(3);
    assert!(values.len() > 20, "it moves: {} values", values.len());
    let editor = harness.state_mut().editor();
    let labels: Vec<_> = editor.history.labels().map(str::to_owned).collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert_ne!(text(harness.state_mut()), before);
    harness.state_mut().editor().act(eddy::edit::Action::Undo);
    harness.run_steps(2);
    assert_eq!(text(harness.state_mut()), before);
    assert_quick("a slider is dragged", &all);
}

#[test]
fn pictures_do_not_wait_for_a_bake() {
    if !alone("pictures_do_not_wait_for_a_bake") {
        return;
    }
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
