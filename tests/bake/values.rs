//! What stands in the files.

use sha2::{Digest, Sha256};

use eddy::bake::coding::srgb_to_linear;
use eddy::bake::{fields_of, preview};
use eddy::document::{ColorSpace, Document, Encoding, Engine, Output, RangeMode, Zero};

use super::support::*;

/// Waves of known amplitude that grow with time; zero velocity in the lower left cell.
fn waves(name: &str, frame: u32, [i, j]: [u32; 2], c: u32) -> f32 {
    let (x, y, t) = (i as f32, j as f32, frame as f32);
    match (name, c) {
        ("velocity", _) if i == 0 && j == 0 => 0.0,
        ("velocity", 0) => (0.3 * x).sin() * (1.0 + t),
        ("velocity", _) => (0.4 * y - 0.1 * x).cos() * 0.5,
        ("dye", c) => (x * 0.1 + y * 0.05 + c as f32 * 0.2) * 0.9,
        ("obstacle", _) => f32::from(u8::from(i > 3)),
        (_, _) => x - 2.0 * y + t,
    }
}

fn flow(encoding: Encoding) -> Output {
    Output {
        name: "flow".to_owned(),
        encoding,
        ..Output::default()
    }
}

fn dye() -> Output {
    Output {
        name: "dye".to_owned(),
        red: "dye.r".to_owned(),
        green: "dye.g".to_owned(),
        blue: "dye.b".to_owned(),
        alpha: "obstacle".to_owned(),
        encoding: Encoding::Png8,
        ..Output::default()
    }
}

/// The values that an output should hold, row 0 at the top.
fn expected(document: &Document, field: &str, frame: u32, c: u32) -> Vec<f32> {
    let [nx, ny, _] = document.scene.domain.grid().cells;
    let cell = |k: u32| [k % nx, ny - 1 - k / nx];
    (0..nx * ny)
        .map(|k| waves(field, frame, cell(k), c))
        .collect()
}

fn channel(codes: &[u32], channels: usize, c: usize) -> Vec<u32> {
    codes.iter().skip(c).step_by(channels).copied().collect()
}

