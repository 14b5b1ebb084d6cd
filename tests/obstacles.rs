//! Obstacles that move through dye.

use eddy::scene::{BoxShape, Condition, Obstacle, PathPoint, Raster, Shape};
use eddy::solvers::stable_fluids::Parameters;

use crate::kernels::twin;
use crate::stable_fluids::{Lab, Noise, square};

/// A still tank full of dye in which a box goes to the right, half a cell a step of 1/60 s.
fn tank() -> Lab {
    let mut scene = square(48, Condition::FreeSlip);
    let mut mover = Obstacle {
        shape: Shape::Box(BoxShape {
            half_size: [0.1, 0.1, 0.1],
            ..BoxShape::default()
        }),
        position: [0.3, 0.5, 0.0],
        ..Obstacle::default()
    };
    mover.path.points = [0.0, 0.2, 0.4]
        .map(|x| PathPoint {
            offset: [x, 0.0, 0.0],
        })
        .to_vec();
    mover.path.duration = 0.64;
    scene.obstacles.push(mover);
    let mut lab = Lab::new(scene, Parameters::default());
    lab.put(
        "dye and temperature",
        &[1.0, 0.5, 0.25, 10.0].repeat(48 * 48),
    );
    lab
}

#[test]
fn dye_closes_behind_an_obstacle() {
    let mut lab = tank();
    lab.run(30, 1.0 / 60.0);
    let (dye, obstacle) = (lab.field("dye"), lab.field("obstacle"));
    let outside = obstacle
        .iter()
        .zip(dye.chunks_exact(3))
        .filter(|(o, _)| **o == 0.0);
    let faintest = outside.fold([f32::MAX; 3], |low, (_, dye)| {
        [0, 1, 2].map(|c| low[c].min(dye[c]))
    });
    let expected = [1.0, 0.5, 0.25];
    for c in 0..3 {
        assert!(faintest[c] > 0.98 * expected[c], "{faintest:?}");
    }
}

/// One that stood still is dragged aside by hand, at once or after the state was put back: the dye closes the same way.
#[test]
fn dye_closes_where_an_obstacle_stood() {
    let moved = |back: bool| {
        let mut lab = tank();
        lab.scene.obstacles[0].path.points.clear();
        lab.put(
            "dye and temperature",
            &[1.0, 0.5, 0.25, 10.0].repeat(48 * 48),
        );
        lab.run(3, 1.0 / 60.0);
        if back {
            let dye = lab.state("dye and temperature");
            lab.put("dye and temperature", &dye);
        }
        lab.scene.obstacles[0].position[0] += 0.03;
        lab.run(2, 1.0 / 60.0);
        lab.field("dye")
    };
    let dye = moved(false);
    // Two cells inside where its left side was.
    let cell = 24 * 48 + (0.2_f32 * 48.0) as usize + 1;
    assert!(dye[3 * cell] > 0.98, "{}", dye[3 * cell]);
    assert!(dye == moved(true));
}

/// Whatever is joined has no ends: all moves with the domain.
#[test]
fn dye_closes_across_a_joined_face() {
    let at = |x: f32| {
        let mut lab = tank();
        let d = &mut lab.scene.domain;
        (d.left.condition, d.right.condition) = (Condition::Periodic, Condition::Periodic);
        lab.scene.obstacles[0].position[0] = x;
        let (scene, params) = (lab.scene.clone(), lab.params.clone());
        let mut lab = Lab::new(scene, params);
        lab.put(
            "dye and temperature",
            &[1.0, 0.5, 0.25, 10.0].repeat(48 * 48),
        );
        lab.run(8, 1.0 / 60.0);
        let (dye, obstacle) = (lab.field("dye"), lab.field("obstacle"));
        let outside = obstacle
            .iter()
            .zip(dye.chunks_exact(3))
            .filter(|(o, _)| **o == 0.0);
        outside.fold(f32::MAX, |low, (_, dye)| low.min(dye[0]))
    };
    assert!(at(0.5) > 0.98 && at(0.11) > 0.98 && at(0.0) > 0.98);
}

#[test]
fn going_back_fills_the_same_cells_again() {
    let mut whole = tank();
    whole.run(10, 1.0 / 60.0);
    let names = whole.names();
    let saved: Vec<_> = names.iter().map(|name| whole.state(name)).collect();
    let (time, frame) = (whole.time, whole.frame);
    whole.run(10, 1.0 / 60.0);
    let expected: Vec<_> = names.iter().map(|name| whole.state(name)).collect();
    for (name, data) in names.iter().zip(&saved) {
        whole.put(name, data);
    }
    (whole.time, whole.frame) = (time, frame);
    whole.run(10, 1.0 / 60.0);
    for (name, expected) in names.iter().zip(&expected) {
        assert!(whole.state(name) == *expected, "{name}");
    }
}

