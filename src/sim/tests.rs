//! Tests of the simulation and of the runner's thread, with whatever method is the default.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::checkpoints::Checkpoints;
use super::{Checkpoint, Command, Fault, Runner, Simulation, Snapshot, State};
use crate::device::{Device, DeviceChoice, DeviceError};
use crate::document::Document;
use crate::scene::{Blend, Emitter};

pub(super) fn document() -> Document {
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (48, 40);
    document.scene.emitters.push(Emitter {
        velocity_blend: Blend::Replace,
        velocity: [0.4, 2.0, 0.0],
        ..Emitter::default()
    });
    document
}

fn simulation(document: Document) -> Simulation {
    let device = Device::new(DeviceChoice::Cpu).unwrap();
    Simulation::new(Arc::new(document), PathBuf::new(), device).unwrap()
}

pub(super) fn never() -> bool {
    false
}

fn dye_at(simulation: &mut Simulation, frame: u32) -> Vec<f32> {
    simulation.run_to(frame, &never).unwrap();
    simulation.field("dye").unwrap().data
}

#[test]
fn a_checkpoint_continues_bit_by_bit() {
    let mut simulation = simulation(document());
    dye_at(&mut simulation, 5);
    let checkpoint = simulation.checkpoint().unwrap();
    let first = dye_at(&mut simulation, 12);
    assert!(first.iter().any(|v| *v > 0.0));
    simulation.restore(&checkpoint).unwrap();
    assert_eq!(simulation.frame(), 5);
    assert_eq!(dye_at(&mut simulation, 12), first);
}

#[test]
fn reset_and_a_new_simulation_agree() {
    let mut one = simulation(document());
    let dye = dye_at(&mut one, 8);
    one.reset().unwrap();
    assert_eq!((one.frame(), one.time()), (0, 0.0));
    assert_eq!(dye_at(&mut one, 8), dye);
    assert_eq!(dye_at(&mut simulation(document()), 8), dye);
}

#[test]
fn warm_up_comes_before_time_zero() {
    let mut plain = simulation(document());
    let mut warm = document();
    warm.time.warm_up = 6;
    let mut warm = simulation(warm);
    assert!(warm.warming_up() && warm.time() < 0.0);
    let expected = dye_at(&mut plain, 6);
    assert_eq!(dye_at(&mut warm, 0), expected);
    assert_eq!(warm.time(), 0.0);
}

#[test]
fn fast_flow_takes_more_sub_steps_up_to_the_limit() {
    let mut fast = document();
    fast.scene.emitters[0].velocity = [0.0, 20.0, 0.0];
    fast.time.max_substeps = 2;
    let mut fast = simulation(fast);
    fast.step(&never).unwrap();
    assert_eq!(fast.step(&never).unwrap().substeps, 2);
    let mut slow = document();
    slow.scene.emitters.clear();
    let mut slow = simulation(slow);
    assert_eq!(slow.run_to(3, &never).unwrap().substeps, 1);
}

#[test]
fn live_changes_go_on_and_restart_changes_begin_again() {
    let mut simulation = simulation(document());
    simulation.run_to(4, &never).unwrap();
    let mut live = document();
    live.scene.emitters[0].dye = [0.2, 0.0, 0.0];
    assert!(
        !simulation
            .set_document(Arc::new(live.clone()), PathBuf::new())
            .unwrap()
    );
    assert_eq!(simulation.frame(), 4);
    live.scene.domain.cells_x = 32;
    assert!(
        simulation
            .set_document(Arc::new(live), PathBuf::new())
            .unwrap()
    );
    assert_eq!(
        (
            simulation.frame(),
            simulation.field("dye").unwrap().grid.cells[0]
        ),
        (0, 32)
    );
}

#[test]
fn what_is_not_finite_is_named() {
    let mut simulation = simulation(document());
    simulation.run_to(3, &never).unwrap();
    let mut poisoned = simulation.checkpoint().unwrap();
    let good = poisoned.clone();
    let name = poisoned.state[0].0;
    for value in &mut poisoned.state[0].1 {
        *value = f32::NAN;
    }
    simulation.restore(&poisoned).unwrap();
    let fault = simulation.step(&never).unwrap_err();
    assert!(
        matches!(fault, Fault::NotFinite { frame: 4, .. }),
        "{fault} after poisoning {name}"
    );
    simulation.restore(&good).unwrap();
    simulation.step(&never).unwrap();
}

