//! Sheets and loops.

use eddy::document::{Encoding, Layout, Looping, Output, Spare, VectorBlend};
use eddy::scene::Condition;

use super::support::*;

/// A ramp in x, so that gutters can be told apart.
fn ramp(_: &str, frame: u32, [i, j]: [u32; 2], _: u32) -> f32 {
    (frame * 40 + j * 4 + i) as f32 / 255.0
}

fn sheet(gutter: u32) -> Output {
    Output {
        name: "sheet".to_owned(),
        red: "obstacle".to_owned(),
        green: String::new(),
        encoding: Encoding::Png8,
        layout: Layout::Flipbook,
        columns: 2,
        gutter,
        ..Output::default()
    }
}

#[test]
fn a_sheet_runs_from_the_top_left_and_its_gutters_repeat_or_wrap() {
    for periodic in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let mut document = document([4, 4], vec![sheet(1)]);
        if periodic {
            document.scene.domain.left.condition = Condition::Periodic;
        }
        bake(&document, ramp, dir.path(), 0..3).unwrap();
        let (width, height, channels, codes) =
            read_png(&std::fs::read(dir.path().join("test_look_sheet_2x2.png")).unwrap());
        assert_eq!((width, height, channels), (12, 12, 1));
        for cell in 0..4_u32 {
            let frame = cell.min(2);
            for y in 0..6_i64 {
                for x in 0..6_i64 {
                    let i = if periodic {
                        (x - 1).rem_euclid(4)
                    } else {
                        (x - 1).clamp(0, 3)
                    };
                    let j = 3 - (y - 1).clamp(0, 3);
                    let at = (i64::from(cell / 2) * 6 + y) * 12 + i64::from(cell % 2) * 6 + x;
                    assert_eq!(
                        i64::from(codes[at as usize]),
                        i64::from(frame) * 40 + j * 4 + i
                    );
                }
            }
        }
        let sidecar = sidecar(dir.path());
        let shape = sidecar.outputs[0].sheet.unwrap();
        assert_eq!(
            (shape.columns, shape.rows, shape.frames, shape.gutter),
            (2, 2, 3, 1)
        );
        assert_eq!(sidecar.tile_axes, if periodic { vec!["x"] } else { vec![] });
        assert_eq!(sidecar.outputs[0].tile_seam[0].is_some(), periodic);
    }
}

#[test]
fn spare_cells_are_refused_where_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let document = document(
        [4, 4],
        vec![Output {
            spare: Spare::Refuse,
            ..sheet(0)
        }],
    );
    let error = bake(&document, ramp, dir.path(), 0..3)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("bake.outputs.0.spare") && error.contains("4 frames"),
        "{error}"
    );
    assert!(bake(&document, ramp, dir.path(), 0..4).is_ok());
}

/// A different constant in every frame; a vector that turns round.
fn time_line(name: &str, frame: u32, _: [u32; 2], c: u32) -> f32 {
    match (name, c) {
        ("velocity", 0) => [3.0, -1.0, 2.0, 1.0, -2.0, 1.0, 1.0, -1.0][frame as usize],
        ("velocity", _) => 0.5,
        _ => (frame * frame) as f32,
    }
}

#[test]
fn a_loop_fades_its_tail_into_what_led_up_to_its_first_frame() {
    let output = Output {
        name: "loop".to_owned(),
        blue: "pressure".to_owned(),
        encoding: Encoding::Raw,
        ..Output::default()
    };
    for vectors in [
        VectorBlend::KeepLength,
        VectorBlend::Select,
        VectorBlend::Average,
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut document = document([4, 4], vec![output.clone()]);
        document.bake.looping = Looping::TailBlend;
        document.bake.loop_blend = 2;
        document.bake.loop_vectors = vectors;
        bake(&document, time_line, dir.path(), 0..6).unwrap();
        let texel = |k: u32| -> Vec<f32> {
            let bytes =
                std::fs::read(dir.path().join(format!("test_look_loop_{k:04}.f32"))).unwrap();
            bytes[..12]
                .chunks_exact(4)
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect()
        };
        // N = 6, B = 2: out[k] = f[k + 2], then f[6] and f[7] fade into f[0] and f[1].
        for (k, f) in [(0, 2), (1, 3), (2, 4), (3, 5)] {
            assert_eq!(texel(k)[2], (f * f) as f32);
            assert_eq!(texel(k)[0], time_line("velocity", f, [0, 0], 0));
        }
        let third = 1.0_f32 / 3.0;
        let scalars = [36.0 * (1.0 - third), 49.0 * third + 2.0 * third];
        for (j, scalar) in scalars.iter().enumerate() {
            assert!((texel(4 + j as u32)[2] - scalar).abs() < 1e-4);
        }
        match vectors {
            // 2/3 · |(1, ½)| < 1/3 · |(3, ½)|, and 1/3 · |(−1, ½)| < 2/3 · |(−1, ½)|.
            VectorBlend::Select => assert_eq!((texel(4)[0], texel(5)[0]), (3.0, -1.0)),
            // Lengths √9.25 and √1.25 in the ratio 1 to 2.
            VectorBlend::KeepLength => {
                let length = third * 9.25_f32.sqrt() + 2.0 * third * 1.25_f32.sqrt();
                let v = texel(4);
                assert!((v[0].hypot(v[1]) - length).abs() < 1e-5);
                assert!((v[0] / v[1] - (5.0 * third) / 0.5).abs() < 1e-4);
            }
            VectorBlend::Average => assert!((texel(4)[0] - 5.0 * third).abs() < 1e-5),
        }
        let sidecar = sidecar(dir.path());
        assert_eq!(
            (sidecar.looping.blend, sidecar.simulated.clone()),
            (2, 0..8)
        );
        let seam = sidecar.outputs[0].loop_seam.unwrap();
        assert!(seam.ratio > 0.0 && (seam.ratio - seam.seam / seam.elsewhere).abs() < 1e-6);
    }
}

#[test]
fn a_loop_has_a_smaller_seam_than_the_plain_sequence() {
    fn drift(_: &str, frame: u32, [i, j]: [u32; 2], _: u32) -> f32 {
        (i as f32 * 0.7 + j as f32 * 0.3 + frame as f32 * 0.21).sin() + frame as f32 * 0.05
    }
    let seam = |looping| {
        let dir = tempfile::tempdir().unwrap();
        let output = Output {
            red: "pressure".to_owned(),
            green: String::new(),
            ..Output::default()
        };
        let mut document = document([8, 8], vec![output]);
        document.bake.looping = looping;
        bake(&document, drift, dir.path(), 0..40).unwrap();
        sidecar(dir.path()).outputs[0].loop_seam.unwrap().ratio
    };
    let (plain, looped) = (seam(Looping::None), seam(Looping::TailBlend));
    assert!(looped < 2.0 && plain > 4.0 * looped, "{plain} and {looped}");
}
