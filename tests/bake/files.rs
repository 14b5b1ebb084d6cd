//! Files: the same bytes every time, all or nothing, and errors that say where.

use std::path::Path;

use eddy::bake::{BakeError, BakeOptions, estimate, run_from};
use eddy::document::{Document, Encoding, Layout, Looping, parse, to_ron};

use super::support::*;

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(bytes);
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

fn hash(folder: &Path, name: &str) -> String {
    sha256(&std::fs::read(folder.join(name)).unwrap())
}

/// The same, without the hash of the preset in OpenEXR files: it changes with every parameter that Eddy gets.
fn hash_of_picture(folder: &Path, name: &str, document: &Document) -> String {
    let mut bytes = std::fs::read(folder.join(name)).unwrap();
    let preset = sha256(to_ron(document).unwrap().as_bytes());
    let at = bytes
        .windows(preset.len())
        .position(|w| w == preset.as_bytes());
    assert_eq!(at.is_some(), name.ends_with(".exr"), "{name}");
    if let Some(at) = at {
        bytes[at..at + preset.len()].fill(b'0');
    }
    sha256(&bytes)
}

/// Only a change of what is written may change these: the round trips say what the numbers in them are. They also change with
/// the versions of Eddy (named in OpenEXR files), `png` and `flate2`.
#[test]
fn golden_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let document = everything();
    bake(&document, steps, dir.path(), 0..3).unwrap();
    let golden = [
        (
            "test_look_png8_0001.png",
            "d166c2c1812ad940cc16ead144a71c4d9e6371d41af04bef4a86c044df028bf4",
        ),
        (
            "test_look_png16_0001.png",
            "0fc10632248d4c91da5ef790c8dd78f1910b6512fd0e465b2c2be9f5ef6eb159",
        ),
        (
            "test_look_half_0001.exr",
            "ca2054bef3b382449bdb58f7aff39431e32ea8ab3d5074adcbdbefb85b6c3a83",
        ),
        (
            "test_look_float_0001.exr",
            "7f619eba3b721ef90ba4f6829e5d8832ba7c96b54c383b69a4fb269f1cd0e63a",
        ),
        (
            "test_look_raw_0001.f32",
            "054ea2eb0c981045974610dcf2b4ec5af5b41638daf6f4199c4c9e77404d35c5",
        ),
        (
            "test_look_sheet_2x2.png",
            "0031eda189fa2132dc9cd1d2a8016a7b5c6baa93b12815e0bb48f38520f9ebcc",
        ),
        (
            "test_look_last.png",
            "952d177115ecd5d8ead69f2a7f1dbd5fa04b8ee7b1d16011084416f2248785d4",
        ),
    ];
    let found: Vec<_> = golden
        .iter()
        .map(|(name, _)| (*name, hash_of_picture(dir.path(), name, &document)))
        .collect();
    let golden: Vec<_> = golden
        .iter()
        .map(|(name, hash)| (*name, (*hash).to_owned()))
        .collect();
    assert_eq!(found, golden);
}

#[test]
fn the_same_bytes_every_time_whatever_the_threads() {
    let mut document = everything();
    document.bake.looping = Looping::TailBlend;
    document.bake.loop_blend = 2;
    let run = |threads: usize| {
        let dir = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let report = pool
            .install(|| bake(&document, steps, dir.path(), 0..7))
            .unwrap();
        let files = contents(dir.path());
        for file in &report.files {
            let name = Path::new(&file.path).file_name().unwrap().to_str().unwrap();
            assert_eq!(hash(dir.path(), name), file.sha256);
        }
        assert_eq!(files.len(), report.files.len() + 1);
        files
    };
    let once = run(4);
    assert_eq!(once, run(4));
    assert_eq!(once, run(1));
    let text = String::from_utf8(once["test_look.bake.ron"].clone()).unwrap();
    assert!(
        !text.contains(std::env::temp_dir().to_str().unwrap()),
        "an absolute path"
    );
}

#[test]
fn frames_that_wait_on_disk_give_the_same_files() {
    let document = document([32, 32], vec![named("flow", Encoding::Png16)]);
    let with = |memory_limit: u64| {
        let dir = tempfile::tempdir().unwrap();
        let options = BakeOptions {
            look: None,
            memory_limit,
            ..BakeOptions::default()
        };
        run_from(
            &document,
            &mut source(&document, steps),
            dir.path(),
            0..120,
            &options,
            &mut |_| true,
        )
        .unwrap();
        contents(dir.path())
    };
    let waiting = estimate(&document, 0..120)
        .map(|e| e.waiting_bytes)
        .unwrap_or(120 * 32 * 32 * 12);
    assert!(waiting > 1 << 20);
    assert_eq!(with(1 << 30), with(waiting));
}