#[test]
fn a_step_can_be_cancelled_and_a_missing_picture_is_an_error() {
    let mut one = simulation(document());
    assert!(matches!(one.step(&|| true), Err(Fault::Cancelled)));
    let mut missing = document();
    missing.scene.emitters[0].shape = crate::scene::Shape::Mask(crate::scene::MaskImage {
        image: "no/such/file.png".to_owned(),
        ..Default::default()
    });
    let device = Device::new(DeviceChoice::Cpu).unwrap();
    let fault = Simulation::new(Arc::new(missing), PathBuf::new(), device)
        .err()
        .unwrap();
    assert!(fault.to_string().contains("scene.emitters.0"), "{fault}");
}

#[test]
fn memory_is_refused_before_it_is_taken() {
    let mut device = Device::new(DeviceChoice::Cpu).unwrap();
    device.set_memory_limit(1 << 20);
    let mut large = document();
    (large.scene.domain.cells_x, large.scene.domain.cells_y) = (16384, 16384);
    let fault = Simulation::new(Arc::new(large), PathBuf::new(), device)
        .err()
        .unwrap();
    assert!(
        matches!(fault, Fault::Device(DeviceError::Memory { .. })),
        "{fault}"
    );
}

#[test]
fn a_document_that_needs_much_memory_waits_until_it_is_allowed() {
    let live = Watched::start(document(), DeviceChoice::Cpu);
    live.until("open", |s| !s.fields.is_empty());
    let mut large = document();
    (large.scene.domain.cells_x, large.scene.domain.cells_y) = (16384, 16384);
    let needed = large.memory_bytes();
    live.runner
        .send(Command::Document(Arc::new(large), PathBuf::new()));
    live.runner.send(Command::Play);
    let refused = live.until("refused", |s| matches!(s.state, State::Fault(..)));
    let State::Fault(Fault::Memory { needed: n, limit }, _) = &refused.state else {
        panic!("{:?}", refused.state);
    };
    assert_eq!((*n, *limit), (needed, 4 << 30));
    assert!(refused.fields.is_empty(), "no picture of another document");
    assert_eq!(refused.memory_bytes, 0);
    // Less than it needs changes nothing; another document that fits goes on.
    live.runner.send(Command::Memory(needed - 1));
    live.runner
        .send(Command::Document(Arc::new(document()), PathBuf::new()));
    live.until("fits", |s| {
        !matches!(s.state, State::Fault(..)) && !s.fields.is_empty()
    });
    // A limit below what it needs, raised.
    live.runner.send(Command::Memory(1 << 10));
    let mut other = document();
    other.scene.domain.cells_x += 8;
    let needed = other.memory_bytes();
    live.runner
        .send(Command::Document(Arc::new(other), PathBuf::new()));
    live.until("refused", |s| {
        matches!(s.state, State::Fault(Fault::Memory { .. }, _))
    });
    live.runner.send(Command::Memory(needed));
    live.until("allowed", |s| {
        !matches!(s.state, State::Fault(..)) && !s.fields.is_empty()
    });
}

#[test]
fn checkpoints_thin_out_within_their_budget() {
    let mut simulation = simulation(document());
    simulation.step(&never).unwrap();
    let one = simulation.checkpoint().unwrap();
    let mut kept = Checkpoints::new(one.bytes() * 8);
    for frame in 0..400 {
        if kept.wants(frame) {
            kept.keep(Checkpoint {
                frame,
                ..one.clone()
            });
        }
    }
    let frames = kept.frames();
    assert!(
        frames.len() <= 8 && frames[0] == 0 && frames[frames.len() - 1] >= 320,
        "{frames:?}"
    );
    assert_eq!(kept.before(3).map(|c| c.frame), Some(0));
    kept.forget_after(100);
    assert!(kept.frames().iter().all(|&f| f <= 100));
}

struct Watched {
    runner: Runner,
    woken: mpsc::Receiver<()>,
}

