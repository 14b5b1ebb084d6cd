//! Multigrid: how much a cycle leaves, at any size, among obstacles, and that all its parts do the same everywhere.

use eddy::device::{Device, DeviceKind};
use eddy::poisson::{System, UNKNOWN};

use super::system::{Problem, Side, devices, noise, set, sides, solver};
use Side::{Closed, Face, Node, Periodic};

/// What a cycle leaves of the residual, once only the slowest errors are left: over cycles 7 to 9, from noise, with a
/// solution of zero so that rounding does not matter. Each is a solve of its own, which takes the mean off where the solution
/// is free to it: else the last digits of that mean would soon be all that is left.
fn factor(dev: &mut Device, p: &Problem, cycle: &str) -> f64 {
    let mut params = solver("multigrid", 1);
    set(&mut params, "cycle", cycle);
    let mut x = noise(p.codes.len(), 5);
    for (x, code) in x.iter_mut().zip(&p.codes) {
        *x *= ((code & UNKNOWN) / UNKNOWN) as f32;
    }
    let mut solver = params.create(dev, p.dims).unwrap();
    let stencil = dev.buf_from("stencil", &p.codes).unwrap();
    let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
    let mut x = dev.buf_from("x", &x).unwrap();
    let system = System {
        dims: p.dims,
        stencil: &stencil,
        revision: 1,
        shift: p.shift,
        rhs: &rhs,
        residual_scale: 1.0,
        name: "test",
        unit: "",
    };
    let mut left = Vec::new();
    for _ in 0..9 {
        solver.solve(dev, &system, &mut x, &params);
        left.push(f64::from(solver.report(dev).unwrap().wait(dev).unwrap().l2));
    }
    (left[8] / left[5]).cbrt()
}

fn check(name: &str, p: &Problem, most: f64) {
    let mut dev = Device::cpu_with_threads(2);
    let [v, w] = ["V", "W"].map(|cycle| factor(&mut dev, p, cycle));
    println!("{name}: V {v:.3}, W {w:.3}");
    assert!(v <= most, "{name}: a V cycle leaves {v}");
    assert!(w <= most, "{name}: a W cycle leaves {w}");
}

#[test]
fn a_cycle_leaves_a_tenth_at_any_size() {
    for n in [64, 128, 256, 512] {
        for (name, side) in [
            ("closed", Closed),
            ("face", Face),
            ("node", Node),
            ("periodic", Periodic),
        ] {
            check(
                &format!("{name} {n}²"),
                &Problem::open([n, n, 1], sides(side, side, side)),
                0.10,
            );
        }
        let mixed = [Closed, Face, Node, Closed, Closed, Closed];
        check(
            &format!("mixed {n}²"),
            &Problem::open([n, n, 1], mixed),
            0.10,
        );
        let half = sides(Periodic, Face, Closed);
        check(
            &format!("half periodic {n}²"),
            &Problem::open([n, n, 1], half),
            0.10,
        );
    }
}

#[test]
fn a_cycle_leaves_an_eighth_in_3d() {
    for n in [32, 64] {
        for (name, side) in [("closed", Closed), ("face", Face), ("periodic", Periodic)] {
            check(
                &format!("{name} {n}³"),
                &Problem::open([n, n, n], sides(side, side, side)),
                0.12,
            );
        }
        let mixed = [Closed, Face, Node, Closed, Closed, Closed];
        check(
            &format!("mixed {n}³"),
            &Problem::open([n, n, n], mixed),
            0.12,
        );
    }
}

#[test]
fn a_cycle_leaves_as_little_on_every_device() {
    let ball = |i: u32, j: u32, _: u32| (20..33).contains(&i) && j > 11 && j < 40;
    for mut dev in devices() {
        for (p, most) in [
            (
                Problem::open([64, 64, 1], sides(Closed, Closed, Closed)),
                0.10,
            ),
            (
                Problem::open([16, 16, 16], sides(Closed, Face, Closed)),
                0.12,
            ),
            (
                Problem::new([64, 64, 1], sides(Closed, Face, Closed), ball),
                0.3,
            ),
        ] {
            for cycle in ["V", "W"] {
                let left = factor(&mut dev, &p, cycle);
                assert!(
                    left <= most,
                    "{:?}, {:?}: a {cycle} cycle leaves {left}",
                    p.dims,
                    dev.kind()
                );
            }
        }
    }
}

