//! The Poisson solvers: kernels, exact modes, rates, reports, repeatability.

#[path = "poisson/channel.rs"]
mod channel;
#[path = "poisson/curve.rs"]
mod curve;
#[path = "poisson/filters.rs"]
mod filters;
#[path = "poisson/frames.rs"]
mod frames;
#[path = "poisson/multigrid.rs"]
mod multigrid;
#[path = "poisson/pcg.rs"]
mod pcg;
#[path = "poisson/rates.rs"]
mod rates;
#[path = "poisson/spectral.rs"]
mod spectral;
#[path = "poisson/system.rs"]
mod system;

use eddy::device::{Device, DeviceKind, check_kernel};
use eddy::poisson::kernels::{JacobiSweep, RedBlackSweep, SweepU};
use eddy::poisson::{KERNELS, SOLVERS, SolverParams, UNKNOWN};
use system::{Problem, Side, devices, noise, set, sides, solver};

/// Below this share of b a residual is mere rounding, which is another one on each device.
const ROUNDING: f32 = 1e-4;

/// Iterations on a device in a test that would need `n`: a software GPU is some fifty times slower.
fn affordable(dev: &Device, n: u32) -> u32 {
    if dev.kind() == DeviceKind::Cpu {
        n
    } else {
        n.min(60)
    }
}

/// Boxes with holes, all kinds of faces, odd and even, flat and deep, large enough for several strips.
fn zoo() -> Vec<(&'static str, Problem)> {
    use Side::{Closed, Face, Node, Periodic};
    let holes = |i: u32, j: u32, k: u32| {
        (i * 7 + j * 13 + k * 5).is_multiple_of(31) || (i / 9 + j / 7 + k / 3) % 5 == 4
    };
    let mixed = [Closed, Face, Node, Closed, Face, Face];
    let all = vec![
        (
            "closed",
            Problem::open([160, 400, 1], sides(Closed, Closed, Closed)),
        ),
        (
            "mixed with holes",
            Problem::new([163, 401, 1], mixed, holes),
        ),
        (
            "periodic",
            Problem::new([128, 200, 1], sides(Periodic, Periodic, Closed), holes),
        ),
        (
            "odd periodic",
            Problem::open([129, 201, 1], sides(Periodic, Periodic, Closed)),
        ),
        (
            "periodic up",
            Problem::new([77, 300, 1], sides(Face, Periodic, Closed), holes),
        ),
        ("deep", Problem::new([24, 21, 61], mixed, holes)),
        (
            "deep periodic",
            Problem::open([32, 20, 40], sides(Periodic, Closed, Periodic)),
        ),
        (
            "small",
            Problem::open([5, 4, 1], sides(Closed, Node, Closed)),
        ),
    ];
    all.into_iter()
        .map(|(name, p)| (name, p.with_noise(7, false)))
        .collect()
}

/// The same sweeps by the plain kernels, one after the other.
fn plain_sweeps(
    dev: &mut Device,
    p: &Problem,
    id: &str,
    weight: f32,
    iterations: u32,
    x: &[f32],
) -> Vec<f32> {
    let [nx, ny, nz] = p.dims;
    let mut u = SweepU {
        cells: [nx, ny, nz, 0],
        shift: p.shift,
        weight,
        pad0: 0.0,
        pad1: 0.0,
    };
    let stencil = dev.buf_from("stencil", &p.codes).unwrap();
    let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
    let mut x = dev.buf_from("x", x).unwrap();
    let mut y = dev.buf("y", x.len()).unwrap();
    let mut weights = chebyshev(if id == "sor" { weight } else { 1.0 });
    for sweep in 0..iterations {
        if id == "jacobi" {
            // An odd number of whole sweeps would turn round what alternates from cell to cell.
            let turns = sweep == 0 && weight == 1.0 && iterations % 2 == 1;
            u.weight = if turns { 0.625 } else { weight };
            dev.run(
                p.dims,
                JacobiSweep {
                    sweep: u,
                    stencil: &stencil,
                    rhs: &rhs,
                    x: &x,
                    relaxed: &mut y,
                },
            );
            std::mem::swap(&mut x, &mut y);
        } else {
            u.weight = weights.next().unwrap();
            u.cells[3] = 0;
            dev.run(
                p.dims,
                RedBlackSweep {
                    sweep: u,
                    stencil: &stencil,
                    rhs: &rhs,
                    x: &x,
                    relaxed: &mut y,
                },
            );
            u.weight = weights.next().unwrap();
            u.cells[3] = 1;
            dev.run(
                p.dims,
                RedBlackSweep {
                    sweep: u,
                    stencil: &stencil,
                    rhs: &rhs,
                    x: &y,
                    relaxed: &mut x,
                },
            );
        }
    }
    dev.read(&x).unwrap()
}

