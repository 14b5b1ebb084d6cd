//! What holds for every method and every Poisson solver, on both devices: they are tested by existing.

use std::path::PathBuf;
use std::sync::Arc;

use eddy::device::{Device, DeviceChoice};
use eddy::document::{self, Document};
use eddy::params::{self, Value, ValueKind};
use eddy::poisson::{SOLVERS, SolverParams};
use eddy::scene::{Blend, Emitter, Obstacle, Stroke, StrokePoint};
use eddy::sim::Simulation;
use eddy::solvers::{METHODS, MethodParams};

/// The devices that there are here.
fn devices() -> Vec<(&'static str, DeviceChoice)> {
    let mut devices = vec![("cpu", DeviceChoice::Cpu)];
    if crate::kernels::gpu().is_some() {
        devices.push(("gpu", DeviceChoice::Gpu));
    }
    devices
}

/// Something of everything, small.
fn busy(method: MethodParams) -> Document {
    let mut d = Document {
        method,
        ..Document::default()
    };
    d.scene.domain.cells_x = 40;
    d.scene.domain.cells_y = 28;
    d.scene.emitters.push(Emitter {
        velocity_blend: Blend::Replace,
        temperature_blend: Blend::Clamp,
        flicker: 0.5,
        ..Emitter::default()
    });
    d.scene.obstacles.push(Obstacle::default());
    d.scene.motors.push(Default::default());
    d.scene.strokes.push(Stroke {
        points: (0..6)
            .map(|frame| StrokePoint {
                frame,
                position: [0.1 + 0.02 * frame as f32, 0.1, 0.0],
            })
            .collect(),
        ..Stroke::default()
    });
    d
}

/// Every method, with every Poisson solver where it has one.
fn documents() -> Vec<(String, Document)> {
    let mut all = Vec::new();
    for (i, info) in METHODS.iter().enumerate() {
        let document = busy(MethodParams::from_index(i));
        assert_eq!(document.method.info().id, info.id);
        all.push((info.id.to_owned(), document.clone()));
        for entry in params::entries(&document) {
            let ValueKind::Choice(options) = entry.spec.kind else {
                continue;
            };
            if entry.spec.name == "kind" && options == SolverParams::OPTIONS {
                for option in options {
                    let mut d = document.clone();
                    assert!(params::set_value(
                        &mut d,
                        &entry.path,
                        &Value::Choice(option.name.into())
                    ));
                    all.push((format!("{} {}", info.id, option.name), d));
                }
            }
        }
    }
    all
}

/// All fields after so many frames.
fn fields(simulation: &mut Simulation, frames: u32) -> Vec<(&'static str, Vec<f32>)> {
    for _ in 0..frames {
        simulation.step(&|| false).unwrap();
    }
    let names = simulation.fields().iter().map(|f| f.name);
    names
        .map(|name| (name, simulation.field(name).unwrap().data))
        .collect()
}

#[test]
fn ten_frames_are_finite_and_a_reset_repeats_them() {
    for (device_name, choice) in devices() {
        for (name, document) in documents() {
            let context = format!("{name} on the {device_name}");
            let cells = document.scene.domain.grid().len();
            let device = Device::new(choice).unwrap();
            let mut simulation =
                Simulation::new(Arc::new(document), PathBuf::new(), device).unwrap();
            let first = fields(&mut simulation, 10);
            assert!(!first.is_empty(), "{context}");
            for (desc, (field, data)) in simulation.fields().iter().zip(&first) {
                assert_eq!(
                    data.len(),
                    cells * desc.components as usize,
                    "{context}: {field}"
                );
                assert!(data.iter().all(|v| v.is_finite()), "{context}: {field}");
            }
            assert!(
                first.iter().any(|(_, data)| data.iter().any(|v| *v != 0.0)),
                "{context}: nothing happened"
            );
            simulation.reset().unwrap();
            assert_eq!(simulation.frame(), 0);
            let second = fields(&mut simulation, 10);
            for ((field, a), (_, b)) in first.iter().zip(&second) {
                let same = a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{context}: {field} differs after a reset");
            }
            assert!(simulation.field("no such field").is_err());
        }
    }
}

