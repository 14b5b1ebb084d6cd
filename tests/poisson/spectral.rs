//! The spectral solver: exact in any box, convergent outside of boxes, in few dispatches.

use std::f64::consts::PI;
use std::time::Instant;

use eddy::device::{Buf, Device, DeviceError, DeviceKind};
use eddy::poisson::{AnySolver, SolveReport, SolverParams, System, UNKNOWN};

use super::system::{Problem, Side, devices, noise, set, sides, solver};
use Side::{Closed, Face, Node, Periodic};

/// Both ends of an axis in every combination.
const ENDS: [[Side; 2]; 10] = [
    [Periodic, Periodic],
    [Closed, Closed],
    [Closed, Face],
    [Closed, Node],
    [Face, Closed],
    [Face, Face],
    [Face, Node],
    [Node, Closed],
    [Node, Face],
    [Node, Node],
];

/// Mode `m`, from zero, of an axis of n cells, with its eigenvalue: written down from the conditions at its ends.
fn mode(n: u32, [low, high]: [Side; 2], m: u32) -> (Vec<f64>, f64) {
    let (n, m) = (f64::from(n), f64::from(m));
    let theta = match (low, high) {
        (Periodic, _) => 2.0 * PI * m / n,
        (Closed, Closed) => PI * m / n,
        (Face, Face) => PI * (m + 1.0) / n,
        (Closed, Face) | (Face, Closed) => PI * (m + 0.5) / n,
        (Node, Node) => PI * (m + 1.0) / (n + 1.0),
        (Face, Node) | (Node, Face) => PI * (m + 1.0) / (n + 0.5),
        _ => PI * (m + 0.5) / (n + 0.5),
    };
    let value = |i: u32| match low {
        Periodic => (theta * f64::from(i) + 0.3).cos(),
        Closed => (theta * (f64::from(i) + 0.5)).cos(),
        Face => (theta * (f64::from(i) + 0.5)).sin(),
        Node => (theta * (f64::from(i) + 1.0)).sin(),
    };
    let lambda = 4.0 * (theta / 2.0).sin().powi(2);
    ((0..n as u32).map(value).collect(), lambda)
}

/// The box with the ends of each axis, with a mode as its solution.
fn modal(dims: [u32; 3], ends: [[Side; 2]; 3], m: [u32; 3], shift: f32) -> (Problem, Vec<f64>) {
    let mut p = Problem::open(
        dims,
        ends.concat()
            .try_into()
            .unwrap_or_else(|_| panic!("six sides")),
    );
    p.shift = shift;
    let along = [0, 1, 2].map(|a| match dims[a] {
        1 if a == 2 => (vec![1.0], 0.0),
        n => mode(n, ends[a], m[a]),
    });
    let [nx, ny, _] = dims.map(|n| n as usize);
    let value = |c: usize| along[0].0[c % nx] * along[1].0[c / nx % ny] * along[2].0[c / (nx * ny)];
    let exact: Vec<f64> = (0..p.codes.len()).map(value).collect();
    let lambda = f64::from(shift) + along.iter().map(|a| a.1).sum::<f64>();
    p.rhs = exact.iter().map(|x| (lambda * x) as f32).collect();
    (p, exact)
}

#[test]
fn exact_modes_at_all_combinations_of_ends() {
    let mut worst = 0.0_f64;
    for mut dev in devices() {
        for (a, x) in ENDS.iter().enumerate() {
            for (b, y) in ENDS.iter().enumerate() {
                let z = &ENDS[(a + 3 * b) % 10];
                let cases = [
                    ([48, 33, 1], [3, 2, 0], 0.0),
                    ([17, 40, 1], [1, 5, 0], 0.3),
                    ([16, 9, 10], [2, 3, 1], 0.0),
                    ([7, 6, 15], [1, 2, 4], 0.02),
                ];
                for (dims, m, shift) in cases {
                    let (p, exact) = modal(dims, [*x, *y, *z], m, shift);
                    // The guess does not count.
                    let mut found = noise(exact.len(), 3);
                    let report = p.solve(&mut dev, &solver("spectral", 1), &mut found);
                    let off = p.difference(&found, &exact, false);
                    worst = worst.max(off);
                    assert!(off < 2e-6, "{dims:?} {a} {b}: {off:e}");
                    assert!(!report.approximate && report.iterations == 1);
                    assert!(report.l2 < 2e-6 * 12.0, "{dims:?} {a} {b}: {report:?}");
                }
            }
        }
    }
    println!("largest difference {worst:e}");
}