/// The weights of sweeps of one colour that come to ω (Golub and Varga 1961); for one, ones.
fn chebyshev(omega: f32) -> impl Iterator<Item = f32> {
    let omega = f64::from(omega);
    let rho2 = 4.0 * (omega - 1.0) / (omega * omega);
    let second = 1.0 / (1.0 - rho2 / 2.0);
    let rest = std::iter::successors(Some(second), move |w| Some(1.0 / (1.0 - rho2 * w / 4.0)));
    std::iter::once(1.0).chain(rest.map(|w| w as f32))
}

/// A solve that begins with the result of one before must not make it worse: with no right-hand side the guess is the
/// error, and it never grows, whatever the number of iterations, at any faces and obstacles.
#[test]
fn over_relaxation_adds_no_error_on_the_way() {
    for mut dev in devices() {
        for (name, mut p) in zoo() {
            p.rhs.fill(0.0);
            let guess = noise(p.codes.len(), 9);
            let size = |x: &[f32]| -> f64 {
                let known = x.iter().zip(&p.codes).filter(|(_, c)| **c & UNKNOWN != 0);
                known
                    .map(|(x, _)| f64::from(*x).powi(2))
                    .sum::<f64>()
                    .sqrt()
            };
            let before = size(&guess);
            for iterations in [1, 2, 5, 20, 60] {
                let mut x = guess.clone();
                p.solve(&mut dev, &solver("sor", iterations), &mut x);
                let after = size(&x);
                println!("{name}, {iterations}: {}", after / before);
                assert!(after <= before, "{name}, {iterations}: {before} to {after}");
            }
        }
    }
}

#[test]
fn shaders_fit_their_kernels() {
    for kernel in KERNELS {
        check_kernel(kernel).unwrap();
    }
}

#[test]
fn sweeps_on_strips_equal_plain_sweeps_at_any_number_of_threads() {
    for (name, mut p) in zoo() {
        // With a shift no right-hand side is changed beforehand, so that the plain kernels see the same system.
        p.shift = 0.01;
        let x: Vec<f32> = noise(p.codes.len(), 3);
        let kinds: [(&str, f32); 4] = [
            ("jacobi", 1.0),
            ("jacobi", 0.8),
            ("gauss_seidel", 1.0),
            ("sor", 1.7),
        ];
        // Many on strips, few in one way through. Few may not go far beyond the relaxed value.
        let many = kinds.map(|(id, weight)| (id, weight, 101));
        let few = [4, 3, 1].map(|n| [("gauss_seidel", 1.0, n), ("sor", 1.1, n)]);
        for (id, weight, iterations) in many.into_iter().chain(few.into_iter().flatten()) {
            let mut params = solver(id, iterations);
            match id {
                "jacobi" => set(&mut params, "weight", &weight.to_string()),
                "sor" => set(&mut params, "omega", &weight.to_string()),
                _ => {}
            }
            let mut dev = Device::cpu_with_threads(2);
            let expected = plain_sweeps(&mut dev, &p, id, weight, iterations, &x);
            for threads in [1, 2, 3, 7] {
                let mut dev = Device::cpu_with_threads(threads);
                let mut got = x.clone();
                p.solve(&mut dev, &params, &mut got);
                let wrong = got
                    .iter()
                    .zip(&expected)
                    .filter(|(a, b)| a.to_bits() != b.to_bits() && **a != **b)
                    .count();
                assert_eq!(
                    wrong, 0,
                    "{name}, {id}, {weight}, {iterations} on {threads} threads"
                );
            }
        }
    }
}