#[test]
fn odd_sizes_are_no_slower() {
    let closed = sides(Closed, Closed, Closed);
    for dims in [
        [63, 63, 1],
        [65, 129, 1],
        [37, 81, 1],
        [200, 12, 1],
        [33, 20, 27],
    ] {
        let most = if dims[2] > 1 { 0.12 } else { 0.10 };
        for (name, side) in [("closed", Closed), ("face", Face), ("node", Node)] {
            check(
                &format!("{name} {dims:?}"),
                &Problem::open(dims, sides(side, side, side)),
                most,
            );
        }
        check(
            &format!("open above {dims:?}"),
            &Problem::open(dims, [Closed, Closed, Closed, Face, Closed, Closed]),
            most,
        );
        // Where a periodic axis is odd, cells of one colour meet.
        check(
            &format!("periodic {dims:?}"),
            &Problem::open(dims, sides(Periodic, Periodic, Periodic)),
            0.13,
        );
    }
    let p = Problem {
        shift: 0.05,
        ..Problem::open([128, 128, 1], closed)
    };
    check("with a shift", &p, 0.10);
}

#[test]
fn obstacles_cost_little() {
    for n in [64_u32, 128, 256] {
        let at = |i: u32, s: f64| (f64::from(i) + 0.5 - s * f64::from(n)).powi(2);
        let disc =
            |i: u32, j: u32, _: u32| at(i, 0.41) + at(j, 0.47) < (0.17 * f64::from(n)).powi(2);
        let stairs = |i: u32, j: u32, _: u32| j < i / 3 && i > n / 5;
        for (name, sides) in [
            ("closed", sides(Closed, Closed, Closed)),
            ("open", [Closed, Face, Closed, Closed, Closed, Closed]),
        ] {
            check(
                &format!("disc {n}² {name}"),
                &Problem::new([n, n, 1], sides, disc),
                0.3,
            );
            check(
                &format!("stairs {n}² {name}"),
                &Problem::new([n, n, 1], sides, stairs),
                0.3,
            );
            for shift in 0..4 {
                let wall = |i: u32, j: u32, _: u32| i == n / 2 + shift && j < 3 * n / 4;
                check(
                    &format!("wall at {} of {n}² {name}", n / 2 + shift),
                    &Problem::new([n, n, 1], sides, wall),
                    0.3,
                );
            }
        }
    }
    let at = |i: u32, s: f64| (f64::from(i) + 0.5 - s * 32.0).powi(2);
    let ball = |i: u32, j: u32, k: u32| at(i, 0.41) + at(j, 0.45) + at(k, 0.5) < 40.0;
    check(
        "ball in 32³",
        &Problem::new([32, 32, 32], sides(Closed, Closed, Closed), ball),
        0.3,
    );
}

/// Chambers that touch at corners, pillars, pockets: nothing that a coarse grid can show as it is.
#[test]
fn mazes_converge_all_the_same() {
    let blocks = |i: u32, j: u32, _: u32| (i / 5 + j / 7).is_multiple_of(9) && j > 64;
    let pillars = |i: u32, j: u32, k: u32| {
        (i * 7 + j * 13 + k * 5).is_multiple_of(31) || (i / 9 + j / 7 + k / 3) % 5 == 4
    };
    let comb = |i: u32, j: u32, _: u32| i % 4 == 1 && j % 32 > 1;
    for (name, solid, most) in [
        ("blocks", &blocks as &dyn Fn(u32, u32, u32) -> bool, 0.5),
        ("pillars", &pillars, 0.5),
        // Channels of three cells, which no coarse level can tell apart.
        ("comb", &comb, 0.9),
    ] {
        for dims in [[128, 128, 1], [163, 201, 1]] {
            for (kind, side) in [("closed", Closed), ("face", Face), ("periodic", Periodic)] {
                check(
                    &format!("{name} {dims:?} {kind}"),
                    &Problem::new(dims, sides(side, side, side), solid),
                    most,
                );
            }
        }
    }
}

