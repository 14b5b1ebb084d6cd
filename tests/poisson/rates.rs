//! Exact modes, and how fast errors shrink.

use std::f64::consts::PI;

use eddy::device::Device;

use super::affordable;
use super::system::{Problem, Side, devices, noise, set, sides, solver};

const RATES: &str = include_str!("../../assets/reference/poisson_rates.csv");

/// The mode of wave numbers `m` of a box, with its eigenvalue.
fn mode(dims: [u32; 3], side: Side, m: [u32; 3]) -> (Vec<f64>, f64) {
    let mut values = vec![1.0; dims.iter().map(|n| *n as usize).product()];
    let mut lambda = 0.0;
    let axes = if dims[2] > 1 { 3 } else { 2 };
    for axis in 0..axes {
        let n = f64::from(dims[axis]);
        let k = f64::from(m[axis]);
        // Half a turn over the length, but for periodic sides a whole one.
        let step = match side {
            Side::Node => PI * k / (n + 1.0),
            Side::Periodic => 2.0 * PI * k / n,
            _ => PI * k / n,
        };
        lambda += 4.0 * (step / 2.0).sin().powi(2);
        for (c, v) in values.iter_mut().enumerate() {
            let [nx, ny, _] = dims.map(|n| n as usize);
            let i = [c % nx, c / nx % ny, c / (nx * ny)][axis] as f64;
            *v *= match side {
                Side::Closed => (step * (i + 0.5)).cos(),
                Side::Face => (step * (i + 0.5)).sin(),
                Side::Node => (step * (i + 1.0)).sin(),
                Side::Periodic => (step * i).cos(),
            };
        }
    }
    (values, lambda)
}

#[test]
fn exact_modes_have_no_residual() {
    for mut dev in devices() {
        for side in [Side::Closed, Side::Face, Side::Node, Side::Periodic] {
            for (dims, m) in [([48, 33, 1], [3, 2, 0]), ([16, 12, 10], [2, 3, 1])] {
                let (mode, lambda) = mode(dims, side, m);
                let mut p = Problem::open(dims, sides(side, side, side));
                p.rhs = mode.iter().map(|v| (lambda * v) as f32).collect();
                let mut x: Vec<f32> = mode.iter().map(|v| *v as f32).collect();
                let report = p.solve(&mut dev, &solver("jacobi", 1), &mut x);
                assert!(
                    report.l2_before < 2e-6 * 4.0,
                    "{dims:?}: {}",
                    report.l2_before
                );
                let off = p.difference(&x, &mode, true);
                assert!(off < 2e-6, "{dims:?}: {off}");
            }
        }
    }
}

#[test]
fn jacobi_shrinks_modes_by_the_known_factor() {
    for mut dev in devices() {
        for side in [Side::Node, Side::Periodic] {
            for (dims, m) in [([48, 33, 1], [3, 2, 0]), ([16, 12, 10], [2, 3, 1])] {
                for weight in [1.0, 0.7] {
                    let (mode, lambda) = mode(dims, side, m);
                    let p = Problem::open(dims, sides(side, side, side));
                    let mut params = solver("jacobi", 20);
                    set(&mut params, "weight", &weight.to_string());
                    let mut x: Vec<f32> = mode.iter().map(|v| *v as f32).collect();
                    p.solve(&mut dev, &params, &mut x);
                    let diagonal = if dims[2] > 1 { 6.0 } else { 4.0 };
                    let factor = (1.0 - weight * lambda / diagonal).powi(20);
                    let exact: Vec<f64> = mode.iter().map(|v| v * factor).collect();
                    let off = p.difference(&x, &exact, false);
                    assert!(off < 5e-6, "{dims:?} {weight}: {off}");
                }
            }
        }
    }
}

#[test]
fn asymptotic_factors_are_those_of_theory() {
    for mut dev in devices() {
        for n in [31_u32, 63] {
            // Long enough for all but the slowest mode to die out.
            let (every, last) = if n == 31 { (200, 1600) } else { (400, 6400) };
            if n > 31 && last > affordable(&dev, last) {
                continue;
            }
            let p = Problem::open([n, n, 1], sides(Side::Node, Side::Node, Side::Closed));
            let rho = (PI / f64::from(n + 1)).cos();
            for (id, theory) in [("jacobi", rho), ("gauss_seidel", rho * rho)] {
                let mut params = solver(id, last);
                set(&mut params, "check_every", &every.to_string());
                let mut x = noise(p.codes.len(), 5);
                let report = p.solve(&mut dev, &params, &mut x);
                let at = |k: u32| f64::from(report.residuals.iter().find(|r| r.0 == k).unwrap().1);
                let factor = (at(last) / at(last - every)).powf(1.0 / f64::from(every));
                assert!(
                    (factor - theory).abs() < 1e-4,
                    "{id} {n}: {factor} {theory}"
                );
            }
        }
    }
}

