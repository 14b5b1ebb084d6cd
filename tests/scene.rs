//! The scene at a time, and the rasteriser.

use std::path::Path as FilePath;

use eddy::device::{Device, DeviceChoice, DeviceKind, check_kernel};
use eddy::field::{Grid, difference_l2};
use eddy::scene::*;

const DT: f32 = 1.0 / 60.0;

fn cpu() -> Device {
    Device::new(DeviceChoice::Cpu).unwrap()
}

/// A scene of 1 m × 1 m without gravity.
fn scene(cells: [u32; 3]) -> Scene {
    let mut scene = Scene::default();
    [
        scene.domain.cells_x,
        scene.domain.cells_y,
        scene.domain.cells_z,
    ] = cells;
    scene
}

fn at(scene: &Scene, time: f64, frame: u32) -> SceneFrame {
    let masks = Masks::load(scene, FilePath::new(".")).unwrap();
    scene.at(time, DT, frame, DT, &masks)
}

fn obstacle(shape: Shape, position: [f32; 3]) -> Obstacle {
    Obstacle {
        shape,
        position,
        ..Obstacle::default()
    }
}

fn disc(radius: f32) -> Shape {
    Shape::Disc(Disc { radius })
}

fn close(a: f32, b: f32, bound: f32, what: &str) {
    assert!((a - b).abs() <= bound, "{what}: {a} is not {b}");
}

fn rotated(p: [f32; 2], degrees: f32) -> [f32; 2] {
    let (s, c) = degrees.to_radians().sin_cos();
    [c * p[0] - s * p[1], s * p[0] + c * p[1]]
}

/// Shape, then points in its own frame with their distances worked out by hand.
fn probes() -> Vec<(Shape, Vec<([f32; 2], f32)>)> {
    let diagonal = 0.05_f32.hypot(0.1);
    vec![
        (
            disc(0.2),
            vec![
                ([0.0, 0.0], -0.2),
                ([0.5, 0.0], 0.3),
                ([0.12, 0.16], 0.0),
                ([0.0, -0.1], -0.1),
            ],
        ),
        (
            Shape::Box(BoxShape {
                half_size: [0.3, 0.1, 0.1],
                rounding: 0.0,
            }),
            vec![
                ([0.0, 0.0], -0.1),
                ([0.4, 0.0], 0.1),
                ([0.35, 0.2], diagonal),
                ([-0.28, 0.0], -0.02),
            ],
        ),
        (
            Shape::Box(BoxShape {
                half_size: [0.3, 0.1, 0.1],
                rounding: 0.05,
            }),
            vec![
                ([0.0, 0.1], 0.0),
                ([0.3, 0.1], 0.05 * (2.0_f32.sqrt() - 1.0)),
                ([0.4, 0.0], 0.1),
            ],
        ),
        (
            Shape::Line(Line {
                length: 0.4,
                thickness: 0.1,
            }),
            vec![
                ([0.0, 0.0], -0.05),
                ([0.3, 0.0], 0.1),
                ([0.25, 0.15], diagonal),
            ],
        ),
        (
            Shape::Capsule(Capsule {
                length: 0.4,
                radius: 0.1,
            }),
            vec![
                ([0.1, 0.0], -0.1),
                ([0.4, 0.0], 0.1),
                ([0.25, 0.05], 0.005_f32.sqrt() - 0.1),
                ([-0.2, 0.3], 0.2),
            ],
        ),
        (
            Shape::Mask(MaskImage {
                image: "####/####".into(),
                size: 0.4,
            }),
            vec![
                ([0.0, 0.0], -0.1),
                ([0.3, 0.0], 0.1),
                ([0.0, -0.3], 0.2),
                ([0.0, 0.08], -0.02),
            ],
        ),
    ]
}

