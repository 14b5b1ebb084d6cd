//! Emitters and what strokes leave behind.

use eddy::scene::*;

use super::{DT, at, close, cpu, disc, obstacle, scene, stroke};

fn emitted(scene: &Scene, before: [f32; 4], dt: f32) -> Vec<[f32; 4]> {
    let mut dev = cpu();
    let grid = scene.domain.grid();
    let frame = at(scene, 0.0, 0);
    let mut raster = Raster::new(&mut dev, &grid).unwrap();
    raster.update(&mut dev, &frame).unwrap();
    let mut scalars = dev.buf_from("scalars", &before.repeat(grid.len())).unwrap();
    raster.emit(&mut dev, &frame, dt, &mut scalars);
    scalars.host().as_chunks::<4>().0.to_vec()
}

#[test]
fn emitters_add_clamp_replace_and_leave_alone() {
    let mut scene = scene([32, 32, 1]);
    let e = Emitter {
        shape: disc(0.2),
        position: [0.5, 0.5, 0.0],
        softness: 0.0,
        dye: [2.0, 1.0, 0.25],
        temperature: -30.0,
        ..Emitter::default()
    };
    let grid = scene.domain.grid();
    let (middle, outside) = (grid.index(16, 16, 0), grid.index(2, 2, 0));
    let before = [1.0, 1.0, 1.0, 5.0];
    let key = |value| vec![Key { time: 0.0, value }];
    let cases = [
        (Blend::Add, 1.0, [1.2, 1.1, 1.025, 2.0]),
        (Blend::Add, 0.5, [1.1, 1.05, 1.0125, 3.5]),
        (Blend::Add, -20.0, [0.0, 0.0, 0.5, 65.0]),
        (Blend::Clamp, 1.0, [2.0, 1.0, 1.0, -30.0]),
        (Blend::Clamp, 0.1, [1.0, 1.0, 1.0, -3.0]),
        (Blend::Replace, 1.0, [2.0, 1.0, 0.25, -30.0]),
        (Blend::Replace, 0.5, [1.5, 1.0, 0.625, -12.5]),
        (Blend::Replace, 2.0, [4.0, 2.0, 0.5, -60.0]),
        (Blend::Off, 1.0, before),
    ];
    for (blend, strength, expected) in cases {
        let mut e = e.clone();
        (e.dye_blend, e.temperature_blend) = (blend, blend);
        e.activity.keys = key(strength);
        scene.emitters = vec![e];
        let after = emitted(&scene, before, 0.1);
        for (n, expected) in expected.into_iter().enumerate() {
            close(
                after[middle][n],
                expected,
                1e-5,
                &format!("{blend:?} {strength} {n}"),
            );
        }
        assert_eq!(after[outside], before, "{blend:?}");
    }
    // What is switched off does nothing; solids hold no dye.
    scene.emitters = vec![Emitter {
        enabled: false,
        ..e.clone()
    }];
    assert!(
        emitted(&scene, before, 0.1)
            .iter()
            .all(|cell| *cell == before)
    );
    scene.emitters = vec![e];
    scene.obstacles = vec![obstacle(disc(0.1), [0.5, 0.5, 0.0])];
    assert_eq!(emitted(&scene, before, 0.1)[middle], [0.0, 0.0, 0.0, 5.0]);
}

#[test]
fn the_soft_edge_is_a_ramp_inside_the_shape() {
    let mut scene = scene([256, 4, 1]);
    scene.emitters = vec![Emitter {
        shape: Shape::Box(BoxShape {
            half_size: [0.25, 9.0, 9.0],
            rounding: 0.0,
        }),
        position: [0.5, 0.0, 0.0],
        softness: 0.2,
        dye_blend: Blend::Add,
        dye: [1.0; 3],
        ..Emitter::default()
    }];
    let after = emitted(&scene, [0.0; 4], 1.0);
    let h = 1.0 / 256.0;
    for (i, cell) in after.iter().take(256).enumerate() {
        let depth = 0.25 - ((i as f32 + 0.5) * h - 0.5).abs();
        close(
            cell[0],
            ((depth + 0.5 * h) / 0.2).clamp(0.0, 1.0),
            1e-5,
            "ramp",
        );
    }
}

