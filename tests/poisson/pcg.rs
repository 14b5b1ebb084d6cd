//! Conjugate gradients: how many iterations each preconditioner needs, and that it does the same everywhere.

use eddy::device::{Device, DeviceError, DeviceKind};
use eddy::poisson::{SolverParams, System, UNKNOWN};

use super::system::{Problem, Side, devices, noise, set, sides, solver};
use super::zoo;
use Side::{Closed, Face, Node, Periodic};

const RATES: &str = include_str!("../../assets/reference/conjugate_gradients.csv");
const ALL: [&str; 5] = [
    "Multigrid",
    "Spectral",
    "IncompleteCholesky",
    "Jacobi",
    "None",
];

fn pcg(preconditioner: &str, iterations: u32) -> SolverParams {
    let mut params = solver("pcg", iterations);
    set(&mut params, "preconditioner", preconditioner);
    params
}

/// What there is on a device.
fn available(dev: &Device) -> Vec<&'static str> {
    let cpu = dev.kind() == DeviceKind::Cpu;
    ALL.into_iter()
        .filter(|p| cpu || *p != "IncompleteCholesky")
        .collect()
}

/// Iterations until the true residual is a thousandth of what it was.
fn count(dev: &mut Device, p: &Problem, preconditioner: &str) -> u32 {
    let mut params = pcg(preconditioner, 2000);
    set(&mut params, "check_every", "1");
    let mut x = vec![0.0; p.codes.len()];
    // In f64 the right-hand side of a closed box would keep its mean.
    let first = p.solve(dev, &pcg("None", 1), &mut x).l2_before;
    set(&mut params, "tolerance", &(1e-3 * first).to_string());
    let mut x = vec![0.0; p.codes.len()];
    let report = p.solve(dev, &params, &mut x);
    assert!(report.converged, "{preconditioner}: {report:?}");
    report.iterations
}

/// The reference is one sample of noise. Five of ours must agree with it within 5 %, or within three times their own spread.
#[test]
fn a_thousandth_takes_as_many_iterations_as_in_the_reference() {
    let mut dev = Device::cpu_with_threads(2);
    let rows: Vec<&str> = RATES.lines().filter(|l| l.contains("tol=0.001")).collect();
    assert_eq!(rows.len(), 18);
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let n: u32 = cells[1].parse().unwrap();
        let side = if cells[2] == "N" { Closed } else { Face };
        let expected: f64 = cells[5].parse().unwrap();
        let open = Problem::open([n, n, 1], sides(side, side, side));
        let preconditioner = match cells[3] {
            "precond=none" => "None",
            "precond=jacobi" => "Jacobi",
            _ => "Multigrid",
        };
        let found: Vec<f64> = (0..5)
            .map(|seed| {
                let p = open.clone().with_noise(77 * seed + 1, side == Closed);
                f64::from(count(&mut dev, &p, preconditioner))
            })
            .collect();
        let mean = found.iter().sum::<f64>() / 5.0;
        let spread = (found.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / 4.0).sqrt();
        println!("{row}: {mean} ± {spread}");
        if preconditioner == "Multigrid" {
            assert!(mean <= expected, "{row}: {mean}");
        } else {
            assert!(
                (mean - expected).abs() <= (0.05 * expected).max(3.0 * spread),
                "{row}: {mean} ± {spread}"
            );
        }
    }
}

/// Thin walls, mazes, channels of three cells that no coarse grid can tell apart: the best of all directions gets through.
#[test]
fn multigrid_is_sure_of_its_way_among_walls() {
    let mut dev = Device::cpu_with_threads(2);
    let wall = |i: u32, j: u32, _: u32| i == 65 && j < 96;
    let blocks = |i: u32, j: u32, _: u32| (i / 5 + j / 7).is_multiple_of(9) && j > 64;
    let pillars = |i: u32, j: u32, k: u32| {
        (i * 7 + j * 13 + k * 5).is_multiple_of(31) || (i / 9 + j / 7 + k / 3) % 5 == 4
    };
    let comb = |i: u32, j: u32, _: u32| i % 4 == 1 && j % 32 > 1;
    for (name, solid, most) in [
        ("wall", &wall as &dyn Fn(u32, u32, u32) -> bool, 5),
        ("blocks", &blocks, 5),
        ("pillars", &pillars, 6),
        ("comb", &comb, 30),
    ] {
        for dims in [[128, 128, 1], [163, 201, 1]] {
            for side in [Closed, Face, Periodic] {
                let p = Problem::new(dims, sides(side, side, side), solid).with_noise(7, false);
                let found = count(&mut dev, &p, "Multigrid");
                println!("{name} {dims:?}: {found}");
                assert!(found <= most, "{name} {dims:?}: {found}");
            }
        }
    }
}