/// Dispatches of a solve, but for those that measure what it left.
fn passes(dev: &mut Device, p: &Problem) -> Vec<(&'static str, u32)> {
    dev.set_timing(true);
    dev.take_timings();
    let mut x = vec![0.0; p.codes.len()];
    p.solve(dev, &solver("spectral", 1), &mut x);
    dev.sync().unwrap();
    let timings = dev.take_timings();
    timings.iter().map(|t| (t.name, t.runs)).collect()
}

#[test]
fn a_solve_is_three_dispatches_in_2d_and_five_in_3d() {
    for mut dev in devices() {
        for (dims, expected) in [
            ([96, 64, 1], 3),
            ([12, 20, 16], 5),
            ([200, 1, 1], 1),
            ([1, 30, 4], 5),
        ] {
            let p = Problem::open(dims, sides(Closed, Face, Periodic)).with_noise(3, false);
            let runs = passes(&mut dev, &p);
            if runs.is_empty() {
                println!("skipped: {} has no timestamps", dev.name());
                continue;
            }
            let count = |name| {
                runs.iter()
                    .filter(|r| r.0 == name)
                    .map(|r| r.1)
                    .sum::<u32>()
            };
            assert_eq!(count("SpectralPass"), expected, "{dims:?}: {runs:?}");
            // Nothing else works on the way from b to x: two measurements, each of a residual and two norms.
            assert_eq!(count("Residual"), 2, "{runs:?}");
        }
    }
}

#[test]
fn noise_is_solved_as_by_multigrid() {
    for mut dev in devices() {
        let few = dev.kind() != DeviceKind::Cpu;
        for (dims, sides) in [
            ([128, 96, 1], sides(Closed, Closed, Closed)),
            ([100, 77, 1], [Face, Closed, Node, Face, Closed, Closed]),
            ([64, 120, 1], sides(Periodic, Periodic, Closed)),
            (
                [24, 20, 18],
                [Closed, Face, Periodic, Periodic, Node, Closed],
            ),
        ] {
            let p = Problem::open(dims, sides).with_noise(5, true);
            let (mut a, mut b) = (vec![0.0; p.codes.len()], vec![0.0; p.codes.len()]);
            let report = p.solve(&mut dev, &solver("spectral", 1), &mut a);
            p.solve(
                &mut dev,
                &solver("multigrid", if few { 8 } else { 12 }),
                &mut b,
            );
            let b: Vec<f64> = b.iter().map(|v| f64::from(*v)).collect();
            let off = p.difference(&a, &b, true);
            println!(
                "{dims:?}: {off:e}, residual {:e}",
                report.l2 / report.l2_zero
            );
            assert!(off < 1e-4, "{dims:?}: {off}");
            assert!(report.l2 < 1e-4 * report.l2_zero, "{report:?}");
        }
    }
}