#[test]
fn distances_of_shapes_at_probe_points() {
    let centre = [0.55, 0.45, 0.7];
    for (shape, points) in probes() {
        // A picture is as exact as its pixels: 0.4 m / 96.
        let bound = if matches!(shape, Shape::Mask(_)) {
            2.5e-3
        } else {
            2e-6
        };
        for angle in [0.0, 30.0, -135.0, 720.0] {
            let mut scene = scene([64, 64, 1]);
            scene.obstacles = vec![obstacle(shape.clone(), centre)];
            // In 2D tilts and z are ignored.
            scene.obstacles[0].rotation = [40.0, 20.0, angle];
            let frame = at(&scene, 0.0, 0);
            for (p, expected) in &points {
                let [x, y] = rotated(*p, angle);
                let p = [centre[0] + x, centre[1] + y, 0.0];
                let d = frame.obstacles[0].place.distance(frame.masks.texels(), p);
                close(d, *expected, bound, &format!("{shape:?} {angle}° {p:?}"));
            }
            assert!(
                points
                    .iter()
                    .all(|(p, d)| *d > 0.0 || p[0].hypot(p[1]) <= shape.radius() + 1e-6)
            );
        }
    }
}

#[test]
fn rotation_in_3d_is_about_x_then_y_then_z() {
    let mut scene = scene([16, 16, 16]);
    let shape = Shape::Capsule(Capsule {
        length: 0.4,
        radius: 0.05,
    });
    scene.obstacles = vec![obstacle(shape, [0.5; 3])];
    // About y by 90° the axis x becomes −z; about z nothing more happens to it.
    scene.obstacles[0].rotation = [17.0, 90.0, 50.0];
    let frame = at(&scene, 0.0, 0);
    let distance = |p| frame.obstacles[0].place.distance(&[], p);
    close(distance([0.5, 0.5, 0.2]), 0.05, 1e-6, "below");
    close(distance([0.5, 0.5, 0.7]), -0.05, 1e-6, "inside");
    // About y alone x turns towards −z.
    scene.obstacles[0].rotation = [0.0, 30.0, 0.0];
    let frame = at(&scene, 0.0, 0);
    let distance = |z: f32| {
        let p = [0.5 + 0.2 * 0.75_f32.sqrt(), 0.5, z];
        frame.obstacles[0].place.distance(&[], p)
    };
    close(distance(0.4), -0.05, 1e-6, "on the axis");
    assert!(distance(0.6) > 0.1);
}

#[test]
fn obstacles_become_distance_mask_and_velocity() {
    let mut dev = cpu();
    let mut scene = scene([48, 32, 1]);
    scene.domain.width = 1.5;
    scene.obstacles = vec![
        obstacle(disc(0.2), [0.4, 0.5, 0.0]),
        obstacle(disc(0.3), [1.0, 0.5, 0.0]),
    ];
    scene.obstacles[1].surface = Slip::FreeSlip;
    scene.obstacles[1].path.spin = 90.0;
    let grid = scene.domain.grid();
    let mut raster = Raster::new(&mut dev, &grid).unwrap();
    let frame = at(&scene, 0.25, 15);
    assert!(raster.update(&mut dev, &frame).unwrap());
    let omega = 90.0_f32.to_radians();
    for j in 0..32 {
        for i in 0..48 {
            let c = grid.index(i, j, 0);
            let p = [(i as f32 + 0.5) * grid.h, (j as f32 + 0.5) * grid.h];
            let d = [
                (p[0] - 0.4).hypot(p[1] - 0.5) - 0.2,
                (p[0] - 1.0).hypot(p[1] - 0.5) - 0.3,
            ];
            close(raster.sdf.host()[c], d[0].min(d[1]), 1e-6, "distance");
            let owner = d.iter().position(|d| *d < 0.0).map_or(0, |n| n as u32 + 1);
            assert_eq!(raster.solid.host()[c], owner);
            let v = &raster.solid_velocity.host()[4 * c..4 * c + 4];
            let expected = match owner {
                2 => [-omega * (p[1] - 0.5), omega * (p[0] - 1.0), 0.0, 1.0],
                _ => [0.0; 4],
            };
            for n in 0..4 {
                close(v[n], expected[n], 1e-5, "velocity of the solid");
            }
        }
    }
    // What stands still is not done again; a disc that turns about its centre changes its rotation.
    assert!(!raster.update(&mut dev, &frame).unwrap());
    scene.obstacles[1].path.spin = 0.0;
    assert!(raster.update(&mut dev, &at(&scene, 0.25, 15)).unwrap());
    assert!(!raster.update(&mut dev, &at(&scene, 0.5, 30)).unwrap());
    scene.obstacles[0].enabled = false;
    assert!(raster.update(&mut dev, &at(&scene, 0.5, 30)).unwrap());
    scene.obstacles.clear();
    raster.update(&mut dev, &at(&scene, 0.5, 30)).unwrap();
    assert!(raster.sdf.host().iter().all(|d| *d == 1e18));
    assert!(raster.solid.host().iter().all(|s| *s == 0));
}