impl Watched {
    fn start(document: Document, device: DeviceChoice) -> Self {
        let (tell, woken) = mpsc::channel();
        let wake = move || _ = tell.send(());
        let runner = Runner::start(Arc::new(document), PathBuf::new(), device, wake).unwrap();
        Self { runner, woken }
    }
    fn until(&self, what: &str, reached: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let snapshot = self.runner.latest();
            if reached(&snapshot) {
                return snapshot;
            }
            assert!(
                Instant::now() < deadline,
                "{what}: {:?} at frame {}",
                snapshot.state,
                snapshot.frame
            );
            _ = self.woken.recv_timeout(Duration::from_millis(200));
        }
    }
}

fn paused_at(frame: u32) -> impl Fn(&Snapshot) -> bool {
    move |s| matches!(s.state, State::Paused) && s.frame == frame && s.serial > 0
}

#[test]
fn the_runner_plays_pauses_steps_goes_back_and_resets() {
    let watched = Watched::start(document(), DeviceChoice::Cpu);
    let runner = &watched.runner;
    watched.until("opened", |s| {
        matches!(s.state, State::Paused) && !s.fields.is_empty()
    });
    runner.send(Command::Speed(0.0));
    runner.send(Command::Play);
    watched.until("played", |s| s.frame >= 25 && s.history.len() > 5);
    runner.send(Command::Pause);
    let at = watched
        .until("paused", |s| matches!(s.state, State::Paused))
        .frame;
    runner.send(Command::Step);
    watched.until("stepped", paused_at(at + 1));
    runner.send(Command::GoTo(13));
    let snapshot = watched.until("went back", paused_at(13));
    let expected = dye_at(&mut simulation(document()), 13);
    assert_eq!(
        snapshot.field("dye").unwrap().data,
        expected,
        "going back gives the frame as it was"
    );
    assert!(snapshot.history.iter().all(|p| p.frame <= 13));
    runner.send(Command::Reset);
    watched.until("reset", paused_at(0));
}