/// Whatever is inside the box, an error never grows; most of it goes in a few iterations, and all of it in the end.
#[test]
fn outside_of_boxes_no_error_grows() {
    let disc = |i: u32, j: u32, _: u32| {
        (f64::from(i) - 40.0).powi(2) + (f64::from(j) - 30.0).powi(2) < 150.0
    };
    let wall = |i: u32, j: u32, _: u32| i == 50 && j < 48;
    let bits = |i: u32, j: u32, k: u32| (i * 7 + j * 13 + k * 5).is_multiple_of(31);
    let mixed = [Closed, Face, Node, Closed, Face, Face];
    let mut problems = vec![
        (
            "disc",
            Problem::new([96, 64, 1], sides(Closed, Closed, Closed), disc),
            0.02,
        ),
        (
            "disc, open",
            Problem::new([96, 64, 1], sides(Closed, Face, Closed), disc),
            0.02,
        ),
        (
            "wall",
            Problem::new([96, 64, 1], sides(Closed, Closed, Closed), wall),
            0.02,
        ),
        ("bits", Problem::new([60, 50, 1], mixed, bits), 0.02),
        ("bits in 3D", Problem::new([16, 15, 12], mixed, bits), 0.02),
        (
            "periodic bits",
            Problem::new([40, 60, 1], sides(Periodic, Periodic, Closed), bits),
            0.02,
        ),
    ];
    // Known values on obstacles, as those of a viscous fluid.
    let mut known = Problem::new([60, 50, 1], sides(Face, Node, Closed), bits);
    for c in 0..known.codes.len() {
        let code = known.codes[c];
        for (f, to) in [(0, 2), (2, 3)] {
            if code & UNKNOWN != 0 && (code >> (2 * f)) & 3 == 0 {
                known.codes[c] |= to << (2 * f);
            }
        }
    }
    known.shift = 1.5;
    problems.push(("known", known, 0.02));
    for mut dev in devices() {
        for (name, p, most) in &problems {
            let mut p = p.clone();
            p.rhs.fill(0.0);
            let mut x = noise(p.codes.len(), 9);
            for (x, code) in x.iter_mut().zip(&p.codes) {
                *x *= ((code & UNKNOWN) / UNKNOWN) as f32;
            }
            // What is left of the error in the norm in which a step can only shorten it.
            let energy = |x: &[f32]| {
                let x: Vec<f64> = x.iter().map(|v| f64::from(*v)).collect();
                p.apply(&x).iter().zip(&x).map(|(a, x)| a * x).sum::<f64>()
            };
            let first = energy(&x);
            let mut before = first;
            for _ in 0..10 {
                let report = p.solve(&mut dev, &solver("spectral", 1), &mut x);
                assert!(report.approximate, "{name}");
                let after = energy(&x);
                assert!(
                    after <= before * (1.0 + 1e-6) + 1e-9 * first,
                    "{name}: {before} {after}"
                );
                before = after;
                let solid = x.iter().zip(&p.codes).filter(|(_, c)| **c & UNKNOWN == 0);
                assert!(solid.into_iter().all(|(x, _)| *x == 0.0), "{name}");
            }
            println!("{name}: {:e} of the error is left", (before / first).sqrt());
            assert!(
                (before / first).sqrt() < *most,
                "{name}: {}",
                before / first
            );
        }
    }
}

#[test]
fn constants_with_closed_faces_stay_finite() {
    for mut dev in devices() {
        for side in [Closed, Periodic] {
            let mut p = Problem::open([70, 41, 1], sides(side, side, Closed));
            p.rhs.fill(1.0);
            let mut x = vec![7.0; p.codes.len()];
            let report = p.solve(&mut dev, &solver("spectral", 3), &mut x);
            assert!(x.iter().all(|x| x.abs() < 1e-3));
            assert!(report.l2 < 1e-6, "{report:?}");
        }
    }
}

/// Solves from zero on a solver that is there.
fn solve_on(
    dev: &mut Device,
    solver: &mut dyn AnySolver,
    params: &SolverParams,
    p: &Problem,
) -> Result<SolveReport, DeviceError> {
    let stencil = dev.buf_from("stencil", &p.codes).unwrap();
    let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
    let mut x = dev.buf("x", p.codes.len()).unwrap();
    solver.solve(dev, &system(p, &stencil, &rhs), &mut x, params);
    solver.report(dev)?.wait(dev)
}

fn system<'a>(p: &Problem, stencil: &'a Buf<u32>, rhs: &'a Buf<f32>) -> System<'a> {
    System {
        dims: p.dims,
        stencil,
        revision: p.revision,
        shift: p.shift,
        rhs,
        residual_scale: 1.0,
        name: "test",
        unit: "",
    }
}