#[test]
fn all_preconditioners_find_the_same() {
    let ball = |i: u32, j: u32, k: u32| (6..11).contains(&i) && (5..9).contains(&j) && k < 3;
    let bar = |i: u32, j: u32, k: u32| i == 3 && j == 2 && k > 0;
    let problems = [
        (
            Problem::new(
                [24, 20, 1],
                [Closed, Face, Closed, Node, Closed, Closed],
                ball,
            ),
            false,
        ),
        (
            Problem::new([8, 7, 6], [Face, Closed, Closed, Node, Closed, Face], bar),
            false,
        ),
        (
            Problem::new([24, 20, 1], sides(Closed, Closed, Closed), ball),
            true,
        ),
        (
            Problem::new([24, 21, 1], sides(Periodic, Periodic, Closed), ball),
            true,
        ),
        (
            Problem::new([9, 6, 6], sides(Periodic, Closed, Periodic), bar),
            true,
        ),
    ];
    for mut dev in devices() {
        for (number, (p, free)) in problems.iter().enumerate() {
            for shift in [0.0, 0.3] {
                let mut p = p.clone().with_noise(23, true);
                p.shift = shift;
                let free = *free && shift == 0.0;
                let exact = p.exact(free);
                for preconditioner in available(&dev) {
                    // Far more than is needed: nothing may go astray once there is nothing left to do.
                    let mut x = noise(p.codes.len(), 3);
                    let many = if preconditioner == "Multigrid" {
                        20
                    } else {
                        150
                    };
                    let iterations = if dev.kind() == DeviceKind::Cpu {
                        300
                    } else {
                        many
                    };
                    let report = p.solve(&mut dev, &pcg(preconditioner, iterations), &mut x);
                    let off = p.difference(&x, &exact, free);
                    assert!(
                        off < 1e-5,
                        "{number}, {shift}, {preconditioner}: {off} {report:?}"
                    );
                    let known = p.codes.iter().zip(&x).filter(|(c, _)| **c & UNKNOWN == 0);
                    assert!(known.map(|(_, x)| *x).all(|x| x == 0.0));
                }
            }
        }
    }
}

#[test]
fn no_preconditioner_hangs_on_the_number_of_threads() {
    for (name, p) in zoo() {
        for preconditioner in ALL {
            let mut params = pcg(preconditioner, 23);
            set(&mut params, "check_every", "7");
            let run = |threads: usize| {
                let mut x = noise(p.codes.len(), 3);
                let report = p.solve(&mut Device::cpu_with_threads(threads), &params, &mut x);
                (x, report)
            };
            let one = run(1);
            assert_eq!(one, run(2), "{name}, {preconditioner}");
            assert_eq!(one, run(5), "{name}, {preconditioner}");
        }
    }
}

#[test]
fn both_devices_do_the_same_with_each() {
    let mut devices = devices();
    let Some(mut gpu) = (devices.len() > 1).then(|| devices.remove(1)) else {
        return;
    };
    for (number, (name, mut p)) in zoo().into_iter().enumerate() {
        p.shift = [0.0, 0.02][number % 2];
        for preconditioner in available(&gpu) {
            let mut params = pcg(preconditioner, 5);
            set(&mut params, "check_every", "2");
            let mut a = noise(p.codes.len(), 3);
            let mut b = a.clone();
            p.solve(&mut devices[0], &params, &mut a);
            p.solve(&mut gpu, &params, &mut b);
            let exact: Vec<f64> = a.iter().map(|v| f64::from(*v)).collect();
            let off = p.difference(&b, &exact, false);
            assert!(off < 1e-6, "{name}, {preconditioner}: {off}");
        }
    }
}

#[test]
fn nothing_to_solve_is_solved_and_what_is_no_number_ends() {
    for mut dev in devices() {
        for side in [Closed, Face] {
            let mut p = Problem::open([70, 41, 1], sides(side, side, side));
            for preconditioner in available(&dev) {
                let params = pcg(preconditioner, 12);
                let mut x = vec![0.0; p.codes.len()];
                p.rhs.fill(0.0);
                let report = p.solve(&mut dev, &params, &mut x);
                assert!(x.iter().all(|x| *x == 0.0), "{preconditioner}");
                assert_eq!((report.l2, report.linf), (0.0, 0.0));
                // What a closed box cannot have is taken off.
                p.rhs.fill(1.0);
                let report = p.solve(&mut dev, &params, &mut x);
                assert!(
                    x.iter().all(|x| x.is_finite()) && report.l2.is_finite(),
                    "{preconditioner}"
                );
                if side == Closed {
                    assert!(
                        x.iter().all(|x| x.abs() < 1e-3) && report.l2 < 1e-6,
                        "{preconditioner}"
                    );
                }
                p.rhs[17] = f32::NAN;
                let report = p.solve(&mut dev, &params, &mut x);
                assert!(report.l2.is_nan() && report.iterations == 0 && !report.converged);
            }
        }
    }
}

