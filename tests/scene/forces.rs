//! Motors, emitters and strokes that push.

use eddy::scene::*;

use super::{DT, at, close, cpu, scene, stroke};

/// One component of a velocity that was `before`, at cell centres.
fn pushed(scene: &Scene, axis: usize, before: f32, dt: f32, frame: u32) -> Vec<f32> {
    let mut dev = cpu();
    let grid = scene.domain.grid();
    let frame = at(scene, f64::from(frame) * f64::from(DT), frame);
    let mut raster = Raster::new(&mut dev, &grid).unwrap();
    raster.update(&mut dev, &frame).unwrap();
    let mut u = dev.buf_from("u", &vec![before; grid.len()]).unwrap();
    raster.push(&mut dev, &frame, dt, axis, &mut u, grid.cells, [0.5; 3]);
    u.host().to_vec()
}

#[test]
fn motors_push_as_their_formulas_say() {
    let mut scene = scene([33, 33, 1]);
    let grid = scene.domain.grid();
    let (c, radius, strength, dt) = ([0.5, 0.5], 0.4, 6.0, 0.5);
    let kinds = [
        MotorKind::Directional(Directional {
            direction: [0.6, 0.0, 0.0],
        }),
        MotorKind::Omni(Omni {}),
        MotorKind::Vortex(Vortex { inflow: 0.5 }),
    ];
    for kind in kinds {
        for falloff in [0.0, 1.0, 2.0, 2.5] {
            scene.motors = vec![Motor {
                kind: kind.clone(),
                position: [c[0], c[1], 3.0],
                strength,
                radius,
                falloff,
                ..Motor::default()
            }];
            let v = [pushed(&scene, 0, 1.0, dt, 0), pushed(&scene, 1, 1.0, dt, 0)];
            for (cell, v) in v[0].iter().zip(&v[1]).map(|(x, y)| [x, y]).enumerate() {
                let p = [cell % 33, cell / 33].map(|i| (i as f32 + 0.5) * grid.h);
                let d = [p[0] - c[0], p[1] - c[1]];
                let r = d[0].hypot(d[1]);
                let n = d.map(|d| d / r.max(grid.h));
                let direction = match kind {
                    MotorKind::Directional(_) => [1.0, 0.0],
                    MotorKind::Omni(_) => n,
                    MotorKind::Vortex(_) => [-n[1] - 0.5 * n[0], n[0] - 0.5 * n[1]],
                };
                let q = 1.0 - (r / radius) * (r / radius);
                let push = if q > 1e-5 { q.powf(falloff) } else { 0.0 };
                for (v, direction) in v.into_iter().zip(direction) {
                    assert!(v.is_finite());
                    if q.abs() > 1e-5 {
                        let expected = 1.0 + strength * push * direction * dt;
                        close(*v, expected, 1e-4, &format!("{kind:?} {falloff} {p:?}"));
                    }
                }
            }
            // The middle cell's centre is the motor's.
            if !matches!(kind, MotorKind::Directional(_)) {
                close(v[0][16 * 33 + 16], 1.0, 1e-4, "centre");
            }
        }
    }
}

#[test]
fn emitters_push_staggered_samples_where_they_lie() {
    let mut dev = cpu();
    let mut scene = scene([16, 8, 1]);
    scene.emitters = vec![Emitter {
        shape: Shape::Box(BoxShape {
            half_size: [0.25, 9.0, 9.0],
            rounding: 0.0,
        }),
        position: [0.5, 0.25, 0.0],
        softness: 0.0,
        dye_blend: Blend::Off,
        velocity_blend: Blend::Replace,
        velocity: [3.0, -2.0, 0.0],
        ..Emitter::default()
    }];
    let (grid, frame) = (scene.domain.grid(), at(&scene, 0.0, 0));
    let mut raster = Raster::new(&mut dev, &grid).unwrap();
    raster.update(&mut dev, &frame).unwrap();
    let mut u = dev.buf::<f32>("u", grid.face_count(0)).unwrap();
    raster.push(
        &mut dev,
        &frame,
        DT,
        0,
        &mut u,
        grid.faces(0),
        [0.0, 0.5, 0.5],
    );
    let row = &u.host()[3 * 17..4 * 17];
    // The edges at 0.25 and 0.75 fall on faces 4 and 12: half covered.
    let expected: Vec<f32> = (0..17_i32)
        .map(|i| match (i - 8).abs() {
            0..=3 => 3.0,
            4 => 1.5,
            _ => 0.0,
        })
        .collect();
    assert_eq!(row, expected);
    let mut v = dev.buf::<f32>("v", grid.face_count(1)).unwrap();
    raster.push(
        &mut dev,
        &frame,
        DT,
        1,
        &mut v,
        grid.faces(1),
        [0.5, 0.0, 0.5],
    );
    assert_eq!(v.host()[4 * 16 + 8], -2.0);
    assert_eq!(v.host()[4 * 16 + 1], 0.0);
}

#[test]
fn strokes_drag_the_fluid_along_while_they_act() {
    let mut scene = scene([128, 128, 1]);
    scene.strokes = vec![stroke()];
    let speed = 0.1 / DT;
    let cell = |v: &[f32], x: f32| v[64 * 128 + (x * 128.0) as usize];
    let first = pushed(&scene, 0, 0.5, DT, 3);
    assert!(
        first.iter().all(|v| *v == 0.5),
        "it rests in its first frame"
    );
    let second = pushed(&scene, 0, 0.5, DT, 4);
    close(cell(&second, 0.35), speed, 0.05, "in the brush");
    assert_eq!(cell(&second, 0.6), 0.5);
    // Between recorded frames it goes on evenly.
    let sixth = pushed(&scene, 0, 0.5, DT, 6);
    close(cell(&sixth, 0.55), speed, 0.05, "between");
    let across = pushed(&scene, 1, 0.5, DT, 6);
    close(
        cell(&across, 0.55),
        0.0,
        0.01,
        "the brush's y velocity is zero",
    );
    let after = pushed(&scene, 0, 0.5, DT, 8);
    assert!(after.iter().all(|v| *v == 0.5));
    scene.strokes[0].drag = 0.0;
    assert!(pushed(&scene, 0, 0.5, DT, 4).iter().all(|v| *v == 0.5));
    scene.strokes[0].drag = 2.0;
    close(
        cell(&pushed(&scene, 0, 0.5, DT, 4), 0.35),
        2.0 * speed,
        0.1,
        "twice",
    );
}
