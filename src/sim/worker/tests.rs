//! The thread's work, done here step by step, on a GPU where there is one.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Goal, Worker};
use crate::device::{Device, DeviceChoice, DeviceError};
use crate::document::Document;
use crate::scene::{Blend, Emitter};
use crate::sim::Simulation;
use crate::sim::runner::{Board, Command, State};

/// A jet in a small box, with a fixed number of sub-steps.
fn document() -> Document {
    let mut document = Document::default();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (32, 32);
    document.time.max_substeps = 1;
    document.scene.emitters.push(Emitter {
        velocity_blend: Blend::Replace,
        velocity: [0.4, 2.0, 0.0],
        ..Emitter::default()
    });
    document
}

fn gpu() -> bool {
    match Device::new(DeviceChoice::Gpu) {
        Err(DeviceError::NoAdapter(why)) => {
            println!("skipped: {why}");
            false
        }
        _ => true,
    }
}

/// A worker that plays as fast as it goes.
fn playing(device: DeviceChoice) -> Worker {
    let board = Arc::new(Board::new(|| ()));
    let mut worker = Worker::new(Arc::new(document()), PathBuf::new(), device, board);
    worker.attempt(Worker::open);
    worker.obey(Command::Speed(0.0));
    worker.obey(Command::Play);
    worker
}

fn frames(worker: &mut Worker, n: u32) {
    for _ in 0..n {
        worker.attempt(Worker::go_on);
        assert!(worker.fault.is_none(), "{:?}", worker.fault);
    }
}

fn simulation(worker: &mut Worker) -> &mut Simulation {
    worker.simulation.as_mut().unwrap()
}

#[test]
fn playing_never_leaves_the_gpu_without_work() {
    if !gpu() {
        return;
    }
    let mut worker = playing(DeviceChoice::Gpu);
    frames(&mut worker, 1);
    let before = simulation(&mut worker).device().stalls();
    let (mut ahead, mut shown) = (0, 0);
    for frame in 2..=30 {
        worker.pictured -= std::time::Duration::from_millis(20);
        frames(&mut worker, 1);
        assert_eq!(worker.frame(), frame, "each time one frame is sent");
        let landed = worker.history.last().map_or(0, |point| point.frame);
        ahead += u32::from(landed < frame);
        let snapshot = worker.board.latest();
        assert!(snapshot.frame <= landed);
        shown = snapshot.frame;
    }
    println!("{ahead} of 29 frames were followed by another before they had landed");
    assert_eq!(simulation(&mut worker).device().stalls(), before);
    // Reports, pictures and checkpoints came all the same.
    assert!(worker.history.len() >= 28 && shown >= 27, "{shown}");
    worker.attempt(Worker::land_all);
    let history: Vec<u32> = worker.history.iter().map(|point| point.frame).collect();
    assert_eq!(history, (1..=30).collect::<Vec<u32>>());
    assert_eq!(worker.checkpoints.frames(), [10, 20, 30]);
}

#[test]
fn a_picture_belongs_to_its_frame() {
    if !gpu() {
        return;
    }
    let mut worker = playing(DeviceChoice::Gpu);
    let device = Device::new(DeviceChoice::Gpu).unwrap();
    let mut waits = Simulation::new(Arc::new(document()), PathBuf::new(), device).unwrap();
    let mut serial = 0;
    for _ in 0..12 {
        worker.pictured -= std::time::Duration::from_millis(20);
        frames(&mut worker, 1);
        let snapshot = worker.board.latest();
        if snapshot.serial == serial || snapshot.frame == 0 {
            continue;
        }
        serial = snapshot.serial;
        waits.run_to(snapshot.frame, &|| false).unwrap();
        let name = &worker.document.view.field;
        assert_eq!(**snapshot.field(name).unwrap(), waits.field(name).unwrap());
        let last = snapshot.history.last().unwrap();
        assert_eq!(last.frame, snapshot.frame);
        assert_eq!(
            (snapshot.time, snapshot.report.time),
            (waits.time(), waits.time())
        );
    }
    assert!(serial > 0 && waits.frame() >= 8);
    // Pausing shows the frame that was sent last.
    worker.obey(Command::Pause);
    worker.post();
    let snapshot = worker.board.latest();
    assert!(matches!(snapshot.state, State::Paused));
    assert_eq!((snapshot.frame, worker.under_way()), (12, 0));
    waits.run_to(12, &|| false).unwrap();
    let name = &worker.document.view.field;
    assert_eq!(**snapshot.field(name).unwrap(), waits.field(name).unwrap());
}

#[test]
fn a_gpu_that_is_lost_with_frames_under_way_is_replaced() {
    if !gpu() {
        return;
    }
    let mut worker = playing(DeviceChoice::Gpu);
    frames(&mut worker, 14);
    simulation(&mut worker).send(&|| false).unwrap_or_default();
    assert!(worker.under_way() > 0);
    simulation(&mut worker).device().lose_for_test();
    frames(&mut worker, 1);
    assert!(worker.notice.as_ref().is_some_and(|n| n.contains("lost")));
    assert_eq!(
        (worker.frame(), worker.under_way()),
        (10, 0),
        "the last checkpoint"
    );
    assert!(worker.history.iter().all(|point| point.frame <= 10));
    assert_eq!(worker.goal, Goal::Play);
    frames(&mut worker, 5);
    worker.attempt(Worker::land_all);
    assert_eq!(worker.history.last().unwrap().frame, 15);
}

#[test]
fn on_the_cpu_a_frame_lands_as_soon_as_it_was_sent() {
    let mut worker = playing(DeviceChoice::Cpu);
    for frame in 1..=5 {
        frames(&mut worker, 1);
        assert_eq!((worker.frame(), worker.under_way()), (frame, 0));
        assert_eq!(worker.history.last().unwrap().frame, frame);
    }
    // Each frame keeps what its kernels took, and what its pressure solves did of it.
    for point in &worker.history {
        let sum: f64 = point.kernels.iter().map(|k| k.ms).sum();
        let whole = f64::from(point.frame_ms);
        assert!(sum > 0.0 && sum <= whole * 1.01, "{sum} ms of {whole} ms");
        let solve = point.pressure_ms().expect("there is a pressure solve");
        assert!(solve > 0.0 && solve <= sum);
    }
}