#[test]
fn whole_solves_do_not_depend_on_the_number_of_threads() {
    for (name, p) in zoo() {
        for info in SOLVERS {
            let mut params = solver(info.id, 60);
            set(&mut params, "check_every", "7");
            let run = |threads: usize| {
                let mut dev = Device::cpu_with_threads(threads);
                let mut x = noise(p.codes.len(), 3);
                let report = p.solve(&mut dev, &params, &mut x);
                (x, report)
            };
            let one = run(1);
            assert_eq!(one, run(2), "{name}, {}", info.id);
            assert_eq!(one, run(5), "{name}, {}", info.id);
        }
    }
}

#[test]
fn both_devices_give_the_same() {
    let mut devices = devices();
    let Some(mut gpu) = (devices.len() > 1).then(|| devices.remove(1)) else {
        return;
    };
    for (name, p) in zoo() {
        for info in SOLVERS {
            for iterations in [4, 5] {
                let mut params = solver(info.id, iterations);
                set(&mut params, "check_every", "2");
                let mut a = noise(p.codes.len(), 3);
                let mut b = a.clone();
                let mut on_cpu = p.solve(&mut devices[0], &params, &mut a);
                if on_cpu.l2 < 1e-3 * on_cpu.l2_before {
                    // So soon little is left but rounding.
                    set(&mut params, "iterations", "1");
                    a.clone_from(&b);
                    on_cpu = p.solve(&mut devices[0], &params, &mut a);
                }
                let on_gpu = p.solve(&mut gpu, &params, &mut b);
                let exact: Vec<f64> = a.iter().map(|v| f64::from(*v)).collect();
                let off = p.difference(&b, &exact, false);
                assert!(off < 1e-6, "{name}, {}: {off}", info.id);
                if on_cpu.l2 < ROUNDING * on_cpu.l2_zero {
                    assert!(on_gpu.l2 < 2.0 * ROUNDING * on_cpu.l2_zero);
                    continue;
                }
                assert!(
                    (on_cpu.l2 - on_gpu.l2).abs() <= 1e-5 * on_cpu.l2,
                    "{name}, {}",
                    info.id
                );
                assert!(
                    (on_cpu.linf - on_gpu.linf).abs() <= 1e-4 * on_cpu.linf,
                    "{name}, {}",
                    info.id
                );
            }
        }
    }
}

#[test]
fn the_report_tells_the_true_residual() {
    for mut dev in devices() {
        for (name, mut p) in zoo() {
            p.shift = 0.05;
            for info in SOLVERS {
                let mut first = noise(p.codes.len(), 3);
                for (x, code) in first.iter_mut().zip(&p.codes) {
                    *x *= ((code & UNKNOWN) / UNKNOWN) as f32;
                }
                let before = p.residual(&first);
                let (mut x, mut iterations) = (first.clone(), 9);
                let mut report = p.solve(&mut dev, &solver(info.id, iterations), &mut x);
                if report.l2 < 0.01 * report.l2_before {
                    // So soon little is left but rounding.
                    (x, iterations) = (first, 1);
                    report = p.solve(&mut dev, &solver(info.id, iterations), &mut x);
                }
                let (l2, linf) = p.residual(&x);
                assert!(
                    (f64::from(report.l2_before) / before.0 - 1.0).abs() < 1e-5,
                    "{name}"
                );
                // A residual of mere rounding is known to as many digits as what it is the difference of.
                let digits = 1e-5_f64.max(f64::from(1e-6 * report.l2_zero) / l2);
                assert!(
                    (f64::from(report.l2) / l2 - 1.0).abs() < digits,
                    "{name}, {}",
                    info.id
                );
                assert!(
                    (f64::from(report.linf) / linf - 1.0).abs() < digits,
                    "{name}, {}",
                    info.id
                );
                assert_eq!(
                    (report.iterations, report.solver, report.system),
                    (iterations, info.id, "test")
                );
                assert!(!report.converged);
            }
        }
    }
}