#[test]
fn thin_walls_have_no_holes() {
    let mut dev = cpu();
    let mut scene = scene([64, 64, 1]);
    let shape = Shape::Line(Line {
        length: 4.0,
        thickness: 1e-4,
    });
    for angle in [0.0, 17.0, 45.0, 90.0, 131.0] {
        scene.obstacles = vec![obstacle(shape.clone(), [0.5, 0.5, 0.0])];
        scene.obstacles[0].rotation[2] = angle;
        let grid = scene.domain.grid();
        let mut raster = Raster::new(&mut dev, &grid).unwrap();
        raster.update(&mut dev, &at(&scene, 0.0, 0)).unwrap();
        // No two neighbours in the fluid lie on different sides.
        let side = |i: u32, j: u32| {
            let [_, y] = rotated(
                [
                    (i as f32 + 0.5) * grid.h - 0.5,
                    (j as f32 + 0.5) * grid.h - 0.5,
                ],
                -angle,
            );
            (raster.solid.host()[grid.index(i, j, 0)] == 0).then_some(y > 0.0)
        };
        for j in 0..63 {
            for i in 0..63 {
                for next in [side(i + 1, j), side(i, j + 1)] {
                    if let (Some(a), Some(b)) = (side(i, j), next) {
                        assert_eq!(a, b, "a hole at {i}, {j} at {angle}°");
                    }
                }
            }
        }
    }
}

