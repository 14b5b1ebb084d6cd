//! Checks, both devices, threads, and bad values.

use eddy::device::{Device, DeviceKind, check_kernel};
use eddy::field::{Grid, difference_l2};
use eddy::scene::*;

use super::{DT, at, cpu, obstacle, probes, scene, stroke};

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
    let Some(mut gpu) = crate::kernels::gpu() else {
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
            .args(["--exact", "scene::whole::digest", "--nocapture"])
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