#[test]
fn converged_solutions_equal_conjugate_gradients_in_f64() {
    use Side::{Closed, Face, Node, Periodic};
    let ball = |i: u32, j: u32, k: u32| (6..11).contains(&i) && (5..9).contains(&j) && k < 3;
    let bar = |i: u32, j: u32, k: u32| i == 3 && j == 2 && k > 0;
    let problems = [
        Problem::new(
            [24, 20, 1],
            [Closed, Face, Closed, Node, Closed, Closed],
            ball,
        ),
        Problem::new([8, 7, 6], [Face, Closed, Closed, Node, Closed, Face], bar),
        Problem::new([24, 20, 1], sides(Closed, Closed, Closed), ball),
        Problem::new([24, 20, 1], sides(Periodic, Periodic, Closed), ball),
        Problem::open([9, 7, 1], sides(Periodic, Periodic, Closed)),
        Problem::new([8, 6, 6], sides(Periodic, Closed, Periodic), bar),
    ];
    for mut dev in devices() {
        for (number, p) in problems.iter().enumerate() {
            for shift in [0.0, 0.3] {
                let mut p = p.clone().with_noise(23, true);
                p.shift = shift;
                let free = number > 1 && shift == 0.0;
                let exact = p.exact(free);
                for info in SOLVERS {
                    let many = affordable(&dev, 4000);
                    let mut params = solver(info.id, many);
                    set(&mut params, "tolerance", "1e-6");
                    set(&mut params, "check_every", "50");
                    if free && info.id == "jacobi" {
                        // Undamped, the chequerboard of a closed or periodic box never dies out.
                        set(&mut params, "weight", "0.9");
                    }
                    let mut x = vec![0.0; p.codes.len()];
                    let report = p.solve(&mut dev, &params, &mut x);
                    if dev.kind() == DeviceKind::Cpu {
                        let off = p.difference(&x, &exact, free);
                        assert!(
                            off < 1e-4,
                            "{number}, {}, {shift}: {off} {report:?}",
                            info.id
                        );
                        assert!(report.converged && report.iterations < 4000);
                        assert!(report.l2 <= 1e-6);
                    } else {
                        assert!(report.l2 < 0.5 * report.l2_before);
                    }
                }
            }
        }
    }
}

#[test]
fn closed_boxes_stay_finite_and_their_mean_does_not_wander() {
    for mut dev in devices() {
        let many = affordable(&dev, 2000);
        // Two closed parts, with sources that do not balance.
        let wall = |_: u32, j: u32, _: u32| j == 20;
        let mut p = Problem::new(
            [40, 50, 1],
            sides(Side::Closed, Side::Closed, Side::Closed),
            wall,
        );
        p.rhs = p
            .codes
            .iter()
            .map(|c| if c & UNKNOWN != 0 { 1.0 } else { 0.0 })
            .collect();
        for info in SOLVERS {
            let mut x = vec![0.0; p.codes.len()];
            let report = p.solve(&mut dev, &solver(info.id, many), &mut x);
            assert!(x.iter().all(|x| x.abs() < 1e-3), "{}", info.id);
            assert!(report.l2.is_finite() && report.l2 < 1e-6);
        }
        let mut p = p.with_noise(5, false);
        p.rhs.iter_mut().for_each(|b| *b += 0.5);
        for info in SOLVERS {
            let params = solver(info.id, 20);
            let mut x = vec![3.0; p.codes.len()];
            let mut means = vec![];
            for _ in 0..affordable(&dev, 200) / 4 {
                p.solve(&mut dev, &params, &mut x);
                means.push(x.iter().sum::<f32>() / x.len() as f32);
            }
            let largest = x.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
            assert!(largest < 100.0, "{}: {largest}", info.id);
            for mean in means {
                assert!(
                    mean.abs() < 0.01 * largest,
                    "{}: {mean} of {largest}",
                    info.id
                );
            }
        }
    }
}

#[test]
fn memory_is_what_was_said() {
    for dims in [[64, 64, 1], [512, 512, 1], [33, 20, 17], [4, 4, 1]] {
        for info in SOLVERS {
            let params = SolverParams::from_id(info.id).unwrap();
            let mut dev = Device::new(eddy::device::DeviceChoice::Cpu).unwrap();
            let _solver = params.create(&mut dev, dims).unwrap();
            assert!(dev.memory_used() <= params.memory_bytes(dims) + 64 * 1024);
        }
    }
}