/// A checkpoint that is put into a new simulation goes on as the one that it was taken from.
#[test]
fn the_state_is_all_that_the_next_step_depends_on() {
    for (device_name, choice) in devices() {
        for (name, document) in documents() {
            let context = format!("{name} on the {device_name}");
            let document = Arc::new(document);
            let new = || {
                let device = Device::new(choice).unwrap();
                Simulation::new(document.clone(), PathBuf::new(), device).unwrap()
            };
            let mut simulation = new();
            fields(&mut simulation, 5);
            let checkpoint = simulation.checkpoint().unwrap();
            let first = fields(&mut simulation, 3);
            let mut simulation = new();
            simulation.restore(&checkpoint).unwrap();
            let second = fields(&mut simulation, 3);
            for ((field, a), (_, b)) in first.iter().zip(&second) {
                let same = a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{context}: {field} differs after a checkpoint");
            }
        }
    }
}

#[test]
fn the_memory_that_is_asked_for_is_what_is_taken() {
    for (device_name, choice) in devices() {
        for (name, mut document) in documents() {
            (document.scene.domain.cells_x, document.scene.domain.cells_y) = (256, 192);
            let asked = document.memory_bytes() as f64;
            let device = Device::new(choice).unwrap();
            let mut simulation =
                Simulation::new(Arc::new(document), PathBuf::new(), device).unwrap();
            fields(&mut simulation, 2);
            let taken = simulation.device().memory_used() as f64;
            let context =
                format!("{name} on the {device_name}: {asked} bytes asked for, {taken} taken");
            println!("{context}");
            assert!(taken <= asked * 1.05 && taken >= asked * 0.5, "{context}");
        }
    }
}

#[test]
fn parameters_survive_the_file_and_defaults_are_inside_their_limits() {
    for (name, document) in documents() {
        let text = document::to_ron(&document).unwrap();
        assert_eq!(
            document::parse(&text, &*name).unwrap().document,
            document,
            "{name}"
        );
        assert_eq!(params::problems(&document), [], "{name}");
        for entry in params::entries(&document) {
            let (spec, context) = (&entry.spec, format!("{name}: {}", entry.path));
            assert!(
                spec.hard[0] <= spec.soft[0] && spec.soft[1] <= spec.hard[1],
                "{context}: slider outside its limits"
            );
            assert!(
                spec.doc.is_empty() || spec.doc.ends_with(['.', '?', '!']),
                "{context}: {:?}",
                spec.doc
            );
            assert!(!spec.doc.is_empty(), "{context} has no documentation");
        }
    }
}

#[test]
fn ids_are_unique_snake_case_and_found() {
    let ids: Vec<&str> = METHODS
        .iter()
        .map(|m| m.id)
        .chain(SOLVERS.iter().map(|s| s.id))
        .collect();
    for (i, id) in ids.iter().enumerate() {
        assert!(
            id.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'),
            "{id}"
        );
        assert!(!ids[..i].contains(id), "{id} twice");
    }
    for info in METHODS {
        assert_eq!(MethodParams::from_id(info.id).unwrap().info(), *info);
        let texts = [
            info.title,
            info.summary,
            info.good_for,
            info.not_for,
            info.paper,
        ];
        assert!(texts.iter().all(|t| !t.is_empty()), "{}", info.id);
        assert!(
            !info.fields.is_empty() && !info.dims.is_empty(),
            "{}",
            info.id
        );
    }
    for info in SOLVERS {
        assert_eq!(SolverParams::from_id(info.id).unwrap().info(), *info);
        let texts = [info.title, info.summary, info.paper];
        assert!(texts.iter().all(|t| !t.is_empty()), "{}", info.id);
    }
    assert!(MethodParams::from_id("none").is_none() && SolverParams::from_id("none").is_none());
}
