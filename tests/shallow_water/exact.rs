//! Rest, waves and dam breaks whose solutions are known.

use std::f64::consts::{PI, TAU};

use eddy::scene::{Condition, Disc, Groundwork, Shape, Terrain};
use eddy::solvers::shallow_water::Momentum;

use super::{Pool, basin, plain};

const G: f64 = 9.81;

/// A bump under water and an island.
fn islands() -> Vec<Terrain> {
    let hill = |x: f32, y: f32, radius, height| Terrain {
        shape: Shape::Disc(Disc { radius }),
        position: [x, y, 0.0],
        softness: radius,
        build: Groundwork::Add,
        height,
        ..Terrain::default()
    };
    vec![hill(0.3, 0.4, 0.25, 0.06), hill(0.7, 0.6, 0.25, 0.25)]
}

#[test]
fn a_lake_at_rest_stays_at_rest() {
    for momentum in [Momentum::Conservative, Momentum::Linear] {
        let mut scene = basin(64, 64, 1.0, Condition::NoSlip);
        scene.terrain = islands();
        let mut params = plain(0.1);
        params.momentum = momentum;
        let mut pool = Pool::new(scene, params);
        let before = pool.field("depth");
        assert!(before.contains(&0.0) && before.iter().any(|h| *h > 0.09));
        // About ten sub-steps each.
        let mut substeps = 0;
        while substeps < 5000 {
            pool.step(0.06);
            let report = pool.report();
            substeps += report.substeps;
            let speed = report.get("max_speed").unwrap();
            assert!(speed <= 1e-5, "{speed:e} m/s after {substeps} sub-steps");
        }
        let after = pool.field("depth");
        let largest = before
            .iter()
            .zip(&after)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        println!(
            "{momentum:?}: depth moved by {largest:e} m, speed {:e} m/s",
            pool.get("max_speed")
        );
        assert!(largest <= 1e-6);
    }
}

/// A standing wave of half a length in a basin: period 2L/√(gH).
#[test]
fn a_seiche_has_its_period() {
    let (n, width, depth) = (256_u32, 10.0_f32, 1.0_f32);
    let mut pool = Pool::new(basin(n, 4, width, Condition::FreeSlip), plain(depth));
    let amplitude = 1e-3;
    let wave = |i: u32| amplitude * (PI * (f64::from(i) + 0.5) / f64::from(n)).cos();
    let row: Vec<f32> = (0..n).map(|i| depth + wave(i) as f32).collect();
    pool.put("depth", &row.repeat(4));
    let mode = |pool: &mut Pool| {
        let h = pool.field("depth");
        let part = |i: u32| (f64::from(h[i as usize]) - f64::from(depth)) * wave(i) / amplitude;
        (0..n).map(part).sum::<f64>() * 2.0 / f64::from(n)
    };
    let period = 2.0 * f64::from(width) / (G * f64::from(depth)).sqrt();
    let dt = (period / 800.0) as f32;
    // Times at which the mode goes through zero, from straight lines between steps.
    let (mut zeros, mut last) = (Vec::new(), mode(&mut pool));
    while zeros.len() < 9 {
        pool.step(dt);
        let now = mode(&mut pool);
        if last * now <= 0.0 && last != now {
            zeros.push(pool.time - f64::from(dt) * now / (now - last));
        }
        last = now;
    }
    let measured = (zeros[8] - zeros[0]) / 4.0;
    println!("period {measured} s, {period} s expected");
    assert!((measured / period - 1.0).abs() <= 1e-4);
}

/// A hump runs at √(gH), along x and along y alike.
#[test]
fn waves_run_at_their_speed() {
    for axis in 0..2 {
        let n = 512_u32;
        let cells = if axis == 0 { [n, 4] } else { [4, n] };
        let depth = 0.5_f32;
        let h = 10.0 / n as f32;
        let scene = basin(cells[0], cells[1], h * cells[0] as f32, Condition::Periodic);
        let mut pool = Pool::new(scene, plain(depth));
        let along = |c: usize| if axis == 0 { c % n as usize } else { c / 4 };
        let hump = |x: f64| 3e-4 * (-(x / 0.5).powi(2)).exp();
        let x = |c: usize| (along(c) as f64 + 0.5) * f64::from(h);
        let data: Vec<f32> = (0..4 * n as usize)
            .map(|c| depth + hump(x(c) - 5.0) as f32)
            .collect();
        pool.put("depth", &data);
        // Two humps part; the one that goes right is looked for.
        pool.run(100, 0.01);
        let field = pool.field("depth");
        let (mut sum, mut moment) = (0.0, 0.0);
        for (c, h) in field.iter().enumerate() {
            if x(c) > 5.0 {
                let high = f64::from(h - depth);
                (sum, moment) = (sum + high, moment + high * x(c));
            }
        }
        let speed = moment / sum - 5.0;
        let expected = (G * f64::from(depth)).sqrt();
        println!("axis {axis}: {speed} m/s, {expected} expected");
        assert!((speed / expected - 1.0).abs() <= 0.005);
    }
}