/// The same solver again: the ends change, an obstacle comes and goes, the shift changes.
#[test]
fn another_stencil_is_seen() {
    for mut dev in devices() {
        let dims = [40, 30, 1];
        let params = solver("spectral", 1);
        let mut solver = params.create(&mut dev, dims).unwrap();
        let disc = |i: u32, j: u32, _: u32| (10..16).contains(&i) && (8..13).contains(&j);
        let half = sides(Periodic, Face, Closed);
        let problems = [
            Problem::open(dims, sides(Closed, Closed, Closed)),
            Problem::open(dims, sides(Closed, Node, Closed)),
            Problem::new(dims, sides(Closed, Node, Closed), disc),
            Problem::open(dims, half),
            Problem {
                shift: 0.4,
                ..Problem::open(dims, half)
            },
        ];
        for (n, mut p) in problems.into_iter().enumerate() {
            p.revision = n as u64;
            let p = p.with_noise(3, true);
            let report = solve_on(&mut dev, &mut *solver, &params, &p).unwrap();
            assert_eq!(report.approximate, n == 2);
            let left = report.l2 / report.l2_zero;
            assert!(left < if n == 2 { 0.9 } else { 1e-4 }, "{n}: {left}");
        }
    }
}

/// What does not fit into a workgroup's memory is refused in words, on a GPU only.
#[test]
fn lines_that_are_too_long_are_refused() {
    for mut dev in devices() {
        for (dims, side) in [
            ([4096, 4, 1], Closed),
            ([4, 1100, 1], Node),
            ([2027, 3, 1], Closed),
        ] {
            let p = Problem::open(dims, sides(side, side, Closed)).with_noise(3, true);
            let params = solver("spectral", 1);
            let mut solver = params.create(&mut dev, dims).unwrap();
            let report = solve_on(&mut dev, &mut *solver, &params, &p);
            if dev.kind() == DeviceKind::Cpu {
                let report = report.unwrap();
                assert!(report.l2 < 1e-2 * report.l2_zero, "{report:?}");
            } else {
                let text = report.unwrap_err().to_string();
                assert!(
                    text.contains("cells along") && text.contains("multigrid"),
                    "{text}"
                );
            }
        }
    }
}

/// A measurement, of no use under load: `cargo test --test suite spectral::time -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn time_of_a_solve() {
    let best = |dev: &mut Device, p: &Problem, id: &str, iterations: u32| {
        let mut params = solver(id, iterations);
        set(&mut params, "check_every", &iterations.to_string());
        let mut solver = params.create(dev, p.dims).unwrap();
        let stencil = dev.buf_from("stencil", &p.codes).unwrap();
        let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
        let mut x = dev.buf("x", p.codes.len()).unwrap();
        let system = system(p, &stencil, &rhs);
        dev.take_timings();
        let (mut best, mut passes) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..30 {
            let begin = Instant::now();
            dev.threads()
                .run(|| solver.solve(dev, &system, &mut x, &params));
            best = best.min(begin.elapsed().as_secs_f64() * 1e3);
            let mine = |t: &&eddy::device::KernelTime| t.name == "SpectralPass";
            passes = passes.min(dev.take_timings().iter().filter(mine).map(|t| t.ms).sum());
        }
        (best, passes)
    };
    for threads in [1, 2] {
        let mut dev = Device::cpu_with_threads(threads);
        for dims in [
            [128, 128, 1],
            [256, 256, 1],
            [512, 512, 1],
            [1024, 1024, 1],
            [2048, 2048, 1],
            [64, 64, 64],
            [128, 128, 128],
        ] {
            let p = Problem::open(dims, sides(Closed, Closed, Closed)).with_noise(3, true);
            let (all, passes) = best(&mut dev, &p, "spectral", 1);
            let (jacobi, _) = best(&mut dev, &p, "jacobi", 60);
            let cells = f64::from(dims.iter().product::<u32>());
            println!(
                "{threads} threads, {dims:?} closed: {all:.3} ms, its passes {passes:.3} ms ({:.2} ns a cell); \
                 60 Jacobi sweeps {jacobi:.3} ms: {:.2} of them",
                passes * 1e6 / cells,
                all / jacobi
            );
        }
        for (name, dims, side) in [
            ("face", [512, 512, 1], Face),
            ("periodic", [512, 512, 1], Periodic),
            ("node", [511, 511, 1], Node),
            ("closed", [500, 500, 1], Closed),
            ("closed", [509, 509, 1], Closed),
        ] {
            let p = Problem::open(dims, sides(side, side, Closed)).with_noise(3, true);
            let (all, passes) = best(&mut dev, &p, "spectral", 1);
            println!("{threads} threads, {dims:?} {name}: {all:.3} ms, its passes {passes:.3} ms");
        }
    }
}
