//! Errors that say where.

use eddy::bake::{BakeError, BakeOptions, Sidecar, run_from};
use eddy::document::{Document, Encoding, Layout, Looping, Output};

use super::support::*;

#[test]
fn a_value_that_is_no_number_is_located() {
    fn broken(name: &str, frame: u32, cell: [u32; 2], c: u32) -> f32 {
        if (frame, cell, c) == (2, [5, 1], 1) {
            f32::NAN
        } else {
            steps(name, frame, cell, c)
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let error = bake(&everything(), broken, dir.path(), 0..3).unwrap_err();
    let BakeError::NotFinite { field, cell, frame } = &error else {
        panic!("{error}")
    };
    assert_eq!((field.as_str(), *cell, *frame), ("velocity", [5, 1, 0], 2));
    assert!(contents(dir.path()).is_empty());
}

#[test]
fn settings_that_cannot_be_honoured_are_located() {
    let with = |change: &dyn Fn(&mut Document)| {
        let mut document = everything();
        change(&mut document);
        let dir = tempfile::tempdir().unwrap();
        let error = bake(&document, steps, dir.path(), 0..3)
            .unwrap_err()
            .to_string();
        assert!(contents(dir.path()).is_empty());
        error
    };
    type Case<'a> = (&'a str, &'a str, &'a dyn Fn(&mut Document));
    let cases: [Case; 13] = [
        ("bake.outputs.1.red", "there is no field `speed`", &|d| {
            d.bake.outputs[1].red = "speed.x".into();
        }),
        ("bake.outputs.0.green", "velocity.x, velocity.y", &|d| {
            d.bake.outputs[0].green = "velocity".into();
        }),
        ("bake.outputs.0.green", "no `.z`", &|d| {
            d.bake.outputs[0].green = "velocity.z".into();
        }),
        ("bake.outputs.0.blue", "single number", &|d| {
            d.bake.outputs[0].blue = "pressure.x".into();
        }),
        ("bake.outputs.0.alpha", "between 0 and 1", &|d| {
            d.bake.outputs[0].alpha = "2".into();
        }),
        ("bake.outputs.0.alpha", "finite", &|d| {
            d.bake.outputs[0].alpha = "NaN".into();
        }),
        ("bake.outputs.2.name", "cannot stand in a name", &|d| {
            d.bake.outputs[2].name = "../up".into();
        }),
        ("bake.outputs.2.name", "another output", &|d| {
            d.bake.outputs[2].name = "PNG8".into();
        }),
        ("bake.outputs", "every output is off", &|d| {
            d.bake.outputs.iter_mut().for_each(|o| o.enabled = false);
        }),
        ("bake.outputs.5.width", "16384", &|d| {
            d.bake.outputs[5].width = 16_000;
        }),
        ("bake.outputs.5.columns", "do not hold 3", &|d| {
            (d.bake.outputs[5].columns, d.bake.outputs[5].rows) = (2, 1);
        }),
        ("bake.loop_blend", "not 4", &|d| {
            (d.bake.looping, d.bake.loop_blend) = (Looping::TailBlend, 4);
        }),
        ("scene.domain.cells_z", "2D", &|d| {
            d.scene.domain.cells_z = 4;
        }),
    ];
    for (at, what, change) in cases {
        let error = with(change);
        assert!(
            error.starts_with(at) && error.contains(what),
            "{at}: {error}"
        );
    }
    let dir = tempfile::tempdir().unwrap();
    let error = bake(&everything(), steps, dir.path(), 5..5)
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("frames"), "{error}");
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let output = Output {
        layout: Layout::Flipbook,
        width: 4096,
        ..named("sheet", Encoding::ExrFloat)
    };
    let document = document([64, 64], vec![output]);
    let options = BakeOptions {
        look: None,
        memory_limit: 256 << 20,
        ..BakeOptions::default()
    };
    let dir = tempfile::tempdir().unwrap();
    let mut source = source(&document, |_, _, _, _| panic!("simulated"));
    let error = run_from(
        &document,
        &mut source,
        dir.path(),
        0..9,
        &options,
        &mut |_| true,
    )
    .unwrap_err();
    assert!(
        matches!(error, BakeError::Memory { needed, .. } if needed > 1 << 30),
        "{error}"
    );
    assert!(contents(dir.path()).is_empty());
}

/// The sidecar of an earlier bake says how to read its files: as long as they stay, it stays.
#[test]
fn no_file_of_an_earlier_bake_is_left_without_its_description() {
    let both = document(
        [8, 4],
        vec![named("a", Encoding::Png8), named("b", Encoding::Png8)],
    );
    let one = document([8, 4], vec![named("a", Encoding::Png8)]);
    let dir = tempfile::tempdir().unwrap();
    let described = |name: &str| {
        let text = std::fs::read_to_string(dir.path().join(name)).unwrap();
        let files = Sidecar::from_ron(&text).unwrap().files;
        files.into_iter().map(|f| f.name).collect::<Vec<_>>()
    };
    let count = || contents(dir.path()).len();
    bake(&both, steps, dir.path(), 0..3).unwrap();
    let (first, files) = (described("test_look.bake.ron"), count());
    // The same files again, or more of them.
    let again = bake(&both, steps, dir.path(), 0..3).unwrap();
    assert_eq!((count(), again.notes.len()), (files, 0));
    // Fewer of them.
    let fewer = bake(&one, steps, dir.path(), 0..2).unwrap();
    assert_eq!(count(), files + 1);
    assert_eq!(described("test_look.bake.1.ron"), first);
    assert!(
        described("test_look.bake.ron")
            .iter()
            .all(|f| !f.contains("_b"))
    );
    assert!(
        fewer.notes[0].starts_with("4 files") && fewer.notes[0].contains("bake.1.ron"),
        "{:?}",
        fewer.notes
    );
    // The next one keeps the first description.
    bake(&both, steps, dir.path(), 0..1).unwrap();
    assert_eq!(described("test_look.bake.1.ron"), first);
    assert!(dir.path().join("test_look.bake.2.ron").is_file());
}