/// The columns x, Ritter's depth and velocity, Stoker's depth and velocity.
fn reference() -> Vec<[f64; 5]> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/assets/reference/swe_dambreak.csv"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let numbers = |line: &str| {
        let row: Vec<f64> = line.split(',').map(|v| v.parse().unwrap()).collect();
        row.try_into().unwrap()
    };
    let lines = text.lines().filter(|l| !l.starts_with(['#', 'x']));
    lines.map(numbers).collect()
}

/// Depths after six seconds, in a channel of 100 cells.
fn dam_break(right: f32) -> Vec<f32> {
    let mut params = plain(0.005);
    (params.film, params.courant) = (1e-6, 0.4);
    let mut pool = Pool::new(basin(100, 4, 10.0, Condition::FreeSlip), params);
    let row: Vec<f32> = (0..100)
        .map(|i| if i < 50 { 0.005 } else { right })
        .collect();
    pool.put("depth", &row.repeat(4));
    pool.run(60, 0.1);
    let depth = pool.field("depth");
    for row in depth.chunks_exact(100) {
        assert_eq!(row, &depth[..100], "all rows are alike");
    }
    depth[..100].to_vec()
}

fn relative_l1(depth: &[f32], exact: impl Iterator<Item = f64>) -> f64 {
    let (mut error, mut sum) = (0.0, 0.0);
    for (h, exact) in depth.iter().zip(exact) {
        error += (f64::from(*h) - exact).abs();
        sum += exact;
    }
    error / sum
}

#[test]
fn a_dam_breaks_as_stoker_says() {
    let depth = dam_break(0.001);
    let error = relative_l1(&depth, reference().iter().map(|r| r[3]));
    // The bore: where the depth passes half of its jump, between the middle state and what lies before it.
    let half = f64::midpoint(0.002_539_357, 0.001);
    let at = depth
        .windows(2)
        .rposition(|w| f64::from(w[0]) >= half && f64::from(w[1]) < half)
        .unwrap();
    let [a, b] = [depth[at], depth[at + 1]].map(f64::from);
    let bore = (at as f64 + 0.5 + (a - half) / (a - b)) * 0.1;
    let travelled = 0.209_963_4 * 6.0;
    println!(
        "L1 {error}, bore at {bore} m, {} m expected",
        5.0 + travelled
    );
    assert!(error <= 0.01, "{error}");
    assert!((bore - 5.0 - travelled).abs() <= 0.02 * travelled, "{bore}");
}

#[test]
fn a_dam_breaks_on_dry_ground_as_ritter_says() {
    let depth = dam_break(0.0);
    let error = relative_l1(&depth, reference().iter().map(|r| r[1]));
    println!("L1 {error}");
    assert!(error <= 0.02, "{error}");
}

/// What comes back from a calm strip of `strength`, as a share of what ran in: the strip against the same channel so long
/// that nothing has come back.
fn reflection(strength: f32) -> f64 {
    let (depth, width, n) = (1.0_f32, 32.0_f32, 400_u32);
    let run = |n: u32, calm: bool| {
        let mut scene = basin(n, 4, n as f32 * 0.1, Condition::FreeSlip);
        if calm {
            scene.domain.right.condition = Condition::Absorbing;
        }
        let mut params = plain(depth);
        (params.calm_width, params.calm_strength, params.courant) = (width, strength, 0.4);
        let mut pool = Pool::new(scene, params);
        // Waves of twenty cells under a bell, running to the right.
        let wave = |x: f64| 5e-3 * (-((x - 200.0) / 40.0).powi(2)).exp() * (TAU * x / 20.0).cos();
        let row: Vec<f32> = (0..n)
            .map(|i| depth + wave(f64::from(i) + 0.5) as f32)
            .collect();
        let speed: Vec<f32> = (0..=n)
            .map(|i| (wave(f64::from(i)) * G.sqrt()) as f32)
            .collect();
        pool.put("depth", &row.repeat(4));
        pool.put("velocity x", &speed.repeat(4));
        pool.run(90, 0.1);
        pool.field("depth")[..400].to_vec()
    };
    let (with, without) = (run(n, true), run(3 * n, false));
    let back = with[..350]
        .iter()
        .zip(&without)
        .map(|(a, b)| f64::from((a - b).abs()));
    back.fold(0.0, f64::max) / 5e-3
}

#[test]
fn calm_strips_swallow_what_they_should() {
    for strength in [2.0_f32, 4.0] {
        let expected = (-2.0 * f64::from(strength) / 3.0).exp();
        let found = reflection(strength);
        println!("strength {strength}: {found} comes back, {expected} expected");
        assert!((found / expected - 1.0).abs() <= 0.2, "{strength}");
    }
    let usual = reflection(eddy::solvers::shallow_water::Parameters::default().calm_strength);
    println!("by default {usual} comes back");
    assert!(usual <= 0.01);
}