#[test]
fn a_moving_obstacle_has_the_velocity_of_its_motion() {
    let mut scene = scene([64, 64, 1]);
    let mut item = obstacle(disc(0.2), [0.5, 0.5, 0.0]);
    let point = |x, y| PathPoint {
        offset: [x, y, 0.0],
    };
    item.path.points = vec![point(0.0, 0.0), point(0.2, 0.1), point(-0.1, 0.2)];
    item.path.spin = 60.0;
    scene.obstacles = vec![item];
    let centre = |t: f64| at(&scene, t, 0).obstacles[0].place.centre();
    let turn = |t: f64| {
        let row = at(&scene, t, 0).obstacles[0].place.row_x;
        row[1].atan2(row[0])
    };
    for t in [0.3, 1.1, 2.9] {
        let o = at(&scene, t, 0).obstacles[0];
        let (a, b) = (centre(t - 0.01), centre(t + 0.01));
        for i in 0..2 {
            close(o.velocity[i], (b[i] - a[i]) / 0.02, 1e-3, "velocity");
        }
        close(
            o.turn[2],
            (turn(t + 0.01) - turn(t - 0.01)) / 0.02,
            1e-3,
            "turn",
        );
    }
}

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
            for cell in 0..grid.len() {
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
                for axis in 0..2 {
                    assert!(v[axis][cell].is_finite());
                    if q.abs() > 1e-5 {
                        let expected = 1.0 + strength * push * direction[axis] * dt;
                        close(
                            v[axis][cell],
                            expected,
                            1e-4,
                            &format!("{kind:?} {falloff} {p:?}"),
                        );
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

fn stroke() -> Stroke {
    let mut stroke = Stroke {
        radius: 0.08,
        dye: [2.0, 1.0, 0.5],
        ..Stroke::default()
    };
    for (frame, x) in [(3, 0.3), (4, 0.4), (7, 0.7)] {
        stroke.push(frame, [x, 0.5, 0.0]);
    }
    stroke
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

#[test]
fn pictures_that_cannot_be_read_are_located_errors() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("broken.png"), b"\x89PNG\r\n\x1a\n no").unwrap();
    std::fs::write(dir.path().join("huge.png"), huge_png()).unwrap();
    std::fs::write(
        dir.path().join("good.png"),
        grey_png(3, 2, &[255, 255, 0, 0, 0, 0]),
    )
    .unwrap();
    let mut scene = scene([32, 32, 1]);
    let images = [
        "no_such.png",
        "broken.png",
        "huge.png",
        "",
        "..",
        "///",
        "good.png",
    ];
    for image in images {
        let mask = MaskImage {
            image: image.into(),
            size: 0.3,
        };
        let mut item = obstacle(Shape::Mask(mask), [0.5, 0.5, 0.0]);
        item.name = format!("Rock {image}");
        scene.obstacles.push(item);
    }
    scene.emitters = vec![Emitter::default()];
    let problems = Masks::load(&scene, dir.path()).unwrap_err();
    let found: Vec<&str> = problems.iter().map(|p| p.path.as_str()).collect();
    let expected = [0, 1, 2, 3, 5].map(|i| format!("obstacles.{i}.shape.image"));
    // ".." is a picture: two pixels outside.
    assert_eq!(found, expected);
    assert!(
        problems[0].message.contains("Rock no_such.png")
            && problems[0].message.contains(dir.path().to_str().unwrap())
    );
    assert!(
        problems[2].message.contains("8192"),
        "{}",
        problems[2].message
    );
    // The rest works: white pixels on the top row, left and middle.
    let (masks, problems) = Masks::load_what_can(&scene, dir.path());
    assert_eq!(problems.len(), 5);
    let frame = scene.at(0.0, DT, 0, DT, &masks);
    assert_eq!(frame.obstacles.len(), 2);
    let place = &frame.obstacles[1].place;
    let distance = |x: f32, y: f32| place.distance(masks.texels(), [0.5 + x, 0.5 + y, 0.0]);
    assert!(distance(-0.1, 0.05) < 0.0 && distance(0.0, 0.05) < 0.0);
    assert!(distance(0.1, 0.05) > 0.0 && distance(-0.1, -0.05) > 0.0);
}

fn grey_png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A header that promises 60,000 × 60,000 pixels.
fn huge_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = png::Encoder::new(&mut bytes, 60_000, 60_000);
    let mut writer = encoder.write_header().unwrap();
    writer.write_chunk(png::chunk::IDAT, &[0x78, 0x9c]).unwrap();
    drop(writer);
    bytes
}

#[test]
fn a_scene_is_checked_beyond_ranges() {
    assert!(Scene::default().check().is_empty());
    let mut bad = Scene::default();
    bad.domain.left.condition = Condition::Inflow;
    bad.domain.left.velocity = [1.0, 0.0, 0.0];
    bad.strokes = vec![Stroke::default()];
    bad.strokes[0].points = [5, 6, 6]
        .map(|frame| StrokePoint {
            frame,
            ..StrokePoint::default()
        })
        .to_vec();
    bad.motors = vec![Motor::default()];
    bad.motors[0].activity.keys = [0.0, 2.0, 1.0]
        .map(|time| Key { time, value: 1.0 })
        .to_vec();
    let paths: Vec<String> = bad.check().into_iter().map(|p| p.path).collect();
    assert_eq!(
        paths,
        [
            "domain.left.condition",
            "motors.0.activity.keys.2.time",
            "strokes.0.points.2.frame"
        ]
    );
    bad.domain.cells_x = 16384;
    bad.domain.cells_y = 16384;
    bad.domain.cells_z = 2048;
    assert_eq!(bad.check()[0].path, "domain.cells_x");
    // As much leaves as enters, an open face, or a joined axis: all fine.
    let flow = |change: &dyn Fn(&mut Scene)| {
        let mut s = Scene::default();
        s.domain.left.condition = Condition::Inflow;
        s.domain.left.velocity = [1.0, 0.0, 0.0];
        change(&mut s);
        s.check().len()
    };
    assert_eq!(flow(&|_| {}), 1);
    assert_eq!(flow(&|s| s.domain.top.condition = Condition::Open), 0);
    assert_eq!(flow(&|s| s.domain.right.condition = Condition::Periodic), 0);
    let through = |s: &mut Scene| {
        s.domain.right.condition = Condition::Inflow;
        s.domain.right.velocity = [1.0, 0.0, 0.0];
    };
    assert_eq!(flow(&through), 0);
}

/// A scene with everything in it.
fn busy(cells: [u32; 3]) -> Scene {
    let mut scene = scene(cells);
    scene.domain.top.condition = Condition::Periodic;
    let shapes: Vec<Shape> = probes().into_iter().map(|p| p.0).collect();
    let blends = [Blend::Clamp, Blend::Add, Blend::Replace];
    for (i, shape) in shapes.iter().enumerate() {
        let x = 0.1 + 0.14 * i as f32;
        let mut e = Emitter {
            shape: shape.clone(),
            position: [x, 0.9 - x, 0.4],
            rotation: [10.0, 20.0, 30.0 * i as f32],
            dye_blend: blends[i % 3],
            velocity_blend: blends[(i + 1) % 3],
            temperature_blend: blends[(i + 2) % 3],
            flicker: 0.5,
            softness: 0.01 * i as f32,
            ..Emitter::default()
        };
        e.velocity = [1.0, -0.5, 0.25];
        scene.emitters.push(e);
        let mut o = obstacle(shape.clone(), [x, 1.0 - x, 0.6]);
        o.rotation = [30.0, -20.0, 15.0 * i as f32];
        o.path.spin = 20.0;
        if let Shape::Disc(d) = &mut o.shape {
            d.radius = 0.05;
        }
        scene.obstacles.push(o);
    }
    for (i, kind) in [
        MotorKind::default(),
        MotorKind::Omni(Omni {}),
        MotorKind::Vortex(Vortex { inflow: -0.3 }),
    ]
    .into_iter()
    .enumerate()
    {
        scene.motors.push(Motor {
            kind,
            position: [0.3 + 0.2 * i as f32, 0.4, 0.5],
            falloff: 0.7 * i as f32,
            ..Motor::default()
        });
    }
    scene.strokes = vec![stroke()];
    scene
}

/// Everything that the rasteriser makes of a scene: distances, velocities of solids, scalars, velocity components.
fn everything(dev: &mut Device, scene: &Scene) -> Vec<Vec<f32>> {
    let (grid, frame) = (scene.domain.grid(), at(scene, 4.0 * f64::from(DT), 4));
    let mut raster = Raster::new(dev, &grid).unwrap();
    raster.update(dev, &frame).unwrap();
    let mut scalars = dev
        .buf_from("scalars", &[0.1, 0.2, 0.3, 40.0].repeat(grid.len()))
        .unwrap();
    raster.emit(dev, &frame, DT, &mut scalars);
    let mut out = vec![dev.read(&raster.sdf).unwrap()];
    let solid = dev.read(&raster.solid).unwrap();
    out.push(solid.iter().map(|s| *s as f32).collect());
    out.push(dev.read(&raster.solid_velocity).unwrap());
    out.push(dev.read(&scalars).unwrap());
    for axis in 0..grid.dim() as usize {
        let mut offset = [0.5; 3];
        offset[axis] = 0.0;
        let mut u = dev
            .buf_from("u", &vec![0.2; grid.face_count(axis)])
            .unwrap();
        raster.push(dev, &frame, DT, axis, &mut u, grid.faces(axis), offset);
        out.push(dev.read(&u).unwrap());
    }
    out
}

#[test]
fn shaders_fit_their_kernels() {
    for kernel in KERNELS {
        check_kernel(kernel).unwrap();
    }
}

#[test]
fn cpu_and_gpu_agree() {
    let Ok(mut gpu) = Device::new(DeviceChoice::Gpu) else {
        println!("skipped: no adapter");
        return;
    };
    for cells in [[64, 48, 1], [24, 20, 16]] {
        let scene = busy(cells);
        let (a, b) = (everything(&mut cpu(), &scene), everything(&mut gpu, &scene));
        for (n, (a, b)) in a.iter().zip(&b).enumerate() {
            assert_eq!(a.len(), b.len());
            assert!(b.iter().all(|v| v.is_finite()));
            // A cell on the edge of an obstacle may be in on one side and out on the other.
            let differ = a
                .iter()
                .zip(b)
                .filter(|(a, b)| (*a - *b).abs() > 1e-4 * (1.0 + a.abs()))
                .count();
            let allowed = if n < 4 && gpu.kind() == DeviceKind::Gpu {
                a.len() / 1000
            } else {
                0
            };
            assert!(
                differ <= allowed,
                "{cells:?}, array {n}: {differ} of {} differ, L2 {}",
                a.len(),
                difference_l2(a, b)
            );
        }
    }
}

/// Prints a digest of everything; run by the test below with other numbers of threads.
#[test]
fn digest() {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    for cells in [[96, 80, 1], [20, 18, 16]] {
        for array in everything(&mut cpu(), &busy(cells)) {
            array.iter().for_each(|v| hasher.write_u32(v.to_bits()));
        }
    }
    println!("digest {:016x}", hasher.finish());
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let digest = |threads: &str| {
        let out = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "scene::digest", "--nocapture"])
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let at = text.find("digest ").expect("a digest") + 7;
        text[at..at + 16].to_owned()
    };
    let one = digest("1");
    assert_eq!(one, digest("2"));
    assert_eq!(one, digest("5"));
}

