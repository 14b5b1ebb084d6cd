//! Maps for engines against what is known of them.

use eddy::scene::{Condition, Dab, Disc, Groundwork, Obstacle, Shape, Terrain};

use super::{Pool, basin, plain};

/// A pool whose heights follow from the middles of its cells in m.
fn shaped(mut pool: Pool, depth: impl Fn(f32, f32) -> f32) -> Pool {
    let grid = pool.scene.domain.grid();
    let [nx, ny, _] = grid.cells;
    let middle = |i: u32| (i as f32 + 0.5) * grid.h;
    let data: Vec<f32> = (0..nx * ny)
        .map(|c| depth(middle(c % nx), middle(c / nx)))
        .collect();
    pool.put("depth", &data);
    pool
}

/// A surface that rises by 3 in 10 to the right and falls by 4 in 10 to the top leans the other way, also at the ends.
#[test]
fn a_plane_has_its_normal_everywhere() {
    for strength in [1.0_f32, 5.0] {
        let mut params = plain(1.0);
        params.normal_strength = strength;
        let pool = Pool::new(basin(24, 16, 6.0, Condition::NoSlip), params);
        let mut pool = shaped(pool, |x, y| 2.0 + 0.3 * x - 0.4 * y);
        let (x, y) = (-0.3 * strength, 0.4 * strength);
        let length = (x * x + y * y + 1.0).sqrt();
        let expected = [x, y, 1.0].map(|v| v / length);
        for n in pool.field("normal").chunks_exact(3) {
            for (n, expected) in n.iter().zip(expected) {
                assert!((n - expected).abs() < 2e-6 * strength, "{n} {expected}");
            }
        }
    }
}

/// What stands in the water has no edge in its normals: a plane stays one up to the stone.
#[test]
fn a_stone_leaves_the_plane_about_it_as_it_is() {
    let mut scene = basin(24, 24, 6.0, Condition::NoSlip);
    scene.obstacles = vec![obstacle(1.1, [3.0, 3.0, 0.0])];
    let mut pool = shaped(Pool::new(scene, plain(1.0)), |x, y| {
        let stone = (x - 3.0).hypot(y - 3.0) < 1.1;
        if stone { 7.0 } else { 2.0 + 0.3 * x - 0.4 * y }
    });
    let length = (0.25_f32 + 1.0).sqrt();
    let plane = [-0.3 / length, 0.4 / length, 1.0 / length];
    let normals = pool.field("normal");
    let near = |n: &[f32], m: [f32; 3]| n.iter().zip(m).all(|(a, b)| (a - b).abs() < 1e-5);
    let stone = normals
        .chunks_exact(3)
        .filter(|n| near(n, [0.0, 0.0, 1.0]))
        .count();
    let water = normals.chunks_exact(3).filter(|n| near(n, plane)).count();
    assert!(stone > 40 && stone + water == 576, "{stone} {water}");
}

/// Heights of land count where there is no water, and joined ends are joined.
#[test]
fn normals_are_those_of_the_land_and_go_round() {
    let mut scene = basin(32, 4, 8.0, Condition::NoSlip);
    scene.terrain = vec![Terrain {
        shape: Shape::Disc(Disc { radius: 20.0 }),
        build: Groundwork::Add,
        softness: 0.0,
        height: 0.5,
        ..Terrain::default()
    }];
    let mut pool = Pool::new(scene, plain(0.1));
    for n in pool.field("normal").chunks_exact(3) {
        assert_eq!(n, [0.0, 0.0, 1.0], "level land looks up");
    }
    // One wave in the width: its steepest place is where the ends meet.
    let wave = |x: f32| 0.1 * (std::f32::consts::TAU * x / 8.0).sin();
    let mut pool = shaped(
        Pool::new(basin(32, 4, 8.0, Condition::Periodic), plain(1.0)),
        |x, _| 1.0 + wave(x),
    );
    let field = pool.field("normal");
    let slope = (wave(0.375) - wave(-0.125)) / 0.5;
    let expected = -slope / (slope * slope + 1.0).sqrt();
    assert!(
        (field[0] - expected).abs() < 1e-5,
        "{} {expected}",
        field[0]
    );
}

fn obstacle(radius: f32, position: [f32; 3]) -> Obstacle {
    Obstacle {
        shape: Shape::Disc(Disc { radius }),
        position,
        ..Obstacle::default()
    }
}

/// From a straight shore distances are exact: half a cell in the first cell on either side.
#[test]
fn a_straight_shore_is_as_far_as_it_is() {
    for turned in [false, true] {
        let cells = if turned { [8, 40] } else { [40, 8] };
        let scene = basin(
            cells[0],
            cells[1],
            0.25 * cells[0] as f32,
            Condition::NoSlip,
        );
        let along = move |x: f32, y: f32| if turned { y } else { x };
        let mut pool = shaped(Pool::new(scene, plain(0.5)), |x, y| {
            if along(x, y) < 4.0 { 0.5 } else { 0.0 }
        });
        let field = pool.field("shore");
        for (c, distance) in field.iter().enumerate() {
            let (i, j) = (c as u32 % cells[0], c as u32 / cells[0]);
            let middle = |i: u32| (i as f32 + 0.5) * 0.25;
            let expected = 4.0 - along(middle(i), middle(j));
            assert!((distance - expected).abs() < 1e-5, "{distance} {expected}");
        }
    }
}

