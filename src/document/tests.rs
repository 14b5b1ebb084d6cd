#![allow(clippy::unwrap_used)]
use super::*;
use crate::scene::{Emitter, Motor, MotorKind, Obstacle, Shape, Stroke, StrokePoint, Vortex};

fn rich() -> Document {
    let mut d = Document {
        name: "it's \"quoted\" \\ {} é\u{301}\u{0}\n\ttwo".into(),
        tags: vec!["smoke".into(), "a: (b)".into()],
        ..Document::default()
    };
    for i in 0..Shape::OPTIONS.len() {
        d.scene.emitters.push(Emitter {
            shape: Shape::from_index(i),
            ..Emitter::default()
        });
    }
    d.scene.obstacles.push(Obstacle::default());
    d.scene.motors.push(Motor {
        kind: MotorKind::Vortex(Vortex { inflow: 0.1 }),
        ..Motor::default()
    });
    d.scene.strokes.push(Stroke {
        points: (0..3)
            .map(|i| StrokePoint {
                frame: i,
                position: [i as f32 / 3.0, 1e-7, -0.0],
            })
            .collect(),
        ..Stroke::default()
    });
    d.bake.outputs.push(Output::default());
    d
}

#[test]
fn what_is_written_is_read_back_and_written_alike() {
    for d in [Document::default(), rich()] {
        let text = to_ron(&d).unwrap();
        let read = parse(&text, "x").unwrap();
        assert_eq!(read.document, d);
        assert_eq!(read.migrated_from, None);
        assert_eq!(to_ron(&read.document).unwrap(), text);
    }
}

/// Line, column, path and message of the only issue.
fn issue(text: &str) -> Issue {
    let error = parse(text, "x.ron").expect_err(text);
    assert_eq!(error.issues.len(), 1, "{error}");
    error.issues[0].clone()
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("(version: 1,\n nme: \"x\")", 2, 2, "nme", "`name`"),
        (
            "(version: 1, scene: (\n  domain: (wdth: 1.0)))",
            2,
            12,
            "scene.domain.wdth",
            "`width`",
        ),
        (
            "(version: 1, scene: (domain: (\nwidth: \"x\")))",
            2,
            8,
            "scene.domain.width",
            "float",
        ),
        (
            "(version: 1, scene: (domain: (\ncells_x: -4)))",
            2,
            10,
            "scene.domain.cells_x",
            "integer",
        ),
        (
            "(version: 1, scene: (domain: (\ncells_x: 1000000000)))",
            2,
            10,
            "scene.domain.cells_x",
            "between 4 and 16384",
        ),
        (
            "(version: 1, scene: (domain: (\ncells_x: 99999999999)))",
            2,
            10,
            "scene.domain.cells_x",
            "integer",
        ),
        (
            "(version: 1, scene: (domain: (\nwidth: NaN)))",
            2,
            8,
            "scene.domain.width",
            "NaN is not allowed",
        ),
        (
            "(version: 1, scene: (emitters: [(), (\nshape: Disk(radius: 1))]))",
            2,
            8,
            "scene.emitters.1.shape",
            "`Disc`",
        ),
        (
            "(version: 1, scene: (emitters: [(), (\nshape: Disc(radios: 1))]))",
            2,
            13,
            "scene.emitters.1.shape.radios",
            "`radius`",
        ),
        (
            "(version: 1, scene: (emitters: [(\ndye_blend: Mix)]))",
            2,
            12,
            "scene.emitters.0.dye_blend",
            "`Clamp`",
        ),
        (
            "(version: 1, method: StableFluids(\n cooling: -1.0))",
            2,
            11,
            "method.cooling",
            "-1 is not allowed",
        ),
        (
            "(version: 1, method: StableFluids(\n visc: -1.0))",
            2,
            2,
            "method.visc",
            "`viscosity`",
        ),
        (
            "(version: 1, method: Fluid(\n visc: -1.0))",
            1,
            22,
            "method",
            "`StableFluids`",
        ),
        (
            "(version: 1, name: \"a\",\n name: \"b\")",
            2,
            2,
            "name",
            "uplicate",
        ),
        ("(version: 1, time: (\n frame_rate 60))", 2, 13, "", "colon"),
        ("(version: 1,\n name: \"a\"", 2, 11, "", ""),
        (
            "(version: 1, scene: (environment: (\n gravity: (0, 1))))",
            2,
            11,
            "scene.environment.gravity",
            "3",
        ),
        ("(version: 7)", 1, 11, "version", "newer"),
        ("(version: x)", 1, 11, "version", "whole number"),
        ("()", 1, 1, "version", "missing"),
        ("(version: 1)\n x", 2, 2, "", ""),
        ("", 1, 1, "", ""),
    ];
    for (text, line, column, at, message) in cases {
        let found = issue(text);
        assert_eq!(
            (found.line, found.column),
            (line, column),
            "{text}: {found:?}"
        );
        assert!(found.at.starts_with(at), "{text}: {found:?}");
        assert!(found.message.contains(message), "{text}: {found:?}");
    }
}

#[test]
fn all_values_out_of_range_are_reported_in_order() {
    let text = "(version: 1, time: (cfl: 0.0, first_frame: 5, end_frame: 5),\n scene: (emitters: [(softness: -1, flicker: 2)]))";
    let error = parse(text, "x.ron").unwrap_err();
    let at: Vec<&str> = error.issues.iter().map(|i| i.at.as_str()).collect();
    assert_eq!(
        at,
        [
            "time.cfl",
            "time.end_frame",
            "scene.emitters.0.softness",
            "scene.emitters.0.flicker"
        ]
    );
    assert!(error.to_string().contains("x.ron:2:"), "{error}");
}

#[test]
fn a_great_many_errors_are_cut_short() {
    let points = "(position: (NaN, 0, 0)),".repeat(200_000);
    let text = format!("(version: 1, scene: (strokes: [(points: [{points}])]))");
    let begin = std::time::Instant::now();
    let error = parse(&text, "x.ron").unwrap_err();
    assert_eq!(error.issues.len(), 31);
    assert_eq!(error.issues[1].at, "scene.strokes.0.points.1.position");
    assert!(error.to_string().contains("199970 more"));
    assert!(begin.elapsed().as_secs() < 60);
}

#[test]
fn comments_are_noticed_where_they_are_some() {
    for (text, commented) in [
        ("(version: 1)", false),
        ("// mine\n(version: 1)", true),
        ("(version: /* one */ 1)", true),
        ("(version: 1) // end", true),
        ("(version: 1, name: \"http://x /* y */\")", false),
    ] {
        assert_eq!(parse(text, "x.ron").unwrap().commented, commented, "{text}");
    }
}

#[test]
fn a_save_replaces_and_keeps_what_surrounds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    save(&path, &Document::default()).unwrap();
    save(&path, &rich()).unwrap();
    assert_eq!(load(&path).unwrap().document, rich());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    assert!(save(&path, &Document::default()).is_err());
    assert_eq!(load(&path).unwrap().document, rich());
    assert!(
        load(&folder.path().join("none.ron"))
            .unwrap_err()
            .to_string()
            .contains("none.ron: ")
    );
}