/// At the best weight the slowest errors shrink by ω − 1, once and again: as k (ω − 1)^k, so that late iterations count.
#[test]
fn over_relaxation_shrinks_by_its_weight_less_one() {
    for mut dev in devices() {
        for (n, first, last) in [(63_u32, 280, 360), (127, 560, 720)] {
            if last > affordable(&dev, 720) {
                continue;
            }
            let p = Problem::open([n, n, 1], sides(Side::Node, Side::Node, Side::Closed));
            let omega = 2.0 / (1.0 + (PI / f64::from(n + 1)).sin());
            let mut params = solver("sor", last);
            set(&mut params, "check_every", "40");
            let mut x = noise(p.codes.len(), 5);
            let report = p.solve(&mut dev, &params, &mut x);
            let at = |k: u32| f64::from(report.residuals.iter().find(|r| r.0 == k).unwrap().1);
            let factor = (at(last) / at(first)).powf(1.0 / f64::from(last - first));
            assert!(
                (factor / (omega - 1.0) - 1.0).abs() < 0.01,
                "{n}: {factor}, {}",
                omega - 1.0
            );
            // The weight that is chosen is that one.
            let mut y = noise(p.codes.len(), 5);
            set(&mut params, "omega", &(omega as f32).to_string());
            p.solve(&mut dev, &params, &mut y);
            assert_eq!(x, y);
        }
    }
}

/// Residual by iteration relative to the first, of a closed box of noise.
fn decay(dev: &mut Device, n: u32, id: &str, iterations: u32, seed: u32) -> Vec<(u32, f64)> {
    let closed = sides(Side::Closed, Side::Closed, Side::Closed);
    let p = Problem::open([n, n, 1], closed).with_noise(seed, true);
    let mut params = solver(id, iterations);
    set(&mut params, "check_every", "20");
    let mut x = vec![0.0; p.codes.len()];
    let report = p.solve(dev, &params, &mut x);
    let first = f64::from(report.l2_before);
    report
        .residuals
        .iter()
        .map(|r| (r.0, f64::from(r.1) / first))
        .collect()
}

/// The reference is one sample of noise. Twenty of ours must agree with it within 5 %, or within three times their own
/// spread where that is more: from some hundred iterations on, few modes are left and samples differ by 10 % and more.
#[test]
fn white_noise_is_reduced_as_in_the_reference() {
    let mut dev = Device::cpu_with_threads(2);
    for row in RATES.lines().filter(|l| l.starts_with("stationary")) {
        let cells: Vec<&str> = row.split(',').collect();
        let n: u32 = cells[1].parse().unwrap();
        let id = if cells[3] == "rbgs" {
            "gauss_seidel"
        } else {
            "jacobi"
        };
        let samples: Vec<_> = (0..20)
            .map(|s| decay(&mut dev, n, id, 640, 77 * s + 1))
            .collect();
        let on_others: Vec<_> = devices()
            .iter_mut()
            .skip(1)
            .map(|dev| decay(dev, n, id, affordable(dev, 640), 1))
            .collect();
        for pair in cells[4].split(' ') {
            let (k, rate) = pair.split_once(':').unwrap();
            let (k, rate): (u32, f64) = (k.parse().unwrap(), rate.parse().unwrap());
            let at = |s: &Vec<(u32, f64)>| s.iter().find(|r| r.0 == k).map(|r| r.1);
            let ours: Vec<f64> = samples.iter().map(|s| at(s).unwrap()).collect();
            let mean = ours.iter().sum::<f64>() / 20.0;
            let spread = (ours.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / 19.0).sqrt();
            let off = (mean - rate).abs();
            assert!(
                off < (0.05 * rate).max(3.0 * spread),
                "{id} {n}² after {k}: {mean} ± {spread}, {rate}"
            );
            assert!(
                k > 40 || off < 0.05 * rate,
                "{id} {n}² after {k}: {mean}, {rate}"
            );
            for other in on_others.iter().filter_map(at) {
                assert!((other / ours[0] - 1.0).abs() < 1e-3);
            }
        }
    }
}