#[test]
fn constants_with_closed_faces_stay_finite() {
    for mut dev in devices() {
        let mut p = Problem::open([70, 41, 1], sides(Closed, Closed, Closed));
        p.rhs.fill(1.0);
        for cycle in ["V", "W"] {
            let mut params = solver(
                "multigrid",
                if dev.kind() == DeviceKind::Cpu {
                    100
                } else {
                    10
                },
            );
            set(&mut params, "cycle", cycle);
            let mut x = vec![7.0; p.codes.len()];
            let report = p.solve(&mut dev, &params, &mut x);
            assert!(x.iter().all(|x| x.abs() < 1e-3), "{cycle}");
            assert!(report.l2 < 1e-6, "{cycle}: {report:?}");
        }
    }
}

/// Every parameter does something, and what a program does is what single parts do.
#[test]
fn numbers_of_sweeps_count() {
    let p = Problem::open([256, 160, 1], sides(Closed, Face, Closed)).with_noise(3, false);
    let mut dev = Device::cpu_with_threads(2);
    let mut left = |pre: u32, post: u32, cycle: &str| {
        let mut params = solver("multigrid", 3);
        set(&mut params, "pre", &pre.to_string());
        set(&mut params, "post", &post.to_string());
        set(&mut params, "cycle", cycle);
        let mut x = vec![0.0; p.codes.len()];
        let report = p.solve(&mut dev, &params, &mut x);
        report.l2 / report.l2_before
    };
    let (few, many) = (left(1, 1, "V"), left(3, 3, "V"));
    let (v, w) = (left(2, 2, "V"), left(2, 2, "W"));
    let none = left(0, 2, "V");
    println!("V(1,1) {few}, V(2,2) {v}, V(3,3) {many}, V(0,2) {none}, W(2,2) {w}");
    assert!(many < v && v < few && few < 0.05 && none < 0.1);
    assert!(v != w && w < 1.5 * v);
}

/// A measurement, of no use under load: `cargo test --test suite multigrid::time -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn time_to_a_thousandth() {
    use std::time::Instant;
    for n in [256, 512, 1024] {
        let p = Problem::open([n, n, 1], sides(Closed, Closed, Closed)).with_noise(3, true);
        let smooth: Vec<f32> = (0..n * n).map(|c| (c as f32 * 1e-4).sin()).collect();
        for (what, rhs) in [("noise", &p.rhs), ("smooth", &smooth)] {
            for (id, iterations) in [
                ("gauss_seidel", 40),
                ("sor", 40),
                ("multigrid", 1),
                ("multigrid", 2),
                ("multigrid", 3),
                ("multigrid", 4),
            ] {
                let params = solver(id, iterations);
                let mut dev = Device::cpu_with_threads(2);
                let mut solver = params.create(&mut dev, p.dims).unwrap();
                let stencil = dev.buf_from("stencil", &p.codes).unwrap();
                let rhs = dev.buf_from("rhs", rhs).unwrap();
                let mut x = dev.buf("x", p.codes.len()).unwrap();
                let system = System {
                    dims: p.dims,
                    stencil: &stencil,
                    revision: 1,
                    shift: 0.0,
                    rhs: &rhs,
                    residual_scale: 1.0,
                    name: "test",
                    unit: "",
                };
                let mut best = f64::INFINITY;
                let mut report = None;
                for _ in 0..30 {
                    dev.clear(&mut x);
                    let begin = Instant::now();
                    dev.threads()
                        .run(|| solver.solve(&mut dev, &system, &mut x, &params));
                    best = best.min(begin.elapsed().as_secs_f64() * 1e3);
                    report = Some(solver.report(&mut dev).unwrap().wait(&mut dev).unwrap());
                }
                let report = report.unwrap();
                println!(
                    "{n}² {what} {id} {iterations}: {best:.3} ms, residual {:.1e} of the first",
                    report.l2 / report.l2_before
                );
                for t in dev.take_timings() {
                    println!("    {t:?}");
                }
            }
        }
    }
}
