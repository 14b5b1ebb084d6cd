//! Volume and momentum: nothing is lost.

use eddy::scene::{
    Blend, BoxShape, Capsule, Condition, Disc, Emitter, Groundwork, Obstacle, PathPoint, Scene,
    Shape, Terrain,
};

use super::{Pool, basin, plain};

/// A pond with a dry shore, an island, a boat that goes round, rain and a moving block.
fn pond() -> Scene {
    let mut scene = basin(96, 80, 4.8, Condition::NoSlip);
    scene.terrain.push(Terrain {
        shape: Shape::Box(BoxShape {
            half_size: [1.0, 4.0, 1.0],
            rounding: 0.0,
        }),
        position: [4.8, 2.0, 0.0],
        softness: 1.0,
        height: 0.6,
        ..Terrain::default()
    });
    scene.terrain.push(Terrain {
        shape: Shape::Disc(Disc { radius: 0.5 }),
        position: [2.2, 2.6, 0.0],
        softness: 0.5,
        build: Groundwork::Raise,
        height: 0.5,
        ..Terrain::default()
    });
    let round = [[0.0, 0.0], [1.2, -0.2], [1.4, 1.0], [0.1, 1.2]].map(|[x, y]| PathPoint {
        offset: [x, y, 0.0],
    });
    let mut boat = Obstacle {
        shape: Shape::Capsule(Capsule {
            length: 0.3,
            radius: 0.15,
        }),
        position: [1.0, 0.8, 0.0],
        draught: 0.08,
        ..Obstacle::default()
    };
    boat.path.points = round.to_vec();
    let mut block = Obstacle {
        shape: Shape::Disc(Disc { radius: 0.2 }),
        position: [0.8, 3.0, 0.0],
        ..Obstacle::default()
    };
    block.path.points = round.to_vec();
    scene.obstacles = vec![boat, block];
    scene.emitters.push(rain());
    scene
}

/// 36 mm an hour over all of it, in eighty drops a second.
fn rain() -> Emitter {
    Emitter {
        shape: Shape::Box(BoxShape {
            half_size: [2.4, 2.0, 1.0],
            rounding: 0.0,
        }),
        position: [2.4, 2.0, 0.0],
        softness: 0.1,
        dye_blend: Blend::Off,
        liquid_blend: Blend::Add,
        liquid: 1e-5,
        drops: 80.0,
        ..Emitter::default()
    }
}

#[test]
fn volume_stays_with_spray_rain_dry_land_and_a_moving_boat() {
    let mut params = plain(0.3);
    params.foam = 3.0;
    (params.spray.amount, params.spray.threshold) = (0.05, 0.05);
    let mut pool = Pool::new(pond(), params);
    let before = pool.water();
    let mut most_drops = 0.0_f64;
    for _ in 0..20 {
        pool.run(50, 1.0 / 60.0);
        let drift = (pool.water() - pool.added() - before) / before;
        most_drops = most_drops.max(pool.get("spray_count"));
        assert!(drift.abs() <= 1e-6, "{drift:e} at {} s", pool.time);
    }
    let area = 0.05_f64.powi(2);
    let (rain, seconds) = (pool.added() * area, pool.time);
    let expected = 1e-5 * 4.8 * 4.0 * seconds;
    let drift = (pool.water() - pool.added() - before) / before;
    println!("drift {drift:e}, rain {rain} m³ of {expected} m³, {most_drops} drops");
    assert!((rain / expected - 1.0).abs() < 0.03, "{rain} {expected}");
    assert!(most_drops > 20.0 && pool.get("max_speed") > 0.05);
    let report = pool.report();
    let said = report.get("volume").unwrap() - report.get("volume_added").unwrap();
    assert!((said / (before * area) - 1.0).abs() <= 2e-6, "{said}");
}

#[test]
fn volume_alone_drifts_by_less_than_a_millionth() {
    let mut scene = pond();
    scene.obstacles.clear();
    scene.emitters.clear();
    let mut pool = Pool::new(scene, plain(0.3));
    let mut depth = pool.field("depth");
    for (c, h) in depth.iter_mut().enumerate() {
        *h += if c % 96 < 20 { 0.2 } else { 0.0 };
    }
    pool.put("depth", &depth);
    let before = pool.water();
    let mut substeps = 0;
    while substeps < 1000 {
        pool.step(1.0 / 60.0);
        substeps += pool.report().substeps;
    }
    let drift = pool.water() / before - 1.0;
    println!("{drift:e} in {substeps} sub-steps");
    assert!(drift.abs() <= 1e-6 && pool.added() == 0.0);
}