#[test]
fn png_comes_back_by_the_formula_of_the_sidecar() {
    for (encoding, levels) in [(Encoding::Png8, 255.0_f64), (Encoding::Png16, 65535.0)] {
        for zero in [Zero::Exact, Zero::Centred] {
            let dir = tempfile::tempdir().unwrap();
            let document = document(
                [9, 5],
                vec![Output {
                    zero,
                    ..flow(encoding)
                }],
            );
            bake(&document, waves, dir.path(), 0..3).unwrap();
            let sidecar = sidecar(dir.path());
            for frame in 0..3 {
                let bytes =
                    std::fs::read(dir.path().join(format!("test_look_flow_{frame:04}.png")))
                        .unwrap();
                let (width, height, channels, codes) = read_png(&bytes);
                assert_eq!((width, height, channels), (9, 5, 3));
                for c in 0..2 {
                    let record = &sidecar.outputs[0].channels[c];
                    let truth = expected(&document, "velocity", frame, c as u32);
                    for (code, truth) in channel(&codes, channels, c).iter().zip(truth) {
                        let (x, vmax) = (f64::from(*code) / levels, f64::from(record.high));
                        let half = (levels - 1.0) / 2.0;
                        let (value, step) = match zero {
                            Zero::Exact => ((x * levels - half - 1.0) / half * vmax, vmax / half),
                            Zero::Centred => ((x - 0.5) * 2.0 * vmax, 2.0 * vmax / levels),
                        };
                        let error = (value - f64::from(truth)).abs();
                        assert!(
                            error <= step * (0.5 + 1e-9),
                            "{encoding:?} {zero:?}: {value} {truth}"
                        );
                        // Scale and bias say the same in single precision: three roundings.
                        let affine = x as f32 * record.scale + record.bias;
                        assert!(
                            (f64::from(affine) - value).abs()
                                < 3.0 * f64::from(f32::EPSILON) * vmax
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_sequence_has_one_range_and_vectors_keep_their_direction() {
    let dir = tempfile::tempdir().unwrap();
    let document = document([16, 4], vec![flow(Encoding::Png8)]);
    bake(&document, waves, dir.path(), 0..4).unwrap();
    let record = sidecar(dir.path()).outputs[0].clone();
    let vmax = (0..4)
        .flat_map(|f| expected(&document, "velocity", f, 0))
        .fold(0.0_f32, |m, v| m.max(v.abs()));
    assert_eq!(
        [record.channels[0].low, record.channels[0].high],
        [-vmax, vmax]
    );
    assert_eq!(record.channels[1].high, vmax, "x and y share their range");
    assert!(record.channels[1].max < vmax);
    // The wave has the same shape in all frames, so codes grow with its amplitude.
    let peak = |frame: u32| {
        let bytes =
            std::fs::read(dir.path().join(format!("test_look_flow_{frame:04}.png"))).unwrap();
        let (_, _, channels, codes) = read_png(&bytes);
        channel(&codes, channels, 0).into_iter().max().unwrap()
    };
    assert_eq!(peak(3) - 128, 127);
    assert!(peak(0) - 128 < 33, "{}", peak(0));
}

#[test]
fn still_fluid_is_exactly_zero_or_exactly_128() {
    fn still(_: &str, _: u32, _: [u32; 2], _: u32) -> f32 {
        -0.0
    }
    for zero in [Zero::Exact, Zero::Centred] {
        let dir = tempfile::tempdir().unwrap();
        let mut document = document(
            [4, 4],
            vec![Output {
                zero,
                ..flow(Encoding::Png8)
            }],
        );
        document.bake.engine = Engine::Unreal;
        bake(&document, still, dir.path(), 0..1).unwrap();
        let (_, _, channels, codes) =
            read_png(&std::fs::read(dir.path().join("test_look_flow_0000.png")).unwrap());
        assert_eq!(channels, 3);
        assert!(
            codes.chunks(3).all(|rgb| rgb == [128, 128, 0]),
            "the community's neutral"
        );
        let record = &sidecar(dir.path()).outputs[0].channels[0];
        // The lines of the sidecar, in the precision of a shader.
        let x = 128.0_f32 / 255.0;
        match zero {
            Zero::Exact => {
                assert_eq!(
                    record.decode,
                    "velocity.x = (x * 255.0 - 128.0) / 127.0 * 1.0"
                );
                assert_eq!((x * 255.0 - 128.0) / 127.0 * 1.0, 0.0);
            }
            Zero::Centred => {
                assert_eq!(record.decode, "velocity.x = (x - 0.5) * 2.0 * 1.0");
                assert!(((x - 0.5) * 2.0 - 1.0 / 255.0).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn exr_comes_back_through_another_reader() {
    for (encoding, tolerance) in [(Encoding::ExrFloat, 0.0), (Encoding::ExrHalf, 1.0 / 1024.0)] {
        let dir = tempfile::tempdir().unwrap();
        // More rows than a block of compression has.
        let document = document(
            [21, 37],
            vec![Output {
                alpha: "pressure".to_owned(),
                ..flow(encoding)
            }],
        );
        bake(&document, waves, dir.path(), 2..4).unwrap();
        for frame in 2..4 {
            let bytes =
                std::fs::read(dir.path().join(format!("test_look_flow_{frame:04}.exr"))).unwrap();
            let (channels, attributes) = read_exr(&bytes);
            assert_eq!(channels.keys().collect::<Vec<_>>(), ["A", "B", "G", "R"]);
            let truths = [
                ("R", "velocity", 0),
                ("G", "velocity", 1),
                ("A", "pressure", 0),
            ];
            for (name, field, c) in truths {
                for (value, truth) in channels[name]
                    .iter()
                    .zip(expected(&document, field, frame, c))
                {
                    assert!(
                        (value - truth).abs() <= tolerance * truth.abs(),
                        "{name}: {value} {truth}"
                    );
                }
            }
            assert!(channels["B"].iter().all(|v| *v == 0.0));
            assert_eq!(attributes["frame"], f64::from(frame));
            assert_eq!(
                attributes["voxelSize"],
                f64::from(document.scene.domain.grid().h)
            );
            assert_eq!(attributes["dt"], f64::from(1.0_f32 / 60.0));
            assert!(attributes["vmax"] > 30.0);
            let preset = eddy::document::to_ron(&document).unwrap();
            let hash: String = Sha256::digest(preset)
                .iter()
                .map(|b| format!("{b:02x}"))
                .collect();
            assert!(bytes.windows(hash.len()).any(|w| w == hash.as_bytes()));
        }
    }
}

#[test]
fn raw_numbers_are_the_field_upside_down() {
    let dir = tempfile::tempdir().unwrap();
    let document = document([4, 4], vec![flow(Encoding::Raw)]);
    let report = bake(&document, waves, dir.path(), 0..2).unwrap();
    let bytes = std::fs::read(dir.path().join("test_look_flow_0001.f32")).unwrap();
    let values: Vec<f32> = bytes
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    for c in 0..2 {
        let mine: Vec<f32> = values.iter().skip(c).step_by(2).copied().collect();
        assert_eq!(mine, expected(&document, "velocity", 1, c as u32));
    }
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("test_look_flow.json")).unwrap())
            .unwrap();
    assert_eq!(
        (&json["width"], &json["channels"][1]["source"]),
        (&4.into(), &"velocity.y".into())
    );
    assert!(report.files.iter().any(|f| f.encoding == "json"));
}

#[test]
fn colours_are_srgb_by_choice_and_alpha_never_is() {
    for color in [ColorSpace::Srgb, ColorSpace::Linear] {
        let dir = tempfile::tempdir().unwrap();
        let document = document([8, 8], vec![Output { color, ..dye() }]);
        bake(&document, waves, dir.path(), 0..1).unwrap();
        let bytes = std::fs::read(dir.path().join("test_look_dye_0000.png")).unwrap();
        assert_eq!(
            bytes.windows(4).any(|w| w == b"sRGB"),
            color == ColorSpace::Srgb
        );
        assert!(!bytes.windows(4).any(|w| w == b"gAMA" || w == b"tIME"));
        let (_, _, channels, codes) = read_png(&bytes);
        assert_eq!(channels, 4);
        let record = sidecar(dir.path()).outputs[0].clone();
        assert_eq!(record.srgb, color == ColorSpace::Srgb);
        for c in 0..3 {
            let field = &record.channels[c];
            assert_eq!(field.low, 0.0);
            for (code, truth) in channel(&codes, 4, c)
                .iter()
                .zip(expected(&document, "dye", 0, c as u32))
            {
                let x = f64::from(*code) / 255.0;
                let x = if record.srgb { srgb_to_linear(x) } else { x };
                let value = x as f32 * field.scale + field.bias;
                assert!(
                    (value - truth).abs() < 0.012 * field.high,
                    "{color:?}: {value} {truth}"
                );
            }
        }
        // Colours are straight: where alpha is zero they are still there.
        let alphas = channel(&codes, 4, 3);
        assert!(alphas.contains(&0) && alphas.contains(&255));
        assert!(codes.chunks(4).any(|t| t[3] == 0 && t[0] > 0));
    }
    // A channel of data beside colours makes the whole picture linear: engines switch sRGB for a whole texture.
    let dir = tempfile::tempdir().unwrap();
    let mixed = Output {
        green: "velocity.x".to_owned(),
        ..dye()
    };
    bake(&document([8, 8], vec![mixed]), waves, dir.path(), 0..1).unwrap();
    assert!(!sidecar(dir.path()).outputs[0].srgb);
}

#[test]
fn the_engine_decides_where_green_points() {
    let greens = [
        (Engine::None, 1.0, "up"),
        (Engine::Unreal, -1.0, "down"),
        (Engine::Unity, 1.0, "up"),
        (Engine::Godot, 1.0, "up"),
    ];
    for (engine, sign, points) in greens {
        let dir = tempfile::tempdir().unwrap();
        let mut document = document([6, 6], vec![flow(Encoding::ExrFloat)]);
        document.bake.engine = engine;
        bake(&document, waves, dir.path(), 0..1).unwrap();
        let (channels, _) =
            read_exr(&std::fs::read(dir.path().join("test_look_flow_0000.exr")).unwrap());
        let truth: Vec<f32> = expected(&document, "velocity", 0, 1)
            .iter()
            .map(|v| v * sign)
            .collect();
        assert_eq!(channels["G"], truth, "{engine:?}");
        assert_eq!(channels["R"], expected(&document, "velocity", 0, 0));
        let sidecar = sidecar(dir.path());
        assert_eq!(
            (
                sidecar.axes.green.as_str(),
                sidecar.outputs[0].channels[1].sign
            ),
            (points, sign)
        );
        let notes = std::fs::read_to_string(dir.path().join("test_look_import.txt")).unwrap();
        assert!(notes.contains("velocity"), "{notes}");
    }
}

#[test]
fn a_percentile_cuts_the_extremes_and_counts_them() {
    fn spike(_: &str, frame: u32, [i, j]: [u32; 2], _: u32) -> f32 {
        if (frame, i, j) == (1, 3, 3) {
            1000.0
        } else {
            (i as f32 - 7.5) / 7.5
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let output = Output {
        red: "pressure".to_owned(),
        green: String::new(),
        range: RangeMode::Percentile,
        percentile: 99.5,
        ..Output::default()
    };
    let report = bake(
        &document([16, 16], vec![output.clone()]),
        spike,
        dir.path(),
        0..2,
    )
    .unwrap();
    let record = sidecar(dir.path()).outputs[0].channels[0].clone();
    assert!(
        (record.high - 1.0).abs() < 1e-3 && record.max == 1000.0,
        "{record:?}"
    );
    assert_eq!((record.clipped, record.percentile), (1, Some(99.5)));
    assert!(
        report.notes.iter().any(|n| n.contains("cut off")),
        "{:?}",
        report.notes
    );
    let fixed = Output {
        range: RangeMode::Fixed,
        range_low: -2.0,
        range_high: 2.0,
        ..output
    };
    let dir = tempfile::tempdir().unwrap();
    bake(&document([16, 16], vec![fixed]), spike, dir.path(), 0..2).unwrap();
    let record = sidecar(dir.path()).outputs[0].channels[0].clone();
    assert_eq!((record.low, record.high, record.clipped), (-2.0, 2.0, 1));
}

#[test]
fn other_sizes_are_resampled() {
    let dir = tempfile::tempdir().unwrap();
    let output = Output {
        width: 4,
        ..flow(Encoding::ExrFloat)
    };
    let document = document([8, 4], vec![output]);
    bake(&document, waves, dir.path(), 0..1).unwrap();
    let (channels, _) =
        read_exr(&std::fs::read(dir.path().join("test_look_flow_0000.exr")).unwrap());
    assert_eq!(channels["R"].len(), 4 * 2);
    let full = expected(&document, "velocity", 0, 0);
    let mean = (full[0] + full[1] + full[8] + full[9]) / 4.0;
    assert!((channels["R"][0] - mean).abs() < 1e-6);
}

#[test]
fn a_preview_shows_what_comes_back() {
    let document = document([16, 8], vec![flow(Encoding::Png8), flow(Encoding::ExrHalf)]);
    let mut source = source(&document, waves);
    let fields = [eddy::bake::FrameSource::field(&mut source, "velocity").unwrap()];
    let look = preview(&document, &fields, 0, 3).unwrap();
    let (_, _, _, codes) = read_png(&look.file);
    let c = &look.channels[0];
    for (code, value) in channel(&codes, 3, 0)
        .iter()
        .zip(look.decoded.data.iter().step_by(3))
    {
        assert!((*code as f32 / 255.0 * c.scale + c.bias - value).abs() < 1e-5);
    }
    let step = c.high / 127.0;
    assert!(
        look.max_error[0] > 0.1 * step && look.max_error[0] <= 0.501 * step,
        "{:?}",
        look.max_error
    );
    assert!(preview(&document, &fields, 1, 3).unwrap().max_error[0] < step / 32.0);
    assert!(preview(&document, &fields, 2, 3).is_err());
    assert!(fields_of(&document, 2).is_err());
}

/// Three parts of a direction leaning right and up, then its mirror image; a height far from zero.
fn slopes(name: &str, _: u32, [i, _]: [u32; 2], c: u32) -> f32 {
    let right = if i % 2 == 0 { 1.0 } else { -1.0 };
    match (name, c) {
        ("height", _) => 40.0 + i as f32,
        ("normal", 0) => 0.48 * right,
        ("normal", 1) => 0.6 * right,
        ("normal", _) => 0.64,
        _ => 0.0,
    }
}

#[test]
fn a_normal_map_is_what_each_engine_unpacks() {
    let greens = [
        (Engine::None, 1.0, "normalize(tex.rgb * 2.0 - 1.0)"),
        (Engine::Unreal, -1.0, "Sampler Type in the material: Normal"),
        (Engine::Unity, 1.0, "UnpackNormal(tex)"),
        (Engine::Godot, 1.0, "hint_normal"),
    ];
    for (engine, sign, told) in greens {
        for encoding in [Encoding::Png8, Encoding::Png16] {
            let dir = tempfile::tempdir().unwrap();
            let output = Output {
                red: "normal.x".into(),
                green: "normal.y".into(),
                blue: "normal.z".into(),
                ..named("normal", encoding)
            };
            let mut document = document([4, 4], vec![output]);
            document.bake.engine = engine;
            bake(&document, slopes, dir.path(), 0..1).unwrap();
            let file = std::fs::read(dir.path().join("test_look_normal_0000.png")).unwrap();
            let (_, _, channels, codes) = read_png(&file);
            let levels = if encoding == Encoding::Png8 {
                255.0
            } else {
                65535.0
            };
            let code = |n: f64| ((n * 0.5 + 0.5) * levels + 0.5).floor() as u32;
            let texel = |right: f64| [code(0.48 * right), code(0.6 * sign * right), code(0.64)];
            assert_eq!(channels, 3);
            assert_eq!(codes[..6], [texel(1.0), texel(-1.0)].concat(), "{engine:?}");
            let notes = std::fs::read_to_string(dir.path().join("test_look_import.txt")).unwrap();
            assert!(notes.contains(told), "{notes}");
            assert!(!notes.contains("drifts"), "{notes}");
            let scripts: String = contents(dir.path())
                .iter()
                .filter(|(name, _)| name.contains("_import_") || name.ends_with(".cs"))
                .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
                .collect();
            assert!(engine == Engine::None || scripts.contains("0000.png\""));
            let line = scripts.lines().find(|l| l.contains("0000.png"));
            assert!(line.is_none_or(|l| l.contains("\"normal\"")), "{line:?}");
        }
    }
}

#[test]
fn heights_use_every_code_between_the_lowest_and_the_highest() {
    let dir = tempfile::tempdir().unwrap();
    let output = Output {
        red: "height".into(),
        green: String::new(),
        ..named("height", Encoding::Png16)
    };
    bake(&document([4, 4], vec![output]), slopes, dir.path(), 0..1).unwrap();
    let (_, _, channels, codes) =
        read_png(&std::fs::read(dir.path().join("test_look_height_0000.png")).unwrap());
    assert_eq!(channels, 1);
    assert_eq!(codes[..4], [0, 21845, 43690, 65535]);
    let channel = &sidecar(dir.path()).outputs[0].channels[0];
    assert_eq!((channel.low, channel.high), (40.0, 43.0));
}