#[test]
fn the_sidecar_tells_what_was_done() {
    let dir = tempfile::tempdir().unwrap();
    let mut document = everything();
    document.time.warm_up = 3;
    document.scene.seed = 77;
    document.description = "Quotes \" and \"# marks,\nlines and \\ strokes".to_owned();
    bake(&document, steps, dir.path(), 2..5).unwrap();
    let sidecar = sidecar(dir.path());
    assert_eq!(
        (sidecar.seed, sidecar.warm_up, sidecar.frames.clone()),
        (77, 3, 2..5)
    );
    assert_eq!(sidecar.device, "made up");
    let solve = &sidecar.solves[0];
    // Three frames of warm-up, then frames 2, 3 and 4 are steps 5, 6 and 7, each with a residual of 1/step after.
    assert_eq!(
        (solve.residual_before.mean, solve.iterations.max),
        (2.0, 20.0)
    );
    assert!(
        (solve.residual_after.max - 0.2).abs() < 1e-7
            && (solve.residual_after.min - 1.0 / 7.0).abs() < 1e-7
    );
    assert_eq!(sidecar.invariants[0].over_frames.mean, 6.0);
    for file in &sidecar.files {
        assert_eq!(file.sha256, hash(dir.path(), &file.name));
    }
    let preset = parse(&sidecar.preset, "preset").unwrap().document;
    assert_eq!(preset, document);
    assert_eq!(to_ron(&preset).unwrap(), sidecar.preset);
    assert_eq!(sidecar.outputs[6].layout, Layout::Single);
    assert!(
        sidecar
            .files
            .iter()
            .any(|f| f.name == "test_look_last.png" && f.frame == Some(4))
    );
}

#[test]
fn cancelling_at_any_point_leaves_nothing() {
    let document = everything();
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (dir.path().join("old"), dir.path().join("not/yet"));
    std::fs::create_dir(&old).unwrap();
    std::fs::write(old.join("test_look_last.png"), b"before").unwrap();
    let before = contents(&old);
    let mut calls = 0;
    bake_counting(&document, &dir.path().join("all"), &mut calls, u64::MAX).unwrap();
    let all = calls;
    assert!(all > 20, "{all}");
    for stop in 0..all {
        for out in [&old, &new] {
            let error = bake_counting(&document, out, &mut 0, stop).unwrap_err();
            assert!(matches!(error, BakeError::Cancelled), "{error}");
            assert_eq!(contents(&old), before);
            assert!(!dir.path().join("not").exists());
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
        }
    }
}

fn bake_counting(
    document: &Document,
    out: &Path,
    calls: &mut u64,
    stop: u64,
) -> Result<(), BakeError> {
    let mut last = 0;
    let mut progress = |p: eddy::bake::Progress| {
        assert!(p.done >= last && p.done <= p.total, "{p:?}");
        last = p.done;
        *calls += 1;
        *calls <= stop
    };
    let report = run_from(
        document,
        &mut source(document, steps),
        out,
        0..3,
        &options(),
        &mut progress,
    );
    report.map(|_| ())
}

#[test]
fn existing_files_are_replaced_and_put_back_after_an_error() {
    let document = everything();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("test_look_png8_0000.png"), b"old").unwrap();
    // The sidecar comes last; a folder in its place lets the move into place fail at its very end.
    std::fs::create_dir(dir.path().join("test_look.bake.ron")).unwrap();
    let error = bake(&document, steps, dir.path(), 0..3)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("test_look.bake.ron") && error.contains("folder"),
        "{error}"
    );
    std::fs::remove_dir(dir.path().join("test_look.bake.ron")).unwrap();
    let files = contents(dir.path());
    assert_eq!(files.len(), 1, "{:?}", files.keys());
    assert_eq!(files["test_look_png8_0000.png"], b"old");
    bake(&document, steps, dir.path(), 0..3).unwrap();
    assert_ne!(contents(dir.path())["test_look_png8_0000.png"], b"old");
}

#[test]
fn a_file_in_the_place_of_the_folder_is_said_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, b"mine").unwrap();
    for out in [file.clone(), file.join("below")] {
        let error = bake(&everything(), |_, _, _, _| panic!("simulated"), &out, 0..3).unwrap_err();
        assert!(
            matches!(error, BakeError::Io { .. }) && error.to_string().contains("is a file"),
            "{error}"
        );
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
}

#[test]
fn without_outputs_velocity_and_dye_are_written() {
    let dir = tempfile::tempdir().unwrap();
    bake(&document([8, 8], Vec::new()), steps, dir.path(), 0..2).unwrap();
    let names: Vec<_> = contents(dir.path()).into_keys().collect();
    let expected = [
        "test_look.bake.ron",
        "test_look_dye_0000.png",
        "test_look_dye_0001.png",
        "test_look_import.txt",
        "test_look_velocity_0000.png",
        "test_look_velocity_0001.png",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_json_form_is_what_scripts_rely_on() {
    let dir = tempfile::tempdir().unwrap();
    let report = bake(
        &document([8, 8], vec![named("flow", Encoding::Png16)]),
        steps,
        dir.path(),
        0..1,
    )
    .unwrap();
    let json = serde_json::to_value(&report).unwrap();
    let keys = |v: &serde_json::Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["files", "sidecar"]);
    assert_eq!(
        keys(&json["files"][0]),
        ["encoding", "field", "frame", "path", "sha256"]
    );
    assert_eq!(json["files"][0]["field"], "velocity");
    assert_eq!(
        (&json["files"][0]["frame"], &json["files"][0]["encoding"]),
        (&0.into(), &"png16".into())
    );
    assert!(Path::new(json["files"][0]["path"].as_str().unwrap()).is_file());
    assert!(Path::new(json["sidecar"].as_str().unwrap()).is_file());
}