#[test]
fn a_gpu_says_that_it_has_no_incomplete_cholesky() {
    let mut devices = devices();
    let Some(gpu) = devices.get_mut(1) else {
        return;
    };
    let dims = [16, 16, 1];
    let refused = |e: DeviceError| {
        assert!(matches!(e, DeviceError::CpuOnly { .. }), "{e}");
        assert!(
            e.to_string().contains("choose another preconditioner"),
            "{e}"
        );
    };
    refused(
        pcg("IncompleteCholesky", 5)
            .create(gpu, dims)
            .err()
            .unwrap(),
    );
    // The same where it is chosen while the simulation runs; and then another.
    let mut made = pcg("Jacobi", 5).create(gpu, dims).unwrap();
    let p = Problem::open(dims, sides(Face, Face, Face)).with_noise(3, false);
    let stencil = gpu.buf_from("stencil", &p.codes).unwrap();
    let rhs = gpu.buf_from("rhs", &p.rhs).unwrap();
    let mut x = gpu.buf("x", p.codes.len()).unwrap();
    let system = System {
        dims,
        stencil: &stencil,
        revision: 1,
        shift: 0.0,
        rhs: &rhs,
        residual_scale: 1.0,
        name: "test",
        unit: "",
    };
    for _ in 0..2 {
        made.solve(gpu, &system, &mut x, &pcg("IncompleteCholesky", 5));
        refused(made.report(gpu).err().unwrap());
    }
    for preconditioner in ["Multigrid", "None"] {
        made.solve(gpu, &system, &mut x, &pcg(preconditioner, 20));
        let report = made.report(gpu).unwrap().wait(gpu).unwrap();
        assert!(
            report.l2 < 0.1 * report.l2_zero,
            "{preconditioner}: {report:?}"
        );
    }
}

#[test]
fn a_preconditioner_that_is_chosen_later_is_as_one_from_the_beginning() {
    let mut dev = Device::cpu_with_threads(2);
    let p = zoo().remove(1).1;
    let stencil = dev.buf_from("stencil", &p.codes).unwrap();
    let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
    let mut made = pcg("None", 5).create(&mut dev, p.dims).unwrap();
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
    for preconditioner in ALL.into_iter().cycle().take(9) {
        let params = pcg(preconditioner, 6);
        let mut x = dev.buf("x", p.codes.len()).unwrap();
        made.solve(&mut dev, &system, &mut x, &params);
        let mut expected = vec![0.0; p.codes.len()];
        p.solve(&mut dev, &params, &mut expected);
        assert_eq!(dev.read(&x).unwrap(), expected, "{preconditioner}");
    }
}

#[test]
fn each_preconditioner_takes_the_memory_that_was_said() {
    for dims in [[64, 64, 1], [512, 512, 1], [33, 20, 17], [4, 4, 1]] {
        for preconditioner in ALL {
            let params = pcg(preconditioner, 5);
            let mut dev = Device::new(eddy::device::DeviceChoice::Cpu).unwrap();
            let _solver = params.create(&mut dev, dims).unwrap();
            let (used, said) = (dev.memory_used(), params.memory_bytes(dims));
            assert!(
                used <= said + 64 * 1024,
                "{dims:?} {preconditioner}: {used}, {said}"
            );
            assert!(
                said <= 2 * used + 64 * 1024,
                "{dims:?} {preconditioner}: {used}, {said}"
            );
        }
    }
}

/// A measurement, of no use under load: `cargo test --test suite pcg::time -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn time_to_a_thousandth() {
    for n in [256, 512, 1024] {
        let p = Problem::open([n, n, 1], sides(Closed, Closed, Closed)).with_noise(3, true);
        for preconditioner in ALL {
            let mut dev = Device::cpu_with_threads(2);
            let iterations = count(&mut dev, &p, preconditioner);
            let params = pcg(preconditioner, iterations);
            let mut made = params.create(&mut dev, p.dims).unwrap();
            let stencil = dev.buf_from("stencil", &p.codes).unwrap();
            let rhs = dev.buf_from("rhs", &p.rhs).unwrap();
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
            for _ in 0..5 {
                dev.clear(&mut x);
                let begin = std::time::Instant::now();
                made.solve(&mut dev, &system, &mut x, &params);
                best = best.min(begin.elapsed().as_secs_f64() * 1e3);
            }
            println!("{n}² {preconditioner}: {iterations} iterations, {best:.2} ms");
            for t in dev.take_timings() {
                println!("    {t:?}");
            }
        }
    }
}
