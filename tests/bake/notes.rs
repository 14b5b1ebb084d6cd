//! The import notes: what they tell an artist to set, and that following them gives what the editor shows.

use eddy::bake::coding::srgb_to_linear;
use eddy::document::{Document, Encoding, Engine, Layout, Output};
use eddy::field::FieldData;
use eddy::scene::Condition;
use eddy::view;

use super::support::*;

fn dye(encoding: Encoding) -> Output {
    Output {
        red: "dye.x".into(),
        green: "dye.y".into(),
        blue: "dye.z".into(),
        ..named("dye", encoding)
    }
}

/// The notes of a bake, and its parts: one for each output.
fn notes(document: &Document) -> (String, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    bake(document, steps, dir.path(), 0..4).unwrap();
    let text = std::fs::read_to_string(dir.path().join("test_look_import.txt")).unwrap();
    let parts = text.split("\n\n").map(str::to_owned).collect();
    (text, parts)
}

fn part<'a>(parts: &'a [String], name: &str) -> &'a str {
    let found = parts.iter().find(|p| p.trim_start().starts_with(name));
    found.unwrap_or_else(|| panic!("{name}: {parts:?}"))
}

#[test]
fn only_what_tiles_repeats() {
    for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut document = everything();
        document.bake.engine = Engine::Godot;
        document.bake.outputs.push(dye(Encoding::Png8));
        if x {
            document.scene.domain.left.condition = Condition::Periodic;
        }
        if y {
            document.scene.domain.bottom.condition = Condition::Periodic;
        }
        let (text, parts) = notes(&document);
        assert!(!text.contains("{repeat}"), "{text}");
        for name in ["png8", "half", "dye"] {
            let part = part(&parts, name);
            assert_eq!(part.contains("repeat_enable"), x || y, "{x} {y}: {part}");
            assert_eq!(part.contains("repeat_disable"), !x && !y, "{part}");
            assert_eq!(part.contains("clamp(UV.y"), x && !y, "{part}");
            assert_eq!(part.contains("clamp(UV.x"), y && !x, "{part}");
        }
        // The cells of a sheet would bleed round its edges.
        let sheet = part(&parts, "sheet");
        assert!(
            sheet.contains("repeat_disable") && !sheet.contains("repeat_enable"),
            "{sheet}"
        );
        assert!(sheet.contains("Address mode: clamp\n"), "{sheet}");
    }
}

#[test]
fn a_speed_becomes_a_step_of_texture_coordinates() {
    let vertical = [
        (Engine::None, "float2(2.0, 1.0)"),
        (Engine::Unity, "float2(2.0, 1.0)"),
        // The engine's green points down as its V does.
        (Engine::Unreal, "float2(2.0, 1.0)"),
        // Here V points down and green does not.
        (Engine::Godot, "vec2(2.0, -1.0)"),
    ];
    for (engine, size) in vertical {
        let mut document = document([16, 8], vec![named("flow", Encoding::Png16)]);
        document.scene.domain.width = 2.0;
        document.bake.engine = engine;
        let (text, _) = notes(&document);
        let kind = size.split('(').next().unwrap();
        let line = format!("  Flow, UV a second: {kind} flow = velocity.xy / {size};");
        assert!(text.contains(&line), "{engine:?}: {line}\n{text}");
        document.time.time_scale = 0.5;
        assert!(
            notes(&document)
                .0
                .contains(&format!("velocity.xy * 0.5 / {size}"))
        );
    }
}

/// What the notes say of ink, done by hand, is what the editor shows.
#[test]
fn ink_becomes_what_the_editor_shows() {
    let mut document = document([16, 8], vec![dye(Encoding::ExrFloat)]);
    let view = &mut document.view;
    (view.ink, view.paper, view.exposure) = (true, [0.8, 0.7, 0.6], 1.0);
    view.shading = 0.0;
    let (text, _) = notes(&document);
    for words in [
        "float3 ink = dye.rgb * 2.0;",
        "float3(0.8, 0.7, 0.6) * exp(1.35 * (ink - 1.06 * max(ink.r, max(ink.g, ink.b))));",
        "exposure of 1 EV",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let values = [0.3, 0.1, 0.05_f32];
    let grid = document.scene.domain.grid();
    let field = FieldData {
        desc: FIELDS[1],
        grid,
        data: values.repeat(grid.len()),
    };
    let picture = view::picture(&field, None, &document.view, [16, 8]);
    let ink = values.map(|v| v * 2.0);
    let most = ink.into_iter().fold(0.0, f32::max);
    for (c, paper) in document.view.paper.into_iter().enumerate() {
        let by_hand = paper * (1.35 * (ink[c] - 1.06 * most)).exp();
        let shown = srgb_to_linear(f64::from(picture.rgba[c]) / 255.0);
        assert!(
            (shown - f64::from(by_hand)).abs() < 0.01,
            "{c}: {shown} {by_hand}"
        );
    }
}

#[test]
fn dye_that_shines_has_its_exposure_and_background() {
    let mut document = document([16, 8], vec![dye(Encoding::Png8)]);
    (document.view.exposure, document.view.background) = (-1.0, [0.5, 0.25, 0.125]);
    document.bake.engine = Engine::Godot;
    document.bake.outputs[0].layout = Layout::Flipbook;
    let (text, _) = notes(&document);
    assert!(
        text.contains("vec3 color = vec3(0.5, 0.25, 0.125) + dye.rgb * 0.5;"),
        "{text}"
    );
    assert!(!text.contains("paper"), "{text}");
}