#[test]
fn the_runner_never_makes_the_caller_wait() {
    let mut heavy = document();
    (heavy.scene.domain.cells_x, heavy.scene.domain.cells_y) = (1024, 1024);
    (heavy.time.cfl, heavy.time.max_substeps) = (0.05, 100);
    let watched = Watched::start(heavy, DeviceChoice::Cpu);
    watched.runner.send(Command::Play);
    let mut longest = Duration::ZERO;
    for i in 0..50 {
        let begin = Instant::now();
        drop(watched.runner.latest());
        watched.runner.send(if i % 2 == 0 {
            Command::Play
        } else {
            Command::Speed(0.0)
        });
        longest = longest.max(begin.elapsed());
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(longest < Duration::from_millis(50), "{longest:?}");
    watched.runner.send(Command::Pause);
    watched.runner.send(Command::Reset);
    let begin = Instant::now();
    watched.until("reset while it steps", paused_at(0));
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_document_that_cannot_run_is_a_fault_that_a_better_one_mends() {
    let mut missing = document();
    missing.scene.emitters[0].shape = crate::scene::Shape::Mask(crate::scene::MaskImage {
        image: "no/such/file.png".to_owned(),
        ..Default::default()
    });
    let watched = Watched::start(missing, DeviceChoice::Cpu);
    watched.until("fault", |s| {
        matches!(s.state, State::Fault(Fault::Scene(_), _))
    });
    watched
        .runner
        .send(Command::Document(Arc::new(document()), PathBuf::new()));
    watched.until("mended", |s| paused_at(0)(s) && !s.fields.is_empty());
}

#[test]
fn a_range_is_played_again_and_again() {
    let mut short = document();
    (short.time.first_frame, short.time.end_frame) = (2, 6);
    let watched = Watched::start(short, DeviceChoice::Cpu);
    watched.until("opened", paused_at(0));
    watched.runner.send(Command::Speed(0.0));
    watched.runner.send(Command::Loop(true));
    watched.runner.send(Command::Play);
    for _ in 0..3 {
        let end = watched.until("came to the end", |s| s.frame >= 5);
        assert!(end.frame <= 6, "{}", end.frame);
        watched.until("began again", |s| s.frame <= 4);
    }
    watched.runner.send(Command::Loop(false));
    watched.until("went beyond", |s| s.frame > 8);
}

#[test]
fn what_was_changed_under_way_is_said_until_the_beginning() {
    let watched = Watched::start(document(), DeviceChoice::Cpu);
    watched.until("opened", paused_at(0));
    watched.runner.send(Command::GoTo(3));
    watched.until("went on", |s| paused_at(3)(s) && !s.mixed);
    let mut live = document();
    live.scene.emitters[0].dye = [0.2, 0.0, 0.0];
    let live = Command::Document(Arc::new(live), PathBuf::new());
    watched.runner.send(live);
    watched.until("changed", |s| s.mixed);
    watched.runner.send(Command::GoTo(0));
    watched.until("went back", |s| paused_at(0)(s) && !s.mixed);
    watched.runner.send(Command::Step);
    watched.until("whole again", |s| paused_at(1)(s) && !s.mixed);
}

#[test]
fn a_later_key_leaves_the_run_true_and_an_earlier_one_is_run_again() {
    use crate::document::animation::{KeyValue, Track, TrackKey};
    let keyed = |frames: [u32; 4], last: f32| {
        let mut d = document();
        let key = |(i, frame): (usize, u32)| TrackKey {
            time: d.time.seconds(frame) as f32,
            value: KeyValue::Number(if i == 3 { last } else { 0.02 }),
            ..TrackKey::default()
        };
        let keys = frames.into_iter().enumerate().map(key).collect();
        d.animation.tracks.push(Track {
            path: "scene.emitters.0.softness".to_owned(),
            keys,
            ..Track::default()
        });
        d
    };
    let changed = |d: &Document| Command::Document(Arc::new(d.clone()), PathBuf::new());
    let watched = Watched::start(keyed([0, 8, 10, 12], 0.1), DeviceChoice::Cpu);
    watched.until("opened", paused_at(0));
    watched.runner.send(Command::GoTo(6));
    watched.until("went on", paused_at(6));
    let serial = watched.runner.latest().serial;
    watched.runner.send(changed(&keyed([0, 8, 10, 12], 0.2)));
    watched.until("later", |s| s.serial > serial && !s.mixed);
    let early = keyed([0, 2, 3, 4], 0.2);
    watched.runner.send(changed(&early));
    watched.until("earlier", |s| s.mixed);
    watched.runner.send(Command::GoTo(1));
    watched.until("went back", paused_at(1));
    watched.runner.send(Command::GoTo(6));
    let end = watched.until("ran again", |s| paused_at(6)(s) && !s.mixed);
    let expected = dye_at(&mut simulation(early), 6);
    assert_eq!(end.field("dye").unwrap().data, expected);
}

#[test]
fn a_device_that_has_no_room_leaves_the_run_on_the_one_before() {
    let mut simulation = simulation(document());
    simulation.run_to(2, &never).unwrap();
    let before = simulation.field("dye").unwrap();
    let mut small = Device::cpu_with_threads(1);
    small.set_memory_limit(1000);
    let fault = simulation.move_to(small, None).unwrap_err();
    assert!(matches!(fault, Fault::Device(_)), "{fault}");
    assert_eq!(simulation.field("dye").unwrap(), before);
    simulation.run_to(3, &never).unwrap();
}

#[test]
fn a_lost_gpu_is_replaced() {
    if let Err(DeviceError::NoAdapter(why)) = Device::new(DeviceChoice::Gpu) {
        return println!("skipped: {why}");
    }
    let mut small = document();
    (small.scene.domain.cells_x, small.scene.domain.cells_y) = (32, 32);
    let mut simulation = {
        let device = Device::new(DeviceChoice::Gpu).unwrap();
        Simulation::new(Arc::new(small), PathBuf::new(), device).unwrap()
    };
    simulation.run_to(3, &never).unwrap();
    let checkpoint = simulation.checkpoint().unwrap();
    let before = simulation.field("dye").unwrap();
    simulation.device().lose_for_test();
    let fault = simulation.run_to(5, &never).unwrap_err();
    assert!(
        matches!(fault, Fault::Device(DeviceError::Lost(_))),
        "{fault}"
    );
    simulation
        .move_to(Device::new(DeviceChoice::Gpu).unwrap(), Some(&checkpoint))
        .unwrap();
    assert_eq!(
        (simulation.frame(), simulation.field("dye").unwrap()),
        (3, before)
    );
    simulation.run_to(5, &never).unwrap();
}