#[test]
fn both_devices_fill_alike() {
    twin("uncover", |dev| {
        let scene = tank().scene;
        let masks = eddy::scene::Masks::default();
        let frame = scene.at(0.2, 0.01, 12, 0.01, &masks);
        let grid = scene.domain.grid();
        let mut raster = Raster::new(dev, &grid).unwrap();
        raster.update(dev, &frame).unwrap();
        let mut noise = Noise::new(3);
        let mut random = |n: usize| (0..n).map(|_| noise.signed()).collect::<Vec<f32>>();
        // Large holes, so that some cells find nothing near.
        let mut covered: Vec<f32> = random(grid.len());
        for (k, c) in covered.iter_mut().enumerate() {
            let hole = (k % 48) < 20 && k / 48 < 20;
            *c = if hole || *c > 0.0 { 1.0 } else { 0.0 };
        }
        let mut scalars = dev.buf_from("scalars", &random(4 * grid.len())).unwrap();
        let mut covered = dev.buf_from("covered", &covered).unwrap();
        raster.uncover(dev, &frame, &mut covered, &mut scalars);
        vec![dev.read(&scalars).unwrap(), dev.read(&covered).unwrap()]
    });
}

#[test]
fn both_devices_cover_alike() {
    twin("cover", |dev| {
        let scene = tank().scene;
        let frame = scene.at(0.2, 0.01, 12, 0.01, &eddy::scene::Masks::default());
        let grid = scene.domain.grid();
        let mut raster = Raster::new(dev, &grid).unwrap();
        raster.update(dev, &frame).unwrap();
        let mut covered = dev.buf("covered", grid.len()).unwrap();
        raster.cover(dev, &frame, &mut covered);
        let covered = dev.read(&covered).unwrap();
        assert!(covered.contains(&1.0) && covered.contains(&0.0));
        vec![covered]
    });
}

/// What confinement feeds must be eddies: fed with the vorticity of a wall, the flow along it falls apart into layers of one
/// cell that run against each other.
#[test]
fn confinement_does_not_tear_the_flow_along_a_wall() {
    let n = 48;
    let floor = |rows: usize| {
        let mut scene = square(n, Condition::FreeSlip);
        scene.domain.left.condition = Condition::Periodic;
        scene.domain.right.condition = Condition::Periodic;
        scene.domain.bottom.condition = Condition::NoSlip;
        if rows > 0 {
            scene.obstacles.push(Obstacle {
                shape: Shape::Box(BoxShape {
                    half_size: [2.0, rows as f32 / n as f32, 0.1],
                    rounding: 0.0,
                }),
                position: [0.5, 0.0, 0.0],
                ..Obstacle::default()
            });
        }
        scene
    };
    for rows in [0, 6] {
        let params = Parameters {
            vorticity_confinement: 5.0,
            ..Parameters::default()
        };
        let mut lab = Lab::new(floor(rows), params);
        let mut noise = Noise::new(5);
        let u: Vec<f32> = lab
            .state("velocity x")
            .iter()
            .map(|_| 0.4 + 0.02 * noise.signed())
            .collect();
        lab.put("velocity x", &u);
        lab.run(60, 1.0 / 30.0);
        let u = lab.state("velocity x");
        let row = |j: usize| &u[(rows + j) * (n as usize + 1)..][..n as usize];
        let mut torn = 0.0;
        for j in 0..4 {
            let (a, b, c) = (row(j), row(j + 1), row(j + 2));
            for i in 0..n as usize {
                torn += (a[i] - 2.0 * b[i] + c[i]).powi(2) / (4.0 * n as f32);
            }
        }
        assert!(
            torn.sqrt() < 0.3,
            "{rows} rows of obstacle: {} m/s",
            torn.sqrt()
        );
    }
}

/// Through an open face comes in what flows there already: fed there, layers feed themselves, and grow without end.
#[test]
fn confinement_does_not_tear_the_flow_through_an_open_face() {
    let n = 48;
    for axis in [0, 1] {
        let mut scene = square(n, Condition::FreeSlip);
        let d = &mut scene.domain;
        let (low, high) = match axis {
            0 => (&mut d.left, &mut d.right),
            _ => (&mut d.bottom, &mut d.top),
        };
        (low.condition, high.condition) = (Condition::Open, Condition::Open);
        let params = Parameters {
            vorticity_confinement: 5.0,
            ..Parameters::default()
        };
        let mut lab = Lab::new(scene, params);
        let mut noise = Noise::new(5);
        let name = ["velocity x", "velocity y"][axis];
        let u: Vec<f32> = lab
            .state(name)
            .iter()
            .map(|_| 0.4 + 0.02 * noise.signed())
            .collect();
        lab.put(name, &u);
        lab.run(60, 1.0 / 30.0);
        let u = lab.state(name);
        let n = n as usize;
        // Velocity across the open face, `along` cells from one end of it and `deep` behind it.
        let at = |along: usize, deep: usize| match axis {
            0 => u[along * (n + 1) + deep],
            _ => u[deep * n + along],
        };
        let mut torn = 0.0;
        for deep in 0..4 {
            for i in 1..n - 1 {
                let bend = at(i - 1, deep) - 2.0 * at(i, deep) + at(i + 1, deep);
                torn += bend.powi(2) / (4.0 * n as f32);
            }
        }
        // Of the noise at the beginning there is 0.03 m/s.
        assert!(torn.sqrt() < 0.1, "{name}: {} m/s", torn.sqrt());
    }
}