/// Round a disc of land or of stone in water the distance is that to its rim, to a cell; across joined ends too.
#[test]
fn an_island_is_as_far_as_its_rim() {
    let (centre, radius) = ([2.5_f32, 5.0], 1.6_f32);
    for (stone, condition) in [
        (false, Condition::NoSlip),
        (true, Condition::NoSlip),
        (true, Condition::Periodic),
    ] {
        let mut scene = basin(100, 100, 10.0, condition);
        let position = [centre[0], centre[1], 0.0];
        if stone {
            scene.obstacles = vec![obstacle(radius, position)];
        } else {
            scene.terrain = vec![Terrain {
                shape: Shape::Disc(Disc { radius }),
                position,
                build: Groundwork::Add,
                softness: 0.0,
                height: 2.0,
                ..Terrain::default()
            }];
        }
        let mut pool = Pool::new(scene, plain(0.5));
        let field = pool.field("shore");
        let away = |d: f32| {
            if condition == Condition::Periodic {
                d.abs().min(10.0 - d.abs())
            } else {
                d
            }
        };
        let mut worst = 0.0_f32;
        for (c, distance) in field.iter().enumerate() {
            let middle = |i: usize| (i as f32 + 0.5) * 0.1;
            let (x, y) = (middle(c % 100) - centre[0], middle(c / 100) - centre[1]);
            worst = worst.max((distance - (away(x).hypot(away(y)) - radius)).abs());
        }
        println!("stone {stone}, {condition:?}: off by {worst} m, a cell is 0.1 m");
        assert!(worst < 0.1, "{worst}");
    }
}

/// Puddles count as land as long as they are not as deep as was asked for.
#[test]
fn a_puddle_is_no_shore() {
    let pool = |shore_depth| {
        let mut params = plain(0.5);
        params.shore_depth = shore_depth;
        let scene = basin(40, 8, 10.0, Condition::NoSlip);
        shaped(Pool::new(scene, params), |x, _| match x {
            x if x < 4.0 => 0.5,
            x if x > 8.0 => 0.02,
            _ => 0.0,
        })
        .field("shore")[39]
    };
    assert!((pool(0.05) + 5.875).abs() < 1e-5);
    assert!((pool(0.01) - 1.875).abs() < 1e-5);
}

/// Without a shore all is as far as the domain is wide, and on its side.
#[test]
fn where_there_is_no_shore_it_is_far() {
    let mut sea = Pool::new(basin(30, 40, 3.0, Condition::Periodic), plain(0.5));
    assert!(sea.field("shore").iter().all(|d| (d - 4.95).abs() < 1e-5));
    let mut land = Pool::new(basin(30, 40, 3.0, Condition::NoSlip), plain(0.0));
    assert!(land.field("shore").iter().all(|d| (d + 4.95).abs() < 1e-5));
}

/// The ground under a stroke of a brush is as high as was asked for, but for its ends.
#[test]
fn a_stroke_over_the_ground_is_even() {
    let mut scene = basin(120, 40, 6.0, Condition::NoSlip);
    let dab = |k: u16| Dab {
        offset: [0.125 * f32::from(k), 0.0, 0.0],
    };
    scene.terrain = vec![Terrain {
        shape: Shape::Disc(Disc { radius: 0.5 }),
        position: [1.0, 1.0, 0.0],
        softness: 0.5,
        build: Groundwork::Add,
        height: 0.25 * 0.2,
        dabs: (0..=32).map(dab).collect(),
        ..Terrain::default()
    }];
    let mut pool = Pool::new(scene.clone(), plain(0.0));
    let ground = pool.field("ground");
    let ridge = &ground[20 * 120..][..120];
    let (low, high) = ridge[32..88]
        .iter()
        .fold((1.0_f32, 0.0_f32), |(a, b), h| (a.min(*h), b.max(*h)));
    println!("{low} m to {high} m, 0.2 m asked for");
    assert!(high / low < 1.01, "{low} {high}");
    // Coverage reaches half a cell over the edge of a shape: a tenth of a radius of ten cells.
    assert!((0.195..0.22).contains(&low), "{low}");
    assert_eq!(ridge[8], 0.0, "before the first touch");
    // Without touches it stands at its centre; with one beside it, there.
    scene.terrain[0].dabs = vec![dab(8)];
    scene.terrain[0].rotation = [0.0, 0.0, 90.0];
    scene.terrain[0].position = [2.0, 0.5, 0.0];
    let turned = Pool::new(scene.clone(), plain(0.0)).field("ground");
    scene.terrain[0].dabs.clear();
    scene.terrain[0].position = [2.0, 1.5, 0.0];
    let moved = Pool::new(scene, plain(0.0)).field("ground");
    let worst = turned.iter().zip(&moved).map(|(a, b)| (a - b).abs());
    assert!(worst.fold(0.0, f32::max) < 1e-5 && moved.iter().any(|h| *h > 0.04));
}
