//! Documents in which something changes with time, from beginning to end on the CPU.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eddy::bake::{BakeOptions, Progress, run};
use eddy::device::{Device, DeviceChoice};
use eddy::document::animation::{Interpolation, KeyValue, Noise, Track, TrackKey, Wave};
use eddy::document::{Document, Output};
use eddy::params::{self, Value};
use eddy::scene::{Blend, Emitter, Obstacle};
use eddy::sim::Simulation;

/// A jet in a small box.
fn still() -> Document {
    let mut d = Document::default();
    (d.scene.domain.cells_x, d.scene.domain.cells_y) = (40, 32);
    d.scene.emitters.push(Emitter {
        velocity_blend: Blend::Replace,
        velocity: [0.6, 2.0, 0.0],
        temperature_blend: Blend::Clamp,
        ..Emitter::default()
    });
    d.scene.obstacles.push(Obstacle::default());
    d.time.end_frame = 12;
    d
}

fn track(path: &str, keys: &[(f32, KeyValue)]) -> Track {
    let keys = keys.iter().map(|(time, value)| TrackKey {
        time: *time,
        value: value.clone(),
        interpolation: Interpolation::Linear,
    });
    Track {
        path: path.to_owned(),
        keys: keys.collect(),
        ..Track::default()
    }
}

fn number(v: f32) -> KeyValue {
    KeyValue::Number(v)
}

/// The same with tracks on the scene, the method and a moving obstacle.
fn animated() -> Document {
    let mut d = still();
    let mut wind = track("scene.emitters.0.velocity", &[]);
    wind.modulator.wave = Wave::Noise(Noise::default());
    wind.modulator.amplitude = 0.5;
    d.animation.tracks = vec![
        track(
            "method.dye_dissipation",
            &[(0.0, number(0.0)), (0.15, number(6.0))],
        ),
        track(
            "scene.obstacles.0.position",
            &[
                (0.0, KeyValue::Triple([0.4, 0.6, 0.0])),
                (0.2, KeyValue::Triple([0.6, 0.6, 0.0])),
            ],
        ),
        wind,
    ];
    assert_eq!(eddy::document::problems(&d), []);
    d
}

fn simulation(document: Document) -> Simulation {
    let device = Device::new(DeviceChoice::Cpu).unwrap();
    Simulation::new(Arc::new(document), PathBuf::new(), device).unwrap()
}

fn field(simulation: &mut Simulation, name: &str, frame: u32) -> Vec<u32> {
    simulation.run_to(frame, &|| false).unwrap();
    let data = simulation.field(name).unwrap().data;
    data.into_iter().map(f32::to_bits).collect()
}

#[test]
fn what_is_animated_changes_the_run_and_repeats_to_the_bit() {
    let first = field(&mut simulation(animated()), "dye", 10);
    assert_eq!(field(&mut simulation(animated()), "dye", 10), first);
    assert_ne!(field(&mut simulation(still()), "dye", 10), first);
    for gone in 0..3 {
        let mut fewer = animated();
        fewer.animation.tracks[gone].enabled = false;
        let other = field(&mut simulation(fewer), "dye", 10);
        assert_ne!(other, first, "track {gone} does nothing");
    }
}

#[test]
fn a_checkpoint_of_an_animated_run_continues_bit_by_bit() {
    let mut one = simulation(animated());
    field(&mut one, "dye", 4);
    let checkpoint = one.checkpoint().unwrap();
    let first = field(&mut one, "velocity", 11);
    one.restore(&checkpoint).unwrap();
    assert_eq!(field(&mut one, "velocity", 11), first);
    one.reset().unwrap();
    assert_eq!(field(&mut one, "velocity", 11), first);
}

#[test]
fn a_track_that_stays_is_the_same_as_the_value() {
    let path = "method.dye_dissipation";
    let mut value = still();
    params::set_value(&mut value, path, &Value::Float(3.0));
    let mut keyed = still();
    keyed.animation.tracks = vec![track(path, &[(0.05, number(3.0))])];
    let expected = field(&mut simulation(value), "dye", 8);
    assert_eq!(field(&mut simulation(keyed), "dye", 8), expected);
    // And where nothing is switched on, nothing changes.
    let mut off = animated();
    off.animation
        .tracks
        .iter_mut()
        .for_each(|t| t.enabled = false);
    let plain = field(&mut simulation(still()), "dye", 8);
    assert_eq!(field(&mut simulation(off), "dye", 8), plain);
}

#[test]
fn tracks_are_taken_over_without_a_restart() {
    let mut one = simulation(still());
    field(&mut one, "dye", 3);
    let animated = Arc::new(animated());
    let restarted = one.set_document(animated, PathBuf::new()).unwrap();
    assert!(!restarted && one.frame() == 3);
    let with = field(&mut one, "dye", 10);
    assert_ne!(with, field(&mut simulation(still()), "dye", 10));
}

#[test]
fn a_moving_obstacle_pushes_the_fluid_and_a_resting_one_does_not() {
    let mut d = still();
    d.scene.emitters.clear();
    d.animation.tracks = vec![track(
        "scene.obstacles.0.position",
        &[
            (0.0, KeyValue::Triple([0.3, 0.5, 0.0])),
            (1.0, KeyValue::Triple([0.7, 0.5, 0.0])),
        ],
    )];
    let fastest = |simulation: &mut Simulation| {
        simulation.run_to(6, &|| false).unwrap();
        let data = simulation.field("velocity").unwrap().data;
        data.into_iter().fold(0.0_f32, |m, v| m.max(v.abs()))
    };
    let moved = fastest(&mut simulation(d.clone()));
    // It goes at 0.4 m/s.
    assert!((0.2..1.2).contains(&moved), "{moved}");
    d.animation.tracks[0].keys.truncate(1);
    assert_eq!(fastest(&mut simulation(d)), 0.0);
}

fn bake(document: &Document, out: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let device = Device::new(DeviceChoice::Cpu).unwrap();
    let mut progress = |_: Progress| true;
    let document = Arc::new(document.clone());
    let options = BakeOptions::default();
    run(
        &document,
        Path::new("."),
        out,
        0..12,
        device,
        &options,
        &mut progress,
    )
    .unwrap();
    let mut files: Vec<_> = std::fs::read_dir(out)
        .unwrap()
        .flatten()
        .filter(|e| e.path().extension().is_some_and(|e| e == "png"))
        .map(|e| (e.file_name().into(), std::fs::read(e.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_bake_follows_the_tracks_and_repeats_its_bytes() {
    let with_output = |mut d: Document| {
        d.bake.outputs.push(Output::default());
        d
    };
    let folder = || tempfile::tempdir().unwrap();
    let (a, b, c) = (folder(), folder(), folder());
    let animated = with_output(animated());
    let first = bake(&animated, a.path());
    assert!(!first.is_empty());
    assert_eq!(bake(&animated, b.path()), first);
    assert_ne!(bake(&with_output(still()), c.path()), first);
}