#[test]
fn items_that_cross_a_periodic_face_appear_on_the_other_side() {
    let mut scene = scene([32, 32, 1]);
    scene.emitters = vec![Emitter {
        shape: disc(0.2),
        position: [0.0, 0.5, 0.0],
        dye_blend: Blend::Add,
        ..Emitter::default()
    }];
    let sum = |cells: &[[f32; 4]]| cells.iter().map(|c| c[0]).sum::<f32>();
    let cut = sum(&emitted(&scene, [0.0; 4], 1.0));
    // One face is enough: the opposite one follows.
    scene.domain.right.condition = Condition::Periodic;
    let frame = at(&scene, 0.0, 0);
    assert!(frame.periodic(0) && !frame.periodic(1));
    assert_eq!(frame.faces[0].condition, Condition::Periodic);
    let whole = emitted(&scene, [0.0; 4], 1.0);
    close(sum(&whole), 2.0 * cut, 1e-3, "amount");
    for j in 0..32 {
        for i in 0..32 {
            close(
                whole[j * 32 + i][0],
                whole[j * 32 + 31 - i][0],
                1e-5,
                "mirror",
            );
        }
    }
    // Far outside it comes back in, too.
    scene.emitters[0].position[0] = -7.0;
    close(
        sum(&emitted(&scene, [0.0; 4], 1.0)),
        2.0 * cut,
        1e-2,
        "wrapped",
    );
}

/// Frames 0 to 9 with `steps` steps each.
fn painted(scene: &Scene, steps: u32) -> Vec<f32> {
    let mut dev = cpu();
    let grid = scene.domain.grid();
    let masks = Masks::default();
    let mut raster = Raster::new(&mut dev, &grid).unwrap();
    let mut scalars = dev.buf::<f32>("scalars", 4 * grid.len()).unwrap();
    let dt = DT / steps as f32;
    for step in 0..10 * steps {
        let time = f64::from(step) * f64::from(dt);
        let frame = scene.at(time, dt, step / steps, DT, &masks);
        raster.update(&mut dev, &frame).unwrap();
        raster.emit(&mut dev, &frame, dt, &mut scalars);
    }
    scalars.host().to_vec()
}

#[test]
fn strokes_replay_identically_and_leave_the_same_in_any_number_of_steps() {
    let mut scene = scene([128, 128, 1]);
    scene.strokes = vec![stroke()];
    let once = painted(&scene, 1);
    assert_eq!(once, painted(&scene, 1));
    let sum = |v: &[f32]| v.iter().step_by(4).sum::<f32>();
    // Five frames, 2 a second, over the profile's integral πR²/3.
    let grid = scene.domain.grid();
    let expected = 5.0 * DT * 2.0 * std::f32::consts::PI * 0.08 * 0.08 / 3.0 / (grid.h * grid.h);
    for steps in [1, 2, 3, 8] {
        let amount = sum(&painted(&scene, steps));
        close(
            amount / expected,
            1.0,
            5e-3,
            &format!("dye left in {steps} steps"),
        );
    }
    // An eraser takes away what a brush left, and no more.
    let mut eraser = stroke();
    (eraser.erase, eraser.dye) = (true, [1e3; 3]);
    scene.strokes.push(eraser);
    let erased = painted(&scene, 1);
    assert!(sum(&erased) < 1e-3 * expected && erased.iter().all(|v| *v >= 0.0));
}

#[test]
fn activity_path_and_flicker_move_an_emitter() {
    let mut scene = scene([64, 64, 1]);
    let mut e = Emitter {
        dye_blend: Blend::Add,
        flicker: 0.8,
        ..Emitter::default()
    };
    e.activity.keys = vec![
        Key {
            time: 0.0,
            value: 0.0,
        },
        Key {
            time: 2.0,
            value: 1.0,
        },
    ];
    e.path.points = vec![
        PathPoint::default(),
        PathPoint {
            offset: [0.3, 0.0, 0.0],
        },
    ];
    e.path.closed = false;
    assert_eq!(e.position_at(4.0), [0.8, 0.25, 0.0]);
    scene.emitters = vec![e];
    assert!(
        at(&scene, 0.0, 0).emitters.is_empty(),
        "no strength, no emitter"
    );
    let strength = |s: &Scene, t: f64| at(s, t, 0).emitters[0].velocity[3];
    let steady = |t: f64| {
        let mut s = scene.clone();
        s.emitters[0].flicker = 0.0;
        strength(&s, t)
    };
    close(steady(1.0), 0.5, 1e-6, "activity");
    let ratio = strength(&scene, 1.03) / steady(1.03);
    assert!((0.2..=1.8).contains(&ratio) && (ratio - 1.0).abs() > 1e-3);
    let mut other = scene.clone();
    other.seed = 99;
    assert_ne!(strength(&scene, 1.03), strength(&other, 1.03));
}
