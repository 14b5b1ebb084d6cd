//! A document from beginning to end on the CPU.

use std::path::Path;
use std::sync::Arc;

use eddy::bake::{BakeError, BakeOptions, BakeReport, Progress, estimate, run};
use eddy::device::{Device, DeviceChoice};
use eddy::document::{Document, Encoding, Layout, Looping, Output};
use eddy::scene::{Blend, Condition, Emitter};

use super::support::*;

/// A jet that swirls in a box that is periodic in x, with every field of the method in some output.
fn jet() -> Document {
    let mut document = document([32, 24], Vec::new());
    document.scene.domain.left.condition = Condition::Periodic;
    document.scene.emitters.push(Emitter {
        velocity_blend: Blend::Replace,
        velocity: [1.0, 2.0, 0.0],
        temperature_blend: Blend::Clamp,
        ..Emitter::default()
    });
    document.time.warm_up = 5;
    document.bake.looping = Looping::TailBlend;
    document.bake.loop_blend = 2;
    let fields = document.method.info().fields;
    document.bake.outputs = fields
        .iter()
        .map(|field| {
            let part = |c: u32| {
                if field.components == 1 && c == 0 {
                    field.name.to_owned()
                } else if c < field.components {
                    format!("{}.{}", field.name, ["x", "y", "z"][c as usize])
                } else {
                    String::new()
                }
            };
            Output {
                name: field.name.to_owned(),
                red: part(0),
                green: part(1),
                blue: part(2),
                encoding: Encoding::Png16,
                ..Output::default()
            }
        })
        .collect();
    if let Some(output) = document.bake.outputs.first_mut() {
        output.layout = Layout::Flipbook;
    }
    document
}

fn bake_jet(document: &Document, out: &Path) -> Result<BakeReport, BakeError> {
    let device = Device::new(DeviceChoice::Cpu).unwrap();
    let mut progress = |_: Progress| true;
    let document = Arc::new(document.clone());
    run(
        &document,
        Path::new("."),
        out,
        0..6,
        device,
        &BakeOptions::default(),
        &mut progress,
    )
}

#[test]
fn a_document_is_baked_with_every_field_of_its_method() {
    let dir = tempfile::tempdir().unwrap();
    let document = jet();
    let report = bake_jet(&document, dir.path()).unwrap();
    let files = contents(dir.path());
    let guess = estimate(&document, 0..6).unwrap();
    assert_eq!(
        (guess.files as usize, report.files.len() + 1),
        (files.len(), files.len())
    );
    assert!(files.values().map(|f| f.len() as u64).sum::<u64>() <= guess.bytes);
    let sidecar = sidecar(dir.path());
    assert_eq!(
        (sidecar.device.as_str(), sidecar.tile_axes.as_slice()),
        ("CPU", ["x".to_owned()].as_slice())
    );
    assert!(!sidecar.solves.is_empty() && !sidecar.invariants.is_empty());
    for solve in &sidecar.solves {
        assert!(
            solve.residual_after.max <= solve.residual_before.max,
            "{solve:?}"
        );
    }
    for output in sidecar
        .outputs
        .iter()
        .filter(|o| ["velocity", "dye"].contains(&o.name.as_str()))
    {
        assert!(
            output.channels.iter().any(|c| c.max > 0.1),
            "{output:?} moves"
        );
        assert!(
            output.loop_seam.is_some_and(|s| s.ratio < 4.0),
            "{:?}",
            output.loop_seam
        );
        assert!(
            output.tile_seam[0].is_some_and(|s| s.ratio < 3.0),
            "{:?}",
            output.tile_seam
        );
    }
}

/// Run by the next test in processes of their own.
#[test]
fn bakes_where_it_is_told_to() {
    if let Some(out) = std::env::var_os("EDDY_TEST_BAKE_OUT") {
        bake_jet(&jet(), Path::new(&out)).unwrap();
    }
}

#[test]
fn one_thread_and_many_give_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let bake_with = |threads: &str| {
        let out = dir.path().join(format!("threads_{threads}"));
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "bake::simulated::bakes_where_it_is_told_to"])
            .env("EDDY_TEST_BAKE_OUT", &out)
            .env("RAYON_NUM_THREADS", threads)
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        contents(&out)
    };
    let one = bake_with("1");
    assert!(one.len() > 10);
    assert_eq!(one, bake_with("4"));
}