#[test]
fn no_value_panics_or_spreads() {
    let mut dev = cpu();
    for v in [0.0, -1.0, 1e5, -1e5, 1e30, f32::NAN, f32::INFINITY, 1e-30] {
        let mut scene = busy([24, 16, 1]);
        for e in &mut scene.emitters {
            e.position = [v; 3];
            e.rotation = [v; 3];
            e.softness = v;
            e.activity.keys = vec![Key { time: v, value: v }; 2];
            e.path.points = vec![PathPoint { offset: [v; 3] }; 2];
            (e.path.duration, e.path.spin) = (v, v);
            if let Shape::Disc(d) = &mut e.shape {
                d.radius = v;
            }
        }
        for o in &mut scene.obstacles {
            o.position = [v; 3];
            o.rotation[2] = v;
        }
        for m in &mut scene.motors {
            (m.position, m.radius, m.falloff) = ([v; 3], v, v);
        }
        for s in &mut scene.strokes {
            (s.radius, s.drag, s.points[1].position) = (v, v, [v; 3]);
        }
        let arrays = everything(&mut dev, &scene);
        // Within the hard limits everything stays finite.
        if v.abs() <= 1e5 {
            for (n, array) in arrays.iter().enumerate() {
                assert!(array.iter().all(|x| x.is_finite()), "{v}: array {n}");
            }
        }
        scene.domain.width = v;
        let _ = scene.check();
    }
    let grid = Grid {
        cells: [24, 16, 1],
        h: 0.1,
    };
    let frame = at(&busy([8, 8, 1]), 0.0, 0);
    let mut raster = Raster::new(&mut dev, &grid).unwrap();
    raster.update(&mut dev, &frame).unwrap();
    assert_eq!(raster.sdf.len(), 64, "another grid makes room anew");
    assert_eq!(Raster::memory_bytes(&grid), 24 * 16 * 24);
}