/// A drop is seen where it is, between the middles of cells, and all of it; across joined ends too.
#[test]
fn a_drop_is_shared_by_the_cells_about_it() {
    let quantum = 0.1 / 4096.0;
    let cell = |i: usize, j: usize| j * 16 + i;
    let seen = |x: f32, y: f32| {
        let mut pool = Pool::new(basin(16, 16, 1.6, Condition::Periodic), plain(0.3));
        let mut drops = pool.state("drops");
        drops[..4].copy_from_slice(&[x, y, 5.0, 400.0]);
        pool.put("drops", &drops);
        let field = pool.field("spray");
        field
            .iter()
            .map(|d| (d / quantum).round() as u32)
            .collect::<Vec<_>>()
    };
    for (x, y, expected) in [
        (0.55, 0.35, vec![(cell(5, 3), 400)]),
        (
            0.575,
            0.40,
            vec![
                (cell(5, 3), 150),
                (cell(6, 3), 50),
                (cell(5, 4), 150),
                (cell(6, 4), 50),
            ],
        ),
        (0.0, 0.35, vec![(cell(0, 3), 200), (cell(15, 3), 200)]),
    ] {
        let field = seen(x, y);
        assert_eq!(field.iter().sum::<u32>(), 400, "none is lost at {x}, {y}");
        for (c, count) in expected {
            assert!(
                field[c].abs_diff(count) <= 1,
                "{x}, {y}: {} {count}",
                field[c]
            );
        }
    }
}

/// All that flies lands, and brings back what it took.
#[test]
fn spray_brings_back_volume_and_momentum() {
    let mut params = plain(0.3);
    (
        params.spray.amount,
        params.spray.threshold,
        params.spray.lift,
    ) = (0.1, 0.02, 3.0);
    // Nothing but spray acts: without gravity there are no waves, and drops fly on.
    let mut pool = Pool::new(basin(64, 64, 3.2, Condition::Periodic), params);
    let n = 64_usize;
    // Water that runs together at a line: there it breaks.
    let speed = |i: usize| if i % n < 32 { 0.4_f32 } else { 0.1 };
    let u: Vec<f32> = (0..n).flat_map(|_| (0..=n).map(speed)).collect();
    pool.put("velocity x", &u);
    let before = (pool.water(), pool.get("momentum_x"));
    pool.step(1e-4);
    let flying = pool.get("spray_count");
    assert!(flying > 20.0, "{flying}");
    let up = pool.get("momentum_x");
    assert!(up < before.1 * (1.0 - 1e-5), "{up} {}", before.1);
    pool.params.spray.amount = 0.0;
    let mut steps = 0;
    while pool.get("spray_count") > 0.0 {
        pool.step(1.0 / 60.0);
        steps += 1;
        assert!(steps < 600);
    }
    let after = (pool.water(), pool.get("momentum_x"));
    println!(
        "volume {:e}, momentum {:e}",
        after.0 / before.0 - 1.0,
        after.1 / before.1 - 1.0
    );
    assert!((after.0 / before.0 - 1.0).abs() <= 1e-6);
    assert!((after.1 / before.1 - 1.0).abs() <= 1e-5);
}

/// Without ground and walls the momentum of the water stays.
#[test]
fn momentum_is_carried_and_not_made() {
    let mut params = plain(0.1);
    // No wave is held back.
    params.max_depth = 0.5;
    let mut pool = Pool::new(basin(48, 48, 1.0, Condition::Periodic), params);
    let depth: Vec<f32> = (0..48 * 48)
        .map(|c| {
            if (c % 48 > 12) & (c / 48 < 30) {
                0.15
            } else {
                0.1
            }
        })
        .collect();
    pool.put("depth", &depth);
    pool.put("velocity x", &vec![0.3; 49 * 48]);
    pool.put("velocity y", &vec![-0.2; 49 * 48]);
    let [x, y] = ["momentum_x", "momentum_y"].map(|name| pool.get(name));
    pool.run(60, 1.0 / 60.0);
    let [x1, y1] = ["momentum_x", "momentum_y"].map(|name| pool.get(name));
    println!("{:e} {:e}", x1 / x - 1.0, y1 / y - 1.0);
    assert!((x1 / x - 1.0).abs() < 1e-5 && (y1 / y - 1.0).abs() < 1e-5);
}

/// Water runs through a channel from an inflow to an open face, and comes to a steady flow.
#[test]
fn what_flows_in_flows_out() {
    let mut scene = basin(80, 8, 8.0, Condition::FreeSlip);
    scene.domain.left.condition = Condition::Inflow;
    scene.domain.left.velocity = [0.3, 0.0, 0.0];
    scene.domain.right.condition = Condition::Open;
    let mut params = plain(0.5);
    params.friction = 0.004;
    let mut pool = Pool::new(scene, params);
    pool.run(3600, 1.0 / 30.0);
    let (depth, velocity) = (pool.field("depth"), pool.field("velocity"));
    // At the faces of the domain velocity and depth are not those of one place.
    for i in 2..78 {
        let flux = depth[i] * velocity[2 * i];
        assert!((flux / 0.15 - 1.0).abs() < 0.01, "column {i}: {flux}");
    }
    // Against what has run through.
    let (drift, through) = (
        pool.water() - pool.added() - 640.0 * 0.5,
        0.15 * pool.time / 0.1 * 8.0,
    );
    println!("{drift} of {through}");
    assert!(drift.abs() < 1e-5 * through, "{drift}");
}
